/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ops.c: records to rows.
 *
 * Ops complete out of order, but SQLite appends at full speed only if ids rise. So rows wait in a
 * window over op ids. When an op beyond the window comes, the older half is written. An op that
 * completes still later is inserted among the others.
 */
#include "analysis/format/rows/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"

/* The flags that are part of a cell's code, since ops of equal calls and sizes differ by them. */
enum { CELL_FLAGS = OP_PROC_NULL | OP_COMM_PEER | OP_FIRST | OP_NO_PREDICTION };

enum { TIER_UNKNOWN = 3 };

_Static_assert((int)OP_ROW_COLUMNS == ROW_COLUMNS, "a row holds an op");
_Static_assert((int)IO_ROW_BLOCKED == RMA_ROW_BLOCKED, "transfer_row() fills both");

static const struct {
	const char *name;
	int columns;
} tables[ROWS_TABLES] = {
	[ROWS_COLL] = { "coll_row", COLL_ROW_COLUMNS },
	[ROWS_BUSY] = { "busy_row", BUSY_ROW_COLUMNS },
	[ROWS_RMA] = { "rma_row", RMA_ROW_COLUMNS },
	[ROWS_IO] = { "io_row", IO_ROW_COLUMNS },
	[ROWS_OFF_CPU] = { "off_cpu_row", OFF_CPU_ROW_COLUMNS },
	[ROWS_LATE_OPS] = { "op_row", OP_ROW_COLUMNS },
};

/* Prepares the statements of tables with few rows, which are inserted one by one. */
static int prepare_single(struct rows *r)
{
	int rc = db_prepare_insert(r->db, DB_INSERT_OR_REPLACE, "clock", &r->insert_clock);

	if (!rc)
		rc = db_prepare(r->db, sql_rows_call_cell, &r->insert_call);
	if (!rc)
		rc = db_prepare_insert(
			r->db, DB_INSERT_OR_IGNORE, "pending_op_row", &r->insert_pending_op);
	return rc;
}

int rows_begin(struct rows *r)
{
	int rc;

	r->window = calloc(ROWS_WINDOW, sizeof(*r->window));
	r->peer_tier = calloc(ROWS_PEERS_MAX, 1);
	if (!r->window || !r->peer_tier)
		return -ENOMEM;
	rc = rows_batch_register(r->db, &r->batch);
	if (!rc)
		rc = rows_batch_prepare(r->db, "op_row", ROW_COLUMNS, &r->insert_ops);
	for (int t = 0; t < ROWS_TABLES && !rc; t++) {
		r->queue[t].room = rows_are_ordered((enum rows_table)t) ? ROWS_WAITING : ROWS_BATCH;
		r->queue[t].row = calloc(r->queue[t].room, sizeof(struct row));
		rc = r->queue[t].row ? rows_batch_prepare(r->db, tables[t].name, tables[t].columns,
					       &r->queue[t].insert) :
				       -ENOMEM;
	}
	if (!rc)
		rc = rows_wait_new(r->db, r->header->rank, &r->wait);
	if (!rc)
		rc = rows_phase_new(r->db, r->header->rank, &r->phases);
	if (!rc)
		rc = rows_samples_new(r->db, r->header->rank, &r->samples);
	r->max_rows = (uint64_t)db_run_int(r->db, -1, "TRYST_MAX_OPS", INT64_MAX);
	return rc ? rc : prepare_single(r);
}

void rows_release(struct rows *r)
{
	for (int t = 0; t < ROWS_TABLES; t++) {
		sqlite3_finalize(r->queue[t].insert);
		free(r->queue[t].row);
	}
	sqlite3_finalize(r->insert_ops);
	sqlite3_finalize(r->insert_clock);
	sqlite3_finalize(r->insert_call);
	sqlite3_finalize(r->insert_pending_op);
	rows_wait_free(r->wait);
	rows_phase_free(r->phases);
	rows_samples_free(r->samples);
	free(r->window);
	free(r->peer_tier);
}

/* Runs the statement over `n` rows. */
static int insert_batch(
	struct rows *r, sqlite3_stmt *stmt, const struct row *row, uint32_t n, bool ops)
{
	int rc;

	r->batch.row = row;
	r->batch.nrows = n;
	rc = db_execute(stmt);
	if (!rc && ops)
		r->op_rows += sqlite3_changes(r->db);
	return rc;
}

