/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: the pass over the rows of all ranks that pairs sends with receives (match.h). */
#include "analysis/match/match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blame/blame.h"
#include "analysis/match/collectives.h"
#include "analysis/ranks/busy.h"
#include "analysis/ranks/off_cpu.h"
#include "analysis/match/wrong_order.h"
#include "analysis/blame/unrecorded.h"
#include "analysis/match/output.h"
#include "analysis/match/queries.h"
#include "analysis/match/settle.h"
#include "analysis/match/state.h"
#include "analysis/match/waits.h"
#include "analysis/format/db/db.h"
#include "analysis/format/db/ranges.h"
#include "functions.h"

enum { DEFAULT_MEMORY = 128 << 20, BACKLOG_LOOK = 4096, TELL_OPS = 1 << 16 };

/* Reads the call in which the op blocked, and the op's share of it. */
static void read_completion(struct op *op, const int64_t *v)
{
	struct clock_map *clock = &op->rank->clock;
	int64_t span = v[OP_ROW_SPAN] == ROW_NULL ? 0 : v[OP_ROW_SPAN];
	int64_t enter = v[OP_ROW_POST] + span;

	op->post = clock_common(clock, v[OP_ROW_POST]);
	op->post_leave = span ? clock_common(clock, v[OP_ROW_POST] + span) : op->post;
	op->shift = op->post - v[OP_ROW_POST];
	op->enter = op->post;
	op->leave = op->post_leave;
	op->complete_callsite = op->callsite;
	op->complete_call = op->call;
	op->blocked = span;
	op->pending = v[OP_ROW_DONE] == 0 || v[OP_ROW_SPAN] == ROW_NULL;
	if (v[OP_ROW_DONE] != ROW_NULL && !op->pending) {
		enter += v[OP_ROW_GAP];
		op->enter = clock_common(clock, enter);
		op->leave = clock_common(clock, enter + v[OP_ROW_COMPLETE]);
		op->complete_callsite = done_callsite(v[OP_ROW_DONE]);
		op->complete_call = done_call(v[OP_ROW_DONE]);
		op->blocked = v[OP_ROW_COMPLETE];
	}
	if (v[OP_ROW_BLOCKED] != ROW_NULL)
		op->blocked = v[OP_ROW_BLOCKED];
	/*
	 * the shim may have given all the time of a call to this op; here other ops may get a share
	 */
	op->shared = !op->pending &&
		(op_flag(op, OP_SENDRECV) ||
			(v[OP_ROW_DONE] != ROW_NULL &&
				(v[OP_ROW_BLOCKED] != ROW_NULL ||
					completes_several(done_call(v[OP_ROW_DONE])))));
}

/* Polling for an op ends in the call that completes it. */
static void keep_calls(struct match *m, const struct op *op, int64_t poll_ns)
{
	const bool apart = op->enter != op->post;
	const uint32_t polled_us = poll_ns <= 0 ? 0 :
		poll_ns / 1000 < UINT32_MAX     ? (uint32_t)(poll_ns / 1000) :
						  UINT32_MAX;

	history_call(&m->history, op->rank, op->lane,
		&(struct history_call){
			op->post, op->post_leave, op->callsite, apart ? 0 : polled_us });
	if (apart)
		history_call(&m->history, op->rank, op->lane,
			&(struct history_call){
				op->enter, op->leave, op->complete_callsite, polled_us });
}

