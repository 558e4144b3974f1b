/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.c: S and S_p of one send form and layout, with receivers that are late on purpose (see
 * measure/probe.c). The times are kept as samples for fits and readers.
 */
#include <errno.h>

#include "pmpi/calibrate/probe.h"
#include "pmpi/calibrate/step.h"

enum { PROBE_REPEATS = 3, SHOWN = 5, SHOWN_SLOW = 2, TRIES = 8 };

#define DELAY_NS 100000
#define SLOW_NS 4e6 /* of a message */

struct probe {
	struct pair *pair;
	struct step step;
	uint64_t unit; /* lengths are multiples of it: strided types have blocks */
	struct full_samples *out;
	bool failed, unclear;
};

/* Shortest time of some sends, -1 if none was on time. The lateness is long enough to be seen. */
static double shortest(struct probe *b, unsigned samples)
{
	struct step_times t;
	double min = -1;

	for (int i = 0; i < TRIES && min < 0 && !b->failed; i++) {
		if (pair_step(b->pair, &b->step, samples, &t))
			b->failed = true;
		for (unsigned j = 0; j < t.n && !b->failed; j++)
			min = min < 0 || t.sender_ns[j] < min ? t.sender_ns[j] : min;
	}
	b->unclear |= min < 0;
	return min;
}

static bool waits(struct probe *b, uint64_t k)
{
	uint8_t kind = b->step.kind;
	double late, alone;

	b->step.bytes = k * b->unit;
	b->step.delay_ns = DELAY_NS;
	late = shortest(b, 1);
	if (late < 0.6 * DELAY_NS)
		return false;
	b->step.kind = FULL_SEND;
	alone = shortest(b, 1);
	b->step.kind = kind;
	if (4 * alone > DELAY_NS)
		b->step.delay_ns = (uint64_t)(4 * alone);
	late = shortest(b, PROBE_REPEATS);
	return late > 0.6 * (double)b->step.delay_ns;
}

/* Keeps the samples of a length. */
static void show(struct probe *b, uint64_t k)
{
	struct sample like = { .kind = b->step.kind == FULL_LATE_MATCH ? SAMPLE_LATE_MATCH :
									 SAMPLE_LATE_PROGRESS,
		.form = b->step.send_form,
		.layout = (uint8_t)full_layout(&b->step),
		.bytes = k * b->unit };
	uint8_t kind = b->step.kind;
	struct step_times t;
	double alone;

	b->step.bytes = k * b->unit;
	b->step.kind = FULL_SEND;
	alone = shortest(b, 1);
	b->step.kind = kind;
	/* so late that waiting cannot be confused with a slow transfer */
	b->step.delay_ns = 4 * alone > DELAY_NS ? (uint64_t)(4 * alone) : DELAY_NS;
	like.delay_ns = (int64_t)b->step.delay_ns;
	if (pair_step(b->pair, &b->step, alone > SLOW_NS ? SHOWN_SLOW : SHOWN, &t))
		b->failed = true;
	else
		full_add(b->out, &like, t.sender_ns, t.n);
}

/* The longest length in units, up to `reach`, that does not wait; reach if none waits. */
static uint64_t border(struct probe *b, uint64_t reach)
{
	uint64_t low = 0, high = 1;

	while (high < reach && !b->failed && !b->unclear && !waits(b, high)) {
		low = high;
		high = high * 4 < reach ? high * 4 : reach;
	}
	if (high == reach && !waits(b, reach))
		return reach;
	while (high - low > 1 && !b->failed && !b->unclear) {
		uint64_t middle = low + (high - low) / 2;

		if (waits(b, middle))
			high = middle;
		else
			low = middle;
	}
	return low;
}

static uint64_t threshold_find(struct probe *b, enum full_kind kind, uint64_t guess, uint64_t reach)
{
	const uint64_t most = reach / b->unit;
	uint64_t k;

	b->step.kind = (uint8_t)kind;
	/* S of the quick calibration, or of the first form: two lengths confirm it, a search takes
	 * many more */
	k = guess / b->unit;
	if (guess == 0 || k >= most || ((waits(b, k) || !waits(b, k + 1)) && !b->unclear)) {
		k = border(b, most);
		/* if the next length contradicts the result, search once more */
		if (k < most && !b->unclear && !b->failed && (waits(b, k) || !waits(b, k + 1)))
			k = border(b, most);
	}
	if (b->unclear || b->failed)
		return k * b->unit;
	show(b, k);
	if ((k + 1) * b->unit <= reach)
		show(b, k + 1);
	return k * b->unit;
}

int full_thresholds(struct pair *p, unsigned form, unsigned layout, uint64_t reach, uint64_t *S,
	uint64_t *S_p, struct full_samples *out)
{
	struct probe b = { .pair = p,
		.unit = layout == SAMPLE_STRIDED ? 8 : 1,
		.out = out,
		.step = { .send_form = (uint8_t)form, .pad = (uint8_t)layout } };

	*S = full_is_ready(form) ? reach : threshold_find(&b, FULL_LATE_MATCH, *S, reach);
	*S_p = threshold_find(&b, FULL_LATE_PROGRESS, *S_p, *S < reach ? *S : reach);
	return b.failed ? -EIO : 0;
}
