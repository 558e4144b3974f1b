/* SPDX-License-Identifier: BSD-3-Clause */
/* test_edit.c: single messages of hand-made runs changed; each time is worked out by hand. */
#include "tests/unit/match_run.h"

#include "analysis/replay/balance.h"
#include "analysis/worth/edit.h"
#include "analysis/replay/load.h"
#include "analysis/replay/run.h"
#include "layouts.h"

static struct replay_graph g;
static struct edit edit;
static struct replay_scenario same;

static void load_analyzed(void)
{
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(
		replay_scenario_read(db, &g, &(struct replay_changes){ 0 }, &same, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(edit_begin(&g, &edit), 0);
}

static void load(void)
{
	analyze();
	load_analyzed();
}

static void forget(void)
{
	edit_end(&edit);
	replay_scenario_release(&same);
	replay_graph_release(&g);
	end();
}

/* How long the rank is inside MPI in a replay [ns]. */
static int64_t time_inside(uint32_t rank)
{
	struct replay_result replayed;
	int64_t ns;

	CU_ASSERT_EQUAL(replay_run(&g, &same, &replayed), 0);
	ns = replayed.rank[rank].inside_ns;
	replay_result_release(&replayed);
	return ns;
}

/* The end of a message that the rank posted. */
static uint32_t part_of(int32_t rank)
{
	for (uint32_t i = 0; i < g.nparts; i++)
		if (g.detail[i].rank == rank)
			return i;
	return REPLAY_NONE;
}

/* A rendezvous send stands from 1000 to 4000; the receiver is outside of MPI until 4000. */
static void early_send(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 3200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 300 });
	load();
}

static void a_part_is_found_by_its_row(void)
{
	early_send();
	for (uint32_t i = 0; i < g.nparts; i++)
		CU_ASSERT_EQUAL(replay_part_of(&g, g.id[i]), i);
	CU_ASSERT_EQUAL(replay_part_of(&g, g.id[1] + 1000), REPLAY_NONE);
	CU_ASSERT_EQUAL(replay_part_of(&g, INT64_C(7) << 40), REPLAY_NONE);
	forget();
}

static void a_spared_message_does_not_wait(void)
{
	early_send();
	CU_ASSERT_EQUAL(time_inside(0), 3200);
	edit_spare(&edit, part_of(0), 50);
	CU_ASSERT_EQUAL(time_inside(0), 150);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(time_inside(0), 3200);
	edit_spare(&edit, part_of(0), 1000);
	CU_ASSERT_EQUAL(time_inside(0), 0);
	forget();
}

/*
 * A send from 1000 to 6900 waits until its receiver is inside MPI at 4000: for 3000, but not where
 * it is spared this.
 */
static void a_spared_wait_for_progress_does_not_follow_the_other_rank(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 5900 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .form = FORM_NONBLOCKING, .post = 500,
		.span = 10, .wait_enter = 4000, .wait_span = 3000 });
	analyze();
	run_sql("UPDATE match_row SET progress = 3000, code = %d",
		(int)match_code_put_waiting(KIND_SEND));
	load_analyzed();
	CU_ASSERT(g.part[part_of(0)].has_lag);
	CU_ASSERT_EQUAL(time_inside(0), 5900);
	edit_spare(&edit, part_of(0), 0);
	CU_ASSERT_EQUAL(time_inside(0), 2900);
	edit_undo(&edit);
	edit_spare_progress(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 2900);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(time_inside(0), 5900);
	edit_leave_out(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 0);
	forget();
}

/* However early it is posted: only a transfer that goes on alone ends before the receiver is back.
 */
static void a_receive_posted_early_moves_nothing_outside_MPI(void)
{
	early_send();
	edit_post_early(&edit, part_of(0), false);
	CU_ASSERT_EQUAL(time_inside(0), 3200);
	edit_undo(&edit);
	edit_post_early(&edit, part_of(0), true);
	CU_ASSERT_EQUAL(time_inside(0), 200);
	forget();
}

/* Rank 0 waits from 1000 to 5000, then computes 2500 before its send to rank 1, or nothing. */
static void late_send(int64_t computes)
{
	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1000, .span = 4100 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 5100 + computes, .span = 60 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 50 });
	load();
}

