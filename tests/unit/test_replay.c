/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay.c: hand-made runs replayed; each time is worked out by hand. */
#include "tests/unit/replay_run.h"

#include <errno.h>
#include <math.h>

#include "analysis/model/equations/loggps_pieces.h"
#include "analysis/replay/path.h"
#include "analysis/mapping/sweep.h"
#include "analysis/replay/tables.h"

static int sweep(const char *text);

/* Rank 0 waits from 1000 to 5000 for a send, and takes 100 ns then. Rank 1 ends later. */
static void late_send(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1000, .span = 4100 });
	run_sql("UPDATE run SET value = 10000 WHERE key = 'end_ns'");
	analyze();
}

static void without_a_change_all_is_as_it_was(void)
{
	late_send();
	replay(&(struct replay_changes){ 0 });
	CU_ASSERT_EQUAL(before.run_ns, 10000);
	CU_ASSERT_EQUAL(after.run_ns, 10000);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_SENDER), 4000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 4000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 4100);
	forget();
	end();
}

/* Its 5000 ns before the send become 10000, and the receive's end moves along: 10100 + 4900. */
static void a_receive_moves_with_its_send(void)
{
	late_send();
	replay(&(struct replay_changes){ .speed = "rank:1=0.5" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 9000);
	CU_ASSERT_EQUAL(after.rank[0].end_ns, 15000);
	CU_ASSERT_EQUAL(after.rank[1].end_ns, 15000);
	forget();
	replay(&(struct replay_changes){ .no_waits = "late_sender" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 0);
	CU_ASSERT_EQUAL(after.rank[0].end_ns, 6000);
	forget();
	end();
}

static void absolute_times_do_not_matter(void)
{
	late_send();
	run_sql("UPDATE run SET value = value + 7000000 * (rank + 1) WHERE key = 'zero_ticks'");
	run_sql("UPDATE match_row SET send_enter = send_enter + 123456");
	replay(&(struct replay_changes){ 0 });
	CU_ASSERT_EQUAL(before.run_ns, 10000);
	CU_ASSERT_EQUAL(after.run_ns, 10000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 4000);
	forget();
	end();
}

/* A send of 8 bytes by rendezvous stands from 1000 to 4000. The calls take send_ns and receive_ns.
 */
static void early_send(int64_t send_ns, int64_t receive_ns)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = send_ns });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = receive_ns });
}

/* Where S is 64 K its send needs nobody. */
static void a_send_below_S_does_not_wait(void)
{
	early_send(3200, 300);
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 200);
	CU_ASSERT_EQUAL(after.moved, 1);
	forget();
	replay(&(struct replay_changes){ .set = "S=8" });
	CU_ASSERT_EQUAL(after.moved, 1);
	forget();
	replay(&(struct replay_changes){ .set = "node.S=8,node.S_p=8" });
	CU_ASSERT_EQUAL(after.moved, 1);
	forget();
	replay(&(struct replay_changes){ .set = "network.S=64K,network.S_p=64K" });
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 3000);
	forget();
	replay(&(struct replay_changes){ .set = "S=7" });
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 3000);
	forget();
	end();
}

/* A send of unknown protocol that waited for its receive was a rendezvous. */
static void a_send_that_waited_was_a_rendezvous(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = 3200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 300 });
	run_sql("UPDATE op_row SET code = code & ~(3 << 16)");
	analyze();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.moved, 1);
	forget();
	end();
}

/*
 * A send of unknown protocol did not wait for its receive, which was posted at 1000. With 5000 ns
 * more in rank 1, it would. With a larger S it is eager, and does not.
 */
static void a_send_of_unknown_protocol_below_S_does_not_wait(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 2000, .span = 300 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 1000, .span = 1500 });
	run_sql("UPDATE op_row SET code = code & ~(3 << 16)");
	analyze();
	give_lines();
	replay(&(struct replay_changes){ .add = "rank:1@halo.c:30=5000ns" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 4000);
	forget();
	replay(&(struct replay_changes){ .add = "rank:1@halo.c:30=5000ns", .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	forget();
	end();
}

/* One send of 8 bytes, of unknown protocol, over a link of this S. */
static void unknown_send(int64_t span, int64_t receive, uint64_t S)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .post = 1000, .span = span });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = receive, .span = 300 });
	run_sql("UPDATE op_row SET code = code & ~(3 << 16)");
	analyze();
	give_links();
	run_sql("UPDATE link_param SET value = %llu WHERE name = 'S'", (unsigned long long)S);
}

