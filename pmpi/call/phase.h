/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.h: phases that the program names, by MPI_Pcontrol or the marks of include/tryst.h.
 */
#ifndef TRYST_CALL_PHASE_H
#define TRYST_CALL_PHASE_H

#include "pmpi/call/call.h"
#include "pmpi/dispatch/dispatch.h"

/* TRYST_RECORD=pcontrol: nothing is recorded until MPI_Pcontrol(1). At the end of MPI_Init. */
void phase_start(struct thread *t);

/* MPI_Pcontrol(level) in call c. tryst(3) explains the levels. */
void phase_pcontrol(struct call *c, int level);

/* Before MPI_Finalize: ends the phase in which nothing was recorded. */
void phase_finish(void);

/* The functions to which libtryst.so sends the program's marks. */
void phase_lend(struct shim_marks *marks);

#endif
