/* SPDX-License-Identifier: BSD-3-Clause */
/* test_match.c: matching, on runs of a few ops made by hand in memory. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "analysis/ranks/busy.h"
#include "tests/unit/match_run.h"

static void first_sent_is_first_received(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 100, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 200, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 300, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 400, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 2);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE send_op = recv_op"), 2);
	end();
}

/* The receive of any tag was posted first, and took the message with tag 5. */
static void a_wildcard_stands_where_what_it_took_says(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 5, .flags = OP_ANY_TAG, .post = 10,
		.span = 5, .wait_enter = 500, .wait_span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 4, .post = 20, .span = 5,
		.wait_enter = 600, .wait_span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 5, .post = 30, .span = 5,
		.wait_enter = 700, .wait_span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 5, .post = 100, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 5, .post = 200, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 4, .post = 300, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 3);
	CU_ASSERT_EQUAL(number("SELECT send_op FROM match WHERE recv_op = 1"), 1);
	CU_ASSERT_EQUAL(number("SELECT send_op FROM match WHERE recv_op = 2"), 3);
	CU_ASSERT_EQUAL(number("SELECT send_op FROM match WHERE recv_op = 3"), 2);
	end();
}

/*
 * Three probes took the first messages; their receives came later, in another order, and one behind
 * a plain receive.
 */
static void a_matched_message_is_the_one_of_its_probe(void)
{
	begin(2);
	for (int i = 1; i <= 5; i++)
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 10 * i, .span = 5 });
	run_sql("INSERT INTO call_cell VALUES (1, 0, %d, 3, 1, 8, 1, 1, 0, 0)", FN_MPI_Mrecv);
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 800, .span = 5, .flags = OP_MPROBE });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 700, .span = 5, .flags = OP_MPROBE,
		.wait_enter = 900, .wait_span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100, .span = 500,
		.flags = OP_MPROBE | OP_PROBED, .blocked = 20 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 300, .span = 5 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 5 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE send_op = recv_op"), 5);
	end();
}

/*
 * Another thread's receive began later, and had its message before: it was not that of the probe.
 */
static void nobody_takes_what_a_matched_probe_took(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 10, .span = 5 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 20, .span = 5 });
	run_sql("INSERT INTO call_cell VALUES (1, 0, %d, 3, 1, 8, 1, 1, 0, 0)", FN_MPI_Mrecv);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100, .span = 500,
		.flags = OP_MPROBE | OP_PROBED, .blocked = 20 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .thread = 1, .post = 200, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE send_op = recv_op"), 2);
	CU_ASSERT_EQUAL(number("SELECT value FROM match_info WHERE key = 'order_unsure'"), 0);
	end();
}

/*
 * A rank waits for the call that it is in, not for the receive of a message that it took before and
 * receives later.
 */
static void calls_between_probe_and_receive_keep_their_time(void)
{
	begin(2);
	run_sql("INSERT INTO call_cell VALUES (1, 0, %d, 3, 1, 8, 1, 1, 0, 0)", FN_MPI_Mrecv);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 10, .span = 5 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 3000, .span = 5 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 5000, .span = 10, .flags = OP_MPROBE });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 2100, .predicted = 100,
		.cause = CAUSE_LATE_SENDER });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 2"), 2000);
	end();
}

static void what_has_no_partner_is_counted_by_reason(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = -1, .flags = OP_PROC_NULL, .post = 1, .span = 1 });
	op((struct given){
		RECV, .rank = 0, .peer = 1, .flags = OP_CANCELLED, .post = 2, .span = 1 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 3, .span = 1, .pending = true });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 4, .span = 1 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 9, .post = 5, .span = 1 });
	op((struct given){ SEND, .rank = 1, .peer = 7, .post = 6, .span = 1 });
	op((struct given){ RECV, .rank = 1, .peer = -1, .flags = OP_FREED | OP_ANY_SOURCE,
		.post = 7, .span = 1 });
	op((struct given){
		SEND, .rank = 1, .peer = 0, .flags = OP_COMM_PEER, .post = 8, .span = 1 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 0);
	CU_ASSERT(text_is("SELECT group_concat(reason, ' ') FROM (SELECT reason FROM match_summary"
			  " ORDER BY rank, reason)",
		"cancelled not_received pending proc_null freed not_sent"
		" other_world peer_missing"));
	end();
}