/* S of the links decides the protocol; the late end of the send does not. */
static void a_protocol_that_the_run_does_not_know_follows_from_S(void)
{
	const struct replay_changes changes = { .set = "S=64K" };

	unknown_send(3200, 4000, 1000);
	replay(&changes);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 3200);
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_EQUAL(g.eager_above_S, 0);
	forget();
	end();
	unknown_send(3200, 4000, 7);
	replay(&changes);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.moved, 1);
	CU_ASSERT_EQUAL(g.eager_above_S, 0);
	forget();
	end();
	/* it ended before the receive was posted: the links are of a smaller S */
	unknown_send(200, 4000, 7);
	replay(&changes);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_EQUAL(g.eager_above_S, 1);
	forget();
	end();
}

/* One call completes two sends: its late end does not show which of them waited. */
static void sends_that_end_together_keep_their_protocols(void)
{
	begin(2);
	for (int i = 0; i < 2; i++) {
		op((struct given){ SEND, .rank = 0, .peer = 1, .tag = i, .form = FORM_NONBLOCKING,
			.post = 1000 + 20 * i, .span = 10, .wait_enter = 1100, .wait_span = 3900 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .tag = i, .post = 1500 + 3000 * i,
			.span = 500 });
	}
	run_sql("UPDATE op_row SET code = code & ~(3 << 16)");
	analyze();
	give_links();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, before.rank[0].inside_ns);
	forget();
	end();
}

/* Three sends can change protocol. The links of two must be known. */
static void a_prediction_needs_the_links_of_most_sends(void)
{
	struct replay_result r = { .decided = 3, .blind = 1 };

	CU_ASSERT(!replay_is_blind(&r));
	r.blind = 2;
	CU_ASSERT(replay_is_blind(&r));
	CU_ASSERT(!replay_is_blind(&(struct replay_result){ 0 }));
}

/* Each rank sends first and receives then. */
static void head_to_head(void)
{
	begin(2);
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){ SEND, .rank = rank, .peer = !rank, .post = 1000, .span = 50 });
		op((struct given){ RECV, .rank = rank, .peer = !rank, .post = 2000, .span = 50 });
	}
	analyze();
}

/* Two sends head to head return at once; above S each waits for the other's receive for ever. */
static void a_program_that_relies_on_S_hangs_below_it(void)
{
	head_to_head();
	replay(&(struct replay_changes){ .set = "S=64K" });
	CU_ASSERT_EQUAL(after.stuck, 0);
	forget();
	replay(&(struct replay_changes){ .set = "S=0" });
	CU_ASSERT_EQUAL(after.stuck, 2);
	forget();
	end();
}

/* The path's time in these calls of the rank, or in the computation before them. */
static int64_t path_of(const struct replay_result *r, uint32_t rank, uint32_t callsite, bool calls)
{
	const struct replay_site_result *site = &r->site[g.rank[rank].first_site + callsite];

	return calls ? site->path_call_ns : site->path_computation_ns;
}

/*
 * Rank 0 ends at 10000. Its receive stood until 5000 for rank 1, which computed until then. With
 * rank 1 ten times as fast the receive does not wait: all of rank 0's 1000 + 100 + 4900 count.
 */
