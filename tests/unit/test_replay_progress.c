/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_replay_progress.c: replays of sends that need their receiver inside MPI: rendezvous, and
 * eager ones above S_p; each time is worked out by hand.
 */
#include "tests/unit/replay_run.h"

#include "layouts.h"

/*
 * Rank 0 sends from 1000 to 6900 and waits for 3000 of that until rank 1, which posted its receive
 * at 500, is inside MPI. Rank 1 is in MPI_Wait from 4000 to 7000. S_p as given.
 */
static void late_progress(unsigned protocol, int S_p)
{
	begin(2);
	op((struct given){
		SEND, .rank = 0, .peer = 1, .protocol = protocol, .post = 1000, .span = 5900 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 3000 });
	give_links();
	run_sql("UPDATE link_param SET value = %d WHERE name = 'S_p'", S_p);
	analyze();
	run_sql("UPDATE match_row SET progress = 3000, code = %d",
		(int)match_code_put_waiting(KIND_SEND));
}

/*
 * A rendezvous takes T4 + T5 = 2 * 900 and a message of 900. A thread has had 3000 for it when
 * MPI_Wait is entered: only 100 of 2700 are left, and the call takes 2600 less.
 */
static void a_thread_moves_messages_while_ranks_compute(void)
{
	late_progress(PROTOCOL_RENDEZVOUS, 1000);
	replay(&(struct replay_changes){ .progress = true });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2900);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 10 + 400);
	forget();
	replay(&(struct replay_changes){ .no_waits = "late_progress" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2900);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 10 + 3000);
	forget();
	replay(&(struct replay_changes){ 0 });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5900);
	forget();
	end();
}

/*
 * Rank 1 computes for 500, posts in 10, and computes for 3490 before MPI_Wait. The send waits from
 * 1000 until this call, by a rendezvous and above S_p, and takes 2900 then.
 */
static void a_wait_for_progress_follows_the_other_rank(void)
{
	static const struct {
		const char *speed;
		int64_t waits;
	} cases[] = { { "rank:1=2", 250 + 10 + 1745 - 1000 }, { "rank:1=0.5", 1010 + 6980 - 1000 },
		{ "rank:1=10", 0 } };

	for (int eager = 0; eager < 2; eager++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			late_progress(eager ? PROTOCOL_EAGER : PROTOCOL_RENDEZVOUS, 4);
			replay(&(struct replay_changes){ .speed = cases[i].speed });
			CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 3000);
			CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), cases[i].waits);
			CU_ASSERT_EQUAL(after.rank[0].inside_ns, cases[i].waits + 2900);
			forget();
			end();
		}
}

/*
 * Rank 0 sends at 1000 and waits until rank 1 is inside MPI at 4000. Rank 1 sends at 8000, when
 * rank 0 is inside since 7000: its post at 5000 was none. Where rank 0 computes twice as long, the
 * first send comes at 2000, and the second one has to wait until 4500 + 1000 + 10 + 2 * 1990. It
 * has not if another send ended before its receiver came.
 */
static void a_send_without_a_wait_waits_for_a_slower_rank(void)
{
	for (int way = 0; way < 4; way++) {
		const unsigned protocol = way / 2 ? PROTOCOL_EAGER : PROTOCOL_RENDEZVOUS;
		const bool denied = way % 2;
		const int64_t waits = denied ? 0 : 1490;

		begin(2);
		op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = protocol, .post = 1000,
			.span = 3500 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING,
			.post = 500, .span = 10, .wait_enter = 4000, .wait_span = 500 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .form = FORM_NONBLOCKING,
			.post = 5000, .span = 10, .wait_enter = 7000, .wait_span = 2000 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .protocol = protocol, .post = 8000,
			.span = 1000 });
		if (denied) {
			op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = protocol,
				.post = 12000, .span = 100 });
			op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING,
				.post = 9500, .span = 10, .wait_enter = 20000, .wait_span = 100 });
		}
		give_links();
		analyze();
		run_sql("UPDATE match_row SET progress = 3000, code = %d WHERE send = (SELECT "
			"min(send) FROM match_row)",
			(int)match_code_put_waiting(KIND_SEND));
		replay(&(struct replay_changes){ 0 });
		CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
		CU_ASSERT_EQUAL(after.rank[1].inside_ns, 10 + 500 + 1000 + (denied ? 10 + 100 : 0));
		forget();
		replay(&(struct replay_changes){ .speed = "rank:0=0.5" });
		CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 2000 + waits);
		forget();
		end();
	}
}

