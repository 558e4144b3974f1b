/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: what every format needs to know of a run: ranks, threads, places, names, clocks. */
#include <config.h>

#include "analysis/export/export.h"
#include "analysis/base/array.h"
#include "analysis/export/queries.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "record.h"

static int fail(struct export_run *run, int code)
{
	return db_say(run->db, code, "read", run->say);
}

static char *text_of(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);

	return text ? strdup(text) : NULL;
}

/* Names by number: rows (id, name). */
static int read_names(struct export_run *run, const char *sql, char ***names, uint32_t *n)
{
	sqlite3_stmt *s;
	int rc = db_prepare(run->db, sql, &s);

	if (rc)
		return fail(run, rc);
	while ((rc = db_step(s)) > 0) {
		int64_t id = sqlite3_column_int64(s, 0);

		if (id < 0 || id > 65535)
			continue;
		if (array_cover(names, sizeof(**names), n, (uint64_t)id))
			break;
		free((*names)[id]);
		(*names)[id] = text_of(s, 1);
	}
	sqlite3_finalize(s);
	return rc > 0 ? -ENOMEM : rc ? fail(run, rc) : 0;
}

static int read_places(struct export_run *run)
{
	sqlite3_stmt *s;
	int rc = db_exec_quiet(run->db, sql_export_places);

	if (!rc)
		rc = db_prepare(run->db, sql_export_last_place, &s);
	if (rc)
		return fail(run, rc);
	run->nplaces = db_step(s) > 0 ? (uint32_t)sqlite3_column_int64(s, 0) + 1 : 1;
	sqlite3_finalize(s);
	run->place = calloc(run->nplaces, sizeof(*run->place));
	if (!run->place)
		return -ENOMEM;
	run->place[0].text = strdup("unknown");
	rc = db_prepare(run->db, sql_export_place_names, &s);
	if (rc)
		return fail(run, rc);
	while ((rc = db_step(s)) > 0) {
		struct export_place *p = &run->place[sqlite3_column_int64(s, 0)];

		p->text = text_of(s, 1);
		p->file = text_of(s, 2);
		p->line = (uint32_t)sqlite3_column_int64(s, 3);
	}
	sqlite3_finalize(s);
	for (uint32_t i = 0; i < run->nplaces; i++)
		if (!run->place[i].text)
			return -ENOMEM;
	return rc ? fail(run, rc) : 0;
}

/* Reads the place of each callsite of the rank. */
static int read_callsites(struct export_run *run, sqlite3_stmt *s, struct export_rank *rank)
{
	int rc;

	sqlite3_bind_int(s, 1, rank->rank);
	while ((rc = db_step(s)) > 0) {
		int64_t callsite = sqlite3_column_int64(s, 0);

		if (callsite < 0 || callsite > DB_CALLSITE_MAX)
			continue;
		if (array_cover(&rank->place, sizeof(*rank->place), &rank->ncallsites,
			    (uint64_t)callsite))
			break;
		rank->place[callsite] = (uint32_t)sqlite3_column_int64(s, 1);
	}
	sqlite3_reset(s);
	return rc > 0 ? -ENOMEM : rc ? fail(run, rc) : 0;
}

static int read_threads(struct export_run *run, sqlite3_stmt *s, struct export_rank *rank)
{
	int rc;

	sqlite3_bind_int(s, 1, rank->rank);
	while ((rc = db_step(s)) > 0) {
		uint32_t *more = realloc(rank->thread, (rank->nthreads + 1) * sizeof(*more));

		if (!more)
			break;
		rank->thread = more;
		more[rank->nthreads++] = (uint32_t)sqlite3_column_int64(s, 0);
	}
	sqlite3_reset(s);
	return rc > 0 ? -ENOMEM : rc ? fail(run, rc) : 0;
}

static int read_ranks(struct export_run *run)
{
	sqlite3_stmt *s = NULL, *sites = NULL, *threads = NULL;
	int step, rc = 0;

	run->rank = calloc(run->clocks.n, sizeof(*run->rank));
	if (!run->rank)
		return -ENOMEM;
	step = db_prepare(run->db, sql_export_ranks, &s);
	if (!step)
		step = db_prepare(run->db, sql_export_places_of_rank, &sites);
	if (!step)
		step = db_prepare(run->db, sql_export_threads, &threads);
	while (!step && !rc && run->nranks < run->clocks.n && db_step(s) > 0) {
		struct export_rank *r = &run->rank[run->nranks++];

		r->rank = sqlite3_column_int(s, 0);
		r->host = text_of(s, 1);
		r->end_ns = sqlite3_column_int64(s, 2);
		if (!r->host)
			r->host = strdup("");
		rc = r->host ? read_callsites(run, sites, r) : -ENOMEM;
		if (!rc)
			rc = read_threads(run, threads, r);
	}
	sqlite3_finalize(s);
	sqlite3_finalize(sites);
	sqlite3_finalize(threads);
	return rc ? rc : step ? fail(run, step) : 0;
}

