/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay_map.c: ranks on other hosts; all worked out by hand. */
#include "tests/unit/replay_map_run.h"

#include <errno.h>

/* Rank 1 sends to rank 0, which posts its receive 200 ns later and stays for 1000 ns. */
static void message(void)
{
	begin(2);
	on_hosts("aa");
	op((struct given){ SEND, .rank = 1, .peer = 0, .post = 5000, .span = 50 });
	op((struct given){ RECV, .rank = 0, .peer = 1, .post = 5200, .span = 1000 });
	give_link(2, "node", 700, 0, 1000);
}

/* By the model: 100 + 5000 - 200 + 100, and o for the send. Where nobody moves, as measured. */
static void a_rank_on_another_host_has_another_link(void)
{
	message();
	give_link(2, "network", 5000, 0, 1000);
	analyze();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("# moves\n 1 b\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000);
	CU_ASSERT_EQUAL(after.rank[1].inside_ns, 100);
	CU_ASSERT_EQUAL(after.moved, 0);
	CU_ASSERT_STRING_EQUAL(hosts.name[hosts.is[1]], "b");
	forget_followed();
	CU_ASSERT_EQUAL(
		follow(&(struct replay_changes){ .map = map_file("0 b\n1 b # together\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 1000);
	forget_followed();
	end();
}

/* As above: the half of MPI_Sendrecv that sends to MPI_PROC_NULL leaves the call to the model. */
static void a_message_to_nobody_changes_nothing(void)
{
	message();
	op((struct given){
		SEND, .rank = 0, .peer = -1, .flags = OP_PROC_NULL, .post = 5200, .span = 1000 });
	give_link(2, "network", 5000, 0, 1000);
	analyze();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 b\n") }), 0);
	CU_ASSERT_EQUAL(g.lane[0].n, 1);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000);
	forget_followed();
	end();
}

/* Between hosts S is 4, and 8 bytes wait for the receive. */
static void the_new_link_has_its_own_S(void)
{
	message();
	give_link(2, "network", 700, 0, 4);
	analyze();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 b\n") }), 0);
	CU_ASSERT_EQUAL(after.moved, 1);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_RECEIVER), 0);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_RECEIVER), 200);
	forget_followed();
	end();
}

/* A file of tryst calibrate, in memory. */
static sqlite3 *calibration(int L)
{
	sqlite3 *file = NULL;
	char *sql = sqlite3_mprintf(
		"CREATE TABLE link_param (tier, peer, form, layout, model, name, bytes, value);"
		"INSERT INTO link_param SELECT 'network', NULL, NULL, NULL, 'LogGPS', column1, "
		"NULL,"
		" column2 FROM " LINK_VALUES ";"
		"INSERT INTO link_param SELECT 'node', NULL, NULL, NULL, 'LogGPS', column1, NULL,"
		" column2 FROM " LINK_VALUES ";"
		"INSERT INTO link_param (tier, model, name, value) VALUES"
		" ('network', 'MM', 'cut_pair', 3), ('network', 'MM', 'cut_single', 0)",
		L, 0, 0, 1000, 1000, 99, 0, 0, 1000, 1000);

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &file), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(file, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(sql);
	return file;
}

static void an_unknown_link_comes_from_a_file_or_is_refused(void)
{
	sqlite3 *file, *part;
	struct replay_changes changes = { .map = NULL };

	message();
	analyze();
	changes.map = map_file("1 b\n");
	CU_ASSERT_EQUAL(follow(&changes), -EINVAL);
	forget_followed();
	file = calibration(5000);
	changes.links_more = &file;
	changes.nlinks_more = 1;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000);
	CU_ASSERT(!scenario.links_unused);
	forget_followed();
	/* of several files, the first one that knows the whole link */
	part = calibration(300);
	CU_ASSERT_EQUAL(
		sqlite3_exec(part, "DELETE FROM link_param WHERE name = 'S'", NULL, NULL, NULL),
		SQLITE_OK);
	changes.links_more = (sqlite3 *[]){ part, file };
	changes.nlinks_more = 2;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000);
	forget_followed();
	sqlite3_close(part);
	changes.links_more = &file;
	changes.nlinks_more = 1;
	/* the file also counts where the run knows a link in part */
	give_link(2, "network", 700, 0, 1000);
	run_sql("DELETE FROM link_param WHERE tier = 'network' AND name = 'G_l'");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 5000);
	forget_followed();
	/* it does not if the run knows all */
	run_sql("DELETE FROM link_param");
	give_link(2, "network", 700, 0, 1000);
	give_link(2, "node", 700, 0, 1000);
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT(scenario.links_unused);
	forget_followed();
	sqlite3_close(file);
	end();
}

