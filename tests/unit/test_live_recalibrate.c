/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_live_recalibrate.c: predictions follow the run: which calls scale the times of a link, by
 * how much, and what noise they show.
 */
#include <string.h>

#include "analysis/model/live/recalibrate.h"
#include "tests/unit/link_rows.h"
#include "tests/unit/unit.h"

#define SEND KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_BLOCKING)
#define RECV KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING)

static struct recalibration follow;

/* Sends of one length that take `share` of the calibrated time; one in `every` (0: none) waits. */
static void some_sends(uint64_t bytes, double share, int n, int every, uint64_t at)
{
	for (int i = 0; i < n; i++) {
		int64_t predicted = live_blocking_ns(&link, SEND, 0, bytes);
		double took = share * (double)live_blocking_ns(&follow.calibrated, SEND, 0, bytes);

		recalibrate_add(&follow, FOLLOW_ALONE, at, bytes,
			(int64_t)(every && i % every == 0 ? 50 * took : took), predicted);
	}
	recalibrate_apply(&follow, at + 1, &link);
}

static void begin_to_follow(void)
{
	machine();
	CU_ASSERT_EQUAL(build(), 0);
	memset(&follow, 0, sizeof(follow));
	follow.calibrated = link;
}

static void predictions_follow_sends_that_are_faster_and_come_back(void)
{
	const uint64_t k = 100000;
	int64_t cold, elsewhere;

	begin_to_follow();
	cold = live_blocking_ns(&link, SEND, 0, k);
	elsewhere = live_blocking_ns(&link, SEND, 0, 4 * k);
	some_sends(k, 0.4, 3 * FOLLOW_SAMPLES, 3, 10);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 0.4 * (double)cold,
		0.01 * (double)cold);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, RECV, 0, k),
		0.4 * (double)live_blocking_ns(&follow.calibrated, RECV, 0, k),
		0.01 * (double)cold);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, 4 * k), elsewhere);
	/* what began before the change was predicted by the old scale: it tells nothing */
	some_sends(k, 0.1, FOLLOW_SAMPLES, 0, 10);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 0.4 * (double)cold,
		0.01 * (double)cold);
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 1);
	CU_ASSERT_DOUBLE_EQUAL(rows[0].value, 0.4, 0.01);
	CU_ASSERT_EQUAL(rows[0].bytes, 65532);
	some_sends(k, 1, FOLLOW_SAMPLES, 0, 20);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, k), cold);
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 1);
	CU_ASSERT_DOUBLE_EQUAL(rows[0].ci_low, 0.4, 0.01);
}

/* The machine's memory is slower now: as far as the calibration's noise reaches. */
static void predictions_follow_long_messages_within_their_noise(void)
{
	const uint64_t k = 300000;
	int64_t was, next;

	machine();
	row("send", "noise", 262144, 0.1 * 262144);
	row("send", "next", 262144, 0.2 * 262144);
	CU_ASSERT_EQUAL(build(), 0);
	memset(&follow, 0, sizeof(follow));
	link.total[LIVE_RECV][live_bin_of(k)].base_ns[0] = INT32_MAX; /* as of slow networks */
	follow.calibrated = link;
	was = live_blocking_ns(&link, SEND, 0, k);
	next = live_bin_ns(link.next[0], k);
	some_sends(k, 1.15, 2 * FOLLOW_SAMPLES, 3, 10);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 1.15 * (double)was,
		0.01 * (double)was);
	CU_ASSERT_DOUBLE_EQUAL(
		(double)live_bin_ns(link.next[0], k), 1.15 * (double)next, 0.01 * (double)next);
	CU_ASSERT(live_blocking_ns(&link, RECV, 0, k) >= INT32_MAX);
	/* these wait: how long they would take else is not known, and stays */
	some_sends(k, 2, 2 * FOLLOW_SAMPLES, 0, 20);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 1.15 * (double)was,
		0.01 * (double)was);
	/* calls over several tell of further messages alone */
	for (int i = 0; i < FOLLOW_SAMPLES; i++)
		recalibrate_add(&follow, FOLLOW_SEVERAL, 30, k,
			live_bin_ns(link.next[0], k) * 6 / 5, 2 * live_bin_ns(link.next[0], k));
	recalibrate_apply(&follow, 31, &link);
	CU_ASSERT_DOUBLE_EQUAL(
		(double)live_bin_ns(link.next[0], k), 0.69 * (double)next, 0.01 * (double)next);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 1.15 * (double)was,
		0.01 * (double)was);
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 2);
	CU_ASSERT_STRING_EQUAL(rows[1].name, "scale_next");
	CU_ASSERT_DOUBLE_EQUAL(rows[1].value, 0.69, 0.01);
	/* over sooner than the first one was predicted to be: less than nothing is nothing */
	for (int i = 0; i < FOLLOW_SAMPLES; i++)
		recalibrate_add(&follow, FOLLOW_SEVERAL, 40, k, -5000, 100000);
	recalibrate_apply(&follow, 41, &link);
	CU_ASSERT(live_bin_ns(link.next[0], k) < next / 10);
}

