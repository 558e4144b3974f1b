/* SPDX-License-Identifier: BSD-3-Clause */
/* ranges.c: the values that columns can have, a row a column (ranges.h). */
#include "analysis/format/db/ranges.h"

#include "analysis/format/db/db.h"
#include "analysis/format/db/queries.h"
#include "include/layouts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define RANK_MAX DB_RANK_MAX
#define RANKS (RANK_MAX + 1)
#define SITE_MAX DB_CALLSITE_MAX
#define ID_MAX ((INT64_C(1) << 32) - 1) /* modules, windows and files */
#define COMM_MAX ((INT64_C(1) << 24) - 1)
#define THREAD_MAX UINT32_MAX
#define CALL_MAX 1023
#define CAUSE_MAX 10  /* cause_name */
#define STATE_MAX 7   /* coll_state_name */
#define REASON_MAX 11 /* unmatched_name */
#define LOG2_MAX 64
#define NUMBER_MAX INT32_MAX
#define NUMBER_MIN INT32_MIN
#define TIME_MAX (INT64_C(1) << 58)   /* nine years [ns] */
#define COMMON_MAX (INT64_C(1) << 61) /* a common time: a rank's own time, corrected [ns] */
#define WAIT_MAX (INT64_C(1) << 50)   /* 13 days, so that a report can add 8,000 waits [ns] */
#define CLOCK_MAX (INT64_C(1) << 62)  /* distance of the zeros of two machines [ns] */

/*
 * Limits of sums over rows. SQLite's sum() fails beyond 2^63. A query adds up to two columns in one
 * sum, so a column may have half of that: 1.2 million hours, or four exabytes. Of the parts of
 * waits a query adds up to eight columns.
 */
#define ADDS_MAX 4.6e18
#define PARTS_MAX 1.1e18
#define ONE_MAX ((int64_t)ADDS_MAX)

#define RUN(key, least, most, adds)                                                                \
	{                                                                                          \
		"run", "value", key, 0, 0, least, most, adds                                       \
	}
#define BITS(table, column, field, least, most)                                                    \
	{                                                                                          \
		table, column, NULL, field##_AT, field##_MASK, least, most, 0                      \
	}
#define IN(table, column, least, most)                                                             \
	{                                                                                          \
		table, column, NULL, 0, 0, least, most, 0                                          \
	}
/* A column that queries add up. SUM: never below 0. SIGNED: any. PART: a part of a wait. */
#define SUM(table, column)                                                                         \
	{                                                                                          \
		table, column, NULL, 0, 0, 0, ONE_MAX, ADDS_MAX                                    \
	}
#define SIGNED(table, column)                                                                      \
	{                                                                                          \
		table, column, NULL, 0, 0, -ONE_MAX, ONE_MAX, ADDS_MAX                             \
	}
#define PART(table, column)                                                                        \
	{                                                                                          \
		table, column, NULL, 0, 0, -(int64_t)PARTS_MAX, (int64_t)PARTS_MAX, PARTS_MAX      \
	}
#define WAIT(column) IN("match_row", column, -WAIT_MAX, WAIT_MAX)
#define KEY_MAX (((RANK_MAX + 1) << OP_KEY_RANK_AT) - 1)
#define RANK_OF(table) IN(table, "rank", 0, RANK_MAX)
#define RANK_IN(table, column) BITS(table, column, OP_KEY_RANK, 0, RANK_MAX)
#define SITE_OF(table) IN(table, "callsite", 0, SITE_MAX)
#define TIME(table, column) IN(table, column, -TIME_MAX, TIME_MAX)
/* A call and its callsite. The bits above them are 0. */
#define DONE_OF(table)                                                                             \
	BITS(table, "done", DONE_CALLSITE, 0, SITE_MAX), IN(table, "done", 0, DONE_MOST)
#define DONE_MOST ((DB_CALLSITE_MAX << DONE_CALLSITE_AT) | DONE_CALL_MASK)
/* One-sided operations and those on files */
#define TRANSFERS(table)                                                                           \
	RANK_IN(table, "id"), IN(table, "call", 0, CALL_MAX), IN(table, "object", 0, ID_MAX),      \
		IN(table, "peer", NUMBER_MIN, NUMBER_MAX), SIGNED(table, "bytes"),                 \
		TIME(table, "enter"), SIGNED(table, "span"), IN(table, "thread", 0, THREAD_MAX),   \
		SITE_OF(table), IN(table, "seq", 0, INT64_MAX), DONE_OF(table),                    \
		TIME(table, "gap"), SIGNED(table, "complete"), SIGNED(table, "blocked")