static void the_path_goes_to_whom_a_call_waited_for(void)
{
	const struct replay_changes faster = { .speed = "rank:1=10" };
	struct replay_scenario scenario;

	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 1000, .span = 4100 });
	give_lines();
	run_sql("UPDATE run SET value = 10000 - 4000 * rank WHERE key = 'end_ns'");
	analyze();
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_scenario_read(db, &g, &faster, &scenario, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run_path(&g, NULL, &before), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run_path(&g, &scenario, &after), 0);
	CU_ASSERT_EQUAL(before.path_ns, 10000);
	CU_ASSERT_EQUAL(before.rank[0].path_ns, 5000);
	CU_ASSERT_EQUAL(before.rank[1].path_ns, 5000);
	CU_ASSERT_EQUAL(path_of(&before, 1, 2, false), 5000);
	CU_ASSERT_EQUAL(path_of(&before, 0, 3, true), 100);
	CU_ASSERT_EQUAL(path_of(&before, 0, 3, false), 0);
	CU_ASSERT_EQUAL(after.path_ns, 6000);
	CU_ASSERT_EQUAL(after.rank[1].path_ns, 0);
	CU_ASSERT_EQUAL(path_of(&after, 0, 3, false), 1000);
	CU_ASSERT(isnan(before.noise_ns));
	replay_scenario_release(&scenario);
	forget();
	end();
}

/*
 * Ten sends of 100 ns, each after 900 or 1100 ns of computation in turn. The squares of the ten
 * differences from the mean add up to 10 * 100^2. The variance of the sum is 10/9 of this, since
 * neighbours are not correlated. The path has all sends and computations. If it ends at 20000,
 * 11000 of it were repeated, and the deviation is 20/11 times as large. If it ends at 100000, 11000
 * are too little.
 */
static void noise_is_the_spread_of_what_is_repeated(void)
{
	int64_t at = 0;

	begin(2);
	for (int i = 0; i < 10; i++) {
		at += i % 2 ? 1100 : 900;
		op((struct given){ SEND, .rank = 0, .peer = 1, .tag = i, .post = at, .span = 100 });
		at += 100;
	}
	run_sql("UPDATE run SET value = 20000 - 10000 * rank WHERE key = 'end_ns'");
	analyze();
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run_path(&g, NULL, &before), 0);
	CU_ASSERT_EQUAL(before.path_ns, 20000);
	CU_ASSERT_DOUBLE_EQUAL(before.noise_ns, sqrt(1e5 * 10 / 9) * 20 / 11, 1e-6);
	replay_result_release(&before);
	replay_graph_release(&g);
	run_sql("UPDATE run SET value = 100000 WHERE key = 'end_ns' AND rank = 0");
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run_path(&g, NULL, &before), 0);
	CU_ASSERT(isnan(before.noise_ns));
	replay_result_release(&before);
	replay_graph_release(&g);
	end();
}

/* Predicts twice with the same changes and once with others. */
static void a_prediction_replaces_that_of_the_same_changes(void)
{
	late_send();
	sweep("S=4..4");
	CU_ASSERT_EQUAL(replay_store(db, db, "--speed rank:1=2", NULL), 0);
	CU_ASSERT_EQUAL(replay_store(db, db, "", NULL), 0);
	run_sql("UPDATE main.scenario SET run_after_ns = 1");
	CU_ASSERT_EQUAL(replay_store(db, db, "", NULL), 0);
	CU_ASSERT(text_is(
		"SELECT group_concat(scenario || ' ' || changes || ' ' || run_after_ns) FROM"
		" (SELECT * FROM main.scenario ORDER BY scenario)",
		"1 --speed rank:1=2 1,2  10000"));
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM main.scenario_rank"), 4);
	CU_ASSERT_EQUAL(number("SELECT sum(wait_before_ns) FROM main.scenario_callsite"), 8000);
	end();
}

/* A barrier entered at 1000 and 3000 is left at 3100; with rank 1 at half speed at 6100. */
static void a_barrier_waits_for_its_last_member(void)
{
	begin(2);
	coll((struct given_coll){ 0, FN_MPI_Barrier, 1, -1, .post = 1000, .span = 2100 });
	coll((struct given_coll){ 1, FN_MPI_Barrier, 1, -1, .post = 3000, .span = 100 });
	analyze();
	replay(&(struct replay_changes){ .speed = "rank:1=0.5" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_COLLECTIVE), 2000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_COLLECTIVE), 5000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5100);
	forget();
	end();
}

