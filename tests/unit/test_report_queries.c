/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_report_queries.c: the sentences that the report makes from facts. tests/queries has the
 * cases of its queries.
 */
#include <config.h>

#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/report/queries.h"
#include "analysis/report/sentences.h"
#include "analysis/text/sql_functions.h"
#include "tests/unit/unit.h"

/* An empty run, with these rows. */
static sqlite3 *run_with(const char *rows)
{
	sqlite3 *db;

	CU_ASSERT_FATAL(sqlite3_open(":memory:", &db) == SQLITE_OK && sql_functions_add(db) == 0);
	CU_ASSERT_FATAL(sqlite3_exec(db, db_schema, NULL, NULL, NULL) == SQLITE_OK);
	CU_ASSERT_FATAL(sqlite3_exec(db, rows, NULL, NULL, NULL) == SQLITE_OK);
	return db;
}

/*
 * All columns of all facts: "a,b" a row, NULL as -. `make`: a query that makes what `sql` reads;
 * NULL: none.
 */
static void expect_facts_of(
	const char *rows, const char *make, const char *sql, int64_t top, const char *wanted)
{
	const struct question question = { .sql = sql };
	struct text got = { 0 };
	struct facts facts;
	sqlite3 *db = run_with(rows);

	if (make)
		CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db, make, NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(facts_ask(db, &question, top, false, &facts), 0);
	for (int64_t i = 0; i < facts.nrows * facts.ncolumns; i++) {
		const struct table_cell *c = &facts.cell[i];

		if (c->type == CELL_INTEGER)
			text_addf(&got, "%lld", (long long)c->integer);
		else if (c->type == CELL_REAL)
			text_addf(&got, "%.6g", c->real);
		else
			text_add(&got, c->type == CELL_TEXT ? c->text : "-");
		text_add(&got, (i + 1) % facts.ncolumns ? "," : "\n");
	}
	CU_ASSERT_STRING_EQUAL(got.at ? got.at : "", wanted);
	if (strcmp(got.at ? got.at : "", wanted) != 0)
		fprintf(stderr, "got:\n%s\n", got.at ? got.at : "");
	text_release(&got);
	facts_release(&facts);
	sqlite3_close(db);
}

/* What is said of the first row that `sql` gives. */
static void expect_said(const char *sql, say_function *say, const char *wanted)
{
	const struct question question = { .sql = sql };
	struct text got = { 0 };
	struct facts facts;
	struct fact fact;
	sqlite3 *db = run_with("");

	CU_ASSERT_EQUAL_FATAL(facts_ask(db, &question, 0, false, &facts), 0);
	CU_ASSERT_EQUAL_FATAL(facts.nrows, 1);
	fact = facts_at(&facts, 0);
	say(&got, &fact);
	CU_ASSERT_STRING_EQUAL(got.at ? got.at : "", wanted);
	text_release(&got);
	facts_release(&facts);
	sqlite3_close(db);
}

#define AT_END                                                                                     \
	"CREATE TEMP TABLE site (rank, callsite, place); CREATE TEMP TABLE known (rank); INSERT "  \
	"INTO known VALUES (0);"                                                                   \
	"CREATE TEMP TABLE at_end (rank, runs, calls, call, callsite);"                            \
	"CREATE TEMP TABLE open_call (least_ns); CREATE TEMP TABLE wrong (rank, op_id);"           \
	"CREATE TEMP TABLE misfit (rank, op_id); CREATE TEMP TABLE cycle (nth);"                   \
	"CREATE TEMP TABLE unlike (rank, call); CREATE TEMP TABLE unseen_end (least_ns, "          \
	"most_ns);"                                                                                \
	"CREATE TEMP TABLE unrecorded (ns, run); CREATE TEMP TABLE outlook (state, alone, "        \
	"ends, inside, world, longest_ns, unknown, unrecorded_pct, last_ns, ended_ns, said);"

static void numbers(struct text *to, const struct fact *f)
{
	phrase(to, f, "{count} {count:,} {bytes} {bytes:d} {wait_ns} {pct:2} {pct:g3}");
}

