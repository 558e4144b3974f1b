/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_goal.c: schedules of 2 to 64 ranks, whose ends are worked out by hand from LogGOPSim's
 * rules.
 *
 * All have L 100, o 10, g 5, O 1, G 2 and S 8. tests/goal has them as text, to be given to the
 * simulator itself: test_goal DIR writes them there.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/goal/engine.h"

static const struct goal_parameters parameters = { .L = 100,
	.o = 10,
	.g = 5,
	.O = 1,
	.G = 2,
	.S = 8 };

static uint32_t calc(struct goal *g, uint32_t rank, uint64_t ps)
{
	return goal_add(g, (struct goal_op){ .type = GOAL_CALC, .size = ps, .rank = rank });
}

static uint32_t send(struct goal *g, uint32_t rank, uint32_t to, uint64_t bytes, uint32_t tag)
{
	return goal_add(g,
		(struct goal_op){
			.type = GOAL_SEND, .size = bytes, .rank = rank, .peer = to, .tag = tag });
}

static uint32_t recv(struct goal *g, uint32_t rank, uint32_t from, uint64_t bytes, uint32_t tag)
{
	return goal_add(g,
		(struct goal_op){
			.type = GOAL_RECV, .size = bytes, .rank = rank, .peer = from, .tag = tag });
}

/* Sent for 10 + 4. There at 110, received for 10 + 4 * 2. */
static void make_eager(struct goal *g)
{
	send(g, 0, 1, 5, 0);
	recv(g, 1, 0, 5, 0);
}

/*
 * The receiver computes until 500 and takes the message for 10 + 8 * 2 then. The sender, done with
 * its CPU at 18, goes on when the receive is posted, at 500, and computes 100.
 */
static void make_rendezvous(struct goal *g)
{
	const uint32_t sent = send(g, 0, 1, 9, 0), last = calc(g, 0, 100);
	const uint32_t first = calc(g, 1, 500), received = recv(g, 1, 0, 9, 0);

	goal_require(g, last, sent, false);
	goal_require(g, received, first, false);
}

/* A receive that is posted does not hold the sender's computation, which begins after the send. */
static void make_overlap(struct goal *g)
{
	const uint32_t sent = send(g, 0, 1, 9, 0), last = calc(g, 0, 30);
	const uint32_t first = calc(g, 1, 500), received = recv(g, 1, 0, 9, 0);

	goal_require(g, last, sent, true);
	goal_require(g, received, first, false);
}

/* A hop takes 10 + 100 + 10 + 4 * 2. */
static void make_ring(struct goal *g)
{
	for (uint32_t rank = 0; rank < 4; rank++) {
		const uint32_t from = (rank + 3) % 4;

		if (rank == 0) {
			send(g, 0, 1, 5, 0);
			recv(g, 0, from, 5, from);
		} else {
			const uint32_t received = recv(g, rank, from, 5, from);

			goal_require(g, send(g, rank, (rank + 1) % 4, 5, rank), received, false);
		}
	}
}

/* Seven messages are there at 110 and take 10 each. */
static void make_gather(struct goal *g)
{
	for (uint32_t rank = 1; rank < 8; rank++)
		recv(g, 0, rank, 1, rank);
	for (uint32_t rank = 1; rank < 8; rank++)
		send(g, rank, 0, 1, rank);
}

/* Six rounds of 10 + 100 + 10. */
static void make_dissemination(struct goal *g)
{
	for (uint32_t rank = 0; rank < 64; rank++) {
		uint32_t before = REPLAY_NONE;

		for (uint32_t round = 0; round < 6; round++) {
			const uint32_t to = (rank + (1U << round)) % 64;
			const uint32_t from = (rank + 64 - (1U << round)) % 64;
			const uint32_t sent = send(g, rank, to, 1, 64 * round + rank);

			if (before != REPLAY_NONE)
				goal_require(g, sent, before, false);
			before = recv(g, rank, from, 1, 64 * round + from);
		}
	}
}

static const struct schedule {
	const char *name;
	void (*make)(struct goal *g);
	uint64_t end[8]; /* of the first ranks; the last one holds for all others */
	uint32_t nends;
} schedules[] = { { "eager-2", make_eager, { 14, 128 }, 2 },
	{ "rendezvous-2", make_rendezvous, { 600, 526 }, 2 },
	{ "overlap-2", make_overlap, { 500, 526 }, 2 },
	{ "ring-4", make_ring, { 512, 142, 270, 398 }, 4 },
	{ "gather-8", make_gather, { 180, 10 }, 2 },
	{ "dissemination-64", make_dissemination, { 720 }, 1 } };