static void predictions_never_follow_sends_that_wait(void)
{
	int64_t cold;

	begin_to_follow();
	cold = live_blocking_ns(&link, SEND, 0, 100000);
	some_sends(100000, 3, 100, 0, 10);
	some_sends(100000, 0.97, 100, 0, 20); /* the machine's weather */
	some_sends(1000, 0.9, 100, 0, 20);    /* of which short messages have more */
	some_sends(8, 0.2, 100, 0, 30);       /* 104 ns: the clock's */
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, 100000), cold);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, 8),
		live_blocking_ns(&follow.calibrated, SEND, 0, 8));
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 0);
}

/*
 * Receives of one length, announced before, that take `share` of the calibrated time; every fourth
 * `more`.
 */
static bool some_announced(uint64_t bytes, double share, double more, int n, uint64_t at)
{
	double calibrated = (double)live_blocking_ns(&follow.calibrated, RECV, 0, bytes);
	bool changed = false;

	for (int i = 0; i < n; i++)
		if (recalibrate_add_announced(
			    &follow, 0, bytes, (int64_t)(calibrated * (i % 4 == 3 ? more : share))))
			changed |= recalibrate_apply(&follow, at, &link);
	return changed;
}

static void announced_receives_tell_how_long_messages_really_take(void)
{
	const uint64_t k = 300000;
	int64_t sent, received, next, elsewhere;

	begin_to_follow();
	sent = live_blocking_ns(&link, SEND, 0, k);
	received = live_blocking_ns(&link, RECV, 0, k);
	next = live_bin_ns(link.next[0], k);
	elsewhere = live_blocking_ns(&link, SEND, 0, 4 * k);
	CU_ASSERT(some_announced(k, 1.3, 1.3, ANNOUNCED_STEP, 10));
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, RECV, 0, k), 1.3 * (double)received,
		0.01 * (double)received);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 1.3 * (double)sent,
		0.01 * (double)sent);
	CU_ASSERT_DOUBLE_EQUAL(
		(double)live_bin_ns(link.next[0], k), 1.3 * (double)next, 0.01 * (double)next);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, 4 * k), elsewhere);
	/* what nearly repeats it changes nothing that others remember */
	CU_ASSERT_FALSE(some_announced(k, 1.31, 1.31, ANNOUNCED_STEP, 20));
	/* sends that agree, and others that wait, leave it there */
	some_sends(k, 1.3, FOLLOW_SAMPLES, 0, 30);
	some_sends(k, 3, 4 * FOLLOW_SAMPLES, 0, 40);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 1.3 * (double)sent,
		0.01 * (double)sent);
	/* caches hold them now */
	some_announced(k, 0.5, 0.5, ANNOUNCED_SAMPLES, 50);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 0.5 * (double)sent,
		0.01 * (double)sent);
}

static void announced_receives_tell_the_noise_of_their_length(void)
{
	const uint64_t k = 300000;
	int64_t received, noise;

	begin_to_follow();
	received = live_blocking_ns(&link, RECV, 0, k);
	noise = live_noise_ns(&link, RECV, k);
	CU_ASSERT(noise < received / 10);
	some_announced(k, 1, 1.4, ANNOUNCED_SAMPLES, 10);
	CU_ASSERT_DOUBLE_EQUAL((double)live_noise_ns(&link, RECV, k), 0.4 * (double)received,
		0.1 * (double)received);
	CU_ASSERT(live_noise_ns(&link, SEND, k) > noise);
	CU_ASSERT_EQUAL(
		live_noise_ns(&link, SEND, 4 * k), live_noise_ns(&follow.calibrated, SEND, 4 * k));
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 1);
	CU_ASSERT_STRING_EQUAL(rows[0].name, "noise_seen");
	/*
	 * it falls again, never below what the calibration saw: what others remember of it is over,
	 * and times stay
	 */
	CU_ASSERT(some_announced(k, 1, 1, 2 * ANNOUNCED_SAMPLES, 20));
	CU_ASSERT_EQUAL(live_noise_ns(&link, RECV, k), noise);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, RECV, 0, k), received);
}

