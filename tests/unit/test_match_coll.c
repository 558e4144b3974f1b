/* SPDX-License-Identifier: BSD-3-Clause */
/* test_match_coll.c: waits in collectives, on runs of a few of them made by hand in memory. */
#include "analysis/collective/waits.h"
#include "tests/unit/match_run.h"

static struct coll_member member(struct run_rank *rank, int my_rank, int64_t enter, int64_t to)
{
	return (struct coll_member){
		.rank = rank, .enter = enter, .from = enter, .to = to, .my_rank = my_rank
	};
}

static void collectives_wait_as_scalasca_says(void)
{
	struct run_rank rank[3] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 } };
	struct coll_member m[3] = { member(&rank[0], 0, 100, 900), member(&rank[1], 1, 400, 900),
		member(&rank[2], 2, 250, 900) };
	struct coll_wait w[3];
	struct coll_entry order[3];

	coll_waits(m, 3, coll_state_of(FN_MPI_Barrier), -1, w, order);
	CU_ASSERT(w[0].ns[0] == 300 && w[1].ns[0] == 0 && w[2].ns[0] == 150 && w[0].late[0] == 1);
	coll_waits(m, 3, coll_state_of(FN_MPI_Bcast), 2, w, order);
	CU_ASSERT(w[0].ns[0] == 150 && w[1].ns[0] == 0 && w[2].ns[0] == 0 && w[0].late[0] == 2);
	coll_waits(m, 3, coll_state_of(FN_MPI_Reduce), 0, w, order);
	CU_ASSERT(w[0].ns[0] == 150 && w[1].ns[0] == 0 && w[2].ns[0] == 0 && w[0].late[0] == 2);
	CU_ASSERT(w[0].ns[1] == 150 && w[1].ns[1] == 0 && w[2].ns[1] == 0 && w[0].late[1] == 1);
	coll_waits(m, 3, coll_state_of(FN_MPI_Scan), -1, w, order);
	CU_ASSERT(w[0].ns[0] == 0 && w[1].ns[0] == 0 && w[2].ns[0] == 150 && w[2].late[0] == 1);
	CU_ASSERT_EQUAL(coll_state_of(FN_MPI_Iallreduce), COLL_NXN);
	CU_ASSERT_EQUAL(coll_state_of(FN_MPI_Send), COLL_NONE);
}

/* Whom the library lets go before the last one comes, waited for others at most. */
static void who_makes_a_communicator_waits_for_those_that_come_before_it_is_done(void)
{
	struct run_rank rank[3] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 } };
	struct coll_member m[3] = { member(&rank[0], 0, 10000, 90500),
		member(&rank[1], 1, 90000, 90500), member(&rank[2], 2, 20000, 20500) };
	static const int makers[] = { FN_MPI_Comm_dup, FN_MPI_Comm_split, FN_MPI_Cart_create,
		FN_MPI_Dist_graph_create_adjacent, FN_MPI_Intercomm_merge };
	struct coll_wait w[3];
	struct coll_entry order[3];

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		CU_ASSERT_EQUAL(coll_state_of(makers[i]), COLL_MAKER);
		coll_waits(m, 3, COLL_MAKER, -1, w, order);
		CU_ASSERT(w[0].ns[0] == 80000 && w[0].late[0] == 1);
		CU_ASSERT(w[1].ns[0] == 0 && w[2].ns[0] == 0 && w[2].ns[1] == 0);
	}
	m[0].to = 20600;
	coll_waits(m, 3, COLL_MAKER, -1, w, order);
	CU_ASSERT(w[0].ns[0] == 0 && w[0].ns[1] == 10000 && w[0].late[1] == 2);
	CU_ASSERT_EQUAL(coll_state_of(FN_MPI_Comm_create_group), COLL_NONE);
}

/*
 * Rank 0 waits in one call for three collectives and perhaps a message of rank 1, which comes 8 us
 * later: it waited once.
 */