/* A receive posted at 1000 and completed from 2000 to 5100: the send comes at 5000, then at 500. */
static void a_wait_ends_when_its_message_is_there(void)
{
	begin(2);
	op((struct given){ RECV, .rank = 0, .peer = 1, .form = FORM_NONBLOCKING, .post = 1000,
		.span = 10, .wait_enter = 2000, .wait_span = 3100 });
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	analyze();
	replay(&(struct replay_changes){ .speed = "rank:1=10" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_SENDER), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 110);
	forget();
	end();
}

/*
 * L 700, o 100: of a message whose send came 200 ns before its receive 600 of 800 ns are left, and
 * of one whose send came much earlier nothing. The receive took 1000 ns.
 */
static void message_on_its_way(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5200, .span = 1000 });
	give_links();
	analyze();
}

static void a_message_on_its_way_for_longer_takes_less(void)
{
	message_on_its_way();
	replay(&(struct replay_changes){ .speed = "rank:1=10" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 400);
	forget();
	replay(&(struct replay_changes){ .set = "L*2" });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 1700);
	forget();
	end();
}

/*
 * Rank 0 ends at 7000 and rank 1 at 6000; 1000 and 50 of that are in calls. On an ideal network
 * the receive takes the 600 less that its message was still to fly: rank 0 ends at 6400.
 */
static void efficiencies_are_of_the_run_and_its_ideal_network(void)
{
	struct replay_efficiency e;

	message_on_its_way();
	run_sql("UPDATE run SET value = 7000 - 1000 * rank WHERE key = 'end_ns'");
	replay(&(struct replay_changes){ .ideal_network = true });
	e = replay_efficiency(&g, &before, &after);
	CU_ASSERT_EQUAL(after.unmodelled, 0);
	CU_ASSERT_EQUAL(e.run_ns, 7000);
	CU_ASSERT_EQUAL(e.ideal_ns, 6400);
	CU_ASSERT_EQUAL(e.max_computation_ns, 6000);
	CU_ASSERT_EQUAL(e.mean_computation_ns, 5975);
	forget();
	end();
}

/*
 * Rank 0 is in MPI_Recv from 6500 to its end at 7000, and its other thread in MPI_Wait from 3000.
 * Rank 1 is in MPI_Wtime at its end at 6000.
 */
static void a_call_that_never_returned_is_no_computation(void)
{
	struct replay_efficiency e;

	message_on_its_way();
	op((struct given){ RECV, .rank = 0, .peer = 1, .tag = 9, .post = 6500, .pending = true });
	run_sql("UPDATE op_row SET span = NULL WHERE done = 0");
	run_sql("INSERT INTO in_call_row (id, call, callsite, enter) VALUES (0, %d, 3, 6500), "
		"(1, %d, 3, 3000), ((1 << 40), %d, 3, 2000)",
		FN_MPI_Recv, FN_MPI_Wait, FN_MPI_Wtime);
	run_sql("UPDATE run SET value = 7000 - 1000 * rank WHERE key = 'end_ns'");
	replay(&(struct replay_changes){ .ideal_network = true });
	e = replay_efficiency(&g, &before, &after);
	CU_ASSERT_EQUAL(before.run_ns, 7000);
	CU_ASSERT_EQUAL(before.rank[0].inside_ns, 1000 + 500 + 4000);
	CU_ASSERT_EQUAL(before.rank[1].inside_ns, 50);
	CU_ASSERT_EQUAL(e.max_computation_ns, 5950);
	CU_ASSERT_EQUAL(e.mean_computation_ns, (7000 - 5500 / 2 + 5950) / 2);
	forget();
	end();
}

/* Replays, and makes the tables. */
static void make_tables(const struct replay_changes *changes)
{
	struct replay_scenario scenario;

	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_scenario_read(db, &g, changes, &scenario, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, NULL, &before), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, &scenario, &after), 0);
	CU_ASSERT_EQUAL(replay_tables(db, &g, &scenario, &before, &after, &after, NULL), 0);
	replay_scenario_release(&scenario);
}

