/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: writes the tables of the result (output.h). */
#include "analysis/match/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/cells.h"
#include "analysis/match/slots.h"
#include "analysis/match/state.h"
#include "analysis/match/waits.h"
#include "analysis/format/db/db.h"

enum {
	BATCH = 2048,
	PAIRS = 512, /* pairs given to the worker at once */
	PAIR_BATCHES = 8,
	ALONE_ROWS = 1000
};

/* Tables of sums. */
enum sums {
	SUM_WAITS,
	SUM_DONE,       /* the calls in which ops waited, if not in their posts */
	SUM_UNHIDDEN,   /* time that overlapped transfers would have saved */
	SUM_ACCURACY,   /* errors of the live wait of ops that waited, live or exactly */
	SUM_MODEL_LOST, /* sends of view model_error that lost their CPU */
	SUMS
};

static const struct cells_layout sum_layouts[SUMS] = {
	[SUM_WAITS] = { "exact_cell", .keys = 6, .sums = 19, .maxes = 2 },
	[SUM_DONE] = { "exact_done_cell", .keys = 4, .sums = 2 },
	[SUM_UNHIDDEN] = { "unhidden_cell", .keys = 6, .sums = 2, .maxes = 1 },
	[SUM_ACCURACY] = { "accuracy_cell", .keys = 3, .sums = 3 },
	[SUM_MODEL_LOST] = { "model_lost_cell", .keys = 3, .sums = 3 },
};

/*
 * One side's values for the tables. The worker reads copies, so that the ops stay in the cache of
 * the pass, which writes to them.
 */
struct side {
	struct op_parts parts;
	int64_t id, post, bytes;
	int64_t enter;    /* of the call that completed it */
	int64_t lateness; /* lateness of the other side, see exact_profile: no wait */
	int64_t blocked, excess, unhidden;
	/* the rest of the excess, if it set up a connection: not in blocked, excess, parts.other */
	int64_t connecting;
	int64_t hideable; /* part of unhidden, after both sides had posted */
	/* wait and share of the call, as computed live */
	int64_t live, live_blocked, predicted; /* as the shim saw them */
	uint32_t comm;
	int32_t peer;
	int32_t rank;
	uint32_t callsite, done_callsite;
	int64_t calls;     /* as in code of exact_done_cell: both calls */
	int64_t call_kind; /* as in code of exact_cell */
	int64_t own;       /* the same: the op's own properties */
	uint8_t hint, kept_by;
	bool waited;
	bool receives_too;
	/* the other message of parts.order had the same sender */
	bool order_same;
	bool judged;   /* live and exact are compared */
	bool modelled; /* in view model_error */
};

/* Matched messages on their way to the tables. */
struct pairs {
	struct output *o;
	struct job job;
	int code; /* the first failure of writing */
	uint32_t n;
	struct pair {
		struct side send, recv; /* an op without a partner is in send */
		uint32_t protocol;
		bool is_alone;
	} at[PAIRS];
};

/* Members behind pairs[] belong to the jobs, or to the pass while no job runs. */
struct output {
	struct pairs pairs[PAIR_BATCHES];
	uint32_t filling; /* of pairs[], by the pass */
	int code;         /* the first failure in a job */
	uint64_t rows;    /* of match_row */
	struct rows_batch batch;
	sqlite3_stmt *insert_match, *insert_coll;
	struct row match[BATCH], coll[BATCH];
	uint32_t nmatch, ncoll;
	bool waits_only;
	struct alone {
		int64_t id;
		enum unmatched reason;
	} alone[ALONE_ROWS];    /* the earliest ops that lack a partner */
	struct heap alone_last; /* alone[] by post, the last one on top */
	struct cells *sums[SUMS];
	struct slots *slots;
};

