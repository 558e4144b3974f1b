/* SPDX-License-Identifier: BSD-3-Clause */
/* test_traffic.c: messages between hosts that are on their way at once; all worked out by hand. */
#include "tests/unit/unit.h"

#include <math.h>

#include "analysis/traffic/traffic.h"

enum { SENDS, RECEIVES, IDS = 8 };

/* Flows of one direction share it equally, and directions are independent. */
static const struct contention fair = { .cut_pair = 1,
	.cut_chain_end = 1,
	.cut_chain_middle = 1,
	.cut_in = NAN };
static int64_t over[2][IDS];

/* A message of 1000 ns alone, in two pieces, with a flight of 10 and a tail of 100. */
static struct traffic_message message(uint32_t from, uint32_t to, bool rendezvous)
{
	return (struct traffic_message){ .from = from,
		.to = to,
		.rendezvous = rendezvous,
		.bytes_ns = 1000,
		.flight_ns = 10,
		.tail_ns = 100,
		.piece_ns = 500,
		.queue_ns = 500 };
}

static struct traffic *begin_with(
	const struct contention *cuts, bool ways_in_free, const uint32_t *host_of, uint32_t ranks)
{
	struct traffic *t = traffic_new(cuts, ways_in_free, host_of, ranks, IDS);

	CU_ASSERT_FATAL(t != NULL);
	for (int id = 0; id < IDS; id++)
		over[SENDS][id] = over[RECEIVES][id] = -1;
	return t;
}

static struct traffic *begin(const uint32_t *host_of, uint32_t ranks)
{
	return begin_with(&fair, false, host_of, ranks);
}

static void post(struct traffic *t, uint32_t id, const struct traffic_message m, int64_t send,
	int64_t receive)
{
	CU_ASSERT_EQUAL(traffic_send(t, id, &m, send), 0);
	if (m.rendezvous)
		CU_ASSERT_EQUAL(traffic_receive(t, id, &m, receive), 0);
}

/* Takes all events. Ranks notice what comes to them at `inside` or later. */
static void finish(struct traffic *t, int64_t inside)
{
	struct traffic_news news;
	int64_t at, last = 0;

	while (traffic_next(t, &at) == 0 && at != INT64_MAX) {
		CU_ASSERT(at >= last);
		last = at;
		if (traffic_step(t, &news) <= 0)
			continue;
		if (news.what == TRAFFIC_SEND_OVER || news.what == TRAFFIC_RECEIVE_OVER) {
			over[news.what == TRAFFIC_SEND_OVER ? SENDS : RECEIVES][news.id] = news.at;
			continue;
		}
		at = news.at > inside ? news.at : inside;
		CU_ASSERT_EQUAL(traffic_noticed(t, &news, at), 0);
	}
	traffic_free(t);
}

static void alone_a_message_has_its_own_time(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic *t = begin(host_of, 2);

	post(t, 0, message(0, 1, false), 50, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 50 + 1000 + 100);
	CU_ASSERT_EQUAL(over[SENDS][0], -1);
	/* the request has flown when the receive is posted; then the answer flies */
	t = begin(host_of, 2);
	post(t, 0, message(0, 1, true), 50, 500);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[SENDS][0], 500 + 10);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 510 + 1000 + 100);
}

/* A request and an answer wait until their ranks notice them. */
static void a_rendezvous_needs_both_ranks(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic *t = begin(host_of, 2);

	post(t, 0, message(0, 1, true), 50, 50);
	finish(t, 700);
	CU_ASSERT_EQUAL(over[SENDS][0], 700 + 10);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 710 + 1000 + 100);
}

/* The pieces leave as 0, 1, 0, 1: a connection hands over its second one when the first has left.
 */
static void connections_take_turns_at_a_host(void)
{
	static const uint32_t host_of[] = { 0, 0, 1, 2 };
	struct traffic *t = begin(host_of, 4);

	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 3, false), 400, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1500 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 2000 + 100);
}

static void flows_share_the_way_in(void)
{
	static const uint32_t host_of[] = { 0, 1, 2 };
	struct traffic *t = begin(host_of, 3);

	/* 500 of the first one alone; then half of the rate each for 1000, until it is through */
	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 2, false), 500, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 500 + 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 500 + 1000 + 500 + 100);
	/* a network that does not limit it */
	t = begin_with(&fair, true, host_of, 3);
	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 2, false), 500, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 1500 + 100);
}

/* A network where two flows of a host do not slow each other down: 250 for each piece of 500. */
static void two_connections_send_as_fast_as_was_measured(void)
{
	static const struct contention wide = { .cut_pair = 0, .cut_in = NAN };
	static const uint32_t host_of[] = { 0, 0, 1, 2 };
	struct traffic_message m[] = { message(0, 2, false), message(1, 3, false) };
	struct traffic *t = begin_with(&wide, false, host_of, 4);

	m[0].bytes_ns = m[1].bytes_ns = 4000;
	post(t, 0, m[0], 0, 0);
	post(t, 1, m[1], 0, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 15 * 250 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 15 * 250 + 500 + 100);
}

static void a_connection_keeps_its_order(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic *t = begin(host_of, 2);

	post(t, 0, message(0, 1, false), 0, 0);
	post(t, 1, message(0, 1, false), 100, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 2000 + 100);
	/* the answer of rank 0 waits for its data, which rank 1 was the first to ask for */
	t = begin(host_of, 2);
	post(t, 0, message(0, 1, true), 0, 0);
	post(t, 1, message(1, 0, true), 15, 15);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[SENDS][0], 20);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 20 + 1000 + 100);
	CU_ASSERT_EQUAL(over[SENDS][1], 1020 + 10);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 1030 + 1000 + 100);
}

