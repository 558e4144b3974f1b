/* SPDX-License-Identifier: BSD-3-Clause */
/* coll.h: collectives with their members, by communicator and number. */
#ifndef TRYST_MATCH_COLL_H
#define TRYST_MATCH_COLL_H

#include "analysis/match/output.h"
#include "analysis/match/state.h"

/* The states of table collective_wait; names in coll_state_name in schema.sql. */
enum coll_state {
	COLL_NONE,		/* no rank waits for another one by definition */
	COLL_BARRIER,
	COLL_NXN,
	COLL_LATE_BROADCAST,
	COLL_EARLY_REDUCE,
	COLL_EARLY_SCAN,
	COLL_LATE_MEMBER,	/* of no function: what comes after the others */
	COLL_LATE_PROGRESS,	/* of no function: away.h */
	COLL_MAKER		/* COLL_NXN, but for who had left before the last one came; in no table */
};

/* What the function FN_* makes its members wait for. */
enum coll_state coll_state_of(unsigned call);

/* One member of one instance, in common time. */
struct coll_member {
	struct run_rank *rank;
	int64_t enter, post_leave;	/* of the post */
	int64_t from, to;	/* of the call in which it blocks */
	uint32_t comm;
	uint32_t callsite, complete_callsite;
	uint32_t call;
	int64_t done;		/* as in coll_row */
	uint32_t lane;
	int32_t root;		/* as the record has it; -1: none */
	int32_t my_rank;	/* in the communicator */
	uint64_t group;		/* of an intercommunicator: the member's side; 0: there is one alone */
	struct coll_kept *kept;	/* its call completes other requests, too; else NULL */
};

/* What one member waited for: by the state of the function, from there on COLL_LATE_MEMBER, then COLL_LATE_PROGRESS. */
enum coll_part { COLL_BY_STATE, COLL_BY_MEMBER, COLL_BY_PROGRESS, COLL_PARTS };

struct coll_wait {
	int64_t ns[COLL_PARTS];		/* 0: it did not wait */
	int64_t from[COLL_PARTS];
	uint32_t late[COLL_PARTS];	/* index of whom it waited for */
};

/* The waits of one member in a call, one behind the other. */
struct coll_kept {
	struct coll_kept *next;		/* in its group, or of free ones */
	struct op_group *group;		/* NULL: alone in its call */
	struct output_coll row[COLL_PARTS];
	struct trail_wait wait[COLL_PARTS];
	int n;
	bool no_rows;			/* in no table: view rma_wait has them */
};

struct coll_entry {
	int64_t enter;
	uint32_t member;		/* index */
};

static inline int64_t coll_wait_ns(const struct coll_wait *w)
{
	return w->ns[COLL_BY_STATE] + w->ns[COLL_BY_MEMBER] + w->ns[COLL_BY_PROGRESS];
}

/* May the call of `a` depend on `b`? */
static inline bool coll_depends(const struct coll_member *a, const struct coll_member *b)
{
	return !a->group || a->group != b->group;
}

/* Did the call in which it blocks complete no messages, too? Known once all posts before that call have come. */
bool coll_waits_alone(const struct coll_member *member);

/* By time, for qsort(). */
int coll_by_enter(const void *a, const void *b);

/*
 * The waits of all `n` members of an instance. root: rank in MPI_COMM_WORLD, -1: none. Reorders
 * member[] (by rank in the communicator, where the state is an early scan); wait[i] belongs to
 * member[i] then. order: room for n.
 */
void coll_waits(struct coll_member *member, uint32_t n, enum coll_state state, int32_t root,
	struct coll_wait *wait, struct coll_entry *order);

/*
 * The rank's row of rma_row or io_row: is it a call that all members of the window or file make, who waited in it, and
 * for whom? For blame and the critical path.
 */
void coll_take_transfer(struct match *m, struct run_rank *rank, const int64_t *v, bool is_file, uint32_t lane);

int coll_init(struct match *m);
void coll_free(struct match *m);

/* No row posted before `ns` will come any more. */
void coll_until(struct match *m, int64_t ns);

/* The next row of the rank's collectives. */
void coll_take(struct match *m, struct run_rank *rank);

/* All rows have come. */
void coll_drain(struct match *m);

#endif
