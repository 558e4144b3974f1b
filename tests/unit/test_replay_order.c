/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_replay_order.c: random runs replayed under scenarios whose calls ask what other lanes have
 * done. Lanes take turns by their ranks' indices, and times must not depend on this order: the same
 * run with its ranks in reverse must give each rank the same times.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/replay/run.h"

enum { RANKS = 7, STEPS = 300, RUNS = 60, SCENARIOS = 7, CALLS = 4 * STEPS };

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 11) % below);
}

/* A run that is made: rank r has index reverse ? RANKS - 1 - r : r. */
static struct {
	bool reverse;
	struct replay_call call[RANKS][CALLS]; /* by index */
	uint32_t ncalls[RANKS];
	struct replay_part part[2 * STEPS];
	struct replay_detail detail[2 * STEPS];
	uint32_t pending[2 * STEPS], npending; /* parts that no call completes yet */
} made;

static uint32_t index_of(uint32_t rank)
{
	return made.reverse ? RANKS - 1 - rank : rank;
}

/* Times are long enough that hardly two calls begin at the same one. */
static struct replay_call *add_call(uint32_t rank)
{
	const uint32_t i = index_of(rank);
	struct replay_call *call = &made.call[i][made.ncalls[i]++];

	*call = (struct replay_call){ .gap_ns = 1 + draw(100000000),
		.inside_ns = 1 + draw(50000000),
		.site = i,
		.posts = REPLAY_NONE,
		.dones = REPLAY_NONE };
	return call;
}

static void post(struct replay_call *call, uint32_t part)
{
	made.part[part].next_post = call->posts;
	call->posts = part;
}

static void complete(struct replay_call *call, uint32_t part)
{
	made.part[part].next_done = call->dones;
	call->dones = part;
}

/* The end of message `part` / 2 that rank r posts in a call of its own. */
static void add_end(uint32_t part, uint32_t r, struct replay_part end, bool blocking)
{
	struct replay_call *call = add_call(r);

	end.bytes = made.part[part ^ 1].bytes ? made.part[part ^ 1].bytes : 1 + draw(64);
	end.partner = part ^ 1;
	end.instance = REPLAY_NONE;
	end.lane = end.site = index_of(r);
	end.lead_ns = draw(1000000);
	made.detail[part] = (struct replay_detail){
		.contention_ns = draw(20000000), .next_waiting = REPLAY_NONE, .rank = (int32_t)r
	};
	end.early_ns = (int32_t)draw(20000000);
	end.tier = 1;
	made.part[part] = end;
	post(call, part);
	if (blocking)
		complete(call, part);
	else
		made.pending[made.npending++] = part;
}

/* A call that completes a part, and at times a second one. */
static void add_wait(void)
{
	const uint32_t part = made.pending[made.npending - 1];
	struct replay_call *call = add_call((uint32_t)made.detail[part].rank);

	complete(call, part);
	made.npending--;
	if (made.npending &&
		made.part[made.pending[made.npending - 1]].lane == made.part[part].lane)
		complete(call, made.pending[--made.npending]);
}

/*
 * A nonblocking receive is posted before its send, a blocking one is the next call in this order,
 * and waits come later. So no ranks wait for each other for ever.
 */
static void add_message(uint32_t part)
{
	const uint32_t from = draw(RANKS), to = (from + 1 + draw(RANKS - 1)) % RANKS;
	const bool rendezvous = draw(2), receives_first = draw(2), blocking = draw(2);
	const struct replay_part send = { .is_send = true,
		.rendezvous = rendezvous,
		.needs = draw(10) == 0 ? NEEDS_PROGRESS :
			rendezvous     ? NEEDS_PARTNER :
					 NEEDS_NOBODY };
	const struct replay_part receive = { .rendezvous = rendezvous,
		.needs = draw(8) ? NEEDS_PARTNER : NEEDS_NOBODY };

	if (receives_first)
		add_end(part + 1, to, receive, false);
	add_end(part, from, send, blocking);
	if (!receives_first)
		add_end(part + 1, to, receive, true);
}

