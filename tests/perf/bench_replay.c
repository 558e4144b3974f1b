/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_replay.c: how many messages a second a replay handles, from matched messages in memory.
 *
 *	bench_replay [MESSAGES]
 *
 * 2 to 1,000 ranks in a ring: in each round a rank posts a receive, sends to its neighbour and
 * waits. Then an exchange of all with all, which must cost the same for each message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/replay/run.h"

enum { BUDGET_PER_S = 2000000, TIMES = 3 };

static void must(int failed, const char *what)
{
	if (failed) {
		fprintf(stderr, "cannot %s\n", what);
		exit(1);
	}
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void make_room(struct replay_graph *g, uint32_t ranks, uint32_t messages)
{
	g->rank = calloc(ranks, sizeof(*g->rank));
	g->lane = calloc(ranks, sizeof(*g->lane));
	g->call = calloc((size_t)3 * messages, sizeof(*g->call));
	g->part = calloc((size_t)2 * messages, sizeof(*g->part));
	must(!g->rank || !g->lane || !g->call || !g->part, "allocate");
	g->nranks = g->nlanes = g->nsites = ranks;
}

static struct replay_call *add_call(struct replay_graph *g, uint32_t rank, int64_t gap_ns)
{
	struct replay_call *call = &g->call[g->ncalls++];

	*call = (struct replay_call){ .gap_ns = gap_ns,
		.inside_ns = 300,
		.site = rank,
		.posts = REPLAY_NONE,
		.dones = REPLAY_NONE };
	g->lane[rank].n++;
	return call;
}

/*
 * Adds an end of a message of rank `rank`: the send's part is 2 * message, the receive's is the
 * next.
 */
static void add_end(struct replay_graph *g, uint32_t rank, uint32_t message, int is_send,
	struct replay_call *post, struct replay_call *done)
{
	const uint32_t p = 2 * message + !is_send;
	struct replay_part *part = &g->part[p];

	*part = (struct replay_part){ .bytes = 64,
		.partner = p ^ 1,
		.instance = REPLAY_NONE,
		.next_post = post->posts,
		.next_done = done->dones,
		.next_waiting = REPLAY_NONE,
		.lane = rank,
		.rank = (int32_t)rank,
		.site = rank,
		.needs = is_send ? NEEDS_NOBODY : NEEDS_PARTNER,
		.is_send = is_send,
		.tier = 1 };
	post->posts = p;
	done->dones = p;
}

/* The next calls are those of rank r, which has one lane and one callsite. */
static void begin_rank(struct replay_graph *g, uint32_t r)
{
	g->rank[r] = (struct replay_rank){
		.rank = (int32_t)r, .first_lane = r, .nlanes = 1, .first_site = r, .nsites = 1
	};
	g->lane[r] = (struct replay_lane){ .rank = r, .first = g->ncalls };
}

static void make_ring(struct replay_graph *g, uint32_t ranks, uint32_t rounds)
{
	make_room(g, ranks, ranks * rounds);
	g->nparts = 2 * ranks * rounds;
	for (uint32_t r = 0; r < ranks; r++) {
		const uint32_t left = (r + ranks - 1) % ranks;

		begin_rank(g, r);
		for (uint32_t i = 0; i < rounds; i++) {
			struct replay_call *irecv =
				add_call(g, r, 500 + (r * 7919 + i * 104729) % 1000);
			struct replay_call *send = add_call(g, r, 20), *wait = add_call(g, r, 20);

			add_end(g, r, left * rounds + i, 0, irecv, wait);
			add_end(g, r, r * rounds + i, 1, send, send);
		}
	}
}

/* All send to all others, and wait for all receives at the end. */
static void make_exchange(struct replay_graph *g, uint32_t ranks)
{
	make_room(g, ranks, ranks * ranks);
	g->nparts = 2 * ranks * ranks;
	for (uint32_t r = 0; r < ranks; r++) {
		struct replay_call *post, *wait;

		begin_rank(g, r);
		post = add_call(g, r, 100 + r);
		for (uint32_t i = 0; i < ranks; i++) {
			struct replay_call *send = add_call(g, r, 10);

			add_end(g, r, r * ranks + (r + i) % ranks, 1, send, send);
		}
		wait = add_call(g, r, 10);
		for (uint32_t i = 0; i < ranks; i++)
			add_end(g, r, i * ranks + r, 0, post, wait);
	}
}

/* The best of some runs; false if it is below the budget. */
static int measure(const char *name, struct replay_graph *g)
{
	const struct replay_scenario unchanged = { .corrects = true };
	const double messages = g->nparts / 2.0;
	double best = 0;

	for (int i = 0; i < TIMES; i++) {
		struct replay_result result;
		const double begin = now();

		must(replay_run(g, &unchanged, &result), "replay");
		must(result.stuck, "end");
		best = messages / (now() - begin) > best ? messages / (now() - begin) : best;
		replay_result_release(&result);
	}
	printf("%-24s %4u ranks %9.0f messages %6.2f million a second of CPU time\n", name,
		g->nranks, messages, best / 1e6);
	replay_graph_release(g);
	return best >= BUDGET_PER_S;
}

int main(int argc, char **argv)
{
	static const uint32_t ranks[] = { 2, 16, 100, 1000 };
	const uint32_t messages = argc > 1 ? (uint32_t)atol(argv[1]) : 1000000;
	struct replay_graph g = { 0 };
	int good = 1;

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		make_ring(&g, ranks[i], messages / ranks[i]);
		good &= measure("ring", &g);
	}
	make_exchange(&g, 400);
	good &= measure("exchange of all", &g);
	return !good;
}
