/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: a few messages that a stored set must predict; one round of them judges all sets. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/live.h"
#include "analysis/model/robust.h"
#include "check.h"
#include "order.h"
#include "quick.h"

enum { CHECK_DELAY_NS = 60000, LENGTHS = 5, ROUNDS = 7, SAMPLES_MIN = 3 };

/* What the library sets up for short messages: up to so many trains, as far as they fit into the time. */
enum { WARM_TRAIN = 16, WARM_TRAINS = 8, WARM_BYTES_MAX = 65536, WARM_NS = 1000000 };

#define STATE_RATIO 1.2
#define SAMPLE_NS_MAX 500e3

static const uint64_t lengths[LENGTHS] = { 8, 1024, 16384, 262144, 1048576 };

/* A stored set: what it predicts, and how far that is from what was measured. */
struct candidate {
	struct live_link link;
	size_t nlengths;		/* those it predicts to be short enough to be tried */
	double predicted_ns[LENGTHS];
	double off;			/* |log| of the median of measured / predicted; INFINITY: does not hold */
};

/*
 * Few samples of one length tell little: the median over the lengths of measured / predicted. Within one
 * state of the machine it is near 1; the slow states that launches fall into differ by 30 % and more.
 * Which length goes before which matters most to short ones (MPICH: 1 KiB 2.8 times as slow), but one that
 * takes four times or a quarter as long has another protocol.
 */
static double distance(const struct candidate *c, const double *measured_ns)
{
	double ratio[LENGTHS], middle;

	for (size_t i = 0; i < c->nlengths; i++) {
		ratio[i] = measured_ns[i] / c->predicted_ns[i];
		if (!(ratio[i] > 0.25 && ratio[i] < 4))
			return INFINITY;
	}
	middle = c->nlengths > 0 ? fabs(log(robust_median(ratio, c->nlengths))) : INFINITY;
	return middle < log(STATE_RATIO) ? middle : INFINITY;
}

/* The shortest of three sends to a receiver that posts late: 1 where it takes the delay. */
static int blocks(struct pair *p, uint64_t bytes)
{
	struct step s = { .kind = STEP_LATE_MATCH, .send_form = LIVE_SEND, .recv_form = LIVE_RECV,
		.bytes = bytes, .delay_ns = CHECK_DELAY_NS };
	struct step_times t;
	double shortest = INFINITY;

	if (pair_step(p, &s, 3, &t))
		return -EIO;
	for (unsigned i = 0; i < t.n; i++)
		shortest = fmin(shortest, t.sender_ns[i]);
	return shortest > CHECK_DELAY_NS * 0.6;
}

/* Where S is known, both of its sides; large messages would take longer than the delay by themselves. */
static int check_threshold(struct pair *p, const struct live_link *link)
{
	uint64_t first = link->limits[LIVE_SEND].eager_end;
	int below, above;

	if (first == UINT64_MAX || first > 65536 || first == 0)
		return 0;
	below = blocks(p, first - 1);
	above = below < 0 ? below : blocks(p, first);
	if (above < 0)
		return above;
	return below == 0 && above == 1 ? 0 : 1;
}

/*
 * Medians of the receive's time at each length, both sides on time; NAN where there was no time.
 * A message that the caches still hold is up to four times as fast as one of a calibration, which comes
 * after messages of all lengths: so do these.
 */
static int measure_lengths(struct pair *p, size_t nlengths, double *median)
{
	double ns[LENGTHS][ROUNDS], sender_ns;
	unsigned n[LENGTHS] = { 0 };
	size_t order[LENGTHS] = { 0, 1, 2, 3, 4 };
	uint64_t draw = ORDER_DRAW;
	struct step s = { .kind = STEP_TOGETHER, .send_form = LIVE_SEND, .recv_form = LIVE_RECV };

	for (unsigned i = 0; i < ROUNDS * nlengths; i++) {
		size_t l = order[i % nlengths];
		int rc;

		s.bytes = lengths[l];
		p->idle = quick_idle(s.bytes);
		rc = pair_sample(p, &s, &sender_ns, &ns[l][n[l]]);
		if (rc < 0)
			return rc;
		n[l] += rc == 0;
		if (i % nlengths == nlengths - 1)
			order_shuffle(order, nlengths, &draw);
	}
	p->idle = 0;
	for (size_t l = 0; l < nlengths; l++)
		median[l] = n[l] >= SAMPLES_MIN ? robust_median(ns[l], n[l]) : NAN;
	return 0;
}

