/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.c: finds S and S_p. If the receiver posts late by D, a send of k bytes takes D exactly if
 * it needs the match. If the receiver stays outside MPI for D, the send takes D exactly if it needs
 * the receiver's progress.
 *
 * The operating system makes sends longer, never shorter, so the shortest of three decides. D is
 * well above the time that the message itself needs.
 */
#include <errno.h>

#include "analysis/model/live/live.h"
#include "pmpi/measure/probe.h"

enum { PROBE_REPEATS = 3, PROBE_DELAY_NS = 100000, TRIES = 8 };

struct search {
	struct pair *pair;
	struct step step;
	bool failed;  /* -EIO */
	bool unclear; /* no time is left, or no try had both ranks on time */
};

static double shortest(const struct step_times *t)
{
	double min = -1;

	for (unsigned i = 0; i < t->n; i++)
		if (min < 0 || t->sender_ns[i] < min)
			min = t->sender_ns[i];
	return min;
}

/* Shortest time of up to `samples` sends, -1 if none was on time. */
static double sample(struct search *s, unsigned samples)
{
	struct step_times t;
	double min = -1;

	for (int i = 0; i < TRIES && min < 0 && !s->failed && !s->unclear; i++) {
		if (pair_step(s->pair, &s->step, samples, &t))
			s->failed = true;
		else
			min = shortest(&t);
	}
	s->unclear |= min < 0;
	return min;
}

/* True if a send of k bytes takes as long as the receiver is late. */
static bool blocks(struct search *s, uint64_t k)
{
	uint8_t kind = s->step.kind;
	double alone, late;

	s->step.bytes = k;
	s->step.delay_ns = PROBE_DELAY_NS;
	late = sample(s, 1);
	if (late < PROBE_DELAY_NS * 0.6)
		return false;
	/* much later than the message takes with both on time */
	s->step.kind = STEP_TOGETHER;
	alone = sample(s, 1);
	s->step.kind = kind;
	if (4 * alone > PROBE_DELAY_NS)
		s->step.delay_ns = (uint64_t)(4 * alone);
	late = sample(s, PROBE_REPEATS);
	return late > 0.6 * (double)s->step.delay_ns;
}

/* Longest k that does not block. `low` does not block; `high` does, or is beyond reach. */
static uint64_t bisect(struct search *s, uint64_t low, uint64_t high)
{
	while (high - low > 1 && !s->failed && !s->unclear) {
		uint64_t middle = low + (high - low) / 2;

		if (blocks(s, middle))
			high = middle;
		else
			low = middle;
	}
	return low;
}

/*
 * Longest k up to `reach` that does not block. PROBE_NONE: no length blocks. *none: all block, even
 * an empty message.
 */
static uint64_t border(struct search *s, uint64_t reach, const uint64_t *guess, bool *none)
{
	uint64_t low = 0, high = 64;

	*none = false;
	/* most forms agree with the first one: two lengths confirm that, a search takes twenty */
	if (guess && *guess >= reach && !blocks(s, reach))
		return PROBE_NONE;
	if (guess && *guess < reach && !blocks(s, *guess) && blocks(s, *guess + 1))
		return *guess;
	if (blocks(s, 0) || blocks(s, 1)) {
		*none = true;
		return 0;
	}
	for (; high < reach && !blocks(s, high); high *= 4)
		low = high;
	if (high >= reach) {
		high = reach;
		if (!blocks(s, high))
			return PROBE_NONE;
	}
	return bisect(s, low, high);
}

int probe_thresholds(struct pair *p, unsigned form, uint64_t reach, const struct thresholds *guess,
	struct thresholds *out)
{
	struct search s = { .pair = p,
		.step = { .kind = STEP_LATE_MATCH,
			.send_form = (uint8_t)form,
			.recv_form = LIVE_RECV } };
	const uint64_t *S = guess ? &guess->S : NULL;
	const uint64_t *S_p = guess && !guess->none_local ? &guess->S_p : NULL;
	bool none_eager;

	*out = (struct thresholds){ .S = border(&s, reach, S, &none_eager) };
	/* if the next length contradicts an answer, the answer was wrong */
	if (out->S != PROBE_NONE && !none_eager && !s.unclear &&
		(blocks(&s, out->S) || !blocks(&s, out->S + 1)))
		out->S = border(&s, reach, NULL, &none_eager);
	s.step.kind = STEP_LATE_PROGRESS;
	if (none_eager)
		out->none_local = true;
	else
		out->S_p = border(&s, out->S < reach ? out->S : reach, S_p, &out->none_local);
	if (out->S_p == PROBE_NONE)
		out->S_p = out->S;
	if (s.unclear)
		out->reason = (int64_t)(clock_ticks() - p->deadline) < 0 ?
			"the ranks were never on time together" :
			"no time left";
	return s.failed ? -EIO : 0;
}