static void a_receive_behind_computation_waits_less(void)
{
	late_send(2500);
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 60);
	edit_receive_later(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 60 - 2500);
	forget();
}

/*
 * Rank 0 waits 4000 for rank 1, which computes 5000 before its send. Each waits for its partner
 * 2000 less or later: rank 0 enters its receive at 3000, and the send comes at 3000.
 */
static void half_of_the_work_that_is_waited_for_moves(void)
{
	late_send(2500);
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 60);
	edit_share_work(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 100 + 60);
	edit_undo(&edit);
	edit_share_work(&edit, part_of(1)); /* it does not wait */
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 60);
	forget();
}

/* Rank 1 sleeps for half of the 3950 between its send and its receive. */
static void sleep_between_two_places_ends(void)
{
	int64_t place[8] = { 0 };
	double asleep[8] = { 0 };
	uint32_t receive;

	late_send(2500);
	receive = g.lane[1].first + 1;
	CU_ASSERT_FATAL(g.nsites <= 8);
	asleep[g.call[receive].site] = 0.5;
	place[g.call[receive].site] = PLACE_ENDS;
	edit_stay_awake(&edit, place, asleep);
	CU_ASSERT_EQUAL(g.call[receive].gap_ns, 3950); /* it does not begin there */
	place[g.call[receive - 1].site] |= PLACE_BEGINS;
	edit_stay_awake(&edit, place, asleep);
	CU_ASSERT_EQUAL(g.call[receive].gap_ns, 1975);
	CU_ASSERT_EQUAL(g.call[receive - 1].gap_ns, 5000);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(g.call[receive].gap_ns, 3950);
	forget();
}

/* Rank 1's message for the second receive of rank 0 is there at 200, for the first one at 5000. */
static void a_receive_whose_message_is_there_comes_first(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .tag = 2, .post = 200, .span = 50 });
	op((struct given){ SEND, .rank = 1, .peer = 0, .tag = 1, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .tag = 1, .post = 1000, .span = 4100 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .tag = 2, .post = 5800, .span = 70 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 7870, .span = 60 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 50 });
	load();
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 70 + 60);
	edit_receive_next_first(&edit, part_of(0));
	CU_ASSERT_EQUAL(g.call[0].dones, edit.call[1].dones);
	CU_ASSERT_EQUAL(g.call[1].gap_ns, 2000);
	CU_ASSERT_EQUAL(g.call[2].gap_ns, 700);
	CU_ASSERT_EQUAL(time_inside(0), 70 + (5000 - 3070 + 100) + 60);
	edit_receive_next_first(&edit, part_of(0));
	CU_ASSERT_EQUAL(g.call[1].dones, edit.call[0].dones);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 70 + 60);
	edit_receive_next_first(&edit, edit.call[1].dones);
	CU_ASSERT_EQUAL(g.call[1].dones, edit.call[1].dones);
	forget();
}

static void a_rank_without_work_gains_nothing(void)
{
	late_send(0);
	edit_receive_later(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 4100 + 60);
	forget();
}

/* Rank 0 computes 1000 between two receives and 1000 behind them: each moves behind one of both. */
static void receives_in_a_row_move_alike_in_any_order(void)
{
	for (int first = 0; first < 2; first++) {
		begin(2);
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 6000, .span = 50 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1000, .span = 4100 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 6100, .span = 100 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 7200, .span = 60 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 50 });
		load();
		edit_receive_later(&edit, part_of(0) + (uint32_t)first);
		edit_receive_later(&edit, part_of(0) + 1 - (uint32_t)first);
		CU_ASSERT_EQUAL(g.call[0].gap_ns, edit.call[0].gap_ns + 1000);
		CU_ASSERT_EQUAL(g.call[1].gap_ns, 1000);
		CU_ASSERT_EQUAL(g.call[2].gap_ns, 0);
		forget();
	}
}

