/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.h: what the program says of itself: MPI_Pcontrol, and the marks of include/tryst.h.
 */
#ifndef TRYST_CALL_PHASE_H
#define TRYST_CALL_PHASE_H

#include "pmpi/call/call.h"
#include "pmpi/dispatch/dispatch.h"

/* TRYST_RECORD=pcontrol: nothing is recorded until MPI_Pcontrol(1). At the end of MPI_Init. */
void phase_start(struct thread *t);

/* MPI_Pcontrol(level) in call c. HACKING says what the levels mean. */
void phase_pcontrol(struct call *c, int level);

/* MPI_Finalize comes: ends the phase in which nothing was recorded. */
void phase_finish(void);

/* Where libtryst.so sends the marks of the program. */
void phase_lend(struct shim_marks *marks);

#endif
