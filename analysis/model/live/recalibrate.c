/* SPDX-License-Identifier: BSD-3-Clause */
/* recalibrate.c: see recalibrate.h. */
#include "analysis/model/live/recalibrate.h"

#include "analysis/model/live/fit.h"
#include "analysis/model/robust.h"

/*
 * Predictions below PREDICTED_NS_MIN are not scaled. Differences below WEATHER are normal variation
 * of the machine; long messages vary less.
 */
enum {
	PREDICTED_NS_MIN = 500,
	WEATHER_Q8 = 40,
	LONG_WEATHER_Q8 = 13,
	SCALE_Q8_MIN = 16,
	ONE_Q8 = 256
};

/*
 * With slow memory, announced messages took up to 1.5 times the calibrated time. If they take even
 * longer, the sender has left MPI. Smaller changes of a median or of a noise are ignored.
 */
enum { ANNOUNCED_Q8_MAX = 3 * ONE_Q8 / 2, SCALE_STEP_Q8 = 5, NOISE_STEP_Q8 = 8 };

static uint16_t ratio_q8(int64_t took_ns, int64_t predicted_ns)
{
	return took_ns < 0 ? 0 :
		took_ns > UINT16_MAX / ONE_Q8 * predicted_ns ?
			     UINT16_MAX :
			     (uint16_t)((took_ns * ONE_Q8 + predicted_ns / 2) / predicted_ns);
}

void recalibrate_add(struct recalibration *f, enum follow_what what, uint64_t enter, uint64_t bytes,
	int64_t took_ns, int64_t predicted_ns)
{
	struct recalibration_cell *c = &f->cell[what][recalibration_cell_of(bytes)];

	if (predicted_ns < PREDICTED_NS_MIN || (int64_t)(enter - c->since) < 0)
		return;
	c->ratio_q8[c->n++ % FOLLOW_SAMPLES] = ratio_q8(took_ns, predicted_ns);
}

bool recalibrate_add_announced(
	struct recalibration *f, uint16_t flags, uint64_t bytes, int64_t took_ns)
{
	const uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);
	struct recalibration_announced *a = &f->announced[recalibration_cell_of(bytes)];
	int64_t calibrated_ns = live_blocking_ns(&f->calibrated, recv, flags, bytes);

	if (calibrated_ns < LIVE_LONG_NS ||
		(live_class(&f->calibrated, recv, flags, bytes) & 3) != PROTOCOL_RENDEZVOUS)
		return false;
	a->ratio_q8[a->n++ % ANNOUNCED_SAMPLES] = ratio_q8(took_ns, calibrated_ns);
	a->lately = true;
	return a->n % ANNOUNCED_STEP == 0;
}

/* The value that a third is below: the median of calls that did not wait, if a third waited. */
static unsigned fast_third(const uint16_t *value)
{
	double sorted[FOLLOW_SAMPLES];

	for (int i = 0; i < FOLLOW_SAMPLES; i++)
		sorted[i] = value[i];
	robust_sort(sorted, FOLLOW_SAMPLES);
	return (unsigned)sorted[FOLLOW_SAMPLES / 3];
}

/* Tells whether a cell's messages are long, and how much slower than calibrated they may be. */
static bool is_long(const struct live_link *l, unsigned cell, unsigned *most_q8)
{
	const uint64_t bytes = live_bin_start(4 * cell);
	const uint8_t send = KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_BLOCKING);
	int64_t total_ns = live_blocking_ns(l, send, 0, bytes),
		noise_ns = live_noise_ns(l, send, bytes + 4);

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

/* Scales the four bins at `from`. */
static void scale_bins(const struct live_bin *from, unsigned scale_q8, struct live_bin *to)
{
	for (int bin = 0; bin < 4; bin++)
		for (int line = 0; line < 2; line++) {
			__atomic_store_n(&to[bin].base_ns[line],
				scaled(from[bin].base_ns[line], scale_q8), __ATOMIC_RELAXED);
			__atomic_store_n(&to[bin].slope_q20[line],
				scaled(from[bin].slope_q20[line], scale_q8), __ATOMIC_RELAXED);
		}
}

