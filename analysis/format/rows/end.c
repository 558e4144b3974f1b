/* SPDX-License-Identifier: BSD-3-Clause */
/* end.c: rows of what the ring holds beside records, and of the run as a whole. */
#include "analysis/format/rows/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"
#include "functions.h"
#include "config.h"

static int add_call(void *context, uint32_t thread, const void *entry)
{
	return rows_add_call(context, thread, entry);
}

static int add_wait(void *context, uint32_t thread, const void *entry)
{
	(void)thread;
	return rows_add_wait(context, entry);
}

static int add_pending(void *context, uint32_t thread, const void *entry)
{
	(void)thread;
	return rows_add_pending(context, entry);
}

/* The op in flight in a blocking call becomes a pending op whose post has not returned. */
static int add_op_in_call(struct rows *r, const struct thread_region *t)
{
	const struct current_call *now = &t->now;
	const struct pending_op op = {
		.op_id = now->op_id,
		.post_enter_ticks = now->enter_ticks,
		.bytes = now->mark.bytes,
		.peer = now->mark.peer < 0 ? -1 : now->mark.peer,
		.tag = now->mark.tag,
		.comm = now->mark.comm,
		.callsite = now->callsite,
		.call = (uint16_t)now->call,
		.flags = now->mark.flags8,
		.kind_mode = now->mark.kind_mode,
		.tier = now->mark.peer >= 0 && now->mark.peer < ROWS_PEERS_MAX &&
				r->peer_tier[now->mark.peer] ?
			r->peer_tier[now->mark.peer] - 1 :
			TIER_NONE,
		.thread = t->thread,
	};

	return rows_add_pending(r, &op);
}

/* The call that a thread is in, and its open busy interval. */
static int add_thread(struct rows *r, const struct thread_region *t, sqlite3_stmt *stmt)
{
	const struct current_call *now = &t->now;
	bool is_op = now->mark.kind_mode != 0;
	int64_t enter = rows_time_ns(&r->time, now->enter_ticks);
	int rc = 0;

	if (t->busy_enter_ticks) {
		struct row row = {
			.value = { 0, rows_time_ns(&r->time, t->busy_enter_ticks),
				rows_time_span(&r->time,
					t->busy_leave_ticks > t->busy_enter_ticks ?
						t->busy_leave_ticks - t->busy_enter_ticks :
						0),
				t->thread }
		};
		int64_t leave = rows_time_ns(&r->time, t->busy_leave_ticks);

		if (leave > r->busy_ns)
			r->busy_ns = leave;
		rc = rows_push(r, ROWS_BUSY, &row);
	}
	if (rc || now->call == 0 || now->call >= ROWS_CALLS ||
		spool_state(r->spool) == SPOOL_CLOSED)
		return rc;
	if (enter > r->last_ns)
		r->last_ns = enter;
	r->call_used[now->call] = true;
	sqlite3_clear_bindings(stmt);
	sqlite3_bind_int64(stmt, 1, r->id_base + t->thread);
	sqlite3_bind_int64(stmt, 2, now->call);
	sqlite3_bind_int64(stmt, 3, now->callsite);
	sqlite3_bind_int64(stmt, 4, enter);
	if (is_op)
		sqlite3_bind_int64(stmt, 5, r->id_base + (int64_t)op_key_n((int64_t)now->op_id));
	if (!is_op && now->mark.call == now->call && now->mark.flags8 == MARK_COLLECTIVE) {
		sqlite3_bind_int64(stmt, 8, now->mark.comm);
		sqlite3_bind_int64(stmt, 10, rows_int(now->mark.bytes));
	} else if (is_op || now->mark.call == now->call) {
		if (now->mark.peer >= 0)
			sqlite3_bind_int64(stmt, 6, now->mark.peer);
		else if (now->mark.peer < -1 && now->mark.comm != COMM_NONE)
			sqlite3_bind_int64(stmt, 11,
				now->mark.peer == PEER_NEGATIVE ? -1 :
								  PEER_NOT_THERE(now->mark.peer));
		sqlite3_bind_int64(stmt, 7, now->mark.tag);
		sqlite3_bind_int64(stmt, 8, now->mark.comm);
		if (is_op)
			sqlite3_bind_int64(stmt, 9, rows_int(now->mark.bytes));
	}
	rc = db_execute(stmt);
	return rc || !is_op ? rc : add_op_in_call(r, t);
}

static int add_threads(struct rows *r)
{
	const struct thread_region *t;
	sqlite3_stmt *stmt = NULL;
	int rc = db_prepare_insert(r->db, DB_INSERT_OR_REPLACE, "in_call_row", &stmt);

	for (uint32_t i = 0; !rc && (t = spool_thread(r->spool, i)); i++)
		rc = add_thread(r, t, stmt);
	sqlite3_finalize(stmt);
	return rc;
}