static int by_id(const void *a, const void *b)
{
	int64_t x = ((const struct row *)a)->value[0], y = ((const struct row *)b)->value[0];

	return (x > y) - (x < y);
}

/* Inserts the first `n` of the rows that wait. */
static int flush_queue(struct rows *r, enum rows_table table, uint32_t n)
{
	struct rows_queue *q = &r->queue[table];
	int rc;

	if (n == 0)
		return 0;
	if (table == ROWS_LATE_OPS)
		qsort(q->row, n, sizeof(*q->row), by_id);
	else if (rows_are_ordered(table))
		rows_sort(r, table, n);
	rc = insert_batch(r, q->insert, q->row, n, table == ROWS_LATE_OPS);
	q->n -= n;
	memcpy(q->row, q->row + n, q->n * sizeof(*q->row));
	return rc;
}

/* Inserts the half of the window that begins at r->base. */
static int flush_half(struct rows *r)
{
	struct row *row = &r->window[r->base & (ROWS_WINDOW - 1)];
	uint32_t *used = &r->half_used[r->base / ROWS_HALF & 1];
	int rc = 0;

	/* only rows up to the last one in use, so that pages of an empty half stay untouched */
	if (*used) {
		rc = insert_batch(r, r->insert_ops, row, *used, true);
		memset(row, 0, *used * sizeof(*row));
		*used = 0;
	}
	r->base += ROWS_HALF;
	return rc;
}

static int queue_row(struct rows *r, enum rows_table table, const struct row *row)
{
	struct rows_queue *q = &r->queue[table];

	q->row[q->n++] = *row;
	if (q->n < q->room)
		return 0;
	return flush_queue(r, table, rows_are_ordered(table) ? q->room / 2 : q->room);
}

/* Adds a row of the op table. Ascending ids are fastest. */
static int push_op(struct rows *r, uint64_t op_id, const struct row *row)
{
	int rc = 0;
	struct row *slot;

	if (op_id < r->base)
		return queue_row(r, ROWS_LATE_OPS, row);
	for (int half = 0; half < 2 && op_id >= r->base + ROWS_WINDOW && !rc; half++)
		rc = flush_half(r);
	if (op_id >= r->base + ROWS_WINDOW)
		r->base = op_id / ROWS_HALF * ROWS_HALF;
	/* an op may come twice, complete and still pending: the first row counts */
	slot = &r->window[op_id & (ROWS_WINDOW - 1)];
	if (slot->value[0] == 0)
		*slot = *row;
	if (op_id % ROWS_HALF >= r->half_used[op_id / ROWS_HALF & 1])
		r->half_used[op_id / ROWS_HALF & 1] = (uint32_t)(op_id % ROWS_HALF) + 1;
	return rc;
}

int rows_push(struct rows *r, enum rows_table table, struct row *row)
{
	row->value[0] = r->id_base + (int64_t)++r->queue[table].pushed;
	return queue_row(r, table, row);
}

int rows_flush(struct rows *r)
{
	int rc = flush_half(r);

	if (!rc)
		rc = flush_half(r);
	for (int t = 0; t < ROWS_TABLES && !rc; t++)
		rc = flush_queue(r, (enum rows_table)t, r->queue[t].n);
	if (!rc)
		rc = rows_phase_flush(r->phases);
	if (!rc)
		rc = rows_samples_flush(r->samples);
	return rc ? rc : rows_wait_flush(r->wait);
}

/* The code of an op row (schema.sql), without wait bit and tier. */
static int64_t code_of_op(unsigned call, uint8_t kind_mode, uint8_t class8, uint32_t flags)
{
	return op_code_put_call(call) | op_code_put_kind_mode(kind_mode) |
		op_code_put_protocol(op_class_protocol(class8)) |
		op_code_put_cause(op_class_cause(class8)) | op_code_put_flags(flags & ~OP_WAITED);
}

static int64_t time_of(struct rows *r, uint64_t ticks)
{
	int64_t ns = rows_time_ns(&r->time, ticks);

	if (ns > r->last_ns)
		r->last_ns = ns;
	return ns;
}

static int64_t comm_and_thread(uint32_t comm, uint32_t thread)
{
	return comm_thread_put_comm(comm) | comm_thread_put_thread(thread);
}

/* The bits of an op's code for the tier of its link. */
static int64_t tier_bits(unsigned link)
{
	return op_code_put_tier(link < LINK_COUNT ? link_tier_of(link) : TIER_UNKNOWN);
}