/*
 * A wait for somebody of whom nothing is known is a wait: as its own side sees it, and nobody's
 * fault.
 */
static void waits_without_partner_are_in_the_sums(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 0, .peer = 3, .flags = OP_COMM_PEER,
		.cause = CAUSE_LATE_SENDER, .post = 1000, .span = 5000, .predicted = 400 });
	op((struct given){ RECV, .rank = 0, .peer = 7, .cause = CAUSE_LATE_SENDER, .post = 7000,
		.span = 3000, .predicted = 400 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .mode = MODE_SYNCHRONOUS,
		.cause = CAUSE_LATE_RECEIVER, .post = 11000, .span = 2000, .predicted = 500 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .cause = CAUSE_FLOW_CONTROL, .post = 14000,
		.span = 60 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .pending = true, .post = 15000, .span = 1 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 0);
	CU_ASSERT_EQUAL(
		number("SELECT sum(late_ns) FROM exact_profile WHERE cause = 'late_sender'"),
		4600 + 2600);
	CU_ASSERT_EQUAL(
		number("SELECT late_ns FROM exact_profile WHERE peer IS NULL OR peer < 0"), 4600);
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM exact_profile WHERE kind = 'send'"), 1500);
	CU_ASSERT_EQUAL(number("SELECT sum(excess_ns - late_ns - other_ns) FROM exact_profile"), 0);
	CU_ASSERT_EQUAL(number("SELECT sum(count) FROM exact_profile"), 3);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match"), 0);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM blame"), 0);
	end();
}

/* In which call a rank waited, where that is not the post: of any part of a wait, by both calls. */
static void where_a_wait_was_is_in_the_sums(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 5000, .span = 100, .predicted = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 100,
		.wait_enter = 2000, .wait_span = 3300, .predicted = 300 });
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 15000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 11000, .span = 4200, .predicted = 200 });
	op((struct given){ RECV, .rank = 1, .peer = 7, .flags = OP_COMM_PEER,
		.cause = CAUSE_LATE_SENDER, .post = 16000, .span = 100, .wait_enter = 17000,
		.wait_span = 1000, .predicted = 400 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM exact_done_cell"), 1);
	CU_ASSERT_EQUAL(number("SELECT waits FROM exact_done_cell WHERE rank = 1 AND callsite = 3 "
			       "AND done_callsite = 9"),
		2);
	CU_ASSERT_EQUAL(number("SELECT wait_ns FROM exact_done_cell"), 3000 + 600);
	CU_ASSERT_EQUAL(number("SELECT code & 0xffffff FROM exact_done_cell"),
		FN_MPI_Recv | FN_MPI_Wait << 10 | CAUSE_LATE_SENDER << 20);
	end();
}

/*
 * What the rows say live is in the sums, so that the profile's rest is known: with a partner,
 * without, and judged anew.
 */
static void live_waits_are_in_the_sums(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .post = 5000, .span = 100, .predicted = 100 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 1000, .span = 4200, .predicted = 200 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 7000, .span = 3000, .predicted = 400 });
	op((struct given){ RECV, .rank = 1, .peer = 7, .flags = OP_COMM_PEER, .post = 11000,
		.span = 900, .predicted = 400 });
	op((struct given){ RECV, .rank = 1, .peer = 7, .flags = OP_COMM_PEER, .post = 12000,
		.span = 450, .predicted = 400 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 1);
	CU_ASSERT_EQUAL(number("SELECT sum(live_ns) FROM exact_profile"), 4000 + 2600 + 500);
	CU_ASSERT_EQUAL(number("SELECT sum(live_ns) FROM exact_profile"),
		number("SELECT sum(wait_ns) FROM op"));
	end();
}