static void what_one_call_waits_for_is_shared_by_its_collectives(void)
{
	for (int messages = 0; messages < 2; messages++) {
		begin(2);
		for (int i = 0; i < 3; i++) {
			coll((struct given_coll){
				0, FN_MPI_Ibarrier, i + 1, -1, 1000 + 10 * i, 5, 2000, 9000 });
			coll((struct given_coll){
				1, FN_MPI_Ibarrier, i + 1, -1, 10000 + 200 * i, 5, 10900, 100 });
		}
		if (messages) {
			op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1100, .span = 5,
				.wait_enter = 2000, .wait_span = 9000, .predicted = 300 });
			op((struct given){ SEND, .rank = 1, .peer = 0, .post = 10500, .span = 5,
				.predicted = 5 });
		}
		run_sql("UPDATE coll_row SET done = %d", FN_MPI_Waitall | 9 << 10);
		run_sql("UPDATE op_row SET done = %d WHERE done IS NOT NULL",
			FN_MPI_Waitall | 9 << 10);
		analyze();
		CU_ASSERT(text_is("SELECT group_concat(wait_ns) FROM (SELECT wait_ns FROM "
				  "collective_wait ORDER BY rank, seq)",
			"8000,200,200"));
		CU_ASSERT_EQUAL(
			number("SELECT sum(late_ns) FROM match"), messages ? 100 : INT64_MIN);
		CU_ASSERT(text_is(
			"SELECT group_concat(excess_ns) FROM exact_profile WHERE kind = 'recv'",
			messages ? "300" : ""));
		CU_ASSERT_EQUAL(number("SELECT sum(ns) FROM wait_slot_cell WHERE site = 9 AND code "
				       ">> 10 = 0"),
			messages ? 8700 : 8400);
		end();
	}
}

/*
 * Three ranks open a file and a window alike. Rank 2 comes 8 us late to the first call on each, and
 * rank 1 leaves it early: the others' waits are rank 2's fault, and it is on the critical path.
 * They are in no table of collectives.
 */
static void fences_and_collective_files_wait_for_the_last_member(void)
{
	for (int is_file = 0; is_file < 2; is_file++) {
		begin(3);
		for (int rank = 0; rank < 3; rank++) {
			if (is_file)
				run_sql("INSERT INTO io_file VALUES (%d, 1, 99, 1, 0, 'f')", rank);
			else
				run_sql("INSERT INTO rma_window VALUES (%d, 1, 77, 1, "
					"'MPI_Win_create', 8, 1, NULL)",
					rank);
			run_sql("INSERT INTO %s VALUES (%lld, %d, 1, NULL, 8, %d, %d, 0, %d, 0, "
				"NULL, NULL, NULL, NULL)",
				is_file ? "io_row" : "rma_row", ((long long)rank << 40) + 1,
				is_file ? FN_MPI_File_write_at_all : FN_MPI_Win_fence,
				rank == 2 ? 10000 : 2000,
				rank == 2         ? 500 :
					rank == 1 ? 600 :
						    8500,
				7 + rank);
			run_sql("UPDATE run SET value = 11000 WHERE key = 'end_ns'");
		}
		analyze();
		CU_ASSERT_EQUAL(result.collectives, 0);
		CU_ASSERT_EQUAL(number("SELECT count(*) FROM collective_wait"), 0);
		CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame WHERE rank = 2 AND what = "
				       "'computation'"),
			8000);
		CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 8000);
		CU_ASSERT_EQUAL(number("SELECT path_ns FROM critical_path WHERE rank = 2 AND what "
				       "= 'computation' AND after_callsite IS NULL"),
			10000);
		end();
	}
}

