/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay_work.c: computations made equal or faster; each time is worked out by hand. */
#include "tests/unit/replay_run.h"

#include "analysis/replay/balance.h"

/*
 * Two ranks leave one barrier at 2100 and the next at 11800, and end at 12000. Between them rank 0
 * computes 1000, sends for 100 and computes 2000. Rank 1 computes 500, receives until 100 after the
 * send began, and computes 8500. Before the first one they compute 1000 and 2000.
 */
static void two_barriers(void)
{
	begin(2);
	coll((struct given_coll){ 0, FN_MPI_Barrier, 1, -1, .post = 1000, .span = 1100 });
	coll((struct given_coll){ 1, FN_MPI_Barrier, 1, -1, .post = 2000, .span = 100 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 3100, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 2600, .span = 600 });
	coll((struct given_coll){ 0, FN_MPI_Barrier, 2, -1, .post = 5200, .span = 6600 });
	coll((struct given_coll){ 1, FN_MPI_Barrier, 2, -1, .post = 11700, .span = 100 });
	give_lines();
	analyze();
}

/*
 * Both compute 6000. Rank 0: 2000, a send from 4100 to 4200, 4000. Rank 1: 333 = 500 * 6000 / 9000,
 * a receive from 2433 to 4200, 5667 until 9867. They leave at 9967 and end 200 later.
 */
static void work_between_two_places_is_made_equal(void)
{
	two_barriers();
	replay(&(struct replay_changes){ .balance = "halo.c:40,40" });
	CU_ASSERT_EQUAL(before.run_ns, 12000);
	CU_ASSERT_EQUAL(after.run_ns, 10167);
	CU_ASSERT_EQUAL(after.rank[0].computation_ns, 7000);
	CU_ASSERT_EQUAL(after.rank[1].computation_ns, 8000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 4100 - 2433);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_COLLECTIVE), 1000 + 9867 - 8200);
	forget();
	/* from the send on rank 0, and from the receive on rank 1, each is the first of its rank */
	replay(&(struct replay_changes){ .balance = "30,40" });
	CU_ASSERT_EQUAL(after.run_ns, 12000);
	forget();
	end();
}

/* Before the barriers in line 40 rank 0 computes 1000 and 2000, and rank 1 2000 and 8500. */
static void computation_before_a_line_is_faster(void)
{
	static const struct {
		const char *speed;
		int64_t ns[2];
	} cases[] = { { "halo.c:40=2", { 2500, 5750 } }, { "rank:1@40=2", { 4000, 5750 } },
		{ "rank:1=2", { 4000, 5500 } }, { "40=2,rank:0=0.5", { 5000, 5750 } } };

	two_barriers();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		replay(&(struct replay_changes){ .speed = cases[i].speed });
		for (int rank = 0; rank < 2; rank++)
			CU_ASSERT_EQUAL(after.rank[rank].computation_ns, cases[i].ns[rank]);
		forget();
	}
	end();
}

/* Two barriers follow each other. Only the work between the second one and the receives counts. */
static void the_last_call_at_a_place_begins_a_section(void)
{
	begin(2);
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){ SEND, .rank = rank, .peer = !rank, .post = 500, .span = 50 });
		coll((struct given_coll){ rank, FN_MPI_Barrier, 1, -1, .post = 1000, .span = 100 });
	}
	coll((struct given_coll){ 0, FN_MPI_Barrier, 2, -1, .post = 2000, .span = 1100 });
	coll((struct given_coll){ 1, FN_MPI_Barrier, 2, -1, .post = 3000, .span = 100 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5000, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 8000, .span = 100 });
	give_lines();
	analyze();
	replay(&(struct replay_changes){ .balance = "40,30" });
	CU_ASSERT_EQUAL(after.rank[0].computation_ns - before.rank[0].computation_ns, 1500);
	CU_ASSERT_EQUAL(after.rank[1].computation_ns - before.rank[1].computation_ns, -1500);
	forget();
	end();
}

/* As above, but rank 0 has one barrier of its own more. Its first section is still the first. */
static void sections_count_and_not_calls(void)
{
	begin(2);
	run_sql("INSERT INTO comm_row VALUES (0, 2, 78, NULL, 0, 1, 0, NULL, NULL, 's')");
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){ SEND, .rank = rank, .peer = !rank, .post = 500, .span = 50 });
		coll((struct given_coll){ rank, FN_MPI_Barrier, 1, -1, .post = 1000, .span = 100 });
	}
	coll((struct given_coll){ 0, FN_MPI_Barrier, 2, -1, .post = 2000, .span = 100 });
	run_sql("UPDATE coll_row SET comm = 2 WHERE seq = 2");
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5000, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 8000, .span = 100 });
	give_lines();
	analyze();
	replay(&(struct replay_changes){ .balance = "40,30" });
	/* 2900 and 6900 become 4900 */
	CU_ASSERT_EQUAL(after.rank[0].computation_ns - before.rank[0].computation_ns, 2000);
	CU_ASSERT_EQUAL(after.rank[1].computation_ns - before.rank[1].computation_ns, -2000);
	forget();
	end();
}