/* Adds the names of the calls that occur. In another version, numbers mean other functions. */
static int add_names(struct rows *r)
{
	uint64_t hash = r->header->functions_hash;
	bool ours = hash == 0 || hash == function_names_hash();
	sqlite3_stmt *stmt = NULL;
	int rc = db_prepare_insert(r->db, DB_INSERT, "call_name", &stmt);

	for (unsigned call = 1; call < ROWS_CALLS && !rc; call++) {
		char text[32];

		if (!r->call_used[call])
			continue;
		snprintf(text, sizeof(text), "function %u", call);
		sqlite3_bind_int64(stmt, 1, call);
		sqlite3_bind_text(stmt, 2, ours && call < FN_COUNT ? function_name(call) : text, -1,
			SQLITE_TRANSIENT);
		rc = db_execute(stmt);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int add_peers(struct rows *r)
{
	sqlite3_stmt *stmt = NULL;
	int rc = db_prepare_insert(r->db, DB_INSERT, "peer_row", &stmt);

	sqlite3_bind_int(stmt, 1, r->header->rank);
	for (int peer = 0; peer < r->npeers && !rc; peer++) {
		if (!r->peer_tier[peer])
			continue;
		sqlite3_bind_int(stmt, 2, peer);
		sqlite3_bind_int(stmt, 3, (int)link_tier_of(r->peer_tier[peer] - 1u));
		rc = db_execute(stmt);
	}
	sqlite3_finalize(stmt);
	return rc;
}

struct keys {
	sqlite3_stmt *stmt;
	int rc;
};

static void key_text(struct keys *k, const char *key, const char *value)
{
	if (k->rc)
		return;
	sqlite3_bind_text(k->stmt, 2, key, -1, SQLITE_STATIC);
	sqlite3_bind_text(k->stmt, 3, value, -1, SQLITE_STATIC);
	k->rc = db_execute(k->stmt);
}

static void key_int(struct keys *k, const char *key, uint64_t value)
{
	if (k->rc)
		return;
	sqlite3_bind_text(k->stmt, 2, key, -1, SQLITE_STATIC);
	sqlite3_bind_int64(k->stmt, 3, (int64_t)value);
	k->rc = db_execute(k->stmt);
}

/* Adds a key for a loss, if there was any. A good run has none of these keys. */
static void key_loss(struct keys *k, const char *key, uint64_t value)
{
	if (value)
		key_int(k, key, value);
}

static const char *const state_names[] = { [SPOOL_CLOSED] = "closed",
	[SPOOL_DEAD] = "dead",
	[SPOOL_ALIVE] = "alive",
	[SPOOL_ELSEWHERE] = "unknown" };

static void header_keys(struct keys *k, const struct rows *r)
{
	const struct ring_file *h = r->header;
	char run_id[32];

	snprintf(run_id, sizeof(run_id), "%016" PRIx64, h->run_id);
	key_text(k, "run_id", run_id);
	key_int(k, "world", (uint64_t)(int64_t)h->world);
	if (h->magic) {
		key_text(k, "host", h->host);
		key_text(k, "boot_id", h->boot_id);
		key_int(k, "pid", (uint64_t)h->pid);
	}
	key_int(k, "ops", h->ops ? h->ops : (uint64_t)r->op_rows);
	key_int(k, "op_rows", (uint64_t)r->op_rows);
	key_int(k, "dropped",
		h->dropped_ops + h->dropped_busy + h->dropped_collective + h->dropped_rma +
			h->dropped_io + h->dropped_other);
	key_int(k, "dropped_ops", h->dropped_ops);
	key_int(k, "dropped_busy", h->dropped_busy);
	key_int(k, "dropped_collective", h->dropped_collective);
	key_int(k, "dropped_rma", h->dropped_rma);
	key_int(k, "dropped_io", h->dropped_io);
	key_int(k, "dropped_other", h->dropped_other);
	if (h->dropped_samples)
		key_int(k, "samples_dropped", h->dropped_samples);
	key_int(k, "lost_bytes", h->lost_bytes);
	if (h->lost_errno > 0)
		key_text(k, "lost_reason", strerror(h->lost_errno));
}

/*
 * The time on the rank's clock when its ring was read. INT64_MIN if the rank's clocks cannot be
 * those of this machine: since the last reading, both clocks must have moved by the same time.
 */
static int64_t read_at(const struct rows *r)
{
	const struct rows_time *t = &r->time;
	const struct rec_clock *last = t->nreadings ? &t->reading[t->nreadings - 1] : NULL;
	const struct spool_time at = spool_read_at(r->spool);
	double passed, passed_real;

	if (!last)
		return INT64_MIN;
	passed = (double)at.monotonic_ns - (double)last->monotonic_ns;
	passed_real = (double)at.realtime_ns - (double)last->realtime_ns;
	if (passed < 0 || fabs(passed - passed_real) > 0.01 * passed + 10e9)
		return INT64_MIN;
	return rows_time_of_monotonic(t, at.monotonic_ns);
}

/*
 * The time at which the rank entered MPI_Finalize or exit(). Without these, the last time that is
 * known of the rank.
 */
static int64_t end_of(const struct rows *r)
{
	int64_t ticks = db_run_int(r->db, -1, "finalize_ticks", 0);
	int64_t ns;

	if (!ticks)
		ticks = (int64_t)r->header->exit_ticks;
	ns = ticks ? rows_time_ns(&r->time, (uint64_t)ticks) : r->busy_ns;

	return ns > r->last_ns ? ns : r->last_ns;
}

/* Times of the clock itself: where 0 lies, and where the rank's time ends. */
static void time_keys(struct keys *k, const struct rows *r)
{
	const struct rows_time *t = &r->time;
	const bool in_init = r->header->zero_ticks == 0 && !spool_damage(r->spool)->ring_missing;
	int64_t end = in_init ? 0 : end_of(r);
	char rate[64];

	if (spool_state(r->spool) != SPOOL_CLOSED && r->seen_ns > end)
		end = r->seen_ns;
	if (t->nreadings) {
		const struct rec_clock *c = &t->reading[0];
		int64_t ns = rows_time_ns(t, c->ticks);

		key_int(k, "zero_realtime_ns", (uint64_t)c->realtime_ns - (uint64_t)ns);
		key_int(k, "zero_monotonic_ns", (uint64_t)c->monotonic_ns - (uint64_t)ns);
	}
	if (in_init) {
		key_int(k, "in_init", 1);
	} else if (spool_state(r->spool) == SPOOL_ALIVE) {
		int64_t ns = read_at(r);

		if (ns > end)
			end = ns;
	} else if (r->header->exit_ticks) {
		key_int(k, "exited", 1);
	} else if (spool_state(r->spool) == SPOOL_DEAD) {
		/* It may have hung in its last call, or computed, until then. */
		int64_t ns = read_at(r);

		if (ns > end)
			key_int(k, "found_dead_ns", (uint64_t)ns);
	}
	snprintf(rate, sizeof(rate), "%.15g", r->header->ns_per_tick);
	key_text(k, "ns_per_tick", rate);
	key_int(k, "zero_ticks", r->header->zero_ticks);
	key_int(k, "end_ns", (uint64_t)end);
}

static int add_keys(struct rows *r, bool unfinished)
{
	const struct spool_damage *d = spool_damage(r->spool);
	enum spool_state state = spool_state(r->spool);
	struct keys k = { 0 };

	k.rc = db_prepare_insert(r->db, DB_INSERT_OR_REPLACE, "run", &k.stmt);
	if (!k.rc)
		sqlite3_bind_int(k.stmt, 1, r->header->rank);
	header_keys(&k, r);
	time_keys(&k, r);
	key_int(&k, "clean_finalize", state == SPOOL_CLOSED);
	key_int(&k, "unfinished", unfinished);
	key_text(&k, "process", state_names[state]);
	key_loss(&k, "stopped", r->header->state == RING_STOPPED);
	key_text(&k, "rows_version", PACKAGE_VERSION);
	key_loss(&k, "damaged_bytes", d->skipped_bytes);
	key_loss(&k, "missing_chunks", d->missing_chunks);
	key_loss(&k, "damaged_records", d->bad_records + r->bad_records);
	key_loss(&k, "damaged_regions", d->bad_regions);
	key_loss(&k, "ring_missing", d->ring_missing);
	key_loss(&k, "spool_missing", d->spool_missing);
	sqlite3_finalize(k.stmt);
	return k.rc;
}

int rows_end(struct rows *r, bool unfinished)
{
	/* complete ops go first: if an op comes twice, the first row counts */
	int rc = rows_flush(r);

	if (!rc)
		rc = spool_entries(r->spool, REGION_SUMS, add_call, r);
	if (!rc)
		rc = spool_entries(r->spool, REGION_WAITS, add_wait, r);
	if (!rc)
		rc = spool_entries(r->spool, REGION_PENDING, add_pending, r);
	if (!rc)
		rc = add_threads(r);
	if (!rc)
		rc = rows_flush(r);
	if (!rc)
		rc = add_names(r);
	if (!rc)
		rc = add_peers(r);
	if (!rc)
		rc = add_keys(r, unfinished);
	return rc ? rc : db_exec_quiet(r->db, sql_rows_tool_time);
}
