/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: opens the ranks of a run and reads their rows in chunks (ranks.h). */
#include "analysis/ranks/ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/format/db/db.h"
#include "analysis/ranks/queries.h"
#include "functions.h"
#include "record.h"

enum {
	COMMS_MAX = 1 << 24, /* schema.sql: comm has 24 bits */
	THREADS_MAX = 1 << 16,
	OPEN_FILES_MAX = 128,
	CHUNK_MIN = 16,
	CHUNK_MAX = 2048,
	CHUNK_AHEAD = 128, /* reading ahead does not pay for smaller chunks */
	/* rows checked to find the place of a matched message's receive */
	PROBED_AHEAD = 64,
};

static const struct {
	const char *name;
	int columns;
	/* columns; position of `done`, followed by gap and complete; 0: none */
	int begin, span, done;
	int callsite;   /* 0: none */
	int numbers[2]; /* columns whose values are kept in 32 bits; 0: none */
} tables[READ_TABLES] = {
	[READ_OPS] = { "op_row", OP_ROW_COLUMNS, OP_ROW_POST, OP_ROW_SPAN, OP_ROW_DONE,
		OP_ROW_CALLSITE, { OP_ROW_PEER, OP_ROW_TAG } },
	[READ_COLLS] = { "coll_row", COLL_ROW_COLUMNS, COLL_ROW_POST, COLL_ROW_SPAN, COLL_ROW_DONE,
		COLL_ROW_CALLSITE, { COLL_ROW_ROOT, 0 } },
	[READ_BUSY] = { "busy_row", BUSY_ROW_COLUMNS, BUSY_ROW_ENTER, BUSY_ROW_SPAN, 0, 0,
		{ BUSY_ROW_THREAD, 0 } },
	[READ_OFF_CPU] = { "off_cpu_row", OFF_CPU_ROW_WHAT + 1, OFF_CPU_ROW_ENTER, OFF_CPU_ROW_SPAN,
		0, 0, { OFF_CPU_ROW_THREAD, OFF_CPU_ROW_WHAT } },
	[READ_RMA] = { "rma_row", RMA_ROW_COMPLETE + 1, RMA_ROW_ENTER, RMA_ROW_SPAN, RMA_ROW_DONE,
		RMA_ROW_CALLSITE, { RMA_ROW_THREAD, 0 } },
	[READ_IO] = { "io_row", RMA_ROW_COMPLETE + 1, RMA_ROW_ENTER, RMA_ROW_SPAN, RMA_ROW_DONE,
		RMA_ROW_CALLSITE, { RMA_ROW_THREAD, 0 } },
};

/*
 * The two sides of an intercommunicator come from two communicators. An intercommunicator made from
 * another one keeps its sides. A parent has a lower number, so it is already known.
 */
static uint64_t side_of(const struct run_rank *rank, int64_t comm, int64_t parent)
{
	const struct comm_info *p = parent < comm ? rank_comm(rank, parent) : NULL;

	if (!p || !rank->comm[comm].remote_size)
		return 0;
	return p->remote_size ? p->group : p->uid;
}

static int read_comms(struct run_ranks *r)
{
	struct run_rank *rank = NULL;
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(r->db, sql_ranks_comms, &s);

	if (step)
		return db_say(r->db, step, "read", r->say);
	while (!rc && (step = db_step(s)) > 0) {
		int64_t comm = sqlite3_column_int64(s, 1);

		rank = rank_find(r, sqlite3_column_int64(s, 0));
		if (!rank || comm < 0 || comm >= COMMS_MAX)
			continue;
		rc = array_cover(&rank->comm, sizeof(*rank->comm), &rank->ncomms, (uint64_t)comm);
		if (rc)
			break;
		rank->comm[comm] = (struct comm_info){ (uint64_t)sqlite3_column_int64(s, 2),
			sqlite3_column_int(s, 3), sqlite3_column_int(s, 4),
			sqlite3_column_int(s, 5), sqlite3_column_type(s, 2) != SQLITE_NULL, 0 };
		rank->comm[comm].group = side_of(rank, comm, sqlite3_column_int64(s, 6));
	}
	sqlite3_finalize(s);
	return rc ? rc : step ? db_say(r->db, step, "read", r->say) : 0;
}

