/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "diff.h"

/*
 * what: 0 waits by cause, 1 time in MPI (cause is then empty), 2 time of the ranks, whose parts
 * stand for callsites below 0, so that they keep their order.
 */
static const char tables_sql[] =
	"CREATE TABLE run (side INTEGER, name TEXT, program TEXT, ranks INTEGER, both_sides INTEGER,"
	" messages INTEGER, unpredicted_ns INTEGER, why TEXT);"
	"CREATE TABLE held (side INTEGER, rank INTEGER, ns INTEGER);"
	"CREATE TABLE site (side INTEGER, rank INTEGER, callsite INTEGER, build_id TEXT,"
	" offset INTEGER, place TEXT, function TEXT, unit TEXT, line INTEGER, id TEXT);"
	"CREATE TABLE cell (side INTEGER, what INTEGER, rank INTEGER, callsite INTEGER, call TEXT,"
	" cause TEXT, count INTEGER, ns INTEGER, longest_ns INTEGER);"
	"CREATE TABLE slot (side INTEGER, rank INTEGER, callsite INTEGER, call TEXT, cause TEXT, slot INTEGER, ns INTEGER);"
	"CREATE TABLE blame (side INTEGER, rank INTEGER, ns INTEGER, activity TEXT);"
	"CREATE TABLE row (what INTEGER, id TEXT, place TEXT, call TEXT, cause TEXT, a_count INTEGER,"
	" b_count INTEGER, a_ns INTEGER, b_ns INTEGER, variance REAL, spread_ns INTEGER, machine_ns INTEGER, noise_ns INTEGER, verdict TEXT);";

/* Table of `diff` and the query of a run that fills it; ?1 is the side. */
struct copy {
	const char *table;
	const char *sql;
};

static const struct copy facts[] = {
	{ "site", "SELECT c.rank, c.callsite, c.build_id, c.offset, s.place,"
		" substr(function, 1, instr(function || ' (inlined', ' (inlined') - 1),"
		" short_file(coalesce(file, module)), line, NULL"
		" FROM callsite c JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite"
		" WHERE frame = 0" },
	{ "held", "SELECT rank, CAST(value AS INTEGER) FROM run WHERE key = 'cpu_wait_ns'" },
	{ "cell", "SELECT 1, rank, callsite, call, '', sum(count), sum(time_ns), max(max_ns)"
		" FROM call_profile WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize')"
		" GROUP BY rank, callsite, call" },
	{ "cell", "SELECT 2, t.rank, -t.part, (SELECT name FROM part_name n WHERE n.part = t.part),"
		" (SELECT plain FROM part_name n WHERE n.part = t.part), 1, ns, NULL FROM rank_time t" },
	{ "site", "SELECT rank, -part, NULL, NULL, printf('%02d', (SELECT n.rowid FROM part_name n"
		" WHERE n.part = t.part)), NULL, NULL, NULL, NULL FROM rank_time t" },
	{ NULL, NULL }
};

/* The longest wait of a callsite, of whatever cause: causes share one wait. */
#define LONGEST \
	"(SELECT max(max_wait_ns) FROM wait_cell w WHERE w.rank = e.rank" \
	" AND w.callsite = e.callsite AND w.code & 1023 = e.call)"

static const struct copy exact_waits[] = {
	{ "cell", "SELECT 0, rank, callsite, (SELECT name FROM call_name WHERE id = call),"
		" coalesce((SELECT name FROM cause_name WHERE id = cause), 'not_recorded'), sum(waits), sum(ns), "
		LONGEST
		" FROM exact_part e GROUP BY rank, callsite, call, cause" },
	{ "cell", "SELECT 0, rank, callsite, (SELECT name FROM call_name WHERE id = code & 1023),"
		" (SELECT name FROM coll_state_name WHERE id = code >> 10), sum(count), sum(ns),"
		" max(longest_ns) FROM coll_part GROUP BY rank, callsite, code" },
	{ "slot", "SELECT site >> 32, site & 0xffffffff, (SELECT name FROM call_name WHERE id = code & 1023),"
		" iif(code >> 14, (SELECT name FROM coll_state_name WHERE id = code >> 10 & 15),"
		"  coalesce((SELECT name FROM cause_name WHERE id = code >> 10 & 15), '')), slot, ns FROM wait_slot_cell" },
	{ "blame", report_blame_ranks },
	{ NULL, NULL }
};