static unsigned scale_of(const struct recalibration_cell *c, unsigned otherwise)
{
	return c->scale_q8 ? c->scale_q8 : otherwise;
}

/* Gives a cell this scale. True if it has changed. */
static bool set_scale(struct recalibration_cell *c, unsigned old, unsigned scale, uint64_t now)
{
	if (scale == old)
		return false;
	c->scale_q8 = (uint16_t)scale;
	if (c->lowest_q8 == 0 || scale < c->lowest_q8)
		c->lowest_q8 = (uint16_t)(scale < ONE_Q8 ? scale : ONE_Q8);
	c->since = now;
	return true;
}

/* Sets the scale of a cell, which was `old`. True if it has changed. */
static bool rescale(
	struct recalibration *f, enum follow_what what, unsigned cell, unsigned old, uint64_t now)
{
	struct recalibration_cell *c = &f->cell[what][cell];
	unsigned scale, ratio, most, weather;

	if (c->n < FOLLOW_SAMPLES)
		return false;
	c->n = 0;
	ratio = fast_third(c->ratio_q8);
	weather = is_long(&f->calibrated, cell, &most) ? LONG_WEATHER_Q8 : WEATHER_Q8;
	if (most < f->announced[cell].scale_q8)
		most = f->announced[cell].scale_q8;
	if (ratio + weather > ONE_Q8 && ratio < ONE_Q8 + weather)
		return false;
	scale = (old * ratio + ONE_Q8 / 2) / ONE_Q8;
	/* they wait, so their time without waiting is unknown */
	if (scale > most)
		scale = old > ONE_Q8 ? old : ONE_Q8;
	if (scale < SCALE_Q8_MIN)
		scale = SCALE_Q8_MIN;
	return set_scale(c, old, scale, now);
}

