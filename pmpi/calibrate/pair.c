/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair.c: the measurements of one pair.
 *
 * First come the thresholds, since lengths on both sides of them belong to the grid. Then come
 * rounds over the grid, which is refined where times jump. Each visit of a length takes samples for
 * fits and samples that no fit uses (truth) in turn, so that both see the same states of the
 * machine. Delayed round trips are taken the same way. Lengths that no fit uses are visited as
 * long, since the first messages of a visit meet cold caches. After the first rounds come the
 * slower measurements: trains, overlap, and the twelve forms in both layouts. Then rounds continue.
 *
 * The speed of the machine changes from one visit to the next, and for seconds, by a fifth and
 * more. So many short visits tell more than a few long ones, and each length is visited from
 * beginning to end. A length with precise medians is visited in every third round. A length added
 * late is visited twice a round until it has caught up.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/robust.h"
#include "pmpi/calibrate/messages.h"
#include "pmpi/calibrate/pair.h"
#include "pmpi/calibrate/probe.h"
#include "pmpi/calibrate/step.h"
#include "pmpi/measure/jumps.h"
#include "pmpi/measure/visit_order.h"

enum {
	LENGTHS_MAX = 128,
	ROUNDS_FIRST = 5,
	ROUNDS_REFINED = 12,
	ROUNDS_MAX = 200,
	ROUNDS_OF_ALL = 3,
	VISIT_MAX = 8,
	VISIT_MIN = 3,
	WARM_MAX = 24,
	DELAYED_FIRST = 2
};

/*
 * The time of one length in a visit, for fits and for warming up [ns]. Lengths that need far more
 * are not measured.
 */
#define VISIT_NS 1.5e6
#define WARM_NS 1e6

/* A length is slow if the pair's time has room for fewer round trips than this. */
#define SLOW_IN_BUDGET 300

struct length {
	uint64_t bytes;
	bool fit;                   /* else only truth */
	double rtt_ns;              /* last median seen; 0: none */
	double half;                /* its relative half width */
	double fits[2][ROUNDS_MAX]; /* medians of visits: [0] fits, [1] truth */
	unsigned nfits[2];
	unsigned visits;   /* at most ROUNDS_MAX */
	unsigned ndelayed; /* of them with delayed round trips */
};

struct plan {
	struct pair *p;
	const struct full_options *o;
	const char *label;
	struct full_samples *out;
	uint64_t begin; /* [ticks] */
	uint64_t S, S_p;
	struct length *length;
	size_t nlengths;
};

static bool time_left(const struct plan *pl)
{
	return (int64_t)(clock_ticks() - pl->p->deadline) < 0;
}

/* The fraction of the pair's time that is over. */
static double time_used(const struct plan *pl)
{
	return (double)(clock_ticks() - pl->begin) / (double)(pl->p->deadline - pl->begin);
}

static void progress(const struct plan *pl, const char *what, double percent)
{
	FILE *to = pl->label ? full_progress(pl->o) : NULL;

	if (to) {
		fprintf(to, "\r%s: %-24s %3.0f %%\033[K", pl->label, what, fmin(percent, 100));
		fflush(to);
	}
}

/* Does one step, and keeps the sender's or the receiver's samples. *median: -1 without samples. */
static int take_step(struct plan *pl, struct step s, struct sample like, unsigned samples,
	bool receiver, double *median)
{
	struct step_times t;

	*median = -1;
	if (pair_step(pl->p, &s, samples, &t))
		return -EIO;
	like.bytes = s.bytes;
	like.count = s.count;
	like.delay_ns = (int64_t)s.delay_ns;
	like.layout = (uint8_t)full_layout(&s);
	full_add(pl->out, &like, receiver ? t.receiver_ns : t.sender_ns, t.n);
	if (t.n > 0)
		*median = robust_median(receiver ? t.receiver_ns : t.sender_ns, t.n);
	return 0;
}