static int read_objects(struct run_ranks *r)
{
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(r->db, sql_ranks_objects, &s);

	if (step)
		return db_say(r->db, step, "read", r->say);
	while (!rc && (step = db_step(s)) > 0) {
		struct run_rank *rank = rank_find(r, sqlite3_column_int64(s, 0));

		if (!rank)
			continue;
		rc = array_room(
			&rank->object, sizeof(*rank->object), &rank->objects_room, rank->nobjects);
		if (rc)
			break;
		rank->object[rank->nobjects++] =
			(struct object_info){ sqlite3_column_int(s, 1), sqlite3_column_int64(s, 2),
				(uint64_t)sqlite3_column_int64(s, 3), sqlite3_column_int64(s, 4) };
	}
	sqlite3_finalize(s);
	return rc ? rc : step ? db_say(r->db, step, "read", r->say) : 0;
}

const struct object_info *rank_object(const struct run_rank *rank, bool is_file, int64_t number)
{
	uint32_t low = 0, high = rank->nobjects;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;
		const struct object_info *o = &rank->object[at];

		if (o->is_file < is_file || (o->is_file == is_file && o->number < number))
			low = at + 1;
		else
			high = at;
	}
	return low < rank->nobjects && rank->object[low].is_file == is_file &&
			rank->object[low].number == number ?
		&rank->object[low] :
		NULL;
}

/* Notes rows that were not kept: a table's rows after the last kept one. */
static void read_dropped(struct run_rank *rank, const char *table)
{
	static const char *const names[READ_TABLES] = { [READ_OPS] = "ops",
		[READ_COLLS] = "collective",
		[READ_BUSY] = "busy",
		[READ_OFF_CPU] = "", /* times without a row are in sums */
		[READ_RMA] = "rma",
		[READ_IO] = "io" };

	for (int i = 0; i < READ_TABLES; i++)
		rank->cut[i] |= strcmp(table, names[i]) == 0;
	rank->dropped |= rank->cut[READ_OPS];
}

/* Keys of table run that are read here. */
static int read_keys(struct run_ranks *r)
{
	static const char dropped[] = "dropped_";
	sqlite3_stmt *s;
	int rc = db_prepare(r->db, sql_ranks_losses, &s);

	if (rc)
		return db_say(r->db, rc, "read", r->say);
	while ((rc = db_step(s)) > 0) {
		struct run_rank *rank = rank_find(r, sqlite3_column_int64(s, 0));
		const char *key = (const char *)sqlite3_column_text(s, 1);
		int64_t value = sqlite3_column_int64(s, 2);

		if (!rank || !key || value <= 0)
			continue;
		if (strcmp(key, "ops_left_out") == 0)
			rank->own_file = true;
		else if (strcmp(key, "end_ns") == 0)
			rank->end_ns = clock_common(&rank->clock, value);
		else if (strncmp(key, dropped, sizeof(dropped) - 1) == 0)
			read_dropped(rank, key + sizeof(dropped) - 1);
		else
			rank->dropped = true;
	}
	sqlite3_finalize(s);
	return rc ? db_say(r->db, rc, "read", r->say) : 0;
}

/* Finds ranks whose file was only readable in part. Only merged databases have that table. */
static int read_partial(struct run_ranks *r)
{
	sqlite3_stmt *s;
	int rc = db_prepare(r->db, sql_ranks_partial, &s);

	if (rc)
		return 0;
	while ((rc = db_step(s)) > 0) {
		struct run_rank *rank = rank_find(r, sqlite3_column_int64(s, 0));

		if (rank)
			rank->dropped = true;
	}
	sqlite3_finalize(s);
	return rc ? db_say(r->db, rc, "read", r->say) : 0;
}

/* Finds ranks with receives that take the place of their probe. */
static int read_takes_matched(struct run_ranks *r)
{
	sqlite3_stmt *s;
	int rc = db_prepare(r->db, sql_ranks_takes_matched, &s);

	if (rc)
		return db_say(r->db, rc, "read", r->say);
	while ((rc = db_step(s)) > 0) {
		struct run_rank *rank = rank_find(r, sqlite3_column_int64(s, 0));

		if (rank)
			rank->takes_matched = true;
	}
	sqlite3_finalize(s);
	return rc ? db_say(r->db, rc, "read", r->say) : 0;
}