enum { SCHEDULES = sizeof(schedules) / sizeof(schedules[0]) };

static void ends_are_those_of_the_published_rules(void)
{
	for (size_t i = 0; i < SCHEDULES; i++) {
		const struct schedule *s = &schedules[i];
		struct goal g = { 0 };
		uint64_t end[64];
		uint32_t left;

		s->make(&g);
		CU_ASSERT_EQUAL(goal_run(&g, &parameters, goal_tags(&g), end, &left), 0);
		CU_ASSERT_EQUAL(left, 0);
		for (uint32_t rank = 0; rank < g.nranks; rank++) {
			const uint64_t wanted = s->end[rank < s->nends ? rank : s->nends - 1];

			if (end[rank] != wanted)
				fprintf(stderr, "%s: rank %u ends at %llu, not at %llu\n", s->name,
					rank, (unsigned long long)end[rank],
					(unsigned long long)wanted);
			CU_ASSERT_EQUAL(end[rank], wanted);
		}
		goal_release(&g);
	}
}

/* Ops that cannot end are counted: a receive without a message, and the op that requires it. */
static void what_waits_for_ever_is_left(void)
{
	struct goal g = { 0 };
	uint64_t end[1];
	uint32_t left;
	const uint32_t received = recv(&g, 0, 0, 1, 0);

	goal_require(&g, calc(&g, 0, 7), received, false);
	CU_ASSERT_EQUAL(goal_run(&g, &parameters, 1, end, &left), 0);
	CU_ASSERT_EQUAL(left, 2);
	goal_release(&g);
}

static void write_schedule(const struct schedule *s, FILE *out)
{
	struct goal g = { 0 };

	s->make(&g);
	goal_write(out, &g, "LogGOPSim -L 100 -o 10 -g 5 -O 1 -G 2 -S 8");
	goal_release(&g);
}

static void texts_are_the_stored_ones(void)
{
	const char *src = getenv("TEST_SRC");

	for (size_t i = 0; i < SCHEDULES; i++) {
		char path[4096], *text = NULL, stored[65536] = "";
		size_t size = 0;
		FILE *out = open_memstream(&text, &size), *in;

		write_schedule(&schedules[i], out);
		fclose(out);
		snprintf(path, sizeof(path), "%s/tests/goal/%s.goal", src ? src : "..",
			schedules[i].name);
		in = fopen(path, "re");
		CU_ASSERT_PTR_NOT_NULL_FATAL(in);
		stored[fread(stored, 1, sizeof(stored) - 1, in)] = '\0';
		fclose(in);
		CU_ASSERT_STRING_EQUAL(text, stored);
		free(text);
	}
}

/*
 * All can be sent at 0, and wait for one CPU. Each is sent for 10 + 4, and received for 10 + 4 * 2,
 * the first from 110 on. The time that this takes is in proportion to their number.
 */
static void many_messages_wait_for_one_cpu(void)
{
	enum { MESSAGES = 100000 };
	struct goal g = { .nranks = 2 };
	uint64_t end_ps[2];
	uint32_t left;

	for (uint32_t i = 0; i < MESSAGES; i++)
		send(&g, 0, 1, 5, i);
	for (uint32_t i = 0; i < MESSAGES; i++)
		recv(&g, 1, 0, 5, i);
	CU_ASSERT_EQUAL_FATAL(goal_run(&g, &parameters, goal_tags(&g), end_ps, &left), 0);
	CU_ASSERT_EQUAL(left, 0);
	CU_ASSERT_EQUAL(end_ps[0], 14 * MESSAGES);
	CU_ASSERT_EQUAL(end_ps[1], 110 + 18 * MESSAGES);
	goal_release(&g);
}

static const struct unit_test tests[] = { { "many messages wait for one CPU",
						  many_messages_wait_for_one_cpu },
	{ "ends are those of the published rules", ends_are_those_of_the_published_rules },
	{ "what waits for ever is left", what_waits_for_ever_is_left },
	{ "texts are the stored ones", texts_are_the_stored_ones }, { NULL, NULL } };

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < SCHEDULES; i++) {
		char path[4096];
		FILE *out;

		snprintf(path, sizeof(path), "%s/%s.goal", argv[1], schedules[i].name);
		out = fopen(path, "we");
		if (!out)
			return 1;
		write_schedule(&schedules[i], out);
		fclose(out);
	}
	return argc > 1 ? 0 : unit_main("goal", tests);
}