static void read_op(struct match *m, struct run_rank *rank, const int64_t *v, struct op *op)
{
	memset(op, 0, sizeof(*op));
	op->rank = rank;
	op->id = v[OP_ROW_ID];
	op->code = v[OP_ROW_CODE];
	op->call = op_code_call(op->code);
	op->kind = op_code_kind(op->code);
	op->protocol = op_code_protocol(op->code);
	op->hint = op_code_cause(op->code);
	op->live_wait = op_code_waited(op->code);
	op->bytes = v[OP_ROW_BYTES];
	op->peer = v[OP_ROW_PEER] == ROW_NULL ? -1 : (int32_t)v[OP_ROW_PEER];
	op->tag = (int32_t)v[OP_ROW_TAG];
	op->comm = comm_thread_comm(v[OP_ROW_COMM]);
	op->callsite = (uint32_t)v[OP_ROW_CALLSITE];
	op->predicted = op->live_predicted = v[OP_ROW_PREDICTED];
	op->oldest = INT64_MAX;
	op->lane = rank_lane(&m->ranks, rank, comm_thread_thread(v[OP_ROW_COMM]));
	read_completion(op, v);
	op->live_blocked = op->blocked;
	history_passed(&m->history, rank, op->lane, m->by_next_row.item[0].at);
	keep_calls(m, op, v[OP_ROW_POLL]);
}

/* The reason why this op cannot have a partner; MATCHED: it may have one. */
static enum unmatched hopeless(const struct match *m, const struct op *op)
{
	if (op_flag(op, OP_PROC_NULL))
		return UNMATCHED_PROC_NULL;
	if (op_flag(op, OP_CANCELLED))
		return UNMATCHED_CANCELLED;
	if (op_flag(op, OP_COMM_PEER))
		return UNMATCHED_OTHER_WORLD;
	/* a completed receive knows its message; a pending one only what it asked for */
	if (op->kind == KIND_RECV &&
		(op->peer < 0 ||
			((op->pending || op_flag(op, OP_FREED)) &&
				op_flag(op, OP_ANY_SOURCE | OP_ANY_TAG))))
		return op->pending && !op_flag(op, OP_FREED) ? UNMATCHED_PENDING :
			op_flag(op, OP_TRUNCATED)            ? UNMATCHED_FAILED :
							       UNMATCHED_FREED;
	if (!rank_comm(op->rank, op->comm))
		return UNMATCHED_COMM_UNKNOWN;
	if (!rank_find(&m->ranks, op->peer))
		return UNMATCHED_PEER_MISSING;
	return MATCHED;
}

/* The reason why an op has no partner after all rows were read. */
static enum unmatched lonely(const struct match *m, const struct op *op)
{
	const struct run_rank *peer = rank_find(&m->ranks, op->peer);

	if (op->pending)
		return UNMATCHED_PENDING;
	if (op_flag(op, OP_TRUNCATED))
		return UNMATCHED_FAILED;
	if (peer && peer->dropped)
		return UNMATCHED_PEER_DROPPED;
	if (op->kind == KIND_RECV && op_flag(op, OP_FREED))
		return UNMATCHED_FREED;
	return op->kind == KIND_SEND ? UNMATCHED_NOT_RECEIVED : UNMATCHED_NOT_SENT;
}

static struct unreceived *unreceived_at(struct match *m, const struct op *send)
{
	return &m->unreceived[m->ranks.index[send->peer] - 1];
}

/* A send for which no receive has been posted yet. */
static void link_unreceived(struct match *m, struct op *send)
{
	struct unreceived *u = unreceived_at(m, send);

	send->older = u->newest;
	send->newer = NULL;
	if (u->newest)
		u->newest->newer = send;
	else
		u->oldest = send;
	u->newest = send;
}

static void unlink_unreceived(struct match *m, struct op *send)
{
	struct unreceived *u = unreceived_at(m, send);

	if (send->older)
		send->older->newer = send->newer;
	else
		u->oldest = send->newer;
	if (send->newer)
		send->newer->older = send->older;
	else
		u->newest = send->older;
}

/* The messages that lie unreceived at the peer when this send is posted. */
static void look_at_backlog(struct match *m, struct op *send)
{
	const struct unreceived *u = unreceived_at(m, send);
	const struct op *other = u->newest;

	if (u->oldest)
		send->oldest = u->oldest->post;
	if (!send->live_wait || send->hint != CAUSE_FLOW_CONTROL)
		return;
	for (int i = 0; other && i < BACKLOG_LOOK; i++, other = other->older)
		if (other->rank == send->rank) {
			send->backlog++;
			send->backlog_bytes += other->bytes;
		}
}

