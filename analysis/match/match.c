/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/blame.h"
#include "analysis/match/coll.h"
#include "analysis/match/inside.h"
#include "analysis/match/order.h"
#include "analysis/match/others.h"
#include "analysis/match/output.h"
#include "analysis/match/state.h"
#include "analysis/store/db.h"
#include "functions.h"

enum {
	DEFAULT_MEMORY = 128 << 20,
	BACKLOG_LOOK = 4096,
	TELL_OPS = 1 << 16,
	BIT_KIND = 10, BIT_PROTOCOL = 16, BIT_CAUSE = 18, BIT_WAIT = 22
};

void match_free_op(struct match *m, struct op *op)
{
	op->next = m->free_ops;
	m->free_ops = op;
	m->in_flight--;
}

void match_free_group(struct match *m, struct op_group *group)
{
	group->next = m->free_groups;
	m->free_groups = group;
}

static struct op *new_op(struct match *m)
{
	struct op *op = m->free_ops;

	if (!op) {
		struct slab *slab = malloc(sizeof(*slab) + POOL_OPS * sizeof(*op));

		if (!slab)
			return NULL;
		slab->next = m->slabs;
		m->slabs = slab;
		op = (struct op *)(slab + 1);
		for (int i = 0; i < POOL_OPS; i++)
			op[i].next = i + 1 < POOL_OPS ? &op[i + 1] : NULL;
	}
	m->free_ops = op->next;
	if (++m->in_flight > m->result->in_flight_max)
		m->result->in_flight_max = m->in_flight;
	return op;
}

/* The call in which the op blocked, and its share of that. */
static void read_completion(struct op *op, const int64_t *v)
{
	struct clock_map *clock = &op->rank->clock;
	int64_t span = v[OPC_SPAN] == ROW_NULL ? 0 : v[OPC_SPAN];
	int64_t enter = v[OPC_POST] + span;

	op->post = clock_common(clock, v[OPC_POST]);
	op->post_leave = span ? clock_common(clock, v[OPC_POST] + span) : op->post;
	op->shift = op->post - v[OPC_POST];
	op->enter = op->post;
	op->leave = op->post_leave;
	op->complete_callsite = op->callsite;
	op->complete_call = op->call;
	op->blocked = span;
	op->pending = v[OPC_DONE] == 0 || v[OPC_SPAN] == ROW_NULL;
	if (v[OPC_DONE] != ROW_NULL && !op->pending) {
		enter += v[OPC_GAP];
		op->enter = clock_common(clock, enter);
		op->leave = clock_common(clock, enter + v[OPC_COMPLETE]);
		op->complete_callsite = (uint32_t)(v[OPC_DONE] >> 10);
		op->complete_call = v[OPC_DONE] & 1023;
		op->blocked = v[OPC_COMPLETE];
	}
	if (v[OPC_BLOCKED] != ROW_NULL)
		op->blocked = v[OPC_BLOCKED];
	/* of all the time of a call nothing is left for others; that was live, here it may be shared otherwise */
	op->shared = !op->pending && (op_flag(op, OP_SENDRECV) || (v[OPC_DONE] != ROW_NULL &&
		(v[OPC_BLOCKED] != ROW_NULL || settle_many(v[OPC_DONE] & 1023))));
}

/* The polling for an op ends with the call that completes it. */
static void keep_calls(struct match *m, const struct op *op, int64_t poll_ns)
{
	const bool apart = op->enter != op->post;
	const uint32_t polled_us = poll_ns <= 0 ? 0 : poll_ns / 1000 < UINT32_MAX ?
		(uint32_t)(poll_ns / 1000) : UINT32_MAX;

	trail_call(&m->trail, op->rank, op->lane, &(struct trail_call){ op->post, op->post_leave,
		op->callsite, apart ? 0 : polled_us });
	if (apart)
		trail_call(&m->trail, op->rank, op->lane, &(struct trail_call){ op->enter, op->leave,
			op->complete_callsite, polled_us });
}