/* The first request leaves behind data at 1000 and flies for 500; the second one would be faster.
 */
static void no_request_overtakes_another(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic_message slow = message(0, 1, true);
	struct traffic *t = begin(host_of, 2);

	slow.flight_ns = 500;
	post(t, 0, message(0, 1, false), 0, 0);
	post(t, 1, slow, 10, 5000);
	post(t, 2, message(0, 1, true), 1001, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[SENDS][2], 1501 + 10);
}

/* The request over an idle connection finds a piece of the other rank's data before it. */
static void a_request_waits_in_the_queue_of_its_host(void)
{
	static const uint32_t host_of[] = { 0, 0, 1, 2 };
	struct traffic *t = begin(host_of, 4);

	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 3, true), 100, 100);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[SENDS][1], 500 + 10 + 10);
	/* its data finds the second piece there */
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 2000 + 100);
}

/* The first piece is less than may be queued, so the second one follows at once. */
static void a_connection_may_queue_more_than_a_piece(void)
{
	static const uint32_t host_of[] = { 0, 0, 1, 2 };
	struct traffic_message m = message(0, 2, false);
	struct traffic *t = begin(host_of, 4);

	m.queue_ns = 600;
	post(t, 0, m, 0, 0);
	post(t, 1, message(1, 3, false), 100, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 2000 + 100);
}

/*
 * After 200 ns or more without data, a host sends 200 ns of data at once. The second message finds
 * the host busy. The third one is sent 50 ns after the host became idle, so only 50 ns pass at
 * once.
 */
static void an_idle_host_sends_a_part_at_once(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic_message m = message(0, 1, false);
	struct traffic *t = begin(host_of, 2);

	m.spare_ns = 200;
	post(t, 0, m, 1000, 0);
	post(t, 1, m, 1500, 0);
	post(t, 2, m, 2850, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 800 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 1000 + 800 + 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][2], 2850 + 950 + 100);
}

/*
 * A short message without spare time does not use up that of the next one. The host is idle from
 * 1850 to 1950, so 100 of the 200 ns can pass at once again.
 */
static void short_messages_leave_the_spare_time(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic_message m = message(0, 1, false), brief = message(0, 1, false);
	struct traffic *t = begin(host_of, 2);

	brief.bytes_ns = brief.piece_ns = brief.queue_ns = 50;
	m.spare_ns = 200;
	post(t, 0, brief, 1000, 0);
	post(t, 1, m, 1050, 0);
	post(t, 2, brief, 1950, 0);
	post(t, 3, m, 2000, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 50 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 1050 + 800 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][2], 1950 + 50 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][3], 2000 + 900 + 100);
}

/* A connection hands over a piece at any rate if none of its data waits. */
static void messages_without_bytes_arrive(void)
{
	static const uint32_t host_of[] = { 0, 1 };
	struct traffic_message empty = message(0, 1, false), bare = message(0, 1, false);
	struct traffic *t = begin(host_of, 2);

	empty.bytes_ns = empty.piece_ns = empty.queue_ns = 0;
	bare.queue_ns = 0;
	post(t, 0, empty, 10, 0);
	post(t, 1, bare, 10, 0);
	post(t, 2, empty, 20, 0);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 10 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 10 + 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][2], 10 + 1000 + 100);
}

/* Measured cuts hold on the way out. A request that waits is no second flow. */
static void free_ways_in_leave_the_ways_out_as_they_are(void)
{
	static const struct contention narrow = { .cut_pair = 3, .cut_in = NAN };
	static const uint32_t host_of[] = { 0, 0, 1, 2 };
	struct traffic *t = begin_with(&narrow, true, host_of, 4);

	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 3, false), 0, 0);
	finish(t, 0);
	/* pieces of 500 take 1000 while there are two, and the last one is alone */
	CU_ASSERT_EQUAL(over[RECEIVES][0], 3 * 1000 + 100);
	CU_ASSERT_EQUAL(over[RECEIVES][1], 3 * 1000 + 500 + 100);
	t = begin_with(&narrow, true, host_of, 4);
	post(t, 0, message(0, 2, false), 0, 0);
	post(t, 1, message(1, 3, true), 100, 5000);
	finish(t, 0);
	CU_ASSERT_EQUAL(over[RECEIVES][0], 1000 + 100);
}

static const struct unit_test tests[] = { { "alone, a message has its own time",
						  alone_a_message_has_its_own_time },
	{ "a rendezvous needs both ranks", a_rendezvous_needs_both_ranks },
	{ "connections take turns at a host", connections_take_turns_at_a_host },
	{ "flows share the way in", flows_share_the_way_in },
	{ "two connections send as fast as was measured",
		two_connections_send_as_fast_as_was_measured },
	{ "a connection may queue more than a piece", a_connection_may_queue_more_than_a_piece },
	{ "a connection keeps its order", a_connection_keeps_its_order },
	{ "no request overtakes another", no_request_overtakes_another },
	{ "a request waits in the queue of its host", a_request_waits_in_the_queue_of_its_host },
	{ "an idle host sends a part at once", an_idle_host_sends_a_part_at_once },
	{ "short messages leave the spare time", short_messages_leave_the_spare_time },
	{ "messages without bytes arrive", messages_without_bytes_arrive },
	{ "free ways in leave the ways out as they are",
		free_ways_in_leave_the_ways_out_as_they_are },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("traffic", tests);
}