static void what_cannot_be_mapped_is_refused(void)
{
	static const char *const wrong[] = { "x b\n", "1\n", "1 b c\n", "7 b\n", "-1 b\n", "1b\n" };
	struct replay_changes changes = { .map = "by-node" };

	message();
	give_link(2, "network", 5000, 0, 1000);
	analyze();
	CU_ASSERT_EQUAL(follow(&changes), -EINVAL); /* one host */
	forget_followed();
	changes.map = "/nonexistent/map";
	CU_ASSERT_EQUAL(follow(&changes), -EINVAL);
	forget_followed();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		changes.map = map_file(wrong[i]);
		CU_ASSERT_EQUAL(follow(&changes), -EINVAL);
		forget_followed();
	}
	run_sql("DELETE FROM run WHERE key = 'host' AND rank = 1");
	changes.map = map_file("0 b\n");
	CU_ASSERT_EQUAL(follow(&changes), -EINVAL);
	forget_followed();
	end();
}

/*
 * Two messages of 8 bytes at the same time, of 1000 ns a byte, from ranks 0 and 1 to 2 and 3, whose
 * receives take `span`. Alone they take 100 + 700 + 8000 + 100 ns.
 */
static void two_messages(const char *names, int64_t span)
{
	begin(4);
	on_hosts(names);
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){
			SEND, .rank = rank, .peer = rank + 2, .post = 5000, .span = 100 });
		op((struct given){
			RECV, .rank = rank + 2, .peer = rank, .post = 5000, .span = span });
	}
	all_over(TIER_NETWORK);
	give_link(4, "network", 700, 1000, 1000);
	analyze();
}

/*
 * A message takes 8000 ns alone, and the one of rank 0 waits for that of rank 1. With a flow cut of
 * 3, a host sends half as fast while it has two messages.
 */
static void messages_that_share_a_host_slow_each_other_down(void)
{
	sqlite3 *file;
	struct replay_changes changes = { .map = NULL };

	two_messages("abcd", 8900);
	changes.map = map_file("1 a\n3 c\n");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 8900);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 16900);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100);
	forget_followed();
	file = calibration(700);
	changes.links_more = &file;
	changes.nlinks_more = 1;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 16900);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 24900);
	forget_followed();
	sqlite3_close(file);
	end();
	two_messages("aacc", 16900);
	changes = (struct replay_changes){ .map = map_file("1 b\n3 d\n") };
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 8900);
	forget_followed();
	end();
}

/*
 * Bytes take 10 ns up to 4, and 1000 ns beyond: a message of 8 takes 900 + 40 + 4000 ns alone, but
 * 8000 behind another one. With a larger S, bytes beyond the old S take at most 200 ns each. This
 * changes nothing for shorter messages.
 */
static void shorter_messages_do_not_see_a_larger_S(void)
{
	struct replay_changes changes = { .map = NULL };

	two_messages("abcd", 4940);
	run_sql("UPDATE link_param SET value = 4 WHERE name = 's'");
	run_sql("UPDATE link_param SET value = 10 WHERE name = 'G_s'");
	for (int rank = 0; rank < 4; rank++)
		run_sql("INSERT INTO link_param (rank, tier, model, name, value) VALUES"
			" (%d, 'network', 'LogGPS', 'O_sr', 0), (%d, 'network', 'LogGPS', 'O_rr', "
			"0),"
			" (%d, 'network', 'LogGPS', 'G_r', 100)",
			rank, rank, rank);
	changes.map = map_file("1 a\n3 c\n");
	for (int i = 0; i < 2; i++) {
		changes.set = i ? "network.S=2000" : NULL;
		CU_ASSERT_EQUAL(follow(&changes), 0);
		CU_ASSERT_EQUAL(after.rank[3].inside_ns, 4940);
		CU_ASSERT_EQUAL(after.rank[2].inside_ns, 4940 + 8000);
		forget_followed();
	}
	end();
}

