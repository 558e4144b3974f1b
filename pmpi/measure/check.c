/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: a few messages that a stored set must predict. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/live.h"
#include "analysis/model/robust.h"
#include "check.h"
#include "order.h"
#include "quick.h"

enum { CHECK_DELAY_NS = 60000, LENGTHS = 5, ROUNDS = 7, SAMPLES_MIN = 3 };

#define STATE_RATIO 1.2
#define SAMPLE_NS_MAX 500e3

static const uint64_t lengths[LENGTHS] = { 8, 1024, 16384, 262144, 1048576 };

/*
 * Few samples of one length tell little: the median over the lengths of measured / predicted. Within one
 * state of the machine it is near 1; the slow states that launches fall into differ by 30 % and more.
 * Which length goes before which matters most to short ones (MPICH: 1 KiB 2.8 times as slow), but one that
 * takes four times or a quarter as long has another protocol.
 */
static bool agree(double *ratio, size_t n)
{
	double middle;

	for (size_t i = 0; i < n; i++)
		if (!(ratio[i] > 0.25 && ratio[i] < 4))
			return false;
	middle = n > 0 ? robust_median(ratio, n) : NAN;
	return middle > 1 / STATE_RATIO && middle < STATE_RATIO;
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
static int check_lengths(struct pair *p, const struct live_link *link)
{
	uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);
	double ratio[LENGTHS], predicted[LENGTHS];
	size_t n = 0;
	int rc;

	for (; n < LENGTHS; n++) {
		predicted[n] = (double)live_blocking_ns(link, recv, 0, lengths[n]);
		if (predicted[n] > SAMPLE_NS_MAX)
			break;
	}
	rc = measure_lengths(p, n, ratio);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++)
		ratio[i] /= predicted[i];
	return agree(ratio, n) ? 0 : 1;
}

int check_pair(struct pair *p, const struct rec_link *rows, size_t n, int tier)
{
	struct live_link *link = malloc(sizeof(*link));
	struct step s = { .kind = STEP_TOGETHER, .send_form = LIVE_SEND, .recv_form = LIVE_RECV,
		.bytes = 65536 };
	struct step_times t;
	int rc = link && live_link_from_rows(rows, n, tier, link) == 0 ? 0 : 1;

	/* the first messages of a connection tell nothing */
	if (rc == 0 && pair_step(p, &s, 4, &t))
		rc = -EIO;
	if (rc == 0)
		rc = check_lengths(p, link);
	if (rc == 0)
		rc = check_threshold(p, link);
	free(link);
	return rc;
}

int check_self(const struct rec_link *rows, size_t n, int tier)
{
	struct live_link *link = malloc(sizeof(*link));
	int rc = link && live_link_from_rows(rows, n, tier, link) == 0 ? 0 : 1;

	free(link);
	return rc;
}