/* Ranks 0 to 2 enter at 1000, 3000 and 2000, and leave at 9000. */
static void three_enter(int fn, int root)
{
	static const int64_t enter[] = { 1000, 3000, 2000 };

	begin(3);
	for (int rank = 0; rank < 3; rank++)
		coll((struct given_coll){
			rank, fn, 7, root, enter[rank], 9000 - enter[rank], 0, 0 });
	analyze();
	CU_ASSERT_EQUAL(result.collectives, 1);
	CU_ASSERT_EQUAL(result.collectives_cut, 0);
}

/* What the members waited for in this state, "rank>late_rank:wait" each. */
static bool waited(const char *state, const char *wanted)
{
	char sql[300];

	snprintf(sql, sizeof(sql),
		"SELECT group_concat(rank || '>' || late_rank || ':' || wait_ns, ' ')"
		" FROM (SELECT * FROM collective_wait WHERE state = '%s' ORDER BY rank)",
		state);
	return text_is(sql, wanted);
}

static void each_collective_waits_for_whom_it_needs(void)
{
	static const struct {
		int fn, root;
		const char *state, *waits, *then;
	} cases[] = {
		{ FN_MPI_Barrier, -1, "wait_at_barrier", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Allreduce, -1, "wait_at_nxn", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Alltoallv, -1, "wait_at_nxn", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Reduce_scatter_block, -1, "wait_at_nxn", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Comm_split, -1, "wait_at_nxn", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Bcast, 1, "late_broadcast", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Bcast, 2, "late_broadcast", "0>2:1000", "" },
		{ FN_MPI_Scatterv, 1, "late_broadcast", "0>1:2000 2>1:1000", "" },
		{ FN_MPI_Reduce, 0, "early_reduce", "0>2:1000", "0>1:1000" },
		/* rank 0 was there before the root */
		{ FN_MPI_Gather, 2, "early_reduce", "", "2>1:1000" },
		{ FN_MPI_Gatherv, 0, "early_reduce", "0>2:1000", "0>1:1000" },
		{ FN_MPI_Scan, -1, "early_scan", "2>1:1000", "" },
		{ FN_MPI_Exscan, -1, "early_scan", "2>1:1000", "" },
	};
	char sql[200];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		three_enter(cases[i].fn, cases[i].root);
		CU_ASSERT(waited(cases[i].state, cases[i].waits));
		CU_ASSERT(waited("late_member", cases[i].then));
		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM collective_wait WHERE state NOT IN"
			" ('%s', 'late_member')",
			cases[i].state);
		CU_ASSERT_EQUAL(number(sql), 0);
		end();
	}
}

/*
 * The root leaves with the first of two late ones: nobody is waited for longer than one was in the
 * call.
 */
static void a_root_waits_until_its_call_returns(void)
{
	begin(3);
	coll((struct given_coll){ 0, FN_MPI_Reduce, 7, 0, 1000, 3000, 0, 0 });
	coll((struct given_coll){ 1, FN_MPI_Reduce, 7, 0, 3000, 50, 0, 0 });
	coll((struct given_coll){ 2, FN_MPI_Reduce, 7, 0, 6000, 50, 0, 0 });
	analyze();
	CU_ASSERT(waited("early_reduce", "0>1:2000"));
	CU_ASSERT(waited("late_member", "0>2:1000"));
	end();
}

/*
 * One whom nobody needs by definition comes 8000 after the others; who stayed is there until
 * `leave`.
 */
static bool held_up(int fn, int root, int late, int stayed, int64_t late_span, int64_t leave,
	const char *wanted)
{
	bool equal;

	begin(3);
	for (int rank = 0; rank < 3; rank++)
		coll((struct given_coll){ rank, fn, 7, root, rank == late ? 9000 : 1000,
			rank == late           ? late_span :
				rank == stayed ? leave - 1000 :
						 100,
			0, 0 });
	analyze();
	equal = waited("late_member", wanted) &&
		number("SELECT count(*) FROM collective_wait") == (*wanted != '\0');
	end();
	return equal;
}

