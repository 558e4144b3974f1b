/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_match_waits.c: waits of matched messages: their causes, and their shares of a call, on runs
 * made by hand.
 */
#include "tests/unit/match_run.h"

static void a_late_sender_is_late_from_the_receive_to_its_send(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 5300, .predicted = 200,
		.cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 6000, .span = 100, .predicted = 90,
		.cause = CAUSE_FLOW_CONTROL });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 5000);
	CU_ASSERT_EQUAL(number("SELECT other_ns FROM match"), 5100 + 10 - 5000);
	CU_ASSERT(text_is("SELECT cause FROM match", "late_sender"));
	CU_ASSERT_EQUAL(number("SELECT waiting_rank FROM match"), 1);
	CU_ASSERT_EQUAL(number("SELECT right_cause FROM live_accuracy WHERE kind = 'recv'"), 1);
	end();
}

static void a_late_receiver_holds_up_a_rendezvous_alone(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 4500, .predicted = 400,
		.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 5000, .span = 600, .predicted = 600 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 6000, .span = 100, .predicted = 100,
		.protocol = PROTOCOL_EAGER, .cause = CAUSE_FLOW_CONTROL });
	op((struct given){
		RECV, .rank = 1, .peer = 0, .post = 9000, .span = 600, .predicted = 600 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE send_op = 1"), 4000);
	CU_ASSERT(text_is("SELECT cause FROM match WHERE send_op = 1", "late_receiver"));
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE send_op = 2"), 0);
	CU_ASSERT(text_is("SELECT cause FROM match WHERE send_op = 2", ""));
	CU_ASSERT_EQUAL(number("SELECT earlier_ns FROM rendezvous_exact"), 4000);
	end();
}

/* The receive was posted; its rank comes back to MPI at 5000. */
static void a_peer_outside_mpi_is_late_with_progress(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100, .span = 50, .wait_enter = 5000,
		.wait_span = 700, .predicted = 600 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 4500, .predicted = 400,
		.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
	run_sql("INSERT INTO busy_row VALUES (%lld, 100, 50, 0), (%lld, 5000, 700, 0),"
		" (1, 1000, 4500, 0)",
		(1LL << 40) + 1, (1LL << 40) + 2);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 0);
	CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match"), 4000);
	CU_ASSERT(text_is("SELECT cause FROM match", "late_progress"));
	end();
}

/*
 * Without a threshold: the receive was posted; its rank comes back to MPI at 5000, or long after.
 */
static void without_a_threshold_who_stayed_until_the_peer_came_waited_for_it(void)
{
	for (int late = 0; late < 2; late++) {
		begin(2);
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100, .span = 50,
			.wait_enter = late ? 9000 : 5000, .wait_span = 700, .predicted = 600 });
		op((struct given){
			SEND, .rank = 0, .peer = 1, .post = 1000, .span = 4500, .predicted = 400 });
		run_sql("UPDATE op_row SET code = code & ~(3 << 16)");
		run_sql("INSERT INTO busy_row VALUES (%lld, 100, 50, 0), (%lld, %d, 700, 0),"
			" (1, 1000, 4500, 0)",
			(1LL << 40) + 1, (1LL << 40) + 2, late ? 9000 : 5000);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match"), late ? 0 : 4000);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE waiting_rank = 0",
			late ? "unexplained" : "late_progress"));
		end();
	}
}

/*
 * One message lies there, or fifty. A send then takes until 60000; its receiver comes back to MPI
 * at 8000 or 80000.
 */
static void a_small_send_waits_for_room_where_there_can_be_none(void)
{
	const struct {
		int there, comes;
		bool limit;
		const char *cause;
	} cases[] = { { 50, 8000, true, "flow_control" }, { 50, 80000, true, "unexplained" },
		{ 1, 8000, true, "unexplained" }, { 50, 8000, false, "unexplained" } };

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(2);
		if (cases[i].limit)
			run_sql("INSERT INTO link_param VALUES (0, 'node', NULL, NULL, NULL, "
				"'LogGPS', 'S', NULL, 4040, 'B', NULL, NULL, 'measured', NULL)");
		for (int k = 0; k <= cases[i].there; k++)
			op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + 10 * k,
				.span = k < cases[i].there ? 5 : 50000, .predicted = 5,
				.cause = CAUSE_FLOW_CONTROL });
		for (int k = 0; k <= cases[i].there; k++)
			op((struct given){ RECV, .rank = 1, .peer = 0, .post = 80000 + 10 * k,
				.span = 5, .predicted = 5 });
		run_sql("INSERT INTO busy_row VALUES (%lld, 100, 50, 0), (%lld, %d, 700, 0)",
			(1LL << 40) + 1, (1LL << 40) + 2, cases[i].comes);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE cause NOT NULL"), 1);
		CU_ASSERT(
			text_is("SELECT cause FROM match WHERE waiting_rank = 0", cases[i].cause));
		end();
	}
}