/* Most programs have none, and pay nothing. */
static int look_for_transfers(struct run_ranks *r)
{
	sqlite3_stmt *s;
	int rc = db_prepare(r->db, sql_ranks_has_transfers, &s);

	if (!rc && (rc = db_step(s)) > 0)
		r->transfers = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return rc < 0 ? db_say(r->db, rc, "read", r->say) : 0;
}

/* If run.db left op rows out, they are read from the rank's own file. */
static int find_files(struct run_ranks *r)
{
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(r->db, sql_ranks_file, &s);

	for (uint32_t i = 0; i < r->n && !step && !rc; i++) {
		struct run_rank *rank = &r->at[i];

		if (!rank->own_file)
			continue;
		sqlite3_bind_int(s, 1, rank->rank);
		if (db_step(s) > 0 && sqlite3_column_text(s, 0)) {
			rank->path = strdup((const char *)sqlite3_column_text(s, 0));
			if (!rank->path)
				rc = -ENOMEM;
		}
		sqlite3_reset(s);
		if (!rank->path)
			rank->own_file = false;
	}
	if (!step)
		sqlite3_finalize(s);
	return rc; /* without a table `input`, nothing was left out */
}

static int make_ranks(struct run_ranks *r)
{
	int rc = clocks_read(r->db, &r->clocks, r->say);

	if (rc == -ENOENT)
		say_line(r->say, "'%s' knows of no rank", sqlite3_db_filename(r->db, "main"));
	if (rc)
		return rc;
	r->n = r->clocks.n;
	r->limit = r->clocks.rank[r->n - 1] + 1;
	r->at = calloc(r->n, sizeof(*r->at));
	r->index = r->limit > 0 ? calloc((size_t)r->limit, sizeof(*r->index)) : NULL;
	if (!r->at || !r->index)
		return -ENOMEM;
	for (uint32_t i = 0; i < r->n; i++) {
		struct run_rank *rank = &r->at[i];

		rank->rank = r->clocks.rank[i];
		rank->clock = r->clocks.map[i];
		rank->zero_ns = clock_common(&rank->clock, 0);
		rank->end_ns = rank->zero_ns;
		rank->off_cpu.read_to = INT64_MIN;
		if (rank->rank >= 0)
			r->index[rank->rank] = i + 1;
	}
	return 0;
}

int ranks_open(struct run_ranks *r, sqlite3 *db, uint64_t memory, struct worker *worker,
	const struct say *say)
{
	uint64_t rows;
	int rc;

	memset(r, 0, sizeof(*r));
	r->db = db;
	r->say = say;
	rc = make_ranks(r);
	if (!rc)
		rc = read_keys(r);
	if (!rc)
		rc = read_partial(r);
	if (!rc)
		rc = read_comms(r);
	if (!rc)
		rc = read_objects(r);
	if (!rc)
		rc = read_takes_matched(r);
	if (!rc)
		rc = look_for_transfers(r);
	if (!rc)
		rc = find_files(r);
	if (!rc) {
		rc = pages_open(sqlite3_db_filename(db, "main"), &r->file);
		if (rc)
			say_line(say, "cannot read '%s': %s", sqlite3_db_filename(db, "main"),
				strerror(-rc));
	}
	if (!rc) {
		rows = memory / r->n / (r->transfers ? READ_TABLES : READ_RMA) / 2 /
			sizeof(struct row);
		r->chunk = rows < CHUNK_MIN ? CHUNK_MIN :
			rows > CHUNK_MAX    ? CHUNK_MAX :
					      (uint32_t)rows;
		r->worker = r->chunk >= CHUNK_AHEAD ? worker : NULL;
	} else {
		ranks_close(r);
	}
	return rc;
}

void off_times_release(struct off_times *o)
{
	for (uint32_t i = 0; i < o->nthreads; i++)
		free(o->thread[i].at);
	free(o->thread);
	o->thread = NULL;
	o->nthreads = 0;
}

void ranks_close(struct run_ranks *r)
{
	for (uint32_t i = 0; r->at && i < r->n; i++) {
		struct run_rank *rank = &r->at[i];

		for (int t = 0; t < READ_TABLES; t++) {
			free(rank->reader[t].row);
			free(rank->reader[t].ahead.row);
		}
		pages_close(&rank->file);
		free(rank->comm);
		free(rank->object);
		free(rank->path);
		free(rank->inside.at);
		off_times_release(&rank->off_cpu);
		free(rank->lane);
	}
	free(r->at);
	free(r->index);
	pages_close(&r->file);
	clocks_release(&r->clocks);
	memset(r, 0, sizeof(*r));
}