static void who_holds_up_the_way_through_the_members_is_told(void)
{
	/* a broadcast's tree, a reduction's, a handshake with the root, neighbours */
	CU_ASSERT(held_up(FN_MPI_Bcast, 0, 1, 2, 50, 9100, "2>1:8000"));
	CU_ASSERT(held_up(FN_MPI_Scatter, 0, 1, 0, 50, 9100, "0>1:8000"));
	CU_ASSERT(held_up(FN_MPI_Gather, 0, 0, 2, 50, 9100, "2>0:8000"));
	CU_ASSERT(held_up(FN_MPI_Scan, -1, 2, 0, 50, 9100, "0>2:8000"));
	CU_ASSERT(held_up(FN_MPI_Neighbor_alltoall, -1, 1, 0, 50, 9100, "0>1:8000"));
	/* it left before */
	CU_ASSERT(held_up(FN_MPI_Bcast, 0, 1, 2, 50, 8900, ""));
	/* at work: for long after that, or both as long as each other */
	CU_ASSERT(held_up(FN_MPI_Bcast, 0, 1, 2, 50, 13100, ""));
	CU_ASSERT(held_up(FN_MPI_Bcast, 0, 1, 2, 8100, 9100, ""));
}

/* Rank 0 waits for rank 1, which waits as long for rank 2. */
static void who_holds_up_others_may_have_been_held_up(void)
{
	begin(3);
	for (int rank = 0; rank < 3; rank++)
		coll((struct given_coll){ rank, FN_MPI_Neighbor_allgather, 7, -1,
			1000 + 8000 * rank, rank == 2 ? 50 : 8100, 0, 0 });
	analyze();
	CU_ASSERT(waited("late_member", "0>1:8000 1>2:8000"));
	end();
}

/* The same ranks in a copy of an intercommunicator of rank 0 with the others. */
static bool sides_waited(int fn, const int root[3], const char *wanted)
{
	static const int64_t enter[] = { 1000, 3000, 2000 };
	bool equal;

	begin(3);
	run_sql("INSERT INTO comm_row VALUES (0, 2, 11, 1, 0, 1, 0, NULL, NULL, 'a'),"
		" (1, 2, 12, 1, 0, 2, 0, NULL, NULL, 'b'), (2, 2, 12, 1, 0, 2, 1, NULL, NULL, 'b'),"
		" (0, 3, 99, 2, 0, 1, 0, 2, NULL, 'i'), (1, 3, 99, 2, 0, 2, 0, 1, NULL, 'i'),"
		" (2, 3, 99, 2, 0, 2, 1, 1, NULL, 'i'), (0, 4, 98, 3, 0, 1, 0, 2, NULL, 'j'),"
		" (1, 4, 98, 3, 0, 2, 0, 1, NULL, 'j'), (2, 4, 98, 3, 0, 2, 1, 1, NULL, 'j')");
	for (int rank = 0; rank < 3; rank++)
		coll((struct given_coll){
			rank, fn, 7, root[rank], enter[rank], 9000 - enter[rank], 0, 0 });
	run_sql("UPDATE coll_row SET comm = 4");
	analyze();
	CU_ASSERT_EQUAL(result.collectives, 1);
	CU_ASSERT_EQUAL(result.collectives_cut, 0);
	equal = text_is(
		"SELECT coalesce(group_concat(rank || '>' || late_rank || ':' || wait_ns, ' '), '')"
		" FROM (SELECT * FROM collective_wait ORDER BY rank)",
		wanted);
	end();
	return equal;
}

/* Roots as each side knows them: its own is MPI_ROOT, beside which others give MPI_PROC_NULL. */
static void sides_of_an_intercommunicator_wait_for_each_other(void)
{
	static const int none[] = { -1, -1, -1 }, of_0[] = { 0, 0, 0 }, of_1[] = { 1, 1, -1 };

	CU_ASSERT(sides_waited(FN_MPI_Barrier, none, "0>1:2000"));
	CU_ASSERT(sides_waited(FN_MPI_Allreduce, none, "0>1:2000"));
	CU_ASSERT(sides_waited(FN_MPI_Bcast, of_0, ""));
	CU_ASSERT(sides_waited(FN_MPI_Bcast, of_1, "0>1:2000"));
	CU_ASSERT(sides_waited(FN_MPI_Reduce, of_0, "0>2:1000 0>1:1000"));
	CU_ASSERT(sides_waited(FN_MPI_Gather, of_1, ""));
}