/*
 * Without a threshold: the first send was done long before its receive, so the second did not need
 * its own.
 */
static void without_a_threshold_lengths_that_were_done_alone_need_no_receive(void)
{
	for (int longer = 0; longer < 2; longer++) {
		begin(2);
		op((struct given){
			SEND, .rank = 0, .peer = 1, .post = 1000, .span = 100, .predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 500000, .span = 100,
			.predicted = 100 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 600000, .span = 4500,
			.predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 604000, .span = 600,
			.predicted = 600 });
		run_sql("UPDATE op_row SET code = code & ~(3 << 16), predicted = NULL");
		run_sql("UPDATE op_row SET bytes = 9 WHERE post > 600000 - %d", longer);
		analyze();
		CU_ASSERT_EQUAL(
			number("SELECT late_ns FROM match WHERE send_op = 2"), longer ? 4000 : 0);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE send_op = 2",
			longer ? "late_receiver" : ""));
		CU_ASSERT_EQUAL(number("SELECT sum(live_ns) FROM exact_profile"), 0);
		end();
	}
}

/* Tag 1 was sent at 1000; its receiver asks for tag 2 first, which is sent at 8000. */
static void messages_received_in_the_wrong_order_are_told(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 1, .post = 1000, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 2, .post = 500, .span = 7600 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 1, .post = 8200, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 2, .post = 8000, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 1"), 500);
	CU_ASSERT_EQUAL(number("SELECT order_ns FROM match WHERE recv_op = 1"), 7000);
	CU_ASSERT_EQUAL(number("SELECT lateness_ns FROM exact_profile WHERE order_ns"), 7500);
	CU_ASSERT_EQUAL(number("SELECT order_same_ns FROM exact_profile WHERE order_ns"), 7000);
	CU_ASSERT(text_is("SELECT cause FROM match WHERE recv_op = 1", "wrong_order"));
	end();
}

/* The one that lay there is rank 2's. */
static void of_wrong_order_it_is_told_whether_one_rank_sent_both(void)
{
	begin(3);
	op((struct given){ SEND, .rank = 2, .peer = 1, .tag = 1, .post = 1000, .span = 10 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 2, .post = 500, .span = 7600 });
	op((struct given){ RECV, .rank = 1, .peer = 2, .tag = 1, .post = 8200, .span = 10 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 2, .post = 8000, .span = 10 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT order_ns FROM exact_profile WHERE order_ns"), 7000);
	CU_ASSERT_EQUAL(number("SELECT order_same_ns FROM exact_profile WHERE order_ns"), 0);
	end();
}

/*
 * As before, but tag 1 is received by another thread, or after 19 other receives, or not at all; or
 * in the next iteration, which takes tag 2 first; or the first receive is nonblocking.
 */
static void what_is_not_received_next_was_in_no_wrong_order(void)
{
	for (int how = 0; how < 5; how++) {
		begin(2);
		op((struct given){
			SEND, .rank = 0, .peer = 1, .tag = 1, .post = 1000, .span = 10 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 2,
			.post = how == 4 ? 400 : 500, .span = how == 4 ? 10 : 7600,
			.wait_enter = 500, .wait_span = how == 4 ? 7600 : 0 });
		op((struct given){
			SEND, .rank = 0, .peer = 1, .tag = 2, .post = 8000, .span = 10 });
		if (how == 3) {
			op((struct given){
				SEND, .rank = 0, .peer = 1, .tag = 2, .post = 8500, .span = 10 });
			op((struct given){
				RECV, .rank = 1, .peer = 0, .tag = 2, .post = 9000, .span = 10 });
		}
		for (int i = 0; i < 19 && how == 1; i++) {
			op((struct given){ SEND, .rank = 0, .peer = 1, .tag = 3,
				.post = 9000 + 100 * i, .span = 10 });
			op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 3,
				.post = 9000 + 100 * i, .span = 50 });
		}
		if (how != 2)
			op((struct given){ RECV, .rank = 1, .peer = 0, .tag = 1, .thread = how == 0,
				.post = 20000, .span = 10 });
		analyze();
		CU_ASSERT_EQUAL(number("SELECT sum(order_ns) FROM match"), 0);
		CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 1"), 7500);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE recv_op = 1", "late_sender"));
		end();
	}
}

/* One Waitall over two receives: live, the second op had all of the wait; exactly, the first's
 * message came at 3000 and the second's at 9000. */