static unsigned difference(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/*
 * Updates median and noise of a cell from its announced receives. True if one has changed.
 */
static bool look_at_announced(struct recalibration *f, unsigned cell)
{
	const int64_t calibrated_ns =
		live_bin_ns(f->calibrated.total[LIVE_RECV], live_bin_start(4 * cell));
	struct recalibration_announced *a = &f->announced[cell];
	const unsigned n = a->n < ANNOUNCED_SAMPLES ? a->n : ANNOUNCED_SAMPLES;
	double ns[ANNOUNCED_SAMPLES];
	struct live_point point;
	unsigned scale, noise;

	if (n < ANNOUNCED_STEP || a->looked == a->n)
		return false;
	a->looked = a->n;
	for (unsigned i = 0; i < n; i++)
		ns[i] = (double)a->ratio_q8[i] * (double)calibrated_ns;
	live_point_reduce(&point, ns, n);
	scale = (unsigned)(point.ns / (double)calibrated_ns + 0.5);
	noise = (unsigned)(point.noise_ns / (double)calibrated_ns + 0.5);
	if (scale > ANNOUNCED_Q8_MAX)
		return false;
	if (scale < SCALE_Q8_MIN)
		scale = SCALE_Q8_MIN;
	if (noise > scale)
		noise = scale;
	if (a->scale_q8 && difference(scale, a->scale_q8) < SCALE_STEP_Q8 &&
		difference(noise, a->noise_q8) < NOISE_STEP_Q8)
		return false;
	a->scale_q8 = (uint16_t)scale;
	a->noise_q8 = (uint16_t)noise;
	return true;
}

/* The noise of a kind at a length in a cell, from announced receives [ns]. */
static uint32_t noise_seen_ns(
	const struct recalibration *f, unsigned cell, unsigned curve, uint64_t bytes)
{
	int64_t ns = live_bin_ns(f->calibrated.total[curve], bytes) * f->announced[cell].noise_q8 /
		ONE_Q8;

	return ns < 0 ? 0 : ns < INT32_MAX ? (uint32_t)ns : INT32_MAX;
}

_Static_assert(FOLLOW_CELLS + 2 < LIVE_OCTAVES, "each cell has an octave");

/* The first octave of struct live_link with a cell's lengths, except for its first four bytes. */
static unsigned octave_of(unsigned cell)
{
	return cell + 3;
}

/* Updates the noise of an octave in a cell. True if it has changed. */
static bool set_noise_of(
	const struct recalibration *f, unsigned cell, unsigned octave, struct live_link *link)
{
	bool changed = false;

	for (unsigned curve = 0; curve < LIVE_CURVES; curve++) {
		uint32_t calibrated = f->calibrated.noise_ns[curve][octave];
		uint32_t seen = noise_seen_ns(f, cell, curve, (1ULL << (octave - 1)) - 4);
		uint32_t now = seen > calibrated ? seen : calibrated;

		changed |= now != link->noise_ns[curve][octave];
		__atomic_store_n(&link->noise_ns[curve][octave], now, __ATOMIC_RELAXED);
	}
	return changed;
}

/* The same for all octaves of a cell; the last cell is open. */
static bool set_noise(const struct recalibration *f, unsigned cell, struct live_link *link)
{
	const unsigned last = cell < FOLLOW_CELLS - 1 ? octave_of(cell) : LIVE_OCTAVES - 1;
	bool changed = false;

	for (unsigned octave = octave_of(cell); octave <= last; octave++)
		changed |= set_noise_of(f, cell, octave, link);
	return changed;
}

/* For messages alone in their call. Announced receives count before the other calls. */
static bool follow_alone(
	struct recalibration *f, unsigned cell, uint64_t now, struct live_link *link)
{
	struct recalibration_cell *alone = &f->cell[FOLLOW_ALONE][cell];
	struct recalibration_announced *a = &f->announced[cell];
	bool changed = false;

	if (look_at_announced(f, cell)) {
		changed = set_scale(alone, scale_of(alone, ONE_Q8), a->scale_q8, now);
		changed |= set_noise(f, cell, link);
	}
	if (alone->n >= FOLLOW_SAMPLES && a->scale_q8 && a->lately) {
		a->lately = false;
		alone->n = 0;
	}
	changed |= rescale(f, FOLLOW_ALONE, cell, scale_of(alone, ONE_Q8), now);
	for (int curve = 0; changed && curve < LIVE_CURVES; curve++)
		scale_bins(&f->calibrated.total[curve][4 * cell], scale_of(alone, ONE_Q8),
			&link->total[curve][4 * cell]);
	return changed;
}

bool recalibrate_apply(struct recalibration *f, uint64_t now, struct live_link *link)
{
	bool any = false;

	for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
		struct recalibration_cell *alone = &f->cell[FOLLOW_ALONE][i],
					  *several = &f->cell[FOLLOW_SEVERAL][i];
		unsigned old = scale_of(several, scale_of(alone, ONE_Q8));

		any |= follow_alone(f, i, now, link);
		rescale(f, FOLLOW_SEVERAL, i, old, now);
		/* scaled like messages alone, until there were enough calls over several */
		if (scale_of(several, scale_of(alone, ONE_Q8)) == old)
			continue;
		any = true;
		several->since = now;
		several->n = 0;
		for (int in = 0; in < 2; in++)
			scale_bins(&f->calibrated.next[in][4 * i],
				scale_of(several, alone->scale_q8), &link->next[in][4 * i]);
	}
	return any;
}

size_t recalibrate_rows(const struct recalibration *f, int tier, struct rec_link *rows)
{
	static const char *const name[FOLLOW_KINDS] = { "scale", "scale_next" };
	size_t n = 0;

	for (unsigned what = 0; what < FOLLOW_KINDS; what++)
		for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
			const struct recalibration_cell *c = &f->cell[what][i];

			if (c->lowest_q8 == 0)
				continue;
			rows[n] = live_row(
				tier, "", name[what], live_bin_start(4 * i), "", "learned");
			rows[n].value = (double)c->scale_q8 / ONE_Q8;
			rows[n++].ci_low = (double)c->lowest_q8 / ONE_Q8;
		}
	for (unsigned i = 0; i < FOLLOW_CELLS; i++) {
		uint32_t seen = f->announced[i].scale_q8 ?
			noise_seen_ns(f, i, LIVE_RECV, live_bin_start(4 * i)) :
			0;

		if (seen > f->calibrated.noise_ns[LIVE_RECV][octave_of(i)]) {
			rows[n] = live_row(
				tier, "", "noise_seen", live_bin_start(4 * i), "ns", "learned");
			rows[n++].value = seen;
		}
	}
	return n;
}
