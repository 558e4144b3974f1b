/* SPDX-License-Identifier: BSD-3-Clause */
/* test_worth.c: better forms of hand-made patterns; each gain is worked out by hand. */
#include "tests/unit/match_run.h"

#include "analysis/replay/load.h"
#include "analysis/replay/run.h"
#include "analysis/worth/gain.h"

/* As in report/queries/worth_tables.sql. */
#define PATTERN_GAIN                                                                               \
	"CREATE TEMP TABLE pattern_gain (pattern, by, gain_ns, bare_ns, both_ways, "               \
	"PRIMARY KEY (pattern, by)) WITHOUT ROWID"

static struct worth w;

static void load(void)
{
	struct replay_result replayed;

	analyze();
	w = (struct worth){ .db = db, .told_ns = INT64_MAX, .steps = 1000000 };
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &w.g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(
		replay_scenario_read(db, &w.g, &(struct replay_changes){ 0 }, &w.same, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(edit_begin(&w.g, &w.edit), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&w.g, &w.same, &replayed), 0);
	w.base_ns = replayed.run_ns;
	replay_result_release(&replayed);
}

static void forget(void)
{
	edit_end(&w.edit);
	replay_scenario_release(&w.same);
	replay_graph_release(&w.g);
	end();
}

/* All leave a barrier 10 after the last one, which enters it at `last`. enter: by rank. */
static void barrier(int ranks, const int64_t *enter, int64_t last)
{
	for (int rank = 0; rank < ranks; rank++)
		coll((struct given_coll){ rank, FN_MPI_Barrier, 1, -1, .post = enter[rank],
			.span = last + 10 - enter[rank] });
}

/* A byte takes O_s ns of a send, and O_r ns of a receive. */
static void give_links_of(int ranks, int O_s, int O_r, int S)
{
	for (int rank = 0; rank < ranks; rank++)
		run_sql("INSERT INTO link_param SELECT %d, 'node', NULL, NULL, NULL, 'LogGPS', "
			"column1, NULL, column2, 'ns', NULL, NULL, 'measured', NULL "
			"FROM (VALUES ('L', 700), ('o', 100), ('O_ss', %d), ('O_rs', %d), "
			"('G_s', 0), ('O_sl', %d), ('O_rl', %d), ('G_l', 0), ('s', 1000), "
			"('S', %d), ('S_p', %d))",
			rank, O_s, O_r, O_s, O_r, S, S);
}

static void give_links(int ranks)
{
	give_links_of(ranks, 10, 5, 1000);
}

/* Rank 0 sends to all others from 1000 on, 100 each. They wait since 500, and take 20 from the
 * send. */
static void fan_out(int ranks, bool links)
{
	int64_t enter[16] = { 900 + 100 * ranks };

	begin(ranks);
	for (int to = 1; to < ranks; to++) {
		const int64_t sent = 900 + 100 * to;

		op((struct given){ SEND, .rank = 0, .peer = to, .post = sent, .span = 100 });
		op((struct given){
			RECV, .rank = to, .peer = 0, .post = 500, .span = sent + 20 - 500 });
		enter[to] = sent + 20;
	}
	barrier(ranks, enter, enter[0]);
	if (links)
		give_links(ranks);
	load();
}

/* Where rank 0 sends, or receives. */
static uint32_t site_of_root(void)
{
	for (uint32_t i = 0; i < w.g.nparts; i++)
		if (w.g.detail[i].rank == 0 && w.g.part[i].instance == REPLAY_NONE)
			return w.g.part[i].site;
	return REPLAY_NONE;
}

/* Root sends 3 messages, not 7. Rank 1 passes the data on twice, and is there at 1220. */
static void a_fan_out_takes_the_steps_of_a_tree(void)
{
	int64_t same_ns, own_ns;

	fan_out(8, false);
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 400);
	CU_ASSERT_EQUAL(own_ns, -1); /* no link parameters */
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 1, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, -1); /* rank 1 sends to nobody */
	forget();
}

/*
 * Root's three messages have the data of 4, 2 and 1 ranks: 24, 8 and no bytes more, 240 and 80 ns.
 * It is at the barrier at 1620. Rank 1 waits for its longer message until 1000 + 20 + 240 + 120,
 * and passes on two, of 100 and 180: it is there at 1660.
 */
static void data_of_their_own_make_messages_longer(void)
{
	int64_t same_ns, own_ns;

	fan_out(8, true);
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 400);
	CU_ASSERT_EQUAL(own_ns, 40);
	forget();
}