/*
 * The matching found no wait, but the send ended 2900 ns after rank 1 came into MPI at 4000. If
 * rank 1 computes for twice as long, it comes at 7990.
 */
static void a_send_that_ends_with_the_other_ranks_call_needs_it(void)
{
	late_progress(PROTOCOL_RENDEZVOUS, 4);
	run_sql("UPDATE match_row SET progress = 0");
	replay(&(struct replay_changes){ .speed = "rank:1=0.5" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3990);
	forget();
	/* the call lasts longer after rank 1 has come than before: that shows nothing */
	run_sql("UPDATE op_row SET span = 6100 WHERE id >> 40 = 0");
	replay(&(struct replay_changes){ .speed = "rank:1=0.5" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	/* clocks of hosts differ by as much as the end comes later */
	run_sql("UPDATE op_row SET span = 5900 WHERE id >> 40 = 0");
	all_over(TIER_NETWORK);
	replay(&(struct replay_changes){ .speed = "rank:1=0.5" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	end();
}

/* A wait that ends long before the other rank comes into MPI has another reason, and stays. */
static void a_wait_that_the_other_rank_does_not_explain_stays(void)
{
	late_progress(PROTOCOL_RENDEZVOUS, 4);
	run_sql("UPDATE op_row SET gap = 290000 WHERE gap IS NOT NULL");
	replay(&(struct replay_changes){ .speed = "rank:1=2" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5900);
	forget();
	end();
}

/* Its send takes 100 instead of 1900, and waits for progress only above S_p. */
static void an_eager_message_needs_progress_above_S_p(void)
{
	late_progress(PROTOCOL_RENDEZVOUS, 1000);
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5900 - 3000 - 1800);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	end();
	late_progress(PROTOCOL_RENDEZVOUS, 4);
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5900 - 1800);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	forget();
	end();
}

/*
 * Sends up to S, 4 bytes, need no progress. With a larger S, a send of 8 bytes needs none either. A
 * send of 70,000 bytes needs progress between hosts, where the receiver's host takes only 64 KiB.
 * Rank 0 posts at 1000, and rank 1, which posts its receive at 500, computes until 4000.
 */
static void a_larger_S_takes_S_p_along(void)
{
	for (int i = 0; i < 4; i++) {
		const bool is_long = i & 1, across = i & 2;

		begin(2);
		op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
			.post = 1000, .span = 3200 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING,
			.post = 500, .span = 10, .wait_enter = 4000, .wait_span = 200 });
		run_sql("UPDATE op_row SET bytes = %d", is_long ? 70000 : 8);
		if (across)
			all_over(TIER_NETWORK);
		give_link(2, across ? "network" : "node", 700, 0, 4);
		analyze();
		replay(&(struct replay_changes){ .set = "S=128K" });
		CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS) > 0, is_long && across);
		forget();
		end();
	}
}

/* No break between short and long messages was found below S: there is none below a larger S. */
static void messages_are_short_up_to_a_larger_S(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 7100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 6000, .span = 2300 });
	give_links();
	run_sql("UPDATE link_param SET name = rtrim(name, 'l') || 'r' WHERE name IN ('O_sl', "
		"'O_rl', 'G_l')");
	run_sql("UPDATE link_param SET value = 4 WHERE name IN ('s', 'S', 'S_p')");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(after.unmodelled, 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	forget();
	run_sql("UPDATE link_param SET value = 3 WHERE name = 's'");
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT(after.unmodelled > 0);
	forget();
	end();
}

/*
 * A message of more than 2 bytes takes 900 - 200 ns, and 100 ns a byte up to 4. A rendezvous takes
 * 1800 ns more, and 1 ns a byte: with 8 bytes 2508 ns in all. An eager byte beyond the fourth takes
 * at most twice as long: 700 + 4 * 100 + 4 * 2 ns.
 */
