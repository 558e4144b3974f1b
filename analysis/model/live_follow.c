/* SPDX-License-Identifier: BSD-3-Clause */
/* live_follow.c: scales of live_follow.h. */
#include "live_follow.h"

#include "live_fit.h"
#include "robust.h"

/* Predictions below this are left alone; what differs less than that is the machine's weather. */
enum { PREDICTED_NS_MIN = 500, WEATHER_Q8 = 40, SCALE_Q8_MIN = 16, ONE_Q8 = 256 };

void live_follow_add(struct live_follow *f, uint64_t enter, uint64_t bytes, int64_t took_ns,
	int64_t predicted_ns)
{
	struct live_follow_cell *c = &f->cell[live_bin_of(bytes) / 4];
	int64_t ratio;

	if (predicted_ns < PREDICTED_NS_MIN || (int64_t)(enter - c->since) < 0)
		return;
	ratio = (took_ns * ONE_Q8 + predicted_ns / 2) / predicted_ns;
	c->ratio_q8[c->n++ % FOLLOW_SAMPLES] = ratio > UINT16_MAX ? UINT16_MAX : (uint16_t)ratio;
}

/* The upper median. */
static unsigned middle(const uint16_t *value)
{
	double sorted[FOLLOW_SAMPLES];

	for (int i = 0; i < FOLLOW_SAMPLES; i++)
		sorted[i] = value[i];
	robust_sort(sorted, FOLLOW_SAMPLES);
	return (unsigned)sorted[FOLLOW_SAMPLES / 2];
}

/* Four of the bins at `from`, scaled. */
static void scale_bins(const struct live_bin *from, unsigned scale_q8, struct live_bin *to)
{
	for (int bin = 0; bin < 4; bin++)
		for (int line = 0; line < 2; line++) {
			__atomic_store_n(&to[bin].base_ns[line],
				(int32_t)((int64_t)from[bin].base_ns[line] * scale_q8 / ONE_Q8),
				__ATOMIC_RELAXED);
			__atomic_store_n(&to[bin].slope_q20[line],
				(int32_t)((int64_t)from[bin].slope_q20[line] * scale_q8 / ONE_Q8),
				__ATOMIC_RELAXED);
		}
}

void live_follow_apply(struct live_follow *f, uint64_t now, struct live_link *link)
{
	for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
		struct live_follow_cell *c = &f->cell[i];
		unsigned old = c->scale_q8 ? c->scale_q8 : ONE_Q8, scale, ratio;

		if (c->n < FOLLOW_SAMPLES)
			continue;
		c->n = 0;
		ratio = middle(c->ratio_q8);
		if (ratio + WEATHER_Q8 > ONE_Q8 && (old == ONE_Q8 || ratio < ONE_Q8 + WEATHER_Q8))
			continue;
		scale = (old * ratio + ONE_Q8 / 2) / ONE_Q8;
		scale = scale > ONE_Q8 ? ONE_Q8 : scale < SCALE_Q8_MIN ? SCALE_Q8_MIN : scale;
		c->scale_q8 = (uint16_t)scale;
		if (c->lowest_q8 == 0 || scale < c->lowest_q8)
			c->lowest_q8 = (uint16_t)scale;
		c->since = now;
		for (int curve = 0; curve < LIVE_CURVES; curve++)
			scale_bins(&f->calibrated.total[curve][4 * i], scale, &link->total[curve][4 * i]);
		for (int in = 0; in < 2; in++)
			scale_bins(&f->calibrated.next[in][4 * i], scale, &link->next[in][4 * i]);
	}
}

size_t live_follow_rows(const struct live_follow *f, int tier, struct rec_link *rows)
{
	size_t n = 0;

	for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
		const struct live_follow_cell *c = &f->cell[i];

		if (c->lowest_q8 == 0)
			continue;
		rows[n] = live_row(tier, "", "scale", live_bin_start(4 * i), "", "learned");
		rows[n].value = (double)c->scale_q8 / ONE_Q8;
		rows[n++].ci_low = (double)c->lowest_q8 / ONE_Q8;
	}
	return n;
}
