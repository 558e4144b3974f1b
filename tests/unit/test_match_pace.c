/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_match_pace.c: predictions of messages within a node, from both sides' records and at the
 * run's pace. Messages of 8 bytes take 2000 ns by the calibration.
 */
#include "tests/unit/match_run.h"

enum { ROUNDS = 20, CALIBRATED_NS = 2000, LATE_NS = 1500 };

/* An op that moved before its completing call has `rest_ns` left. */
static void calibrated(const char *tier, int64_t rest_ns)
{
	static const char *const form[] = { "send", "isend", "recv", "irecv" };

	run_sql("INSERT INTO link_param VALUES (0, '%s', NULL, NULL, NULL, 'LogGPS', 'one_way', "
		"NULL, 0, 'ns', NULL, NULL, 'measured', NULL)",
		tier);
	for (size_t i = 0; i < sizeof(form) / sizeof(*form); i++)
		run_sql("INSERT INTO link_param VALUES (0, '%s', NULL, '%s', NULL, 'LogGPS', "
			"'residual', 8, %d, 'ns', NULL, NULL, 'measured', NULL), (0, '%s', NULL, "
			"'%s', NULL, 'LogGPS', 'rest', 8, %lld, 'ns', NULL, NULL, 'measured', "
			"NULL)",
			tier, form[i], CALIBRATED_NS, tier, form[i], (long long)rest_ns);
}

/*
 * Rank 0 receives in each round, and rank 1 sends LATE_NS later. The message then takes `took` ns.
 * Rank 1 is inside MPI meanwhile, or comes back just before the end.
 */
static void rounds(int64_t took, bool computes)
{
	for (int i = 0; i < ROUNDS; i++) {
		const int64_t at = 1000 + i * (took + 2 * LATE_NS), sent = at + LATE_NS;
		const int64_t back = sent + took - 100;

		op((struct given){ RECV, .rank = 0, .peer = 1, .post = at, .span = LATE_NS + took,
			.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER,
			.cause = CAUSE_LATE_SENDER });
		if (computes) {
			op((struct given){ SEND, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING,
				.post = sent, .span = 10, .wait_enter = back, .wait_span = 200,
				.predicted = 100, .protocol = PROTOCOL_EAGER });
			inside(1, sent, sent + 10);
			inside(1, back, back + 200);
		} else {
			op((struct given){ SEND, .rank = 1, .peer = 0, .post = sent, .span = took,
				.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER });
			inside(1, sent, sent + took);
		}
	}
}

/* From the fourth receive on, the predictions are those of the run: at most twice the calibrated.
 */
static void predictions_follow_messages_that_wait_for_nobody(void)
{
	static const struct {
		int64_t took, predicted;
	} of[] = { { 1000, 1000 }, { 2000, 2000 }, { 3000, 3000 }, { 9000, 4000 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		begin(2);
		calibrated("node", 0);
		rounds(of[i].took, false);
		analyze();
		CU_ASSERT_EQUAL(
			number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'recv'"),
			3 * CALIBRATED_NS + 17 * of[i].predicted);
		CU_ASSERT_EQUAL(number("SELECT sum(late_ns) FROM match"), ROUNDS * LATE_NS);
		end();
	}
}

/* If one message takes longer than the others, the rest is a wait that nothing explains. */
static void what_exceeds_the_pace_is_a_wait(void)
{
	begin(2);
	calibrated("node", 0);
	rounds(1000, false);
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 90000, .span = LATE_NS + 2000,
		.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER,
		.cause = CAUSE_LATE_SENDER });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 90000 + LATE_NS, .span = 1000,
		.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER });
	inside(1, 90000 + LATE_NS, 90000 + LATE_NS + 1000);
	analyze();
	CU_ASSERT_EQUAL(
		number("SELECT other_ns FROM match ORDER BY recv_enter_ns DESC LIMIT 1"), 1000);
	end();
}

static void a_peer_outside_MPI_shows_no_pace(void)
{
	begin(2);
	calibrated("node", 0);
	rounds(1000, true);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'recv'"),
		ROUNDS * CALIBRATED_NS);
	end();
}

static void who_lost_its_CPU_shows_no_pace(void)
{
	begin(2);
	calibrated("node", 0);
	rounds(1000, false);
	for (int i = 0; i < ROUNDS; i++) {
		const int64_t at = 1000 + i * (1000 + 2 * LATE_NS) + LATE_NS + 500;

		off_of(i % 2, 0, OFF_CPU_PREEMPTED, at, at + 100);
	}
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'recv'"),
		ROUNDS * CALIBRATED_NS);
	end();
}

/*
 * A receive whose message came long ago takes 500 ns; one whose message was sent 100 ns before it
 * is not compared with those.
 */
static void messages_that_were_ready_have_a_pace_of_their_own(void)
{
	begin(2);
	calibrated("node", 0);
	for (int i = 0; i <= ROUNDS; i++) {
		const int64_t at = 10000 + i * 10000, took = i < ROUNDS ? 500 : CALIBRATED_NS;
		const int64_t sent = at - (i < ROUNDS ? 5000 : 100);

		op((struct given){ RECV, .rank = 0, .peer = 1, .post = at, .span = took,
			.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER,
			.cause = CAUSE_LATE_SENDER });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = sent, .span = 50,
			.predicted = CALIBRATED_NS, .protocol = PROTOCOL_EAGER });
		inside(1, sent, sent + 50);
	}
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'recv'"),
		3 * CALIBRATED_NS + 17 * 500 + CALIBRATED_NS);
	end();
}

