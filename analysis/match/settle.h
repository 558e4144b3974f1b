/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settle.h: completion calls whose ops all have partners: the share of each op, and the reason of
 * its wait (settle.c).
 */
#ifndef TRYST_MATCH_SETTLE_H
#define TRYST_MATCH_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/output.h"
#include "analysis/match/state.h"

/* Puts the op into the group of its completion call, if that may complete several. 0, -ENOMEM. */
int settle_join(struct match *m, struct op *op);

/* A place for a collective in the group of such a call. NULL: no memory. */
struct coll_kept *settle_join_coll(struct match *m, uint32_t lane, int64_t enter, int64_t leave);

/* Its waits have been filled in. If it is in no group, they stay as they are. */
void settle_coll(struct match *m, struct coll_kept *kept);

/* `op` has its partner, or will never have one. */
void settle_known(struct match *m, struct op *op);

/*
 * The op's parts and its order among the receives are known. Once this holds for its partner, too,
 * the pair is written and freed.
 */
void settle_finish(struct match *m, struct op *op);

/* All later ops complete at `ns` or after it. */
void settle_until(struct match *m, int64_t ns);

#endif
