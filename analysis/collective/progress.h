/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h: finds members that held up a nonblocking collective because they were outside MPI.
 *
 *	k    post |....computes....| MPI_Wait |
 *	i     post | MPI_Wait                   |
 *	             |<----------->|   late_progress
 *
 * Only MPI calls advance a collective. If it needs a member again after the member's post, it stops
 * until this member calls MPI. The steps of the library's algorithm are unknown. So a wait counts
 * only if the waiting member stayed in its call until the other one was back in MPI. It is the time
 * that the other one was outside MPI, for the member that was outside longest. This is enough for
 * members that are needed by definition (match/collectives.c). Other members are judged by the
 * clock, as late members are: they were outside for two thirds of the waiting time, and then inside
 * for at most half as long.
 *
 * If a call also waited for messages, its cause is unknown, and it counts no wait.
 */
#ifndef TRYST_COLLECTIVE_PROGRESS_H
#define TRYST_COLLECTIVE_PROGRESS_H

#include "analysis/collective/waits.h"

/* A member was outside MPI for `ns` of [from, until), and came back at `until` [common ns]. */
struct absence {
	int64_t from, until, ns;
	uint32_t member; /* index */
};

/* All absences of an instance. Zero-filled: none. */
struct absences {
	struct absence *at;          /* by member, rising */
	struct coll_entry *by_until; /* at[] in the order of `until` */
	uint32_t n, room;
};

/*
 * The time [common ns] at which the last member leaves that blocked in a later call than its post.
 * INT64_MIN: none blocked there for long.
 */
int64_t progress_matters_until(const struct coll_member *member, uint32_t n);

/*
 * Fills COLL_BY_PROGRESS of the waits, after coll_waits() with the same arguments; `until`:
 * progress_matters_until(). 0 or -ENOMEM.
 */
int progress_waits(struct run_ranks *r, struct absences *list, const struct coll_member *member,
	uint32_t n, enum coll_state state, int32_t root, int64_t until, struct coll_wait *wait,
	struct coll_entry *order);

/* Frees the memory of the list. */
void absences_release(struct absences *list);

#endif
