/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quick.c: the measurements of a pair within its budget.
 *
 * Blocking messages come first, then thresholds, then rounds. In a round every form and length has
 * one sample, in an order that changes. So all of them see the same states of the machine, and
 * caches filled by other messages, as in a program. Rounds go on until the time is over. Forms that
 * are then missing are derived from a simpler form (live/link.c).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/live/known.h"
#include "analysis/model/robust.h"
#include "pmpi/measure/visit_order.h"
#include "pmpi/measure/probe.h"
#include "pmpi/measure/quick.h"

/*
 * A sample may take SAMPLE_NS_MAX, or 1 / SAMPLES_IN_BUDGET of the pair's time if that is more.
 * Longer messages are left out: on slow networks the time would not suffice.
 */
#define SAMPLE_NS_MAX 8e6
#define SAMPLES_IN_BUDGET 40

/* Samples of so many bytes and more are nearly always late: in them something has the processor. */
#define LONG_BYTES 1048576

/* Samples that take longer are only taken in some rounds. */
#define TURN_NS 400e3

/*
 * Rounds: the most; the fewest samples for a good median; the fewest for any median.
 */
enum { ROUNDS = 40, SAMPLES_MIN = 4, SAMPLES_USABLE = 2, SLOTS_MAX = 160 };

static const uint64_t many[] = { 0, 8, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072,
	262144, 524288, 1048576, 2097152, 4194304 };
static const uint64_t some[] = { 8, 256, 1024, 4096, 16384, 65536, 262144, 1048576 };
static const uint64_t two[] = { 8, 65536 };
static const uint64_t lengths_of_exchanges[] = { 8, 1024, 16384, 65536, 262144, 1048576, 4194304 };
static const uint64_t lengths_of_trains[] = { 8, 4096, 16384, 65536, 262144, 524288 };

struct lengths {
	const uint64_t *bytes;
	size_t n;
};
#define LENGTHS(table)                                                                             \
	{                                                                                          \
		table, sizeof(table) / sizeof(*table)                                              \
	}

enum { TRAIN = 8, LENGTHS_MAX = 32 };

/* One curve, or two: that of the sender and that of the receiver. */
struct job {
	enum step_kind kind;
	uint8_t send_form, recv_form; /* enum live_curve */
	bool of_sender, of_receiver;  /* whose times are kept */
	struct lengths lengths;
	uint8_t borders; /* 0, or 1 + index of the form whose thresholds its lengths straddle */
};

static const struct job jobs[] = {
	{ STEP_TOGETHER, LIVE_SEND, LIVE_RECV, true, true, LENGTHS(some), 0 },
	{ STEP_TOGETHER, LIVE_SEND, LIVE_RECV, true, true, LENGTHS(many), 0 },
	{ STEP_TOGETHER, LIVE_SEND, LIVE_RECV, true, true, { NULL, 0 }, 1 },
	{ STEP_LATE_PROGRESS, LIVE_SEND, LIVE_RECV, false, true, LENGTHS(some), 0 },
	{ STEP_TOGETHER, LIVE_ISEND, LIVE_IRECV, true, true, LENGTHS(some), 2 },
	{ STEP_SEND_REST, LIVE_ISEND, LIVE_RECV, true, false, LENGTHS(some), 2 },
	{ STEP_RECV_REST, LIVE_SEND, LIVE_IRECV, false, true, LENGTHS(some), 1 },
	{ STEP_EXCHANGE, LIVE_SEND, LIVE_RECV, true, false, LENGTHS(lengths_of_exchanges), 0 },
	{ STEP_TRAIN, LIVE_ISEND, LIVE_IRECV, true, true, LENGTHS(lengths_of_trains), 0 },
	{ STEP_TOGETHER, LIVE_SSEND, LIVE_RECV, true, false, LENGTHS(some), 0 },
	{ STEP_TOGETHER, LIVE_SEND_INIT, LIVE_RECV_INIT, true, true, LENGTHS(some), 3 },
	{ STEP_SEND_REST, LIVE_SEND_INIT, LIVE_RECV, true, false, LENGTHS(two), 3 },
	{ STEP_RECV_REST, LIVE_SEND, LIVE_RECV_INIT, false, true, LENGTHS(two), 1 },
};

