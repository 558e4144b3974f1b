/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.c: by how much the run would be shorter if a pattern had its better form.
 *
 *	small messages    8 and 64 of them in one (combine.c)
 *	load imbalance    equal work between collectives; their barrier left out
 *	fans, rings       a collective in their place (trees.c)
 *	master            all that another way of serving can bring (master.c)
 *	larger pieces     2, 4 and 8 pieces of work in a message (pieces.c)
 */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/worth/combine.h"
#include "analysis/worth/queries.h"

enum { BY_BALANCE = 0, BY_NO_BARRIER = -1 };

/* by: of small messages that become one; or another change. both_ways: and as many back. */
static int put_pattern(struct worth *w, sqlite3_stmt *put, int64_t pattern, int by, int64_t gain_ns,
	bool both_ways)
{
	sqlite3_bind_int64(put, 1, pattern);
	sqlite3_bind_int(put, 2, by);
	sqlite3_bind_int64(put, 3, gain_ns);
	sqlite3_bind_int64(put, 4, w->told_ns);
	sqlite3_bind_int(put, 5, both_ways);
	return db_execute(put);
}

/* *gain_ns: with `by` messages in one; -1: unknown. */
static int gain_of(struct worth *w, worth_combine *combine, const struct worth_stream *stream,
	uint32_t by, int64_t *gain_ns)
{
	int rc = 0;

	*gain_ns = combine(w, stream, by) ? worth_gain(w, &w->same, &rc) : -1;
	edit_undo(&w->edit);
	return rc;
}

enum { NBYS = 2 };

/*
 * Replays the pattern of the row `q` is at with fewer and longer messages; if that does not help,
 * with those of both directions combined. One of the two counts, the one that brings more.
 */
static int weigh_small_messages(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	static const uint32_t bys[NBYS] = { 8, WORTH_COMBINED_MAX };
	static worth_combine *const ways[] = { worth_combine_stream, worth_combine_rounds };
	const struct worth_stream stream = { sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 4),
		worth_site(w, sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3)) };
	int64_t ns[2][NBYS], most[2] = { -1, -1 };
	bool both_ways;
	int rc = 0;

	for (int back = 0; back < 2 && !rc && most[0] <= w->interval_ns; back++)
		for (int i = 0; i < NBYS && !rc; i++) {
			rc = gain_of(w, ways[back], &stream, bys[i], &ns[back][i]);
			most[back] = ns[back][i] > most[back] ? ns[back][i] : most[back];
		}
	both_ways = most[1] > most[0];
	for (int i = 0; i < NBYS && !rc && most[both_ways] >= 0; i++)
		if (ns[both_ways][i] >= 0)
			rc = put_pattern(w, put, sqlite3_column_int64(q, 0), (int)bys[i],
				ns[both_ways][i], both_ways);
	return rc;
}

/* A fan or a ring as a collective. */
static int weigh_tree(struct worth *w, sqlite3_stmt *q, enum worth_shape shape)
{
	sqlite3_stmt *put = NULL;
	int64_t same_ns = -1, own_ns = -1;
	const uint32_t site = shape == SHAPE_RING ?
		REPLAY_NONE :
		worth_site(w, sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3));
	int rc = shape == SHAPE_RING || site != REPLAY_NONE ?
		worth_gain_of_tree(w, shape, sqlite3_column_int64(q, 2), site, &same_ns, &own_ns) :
		0;

	if (!rc && same_ns >= 0)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.collective_gain", &put);
	if (!rc && put) {
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(q, 0));
		sqlite3_bind_int64(put, 2, same_ns);
		if (own_ns >= 0)
			sqlite3_bind_int64(put, 3, own_ns);
		rc = db_execute(put);
	}
	sqlite3_finalize(put);
	return rc;
}

static int weigh_pieces(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	int rc = 0;

	for (uint32_t by = 2; by <= WORTH_PIECES_MAX && !rc; by *= 2) {
		const int64_t ns = worth_gain_of_pieces(w, sqlite3_column_int64(q, 2), by, &rc);

		if (!rc && ns >= 0)
			rc = put_pattern(w, put, sqlite3_column_int64(q, 0), (int)by, ns, false);
	}
	return rc;
}

