/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time.h: converts clock ticks to nanoseconds from the end of MPI_Init.
 *
 * The rate is that of the ring's header, which all ranks of a node share, while the readings of the
 * kernel's clock (REC_CLOCK) agree with it within their own error and 100 ns. Equal ticks are then
 * equal nanoseconds on all these ranks. In long runs a rate that was measured in 0.1 s is off by
 * about 1e-7. Between readings that disagree with it, the rate is that of the readings. So times
 * are as exact as the readings, typically 50 ns, and the map is continuous and rising. Rounding:
 * 0.5 ns a time.
 */
#ifndef TRYST_FORMAT_ROWS_TIME_H
#define TRYST_FORMAT_ROWS_TIME_H

#include <stdint.h>

#include "record.h"

enum { ROWS_READINGS_MAX = 1024 };

/*
 * 73 years. The difference of two times, and the difference of two such differences, fit an
 * int64_t.
 */
#define ROWS_NS_MAX ((int64_t)1 << 61)

struct rows_piece {
	uint64_t ticks; /* from here on */
	int64_t ns;
	double rate; /* ns a tick */
};

struct rows_time {
	struct rec_clock reading[ROWS_READINGS_MAX];
	uint32_t nreadings;
	struct rows_piece piece[ROWS_READINGS_MAX + 1];
	uint32_t npieces;
};

/*
 * Keeps a reading; beyond ROWS_READINGS_MAX it replaces the last one. A reading beyond ROWS_NS_MAX
 * is damaged, and left out.
 */
void rows_time_reading(struct rows_time *t, const struct rec_clock *reading);

/*
 * Makes the map. A rate that is no positive finite number below 1e6 counts as 1; readings whose
 * rate is off by more than 1e-3 are damaged and left out.
 */
void rows_time_make(struct rows_time *t, uint64_t zero_ticks, double ns_per_tick);

/* Nanoseconds from zero_ticks; negative before it. Limited to +-ROWS_NS_MAX. */
int64_t rows_time_ns(const struct rows_time *t, uint64_t ticks);

/*
 * A duration [ns], by the first rate. Limited to [0, ROWS_NS_MAX], since a clock may go back.
 */
int64_t rows_time_span(const struct rows_time *t, uint64_t ticks);

/*
 * The time [ns] at which this machine's CLOCK_MONOTONIC showed monotonic_ns, for times after the
 * last record. INT64_MIN without readings.
 */
int64_t rows_time_of_monotonic(const struct rows_time *t, int64_t monotonic_ns);

/* Sums that damaged records make overflow stay at the limit. */
static inline int64_t rows_plus(int64_t a, int64_t b)
{
	int64_t sum;

	return !__builtin_add_overflow(a, b, &sum) ? sum : b > 0 ? INT64_MAX : INT64_MIN;
}

#endif