static void pair_up(struct match *m, struct op *op, struct op *other)
{
	if (other->kind == KIND_SEND)
		unlink_unreceived(m, other);
	op->partner = other;
	other->partner = op;
	wait_learn(m, op->kind == KIND_SEND ? op : other);
	if (flows_between(&m->flows, &m->ranks, op) &&
		flows_add(&m->flows, &m->ranks, op->kind == KIND_SEND ? op : other) != 0)
		m->error = -ENOMEM;
	settle_known(m, other);
	settle_known(m, op);
}

/* Finishes receives whose order is now known. */
static void finish_all(struct match *m, struct op *known)
{
	while (known) {
		struct op *next = known->next;

		settle_finish(m, known);
		known = next;
	}
}

static void match_op(struct match *m, struct op *op)
{
	enum unmatched reason = hopeless(m, op);
	struct queue_key key;
	struct op *other;

	if (reason != MATCHED) {
		output_unmatched(m, op, reason);
		settle_known(m, op);
		return;
	}
	key = queue_key_of(op);
	if (op->kind == KIND_SEND)
		look_at_backlog(m, op);
	other = queues_match(&m->queues, &key, op, &m->error);
	if (op->kind == KIND_RECV)
		finish_all(m, wrong_order_posted(m, op, other));
	if (other)
		pair_up(m, op, other);
	else if (op->kind == KIND_SEND && !m->error)
		link_unreceived(m, op);
}

static void tell_progress(const struct match *m)
{
	if (m->progress && m->result->ops % TELL_OPS == 0)
		m->progress("matching operation", m->result->ops, m->all_ops);
}

static void take_op(struct match *m, struct run_rank *rank, const struct row *row)
{
	struct op *op = pool_take_op(&m->pool);

	if (!op) {
		m->error = -ENOMEM;
		return;
	}
	m->result->ops++;
	tell_progress(m);
	read_op(m, rank, row->value, op);
	reader_step(rank, READ_OPS);
	if (op->lane == UINT32_MAX || settle_join(m, op) != 0)
		m->error = -ENOMEM;
	else
		match_op(m, op);
}

static void drain_op(void *context, struct op *op)
{
	struct match *m = context;

	output_unmatched(m, op, lonely(m, op));
	settle_known(m, op);
}

/*
 * One-sided and file operations match nothing, but a rank inside one does not compute.
 */
static void take_transfer(struct match *m, struct run_rank *rank, enum reader_table table)
{
	const int64_t *v = reader_peek(&m->ranks, rank, table)->value;
	uint32_t lane = rank_lane(&m->ranks, rank, (uint32_t)v[RMA_ROW_THREAD]);
	int64_t enter = clock_common(&rank->clock, v[RMA_ROW_ENTER]);
	int64_t leave = v[RMA_ROW_ENTER] + (v[RMA_ROW_SPAN] == ROW_NULL ? 0 : v[RMA_ROW_SPAN]);

	if (lane == UINT32_MAX) {
		m->error = -ENOMEM;
		return;
	}
	history_passed(&m->history, rank, lane, enter);
	history_call(&m->history, rank, lane,
		&(struct history_call){ enter, clock_common(&rank->clock, leave),
			(uint32_t)v[RMA_ROW_CALLSITE], 0 });
	if (v[RMA_ROW_DONE] != ROW_NULL && v[RMA_ROW_DONE] != 0)
		history_call(&m->history, rank, lane,
			&(struct history_call){ clock_common(&rank->clock, leave + v[RMA_ROW_GAP]),
				clock_common(
					&rank->clock, leave + v[RMA_ROW_GAP] + v[RMA_ROW_COMPLETE]),
				done_callsite(v[RMA_ROW_DONE]), 0 });
	coll_take_transfer(m, rank, v, table == READ_IO, lane);
	reader_step(rank, table);
}

