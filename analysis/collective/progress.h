/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h: who of a nonblocking collective's members did not pass it on, being outside MPI.
 *
 *	k    post |....computes....| MPI_Wait |
 *	i     post | MPI_Wait                   |
 *	             |<----------->|   late_progress
 *
 * Nothing moves a collective on but calls of MPI. Where it needs one of its members once more after
 * that one's post, it stands until that one calls MPI again. Which steps the library made it of,
 * nobody knows. So that is said only where a waiting member was there until the other one had come
 * back, of the time that this was outside MPI meanwhile, and of the one that was for longest. Whom
 * the member needs by definition (match/collectives.c) needs no more than that. Of others it is
 * judged by the clock, as late members are: they were away for two thirds of the member's time, and
 * had to be there half as long at most then.
 *
 * If a call also waited for messages, its cause is unknown, and it counts no wait.
 */
#ifndef TRYST_COLLECTIVE_PROGRESS_H
#define TRYST_COLLECTIVE_PROGRESS_H

#include "analysis/collective/waits.h"

/* A member was outside MPI for `ns` of this time, at whose end it came back. */
struct absence {
	int64_t from, until, ns;
	uint32_t member; /* index */
};

/* All such times of an instance. Zero-filled: empty. */
struct absences {
	struct absence *at;          /* by member, rising */
	struct coll_entry *by_until; /* of at[]: when, and which */
	uint32_t n, room;
};

/*
 * When the last one of those that block beyond their post leaves; INT64_MIN: nobody does for long.
 */
int64_t progress_matters_until(const struct coll_member *member, uint32_t n);

/*
 * Fills COLL_BY_PROGRESS of the waits, after coll_waits() with the same arguments; `until`:
 * progress_matters_until(). 0 or -ENOMEM.
 */
int progress_waits(struct run_ranks *r, struct absences *list, const struct coll_member *member,
	uint32_t n, enum coll_state state, int32_t root, int64_t until, struct coll_wait *wait,
	struct coll_entry *order);

void absences_release(struct absences *list);

#endif
