/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h: state shared by the files of the pass; match.h is the interface.
 *
 *	match.c         the pass: takes the next row, puts ops into queues
 *	settle.c        completion calls with all partners known: shares and parts
 *	predict.c       what the ops of a call take if nobody waits
 *	waits.c         the arithmetic of one op's parts
 *	no_cpu.c        the parts of a wait that were CPU loss
 *	wrong_order.c   messages received in the wrong order
 *	pool.c          memory of ops, groups and collectives in flight
 *	collectives.c   collectives with their members
 *	output.c        rows of the result; slots.c: when in the run the waits were
 *
 * links/ says what messages cost. The pass also feeds collective/ (who waited in a collective) and
 * blame/ (what each thread did).
 */
#ifndef TRYST_MATCH_STATE_H
#define TRYST_MATCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/links/flows.h"
#include "analysis/base/heap.h"
#include "analysis/links/run_links.h"
#include "analysis/match/match.h"
#include "analysis/ranks/op.h"
#include "analysis/match/pool.h"
#include "analysis/ranks/queue.h"
#include "analysis/ranks/ranks.h"
#include "analysis/blame/history.h"
#include "analysis/ranks/worker.h"

enum { GROUP_BUCKETS = 1 << 14 };

/* Messages on their way to one rank without a posted receive, by post. */
struct unreceived {
	struct op *oldest, *newest;
};

struct output;
struct colls;

struct match {
	struct run_ranks ranks;
	struct queues queues;
	struct pool pool;

	struct op_group **bucket; /* GROUP_BUCKETS: groups by lane and entry */
	struct heap open;         /* groups that are not closed, by entry */
	uint64_t calls;           /* calls shared so far */
	struct heap held_up;      /* ops whose contention is to be found, by leave */
	struct run_links links;   /* for judging noise and transfers */
	struct flows flows;

	struct unreceived *unreceived; /* by index of the destination */
	struct op **kept_recvs;        /* by index of the receiver: wrong_order.c */
	struct heap by_next_row;       /* ranks by the time of their next row */

	struct history history;
	struct colls *colls;
	struct output *output;
	struct worker *worker; /* writes pairs, and does half of blame */
	struct match_result *result;
	uint64_t all_ops;
	void (*progress)(const char *what, uint64_t done, uint64_t all); /* or NULL */
	const struct say *say;
	int error; /* the first one; the pass ends */
};

#endif