static void grid_add(struct plan *pl, uint64_t bytes, bool fit)
{
	size_t i = pl->nlengths;

	if (bytes > pl->o->max_bytes || pl->nlengths == LENGTHS_MAX)
		return;
	for (size_t j = 0; j < pl->nlengths; j++)
		if (pl->length[j].bytes == bytes) {
			pl->length[j].fit |= fit;
			return;
		}
	while (i > 0 && pl->length[i - 1].bytes > bytes) {
		pl->length[i] = pl->length[i - 1];
		i--;
	}
	pl->length[i] = (struct length){ .bytes = bytes, .fit = fit, .half = INFINITY };
	pl->nlengths++;
}

/*
 * For fits: half octaves and the thresholds; between octaves, lengths that no fit uses. Just below
 * S the steps are quarters: long eager messages may begin at S / 2, and their line must not depend
 * on the two lengths at the switch.
 */
static void make_grid(struct plan *pl)
{
	const struct full_options *o = pl->o;

	for (size_t i = 0; i < o->nsizes; i++)
		grid_add(pl, o->sizes[i], true);
	if (o->nsizes == 0) {
		grid_add(pl, 0, true);
		for (double at = 1; at < 2.0 * PAIR_BYTES_MAX; at *= 2) {
			grid_add(pl, (uint64_t)at, true);
			grid_add(pl, (uint64_t)(at * 1.5), true);
			if (at >= 16)
				grid_add(pl, (uint64_t)(at * 1.23), false);
		}
		for (uint64_t eighths = 5; eighths < 8 && pl->S < PAIR_BYTES_MAX; eighths += 2)
			grid_add(pl, pl->S * eighths / 8, true);
		/* the longest that the user wants: a complete file has it */
		grid_add(pl, o->max_bytes, true);
	}
	for (uint64_t d = 0; d < 2 && pl->S < PAIR_BYTES_MAX; d++)
		grid_add(pl, pl->S + d, true);
	for (uint64_t d = 0; d < 2 && pl->S_p < PAIR_BYTES_MAX; d++)
		grid_add(pl, pl->S_p + d, true);
}

/*
 * Lengths above S are no round numbers: transports cut long messages into pieces, and a round
 * length, at which a piece begins or ends, takes a tenth more than its neighbours.
 */
static void add_uneven(struct plan *pl)
{
	static const double parts[] = { 1.12, 1.36, 1.77 };

	for (double at = 1; at < PAIR_BYTES_MAX; at *= 2)
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && at > (double)pl->S; i++)
			grid_add(pl, (uint64_t)(at * parts[i]), true);
}

/* Adds a length in the middle of each gap in which times jump. */
static void refine(struct plan *pl)
{
	struct jumps_times times[LENGTHS_MAX];
	uint64_t bytes[LENGTHS_MAX];
	struct jumps jumps;
	size_t n = 0;

	for (size_t i = 0; i < pl->nlengths; i++) {
		const struct length *l = &pl->length[i];
		double ns[ROUNDS_MAX];

		if (!l->fit || l->bytes == 0 || l->nfits[0] == 0)
			continue;
		memcpy(ns, l->fits[0], l->nfits[0] * sizeof(*ns));
		bytes[n] = l->bytes;
		times[n++] = jumps_times_of(ns, l->nfits[0]);
	}
	jumps = jumps_find(bytes, times, n);
	for (unsigned i = 0; i < jumps.n; i++)
		grid_add(pl, jumps.middle[i], true);
}

/* Does a round trip of this length take much of the pair's time? Then its visits are short. */
static bool is_slow(const struct plan *pl, const struct length *l)
{
	return SLOW_IN_BUDGET * l->rtt_ns > (double)clock_ns(pl->p->deadline - pl->begin);
}

static unsigned visit_samples(double ns)
{
	double n = ns > 0 ? VISIT_NS / (ns + 2000) : VISIT_MIN;

	return n < VISIT_MIN ? VISIT_MIN : n > VISIT_MAX ? VISIT_MAX : (unsigned)n;
}

/*
 * Messages before a visit's samples, which only warm up. After other lengths the first messages
 * meet cold caches and take up to three times as long, which would distort the medians.
 */