/*
 * The first range of a table of many ranks names the column that has the rank. Not here: names by
 * number, and what can have any value (uid, base, offset).
 */
const struct db_range db_ranges[] = {
	/* this table comes first: db_ranges_for_analysis() skips it */
	RANK_IN("off_cpu_row", "id"), TIME("off_cpu_row", "enter"), SUM("off_cpu_row", "span"),
	IN("off_cpu_row", "thread", -NUMBER_MAX, NUMBER_MAX), IN("off_cpu_row", "what", 1, 3),
	IN("off_cpu_row", "callsite", 0, ID_MAX), IN("off_cpu_row", "after", 0, ID_MAX),

	RANK_OF("run"), RUN("world_size", 1, RANKS, 0), RUN("world", 0, NUMBER_MAX, 0),
	RUN("pid", 0, NUMBER_MAX, 0), RUN("end_ns", 0, TIME_MAX, ADDS_MAX),
	RUN("found_dead_ns", 0, TIME_MAX, 0), RUN("ops", 0, ONE_MAX, ADDS_MAX),
	RUN("op_rows", 0, ONE_MAX, ADDS_MAX), RUN("ops_left_out", 0, ONE_MAX, ADDS_MAX),
	RUN("dropped*", 0, ONE_MAX, ADDS_MAX), RUN("unrecorded_ns", 0, TIME_MAX, ADDS_MAX),
	RUN("calls_left", 0, ONE_MAX, ADDS_MAX), RUN("lost_bytes", 0, ONE_MAX, ADDS_MAX),
	RUN("missing_chunks", 0, ONE_MAX, ADDS_MAX), RUN("damaged_*", 0, ONE_MAX, ADDS_MAX),
	RUN("clean_finalize", 0, 1, 0), RUN("unfinished", 0, 1, 0),
	RUN("sample_period_ns", 1, 1000000000, 0), RUN("sample_stack_bytes", 0, 1024, 0),
	RUN("samples_in_calls", 0, ONE_MAX, ADDS_MAX), RUN("samples_lost_*", 0, ONE_MAX, ADDS_MAX),
	RUN("unsampled_threads", 0, ONE_MAX, ADDS_MAX),
	RUN("unlocked_threads", 0, ONE_MAX, ADDS_MAX), RUN("small_buffers", 0, ONE_MAX, ADDS_MAX),
	RUN("samples_dropped", 0, ONE_MAX, ADDS_MAX),

	IN("call_name", "id", 1, CALL_MAX),

	RANK_OF("link_param"), IN("link_param", "peer", 0, RANK_MAX),
	IN("link_param", "bytes", 0, ONE_MAX),

	RANK_OF("module_row"), IN("module_row", "module", 0, ID_MAX), RANK_OF("frame_row"),
	SITE_OF("frame_row"), IN("frame_row", "frame", 0, NUMBER_MAX),
	IN("frame_row", "module", 0, ID_MAX), IN("frame_row", "line", 0, NUMBER_MAX),
	RANK_OF("site_row"), SITE_OF("site_row"), IN("site_row", "first_rank", 0, RANK_MAX),
	IN("site_row", "first_callsite", 0, SITE_MAX),

	RANK_OF("sample_cell"), IN("sample_cell", "thread", -NUMBER_MAX, NUMBER_MAX),
	IN("sample_cell", "callsite", 0, ID_MAX), IN("sample_cell", "after", 0, ID_MAX),
	IN("sample_cell", "place", 0, ID_MAX), SUM("sample_cell", "count"), RANK_OF("off_cpu_cell"),
	IN("off_cpu_cell", "thread", -NUMBER_MAX, NUMBER_MAX), IN("off_cpu_cell", "what", 1, 3),
	IN("off_cpu_cell", "callsite", 0, ID_MAX), IN("off_cpu_cell", "after", 0, ID_MAX),
	SUM("off_cpu_cell", "count"), SUM("off_cpu_cell", "ns"),
	IN("off_cpu_cell", "max_ns", 0, ONE_MAX),

	RANK_OF("comm_row"), IN("comm_row", "comm", 0, COMM_MAX),
	IN("comm_row", "parent", 0, COMM_MAX), IN("comm_row", "maker", 0, CALL_MAX),
	IN("comm_row", "size", 0, RANKS), IN("comm_row", "my_rank", -1, RANK_MAX),
	IN("comm_row", "remote_size", 0, RANKS), IN("comm_row", "peer_world", -1, NUMBER_MAX),
	RANK_OF("peer_row"), IN("peer_row", "peer", 0, RANK_MAX), IN("peer_row", "tier", 0, 2),
	RANK_OF("rma_window"), IN("rma_window", "window", 0, ID_MAX),
	IN("rma_window", "comm", 0, COMM_MAX), IN("rma_window", "bytes", 0, ONE_MAX),
	RANK_OF("io_file"), IN("io_file", "file", 0, ID_MAX), IN("io_file", "comm", 0, COMM_MAX),

	RANK_IN("pending_op_row", "id"), RANK_IN("pending_coll_row", "id"),
	RANK_IN("pending_rma_row", "id"), RANK_IN("pending_io_row", "id"),

	RANK_IN("coll_row", "id"), IN("coll_row", "code", 0, CALL_MAX),
	IN("coll_row", "seq", 0, INT64_MAX), IN("coll_row", "comm", 0, (INT64_C(1) << 56) - 1),
	IN("coll_row", "root", NUMBER_MIN, NUMBER_MAX), SIGNED("coll_row", "sent_bytes"),
	SIGNED("coll_row", "recv_bytes"), TIME("coll_row", "post"), SIGNED("coll_row", "span"),
	SITE_OF("coll_row"), DONE_OF("coll_row"), TIME("coll_row", "gap"),
	SIGNED("coll_row", "complete"), SIGNED("coll_row", "blocked"),

	TRANSFERS("rma_row"), TRANSFERS("io_row"),

	RANK_IN("in_call_row", "id"), IN("in_call_row", "call", 0, CALL_MAX),
	SITE_OF("in_call_row"), TIME("in_call_row", "enter"), RANK_IN("in_call_row", "op"),
	IN("in_call_row", "peer", 0, RANK_MAX), IN("in_call_row", "tag", NUMBER_MIN, NUMBER_MAX),
	IN("in_call_row", "comm", 0, COMM_MAX), IN("in_call_row", "bytes", 0, ONE_MAX),
	IN("in_call_row", "seq", 0, INT64_MAX), IN("in_call_row", "not_there", -1, NUMBER_MAX),

	RANK_OF("phase_row"), IN("phase_row", "thread", 0, THREAD_MAX), TIME("phase_row", "enter"),
	TIME("phase_row", "leave"), RANK_OF("phase_cell"), IN("phase_cell", "kind", 1, 5),
	SUM("phase_cell", "count"), SUM("phase_cell", "bytes"), SUM("phase_cell", "blocked_ns"),
	SIGNED("phase_cell", "wait_ns"), IN("phase_cell", "max_wait_ns", -ONE_MAX, ONE_MAX),

	RANK_OF("clock"), IN("clock", "reference", 0, RANK_MAX),
	IN("clock", "at_ns", -COMMON_MAX, COMMON_MAX),
	IN("clock", "offset_ns", -CLOCK_MAX, CLOCK_MAX), IN("clock", "error_ns", 0, INT64_MAX),
	RANK_OF("clock_cell"), IN("clock_cell", "from_ns", -CLOCK_MAX, CLOCK_MAX),
	IN("clock_cell", "at", -COMMON_MAX, COMMON_MAX),
	IN("clock_cell", "offset", -CLOCK_MAX, CLOCK_MAX),
	IN("clock_cell", "change", -CLOCK_MAX, CLOCK_MAX), IN("clock_cell", "span", 1, CLOCK_MAX),

	RANK_OF("call_cell"), IN("call_cell", "thread", 0, NUMBER_MAX),
	IN("call_cell", "call", 0, CALL_MAX), SITE_OF("call_cell"), SUM("call_cell", "count"),
	SUM("call_cell", "bytes"), SUM("call_cell", "time_ns"), SUM("call_cell", "max_ns"),
	SUM("call_cell", "tool_ns"), SUM("call_cell", "errors"),

	RANK_OF("wait_cell"), SITE_OF("wait_cell"),
	BITS("wait_cell", "code", WAIT_CODE_KIND, 1, 2), /* KIND_SEND, KIND_RECV */
	BITS("wait_cell", "code", WAIT_CODE_CAUSE, 0, CAUSE_MAX),
	IN("wait_cell", "code", 0, INT64_MAX), IN("wait_cell", "peer", -1, RANK_MAX),
	IN("wait_cell", "comm", 0, COMM_MAX), IN("wait_cell", "bytes_log2", 0, LOG2_MAX),
	SUM("wait_cell", "count"), SUM("wait_cell", "bytes"), SUM("wait_cell", "blocked_ns"),
	SIGNED("wait_cell", "predicted_ns"), SIGNED("wait_cell", "excess_ns"),
	SUM("wait_cell", "wait_ns"), IN("wait_cell", "max_wait_ns", 0, ONE_MAX),

	/* What an analysis makes: merging reads none of it from a rank's file. */
	IN("match_row", "send", 0, KEY_MAX), IN("match_row", "recv", 0, KEY_MAX),
	IN("match_row", "send_enter", -COMMON_MAX, COMMON_MAX),
	IN("match_row", "recv_enter", -COMMON_MAX, COMMON_MAX), IN("match_row", "code", 0, 255),
	WAIT("late"), WAIT("progress"), WAIT("wrong_order"), WAIT("flow"), WAIT("contention"),
	WAIT("other"), WAIT("unhidden"), IN("match_row", "no_cpu", 0, WAIT_MAX),
	IN("match_row", "blocked_outside", 0, WAIT_MAX),

	RANK_OF("match_summary_cell"), IN("match_summary_cell", "kind", 1, 2),
	IN("match_summary_cell", "reason", 0, REASON_MAX), SUM("match_summary_cell", "ops"),
	RANK_IN("alone_row", "id"), IN("alone_row", "reason", 1, REASON_MAX),
	SIGNED("match_info", "value"),

	RANK_OF("exact_cell"), SITE_OF("exact_cell"),
	BITS("exact_cell", "code", EXACT_CODE_CAUSE, 0, CAUSE_MAX),
	IN("exact_cell", "code", 0, NUMBER_MAX), IN("exact_cell", "peer", -1, RANK_MAX),
	IN("exact_cell", "comm", 0, COMM_MAX), IN("exact_cell", "bytes_log2", 0, LOG2_MAX),
	SUM("exact_cell", "count"), SUM("exact_cell", "bytes"), SUM("exact_cell", "waits"),
	PART("exact_cell", "blocked_ns"), PART("exact_cell", "excess_ns"),
	PART("exact_cell", "late_ns"), PART("exact_cell", "progress_ns"),
	PART("exact_cell", "order_ns"), PART("exact_cell", "flow_ns"),
	PART("exact_cell", "contention_ns"), PART("exact_cell", "other_ns"),
	SUM("exact_cell", "receives_too"), PART("exact_cell", "live_ns"),
	PART("exact_cell", "live_blocked_ns"), PART("exact_cell", "lateness_ns"),
	PART("exact_cell", "order_same_ns"), PART("exact_cell", "no_cpu_ns"),
	PART("exact_cell", "other_no_cpu_ns"), PART("exact_cell", "blocked_outside_ns"),
	IN("exact_cell", "max_lateness_ns", 0, ONE_MAX), IN("exact_cell", "max_bytes", 0, ONE_MAX),

	RANK_OF("exact_done_cell"), SITE_OF("exact_done_cell"),
	BITS("exact_done_cell", "code", EXACT_DONE_CODE_CAUSE, 0, CAUSE_MAX),
	IN("exact_done_cell", "code", 0, NUMBER_MAX),
	IN("exact_done_cell", "done_callsite", 0, SITE_MAX), SUM("exact_done_cell", "waits"),
	PART("exact_done_cell", "wait_ns"),

	RANK_OF("collective_wait_row"), IN("collective_wait_row", "seq", 0, INT64_MAX),
	IN("collective_wait_row", "comm", 0, COMM_MAX),
	BITS("collective_wait_row", "code", COLL_WAIT_CODE_STATE, 0, STATE_MAX),
	IN("collective_wait_row", "code", 0, NUMBER_MAX), PART("collective_wait_row", "wait"),
	IN("collective_wait_row", "late_rank", 0, RANK_MAX), SITE_OF("collective_wait_row"),
	DONE_OF("collective_wait_row"), IN("collective_wait_row", "start", -COMMON_MAX, COMMON_MAX),
	PART("collective_wait_row", "no_cpu"), PART("collective_wait_row", "blocked_outside"),

	BITS("wait_slot_cell", "site", SITE_RANK, 0, RANK_MAX),
	BITS("wait_slot_cell", "site", SITE_CALLSITE, 0, SITE_MAX),
	IN("wait_slot_cell", "code", 0, NUMBER_MAX), IN("wait_slot_cell", "slot", 0, 127),
	PART("wait_slot_cell", "ns"),

	RANK_OF("unhidden_cell"), SITE_OF("unhidden_cell"),
	IN("unhidden_cell", "code", 0, NUMBER_MAX), DONE_OF("unhidden_cell"),
	IN("unhidden_cell", "peer", -1, RANK_MAX), IN("unhidden_cell", "bytes_log2", 0, LOG2_MAX),
	SUM("unhidden_cell", "count"), PART("unhidden_cell", "unhidden_ns"),
	IN("unhidden_cell", "max_bytes", 0, ONE_MAX),

	/* error_class: eight for each bit of a time */
	IN("accuracy_cell", "bytes_log2", 0, LOG2_MAX), IN("accuracy_cell", "code", 0, NUMBER_MAX),
	IN("accuracy_cell", "error_class", 0, 503), SUM("accuracy_cell", "count"),
	SIGNED("accuracy_cell", "error_ns"), SUM("accuracy_cell", "agreed"),

	RANK_OF("model_lost_cell"), IN("model_lost_cell", "code", 0, NUMBER_MAX),
	IN("model_lost_cell", "bytes_log2", 0, LOG2_MAX), SUM("model_lost_cell", "count"),
	SIGNED("model_lost_cell", "predicted_ns"), SIGNED("model_lost_cell", "excess_ns"),

	RANK_OF("blame_cell"), IN("blame_cell", "thread", 0, THREAD_MAX),
	IN("blame_cell", "what", 0, 4), SITE_OF("blame_cell"),
	IN("blame_cell", "after", 0, SITE_MAX), IN("blame_cell", "direct", -ONE_MAX, ONE_MAX),
	IN("blame_cell", "passed", -ONE_MAX, ONE_MAX), IN("blame_cell", "of1", -ONE_MAX, ONE_MAX),
	IN("blame_cell", "of2", -ONE_MAX, ONE_MAX), IN("blame_cell", "of3", -ONE_MAX, ONE_MAX),
	IN("blame_cell", "of4", -ONE_MAX, ONE_MAX), IN("blame_cell", "of5", -ONE_MAX, ONE_MAX),
	IN("blame_cell", "of6", -ONE_MAX, ONE_MAX), IN("blame_cell", "of7", -ONE_MAX, ONE_MAX),
	IN("blame_cell", "of8", -ONE_MAX, ONE_MAX), IN("blame_cell", "no_cpu", 0, ONE_MAX),
	IN("blame_cell", "blocked", 0, ONE_MAX), RANK_OF("blame_of_row"),
	IN("blame_of_row", "n", 1, 8),
	BITS("blame_of_row", "code", BOTTLENECK_CODE_CAUSE, 0, CAUSE_MAX),
	IN("blame_of_row", "code", 0, NUMBER_MAX), SITE_OF("blame_of_row"),

	RANK_OF("critical_path_cell"), IN("critical_path_cell", "thread", 0, THREAD_MAX),
	IN("critical_path_cell", "what", 0, 4), SITE_OF("critical_path_cell"),
	IN("critical_path_cell", "after", 0, SITE_MAX), SIGNED("critical_path_cell", "path_ns"),
	SIGNED("critical_path_cell", "imbalance_ns"), SUM("critical_path_cell", "no_cpu_ns"),
	SUM("critical_path_cell", "blocked_ns"), { NULL, NULL, NULL, 0, 0, 0, 0, 0 }
};