/*
 * Two receives of one call: nobody knows the first one's sender, and it gives up what the second
 * one takes.
 */
static void shares_without_partner_are_in_the_sums(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 7, .post = 10, .span = 5, .wait_enter = 1000,
		.wait_span = 9000, .blocked = 8900, .predicted = 8890 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 20, .span = 5, .wait_enter = 1000,
		.wait_span = 9000, .blocked = 100, .predicted = 50 });
	op((struct given){ RECV, .rank = 1, .peer = -1, .flags = OP_PROC_NULL, .post = 30,
		.span = 5, .wait_enter = 1000, .wait_span = 9000 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 3000, .span = 10, .predicted = 10 });
	analyze();
	CU_ASSERT_EQUAL(
		number("SELECT blocked_ns FROM exact_profile WHERE rank = 1 AND peer = 0"), 2050);
	CU_ASSERT_EQUAL(number("SELECT sum(blocked_ns - live_blocked_ns) FROM exact_profile"), 0);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM exact_profile WHERE rank = 1"), 2);
	end();
}

/*
 * Of two threads in MPI_Recv the one that is done first cannot have waited for the later message.
 */
static void threads_that_receive_at_once_take_what_had_come(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 9000 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .thread = 1, .post = 2000, .span = 3000 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 4000, .span = 500 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 9500, .span = 200 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 2);
	CU_ASSERT_EQUAL(number("SELECT recv_op FROM match WHERE send_op = 1"), 2);
	CU_ASSERT_EQUAL(result.violations, 0);
	CU_ASSERT_EQUAL(number("SELECT value FROM match_info WHERE key = 'order_unsure'"), 2);
	end();
}

/*
 * As of two threads in MPI_Ssend the one that is done first cannot have waited for the later
 * receive.
 */
static void threads_that_send_at_once_go_where_one_asked(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .thread = 1, .post = 1000, .span = 9000 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 2000, .span = 3000 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 500 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9500, .span = 200 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT recv_op FROM match WHERE send_op = 2"), 1);
	CU_ASSERT_EQUAL(number("SELECT recv_op FROM match WHERE send_op = 1"), 2);
	end();
}

/* Where one clock contradicts a pair of threads' ops the pair is wrong, not the clock. */
static void what_threads_took_before_it_was_sent_is_not_the_clocks_fault(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 9000 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 2000, .span = 500 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .thread = 1, .post = 3000, .span = 1000 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 9000, .span = 500 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 2);
	CU_ASSERT_EQUAL(result.violations, 0);
	CU_ASSERT_EQUAL(result.order_unsure, 1);
	end();
}

/*
 * The send was started long before the receive, its last partition is ready at 9000: until then the
 * sender is outside MPI but for the first one, at 4000.
 */
static void partitions_that_are_ready_late_are_a_late_sender(void)
{
	for (int known = 0; known < 2; known++) {
		begin(2);
		op((struct given){ SEND, .rank = 0, .peer = 1, .form = FORM_PARTITIONED,
			.post = 100, .span = 10, .wait_enter = 9200, .wait_span = 100,
			.predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_PARTITIONED,
			.post = 500, .span = 10, .wait_enter = 1000, .wait_span = 8300,
			.predicted = 200, .cause = CAUSE_LATE_SENDER });
		run_sql("INSERT INTO busy_row VALUES (1, 100, 10, 0), (2, 4000, 10, 0), (3, 9000, "
			"20, 0), (4, 9200, 100, 0)");
		if (!known)
			run_sql("UPDATE op_row SET predicted = NULL, code = code & ~(1 << 22)");
		analyze();
		CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), known ? 8100 : 0);
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match"), 0);
		CU_ASSERT(text_is("SELECT cause FROM match", known ? "late_sender" : ""));
		end();
	}
}

