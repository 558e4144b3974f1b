/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c: the critical path, backwards from the rank that ended last. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/blame/blame.h"
#include "analysis/ranks/cells.h"
#include "analysis/format/db/db.h"
#include "analysis/blame/queries.h"

static const struct cells_layout path_layout = { .table = "critical_path_cell",
	.keys = 5,
	.sums = 4 };

struct path {
	struct history *history;
	const struct run_ranks *ranks;
	const struct sites *sites;
	struct history_view view;
	struct lane_logs_view waits;
	struct cells *cells;
	struct activities *on;  /* the path's time by activity */
	struct activities *all; /* all ranks' time by activity */
	int64_t start, end;
	int64_t length;
	int code;
};

static uint32_t index_of(const struct path *p, uint32_t lane)
{
	return (uint32_t)(history_rank(p->history, lane) - p->ranks->at);
}

/* On the rank that ended last, the lane whose last call ended last. nlanes: there is none. */
static uint32_t last_lane(const struct path *p)
{
	uint32_t found = p->history->nlanes;
	int64_t end = INT64_MIN, leave = INT64_MIN;

	for (uint32_t lane = 0; lane < p->history->nlanes; lane++) {
		const struct run_rank *rank = history_rank(p->history, lane);
		int64_t last = history_last_leave(p->history, lane);

		if (rank && (rank->end_ns > end || (rank->end_ns == end && last > leave))) {
			end = rank->end_ns;
			leave = last;
			found = lane;
		}
	}
	return found;
}

/* Adds [from, to] of a lane to the path. */
static void follow(struct path *p, uint32_t lane, int64_t from, int64_t to)
{
	const uint32_t rank = index_of(p, lane), thread = rank_thread(&p->ranks->at[rank], lane);
	struct history_piece piece;
	struct history_walk walk;

	from = from > p->start ? from : p->start;
	to = to < p->end ? to : p->end;
	history_walk_begin(&p->view, &walk, lane, from, to);
	while (history_walk_next(&walk, &piece)) {
		const int64_t key[] = { p->ranks->at[rank].rank, thread, piece.what, piece.callsite,
			piece.after };
		struct cell *cell = cells_at(p->cells, key);

		if (!cell) {
			p->code = cells_code(p->cells);
			return;
		}
		cell->value[CRITICAL_PATH_CELL_PATH_NS] += piece.to - piece.from;
		cell->value[CRITICAL_PATH_CELL_NO_CPU_NS] += piece.no_cpu_ns;
		cell->value[CRITICAL_PATH_CELL_BLOCKED_NS] += piece.blocked_ns;
		p->length += piece.to - piece.from;
		activities_add(p->on, p->sites, rank, &piece, piece.to - piece.from);
	}
}

static void go_back(struct path *p, uint32_t lane, int64_t from)
{
	while (from > p->start && !p->code) {
		const struct history_wait *w = history_waits_before(&p->waits, lane, from);

		if (!w) {
			follow(p, lane, p->start, from);
			return;
		}
		follow(p, lane, w->until, from);
		from = w->until;
		lane = w->late;
	}
}

/* Adds up the activities of all ranks in the time of the path. */
static void sum_up(struct path *p)
{
	for (uint32_t lane = 0; lane < p->history->nlanes; lane++) {
		const struct run_rank *rank = history_rank(p->history, lane);
		struct history_piece piece;
		struct history_walk walk;

		if (!rank)
			continue;
		history_walk_begin(&p->view, &walk, lane, p->start, rank->end_ns);
		while (history_walk_next(&walk, &piece))
			activities_add(
				p->all, p->sites, index_of(p, lane), &piece, piece.to - piece.from);
	}
}

/*
 * Imbalance as in Scalasca: the time of an activity on the path beyond its mean over all ranks, as
 * a fraction of its time on the path. If several ranks have the activity on the path, each gets its
 * part.
 */
static double imbalance_of(
	const struct path *p, uint32_t rank_index, const struct history_piece *piece)
{
	uint64_t key = activity_key(p->sites, rank_index, piece);
	double on = (double)activities_find(p->on, key)->ns;
	double mean = (double)activities_find(p->all, key)->ns / p->ranks->n;

	return on > mean && on > 0 ? (on - mean) / on : 0;
}

static int add_imbalance(struct path *p)
{
	sqlite3 *db = p->ranks->db;
	sqlite3_stmt *read, *write;
	int rc = db_prepare(db, sql_blame_path_cells, &read);

	if (rc)
		return rc;
	rc = db_prepare(db, sql_blame_path_imbalance, &write);
	while (!rc && db_step(read) > 0) {
		const struct run_rank *rank = rank_find(p->ranks, sqlite3_column_int64(read, 0));
		const struct history_piece piece = { .what = (enum history_what)sqlite3_column_int(
							     read, 2),
			.callsite = (uint32_t)sqlite3_column_int64(read, 3),
			.after = (uint32_t)sqlite3_column_int64(read, 4) };

		for (int i = 0; i < 5; i++)
			sqlite3_bind_int64(write, i + 1, sqlite3_column_int64(read, i));
		sqlite3_bind_int64(write, 6,
			(int64_t)((double)sqlite3_column_int64(read, 5) *
				imbalance_of(p, (uint32_t)(rank - p->ranks->at), &piece)));
		rc = db_execute(write);
	}
	sqlite3_finalize(write);
	sqlite3_finalize(read);
	return rc;
}

/* The time from the last end of MPI_Init to the last end of a rank. */
static void find_window(struct path *p)
{
	p->start = p->ranks->at[0].zero_ns;
	p->end = p->ranks->at[0].end_ns;
	for (uint32_t i = 1; i < p->ranks->n; i++) {
		const struct run_rank *rank = &p->ranks->at[i];

		p->start = rank->zero_ns > p->start ? rank->zero_ns : p->start;
		p->end = rank->end_ns > p->end ? rank->end_ns : p->end;
	}
}

int path_run(struct history *t, const struct run_ranks *ranks, const struct sites *sites,
	struct activities *all, struct blame_result *result)
{
	struct path p = { .history = t, .ranks = ranks, .sites = sites, .all = all };
	uint32_t lane = last_lane(&p);
	int rc;

	find_window(&p);
	result->run_ns = p.end > p.start ? p.end - p.start : 0;
	if (lane == t->nlanes || p.end <= p.start)
		return 0;
	p.on = calloc(1, sizeof(*p.on));
	p.code = p.on && history_view(t, &p.view) == 0 &&
			lane_logs_view(&t->waits.logs, &p.waits) == 0 ?
		cells_new(ranks->db, &path_layout, &p.cells) :
		-ENOMEM;
	if (!p.code)
		go_back(&p, lane, history_rank(t, lane)->end_ns);
	if (!p.code)
		p.code = cells_flush(p.cells);
	if (!p.code) {
		sum_up(&p);
		p.code = add_imbalance(&p);
	}
	result->path_ns = p.length;
	rc = p.code                         ? db_say(ranks->db, p.code, "write", ranks->say) :
		history_view_error(&p.view) ? history_view_error(&p.view) :
					      p.waits.error;
	history_view_release(&p.view);
	lane_logs_view_release(&p.waits);
	cells_free(p.cells);
	free(p.on);
	return rc;
}