static void make_run(struct replay_graph *g, bool reverse)
{
	memset(&made, 0, sizeof(made));
	made.reverse = reverse;
	for (uint32_t m = 0; m < STEPS; m++) {
		add_message(2 * m);
		while (made.npending && draw(2))
			add_wait();
	}
	while (made.npending)
		add_wait();
	*g = (struct replay_graph){ .rank = calloc(RANKS, sizeof(*g->rank)),
		.lane = calloc(RANKS, sizeof(*g->lane)),
		.call = calloc((size_t)RANKS * CALLS, sizeof(*g->call)),
		.part = malloc(sizeof(made.part)),
		.detail = malloc(sizeof(made.detail)),
		.nranks = RANKS,
		.nlanes = RANKS,
		.nsites = RANKS,
		.nparts = 2 * STEPS };
	CU_ASSERT_FATAL(g->rank && g->lane && g->call && g->part && g->detail);
	memcpy(g->part, made.part, sizeof(made.part));
	memcpy(g->detail, made.detail, sizeof(made.detail));
	for (uint32_t i = 0; i < RANKS; i++) {
		g->rank[i] = (struct replay_rank){ .rank = (int32_t)i,
			.first_lane = i,
			.nlanes = 1,
			.first_site = i,
			.nsites = 1,
			.rest_ns = 1000 };
		g->lane[i] =
			(struct replay_lane){ .rank = i, .first = g->ncalls, .n = made.ncalls[i] };
		memcpy(g->call + g->ncalls, made.call[i], made.ncalls[i] * sizeof(*g->call));
		g->ncalls += made.ncalls[i];
	}
}

/* A link with this latency; longer eager messages than 8 bytes need the receiver's progress. */
static struct loggps link_of(double L)
{
	const struct loggps_slopes slopes = { 1e5, 1e5, 2e5, NAN };
	struct loggps p = { .L = L,
		.o = 1e5,
		.one_way = NAN,
		.rendezvous = NAN,
		.knees_sr = NAN,
		.s = 8,
		.S = 8,
		.S_p = 8,
		.by = { slopes, slopes, slopes } };

	loggps_complete(&p);
	return p;
}

static void the_order_of_turns_does_not_count(void)
{
	const struct replay_link link = { link_of(1e6), link_of(3e7) };
	const struct replay_link slow = { link_of(1e6), link_of(3e8) };
	struct replay_link links[RANKS][REPLAY_TIERS], slow_links[RANKS][REPLAY_TIERS];
	const struct replay_scenario with_links = { .link = links, .links_change = true };
	struct replay_scenario scenario[SCENARIOS] = { { .no_waits = { true } },
		{ .no_waits = { false, true } }, with_links, with_links, with_links, with_links,
		with_links };

	for (uint32_t i = 0; i < RANKS; i++)
		for (int t = 0; t < REPLAY_TIERS; t++) {
			links[i][t] = link;
			slow_links[i][t] = slow;
		}
	for (int t = 0; t < REPLAY_TIERS; t++) {
		scenario[2].S_set[t] = scenario[3].S_set[t] = scenario[6].S_set[t] = true;
		scenario[2].S[t] = scenario[6].S[t] = 1024;
		scenario[3].S[t] = 16;
	}
	scenario[3].progress = true;
	scenario[4].no_waits[REPLAY_LATE_SENDER] = scenario[4].no_waits[REPLAY_LATE_RECEIVER] =
		true;
	scenario[5].ideal = true;
	/* sends ask for a time after that at which they would else end: their messages arrive late
	 */
	scenario[6].link = slow_links;
	for (uint32_t run = 0; run < SCENARIOS * RUNS; run++) {
		struct replay_graph g[2];
		struct replay_result result[2];

		for (int reverse = 0; reverse < 2; reverse++) {
			seed = 88172645463325252 + run;
			make_run(&g[reverse], reverse);
			/* links_equal changes no result: all ranks have the same links */
			scenario[run % SCENARIOS].links_equal = reverse;
			CU_ASSERT_EQUAL_FATAL(replay_run(&g[reverse], &scenario[run % SCENARIOS],
						      &result[reverse]),
				0);
			CU_ASSERT_EQUAL(result[reverse].stuck, 0);
		}
		for (uint32_t r = 0; r < RANKS; r++)
			CU_ASSERT(memcmp(&result[0].rank[r], &result[1].rank[RANKS - 1 - r],
					  sizeof(result[0].rank[r])) == 0);
		for (int reverse = 0; reverse < 2; reverse++) {
			replay_result_release(&result[reverse]);
			replay_graph_release(&g[reverse]);
		}
	}
}

static const struct unit_test tests[] = {
	{ "the order of turns does not count", the_order_of_turns_does_not_count }, { NULL, NULL }
};

int main(void)
{
	return unit_main("replay_order", tests);
}