/* The time and the table of the rank's next row; false: it has none. */
static bool next_time(struct match *m, struct run_rank *rank, int64_t *ns)
{
	static const struct {
		enum reader_table table;
		int post;
	} of[] = { { READ_OPS, OP_ROW_POST }, { READ_COLLS, COLL_ROW_POST },
		{ READ_RMA, RMA_ROW_ENTER }, { READ_IO, RMA_ROW_ENTER } };
	int64_t first = INT64_MAX;
	bool any = false;

	for (int i = 0; i < (m->ranks.transfers ? 4 : 2); i++) {
		const struct row *row = reader_peek(&m->ranks, rank, of[i].table);
		int64_t at;

		if (!row)
			continue;
		at = of[i].table == READ_OPS ? reader_op_numbered(rank) : row->value[of[i].post];
		if (!any || at < first) {
			first = at;
			rank->next_table = of[i].table;
			any = true;
		}
	}
	if (any)
		*ns = clock_common(&rank->clock, first);
	return any;
}

static void read_all_rows(struct match *m)
{
	int64_t ns;

	for (uint32_t i = 0; i < m->ranks.n && !m->error; i++)
		if (next_time(m, &m->ranks.at[i], &ns))
			m->error = heap_push(&m->by_next_row, ns, &m->ranks.at[i]);
	while (m->by_next_row.n && !m->error) {
		struct run_rank *rank = m->by_next_row.item[0].what;

		coll_until(m, m->by_next_row.item[0].at);
		settle_until(m, m->by_next_row.item[0].at);
		rank->last_ns[rank->next_table] = m->by_next_row.item[0].at;
		if (rank->next_table == READ_COLLS)
			coll_take(m, rank);
		else if (rank->next_table != READ_OPS)
			take_transfer(m, rank, rank->next_table);
		else
			take_op(m, rank, reader_peek(&m->ranks, rank, READ_OPS));
		if (next_time(m, rank, &ns))
			heap_delay(&m->by_next_row, ns);
		else
			heap_pop(&m->by_next_row);
	}
	if (m->error)
		return;
	queues_drain(&m->queues, drain_op, m);
	coll_drain(m);
	settle_until(m, INT64_MAX);
	finish_all(m, wrong_order_end(m));
}

static int match_prepare(struct match *m, sqlite3 *db, const struct match_options *options)
{
	uint64_t memory = options->memory ? options->memory : DEFAULT_MEMORY;
	int rc = ranks_open(&m->ranks, db, memory / 2, NULL, m->say);

	if (rc)
		return rc;
	/* number of op rows, by the ranks' own counts */
	m->all_ops = (uint64_t)db_run_int(db, -1, "op_rows", 0);
	m->bucket = calloc(GROUP_BUCKETS, sizeof(struct op_group *));
	m->unreceived = calloc(m->ranks.n, sizeof(*m->unreceived));
	m->kept_recvs = calloc(m->ranks.n, sizeof(*m->kept_recvs));
	if (!m->bucket || !m->unreceived || !m->kept_recvs)
		return -ENOMEM;
	rc = inside_init(&m->ranks, memory / 2);
	off_cpu_init(&m->ranks, memory / 4);
	if (!rc)
		rc = history_init(
			&m->history, m->ranks.n, options->waits, sqlite3_db_filename(db, "main"));
	if (!rc)
		rc = queues_init(&m->queues);
	if (!rc)
		rc = coll_init(m);
	if (!rc)
		rc = run_links_init(&m->links, &m->ranks);
	if (!rc)
		rc = flows_init(&m->flows, &m->ranks, &m->links);
	if (!rc)
		rc = db_exec(db, sql_match_clear, "write", m->say);
	return rc ?
		rc :
		output_new(m,
			m->all_ops / 2 > (options->max_rows ? options->max_rows : MATCH_MAX_ROWS));
}

static void match_release(struct match *m)
{
	history_release(&m->history);
	coll_free(m);
	queues_release(&m->queues);
	free(m->bucket);
	heap_release(&m->open);
	heap_release(&m->by_next_row);
	heap_release(&m->held_up);
	flows_release(&m->flows);
	run_links_release(&m->links);
	free(m->unreceived);
	free(m->kept_recvs);
	pool_release(&m->pool);
	ranks_close(&m->ranks);
}

