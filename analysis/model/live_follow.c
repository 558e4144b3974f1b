/* SPDX-License-Identifier: BSD-3-Clause */
/* live_follow.c: scales of live_follow.h. */
#include "live_follow.h"

#include "live_fit.h"
#include "robust.h"

/*
 * Predictions below PREDICTED_NS_MIN are left alone; what differs by less than WEATHER is the machine's weather,
 * of which long messages have less.
 */
enum { PREDICTED_NS_MIN = 500, WEATHER_Q8 = 40, LONG_WEATHER_Q8 = 13, SCALE_Q8_MIN = 16,
	ONE_Q8 = 256 };

void live_follow_add(struct live_follow *f, enum follow_what what, uint64_t enter, uint64_t bytes,
	int64_t took_ns, int64_t predicted_ns)
{
	struct live_follow_cell *c = &f->cell[what][live_follow_cell(bytes)];
	int64_t ratio;

	if (predicted_ns < PREDICTED_NS_MIN || (int64_t)(enter - c->since) < 0)
		return;
	ratio = took_ns < 0 ? 0 : took_ns > UINT16_MAX / ONE_Q8 * predicted_ns ? UINT16_MAX :
		(took_ns * ONE_Q8 + predicted_ns / 2) / predicted_ns;
	c->ratio_q8[c->n++ % FOLLOW_SAMPLES] = (uint16_t)ratio;
}

/* What a third is faster than: the median of those that did not wait, if another third did. */
static unsigned fast_third(const uint16_t *value)
{
	double sorted[FOLLOW_SAMPLES];

	for (int i = 0; i < FOLLOW_SAMPLES; i++)
		sorted[i] = value[i];
	robust_sort(sorted, FOLLOW_SAMPLES);
	return (unsigned)sorted[FOLLOW_SAMPLES / 3];
}

/* Whether messages of a cell are long, and how far they may be slower than calibrated. */
static bool is_long(const struct live_link *l, unsigned cell, unsigned *most_q8)
{
	const uint64_t bytes = live_bin_start(4 * cell);
	const uint8_t send = KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_BLOCKING);
	int64_t total_ns = live_blocking_ns(l, send, 0, bytes), noise_ns = live_noise_ns(l, send, bytes + 4);

	*most_q8 = ONE_Q8;
	if (total_ns < LIVE_LONG_NS)
		return false;
	if (noise_ns < total_ns)
		*most_q8 += (unsigned)(noise_ns * ONE_Q8 / total_ns / 2);
	return true;
}

static int32_t scaled(int32_t value, unsigned scale_q8)
{
	int64_t x = (int64_t)value * scale_q8 / ONE_Q8;

	return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

/* Four of the bins at `from`, scaled. */
static void scale_bins(const struct live_bin *from, unsigned scale_q8, struct live_bin *to)
{
	for (int bin = 0; bin < 4; bin++)
		for (int line = 0; line < 2; line++) {
			__atomic_store_n(&to[bin].base_ns[line], scaled(from[bin].base_ns[line], scale_q8),
				__ATOMIC_RELAXED);
			__atomic_store_n(&to[bin].slope_q20[line], scaled(from[bin].slope_q20[line], scale_q8),
				__ATOMIC_RELAXED);
		}
}

static unsigned scale_of(const struct live_follow_cell *c, unsigned otherwise)
{
	return c->scale_q8 ? c->scale_q8 : otherwise;
}

/* Whether the scale of a cell, which was `old`, has another value now. */
static bool rescale(struct live_follow_cell *c, unsigned old, const struct live_link *calibrated, unsigned cell,
	uint64_t now)
{
	unsigned scale, ratio, most, weather;

	if (c->n < FOLLOW_SAMPLES)
		return false;
	c->n = 0;
	ratio = fast_third(c->ratio_q8);
	weather = is_long(calibrated, cell, &most) ? LONG_WEATHER_Q8 : WEATHER_Q8;
	if (ratio + weather > ONE_Q8 && ratio < ONE_Q8 + weather)
		return false;
	scale = (old * ratio + ONE_Q8 / 2) / ONE_Q8;
	/* they wait: what they would take else is not known */
	if (scale > most)
		scale = old > ONE_Q8 ? old : ONE_Q8;
	if (scale < SCALE_Q8_MIN)
		scale = SCALE_Q8_MIN;
	if (scale == old)
		return false;
	c->scale_q8 = (uint16_t)scale;
	if (c->lowest_q8 == 0 || scale < c->lowest_q8)
		c->lowest_q8 = (uint16_t)(scale < ONE_Q8 ? scale : ONE_Q8);
	c->since = now;
	return true;
}

bool live_follow_apply(struct live_follow *f, uint64_t now, struct live_link *link)
{
	const struct live_link *from = &f->calibrated;
	bool changed = false;

	for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
		struct live_follow_cell *alone = &f->cell[FOLLOW_ALONE][i], *several = &f->cell[FOLLOW_SEVERAL][i];

		unsigned old = scale_of(several, scale_of(alone, ONE_Q8));

		if (rescale(alone, scale_of(alone, ONE_Q8), from, i, now)) {
			changed = true;
			for (int curve = 0; curve < LIVE_CURVES; curve++)
				scale_bins(&from->total[curve][4 * i], alone->scale_q8, &link->total[curve][4 * i]);
		}
		rescale(several, old, from, i, now);
		/* as messages alone, until calls over several have told */
		if (scale_of(several, scale_of(alone, ONE_Q8)) == old)
			continue;
		changed = true;
		several->since = now;
		several->n = 0;
		for (int in = 0; in < 2; in++)
			scale_bins(&from->next[in][4 * i], scale_of(several, alone->scale_q8),
				&link->next[in][4 * i]);
	}
	return changed;
}

size_t live_follow_rows(const struct live_follow *f, int tier, struct rec_link *rows)
{
	static const char *const name[FOLLOW_KINDS] = { "scale", "scale_next" };
	size_t n = 0;

	for (unsigned what = 0; what < FOLLOW_KINDS; what++)
		for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
			const struct live_follow_cell *c = &f->cell[what][i];

			if (c->lowest_q8 == 0)
				continue;
			rows[n] = live_row(tier, "", name[what], live_bin_start(4 * i), "", "learned");
			rows[n].value = (double)c->scale_q8 / ONE_Q8;
			rows[n++].ci_low = (double)c->lowest_q8 / ONE_Q8;
		}
	return n;
}
