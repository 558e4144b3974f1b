/* SPDX-License-Identifier: BSD-3-Clause */
/* jumps.h: between which lengths times jump, and so where the grid has to be finer. */
#ifndef TRYST_JUMPS_H
#define TRYST_JUMPS_H

#include <stddef.h>
#include <stdint.h>

enum { JUMPS_MAX = 4 };

struct jumps {
	unsigned n;
	uint64_t middle[JUMPS_MAX];	/* of the gap; the strongest jump first */
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

/*
 * What stands for a length that was visited n times: the fastest of them; 0 for none. After two or three visits
 * a median is often one with cold caches.
 */
static inline double jumps_time(const double *ns, size_t n)
{
	double least = n ? ns[0] : 0;

	for (size_t i = 1; i < n; i++)
		least = ns[i] < least ? ns[i] : least;
	return least;
}

/* How much more the i-th takes than the slope before it explains, which where messages are short is nothing. */
static inline double jumps_beyond_slope(const uint64_t *bytes, const double *ns, size_t i)
{
	double slope = i < 2 ? 0 : (ns[i - 1] - ns[i - 2]) / (double)(bytes[i - 1] - bytes[i - 2]);

	return ns[i] / (ns[i - 1] + (slope > 0 ? slope : 0) * (double)(bytes[i] - bytes[i - 1]));
}

/*
 * A message that takes far longer than in proportion to its length or than the slope goes on, or far less than a
 * shorter one, has met a switch of protocol. bytes[n] ascends, ns[n] > 0. Slopes are noisy and bend where caches
 * end, so they count a tenth less. Gaps of 1/512 of the length are fine enough.
 */
static inline struct jumps jumps_find(const uint64_t *bytes, const double *ns, size_t n)
{
	struct jumps j = { .n = 0 };

	for (size_t i = 1; i < n; i++) {
		double rises = ns[i] / ns[i - 1] * (double)bytes[i - 1] / (double)bytes[i];
		double falls = ns[i - 1] / ns[i], beyond = jumps_beyond_slope(bytes, ns, i) / 1.1;
		double strength = rises > falls ? rises : falls;
		uint64_t gap = bytes[i] - bytes[i - 1];

		strength = beyond > strength ? beyond : strength;
		if (strength > 1.15 && gap > 1 + bytes[i - 1] / 512)
			jumps_add(&j, bytes[i - 1] + gap / 2, strength);
	}
	return j;
}

#endif