static void a_call_is_shared_by_when_each_op_could_complete(void)
{
	begin(3);
	op((struct given){ RECV, .rank = 2, .peer = 0, .post = 10, .span = 5, .wait_enter = 1000,
		.wait_span = 9000, .blocked = 100, .predicted = 50 });
	op((struct given){ RECV, .rank = 2, .peer = 1, .post = 20, .span = 5, .wait_enter = 1000,
		.wait_span = 9000, .blocked = 8900, .predicted = 50 });
	op((struct given){ SEND, .rank = 0, .peer = 2, .post = 9000, .span = 10, .predicted = 10 });
	op((struct given){ SEND, .rank = 1, .peer = 2, .post = 3000, .span = 10, .predicted = 10 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 2"), 2000);
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 1"), 9000 - 3000);
	CU_ASSERT_EQUAL(
		number("SELECT lateness_ns FROM exact_profile WHERE rank = 2 AND peer = 1"), 2000);
	CU_ASSERT_EQUAL(number("SELECT lateness_ns FROM exact_profile WHERE rank = 2 AND peer = 0"),
		9000 - 1000);
	CU_ASSERT_EQUAL(
		number("SELECT max_lateness_ns FROM exact_profile WHERE rank = 2 AND peer = 0"),
		9000 - 1000);
	CU_ASSERT_EQUAL(
		number("SELECT sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns"
		       " + other_ns) FROM match"),
		9000 - 100);
	CU_ASSERT_EQUAL(
		number("SELECT blocked_ns FROM exact_profile WHERE rank = 2 AND peer = 1"), 2000);
	CU_ASSERT_EQUAL(number("SELECT blocked_ns FROM exact_profile WHERE rank = 2 AND peer = 0"),
		9000 - 2000);
	CU_ASSERT_EQUAL(
		number("SELECT live_blocked_ns FROM exact_profile WHERE rank = 2 AND peer = 0"),
		100);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM exact_profile WHERE predicted_ns + excess_ns "
			       "= blocked_ns AND predicted_ns IN (10, 50)"),
		4);
	end();
}

/*
 * One Waitall over four large messages that move one after the other, 3000 ns each, as predicted:
 * nobody waited. Or the call took 500 ns less; or the third message was sent 2000 ns after the
 * others had moved.
 */
static void messages_of_a_call_that_move_one_after_the_other_are_no_wait(void)
{
	for (int how = 0; how < 3; how++) {
		const int64_t span = how == 1 ? 11500 : how == 2 ? 14000 : 12000;

		begin(2);
		for (int i = 0; i < 4; i++) {
			op((struct given){ RECV, .rank = 1, .peer = 0, .tag = i,
				.post = 10 * i + 10, .span = 5, .wait_enter = 1000,
				.wait_span = span, .blocked = i < 3 ? 3000 : span - 9000,
				.predicted = 3000 });
			op((struct given){ SEND, .rank = 0, .peer = 1, .tag = i,
				.protocol = PROTOCOL_RENDEZVOUS,
				.post = how == 2 && i == 2 ? 12000 : 10 * i + 10, .span = 5,
				.wait_enter = 13000, .wait_span = 5000, .blocked = 1250,
				.predicted = 1250 });
		}
		run_sql("INSERT INTO busy_row VALUES (1, 10, 20000, 0), (%lld, 10, 20000, 0)",
			(1LL << 40) + 1);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT sum(late_ns) FROM match"), how == 2 ? 2000 : 0);
		CU_ASSERT_EQUAL(number("SELECT sum(max(other_ns, 0)) FROM match"), 0);
		CU_ASSERT_EQUAL(number("SELECT sum(other_ns) FROM match"), how == 1 ? -500 : 0);
		CU_ASSERT_EQUAL(
			number("SELECT sum(blocked_ns) FROM exact_profile WHERE rank = 1"), span);
		end();
	}
}

/*
 * Rank 0 exchanges with rank 1, which is late by 19 us with both its receive and its send: it is a
 * late sender, also where only the send is a rendezvous, or of neither any threshold is known. Or
 * rank 1's send came long before its receive.
 */