/*
 * Both messages came to host c at the same time, as fast as alone. So the network does not limit
 * what comes to a host, and data does not move at twice the rate of the link.
 */
static void a_run_shows_that_ways_into_hosts_are_free(void)
{
	struct replay_changes changes = { .map = NULL };

	two_messages("abcc", 8900);
	run_sql("UPDATE run SET value = 120000 WHERE key = 'end_ns' AND rank >= 2");
	changes.map = map_file("1 a\n");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT(hosts.ways_in_free);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 8900);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 16900);
	forget_followed();
	end();
}

/* The run sends no two messages into one host; cut_in of the file decides. */
static void a_calibration_shows_that_ways_into_hosts_are_free(void)
{
	sqlite3 *file = calibration(700);
	struct replay_changes changes = { .links_more = &file, .nlinks_more = 1 };

	two_messages("abcd", 8900);
	changes.map = map_file("3 c\n");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT(!hosts.ways_in_free);
	CU_ASSERT(after.rank[3].inside_ns > 16000);
	forget_followed();
	CU_ASSERT_EQUAL(sqlite3_exec(file,
				"INSERT INTO link_param (tier, model, name, value) VALUES "
				"('network', 'MM', 'cut_in', 0.1)",
				NULL, NULL, NULL),
		SQLITE_OK);
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT(hosts.ways_in_free);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 8900);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 8900);
	forget_followed();
	sqlite3_close(file);
	/* cut_in that was recorded with the run decides without a file */
	run_sql("INSERT INTO link_param (rank, tier, model, name, value, source)"
		" VALUES (0, 'network', 'MM', 'cut_in', 0.1, 'file')");
	changes.nlinks_more = 0;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT(hosts.ways_in_free);
	forget_followed();
	end();
}

/* With twice G each takes 16000 ns. No rank moves; they still leave one after the other. */
static void other_links_are_followed_over_several_hosts(void)
{
	struct replay_changes changes = { .set = "network.G=2us" };

	two_messages("aacc", 16900);
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.followed, 2);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 16900);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 32900);
	forget_followed();
	/* nothing of the network changes, so calls stay as measured */
	changes.set = "node.S=8";
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.followed, 0);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 16900);
	forget_followed();
	end();
}

/*
 * The receives took 5000 longer than the model has it. That is no matter of the pace, since data
 * takes less than 5 % of the run. So the model's run is 5000 too short, and this is added.
 */
static void what_the_model_lacks_stays(void)
{
	struct replay_changes changes = { .set = "network.G=2us" };

	two_messages("abcd", 8900 + 5000);
	run_sql("UPDATE run SET value = 400000 WHERE key = 'end_ns' AND rank >= 2");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.followed, 2);
	CU_ASSERT_EQUAL(scenario.pace, 1);
	CU_ASSERT_EQUAL(scenario.rest_ns, 5000);
	CU_ASSERT_EQUAL(after.run_ns - before.run_ns, 8000);
	forget_followed();
	changes.set = "network.G=1us";
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.run_ns, before.run_ns);
	forget_followed();
	end();
}

