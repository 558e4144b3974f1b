/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * off_cpu.h: the times at which a thread had no CPU.
 *
 *	off_cpu_row --in order of time--> a ring for each thread, with sums --two bisections--> ns
 *
 * Reads rows as far as needed, and keeps the newest `room` intervals of each thread. Intervals of
 * one thread do not overlap and are in the order of time. Each has the sums up to its end, so the
 * time without a CPU between two instants costs O(log n). Times that are not recorded count as 0:
 * times below 20 us, intervals older than those kept, and rows beyond --max-ops.
 */
#ifndef TRYST_RANKS_OFF_CPU_H
#define TRYST_RANKS_OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* Sets of kinds for the functions below: a bit for each kind of enum off_cpu (record.h). */
enum { OFF_PREEMPTED = 1 << 0, OFF_GAVE_UP = 1 << 1, OFF_POLLING = 1 << 2 };

/* memory: for the intervals of all ranks, if each has one thread [bytes]. */
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
 * Adds an interval of a thread, `kind` as in record.h, without the part that overlaps the one
 * before. False: no memory. Exposed for tests.
 */
bool off_cpu_add(struct off_times *o, uint32_t thread, unsigned kind, int64_t enter, int64_t leave);

#endif