/*
 * Did the op wait longer than the noise? The shim judged it, since noise changes with time. The
 * first op of a pair sets up the connection, and does not count.
 */
static bool op_waited(const struct rec_op *op, int64_t excess_ns)
{
	return op->flags & OP_WAITED && !(op->flags & (OP_FIRST | OP_NO_PREDICTION)) &&
		excess_ns > 0;
}

static int profile_op(struct rows *r, const struct rec_op *op, int64_t blocked_ns, int64_t wait_ns)
{
	bool predicted = !(op->flags & OP_NO_PREDICTION);
	const struct rows_wait_key key = {
		.code = code_of_op(op->call, op->kind_mode, op->class8, op->flags & CELL_FLAGS),
		.callsite = op->callsite,
		.peer = op->peer < 0 ? -1 : op->peer,
		.comm = op->comm,
		.bytes_log2 = rows_log2(op->bytes),
	};
	const struct rows_wait_sums sums = {
		.count = 1,
		.bytes = op->bytes,
		.blocked_ns = blocked_ns,
		.predicted_ns = predicted ? op->predicted_ns : 0,
		.excess_ns = predicted ? blocked_ns - op->predicted_ns : 0,
		.wait_ns = wait_ns,
		.max_wait_ns = wait_ns,
	};

	return rows_wait_add(r->wait, &key, &sums);
}

/* Fills the columns of the completing call, if it is another call; the op's share: *blocked_ns. */
static void fill_completion(
	struct rows *r, const struct rec_op2 *op2, struct row *row, int64_t *blocked_ns)
{
	int64_t enter = time_of(r, op2->complete_enter_ticks);
	int64_t leave = time_of(r, op2->complete_leave_ticks);

	/* rounding must not make a share of the whole call differ from the call's length */
	*blocked_ns = op2->blocked_ticks == op2->complete_leave_ticks - op2->complete_enter_ticks ?
		leave - enter :
		rows_time_span(&r->time, op2->blocked_ticks);
	row->value[OP_ROW_POLL] =
		op2->poll_ticks ? rows_time_span(&r->time, op2->poll_ticks) : ROW_NULL;
	if (op2->complete_call == op2->op.call &&
		op2->complete_leave_ticks == op2->op.leave_ticks) {
		if (*blocked_ns != row->value[OP_ROW_SPAN])
			row->value[OP_ROW_BLOCKED] = *blocked_ns;
		return;
	}
	row->value[OP_ROW_DONE] =
		done_put_call(op2->complete_call) | done_put_callsite(op2->complete_callsite);
	row->value[OP_ROW_GAP] = enter - row->value[OP_ROW_POST] - row->value[OP_ROW_SPAN];
	row->value[OP_ROW_COMPLETE] = leave - enter;
	if (*blocked_ns != leave - enter)
		row->value[OP_ROW_BLOCKED] = *blocked_ns;
	if (op2->complete_call < ROWS_CALLS)
		r->call_used[op2->complete_call] = true;
}

static bool op_makes_sense(const struct rec_op *op)
{
	return op->op_id > 0 && op->op_id < IDS_OF_RANK && op->call > 0 && op->call < ROWS_CALLS &&
		(KM_KIND(op->kind_mode) == KIND_SEND || KM_KIND(op->kind_mode) == KIND_RECV) &&
		(op->type == REC_OP || ((const struct rec_op2 *)op)->complete_call > 0);
}

