/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.c: the rows of one thread as calls in the order of time.
 *
 *	op_row, coll_row, rma_row, io_row --by post--> items --heap by entry--> calls --> events
 *
 * Rows come in the order of their posts; receives of matched messages are numbered at their probes,
 * so that where there are any, ops are sorted. What completes later waits in the heap until all
 * posts before its completion have been read. Ops that share a call (MPI_Waitall, MPI_Sendrecv)
 * become events of one call, which they know by its entry.
 */
#include <config.h>

#include "analysis/export/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "record.h"
#include "analysis/base/array.h"
#include "analysis/format/db/db.h"
#include "analysis/format/rows/time.h"
#include "analysis/export/queries.h"
#include "analysis/text/progress.h"

enum { COLL_REQUEST_BIT = 41 };

/* A call, and one thing that happens in it. */
struct item {
	int64_t enter, leave; /* the rank's clock */
	uint64_t order;       /* of items that enter at the same time */
	uint32_t call, callsite;
	uint32_t post_site;    /* callsite that posted what the call ends */
	bool has_now, has_end; /* an event at the entry; at the end */
	bool posted_outside;   /* what ends here was posted outside the time of the export */
	enum export_kind now, end;
	int64_t wait;
	int64_t predicted, blocked; /* of the op that the call completes; below 0: unknown, none */
	uint32_t cause;
	int64_t seq;              /* of the collective that blocks in the call; -1: none */
	struct export_event what; /* peer, tag, sizes, request */
};

enum source_kind { SOURCE_OP, SOURCE_COLL, SOURCE_RMA, SOURCE_IO, SOURCE_IN_CALL, SOURCES };

struct stream {
	struct export_run *run;
	const struct export_rank *rank;
	uint32_t rank_index;
	int64_t rank_end; /* on its own clock */
	sqlite3_stmt *source[SOURCES];
	sqlite3_stmt *coll_waits;
	bool more[SOURCES];
	struct item *heap;
	size_t n;
	uint32_t room;
	uint64_t order;
	struct item *open; /* items of the open call that end with it */
	size_t nopen;
	uint32_t open_room;
	bool in_call;
	bool skips;            /* the open call is outside the time of the export */
	struct item call;      /* the open call */
	int64_t wait, longest; /* of its ops */
	int64_t predicted, blocked;
	uint32_t cause;
	struct export_wait *coll_wait; /* of its collectives */
	uint32_t ncoll_waits, coll_wait_room;
	int64_t last_ns; /* time of the last event */
	export_event_fn *event;
	void *context;
	int error;
};

static const char *const source_sql[SOURCES] = {
	[SOURCE_OP] = sql_export_ops,
	[SOURCE_COLL] = sql_export_collectives,
	[SOURCE_RMA] = sql_export_transfers,
	[SOURCE_IO] = sql_export_file_accesses,
	[SOURCE_IN_CALL] = sql_export_in_call,
};

static int64_t whole(sqlite3_stmt *s, int i, int64_t otherwise)
{
	return sqlite3_column_type(s, i) == SQLITE_NULL ? otherwise : sqlite3_column_int64(s, i);
}

/* A time, cut at a limit, so that a few times of a damaged file do not overflow a sum. */
static int64_t nanoseconds(sqlite3_stmt *s, int i, int64_t otherwise)
{
	return clock_within(whole(s, i, otherwise), CLOCK_NS_MAX);
}

/* A rank or a tag. If it does not fit it is unknown: cut off, it would be another rank or tag. */
static int32_t number(sqlite3_stmt *s, int i, int32_t otherwise)
{
	const int64_t n = whole(s, i, otherwise);

	return n >= INT32_MIN && n <= INT32_MAX ? (int32_t)n : otherwise;
}

/* ---- the heap */

static bool is_before(const struct item *a, const struct item *b)
{
	return a->enter != b->enter ? a->enter < b->enter : a->order < b->order;
}

