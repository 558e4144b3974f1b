/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match_run.h: runs of a few ops and collectives, made by hand in a database, and their analysis.
 *
 * Between begin() and end() a test adds op() and coll(), calls analyze(), and looks at the rows and
 * at `result`. main() makes `dir` and removes it.
 */
#ifndef TRYST_MATCH_RUN_H
#define TRYST_MATCH_RUN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/match/match.h"
#include "analysis/format/db/db.h"
#include "functions.h"
#include "record.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char dir[PATH_MAX];
static sqlite3 *db;
static struct match_result result;
static int64_t op_id[16];
static int64_t time_id; /* of the last row of busy or off_cpu */

static inline void run_sql(const char *format, ...)
{
	va_list args;
	char *sql;

	va_start(args, format);
	sql = sqlite3_vmprintf(format, args);
	va_end(args);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(sql);
}

static inline int64_t number(const char *sql)
{
	sqlite3_stmt *s = NULL;
	int64_t value = INT64_MIN;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

static inline bool text_is(const char *sql, const char *wanted)
{
	sqlite3_stmt *s = NULL;
	const char *text = NULL;
	bool equal;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	if (sqlite3_step(s) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(s, 0);
	equal = text ? strcmp(text, wanted) == 0 : !*wanted;
	sqlite3_finalize(s);
	return equal;
}

static inline void begin(int ranks)
{
	const char *path = scratch_path(dir, "run.db");

	unlink(path);
	CU_ASSERT_EQUAL_FATAL(db_create(path, 0666, 4096, &db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(db_make_schema(db, NULL), 0);
	sqlite3_close(db);
	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_WRITE, &db, NULL), 0); /* as tryst analyze does */
	run_sql("PRAGMA synchronous = OFF");
	memset(op_id, 0, sizeof(op_id));
	for (int rank = 0; rank < ranks; rank++) {
		run_sql("INSERT INTO run VALUES (%d, 'boot_id', 'here'), (%d, 'ns_per_tick', '1'),"
			" (%d, 'zero_ticks', 1000), (%d, 'end_ns', 100000)",
			rank, rank, rank, rank);
		run_sql("INSERT INTO comm_row VALUES (%d, 1, 77, NULL, 0, %d, %d, NULL, NULL, 'w')",
			rank, ranks, rank);
	}
}

static inline void end(void)
{
	sqlite3_close(db);
	db = NULL;
}

struct given {
	int rank, peer, tag, thread;
	unsigned kind, mode, form, protocol, cause, flags;
	int64_t post, span, predicted;
	int64_t wait_enter, wait_span; /* wait_span 0: complete at the post */
	int64_t blocked;               /* 0: all of the call */
	bool pending;
};

static inline void op(struct given g)
{
	int64_t excess = (g.blocked ? g.blocked : g.wait_span ? g.wait_span : g.span) - g.predicted;
	unsigned call = g.kind == KIND_SEND ? FN_MPI_Send : FN_MPI_Recv;
	int64_t code = call | g.kind << 10 | g.mode << 12 | g.form << 14 |
		(g.protocol ? g.protocol : PROTOCOL_SHORT) << 16 | g.cause << 18 |
		(excess > 100 ? 1 << 22 : 0) | 1 << 23 | (int64_t)g.flags << 25;
	char done[96] = "NULL, NULL, NULL", blocked[24] = "NULL", peer[24] = "NULL";

	if (g.pending)
		strcpy(done, "0, NULL, NULL");
	else if (g.wait_span)
		snprintf(done, sizeof(done), "%d, %lld, %lld", FN_MPI_Wait | 9 << 10,
			(long long)(g.wait_enter - g.post - g.span), (long long)g.wait_span);
	if (g.peer >= 0)
		snprintf(peer, sizeof(peer), "%d", g.peer);
	if (g.blocked)
		snprintf(blocked, sizeof(blocked), "%lld", (long long)g.blocked);
	run_sql("INSERT INTO op_row VALUES (%lld, %lld, %lld, %lld, 8, %s, %d, %d, %d, %lld, %s, "
		"%s, NULL)",
		((long long)g.rank << 40) + ++op_id[g.rank], (long long)code, (long long)g.post,
		(long long)g.span, peer, g.tag, g.thread << 24 | 1, g.kind == KIND_SEND ? 2 : 3,
		(long long)g.predicted, done, blocked);
}

/* All messages take links of this tier. */
static inline void all_over(int tier)
{
	run_sql("UPDATE op_row SET code = (code & ~(3 << 23)) | (%d << 23)", tier);
}

struct given_coll {
	int rank, fn, seq, root;                   /* root -1: none */
	int64_t post, span, wait_enter, wait_span; /* wait_span 0: blocking */
};

static inline void coll(struct given_coll g)
{
	char done[96] = "NULL, NULL, NULL", root[24] = "NULL";

	if (g.wait_span)
		snprintf(done, sizeof(done), "%d, %lld, %lld", FN_MPI_Wait | 9 << 10,
			(long long)(g.wait_enter - g.post - g.span), (long long)g.wait_span);
	if (g.root >= 0)
		snprintf(root, sizeof(root), "%d", g.root);
	run_sql("INSERT INTO coll_row VALUES (%lld, %d, %d, 1, %s, 8, 8, %lld, %lld, 4, %s, NULL)",
		((long long)g.rank << 40) + ++op_id[g.rank], g.fn, g.seq, root, (long long)g.post,
		(long long)g.span, done);
}

/*
 * waits: as many are held in memory until they are written; of more than all of them one part is
 * made.
 */
static inline void analyze_holding(uint32_t waits)
{
	const struct match_options options = { .memory = 1 << 20, .waits = waits };

	CU_ASSERT_EQUAL_FATAL(match_run(db, &options, &result, NULL), 0);
	CU_ASSERT_EQUAL(result.ops, 2 * result.matched + result.unmatched);
	CU_ASSERT_EQUAL(number("SELECT coalesce(sum(ops), 0) FROM match_summary"),
		number("SELECT count(*) FROM op_row"));
}

static inline void analyze(void)
{
	analyze_holding(0);
}

/* The rank is inside MPI from `enter` to `leave`. */
static inline void inside(int rank, int64_t enter, int64_t leave)
{
	run_sql("INSERT INTO busy_row VALUES (%lld, %lld, %lld, 0)",
		((long long)rank << 40) + ++time_id, (long long)enter, (long long)(leave - enter));
}

/* The thread has no CPU. what: enum off_cpu. */
static inline void off_of(int rank, int thread, int what, int64_t enter, int64_t leave)
{
	run_sql("INSERT INTO off_cpu_row VALUES (%lld, %lld, %lld, %d, %d, 8, 7)",
		((long long)rank << 40) + ++time_id, (long long)enter, (long long)(leave - enter),
		thread, what);
}

#define SEND .kind = KIND_SEND
#define RECV .kind = KIND_RECV

#endif
