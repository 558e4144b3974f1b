/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay_map_progress.c: waits for progress with ranks on other hosts, worked out by hand. */
#include "tests/unit/replay_map_run.h"

/*
 * Inside the host sends above S_p wait for progress. The send takes o = 100, the message has
 * arrived after 150 ns, and rank 0 is inside MPI after 200.
 */
static void the_new_link_has_its_own_S_p(void)
{
	begin(2);
	on_hosts("ab");
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5200, .span = 1000 });
	all_over(TIER_NETWORK);
	give_link(2, "network", 5000, 0, 1000);
	give_link(2, "node", 50, 0, 1000);
	run_sql("UPDATE link_param SET value = 0 WHERE name = 'S_p' AND tier = 'node'");
	analyze();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n") }), 0);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 100);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 200);
	forget_followed();
	end();
}

/*
 * S inside the host is 4 B, so the send becomes a rendezvous. Rank 1 posts the receive at 500, and
 * computes until 4000. From then on the send takes 450 ns more: 100 + 50 + 100 for the answer, 100
 * to receive it, and 100 of overhead for the data. So its call lasts 3450 ns. Without a wait the
 * model gives it 600, so 2850 ns are a wait.
 */
static void a_rendezvous_that_comes_into_a_host_needs_its_receiver(void)
{
	begin(2);
	on_hosts("ab");
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 100 });
	all_over(TIER_NETWORK);
	give_link(2, "network", 5000, 0, 1000);
	give_link(2, "node", 50, 0, 4);
	analyze();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n") }), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 2850);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 3450);
	forget_followed();
	end();
}

/*
 * Rank 0 completes two messages in one call: a rendezvous inside its host, whose receiver, rank 1,
 * comes at 4000, and a receive from rank 2, which sends at 2500. If rank 2 moves, rank 0 still
 * waits for rank 1, and then takes 450 as above. Without the wait for rank 1 the call would last
 * 500
 * + 980 ns: 500 until rank 2 sends, 780 for its message, and o = 100 for each of the call's two
 * ends. The rest of the 2450 ns is the wait for rank 1.
 */
static void a_wait_inside_a_host_stays_where_others_move(void)
{
	begin(3);
	on_hosts("aab");
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.form = FORM_NONBLOCKING, .post = 1000, .span = 10, .wait_enter = 2000,
		.wait_span = 2200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 200 });
	op((struct given){ SEND, .rank = 2, .peer = 0, .post = 2500, .span = 100 });
	op((struct given){ RECV, .rank = 0, .peer = 2, .form = FORM_NONBLOCKING, .post = 1100,
		.span = 10, .wait_enter = 2000, .wait_span = 2200 });
	run_sql("UPDATE op_row SET code = (code & ~(3 << 23)) | (2 << 23)"
		" WHERE id >> 40 = 2 OR peer = 2");
	give_link(3, "network", 600, 10, 1000);
	give_link(3, "node", 50, 0, 4);
	analyze();
	run_sql("UPDATE match_row SET progress = 1500, code = %d WHERE send < 1 << 40",
		(int)match_code_put_waiting(KIND_SEND));
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("2 c\n") }), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 500);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 2450 - 500 - 980);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 10 + 10 + 2000 + 450);
	forget_followed();
	end();
}

/*
 * Rank 2, which can move, sends a byte to rank 1 on its host, long before all else. From another
 * host that takes 100 + 600 + 1 + 100 ns, so all that rank 1 does later comes 601 later.
 */
static void early_message(void)
{
	op((struct given){ SEND, .rank = 2, .peer = 1, .post = 100, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 2, .post = 100, .span = 200 });
	run_sql("UPDATE op_row SET code = (code & ~(3 << 23)) | (2 << 23)"
		" WHERE id >> 40 <> 2 AND peer <> 2");
	run_sql("UPDATE op_row SET bytes = 1 WHERE id >> 40 = 2 OR peer = 2");
	give_link(3, "node", 50, 0, 1000);
}

/*
 * An eager send above S_p also waits between hosts if it waited in the run. Rank 0 takes o = 100,
 * and then waits until rank 1 comes into MPI at 4601.
 */
static void an_eager_send_waits_between_hosts(void)
{
	begin(3);
	on_hosts("abb");
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 3040 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 200 });
	early_message();
	give_link(3, "network", 600, 1, 1000);
	run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
	analyze();
	run_sql("UPDATE match_row SET progress = 3000, code = %d WHERE send < 1 << 40",
		(int)match_code_put_waiting(KIND_SEND));
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("2 c\n") }), 0);
	CU_ASSERT_EQUAL(after.followed, 2);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3501);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100 + 3501);
	forget_followed();
	end();
}

/*
 * A rendezvous between hosts that waited 2000 for its receiver's progress, in a call that also
 * completes a barrier. The end that traffic gives for the send includes this wait, so only the
 * other 1000 of the call's 3000 ns are added.
 */
static void a_wait_for_progress_between_hosts_counts_once(void)
{
	int64_t over;

	begin(3);
	on_hosts("abb");
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.form = FORM_NONBLOCKING, .post = 1000, .span = 10, .wait_enter = 2000,
		.wait_span = 3000 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 1000 });
	for (int rank = 0; rank < 3; rank++)
		coll((struct given_coll){ rank, FN_MPI_Ibarrier, 1, -1, 1100 + rank, 10,
			rank ? 4000 : 2000, rank ? 1000 : 3000 });
	early_message();
	give_link(3, "network", 600, 1, 4);
	analyze();
	run_sql("UPDATE match_row SET progress = 2000, code = %d WHERE send < 1 << 40",
		(int)match_code_put_waiting(KIND_SEND));
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("2 c\n") }), 0);
	CU_ASSERT_EQUAL(after.followed, 2);
	over = g.detail[replay_part_of(&g, 1)].over_at;
	CU_ASSERT(over > 4601);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 10 + 10 + over - 2000 + 1000);
	forget_followed();
	end();
}

/*
 * As above, but the wait of 900 ended long before rank 1 came, so it stays as it is: it adds to the
 * model's 100.
 */
static void an_unexplained_wait_stays_in_a_call_by_the_model(void)
{
	begin(3);
	on_hosts("abb");
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 940 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 400000, .wait_span = 200 });
	run_sql("UPDATE run SET value = 500000 WHERE key = 'end_ns'");
	early_message();
	give_link(3, "network", 600, 1, 1000);
	run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
	analyze();
	run_sql("UPDATE match_row SET progress = 900, code = %d WHERE send < 1 << 40",
		(int)match_code_put_waiting(KIND_SEND));
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("2 c\n") }), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 900);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100 + 900);
	forget_followed();
	end();
}

static const struct unit_test tests[] = { { "the new link has its own S_p",
						  the_new_link_has_its_own_S_p },
	{ "a rendezvous that comes into a host needs its receiver",
		a_rendezvous_that_comes_into_a_host_needs_its_receiver },
	{ "a wait inside a host stays where others move",
		a_wait_inside_a_host_stays_where_others_move },
	{ "an eager send waits between hosts", an_eager_send_waits_between_hosts },
	{ "a wait for progress between hosts counts once",
		a_wait_for_progress_between_hosts_counts_once },
	{ "an unexplained wait stays in a call by the model",
		an_unexplained_wait_stays_in_a_call_by_the_model },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay_map_progress", tests);
	scratch_remove(dir);
	return failed;
}