/* Each ends in the call behind it, whichever is changed first. */
static void sends_in_a_row_move_alike_in_any_order(void)
{
	for (int first = 0; first < 2; first++) {
		uint32_t sends;

		begin(2);
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 60 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 2000, .span = 60 });
		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 3000, .span = 60 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 50 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = 6000, .span = 50 });
		load();
		sends = part_of(0);
		edit_send_nonblocking(&edit, sends + (uint32_t)first);
		edit_send_nonblocking(&edit, sends + 1 - (uint32_t)first);
		CU_ASSERT_EQUAL(g.call[0].dones, REPLAY_NONE);
		CU_ASSERT_EQUAL(g.call[1].dones, sends);
		CU_ASSERT_EQUAL(g.part[sends].next_done, REPLAY_NONE);
		CU_ASSERT_EQUAL(g.call[2].dones, sends + 1);
		CU_ASSERT_EQUAL(g.part[sends + 1].next_done, sends + 2);
		forget();
	}
}

/* Rank 0 computes from 4200 to 6000, after its send. Nonblocking, the send ends in the next call.
 */
static void a_nonblocking_send_waits_in_the_next_call(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 3200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 300 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 6000, .span = 60 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 50 });
	load();
	edit_send_nonblocking(&edit, part_of(0));
	/* 200 without waits until 1200, 1800 of work: then 1000 are left to wait */
	CU_ASSERT_EQUAL(time_inside(0), 200 + 1000 + 60);
	forget();
}

/* Rank 0 sends from 1000 to 4000, 2800 of it until the receiver calls MPI, and computes 1800. */
static void a_nonblocking_send_waits_for_progress_in_the_next_call(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_EAGER, .post = 1000,
		.span = 3000 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 900, .span = 3300 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 5800, .span = 60 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 9000, .span = 50 });
	load();
	CU_ASSERT_EQUAL(time_inside(0), 3000 + 60);
	g.part[part_of(0)].progress_ns = 2800;
	edit_send_nonblocking(&edit, part_of(0));
	CU_ASSERT_EQUAL(g.part[part_of(0)].progress_ns, 1000);
	CU_ASSERT_EQUAL(time_inside(0), 200 + 1000 + 60);
	edit_undo(&edit);
	g.part[part_of(0)].progress_ns = 700;
	edit_send_nonblocking(&edit, part_of(0));
	CU_ASSERT_EQUAL(time_inside(0), 2300 + 60);
	forget();
}

/*
 * Rank 0 sends at 1000, 1200 and 1400, 60 each. Rank 1 receives them one after the other from 1000
 * on. answers: rank 0 sends the last one behind an answer to the first.
 */
static void small_messages(bool answers)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 60 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1200, .span = 60 });
	if (answers)
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1300, .span = 50 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1400, .span = 60 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 110 });
	if (answers)
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 1120, .span = 40 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1170, .span = 100 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1280, .span = 200 });
	load();
}

static uint32_t find_sends(uint32_t *sends)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g.nparts; i++)
		if (g.detail[i].rank == 0 && g.part[i].is_send)
			sends[n++] = i;
	return n;
}

static void messages_put_into_one_are_sent_by_the_last_call(void)
{
	uint32_t sends[3];

	small_messages(false);
	CU_ASSERT_EQUAL_FATAL(find_sends(sends), 3);
	for (int i = 0; i < 3; i++)
		CU_ASSERT(edit_is_single(&edit, sends[i]));
	edit_aggregate(&edit, sends, 3, &(struct edit_combined){ .send_ns = 5, .recv_ns = 7 });
	CU_ASSERT_EQUAL(time_inside(0), 60 + 5);
	CU_ASSERT_EQUAL(g.part[sends[2]].partner, edit.part[sends[0]].partner);
	CU_ASSERT_EQUAL(g.part[g.part[sends[2]].partner].partner, sends[2]);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(time_inside(0), 3 * 60);
	forget();
}

