/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: a few messages that a stored set must predict. One round judges all stored sets. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/live/live.h"
#include "analysis/model/robust.h"
#include "pmpi/measure/check.h"
#include "pmpi/measure/visit_order.h"
#include "pmpi/measure/quick.h"

enum { CHECK_DELAY_NS = 60000, LENGTHS = 5, ROUNDS = 7, SAMPLES_MIN = 3 };

/*
 * Warming up the library's buffers for short messages: at most this many trains, as time permits.
 */
enum { WARM_TRAIN = 16, WARM_TRAINS = 8, WARM_BYTES_MAX = 65536, WARM_NS = 1000000 };

#define STATE_RATIO 1.2
#define OTHER_RATIO 2.0 /* a larger ratio means another link, however busy the machine is */
#define SAMPLE_NS_MAX 500e3

static const uint64_t lengths[LENGTHS] = { 8, 1024, 16384, 262144, 1048576 };

/* If no sample was on time, or all were a little slower, the check does not decide. */
enum verdict { HOLDS, UNSURE, REFUTED };

/* A stored set: its predictions, and their distance from the measurements. */
struct candidate {
	struct live_link link;
	size_t nlengths; /* lengths that it predicts to be fast enough to be tried */
	double predicted_ns[LENGTHS];
	enum verdict verdict;
	/* messages below and above S behaved alike, so its S is wrong */
	bool other_S;
	double off; /* |log| of the median of measured / predicted */
};

/*
 * The median over all lengths of measured / predicted, since a few samples of one length tell
 * little. It is near 1 while the machine stays in one state; slow states differ by 30 % and more.
 * The order of lengths affects short messages most. A message that takes four times or a quarter as
 * long uses another protocol.
 */
static void judge_times(struct candidate *c, const double *measured_ns)
{
	double ratio[LENGTHS];
	size_t n = 0;

	for (size_t i = 0; i < c->nlengths; i++) {
		if (isnan(measured_ns[i]))
			continue;
		ratio[n] = measured_ns[i] / c->predicted_ns[i];
		if (!(ratio[n] > 0.25 && ratio[n] < 4))
			c->verdict = REFUTED;
		n++;
	}
	c->off = n > 0 ? fabs(log(robust_median(ratio, n))) : 0;
	if (c->verdict == REFUTED || !(c->off < log(OTHER_RATIO)))
		c->verdict = REFUTED;
	else if (n < c->nlengths || c->off > log(STATE_RATIO))
		c->verdict = UNSURE;
}

/*
 * The shortest of three sends to a late receiver, divided by its lateness; NAN: none was on time.
 */
static int late_fraction(struct pair *p, uint64_t bytes, double *fraction)
{
	struct step s = { .kind = STEP_LATE_MATCH,
		.send_form = LIVE_SEND,
		.recv_form = LIVE_RECV,
		.bytes = bytes,
		.delay_ns = CHECK_DELAY_NS };
	struct step_times t;

	if (pair_step(p, &s, 3, &t))
		return -EIO;
	*fraction = NAN;
	for (unsigned i = 0; i < t.n; i++)
		*fraction = fmin(*fraction, t.sender_ns[i] / CHECK_DELAY_NS);
	return 0;
}

/*
 * Tries a message on each side of S. Large messages alone would take longer than the delay.
 */
static int judge_threshold(struct pair *p, struct candidate *c)
{
	uint64_t first = c->link.limits[LIVE_SEND].eager_end;
	double below, above;

	if (first == UINT64_MAX || first > 65536 || first == 0)
		return 0;
	if (late_fraction(p, first - 1, &below) || late_fraction(p, first, &above))
		return -EIO;
	c->other_S = below > 0.6 || above <= 0.6;
	if (c->other_S)
		c->verdict = REFUTED;
	else if (isnan(below) || isnan(above))
		c->verdict = UNSURE;
	return 0;
}

/*
 * Medians of the receive's time at each length, both sides on time; NAN if there was no time. A
 * message that is still in the caches is up to four times as fast. In a calibration, messages of
 * other lengths come in between; so they do here.
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

/* Leaves out lengths that take too long on this network. */
static void candidate_init(struct candidate *c, const struct stored_set *set, int tier)
{
	uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);

	*c = (struct candidate){ .verdict = REFUTED };
	if (live_link_from_rows(set->row, set->n, tier, &c->link) != 0)
		return;
	for (size_t i = 0; i < LENGTHS; i++) {
		c->predicted_ns[i] = (double)live_blocking_ns(&c->link, recv, 0, lengths[i]);
		if (c->predicted_ns[i] > SAMPLE_NS_MAX)
			break;
		c->nlengths++;
		c->verdict = HOLDS;
	}
}

/*
 * Warms up. The first messages of a connection are slow, and so are messages for which the library
 * touches its own buffers for the first time: with MPICH each of the first 64 messages of 1 KiB
 * took 3 to 6 us instead of 0.5. Calibrations are long enough to be past that.
 */
static int warm_up(struct pair *p, const struct live_link *link)
{
	uint8_t recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING);
	struct step train = { .kind = STEP_TRAIN,
		.send_form = LIVE_ISEND,
		.recv_form = LIVE_IRECV,
		.count = WARM_TRAIN,
		.bytes = link->limits[LIVE_SEND].eager_end - 1 };
	struct step s = { .kind = STEP_TOGETHER,
		.send_form = LIVE_SEND,
		.recv_form = LIVE_RECV,
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

/* The best set with this verdict; -1: there is none. */
static int nearest(const struct candidate *c, size_t n, enum verdict verdict)
{
	int best = -1;

	for (size_t i = 0; i < n; i++)
		if (c[i].verdict == verdict && (best < 0 || c[i].off < c[best].off))
			best = (int)i;
	return best;
}

/* Chooses the set to use if nothing can be measured, by the rule in check.h. */
static int likely_of(const struct candidate *c, size_t n)
{
	int best = nearest(c, n, UNSURE);

	for (size_t i = 0; i < n && best < 0; i++)
		if (c[i].nlengths > 0 && !c[i].other_S)
			best = (int)i;
	return best;
}

/* S is tried for as few sets as possible. */
static int judge(struct pair *p, struct candidate *c, size_t n, size_t nlengths, int *likely)
{
	double measured_ns[LENGTHS];
	int best;

	if (warm_up(p, &c[0].link) || measure_lengths(p, nlengths, measured_ns))
		return -EIO;
	for (size_t i = 0; i < n; i++)
		judge_times(&c[i], measured_ns);
	while ((best = nearest(c, n, HOLDS)) >= 0) {
		if (judge_threshold(p, &c[best]))
			return -EIO;
		if (c[best].verdict == HOLDS)
			return best;
	}
	*likely = likely_of(c, n);
	return -ENOENT;
}

int check_pair(struct pair *p, const struct stored_set *set, size_t nsets, int tier, int *likely)
{
	struct candidate *c = nsets > 0 ? malloc(nsets * sizeof(*c)) : NULL;
	size_t n = 0, nlengths = 0;
	int rc = -ENOENT;

	*likely = -1;
	for (; c && n < nsets; n++) {
		candidate_init(&c[n], &set[n], tier);
		if (c[n].nlengths > nlengths)
			nlengths = c[n].nlengths;
	}
	if (nlengths > 0)
		rc = judge(p, c, n, nlengths, likely);
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