static unsigned warm_samples(double ns)
{
	double n = WARM_NS / (ns + 2000);

	/* for much slower messages, caches do not matter */
	return n > WARM_MAX ? WARM_MAX : n < 1 && n > 0.1 ? 1 : (unsigned)n;
}

/* True if this length would take more than its part of the time, estimated from a shorter one. */
static bool too_slow(const struct plan *pl, size_t i)
{
	double all_ns = (double)clock_ns(pl->p->deadline - pl->begin), ns = pl->length[i].rtt_ns;

	for (size_t j = i; ns == 0 && j-- > 0;)
		if (pl->length[j].rtt_ns > 0 && pl->length[j].bytes > 0)
			ns = pl->length[j].rtt_ns * (double)pl->length[i].bytes /
				(double)pl->length[j].bytes;
	return 12 * VISIT_MIN * ns > all_ns;
}

/* True if delayed round trips are also taken at this length. */
static bool is_delayed(const struct plan *pl, uint64_t bytes)
{
	static const uint64_t some[] = { 8, 256, 1024, 4096, 65536, 262144, 1048576 };

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (bytes == some[i])
			return true;
	return bytes == pl->S || bytes == pl->S + 1;
}

/*
 * LogGPS's procedure: round trips with a growing w, in turn with round trips without one, so that
 * both see the same states of the machine.
 */
static int delays(struct plan *pl, const struct length *l)
{
	static const uint64_t w[] = { 20000, 100000, 500000, 2000000, 4000000 };
	struct step s = { .kind = FULL_RTT,
		.send_form = SAMPLE_SEND_FORM,
		.pad = SAMPLE_CONTIGUOUS,
		.bytes = l->bytes };
	struct sample like = { .kind = SAMPLE_RTT_W };
	double ns;

	for (size_t i = 0; i < sizeof(w) / sizeof(*w); i++)
		for (unsigned turn = 0; turn < 2; turn++) {
			s.delay_ns = w[i];
			like.truth = (turn + l->visits) % 2 == 0;
			if (take_step(pl, s, like, w[i] < 1000000 && !is_slow(pl, l) ? 3 : 1, false,
				    &ns))
				return -EIO;
		}
	return 0;
}

/*
 * Delayed round trips take long. The first visits have them, and then every second one, until the
 * end: the speed of the machine changes meanwhile, and plain round trips are measured all the time.
 */
static bool delay_is_due(const struct length *l)
{
	return l->ndelayed < DELAYED_FIRST || l->ndelayed * 2 <= l->visits;
}

/* Sends, and receives of messages that have already arrived. */
static int calls(struct plan *pl, const struct length *l, unsigned n)
{
	struct step s = { .kind = FULL_RTT_SEND,
		.send_form = SAMPLE_SEND_FORM,
		.pad = SAMPLE_CONTIGUOUS,
		.bytes = l->bytes };
	struct sample like = { .kind = SAMPLE_SEND, .form = SAMPLE_SEND_FORM };
	struct step_times t;
	double ns;

	if (take_step(pl, s, like, n, false, &ns))
		return -EIO;
	if (l->bytes > pl->S) /* the data of a rendezvous never arrives before its receive */
		return 0;
	s.kind = FULL_RECV;
	s.delay_ns = (uint64_t)(2 * l->rtt_ns) + 20000;
	like = (struct sample){ .kind = SAMPLE_RECV, .form = SAMPLE_RECV_FORM };
	/* the delay until arrival belongs to the method, not to the measured time */
	if (pair_step(pl->p, &s, n, &t))
		return -EIO;
	like.bytes = l->bytes;
	like.layout = SAMPLE_CONTIGUOUS;
	full_add(pl->out, &like, t.receiver_ns, t.n);
	return 0;
}

/*
 * One visit of one length: round trips for truth and fits in turn; in every second visit also the
 * calls alone. A length only for truth has the same number of round trips.
 */