static void the_gain_of_longer_messages_is_known_for_many_ranks(void)
{
	int64_t same_ns, own_ns;

	fan_out(16, true);
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 1100);
	CU_ASSERT(own_ns >= 0 && own_ns < 1100);
	forget();
}

/* Three sends of 10 each, then 90 in a call that completes all: a tree has two, and 60. */
static void sends_that_are_completed_together_share_the_call(void)
{
	int64_t enter[4] = { 1120 }, same_ns, own_ns;

	begin(4);
	for (int to = 1; to < 4; to++) {
		const int64_t sent = 990 + 10 * to;

		op((struct given){ SEND, .rank = 0, .peer = to, .post = sent, .span = 10,
			.wait_enter = 1030, .wait_span = 90 });
		op((struct given){
			RECV, .rank = to, .peer = 0, .post = 500, .span = sent + 20 - 500 });
		enter[to] = sent + 20;
	}
	barrier(4, enter, 1120);
	load();
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 10 + 30);
	forget();
}

/* Rank 1 had a second message before rank 2 had its first one: the second of each are one round. */
static void messages_with_each_rank_are_counted(void)
{
	static const int to[6] = { 1, 1, 2, 3, 2, 3 };
	int64_t enter[4] = { 1600 }, same_ns, own_ns;

	begin(4);
	for (int i = 0; i < 6; i++) {
		const int64_t sent = 1000 + 100 * i;

		op((struct given){ SEND, .rank = 0, .peer = to[i], .post = sent, .span = 100 });
		op((struct given){ RECV, .rank = to[i], .peer = 0,
			.post = enter[to[i]] ? enter[to[i]] : 500,
			.span = sent + 20 - (enter[to[i]] ? enter[to[i]] : 500) });
		enter[to[i]] = sent + 20;
	}
	barrier(4, enter, 1600);
	load();
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_OUT, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 200);
	forget();
}

/* The messages are there when root receives them, from 1000 on, 100 each: 3 of 7 remain. */
static void a_fan_in_takes_the_steps_of_a_tree(void)
{
	int64_t enter[8] = { 1700 }, same_ns, own_ns;

	begin(8);
	for (int from = 1; from < 8; from++) {
		op((struct given){ SEND, .rank = from, .peer = 0, .post = 500, .span = 50 });
		op((struct given){
			RECV, .rank = 0, .peer = from, .post = 900 + 100 * from, .span = 100 });
		enter[from] = 550;
	}
	barrier(8, enter, 1700);
	load();
	CU_ASSERT_EQUAL(
		worth_gain_of_tree(&w, SHAPE_FAN_IN, 0, site_of_root(), &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 400);
	forget();
}

/* Four ranks: three times a send of 100 and a receive of 100. A tree has two steps. */
static void a_ring_takes_the_steps_of_a_tree(void)
{
	const int64_t enter[4] = { 1600, 1600, 1600, 1600 };
	int64_t same_ns, own_ns;

	begin(4);
	for (int step = 0; step < 3; step++)
		for (int rank = 0; rank < 4; rank++) {
			const int64_t at = 1000 + 200 * step;

			op((struct given){ SEND, .rank = rank, .peer = (rank + 1) % 4, .post = at,
				.span = 100 });
			op((struct given){ RECV, .rank = rank, .peer = (rank + 3) % 4,
				.post = at + 100, .span = 100 });
		}
	barrier(4, enter, 1600);
	give_links(4);
	load();
	CU_ASSERT_EQUAL(worth_gain_of_tree(&w, SHAPE_RING, 0, REPLAY_NONE, &same_ns, &own_ns), 0);
	CU_ASSERT_EQUAL(same_ns, 200);
	/* The second message has the data of two. Its send is 80 longer, and as much of the flight
	 * is over then. */
	CU_ASSERT_EQUAL(own_ns, 200 - 8 * 5);
	forget();
}

/*
 * The master computes 500 of the 520 that rank 1 waits for its answer. Its own time until its first
 * message stays.
 */
static void a_master_that_takes_no_time_answers_at_once(void)
{
	int rc;

	begin(2);
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 500, .span = 550 });
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1550, .span = 60 });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 1000, .span = 50 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1050, .span = 520 });
	load();
	CU_ASSERT_EQUAL(worth_gain_of_master(&w, 0, &rc), 500);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_EQUAL(worth_gain_of_master(&w, 7, &rc), -1);
	CU_ASSERT_EQUAL(rc, 0);
	forget();
}

/*
 * Rank 0 computes 1000 and 200, rank 1 200 and 1000; barriers follow, which take 10. Without them
 * each rank takes 1220, not 2020.
 */
