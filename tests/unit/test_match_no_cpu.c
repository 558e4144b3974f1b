/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_match_no_cpu.c: waits with a part that is CPU loss, on runs made by hand. In each, rank 1
 * waits from 100 us on.
 */
#include "analysis/ranks/off_cpu.h"
#include "tests/unit/match_run.h"

enum { PREEMPTED = OFF_CPU_PREEMPTED, GAVE_UP = OFF_CPU_GAVE_UP, POLLING = OFF_CPU_POLLING };

static void off(int rank, int what, int64_t enter, int64_t leave)
{
	off_of(rank, 0, what, enter, leave);
}

/* Rank 1 receives from 100 to 160 us; rank 0 sends at 150 us, and was inside MPI until 50 us, rank
 * 1 until 40 us. */
static void begin_late(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100000, .span = 60000,
		.predicted = 200, .cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 150000, .span = 100, .predicted = 90,
		.cause = CAUSE_FLOW_CONTROL });
	inside(0, 10000, 50000);
	inside(1, 10000, 40000);
}

/* Rank 1 receives from 100 to 160 us what was sent at 110 us. */
static void begin_early(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 100000, .span = 60000,
		.predicted = 1000, .cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 110000, .span = 100, .predicted = 90,
		.cause = CAUSE_FLOW_CONTROL });
}

static void what_the_late_side_lost_since_its_last_stay_is_of_its_lateness(void)
{
	begin_late();
	off(0, POLLING, 30000, 45000);
	off(0, PREEMPTED, 60000, 70000);
	inside(0, 90000, 90500);
	off(0, PREEMPTED, 110000, 130000);
	off(0, GAVE_UP, 135000, 140000);
	inside(0, 150000, 150100);
	off(0, PREEMPTED, 151000, 159000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 50000);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 10000 + 20000);
	CU_ASSERT_EQUAL(number("SELECT blocked_outside_ns FROM match"), 5000);
	CU_ASSERT_EQUAL(number("SELECT other_no_cpu_ns FROM exact_cell WHERE rank = 1"), 0);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM exact_by_pair WHERE rank = 1"), 30000);
	CU_ASSERT(text_is("SELECT cause FROM match", "late_sender"));
	end();
}

static void a_stay_absorbs_what_was_lost_before_it(void)
{
	begin_late();
	off(0, PREEMPTED, 60000, 70000);
	inside(0, 75000, 96000);
	off(0, PREEMPTED, 98000, 104000);
	inside(0, 150000, 150100);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 6000);
	end();
}

static void what_was_lost_before_the_waiting_side_was_released_is_not_counted(void)
{
	begin_late();
	inside(1, 70000, 95000);
	off(0, PREEMPTED, 60000, 80000);
	off(0, PREEMPTED, 90000, 99000);
	inside(1, 100000, 160000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 4000);
	end();
}

static void no_more_is_lost_than_the_lateness(void)
{
	begin_late();
	off(0, GAVE_UP, 51000, 60000);
	off(0, PREEMPTED, 60000, 145000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 50000);
	CU_ASSERT_EQUAL(number("SELECT blocked_outside_ns FROM match"), 0);
	end();
}

/* Rank 0's clock began 30 us before that of rank 1; both show the same tick. */
static void losses_are_in_common_time_as_ops_are(void)
{
	begin_late();
	run_sql("UPDATE op_row SET post = post + 30000 WHERE id < 1 << 40");
	run_sql("UPDATE run SET value = 31000 WHERE rank = 1 AND key = 'zero_ticks'");
	off(0, PREEMPTED, 125000, 132000);
	inside(0, 180000, 180100);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 50000);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 7000);
	end();
}

static void another_thread_may_lose_its_cpu(void)
{
	begin_late();
	off_of(0, 1, PREEMPTED, 110000, 120000);
	off_of(0, -1, PREEMPTED, 120000, 130000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 0);
	end();
}

static void polling_is_a_loss_from_when_the_wait_could_have_ended(void)
{
	begin_early();
	off(1, POLLING, 101000, 105000);
	off(1, POLLING, 108000, 158000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT late_ns FROM match"), 10000);
	CU_ASSERT_EQUAL(number("SELECT other_ns FROM match"), 49000 + 10);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 158000 - 111000);
	CU_ASSERT_EQUAL(number("SELECT other_no_cpu_ns FROM exact_profile WHERE rank = 1"), 47000);
	CU_ASSERT(text_is("SELECT cause FROM match", "no_cpu"));
	CU_ASSERT_EQUAL(number("SELECT on_cpu_count FROM live_accuracy WHERE kind = 'recv'"), 0);
	CU_ASSERT_EQUAL(number("SELECT count FROM live_accuracy WHERE kind = 'recv'"), 1);
	end();
}