static const struct copy live_waits[] = {
	{ "cell", "SELECT 0, rank, callsite, call, coalesce(cause_hint, 'unknown'), sum(count),"
		" sum(wait_ns), max(max_wait_ns) FROM wait_profile WHERE peer IS NOT NULL"
		" GROUP BY rank, callsite, call, cause_hint HAVING sum(wait_ns) > 0" },
	{ NULL, NULL }
};

sqlite3 *diff_open(void)
{
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK
		&& sqlite3_exec(db, tables_sql, NULL, NULL, NULL) == SQLITE_OK
		&& diff_noise_functions(db) == SQLITE_OK
		&& report_functions(db) == 0)
		return db;
	sqlite3_close(db);
	return NULL;
}

/* Rows of a query on one database into a table of the other, behind a first column `side`. */
static int copy_rows(sqlite3 *diff, int side, sqlite3 *run, const struct copy *c, sqlite3 **failed)
{
	sqlite3_stmt *read = NULL, *write = NULL;
	char sql[128];
	int code, n = 0;

	*failed = run;
	code = sqlite3_prepare_v2(run, c->sql, -1, &read, NULL);
	if (code == SQLITE_OK) {
		*failed = diff;
		n = sqlite3_column_count(read);
		sqlite3_snprintf(sizeof sql, sql, "INSERT INTO %s VALUES (?%.*s)", c->table, 2 * n,
			",?,?,?,?,?,?,?,?,?,?");
		code = sqlite3_prepare_v2(diff, sql, -1, &write, NULL);
	}
	while (code == SQLITE_OK && (code = sqlite3_step(read)) == SQLITE_ROW) {
		sqlite3_bind_int(write, 1, side);
		for (int i = 0; i < n; i++)
			sqlite3_bind_value(write, i + 2, sqlite3_column_value(read, i));
		sqlite3_step(write);
		code = sqlite3_reset(write);
	}
	if (code == SQLITE_DONE)
		code = SQLITE_OK;
	else if (read && sqlite3_errcode(run) != SQLITE_OK && sqlite3_errcode(run) != SQLITE_ROW)
		*failed = run;
	sqlite3_finalize(write);
	sqlite3_finalize(read);
	return code;
}

