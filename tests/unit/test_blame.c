/* SPDX-License-Identifier: BSD-3-Clause */
/* test_blame.c: blame for waits and the critical path, on runs made by hand in memory. */
#include <stdlib.h>

#include "tests/unit/match_run.h"

/* Rank 0 is 50000 too long; 1 waits for 0, 2 for 1. */
static void blame_ends_at_whom_it_began_with(void)
{
	begin(3);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 51000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 50200, .predicted = 200 });
	op((struct given){
		SEND, .rank = 1, .peer = 2, .post = 51300, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 2, .peer = 1, .post = 1000, .span = 50500, .predicted = 200 });
	analyze();
	CU_ASSERT_EQUAL(result.blame.waits_ns, 50000 + 50300);
	CU_ASSERT(number("SELECT sum(direct_ns) FROM blame WHERE rank = 0 AND what = "
			 "'computation'") >= 49990);
	CU_ASSERT(
		number("SELECT sum(blame_ns) FROM blame WHERE rank = 0 AND what = 'computation'") >=
		99900);
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 100300);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path"), 100000);
	CU_ASSERT_EQUAL(result.blame.path_ns, result.blame.run_ns);
	end();
}

/*
 * Rank 2 receives 50000 too late; 1 sends to it before it receives from 0, which then sends to 3.
 */
static void blame_of_a_bottleneck_goes_on_to_whom_it_began_with(void)
{
	begin(4);
	op((struct given){ RECV, .rank = 2, .peer = 1, .post = 51000, .span = 100, .predicted = 100,
		.protocol = PROTOCOL_RENDEZVOUS });
	op((struct given){ SEND, .rank = 1, .peer = 2, .post = 1000, .span = 50100,
		.predicted = 100, .protocol = PROTOCOL_RENDEZVOUS });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 51200, .span = 100, .predicted = 100,
		.protocol = PROTOCOL_RENDEZVOUS });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 50300,
		.predicted = 100, .protocol = PROTOCOL_RENDEZVOUS });
	op((struct given){ SEND, .rank = 0, .peer = 3, .post = 51400, .span = 100, .predicted = 100,
		.protocol = PROTOCOL_RENDEZVOUS });
	op((struct given){ RECV, .rank = 3, .peer = 0, .post = 1000, .span = 50500,
		.predicted = 100, .protocol = PROTOCOL_RENDEZVOUS });
	run_sql("INSERT INTO busy_row VALUES (%lld, 1000, 50100, 0), (%lld, 51000, 100, 0), (%lld, "
		"1000, 50500, 0), (1, 1000, 50500, 0)",
		(1LL << 40) + 1, (2LL << 40) + 1, (3LL << 40) + 1);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM blame_of_row"), 2);
	CU_ASSERT_EQUAL(
		number("SELECT code >> 14 FROM blame_of_row WHERE n = 1"), CAUSE_LATE_RECEIVER);
	CU_ASSERT_EQUAL(
		number("SELECT code >> 14 FROM blame_of_row WHERE n = 2"), CAUSE_LATE_SENDER);
	/* what the sends waited, and the receive */
	CU_ASSERT(llabs(number("SELECT sum(of1 + of2 - direct - passed) FROM blame_cell")) < 256);
	CU_ASSERT(llabs(number("SELECT sum(of2) / 256 FROM blame_cell") - 50400) < 5);
	CU_ASSERT(number("SELECT of1 / 256 FROM blame_cell WHERE rank = 2 AND what = 1") > 99500);
	CU_ASSERT(number("SELECT of2 / 256 FROM blame_cell WHERE rank = 2 AND what = 1") > 49500);
	end();
}

/*
 * Rank 1 comes 50000 late to a reduction, and its root, which waits for it, so late to a barrier.
 */