/*
 * Sections that begin at the start are equal, too: both are at the first barrier at 1500 and not
 * at 2000, and 500 earlier from there on.
 */
static void work_between_collectives_is_made_equal(void)
{
	two_barriers();
	replay(&(struct replay_changes){ .balance = "collectives" });
	CU_ASSERT_EQUAL(after.run_ns, 9667);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_COLLECTIVE), 9867 - 8200);
	forget();
	end();
}

/*
 * 7500 each. Rank 0: 1875, a barrier until 1975, 1875, a send from 3850 to 3950, 3750. Rank 1:
 * 1364, 341, a receive from 2316 to 3950, 5795 until 9745. They leave at 9845.
 */
static void work_of_the_whole_run_is_made_equal(void)
{
	two_barriers();
	replay(&(struct replay_changes){ .balance = "run" });
	CU_ASSERT_EQUAL(after.run_ns, 10045);
	CU_ASSERT_EQUAL(after.rank[0].computation_ns, 7500);
	CU_ASSERT_EQUAL(after.rank[1].computation_ns, 7500);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 3850 - 2316);
	forget();
	end();
}

/* Rank 0 has none between its barriers, and gets 1000 of rank 1's 2000 before the last of them. */
static void who_has_no_work_gets_it_before_its_last_call(void)
{
	begin(2);
	for (int rank = 0; rank < 2; rank++)
		coll((struct given_coll){ rank, FN_MPI_Barrier, 1, -1, .post = 1000, .span = 100 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1100, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1600, .span = 100 });
	coll((struct given_coll){ 0, FN_MPI_Barrier, 2, -1, .post = 1200, .span = 2100 });
	coll((struct given_coll){ 1, FN_MPI_Barrier, 2, -1, .post = 3200, .span = 100 });
	give_lines();
	analyze();
	replay(&(struct replay_changes){ .balance = "collectives" });
	CU_ASSERT_EQUAL(before.run_ns, 12000);
	CU_ASSERT_EQUAL(after.run_ns, 11000);
	CU_ASSERT_EQUAL(after.rank[0].computation_ns, 2000);
	CU_ASSERT_EQUAL(after.rank[1].computation_ns, 2000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_COLLECTIVE), 0);
	forget();
	end();
}

/* The sum of 40 times 2^58 has no place in 64 bits. */
static void work_of_damaged_runs_is_no_less_than_none(void)
{
	enum { LANES = 40 };
	struct replay_rank rank[LANES] = { { 0 } };
	struct replay_lane lane[LANES] = { { 0 } };
	struct replay_call call[LANES] = { { 0 } };
	struct replay_graph damaged = { .rank = rank,
		.lane = lane,
		.call = call,
		.nranks = LANES,
		.nlanes = LANES,
		.ncalls = LANES };
	int64_t gap_ns[LANES];

	for (uint32_t i = 0; i < LANES; i++) {
		lane[i] = (struct replay_lane){ .rank = i, .first = i, .n = 1 };
		call[i] = (struct replay_call){
			.gap_ns = CLOCK_NS_MAX, .posts = REPLAY_NONE, .dones = REPLAY_NONE
		};
	}
	CU_ASSERT_EQUAL(replay_balance(&damaged, SECTIONS_RUN, NULL, gap_ns), 0);
	for (uint32_t i = 0; i < LANES; i++)
		CU_ASSERT(gap_ns[i] >= 0 && gap_ns[i] <= CLOCK_NS_MAX);
}

static const struct unit_test tests[] = { { "work between two places is made equal",
						  work_between_two_places_is_made_equal },
	{ "the last call at a place begins a section", the_last_call_at_a_place_begins_a_section },
	{ "sections count, and not calls", sections_count_and_not_calls },
	{ "computation before a line is faster", computation_before_a_line_is_faster },
	{ "work between collectives is made equal", work_between_collectives_is_made_equal },
	{ "work of the whole run is made equal", work_of_the_whole_run_is_made_equal },
	{ "who has no work gets it before its last call",
		who_has_no_work_gets_it_before_its_last_call },
	{ "work of damaged runs is no less than none", work_of_damaged_runs_is_no_less_than_none },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay_work", tests);
	scratch_remove(dir);
	return failed;
}