static void sends_in_calls_that_a_receive_keeps_have_no_wait(void)
{
	for (int i = 0; i < 3; i++) {
		const bool unknown = i == 1, early = i == 2;

		begin(2);
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 10, .span = 5,
			.wait_enter = 1000, .wait_span = 20000, .blocked = 400, .predicted = 50 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 20, .span = 5,
			.wait_enter = 1000, .wait_span = 20000, .blocked = 19600, .predicted = 50,
			.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 20000, .span = 5,
			.wait_enter = 20300, .wait_span = 700, .blocked = 350, .predicted = 350 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = early ? 30 : 20100,
			.span = 5, .wait_enter = 20300, .wait_span = 700, .blocked = 350,
			.predicted = 350 });
		run_sql("INSERT INTO busy_row VALUES (1, 10, 20990, 0), (%lld, 20000, 1000, 0)",
			(1LL << 40) + 1);
		/* as the shim writes it: all of the call is the send's */
		if (unknown)
			run_sql("UPDATE op_row SET predicted = NULL, code = code & ~(3 << 16),"
				" done = %d, blocked = iif(blocked = 400, 0, NULL)",
				FN_MPI_Waitall | 9 << 10);
		analyze();
		CU_ASSERT_EQUAL(
			number("SELECT late_ns FROM match WHERE send_rank = 0"), early ? 19000 : 0);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE send_rank = 0",
			early ? "late_receiver" : ""));
		CU_ASSERT_EQUAL(
			number("SELECT late_ns FROM match WHERE recv_rank = 0"), early ? 0 : 19100);
		end();
	}
}

/*
 * MPI_Sendrecv with rank 1, which is late by 30 us: all of it is the receive's, whatever the send
 * took meanwhile (5 us, to be done alone, with its progress or with its receive), and whichever of
 * them live had the wait.
 */
static void a_late_partner_of_an_exchange_is_a_late_sender(void)
{
	const uint8_t cause[] = { CAUSE_FLOW_CONTROL, CAUSE_LATE_PROGRESS, CAUSE_LATE_RECEIVER };
	const uint8_t protocol[] = { PROTOCOL_SHORT, PROTOCOL_EAGER, PROTOCOL_RENDEZVOUS };

	for (int i = 0; i < 3; i++) {
		begin(2);
		for (int rank = 0; rank < 2; rank++) {
			const int64_t span = rank ? 7000 : 37000;

			op((struct given){ SEND, .rank = rank, .peer = 1 - rank,
				.post = 1000 + 30000 * rank, .span = span,
				.blocked = i ? span - 2000 : 5000, .predicted = 5000,
				.cause = cause[i], .protocol = protocol[i], .flags = OP_SENDRECV });
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank,
				.post = 1000 + 30000 * rank, .span = span,
				.blocked = i ? 2000 : span - 5000, .predicted = 2000,
				.protocol = protocol[i], .cause = CAUSE_LATE_SENDER,
				.flags = OP_SENDRECV });
		}
		run_sql("INSERT INTO busy_row VALUES (1, 1000, 37000, 0), (%lld, 31000, 7000, 0)",
			(1LL << 40) + 1);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_rank = 0"), 30000);
		CU_ASSERT(text_is("SELECT group_concat(cause) FROM match", "late_sender"));
		CU_ASSERT_EQUAL(number("SELECT sum(late_ns + progress_ns) FROM match"), 30000);
		CU_ASSERT_EQUAL(
			number("SELECT sum(late_ns + progress_ns + other_ns) FROM match"), 30000);
		CU_ASSERT_EQUAL(
			number("SELECT sum(blocked_ns) FROM exact_profile WHERE rank = 0"), 37000);
		CU_ASSERT_EQUAL(number("SELECT min(right_cause) FROM live_accuracy"), 1);
		end();
	}
}

/*
 * One MPI_Waitall for two messages of rank 0, the second posted 3000 ns after the first: as long as
 * the first one moves, 4000 ns, the second is not late. A message of rank 1, posted as late, is, in
 * the time that is left.
 */
static void messages_of_one_peer_are_late_behind_each_other(void)
{
	for (int other = 0; other < 2; other++) {
		begin(3);
		for (int i = 0; i < 2; i++) {
			op((struct given){ RECV, .rank = 2, .peer = i * other, .tag = i,
				.post = 10 + i, .span = 1, .wait_enter = 1000, .wait_span = 19000,
				.blocked = i ? 15000 : 4000, .predicted = 4000 });
			op((struct given){ SEND, .rank = i * other, .peer = 2, .tag = i,
				.post = 11000 + 3000 * i, .span = 10, .predicted = 10 });
		}
		analyze();
		CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_op = 1"), 10000);
		CU_ASSERT_EQUAL(
			number("SELECT late_ns FROM match WHERE recv_op = 2"), other ? 3000 : 0);
		CU_ASSERT_EQUAL(
			number("SELECT sum(excess_ns) FROM exact_profile WHERE rank = 2"), 11000);
		CU_ASSERT_EQUAL(
			number("SELECT sum(late_ns + progress_ns + other_ns) FROM match"), 11000);
		end();
	}
}

/*
 * One call over a send that needs rank 1's progress, which comes at 5000 or at 12000, and a receive
 * from rank 2, late until 9000: what the send waited longer is late progress.
 */