static void blame_and_path_go_through_the_wait_of_a_root(void)
{
	begin(3);
	for (int rank = 0; rank < 3; rank++) {
		int64_t enter = rank == 1 ? 51000 : 1000, leave = rank == 0 ? 51100 : enter + 100;

		coll((struct given_coll){ rank, FN_MPI_Reduce, 7, 0, enter, leave - enter, 0, 0 });
		coll((struct given_coll){
			rank, FN_MPI_Barrier, 8, -1, leave + 100, 51400 - leave - 100, 0, 0 });
	}
	run_sql("UPDATE run SET value = 52000 + 1000 * rank WHERE key = 'end_ns'");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(wait_ns) FROM collective_wait WHERE rank = 0"), 50000);
	CU_ASSERT_EQUAL(result.blame.waits_ns, 50000 + 50000);
	CU_ASSERT(
		number("SELECT sum(blame_ns) FROM blame WHERE rank = 1 AND what = 'computation'") >=
		99500);
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 100000);
	/* until the end of the rank that ended last */
	CU_ASSERT_EQUAL(result.blame.run_ns, 54000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path"), 54000);
	CU_ASSERT(number("SELECT sum(path_ns) FROM critical_path WHERE rank = 1 AND what = "
			 "'computation'") >= 51000);
	end();
}

/* Rank 0 writes a file and waits for a put before it sends, and writes again at its end. */
static void blame_and_path_know_files_and_windows(void)
{
	const char *transfer =
		"INSERT INTO %s VALUES (%d, %d, 1, NULL, 8, %d, %d, 0, %d, NULL, %s, NULL)";

	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 51000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 50200, .predicted = 200 });
	run_sql(transfer, "io_row", 1, FN_MPI_File_write, 2000, 20000, 6, "NULL, NULL, NULL");
	run_sql(transfer, "io_row", 2, FN_MPI_File_write, 60000, 40000, 6, "NULL, NULL, NULL");
	/* 7000 ns between post and completion */
	run_sql(transfer, "rma_row", 1, FN_MPI_Rput, 23000, 1000, 7, "1, 7000, 10000");
	run_sql("UPDATE rma_row SET done = %d", FN_MPI_Wait | 8 << 10);
	run_sql("UPDATE run SET value = 99000 WHERE key = 'end_ns' AND rank = 1");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 50000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(blame_ns) FROM blame WHERE what = 'call' AND callsite = 6"),
		20000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(blame_ns) FROM blame WHERE what = 'call' AND callsite = 7"),
		1000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(blame_ns) FROM blame WHERE what = 'call' AND callsite = 8"),
		10000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path"), 100000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'call' AND "
			       "callsite = 6"),
		60000);
	end();
}

/*
 * Rank 0 is late for rank 1: it polls for a message of rank 2, in two stretches; makes a
 * communicator; polls for what does not come.
 */
static void polling_and_makers_of_communicators_are_no_computation(void)
{
	begin(3);
	op((struct given){ RECV, .rank = 0, .peer = 2, .post = 500, .span = 100,
		.wait_enter = 30500, .wait_span = 100, .predicted = 100 });
	run_sql("UPDATE op_row SET poll = 20100");
	op((struct given){
		SEND, .rank = 2, .peer = 0, .post = 30300, .span = 100, .predicted = 100 });
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 51000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 50200, .predicted = 200 });
	run_sql("INSERT INTO busy_row VALUES (1, 500, 100, 0), (2, 10500, 9000, 0), (3, 20500, "
		"10100, 0), (4, 32000, 12000, 0), (5, 51000, 100, 0), (6, 60000, 30000, 0), (7, "
		"60000, 30000, 5), (%lld, 1000, 50200, 0)",
		(1LL << 40) + 1);
	run_sql("UPDATE run SET value = 99000 WHERE key = 'end_ns' AND rank > 0");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 50000);
	/* Test and the send */
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'call' AND "
			       "callsite = 9"),
		19100);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'other_call' AND"
		       " callsite = 2 AND after_callsite = 9"),
		12000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'other_call' AND"
		       " callsite = 0 AND after_callsite = 2"),
		30000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path"), 100000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'computation'"),
		100000 - 19100 - 42000 - 200);
	CU_ASSERT(
		llabs(number("SELECT sum(blame_ns) FROM blame WHERE what = 'call'") - 19200) < 300);
	CU_ASSERT(llabs(number("SELECT sum(blame_ns) FROM blame WHERE what = 'other_call'") -
			  12000) < 300);
	end();
}