/* All lengths from 16 MiB on are followed as one. */
static void noise_is_seen_of_the_longest_messages(void)
{
	const uint64_t k = 17 << 20, longer = 80 << 20;

	begin_to_follow();
	some_announced(k, 1, 1.4, ANNOUNCED_SAMPLES, 10);
	for (uint64_t b = k; b <= longer; b += k)
		CU_ASSERT(live_noise_ns(&link, RECV, b) >
			3 * live_noise_ns(&follow.calibrated, RECV, b));
	CU_ASSERT(live_noise_ns(&link, RECV, longer) > 3 * live_noise_ns(&link, RECV, k));
	CU_ASSERT_EQUAL(
		live_noise_ns(&link, RECV, k / 2), live_noise_ns(&follow.calibrated, RECV, k / 2));
}

/*
 * Their senders are not in MPI: over a network without progress of its own that is late progress,
 * not slow memory.
 */
static void announced_receives_that_take_long_are_not_believed(void)
{
	const uint64_t k = 300000;
	int64_t received;

	begin_to_follow();
	received = live_blocking_ns(&link, RECV, 0, k);
	CU_ASSERT_FALSE(some_announced(k, 4, 4, ANNOUNCED_SAMPLES, 10));
	CU_ASSERT_EQUAL(live_blocking_ns(&link, RECV, 0, k), received);
	CU_ASSERT_EQUAL(live_noise_ns(&link, RECV, k), live_noise_ns(&follow.calibrated, RECV, k));
	/* of short messages the clock and the processor tell more than the memory */
	CU_ASSERT_FALSE(some_announced(8000, 1.3, 1.3, ANNOUNCED_SAMPLES, 20));
	CU_ASSERT_EQUAL(recalibrate_rows(&follow, TIER_NODE, rows), 0);
}

/*
 * They lie here whole: their receives are copies, and tell nothing of sends or of receives that
 * were posted first.
 */
static void announced_receives_of_eager_messages_are_no_guide(void)
{
	const uint64_t k = 200000, longer = 3 << 20;
	int64_t sent, received, long_received;

	machine();
	row("", "S", UINT64_MAX, 1 << 20);
	CU_ASSERT_EQUAL(build(), 0);
	memset(&follow, 0, sizeof(follow));
	follow.calibrated = link;
	sent = live_blocking_ns(&link, SEND, 0, k);
	received = live_blocking_ns(&link, RECV, 0, k);
	CU_ASSERT(received > 2 * LIVE_LONG_NS);
	CU_ASSERT_FALSE(some_announced(k, 0.3, 0.6, ANNOUNCED_SAMPLES, 10));
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, k), sent);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, RECV, 0, k), received);
	CU_ASSERT_EQUAL(live_noise_ns(&link, RECV, k), live_noise_ns(&follow.calibrated, RECV, k));
	/* nor do they silence what is one: sends of their length */
	some_sends(k, 0.4, 2 * FOLLOW_SAMPLES, 0, 20);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, SEND, 0, k), 0.4 * (double)sent,
		0.01 * (double)sent);
	/* longer ones are */
	long_received = live_blocking_ns(&link, RECV, 0, longer);
	CU_ASSERT(some_announced(longer, 0.3, 0.3, ANNOUNCED_SAMPLES, 30));
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&link, RECV, 0, longer),
		0.3 * (double)long_received, 0.01 * (double)long_received);
}

static const struct unit_test tests[] = {
	{ "predictions follow sends that are faster, and come back",
		predictions_follow_sends_that_are_faster_and_come_back },
	{ "predictions follow long messages within their noise",
		predictions_follow_long_messages_within_their_noise },
	{ "predictions never follow sends that wait", predictions_never_follow_sends_that_wait },
	{ "announced receives tell how long messages really take",
		announced_receives_tell_how_long_messages_really_take },
	{ "announced receives tell the noise of their length",
		announced_receives_tell_the_noise_of_their_length },
	{ "noise is seen of the longest messages", noise_is_seen_of_the_longest_messages },
	{ "announced receives that take long are not believed",
		announced_receives_that_take_long_are_not_believed },
	{ "announced receives of eager messages are no guide",
		announced_receives_of_eager_messages_are_no_guide },
	{ NULL, NULL }
};

int main(void)
{
	return unit_main("live_follow", tests);
}