static void eager_bytes_beyond_S_cost_at_most_two_of_a_rendezvous(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 3000 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 3000 });
	give_links();
	run_sql("INSERT INTO link_param SELECT rank, tier, NULL, NULL, NULL, model, "
		"rtrim(name, 'l') || 'r', NULL, name = 'G_l', unit, NULL, NULL, source, NULL "
		"FROM link_param WHERE name IN ('O_sl', 'O_rl', 'G_l')");
	run_sql("UPDATE link_param SET value = 100 WHERE name = 'G_l'");
	run_sql("UPDATE link_param SET value = 4 WHERE name IN ('S', 'S_p')");
	run_sql("UPDATE link_param SET value = 2 WHERE name = 's'");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(after.rank[1].inside_ns - before.rank[1].inside_ns, 1108 - 2508);
	forget();
	end();
}

/*
 * A rendezvous send of 8 bytes, posted at 1000, stands until its receive is posted at 6000. It
 * would arrive at 1800. The receiver is inside MPI for another message from `came` until `left`,
 * and computes otherwise. The send's call takes `span`, and is eager and above S_p after the
 * change.
 */
static void send_while_its_receiver_is_inside(int64_t came, int64_t left, int64_t span)
{
	begin(3);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = span });
	op((struct given){ SEND, .rank = 2, .peer = 1, .tag = 1, .post = 500, .span = 50 });
	op((struct given){
		RECV, .rank = 1, .peer = 2, .tag = 1, .post = came, .span = left - came });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 6000, .span = 2300 });
	give_links();
	run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 5000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
}

/* It waits only until its receiver comes: 3000 of 5000 remain. */
static void a_send_above_S_p_waits_until_its_receiver_calls(void)
{
	send_while_its_receiver_is_inside(4000, 4100, 7100);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	/* by (5) the rest took T4 + T5 + T1 = 1900, less 800 of lead; by (4) it takes T1 = 100 */
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 3000 + 2100 - 1000);
	forget();
	replay(&(struct replay_changes){ .set = "S=64K,S_p=64K" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	end();
}

static void a_receiver_that_leaves_before_the_arrival_is_late(void)
{
	send_while_its_receiver_is_inside(600, 1700, 7100);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 5000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000 + 2100 - 1000);
	forget();
	end();
	send_while_its_receiver_is_inside(600, 1900, 7100);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2100 - 1000);
	forget();
	end();
}

/* By (4) the call takes 1100 - 1000 = 100, but its receiver has nothing to move for 800. */
static void a_send_above_S_p_ends_no_earlier_than_it_arrives(void)
{
	send_while_its_receiver_is_inside(600, 1900, 6100);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 800);
	forget();
	end();
}

/*
 * The receive waits from 500 and, as measured, ends sooner than the model has it: eager, it leaves
 * before 1800, when the message arrives by the model. Its receiver was inside MPI all the same.
 */
static void a_receiver_that_has_the_message_was_there_for_it(void)
{
	begin(3);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 1700 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 500, .span = 2200 });
	op((struct given){ SEND, .rank = 2, .peer = 1, .tag = 1, .post = 500, .span = 50 });
	op((struct given){ RECV, .rank = 1, .peer = 2, .tag = 1, .post = 9000, .span = 100 });
	give_links();
	run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT(g.call[g.lane[1].first].leave < 1800);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 800);
	forget();
	end();
}

/*
 * A rendezvous send of 8 bytes waits from 1000 to 9000, while its receiver polls for a message that
 * never comes: inside MPI in stays of 200, outside for 300 between them. Eager and above S_p, it
 * waits for the next poll after 1800, which is 150 away on average. Where no stays are known, or
 * none after 3000, it waits until 9000.
 */
static void a_receiver_that_polls_in_vain_is_inside(void)
{
	static const int known_until[] = { 0, 3000, 9000 };

	for (int i = 0; i < 3; i++) {
		begin(2);
		op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
			.post = 1000, .span = 10100 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 2300 });
		for (int at = 0; at < known_until[i]; at += 500)
			run_sql("INSERT INTO busy_row VALUES (%lld, %d, 200, 0)",
				(long long)(IDS_OF_RANK + 1 + at), at);
		give_links();
		run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
		analyze();
		replay(&(struct replay_changes){ .set = "S=64K" });
		CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 8000);
		CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), i == 2 ? 800 + 150 : 8000);
		forget();
		end();
	}
}