int findings_init(struct findings *f)
{
	*f = (struct findings){ .point = calloc(QUICK_POINTS, sizeof(*f->point)),
		.sample = calloc(QUICK_SAMPLES, sizeof(*f->sample)) };
	for (int i = 0; i < 3; i++)
		f->border[i].reason = "no time to measure it";
	if (f->point && f->sample)
		return 0;
	findings_release(f);
	return -ENOMEM;
}

void findings_release(struct findings *f)
{
	free(f->point);
	free(f->sample);
	f->point = NULL;
	f->sample = NULL;
}

void findings_point(struct findings *f, enum live_what what, unsigned curve, unsigned count,
	uint64_t bytes, double *ns, size_t n)
{
	struct live_point *pt = &f->point[f->npoints];

	if (n < SAMPLES_USABLE || f->npoints == QUICK_POINTS)
		return;
	*pt = (struct live_point){ .what = (uint8_t)what,
		.curve = (uint8_t)curve,
		.count = (uint16_t)count,
		.bytes = bytes };
	live_point_reduce(pt, ns, n);
	f->npoints++;
}

void findings_samples(struct findings *f, enum sample_kind kind, uint64_t bytes, double delay_ns,
	const double *ns, size_t n, double scale)
{
	for (size_t i = 0; i < n && f->nsamples < QUICK_SAMPLES; i++)
		f->sample[f->nsamples++] = (struct sample){ .from = 0,
			.to = 1,
			.kind = (uint8_t)kind,
			.layout = SAMPLE_CONTIGUOUS,
			.form = kind == SAMPLE_RECV ? SAMPLE_RECV_FORM : SAMPLE_SEND_FORM,
			.repetition = (uint32_t)i,
			.bytes = bytes,
			.delay_ns = (int64_t)delay_ns,
			.value_ns = ns[i] * scale };
}

/* One form and length: the samples of all rounds. */
struct slot {
	const struct job *job;
	struct step step;
	double last_ns; /* of the whole sample */
	unsigned slow;  /* samples in a row that took longer than slots.longest_ns */
	bool too_slow;  /* left out: a shorter one took too long already */
	unsigned n;
	double sender_ns[ROUNDS];
	double receiver_ns[ROUNDS];
};

struct slots {
	double longest_ns; /* that a sample may take */
	size_t n;
	struct slot slot[SLOTS_MAX];
};

/* The lengths of a job, with both sides of each threshold, ascending. */
static size_t lengths_of(const struct findings *f, const struct job *j, uint64_t *out)
{
	uint64_t extra[4];
	size_t n = 0, nextra = 0;

	if (j->borders && !f->border[j->borders - 1].reason) {
		const struct live_border *b = &f->border[j->borders - 1];

		if (b->S_p && b->S_p < b->S) {
			extra[nextra++] = b->S_p;
			extra[nextra++] = b->S_p + 1;
		}
		if (b->S < PAIR_BYTES_MAX) {
			extra[nextra++] = b->S;
			extra[nextra++] = b->S + 1;
		}
	}
	for (size_t i = 0, e = 0; i < j->lengths.n || e < nextra;) {
		uint64_t least =
			e == nextra || (i < j->lengths.n && j->lengths.bytes[i] <= extra[e]) ?
			j->lengths.bytes[i++] :
			extra[e++];

		if (n == 0 || out[n - 1] != least)
			out[n++] = least;
	}
	return n;
}

static bool has_slot(const struct slots *all, const struct job *j, uint64_t bytes)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct step *s = &all->slot[i].step;

		if (s->kind == j->kind && s->send_form == j->send_form &&
			s->recv_form == j->recv_form && s->bytes == bytes)
			return true;
	}
	return false;
}

static void add_slots(struct slots *all, const struct findings *f, const struct job *j)
{
	uint64_t bytes[LENGTHS_MAX];
	size_t n = lengths_of(f, j, bytes);

	for (size_t i = 0; i < n && all->n < SLOTS_MAX; i++) {
		/* only eager messages can arrive before the receive; others would wait for the
		 * delay */
		if (j->kind == STEP_LATE_PROGRESS && bytes[i] > f->border[0].S)
			break;
		if (has_slot(all, j, bytes[i]))
			continue;
		all->slot[all->n++] = (struct slot){ .job = j,
			.step = { .kind = (uint8_t)j->kind,
				.send_form = j->send_form,
				.recv_form = j->recv_form,
				.bytes = bytes[i],
				.count = j->kind == STEP_TRAIN ? TRAIN : 0 } };
	}
}