static void lateness_of_a_call_comes_first(void)
{
	for (int later = 0; later < 2; later++) {
		const int64_t comes = later ? 12000 : 5000;

		begin(3);
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 600, .span = 5,
			.wait_enter = 1000, .wait_span = 11100, .blocked = 11000, .predicted = 100,
			.protocol = PROTOCOL_EAGER, .cause = CAUSE_LATE_PROGRESS });
		op((struct given){ RECV, .rank = 0, .peer = 2, .post = 20, .span = 5,
			.wait_enter = 1000, .wait_span = 11100, .blocked = 100, .predicted = 100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 500, .span = 5,
			.wait_enter = comes, .wait_span = 100, .predicted = 100 });
		op((struct given){
			SEND, .rank = 2, .peer = 0, .post = 9000, .span = 10, .predicted = 10 });
		run_sql("INSERT INTO busy_row VALUES (1, 10, 12100, 0), (%lld, 500, 5, 0), (%lld, "
			"%lld, 100, 0)",
			(1LL << 40) + 1, (1LL << 40) + 2, (long long)comes);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT late_ns FROM match WHERE recv_rank = 0"), 8000);
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match WHERE send_rank = 0"),
			later ? 2900 : 0);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE send_rank = 0",
			later ? "late_progress" : ""));
		CU_ASSERT_EQUAL(
			number("SELECT sum(blocked_ns) FROM exact_profile WHERE rank = 0"), 11100);
		end();
	}
}

/* Of messages on a node that take 700 ns. */
static void transfers_while_the_sender_computes(bool move)
{
	run_sql("INSERT INTO link_param VALUES"
		" (0, 'node', NULL, 'send', NULL, 'LogGPS', 'residual', 8, 700, 'ns', NULL, NULL, "
		"'measured', NULL), (0, 'node', NULL, 'isend', NULL, 'LogGPS', 'async_progress', "
		"NULL, %d, '', NULL, NULL, 'measured', NULL), (0, 'node', NULL, 'irecv', NULL, "
		"'LogGPS', 'async_progress', NULL, 0, '', NULL, NULL, 'measured', NULL)",
		move);
}

/*
 * Ranks 0 and 1 exchange large messages, which the receiver fetches, and compute meanwhile. Rank 0
 * comes back at 20000 and has its message 800 ns later; rank 1 at 30000. What it did inside MPI
 * before was to post, for 30 ns; or, at ten times these times, behind rank 0 for 310 ns, in which a
 * fast message would have moved; or for 600 ns while rank 0 stood in its call.
 */
static void the_send_of_an_exchange_waits_for_who_fetches_it(void)
{
	for (int way = 0; way < 3; way++) {
		const bool slow = way == 1;
		const int64_t unit = way ? 10 : 1;

		begin(2);
		transfers_while_the_sender_computes(true);
		for (int rank = 0; rank < 2; rank++) {
			const int64_t enter = unit * (rank ? 30000 : 20000);
			const int64_t span = rank ? 1500 : unit * 10000 + 1000;
			const int64_t post = slow && rank ? 100 : 10,
				      posts = slow && rank ? 300 : 5;

			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .post = post,
				.span = posts, .wait_enter = enter, .wait_span = span,
				.blocked = span - 700, .predicted = 800,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
			op((struct given){ SEND, .rank = rank, .peer = 1 - rank,
				.post = post + posts, .span = 10, .wait_enter = enter,
				.wait_span = span, .blocked = 700, .predicted = 700,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
		}
		run_sql("INSERT INTO busy_row VALUES (1, 10, 15, 0), (2, %lld, %lld, 0), (%lld, "
			"%d, %d, 0), (%lld, %lld, 1500, 0)",
			(long long)(unit * 20000), (long long)(unit * 10000 + 1000),
			(1LL << 40) + 1, slow ? 100 : 10, slow ? 310 : 15, (1LL << 40) + 3,
			(long long)(unit * 30000));
		if (way == 2)
			run_sql("INSERT INTO busy_row VALUES (%lld, 250000, 600, 0)",
				(1LL << 40) + 2);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match WHERE send_rank = 0"),
			unit * 10000 - 800 - (way == 2 ? 600 : 0));
		CU_ASSERT(text_is("SELECT cause FROM match WHERE send_rank = 0", "late_progress"));
		CU_ASSERT_EQUAL(number("SELECT blocked_ns FROM exact_profile WHERE rank = 0 AND "
				       "kind = 'recv'"),
			800);
		CU_ASSERT(text_is("SELECT cause FROM match WHERE recv_rank = 0", ""));
		end();
	}
}

/*
 * Each of two ranks sends a message of 700 ns, which its receiver must take, and computes. Rank 1
 * comes back at 30000. What it did inside MPI before was to post: once while rank 0 computed, and
 * once while rank 0 waited, which is no wait for progress.
 */
static void calls_that_only_post_take_no_message(void)
{
	begin(2);
	transfers_while_the_sender_computes(false);
	for (int rank = 0; rank < 2; rank++) {
		const int64_t enter = rank ? 30000 : 20000, span = rank ? 1000 : 10100;

		op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .form = FORM_NONBLOCKING,
			.post = 10, .span = 5, .wait_enter = enter, .wait_span = span,
			.blocked = 50, .predicted = 50, .protocol = PROTOCOL_EAGER,
			.cause = CAUSE_LATE_SENDER });
		op((struct given){ SEND, .rank = rank, .peer = 1 - rank, .form = FORM_NONBLOCKING,
			.post = 20, .span = 10, .wait_enter = enter, .wait_span = span,
			.blocked = span - 50, .predicted = rank ? 950 : 50,
			.protocol = PROTOCOL_EAGER, .cause = CAUSE_LATE_PROGRESS });
	}
	run_sql("INSERT INTO busy_row VALUES (1, 10, 30, 0), (2, 20000, 10100, 0), (%lld, 10, 900, "
		"0), (%lld, 25000, 600, 0), (%lld, 30000, 1000, 0)",
		(1LL << 40) + 1, (1LL << 40) + 2, (1LL << 40) + 3);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match WHERE send_rank = 0"), 5000 + 4400);
	CU_ASSERT(text_is("SELECT cause FROM match WHERE send_rank = 0", "late_progress"));
	CU_ASSERT(text_is("SELECT cause FROM match WHERE recv_rank = 0", ""));
	end();
}

