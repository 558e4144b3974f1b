/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.h: finds the waits in one collective from the times at which its members came and left. */
#ifndef TRYST_COLLECTIVE_WAITS_H
#define TRYST_COLLECTIVE_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

struct coll_kept;

/* The states of table collective_wait; names in coll_state_name in schema.sql. */
enum coll_state {
	COLL_NONE, /* no rank waits for another one by definition */
	COLL_BARRIER,
	COLL_NXN,
	COLL_LATE_BROADCAST,
	COLL_EARLY_REDUCE,
	COLL_EARLY_SCAN,
	COLL_LATE_MEMBER,   /* a wait after that of the function's own state (waits.c) */
	COLL_LATE_PROGRESS, /* a wait for progress (progress.h) */
	COLL_MAKER /* COLL_NXN without members that left before the last one came; in no table */
};

/* The state in which members of the function FN_* wait; COLL_NONE if they need not. */
enum coll_state coll_state_of(unsigned call);

/* One member of one instance, in common time. */
struct coll_member {
	struct run_rank *rank;
	int64_t enter, post_leave; /* of the post */
	int64_t from, to;          /* of the call in which it blocks */
	uint32_t comm;
	uint32_t callsite, complete_callsite;
	uint32_t call;
	int64_t done; /* as in coll_row */
	uint32_t lane;
	int32_t root;    /* as the record has it; -1: none */
	int32_t my_rank; /* in the communicator */
	/* the member's side of an intercommunicator; 0: an intracommunicator */
	uint64_t group;
	/* match/collectives.c: its call completes other requests, too; else NULL */
	struct coll_kept *kept;
	bool alone; /* the call in which it blocks completed no messages */
};

/* The parts of a member's wait, in the order of time: state, late member, late progress. */
enum coll_part { COLL_BY_STATE, COLL_BY_MEMBER, COLL_BY_PROGRESS, COLL_PARTS };

struct coll_wait {
	int64_t ns[COLL_PARTS]; /* 0: it did not wait */
	int64_t from[COLL_PARTS];
	uint32_t late[COLL_PARTS]; /* index of the member that it waited for */
};

struct coll_entry {
	int64_t enter;
	uint32_t member; /* index */
};

static inline int64_t coll_wait_ns(const struct coll_wait *w)
{
	return w->ns[COLL_BY_STATE] + w->ns[COLL_BY_MEMBER] + w->ns[COLL_BY_PROGRESS];
}

/* True if the call of `a` may depend on `b`. */
static inline bool coll_depends(const struct coll_member *a, const struct coll_member *b)
{
	return !a->group || a->group != b->group;
}

/* By time, for qsort(). */
int coll_by_enter(const void *a, const void *b);

/*
 * The waits of all `n` members of an instance. root: rank in MPI_COMM_WORLD, -1: none. Reorders
 * member[] (by rank in the communicator, where the state is an early scan); wait[i] belongs to
 * member[i] then. order: room for n.
 */
void coll_waits(struct coll_member *member, uint32_t n, enum coll_state state, int32_t root,
	struct coll_wait *wait, struct coll_entry *order);

#endif