/*
 * In each round a call completes two sends, which rank 1 fetches in half the calibrated time. Each
 * of the two is predicted by what the call has shown.
 */
static void a_call_of_several_shows_its_pace(void)
{
	enum { SHORT_NS = 2 * CALIBRATED_NS / 2 };

	begin(2);
	calibrated("node", 0);
	for (int i = 0; i < ROUNDS; i++) {
		const int64_t at = 10000 + i * 10000, late = at + 2 * LATE_NS;

		for (int k = 0; k < 2; k++) {
			op((struct given){ SEND, .rank = 0, .peer = 1, .tag = k,
				.form = FORM_NONBLOCKING, .post = at - 20 + 2 * k, .span = 1,
				.wait_enter = at, .wait_span = 2 * LATE_NS + SHORT_NS,
				.blocked = LATE_NS + SHORT_NS / 2, .predicted = CALIBRATED_NS,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_RECEIVER });
			op((struct given){ RECV, .rank = 1, .peer = 0, .tag = k,
				.form = FORM_NONBLOCKING, .post = late + k, .span = 1,
				.wait_enter = late + 2, .wait_span = SHORT_NS - 2,
				.blocked = SHORT_NS / 2 - 1, .predicted = CALIBRATED_NS,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
		}
		inside(0, at, at + 2 * LATE_NS + SHORT_NS);
		inside(1, late, late + SHORT_NS);
	}
	run_sql("UPDATE op_row SET done = %d WHERE done NOT NULL", FN_MPI_Waitall | 9 << 10);
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'send'"),
		3 * 2 * CALIBRATED_NS + 17 * SHORT_NS);
	end();
}

static void between_nodes_predictions_stay(void)
{
	begin(2);
	calibrated("network", 0);
	rounds(1000, false);
	run_sql("UPDATE op_row SET code = code + (1 << 23)");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM op WHERE tier = 'network'"), 2 * ROUNDS);
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE kind = 'recv'"),
		ROUNDS * CALIBRATED_NS);
	end();
}

/*
 * Two ranks exchange two messages each way, which the receiver fetches. Rank 1 comes 50000 ns after
 * rank 0, which has fetched its messages by then, and fetches its own. Live, rank 0 predicts the
 * messages of both ways at one time. All but the time of four messages is late progress.
 */
static void what_moves_at_different_times_is_predicted_apart(void)
{
	begin(2);
	calibrated("node", CALIBRATED_NS);
	for (int rank = 0; rank < 2; rank++) {
		const int64_t enter = rank ? 51000 : 1000, span = rank ? 4000 : 54000;

		for (int i = 0; i < 2; i++) {
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .tag = i,
				.form = FORM_NONBLOCKING, .post = 10 + i, .span = 1,
				.wait_enter = enter, .wait_span = span,
				.blocked = rank ? 1000 : 2000, .predicted = 2000,
				.protocol = PROTOCOL_RENDEZVOUS, .cause = CAUSE_LATE_SENDER });
			op((struct given){ SEND, .rank = rank, .peer = 1 - rank, .tag = i,
				.form = FORM_NONBLOCKING, .post = 20 + i, .span = 1,
				.wait_enter = enter, .wait_span = span,
				.blocked = rank ? 1000 :
					i       ? 48000 :
						  2000,
				.predicted = i ? 0 : 2000, .protocol = PROTOCOL_RENDEZVOUS,
				.cause = CAUSE_LATE_RECEIVER });
		}
		inside(rank, 10, 22);
		inside(rank, enter, enter + span);
	}
	analyze();
	CU_ASSERT_EQUAL(number("SELECT sum(predicted_ns) FROM exact_profile WHERE rank = 0"), 8000);
	CU_ASSERT_EQUAL(number("SELECT sum(progress_ns) FROM match WHERE send_rank = 0"), 46000);
	CU_ASSERT_EQUAL(number("SELECT sum(blocked_ns) FROM exact_profile WHERE rank = 0"), 54000);
	end();
}

static const struct unit_test tests[] = {
	{ "predictions follow messages that wait for nobody",
		predictions_follow_messages_that_wait_for_nobody },
	{ "what exceeds the pace is a wait", what_exceeds_the_pace_is_a_wait },
	{ "a peer outside MPI shows no pace", a_peer_outside_MPI_shows_no_pace },
	{ "who lost its CPU shows no pace", who_lost_its_CPU_shows_no_pace },
	{ "messages that were ready have a pace of their own",
		messages_that_were_ready_have_a_pace_of_their_own },
	{ "a call of several shows its pace", a_call_of_several_shows_its_pace },
	{ "between nodes predictions stay", between_nodes_predictions_stay },
	{ "what moves at different times is predicted apart",
		what_moves_at_different_times_is_predicted_apart },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match_pace", tests);
	scratch_remove(dir);
	return failed;
}
