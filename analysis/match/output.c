/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/cells.h"
#include "analysis/store/db.h"

enum {
	BATCH = 2048,
	MATCH_COLUMNS = 13,
	COLL_COLUMNS = 8
};

const char *const unmatched_names[UNMATCHED_REASONS] = {
	[UNMATCHED_PROC_NULL] = "proc_null", [UNMATCHED_CANCELLED] = "cancelled",
	[UNMATCHED_FAILED] = "failed", [UNMATCHED_FREED] = "freed", [UNMATCHED_PENDING] = "pending",
	[UNMATCHED_OTHER_WORLD] = "other_world", [UNMATCHED_COMM_UNKNOWN] = "comm_unknown",
	[UNMATCHED_PEER_MISSING] = "peer_missing", [UNMATCHED_PEER_DROPPED] = "peer_dropped",
	[UNMATCHED_NOT_RECEIVED] = "not_received", [UNMATCHED_NOT_SENT] = "not_sent",
};

const char match_clear_sql[] =
	"DELETE FROM match_row; DELETE FROM collective_wait_row; DELETE FROM exact_cell;"
	"DELETE FROM match_summary_cell; DELETE FROM match_info; DELETE FROM accuracy_cell;"
	"DELETE FROM blame_cell; DELETE FROM critical_path_cell";

static const struct cells_layout wait_layout = {
	.table = "exact_cell",
	.columns = "rank, callsite, code, peer, comm, bytes_log2, "
		"count, bytes, waits, excess_ns, late_ns, progress_ns, order_ns, flow_ns, "
		"contention_ns, other_ns, max_late_ns, max_bytes",
	.keys = 6, .sums = 10, .maxes = 2
};

/* Of ops that waited, live or exactly: errors of the live wait, in classes of their size. */
static const struct cells_layout accuracy_layout = {
	.table = "accuracy_cell", .columns = "code, bytes_log2, error_class, count, error_ns, agreed",
	.keys = 3, .sums = 3
};

struct output {
	struct rows_batch batch;
	sqlite3_stmt *insert_match, *insert_coll;
	struct row match[BATCH], coll[BATCH];
	uint32_t nmatch, ncoll;
	int64_t last_match, last_coll;
	bool waits_only;
	struct cells *waits, *accuracy;
};

int output_new(struct match *m, bool waits_only)
{
	struct output *o = calloc(1, sizeof(*o));
	sqlite3 *db = m->ranks.db;
	int code;

	m->output = o;
	if (!o)
		return -ENOMEM;
	o->waits_only = waits_only;
	code = rows_batch_register(db, &o->batch);
	if (code == SQLITE_OK)
		code = rows_batch_prepare(db, "match_row", MATCH_COLUMNS, &o->insert_match);
	if (code == SQLITE_OK)
		code = rows_batch_prepare(db, "collective_wait_row", COLL_COLUMNS, &o->insert_coll);
	if (code == SQLITE_OK)
		code = cells_new(db, &wait_layout, &o->waits);
	if (code == SQLITE_OK)
		code = cells_new(db, &accuracy_layout, &o->accuracy);
	return code == SQLITE_OK ? 0 : db_say(db, code, "write", m->say);
}

void output_free(struct output *o)
{
	if (!o)
		return;
	sqlite3_finalize(o->insert_match);
	sqlite3_finalize(o->insert_coll);
	cells_free(o->waits);
	cells_free(o->accuracy);
	free(o);
}

static int flush(struct output *o, sqlite3_stmt *insert, const struct row *row, uint32_t *n)
{
	o->batch.row = row;
	o->batch.nrows = *n;
	*n = 0;
	sqlite3_step(insert);
	return sqlite3_reset(insert);
}

static void fail(struct match *m, int code)
{
	if (code != SQLITE_OK && !m->error)
		m->error = db_say(m->ranks.db, code, "write", m->say);
}

static void count_op(const struct op *op, enum unmatched reason)
{
	op->rank->ops[op->kind == KIND_RECV][reason]++;
}

