/* SPDX-License-Identifier: BSD-3-Clause */
/* ranges.c: the values that columns can have, a row a column (ranges.h). */
#include "analysis/format/db/ranges.h"

#include "include/layouts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Ranks of a world: rows know no more of them. */
#define RANKS (INT64_C(1) << 20)
#define RANK_MAX (RANKS - 1)
#define ID_MAX ((INT64_C(1) << 32) - 1)   /* callsites and modules */
#define COMM_MAX ((INT64_C(1) << 24) - 1) /* also windows and files */
#define CALL_MAX 1023
#define NUMBER_MAX INT32_MAX
#define SUM_MAX INT64_MAX
#define TIME_MAX (INT64_C(1) << 58)  /* nine years [ns] */
#define CLOCK_MAX (INT64_C(1) << 62) /* between the zeros of two machines */

#define RUN(key, least, most)                                                                      \
	{                                                                                          \
		"run", "value", key, 0, 0, least, most                                             \
	}
#define BITS(table, column, field, least, most)                                                    \
	{                                                                                          \
		table, column, NULL, field##_AT, field##_MASK, least, most                         \
	}
#define IN(table, column, least, most)                                                             \
	{                                                                                          \
		table, column, NULL, 0, 0, least, most                                             \
	}
#define RANK_OF(table) IN(table, "rank", 0, RANK_MAX)

/* The first range of a table of many ranks names the column that has the rank. */
const struct db_range db_ranges[] = { RANK_OF("run"), RUN("world_size", 1, RANKS),
	RUN("world", 0, NUMBER_MAX), RUN("pid", 0, NUMBER_MAX), RUN("end_ns", 0, TIME_MAX),
	RUN("found_dead_ns", 0, TIME_MAX), RUN("ops", 0, SUM_MAX), RUN("op_rows", 0, SUM_MAX),
	RUN("ops_left_out", 0, SUM_MAX), RUN("dropped*", 0, SUM_MAX), RUN("clean_finalize", 0, 1),
	RUN("unfinished", 0, 1),

	IN("call_name", "id", 1, CALL_MAX),

	RANK_OF("link_param"), IN("link_param", "peer", 0, RANK_MAX),
	IN("link_param", "bytes", 0, SUM_MAX),

	RANK_OF("module_row"), IN("module_row", "module", 0, ID_MAX), RANK_OF("frame_row"),
	IN("frame_row", "callsite", 0, ID_MAX), IN("frame_row", "frame", 0, NUMBER_MAX),
	IN("frame_row", "module", 0, ID_MAX), IN("frame_row", "line", 0, NUMBER_MAX),
	RANK_OF("site_row"), IN("site_row", "callsite", 0, ID_MAX),
	IN("site_row", "first_rank", 0, RANK_MAX), IN("site_row", "first_callsite", 0, ID_MAX),

	RANK_OF("comm_row"), IN("comm_row", "comm", 0, COMM_MAX),
	IN("comm_row", "maker", 0, CALL_MAX), IN("comm_row", "size", 0, RANKS),
	IN("comm_row", "my_rank", -1, RANK_MAX), IN("comm_row", "remote_size", 0, RANKS),
	IN("comm_row", "peer_world", -1, NUMBER_MAX), RANK_OF("peer_row"),
	IN("peer_row", "peer", 0, RANK_MAX), IN("peer_row", "tier", 0, 2), RANK_OF("rma_window"),
	IN("rma_window", "window", 0, ID_MAX), RANK_OF("io_file"), IN("io_file", "file", 0, ID_MAX),

	BITS("in_call_row", "id", OP_KEY_RANK, 0, RANK_MAX), IN("in_call_row", "call", 0, CALL_MAX),
	IN("in_call_row", "callsite", 0, ID_MAX), IN("in_call_row", "enter", -TIME_MAX, TIME_MAX),
	IN("in_call_row", "peer", 0, RANK_MAX), IN("in_call_row", "bytes", 0, SUM_MAX),
	IN("in_call_row", "not_there", -1, NUMBER_MAX),

	RANK_OF("phase_row"), IN("phase_row", "enter", -TIME_MAX, TIME_MAX),
	IN("phase_row", "leave", -TIME_MAX, TIME_MAX), RANK_OF("phase_cell"),
	IN("phase_cell", "kind", 1, 5), IN("phase_cell", "count", 0, SUM_MAX),
	IN("phase_cell", "bytes", 0, SUM_MAX),

	RANK_OF("clock"), IN("clock", "reference", 0, RANK_MAX),
	IN("clock", "offset_ns", -CLOCK_MAX, CLOCK_MAX), IN("clock", "error_ns", 0, SUM_MAX),

	RANK_OF("call_cell"), IN("call_cell", "thread", 0, NUMBER_MAX),
	IN("call_cell", "call", 0, CALL_MAX), IN("call_cell", "callsite", 0, ID_MAX),
	IN("call_cell", "count", 0, SUM_MAX), IN("call_cell", "bytes", 0, SUM_MAX),
	IN("call_cell", "time_ns", 0, SUM_MAX), IN("call_cell", "max_ns", 0, SUM_MAX),
	IN("call_cell", "tool_ns", 0, SUM_MAX), IN("call_cell", "errors", 0, SUM_MAX),

	RANK_OF("wait_cell"), IN("wait_cell", "callsite", 0, ID_MAX),
	BITS("wait_cell", "code", WAIT_CODE_KIND, 1, 2),  /* KIND_SEND, KIND_RECV */
	BITS("wait_cell", "code", WAIT_CODE_CAUSE, 0, 9), /* cause_name */
	IN("wait_cell", "code", 0, SUM_MAX), IN("wait_cell", "peer", -1, RANK_MAX),
	IN("wait_cell", "comm", 0, COMM_MAX), IN("wait_cell", "bytes_log2", 0, 64),
	IN("wait_cell", "count", 0, SUM_MAX), IN("wait_cell", "bytes", 0, SUM_MAX),
	IN("wait_cell", "blocked_ns", 0, SUM_MAX), IN("wait_cell", "wait_ns", 0, SUM_MAX),
	IN("wait_cell", "max_wait_ns", 0, SUM_MAX), { NULL, NULL, NULL, 0, 0, 0, 0 } };