/*
 * Two ranks exchange two messages each way, 3000 ns each, which the receiver fetches. Rank 1 comes
 * 50000 ns after rank 0, which has fetched its messages by then, and fetches its own for 6000 ns.
 * All but the time of four messages, 9000 ns as predicted live, is late progress.
 */
static void what_was_hidden_behind_a_late_peer_is_no_wait_after_it(void)
{
	begin(2);
	run_sql("INSERT INTO link_param VALUES (0, 'node', NULL, 'send', NULL, 'LogGPS', "
		"'residual', 8, 3000, 'ns', NULL, NULL, 'measured', NULL)");
	for (int rank = 0; rank < 2; rank++) {
		const int64_t enter = rank ? 51000 : 1000, span = rank ? 6000 : 56000;

		for (int i = 0; i < 2; i++) {
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .tag = i,
				.form = FORM_NONBLOCKING, .post = 10 + i, .span = 1,
				.wait_enter = enter, .wait_span = span,
				.blocked = rank ? 1500 : 3000, .predicted = 3000,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
			op((struct given){ SEND, .rank = rank, .peer = 1 - rank, .tag = i,
				.form = FORM_NONBLOCKING, .post = 20 + i, .span = 1,
				.wait_enter = enter, .wait_span = span,
				.blocked = rank ? 1500 :
					i       ? 47000 :
						  3000,
				.predicted = i ? 0 : 3000, .protocol = PROTOCOL_RENDEZVOUS,
				.cause = CAUSE_LATE_RECEIVER });
		}
	}
	run_sql("INSERT INTO busy_row VALUES (1, 10, 12, 0), (2, 1000, 56000, 0), (%lld, 10, 12, "
		"0), (%lld, 51000, 6000, 0)",
		(1LL << 40) + 1, (1LL << 40) + 2);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(progress_ns) FROM match WHERE send_rank = 0"), 47000);
	CU_ASSERT_EQUAL(number("SELECT sum(max(other_ns, 0)) FROM match WHERE send_rank = 0"), 0);
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE rank = 0"), 9000);
	CU_ASSERT_EQUAL(number("SELECT sum(blocked_ns) FROM exact_profile WHERE rank = 0"), 56000);
	end();
}

/*
 * Its sender computes, and the receive takes 3000 ns: that is for want of progress only where it
 * needs any.
 */
static void a_receive_that_fetches_its_message_needs_no_progress(void)
{
	for (int move = 0; move < 2; move++) {
		begin(2);
		transfers_while_the_sender_computes(move);
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 20000, .span = 3000,
			.predicted = 700, .protocol = PROTOCOL_RENDEZVOUS,
			.cause = CAUSE_LATE_SENDER });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 20, .span = 10,
			.wait_enter = 30000, .wait_span = 50, .predicted = 50,
			.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
		run_sql("INSERT INTO busy_row VALUES (1, 20000, 3000, 0), (%lld, 20, 10, 0), "
			"(%lld, 30000, 50, 0)",
			(1LL << 40) + 1, (1LL << 40) + 2);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match"), move ? 0 : 2300);
		CU_ASSERT(
			text_is("SELECT cause FROM match", move ? "unexplained" : "late_progress"));
		end();
	}
}