int output_new(struct match *m, bool waits_only)
{
	struct output *o = calloc(1, sizeof(*o));
	sqlite3 *db = m->ranks.db;
	int step, rc;

	m->output = o;
	if (!o)
		return -ENOMEM;
	o->waits_only = waits_only;
	rc = slots_new(db, &m->ranks, &o->slots);
	if (rc)
		return rc;
	step = rows_batch_register(db, &o->batch);
	if (!step)
		step = rows_batch_append(db, "match_row", MATCH_ROW_COLUMNS, &o->insert_match);
	if (!step)
		step = rows_batch_append(
			db, "collective_wait_row", COLLECTIVE_WAIT_ROW_COLUMNS, &o->insert_coll);
	for (int i = 0; i < SUMS && !step; i++)
		step = cells_new(db, &sum_layouts[i], &o->sums[i]);
	return step ? db_say(db, step, "write", m->say) : 0;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	sqlite3_finalize(o->insert_match);
	sqlite3_finalize(o->insert_coll);
	for (int i = 0; i < SUMS; i++)
		cells_free(o->sums[i]);
	slots_free(o->slots);
	heap_release(&o->alone_last);
	free(o);
}

static int flush(struct output *o, sqlite3_stmt *insert, const struct row *row, uint32_t *n)
{
	o->batch.row = row;
	o->batch.nrows = *n;
	*n = 0;
	return db_execute(insert);
}

static void fail(struct output *o, int code)
{
	if (!o->code)
		o->code = code;
}

/* The values of the cell with this key; NULL after a failure. */
static int64_t *sums_at(struct output *o, enum sums table, const int64_t *key)
{
	struct cell *cell = cells_at(o->sums[table], key);

	if (!cell)
		fail(o, cells_code(o->sums[table]));
	return cell ? cell->value : NULL;
}

static void raise_to(int64_t *max, int64_t value)
{
	if (value > *max)
		*max = value;
}

static void count_op(const struct op *op, enum unmatched reason)
{
	op->rank->ops[op->kind == KIND_RECV][reason]++;
}

/* Writes the counts of count_op() to the table. */
static int write_summary(struct match *m)
{
	sqlite3_stmt *s;
	int rc = db_prepare_insert(m->ranks.db, DB_INSERT, "match_summary_cell", &s);

	for (uint32_t i = 0; i < m->ranks.n * 2 * UNMATCHED_REASONS && !rc; i++) {
		const struct run_rank *rank = &m->ranks.at[i / 2 / UNMATCHED_REASONS];
		unsigned side = i / UNMATCHED_REASONS % 2, reason = i % UNMATCHED_REASONS;

		if (rank->ops[side][reason] == 0)
			continue;
		sqlite3_bind_int(s, 1, rank->rank);
		sqlite3_bind_int(s, 2, side ? KIND_RECV : KIND_SEND);
		sqlite3_bind_int(s, 3, (int)reason);
		sqlite3_bind_int64(s, 4, (int64_t)rank->ops[side][reason]);
		rc = db_execute(s);
	}
	sqlite3_finalize(s);
	return rc;
}

/* The cause of its largest part; CAUSE_NONE if it did not wait. */
static enum op_cause side_cause(const struct side *side, int64_t *ns)
{
	*ns = 0;
	if (!side->waited)
		return CAUSE_NONE;
	return wait_cause(&side->parts, message_code_kind(side->call_kind), ns);
}

static int64_t log2_class(int64_t bytes)
{
	return bytes > 0 ? 64 - __builtin_clzll((uint64_t)bytes) : 0;
}

/* The call in which the op waited, if not its post. */
static void add_done(
	struct output *o, const struct side *op, uint32_t protocol, enum op_cause cause)
{
	const int64_t key[] = { op->rank, op->callsite,
		op->calls | exact_done_code_put_cause(cause) |
			exact_done_code_put_protocol(protocol),
		op->done_callsite };
	const struct op_parts *p = &op->parts;
	int64_t *v;

	if (!op->waited || op->done_callsite == op->callsite)
		return;
	v = sums_at(o, SUM_DONE, key);
	if (!v)
		return;
	v[EXACT_DONE_CELL_WAITS]++;
	v[EXACT_DONE_CELL_WAIT_NS] += p->late + p->progress + p->order + p->flow + p->contention +
		(protocol ? p->other : 0);
}

/*
 * The rest of an excess is only known if the protocol is. The sum is the wait of the completing
 * call.
 */