static void parts(struct text *to, const struct fact *f)
{
	phrase(to, f, "{in_call|in|posted} {name}[ at {place}][ in {place?nothing}{place}]");
	phrase(to, f, " count{count||s}[ at {place?an unknown place}]");
}

static void a_form_of_words_has_parts_for_what_is_known(void)
{
	static const char sql[] = "SELECT 1234 AS count, 1500.0 AS wait_ns, 2048 AS bytes, NULL AS "
				  "place, 0 AS in_call, 12.345 AS pct, 'x' AS name";
	expect_said(sql, numbers, "1234 1,234 2.00 KiB 2048 1.50 us 12.35 12.3");
	expect_said(sql, parts, "posted x counts at an unknown place");
}

static void a_sentence_ends_before_the_next_one_begins_in_capitals(void)
{
	static const char ask[] = "SELECT state, alone, ends, unknown, world FROM outlook";

	expect_facts_of(AT_END, sql_report_outlook, ask, 0, "nothing_recorded,1,1,-,1\n");
	expect_facts_of(AT_END "INSERT INTO at_end VALUES (0, 0, 0, NULL, NULL);",
		sql_report_outlook, ask, 0, "cut_short,0,1,-,1\n");
	expect_facts_of(AT_END "INSERT INTO at_end VALUES (0, 0, 0, NULL, NULL);"
			       "INSERT INTO run VALUES (0, 'world_size', 3);",
		sql_report_outlook, ask, 0, "cut_short,0,0,2,3\n");
	expect_said("SELECT 'cut_short' AS state", say_outlook,
		"Verdict: the job did not come to its end.");
	expect_said("SELECT 'cut_short' AS state, 2 AS unknown, 3 AS world, NULL AS unrecorded_pct,"
		    " NULL AS last_ns, NULL AS ended_ns, 1 AS said, 0 AS alone",
		say_outlook_end, " of 2 of 3 ranks nothing is known; of the others: ");
}

static void what_is_not_known_is_not_said(void)
{
	expect_said("SELECT 50000 AS tool_ns, 2.5 AS share_pct, 7000 AS init_longer_ns,"
		    " 8000 AS finalize_longer_ns",
		say_overhead,
		"50.0 us in all, 2.50 % of the ranks' run"
		" time; MPI_Init took 7.00 us longer, MPI_Finalize 8.00 us");
	expect_said("SELECT 50000 AS tool_ns, NULL AS share_pct, NULL AS init_longer_ns,"
		    " NULL AS finalize_longer_ns",
		say_overhead, "50.0 us in all, unknown share of the ranks' run time");
}

#define SMALL_MESSAGES_OF(by8, by64, both)                                                         \
	"SELECT 'small_messages' AS pattern, 0 AS rank, 1 AS peer, 'MPI_Send' AS call, 1000 AS "   \
	"count, 8 AS mean_bytes, 'f' AS \"where\", 6 AS share_pct, 9000000000 AS bare_run_ns, "    \
	"1000000 AS interval_ns, 0 AS withheld, NULL AS remedy_gain_ns, 0 AS untried, " by8        \
	" AS by8_gain_ns, " by64                                                                   \
	" AS by64_gain_ns, NULL AS same_gain_ns, NULL AS own_gain_ns, NULL AS most_gain_ns, "      \
	"NULL AS without_gain_ns, " both " AS both_ways, 0 AS own_helps"
#define SMALL_MESSAGES(by8, by64) SMALL_MESSAGES_OF(by8, by64, "0")
#define SMALL_MESSAGES_SAID(gain)                                                                  \
	"Many small messages: rank 0 sends 1,000 of 8 B to rank 1 in MPI_Send at f. " gain         \
	" The pattern takes 6.0 % of the ranks' time."

