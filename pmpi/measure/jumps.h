/* SPDX-License-Identifier: BSD-3-Clause */
/* jumps.h: finds lengths between which times jump, so that the grid must be finer there. */
#ifndef TRYST_JUMPS_H
#define TRYST_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model/robust.h"

enum { JUMPS_MAX = 4 };

struct jumps {
	unsigned n;
	uint64_t middle[JUMPS_MAX]; /* of the gap; the strongest jump first */
	double strength[JUMPS_MAX];
};

static inline void jumps_add(struct jumps *j, uint64_t middle, double strength)
{
	unsigned i = j->n < JUMPS_MAX ? j->n++ : JUMPS_MAX - 1;

	if (j->n == JUMPS_MAX && j->strength[i] >= strength)
		return;
	for (; i > 0 && j->strength[i - 1] < strength; i--) {
		j->middle[i] = j->middle[i - 1];
		j->strength[i] = j->strength[i - 1];
	}
	j->middle[i] = middle;
	j->strength[i] = strength;
}

/* Times of the visits of a length; both 0 if there were none. */
struct jumps_times {
	double fast;  /* the lower quartile; the least of up to four visits */
	double usual; /* the median */
};

/* The times of n visits. Sorts ns[]. */
static inline struct jumps_times jumps_times_of(double *ns, size_t n)
{
	if (n == 0)
		return (struct jumps_times){ 0, 0 };
	robust_sort(ns, n);
	return (struct jumps_times){ ns[(n - 1) / 4], robust_quantile(ns, n, 0.5) };
}

/*
 * The time of the i-th length, relative to the time that the slope before it predicts. The slope of
 * short messages is taken as 0.
 */
static inline double jumps_beyond_slope(
	const uint64_t *bytes, const struct jumps_times *t, size_t i)
{
	double slope = i < 2 ?
		0 :
		(t[i - 1].usual - t[i - 2].usual) / (double)(bytes[i - 1] - bytes[i - 2]);

	return t[i].fast /
		(t[i - 1].usual + (slope > 0 ? slope : 0) * (double)(bytes[i] - bytes[i - 1]));
}

/*
 * The protocol has changed between two lengths if the longer one takes far more time than in
 * proportion, or than by the slope, or far less than the shorter one. bytes[n] ascends, times are
 * > 0. A jump upwards must show in the fast visits, too: when the machine changes its speed,
 * medians alone jump anywhere, and each needless length takes time from others. Slopes are noisy
 * and bend where caches end, so they count a tenth less. Gaps of 1/512 of the length are fine
 * enough.
 */
static inline struct jumps jumps_find(const uint64_t *bytes, const struct jumps_times *t, size_t n)
{
	struct jumps j = { .n = 0 };

	for (size_t i = 1; i < n; i++) {
		double rises = t[i].fast / t[i - 1].usual * (double)bytes[i - 1] / (double)bytes[i];
		double falls = t[i - 1].fast / t[i].usual,
		       beyond = jumps_beyond_slope(bytes, t, i) / 1.1;
		double strength = rises > falls ? rises : falls;
		uint64_t gap = bytes[i] - bytes[i - 1];

		strength = beyond > strength ? beyond : strength;
		if (strength > 1.15 && gap > 1 + bytes[i - 1] / 512)
			jumps_add(&j, bytes[i - 1] + gap / 2, strength);
	}
	return j;
}

#endif