static void read_op(struct match *m, struct run_rank *rank, const int64_t *v, struct op *op)
{
	memset(op, 0, sizeof(*op));
	op->rank = rank;
	op->id = v[OPC_ID];
	op->code = v[OPC_CODE];
	op->call = (uint32_t)(op->code & 1023);
	op->kind = op->code >> BIT_KIND & 3;
	op->protocol = op->code >> BIT_PROTOCOL & 3;
	op->hint = op->code >> BIT_CAUSE & 15;
	op->live_wait = op->code >> BIT_WAIT & 1;
	op->bytes = v[OPC_BYTES];
	op->peer = v[OPC_PEER] == ROW_NULL ? -1 : (int32_t)v[OPC_PEER];
	op->tag = (int32_t)v[OPC_TAG];
	op->comm = v[OPC_COMM] & 0xffffff;
	op->callsite = (uint32_t)v[OPC_CALLSITE];
	op->predicted = v[OPC_PREDICTED];
	op->oldest = INT64_MAX;
	op->lane = rank_lane(&m->ranks, rank, (uint32_t)(v[OPC_COMM] >> 24));
	read_completion(op, v);
	op->live_blocked = op->blocked;
	trail_passed(&m->trail, rank, op->lane, op->post);
	keep_calls(m, op, v[OPC_POLL]);
}

/* Why this op can have no partner, whatever the others say; MATCHED: it may have one. */
static enum unmatched hopeless(const struct match *m, const struct op *op)
{
	if (op_flag(op, OP_PROC_NULL))
		return UNMATCHED_PROC_NULL;
	if (op_flag(op, OP_CANCELLED))
		return UNMATCHED_CANCELLED;
	if (op_flag(op, OP_COMM_PEER))
		return UNMATCHED_OTHER_WORLD;
	/* what came is known when a receive ends; before, only what was asked for */
	if (op->kind == KIND_RECV && (op->peer < 0 || ((op->pending || op_flag(op, OP_FREED)) &&
			op_flag(op, OP_ANY_SOURCE | OP_ANY_TAG))))
		return op->pending && !op_flag(op, OP_FREED) ? UNMATCHED_PENDING :
			op_flag(op, OP_TRUNCATED) ? UNMATCHED_FAILED : UNMATCHED_FREED;
	if (!rank_comm(op->rank, op->comm))
		return UNMATCHED_COMM_UNKNOWN;
	if (!rank_find(&m->ranks, op->peer))
		return UNMATCHED_PEER_MISSING;
	return MATCHED;
}

/* Nobody came, and all rows have been seen. */
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

/* What lies unreceived at the peer when this send is posted. */
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
		order_posted(m, op, other);
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
	struct op *op = new_op(m);

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

/* One-sided and file operations match nothing, yet a rank that is in one of them does not compute. */
static void take_transfer(struct match *m, struct run_rank *rank, enum reader_table table)
{
	const int64_t *v = reader_peek(&m->ranks, rank, table)->value;
	uint32_t lane = rank_lane(&m->ranks, rank, (uint32_t)v[TRC_THREAD]);
	int64_t enter = clock_common(&rank->clock, v[TRC_ENTER]);
	int64_t leave = v[TRC_ENTER] + (v[TRC_SPAN] == ROW_NULL ? 0 : v[TRC_SPAN]);

	if (lane == UINT32_MAX) {
		m->error = -ENOMEM;
		return;
	}
	trail_passed(&m->trail, rank, lane, enter);
	trail_call(&m->trail, rank, lane, &(struct trail_call){ enter,
		clock_common(&rank->clock, leave), (uint32_t)v[TRC_CALLSITE], 0 });
	if (v[TRC_DONE] != ROW_NULL && v[TRC_DONE] != 0)
		trail_call(&m->trail, rank, lane, &(struct trail_call){
			clock_common(&rank->clock, leave + v[TRC_GAP]),
			clock_common(&rank->clock, leave + v[TRC_GAP] + v[TRC_COMPLETE]),
			(uint32_t)(v[TRC_DONE] >> 10), 0 });
	coll_take_transfer(m, rank, v, table == READ_IO, lane);
	reader_step(rank, table);
}

/* When the rank's next row was posted, and of which table it is; false: it has none. */
static bool next_time(struct match *m, struct run_rank *rank, int64_t *ns)
{
	static const struct { enum reader_table table; int post; } of[] = {
		{ READ_OPS, OPC_POST }, { READ_COLLS, COC_POST }, { READ_RMA, TRC_ENTER }, { READ_IO, TRC_ENTER }
	};
	int64_t first = INT64_MAX;
	bool any = false;

	for (int i = 0; i < (m->ranks.transfers ? 4 : 2); i++) {
		const struct row *row = reader_peek(&m->ranks, rank, of[i].table);

		if (row && (!any || row->value[of[i].post] < first)) {
			first = row->value[of[i].post];
			rank->turn = of[i].table;
			any = true;
		}
	}
	if (any)
		*ns = clock_common(&rank->clock, first);
	return any;
}