/*
 * Rank 0 computes until 50000. In this time it has no CPU for 10000 and sleeps for 4000. Rank 1
 * receives from 20000 on, and had no CPU for 3000 before.
 */
static void blame_and_path_tell_when_there_was_no_cpu(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 50000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 20000, .span = 30300, .predicted = 200 });
	run_sql("INSERT INTO off_cpu_row VALUES (1, 10000, 10000, 0, %d, 2, 0),"
		" (2, 30000, 4000, 0, %d, 2, 0), (3, 50010, 50, 0, %d, 2, 0),"
		" (%lld, 5000, 3000, 0, %d, 3, 0)",
		OFF_CPU_PREEMPTED, OFF_CPU_GAVE_UP, OFF_CPU_POLLING, (1LL << 40) + 1,
		OFF_CPU_PREEMPTED);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 30000);
	CU_ASSERT(llabs(number("SELECT no_cpu_ns FROM blame WHERE rank = 0") - 10000) < 2);
	CU_ASSERT(llabs(number("SELECT blocked_outside_ns FROM blame WHERE rank = 0") - 4000) < 2);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM critical_path WHERE rank = 0 AND callsite = 2"
			       " AND what = 'computation'"),
		10000);
	CU_ASSERT_EQUAL(number("SELECT sum(blocked_outside_ns) FROM critical_path"), 4000);
	end();
}

/*
 * Rank 0 has no CPU for 30000 inside a send that waits for nobody, and then sends to rank 1. Rank 1
 * yields its CPU while it waits for this message, and gets it back 10000 after the message came.
 */
static void blame_and_path_tell_when_a_call_had_no_cpu(void)
{
	begin(4);
	op((struct given){
		RECV, .rank = 2, .peer = 0, .post = 1000, .span = 25000, .predicted = 200 });
	op((struct given){
		SEND, .rank = 0, .peer = 2, .post = 20000, .span = 40000, .predicted = 100 });
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 61000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 20000, .span = 51200, .predicted = 200 });
	op((struct given){
		SEND, .rank = 1, .peer = 3, .post = 71300, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 3, .peer = 1, .post = 20000, .span = 51500, .predicted = 200 });
	run_sql("INSERT INTO off_cpu_row VALUES (1, 25000, 30000, 0, %d, 2, 0),"
		" (%lld, 21000, 9000, 0, %d, 2, 0), (%lld, 40000, 31000, 0, %d, 2, 0)",
		OFF_CPU_POLLING, (1LL << 40) + 1, OFF_CPU_POLLING, (1LL << 40) + 2,
		OFF_CPU_POLLING);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(no_cpu_ns) FROM critical_path WHERE rank = 0"), 30000);
	CU_ASSERT_EQUAL(number("SELECT sum(no_cpu_ns) FROM critical_path WHERE rank = 1"), 10000);
	CU_ASSERT_EQUAL(number("SELECT sum(no_cpu_ns) FROM critical_path WHERE what <> 'call'"), 0);
	/* both waits are for it */
	CU_ASSERT(llabs(number("SELECT sum(no_cpu_ns) FROM blame WHERE rank = 0") - 60000) < 2000);
	CU_ASSERT(llabs(number("SELECT sum(no_cpu_ns) FROM blame WHERE rank = 1") - 10000) < 500);
	CU_ASSERT_EQUAL(number("SELECT sum(no_cpu_ns) FROM blame WHERE what <> 'call'"), 0);
	end();
}

/* Rank 0 is late by 40,000 polls of 1 us with 1 us between them, for nothing. */
static void no_number_of_polls_makes_a_history_too_long(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 90000000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 90000000, .predicted = 200 });
	run_sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)"
		" INSERT INTO busy_row SELECT i, 2000 * i, 1000, 0 FROM n");
	run_sql("UPDATE run SET value = 91000000 WHERE key = 'end_ns'");
	analyze();
	CU_ASSERT_EQUAL(result.blame.cut, 0);
	CU_ASSERT(llabs(number("SELECT sum(blame_ns) FROM blame WHERE what = 'other_call'") -
			  40000000) < 1000);
	CU_ASSERT(llabs(number("SELECT sum(blame_ns) FROM blame WHERE what = 'computation'") -
			  50000000) < 2000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path"), 91000000);
	CU_ASSERT(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'other_call'") >=
		39999999);
	end();
}