/* Opens the file with the rank's rows. 0 or a negative errno. */
static int open_file(struct run_ranks *r, struct run_rank *rank, struct pages_file **out)
{
	int rc;

	*out = rank->own_file ? &rank->file : &r->file;
	if ((*out)->page)
		return 0;
	/* merge notes a path; a name alone, or none, comes from an archive of tryst pack */
	if (!strchr(rank->path, '/'))
		return -ENODATA;
	rc = pages_open(rank->path, &rank->file);
	r->nopen += rc == 0;
	return rc || rank->file.version == DB_VERSION ? rc : -EPROTO;
}

static void close_file(struct run_ranks *r, struct run_rank *rank)
{
	if (!rank->file.page || r->nopen <= OPEN_FILES_MAX)
		return;
	pages_close(&rank->file);
	r->nopen--;
}

static bool is_time(int64_t ns)
{
	return ns >= -CLOCK_NS_MAX && ns <= CLOCK_NS_MAX;
}

/* Larger than any machine's memory, and small enough that sums of damaged rows do not overflow. */
#define BYTES_MAX (1LL << 46)

static bool is_callsite(int64_t n)
{
	return n >= 0 && n <= DB_CALLSITE_MAX;
}

/* Numbers that do not fit into their field become unknown: cut off, they would be other numbers. */
static void mend_numbers(int64_t *v, enum reader_table table)
{
	const int done = tables[table].done, callsite = tables[table].callsite;

	for (int i = 0; i < 2; i++) {
		int64_t *n = &v[tables[table].numbers[i]];

		if (tables[table].numbers[i] && (*n < INT32_MIN || *n > INT32_MAX))
			*n = ROW_NULL;
	}
	if (callsite && !is_callsite(v[callsite]))
		v[callsite] = ROW_NULL;
	if (done && v[done] != ROW_NULL && !is_callsite(v[done] >> DONE_CALLSITE_AT))
		v[done] = done_put_call(done_call(v[done]));
}

/*
 * Bounds a row's times and sizes, so that they can be added. Impossible values become unknown.
 */
static void mend_row(int64_t *v, enum reader_table table)
{
	const int begin = tables[table].begin, span = tables[table].span, done = tables[table].done;

	if (!is_time(v[begin]))
		v[begin] = v[begin] < 0 ? -CLOCK_NS_MAX : CLOCK_NS_MAX;
	if (!is_time(v[span]))
		v[span] = done ? ROW_NULL : 0;
	if (done && v[done] != ROW_NULL && !(is_time(v[done + 1]) && is_time(v[done + 2])))
		v[done] = 0;
	mend_numbers(v, table);
	if (table != READ_OPS)
		return;
	if (!is_time(v[OP_ROW_BLOCKED]))
		v[OP_ROW_BLOCKED] = ROW_NULL;
	if (!is_time(v[OP_ROW_PREDICTED]))
		v[OP_ROW_PREDICTED] = ROW_NULL;
	if (v[OP_ROW_BYTES] < 0 || v[OP_ROW_BYTES] > BYTES_MAX)
		v[OP_ROW_BYTES] = v[OP_ROW_BYTES] < 0 ? 0 : BYTES_MAX;
}

/* A job: reads the rank's next rows, until its ids end. */
static void fill_chunk(void *context)
{
	struct rows_ahead *k = context;
	struct run_ranks *r = k->ranks;
	const int64_t limit = (k->rank->rank + INT64_C(1)) * IDS_OF_RANK;
	struct pages_file *file;

	k->n = 0;
	k->rc = open_file(r, k->rank, &file);
	if (!k->rc) {
		if (!k->begun)
			pages_seek(&k->cursor, pages_root(file, tables[k->table].name),
				k->rank->rank * IDS_OF_RANK);
		k->begun = true;
		k->rc = pages_read(
			file, &k->cursor, tables[k->table].columns, k->row, r->chunk, &k->n);
	}
	k->end = k->rc || k->n < r->chunk;
	while (k->n && k->row[k->n - 1].value[0] >= limit) {
		k->n--;
		k->end = true;
	}
	for (uint32_t i = 0; i < k->n; i++)
		mend_row(k->row[i].value, k->table);
	close_file(r, k->rank);
}