static void ranks_that_are_late_in_turns_need_no_barrier(void)
{
	static const int64_t enter[2][2] = { { 1000, 200 }, { 1210, 2010 } };

	begin(2);
	for (int i = 0; i < 2; i++)
		for (int rank = 0; rank < 2; rank++)
			coll((struct given_coll){ rank, FN_MPI_Barrier, 1 + i, -1,
				.post = enter[i][rank], .span = 1010 * (1 + i) - enter[i][rank] });
	load();
	run_sql("CREATE TEMP TABLE pattern (pattern, name, rank, callsite, peer, call, place);"
		"INSERT INTO temp.pattern VALUES (4, 'load_imbalance', NULL, NULL, NULL, "
		"'MPI_Barrier', 'f');"
		"CREATE TEMP TABLE site (rank, callsite, place);"
		"INSERT INTO temp.site VALUES (0, 0, 'f'), (1, 0, 'f');"
		"CREATE TEMP TABLE site_call (rank, callsite, call);"
		"INSERT INTO temp.site_call VALUES (0, 0, 'MPI_Barrier'), (1, 0, "
		"'MPI_Barrier');" PATTERN_GAIN);
	CU_ASSERT_EQUAL(worth_of_patterns(&w), 0);
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = -1"), 800);
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = 0"), 800);
	forget();
}

/* The gain of combining messages of rank 0 to rank 1. */
static void weigh_small_messages(void)
{
	load();
	run_sql("CREATE TEMP TABLE pattern (pattern, name, rank, callsite, peer);"
		"INSERT INTO temp.pattern VALUES (1, 'small_messages', 0, 0, 1);" PATTERN_GAIN);
	CU_ASSERT_EQUAL(worth_of_patterns(&w), 0);
}

/* 16 messages of 8 bytes, each in calls of its own or completed by one call for all. */
static void small_messages(bool nonblocking, int S)
{
	begin(2);
	for (int i = 0; i < 16; i++) {
		const int64_t at = 1000 + 200 * i;

		op((struct given){ SEND, .rank = 0, .peer = 1, .post = at, .span = 100,
			.wait_enter = 6000, .wait_span = nonblocking ? 50 : 0 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = at, .span = 150,
			.wait_enter = 6000, .wait_span = nonblocking ? 50 : 0 });
	}
	give_links_of(2, 1, 0, S);
	weigh_small_messages();
}

/* Nothing was combined: that is no proof that it brings nothing. */
static void small_messages_completed_together_have_no_known_gain(void)
{
	small_messages(false, 1000);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain WHERE gain_ns > 0"), 2);
	forget();
	small_messages(true, 1000);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain"), 0);
	forget();
}

/*
 * Rank 1 leaves its last receive at 4150. Of 16 messages in one, it has all at 2500 + 150, and
 * computes 15 times 50 after that. 64 bytes are below S, 128 are not: then the handshake takes 1800
 * more, and the bytes 120.
 */
static void a_message_combined_beyond_S_waits_for_its_receiver(void)
{
	small_messages(false, 1000);
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = 64"), 750);
	forget();
	small_messages(false, 100);
	CU_ASSERT(number("SELECT gain_ns FROM pattern_gain WHERE by = 8") > 0);
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = 64"), 0);
	forget();
}

/*
 * Ranks 0 and 1 send 8 bytes to each other 16 times: calls of 120 ns in all, and `pause` between.
 * reduces: with an MPI_Allreduce between the posts and the call that completes both.
 */
static void rounds(int64_t pause, bool reduces)
{
	begin(2);
	for (int i = 0; i < 16; i++)
		for (int rank = 0; rank < 2; rank++) {
			const int64_t at = 1000 + (140 + pause) * i;

			op((struct given){ SEND, .rank = rank, .peer = 1 - rank, .post = at,
				.span = 20, .wait_enter = at + 60, .wait_span = 80 });
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .post = at + 20,
				.span = 20, .wait_enter = at + 60, .wait_span = 80 });
			if (reduces)
				coll((struct given_coll){ rank, FN_MPI_Allreduce, 1 + i, -1,
					.post = at + 40, .span = 20 });
		}
	give_links_of(2, 1, 0, 1000);
	weigh_small_messages();
}

/*
 * 7 of 8 rounds vanish, and the eighth has 56 bytes more to send; 15 of 16 and 120 bytes. The
 * computation in them, of 20 each, stays. Ranks that compute longer than their calls take may need
 * the data of the round before.
 */
static void rounds_become_one_if_ranks_hardly_compute_between_them(void)
{
	rounds(80, false);
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = 8 AND both_ways"),
		2 * (7 * 120 - 56));
	CU_ASSERT_EQUAL(number("SELECT gain_ns FROM pattern_gain WHERE by = 64 AND both_ways"),
		15 * 120 - 120);
	forget();
	rounds(130, false);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain"), 0);
	forget();
	rounds(0, true);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain"), 0);
	forget();
}