static int visit(struct plan *pl, struct length *l)
{
	struct step s = { .kind = FULL_RTT,
		.send_form = SAMPLE_SEND_FORM,
		.pad = SAMPLE_CONTIGUOUS,
		.bytes = l->bytes };
	struct sample like = { .kind = SAMPLE_RTT };
	struct step_times t;
	unsigned n;
	double ns;

	if (l->rtt_ns == 0) { /* a first sample, from which the number of samples follows */
		if (pair_step(pl->p, &s, 1, &t))
			return -EIO;
		l->rtt_ns = t.n ? t.sender_ns[0] : 0;
	}
	if (pair_step(pl->p, &s, warm_samples(l->rtt_ns), &t))
		return -EIO;
	n = is_slow(pl, l) ? 1 : visit_samples(l->rtt_ns);
	for (unsigned turn = 0; turn < (l->fit ? 2 : 1); turn++) {
		like.truth = !l->fit || (turn + l->visits) % 2 == 0;
		if (take_step(pl, s, like, l->fit ? n : 2 * n, false, &ns))
			return -EIO;
		if (ns > 0) {
			l->rtt_ns = ns;
			l->fits[like.truth][l->nfits[like.truth]++] = ns;
		}
	}
	if (l->fit && is_delayed(pl, l->bytes) && delay_is_due(l) &&
		(l->visits > 0 || !is_slow(pl, l))) {
		l->ndelayed++;
		if (delays(pl, l))
			return -EIO;
	}
	return l->visits++ % 2 == 0 && l->fit ? calls(pl, l, n) : 0;
}

/* The half width of the median of a length's visits, relative; infinite below six visits. */
static double half_width(const struct length *l, unsigned truth)
{
	double sorted[ROUNDS_MAX], low, high;
	unsigned n = l->nfits[truth];

	if (n < 6)
		return INFINITY;
	for (unsigned i = 0; i < n; i++)
		sorted[i] = l->fits[truth][i];
	robust_sort(sorted, n);
	robust_median_interval(sorted, n, &low, &high);
	return (high - low) / 2 / robust_quantile(sorted, n, 0.5);
}

static bool is_precise(const struct plan *pl, const struct length *l)
{
	return l->half <= pl->o->precision;
}

/*
 * Puts the lengths of a round in order; returns their number. The first round ascends, so that
 * shorter lengths show which ones would take too long.
 */
static size_t make_order(const struct plan *pl, unsigned round, size_t *order)
{
	double visits[LENGTHS_MAX], usual;
	uint64_t draw = ORDER_DRAW + round;
	size_t n = 0;

	for (size_t i = 0; i < pl->nlengths; i++)
		visits[i] = pl->length[i].visits;
	usual = robust_median(visits, pl->nlengths);
	for (size_t i = 0; i < pl->nlengths; i++) {
		const struct length *l = &pl->length[i];

		if (l->visits + 2 > ROUNDS_MAX || (is_precise(pl, l) && round % ROUNDS_OF_ALL))
			continue;
		order[n++] = i;
		if (l->visits < usual && !is_precise(pl, l))
			order[n++] = i;
	}
	if (round > 0)
		order_shuffle(order, n, &draw);
	return n;
}

/* Rounds over the grid until `rounds` are done, all is precise, or time is up. */
static int rounds(struct plan *pl, unsigned first, unsigned last)
{
	for (unsigned round = first; round < last && time_left(pl); round++) {
		size_t open = 0, order[2 * LENGTHS_MAX], n = make_order(pl, round, order);

		for (size_t i = 0; i < n && time_left(pl); i++) {
			struct length *l = &pl->length[order[i]];

			if (too_slow(pl, order[i]))
				continue;
			if (visit(pl, l))
				return -EIO;
			l->half = fmax(l->fit ? half_width(l, 0) : 0, half_width(l, 1));
		}
		for (size_t i = 0; i < pl->nlengths; i++)
			open += !is_precise(pl, &pl->length[i]) && !too_slow(pl, i);
		/* on a slow network long messages leave no time for more lengths */
		if (pl->o->nsizes == 0 && round == 0 && time_used(pl) < 0.2)
			add_uneven(pl);
		else if (pl->o->nsizes == 0 && round > 0 && round < ROUNDS_REFINED)
			refine(pl);
		progress(pl, "round trips and calls",
			100.0 * fmax(time_used(pl), 1 - (double)open / (double)pl->nlengths));
		if (open == 0)
			break;
	}
	return 0;
}