static void add_slots(
	struct output *o, const struct side *op, uint32_t protocol, enum op_cause cause)
{
	struct cause_part part[CAUSE_PARTS];
	int64_t sum = 0;

	if (cause == CAUSE_NONE)
		return;
	wait_causes(&op->parts, message_code_kind(op->call_kind), part);
	for (int i = 0; i < (protocol ? CAUSE_PARTS : CAUSE_PARTS - PARTS_OF_REST); i++) {
		if (part[i].ns)
			fail(o,
				slots_add(o->slots, SLOTS_OF_JOBS, op->rank, op->callsite,
					slot_code_put_call(message_code_call(op->call_kind)) |
						slot_code_put_cause(part[i].cause),
					op->enter, part[i].ns));
		sum += part[i].ns;
	}
	fail(o,
		slots_add(o->slots, SLOTS_OF_JOBS, op->rank, op->done_callsite,
			slot_code_put_call(calls_done_call(op->calls)), op->enter, sum));
}

static void add_unhidden(struct output *o, const struct side *op, uint32_t protocol)
{
	const int64_t key[] = { op->rank, op->callsite,
		op->call_kind | message_code_put_protocol(protocol),
		done_put_callsite(op->done_callsite) | done_put_call(calls_done_call(op->calls)),
		op->peer, log2_class(op->bytes) };
	int64_t *v;

	if (op->hideable <= 0)
		return;
	v = sums_at(o, SUM_UNHIDDEN, key);
	if (!v)
		return;
	v[UNHIDDEN_CELL_COUNT]++;
	v[UNHIDDEN_CELL_UNHIDDEN_NS] += op->hideable;
	raise_to(&v[UNHIDDEN_CELL_MAX_BYTES], op->bytes);
}

static int64_t *exact_cell_of(
	struct output *o, const struct side *op, uint32_t protocol, enum op_cause cause)
{
	const int64_t key[] = { op->rank, op->callsite,
		op->call_kind | exact_code_put_protocol(protocol) | exact_code_put_cause(cause) |
			op->own,
		op->peer, op->comm, log2_class(op->bytes) };

	return sums_at(o, SUM_WAITS, key);
}

/* The time to set up a connection is among the ops that did not wait. */
static void add_connecting(struct output *o, const struct side *op, uint32_t protocol)
{
	int64_t *v = op->connecting ? exact_cell_of(o, op, protocol, CAUSE_NONE) : NULL;

	if (!v)
		return;
	v[EXACT_CELL_BLOCKED_NS] += op->connecting;
	v[EXACT_CELL_EXCESS_NS] += op->connecting;
	v[EXACT_CELL_OTHER_NS] += op->connecting;
	raise_to(&v[EXACT_CELL_MAX_LATENESS_NS], 0);
	raise_to(&v[EXACT_CELL_MAX_BYTES], op->bytes);
}

static void add_wait(
	struct output *o, const struct side *op, uint32_t protocol, enum op_cause cause)
{
	const struct op_parts *p = &op->parts;
	int64_t *v = exact_cell_of(o, op, protocol, cause);