/*
 * Each answer ends a group of messages of one direction. 16 rounds have more than 1 MiB, so that
 * only the gain of 8 rounds is known, 7 times 100 for each 8.
 */
static void only_the_better_way_to_combine_counts(void)
{
	begin(2);
	for (int i = 0; i < 16; i++)
		for (int rank = 0; rank < 2; rank++) {
			const int64_t at = 1000 + 100 * i;

			op((struct given){
				SEND, .rank = rank, .peer = 1 - rank, .post = at, .span = 50 });
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .post = at + 50,
				.span = 50 });
		}
	run_sql("UPDATE op_row SET bytes = 100000");
	give_links_of(2, 0, 0, 2000000);
	weigh_small_messages();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain"), 1);
	CU_ASSERT_EQUAL(
		number("SELECT gain_ns FROM pattern_gain WHERE by = 8 AND both_ways"), 2 * 7 * 100);
	forget();
}

/* Rank 1 sends back what it has received: no two of these can become one. */
static void answers_in_turn_do_not_become_one(void)
{
	begin(2);
	for (int i = 0; i < 16; i++) {
		const int64_t at = 1000 + 300 * i;

		op((struct given){ SEND, .rank = 0, .peer = 1, .post = at, .span = 50 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = at + 50, .span = 250 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = at, .span = 150 });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = at + 150, .span = 50 });
	}
	give_links_of(2, 1, 0, 1000);
	weigh_small_messages();
	CU_ASSERT_EQUAL(number("SELECT sum(gain_ns) FROM pattern_gain"), 0);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pattern_gain WHERE both_ways"), 0);
	forget();
}

/*
 * Ranks 0 and 1 send to each other 500 times. Once in `each` times one is 1000 late: rank 0, or the
 * ranks in turns. The first time it is `first` late.
 */
static bool late_by_chance(int each, bool in_turns, int first)
{
	struct worth_wait waiting[500];
	uint32_t n = 0;
	bool chance;

	begin(2);
	for (int i = 0; i < 500; i++)
		for (int rank = 0; rank < 2; rank++) {
			const bool is_late = i % each == 0;
			const int late = is_late && in_turns && i / each % 2;
			const int ns = i ? 1000 : first;
			const int64_t at = 1000 + (i ? 20000 : 0) + 3000 * i +
				(is_late && rank == late ? ns : 0);

			op((struct given){
				SEND, .rank = rank, .peer = 1 - rank, .post = at, .span = 50 });
			op((struct given){ RECV, .rank = rank, .peer = 1 - rank, .post = at + 50,
				.span = is_late && rank != late ? ns + 10 : 50 });
		}
	load();
	for (uint32_t i = 0; i < w.g.nparts; i++)
		if (!w.g.part[i].is_send && w.edit.call[w.edit.done[i]].late_ns > 0)
			waiting[n++] =
				(struct worth_wait){ w.edit.call[w.edit.done[i]].late_ns, i };
	CU_ASSERT_EQUAL(n, (499 + each) / each);
	CU_ASSERT_EQUAL(worth_late_by_chance(&w, waiting, n, &chance), 0);
	forget();
	return chance;
}

/* One of 20 is few. One of two is work that takes turns. */
static void a_few_times_in_turns_are_chance(void)
{
	CU_ASSERT(late_by_chance(20, true, 1000));
	CU_ASSERT(!late_by_chance(20, false, 1000));
	CU_ASSERT(!late_by_chance(2, true, 1000));
}

/* 1 and 3 waits; and 25, of which the first is twelve times as long as others. */
static void a_few_waits_or_one_long_wait_are_no_chance(void)
{
	CU_ASSERT(!late_by_chance(500, false, 1000));
	CU_ASSERT(!late_by_chance(200, false, 1000));
	CU_ASSERT(!late_by_chance(200, true, 1000));
	CU_ASSERT(!late_by_chance(20, true, 12000));
}

/*
 * The worker computes 200 for each of 4 pieces, the master 500 between them. thread: of the
 * worker's last piece.
 */
static void four_pieces_of_work(int thread)
{
	begin(2);
	for (int i = 0; i < 4; i++) {
		const int64_t at = 860 * i, free_at = i ? at + 490 : 900;
		const int by = i == 3 ? thread : 0;

		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + at, .span = 50 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1050 + at, .span = 310 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .thread = by, .post = free_at,
			.span = 1100 + at - free_at });
		op((struct given){
			SEND, .rank = 1, .peer = 0, .thread = by, .post = 1300 + at, .span = 50 });
	}
	give_links_of(2, 0, 0, 1000);
	load();
}

