/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * both_sides.c: the report's queries over both sides of the messages.
 *
 * They read sums only: what `tryst analyze` has added up (exact_cell, blame_cell,
 * critical_path_cell, accuracy_cell), and the waits in collectives, which are added up here, once.
 *
 * Ops whose rows were not kept (--max-ops) are in no such sum. The profile has them, with the waits
 * that were seen live: what it says beyond the live waits of the rows (exact_cell.live_ns) is a
 * cause of its own, not_recorded.
 */
#include <config.h>

#include "analysis/format/db/db.h"
#include "analysis/report/report.h"
#include "analysis/report/queries.h"
#include "analysis/report/sentences.h"

#include "analysis/ranks/cells.h"

/* Columns of coll_part: keys, and the sums and the maximum behind them. */
enum { COLL_KEYS = 7, COLL_COUNT = COLL_KEYS, COLL_NS, COLL_LONGEST_NS };

static const struct cells_layout coll_layout = { .table = "coll_part",
	.keys = COLL_KEYS,
	.sums = 2,
	.maxes = 1 };

/* A row a wait: summed in memory, in a sixth of the time that sorting them takes SQLite. */
static int add_collectives(sqlite3 *db)
{
	sqlite3_stmt *s = NULL;
	struct cells *cells;
	int rc = cells_new(db, &coll_layout, &cells);

	if (!rc)
		rc = db_prepare(db,
			"SELECT rank, callsite, call_id, state_id, coalesce(late_rank, -1),"
			" coalesce(done_call_id, -1), coalesce(done_callsite, -1), wait"
			" FROM collective_wait_row_fields",
			&s);
	while (!rc && (rc = db_step(s)) > 0) {
		int64_t key[COLL_KEYS], wait = sqlite3_column_int64(s, COLL_KEYS);
		struct cell *cell;

		for (int i = 0; i < COLL_KEYS; i++)
			key[i] = sqlite3_column_int64(s, i);
		cell = cells_at(cells, key);
		rc = cell ? 0 : cells_code(cells);
		if (!cell)
			break;
		cell->value[COLL_COUNT]++;
		cell->value[COLL_NS] += wait;
		if (wait > cell->value[COLL_LONGEST_NS])
			cell->value[COLL_LONGEST_NS] = wait;
	}
	sqlite3_finalize(s);
	if (rc == 0)
		rc = cells_flush(cells);
	cells_free(cells);
	return rc;
}

int report_prepare_exact(sqlite3 *db)
{
	static const char *const behind_collectives[] = { sql_report_done_calls,
		sql_report_verdict_parts, sql_report_causes_rows, sql_report_protocols_rows,
		sql_report_blame_rows, sql_report_path_rows, sql_report_sampled, NULL };
	int rc = db_exec_quiet(db, sql_report_both_sides);

	if (!rc)
		rc = add_collectives(db);
	return rc ? rc : facts_make(db, behind_collectives);
}

const struct section_query report_verdict_exact = {
	.title = "",
	.is_paragraph = true,
	.ask = { QUESTIONS_OF_OUTLOOK,
		{ .sql = sql_report_pattern_first,
			.use = FOR_TEXT,
			.say = { say_verdict_pattern } },
		{ .sql = sql_report_verdict_worth, .use = FOR_TEXT, .say = { say_verdict_worth } },
		{ .sql = sql_report_verdict,
			.say = { say_verdict },
			.data = "wait_ns,share_pct,cause,cause_ns,call,where,place_ns,waited_in,"
				"waited_at,late_rank,late_rank_pct,in_turns_pct,replayed_ns,"
				"worth_ns,interval_ns,not_predicted_ns,advice_cause,advice_call,"
				"advice_where,advice_remedy,advice_value,advice_gain_ns" },
		QUESTIONS_OF_BESIDES },
};

/* For machines causes alone: the verdict has not_predicted_ns. */
const struct section_query report_causes_exact = {
	.title = "WAITS by protocol and cause, from both sides",
	.ask = { { .sql = sql_report_causes_data, .use = FOR_DATA },
		{ .sql = sql_report_causes_text, .use = FOR_TEXT },
		{ .sql = sql_report_causes_shorter, .use = FOR_TEXT, .say = { say_shorter } } },
};

const struct section_query report_protocols_exact = {
	.title = "MESSAGES by protocol",
	.ask = { { .sql = "SELECT * FROM protocol_row ORDER BY wait_ns DESC, kind, protocol",
			 .use = FOR_DATA },
		{ .sql = sql_report_protocols_text, .use = FOR_TEXT } },
};