static void pass(struct match *m)
{
	int64_t ns;

	for (uint32_t i = 0; i < m->ranks.n && !m->error; i++)
		if (next_time(m, &m->ranks.at[i], &ns))
			m->error = heap_push(&m->turn, ns, &m->ranks.at[i]);
	while (m->turn.n && !m->error) {
		struct run_rank *rank = m->turn.item[0].what;

		coll_until(m, m->turn.item[0].at);
		settle_until(m, m->turn.item[0].at);
		rank->last_ns[rank->turn] = m->turn.item[0].at;
		if (rank->turn == READ_COLLS)
			coll_take(m, rank);
		else if (rank->turn != READ_OPS)
			take_transfer(m, rank, rank->turn);
		else
			take_op(m, rank, reader_peek(&m->ranks, rank, READ_OPS));
		if (next_time(m, rank, &ns))
			heap_delay(&m->turn, ns);
		else
			heap_pop(&m->turn);
	}
	if (m->error)
		return;
	queues_drain(&m->queues, drain_op, m);
	coll_drain(m);
	settle_until(m, INT64_MAX);
	order_end(m);
}

static int prepare(struct match *m, sqlite3 *db, const struct match_options *options)
{
	uint64_t memory = options->memory ? options->memory : DEFAULT_MEMORY;
	int rc = ranks_open(&m->ranks, db, memory / 2, NULL, m->say);

	if (rc)
		return rc;
	/* op rows of all ranks, as they say themselves */
	m->all_ops = (uint64_t)db_int(db, "SELECT sum(value) FROM run WHERE key = 'op_rows'", 0);
	m->bucket = calloc(GROUP_BUCKETS, sizeof(struct op_group *));
	m->unreceived = calloc(m->ranks.n, sizeof(*m->unreceived));
	m->in_order = calloc(m->ranks.n, sizeof(*m->in_order));
	if (!m->bucket || !m->unreceived || !m->in_order)
		return -ENOMEM;
	rc = inside_init(&m->ranks, memory / 2);
	if (!rc)
		rc = trail_init(&m->trail, m->ranks.n, options->waits,
			sqlite3_db_filename(db, "main"));
	if (!rc)
		rc = queues_init(&m->queues);
	if (!rc)
		rc = coll_init(m);
	if (!rc)
		rc = run_links_init(&m->links, &m->ranks);
	if (!rc)
		rc = flows_init(&m->flows, &m->ranks, &m->links);
	if (!rc)
		rc = db_exec(db, match_clear_sql, "write", m->say);
	return rc ? rc : output_new(m, m->all_ops / 2 > (options->max_rows ? options->max_rows :
		MATCH_MAX_ROWS));
}

static void release(struct match *m)
{
	trail_release(&m->trail);
	coll_free(m);
	queues_release(&m->queues);
	free(m->bucket);
	heap_release(&m->open);
	heap_release(&m->turn);
	heap_release(&m->held_up);
	flows_release(&m->flows);
	run_links_release(&m->links);
	free(m->unreceived);
	free(m->in_order);
	while (m->slabs) {
		struct slab *next = m->slabs->next;

		free(m->slabs);
		m->slabs = next;
	}
	ranks_close(&m->ranks);
}

/* SQLite rolls back by itself when a write fails; what would be written then is not committed, either. */
static int refuse_commit(void *context)
{
	(void)context;
	return 1;
}

int match_run(sqlite3 *db, const struct match_options *options, struct match_result *result,
	const struct say *say)
{
	struct worker worker = { 0 };
	struct match m = { .result = result, .say = say, .progress = options->progress,
		.worker = &worker };
	int rc;

	memset(result, 0, sizeof(*result));
	rc = db_exec(db, "BEGIN", "write", say);
	if (rc)
		return rc;
	sqlite3_commit_hook(db, refuse_commit, NULL);
	worker_start(&worker, db);
	rc = prepare(&m, db, options);
	if (!rc) {
		pass(&m);
		output_wait(&m);
		trail_end(&m.trail);
		rc = m.error ? m.error : m.trail.error;
		if (!rc)
			rc = others_find(&m.trail, &m.ranks);
		if (!rc)
			rc = output_sums(&m);
		if (!rc)
			rc = blame_run(&m.trail, &m.ranks, &worker, &result->blame);
		if (!rc)
			rc = output_end(&m);
	}
	if (rc == -ENOMEM || m.trail.error)
		say_line(say, "cannot match messages: %s", strerror(rc < 0 ? -rc : EIO));
	worker_stop(&worker);
	output_free(m.output);
	m.output = NULL;
	sqlite3_commit_hook(db, NULL, NULL);
	if (!rc)
		rc = db_exec(db, "COMMIT", "write", say);
	else
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	release(&m);
	return rc;
}
