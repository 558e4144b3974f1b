/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h: what the run's own messages tell of its links.
 *
 * Full rings are looked through once, when they are written: off the hot path, a few ns a record; a
 * share of them where all links are known. A tier that was not measured is predicted from what it
 * showed, once that is enough; of one that was, the drift is kept, and sends that are faster scale
 * its times (analysis/model/live/recalibrate.h).
 */
#ifndef TRYST_RECORD_OBSERVE_H
#define TRYST_RECORD_OBSERVE_H

#include "pmpi/record/thread.h"

/* The ring's ops, just before it is written. The caller holds the ring's lock. */
void observe_ring(const struct thread *t);

/* Whether some link was measured, whose times announced receives can tell anything of. */
bool observe_wants_announced(void);

/*
 * A blocking receive of this thread has returned whose message had been announced when it was
 * called. Called for long messages alone. Most calls keep what they are told; what one in
 * ANNOUNCED_KEPT takes is told as ours, in t->sum.
 */
void observe_announced(struct thread *t, const struct announced *seen);

/* In MPI_Finalize, all other threads silent: rows of what was learned become records. */
void observe_emit(struct thread *t);

#endif
