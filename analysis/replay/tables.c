/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/replay/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/queries.h"

static const char *const causes[REPLAY_CAUSES] = { "late_sender", "late_receiver", "collective",
	"late_progress" };

/* Inserts one row of integers, with `text` in column `text_at` (-1: nowhere). */
static int insert(sqlite3_stmt *q, const int64_t *value, int n, int text_at, const char *text)
{
	for (int i = 0; i < n; i++)
		if (i == text_at)
			sqlite3_bind_text(q, i + 1, text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(q, i + 1, value[i]);
	return db_execute(q);
}

static int fill_ranks(sqlite3 *db, const struct replay_graph *g, const struct replay_result *before,
	const struct replay_result *after)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(
		db, "INSERT INTO temp.scenario_rank VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", &q);

	for (uint32_t i = 0; i < g->nranks && !rc; i++) {
		const struct replay_rank_result *b = &before->rank[i], *a = &after->rank[i];
		const int64_t value[] = { g->rank[i].rank, b->end_ns, a->end_ns, b->computation_ns,
			a->computation_ns, b->inside_ns, a->inside_ns, b->wait_ns, a->wait_ns };

		rc = insert(q, value, 9, -1, NULL);
	}
	sqlite3_finalize(q);
	return rc;
}

static int fill_callsites(sqlite3 *db, const struct replay_graph *g,
	const struct replay_result *before, const struct replay_result *after)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(db, "INSERT INTO temp.scenario_callsite VALUES (?, ?, ?, ?, ?)", &q);

	for (uint32_t i = 0; i < g->nranks; i++)
		for (uint32_t s = 0; s < g->rank[i].nsites && !rc; s++)
			for (int c = 0; c < REPLAY_CAUSES && !rc; c++) {
				const uint32_t site = g->rank[i].first_site + s;
				const int64_t value[] = { g->rank[i].rank, s, 0,
					before->site[site].wait_ns[c],
					after->site[site].wait_ns[c] };

				if (value[3] || value[4])
					rc = insert(q, value, 5, 2, causes[c]);
			}
	sqlite3_finalize(q);
	return rc;
}

/* A line on what the replay leaves out; %llu, if any, stands for `n`. */
static int note(sqlite3 *db, const char *format, uint64_t n)
{
	char *text = sqlite3_mprintf(format, (unsigned long long)n), *sql;
	int rc;

	sql = sqlite3_mprintf("INSERT INTO temp.scenario_note VALUES (%Q)", text);
	rc = sql ? db_exec_quiet(db, sql) : -ENOMEM;
	sqlite3_free(sql);
	sqlite3_free(text);
	return rc;
}

static int fill_notes(sqlite3 *db, const struct replay_graph *g,
	const struct replay_scenario *scenario, const struct replay_result *same,
	const struct replay_result *after)
{
	const struct {
		bool holds;
		uint64_t n;
		const char *format;
	} notes[] = {
		{ after->stuck, after->stuck,
			"The program would hang: %llu threads would wait for each other for ever. "
			"Times below are those until then." },
		{ same->corrected, same->corrected,
			"%llu waits for others contradict the run, and these calls keep their "
			"measured "
			"time." },
		{ g->not_kept, g->not_kept,
			"%llu messages have no row and keep their measured time: analyze with a "
			"larger "
			"--max-matches." },
		{ g->unmatched, g->unmatched,
			"%llu sends and receives without a partner keep their measured time." },
		{ g->collectives_cut, g->collectives_cut,
			"%llu calls of collectives keep their measured time: members are not "
			"known." },
		{ g->ninstances, g->ninstances,
			"%llu collectives keep their measured time after the last arrival: their "
			"algorithms are not modelled." },
		{ g->transfers, g->transfers,
			"%llu one-sided and file operations keep their measured time." },
		{ g->any_source, g->any_source,
			"%llu receives from any source take the messages that they took." },
		{ g->polled, g->polled,
			"%llu operations were completed by polling: what the program did between "
			"its "
			"tests counts as waiting." },
		{ g->start_unknown, 0,
			"No message tells when ranks left MPI_Init relative to each other: their "
			"clocks "
			"do." },
		{ scenario->S_set, 0,
			"S is an extrapolation: a longer eager message is copied twice, which the "
			"links did not measure." },
		{ scenario->S_set && !scenario->S_p_set, 0,
			"S_p stays as it is: longer eager sends wait for the receiver's progress "
			"as measured." },
		{ scenario->progress, 0,
			"A thread that moves messages is assumed to take no CPU time from ranks." },
		{ after->unmodelled, after->unmodelled,
			"%llu sends and receives keep their measured time without waits: "
			"parameters of "
			"their links are not known." },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]) && !rc; i++)
		if (notes[i].holds)
			rc = note(db, notes[i].format, notes[i].n);
	return rc;
}

int replay_table_efficiency(
	sqlite3 *db, const struct replay_efficiency *e, bool ideal_known, const struct say *say)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(db, "INSERT INTO temp.scenario_efficiency VALUES (?, ?, ?, ?)", &q);

	if (!rc) {
		const int64_t value[] = { e->run_ns, e->ideal_ns, e->mean_computation_ns,
			e->max_computation_ns };

		rc = insert(q, value, 4, ideal_known ? -1 : 1, NULL);
	}
	sqlite3_finalize(q);
	return rc ? db_say(db, rc, "write", say) : 0;
}

int replay_tables(sqlite3 *db, const struct replay_graph *g, const struct replay_scenario *scenario,
	const struct replay_result *before, const struct replay_result *same,
	const struct replay_result *after, const struct say *say)
{
	sqlite3_stmt *q = NULL;
	const int64_t run[] = { before->run_ns, same->run_ns, after->run_ns,
		(int64_t)after->moved };
	int rc = db_exec_quiet(db, sql_replay_tables);

	if (!rc)
		rc = db_prepare(db, "INSERT INTO temp.scenario VALUES (?, ?, ?, ?)", &q);
	if (!rc)
		rc = insert(q, run, 4, -1, NULL);
	sqlite3_finalize(q);
	if (!rc)
		rc = fill_ranks(db, g, before, after);
	if (!rc)
		rc = fill_callsites(db, g, before, after);
	if (!rc)
		rc = fill_notes(db, g, scenario, same, after);
	return rc ? db_say(db, rc, "write", say) : 0;
}
