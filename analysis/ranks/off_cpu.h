/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * off_cpu.h: the times at which a thread had no CPU.
 *
 *	off_cpu_row --in order of time--> a ring for each thread, with sums --two bisections--> ns
 *
 * Reads rows as far as needed, and keeps the newest `room` intervals of each thread. Intervals of
 * one thread are apart and rising, and each has the sums of all before it. So the time without a
 * CPU between two instants costs O(log n). What is not recorded counts as 0: times below 20 us,
 * older intervals than those kept, and rows beyond --max-ops.
 */
#ifndef TRYST_RANKS_OFF_CPU_H
#define TRYST_RANKS_OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* Sets of kinds, for the functions below: bits by enum off_cpu of record.h. */
enum { OFF_PREEMPTED = 1 << 0, OFF_GAVE_UP = 1 << 1, OFF_POLLING = 1 << 2 };

/* Memory for the intervals of all ranks together, with one thread each [bytes]. */
void off_cpu_init(struct run_ranks *r, uint64_t memory);

/* False: the thread of that lane has no interval that begins before `ns`. */
bool off_cpu_any(struct run_ranks *r, struct run_rank *rank, uint32_t lane, int64_t ns);

/* The time in [from, to] in which the thread of that lane had no CPU, for one of `kinds` [ns]. */
int64_t off_cpu_ns(struct run_ranks *r, struct run_rank *rank, uint32_t lane, unsigned kinds,
	int64_t from, int64_t to);

/*
 * The first interval of these kinds that ends after `from` and begins before `to`, clipped to both.
 * False: there is none.
 */
bool off_cpu_next(struct run_ranks *r, struct run_rank *rank, uint32_t lane, unsigned kinds,
	int64_t from, int64_t to, struct interval *out);

/*
 * Adds an interval of a thread, `kind` as in record.h. It begins where the one before ends, at the
 * earliest. False: no memory. Exposed for tests.
 */
bool off_cpu_add(struct off_times *o, uint32_t thread, unsigned kind, int64_t enter, int64_t leave);

#endif