const struct section_query report_callsites_exact = {
	.title = "WAITS by callsite, from both sides",
	.ask = { { .sql = sql_report_callsites, .is_ranking = true, .data_only = "waited_in" } },
};

const struct section_query report_pairs_exact = {
	.title = "WAITS by pair of ranks, from both sides",
	.ask = { { .sql = sql_report_pairs_exact, .is_ranking = true } },
};

const struct section_query report_bottlenecks_exact = {
	.title = "BOTTLENECKS: why, what to do, and what they are worth",
	.ask = { QUESTION_OF_PATTERN_FIRST,
		{ .sql = sql_report_bottlenecks,
			.is_ranking = true,
			.made = { { "late_activity", say_late_activity }, { "why", say_why },
				{ "remedy", say_remedy } },
			.say = { say_bottleneck, say_why_line, say_remedy_line, say_worth },
			.data = "where,call,protocol,cause,pairs,count,least_bytes,most_bytes,"
				"wait_ns,"
				"unhidden_ns,mean_ns,late_mean_ns,late_longest_ns,elsewhere_pct,"
				"same_sender_pct,waited_in,waited_at,peer_call,peer_place,peer_"
				"done_call,"
				"peer_done_place,peer_share_pct,inside_pct,late_rank,late_thread,"
				"late_rank_pct,late_activity,computing_pct,in_turns_pct,why,"
				"remedy,"
				"worth_ns,remedy_kind,remedy_value,remedy_gain_ns,chance" },
		{ .sql = sql_report_bottlenecks_rest,
			.use = FOR_TEXT,
			.say = { say_bottlenecks_rest } },
		{ .sql = sql_report_why_no_worth, .use = FOR_TEXT, .say = { say_worth_untold } } },
};

const struct section_query report_remedies_exact = {
	.title = "REMEDIES: what each would bring, by replay",
	.ask = { { .sql = sql_report_remedies_doubt,
			 .use = FOR_TEXT,
			 .say = { say_remedies_doubt } },
		{ .sql = sql_report_remedies, .is_ranking = true } },
};

const struct section_query report_patterns_exact = {
	.title = "PATTERNS: forms of communication that cost time",
	.ask = { { .sql = sql_report_patterns,
		.is_ranking = true,
		.made = { { "text", say_pattern } },
		.say = { say_pattern_line },
		.data = "pattern,rank,peer,ranks,call,where,count,mean_bytes,time_ns,share_pct,"
			"by8_gain_ns,by64_gain_ns,bare_run_ns,remedy_gain_ns,by,gain_ns,text,"
			"same_gain_ns,own_gain_ns,most_gain_ns,without_gain_ns,both_ways" } },
};

const struct section_query report_collectives_exact = {
	.title = "WAITS in collectives, and the rank that was late most",
	.ask = { { .sql = sql_report_collectives,
			 .is_ranking = true,
			 .data_only = "run_pct,longest_ns,late_pct,waited_in" },
		{ .sql = sql_report_collectives_stood_still,
			.use = FOR_TEXT,
			.say = { say_stood_still } } },
};

const struct section_query report_blame_exact = {
	.title = "BLAME: what late ranks did instead, and its share of all blame",
	.ask = { { .sql = sql_report_blame,
			 .is_ranking = true,
			 .say = { say_blame },
			 .made = { { "where", say_activity } },
			 .data = "rank,thread,where,direct_ns,passed_on_ns,blame_ns,share_pct,"
				 "no_cpu_ns,blocked_outside_ns" },
		{ .sql = "SELECT sum(ns) AS ns FROM not_recorded HAVING sum(ns) > 0",
			.use = FOR_TEXT,
			.say = { say_blame_missing } } },
};

const struct section_query report_path_exact = {
	.title = "CRITICAL PATH: what the run would have to do faster to end earlier",
	.ask = { { .sql = sql_report_path,
			 .is_ranking = true,
			 .say = { say_path },
			 .made = { { "where", say_path_place } },
			 .data = "where,ranks,thread,path_ns,share_pct,imbalance_ns,no_cpu_ns,"
				 "blocked_outside_ns" },
		{ .sql = sql_report_path_limits, .use = FOR_TEXT, .say = { say_path_limit } } },
};

const struct section_query report_model_exact = {
	.title = "LIVE MODEL on messages that cannot have waited, means",
	.ask = { { .sql = sql_report_model } }
};

const struct section_query report_drift_exact = {
	.title = REPORT_DRIFT_TITLE,
	.ask = { QUESTION_OF_DRIFT },
};

const struct section_query report_accuracy_exact = {
	.title = "LIVE WAITS against exact ones",
	.ask = { { .sql = sql_report_accuracy } },
};