/* True if this length is wanted: it is in the user's list, or there is none. */
static bool is_wanted(const struct plan *pl, uint64_t bytes)
{
	bool listed = pl->o->nsizes == 0;

	for (size_t i = 0; i < pl->o->nsizes; i++)
		listed |= pl->o->sizes[i] == bytes;
	return listed && bytes <= pl->o->max_bytes;
}

static int trains(struct plan *pl)
{
	static const uint64_t bytes[] = { 1, 8, 256, 1024, 4096, 16384, 65536 };
	static const uint32_t counts[] = { 4, 16, 64 };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		for (size_t j = 0; j < sizeof(counts) / sizeof(*counts); j++) {
			struct step s = { .kind = FULL_TRAIN,
				.send_form = SAMPLE_SEND_FORM,
				.pad = SAMPLE_CONTIGUOUS,
				.bytes = bytes[i],
				.count = counts[j] };
			struct sample like = { .kind = SAMPLE_TRAIN };
			double ns;

			if (!is_wanted(pl, bytes[i]))
				continue;
			if (time_left(pl) && time_used(pl) < 0.6 &&
				take_step(pl, s, like, 24, false, &ns))
				return -EIO;
		}
	return 0;
}

/* Does a large transfer move while the program computes? */
static int overlap(struct plan *pl)
{
	static const uint64_t bytes[] = { 8192, 65536, 1048576 };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		for (int receiver = 0; receiver < 2; receiver++) {
			struct step s = { .kind = receiver ? FULL_OVERLAP_RECV : FULL_OVERLAP_SEND,
				.send_form = SAMPLE_ISEND,
				.pad = SAMPLE_CONTIGUOUS,
				.bytes = bytes[i],
				.delay_ns = 5000000 };
			struct sample like = { .kind = SAMPLE_OVERLAP,
				.form = receiver ? SAMPLE_IRECV : SAMPLE_ISEND };
			double ns;

			if (is_wanted(pl, bytes[i]) && time_left(pl) && time_used(pl) < 0.7 &&
				take_step(pl, s, like, 8, receiver, &ns))
				return -EIO;
		}
	return 0;
}

static bool is_blocking(unsigned form)
{
	return form <= SAMPLE_RSEND;
}

/* Overheads of one form and layout by length. */
static int form_overheads(struct plan *pl, unsigned form, unsigned layout)
{
	static const uint64_t usual[] = { 8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576 };
	const uint64_t *bytes = pl->o->nsizes ? pl->o->sizes : usual;
	size_t n = pl->o->nsizes ? pl->o->nsizes : sizeof(usual) / sizeof(*usual);
	static const struct {
		enum full_kind step;
		enum sample_kind kind;
	} parts[] = {
		{ FULL_SEND, SAMPLE_SEND },
		{ FULL_POST, SAMPLE_POST },
		{ FULL_COMPLETE, SAMPLE_COMPLETE },
	};

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < (is_blocking(form) ? 1 : 3); j++) {
			struct step s = { .kind = (uint8_t)parts[j].step,
				.send_form = (uint8_t)form,
				.pad = (uint8_t)layout,
				.bytes = bytes[i] };
			struct sample like = { .kind = (uint8_t)parts[j].kind,
				.form = (uint8_t)form };
			double ns;

			/* strided data comes in blocks of 8 */
			if (bytes[i] > pl->o->max_bytes ||
				(layout == SAMPLE_STRIDED && bytes[i] % 8))
				continue;
			if (time_left(pl) && time_used(pl) < 0.9 &&
				take_step(pl, s, like, 10, false, &ns))
				return -EIO;
		}
	return 0;
}