/*
 * Posted at 1000 and 5000; rank 0 waits from 4000 on, rank 1 comes to its Wait late and waits no
 * more.
 */
static void a_nonblocking_collective_waits_where_it_blocks(void)
{
	begin(2);
	coll((struct given_coll){ 0, FN_MPI_Ibarrier, 1, -1, 1000, 100, 4000, 1500 });
	coll((struct given_coll){ 1, FN_MPI_Ibarrier, 1, -1, 5000, 100, 8000, 50 });
	analyze();
	CU_ASSERT(text_is("SELECT group_concat(rank || ' ' || state || ' ' || wait_ns || ' ' || "
			  "callsite || ' ' || complete_callsite) FROM collective_wait",
		"0 wait_at_barrier 1000 4 9"));
	end();
}

static void begin_busy(int ranks)
{
	begin(ranks);
}

/* A nonblocking collective that takes 100 to post, by one rank, which is in no other call. */
static void posts_and_waits(int rank, int fn, int root, int64_t post, int64_t wait, int64_t span)
{
	coll((struct given_coll){ rank, fn, 1, root, post, 100, wait, span });
	inside(rank, post, post + 100);
	inside(rank, wait, wait + span);
}

/* The waits of state late_progress, with when they began in the call. */
static bool held_up_by(const char *wanted)
{
	return text_is(
		"SELECT coalesce(group_concat(rank || '>' || late_rank || ':' || start_ns || '+' "
		"|| wait_ns, ' '), '') FROM (SELECT * FROM collective_wait WHERE state = "
		"'late_progress' ORDER BY rank)",
		wanted);
}

/*
 * Rank 1 computes from 1100 until 9000; rank 0 needs it, rank 2 is let go and needs rank 3 for a
 * while.
 */
static void who_computes_between_post_and_wait_holds_up_others(void)
{
	begin_busy(4);
	posts_and_waits(0, FN_MPI_Iallreduce, -1, 1000, 1200, 7900);
	posts_and_waits(1, FN_MPI_Iallreduce, -1, 1000, 9000, 20);
	posts_and_waits(2, FN_MPI_Iallreduce, -1, 1000, 1200, 3050);
	posts_and_waits(3, FN_MPI_Iallreduce, -1, 1000, 4200, 20);
	analyze();
	CU_ASSERT(held_up_by("0>1:0+7800 2>3:0+3000"));
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM collective_wait"), 2);
	CU_ASSERT_EQUAL(
		number("SELECT sum(blame_ns) FROM blame WHERE rank = 1 AND what = 'computation'"),
		7800);
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 10800);
	end();
}

/*
 * Rank 1 posts 2000 late, then computes: two waits. The path goes to its computation before and
 * after.
 */
static void who_posts_late_is_late_until_then(void)
{
	begin_busy(2);
	posts_and_waits(0, FN_MPI_Ibarrier, -1, 1000, 1200, 7900);
	posts_and_waits(1, FN_MPI_Ibarrier, -1, 3000, 9000, 20);
	run_sql("UPDATE run SET value = 9100 WHERE key = 'end_ns'");
	analyze();
	CU_ASSERT(waited("wait_at_barrier", "0>1:1800"));
	CU_ASSERT(held_up_by("0>1:1900+5900"));
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE rank = 1 AND what = "
			       "'computation'"),
		8900);
	end();
}