/* Cut off at 32 bits, these would be rank 0, and the callsite of the receive. */
static void numbers_that_cannot_be_are_unknown(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 50 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 2000, .span = 50 });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 3000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 4000, .span = 50, .wait_enter = 5000,
		.wait_span = 50 });
	run_sql("UPDATE op_row SET peer = peer + (1 << 32) WHERE post = 1000");
	run_sql("UPDATE op_row SET callsite = callsite + (1 << 32) WHERE post = 3000");
	run_sql("UPDATE op_row SET done = done + (1 << 42) WHERE post = 4000");
	analyze();
	CU_ASSERT_EQUAL(result.matched, 1);
	CU_ASSERT(text_is("SELECT reason FROM match_summary WHERE rank = 0 AND kind = 'send'",
		"peer_missing"));
	CU_ASSERT_EQUAL(
		number("SELECT callsite FROM exact_cell_fields WHERE rank = 1 AND kind_id = 1"), 0);
	end();
}

/*
 * The second receive of rank 1 is lost, and the third one takes its message. Sizes that differ then
 * say nothing of the program. Those of another pair of ranks do.
 */
static void sizes_differ_where_no_row_is_lost(void)
{
	static const char *const lost[] = { "missing_chunks", "lost_bytes", "damaged_bytes",
		"damaged_records", "damaged_regions", "ring_missing", "spool_missing",
		"dropped_ops" };

	for (size_t i = 0; i <= sizeof(lost) / sizeof(*lost); i++) {
		begin(4);
		for (int k = 0; k < 3; k++) {
			op((struct given){
				SEND, .rank = 0, .peer = 1, .post = 1000 + k * 100, .span = 50 });
			if (k != 1)
				op((struct given){ RECV, .rank = 1, .peer = 0,
					.post = 2000 + k * 100, .span = 50 });
		}
		op((struct given){ SEND, .rank = 2, .peer = 3, .post = 1000, .span = 50 });
		op((struct given){ RECV, .rank = 3, .peer = 2, .post = 2500, .span = 50 });
		run_sql("UPDATE op_row SET bytes = post %% 1000");
		if (i > 0)
			run_sql("INSERT INTO run VALUES (1, '%s', 1)", lost[i - 1]);
		analyze();
		CU_ASSERT_EQUAL(result.matched, 3);
		CU_ASSERT_EQUAL(number("SELECT value FROM match_info WHERE key = 'bytes_differ'"),
			i ? 1 : 2);
		CU_ASSERT(text_is("SELECT reason FROM unmatched", i ? "" : "not_received"));
		end();
	}
}

/* Partitioned sends and receives meet each other alone, whatever else has their tag. */
static void partitioned_messages_are_apart(void)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .form = FORM_PARTITIONED, .post = 1000, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 2000, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 3000, .span = 10 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .form = FORM_PARTITIONED, .post = 4000, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT recv_op FROM match WHERE send_op = 1"), 2);
	CU_ASSERT_EQUAL(number("SELECT recv_op FROM match WHERE send_op = 2"), 1);
	end();
}

/*
 * One thread's posts have an order, also of one MPI_Startall; so have those of two, one after the
 * other.
 */
static void order_that_is_known_is_kept(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 500,
		.wait_enter = 9000, .wait_span = 500 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 500,
		.wait_enter = 8000, .wait_span = 500 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .thread = 1, .post = 1500, .span = 500,
		.wait_enter = 7000, .wait_span = 500 });
	for (int i = 0; i < 3; i++)
		op((struct given){
			SEND, .rank = 0, .peer = 1, .post = 3000 + i * 100, .span = 50 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 3);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE send_op = recv_op"), 3);
	CU_ASSERT_EQUAL(result.order_unsure, 0);
	end();
}