/*
 * Appends the condition that a row has an impossible value. In a column of numbers any text is
 * impossible, too. In table run the number that a text begins with counts; without one, 0 does.
 */
static void add_condition(sqlite3_str *sql, const struct db_range *r)
{
	if (r->key)
		sqlite3_str_appendf(
			sql, "key GLOB '%q' AND CAST(\"%w\" AS INTEGER)", r->key, r->column);
	else if (r->shift || r->mask) /* a shift of SQLite's keeps the sign */
		sqlite3_str_appendf(sql, "(\"%w\" >> %d & %lld)", r->column, r->shift,
			(long long)(r->mask ? r->mask : -1));
	else
		sqlite3_str_appendf(sql, "\"%w\"", r->column);
	sqlite3_str_appendf(
		sql, " NOT BETWEEN %lld AND %lld", (long long)r->least, (long long)r->most);
}

/* The number of ranges of r's table. They are adjacent. */
static size_t count_ranges(const struct db_range *r)
{
	size_t n = 1;

	while (r[n].table && strcmp(r[n].table, r->table) == 0)
		n++;
	return n;
}

/* Appends the sum of absolute values of a column whose values are in their range. */
static void add_total(sqlite3_str *sql, const struct db_range *r)
{
	if (r->key)
		sqlite3_str_appendf(sql,
			"total(CAST(\"%w\" AS INTEGER)) FILTER (WHERE key GLOB '%q')", r->column,
			r->key);
	else
		sqlite3_str_appendf(
			sql, r->least < 0 ? "total(abs(\"%w\"))" : "total(\"%w\")", r->column);
}