static int weigh_master(struct worth *w, sqlite3_stmt *q)
{
	sqlite3_stmt *put = NULL;
	int rc;
	const int64_t ns = worth_gain_of_master(w, sqlite3_column_int64(q, 2), &rc);

	if (!rc && ns >= 0)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.master_gain", &put);
	if (!rc && put) {
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(q, 0));
		sqlite3_bind_int64(put, 2, ns);
		rc = db_execute(put);
	}
	sqlite3_finalize(put);
	return rc;
}

static int weigh_balance(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	int rc;
	const int64_t ns = worth_gain_of_balance(w, SECTIONS_COLLECTIVES, NULL, &rc);

	return rc ? rc : put_pattern(w, put, sqlite3_column_int64(q, 0), BY_BALANCE, ns, false);
}

/* Members of barriers at the marked sites wait for nobody. False: there are none. */
static bool leave_barrier_out(struct worth *w, const bool *marked)
{
	bool found = false;

	for (uint32_t i = 0; i < w->g.nparts; i++)
		if (w->g.part[i].instance != REPLAY_NONE && marked[w->g.part[i].site]) {
			edit_spare(&w->edit, i, 0);
			found = true;
		}
	return found;
}

static int weigh_barrier(struct worth *w, int64_t pattern, sqlite3_stmt *put)
{
	bool *marked = calloc((size_t)w->g.nsites + 1, sizeof(*marked));
	sqlite3_stmt *sites = NULL;
	int rc = marked ? db_prepare(w->db, sql_worth_barriers, &sites) : -ENOMEM;

	if (!rc)
		sqlite3_bind_int64(sites, 1, pattern);
	while (rc >= 0 && (rc = db_step(sites)) > 0) {
		const uint32_t site = worth_site(
			w, sqlite3_column_int64(sites, 0), sqlite3_column_int64(sites, 1));

		if (site != REPLAY_NONE)
			marked[site] = true;
	}
	if (!rc && leave_barrier_out(w, marked)) {
		const int64_t ns = worth_gain(w, &w->same, &rc);

		if (!rc)
			rc = put_pattern(w, put, pattern, BY_NO_BARRIER, ns, false);
	}
	edit_undo(&w->edit);
	sqlite3_finalize(sites);
	free(marked);
	return rc;
}

int worth_of_patterns(struct worth *w)
{
	sqlite3_stmt *q = NULL, *put = NULL;
	bool bare = false; /* w->base_ns is of a run without tryst */
	int rc = db_prepare(w->db, sql_worth_patterns, &q);

	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.pattern_gain", &put);
	while (rc >= 0 && w->steps > 0 && (rc = db_step(q)) > 0) {
		const char *name = (const char *)sqlite3_column_text(q, 1);

		if (strcmp(name, "load_imbalance") == 0) {
			rc = weigh_balance(w, q, put);
			if (!rc)
				rc = weigh_barrier(w, sqlite3_column_int64(q, 0), put);
		} else if (strcmp(name, "master") == 0) {
			rc = weigh_master(w, q);
			if (!rc)
				rc = weigh_pieces(w, q, put);
		} else if (strcmp(name, "fan_out") == 0) {
			rc = weigh_tree(w, q, SHAPE_FAN_OUT);
		} else if (strcmp(name, "fan_in") == 0) {
			rc = weigh_tree(w, q, SHAPE_FAN_IN);
		} else if (strcmp(name, "ring") == 0) {
			rc = weigh_tree(w, q, SHAPE_RING);
		} else {
			rc = bare ? 0 : worth_leave_tool_out(w);
			bare = true;
			if (!rc)
				rc = weigh_small_messages(w, q, put);
		}
	}
	sqlite3_finalize(q);
	sqlite3_finalize(put);
	return rc < 0 ? rc : 0;
}