	if (!v)
		return;
	v[EXACT_CELL_COUNT]++;
	v[EXACT_CELL_BYTES] += op->bytes;
	v[EXACT_CELL_WAITS] += op->waited;
	v[EXACT_CELL_BLOCKED_NS] += op->blocked;
	v[EXACT_CELL_EXCESS_NS] += op->excess;
	v[EXACT_CELL_LATE_NS] += p->late;
	v[EXACT_CELL_PROGRESS_NS] += p->progress;
	v[EXACT_CELL_ORDER_NS] += p->order;
	v[EXACT_CELL_FLOW_NS] += p->flow;
	v[EXACT_CELL_CONTENTION_NS] += p->contention;
	v[EXACT_CELL_OTHER_NS] += p->other;
	v[EXACT_CELL_RECEIVES_TOO] += op->waited && op->receives_too;
	v[EXACT_CELL_LIVE_NS] += op->live;
	v[EXACT_CELL_LIVE_BLOCKED_NS] += op->live_blocked;
	v[EXACT_CELL_LATENESS_NS] += op->lateness;
	v[EXACT_CELL_ORDER_SAME_NS] += op->order_same ? p->order : 0;
	v[EXACT_CELL_NO_CPU_NS] += p->no_cpu;
	v[EXACT_CELL_OTHER_NO_CPU_NS] += p->other_no_cpu;
	v[EXACT_CELL_BLOCKED_OUTSIDE_NS] += p->blocked_outside;
	raise_to(&v[EXACT_CELL_MAX_LATENESS_NS], op->lateness);
	raise_to(&v[EXACT_CELL_MAX_BYTES], op->bytes);
	add_connecting(o, op, protocol);
	add_done(o, op, protocol, cause);
	add_unhidden(o, op, protocol);
	add_slots(o, op, protocol, cause);
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
 * Compares live and exact waits. The live side sees wrong order as a late sender. It cannot tell
 * which of several delayed ops has the time, and does not judge the first message of a pair.
 */
static void judge_live(
	struct output *o, const struct side *op, uint32_t protocol, enum op_cause cause)
{
	const struct op_parts *p = &op->parts;
	const int64_t exact = p->late + p->progress + p->order + p->flow + p->contention;
	const int64_t key[] = { op->call_kind | message_code_put_protocol(protocol) |
			accuracy_code_put_lost_cpu(p->other_no_cpu > 0),
		log2_class(op->bytes), error_class(op->live - exact) };
	int64_t *v;

	if (!op->judged)
		return;
	v = sums_at(o, SUM_ACCURACY, key);
	if (!v)
		return;
	v[ACCURACY_CELL_COUNT]++;
	v[ACCURACY_CELL_ERROR_NS] += op->live - exact;
	v[ACCURACY_CELL_AGREED] += cause == op->hint || (op->kept_by && op->kept_by == op->hint) ||
		(cause == CAUSE_WRONG_ORDER && op->hint == CAUSE_LATE_SENDER);
}

static void add_model_lost(struct output *o, const struct side *op)
{
	const int64_t key[] = { op->rank,
		op->call_kind | message_code_put_protocol(exact_code_own_protocol(op->own)),
		log2_class(op->bytes) };
	int64_t *v;

	if (!op->modelled || op->parts.other_no_cpu <= 0)
		return;
	v = sums_at(o, SUM_MODEL_LOST, key);
	if (!v)
		return;
	v[MODEL_LOST_CELL_COUNT]++;
	v[MODEL_LOST_CELL_PREDICTED_NS] += op->predicted;
	v[MODEL_LOST_CELL_EXCESS_NS] += op->live_blocked - op->predicted;
}

/*
 * True if send and receive share a clock, but the receive was done before the send. Then MPI gave
 * this message to another thread, which asked earlier but was recorded later.
 */
static bool is_of_another_thread(
	const struct match *m, const struct op *send, const struct op *recv)
{
	const uint32_t *clock = m->ranks.clocks.group;

	return recv->leave < send->post && (send->rank->nlanes > 1 || recv->rank->nlanes > 1) &&
		clock[send->rank - m->ranks.at] == clock[recv->rank - m->ranks.at];
}

/* Counts messages that were received before they were sent. Pending receives are not judged. */
static void judge_clocks(struct match *m, const struct op *send, const struct op *recv)
{
	if (recv->pending || is_of_another_thread(m, send, recv))
		return;
	m->result->violations += recv->leave < send->post;
	m->result->violations_before += recv->leave - recv->shift < send->post - send->shift;
}

static void add_match_row(
	struct output *o, const struct pair *pair, enum op_cause cause, unsigned waiting)
{
	const struct side *send = &pair->send, *recv = &pair->recv;
	const struct op_parts *a = &send->parts, *b = &recv->parts;
	int64_t *v = o->match[o->nmatch++].value;

