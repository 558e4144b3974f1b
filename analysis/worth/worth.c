/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worth.c: the run is loaded once; each question changes it, replays it, and takes the change back.
 *
 * The work is bounded by the size of the run, not by a clock: a report says the same on any
 * machine.
 */
#include <config.h>

#include "analysis/worth/worth.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/load.h"
#include "analysis/replay/run.h"
#include "analysis/report/queries.h"
#include "analysis/text/progress.h"
#include "analysis/worth/gain.h"
#include "analysis/worth/queries.h"

enum {
	MESSAGES_MAX = 500000, /* of a run that is replayed */
	ROWS_MAX = 2000000,    /* ... and operations: the graph takes 200 to 300 bytes of each */
	STEPS_MAX = 16000000,  /* calls and ends of messages gone through in all replays */
	LEAST_PART = 100       /* a gain below this part of the run is not told of */
};

#define INTERVAL_DEVIATIONS 1.96 /* 95 of 100 runs */

/*
 * Replays the run without a change, and finds how much of a gain is chance. The replay begins with
 * the last rank's start. The report counts the run from the first rank's start on.
 */
static int find_base(struct worth *w)
{
	struct replay_scenario unchanged = w->same;
	struct replay_result same = { 0 }, before = { 0 };
	int rc;

	unchanged.corrects = true;
	rc = replay_run(&w->g, &unchanged, &same);
	if (!rc)
		rc = replay_run_path(&w->g, NULL, &before);
	w->base_ns = same.run_ns;
	w->run_ns = clock_within(db_int(w->db, sql_report_elapsed, same.run_ns), REPLAY_NS_MAX);
	w->run_ns = w->told_ns = w->run_ns > 0 ? w->run_ns : 0;
	w->interval_ns = w->run_ns / LEAST_PART;
	if (!rc && INTERVAL_DEVIATIONS * before.noise_ns > (double)w->interval_ns)
		w->interval_ns =
			llround(fmin(INTERVAL_DEVIATIONS * before.noise_ns, (double)w->run_ns));
	replay_result_release(&same);
	replay_result_release(&before);
	return rc;
}

static int put_run(struct worth *w, const char *untold)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(w->db, DB_INSERT, "temp.worth_run", &q);

	if (!rc && !untold) {
		sqlite3_bind_int64(q, 1, w->run_ns);
		sqlite3_bind_int64(q, 2, w->interval_ns);
	}
	if (!rc && untold)
		sqlite3_bind_text(q, 3, untold, -1, SQLITE_STATIC);
	if (!rc)
		rc = db_execute(q);
	sqlite3_finalize(q);
	return rc;
}

static int replay_all(struct worth *w)
{
	int rc = replay_load(w->db, &w->g, NULL);

	if (!rc)
		rc = replay_scenario_read(
			w->db, &w->g, &(struct replay_changes){ 0 }, &w->same, NULL);
	if (!rc)
		rc = find_base(w);
	if (!rc)
		rc = edit_begin(&w->g, &w->edit);
	if (!rc)
		rc = worth_of_bottlenecks(w);
	if (!rc)
		rc = worth_of_patterns(w);
	progress_end();
	return rc ? rc : put_run(w, NULL);
}

/* Are there more than ROWS_MAX rows of operations? Counts no further. */
static bool has_many_rows(sqlite3 *db)
{
	static const char *const tables[] = { "op_row", "coll_row", "rma_row", "io_row" };
	int64_t rows = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && rows <= ROWS_MAX; i++) {
		char sql[96];

		snprintf(sql, sizeof(sql), "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)",
			tables[i], ROWS_MAX + 1);
		rows += db_int(db, sql, 0);
	}
	return rows > ROWS_MAX;
}

/* Why the run is not replayed; NULL: it is. The text is in `why`. */
static const char *untold(sqlite3 *db, char *why, size_t size)
{
	const char *said = "damaged";
	sqlite3_stmt *s = NULL;

	if (db_prepare(db, sql_worth_untold, &s) == 0) {
		sqlite3_bind_int64(s, 1, MESSAGES_MAX);
		if (db_step(s) > 0)
			said = (const char *)sqlite3_column_text(s, 0);
	}
	snprintf(why, size, "%s", said ? said : "");
	sqlite3_finalize(s);
	if (said)
		return why;
	return has_many_rows(db) ? "many_rows" : NULL;
}

int worth_fill(sqlite3 *db)
{
	struct worth w = { .db = db, .steps = STEPS_MAX };
	char text[16];
	const char *why = untold(db, text, sizeof(text));
	int rc = why ? 0 : replay_all(&w);

	/* a damaged file, or a run that exceeds the memory, has no replay but still a report */
	if (rc && !why) {
		why = rc == -ENOMEM ? "no_memory" : "damaged";
		rc = db_exec_quiet(db,
			"DELETE FROM worth; DELETE FROM remedy_tried; DELETE FROM late_by_chance; "
			"DELETE FROM pattern_gain; "
			"DELETE FROM collective_gain; DELETE FROM master_gain");
	}
	if (!rc && why)
		rc = put_run(&w, why);
	edit_end(&w.edit);
	replay_scenario_release(&w.same);
	replay_graph_release(&w.g);
	return rc;
}