/* The notes that name S, for a send of 8 bytes and unknown protocol under --set S=16. */
static bool notes_on_S_are(int64_t span, uint64_t S, const char *wanted)
{
	bool equal;

	unknown_send(span, 4000, S);
	make_tables(&(struct replay_changes){ .set = "S=16" });
	equal = text_is("SELECT group_concat(substr(note, 1, 32), '; ') FROM temp.scenario_note "
			"WHERE note LIKE '%S of the links%'",
		wanted);
	forget();
	end();
	return equal;
}

static void notes_say_that_a_file_of_links_may_be_another_one(void)
{
	CU_ASSERT(notes_on_S_are(3200, 7, ""));
	CU_ASSERT(notes_on_S_are(3200, 8, "--set S changes no protocol: S o"));
	CU_ASSERT(notes_on_S_are(200, 7, "Sends longer than S of the links"));
}

/* Makes the tables of a run without changes, and sweeps. */
static int sweep(const char *text)
{
	const struct replay_changes none = { 0 };
	struct replay_hosts hosts = { 0 };
	int rc;

	make_tables(&none);
	rc = replay_sweep(db, &g, &none, text, &hosts, NULL);
	replay_hosts_release(&hosts);
	forget();
	return rc;
}

/*
 * A send of 8 bytes by rendezvous stands for 3000 until its receive; its call took 3200. Where it
 * is eager, its rank, the last to end at 100000, ends 3000 earlier, but the other one still at
 * 97500.
 */
static void a_sweep_has_the_run_time_at_each_value(void)
{
	early_send(3200, 300);
	analyze();
	run_sql("UPDATE run SET value = 97500 WHERE key = 'end_ns' AND rank = 1");
	CU_ASSERT_EQUAL(sweep("S=2..16"), 0);
	CU_ASSERT(text_is("SELECT group_concat(value_bytes || ' ' || run_ns || ' ' || moved) FROM"
			  " temp.scenario_sweep",
		"2 100000 0,4 100000 0,8 97500 1,16 97500 1"));
	end();
}

/* The value that is used is the one that is shown. */
static void a_sweep_takes_whole_bytes(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 3200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 300 });
	analyze();
	CU_ASSERT_EQUAL(sweep("S=7.6..9"), 0);
	CU_ASSERT(
		text_is("SELECT group_concat(value_bytes || ' ' || moved) FROM temp.scenario_sweep",
			"8 1"));
	end();
}

/* Two sends of 8 bytes head to head need S = 8. */
static void a_sweep_tells_where_the_program_would_hang(void)
{
	head_to_head();
	CU_ASSERT_EQUAL(sweep("S=4..15"), 0);
	CU_ASSERT(text_is("SELECT group_concat(value_bytes || ' ' || coalesce(run_ns, '-') || ' '"
			  " || stuck) FROM temp.scenario_sweep",
		"4 - 2,8 100000 0"));
	end();
}

static void what_cannot_be_swept_is_refused(void)
{
	static const char *const wrong[] = { "S", "S=4", "S=0..8", "S=8..4", "x=1..2", "S=1us..2us",
		"L=1us..2us", "S=1..2..3" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		late_send();
		CU_ASSERT_EQUAL(sweep(wrong[i]), -EINVAL);
		end();
	}
}

/* o 10, L 5; send, receive, flight: time of a byte at the sender, at the receiver, in between. */
static struct loggps link_of(double send, double receive, double flight)
{
	const struct loggps_slopes slopes = { send, receive, flight, NAN };
	struct loggps p = { .L = 5,
		.o = 10,
		.one_way = NAN,
		.rendezvous = NAN,
		.jump_long = 0,
		.knees_sr = NAN,
		.s = 100,
		.S = 100,
		.S_p = 100,
		.by = { slopes, slopes, slopes } };

	loggps_complete(&p);
	return p;
}

/*
 * o 10, L 5. A byte takes 1 at the sender, 4 in between and 2 at the receiver. So 8 bytes take T1
 * 18, T2 37 and T3 26, and 4 bytes 14, 21 and 18. Two sends of 8 and one of 4 take 50. The pieces
 * arrive at 18 + 37 = 55, 36 + 37 = 73 and 50 + 21 = 71 after the first send began. The receiver
 * takes 26, 26 and 18 for them: until 81, 107 and 125. A receive that begins 200 later takes 26 +
 * 26 + 18.
 */