/* What count_op() counted, into the table. */
static int write_summary(struct match *m)
{
	sqlite3_stmt *s;
	int code = sqlite3_prepare_v2(m->ranks.db, "INSERT INTO match_summary_cell VALUES (?, ?, ?,"
		" ?)", -1, &s, NULL);

	for (uint32_t i = 0; i < m->ranks.n * 2 * UNMATCHED_REASONS && code == SQLITE_OK; i++) {
		const struct run_rank *rank = &m->ranks.at[i / 2 / UNMATCHED_REASONS];
		unsigned side = i / UNMATCHED_REASONS % 2, reason = i % UNMATCHED_REASONS;

		if (rank->ops[side][reason] == 0)
			continue;
		sqlite3_bind_int(s, 1, rank->rank);
		sqlite3_bind_int(s, 2, side ? KIND_RECV : KIND_SEND);
		sqlite3_bind_int(s, 3, (int)reason);
		sqlite3_bind_int64(s, 4, (int64_t)rank->ops[side][reason]);
		sqlite3_step(s);
		code = sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return code;
}

/* The largest part of an op, as a cause; CAUSE_NONE where it did not wait. */
static enum op_cause cause_of(const struct op *op, int64_t *ns)
{
	const struct op_parts *p = &op->parts;
	const struct { int64_t ns; enum op_cause cause; } part[] = {
		{ p->late, op->kind == KIND_SEND ? CAUSE_LATE_RECEIVER : CAUSE_LATE_SENDER },
		{ p->progress, CAUSE_LATE_PROGRESS }, { p->order, CAUSE_WRONG_ORDER },
		{ p->flow, CAUSE_FLOW_CONTROL }, { p->contention, CAUSE_CONTENTION },
		{ p->other, CAUSE_UNEXPLAINED }
	};
	enum op_cause cause = CAUSE_NONE;

	*ns = 0;
	for (size_t i = 0; op->waited && i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i].ns > *ns) {
			*ns = part[i].ns;
			cause = part[i].cause;
		}
	return cause;
}

static void add_wait(struct match *m, const struct op *op, unsigned protocol, enum op_cause cause)
{
	const int64_t key[] = { op->rank->rank, op->callsite,
		op->call | (int64_t)op->kind << 10 | (int64_t)protocol << 12 | (int64_t)cause << 14,
		op->peer, op->comm, op->bytes > 0 ?
			64 - __builtin_clzll((uint64_t)op->bytes) : 0 };
	const struct op_parts *p = &op->parts;
	struct cell *cell = cells_at(m->output->waits, key);

	if (!cell) {
		fail(m, SQLITE_IOERR);
		return;
	}
	cell->sum[0]++;
	cell->sum[1] += op->bytes;
	cell->sum[2] += op->waited;
	cell->sum[3] += op_excess(op);
	cell->sum[4] += p->late;
	cell->sum[5] += p->progress;
	cell->sum[6] += p->order;
	cell->sum[7] += p->flow;
	cell->sum[8] += p->contention;
	cell->sum[9] += p->other;
	if (p->late > cell->max[0])
		cell->max[0] = p->late;
	if (op->bytes > cell->max[1])
		cell->max[1] = op->bytes;
}

/* Eight classes an octave: class c begins at 2^(c / 8) * (1 + c % 8 / 8), and 0 is class 0. */
static int64_t error_class(int64_t error_ns)
{
	uint64_t x = (uint64_t)(error_ns < 0 ? -error_ns : error_ns);
	int log2 = x ? 63 - __builtin_clzll(x) : 0;

	if (x < 8)
		return (int64_t)x;
	return log2 * 8 + (int64_t)(x >> (log2 - 3) & 7);
}

/*
 * Live against exact. Messages in wrong order are late senders to who sees one side only; of the first
 * message of a pair nothing is said live.
 */
static void judge_live(struct match *m, const struct op *op, unsigned protocol, enum op_cause cause)
{
	const struct op_parts *p = &op->parts;
	const int64_t exact = p->late + p->progress + p->order + p->flow + p->contention;
	const int64_t live = op->live_wait ? op->live_blocked - op->predicted : 0;
	const int64_t key[] = { op->call | (int64_t)op->kind << 10 | (int64_t)protocol << 12,
		op->bytes > 0 ? 64 - __builtin_clzll((uint64_t)op->bytes) : 0,
		error_class(live - exact) };
	struct cell *cell;

	if (op->predicted == ROW_NULL || op_flag(op, OP_FIRST) || (!op->live_wait && !op->waited))
		return;
	cell = cells_at(m->output->accuracy, key);
	if (!cell) {
		fail(m, SQLITE_IOERR);
		return;
	}
	cell->sum[0]++;
	cell->sum[1] += live - exact;
	cell->sum[2] += cause == op->hint ||
		(cause == CAUSE_WRONG_ORDER && op->hint == CAUSE_LATE_SENDER);
}

/*
 * One clock cannot contradict itself: a thread that is done before the message was sent took another one,
 * which was given to a thread that asked earlier and got there later.
 */
static bool is_of_another_thread(const struct match *m, const struct op *send, const struct op *recv)
{
	const uint32_t *clock = m->ranks.clocks.group;

	return recv->leave < send->post && (send->rank->nlanes > 1 || recv->rank->nlanes > 1) &&
		clock[send->rank - m->ranks.at] == clock[recv->rank - m->ranks.at];
}

/* Which clocks say that it came before it went? Of what is still waited for nothing is known. */
static void judge_clocks(struct match *m, const struct op *send, const struct op *recv)
{
	if (recv->pending || is_of_another_thread(m, send, recv))
		return;
	m->result->violations += recv->leave < send->post;
	m->result->violations_before += recv->leave - recv->shift < send->post - send->shift;
}

