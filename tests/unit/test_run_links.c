/* SPDX-License-Identifier: BSD-3-Clause */
/* test_run_links.c: hosts of two kinds, whose messages are judged by the links between them. */
#include "tests/unit/match_run.h"

/*
 * Ranks 0 and 1 on hosts of one kind, 2 and 3 on those of another one; each on a host of its own
 * but 0 and 1.
 */
static void two_kinds(void)
{
	begin(4);
	run_sql("INSERT INTO run VALUES (0, 'host', 'a'), (1, 'host', 'a'), (2, 'host', 'b'), (3, "
		"'host', 'c'), (0, 'host_kind', '0'), (1, 'host_kind', '0'), (2, 'host_kind', "
		"'2'), (3, 'host_kind', '2')");
}

/* A value of the network's link as this rank has it; peer: SQL. */
static void link_is(int rank, const char *peer, const char *form, const char *name,
	const char *bytes, int value)
{
	run_sql("INSERT INTO link_param VALUES (%d, 'network', %s, %s, NULL, 'LogGPS', '%s', %s, "
		"%d, 'ns', NULL, NULL, 'measured', NULL)",
		rank, peer, form, name, bytes, value);
}

/*
 * It is waited for 100 ns after its post, and takes 700 ns still; what the link takes longer could
 * not be hidden.
 */
static void receive(int rank, int peer, int64_t at)
{
	op((struct given){ RECV, .rank = rank, .peer = peer, .form = FORM_NONBLOCKING, .post = at,
		.span = 5, .wait_enter = at + 100, .wait_span = 700, .predicted = 700 });
	op((struct given){
		SEND, .rank = peer, .peer = rank, .post = at - 5000, .span = 50, .predicted = 50 });
}

static int64_t unhidden(int rank)
{
	char sql[96];

	snprintf(sql, sizeof(sql),
		"SELECT coalesce(sum(unhidden_ns), 0) FROM unhidden_cell WHERE rank = %d", rank);
	return number(sql);
}

/*
 * 700 ns within the first kind, 780 from it to the second, and what the second measured: 740
 * within, 760 to the first.
 */
static void messages_go_by_the_link_of_their_two_kinds(void)
{
	static const struct {
		int rank, peer, unhidden;
	} of[] = { { 1, 0, 100 }, { 1, 2, 20 }, { 3, 2, 60 }, { 2, 1, 40 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		two_kinds();
		link_is(0, "NULL", "'recv'", "residual", "8", 700);
		link_is(0, "2", "'recv'", "residual", "8", 780);
		link_is(2, "NULL", "'recv'", "residual", "8", 740);
		link_is(2, "0", "'recv'", "residual", "8", 760);
		receive(of[i].rank, of[i].peer, 20000);
		all_over(TIER_NETWORK);
		analyze();
		CU_ASSERT_EQUAL(unhidden(of[i].rank), of[i].unhidden);
		end();
	}
}

/*
 * The lowest rank has rows without values, and of the link to the other kind only how much faster
 * or slower it became: the next one's, and that to their own.
 */
static void a_link_is_that_of_the_lowest_rank_that_knows_it(void)
{
	two_kinds();
	run_sql("INSERT INTO link_param VALUES (2, 'network', NULL, NULL, NULL, 'LogGPS', 'L', "
		"NULL, NULL, 'ns', NULL, NULL, NULL, 'no time left')");
	link_is(2, "0", "NULL", "scale", "NULL", 2);
	link_is(3, "NULL", "'recv'", "residual", "8", 740);
	receive(2, 0, 20000);
	all_over(TIER_NETWORK);
	analyze();
	CU_ASSERT_EQUAL(unhidden(2), 60);
	end();
}

/*
 * Of a run with more kinds than are told apart (or a damaged one) the last stands for what is left.
 */
static void kinds_beyond_the_last_are_as_that(void)
{
	begin(8);
	for (int rank = 0; rank < 8; rank++)
		run_sql("INSERT INTO run VALUES (%d, 'host_kind', '%d')", rank, rank);
	link_is(HOST_KINDS_MAX - 1, "NULL", "'recv'", "residual", "8", 740);
	receive(7, 6, 20000);
	receive(0, 1, 20000);
	all_over(TIER_NETWORK);
	analyze();
	CU_ASSERT_EQUAL(unhidden(7), 60);
	CU_ASSERT_EQUAL(unhidden(0), 0);
	end();
}

/*
 * Both leave host a together, one for each of the other hosts: a byte takes 2 ns to that kind, 1 ns
 * to the own one.
 */
static void messages_that_contend_move_as_fast_as_their_link(void)
{
	two_kinds();
	link_is(0, "NULL", "NULL", "G_l", "NULL", 1);
	link_is(0, "2", "NULL", "G_l", "NULL", 2);
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){ SEND, .rank = rank, .peer = rank + 2, .post = 1000, .span = 100,
			.predicted = 100, .protocol = PROTOCOL_EAGER });
		op((struct given){ RECV, .rank = rank + 2, .peer = rank, .post = 1000,
			.span = 33000, .predicted = 16000, .protocol = PROTOCOL_EAGER,
			.cause = CAUSE_LATE_SENDER });
	}
	run_sql("UPDATE op_row SET bytes = 8000");
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match WHERE contention_ns = 16000 AND "
			       "other_ns = 1000"),
		2);
	end();
}

static const struct unit_test tests[] = { { "messages go by the link of their two kinds",
						  messages_go_by_the_link_of_their_two_kinds },
	{ "a link is that of the lowest rank that knows it",
		a_link_is_that_of_the_lowest_rank_that_knows_it },
	{ "kinds beyond the last are as that", kinds_beyond_the_last_are_as_that },
	{ "messages that contend move as fast as their link",
		messages_that_contend_move_as_fast_as_their_link },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("run_links", tests);
	scratch_remove(dir);
	return failed;
}