/* Sends that complete alone: the second one lost its CPU for 40 of 41 us. */
static void the_model_is_judged_without_sends_that_lost_their_cpu(void)
{
	begin(2);
	for (int i = 0; i < 3; i++) {
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 100000 + 100000 * i,
			.span = i == 1 ? 41000 : 1100, .predicted = 1000,
			.cause = CAUSE_FLOW_CONTROL });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 190000 + 100000 * i,
			.span = 200, .predicted = 200, .cause = CAUSE_LATE_SENDER });
	}
	run_sql("INSERT INTO wait_cell SELECT 1, 2, code & %lld, 0, 1, 4, 3, 24, 43200, 3000,"
		" 40200, 40000, 40000 FROM op_row WHERE id = (1 << 40) + 1",
		(long long)(OP_CODE_OF_KIND_MASK));
	off(1, POLLING, 200500, 240500);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count FROM model_error"), 3);
	CU_ASSERT_EQUAL(number("SELECT error_ns FROM model_error"), 40200);
	CU_ASSERT_EQUAL(number("SELECT on_cpu_count FROM model_error"), 2);
	CU_ASSERT_EQUAL(number("SELECT on_cpu_error_ns FROM model_error"), 200);
	CU_ASSERT_EQUAL(number("SELECT on_cpu_error_percent FROM model_error"), 10);
	end();
}

static void polling_before_is_no_loss(void)
{
	begin_early();
	off(1, POLLING, 101000, 110500);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM match"), 0);
	CU_ASSERT(text_is("SELECT cause FROM match", "unexplained"));
	end();
}

/* The send of rank 1 needs its receiver, who is inside MPI, but has no CPU. */
static void a_message_needs_the_cpu_of_both(void)
{
	for (int rendezvous = 0; rendezvous < 2; rendezvous++) {
		begin(2);
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 90000, .span = 71000,
			.predicted = 1000, .cause = CAUSE_LATE_SENDER });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 100000, .span = 60000,
			.predicted = 1000,
			.protocol = rendezvous ? PROTOCOL_RENDEZVOUS : PROTOCOL_EAGER,
			.cause = rendezvous ? CAUSE_LATE_RECEIVER : CAUSE_FLOW_CONTROL });
		off(0, POLLING, 95000, 97000);
		off(0, POLLING, 110000, 130000);
		off(1, POLLING, 120000, 140000);
		inside(0, 90000, 161000);
		analyze();
		CU_ASSERT_EQUAL(number("SELECT other_no_cpu_ns FROM exact_cell WHERE rank = 1"),
			rendezvous ? 30000 : 20000);
		end();
	}
}

/*
 * Rank 1 sends from 100 us on. Rank 0 receives within 2 us, much less than predicted, and comes
 * back to MPI at 150 us. Rank 1 has no CPU from 105 us on.
 */
static void a_receive_that_is_done_needs_no_more_progress(void)
{
	begin(2);
	run_sql("INSERT INTO link_param VALUES (0, 'node', NULL, 'send', NULL, 'LogGPS', "
		"'residual', 8, 30000, 'ns', NULL, NULL, 'measured', NULL)");
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 100100, .span = 2000,
		.predicted = 2000, .cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 100000, .span = 60000,
		.predicted = 30000, .protocol = PROTOCOL_RENDEZVOUS,
		.cause = CAUSE_LATE_RECEIVER });
	off(1, POLLING, 105000, 158000);
	inside(0, 100100, 102100);
	inside(0, 150000, 190000);
	analyze();
	CU_ASSERT_EQUAL(
		number("SELECT other_no_cpu_ns FROM exact_cell WHERE rank = 1"), 158000 - 132100);
	CU_ASSERT(text_is("SELECT cause FROM match", "no_cpu"));
	end();
}

/*
 * Rank 1 completes a message from rank 0, which had come, and its own one in one call. Rank 0
 * posted the receive of it, but has no CPU until 155 us. Live, the message from rank 0 had all of
 * the time.
 */