static int op_row(struct rows *r, uint32_t thread, const struct rec_op *op)
{
	struct row row;
	int64_t blocked, wait_ns = 0;
	int64_t code = code_of_op(op->call, op->kind_mode, op->class8, op->flags);
	int rc;

	if (!op_makes_sense(op)) {
		r->bad_records++;
		return 0;
	}
	row.value[OP_ROW_ID] = r->id_base + (int64_t)op->op_id;
	row.value[OP_ROW_POST] = time_of(r, op->enter_ticks);
	row.value[OP_ROW_SPAN] = blocked = time_of(r, op->leave_ticks) - row.value[OP_ROW_POST];
	row.value[OP_ROW_BYTES] = rows_int(op->bytes);
	row.value[OP_ROW_PEER] = op->peer < 0 ? ROW_NULL : op->peer;
	row.value[OP_ROW_TAG] = op->tag;
	row.value[OP_ROW_COMM] = comm_and_thread(op->comm, thread);
	row.value[OP_ROW_CALLSITE] = op->callsite;
	row.value[OP_ROW_PREDICTED] = op->flags & OP_NO_PREDICTION ? ROW_NULL : op->predicted_ns;
	for (int i = OP_ROW_DONE; i < ROW_COLUMNS; i++)
		row.value[i] = ROW_NULL;
	if (op->type == REC_OP2)
		fill_completion(r, (const struct rec_op2 *)op, &row, &blocked);
	if (op_waited(op, blocked - op->predicted_ns)) {
		code |= op_code_put_waited(1);
		wait_ns = blocked - op->predicted_ns;
	}
	row.value[OP_ROW_CODE] = code | tier_bits(op->tier);
	r->call_used[op->call] = true;
	if (op->tier < LINK_COUNT && !(op->flags & OP_COMM_PEER) && op->peer >= 0 &&
		op->peer < ROWS_PEERS_MAX) {
		r->peer_tier[op->peer] = op->tier + 1;
		if (op->peer >= r->npeers)
			r->npeers = op->peer + 1;
	}
	rows_phase_add(r->phases, thread,
		KM_KIND(op->kind_mode) == KIND_SEND ? PHASE_SEND : PHASE_RECV, op->bytes, blocked,
		op->flags & OP_NO_PREDICTION ? ROW_NULL : wait_ns);
	rc = push_op(r, op->op_id, &row);
	return rc ? rc : profile_op(r, op, blocked, wait_ns);
}

/* The call that completed an op which another call had posted. */
struct completion {
	uint16_t call;
	uint32_t callsite;
	uint64_t enter_ticks;
	uint64_t leave_ticks;
	uint64_t blocked_ticks;
};

static void clear_row(struct row *row)
{
	for (int i = 0; i < ROW_COLUMNS; i++)
		row->value[i] = ROW_NULL;
}

/* blocked_ns of a row whose span is in column `span` and fill_done()'s columns begin at `at`. */
static int64_t row_blocked(const struct row *row, int span, int at)
{
	if (row->value[at + 3] != ROW_NULL)
		return row->value[at + 3];
	return row->value[at + 2] != ROW_NULL ? row->value[at + 2] : row->value[span];
}

/*
 * Columns [at, at + 4) of coll_row, rma_row and io_row: done, gap, complete and blocked of what was
 * posted until post_leave and completed in another call.
 */
static void fill_done(
	struct rows *r, struct row *row, int at, int64_t post_leave, const struct completion *done)
{
	int64_t enter = time_of(r, done->enter_ticks);
	int64_t leave = time_of(r, done->leave_ticks);

	row->value[at] = done_put_call(done->call) | done_put_callsite(done->callsite);
	row->value[at + 1] = enter - post_leave;
	row->value[at + 2] = leave - enter;
	if (done->blocked_ticks != done->leave_ticks - done->enter_ticks)
		row->value[at + 3] = rows_time_span(&r->time, done->blocked_ticks);
	r->call_used[done->call] = true;
}

static int collective_row(struct rows *r, uint32_t thread, const struct rec_collective *coll)
{
	const struct rec_collective2 *coll2 = (const void *)coll;
	struct row row;

	if (coll->call == 0 || coll->call >= ROWS_CALLS) {
		r->bad_records++;
		return 0;
	}
	row.value[COLL_ROW_CODE] = coll->call;
	row.value[COLL_ROW_SEQ] = rows_int(coll->seq);
	row.value[COLL_ROW_COMM] = comm_and_thread(coll->comm, thread);
	row.value[COLL_ROW_ROOT] = coll->root < 0 ? ROW_NULL : coll->root;
	row.value[COLL_ROW_SENT_BYTES] = rows_int(coll->sent_bytes);
	row.value[COLL_ROW_RECV_BYTES] = rows_int(coll->recv_bytes);
	row.value[COLL_ROW_POST] = time_of(r, coll->enter_ticks);
	row.value[COLL_ROW_SPAN] = time_of(r, coll->leave_ticks) - row.value[COLL_ROW_POST];
	row.value[COLL_ROW_CALLSITE] = coll->callsite;
	for (int i = COLL_ROW_DONE; i < ROW_COLUMNS; i++)
		row.value[i] = ROW_NULL;
	r->call_used[coll->call] = true;
	if (coll->type == REC_COLLECTIVE2 && coll2->complete_call > 0 &&
		coll2->complete_call < ROWS_CALLS)
		fill_done(r, &row, COLL_ROW_DONE,
			row.value[COLL_ROW_POST] + row.value[COLL_ROW_SPAN],
			&(struct completion){ coll2->complete_call, coll2->complete_callsite,
				coll2->complete_enter_ticks, coll2->complete_leave_ticks,
				coll2->blocked_ticks });
	rows_phase_add(r->phases, thread, PHASE_COLLECTIVE, coll->sent_bytes,
		row_blocked(&row, COLL_ROW_SPAN, COLL_ROW_DONE), ROW_NULL);
	return rows_push(r, ROWS_COLL, &row);
}