/* Rank 0 leaves MPI_Init 40 us after rank 1, computes for 11 us, and sends. */
static void who_is_still_in_init_does_not_compute(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 11000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 50200, .predicted = 200 });
	run_sql("INSERT INTO busy_row VALUES (1, 11000, 100, 0), (%lld, 1000, 50200, 0)",
		(1LL << 40) + 1);
	run_sql("UPDATE run SET value = 41000 WHERE key = 'zero_ticks' AND rank = 0");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame"), 50000);
	CU_ASSERT_EQUAL(number("SELECT sum(blame_ns) FROM blame WHERE rank = 0 AND what = 'start' "
			       "AND callsite = 2"),
		39000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(blame_ns) FROM blame WHERE rank = 0 AND what = 'computation'"),
		11000);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM critical_path WHERE what = 'start'"), 0);
	end();
}

/*
 * Rows of busy were kept up to 1100; the last one is written at the end, whatever was left out
 * before it.
 */
static void time_without_rows_is_no_computation(void)
{
	begin(2);
	for (int i = 0; i < 2; i++) {
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + 49000 * i,
			.span = 100, .predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000 + 49000 * i,
			.span = 200, .predicted = 200 });
	}
	run_sql("INSERT INTO busy_row VALUES (1, 1000, 100, 0), (2, 80000, 10000, 0)");
	run_sql("INSERT INTO run VALUES (0, 'dropped_busy', 7); UPDATE run SET value = 99000 WHERE "
		"key = 'end_ns' AND rank > 0");
	analyze();
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'not_recorded' AND"
		       " callsite = 2 AND after_callsite = 2"),
		48900);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'not_recorded' AND"
		       " callsite = 0 AND after_callsite = 2"),
		29900);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'other_call'"), 10000);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'call'"), 200);
	CU_ASSERT_EQUAL(number("SELECT sum(path_ns) FROM critical_path WHERE what = 'computation'"),
		1000 + 10000);
	end();
}

/* Rows of ops were kept up to 1100, those of busy to the end; there is a barrier between. */
static void time_without_rows_of_calls_is_in_no_other_call(void)
{
	begin(2);
	for (int rank = 0; rank < 2; rank++)
		run_sql("INSERT INTO coll_row (id, code, seq, comm, sent_bytes, recv_bytes, post, "
			"span, callsite) VALUES (%lld, %d, 0, 1, 0, 0, 60000, 100, 9)",
			((long long)rank << 40) + 1, FN_MPI_Barrier);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 1000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 200, .predicted = 200 });
	run_sql("INSERT INTO busy_row VALUES (1, 1000, 100, 0), (2, 20000, 30000, 0), (3, 60000, "
		"100, 0), (4, 70000, 5000, 0)");
	run_sql("INSERT INTO run VALUES (0, 'dropped_ops', 7); UPDATE run SET value = 99000 WHERE "
		"key = 'end_ns' AND rank > 0");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM critical_path WHERE what = 'other_call'"), 0);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'not_recorded'"),
		100000 - 1100 - 100);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'computation'"), 1000);
	end();
}

/* What is missing of a thread that ended while others went on lies behind its last row. */
static void time_without_rows_of_an_ended_thread_is_behind_them(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 1000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 200, .predicted = 200 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .thread = 1, .tag = 1, .post = 20000,
		.span = 100, .predicted = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 1, .post = 20000, .span = 200,
		.predicted = 200 });
	run_sql("INSERT INTO busy_row VALUES (1, 1000, 100, 0), (2, 10000, 5000, 1), (3, 20000, "
		"100, 1), (4, 30000, 100, 0), (5, 80000, 100, 0)");
	run_sql("INSERT INTO run VALUES (0, 'dropped_busy', 7); UPDATE run SET value = 99000 WHERE "
		"key = 'end_ns' AND rank > 0");
	analyze();
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'not_recorded'"),
		100000 - 20100);
	CU_ASSERT_EQUAL(
		number("SELECT sum(path_ns) FROM critical_path WHERE what = 'other_call'"), 5000);
	end();
}

