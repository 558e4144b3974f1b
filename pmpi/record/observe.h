/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h: what the run's own messages show about its links.
 *
 * A full ring is read once before it is written: off the hot path, a few ns a record. If all links
 * are known, only a share of the rings is read. A tier that was not measured is predicted from its
 * messages, once there are enough. For a measured tier the drift is recorded, and faster sends
 * scale its times (analysis/model/live/recalibrate.h).
 */
#ifndef TRYST_RECORD_OBSERVE_H
#define TRYST_RECORD_OBSERVE_H

#include "pmpi/record/thread.h"

/* The ring's ops, just before it is written. The caller holds the ring's lock. */
void observe_ring(const struct thread *t);

/* True if a link was measured, so that announced receives can tell about its times. */
bool observe_wants_announced(void);

/*
 * A blocking receive of this thread has returned, whose message had been announced before the call.
 * Only for long messages. Most calls only store it; one in ANNOUNCED_KEPT evaluates the stored
 * ones, and charges its time to tryst in t->sum.
 */
void observe_announced(struct thread *t, const struct announced *seen);

/* In MPI_Finalize, with no other thread at work: records the estimates. */
void observe_emit(struct thread *t);

#endif
