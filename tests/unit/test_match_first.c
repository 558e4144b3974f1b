/* SPDX-License-Identifier: BSD-3-Clause */
/* test_match_first.c: first messages of pairs, which may set up connections, and their calls. */
#include "tests/unit/match_run.h"

/* Connections are set up: the first message of a pair is in no wait, and nothing is said of it. */
static void first_messages_of_pairs_are_not_judged(void)
{
	begin(2);
	for (int i = 0; i < 2; i++) {
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000 + 20000 * i,
			.span = 5300, .predicted = 200, .cause = CAUSE_LATE_SENDER,
			.flags = i ? 0 : OP_FIRST });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 6000 + 20000 * i,
			.span = 100, .predicted = 90, .cause = CAUSE_FLOW_CONTROL });
	}
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE cause = 'late_sender'"), 2);
	CU_ASSERT_EQUAL(number("SELECT sum(count) FROM live_accuracy"), 1);
	CU_ASSERT_EQUAL(number("SELECT bias_ns FROM live_accuracy"), 100);
	CU_ASSERT_EQUAL(
		number("SELECT sum(wait_ns) FROM exact_by_cause WHERE cause = 'unexplained'"), 100);
	end();
}

/* Rank 0 sends two messages, the second to 30000. The first message of either side is marked. */
static void a_call_that_also_completes_a_first_message_is_not_judged(void)
{
	for (int of = 0; of < 3; of++) {
		begin(2);
		for (int i = 0; i < 2; i++) {
			op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + 100 * i,
				.span = 50, .wait_enter = 1500, .wait_span = 28500,
				.blocked = i ? 28400 : 100, .predicted = 100,
				.flags = of == 1 && i == 0 ? OP_FIRST : 0 });
			op((struct given){ RECV, .rank = 1, .peer = 0, .post = 2000 + 100 * i,
				.span = 50, .wait_enter = 2500, .wait_span = 27500,
				.blocked = i ? 27400 : 100, .predicted = 100,
				.flags = of == 2 && i == 0 ? OP_FIRST : 0 });
		}
		analyze();
		CU_ASSERT_EQUAL(number("SELECT count(*) > 0 FROM exact_by_cause "
				       "WHERE cause = 'unexplained'"),
			of == 0);
		CU_ASSERT_EQUAL(
			number("SELECT sum(late_ns + progress_ns + other_ns) FROM match"), 55600);
		CU_ASSERT_EQUAL(number("SELECT sum(excess_ns) FROM exact_profile"), 55600);
		CU_ASSERT_EQUAL(number("SELECT sum(count) FROM exact_profile"), 4);
		CU_ASSERT_EQUAL(
			number("SELECT count(*) FROM exact_profile WHERE predicted_ns < 0"), 0);
		CU_ASSERT_EQUAL(number("SELECT count(*) FROM exact_cell "
				       "WHERE max_lateness_ns < 0 OR max_bytes < 0"),
			0);
		end();
	}
}

static const struct unit_test tests[] = { { "first messages of pairs are not judged",
						  first_messages_of_pairs_are_not_judged },
	{ "a call that also completes a first message is not judged",
		a_call_that_also_completes_a_first_message_is_not_judged },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("match_first", tests);
	scratch_remove(dir);
	return failed;
}