static void only_gains_beyond_chance_are_named(void)
{
	expect_said(SMALL_MESSAGES("0", "30000000"), say_pattern,
		SMALL_MESSAGES_SAID("By replay, the run without tryst takes 9.00 s. It is 30.0 ms "
				    "shorter with 64 of them in one."));
	expect_said(SMALL_MESSAGES("30000000", "1000000"), say_pattern,
		SMALL_MESSAGES_SAID("By replay, the run without tryst takes 9.00 s. It is 30.0 ms "
				    "shorter with 8 of them in one."));
	expect_said(SMALL_MESSAGES("20000000", "30000000"), say_pattern,
		SMALL_MESSAGES_SAID("By replay, the run without tryst takes 9.00 s. It is 20.0 ms "
				    "shorter with 8 of them in one, and 30.0 ms with 64."));
	expect_said(SMALL_MESSAGES("20000000", "NULL"), say_pattern,
		SMALL_MESSAGES_SAID("By replay, the run without tryst takes 9.00 s. It is 20.0 ms "
				    "shorter with 8 of them in one."));
	expect_said(SMALL_MESSAGES("0", "NULL"), say_pattern,
		SMALL_MESSAGES_SAID("Fewer and longer messages may cost less."));
	expect_said(SMALL_MESSAGES("1000000", "1000000"), say_pattern,
		SMALL_MESSAGES_SAID("By replay, combining those between two answers of the peer "
				    "does not shorten the run."));
}

#define PATTERN(name, same, own, most, helps)                                                      \
	"SELECT '" name "' AS pattern, 0 AS rank, NULL AS peer, 8 AS ranks, 'MPI_Send' AS call, "  \
	"70 AS count, 8 AS mean_bytes, 'f' AS \"where\", 6 AS share_pct, 1000000 AS "              \
	"interval_ns, 5000000 AS time_ns, 0 AS withheld, NULL AS remedy_gain_ns, 0 AS untried, "   \
	"3 AS steps, 7 AS steps_now, " same " AS same_gain_ns, " own " AS own_gain_ns, " most      \
	" AS most_gain_ns, NULL AS without_gain_ns, NULL AS gain_ns, " helps " AS own_helps"
#define FAN_OUT "A broadcast by hand: rank 0 sends 8 B to each of the others in MPI_Send at f. "
#define STEPS "MPI_Bcast or MPI_Scatter needs 3 steps, not 7. "
#define MASTER                                                                                     \
	"One rank serves all: the others exchange 70 messages with rank 0, and wait 5.00 ms for "  \
	"it. "
#define SHARE " The pattern takes 6.0 % of the ranks' time."

#define MASTER_GAINS(most, gain)                                                                   \
	"SELECT 'master' AS pattern, 0 AS rank, NULL AS peer, 8 AS ranks, NULL AS call, 70 AS "    \
	"count, 8 AS mean_bytes, NULL AS \"where\", 6 AS share_pct, 1000000 AS interval_ns, "      \
	"5000000 AS time_ns, 0 AS withheld, NULL AS remedy_gain_ns, 0 AS untried, NULL AS "        \
	"steps, 7 AS steps_now, NULL AS same_gain_ns, NULL AS own_gain_ns, " most                  \
	" AS most_gain_ns, NULL AS without_gain_ns, 4 AS by, " gain " AS gain_ns, 0 AS own_helps"

static void larger_pieces_have_a_gain_of_their_own(void)
{
	expect_said(MASTER_GAINS("30000000", "40000000"), say_pattern,
		MASTER "Larger pieces of work save messages; several ranks can serve. By replay, "
		       "with 4 pieces in a message the run is 40.0 ms shorter, if rank 0 takes no "
		       "longer for them than for one. With a master that takes no time the run "
		       "would be 30.0 ms shorter: several that serve bring no more." SHARE);
	expect_said(MASTER_GAINS("1000000", "40000000"), say_pattern,
		MASTER "Larger pieces of work save messages; several ranks can serve. By replay, "
		       "with 4 pieces in a message the run is 40.0 ms shorter, if rank 0 takes no "
		       "longer for them than for one." SHARE);
	expect_said(MASTER_GAINS("1000000", "1000000"), say_pattern,
		MASTER "By replay, neither a faster master nor larger pieces of work shorten the "
		       "run." SHARE);
}