static void a_call_waits_for_the_message_whose_peer_has_no_cpu(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 50000, .span = 100, .predicted = 90,
		.cause = CAUSE_FLOW_CONTROL });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 60000, .span = 100,
		.wait_enter = 65000, .wait_span = 94000, .predicted = 1000,
		.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 90000, .span = 100,
		.wait_enter = 100000, .wait_span = 60000, .blocked = 59400, .predicted = 1000,
		.cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 95000, .span = 100,
		.wait_enter = 100000, .wait_span = 60000, .blocked = 600, .predicted = 600,
		.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
	run_sql("UPDATE op_row SET done = %d WHERE id > 1 << 40", FN_MPI_Waitall | 9 << 10);
	inside(0, 60000, 160000);
	off(0, POLLING, 94000, 155000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT other_no_cpu_ns FROM exact_profile WHERE rank = 1"
			       " AND kind = 'send'"),
		155000 - 101000);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM exact_profile WHERE rank = 1"
			       " AND kind = 'recv' AND other_ns > 0"),
		0);
	end();
}

static void a_member_that_lost_its_cpu_is_late_in_a_collective(void)
{
	begin(2);
	coll((struct given_coll){ 1, FN_MPI_Barrier, 1, -1, 100000, 60000, 0, 0 });
	coll((struct given_coll){ 0, FN_MPI_Barrier, 1, -1, 150000, 10000, 0, 0 });
	inside(0, 10000, 50000);
	inside(1, 10000, 45000);
	off(0, PREEMPTED, 60000, 80000);
	off(0, GAVE_UP, 90000, 120000);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT wait_ns FROM collective_wait"), 50000);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM collective_wait"), 20000);
	CU_ASSERT_EQUAL(number("SELECT blocked_outside_ns FROM collective_wait"), 30000);
	CU_ASSERT_EQUAL(number("SELECT no_cpu_ns FROM collective_wait_by_late_rank"), 20000);
	end();
}

static void intervals_are_kept_apart_and_the_oldest_are_forgotten(void)
{
	struct off_times o = { .room = 64 };

	CU_ASSERT(off_cpu_add(&o, 2, PREEMPTED, 10, 20));
	CU_ASSERT(off_cpu_add(&o, 2, POLLING, 15, 40));
	CU_ASSERT(off_cpu_add(&o, 2, POLLING, 25, 30));
	CU_ASSERT(off_cpu_add(&o, 2, 0, 50, 60));
	CU_ASSERT_EQUAL_FATAL(o.nthreads, 3);
	CU_ASSERT_EQUAL(o.thread[2].n, 2);
	CU_ASSERT_EQUAL(o.thread[2].at[1].enter, 20);
	CU_ASSERT_EQUAL(o.thread[2].at[1].ns[PREEMPTED - 1], 10);
	CU_ASSERT_EQUAL(o.thread[2].at[1].ns[POLLING - 1], 20);
	for (int i = 1; i <= 200; i++)
		CU_ASSERT(off_cpu_add(&o, 2, GAVE_UP, 100 * i, 100 * i + 1));
	CU_ASSERT_EQUAL(o.thread[2].n, 64);
	CU_ASSERT_EQUAL(o.thread[2].at[(o.thread[2].first + 63) % 64].ns[GAVE_UP - 1], 200);
	off_times_release(&o);
}

static const struct unit_test tests[] = {
	{ "what the late side lost since its last stay is of its lateness",
		what_the_late_side_lost_since_its_last_stay_is_of_its_lateness },
	{ "a stay absorbs what was lost before it", a_stay_absorbs_what_was_lost_before_it },
	{ "what was lost before the waiting side was released is not counted",
		what_was_lost_before_the_waiting_side_was_released_is_not_counted },
	{ "no more is lost than the lateness", no_more_is_lost_than_the_lateness },
	{ "losses are in common time, as ops are", losses_are_in_common_time_as_ops_are },
	{ "another thread may lose its CPU", another_thread_may_lose_its_cpu },
	{ "polling is a loss from when the wait could have ended",
		polling_is_a_loss_from_when_the_wait_could_have_ended },
	{ "the model is judged without sends that lost their CPU",
		the_model_is_judged_without_sends_that_lost_their_cpu },
	{ "polling before is no loss", polling_before_is_no_loss },
	{ "a message needs the CPU of both", a_message_needs_the_cpu_of_both },
	{ "a receive that is done needs no more progress",
		a_receive_that_is_done_needs_no_more_progress },
	{ "a call waits for the message whose peer has no CPU",
		a_call_waits_for_the_message_whose_peer_has_no_cpu },
	{ "a member that lost its CPU is late in a collective",
		a_member_that_lost_its_cpu_is_late_in_a_collective },
	{ "intervals are kept apart, and the oldest are forgotten",
		intervals_are_kept_apart_and_the_oldest_are_forgotten },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match_no_cpu", tests);
	scratch_remove(dir);
	return failed;
}