/*
 * Appends the condition of a row with a value that cannot be. Text is a number as far as it goes,
 * and none is 0.
 */
static void add_condition(sqlite3_str *sql, const struct db_range *r)
{
	if (r->key)
		sqlite3_str_appendf(sql, "key GLOB '%q' AND ", r->key);
	/* a shift of SQLite's keeps the sign */
	sqlite3_str_appendf(sql, "(CAST(\"%w\" AS INTEGER) >> %d & %lld) NOT BETWEEN %lld AND %lld",
		r->column, r->shift, (long long)(r->mask ? r->mask : -1), (long long)r->least,
		(long long)r->most);
}

/* Ranges of the table at r, which stand together. */
static size_t count_ranges(const struct db_range *r)
{
	size_t n = 1;

	while (r[n].table && strcmp(r[n].table, r->table) == 0)
		n++;
	return n;
}

/*
 * Appends the rows that one of n ranges finds; one_rank: of rank ?1. `first` of the table tells
 * whose a row is.
 */
static void add_rows(sqlite3_str *sql, const struct db_range *first, const struct db_range *r,
	size_t n, bool one_rank)
{
	sqlite3_str_appendf(sql, " FROM main.\"%w\" WHERE ", r->table);
	if (one_rank && first->shift)
		sqlite3_str_appendf(sql, "\"%w\" BETWEEN ?1 << %d AND (?1 << %d) + %lld AND ",
			first->column, first->shift, first->shift,
			(INT64_C(1) << first->shift) - 1);
	else if (one_rank && strcmp(first->column, "rank") == 0)
		sqlite3_str_appendall(sql, "rank = ?1 AND ");
	for (size_t i = 0; i < n; i++) {
		sqlite3_str_appendall(sql, i == 0 ? "(" : " OR ");
		add_condition(sql, &r[i]);
	}
	sqlite3_str_appendall(sql, ")");
}

/* Prepares the query and takes it over. A code of SQLite. */
static int prepare(sqlite3 *db, sqlite3_str *query, sqlite3_stmt **out)
{
	char *sql = sqlite3_str_finish(query);
	int code = sql ? sqlite3_prepare_v2(db, sql, -1, out, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return code;
}

int db_ranges_prepare(
	sqlite3 *db, const struct db_range *ranges, bool one_rank, struct db_ranges_query *out)
{
	sqlite3_str *sql = sqlite3_str_new(db);

	*out = (struct db_ranges_query){ .ranges = ranges, .one_rank = one_rank };
	for (const struct db_range *r = ranges; r->table; r += count_ranges(r)) {
		sqlite3_str_appendf(
			sql, "%s SELECT %d", r == ranges ? "" : " UNION ALL", (int)(r - ranges));
		add_rows(sql, r, r, count_ranges(r), one_rank);
	}
	sqlite3_str_appendall(sql, " LIMIT 1");
	return prepare(db, sql, &out->find) == SQLITE_OK ? 0 : -EIO;
}

/* SQLITE_ROW where a value is out of the range: what[size] names it. */
static int name_value(const struct db_ranges_query *q, const struct db_range *first,
	const struct db_range *r, int32_t rank, char *what, size_t size)
{
	sqlite3 *db = sqlite3_db_handle(q->find);
	sqlite3_str *sql = sqlite3_str_new(db);
	sqlite3_stmt *s = NULL;
	int code;

	sqlite3_str_appendf(sql, "SELECT CAST(\"%w\" AS TEXT)%s", r->column, r->key ? ", key" : "");
	add_rows(sql, first, r, 1, q->one_rank);
	sqlite3_str_appendall(sql, " LIMIT 1");
	code = prepare(db, sql, &s);
	if (code == SQLITE_OK) {
		sqlite3_bind_int(s, 1, rank);
		code = sqlite3_step(s);
	}
	if (code == SQLITE_ROW) {
		const char *key = r->key ? (const char *)sqlite3_column_text(s, 1) : NULL;

		snprintf(what, size, "table %s has %s %.40s%s%.40s, which cannot be", r->table,
			r->column, (const char *)sqlite3_column_text(s, 0), key ? " of key " : "",
			key ? key : "");
	}
	sqlite3_finalize(s);
	return code;
}

int db_ranges_check(const struct db_ranges_query *q, int32_t rank, char *what, size_t size)
{
	const struct db_range *first = q->ranges;
	int code;

	sqlite3_bind_int(q->find, 1, rank);
	code = sqlite3_step(q->find);
	if (code == SQLITE_ROW) {
		first += sqlite3_column_int(q->find, 0);
		code = SQLITE_DONE;
		for (size_t i = 0; i < count_ranges(first) && code == SQLITE_DONE; i++)
			code = name_value(q, first, &first[i], rank, what, size);
	}
	sqlite3_reset(q->find);
	return code == SQLITE_ROW ? -EINVAL : code == SQLITE_DONE ? 0 : -EIO;
}

void db_ranges_release(struct db_ranges_query *q)
{
	sqlite3_finalize(q->find);
	q->find = NULL;
}