static void who_was_inside_mpi_or_is_not_known_to_have_been_outside_held_up_nobody(void)
{
	for (int what = 0; what < 4; what++) {
		begin_busy(2);
		posts_and_waits(0, FN_MPI_Iallreduce, -1, 1000, 1200, what == 1 ? 7700 : 7900);
		coll((struct given_coll){ 1, FN_MPI_Iallreduce, 1, -1, 1000, 100, 9000, 20 });
		/* in another call; it leaves before; not a row; rows are missing */
		if (what == 0)
			inside(1, 1000, 9020);
		if (what == 1 || what == 3)
			inside(1, 1000, 1100);
		if (what == 1)
			inside(1, 9000, 9020);
		if (what == 3)
			inside(1, 20000, 20020);
		analyze();
		CU_ASSERT(held_up_by(""));
		end();
	}
}

/*
 * Rank 1 looks at its request now and then: what lies between counts, more of them than are kept
 * apart as well.
 */
static void looks_in_between_are_no_absence(void)
{
	for (int looks = 3; looks < 30; looks += 13) {
		const int until = 3000 * looks + 3000;
		char wanted[80];

		begin_busy(3);
		posts_and_waits(0, FN_MPI_Iallreduce, -1, 1000, 1200, until - 1100);
		/* the second look lets it go */
		posts_and_waits(2, FN_MPI_Iallreduce, -1, 1000, 1200, 4900);
		coll((struct given_coll){ 1, FN_MPI_Iallreduce, 1, -1, 1000, 100, until, 20 });
		inside(1, 1000, 1100);
		for (int i = 1; i <= looks + 1; i++)
			inside(1, 3000 * i, 3000 * i + 20);
		analyze();
		snprintf(wanted, sizeof(wanted), "0>1:%d+%d%s", 20 * looks,
			until - 1200 - 20 * looks, looks == 3 ? " 2>1:20+4780" : "");
		CU_ASSERT(held_up_by(wanted));
		end();
	}
}

/*
 * Rank 1 computes until 9000. Rank `stays` is in its call until `leave`, and the other one until
 * 1300.
 */
static bool kept(int fn, int root, int stays, int64_t leave, int64_t span)
{
	bool as_wanted;
	char wanted[40];

	begin_busy(3);
	for (int rank = 0; rank < 3; rank++)
		posts_and_waits(rank, fn, root, 1000, rank == 1 ? 9000 : 1200,
			rank == 1             ? span :
				rank == stays ? leave - 1200 :
						100);
	analyze();
	snprintf(wanted, sizeof(wanted), "%d>1:0+7800", stays);
	as_wanted = held_up_by(wanted);
	CU_ASSERT(as_wanted || held_up_by(""));
	end();
	return as_wanted;
}

static void who_is_not_needed_by_definition_is_judged_by_the_clock(void)
{
	/* all; the root; the root by all; lower ranks: also where the call goes on for long */
	CU_ASSERT(kept(FN_MPI_Ialltoall, -1, 0, 19100, 10000));
	CU_ASSERT(kept(FN_MPI_Ibcast, 1, 2, 19100, 10000));
	CU_ASSERT(kept(FN_MPI_Igather, 0, 0, 19100, 10000));
	CU_ASSERT(kept(FN_MPI_Iscan, -1, 2, 19100, 10000));
	/* in a tree, above in a reduction, higher ranks, neighbours */
	CU_ASSERT(kept(FN_MPI_Ibcast, 0, 2, 9100, 20));
	CU_ASSERT(kept(FN_MPI_Ireduce, 1, 0, 9100, 20));
	CU_ASSERT(kept(FN_MPI_Iscan, -1, 0, 9100, 20));
	CU_ASSERT(kept(FN_MPI_Ineighbor_allgather, -1, 0, 9100, 20));
	CU_ASSERT(!kept(FN_MPI_Ibcast, 0, 2, 19100, 20));
	CU_ASSERT(!kept(FN_MPI_Ireduce, 1, 0, 9100, 8000));
}

/*
 * Rank 0 waits in one call for two collectives, and perhaps for a message: which of them kept it,
 * nobody knows.
 */