static void pieces_follow_each_other(void)
{
	const struct loggps p = link_of(1, 2, 4);

	CU_ASSERT_DOUBLE_EQUAL(loggps_send_pieces(&p, 20, 8), 50, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(loggps_receive_pieces(&p, 20, 8, 0), 125, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(loggps_receive_pieces(&p, 20, 8, 1000), 1125, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(loggps_receive_pieces(&p, 20, 8, -200), 70, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(loggps_receive_pieces(&p, 16, 8, 0), 107, 1e-9);
}

/*
 * Where the sender is the slower one its last piece decides: a byte takes 5, 1 and 1, and 8 bytes
 * take T1 50, T2 13 and T3 18. The second one is there at 100 + 13 and received at 131.
 */
static void a_slow_sender_decides_by_its_last_piece(void)
{
	const struct loggps p = link_of(5, 1, 1);

	CU_ASSERT_DOUBLE_EQUAL(loggps_receive_pieces(&p, 16, 8, 0), 131, 1e-9);
}

/*
 * A rendezvous of 8 bytes stands for 3000 of 5200 until its receive. By (5) it takes T4 + T5 = 1800
 * + 3000 - 800 and T1 = 100 then, 1100 without the wait. In two pieces of 4 it needs nobody, and by
 * (4) takes 2 * 100: 900 less than its 2200. The receive took 2900. By (9) 2700 - 800 of that are
 * for a message that came 3000 before, by (7) 2 * 100 for two: 1200 are left.
 */
static void a_message_in_pieces_does_not_wait(void)
{
	early_send(5200, 2900);
	give_links();
	analyze();
	replay(&(struct replay_changes){ .fragment = true, .set = "S=4" });
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 3000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.moved, 1);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2200 - 900);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 2900 - 1900 + 200);
	forget();
	replay(&(struct replay_changes){ .fragment = true, .set = "S=8" });
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(after.unmodelled, 0);
	forget();
	end();
}

/* The run's links over the network have S = 2, but no message takes them: pieces are of 4 bytes. */
static void links_without_messages_do_not_count(void)
{
	begin(2);
	op((struct given){ SEND, .rank = 0, .peer = 1, .protocol = PROTOCOL_RENDEZVOUS,
		.post = 1000, .span = 5200 });
	op((struct given){ RECV, .rank = 1, .peer = 0, .post = 4000, .span = 2900 });
	give_links();
	run_sql("UPDATE link_param SET value = 4 WHERE name IN ('S', 'S_p')");
	run_sql("INSERT INTO link_param SELECT rank, 'network', NULL, NULL, NULL, 'LogGPS', name,"
		" NULL, 2, 'B', NULL, NULL, 'measured', NULL FROM link_param"
		" WHERE name IN ('S', 'S_p')");
	analyze();
	replay(&(struct replay_changes){ .fragment = true });
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 2200 - 900);
	forget();
	replay(&(struct replay_changes){ .set = "S*2" });
	CU_ASSERT_EQUAL(after.moved, 1);
	forget();
	end();
}

/* No size is 1e18 bytes. */
static void factors_of_sizes_have_limits(void)
{
	static const struct replay_changes wrong[] = { { .set = "S*1e17" }, { .set = "S_p*1e17" },
		{ .set = "node.s*1e17" } };
	struct replay_scenario s;

	message_on_its_way();
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CU_ASSERT_EQUAL(replay_scenario_read(db, &g, &wrong[i], &s, NULL), -EINVAL);
		replay_scenario_release(&s);
	}
	forget();
	end();
}

static void a_refusal_says_what_else_to_write(void)
{
	static const struct {
		struct replay_changes changes;
		const char *said;
	} cases[] = {
		{ { .speed = "0=2" },
			"cannot change '0=2': no rank calls MPI at this line; rank:R=FACTOR is "
			"for all of a rank" },
		{ { .set = "L*2" },
			"cannot change 'L*2': L is not identified on a link that the run used "
			"(tryst report -s links); o can be set instead" }
	};
	struct replay_scenario s;

	message_on_its_way();
	run_sql("DELETE FROM link_param WHERE name = 'L'");
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct say_list list;

		say_list_init(&list);
		CU_ASSERT_EQUAL(
			replay_scenario_read(db, &g, &cases[i].changes, &s, &list.say), -EINVAL);
		CU_ASSERT_STRING_EQUAL(list.text, cases[i].said);
		replay_scenario_release(&s);
	}
	replay_graph_release(&g);
	end();
}