static int busy_row(struct rows *r, uint32_t thread, const struct rec_busy *busy)
{
	struct row row;

	row.value[BUSY_ROW_ENTER] = time_of(r, busy->enter_ticks);
	row.value[BUSY_ROW_SPAN] = time_of(r, busy->leave_ticks) - row.value[BUSY_ROW_ENTER];
	row.value[BUSY_ROW_THREAD] = thread;
	return rows_push(r, ROWS_BUSY, &row);
}

static int off_cpu_row(struct rows *r, const struct rec_off_cpu *off)
{
	const int64_t enter = time_of(r, off->out_ticks);
	const int64_t ns = rows_time_ns(&r->time, off->in_ticks) - enter;
	struct row row;

	if (off->head.pad < OFF_CPU_PREEMPTED || off->head.pad > OFF_CPU_POLLING || ns < 0) {
		r->bad_records++;
		return 0;
	}
	if (r->queue[ROWS_OFF_CPU].pushed >= r->max_rows)
		return rows_samples_add_off_cpu(r->samples, off, ns);
	row.value[OFF_CPU_ROW_ENTER] = enter;
	row.value[OFF_CPU_ROW_SPAN] = ns;
	row.value[OFF_CPU_ROW_THREAD] = rows_samples_thread(off->head.id);
	row.value[OFF_CPU_ROW_WHAT] = off->head.pad;
	row.value[OFF_CPU_ROW_CALLSITE] = off->callsite;
	row.value[OFF_CPU_ROW_AFTER] = off->after;
	return rows_push(r, ROWS_OFF_CPU, &row);
}

static int transfer_row(struct rows *r, uint32_t thread, const struct rec_transfer *t)
{
	const struct rec_transfer2 *t2 = (const void *)t;
	bool requested = t->type == REC_RMA2 || t->type == REC_IO2;
	bool is_rma = t->type == REC_RMA || t->type == REC_RMA2;
	struct row row;

	if (t->call == 0 || t->call >= ROWS_CALLS ||
		(requested && (t2->complete_call == 0 || t2->complete_call >= ROWS_CALLS))) {
		r->bad_records++;
		return 0;
	}
	clear_row(&row);
	row.value[RMA_ROW_CALL] = t->call;
	row.value[RMA_ROW_OBJECT] = t->object;
	if (t->peer >= 0)
		row.value[RMA_ROW_PEER] = t->peer;
	row.value[RMA_ROW_BYTES] = rows_int(t->bytes);
	row.value[RMA_ROW_ENTER] = time_of(r, t->enter_ticks);
	row.value[RMA_ROW_SPAN] = time_of(r, t->leave_ticks) - row.value[RMA_ROW_ENTER];
	row.value[RMA_ROW_THREAD] = thread;
	row.value[RMA_ROW_CALLSITE] = t->callsite;
	if (t->seq != TRANSFER_ALONE)
		row.value[RMA_ROW_SEQ] = t->seq;
	r->call_used[t->call] = true;
	if (requested)
		fill_done(r, &row, RMA_ROW_DONE, row.value[RMA_ROW_ENTER] + row.value[RMA_ROW_SPAN],
			&(struct completion){ t2->complete_call, t2->complete_callsite,
				t2->complete_enter_ticks, t2->complete_leave_ticks,
				t2->blocked_ticks });
	rows_phase_add(r->phases, thread, is_rma ? PHASE_RMA : PHASE_IO, t->bytes,
		row_blocked(&row, RMA_ROW_SPAN, RMA_ROW_DONE), ROW_NULL);
	return rows_push(r, is_rma ? ROWS_RMA : ROWS_IO, &row);
}

