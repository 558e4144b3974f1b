/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_sample.c: what the other side did while a message waited, from a sample of them.
 *
 *	match_row --SAMPLE_BLOCKS blocks, evenly spread--> waited
 *	op_row of run.db, else of the ranks' files --by id--> sample_op
 *	both, and busy_row --> peer_side
 *
 * At most SAMPLE_BLOCKS * BLOCK_ROWS messages are looked at, so that the report of a long run does
 * not take longer. Blocks, not single rows, because rows of one page are read at once.
 */
#include <config.h>

#include "report.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_(x)
#define BLOCK_ROWS 64
#define SAMPLE_BLOCKS 128

enum { FILES_MAX = 64 };	/* of ranks, opened for rows that run.db left out */

_Static_assert(MODE_SYNCHRONOUS == 2 && PROTOCOL_RENDEZVOUS == 3 && CAUSE_LATE_RECEIVER == 2
	&& CAUSE_LATE_PROGRESS == 3, "numbers in the queries");

/* From the post until the call in which it blocked was entered. */
#define UNTIL_DONE "iif(done > 0, span + gap, 0)"

/* Of a send that waited for its receive all of what that was late by, also where other messages have a part of the wait. */
#define LATENESS "iif(w.cause = 2, max(w.late_ns, w.apart - o.until_done), w.late_ns)"

/*
 * Both ops of sampled messages that are in temp.bottleneck: the one that waited and its peer. apart: of a send that
 * waited, how long after its post the receive was posted.
 */
static const char waited_sql[] =
	"CREATE TEMP TABLE waited (op INTEGER, peer_op INTEGER, protocol INTEGER, cause INTEGER,"
	" late_ns INTEGER, apart INTEGER);"
	"INSERT INTO waited WITH RECURSIVE"
	" most(n) AS (SELECT coalesce(max(id), 0) FROM match_row),"
	" block(first) AS (SELECT 1 UNION ALL SELECT first + max(" TEXT_OF(BLOCK_ROWS) ","
	"  (SELECT n FROM most) / " TEXT_OF(SAMPLE_BLOCKS) ") FROM block WHERE first < (SELECT n FROM"
	"  most))"
	" SELECT iif(code >> 6 & 3 = 1, send, recv), iif(code >> 6 & 3 = 1, recv, send), code & 3,"
	" code >> 2 & 15, CASE code >> 2 & 15 WHEN 3 THEN progress WHEN 4 THEN in_order ELSE late END, iif(code >> 6 & 3 = 1, recv_enter, NULL)"
	" FROM block CROSS JOIN match_row m ON m.id BETWEEN block.first AND block.first + "
	TEXT_OF(BLOCK_ROWS) " - 1"
	" WHERE code >> 6 & 3 <> 0 AND (code & 3 = 3 OR code >> 2 & 15 IN (1, 3, 4)"
	"  OR (code >> 2 & 15 = 2 AND code & 3 = 0));"
	"CREATE TEMP TABLE sample_op (id INTEGER PRIMARY KEY, code INTEGER, post INTEGER,"
	" callsite INTEGER, done INTEGER, until_done INTEGER);"
	"INSERT OR IGNORE INTO sample_op SELECT o.id, code, post, callsite, done, " UNTIL_DONE " FROM"
	" (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w"
	" CROSS JOIN op_row o ON o.id = w.id;";

static const char missing_sql[] =
	"SELECT DISTINCT i.file FROM (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w"
	" JOIN input i ON i.rank = w.id >> 40 WHERE w.id NOT IN (SELECT id FROM sample_op)"
	" AND i.file IS NOT NULL LIMIT ?";

static const char take_sql[] =
	"INSERT OR IGNORE INTO sample_op SELECT o.id, code, post, callsite, done, " UNTIL_DONE " FROM"
	" (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w"
	" CROSS JOIN rank_file.op_row o ON o.id = w.id;"
	"DETACH rank_file";

/*
 * inside_ns: of late_ns, how long the other side was inside MPI. Its post is on its own clock, and
 * how long before that it was needed is the same on any clock. before_ns: of late_ns, of a send that did not need its
 * receive, how long that had not been posted.
 */