/* Members of an intercommunicator know it by the same identity; peers are ranks of the world. */
static void messages_of_intercommunicators_are_matched(void)
{
	begin(3);
	run_sql("INSERT INTO comm_row VALUES (0, 2, 99, 1, 0, 1, 0, 2, NULL, 'i'),"
		" (1, 2, 99, 1, 0, 2, 0, 1, NULL, 'i'), (2, 2, 99, 1, 0, 2, 1, 1, NULL, 'i')");
	op((struct given){ SEND, .rank = 0, .peer = 2, .post = 10, .span = 5 });
	op((struct given){ SEND, .rank = 0, .peer = 2, .post = 20, .span = 5 });
	op((struct given){ RECV, .rank = 2, .peer = 0, .post = 30, .span = 5 });
	op((struct given){ RECV, .rank = 2, .peer = 0, .post = 40, .span = 5 });
	/* the second of each in the intercommunicator, where it is the first */
	run_sql("UPDATE op_row SET comm = 2 WHERE post IN (20, 30)");
	analyze();
	CU_ASSERT_EQUAL(result.matched, 2);
	CU_ASSERT_EQUAL(number("SELECT send_op FROM match WHERE recv_op = 1"), 2);
	CU_ASSERT_EQUAL(number("SELECT send_op FROM match WHERE recv_op = 2"), 1);
	end();
}

static void ranks_may_send_to_themselves(void)
{
	begin(1);
	op((struct given){ RECV, .rank = 0, .peer = 0, .post = 10, .span = 5, .wait_enter = 50,
		.wait_span = 5 });
	op((struct given){ SEND, .rank = 0, .peer = 0, .post = 20, .span = 5 });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 1);
	end();
}

static void sends_that_nobody_received_are_named(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 1, .post = 1000, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 2, .post = 2000, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 1, .post = 1500, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 3, .post = 2500, .span = 10 });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .tag = 4, .post = 2600, .span = 10, .pending = true });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM unmatched"), 2);
	CU_ASSERT_EQUAL(
		number("SELECT op_id FROM unmatched WHERE rank = 0 AND reason = 'not_received'"),
		2);
	CU_ASSERT_EQUAL(
		number("SELECT op_id FROM unmatched WHERE rank = 1 AND reason = 'not_sent'"), 2);
	end();
}

/* Those with one tag are seen together, whenever they were sent. */
static void of_many_the_first_in_time_are_named(void)
{
	begin(2);
	run_sql("BEGIN");
	for (int i = 0; i < 1100; i++)
		op((struct given){ SEND, .rank = 0, .peer = 1, .tag = i % 3,
			.post = 1000 + (i * 7 % 1100) * 20, .span = 10 });
	run_sql("COMMIT");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM unmatched"), 1000);
	CU_ASSERT_EQUAL(number("SELECT max(post_enter_ns) FROM unmatched JOIN op USING (op_key)"),
		1000 + 999 * 20);
	end();
}

static void windows_inside_mpi_join_and_forget(void)
{
	struct interval at[4];
	struct inside in = { .at = at, .room = 4 };

	inside_add(&in, 10, 20);
	inside_add(&in, 15, 30);
	CU_ASSERT(in.n == 1 && at[0].enter == 10 && at[0].leave == 30);
	inside_add(&in, 50, 60);
	inside_add(&in, 5, 70);
	CU_ASSERT(in.n == 1 && at[0].enter == 5 && at[0].leave == 70);
	for (int i = 1; i < 5; i++)
		inside_add(&in, i * 100, i * 100 + 10);
	CU_ASSERT(in.n == 4 && in.forgot);
}