static void a_call_that_waits_for_messages_tells_no_absence(void)
{
	for (int messages = 0; messages < 2; messages++) {
		begin_busy(2);
		posts_and_waits(0, FN_MPI_Ibarrier, -1, 1000, 1300, 7800);
		posts_and_waits(1, FN_MPI_Ibarrier, -1, 1000, 9000, 50);
		for (int rank = 0; rank < 2; rank++)
			coll((struct given_coll){ rank, FN_MPI_Ibarrier, 2, -1, 1100, 10,
				rank ? 9000 : 1300, rank ? 50 : 7800 });
		if (messages) {
			op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1200, .span = 5,
				.wait_enter = 1300, .wait_span = 7800, .predicted = 300 });
			op((struct given){ SEND, .rank = 1, .peer = 0, .post = 1200, .span = 5,
				.predicted = 5 });
		}
		run_sql("UPDATE coll_row SET done = %d WHERE id < 1 << 40",
			FN_MPI_Waitall | 9 << 10);
		run_sql("UPDATE op_row SET done = %d WHERE done IS NOT NULL",
			FN_MPI_Waitall | 9 << 10);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT coalesce(sum(wait_ns), 0) FROM collective_wait"),
			messages ? 0 : 7700);
		end();
	}
}

/* Rank 1's row is missing: that is told; the others' waits are those for each other. */
static void a_collective_without_all_members_is_told(void)
{
	begin(3);
	coll((struct given_coll){ 0, FN_MPI_Barrier, 1, -1, 1000, 3000, 0, 0 });
	coll((struct given_coll){ 2, FN_MPI_Barrier, 1, -1, 2000, 2000, 0, 0 });
	analyze();
	CU_ASSERT_EQUAL(result.collectives_cut, 1);
	CU_ASSERT_EQUAL(number("SELECT wait_ns FROM collective_wait WHERE rank = 0"), 1000);
	CU_ASSERT_EQUAL(number("SELECT complete_callsite FROM collective_wait WHERE rank = 0"), 4);
	end();
}

static const struct unit_test tests[] = { { "collectives wait as Scalasca says",
						  collectives_wait_as_scalasca_says },
	{ "who makes a communicator waits for those that come before it is done",
		who_makes_a_communicator_waits_for_those_that_come_before_it_is_done },
	{ "each collective waits for whom it needs", each_collective_waits_for_whom_it_needs },
	{ "a root waits until its call returns", a_root_waits_until_its_call_returns },
	{ "who holds up the way through the members is told",
		who_holds_up_the_way_through_the_members_is_told },
	{ "who holds up others may have been held up", who_holds_up_others_may_have_been_held_up },
	{ "sides of an intercommunicator wait for each other",
		sides_of_an_intercommunicator_wait_for_each_other },
	{ "a nonblocking collective waits where it blocks",
		a_nonblocking_collective_waits_where_it_blocks },
	{ "who computes between post and wait holds up others",
		who_computes_between_post_and_wait_holds_up_others },
	{ "who posts late is late until then", who_posts_late_is_late_until_then },
	{ "who was inside MPI, or is not known to have been outside, held up nobody",
		who_was_inside_mpi_or_is_not_known_to_have_been_outside_held_up_nobody },
	{ "looks in between are no absence", looks_in_between_are_no_absence },
	{ "who is not needed by definition is judged by the clock",
		who_is_not_needed_by_definition_is_judged_by_the_clock },
	{ "a call that waits for messages tells no absence",
		a_call_that_waits_for_messages_tells_no_absence },
	{ "what one call waits for is shared by its collectives",
		what_one_call_waits_for_is_shared_by_its_collectives },
	{ "fences and collective files wait for the last member",
		fences_and_collective_files_wait_for_the_last_member },
	{ "a collective without all members is told", a_collective_without_all_members_is_told },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match_coll", tests);
	scratch_remove(dir);
	return failed;
}
