/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy.h: tells whether a rank was inside MPI at a time, so that messages could make progress.
 *
 * Reads the intervals of table busy as far as needed, and keeps the newest `room` of them. The
 * state at earlier times is unknown, and so is that of a rank without intervals (busy rows may be
 * switched off, or dropped).
 */
#ifndef TRYST_RANKS_BUSY_H
#define TRYST_RANKS_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* Memory for the windows of all ranks together [bytes]. 0 or -ENOMEM. */
int inside_init(struct run_ranks *r, uint64_t memory);

/*
 * The first time from `ns` on (common time) at which the rank was inside MPI; `limit` if that is
 * later than `limit`; `ns` if unknown.
 */
int64_t inside_next(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit);

/*
 * The start of the stay inside MPI with which the rank had been inside for `need` ns, in one or
 * several stays from `ns` on. As inside_next() if it had not been until `limit`.
 */
int64_t inside_enough(
	struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit, int64_t need);

/*
 * The start of the first stay inside MPI, from `ns` on, that lasted at least `need` ns; calls that
 * only post are shorter. `limit` if none that began before it did; `ns` if that is unknown, or
 * after 64 shorter ones: a rank that polls.
 */
int64_t inside_stay(
	struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit, int64_t need);

/*
 * The start of the rank's last stay inside MPI that began at `ns` or before. INT64_MIN: none, or
 * it is unknown or forgotten.
 */
int64_t inside_since(struct run_ranks *r, struct run_rank *rank, int64_t ns);

/*
 * The end of the rank's last stay inside MPI before `ns` that lasted at least `need` ns. Without
 * one: its end of MPI_Init. If the rank was inside at `ns` and had been for `need` ns, or if this
 * is unknown: `ns`.
 */
int64_t inside_last_stay(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t need);

/*
 * The first time in [ns, limit) at which the rank was outside MPI, and the time at which it was
 * inside again, possibly after limit. False: none, or unknown.
 */
bool busy_next_gap(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit,
	int64_t *from, int64_t *to);

/*
 * The longest stretch of [from, to) outside MPI; to - from if it is unknown. A rank that polls is
 * inside again and again. Behind 1000 stretches the rest counts as one.
 */
int64_t busy_longest_gap(struct run_ranks *r, struct run_rank *rank, int64_t from, int64_t to);

/* The time in [from, to] that the rank spent outside MPI; 0 if unknown. */
int64_t inside_outside_ns(struct run_ranks *r, struct run_rank *rank, int64_t from, int64_t to);

/* Adds one interval, enters mostly rising. Exposed for tests. */
void inside_add(struct inside *in, int64_t enter, int64_t leave);

#endif
