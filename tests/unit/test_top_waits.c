/* SPDX-License-Identifier: BSD-3-Clause */
/* test_top_waits.c: who waits for whom, at whose end, in which ring (analysis/top/waits.h). */
#include "analysis/top/names.h"
#include "analysis/top/waits.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, MANY = 1000 };

static struct waiter rank[MANY];
static int32_t peer[MANY];
static struct comm_known comm[MANY];
static struct waits waits;

/* Ranks that compute, all in one communicator of which they have begun `begun` collectives. */
static void ranks(uint32_t n, uint64_t begun)
{
	memset(rank, 0, sizeof(rank));
	for (uint32_t i = 0; i < n; i++) {
		comm[i] = (struct comm_known){
			.comm = 1, .uid = 7, .size = (int32_t)n, .begun = begun
		};
		rank[i].rank = (int32_t)i;
		rank[i].comm = &comm[i];
		rank[i].ncomms = 1;
	}
}

static void waits_for(int32_t from, int32_t to)
{
	peer[from] = to;
	rank[from].waits = rank[from].stays = rank[from].certain = true;
	rank[from].want = WANT_RANKS;
	rank[from].peer = &peer[from];
	rank[from].npeers = 1;
}

static void in_collective(int32_t r, uint64_t number, int32_t members)
{
	rank[r].waits = rank[r].stays = rank[r].certain = true;
	rank[r].want = WANT_COLLECTIVE;
	rank[r].uid = 7;
	rank[r].number = number;
	rank[r].members = members;
}

static void find(uint32_t n)
{
	CU_ASSERT_EQUAL_FATAL(waits_find(&waits, rank, n), 0);
}

static void chain_ends_at_the_rank_that_computes(void)
{
	ranks(4, 0);
	waits_for(0, 1);
	waits_for(1, 2);
	waits_for(3, 2);
	find(4);
	CU_ASSERT_EQUAL(waits.nrings, 0);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(rank[i].origin, 2);
	CU_ASSERT_EQUAL(rank[2].behind, 3);
	CU_ASSERT_EQUAL(rank[1].behind, 0);
}

static void ring_is_found_with_those_behind_it(void)
{
	ranks(5, 0);
	waits_for(1, 2);
	waits_for(2, 4);
	waits_for(4, 1);
	waits_for(0, 2);
	find(5);
	CU_ASSERT_EQUAL(waits.nrings, 1);
	CU_ASSERT_EQUAL(waits.nring, 4);
	CU_ASSERT_EQUAL(waits.ring[3], -1);
	CU_ASSERT_EQUAL(rank[0].ring, -1);
	CU_ASSERT_EQUAL(rank[1].ring, 0);
	CU_ASSERT_EQUAL(rank[2].ring, 0);
	CU_ASSERT_EQUAL(rank[4].ring, 0);
	CU_ASSERT_EQUAL(rank[3].ring, -1);
	CU_ASSERT_EQUAL(rank[0].origin, 1);
	CU_ASSERT_EQUAL(rank[4].origin, 1);
	CU_ASSERT_EQUAL(rank[3].origin, 3);
}

static void two_rings_are_two(void)
{
	ranks(4, 0);
	waits_for(0, 1);
	waits_for(1, 0);
	waits_for(2, 3);
	waits_for(3, 2);
	find(4);
	CU_ASSERT_EQUAL(waits.nrings, 2);
	CU_ASSERT_NOT_EQUAL(rank[0].ring, rank[2].ring);
}

static void rank_that_waits_for_itself_is_a_ring(void)
{
	ranks(2, 0);
	waits_for(1, 1);
	find(2);
	CU_ASSERT_EQUAL(waits.nrings, 1);
	CU_ASSERT_EQUAL(waits.ring[0], 1);
}

static void young_wait_is_no_ring(void)
{
	ranks(2, 0);
	waits_for(0, 1);
	waits_for(1, 0);
	rank[1].stays = false;
	find(2);
	CU_ASSERT_EQUAL(waits.nrings, 0);
	CU_ASSERT_EQUAL(rank[0].ring, -1);
	CU_ASSERT_EQUAL(rank[1].origin, 0);
}