	v[MATCH_ROW_ID] = 1;
	v[MATCH_ROW_SEND] = send->id;
	v[MATCH_ROW_RECV] = recv->id;
	v[MATCH_ROW_SEND_ENTER] = send->post;
	v[MATCH_ROW_RECV_ENTER] = recv->post - send->post;
	v[MATCH_ROW_CODE] = match_code_put_protocol(pair->protocol) | match_code_put_cause(cause) |
		match_code_put_waiting(waiting);
	v[MATCH_ROW_LATE] = a->late + b->late;
	v[MATCH_ROW_PROGRESS] = a->progress + b->progress;
	v[MATCH_ROW_WRONG_ORDER] = a->order + b->order;
	v[MATCH_ROW_FLOW] = a->flow + b->flow;
	v[MATCH_ROW_CONTENTION] = a->contention + b->contention;
	v[MATCH_ROW_OTHER] = a->other + send->connecting + b->other + recv->connecting;
	v[MATCH_ROW_UNHIDDEN] = send->unhidden + recv->unhidden;
	v[MATCH_ROW_NO_CPU] = a->no_cpu + b->no_cpu;
	v[MATCH_ROW_BLOCKED_OUTSIDE] = a->blocked_outside + b->blocked_outside;
	o->rows++;
	if (o->nmatch == BATCH)
		fail(o, flush(o, o->insert_match, o->match, &o->nmatch));
}

static void write_pair(struct output *o, const struct pair *pair)
{
	const struct side *send = &pair->send, *recv = &pair->recv;
	int64_t send_ns, recv_ns;
	enum op_cause send_cause = side_cause(send, &send_ns);
	enum op_cause recv_cause = side_cause(recv, &recv_ns);
	unsigned waiting = send->waited && send_ns >= recv_ns ? KIND_SEND :
		recv->waited                                  ? KIND_RECV :
		send->waited                                  ? KIND_SEND :
								0;

	add_wait(o, send, pair->protocol, send_cause);
	add_wait(o, recv, pair->protocol, recv_cause);
	judge_live(o, send, pair->protocol, send_cause);
	judge_live(o, recv, pair->protocol, recv_cause);
	add_model_lost(o, send);
	if (!o->code && (!o->waits_only || waiting))
		add_match_row(o, pair, waiting == KIND_SEND ? send_cause : recv_cause, waiting);
}

static void write_alone(struct output *o, const struct pair *pair)
{
	const struct side *op = &pair->send;
	int64_t ns;

	add_wait(o, op, pair->protocol, side_cause(op, &ns));
}

static void write_pairs(void *context)
{
	struct pairs *p = context;

	for (uint32_t i = 0; i < p->n && !p->o->code; i++)
		if (p->at[i].is_alone)
			write_alone(p->o, &p->at[i]);
		else
			write_pair(p->o, &p->at[i]);
	p->code = p->o->code;
}

/* Waits until the batch can be filled again, and takes over its error. */
static void end_pairs(struct match *m, struct pairs *p)
{
	worker_wait(m->worker, &p->job);
	p->n = 0;
	if (p->code && !m->error)
		m->error = db_say(m->ranks.db, p->code, "write", m->say);
}

static void give_pairs(struct match *m)
{
	struct output *o = m->output;
	struct pairs *p = &o->pairs[o->filling];

	p->o = o;
	p->job = (struct job){ .run = write_pairs, .context = p };
	worker_give(m->worker, &p->job);
	o->filling = (o->filling + 1) % PAIR_BATCHES;
	end_pairs(m, &o->pairs[o->filling]);
}

static int write_unmatched(struct match *m)
{
	const struct output *o = m->output;
	sqlite3_stmt *s;
	int rc = db_prepare_insert(m->ranks.db, DB_INSERT_OR_IGNORE, "alone_row", &s);

	for (uint32_t i = 0; i < o->alone_last.n && !rc; i++) {
		sqlite3_bind_int64(s, 1, o->alone[i].id);
		sqlite3_bind_int(s, 2, (int)o->alone[i].reason);
		rc = db_execute(s);
	}
	sqlite3_finalize(s);
	return rc;
}

void output_wait(struct match *m)
{
	give_pairs(m);
	for (uint32_t i = 0; i < PAIR_BATCHES; i++)
		end_pairs(m, &m->output->pairs[i]);
}

/*
 * The lateness of the other side for the call, if it is part of the op's wait. It is the full
 * lateness, even if others were late for the same call. Partitions may come later than the post of
 * their send.
 */
static int64_t lateness_of(const struct op *op)
{
	const int64_t part = op->parts.late + op->parts.order;
	int64_t until;

	if (part <= 0 || !op->partner)
		return part;
	until = op->partner->post < op->leave ? op->partner->post : op->leave;
	return until - op->enter > part ? until - op->enter : part;
}

/* A pending receive has no protocol of its own, so it gets the message's. */
static void copy_side(struct side *to, const struct op *op, uint32_t protocol)
{
	*to = (struct side){ .parts = op->parts,
		.id = op->id,
		.post = op->post,
		.enter = op->enter,
		.bytes = op->bytes,
		.lateness = lateness_of(op),
		.blocked = op->blocked,
		.excess = op_excess(op),
		.unhidden = op->unhidden,
		.hideable = op->hideable,
		.live = op->live_wait && op->predicted != ROW_NULL ?
			op->live_blocked - op->live_predicted :
			0,
		.live_blocked = op->live_blocked,
		.comm = op->comm,
		.peer = op->peer,
		.rank = op->rank->rank,
		.callsite = op->callsite,
		.done_callsite = op->complete_callsite,
		.calls = calls_put_call(op->call) | calls_put_done_call(op->complete_call),
		.call_kind = message_code_put_call(op->call) | message_code_put_kind(op->kind),
		.own = exact_code_put_no_prediction(op->predicted == ROW_NULL) |
			exact_code_put_own_protocol(op->pending ? protocol : op->protocol),
		.hint = op->hint,
		.kept_by = op->kept_by,
		.waited = op->waited,
		.receives_too = op->receives_too,
		.predicted = op->live_predicted,
		.modelled = (op->hint == CAUSE_FLOW_CONTROL || op_mode_of(op) == MODE_BUFFERED) &&
			op->kind == KIND_SEND && op->predicted != ROW_NULL &&
			!op_flag(op, OP_FIRST | OP_PROC_NULL | OP_NO_PREDICTION),
		.order_same = op->parts.order && op->earlier_of_sender,
		.judged = op->predicted != ROW_NULL && !op->connects &&
			(op->live_wait || op->waited) };
}

/*
 * The message was the first of its pair, or one side waited for such a message, too, in the same
 * call. Lateness and lost CPU are known all the same; the rest set up the connection.
 */
static void set_connecting(struct side *s)
{
	struct op_parts *p = &s->parts;

	s->connecting = p->other - p->other_no_cpu;
	s->blocked -= s->connecting;
	s->excess -= s->connecting;
	p->other = p->other_no_cpu;
	s->waited &= p->late + p->progress + p->order + p->flow + p->contention + p->other > 0;
	s->judged = false;
}

static struct pair *next_pair(struct match *m)
{
	struct pairs *p = &m->output->pairs[m->output->filling];