static void messages_that_came_before_they_went_are_counted(void)
{
	begin(2);
	run_sql("UPDATE run SET value = 'there' WHERE rank = 1 AND key = 'boot_id'");
	run_sql("INSERT INTO clock VALUES (1, 0, 5000, 10, 0)");
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 5100, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 50, .span = 200, .predicted = 0 });
	analyze();
	CU_ASSERT_EQUAL(result.violations_before, 1);
	CU_ASSERT_EQUAL(result.violations, 0);
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 50);
	end();
}

/* When a receive will complete that is still waited for, nobody knows. */
static void what_is_still_waited_for_is_no_violation(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 5100, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 50, .span = 200, .predicted = 0,
		.pending = true });
	analyze();
	CU_ASSERT_EQUAL(result.matched, 1);
	CU_ASSERT_EQUAL(result.violations_before, 0);
	CU_ASSERT_EQUAL(result.violations, 0);
	end();
}

static pthread_t in_sqlite;
static atomic_bool someone;
static atomic_int together;

/* A statement begins, and takes its time, or ends. */
static int on_statement(unsigned event, void *context, void *statement, void *more)
{
	(void)context, (void)statement, (void)more;
	if (event == SQLITE_TRACE_PROFILE) {
		someone = false;
		return 0;
	}
	if (someone && !pthread_equal(in_sqlite, pthread_self()))
		together++;
	in_sqlite = pthread_self();
	someone = true;
	if (strstr(sqlite3_sql(statement), "INTO match_row"))
		usleep(50000);
	return 0;
}

/* As many messages as the worker writes at once, so that it does so when the pass ends. */
static void no_two_threads_use_the_connection(void)
{
	begin(2);
	run_sql("BEGIN");
	for (int i = 0; i < 2048; i++) {
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + 20 * i, .span = 10,
			.predicted = 10 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000 + 20 * i, .span = 15,
			.predicted = 15 });
	}
	run_sql("COMMIT");
	sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, on_statement, NULL);
	analyze();
	sqlite3_trace_v2(db, 0, NULL, NULL);
	CU_ASSERT_EQUAL(result.matched, 2048);
	CU_ASSERT_EQUAL(together, 0);
	end();
}

static void a_worker_shares_what_is_serialized_alone(void)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY;
	struct worker worker = { 0 };
	sqlite3 *own;

	CU_ASSERT_EQUAL_FATAL(
		sqlite3_open_v2("shared", &own, flags | SQLITE_OPEN_NOMUTEX, NULL), SQLITE_OK);
	worker_start(&worker, own);
	CU_ASSERT_FALSE(worker.runs);
	worker_stop(&worker);
	sqlite3_close(own);
	CU_ASSERT_EQUAL_FATAL(
		sqlite3_open_v2("shared", &own, flags | SQLITE_OPEN_FULLMUTEX, NULL), SQLITE_OK);
	worker_start(&worker, own);
	CU_ASSERT_EQUAL(worker.runs, sysconf(_SC_NPROCESSORS_ONLN) > 1);
	worker_stop(&worker);
	sqlite3_close(own);
}

static void times_that_no_program_had_are_not_known(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 500, .span = 10, .wait_enter = 600,
		.wait_span = 700 });
	coll((struct given_coll){ .rank = 0,
		.fn = FN_MPI_Ibarrier,
		.root = -1,
		.post = 5000,
		.span = 10,
		.wait_enter = 6000,
		.wait_span = 10 });
	coll((struct given_coll){ .rank = 1,
		.fn = FN_MPI_Ibarrier,
		.root = -1,
		.post = 8000,
		.span = 10,
		.wait_enter = 9000,
		.wait_span = 10 });
	run_sql("UPDATE op_row SET gap = NULL; UPDATE coll_row SET span = %lld, gap = %lld",
		(long long)INT64_MAX, (long long)INT64_MAX);
	run_sql("INSERT INTO io_row VALUES (1, %d, 1, NULL, 8, %lld, %lld, 0, 6, NULL, 8194, NULL,"
		" %lld, NULL)",
		FN_MPI_File_iwrite, (long long)INT64_MIN + 1, (long long)INT64_MAX,
		(long long)INT64_MAX);
	run_sql("INSERT INTO busy_row VALUES (1, %lld, %lld, 0)", (long long)INT64_MAX,
		(long long)INT64_MAX);
	analyze();
	CU_ASSERT_EQUAL(result.matched, 1);
	CU_ASSERT_EQUAL(result.violations, 0);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM collective_wait_row"), 0);
	end();
}