/*
 * With two in a message the second group begins at 2060, not at 2720, and ends as much earlier
 * again. With four, the result is sent at 1900 and received at 1960, not at 3940.
 */
static void a_master_hands_out_several_pieces_of_work(void)
{
	int rc;

	four_pieces_of_work(0);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 2, &rc), 2 * 660);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 4, &rc), 3940 - 1960);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 7, 2, &rc), -1);
	CU_ASSERT_EQUAL(rc, 0);
	forget();
}

/* Pieces of several threads of a worker do not become one. */
static void pieces_are_of_one_thread(void)
{
	int rc;

	four_pieces_of_work(1);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 2, &rc), -1);
	CU_ASSERT_EQUAL(rc, 0);
	forget();
}

/*
 * The worker computes 200 for each of 2 pieces, and 5000 after them. The master computes 600 until
 * it receives a result, and 10000 until it hands out the second piece.
 */
static void two_pieces_of_work(int bytes, int S)
{
	const int64_t enter[2] = { 12400, 17050 };

	begin(2);
	for (int i = 0; i < 2; i++) {
		const int64_t at = 10700 * i, free_at = i ? 1350 : 900;

		op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000 + at, .span = 50 });
		op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1650 + at, .span = 50 });
		op((struct given){
			RECV, .rank = 1, .peer = 0, .post = free_at, .span = 1100 + at - free_at });
		op((struct given){ SEND, .rank = 1, .peer = 0, .post = 1300 + at, .span = 50 });
	}
	run_sql("UPDATE op_row SET bytes = %d", bytes);
	barrier(2, enter, 17050);
	give_links_of(2, 10, 5, S);
	load();
}

/*
 * 8 bytes more take 80 and 40. Below S the worker has two pieces at 1140, and has sent the results
 * at 1670, not at 12050. Above S a handshake takes 1800 more: it has the pieces at 3020, and has
 * sent at 3420 + 50 + 1880.
 */
static void several_pieces_beyond_S_need_a_handshake(void)
{
	int rc;

	two_pieces_of_work(8, 1000);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 2, &rc), 12050 - 1670);
	forget();
	two_pieces_of_work(8, 12);
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 2, &rc), 12050 - 5350);
	forget();
	two_pieces_of_work(600000, 2000000); /* together above 1 MiB */
	CU_ASSERT_EQUAL(worth_gain_of_pieces(&w, 0, 2, &rc), -1);
	forget();
}

static const struct unit_test tests[] = { { "a fan out takes the steps of a tree",
						  a_fan_out_takes_the_steps_of_a_tree },
	{ "data of their own make messages longer", data_of_their_own_make_messages_longer },
	{ "the gain of longer messages is known for many ranks",
		the_gain_of_longer_messages_is_known_for_many_ranks },
	{ "sends that are completed together share the call",
		sends_that_are_completed_together_share_the_call },
	{ "messages with each rank are counted", messages_with_each_rank_are_counted },
	{ "a fan in takes the steps of a tree", a_fan_in_takes_the_steps_of_a_tree },
	{ "a ring takes the steps of a tree", a_ring_takes_the_steps_of_a_tree },
	{ "a master that takes no time answers at once",
		a_master_that_takes_no_time_answers_at_once },
	{ "ranks that are late in turns need no barrier",
		ranks_that_are_late_in_turns_need_no_barrier },
	{ "small messages completed together have no known gain",
		small_messages_completed_together_have_no_known_gain },
	{ "a message combined beyond S waits for its receiver",
		a_message_combined_beyond_S_waits_for_its_receiver },
	{ "rounds become one if ranks hardly compute between them",
		rounds_become_one_if_ranks_hardly_compute_between_them },
	{ "only the better way to combine counts", only_the_better_way_to_combine_counts },
	{ "answers in turn do not become one", answers_in_turn_do_not_become_one },
	{ "a few times in turns are chance", a_few_times_in_turns_are_chance },
	{ "a few waits, or one long wait, are no chance",
		a_few_waits_or_one_long_wait_are_no_chance },
	{ "a master hands out several pieces of work", a_master_hands_out_several_pieces_of_work },
	{ "pieces are of one thread", pieces_are_of_one_thread },
	{ "several pieces beyond S need a handshake", several_pieces_beyond_S_need_a_handshake },
	{ NULL, NULL } };

int main(void)
{
	unsigned failed;

	scratch_make(dir);
	failed = unit_main("worth", tests);
	scratch_remove(dir);
	return failed;
}