/* Appends the table, and which of its rows to read. Its first range names the column of the rank.
 */
static void add_table(sqlite3_str *sql, const struct db_range *first, bool one_rank)
{
	sqlite3_str_appendf(sql, " FROM main.\"%w\" WHERE ", first->table);
	if (one_rank && first->shift)
		sqlite3_str_appendf(sql, "\"%w\" BETWEEN ?1 << %d AND (?1 << %d) + %lld",
			first->column, first->shift, first->shift,
			(INT64_C(1) << first->shift) - 1);
	else
		sqlite3_str_appendall(
			sql, one_rank && strcmp(first->column, "rank") == 0 ? "rank = ?1" : "true");
}

/* Appends the rows with a value that one of n ranges refuses. */
static void add_values(sqlite3_str *sql, const struct db_range *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sqlite3_str_appendall(sql, i == 0 ? " AND (" : " OR ");
		add_condition(sql, &r[i]);
	}
	sqlite3_str_appendall(sql, ")");
}

/* Appends a query of the sums of n ranges, which has a row if one is beyond its limit. */
static void add_sums(sqlite3_str *sql, const struct db_range *r, size_t n, bool one_rank)
{
	const char *between = " FROM (SELECT ";

	for (size_t i = 0; i < n; i++)
		if (r[i].adds > 0) {
			sqlite3_str_appendall(sql, between);
			add_total(sql, &r[i]);
			sqlite3_str_appendf(sql, " AS sum%d", (int)i);
			between = ", ";
		}
	add_table(sql, r, one_rank);
	between = ") WHERE ";
	for (size_t i = 0; i < n; i++)
		if (r[i].adds > 0) {
			sqlite3_str_appendf(sql, "%ssum%d > %.17g", between, (int)i, r[i].adds);
			between = " OR ";
		}
}