/* Where data took twice as long in the run as by the link, it does so elsewhere. */
static void data_keeps_the_pace_of_the_run(void)
{
	two_messages("abcd", 16900);
	run_sql("UPDATE run SET value = CASE WHEN rank < 2 THEN 6000 ELSE 22000 END WHERE key = "
		"'end_ns'");
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n3 c\n") }), 0);
	CU_ASSERT_DOUBLE_EQUAL(scenario.pace, 2, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(after.rank[2].inside_ns, 32900, 170);
	forget_followed();
	end();
}

/*
 * Data took 8000 ns by the link, and 7000 or 3000 in a run of about 16000: the model's run is about
 * 6 or 40 % too long. So little shows no faster link.
 */
static void data_is_as_slow_as_its_link(void)
{
	for (int i = 0; i < 2; i++) {
		two_messages("abcd", i ? 3900 : 7900);
		run_sql("UPDATE run SET value = CASE WHEN rank < 2 THEN 6000 ELSE %d END "
			"WHERE key = 'end_ns'",
			i ? 12000 : 16000);
		CU_ASSERT_EQUAL(
			follow(&(struct replay_changes){ .map = map_file("1 a\n3 c\n") }), 0);
		CU_ASSERT_DOUBLE_EQUAL(scenario.pace, i ? 3.0 / 8 : 1, 0.02);
		CU_ASSERT_EQUAL(hosts.rest_ns == -1000, i == 0);
		forget_followed();
		end();
	}
}

/*
 * Rank 0 receives from 1 and 2 in one call, which takes `span`. 8 bytes have 100 + 700 + 8000 + 100
 * ns between hosts, and 900 inside one. Rank 2 posts `late` after rank 1.
 */
static void two_receives_in_one_call(const char *names, int64_t span, int64_t late)
{
	begin(3);
	on_hosts(names);
	for (int rank = 1; rank < 3; rank++) {
		const int64_t post = 5000 + (rank == 2 ? late : 0);

		op((struct given){ SEND, .rank = rank, .peer = 0, .post = post, .span = 100 });
		op((struct given){ RECV, .rank = 0, .peer = rank, .form = FORM_NONBLOCKING,
			.post = 4900 + 10 * rank, .wait_enter = 5000, .wait_span = span });
	}
	for (int rank = 1; rank < 3; rank++)
		run_sql("UPDATE op_row SET code = (code & ~(3 << 23)) | (%d << 23)"
			" WHERE id >> 40 = %d OR peer = %d",
			names[rank] == names[0] ? 1 : 2, rank, rank);
	give_link(3, "network", 700, 1000, 1000);
	give_link(3, "node", 700, 0, 1000);
	analyze();
}

/* A longer L counts once, for both flights overlap. A larger G counts for each message. */
static void parameters_change_calls_as_a_whole(void)
{
	two_receives_in_one_call("aaa", 1100, 0);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .set = "L=1400" }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 700);
	forget_followed();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .set = "G=10" }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 2 * 8 * 10);
	forget_followed();
	end();
	/* the bytes of a message that arrives 10000 before the other one have moved by then */
	two_receives_in_one_call("aaa", 11000, 10000);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .set = "G=10" }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 8 * 10);
	forget_followed();
	end();
}

/*
 * Both messages share the way to host a, and arrive 16800 ns after their posts: a call of 17000. If
 * rank 1 is on host a, the other message takes 8800: a call of 9000. If ranks 1 and 2 are, a call
 * of 1000.
 */
static void receives_of_one_call_overlap(void)
{
	two_receives_in_one_call("abc", 17000, 0);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 9000 - 17000);
	forget_followed();
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n2 a\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 1000 - 17000);
	forget_followed();
	/* both messages still come from two hosts to one */
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("0 d\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, before.rank[0].inside_ns);
	forget_followed();
	end();
	two_receives_in_one_call("aac", 9000, 0);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 b\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 17000 - 9000);
	forget_followed();
	end();
}

/*
 * Rank 2 posts at 9000. Until then the first message runs alone, then both share the way. The first
 * one ends at 17000, the second one at 21000, and arrives 800 later, 16800 after the call's entry.
 * Of 16800 + 200 ns of the call, 4000 are a wait. If rank 1 is on host a, 12800 + 200 are left.
 */