static int clock_row(struct rows *r, const struct rec_clock_offset *clock)
{
	sqlite3_stmt *stmt = r->insert_clock;

	sqlite3_bind_int(stmt, 1, r->header->rank);
	sqlite3_bind_int64(stmt, 2, rows_time_ns(&r->time, clock->ticks));
	sqlite3_bind_int64(stmt, 3, clock->offset_ns);
	sqlite3_bind_int64(stmt, 4, rows_int(clock->error_ns));
	sqlite3_bind_int64(stmt, 5, clock->head.id);
	return db_execute(stmt);
}

int rows_add_call(struct rows *r, uint32_t thread, const struct call_sum *sum)
{
	const int64_t value[] = { r->header->rank, thread, sum->call, sum->callsite,
		rows_int(sum->count), rows_int(sum->bytes), rows_time_span(&r->time, sum->ticks),
		rows_time_span(&r->time, sum->max_ticks), rows_time_span(&r->time, sum->tool_ticks),
		rows_int(sum->errors) };

	if (sum->call == 0 || sum->call >= ROWS_CALLS) {
		r->bad_records++;
		return 0;
	}
	/* 0: the call has not returned, or was left by a jump or an exception */
	if (sum->count == 0)
		return 0;
	r->call_used[sum->call] = true;
	for (int i = 0; i < (int)(sizeof(value) / sizeof(value[0])); i++)
		sqlite3_bind_int64(r->insert_call, i + 1, value[i]);
	return db_execute(r->insert_call);
}

int rows_add_wait(struct rows *r, const struct wait_sum *sum)
{
	const struct rows_wait_key key = {
		.code = code_of_op(sum->call, sum->kind_mode, sum->class8, sum->flags & CELL_FLAGS),
		.callsite = sum->callsite,
		.peer = sum->peer < 0 ? -1 : sum->peer,
		.comm = sum->comm,
		.bytes_log2 = sum->bytes_log2,
	};
	const struct rows_wait_sums sums = {
		.count = sum->count,
		.bytes = sum->bytes,
		.blocked_ns = sum->blocked_ns,
		.predicted_ns = sum->predicted_ns,
		.excess_ns = sum->excess_ns,
		.wait_ns = sum->wait_ns,
		.max_wait_ns = sum->max_wait_ns,
	};

	if (sum->call == 0 || sum->call >= ROWS_CALLS || sum->bytes_log2 > 64) {
		r->bad_records++;
		return 0;
	}
	r->call_used[sum->call] = true;
	return rows_wait_add(r->wait, &key, &sums);
}

static int insert_id(sqlite3_stmt *stmt, int64_t id)
{
	sqlite3_bind_int64(stmt, 1, id);
	return db_execute(stmt);
}

static int pending_collective(struct rows *r, const struct pending_op *op)
{
	struct row row;

	clear_row(&row);
	row.value[COLL_ROW_CODE] = op->call;
	row.value[COLL_ROW_SEQ] = rows_int(op->op_id);
	row.value[COLL_ROW_COMM] = comm_and_thread(op->comm, op->thread);
	row.value[COLL_ROW_ROOT] = op->peer < 0 ? ROW_NULL : op->peer;
	row.value[COLL_ROW_SENT_BYTES] = rows_int(op->bytes);
	row.value[COLL_ROW_RECV_BYTES] = rows_int(op->recv_bytes);
	row.value[COLL_ROW_POST] = time_of(r, op->post_enter_ticks);
	if (op->post_leave_ticks)
		row.value[COLL_ROW_SPAN] =
			time_of(r, op->post_leave_ticks) - row.value[COLL_ROW_POST];
	row.value[COLL_ROW_CALLSITE] = op->callsite;
	row.value[COLL_ROW_DONE] = 0;
	r->queue[ROWS_COLL].pending = true;
	return rows_push(r, ROWS_COLL, &row);
}

