/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay_model.c: times by a model alone; all worked out by hand. */
#include "tests/unit/replay_map_run.h"

#include <errno.h>

/* A rendezvous whose receive comes 3000 ns late. All parameters a byte are 0. */
static void late_receive(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 5200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 2900 });
	give_link(2, "node", 700, 0, 4);
	analyze();
}

/*
 * LogGPS: 3000 + 100 (T4) + 900 (T5) + 100, and by (9) 100 + 900 + 900. LogGP: o, and o for a
 * message that is there.
 */
static void a_model_alone_has_its_own_times(void)
{
	late_receive();
	follow(&(struct replay_changes){ .model = "LogGPS" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 4100);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 1900);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 3000);
	forget_followed();
	follow(&(struct replay_changes){ .model = "LogGPS", .set = "S=64k" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 100);
	forget_followed();
	for (int i = 1; i <= 2; i++) {
		follow(&(struct replay_changes){ .model = i == 1 ? "LogGP-1" : "LogGP-2" });
		CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100);
		CU_ASSERT_EQUAL(after.rank[1].inside_ns, 100);
		CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
		CU_ASSERT_EQUAL(after.unmodelled, 0);
		forget_followed();
	}
	end();
}

/*
 * The receiver of a rendezvous computes until 4000. The wait for it was measured in the run, so a
 * model alone does not have it.
 */
static void a_model_alone_has_no_waits_for_progress(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 3600 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 900 });
	give_link(2, "node", 700, 0, 4);
	analyze();
	run_sql("UPDATE match_row SET progress = 3000, code = %d",
		(int)match_code_put_waiting(KIND_SEND));
	follow(&(struct replay_changes){ .model = "LogGPS" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 1900);
	forget_followed();
	end();
}

/*
 * s is 4, and a byte takes 10 ns up to s and 2 ns beyond: 900 + 10 (k - 1) and 932 + 2 (k - 1). The
 * 8 bytes take 946 ns by both models, for LogGP-1's line ends there.
 */
static void loggp_has_one_line_or_two(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5000, .span = 2000 });
	give_link(2, "node", 700, 10, 1000);
	run_sql("UPDATE link_param SET value = 4 WHERE name = 's'");
	run_sql("UPDATE link_param SET value = 2 WHERE name = 'G_l'");
	analyze();
	follow(&(struct replay_changes){ .model = "LogGP-2" });
	CU_ASSERT_EQUAL(scenario.loggp[1].s, 4);
	CU_ASSERT_DOUBLE_EQUAL(scenario.loggp[1].o[1], 116, 1e-9);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 116);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 932 + 14);
	forget_followed();
	follow(&(struct replay_changes){ .model = "LogGP-1" });
	CU_ASSERT_DOUBLE_EQUAL(scenario.loggp[1].G[0], 46.0 / 7, 1e-9);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 100);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 946);
	forget_followed();
	end();
}

static void an_unknown_model_is_refused(void)
{
	struct replay_changes changes = { .model = "LogP" };

	late_receive();
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL(replay_scenario_read(db, &g, &changes, &scenario, NULL), -EINVAL);
	forget_followed();
	end();
}

/* Without its parameters a model says nothing. */
static void a_model_of_unknown_links_is_refused(void)
{
	struct replay_changes changes = { .model = "LogGPS" };

	late_receive();
	run_sql("DELETE FROM link_param WHERE name = 'o'");
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL(replay_scenario_read(db, &g, &changes, &scenario, NULL), -EINVAL);
	forget_followed();
	end();
}

/* Sizes have their units in any case; 64 k covers the message as 64K does. */
static void units_of_sizes_have_any_case(void)
{
	double value;

	CU_ASSERT(replay_read_value("64k", true, &value) && value == 65536);
	CU_ASSERT(replay_read_value("2m", true, &value) && value == 2097152);
	CU_ASSERT(replay_read_value("1g", true, &value) && value == 1073741824);
	CU_ASSERT(replay_read_value("3kib", true, &value) && value == 3072);
	CU_ASSERT_FALSE(replay_read_value("1S", false, &value));
	CU_ASSERT_FALSE(replay_read_value("1k", false, &value));
}

static const struct unit_test tests[] = { { "a model alone has its own times",
						  a_model_alone_has_its_own_times },
	{ "a model alone has no waits for progress", a_model_alone_has_no_waits_for_progress },
	{ "LogGP has one line or two", loggp_has_one_line_or_two },
	{ "an unknown model is refused", an_unknown_model_is_refused },
	{ "a model of unknown links is refused", a_model_of_unknown_links_is_refused },
	{ "units of sizes have any case", units_of_sizes_have_any_case }, { NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay_model", tests);
	scratch_remove(dir);
	return failed;
}