static void add_match_row(struct match *m, const struct op *send, const struct op *recv,
	enum op_cause cause, unsigned waiting)
{
	struct output *o = m->output;
	int64_t *v = o->match[o->nmatch++].value;
	const struct op_parts *a = &send->parts, *b = &recv->parts;

	v[0] = ++o->last_match;
	v[1] = send->id;
	v[2] = recv->id;
	v[3] = send->post;
	v[4] = recv->post - send->post;
	v[5] = send->protocol | (int64_t)cause << 2 | (int64_t)waiting << 6;
	v[6] = a->late + b->late;
	v[7] = a->progress + b->progress;
	v[8] = a->order + b->order;
	v[9] = a->flow + b->flow;
	v[10] = a->contention + b->contention;
	v[11] = a->other + b->other;
	v[12] = send->unhidden + recv->unhidden;
	m->result->rows++;
	if (o->nmatch == BATCH)
		fail(m, flush(o, o->insert_match, o->match, &o->nmatch));
}

void output_pair(struct match *m, const struct op *send, const struct op *recv)
{
	int64_t send_ns, recv_ns;
	enum op_cause send_cause = cause_of(send, &send_ns), recv_cause = cause_of(recv, &recv_ns);
	unsigned waiting = send->waited && send_ns >= recv_ns ? KIND_SEND :
		recv->waited ? KIND_RECV : send->waited ? KIND_SEND : 0;

	m->result->matched++;
	m->result->bytes_differ += send->bytes != recv->bytes && !op_flag(recv, OP_TRUNCATED) &&
		!recv->pending;
	m->result->order_unsure += send->unsure || recv->unsure ||
		(!recv->pending && is_of_another_thread(m, send, recv));
	judge_clocks(m, send, recv);
	count_op(send, MATCHED);
	count_op(recv, MATCHED);
	add_wait(m, send, send->protocol, send_cause);
	add_wait(m, recv, send->protocol, recv_cause);
	judge_live(m, send, send->protocol, send_cause);
	judge_live(m, recv, send->protocol, recv_cause);
	if (!m->output->waits_only || waiting)
		add_match_row(m, send, recv, waiting == KIND_SEND ? send_cause : recv_cause, waiting);
}

void output_unmatched(struct match *m, const struct op *op, enum unmatched reason)
{
	m->result->unmatched++;
	count_op(op, reason);
}

void output_coll(struct match *m, const struct output_coll *c)
{
	struct output *o = m->output;
	int64_t *v = o->coll[o->ncoll++].value;

	v[0] = ++o->last_coll;
	v[1] = c->rank->rank;
	v[2] = (int64_t)c->seq;
	v[3] = c->comm;
	v[4] = c->call | (int64_t)c->state << 10;
	v[5] = c->wait_ns;
	v[6] = c->late ? c->late->rank : ROW_NULL;
	v[7] = c->callsite;
	if (o->ncoll == BATCH)
		fail(m, flush(o, o->insert_coll, o->coll, &o->ncoll));
}

static int write_info(struct match *m)
{
	const struct match_result *r = m->result;
	const struct { const char *key; uint64_t value; } info[] = {
		{ "messages", r->matched }, { "rows", r->rows }, { "ops", r->ops },
		{ "unmatched", r->unmatched }, { "bytes_differ", r->bytes_differ },
		{ "order_unsure", r->order_unsure }, { "violations_before", r->violations_before },
		{ "violations", r->violations }, { "clocks_unknown", m->ranks.clocks.unknown },
		{ "collectives", r->collectives }, { "collectives_cut", r->collectives_cut },
		{ "blame_waits_ns", (uint64_t)r->blame.waits_ns },
		{ "blame_left_out", r->blame.left_out },
		{ "blame_left_out_ns", (uint64_t)r->blame.left_out_ns },
		{ "blame_cut", r->blame.cut }, { "path_ns", (uint64_t)r->blame.path_ns },
		{ "path_run_ns", (uint64_t)r->blame.run_ns },
	};
	sqlite3_stmt *s;
	int code = sqlite3_prepare_v2(m->ranks.db, "INSERT INTO match_info VALUES (?, ?)", -1, &s,
		NULL);

	for (size_t i = 0; i < sizeof(info) / sizeof(info[0]) && code == SQLITE_OK; i++) {
		sqlite3_bind_text(s, 1, info[i].key, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 2, (int64_t)info[i].value);
		sqlite3_step(s);
		code = sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return code;
}

int output_end(struct match *m)
{
	struct output *o = m->output;
	int code = flush(o, o->insert_match, o->match, &o->nmatch);

	if (code == SQLITE_OK)
		code = flush(o, o->insert_coll, o->coll, &o->ncoll);
	if (code == SQLITE_OK)
		code = cells_flush(o->waits);
	if (code == SQLITE_OK)
		code = write_summary(m);
	if (code == SQLITE_OK)
		code = cells_flush(o->accuracy);
	if (code == SQLITE_OK)
		code = write_info(m);
	fail(m, code);
	return m->error;
}