static void messages_of_both_directions_must_not_depend_on_each_other(void)
{
	expect_said(SMALL_MESSAGES_OF("20000000", "30000000", "1"), say_pattern,
		"Many small messages: rank 0 sends 1,000 of 8 B to rank 1 in MPI_Send at f, and "
		"receives from it in turn. By replay, the run without tryst takes 9.00 s. It is "
		"20.0 ms "
		"shorter with 8 of them in one, and 30.0 ms with 64, in both directions, if none "
		"depends on those that come back in the meantime." SHARE);
}

static void a_better_form_is_advised_if_it_gains(void)
{
	expect_said(PATTERN("fan_out", "30000000", "20000000", "NULL", "1"), say_pattern,
		FAN_OUT STEPS "By replay of a tree the run is 30.0 ms shorter with MPI_Bcast, and "
			      "20.0 ms with MPI_Scatter." SHARE);
	expect_said(PATTERN("fan_out", "30000000", "NULL", "NULL", "0"), say_pattern,
		FAN_OUT STEPS "By replay of a tree the run is 30.0 ms shorter with MPI_Bcast, if "
			      "all get the same data." SHARE);
	expect_said(PATTERN("ring", "30000000", "0", "NULL", "0"), say_pattern,
		"A ring by hand: each of 8 ranks sends to the next one alone, 70 messages of 8 B "
		"in all. MPI_Allgather or MPI_Allreduce needs 3 steps, not 7. By replay of so many "
		"steps the run is 30.0 ms shorter with MPI_Allreduce, if each message has all the "
		"data. With each rank's own data it is not shorter." SHARE);
	expect_said(PATTERN("fan_out", "1000000", "0", "NULL", "0"), say_pattern,
		FAN_OUT "By replay, a collective does not shorten the run." SHARE);
	expect_said(PATTERN("master", "NULL", "NULL", "30000000", "0"), say_pattern,
		MASTER "Larger pieces of work save messages; several ranks can serve. With a "
		       "master that takes no time the run would be 30.0 ms shorter: several that "
		       "serve bring no more." SHARE);
	expect_said(PATTERN("master", "NULL", "NULL", "1000000", "0"), say_pattern,
		MASTER "By replay, a faster master does not shorten the run. Larger pieces of "
		       "work also save messages." SHARE);
}

static void times_are_sums_of_ranks_or_of_threads(void)
{
	expect_said("SELECT 1000 AS elapsed_ns, 1 AS ranks, 1 AS threads", say_elapsed,
		"1.00 us elapsed");
	expect_said("SELECT 1000 AS elapsed_ns, 2 AS ranks, 2 AS threads", say_elapsed,
		"1.00 us elapsed; all ranks: the sum of 2 ranks");
	expect_said("SELECT 1000 AS elapsed_ns, 1 AS ranks, 4 AS threads", say_elapsed,
		"1.00 us elapsed; all ranks: the sum of 4 threads of 1 rank; least and most: the"
		" sum of a rank's threads");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a form of words has parts for what is known",
			a_form_of_words_has_parts_for_what_is_known },
		{ "a sentence ends before the next one begins in capitals",
			a_sentence_ends_before_the_next_one_begins_in_capitals },
		{ "what is not known is not said", what_is_not_known_is_not_said },
		{ "only gains beyond chance are named", only_gains_beyond_chance_are_named },
		{ "a better form is advised if it gains", a_better_form_is_advised_if_it_gains },
		{ "larger pieces have a gain of their own",
			larger_pieces_have_a_gain_of_their_own },
		{ "messages of both directions must not depend on each other",
			messages_of_both_directions_must_not_depend_on_each_other },
		{ "times are sums of ranks or of threads", times_are_sums_of_ranks_or_of_threads },
		{ NULL, NULL }
	};

	return unit_main("report_queries", tests);
}