static bool has_sums(const struct db_range *r, size_t n)
{
	while (n > 0 && r[n - 1].adds <= 0)
		n--;
	return n > 0;
}

/* Prepares the query and frees its text. Returns a code of SQLite. */
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
		const size_t n = count_ranges(r);

		sqlite3_str_appendf(
			sql, "%s SELECT %d", r == ranges ? "" : " UNION ALL", (int)(r - ranges));
		add_table(sql, r, one_rank);
		add_values(sql, r, n);
		if (!has_sums(r, n))
			continue;
		/* asked behind the values, and only if all of them are in their range */
		sqlite3_str_appendf(sql, " UNION ALL SELECT %d", (int)(r - ranges));
		add_sums(sql, r, n, one_rank);
	}
	sqlite3_str_appendall(sql, " LIMIT 1");
	return prepare(db, sql, &out->find) == SQLITE_OK ? 0 : -EIO;
}

/* Runs the query and frees it; what[size] describes its first row. Returns a code of SQLite. */
static int ask(const struct db_ranges_query *q, sqlite3_str *query, int32_t rank,
	const struct db_range *r, bool total, char *what, size_t size)
{
	sqlite3_stmt *s = NULL;
	int code = prepare(sqlite3_db_handle(q->find), query, &s);

	if (code == SQLITE_OK) {
		sqlite3_bind_int(s, 1, rank);
		code = sqlite3_step(s);
	}
	if (code == SQLITE_ROW) {
		const char *key = r->key ? (const char *)sqlite3_column_text(s, 1) : NULL;

		snprintf(what, size, "table %s has %s %s%.40s%s%.40s, which cannot be", r->table,
			r->column, total ? "that add up to " : "",
			(const char *)sqlite3_column_text(s, 0), key ? " of key " : "",
			key ? key : "");
	}
	sqlite3_finalize(s);
	return code;
}