static void the_path_ends_with_the_thread_that_was_busy_last(void)
{
	begin(2);
	for (int thread = 0; thread < 2; thread++)
		for (int i = 0; i < 2; i++) {
			int64_t post = thread ? 20000 + 70000 * i : 1000 + 29000 * i;

			op((struct given){ SEND, .rank = 0, .peer = 1, .thread = thread,
				.tag = thread, .post = post, .span = 100, .predicted = 100 });
			op((struct given){ RECV, .rank = 1, .peer = 0, .thread = thread,
				.tag = thread, .post = post + 200, .span = 100, .predicted = 100 });
		}
	run_sql("UPDATE run SET value = 99000 WHERE key = 'end_ns' AND rank = 1");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT path_ns FROM critical_path_cell WHERE rank = 0 AND thread = "
			       "1 AND what = 1 AND callsite = 2 AND after = 2"),
		69900);
	end();
}

/* Of rank 0's threads, which send from one line, the second one is 50000 too long. */
static void blame_and_path_tell_threads_apart(void)
{
	begin(2);
	for (int thread = 0; thread < 2; thread++) {
		const int64_t late = thread * 50000;

		op((struct given){ SEND, .rank = 0, .peer = 1, .thread = thread, .tag = thread,
			.post = 1000, .span = 100, .predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .thread = thread, .tag = thread,
			.post = 1000, .span = 200, .predicted = 200 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .thread = thread, .tag = thread,
			.post = 2000 + late, .span = 100, .predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .thread = thread, .tag = thread,
			.post = 2000, .span = 200 + late, .predicted = 200 });
	}
	analyze();
	CU_ASSERT_EQUAL(result.blame.waits_ns, 50000);
	CU_ASSERT(number("SELECT sum(blame_ns) FROM blame WHERE rank = 0 AND thread = 1 AND what = "
			 "'computation'") > 49900);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM blame WHERE thread = 0"), 0);
	CU_ASSERT(number("SELECT sum(path_ns) FROM critical_path WHERE rank = 0 AND thread = 1 AND "
			 "what = 'computation'") > 49900);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM critical_path WHERE thread = 0"), 0);
	end();
}

/* Ranks that compute for various times send round a ring, with a barrier now and then. */
static void play_ring(int ranks, int rounds, int64_t start)
{
	int64_t now[8], x = 1;

	for (int rank = 0; rank < ranks; rank++)
		now[rank] = start;
	for (int round = 0; round < rounds; round++) {
		int64_t last = 0;

		for (int from = 0; from < ranks; from++) {
			int to = (from + 1) % ranks;
			int64_t end;

			x = (x * 1103515245 + 12345) & 0x7fffffff;
			now[from] += 1000 + (x >> 8) % (x % 16 == 0 ? 60000 : 3000);
			end = (now[from] > now[to] ? now[from] : now[to]) + 100;
			op((struct given){ SEND, .rank = from, .peer = to, .post = now[from],
				.span = 100, .predicted = 100 });
			op((struct given){ RECV, .rank = to, .peer = from, .post = now[to],
				.span = end - now[to], .predicted = 100 });
			now[from] += 100;
			now[to] = end + 1; /* no two come at once */
		}
		for (int rank = 0; rank < ranks; rank++)
			last = now[rank] > last ? now[rank] : last;
		for (int rank = 0; rank < ranks && round % 8 == 7; rank++) {
			coll((struct given_coll){ rank, FN_MPI_Barrier, round, -1, now[rank],
				last + 50 - now[rank], 0, 0 });
			now[rank] = last + 50 + rank;
		}
	}
	run_sql("UPDATE run SET value = %lld WHERE key = 'end_ns'", (long long)now[0] + 100000);
}