static void a_send_up_to_S_p_needs_no_progress(void)
{
	late_progress(PROTOCOL_EAGER, 4);
	replay(&(struct replay_changes){ .set = "S_p=8" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2900);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	replay(&(struct replay_changes){ .set = "S_p=7" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5900);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	forget();
	end();
}

/*
 * Rank 0 sends 8 bytes above S_p at 1000. Rank 1 posts a receive for another message at 3000, which
 * moves nothing, and receives from 6000 on.
 */
static void a_receiver_that_only_posts_moves_nothing(void)
{
	begin(3);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 7100 });
	op((struct given){ SEND, .rank = 2, .peer = 1, .tag = 1, .post = 500, .span = 50 });
	op((struct given){ RECV, .rank = 1, .peer = 2, .tag = 1, .form = FORM_NONBLOCKING,
		.post = 3000, .span = 10, .wait_enter = 9000, .wait_span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 6000, .span = 2300 });
	give_links();
	run_sql("UPDATE link_param SET value = 4 WHERE name = 'S_p'");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 5000);
	forget();
	end();
}

/* An eager send as a rendezvous: its receive is posted, but its receiver computes until 4000. */
static void a_rendezvous_needs_its_receiver_inside(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 100 });
	give_links();
	analyze();
	replay(&(struct replay_changes){ .set = "S=2" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	forget();
	replay(&(struct replay_changes){ .set = "S=2", .progress = true });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	forget();
	end();
}

/*
 * An eager send above S_p waited for its receiver from 1000 to 4000. As a rendezvous, it waits for
 * its receive until then, and its receiver is inside MPI then. If the receive was posted before, it
 * waits for progress as it did.
 */
static void a_rendezvous_waits_for_its_receive_first(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 3100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 300 });
	give_links();
	analyze();
	run_sql("UPDATE match_row SET progress = 3000, code = %d",
		(int)match_code_put_waiting(KIND_SEND));
	replay(&(struct replay_changes){ .set = "S=2" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 3000);
	forget();
	end();
	late_progress(PROTOCOL_EAGER, 4);
	replay(&(struct replay_changes){ .set = "S=2" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_PROGRESS), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	forget();
	end();
}

static const struct unit_test tests[] = { { "a wait for progress follows the other rank",
						  a_wait_for_progress_follows_the_other_rank },
	{ "a send without a wait waits for a slower rank",
		a_send_without_a_wait_waits_for_a_slower_rank },
	{ "a send that ends with the other rank's call needs it",
		a_send_that_ends_with_the_other_ranks_call_needs_it },
	{ "a wait that the other rank does not explain stays",
		a_wait_that_the_other_rank_does_not_explain_stays },
	{ "a thread moves messages while ranks compute",
		a_thread_moves_messages_while_ranks_compute },
	{ "an eager message needs progress above S_p", an_eager_message_needs_progress_above_S_p },
	{ "a send above S_p waits until its receiver calls",
		a_send_above_S_p_waits_until_its_receiver_calls },
	{ "a larger S takes S_p along", a_larger_S_takes_S_p_along },
	{ "messages are short up to a larger S", messages_are_short_up_to_a_larger_S },
	{ "eager bytes beyond S cost at most two of a rendezvous",
		eager_bytes_beyond_S_cost_at_most_two_of_a_rendezvous },
	{ "a receiver that leaves before the arrival is late",
		a_receiver_that_leaves_before_the_arrival_is_late },
	{ "a send above S_p ends no earlier than it arrives",
		a_send_above_S_p_ends_no_earlier_than_it_arrives },
	{ "a receiver that has the message was there for it",
		a_receiver_that_has_the_message_was_there_for_it },
	{ "a receiver that polls in vain is inside", a_receiver_that_polls_in_vain_is_inside },
	{ "a send up to S_p needs no progress", a_send_up_to_S_p_needs_no_progress },
	{ "a receiver that only posts moves nothing", a_receiver_that_only_posts_moves_nothing },
	{ "a rendezvous needs its receiver inside", a_rendezvous_needs_its_receiver_inside },
	{ "a rendezvous waits for its receive first", a_rendezvous_waits_for_its_receive_first },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay_progress", tests);
	scratch_remove(dir);
	return failed;
}