static void what_cannot_be_changed_is_refused(void)
{
	static const struct replay_changes wrong[] = { { .set = "L=1us" }, { .set = "x=1" },
		{ .set = "S=1s" }, { .set = "S_p=2" }, { .set = "S_p*2" }, { .set = "=2" },
		{ .set = "S" }, { .speed = "rank:7=2" }, { .speed = "rank:0=0" },
		{ .speed = "9999=2" }, { .speed = "=2" }, { .speed = "rank:0@9999=2" },
		{ .set = "network.S*2" }, { .add = "rank:0@9999=1ms" }, { .no_waits = "noise" },
		{ .balance = "all" }, { .balance = "9999,9999" } };
	struct replay_scenario s;

	late_send();
	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CU_ASSERT_EQUAL(replay_scenario_read(db, &g, &wrong[i], &s, NULL), -EINVAL);
		replay_scenario_release(&s);
	}
	replay_graph_release(&g);
	end();
}

static const struct unit_test tests[] = {
	{ "without a change all is as it was", without_a_change_all_is_as_it_was },
	{ "a receive moves with its send", a_receive_moves_with_its_send },
	{ "absolute times do not matter", absolute_times_do_not_matter },
	{ "a send below S does not wait", a_send_below_S_does_not_wait },
	{ "a send that waited was a rendezvous", a_send_that_waited_was_a_rendezvous },
	{ "a send of unknown protocol below S does not wait",
		a_send_of_unknown_protocol_below_S_does_not_wait },
	{ "a protocol that the run does not know follows from S",
		a_protocol_that_the_run_does_not_know_follows_from_S },
	{ "a program that relies on S hangs below it", a_program_that_relies_on_S_hangs_below_it },
	{ "the path goes to whom a call waited for", the_path_goes_to_whom_a_call_waited_for },
	{ "noise is the spread of what is repeated", noise_is_the_spread_of_what_is_repeated },
	{ "a prediction replaces that of the same changes",
		a_prediction_replaces_that_of_the_same_changes },
	{ "a barrier waits for its last member", a_barrier_waits_for_its_last_member },
	{ "a wait ends when its message is there", a_wait_ends_when_its_message_is_there },
	{ "a message on its way for longer takes less",
		a_message_on_its_way_for_longer_takes_less },
	{ "efficiencies are of the run and its ideal network",
		efficiencies_are_of_the_run_and_its_ideal_network },
	{ "a call that never returned is no computation",
		a_call_that_never_returned_is_no_computation },
	{ "sends that end together keep their protocols",
		sends_that_end_together_keep_their_protocols },
	{ "a prediction needs the links of most sends",
		a_prediction_needs_the_links_of_most_sends },
	{ "notes say that a file of links may be another one",
		notes_say_that_a_file_of_links_may_be_another_one },
	{ "a sweep has the run time at each value", a_sweep_has_the_run_time_at_each_value },
	{ "a sweep takes whole bytes", a_sweep_takes_whole_bytes },
	{ "a sweep tells where the program would hang",
		a_sweep_tells_where_the_program_would_hang },
	{ "what cannot be swept is refused", what_cannot_be_swept_is_refused },
	{ "pieces follow each other", pieces_follow_each_other },
	{ "a slow sender decides by its last piece", a_slow_sender_decides_by_its_last_piece },
	{ "a message in pieces does not wait", a_message_in_pieces_does_not_wait },
	{ "links without messages do not count", links_without_messages_do_not_count },
	{ "factors of sizes have limits", factors_of_sizes_have_limits },
	{ "a refusal says what else to write", a_refusal_says_what_else_to_write },
	{ "what cannot be changed is refused", what_cannot_be_changed_is_refused }, { NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay", tests);
	scratch_remove(dir);
	return failed;
}