/* In memory or not, in one part or two. */
static void blame_is_the_same_however_few_waits_are_in_memory(void)
{
	int64_t waits_ns;

	begin(4);
	play_ring(4, 400, 0);
	analyze_holding(1 << 30);
	waits_ns = result.blame.waits_ns;
	run_sql("CREATE TABLE whole AS SELECT * FROM blame_cell;"
		"CREATE TABLE whole_path AS SELECT * FROM critical_path_cell");
	CU_ASSERT(number("SELECT count(*) FROM whole") >= 4);
	analyze_holding(64);
	CU_ASSERT_EQUAL(result.blame.left_out, 0);
	CU_ASSERT_EQUAL(result.blame.cut, 0);
	CU_ASSERT_EQUAL(result.blame.waits_ns, waits_ns);
	CU_ASSERT(
		llabs(number("SELECT sum(direct + passed) / 256 FROM blame_cell") - waits_ns) < 10);
	CU_ASSERT_EQUAL(
		number("SELECT count(*) FROM blame_cell"), number("SELECT count(*) FROM whole"));
	CU_ASSERT(
		number("SELECT max(abs(w.direct - b.direct) + abs(w.passed - b.passed)) / 256"
		       " FROM whole w JOIN blame_cell b USING (rank, what, callsite, after)") < 2);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM (SELECT * FROM whole_path EXCEPT"
			       " SELECT * FROM critical_path_cell)"),
		0);
	end();
}

/* Of a call that also waited for what nobody sent, the shares are known at the end alone. */
static void waits_that_become_known_too_late_are_counted(void)
{
	begin(4);
	for (int tag = 5; tag < 7; tag++)
		op((struct given){ RECV, .rank = 0, .peer = 1, .tag = tag, .post = tag, .span = 1,
			.wait_enter = 100, .wait_span = 1800, .blocked = tag == 5 ? 1700 : 100,
			.predicted = 50 });
	op((struct given){
		SEND, .rank = 1, .peer = 0, .tag = 5, .post = 1700, .span = 50, .predicted = 50 });
	play_ring(4, 100, 2000);
	analyze_holding(1 << 30);
	CU_ASSERT_EQUAL(result.unmatched, 1);
	CU_ASSERT_EQUAL(result.blame.left_out, 0);
	analyze_holding(64);
	CU_ASSERT_EQUAL(result.blame.left_out, 1);
	CU_ASSERT_EQUAL(result.blame.left_out_ns, 1600);
	CU_ASSERT_EQUAL(number("SELECT value FROM match_info WHERE key = 'blame_left_out'"), 1);
	end();
}

static const struct unit_test tests[] = { { "blame ends at whom it began with",
						  blame_ends_at_whom_it_began_with },
	{ "blame of a bottleneck goes on to whom it began with",
		blame_of_a_bottleneck_goes_on_to_whom_it_began_with },
	{ "blame and path go through the wait of a root",
		blame_and_path_go_through_the_wait_of_a_root },
	{ "the path ends with the thread that was busy last",
		the_path_ends_with_the_thread_that_was_busy_last },
	{ "blame and path tell threads apart", blame_and_path_tell_threads_apart },
	{ "polling and makers of communicators are no computation",
		polling_and_makers_of_communicators_are_no_computation },
	{ "blame and path tell when there was no CPU", blame_and_path_tell_when_there_was_no_cpu },
	{ "blame and path tell when a call had no CPU",
		blame_and_path_tell_when_a_call_had_no_cpu },
	{ "no number of polls makes a history too long",
		no_number_of_polls_makes_a_history_too_long },
	{ "who is still in MPI_Init does not compute", who_is_still_in_init_does_not_compute },
	{ "time without rows is no computation", time_without_rows_is_no_computation },
	{ "time without rows of calls is in no other call",
		time_without_rows_of_calls_is_in_no_other_call },
	{ "time without rows of an ended thread is behind them",
		time_without_rows_of_an_ended_thread_is_behind_them },
	{ "blame and path know files and windows", blame_and_path_know_files_and_windows },
	{ "blame is the same however few waits are in memory",
		blame_is_the_same_however_few_waits_are_in_memory },
	{ "waits that become known too late are counted",
		waits_that_become_known_too_late_are_counted },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("blame", tests);
	scratch_remove(dir);
	return failed;
}
