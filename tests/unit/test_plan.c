/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_plan.c: which pairs measure at the same time, and which lengths. No rank measures twice at
 * once, and no host with more ranks than processors.
 */
#include <errno.h>
#include <stdlib.h>

#include "pmpi/measure/jumps.h"
#include "pmpi/calibrate/plan.h"
#include "record.h"
#include "tests/unit/unit.h"

enum { RANKS_MAX = 24 };

static uint64_t host[RANKS_MAX];
static uint32_t processors[RANKS_MAX];

/* n ranks, `each` on a host of `cpus` processors. */
static struct plan_of_ranks ranks(int n, int each, uint32_t cpus)
{
	for (int r = 0; r < n; r++) {
		host[r] = (uint64_t)(r / each * each);
		processors[r] = cpus;
	}
	return (struct plan_of_ranks){ .nranks = n, .host = host, .processors = processors };
}

/*
 * No rank twice in a round; a host with more than one pair has a processor for each of its ranks.
 */
static void check_rounds(const struct plan_of_ranks *p)
{
	for (int round = 0; round < p->nrounds; round++) {
		int used[RANKS_MAX] = { 0 }, on_host[RANKS_MAX] = { 0 }, pairs[RANKS_MAX] = { 0 };

		for (int i = 0; i < p->n; i++) {
			const struct appointment *a = &p->at[i];

			if (a->round != round)
				continue;
			CU_ASSERT(used[a->from]++ == 0 && used[a->to]++ == 0);
			on_host[host[a->from]]++;
			on_host[host[a->to]]++;
			pairs[host[a->from]]++;
			if (host[a->from] != host[a->to])
				pairs[host[a->to]]++;
		}
		for (int h = 0; h < p->nranks; h++)
			CU_ASSERT(pairs[h] <= 1 || (uint32_t)on_host[h] <= processors[h]);
	}
}

static void all_ordered_pairs_come_once(void)
{
	for (int n = 2; n <= RANKS_MAX; n++)
		for (uint32_t cpus = 1; cpus <= 16; cpus *= 2) {
			struct plan_of_ranks p = ranks(n, 6, cpus);
			int seen[RANKS_MAX][RANKS_MAX] = { { 0 } };

			CU_ASSERT_EQUAL_FATAL(plan_all(&p), 0);
			CU_ASSERT_EQUAL(p.n, n * (n - 1));
			for (int i = 0; i < p.n; i++)
				CU_ASSERT(seen[p.at[i].from][p.at[i].to]++ == 0);
			check_rounds(&p);
			plan_release(&p);
		}
}

static void with_processors_for_all_a_tournament_is_as_short_as_can_be(void)
{
	for (int n = 2; n <= RANKS_MAX; n += 2) {
		struct plan_of_ranks p = ranks(n, n, (uint32_t)n);

		CU_ASSERT_EQUAL_FATAL(plan_all(&p), 0);
		CU_ASSERT_EQUAL(p.nrounds, 2 * (n - 1));
		plan_release(&p);
	}
}

static void disjoint_pairs_of_a_list_share_a_round(void)
{
	struct plan_of_ranks p = ranks(8, 4, 4);

	CU_ASSERT_EQUAL_FATAL(plan_list(&p, "0-1,2-3,4-5,1-0,0-4"), 0);
	CU_ASSERT(p.at[0].round == 0 && p.at[1].round == 0 && p.at[2].round == 0);
	CU_ASSERT(p.at[3].round == 1);
	CU_ASSERT(p.at[4].round == 2);
	/* each on processors of its own */
	CU_ASSERT(p.at[0].slot == 0 && p.at[1].slot == 1 && p.at[2].slot == 0);
	CU_ASSERT(plan_tier(&p, 0) == TIER_NODE && plan_tier(&p, 4) == TIER_NETWORK);
	check_rounds(&p);
	plan_release(&p);
	/* two processors a host: one pair inside it at a time */
	p = ranks(8, 4, 2);
	CU_ASSERT_EQUAL_FATAL(plan_list(&p, "0-1,2-3,4-5"), 0);
	CU_ASSERT(p.at[0].round == 0 && p.at[1].round == 1 && p.at[2].round == 0);
	plan_release(&p);
}

static void what_is_no_list_of_pairs_is_refused(void)
{
	static const char *const bad[] = { "", "0", "0-", "-1", "0-0", "0-8", "8-0", "0-1,",
		"0-1;2-3", "0-1,x", "0--1", "a-b", "0-1,2-3,0-1" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct plan_of_ranks p = ranks(8, 4, 4);

		CU_ASSERT_EQUAL(plan_list(&p, bad[i]), -EINVAL);
		plan_release(&p);
	}
}

/* Jumps among lengths each of whose visits took the same. */
static struct jumps jumps_of(const uint64_t *bytes, const double *ns, size_t n)
{
	struct jumps_times t[16];

	for (size_t i = 0; i < n; i++)
		t[i] = (struct jumps_times){ ns[i], ns[i] };
	return jumps_find(bytes, t, n);
}

