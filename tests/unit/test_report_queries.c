/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions of the report on a few rows made by hand, and what is said of their answers. */
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

static void expect_facts(const char *rows, const char *sql, int64_t top, const char *wanted)
{
	expect_facts_of(rows, NULL, sql, top, wanted);
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

#define RANK_TIME "CREATE TEMP TABLE rank_time (rank, part, ns);"
#define SITE "CREATE TEMP TABLE site (rank, callsite, place);"
#define DONE_PART "CREATE TEMP TABLE done_part (place, call, done_call, done_place);"

static void overhead_is_of_run_time_and_the_longest_of_all_ranks(void)
{
	static const char rows[] = RANK_TIME
		"INSERT INTO rank_time VALUES (0, 'run', 1000), (1, 'run', 1000), (0, 'tool', 20), "
		"(1, 'tool', 30);"
		"INSERT INTO run VALUES (0, 'init_overhead_ns', '5'), (1, 'init_overhead_ns', '7'),"
		" (0, 'finalize_overhead_ns', '3'), (0, 'rows_ns', '4'),"
		" (1, 'finalize_overhead_ns', '100');";

	expect_facts(rows, sql_report_overhead, 0, "50,2.5,7,7\n");
	expect_facts(RANK_TIME, sql_report_overhead, 0, "");
}

static void calls_that_only_ask_are_one_row(void)
{
	static const char rows[] =
		RANK_TIME SITE "INSERT INTO rank_time VALUES (0, 'run', 1000);"
			       "INSERT INTO site VALUES (0, 1, 'main a.c:1');"
			       "INSERT INTO call_name VALUES (1, 'MPI_Send'), (2, 'MPI_Comm_rank'),"
			       " (3, 'MPI_Wtime');"
			       "INSERT INTO call_cell VALUES (0, 0, 1, 1, 2, 0, 100, 0, 0, 0),"
			       " (0, 0, 2, 1, 1, 0, 10, 0, 0, 0), (0, 0, 3, 2, 3, 0, 30, 0, 0, 0);";

	expect_facts(rows, sql_report_calls, 5,
		"main a.c:1,MPI_Send,2,100,10,50\nanywhere,local queries,4,40,4,10\n");
	expect_facts(rows, sql_report_calls, 1, "main a.c:1,MPI_Send,2,100,10,50\n");
}

#define EXACT_PART                                                                                 \
	"CREATE TEMP TABLE exact_part (rank, callsite, call, kind, protocol, peer, cause, waits,"  \
	" bytes, ns, longest_ns); CREATE TEMP TABLE waited_sum (ns);"                              \
	"INSERT INTO waited_sum VALUES (1000); INSERT INTO call_name VALUES (1, 'MPI_Send');"      \
	"INSERT INTO exact_part VALUES (0, 1, 1, 'send', 'rendezvous', 1, 'late_receiver', 4, 8, " \
	"300, 90),"                                                                                \
	" (0, 1, 1, 'send', 'rendezvous', 1, 'late_progress', 1, 8, 100, 0), (0, 1, 1, 'send', "   \
	"'rendezvous', 2, 'late_receiver', "                                                       \
	"1, 8, 600, 600),"                                                                         \
	" (1, 1, 1, 'recv', 'rendezvous', 0, 'unexplained', 1, 8, -50, 0);"

static void pairs_are_ranked_by_their_waits_and_none_is_below_zero(void)
{
	expect_facts(EXACT_PART, sql_report_pairs_exact, 5,
		"0,sends to,2,1,600,60,600\n0,sends to,1,5,400,40,90\n");
	expect_facts(EXACT_PART, sql_report_pairs_exact, 1, "0,sends to,2,1,600,60,600\n");
}

static void a_callsite_has_its_largest_cause_and_the_call_that_completed(void)
{
	static const char rows[] = EXACT_PART SITE DONE_PART
		"INSERT INTO site VALUES (0, 1, 'main a.c:1');"
		"INSERT INTO done_part VALUES ('main a.c:1', 1, 'MPI_Wait', 'main a.c:9');";

	expect_facts(rows, sql_report_callsites, 5,
		"main a.c:1,MPI_Send,6,1000,100,late_receiver,MPI_Wait,main a.c:9\n");
}

/* Function 1; states: 6 late_member, 7 late_progress. */
#define COLL_PART                                                                                  \
	"CREATE TEMP TABLE coll_part (rank, callsite, call, state, late_rank, done_call, "         \
	"done_callsite, count, ns,"                                                                \
	" longest_ns);"                                                                            \
	"INSERT INTO call_name VALUES (1, 'MPI_Bcast');"

static void a_collective_names_the_rank_that_was_late_most(void)
{
	static const char rows[] = COLL_PART RANK_TIME SITE DONE_PART
		"INSERT INTO rank_time VALUES (0, 'run', 1000);"
		"INSERT INTO coll_part VALUES (0, 1, 1, 6, 2, -1, -1, 3, 30, 20),"
		" (0, 1, 1, 6, 3, -1, -1, 1, 70, 70);";

	expect_facts(rows, sql_report_collectives, 5,
		"unknown,MPI_Bcast,late_member,4,100,10,70,3,70,-,-\n");
}

static void collectives_that_stood_still_are_told_from_a_hundredth_on(void)
{
	expect_facts(COLL_PART "INSERT INTO coll_part VALUES (0, 1, 1, 7, 2, -1, -1, 1, 1, 1),"
			       " (0, 1, 1, 6, 2, -1, -1, 1, 99, 1);",
		sql_report_collectives_stood_still, 0, "1\n");
	expect_facts(COLL_PART "INSERT INTO coll_part VALUES (0, 1, 1, 7, 2, -1, -1, 1, 1, 1),"
			       " (0, 1, 1, 6, 2, -1, -1, 1, 100, 1);",
		sql_report_collectives_stood_still, 0, "");
}

static void text_has_no_wait_below_zero(void)
{
	expect_facts("CREATE TEMP TABLE protocol_row (kind, protocol, count, bytes, blocked_ns, "
		     "predicted_ns, wait_ns, share_pct); INSERT INTO protocol_row VALUES ('send', "
		     "'eager', 2, 16, 100, 120, -20, -2.0), ('recv', 'eager', 2, 16, 300, 120, "
		     "180, 18.0);",
		sql_report_protocols_text, 0,
		"recv,eager,2,16,300,120,180,18\nsend,eager,2,16,100,120,0,0\n");
}

static void time_without_predictions_is_behind_all_causes(void)
{
	static const char rows[] =
		"CREATE TEMP TABLE cause_row (protocol, cause, count, wait_ns, share_pct, mean_ns,"
		" what_helps); INSERT INTO cause_row VALUES ('eager', 'late_sender', 1, 10, 100, "
		"10, 'send');"
		"CREATE TEMP TABLE unpredicted (ops, ns);";

	expect_facts(rows, sql_report_causes_text, 0, "eager,late_sender,1,10,100,10,send\n");
	expect_facts_of(rows, "INSERT INTO unpredicted VALUES (3, 90)", sql_report_causes_text, 0,
		"eager,late_sender,1,10,100,10,send\n-,not_predicted,3,90,-,-,(at most) --links\n");
}

static void one_side_has_a_share_of_the_run(void)
{
	expect_facts(RANK_TIME "CREATE TEMP VIEW verdict_limits AS SELECT 0 AS alone;"
			       "INSERT INTO rank_time VALUES (0, 'run', 600), (1, 'run', 400), (0, "
			       "'waits', 250), (1, 'unpredicted', 40)",
		sql_report_verdict_one_side, 0, "250,25,40,0,1\n");
}

static void a_rank_without_a_part_has_no_time_in_it(void)
{
	expect_facts_of(
		"CREATE TEMP TABLE rank_time (rank, part, ns, PRIMARY KEY (part, rank));"
		"INSERT INTO rank_time VALUES (0, 'run', 10), (1, 'run', 10), (0, 'waits', 5)",
		sql_report_no_time, "SELECT * FROM rank_time ORDER BY rank, part", 0,
		"0,run,10\n0,waits,5\n1,run,10\n1,waits,0\n");
}

static void a_place_is_a_line_or_an_offset_and_a_caller_with_a_name(void)
{
	static const char rows[] =
		"INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/lib/libx.so');"
		"INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, "
		"line) VALUES (0, 1, 0, 1, 16, 'f (inlined into g)', '/src/a.c', 7), (0, 2, 0, 1, "
		"255, NULL, NULL, NULL), (0, 2, 1, 1, 300, 'main', 'a.c', 9), (0, 3, 0, NULL, "
		"NULL, NULL, NULL, NULL);"
		"INSERT INTO site_row (rank, callsite, first_rank, first_callsite) VALUES (1, 5, "
		"0, 1);";

	expect_facts_of(rows, sql_report_sites,
		"SELECT rank, callsite, place FROM site ORDER BY 1, 2", 0,
		"0,1,f a.c:7\n0,2,libx.so+0xff < main\n0,3,unknown\n1,5,f a.c:7\n");
}

#define AT_END                                                                                     \
	SITE "CREATE TEMP TABLE known (rank); INSERT INTO known VALUES (0);"                       \
	     "CREATE TEMP TABLE at_end (rank, runs, calls, call, callsite);"                       \
	     "CREATE TEMP TABLE open_call (least_ns); CREATE TEMP TABLE wrong (rank, op_id);"      \
	     "CREATE TEMP TABLE misfit (rank, op_id); CREATE TEMP TABLE cycle (nth);"              \
	     "CREATE TEMP TABLE unlike (rank, call); CREATE TEMP TABLE unseen_end (least_ns, "     \
	     "most_ns);"                                                                           \
	     "CREATE TEMP TABLE unrecorded (ns, run); CREATE TEMP TABLE outlook (state, alone, "   \
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
		{ "overhead is of run time, and the longest of all ranks",
			overhead_is_of_run_time_and_the_longest_of_all_ranks },
		{ "calls that only ask are one row", calls_that_only_ask_are_one_row },
		{ "pairs are ranked by their waits, and none is below zero",
			pairs_are_ranked_by_their_waits_and_none_is_below_zero },
		{ "a callsite has its largest cause and the call that completed",
			a_callsite_has_its_largest_cause_and_the_call_that_completed },
		{ "a collective names the rank that was late most",
			a_collective_names_the_rank_that_was_late_most },
		{ "collectives that stood still are told from a hundredth on",
			collectives_that_stood_still_are_told_from_a_hundredth_on },
		{ "text has no wait below zero", text_has_no_wait_below_zero },
		{ "time without predictions is behind all causes",
			time_without_predictions_is_behind_all_causes },
		{ "one side has a share of the run", one_side_has_a_share_of_the_run },
		{ "a rank without a part has no time in it",
			a_rank_without_a_part_has_no_time_in_it },
		{ "a place is a line, or an offset and a caller with a name",
			a_place_is_a_line_or_an_offset_and_a_caller_with_a_name },
		{ "a form of words has parts for what is known",
			a_form_of_words_has_parts_for_what_is_known },
		{ "a sentence ends before the next one begins in capitals",
			a_sentence_ends_before_the_next_one_begins_in_capitals },
		{ "what is not known is not said", what_is_not_known_is_not_said },
		{ "times are sums of ranks or of threads", times_are_sums_of_ranks_or_of_threads },
		{ NULL, NULL }
	};

	return unit_main("report_queries", tests);
}