/* The time of a message of this length, both sides on time, from lengths up to twice as long. */
static double guess_ns(const struct slots *all, uint64_t bytes)
{
	struct known longest = { 0 };

	for (size_t i = 0; i < all->n; i++) {
		const struct slot *s = &all->slot[i];

		if (s->n > 0 && s->job->kind == STEP_TOGETHER && s->step.bytes <= 2 * bytes)
			known_add(&longest, s->step.bytes, s->last_ns);
	}
	return known_guess_ns(&longest, bytes);
}

/*
 * A slow sample may be the first use of memory; after two in a row there are no more. Of long
 * messages, late samples count, too: trains of 32 MiB were tried again in each round, at 70 to 90
 * ms, and were late each time.
 */
static bool left_out(const struct slot *s)
{
	return s->too_slow || s->slow > 1;
}

/* Does the slot have what predictions rest on, or is the link too slow for it? */
static bool is_usable(const struct slot *s)
{
	return s->n >= SAMPLES_USABLE || s->too_slow || (s->n > 0 && left_out(s));
}

/* One sample of a slot, if this round includes it. 0 or -EIO. */
static int take_sample(struct pair *p, struct slots *all, struct slot *s, unsigned round)
{
	const unsigned samples = p->samples;
	double ns = s->last_ns, sender, receiver;
	uint64_t begin = clock_ticks();
	int rc;

	if (s->n == ROUNDS || left_out(s))
		return 0;
	if (round > SAMPLES_MIN && ns > TURN_NS && round % (1 + (unsigned)(ns / TURN_NS)) != 0)
		return 0;
	if (s->job->kind == STEP_SEND_REST || s->job->kind == STEP_RECV_REST ||
		s->job->kind == STEP_LATE_PROGRESS) {
		double delay_ns = 1.5 * guess_ns(all, s->step.bytes) + 20000;

		if (delay_ns > all->longest_ns)
			return 0;
		s->step.delay_ns = (uint64_t)delay_ns;
	}
	p->idle = quick_idle(s->step.bytes);
	rc = pair_sample(p, &s->step, &sender, &receiver);
	if (rc < 0 || p->samples == samples)
		return rc < 0 ? rc : 0;
	ns = (double)clock_ns(clock_ticks() - begin - p->idle);
	if (rc == 0 || step_bytes(&s->step) >= LONG_BYTES)
		s->slow = ns > all->longest_ns ? s->slow + 1 : 0;
	if (rc > 0)
		return 0;
	s->last_ns = ns;
	s->sender_ns[s->n] = sender;
	s->receiver_ns[s->n++] = receiver;
	return 0;
}

/*
 * Leaves out longer messages of a job if shorter ones are already too slow. A single slow sample
 * may come from the scheduler; on a slow network the next shorter message is slow, too.
 */
static void drop_slow(struct slots *all)
{
	for (size_t i = 2; i < all->n; i++) {
		struct slot *s = &all->slot[i];

		if (s->n > 0 || s->job != s[-2].job)
			continue;
		s->too_slow |= s[-1].too_slow ||
			(s[-1].last_ns > all->longest_ns / 2 &&
				s[-2].last_ns > all->longest_ns / 8);
	}
}

static int rounds(struct pair *p, struct slots *all, unsigned most)
{
	size_t order[SLOTS_MAX];
	uint64_t draw = ORDER_DRAW;

	for (size_t i = 0; i < all->n; i++)
		order[i] = i;
	for (unsigned round = 0; round < most; round++) {
		for (size_t i = 0; i < all->n; i++) {
			if ((int64_t)(clock_ticks() - p->deadline) >= 0)
				return 0;
			if (take_sample(p, all, &all->slot[order[i]], round))
				return -EIO;
			if (round == 0)
				drop_slow(all);
		}
		order_shuffle(order, all->n, &draw);
	}
	return 0;
}