static void a_switch_just_below_a_power_of_two_makes_the_grid_finer(void)
{
	static const uint64_t finer[] = { 8223, 8239 };
	uint64_t bytes[16] = { 1024, 2048, 4096, 8192, 8255 };
	double ns[16] = { 500, 550, 700, 900, 1500 };
	struct jumps j = jumps_of(bytes, ns, 5);

	for (size_t i = 0; i < 2; i++) {
		size_t n = 5 + i;

		CU_ASSERT_EQUAL_FATAL(j.n, 1);
		CU_ASSERT_EQUAL(j.middle[0], finer[i]);
		bytes[n] = bytes[n - 1];
		bytes[n - 1] = finer[i];
		ns[n - 1] = 900;
		ns[n] = 1500;
		j = jumps_of(bytes, ns, n + 1);
	}
	CU_ASSERT_EQUAL(j.n, 0);
}

static void a_switch_among_short_messages_makes_the_grid_finer(void)
{
	static const uint64_t bytes[] = { 32, 48, 64, 96, 128, 192 };
	static const double ns[] = { 990, 1000, 1010, 1670, 1700, 1720 };
	struct jumps j = jumps_of(bytes, ns, 6);

	/* two thirds more, though less than half more a byte */
	CU_ASSERT_EQUAL_FATAL(j.n, 1);
	CU_ASSERT_EQUAL(j.middle[0], 80);
}

static void the_strongest_jumps_come_first(void)
{
	static const uint64_t bytes[] = { 100, 200, 300, 400, 500, 600, 700, 800 };
	static const double ns[] = { 10, 100, 90, 180, 145, 580, 600, 400 };
	struct jumps j = jumps_of(bytes, ns, 8);

	CU_ASSERT_EQUAL_FATAL(j.n, JUMPS_MAX);
	CU_ASSERT_EQUAL(j.middle[0], 150); /* five times as long as twice the bytes explain */
	CU_ASSERT_EQUAL(j.middle[1], 550); /* 3.3 times */
	CU_ASSERT_EQUAL(j.middle[2], 350); /* 1.8 times; 1.5 times is... */
	CU_ASSERT_EQUAL(j.middle[3], 750); /* ...the shorter time of a longer message */
}

/* Jumps among three lengths with so many visits each. */
static struct jumps jumps_of_visits(double *ns, size_t visits)
{
	static const uint64_t bytes[] = { 256, 384, 512 };
	struct jumps_times t[3];

	for (size_t i = 0; i < 3; i++)
		t[i] = jumps_times_of(ns + i * visits, visits);
	return jumps_find(bytes, t, 3);
}

static void visits_with_cold_caches_make_no_jump(void)
{
	double ns[3][3] = { { 700, 2100, 690 }, { 2300, 2200, 720 }, { 750, 760, 2500 } };

	CU_ASSERT_EQUAL(jumps_of_visits(*ns, 3).n, 0);
	CU_ASSERT_EQUAL(jumps_times_of(*ns, 0).usual, 0);
}

static void what_the_machine_speed_makes_of_lengths_is_no_jump(void)
{
	/* slow in half of the visits, and once faster than ever */
	double speeds[3][8] = { { 700, 1100, 710, 1120, 690, 1090, 705, 1110 },
		{ 1130, 1120, 720, 1110, 1125, 730, 1115, 725 },
		{ 750, 740, 745, 300, 748, 1150, 742, 746 } };
	double switches[3][8] = { { 700, 1100, 710, 1120, 690, 1090, 705, 700 },
		{ 1730, 1120, 1720, 1710, 1125, 1730, 1115, 1725 },
		{ 1750, 1740, 1745, 1300, 1748, 2150, 1742, 1746 } };
	struct jumps j = jumps_of_visits(*switches, 8);

	CU_ASSERT_EQUAL(jumps_of_visits(*speeds, 8).n, 0);
	CU_ASSERT_EQUAL_FATAL(j.n, 1);
	CU_ASSERT_EQUAL(j.middle[0], 320);
}

static const struct unit_test tests[] = { { "all ordered pairs come once",
						  all_ordered_pairs_come_once },
	{ "with processors for all a tournament is as short as can be",
		with_processors_for_all_a_tournament_is_as_short_as_can_be },
	{ "disjoint pairs of a list share a round", disjoint_pairs_of_a_list_share_a_round },
	{ "what is no list of pairs is refused", what_is_no_list_of_pairs_is_refused },
	{ "a switch just below a power of two makes the grid finer",
		a_switch_just_below_a_power_of_two_makes_the_grid_finer },
	{ "visits with cold caches make no jump", visits_with_cold_caches_make_no_jump },
	{ "what the machine's speed makes of lengths is no jump",
		what_the_machine_speed_makes_of_lengths_is_no_jump },
	{ "a switch among short messages makes the grid finer",
		a_switch_among_short_messages_makes_the_grid_finer },
	{ "the strongest jumps come first", the_strongest_jumps_come_first }, { NULL, NULL } };

int main(void)
{
	return unit_main("pairs that measure", tests);
}
