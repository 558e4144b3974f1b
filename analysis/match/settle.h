/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settle.h: completion calls whose ops all have their partners: each op's share and what kept it
 * (settle.c).
 */
#ifndef TRYST_MATCH_SETTLE_H
#define TRYST_MATCH_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/output.h"
#include "analysis/match/state.h"

/* Puts the op into the group of its completion call, if that may complete several. 0, -ENOMEM. */
int settle_join(struct match *m, struct op *op);

/* A place for a collective in the group of such a call. NULL: there is no memory. */
struct coll_kept *settle_join_coll(struct match *m, uint32_t lane, int64_t enter, int64_t leave);

/* Its waits have been filled in. Where it is in no group, they are kept as they are. */
void settle_coll(struct match *m, struct coll_kept *kept);

/* `op` has got its partner, or will have none. */
void settle_known(struct match *m, struct op *op);

/*
 * Both the op's parts and its order among the receives are known: it is written when its partner
 * is, too, and gone.
 */
void settle_finish(struct match *m, struct op *op);

/* No op that completes before `ns` will come any more. */
void settle_until(struct match *m, int64_t ns);

#endif