/* Sets base_ns to the first end of MPI_Init, and converts the ranks' ends to common time. */
static void find_bounds(struct export_run *run)
{
	for (uint32_t i = 0; i < run->nranks; i++) {
		int64_t zero = clock_common(&run->clocks.map[i], 0);

		if (i == 0 || zero < run->base_ns)
			run->base_ns = zero;
	}
	for (uint32_t i = 0; i < run->nranks; i++) {
		run->rank[i].end_ns = export_time(run, i, run->rank[i].end_ns);
		if (run->rank[i].end_ns > run->end_ns)
			run->end_ns = run->rank[i].end_ns;
	}
}

int64_t export_time(struct export_run *run, uint32_t i, int64_t ns)
{
	int64_t at = clock_common(&run->clocks.map[i], clock_within(ns, 4 * CLOCK_NS_MAX)) -
		run->base_ns;

	return at > 0 ? at : 0;
}

bool export_has_time(const struct export_run *run, int64_t from_ns, int64_t until_ns)
{
	return run->to_ns == 0 || (until_ns >= run->from_ns && from_ns <= run->to_ns);
}

int64_t export_rank_index(const struct export_run *run, int64_t rank)
{
	int64_t low = 0, high = (int64_t)run->nranks - 1;

	while (low <= high) {
		int64_t middle = (low + high) / 2;

		if (run->rank[middle].rank == rank)
			return middle;
		if (run->rank[middle].rank < rank)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

static char *read_program(struct export_run *run)
{
	char text[PATH_MAX];

	return strdup(
		db_run_value(run->db, -1, "program", text, sizeof(text)) == 0 ? text : "program");
}

/* Reads the waits, and whether they are known from both sides. */
static int read_waits(struct export_run *run)
{
	run->exact = db_has_rows(run->db, "match_info") > 0;
	return db_exec(run->db, sql_export_waits, "read", run->say);
}

int export_open(struct export_run *run, sqlite3 *db, const char *dir, const struct say *say)
{
	int rc;

	memset(run, 0, sizeof(*run));
	run->db = db;
	run->dir = dir;
	run->say = say;
	rc = clocks_read(db, &run->clocks, say);
	if (!rc)
		rc = read_names(run, sql_export_call_names, &run->call_name, &run->ncalls);
	if (!rc)
		rc = read_names(run, sql_export_cause_names, &run->cause_name, &run->ncauses);
	if (!rc)
		rc = read_names(run, sql_export_coll_state_names, &run->state_name, &run->nstates);
	if (!rc)
		rc = read_places(run);
	if (!rc)
		rc = read_waits(run);
	if (!rc)
		rc = read_ranks(run);
	if (!rc && !(run->program = read_program(run)))
		rc = -ENOMEM;
	if (rc == -ENOMEM)
		say_line(say, "out of memory");
	if (rc)
		export_close(run);
	else
		find_bounds(run);
	return rc;
}

void export_close(struct export_run *run)
{
	for (uint32_t i = 0; i < run->nranks; i++) {
		free(run->rank[i].host);
		free(run->rank[i].thread);
		free(run->rank[i].place);
	}
	for (uint32_t i = 0; run->place && i < run->nplaces; i++) {
		free(run->place[i].text);
		free(run->place[i].file);
	}
	for (uint32_t i = 0; i < run->ncalls; i++)
		free(run->call_name[i]);
	for (uint32_t i = 0; i < run->ncauses; i++)
		free(run->cause_name[i]);
	free(run->rank);
	free(run->place);
	free(run->call_name);
	for (uint32_t i = 0; i < run->nstates; i++)
		free(run->state_name[i]);
	free(run->cause_name);
	free(run->state_name);
	free(run->program);
	clocks_release(&run->clocks);
	memset(run, 0, sizeof(*run));
}
