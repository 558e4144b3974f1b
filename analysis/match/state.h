/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h: what the files of the one pass share; match.h is the interface.
 *
 *	match.c     the pass: which row is next, ops into queues
 *	settle.c    completion calls with all partners known: shares and parts
 *	waits.c     the arithmetic of one op's parts
 *	order.c     messages received in the wrong order
 *	run_links.c what messages cost between which ranks
 *	flows.c     messages that shared a way between nodes
 *	coll.c      collectives with their members; away.c: who held up nonblocking ones
 *	trail.c     what each thread did, and what it waited for; others.c: calls without a row
 *	blame.c     waits traced back to what the late ranks did; path.c: the critical path;
 *	            origins.c: bottlenecks of which blame is kept apart
 *	output.c    rows of the result; slots.c: when in the run the waits were
 */
#ifndef TRYST_MATCH_STATE_H
#define TRYST_MATCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/flows.h"
#include "analysis/match/heap.h"
#include "analysis/match/run_links.h"
#include "analysis/match/match.h"
#include "analysis/match/op.h"
#include "analysis/match/queue.h"
#include "analysis/match/ranks.h"
#include "analysis/match/trail.h"
#include "analysis/match/worker.h"

enum { GROUP_BUCKETS = 1 << 14, POOL_OPS = 1024, POOL_GROUPS = 1024, POOL_KEPT = 256 };

/* Memory that is given back at once at the end. */
struct slab {
	struct slab *next;
};

/* Messages on their way to one rank that no receive has been posted for, by post. */
struct unreceived {
	struct op *oldest, *newest;
};

struct output;
struct colls;

struct match {
	struct run_ranks ranks;
	struct queues queues;
	struct slab *slabs;
	struct op *free_ops;
	struct op_group *free_groups;
	struct coll_kept *free_kept;
	uint64_t in_flight;

	struct op_group **bucket;	/* GROUP_BUCKETS: groups by lane and entry */
	struct heap open;		/* groups that are not closed, by entry */
	uint64_t calls;			/* shared so far */
	struct heap held_up;		/* ops whose contention is to be found, by leave */
	struct run_links links;		/* that noise and transfers are judged by */
	struct flows flows;

	struct unreceived *unreceived;	/* by index of the destination */
	struct op **in_order;		/* by index of the receiver: order.c */
	struct heap turn;		/* ranks by the time of their next row */

	struct trail trail;
	struct colls *colls;
	struct output *output;
	struct worker *worker;		/* writes pairs, and takes a half of blame */
	struct match_result *result;
	uint64_t all_ops;
	void (*progress)(const char *what, uint64_t done, uint64_t all);	/* or NULL */
	const struct say *say;
	int error;			/* the first one; the pass ends */
};

/* match.c */
void match_free_op(struct match *m, struct op *op);
void match_free_group(struct match *m, struct op_group *group);

/* settle.c */

/* Does the function FN_* complete several requests? */
bool settle_many(unsigned fn);

/* Puts the op into the group of its completion call, if that may complete several. 0, -ENOMEM. */
int settle_join(struct match *m, struct op *op);

/* A place for a collective in the group of such a call. NULL: there is no memory. */
struct coll_kept *settle_join_coll(struct match *m, uint32_t lane, int64_t enter, int64_t leave);

/* Its waits have been filled in. Where it is in no group, they are kept as they are. */
void settle_coll(struct match *m, struct coll_kept *kept);

/* `op` has got its partner, or will have none. */
void settle_known(struct match *m, struct op *op);

/* No op that completes before `ns` will come any more. */
void settle_until(struct match *m, int64_t ns);

/* waits.c */

/* The send has got its receive: was it done without? */
void wait_learn(struct match *m, const struct op *send);

/*
 * When the peer let the op go: the earliest common time at which the op could complete, were its
 * own side there. INT64_MIN: it depends on nobody. At most `limit`.
 */
int64_t wait_released(struct match *m, const struct op *op, int64_t limit);

/* Why the op could complete in a call at `released` (see there) and not when it was entered. */
enum op_cause wait_kept_by(struct match *m, const struct op *op, int64_t enter, int64_t released);

/*
 * For how long the op's peer was late, of [from, to], the time in which the op blocked that no other was late for: the
 * beginning of it. Fills parts.late and late_until.
 */
int64_t wait_late(struct match *m, struct op *op, int64_t from, int64_t to);

/*
 * Fills the rest of op->parts, waited and unhidden for an op that, besides, blocked in [from, to]; parts.order is still
 * in parts.late.
 */
void wait_parts(struct match *m, struct op *op, int64_t from, int64_t to);

/* Can what is left of the op's excess be due to other messages between the nodes? */
bool wait_may_contend(const struct match *m, const struct op *op);

/* Fills parts.contention from parts.other, once all that was sent while the op lasted has come. */
void wait_contention(struct match *m, struct op *op);

#endif