/* Lengths that the network takes too long for are left out. */
static void candidate_init(struct candidate *c, const struct stored_set *set, int tier)
{
	uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);

	*c = (struct candidate){ .off = INFINITY };
	if (live_link_from_rows(set->row, set->n, tier, &c->link) != 0)
		return;
	for (size_t i = 0; i < LENGTHS; i++) {
		c->predicted_ns[i] = (double)live_blocking_ns(&c->link, recv, 0, lengths[i]);
		if (c->predicted_ns[i] > SAMPLE_NS_MAX)
			break;
		c->nlengths++;
	}
}

/*
 * The first messages of a connection tell nothing, nor do those for which the library touches its own
 * buffers for the first time: with MPICH each of the first 64 messages of 1 KiB took 3 to 6 us instead of
 * 0.5. The calibration is long enough to see what comes after them.
 */
static int warm_up(struct pair *p, const struct live_link *link)
{
	uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);
	struct step train = { .kind = STEP_TRAIN, .send_form = LIVE_ISEND, .recv_form = LIVE_IRECV,
		.count = WARM_TRAIN, .bytes = link->limits[LIVE_SEND].eager_end - 1 };
	struct step s = { .kind = STEP_TOGETHER, .send_form = LIVE_SEND, .recv_form = LIVE_RECV,
		.bytes = 65536 };
	struct step_times t;
	int64_t trains;

	if (train.bytes > WARM_BYTES_MAX)
		train.bytes = WARM_BYTES_MAX;
	trains = WARM_NS / (WARM_TRAIN * (live_blocking_ns(link, recv, 0, train.bytes) + 100));
	if (trains > WARM_TRAINS)
		trains = WARM_TRAINS;
	if (pair_step(p, &train, (unsigned)trains, &t) || pair_step(p, &s, 4, &t))
		return -EIO;
	return 0;
}

/* The nearest set whose S is where it says, of candidates with `off` set. */
static int nearest(struct pair *p, struct candidate *c, size_t n)
{
	for (size_t tried = 0; tried < n; tried++) {
		size_t best = 0;
		int rc;

		for (size_t i = 1; i < n; i++)
			if (c[i].off < c[best].off)
				best = i;
		if (c[best].off == INFINITY)
			break;
		rc = check_threshold(p, &c[best].link);
		if (rc <= 0)
			return rc ? rc : (int)best;
		c[best].off = INFINITY;
	}
	return -ENOENT;
}

int check_pair(struct pair *p, const struct stored_set *set, size_t nsets, int tier)
{
	struct candidate *c = nsets > 0 ? malloc(nsets * sizeof(*c)) : NULL;
	double measured_ns[LENGTHS];
	size_t nlengths = 0;
	int rc = -ENOENT;

	if (!c)
		return -ENOENT;
	for (size_t i = 0; i < nsets; i++) {
		candidate_init(&c[i], &set[i], tier);
		if (c[i].nlengths > nlengths)
			nlengths = c[i].nlengths;
	}
	if (nlengths > 0 && (warm_up(p, &c[0].link) || measure_lengths(p, nlengths, measured_ns))) {
		rc = -EIO;
	} else if (nlengths > 0) {
		for (size_t i = 0; i < nsets; i++)
			c[i].off = distance(&c[i], measured_ns);
		rc = nearest(p, c, nsets);
	}
	free(c);
	return rc;
}

int check_self(const struct stored_set *set, size_t nsets, int tier)
{
	struct live_link *link = malloc(sizeof(*link));
	int found = -ENOENT;

	for (size_t i = nsets; link && i-- > 0;)
		if (live_link_from_rows(set[i].row, set[i].n, tier, link) == 0)
			found = (int)i;
	free(link);
	return found;
}