/*
 * The same receive, which should need no progress, ends 700 ns after the sender came back, as long
 * as its message takes; or 5000 ns after.
 */
static void what_ends_as_the_peer_comes_was_a_wait_for_it(void)
{
	for (int later = 0; later < 2; later++) {
		begin(2);
		transfers_while_the_sender_computes(true);
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 20000,
			.span = later ? 15000 : 10700, .predicted = 700,
			.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 20, .span = 10,
			.wait_enter = 30000, .wait_span = 6000, .predicted = 6000,
			.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
		run_sql("INSERT INTO busy_row VALUES (1, 20000, 16000, 0), (%lld, 20, 10, 0), "
			"(%lld, 30000, 6000, 0)",
			(1LL << 40) + 1, (1LL << 40) + 2);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT progress_ns FROM match"), later ? 0 : 10000);
		CU_ASSERT(text_is(
			"SELECT cause FROM match", later ? "unexplained" : "late_progress"));
		end();
	}
}

/* Rank 0 posts a receive and computes until 20000; the message takes 700 ns. */
static void a_transfer_is_unhidden_where_it_could_have_gone_on_before(void)
{
	static const struct {
		int64_t sent, took, unhidden;
	} of[] = { { 20, 700, 700 }, { 20, 300, 300 }, { 19900, 700, 100 }, { 20500, 1300, 0 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		begin(2);
		run_sql("INSERT INTO link_param VALUES (0, 'node', NULL, 'recv', NULL, 'LogGPS', "
			"'residual', 8, 700, 'ns', NULL, NULL, 'measured', NULL)");
		op((struct given){ RECV, .rank = 0, .peer = 1, .form = FORM_NONBLOCKING, .post = 10,
			.span = 5, .wait_enter = 20000, .wait_span = of[i].took,
			.predicted = 700 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = of[i].sent, .span = 50,
			.predicted = 50 });
		analyze();
		CU_ASSERT_EQUAL(number("SELECT coalesce(sum(unhidden_ns), 0) FROM unhidden_cell"),
			of[i].unhidden);
		end();
	}
}

/*
 * Rank 0 computes for 500 ns behind the posts of two messages of 700 ns: no more than that could be
 * hidden.
 */
static void transfers_of_one_call_are_hidden_one_behind_the_other(void)
{
	begin(2);
	run_sql("INSERT INTO link_param VALUES (0, 'node', NULL, 'recv', NULL, 'LogGPS', "
		"'residual', 8, 700, 'ns', NULL, NULL, 'measured', NULL)");
	for (int i = 0; i < 2; i++) {
		op((struct given){ RECV, .rank = 0, .peer = 1, .tag = i, .form = FORM_NONBLOCKING,
			.post = 10 + 5 * i, .span = 5, .wait_enter = 20000, .wait_span = 1400,
			.blocked = 700, .predicted = 700 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .tag = i, .post = 19450 + 50 * i,
			.span = 50, .predicted = 50 });
	}
	run_sql("UPDATE op_row SET done = %d WHERE done NOT NULL", FN_MPI_Waitall | 9 << 10);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(unhidden_ns) FROM unhidden_cell"), 550);
	end();
}

/*
 * Ranks 0 and 1 on one node, 2 and 3 on another; 1 ns a byte. A message of 8000 bytes alone: 8000
 * ns.
 */
static void two_nodes(void)
{
	begin(4);
	run_sql("INSERT INTO run VALUES (0, 'host', 'a'), (1, 'host', 'a'), (2, 'host', 'b'),"
		" (3, 'host', 'b')");
	run_sql("INSERT INTO link_param VALUES (0, 'network', NULL, NULL, NULL, 'LogGPS', 'G_l', "
		"NULL, 1, 'ns/B', NULL, NULL, 'measured', NULL)");
}

static void transfer(int from, int to, int64_t post, int64_t span)
{
	op((struct given){ SEND, .rank = from, .peer = to, .post = post, .span = 100,
		.predicted = 100, .protocol = PROTOCOL_EAGER });
	op((struct given){ RECV, .rank = to, .peer = from, .post = post, .span = span,
		.predicted = 8000, .protocol = PROTOCOL_EAGER, .cause = CAUSE_LATE_SENDER });
	run_sql("UPDATE op_row SET bytes = 8000");
}

/* Both leave node a together, so each moves at half the speed, and the model says so. */
static void messages_that_share_a_way_contend(void)
{
	two_nodes();
	transfer(0, 2, 1000, 16500);
	transfer(1, 3, 1000, 16500);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE contention_ns = 8000"
			       " AND other_ns = 500"),
		2);
	CU_ASSERT(text_is("SELECT group_concat(DISTINCT cause) FROM match", "contention"));
	end();
}