static void ask_for_chunk(struct run_ranks *r, struct run_rank *rank, enum reader_table table)
{
	struct rows_ahead *k = &rank->reader[table].ahead;

	k->ranks = r;
	k->rank = rank;
	k->table = table;
	k->job = (struct job){ .run = fill_chunk, .context = k };
	k->asked = true;
	if (r->worker)
		worker_give(r->worker, &k->job);
	else
		fill_chunk(k);
}

/* The number of rows kept in memory while there are more. */
static uint32_t kept(const struct run_rank *rank, enum reader_table table)
{
	return rank->takes_matched && table == READ_OPS ? PROBED_AHEAD : 0;
}

/* Appends the rows read ahead to those that are not given out yet; mostly there are none. */
static void take_chunk(struct reader *d, struct rows_ahead *k)
{
	struct row *given = d->row;

	if (d->next == d->n) {
		d->row = k->row;
		k->row = given;
		d->n = 0;
	} else {
		memmove(d->row, d->row + d->next, (d->n - d->next) * sizeof(*d->row));
		d->n -= d->next;
		memcpy(d->row + d->n, k->row, k->n * sizeof(*d->row));
	}
	d->next = 0;
	d->n += k->n;
	d->end = k->end;
}

static void read_chunk(struct run_ranks *r, struct run_rank *rank, enum reader_table table)
{
	struct reader *d = &rank->reader[table];
	struct rows_ahead *k = &d->ahead;
	int rc = 0;

	if (!d->row) {
		d->row = malloc((r->chunk + kept(rank, table)) * sizeof(*d->row));
		k->row = malloc((r->chunk + kept(rank, table)) * sizeof(*k->row));
	}
	if (!d->row || !k->row) {
		rc = -ENOMEM;
		d->end = true;
	} else {
		if (!k->asked)
			ask_for_chunk(r, rank, table);
		if (r->worker)
			worker_wait(r->worker, &k->job);
		k->asked = false;
		take_chunk(d, k);
		rc = k->rc;
		if (!d->end && r->worker)
			ask_for_chunk(r, rank, table);
	}
	if (rc) {
		r->chunks_fail = true;
		say_line(r->say, "rank %d is read as far as it goes: %s", (int)rank->rank,
			rc == -EINVAL          ? "its file is damaged" :
				rc == -ENODATA ? "an archive does not have all its rows" :
						 strerror(-rc));
	}
}

const struct row *reader_peek(struct run_ranks *r, struct run_rank *rank, enum reader_table table)
{
	struct reader *d = &rank->reader[table];

	if (d->n - d->next <= kept(rank, table) && !d->end)
		read_chunk(r, rank, table);
	return d->next < d->n ? &d->row[d->next] : NULL;
}

/* True if the op was posted when it got its number. */
static bool in_its_place(const int64_t *v)
{
	const int64_t flags = op_code_flags(v[OP_ROW_CODE]);

	return !(flags & OP_MPROBE) || flags & OP_PROBED;
}

int64_t reader_op_numbered(const struct run_rank *rank)
{
	const struct reader *d = &rank->reader[READ_OPS];
	int64_t first = INT64_MAX;

	for (uint32_t i = d->next; i < d->n && i <= d->next + PROBED_AHEAD; i++) {
		const int64_t *v = d->row[i].value;

		if (v[OP_ROW_POST] < first)
			first = v[OP_ROW_POST];
		if (in_its_place(v))
			break;
	}
	return first;
}

void reader_rewind(struct run_ranks *r, struct run_rank *rank, enum reader_table table)
{
	struct reader *d = &rank->reader[table];

	if (d->ahead.asked && r->worker)
		worker_wait(r->worker, &d->ahead.job);
	d->ahead.asked = d->ahead.begun = false;
	d->next = d->n = 0;
	d->end = false;
}

uint32_t rank_lane(struct run_ranks *r, struct run_rank *rank, uint32_t thread)
{
	if (thread >= THREADS_MAX)
		thread = THREADS_MAX - 1;
	if (array_cover(&rank->lane, sizeof(*rank->lane), &rank->nlanes, thread))
		return UINT32_MAX;
	if (rank->lane[thread] == 0)
		rank->lane[thread] = ++r->lanes;
	return rank->lane[thread] - 1;
}