static const char sides_sql[] =
	"CREATE TEMP TABLE peer_side (place TEXT, call INTEGER, kind INTEGER, protocol INTEGER,"
	" cause INTEGER, late_ns INTEGER, inside_ns INTEGER, before_ns INTEGER, synchronous INTEGER,"
	" peer_call INTEGER, peer_place TEXT, done_call INTEGER, done_place TEXT);"
	"INSERT INTO peer_side"
	" SELECT coalesce(s.place, 'unknown'), o.code & 1023, o.code >> 10 & 3, w.protocol, w.cause,"
	" " LATENESS ","
	" CASE w.cause WHEN 2 THEN inside_ns(p.id >> 40, p.post - " LATENESS ", p.post) END,"
	" iif(w.cause = 3 AND w.protocol <> 3, max(min(w.late_ns, w.apart - o.until_done), 0), NULL),"
	" o.code >> 12 & 3 = 2, p.code & 1023, t.place,"
	" CASE WHEN p.done > 0 THEN p.done & 1023 END, d.place"
	" FROM waited w CROSS JOIN sample_op o ON o.id = w.op CROSS JOIN sample_op p ON p.id = w.peer_op"
	" LEFT JOIN site s ON s.rank = o.id >> 40 AND s.callsite = o.callsite"
	" LEFT JOIN site t ON t.rank = p.id >> 40 AND t.callsite = p.callsite"
	" LEFT JOIN site d ON d.rank = p.id >> 40 AND d.callsite = p.done >> 10 AND p.done > 0;";

/* Where a rank's file was when it was merged, or beside the database that was opened. */
static bool find_file(sqlite3 *db, const char *file, char *path, size_t size)
{
	const char *main_file = sqlite3_db_filename(db, "main"), *name = strrchr(file, '/');
	const char *slash = main_file ? strrchr(main_file, '/') : NULL;

	if (snprintf(path, size, "%s", file) < (int)size && access(path, R_OK) == 0)
		return true;
	return slash && snprintf(path, size, "%.*s%s", (int)(slash + 1 - main_file), main_file,
			name ? name + 1 : file) < (int)size && access(path, R_OK) == 0;
}

/* Rows of one rank's file. One that cannot be read leaves the sample smaller. */
static void take_from(sqlite3 *db, const char *file)
{
	char path[PATH_MAX];
	sqlite3_stmt *s;
	int code;

	if (!find_file(db, file, path, sizeof path)
		|| sqlite3_prepare_v2(db, "ATTACH ? AS rank_file", -1, &s, NULL) != SQLITE_OK)
		return;
	sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
	sqlite3_step(s);
	code = sqlite3_finalize(s);
	if (code == SQLITE_OK && sqlite3_exec(db, take_sql, NULL, NULL, NULL) != SQLITE_OK)
		sqlite3_exec(db, "DETACH rank_file", NULL, NULL, NULL);
}

static int take_missing(sqlite3 *db)
{
	char *file[FILES_MAX];
	sqlite3_stmt *s;
	int n = 0, code = sqlite3_prepare_v2(db, missing_sql, -1, &s, NULL);

	if (code != SQLITE_OK)
		return code;
	sqlite3_bind_int(s, 1, FILES_MAX);
	while (n < FILES_MAX && sqlite3_step(s) == SQLITE_ROW)
		file[n++] = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
	code = sqlite3_finalize(s);
	for (int i = 0; i < n; i++) {
		if (file[i])
			take_from(db, file[i]);
		sqlite3_free(file[i]);
	}
	return code;
}

int report_sample(sqlite3 *db)
{
	int code = sqlite3_exec(db, waited_sql, NULL, NULL, NULL), removed;

	if (code == SQLITE_OK)
		code = take_missing(db);
	if (code == SQLITE_OK)
		code = report_inside_function(db);
	if (code != SQLITE_OK)
		return code;
	code = sqlite3_exec(db, sides_sql, NULL, NULL, NULL);
	removed = report_inside_remove(db);
	return code == SQLITE_OK ? removed : code;
}