static void a_late_message_overlaps_in_part(void)
{
	two_receives_in_one_call("abc", 17000, 4000);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("1 a\n") }), 0);
	CU_ASSERT_EQUAL(waited(&before, REPLAY_LATE_SENDER), 4000);
	CU_ASSERT_EQUAL(waited(&after, REPLAY_LATE_SENDER), 4000);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns - before.rank[0].inside_ns, 13000 - 17000);
	forget_followed();
	end();
}

/* Where nobody moves, the measured time counts, not that of the model. */
static void nothing_changes_where_nobody_moves(void)
{
	two_messages("aacc", 20000);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("0 a\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 20000);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 20000);
	forget_followed();
	end();
	two_receives_in_one_call("abc", 12000, 4000);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = map_file("0 a\n") }), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, before.rank[0].inside_ns);
	forget_followed();
	end();
}

/*
 * Receives took 20000 ns, of which 8000 because both messages left one host. On an ideal network
 * these go with the flight of 700 and the transfer of 8000, also where no ranks move.
 */
static void nobody_shares_an_ideal_network(void)
{
	struct replay_changes changes = { .map = NULL };

	two_messages("aacc", 20000);
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 20000);
	forget_followed();
	changes.ideal_network = true;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 3300);
	CU_ASSERT_EQUAL(after.rank[3].inside_ns, 3300);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 100);
	forget_followed();
	changes.map = map_file("1 b\n3 d\n");
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 3300);
	forget_followed();
	end();
	/* alone, nothing else goes */
	two_messages("abcd", 20000);
	changes.map = NULL;
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 11300);
	forget_followed();
	end();
}

/*
 * The same by rendezvous, as four o, two L and 8000 ns: both sides of a message take 20000 ns. On
 * an ideal network a send's 1900 become 100, a receive's 10700 become 200, and both lose 8000.
 */
static void a_rendezvous_is_alone_on_an_ideal_network(void)
{
	const struct replay_changes changes = { .ideal_network = true };

	begin(4);
	on_hosts("aacc");
	for (int rank = 0; rank < 2; rank++) {
		op((struct given){ SEND, .rank = rank, .peer = rank + 2,
			.protocol = PROTOCOL_RENDEZVOUS, .post = 5000, .span = 20000 });
		op((struct given){
			RECV, .rank = rank + 2, .peer = rank, .post = 5000, .span = 20000 });
	}
	all_over(TIER_NETWORK);
	give_link(4, "network", 700, 1000, 4);
	analyze();
	CU_ASSERT_EQUAL(follow(&changes), 0);
	CU_ASSERT_EQUAL(after.rank[0].inside_ns, 20000 - 1900 + 100 - 8000);
	CU_ASSERT_EQUAL(after.rank[2].inside_ns, 20000 - 10700 + 200 - 8000);
	forget_followed();
	end();
}

static bool hosts_are(const char *names)
{
	for (uint32_t i = 0; names[i]; i++)
		if (hosts.name[hosts.is[i]][0] != names[i])
			return false;
	return true;
}

static void ranks_go_to_hosts_in_turn(void)
{
	two_messages("aabb", 20000);
	give_link(4, "node", 100, 0, 1000);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "by-node" }), 0);
	CU_ASSERT(hosts_are("abab"));
	forget_followed();
	run_sql("UPDATE run SET value = 'b' WHERE key = 'host' AND rank = 1");
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "by-node" }), 0);
	CU_ASSERT(hosts_are("abbb"));
	forget_followed();
	run_sql("UPDATE run SET value = 'a' WHERE key = 'host' AND rank = 3");
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "by-slot" }), 0);
	CU_ASSERT(hosts_are("aabb"));
	forget_followed();
	end();
}