/* Returns SQLITE_ROW if the range refuses a value or the sum of all; what[size] then names it. */
static int name_value(const struct db_ranges_query *q, const struct db_range *first,
	const struct db_range *r, int32_t rank, char *what, size_t size)
{
	sqlite3 *db = sqlite3_db_handle(q->find);
	sqlite3_str *sql = sqlite3_str_new(db);
	int code;

	sqlite3_str_appendf(sql, "SELECT CAST(\"%w\" AS TEXT)%s", r->column, r->key ? ", key" : "");
	add_table(sql, first, q->one_rank);
	add_values(sql, r, 1);
	sqlite3_str_appendall(sql, " LIMIT 1");
	code = ask(q, sql, rank, r, false, what, size);
	if (code != SQLITE_DONE || r->adds <= 0)
		return code;
	sql = sqlite3_str_new(db);
	sqlite3_str_appendall(sql, "SELECT printf('%.3g', total), key FROM (SELECT ");
	add_total(sql, r);
	sqlite3_str_appendf(sql, " AS total, '%q' AS key", r->key ? r->key : "");
	add_table(sql, first, q->one_rank);
	sqlite3_str_appendf(sql, ") WHERE total > %.17g", r->adds);
	return ask(q, sql, rank, r, true, what, size);
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

const struct db_range *db_ranges_for_analysis(void)
{
	return db_ranges + count_ranges(db_ranges);
}

const struct db_range *db_ranges_of_analysis(void)
{
	const struct db_range *r = db_ranges;

	while (strcmp(r->table, "match_row") != 0)
		r++;
	return r;
}

/* All ranks of a database have the same world size, and are below it. */
static int check_world(sqlite3 *db, char *what, size_t size)
{
	sqlite3_stmt *s = NULL;
	int rc = db_prepare(db, sql_db_run_world, &s);

	if (rc == 0 && (rc = db_step(s)) > 0) {
		long long last = sqlite3_column_int64(s, 0), least = sqlite3_column_int64(s, 1),
			  most = sqlite3_column_int64(s, 2);

		rc = least < most || (least && last >= least) ? -EINVAL : 0;
		if (rc && least < most)
			snprintf(what, size, "table run has world_size %lld and %lld", least, most);
		else if (rc)
			snprintf(what, size, "table run has rank %lld in a world of %lld", last,
				least);
	}
	sqlite3_finalize(s);
	return rc;
}

int db_ranges_hold(sqlite3 *db, const struct db_range *ranges, const char *verb, const char *path,
	const struct say *say)
{
	struct db_ranges_query query;
	char what[256] = "";
	int rc = db_ranges_prepare(db, ranges, false, &query);

	if (rc == 0)
		rc = db_ranges_check(&query, -1, what, sizeof what);
	db_ranges_release(&query);
	if (rc == 0 && ranges != db_ranges_of_analysis())
		rc = check_world(db, what, sizeof what);
	if (rc)
		say_line(say, "cannot %s '%s': %s", verb, path, *what ? what : sqlite3_errmsg(db));
	return rc;
}

void db_ranges_release(struct db_ranges_query *q)
{
	sqlite3_finalize(q->find);
	q->find = NULL;
}