	if (p->n == PAIRS) {
		give_pairs(m);
		p = &m->output->pairs[m->output->filling];
	}
	return &p->at[p->n++];
}

void output_pair(struct match *m, const struct op *send, const struct op *recv)
{
	struct pair *pair = next_pair(m);

	m->result->matched++;
	/* After a lost row, ops are paired with ops of other messages, so sizes prove nothing. */
	m->result->bytes_differ += send->bytes != recv->bytes && !op_flag(recv, OP_TRUNCATED) &&
		!recv->pending && !send->rank->dropped && !recv->rank->dropped;
	m->result->order_unsure += send->unsure || recv->unsure ||
		(!recv->pending && is_of_another_thread(m, send, recv));
	judge_clocks(m, send, recv);
	count_op(send, MATCHED);
	count_op(recv, MATCHED);
	copy_side(&pair->send, send, send->protocol);
	copy_side(&pair->recv, recv, send->protocol);
	if (send->connects || recv->connects) {
		set_connecting(&pair->send);
		set_connecting(&pair->recv);
	}
	pair->protocol = send->protocol;
	pair->is_alone = false;
}

void output_alone(struct match *m, const struct op *op)
{
	struct pair *pair = next_pair(m);

	copy_side(&pair->send, op, op->protocol);
	if (op_flag(op, OP_COMM_PEER))
		pair->send.peer = -1;
	pair->protocol = op->protocol;
	pair->is_alone = true;
}

/* Ops come by tag and communicator. */
static void keep_alone(struct match *m, const struct op *op, enum unmatched reason)
{
	struct output *o = m->output;
	struct heap *last = &o->alone_last;
	struct alone *at;

	if (last->n < ALONE_ROWS) {
		at = &o->alone[last->n];
		if (heap_push(last, -op->post, at) != 0)
			m->error = -ENOMEM;
	} else if (-op->post > last->item[0].at) {
		at = last->item[0].what;
		heap_delay(last, -op->post);
	} else {
		return;
	}
	*at = (struct alone){ op->id, reason };
}

void output_unmatched(struct match *m, const struct op *op, enum unmatched reason)
{
	m->result->unmatched++;
	count_op(op, reason);
	if (reason >= UNMATCHED_NOT_RECEIVED)
		keep_alone(m, op, reason);
}

void output_coll(struct match *m, const struct output_coll *c)
{
	struct output *o = m->output;
	int64_t *v = o->coll[o->ncoll++].value;
	int rc;

	v[COLLECTIVE_WAIT_ROW_ID] = 1;
	v[COLLECTIVE_WAIT_ROW_RANK] = c->rank->rank;
	v[COLLECTIVE_WAIT_ROW_SEQ] = (int64_t)c->seq;
	v[COLLECTIVE_WAIT_ROW_COMM] = c->comm;
	v[COLLECTIVE_WAIT_ROW_CODE] =
		coll_wait_code_put_call(c->call) | coll_wait_code_put_state(c->state);
	v[COLLECTIVE_WAIT_ROW_WAIT] = c->wait_ns;
	v[COLLECTIVE_WAIT_ROW_LATE_RANK] = c->late ? c->late->rank : ROW_NULL;
	v[COLLECTIVE_WAIT_ROW_CALLSITE] = c->callsite;
	v[COLLECTIVE_WAIT_ROW_DONE] = c->done;
	v[COLLECTIVE_WAIT_ROW_START] = c->from - c->enter;
	v[COLLECTIVE_WAIT_ROW_NO_CPU] = c->no_cpu;
	v[COLLECTIVE_WAIT_ROW_BLOCKED_OUTSIDE] = c->blocked;
	rc = slots_add(o->slots, SLOTS_OF_PASS, c->rank->rank, c->callsite,
		slot_code_put_call(c->call) | slot_code_put_state(c->state) |
			slot_code_put_collective(1),
		c->from, c->wait_ns);
	/* the wait of the completing call, as for messages */
	if (!rc && c->done > 0)
		rc = slots_add(o->slots, SLOTS_OF_PASS, c->rank->rank, done_callsite(c->done),
			slot_code_put_call(done_call(c->done)), c->from, c->wait_ns);
	if (rc && !m->error)
		m->error = db_say(m->ranks.db, rc, "write", m->say);
	if (o->ncoll < BATCH)
		return;
	output_wait(m);
	if (!m->error)
		fail(o, flush(o, o->insert_coll, o->coll, &o->ncoll));
	o->ncoll = 0;
}

int output_sums(struct match *m)
{
	const int code = cells_flush(m->output->sums[SUM_WAITS]);

	return code ? db_say(m->ranks.db, code, "write", m->say) : 0;
}

int output_end(struct match *m)
{
	struct output *o = m->output;
	int rc = flush(o, o->insert_match, o->match, &o->nmatch);

	m->result->rows = o->rows;
	if (!rc)
		rc = flush(o, o->insert_coll, o->coll, &o->ncoll);
	if (!rc)
		rc = write_summary(m);
	if (!rc)
		rc = write_unmatched(m);
	for (int i = 0; i < SUMS && !rc; i++)
		rc = cells_flush(o->sums[i]);
	if (!rc)
		rc = slots_flush(o->slots);
	return rc ? db_say(m->ranks.db, rc, "write", m->say) : 0;
}