static int pending_transfer(struct rows *r, const struct pending_op *op)
{
	enum rows_table table = op->kind_mode == KIND_MODE_IO ? ROWS_IO : ROWS_RMA;
	struct row row;

	clear_row(&row);
	row.value[RMA_ROW_CALL] = op->call;
	row.value[RMA_ROW_OBJECT] = op->comm;
	if (op->peer >= 0)
		row.value[RMA_ROW_PEER] = op->peer;
	row.value[RMA_ROW_BYTES] = rows_int(op->bytes);
	row.value[RMA_ROW_ENTER] = time_of(r, op->post_enter_ticks);
	row.value[RMA_ROW_SPAN] = time_of(r, op->post_leave_ticks) - row.value[RMA_ROW_ENTER];
	row.value[RMA_ROW_THREAD] = op->thread;
	row.value[RMA_ROW_CALLSITE] = op->callsite;
	if (op->op_id != TRANSFER_ALONE)
		row.value[RMA_ROW_SEQ] = rows_int(op->op_id);
	row.value[RMA_ROW_DONE] = 0;
	r->queue[table].pending = true;
	return rows_push(r, table, &row);
}

int rows_add_pending(struct rows *r, const struct pending_op *op)
{
	bool linked = op->tier < LINK_COUNT && r->have_link[op->tier];
	uint8_t class8 =
		linked ? live_class(&r->link[op->tier], op->kind_mode, op->flags, op->bytes) : 0;
	struct row row;
	int rc;

	if (op->call == 0 || op->call >= ROWS_CALLS || op->op_id >= IDS_OF_RANK ||
		(op->op_id == 0 &&
			(KM_KIND(op->kind_mode) == KIND_SEND ||
				KM_KIND(op->kind_mode) == KIND_RECV))) {
		r->bad_records++;
		return 0;
	}
	r->call_used[op->call] = true;
	if (!op->kind_mode)
		return pending_collective(r, op);
	if (KM_KIND(op->kind_mode) == KIND_TRANSFER)
		return pending_transfer(r, op);
	clear_row(&row);
	row.value[OP_ROW_ID] = r->id_base + (int64_t)op->op_id;
	row.value[OP_ROW_CODE] =
		code_of_op(op->call, op->kind_mode, class8, op->flags) | tier_bits(op->tier);
	row.value[OP_ROW_POST] = time_of(r, op->post_enter_ticks);
	if (op->post_leave_ticks)
		row.value[OP_ROW_SPAN] = time_of(r, op->post_leave_ticks) - row.value[OP_ROW_POST];
	row.value[OP_ROW_BYTES] = rows_int(op->bytes);
	row.value[OP_ROW_PEER] = op->peer < 0 ? ROW_NULL : op->peer;
	row.value[OP_ROW_TAG] = op->tag;
	row.value[OP_ROW_COMM] = comm_and_thread(op->comm, op->thread);
	row.value[OP_ROW_CALLSITE] = op->callsite;
	row.value[OP_ROW_DONE] = 0;
	/* from the first to the last unsuccessful test so far */
	if (op->poll_ticks && op->poll_last_ticks > op->poll_ticks)
		row.value[OP_ROW_POLL] =
			rows_time_span(&r->time, op->poll_last_ticks - op->poll_ticks);
	rc = push_op(r, op->op_id, &row);
	return rc ? rc : insert_id(r->insert_pending_op, row.value[OP_ROW_ID]);
}

static int add_record(void *context, uint32_t thread, const struct rec_head *record)
{
	const void *behind = record + 1;
	struct rows *r = context;

	switch (record->type) {
	case REC_OP:
	case REC_OP2:
		return op_row(r, thread, (const void *)record);
	case REC_COLLECTIVE:
	case REC_COLLECTIVE2:
		return collective_row(r, thread, (const void *)record);
	case REC_BUSY:
		return busy_row(r, thread, (const void *)record);
	case REC_RMA:
	case REC_RMA2:
	case REC_IO:
	case REC_IO2:
		return transfer_row(r, thread, (const void *)record);
	case REC_PHASE:
		return rows_phase_event(r->phases, thread, (const void *)record,
			time_of(r, ((const struct rec_phase *)record)->ticks));
	case REC_SAMPLE:
		return rows_samples_add(r->samples, (const void *)record);
	case REC_OFF_CPU:
		return off_cpu_row(r, (const void *)record);
	case REC_CLOCK:
		time_of(r, ((const struct rec_clock *)record)->ticks);
		return 0;
	case REC_CLOCK_OFFSET:
		return clock_row(r, (const void *)record);
	case REC_CALL_SUM:
		return rows_add_call(r, record->id, behind);
	case REC_WAIT_SUM:
		return rows_add_wait(r, behind);
	case REC_PENDING:
		return rows_add_pending(r, behind);
	default:
		return 0;
	}
}

int rows_records(struct rows *r)
{
	return spool_records(r->spool, add_record, r);
}