/* The second begins halfway through the first: each is slowed down by its half. */
static void contention_lasts_as_long_as_both(void)
{
	two_nodes();
	transfer(0, 2, 1000, 12100);
	transfer(1, 3, 5000, 12100);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT contention_ns FROM match WHERE send_rank = 0"), 4000);
	CU_ASSERT_EQUAL(number("SELECT contention_ns FROM match WHERE send_rank = 1"), 4000);
	end();
}

static void messages_apart_or_inside_a_node_do_not_contend(void)
{
	two_nodes();
	transfer(0, 2, 1000, 9000);
	transfer(1, 3, 20000, 9000); /* later */
	transfer(2, 1, 40000, 9000); /* against each other */
	transfer(0, 3, 40000, 9000);
	transfer(0, 1, 60000, 9000); /* in a node */
	transfer(1, 3, 60000, 9000);
	analyze();
	CU_ASSERT_EQUAL(result.matched, 6);
	CU_ASSERT_EQUAL(number("SELECT sum(contention_ns) FROM match"), 0);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE other_ns = 1000"), 6);
	end();
}

/* No more than what the other causes leave of the excess. */
static void contention_explains_the_rest_alone(void)
{
	two_nodes();
	transfer(0, 2, 1000, 9500);
	transfer(1, 3, 1000, 16500);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT contention_ns FROM match WHERE send_rank = 0"), 1500);
	CU_ASSERT_EQUAL(number("SELECT other_ns FROM match WHERE send_rank = 0"), 0);
	end();
}

static const struct unit_test tests[] = {
	{ "a transfer is unhidden where it could have gone on before",
		a_transfer_is_unhidden_where_it_could_have_gone_on_before },
	{ "transfers of one call are hidden one behind the other",
		transfers_of_one_call_are_hidden_one_behind_the_other },
	{ "a late sender is late until its send",
		a_late_sender_is_late_from_the_receive_to_its_send },
	{ "a late receiver holds up a rendezvous alone",
		a_late_receiver_holds_up_a_rendezvous_alone },
	{ "a peer outside MPI is late with progress", a_peer_outside_mpi_is_late_with_progress },
	{ "without a threshold who stayed until the peer came waited for it",
		without_a_threshold_who_stayed_until_the_peer_came_waited_for_it },
	{ "a small send waits for room where there can be none",
		a_small_send_waits_for_room_where_there_can_be_none },
	{ "without a threshold lengths that were done alone need no receive",
		without_a_threshold_lengths_that_were_done_alone_need_no_receive },
	{ "messages in the wrong order are told", messages_received_in_the_wrong_order_are_told },
	{ "of wrong order it is told whether one rank sent both",
		of_wrong_order_it_is_told_whether_one_rank_sent_both },
	{ "what is not received next was in no wrong order",
		what_is_not_received_next_was_in_no_wrong_order },
	{ "a call is shared by when each op could complete",
		a_call_is_shared_by_when_each_op_could_complete },
	{ "messages of a call that move one after the other are no wait",
		messages_of_a_call_that_move_one_after_the_other_are_no_wait },
	{ "sends in calls that a receive keeps have no wait",
		sends_in_calls_that_a_receive_keeps_have_no_wait },
	{ "a late partner of an exchange is a late sender",
		a_late_partner_of_an_exchange_is_a_late_sender },
	{ "messages of one peer are late behind each other",
		messages_of_one_peer_are_late_behind_each_other },
	{ "lateness of a call comes first", lateness_of_a_call_comes_first },
	{ "the send of an exchange waits for who fetches it",
		the_send_of_an_exchange_waits_for_who_fetches_it },
	{ "calls that only post take no message", calls_that_only_post_take_no_message },
	{ "what was hidden behind a late peer is no wait after it",
		what_was_hidden_behind_a_late_peer_is_no_wait_after_it },
	{ "a receive that fetches its message needs no progress",
		a_receive_that_fetches_its_message_needs_no_progress },
	{ "what ends as the peer comes was a wait for it",
		what_ends_as_the_peer_comes_was_a_wait_for_it },
	{ "messages that share a way contend", messages_that_share_a_way_contend },
	{ "contention lasts as long as both", contention_lasts_as_long_as_both },
	{ "messages apart or inside a node do not contend",
		messages_apart_or_inside_a_node_do_not_contend },
	{ "contention explains the rest alone", contention_explains_the_rest_alone }, { NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match_waits", tests);
	scratch_remove(dir);
	return failed;
}