/* Ranks 0 and 2 talk, and 1 and 3. */
static void a_search_puts_those_together_who_talk(void)
{
	two_messages("aabb", 20000);
	give_link(4, "node", 100, 0, 1000);
	run_sql("UPDATE run SET value = CASE WHEN rank < 2 THEN 6000 ELSE 26000 END WHERE key = "
		"'end_ns'");
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "search" }), 0);
	CU_ASSERT_EQUAL(hosts.is[0], hosts.is[2]);
	CU_ASSERT_EQUAL(hosts.is[1], hosts.is[3]);
	CU_ASSERT(hosts.is[0] != hosts.is[1]);
	CU_ASSERT(after.run_ns < before.run_ns);
	forget_followed();
	/* together already: nobody moves */
	run_sql("UPDATE run SET value = substr('abab', rank + 1, 1) WHERE key = 'host'");
	all_over(TIER_NODE);
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "search" }), 0);
	CU_ASSERT(hosts_are("abab"));
	forget_followed();
	end();
}

/* 12 ranks in 6 pairs, on three hosts of different sizes; a tie that is cut may cost less than
 * others. */
static void a_search_keeps_the_number_of_ranks_of_a_host(void)
{
	int n[3] = { 0 }, together = 0;

	begin(12);
	on_hosts("aabbbbcccccc");
	for (int rank = 0; rank < 6; rank++) {
		op((struct given){
			SEND, .rank = rank, .peer = 11 - rank, .post = 5000, .span = 100 });
		op((struct given){
			RECV, .rank = 11 - rank, .peer = rank, .post = 5000, .span = 20000 });
	}
	give_link(12, "network", 700, 1000, 1000);
	give_link(12, "node", 100, 0, 1000);
	all_over(TIER_NETWORK);
	analyze();
	run_sql("UPDATE run SET value = CASE WHEN rank < 6 THEN 6000 ELSE 26000 END WHERE key = "
		"'end_ns'");
	CU_ASSERT_EQUAL(follow(&(struct replay_changes){ .map = "search" }), 0);
	for (int rank = 0; rank < 12; rank++) {
		n[hosts.name[hosts.is[rank]][0] - 'a']++;
		together += hosts.is[rank] == hosts.is[11 - rank];
	}
	CU_ASSERT(n[0] == 2 && n[1] == 4 && n[2] == 6);
	CU_ASSERT_EQUAL(together, 12);
	forget_followed();
	end();
}

static const struct unit_test tests[] = { { "a rank on another host has another link",
						  a_rank_on_another_host_has_another_link },
	{ "a message to nobody changes nothing", a_message_to_nobody_changes_nothing },
	{ "what the model lacks stays", what_the_model_lacks_stays },
	{ "data keeps the pace of the run", data_keeps_the_pace_of_the_run },
	{ "data is as slow as its link", data_is_as_slow_as_its_link },
	{ "the new link has its own S", the_new_link_has_its_own_S },
	{ "an unknown link comes from a file, or is refused",
		an_unknown_link_comes_from_a_file_or_is_refused },
	{ "what cannot be mapped is refused", what_cannot_be_mapped_is_refused },
	{ "messages that share a host slow each other down",
		messages_that_share_a_host_slow_each_other_down },
	{ "shorter messages do not see a larger S", shorter_messages_do_not_see_a_larger_S },
	{ "a run shows that ways into hosts are free", a_run_shows_that_ways_into_hosts_are_free },
	{ "a calibration shows that ways into hosts are free",
		a_calibration_shows_that_ways_into_hosts_are_free },
	{ "other links are followed over several hosts",
		other_links_are_followed_over_several_hosts },
	{ "parameters change calls as a whole", parameters_change_calls_as_a_whole },
	{ "receives of one call overlap", receives_of_one_call_overlap },
	{ "a late message overlaps in part", a_late_message_overlaps_in_part },
	{ "nothing changes where nobody moves", nothing_changes_where_nobody_moves },
	{ "nobody shares an ideal network", nobody_shares_an_ideal_network },
	{ "a rendezvous is alone on an ideal network", a_rendezvous_is_alone_on_an_ideal_network },
	{ "ranks go to hosts in turn", ranks_go_to_hosts_in_turn },
	{ "a search puts those together who talk", a_search_puts_those_together_who_talk },
	{ "a search keeps the number of ranks of a host",
		a_search_keeps_the_number_of_ranks_of_a_host },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("replay_map", tests);
	scratch_remove(dir);
	return failed;
}