static int copy_run(sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides)
{
	sqlite3_stmt *read = NULL, *write = NULL;
	int code = sqlite3_prepare_v2(run, "SELECT (SELECT value FROM run WHERE key = 'program'"
		" LIMIT 1), (SELECT count(DISTINCT rank) FROM run), (SELECT sum(count) FROM wait_cell"
		" WHERE peer >= 0 AND code >> 10 & 3 = 1), (SELECT sum(ns) FROM unpredicted),"
		" (SELECT text FROM unpredicted_why)", -1, &read, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(diff, "INSERT INTO run VALUES (?,?,?,?,?,?,?,?)", -1, &write,
			NULL);
	if (code == SQLITE_OK && sqlite3_step(read) == SQLITE_ROW) {
		sqlite3_bind_int(write, 1, side);
		sqlite3_bind_text(write, 2, name, -1, SQLITE_STATIC);
		sqlite3_bind_value(write, 3, sqlite3_column_value(read, 0));
		sqlite3_bind_value(write, 4, sqlite3_column_value(read, 1));
		sqlite3_bind_int(write, 5, both_sides);
		for (int i = 2; i < 5; i++)
			sqlite3_bind_value(write, 4 + i, sqlite3_column_value(read, i));
		sqlite3_step(write);
		code = sqlite3_reset(write);
	}
	sqlite3_finalize(write);
	sqlite3_finalize(read);
	return code;
}

int diff_take(sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides,
	sqlite3 **failed)
{
	const struct copy *waits = both_sides ? exact_waits : live_waits;
	int code = sqlite3_exec(diff, "BEGIN", NULL, NULL, NULL);

	*failed = diff;
	for (const struct copy *c = facts; code == SQLITE_OK && c->sql; c++)
		code = copy_rows(diff, side, run, c, failed);
	for (const struct copy *c = waits; code == SQLITE_OK && c->sql; c++)
		code = copy_rows(diff, side, run, c, failed);
	if (code == SQLITE_OK)
		code = copy_run(diff, side, run, name, both_sides);
	if (code == SQLITE_OK) {
		*failed = diff;
		code = sqlite3_exec(diff, "COMMIT", NULL, NULL, NULL);
	}
	return code;
}

/* id: what is equal in both runs. Sites of a module that both ran keep their offset; diff_sites.c finds the others. */
static const char same_sql[] =
	"CREATE TEMP TABLE both_have AS SELECT build_id FROM site WHERE build_id IS NOT NULL"
	" GROUP BY build_id HAVING count(DISTINCT side) = 2;"
	"UPDATE site SET id = CASE WHEN callsite < 0 THEN place WHEN build_id IN (SELECT build_id FROM both_have)"
	"  THEN build_id || '+' || offset END;"
	/* a function without lines can have several: their offsets tell them apart */
	"UPDATE site SET place = place || printf(' (+0x%x)', offset)"
	" WHERE (line IS NULL OR id IS NOT NULL) AND place IN (SELECT place FROM site"
	"  WHERE function IS NOT NULL GROUP BY side, rank, place HAVING count(DISTINCT offset) > 1);";

static const char compare_sql[] =
	"CREATE INDEX site_key ON site (side, rank, callsite);"
	"INSERT INTO row (what, id, place, call, cause, a_count, b_count, a_ns, b_ns, variance)"
	" SELECT what, s.id, max(coalesce(s.place, 'unknown')), call, cause,"
	"  sum(iif(c.side = 0, count, 0)), sum(iif(c.side = 1, count, 0)),"
	"  sum(iif(c.side = 0, ns, 0)), sum(iif(c.side = 1, ns, 0)),"
	"  1.0 * max(iif(c.side = 0, coalesce(longest_ns, 0), 0)) * abs(sum(iif(c.side = 0, ns, 0)))"
	"  + 1.0 * max(iif(c.side = 1, coalesce(longest_ns, 0), 0)) * abs(sum(iif(c.side = 1, ns, 0)))"
	" FROM cell c LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank"
	"  AND s.callsite = c.callsite GROUP BY what, s.id, call, cause;"
	"UPDATE row SET variance = v.variance FROM (SELECT id, call, cause, sum(variance) AS variance FROM"
	"  (SELECT s.id, call, cause, batch_variance(slot, ns) AS variance FROM slot w JOIN site s ON s.side = w.side"
	"   AND s.rank = w.rank AND s.callsite = w.callsite GROUP BY w.side, s.id, call, cause) GROUP BY id, call, cause) v"
	" WHERE what < 2 AND row.id = v.id AND row.call = v.call AND row.cause = v.cause;";

/*
 * row.machine_ns: what the ranks' lack of processors may have changed, as in diff.h. held_more: for how much longer a rank had
 * none in B. part: what of a row is a rank's. Causes that both sides' times tell of are waits for what others do: a rank
 * that was held up itself waits less by that, not more.
 */
static const char machine_sql[] =
	"CREATE TEMP TABLE held_more (rank INTEGER PRIMARY KEY, ns INTEGER);"
	"INSERT INTO held_more SELECT rank, sum(iif(side, ns, -ns)) FROM held GROUP BY rank;"
	"CREATE TEMP TABLE machine AS SELECT difference, 0.1 * (SELECT coalesce(sum(ns), 0) FROM held) AS chance_ns,"
	"  difference + (SELECT abs(coalesce(sum(iif(side, ns, -ns)), 0)) FROM cell WHERE what = 2 AND callsite = 0) AS lost"
	" FROM (SELECT coalesce(sum(abs(ns)), 0) AS difference FROM held_more);"
	"CREATE TEMP TABLE part AS SELECT what, s.id, call, cause, c.rank, max(abs(sum(iif(c.side = 0, ns, 0))),"
	"  abs(sum(iif(c.side = 1, ns, 0)))) AS ns FROM cell c LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank"
	"  AND s.callsite = c.callsite GROUP BY 1, 2, 3, 4, 5;"
	"CREATE INDEX part_of ON part (what, id, call, cause);"
	"UPDATE row SET machine_ns = (SELECT min(lost, coalesce((SELECT sum(min(p.ns, difference -"
	"   iif(what = 0 AND (cause IN ('late_sender', 'late_receiver', 'wrong_order') OR cause LIKE 'wait_at_%')"
	"    AND (SELECT min(both_sides) FROM run) AND (row.b_ns > row.a_ns) = (h.ns > 0), abs(coalesce(h.ns, 0)), 0)))"
	"   FROM part p LEFT JOIN held_more h USING (rank) WHERE p.what = row.what AND p.id IS row.id"
	"   AND p.call IS row.call AND p.cause IS row.cause), 0)) FROM machine);";

/* The squares of what launches differ by, whatever waits there are. */
#define LAUNCHES "chance_ns * chance_ns + 0.01 * max(1.0 * a_ns * a_ns, 1.0 * b_ns * b_ns)"

static const char judge_sql[] =
	/* longer because there are more ranks to wait is no finding: not judged, noise_ns and verdict NULL */
	"UPDATE row SET spread_ns = CAST(bound * square_root(variance) AS INTEGER), noise_ns = CAST(machine_ns"
	"  + square_root(bound * bound * variance + " LAUNCHES ") AS INTEGER) FROM machine, (SELECT what AS of,"
	"  normal_bound(count(*)) AS bound FROM row WHERE a_ns <> 0 OR b_ns <> 0 GROUP BY what)"
	" WHERE what = of AND (SELECT count(DISTINCT ranks) FROM run) = 1;"
	/*
	 * Without predictions both sides' times tell late_sender, late_receiver and wrong_order, and all waits in
	 * collectives; more is not known.
	 */
	"UPDATE row SET noise_ns = NULL FROM (SELECT sum(unpredicted_ns) AS unknown FROM run) WHERE what = 0"
	" AND abs(b_ns - a_ns) + unknown > noise_ns AND abs(b_ns - a_ns) - unknown <= noise_ns AND cause IN ('late_progress', 'flow_control', 'contention', 'unexplained', 'unknown',"
	"  iif((SELECT min(both_sides) FROM run), '', cause)) AND NOT is_collective(coalesce(call, ''));"
	"CREATE TEMP TABLE unsure AS SELECT group_concat(iif(side = 0, 'A''s ', 'B''s ') || duration(unpredicted_ns)"
	"  || ' (' || why || ')', ' and ') AS text FROM run WHERE unpredicted_ns * 10 > (SELECT"
	"  coalesce(max(sum(a_ns), sum(b_ns)), 0) FROM row WHERE what = 0)"
	/* as in the verdict of a report: less than a hundredth of the run is nothing to speak of; callsite 0 is part 0 */
	"  AND unpredicted_ns * 100 >= (SELECT sum(ns) FROM cell c WHERE c.side = run.side AND what = 2 AND callsite = 0)"
	" HAVING count(*);"
	"UPDATE row SET verdict = CASE WHEN noise_ns IS NULL THEN NULL WHEN abs(b_ns - a_ns) <= noise_ns THEN"
	"  iif(spread_ns >= max(abs(a_ns), abs(b_ns)) AND abs(b_ns - a_ns) > machine_ns + square_root(" LAUNCHES "),"
	"   'few', 'noise') WHEN b_ns > a_ns THEN 'more' ELSE 'less' END"
	" || CASE WHEN a_ns = 0 AND b_ns <> 0 THEN ', only in B'"
	"  WHEN b_ns = 0 AND a_ns <> 0 THEN ', only in A' ELSE ''"
	"  END FROM machine;";

int diff_compare(sqlite3 *diff)
{
	int code = sqlite3_exec(diff, same_sql, NULL, NULL, NULL);

	if (code == SQLITE_OK)
		code = diff_pair_sites(diff);
	if (code == SQLITE_OK)
		code = sqlite3_exec(diff, compare_sql, NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(diff, machine_sql, NULL, NULL, NULL);
	return code == SQLITE_OK ? sqlite3_exec(diff, judge_sql, NULL, NULL, NULL) : code;
}

#define ROWS(what) \
	" FROM row WHERE what = " what " AND (a_ns <> 0 OR b_ns <> 0)"
#define CHANGE \
	"a_ns, b_ns, b_ns - a_ns AS change_ns," \
	" 100.0 * (b_ns - a_ns) / nullif(a_ns, 0) AS change_pct"
/* What is beyond the noise first, by how much it changed. */
#define ORDER \
	" ORDER BY abs(b_ns - a_ns) > noise_ns DESC, abs(b_ns - a_ns) DESC, place, call, cause" \
	" LIMIT :top"

static const char summary_sql[] =
	"SELECT iif(side = 0, 'A: ', 'B: ') || name || ', ' || coalesce(program, 'unknown program')"
	" || printf(', %d rank%s, %,d message%s', ranks, iif(ranks = 1, '', 's'),"
	" coalesce(messages, 0), iif(messages = 1, '', 's')) || iif(both_sides, '', ', waits as one side can know them') AS text"
	" FROM run"
	" UNION ALL "
	"SELECT printf('The numbers of ranks differ: the tables have sums over all ranks, and what is"
	" beyond the noise is not judged. A rank waited %s in A and %s in B on average.',"
	" duration(coalesce((SELECT sum(a_ns) FROM row WHERE what = 0), 0)"
	"  / (SELECT ranks FROM run WHERE side = 0)),"
	" duration(coalesce((SELECT sum(b_ns) FROM row WHERE what = 0), 0)"
	"  / (SELECT ranks FROM run WHERE side = 1)))"
	" WHERE (SELECT count(DISTINCT ranks) FROM run) > 1"
	" UNION ALL "
	"SELECT 'These are different programs.' WHERE (SELECT count(DISTINCT short_file(program)) FROM run) > 1";

/* By how much rows changed of which it cannot be told whether that is chance. */
#define FEW_NS "coalesce(sum(abs(b_ns - a_ns)) FILTER (WHERE verdict LIKE 'few%'), 0)"
#define MANY_ARE_FEW FEW_NS " * 10 > max(sum(a_ns), sum(b_ns))"

static const char verdict_sql[] =
	"SELECT sum(a_ns) AS a_wait_ns, sum(b_ns) AS b_wait_ns, sum(b_ns) - sum(a_ns) AS change_ns,"
	" sum(verdict LIKE 'more%') AS more, sum(verdict LIKE 'less%') AS less,"
	" (SELECT unpredicted_ns FROM run WHERE side = 0) AS a_not_predicted_ns,"
	" (SELECT unpredicted_ns FROM run WHERE side = 1) AS b_not_predicted_ns,"
	" (SELECT coalesce(sum(ns), 0) FROM held WHERE side = 0) AS a_no_processor_ns,"
	" (SELECT coalesce(sum(ns), 0) FROM held WHERE side = 1) AS b_no_processor_ns,"
	" sum(verdict LIKE 'few%') AS few, " FEW_NS " AS few_ns FROM row WHERE what = 0";

/* From rows of one kind: what became of them. */
#define JUDGED(thing) \
	"CASE WHEN (SELECT count(DISTINCT ranks) FROM run) > 1 THEN 'other numbers of ranks: not judged'" \
	"  WHEN coalesce(sum(verdict LIKE 'more%' OR verdict LIKE 'less%'), 0) > 0 THEN" \
	"   printf('%d " thing "%s grew and %d shrank beyond the noise', sum(verdict LIKE 'more%')," \
	"   iif(sum(verdict LIKE 'more%') = 1, '', 's'), sum(verdict LIKE 'less%'))" \
	"  WHEN " MANY_ARE_FEW " THEN 'whether that is a change cannot be told' ELSE 'no change is beyond the noise' END"

/* Where that is a tenth of all at least. */
#define BY_FEW(thing) \
	"iif(" MANY_ARE_FEW ", printf(' Of " thing "s that are too few, or came too much at once, to be told from chance, %s" \
	" differ: longer runs, with more repetitions, would tell.', duration(" FEW_NS ")), '')"

/* Where that is a tenth of the waiting at least: the most that a row's limit has of it. */
#define BY_MACHINE \
	"coalesce((SELECT printf(' Ranks had no processor for %s in A and %s in B, in which they could have run: up to %s" \
	" of what counts as noise of a row (noise_ns in csv) is due to that.', duration(sum(iif(side = 0, ns, 0))), duration(sum(iif(side = 1, ns, 0)))," \
	"  duration(most)) FROM held, (SELECT max(machine_ns + chance_ns) AS most FROM row, machine WHERE what = 0 AND noise_ns NOT NULL)" \
	"  HAVING most * 10 >= (SELECT coalesce(max(sum(a_ns), sum(b_ns)), 0) FROM row WHERE what = 0) AND sum(ns) > 0), '')"

static const char verdict_text_sql[] =
	"SELECT printf('Verdict: %s of waiting became %s; %s.',"
	" duration(coalesce(sum(a_ns), 0)), duration(coalesce(sum(b_ns), 0)), " JUDGED("wait") ") || " BY_FEW("wait") " || " BY_MACHINE
	" FROM row WHERE what = 0 HAVING NOT EXISTS (SELECT 1 FROM unsure)"
	" UNION ALL "
	"SELECT printf('Verdict: how much was waited cannot be compared: of the time in message calls %s is not"
	" predicted, and may be waiting or not. All time in MPI: %s became %s; %s.', unsure.text,"
	" duration(coalesce(sum(a_ns), 0)), duration(coalesce(sum(b_ns), 0)), " JUDGED("call") ") || " BY_FEW("call") " || " BY_MACHINE
	" FROM unsure LEFT JOIN row ON what = 1 HAVING unsure.text NOT NULL";

const struct section diff_sections[] = {
	{ .name = "summary", .kind = SECTION_LINES, .one = { .sql = summary_sql } },
	{ .name = "verdict", .kind = SECTION_LINES, .one = { .title = "", .sql = verdict_sql,
		.text_sql = verdict_text_sql } },
	{ .name = "time", .one = { .title = "TIME, all ranks",
		.sql = "SELECT cause AS what, " CHANGE ROWS("2") " ORDER BY place",
		.text_sql = "SELECT call AS what, " CHANGE ROWS("2") " ORDER BY place" } },
	{ .name = "waits", .empty = "No waits in either run.",
		.one = { .title = "WAITS by callsite and cause",
			.sql = "SELECT place AS \"where\", call, cause, a_count, b_count, " CHANGE
				", noise_ns, verdict" ROWS("0") ORDER,
			.text_sql = "SELECT place AS \"where\", call, cause, a_ns, b_ns,"
				" b_ns - a_ns AS change_ns, verdict" ROWS("0") ORDER } },
	{ .name = "blame", .one = { .title = "BLAME by rank: for whom the others wait, and what it does instead",
		.sql = "SELECT rank, a_ns, b_ns, b_ns - a_ns AS change_ns, mostly FROM (SELECT rank,"
			" sum(iif(side = 0, ns, 0)) AS a_ns, sum(iif(side = 1, ns, 0)) AS b_ns, activity AS mostly,"
			" max(ns) FROM blame GROUP BY rank)"
			" ORDER BY abs(change_ns) DESC, rank LIMIT :top" } },
	{ .name = "calls", .one = { .title = "TIME IN MPI by callsite",
		.sql = "SELECT place AS \"where\", call, a_count, b_count, " CHANGE
			", noise_ns, verdict" ROWS("1") ORDER,
		.text_sql = "SELECT place AS \"where\", call, a_ns, b_ns, b_ns - a_ns AS change_ns,"
			" verdict" ROWS("1") ORDER } },
	{ 0 }
};