static void push_item(struct stream *s, struct item *item)
{
	size_t i;

	if (array_room(&s->heap, sizeof(*s->heap), &s->room, s->n)) {
		s->error = -ENOMEM;
		return;
	}
	item->order = s->order++;
	for (i = s->n++; i > 0 && is_before(item, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = *item;
}

static void pop_item(struct stream *s, struct item *out)
{
	struct item last;
	size_t i = 0, child;

	*out = s->heap[0];
	last = s->heap[--s->n];
	while ((child = 2 * i + 1) < s->n) {
		if (child + 1 < s->n && is_before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!is_before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
}

/* ---- rows to items */

static void fill_call(struct item *item, int64_t enter, int64_t leave, int64_t call, int64_t site)
{
	memset(item, 0, sizeof(*item));
	item->enter = enter;
	item->leave = leave > enter ? leave : enter;
	item->call = (uint32_t)call;
	item->callsite = item->post_site =
		site >= 0 && site <= DB_CALLSITE_MAX ? (uint32_t)site : 0;
	item->seq = -1;
	item->predicted = item->blocked = -1;
	item->what.peer = -1;
}

static bool is_outside(const struct stream *s, const struct item *item)
{
	return !export_has_time(s->run, export_time(s->run, s->rank_index, item->enter),
		export_time(s->run, s->rank_index, item->leave));
}

static bool flag(int64_t code, enum op_flag f)
{
	return (op_code_flags(code) & f) != 0;
}

/* Sets the events of the two ends of an op. An op that was no message in this world has none. */
static void op_events(struct item *post, struct item *done, int64_t code, bool pending)
{
	bool send = op_code_kind(code) == KIND_SEND, message = post->what.peer >= 0;
	struct item *last = done ? done : post;

	if (flag(code, OP_COMM_PEER) || flag(code, OP_PROC_NULL) || flag(code, OP_TRUNCATED))
		return;
	if (op_code_form(code) == FORM_BLOCKING && !done) {
		post->has_now = send && message && !pending;
		post->now = EXPORT_SEND;
		post->has_end = !send && message && !pending;
		post->end = EXPORT_RECV;
		return;
	}
	/* a receive from any source learns its peer only when it is complete */
	post->has_now = message || !send;
	post->now = send ? EXPORT_SEND_POST : EXPORT_RECV_POST;
	if (pending)
		return;
	last->has_end = message || flag(code, OP_CANCELLED);
	last->end = flag(code, OP_CANCELLED) ? EXPORT_CANCELLED :
		send                         ? EXPORT_SEND_DONE :
					       EXPORT_RECV_DONE;
}

/*
 * The wait of an op whose call completes no other, of what both ops of its message waited: a row of
 * table match adds them up. An op is held no longer than it blocks. The rest of its excess, which
 * has these causes, is what it blocks longer than predicted.
 */
static int64_t own_wait(int64_t both_ns, uint32_t cause, int64_t blocked_ns, int64_t predicted_ns)
{
	const bool is_rest = cause == CAUSE_UNEXPLAINED || cause == CAUSE_NO_CPU;
	const int64_t most = blocked_ns - (is_rest && predicted_ns > 0 ? predicted_ns : 0);

	return both_ns < most ? both_ns : most > 0 ? most : 0;
}

static void push_op(struct stream *s, sqlite3_stmt *row)
{
	int64_t post = nanoseconds(row, 1, 0), span = nanoseconds(row, 2, -1);
	int64_t code = sqlite3_column_int64(row, 5), done = whole(row, 11, -1);
	bool pending = done == 0;
	struct item first, last;
	int64_t blocked, leave = span >= 0 ? post + span : s->rank_end;

	fill_call(&first, post, leave, op_code_call(code), sqlite3_column_int64(row, 4));
	first.what.request = (uint64_t)op_key_n(sqlite3_column_int64(row, 0));
	first.what.bytes = (uint64_t)sqlite3_column_int64(row, 6);
	first.what.peer = number(row, 7, -1);
	first.what.tag = number(row, 8, 0);
	first.what.comm = (uint32_t)sqlite3_column_int64(row, 9);
	last = first;
	blocked = nanoseconds(row, 14, nanoseconds(row, 13, span));
	if (done > 0) {
		last.enter = leave + nanoseconds(row, 12, 0);
		last.leave = last.enter + nanoseconds(row, 13, 0);
		last.call = done_call(done);
		last.callsite = done_callsite(done);
		last.posted_outside = is_outside(s, &first);
	}
	op_events(&first, done > 0 ? &last : NULL, code, pending);
	if (!pending) {
		struct item *completes = done > 0 ? &last : &first;

		completes->predicted = nanoseconds(row, 10, -1);
		completes->blocked = blocked > 0 ? blocked : 0;
	}
	if (!pending && (s->run->exact ? whole(row, 15, 0) > 0 : op_code_waited(code))) {
		struct item *waited = done > 0 ? &last : &first;

		waited->wait =
			s->run->exact ? nanoseconds(row, 15, 0) : blocked - nanoseconds(row, 10, 0);
		waited->cause = (uint32_t)(s->run->exact ? whole(row, 16, 0) : op_code_cause(code));
		if (sqlite3_column_type(row, 14) == SQLITE_NULL)
			waited->wait = own_wait(
				waited->wait, waited->cause, blocked, nanoseconds(row, 10, 0));
	}
	push_item(s, &first);
	if (done > 0)
		push_item(s, &last);
}

static void push_coll(struct stream *s, sqlite3_stmt *row)
{
	int64_t post = nanoseconds(row, 1, 0), span = nanoseconds(row, 2, -1);
	int64_t done = whole(row, 9, -1), leave = span >= 0 ? post + span : s->rank_end;
	struct item first, last;

	fill_call(&first, post, leave, sqlite3_column_int64(row, 3), sqlite3_column_int64(row, 4));
	first.what.request =
		(uint64_t)op_key_n(sqlite3_column_int64(row, 0)) | 1ULL << COLL_REQUEST_BIT;
	first.what.bytes = (uint64_t)sqlite3_column_int64(row, 5);
	first.what.recv_bytes = (uint64_t)sqlite3_column_int64(row, 6);
	first.what.peer = number(row, 7, -1);
	first.what.comm = (uint32_t)sqlite3_column_int64(row, 8);
	first.what.call = first.call;
	last = first;
	first.has_now = true;
	first.now = done < 0 ? EXPORT_COLL_BEGIN : EXPORT_COLL_POST;
	first.has_end = done < 0;
	first.end = EXPORT_COLL_END;
	if (done < 0)
		first.seq = whole(row, 12, -1);
	push_item(s, &first);
	if (done <= 0)
		return;
	last.seq = whole(row, 12, -1);
	last.enter = leave + nanoseconds(row, 10, 0);
	last.leave = last.enter + nanoseconds(row, 11, 0);
	last.call = done_call(done);
	last.callsite = done_callsite(done);
	last.has_end = true;
	last.posted_outside = is_outside(s, &first);
	last.end = EXPORT_COLL_DONE;
	push_item(s, &last);
}

/* One-sided and file operations, and what was still in a call: calls without messages. */
static void push_calls(struct stream *s, sqlite3_stmt *row)
{
	int64_t enter = nanoseconds(row, 1, 0), span = nanoseconds(row, 2, -1);
	int64_t done = whole(row, 5, -1), leave = span < 0 ? s->rank_end : enter + span;
	struct item item;

	fill_call(&item, enter, leave, sqlite3_column_int64(row, 3), whole(row, 4, 0));
	push_item(s, &item);
	if (done <= 0)
		return;
	enter = leave + nanoseconds(row, 6, 0);
	fill_call(
		&item, enter, enter + nanoseconds(row, 7, 0), done_call(done), done_callsite(done));
	push_item(s, &item);
}

static void push_row(struct stream *s, enum source_kind kind)
{
	if (kind == SOURCE_OP)
		push_op(s, s->source[kind]);
	else if (kind == SOURCE_COLL)
		push_coll(s, s->source[kind]);
	else
		push_calls(s, s->source[kind]);
}

/* ---- items to events */

/* The time of the next event, no earlier than that of the last one. */
static int64_t time_of(const struct stream *s, int64_t own_ns)
{
	int64_t at = export_time(s->run, s->rank_index, own_ns);

	return at > s->last_ns ? at : s->last_ns;
}

static void emit(
	struct stream *s, const struct export_event *what, enum export_kind kind, int64_t own_ns)
{
	struct export_event e = *what;

	e.kind = kind;
	e.at_ns = s->last_ns = time_of(s, own_ns);
	if (s->error || s->skips)
		return;
	s->run->has_calls = true;
	s->error = s->event(s->context, &e);
}

static int by_from(const void *a, const void *b)
{
	const struct export_wait *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Sorts the waits in collectives. Each begins after the one before, and ends within the call. */
static void put_waits_in_order(struct stream *s, int64_t end_ns)
{
	int64_t at = s->call.what.enter_ns;
	uint32_t n = 0;

	if (s->ncoll_waits)
		qsort(s->coll_wait, s->ncoll_waits, sizeof(*s->coll_wait), by_from);
	for (uint32_t i = 0; i < s->ncoll_waits; i++) {
		struct export_wait w = s->coll_wait[i];

		w.from_ns = w.from_ns > at ? w.from_ns : at;
		w.until_ns = w.until_ns < end_ns ? w.until_ns : end_ns;
		if (w.until_ns <= w.from_ns)
			continue;
		at = w.until_ns;
		s->coll_wait[n++] = w;
	}
	s->ncoll_waits = n;
}

/*
 * Each completed request is also posted. If the post is outside the time of the export,
 * a receive or a collective is posted where it completes. A send is left out: its post says when
 * the message left.
 */
static void emit_end(struct stream *s, const struct item *item)
{
	if (item->posted_outside && item->end != EXPORT_RECV_DONE && item->end != EXPORT_COLL_DONE)
		return;
	if (item->posted_outside)
		emit(s, &item->what,
			item->end == EXPORT_RECV_DONE ? EXPORT_RECV_POST : EXPORT_COLL_POST,
			s->call.leave);
	emit(s, &item->what, item->end, s->call.leave);
}

/* The shares of ops in their call are known as they were recorded: only their sum is exact. */
static void close_call(struct stream *s)
{
	struct export_event e = { .call = s->call.call,
		.enter_ns = s->call.what.enter_ns,
		.place = s->call.what.place,
		.wait_ns = s->blocked >= 0 && s->blocked < s->wait ? s->blocked : s->wait,
		.predicted_ns = s->predicted,
		.blocked_ns = s->blocked,
		.cause = s->cause,
		.peer = -1 };

	if (s->in_call) {
		put_waits_in_order(s, time_of(s, s->call.leave));
		e.wait = s->coll_wait;
		e.nwaits = s->ncoll_waits;
	}
	for (size_t i = 0; i < s->nopen; i++)
		emit_end(s, &s->open[i]);
	if (s->in_call)
		emit(s, &e, EXPORT_LEAVE, s->call.leave);
	s->in_call = false;
	s->nopen = 0;
}

static uint32_t place_of(const struct stream *s, uint32_t callsite)
{
	return callsite < s->rank->ncallsites ? s->rank->place[callsite] : 0;
}

static void open_call(struct stream *s, const struct item *item)
{
	struct export_event e = { .call = item->call, .peer = -1 };

	/* calls do not overlap, even if another thread completed an op of this thread */
	e.place = place_of(s, item->callsite);
	s->call = *item;
	s->in_call = true;
	s->wait = s->longest = 0;
	s->predicted = s->blocked = -1;
	s->cause = 0;
	s->ncoll_waits = 0;
	s->skips = is_outside(s, item);
	emit(s, &e, EXPORT_ENTER, item->enter);
	s->call.what.enter_ns = s->last_ns;
	s->call.what.place = e.place;
}

/* Reads the rank's waits for other members of a collective that blocks in this call. */
static void read_coll_waits(struct stream *s, const struct item *item)
{
	sqlite3_stmt *row = s->coll_waits;
	int rc;

	sqlite3_bind_int64(row, 1, s->rank->rank);
	sqlite3_bind_int64(row, 2, item->what.comm);
	sqlite3_bind_int64(row, 3, item->seq);
	while ((rc = db_step(row)) > 0) {
		int64_t from = item->enter + nanoseconds(row, 0, 0),
			until = from + nanoseconds(row, 1, 0);

		if (array_room(&s->coll_wait, sizeof(*s->coll_wait), &s->coll_wait_room,
			    s->ncoll_waits)) {
			s->error = -ENOMEM;
			break;
		}
		s->coll_wait[s->ncoll_waits++] =
			(struct export_wait){ .from_ns = export_time(s->run, s->rank_index, from),
				.until_ns = export_time(s->run, s->rank_index, until),
				.state = (uint32_t)sqlite3_column_int64(row, 2),
				.late_rank = (int32_t)whole(row, 3, -1),
				.place = place_of(s, item->post_site) };
	}
	sqlite3_reset(row);
	if (rc < 0 && !s->error)
		s->error = db_say(s->run->db, rc, "read", s->run->say);
}

/* Sums over the ops of a call. One of them without a prediction leaves the call without. */
static void add_op_times(struct stream *s, const struct item *item)
{
	if (item->blocked < 0)
		return;
	if (item->predicted < 0 || (s->blocked >= 0 && s->predicted < 0))
		s->predicted = -1;
	else
		s->predicted = rows_plus(s->predicted < 0 ? 0 : s->predicted, item->predicted);
	s->blocked = rows_plus(s->blocked < 0 ? 0 : s->blocked, item->blocked);
}

static void take_item(struct stream *s, const struct item *item)
{
	if (!s->in_call || item->enter != s->call.enter || item->call != s->call.call) {
		close_call(s);
		open_call(s, item);
	}
	if (item->leave > s->call.leave)
		s->call.leave = item->leave;
	if (item->has_now)
		emit(s, &item->what, item->now, item->enter);
	s->wait = rows_plus(s->wait, item->wait);
	add_op_times(s, item);
	if (item->seq >= 0)
		read_coll_waits(s, item);
	if (item->wait > s->longest) {
		s->longest = item->wait;
		s->cause = item->cause;
	}
	if (!item->has_end)
		return;
	if (array_room(&s->open, sizeof(*s->open), &s->open_room, s->nopen))
		s->error = -ENOMEM;
	else
		s->open[s->nopen++] = *item;
}

/* ---- the pass */

static int step_source(struct stream *s, enum source_kind kind)
{
	int rc = db_step(s->source[kind]);

	s->more[kind] = rc > 0;
	return rc < 0 ? rc : 0;
}

static bool takes_matched(const struct stream *s)
{
	sqlite3_stmt *stmt;
	bool takes = false;

	if (db_prepare(s->run->db, sql_export_takes_matched, &stmt) == 0) {
		sqlite3_bind_int(stmt, 1, s->rank->rank);
		takes = db_step(stmt) > 0;
	}
	sqlite3_finalize(stmt);
	return takes;
}

static int open_sources(struct stream *s, uint32_t thread)
{
	int rc = 0;

	for (int i = 0; i < SOURCES && !rc; i++) {
		const char *sql =
			i == SOURCE_OP && takes_matched(s) ? sql_export_ops_by_post : source_sql[i];

		rc = db_prepare(s->run->db, sql, &s->source[i]);
		if (rc)
			break;
		sqlite3_bind_int64(s->source[i], 1, s->rank->rank * IDS_OF_RANK);
		sqlite3_bind_int64(s->source[i], 2, (s->rank->rank + INT64_C(1)) * IDS_OF_RANK);
		sqlite3_bind_int64(s->source[i], 3, thread);
		rc = step_source(s, (enum source_kind)i);
	}
	if (!rc)
		rc = db_prepare(s->run->db, sql_export_waits_of_collective, &s->coll_waits);
	return rc;
}

/* The source whose next row was posted first; SOURCES at the end of all. */
static enum source_kind first_source(const struct stream *s, int64_t *post)
{
	enum source_kind first = SOURCES;

	for (int i = 0; i < SOURCES; i++) {
		int64_t at;

		if (!s->more[i])
			continue;
		at = sqlite3_column_int64(s->source[i], 1);
		if (first == SOURCES || at < *post) {
			*post = at;
			first = (enum source_kind)i;
		}
	}
	return first;
}

static int64_t own_end(struct export_run *run, const struct export_rank *rank)
{
	return clock_within(db_run_int(run->db, rank->rank, "end_ns", 0), CLOCK_NS_MAX);
}

enum { ROWS_BETWEEN_LOOKS = 1024 };

/* Shows how far the export is: ranks and threads that are done, and the time in this thread. */
static void show_progress(const struct stream *s, uint32_t thread, int64_t at)
{
	const struct export_rank *r = s->rank;
	const double all = s->run->nranks;
	double lane = 0, part = s->rank_end > 0 ? (double)at / (double)s->rank_end : 1;

	while (lane < r->nthreads && r->thread[(uint32_t)lane] != thread)
		lane++;
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	part = (lane + part) / (r->nthreads ? r->nthreads : 1);
	progress("reading calls, percent", (uint64_t)(100 * (s->rank_index + part) / all), 100);
}

int export_thread(struct export_run *run, const struct export_rank *rank, uint32_t thread,
	export_event_fn *event, void *context)
{
	struct stream s = { .run = run,
		.rank = rank,
		.rank_index = (uint32_t)(rank - run->rank),
		.rank_end = own_end(run, rank),
		.event = event,
		.context = context };
	enum source_kind next;
	struct item item;
	int64_t post = 0;
	uint32_t rows = 0;
	int rc;

	if (rank->left_out)
		return 0;
	rc = open_sources(&s, thread);
	while (!rc && !s.error) {
		next = first_source(&s, &post);
		while (s.n && !s.error && (next == SOURCES || s.heap[0].enter < post)) {
			pop_item(&s, &item);
			take_item(&s, &item);
		}
		if (next == SOURCES || s.error)
			break;
		if (rows++ % ROWS_BETWEEN_LOOKS == 0)
			show_progress(&s, thread, post);
		push_row(&s, next);
		rc = step_source(&s, next);
	}
	close_call(&s);
	/* finalizing the statements would lose SQLite's message */
	if (rc)
		s.error = db_say(run->db, rc, "read", run->say);
	else if (s.error == -ENOMEM)
		say_line(run->say, "out of memory");
	for (int i = 0; i < SOURCES; i++)
		sqlite3_finalize(s.source[i]);
	sqlite3_finalize(s.coll_waits);
	free(s.coll_wait);
	free(s.heap);
	free(s.open);
	return s.error;
}