/* Calls 200 apart, 60 long, with 90 of tryst's own between. A gap of 30 leaves 60 to the next. */
static void a_run_without_the_tool_has_no_time_of_it(void)
{
	struct replay_result replayed;
	int64_t tool_ns[64] = { 0 };
	uint32_t sends[3];
	int64_t before;

	small_messages(false);
	CU_ASSERT_EQUAL_FATAL(find_sends(sends), 3);
	CU_ASSERT_FATAL(g.nsites <= 64);
	CU_ASSERT_EQUAL(replay_run(&g, &same, &replayed), 0);
	before = replayed.rank[0].end_ns;
	replay_result_release(&replayed);
	tool_ns[g.part[sends[0]].site] = 90;
	edit_without_tool(&edit, tool_ns);
	CU_ASSERT_EQUAL(replay_run(&g, &same, &replayed), 0);
	CU_ASSERT_EQUAL(replayed.rank[0].end_ns, before - 3 * 90);
	replay_result_release(&replayed);
	edit_undo(&edit);
	CU_ASSERT_EQUAL(g.call[1].gap_ns, 140 - 90);
	g.call[1].gap_ns = 30;
	g.call[2].gap_ns = 500;
	edit_without_tool(&edit, tool_ns);
	CU_ASSERT_EQUAL(g.call[1].gap_ns, 0);
	CU_ASSERT_EQUAL(g.call[2].gap_ns, 500 - 150);
	forget();
}

/* As a damaged file may have it: sums of such times exceed 64 bits. */
static void a_tool_time_beyond_all_limits_leaves_no_computation(void)
{
	int64_t tool_ns[64];

	small_messages(false);
	CU_ASSERT_FATAL(g.nsites <= 64);
	for (uint32_t i = 0; i < g.nsites; i++)
		tool_ns[i] = INT64_C(1) << 62;
	edit_without_tool(&edit, tool_ns);
	for (uint32_t c = 0; c < g.ncalls; c++)
		CU_ASSERT_EQUAL(g.call[c].gap_ns, 0);
	forget();
}

static void messages_with_an_answer_between_cannot_be_one(void)
{
	struct replay_result replayed;
	uint32_t sends[3];

	small_messages(true);
	CU_ASSERT_EQUAL_FATAL(find_sends(sends), 3);
	edit_aggregate(&edit, sends, 3, &(struct edit_combined){ 0 });
	CU_ASSERT_EQUAL(replay_run(&g, &same, &replayed), 0);
	CU_ASSERT(replayed.stuck);
	replay_result_release(&replayed);
	forget();
}

static const struct unit_test tests[] = { { "a part is found by its row",
						  a_part_is_found_by_its_row },
	{ "a spared message does not wait", a_spared_message_does_not_wait },
	{ "a receive posted early moves nothing outside MPI",
		a_receive_posted_early_moves_nothing_outside_MPI },
	{ "half of the work that is waited for moves", half_of_the_work_that_is_waited_for_moves },
	{ "sleep between two places ends", sleep_between_two_places_ends },
	{ "a receive behind computation waits less", a_receive_behind_computation_waits_less },
	{ "a receive whose message is there comes first",
		a_receive_whose_message_is_there_comes_first },
	{ "a rank without work gains nothing", a_rank_without_work_gains_nothing },
	{ "a nonblocking send waits in the next call", a_nonblocking_send_waits_in_the_next_call },
	{ "a spared wait for progress does not follow the other rank",
		a_spared_wait_for_progress_does_not_follow_the_other_rank },
	{ "a nonblocking send waits for progress in the next call",
		a_nonblocking_send_waits_for_progress_in_the_next_call },
	{ "messages put into one are sent by the last call",
		messages_put_into_one_are_sent_by_the_last_call },
	{ "a run without tryst's own time is shorter by it",
		a_run_without_the_tool_has_no_time_of_it },
	{ "a tool's time beyond all limits leaves no computation",
		a_tool_time_beyond_all_limits_leaves_no_computation },
	{ "messages with an answer between cannot be one",
		messages_with_an_answer_between_cannot_be_one },
	{ "receives in a row move alike in any order", receives_in_a_row_move_alike_in_any_order },
	{ "sends in a row move alike in any order", sends_in_a_row_move_alike_in_any_order },
	{ NULL, NULL } };

int main(void)
{
	unsigned failed;

	scratch_make(dir);
	failed = unit_main("edit", tests);
	scratch_remove(dir);
	return failed;
}