/* The first sample of a slot only warms up. */
static void keep_sample(struct findings *f, struct slot *s)
{
	static const uint8_t what[] = { [STEP_TOGETHER] = LIVE_TOTAL,
		[STEP_SEND_REST] = LIVE_REST,
		[STEP_RECV_REST] = LIVE_REST,
		[STEP_TRAIN] = LIVE_TRAIN,
		[STEP_EXCHANGE] = LIVE_EXCHANGE };
	unsigned skip = s->n > SAMPLES_MIN, n = s->n - skip;
	double *sender = s->sender_ns + skip, *receiver = s->receiver_ns + skip;
	const struct job *j = s->job;

	if (j->kind == STEP_TOGETHER && j->send_form == LIVE_SEND) {
		findings_samples(f, SAMPLE_SEND, s->step.bytes, 0, sender, n, 1);
		/* with both on time, the receive takes as long as the message */
		findings_samples(f, SAMPLE_RTT, s->step.bytes, 0, receiver, n, 2);
	}
	if (j->kind == STEP_LATE_PROGRESS) {
		findings_samples(f, SAMPLE_RECV, s->step.bytes, 0, receiver, n, 1);
		return;
	}
	if (j->of_sender)
		findings_point(
			f, what[j->kind], j->send_form, s->step.count, s->step.bytes, sender, n);
	if (j->of_receiver)
		findings_point(
			f, what[j->kind], j->recv_form, s->step.count, s->step.bytes, receiver, n);
}

/* Longest message whose probes fit into the budget. */
static uint64_t reach_of(double round_trip_ns)
{
	return round_trip_ns < 100000 ? 1 << 20 : 1 << 18;
}

static int find_border(struct pair *p, struct findings *f, unsigned which, uint64_t reach)
{
	static const uint8_t form[] = { LIVE_SEND, LIVE_ISEND, LIVE_SEND_INIT };
	const struct live_border *first = &f->border[0];
	struct live_border *b = &f->border[which];
	struct thresholds t,
		guess = { .S = first->S, .S_p = first->S_p, .none_local = first->S_p == 0 };
	int rc;

	if ((int64_t)(clock_ticks() - p->deadline) >= 0)
		return 0;
	rc = probe_thresholds(
		p, form[which], reach, which > 0 && !first->reason ? &guess : NULL, &t);
	*b = (struct live_border){
		.S = t.S, .S_p = t.none_local ? 0 : t.S_p, .reach = reach, .reason = t.reason
	};
	return rc;
}

/* The first messages of a pair set up the connection, and must not be measured. */
static int warm_up(struct pair *p, double *round_trip_ns)
{
	static const uint64_t bytes[] = { 8, 4096, 65536 };
	struct step s = { .kind = STEP_ECHO, .send_form = LIVE_SEND, .recv_form = LIVE_RECV };
	struct step_times t;

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		s.bytes = bytes[i];
		if (pair_step(p, &s, 2, &t))
			return -EIO;
	}
	s.bytes = 8;
	if (pair_step(p, &s, 5, &t))
		return -EIO;
	*round_trip_ns = t.n ? robust_median(t.sender_ns, t.n) : 1e6;
	return 0;
}

/*
 * The values that predictions need most come first, so that even a busy machine gives some:
 * blocking sends and receives, their thresholds, then the rest. On two processors with six busy
 * loops the search for thresholds alone took up to 250 ms.
 */
int quick_pair(struct pair *p, struct findings *f)
{
	struct slots *all = calloc(1, sizeof(*all));
	const uint64_t begin = clock_ticks();
	const double budget_ns = begin < p->deadline ? (double)clock_ns(p->deadline - begin) : 0;
	double round_trip_ns = 0;
	int rc = all ? warm_up(p, &round_trip_ns) : -ENOMEM;
	uint64_t reach = reach_of(round_trip_ns);

	if (rc == 0) {
		all->longest_ns = fmax(SAMPLE_NS_MAX, budget_ns / SAMPLES_IN_BUDGET);
		add_slots(all, f, &jobs[0]);
		rc = rounds(p, all, SAMPLES_USABLE);
	}
	if (rc == 0) {
		add_slots(all, f, &jobs[1]);
		rc = rounds(p, all, SAMPLES_MIN);
	}
	for (unsigned i = 0; i < 3 && rc == 0; i++)
		rc = find_border(p, f, i, reach);
	if (rc == 0) {
		for (size_t i = 2; i < sizeof(jobs) / sizeof(*jobs); i++)
			add_slots(all, f, &jobs[i]);
		rc = rounds(p, all, ROUNDS);
	}
	f->usable = f->complete = rc == 0;
	for (unsigned i = 0; i < 3; i++)
		f->complete &= !f->border[i].reason;
	for (size_t i = 0; rc == 0 && i < all->n; i++) {
		const struct slot *s = &all->slot[i];

		keep_sample(f, &all->slot[i]);
		f->complete &= left_out(s) || s->n >= SAMPLES_MIN;
		f->usable &= s->job != &jobs[0] || is_usable(s);
	}
	free(all);
	return rc;
}
