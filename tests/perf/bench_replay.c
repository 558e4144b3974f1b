/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_replay.c: how many messages a second a replay handles, from matched messages in memory.
 *
 *	bench_replay [MESSAGES]
 *
 * 2 to 1,000 ranks in a ring: in each round a rank posts a receive, sends to its neighbour and
 * waits. Then an exchange of all with all, which must cost the same for each message. The ring is
 * also replayed under two scenarios whose calls ask what others have done: receives that
 * wait for nobody, and rendezvous sends that become eager.
 */
#include <math.h>
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

/* An array like those of a graph that was read. */
static void *zeroed(size_t bytes)
{
	void *at = replay_alloc(bytes);

	must(!at, "allocate");
	return memset(at, 0, bytes);
}

static void make_room(struct replay_graph *g, uint32_t ranks, uint32_t messages)
{
	g->rank = calloc(ranks, sizeof(*g->rank));
	g->lane = calloc(ranks, sizeof(*g->lane));
	g->call = zeroed((size_t)3 * messages * sizeof(*g->call));
	g->part = zeroed((size_t)2 * messages * sizeof(*g->part));
	g->detail = zeroed((size_t)2 * messages * sizeof(*g->detail));
	must(!g->rank || !g->lane, "allocate");
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
		.lane = rank,
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

/* Sends become rendezvous. */
static void make_rendezvous(struct replay_graph *g)
{
	for (uint32_t p = 0; p < g->nparts; p++) {
		g->part[p].rendezvous = true;
		g->part[p].needs = NEEDS_PARTNER;
	}
}

/* All messages are eager; longer ones than 8 bytes need the receiver's progress. */
static struct replay_scenario make_eager(uint32_t ranks)
{
	const struct loggps_slopes slopes = { 1, 1, 1, NAN };
	struct loggps p = { .L = 100,
		.o = 100,
		.one_way = NAN,
		.rendezvous = NAN,
		.knees_sr = NAN,
		.s = 8,
		.S = 8,
		.S_p = 8,
		.by = { slopes, slopes, slopes } };
	struct loggps eager;
	struct replay_scenario s = { .links_change = true,
		.links_equal = true,
		.S_set = { true, true, true },
		.S = { 1024, 1024, 1024 } };

	loggps_complete(&p);
	eager = p;
	eager.S = 1024;
	s.link = zeroed(ranks * sizeof(*s.link));
	for (uint32_t r = 0; r < ranks; r++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			s.link[r][t] = (struct replay_link){ p, eager };
	return s;
}

/* The best of some runs; false if it is below the budget. */
static int measure(const char *name, struct replay_graph *g, const struct replay_scenario *scenario)
{
	const double messages = g->nparts / 2.0;
	double best = 0;

	for (int i = 0; i < TIMES; i++) {
		struct replay_result result;
		const double begin = now();

		must(replay_run(g, scenario, &result), "replay");
		must(result.stuck, "end");
		best = messages / (now() - begin) > best ? messages / (now() - begin) : best;
		replay_result_release(&result);
	}
	printf("%-24s %4u ranks %9.0f messages %6.2f million a second of CPU time\n", name,
		g->nranks, messages, best / 1e6);
	return best >= BUDGET_PER_S;
}

static int measure_ring(uint32_t ranks, uint32_t rounds)
{
	const struct replay_scenario unchanged = { .corrects = true };
	const struct replay_scenario no_waits = { .no_waits = { true } };
	struct replay_scenario eager = make_eager(ranks);
	struct replay_graph g = { 0 };
	int good;

	make_ring(&g, ranks, rounds);
	good = measure("ring", &g, &unchanged);
	good &= measure("ring, no waits", &g, &no_waits);
	make_rendezvous(&g);
	good &= measure("ring, made eager", &g, &eager);
	replay_graph_release(&g);
	free(eager.link);
	return good;
}

int main(int argc, char **argv)
{
	static const uint32_t ranks[] = { 2, 16, 100, 1000 };
	const struct replay_scenario unchanged = { .corrects = true };
	const uint32_t messages = argc > 1 ? (uint32_t)atol(argv[1]) : 1000000;
	struct replay_graph g = { 0 };
	int good = 1;

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++)
		good &= measure_ring(ranks[i], messages / ranks[i]);
	make_exchange(&g, 400);
	good &= measure("exchange of all", &g, &unchanged);
	replay_graph_release(&g);
	return !good;
}