/* The cost of unpacking: receives of strided messages that have already arrived. */
static int strided_receives(struct plan *pl)
{
	static const uint64_t bytes[] = { 8, 64, 256, 1024, 4096, 16384, 65536 };
	double ns = 0;

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		struct step s = { .kind = FULL_SEND,
			.send_form = SAMPLE_SEND_FORM,
			.pad = SAMPLE_STRIDED,
			.bytes = bytes[i] };
		struct sample like = { .kind = SAMPLE_RECV, .form = SAMPLE_RECV_FORM };
		struct step_times t;

		if (!is_wanted(pl, bytes[i]) || bytes[i] > pl->S)
			continue;
		if (!time_left(pl))
			break;
		if (pair_step(pl->p, &s, 3, &t))
			return -EIO;
		ns = t.n ? robust_median(t.receiver_ns, t.n) : ns;
		s.kind = FULL_RECV;
		s.delay_ns = (uint64_t)(4 * ns) + 20000;
		if (pair_step(pl->p, &s, 10, &t))
			return -EIO;
		like.bytes = bytes[i];
		like.layout = SAMPLE_STRIDED;
		full_add(pl->out, &like, t.receiver_ns, t.n);
	}
	return 0;
}

static int forms(struct plan *pl, uint64_t reach)
{
	for (unsigned form = SAMPLE_SEND_FORM; form <= SAMPLE_RSEND_INIT; form++)
		for (unsigned layout = SAMPLE_CONTIGUOUS; layout <= SAMPLE_STRIDED; layout++) {
			int plain = form == SAMPLE_SEND_FORM && layout == SAMPLE_CONTIGUOUS;
			uint64_t S = pl->S, S_p = pl->S_p;

			if (!time_left(pl) || time_used(pl) > 0.9 || plain)
				continue;
			progress(pl, sample_form_name(form), 100 * time_used(pl));
			if (full_thresholds(pl->p, form, layout, reach, &S, &S_p, pl->out) ||
				form_overheads(pl, form, layout) ||
				(form == SAMPLE_SEND_FORM && strided_receives(pl)))
				return -EIO;
		}
	return 0;
}

/* The first messages of a pair set up the connection, and must not be measured. */
static int warm_up(struct plan *pl, double *rtt_ns)
{
	static const uint64_t bytes[] = { 8, 4096, 65536, 8 };
	struct step_times t;

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		struct step s = { .kind = FULL_RTT,
			.send_form = SAMPLE_SEND_FORM,
			.pad = SAMPLE_CONTIGUOUS,
			.bytes = bytes[i] };

		if (pair_step(pl->p, &s, 10, &t))
			return -EIO;
	}
	*rtt_ns = t.n ? robust_median(t.sender_ns, t.n) : 1e6;
	return 0;
}

static int measure(struct plan *pl)
{
	double rtt_ns;
	uint64_t reach;
	int rc = warm_up(pl, &rtt_ns);

	reach = rtt_ns < 1e6 ? 1 << 20 : 1 << 18;
	if (reach > pl->o->max_bytes)
		reach = pl->o->max_bytes;
	if (rc == 0)
		rc = full_thresholds(pl->p, SAMPLE_SEND_FORM, SAMPLE_CONTIGUOUS, reach, &pl->S,
			&pl->S_p, pl->out);
	make_grid(pl);
	if (rc == 0)
		rc = rounds(pl, 0, ROUNDS_FIRST);
	if (rc == 0)
		rc = trains(pl);
	if (rc == 0)
		rc = overlap(pl);
	if (rc == 0)
		rc = forms(pl, reach);
	return rc == 0 ? rounds(pl, ROUNDS_FIRST, ROUNDS_MAX) : rc;
}

int full_pair(struct pair *p, const struct full_options *o, const char *label, uint64_t S,
	struct full_samples *out)
{
	struct plan pl = {
		.p = p, .o = o, .label = label, .out = out, .S = S, .begin = clock_ticks()
	};
	int rc;

	pl.length = calloc(LENGTHS_MAX, sizeof(*pl.length));
	if (!pl.length) {
		out->lost = true;
		return 0;
	}
	rc = measure(&pl);
	free(pl.length);
	return rc;
}