/*
 * SQLite rolls back by itself when a write fails. Later writes are not committed, either.
 */
static int refuse_commit(void *context)
{
	(void)context;
	return 1;
}

/* Writes the facts about the whole run. 0 or a negative errno, printed. */
static int write_info(struct match *m)
{
	const struct match_result *r = m->result;
	const struct {
		const char *key;
		uint64_t value;
	} info[] = {
		{ "messages", r->matched },
		{ "rows", r->rows },
		{ "ops", r->ops },
		{ "unmatched", r->unmatched },
		{ "bytes_differ", r->bytes_differ },
		{ "order_unsure", r->order_unsure },
		{ "violations_before", r->violations_before },
		{ "violations", r->violations },
		{ "clocks_unknown", m->ranks.clocks.unknown },
		{ "collectives", r->collectives },
		{ "collectives_cut", r->collectives_cut },
		{ "blame_waits_ns", (uint64_t)r->blame.waits_ns },
		{ "blame_left_out", r->blame.left_out },
		{ "blame_left_out_ns", (uint64_t)r->blame.left_out_ns },
		{ "blame_cut", r->blame.cut },
		{ "path_ns", (uint64_t)r->blame.path_ns },
		{ "path_run_ns", (uint64_t)r->blame.run_ns },
	};
	sqlite3_stmt *s;
	int rc = db_prepare_insert(m->ranks.db, DB_INSERT, "match_info", &s);

	for (size_t i = 0; i < sizeof(info) / sizeof(info[0]) && !rc; i++) {
		sqlite3_bind_text(s, 1, info[i].key, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 2, (int64_t)info[i].value);
		rc = db_execute(s);
	}
	sqlite3_finalize(s);
	return rc ? db_say(m->ranks.db, rc, "write", m->say) : 0;
}

bool match_fills(const char *table)
{
	char clears[128];

	snprintf(clears, sizeof(clears), "DELETE FROM %s;", table);
	return strstr(sql_match_clear, clears) != NULL;
}

int match_run(sqlite3 *db, const struct match_options *options, struct match_result *result,
	const struct say *say)
{
	struct worker worker = { 0 };
	struct match m = {
		.result = result, .say = say, .progress = options->progress, .worker = &worker
	};
	int rc;

	memset(result, 0, sizeof(*result));
	rc = db_exec(db, "BEGIN", "write", say);
	if (rc)
		return rc;
	sqlite3_commit_hook(db, refuse_commit, NULL);
	worker_start(&worker, db);
	rc = match_prepare(&m, db, options);
	if (!rc) {
		read_all_rows(&m);
		result->in_flight_max = m.pool.in_flight_max;
		output_wait(&m);
		history_end(&m.history);
		rc = m.error ? m.error : m.history.error;
		if (!rc)
			rc = unrecorded_find(&m.history, &m.ranks);
		if (!rc)
			rc = output_sums(&m);
		if (!rc)
			rc = blame_run(&m.history, &m.ranks, &worker, &result->blame);
		if (!rc)
			rc = output_end(&m);
		if (!rc)
			rc = write_info(&m);
	}
	if (rc == -ENOMEM || m.history.error)
		say_line(say, "cannot match messages: %s", strerror(rc < 0 ? -rc : EIO));
	worker_stop(&worker);
	output_free(m.output);
	m.output = NULL;
	sqlite3_commit_hook(db, NULL, NULL);
	/* Sums of damaged rows may be so large that later commands would refuse them. */
	if (!rc)
		rc = db_ranges_hold(db, db_ranges_of_analysis(), "analyze",
			sqlite3_db_filename(db, "main"), say);
	if (!rc)
		rc = db_exec(db, "COMMIT", "write", say);
	else
		db_exec_quiet(db, "ROLLBACK");
	match_release(&m);
	return rc;
}