static void one_that_may_be_released_from_outside_is_no_ring(void)
{
	static const int32_t both[] = { 1, 2 };

	ranks(3, 0);
	waits_for(0, 1);
	waits_for(1, 0);
	rank[0].peer = both;
	rank[0].npeers = 2;
	find(3);
	CU_ASSERT_EQUAL(waits.nrings, 0);
	/* rank 2 computes: the walk goes there */
	CU_ASSERT_EQUAL(rank[1].origin, 2);
}

static void unknown_peers_are_no_ring(void)
{
	ranks(2, 0);
	waits_for(0, 1);
	waits_for(1, 0);
	rank[0].certain = false;
	find(2);
	CU_ASSERT_EQUAL(waits.nrings, 0);
	/* a rank that has no files */
	ranks(2, 0);
	waits_for(0, 5);
	waits_for(1, 0);
	find(2);
	CU_ASSERT_EQUAL(waits.nrings, 0);
	CU_ASSERT_EQUAL(rank[1].origin, 0);
}

static void collective_waits_for_members_that_have_not_begun(void)
{
	ranks(4, 3);
	in_collective(0, 3, 4);
	in_collective(2, 3, 4);
	comm[3].begun = 4; /* has been in it and left */
	find(4);
	CU_ASSERT_EQUAL(rank[0].nwanted, 1);
	CU_ASSERT_EQUAL(waits.wanted[rank[0].first], 1);
	CU_ASSERT_EQUAL(rank[2].first, rank[0].first);
	CU_ASSERT_EQUAL(rank[0].origin, 1);
	CU_ASSERT_EQUAL(rank[1].behind, 2);
}

static void ring_through_a_collective(void)
{
	ranks(3, 0);
	in_collective(0, 0, 3);
	in_collective(1, 0, 3);
	waits_for(2, 0);
	find(3);
	CU_ASSERT_EQUAL(waits.nrings, 1);
	CU_ASSERT_EQUAL(rank[0].ring, 0);
	CU_ASSERT_EQUAL(rank[2].ring, 0);
	/* with a member whose files are not there it may go on */
	in_collective(0, 0, 4);
	in_collective(1, 0, 4);
	find(3);
	CU_ASSERT_EQUAL(waits.nrings, 0);
}

static void lists_of_a_collective_are_shared(void)
{
	ranks(MANY, 0);
	for (int i = 0; i < MANY / 2; i++)
		in_collective(i, 0, MANY);
	find(MANY);
	CU_ASSERT_EQUAL(waits.nwanted, MANY / 2);
	CU_ASSERT_EQUAL(rank[0].nwanted, MANY / 2);
	CU_ASSERT_EQUAL(rank[MANY / 2].behind, MANY / 2);
	/* a chain through all of them, against the order of the ranks */
	ranks(MANY, 0);
	for (int i = 1; i < MANY; i++)
		waits_for(i, i - 1);
	find(MANY);
	CU_ASSERT_EQUAL(rank[0].behind, MANY - 1);
	waits_for(0, MANY - 1);
	find(MANY);
	CU_ASSERT_EQUAL(waits.nring, MANY + 1);
}

static void no_ranks_are_no_trouble(void)
{
	find(0);
	CU_ASSERT_EQUAL(waits.nrings, 0);
}

static const struct unit_test tests[] = { { "a chain ends at the rank that computes",
						  chain_ends_at_the_rank_that_computes },
	{ "a ring is found, and who waits behind it", ring_is_found_with_those_behind_it },
	{ "two rings are two", two_rings_are_two },
	{ "a rank that waits for itself is a ring", rank_that_waits_for_itself_is_a_ring },
	{ "a young wait is no ring", young_wait_is_no_ring },
	{ "a rank that another one may release is no ring",
		one_that_may_be_released_from_outside_is_no_ring },
	{ "unknown peers are no ring", unknown_peers_are_no_ring },
	{ "a collective waits for members that have not begun it",
		collective_waits_for_members_that_have_not_begun },
	{ "a ring may lead through a collective", ring_through_a_collective },
	{ "the ranks in a collective share a list", lists_of_a_collective_are_shared },
	{ "no ranks are no trouble", no_ranks_are_no_trouble }, { NULL, NULL } };

int main(void)
{
	return unit_main("top_waits", tests);
}
