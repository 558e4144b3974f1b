/* SPDX-License-Identifier: BSD-3-Clause */
/* test_link_kinds.c: kinds of hosts: which ranks measure a link, and which link joins two ranks. */
#include <stdlib.h>

#include "pmpi/hosts/link_kinds.h"
#include "tests/unit/unit.h"

enum { RANKS_MAX = 64 };

static struct host host[RANKS_MAX];
static struct link_kinds joins;

/* A digit a rank: its host's number; and the kind of each host, a letter. */
static void run_of(const char *hosts, const char *kinds)
{
	int n = 0;

	for (; hosts[n]; n++) {
		int h = hosts[n] - '0';

		/* keys do not rise with ranks */
		host[n] = (struct host){ .key = 1000 - (uint64_t)h,
			.kind = (uint64_t)kinds[h],
			.processors = 2,
			.rank = n };
	}
	CU_ASSERT_EQUAL(link_kinds_make(host, n, &joins), 0);
}

static void expect_join(int i, int tier, int round, int from, int to)
{
	CU_ASSERT(i < joins.n);
	CU_ASSERT_EQUAL(joins.join[i].tier, tier);
	CU_ASSERT_EQUAL(joins.join[i].round, round);
	CU_ASSERT_EQUAL(joins.join[i].rank[0], from);
	CU_ASSERT_EQUAL(joins.join[i].rank[1], to);
}

static void hosts_that_are_alike_need_one_pair_a_tier(void)
{
	run_of("0112", "aaa");
	CU_ASSERT_EQUAL(joins.nkinds, 1);
	CU_ASSERT_EQUAL(joins.n, 3);
	expect_join(0, TIER_SELF, 0, 0, 0);
	expect_join(1, TIER_NODE, 1, 1, 2);
	expect_join(2, TIER_NETWORK, 2, 0, 1);
	CU_ASSERT_FALSE(joins.crowded);
	run_of("01110", "aa");
	CU_ASSERT(joins.crowded);
	expect_join(1, TIER_NODE, 1, 0, 4);
	run_of("0", "a");
	CU_ASSERT_EQUAL(joins.n, 1);
}

static void each_kind_of_pair_is_measured(void)
{
	run_of("00112233", "abab");
	CU_ASSERT_EQUAL(joins.nkinds, 2);
	CU_ASSERT_EQUAL(joins.kind_rank[1], 2);
	CU_ASSERT_EQUAL(joins.n, 7);
	expect_join(0, TIER_SELF, 0, 0, 0);
	expect_join(1, TIER_SELF, 0, 2, 2);
	expect_join(2, TIER_NODE, 1, 0, 1);
	expect_join(3, TIER_NODE, 1, 2, 3);
	expect_join(4, TIER_NETWORK, 2, 0, 4);
	expect_join(5, TIER_NETWORK, 2, 2, 6);
	expect_join(6, TIER_NETWORK, 3, 0, 2);
	/* one host of each kind: none of them has another one to talk to but the other's */
	run_of("01", "ab");
	CU_ASSERT_EQUAL(joins.n, 3);
	expect_join(2, TIER_NETWORK, 3, 0, 1);
}

static void no_kind_takes_part_twice_in_a_round(void)
{
	run_of("0011223344556677", "abcdabcd");
	CU_ASSERT_EQUAL(joins.nkinds, 4);
	CU_ASSERT_EQUAL(joins.n, JOINS_MAX);
	for (int i = 0; i < joins.n; i++)
		for (int k = 0; k < i; k++)
			for (int side = 0; side < 4; side++)
				CU_ASSERT(joins.join[i].round != joins.join[k].round ||
					joins.join[i].kind[side & 1] !=
						joins.join[k].kind[side >> 1]);
	for (int i = 1; i < joins.n; i++)
		CU_ASSERT(joins.join[i].round >= joins.join[i - 1].round &&
			joins.join[i].round < JOIN_ROUNDS);
}

static void the_last_kind_stands_for_what_is_left(void)
{
	run_of("012345", "abcdef");
	CU_ASSERT_EQUAL(joins.nkinds, HOST_KINDS_MAX);
	for (int r = 0; r < 6; r++)
		CU_ASSERT_EQUAL((int)host[r].kind, r < HOST_KINDS_MAX ? r : HOST_KINDS_MAX - 1);
}

static void links_are_numbered_as_their_peers_rise(void)
{
	/* of the first two kinds there are two hosts each */
	run_of("012345", "abcdab");
	for (int own = 0; own < HOST_KINDS_MAX; own++) {
		const bool alike = own < 2;
		unsigned last = alike ? TIER_NETWORK : TIER_NETWORK - 1;

		CU_ASSERT_EQUAL(joins.has_alike[own], alike);
		CU_ASSERT_EQUAL(link_kinds_link(&joins, own, own), TIER_NETWORK);
		for (int other = 0; other < HOST_KINDS_MAX; other++) {
			unsigned link = link_kinds_link(&joins, own, other);

			if (other == own)
				continue;
			CU_ASSERT_EQUAL(link, last + 1);
			CU_ASSERT_EQUAL(link_kinds_other(&joins, own, link), other);
			CU_ASSERT_EQUAL(link_tier_of(link), TIER_NETWORK);
			last = link;
		}
		CU_ASSERT_EQUAL(last, alike ? LINK_COUNT - 1 : LINK_COUNT - 2);
	}
	CU_ASSERT_EQUAL(link_tier_of(TIER_NONE), TIER_NONE);
}

static const struct unit_test tests[] = { { "hosts that are alike need one pair a tier",
						  hosts_that_are_alike_need_one_pair_a_tier },
	{ "each kind of pair is measured", each_kind_of_pair_is_measured },
	{ "no kind takes part twice in a round", no_kind_takes_part_twice_in_a_round },
	{ "the last kind stands for what is left", the_last_kind_stands_for_what_is_left },
	{ "links are numbered as their peers rise", links_are_numbered_as_their_peers_rise },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("joins", tests);
}