static void memory_is_for_the_tables_that_are_read(void)
{
	/* 4 tables of 2 ranks, twice; 6 with those of windows and files */
	const uint64_t memory = 2 * 2 * 4 * 120 * sizeof(struct row);
	struct run_ranks ranks;

	begin(2);
	CU_ASSERT_EQUAL_FATAL(ranks_open(&ranks, db, memory, NULL, NULL), 0);
	CU_ASSERT_EQUAL(ranks.chunk, 120);
	ranks_close(&ranks);
	run_sql("INSERT INTO io_row (id) VALUES (1)");
	CU_ASSERT_EQUAL_FATAL(ranks_open(&ranks, db, memory, NULL, NULL), 0);
	CU_ASSERT_EQUAL(ranks.chunk, 80);
	ranks_close(&ranks);
	end();
}

static const struct unit_test tests[] = {
	{ "of messages with one tag the first sent is received first",
		first_sent_is_first_received },
	{ "a wildcard stands where what it took says", a_wildcard_stands_where_what_it_took_says },
	{ "a matched message is the one of its probe", a_matched_message_is_the_one_of_its_probe },
	{ "nobody takes what a matched probe took", nobody_takes_what_a_matched_probe_took },
	{ "calls between probe and receive keep their time",
		calls_between_probe_and_receive_keep_their_time },
	{ "what has no partner is counted by reason", what_has_no_partner_is_counted_by_reason },
	{ "waits without partner are in the sums", waits_without_partner_are_in_the_sums },
	{ "live waits are in the sums", live_waits_are_in_the_sums },
	{ "shares without partner are in the sums", shares_without_partner_are_in_the_sums },
	{ "where a wait was is in the sums", where_a_wait_was_is_in_the_sums },
	{ "threads that receive at once take what had come",
		threads_that_receive_at_once_take_what_had_come },
	{ "threads that send at once go where one asked",
		threads_that_send_at_once_go_where_one_asked },
	{ "order that is known is kept", order_that_is_known_is_kept },
	{ "what threads took before it was sent is not the clocks' fault",
		what_threads_took_before_it_was_sent_is_not_the_clocks_fault },
	{ "numbers that cannot be are unknown", numbers_that_cannot_be_are_unknown },
	{ "sizes differ where no row is lost", sizes_differ_where_no_row_is_lost },
	{ "partitioned messages are apart", partitioned_messages_are_apart },
	{ "partitions that are ready late are a late sender",
		partitions_that_are_ready_late_are_a_late_sender },
	{ "messages of intercommunicators are matched",
		messages_of_intercommunicators_are_matched },
	{ "ranks may send to themselves", ranks_may_send_to_themselves },
	{ "sends that nobody received are named", sends_that_nobody_received_are_named },
	{ "of many the first in time are named", of_many_the_first_in_time_are_named },
	{ "windows inside MPI join and forget", windows_inside_mpi_join_and_forget },
	{ "violations are counted before and after",
		messages_that_came_before_they_went_are_counted },
	{ "a worker shares what is serialized alone", a_worker_shares_what_is_serialized_alone },
	{ "what is still waited for is no violation", what_is_still_waited_for_is_no_violation },
	{ "times that no program had are not known", times_that_no_program_had_are_not_known },
	{ "memory is for the tables that are read", memory_is_for_the_tables_that_are_read },
	{ "no two threads use the connection", no_two_threads_use_the_connection }, { NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match", tests);
	scratch_remove(dir);
	return failed;
}
