/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: runs the sections of report_sections.c and lays them out. */
#include <config.h>

#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/store/db.h"
#include "cmd.h"

/*
 * site: where a function has no name, the first of its callers that has one stands behind "<".
 * part_name, in the order in which they are shown, as text has them and as machines read them: 0 is the run from
 * the end of MPI_Init on, against which shares are; 9 is tryst's own time, which is in no other.
 */
static const char prepare_sql[] =
	"CREATE TEMP TABLE site (rank INTEGER, callsite INTEGER, place TEXT,"
	" PRIMARY KEY (rank, callsite)) WITHOUT ROWID;"
	"INSERT INTO site SELECT rank, callsite,"
	" CASE WHEN function IS NOT NULL AND file IS NOT NULL"
	"  THEN substr(function, 1, instr(function || ' (inlined', ' (inlined') - 1)"
	"   || ' ' || short_file(file) || ':' || line"
	" WHEN function IS NOT NULL THEN function"
	" WHEN module IS NOT NULL THEN short_file(module) || printf('+0x%x', offset)"
	"  || coalesce(' < ' || (SELECT o.function FROM callsite o WHERE o.rank = c.rank"
	"   AND o.callsite = c.callsite AND o.frame > 0"
	"   AND o.function NOT LIKE '\\_\\_libc\\_start%' ESCAPE '\\' AND o.function <> '_start'"
	"   ORDER BY o.frame LIMIT 1), '')"
	" ELSE 'unknown' END FROM (SELECT f.rank, callsite, function, file, line,"
	"  offset, path AS module FROM frame_row f LEFT JOIN module_row m ON m.rank = f.rank"
	"  AND m.module = f.module WHERE frame = 0) c;"
	"INSERT INTO site SELECT t.rank, t.callsite, s.place FROM site_row t JOIN site s"
	" ON s.rank = t.first_rank AND s.callsite = t.first_callsite;"
	"CREATE TEMP TABLE known AS SELECT rank FROM input WHERE EXISTS (SELECT 1 FROM run"
	" WHERE run.rank = input.rank);"
	"CREATE TEMP TABLE part_name (part INTEGER UNIQUE, name TEXT, plain TEXT);"
	"INSERT INTO part_name SELECT column1, column2, coalesce(column3, trim(column2)) FROM (VALUES (0, 'run', NULL),"
	" (1, 'in MPI', NULL), (2, '  waiting in messages', NULL), (10, '    without rows', 'messages without rows'),"
	" (3, '  not predicted', NULL), (4, '  in collectives', NULL), (5, '    waiting there', 'waiting in collectives'),"
	" (11, '    without rows', 'collectives without rows'), (6, '  not returned', NULL), (7, '  polling', NULL),"
	" (8, '  in other calls', NULL), (9, 'tryst itself', NULL));"
	/* ranks of which nobody saw the end: it lies between both; most_ns NULL: not known */
	"CREATE TEMP TABLE unseen_end (rank INTEGER PRIMARY KEY, least_ns INTEGER, most_ns INTEGER);"
	"INSERT INTO unseen_end SELECT e.rank, CAST(e.value AS INTEGER) AS least, (SELECT CAST(d.value AS INTEGER)"
	"  FROM run d WHERE d.rank = e.rank AND d.key = 'found_dead_ns') AS most FROM run e JOIN run c USING (rank)"
	"  JOIN input i USING (rank) WHERE e.key = 'end_ns' AND c.key = 'clean_finalize' AND c.value = 0"
	"  AND i.state <> 'unfinished' AND NOT EXISTS (SELECT 1 FROM run x WHERE x.rank = e.rank AND x.key IN ('exited', 'in_init'))"
	"  AND (most IS NULL OR most > 1.01 * least);"
	"CREATE TEMP TABLE whose (text TEXT);"
	"INSERT INTO whose SELECT iif(EXISTS (SELECT 1 FROM unseen_end), 'the ranks'' time up to their last record',"
	"  'the ranks'' time');"
	/* from the last thing known of the rank, or the time at which it was read, until the last of any */
	"CREATE TEMP TABLE later (rank INTEGER PRIMARY KEY, ns INTEGER);"
	/* one that ran when it was read may have left its call since */
	"INSERT INTO later SELECT rank, iif(state = 'unfinished', 0, max(max(zero + ns) OVER () - zero - ns, 0)) AS ns FROM"
	" (SELECT z.rank, CAST(z.value AS INTEGER) AS zero, CAST(e.value AS INTEGER) AS ns, i.state FROM run z"
	"  JOIN run e USING (rank) LEFT JOIN input i USING (rank)"
	"  WHERE z.key = 'zero_realtime_ns' AND e.key = 'end_ns');"
	/* the last thing known of the rank, or now, is in them; least_ns: with what is known by others */
	"CREATE TEMP TABLE open_call AS SELECT *, ns + coalesce((SELECT l.ns FROM later l WHERE l.rank = o.rank), 0)"
	"  AS least_ns FROM (SELECT c.rank, c.thread, c.call, c.callsite,"
	" max(CAST(r.value AS INTEGER) - max(t.enter, 0), 0) AS ns FROM in_call c"
	" JOIN in_call_row t ON t.id = (c.rank << 40) + c.thread"
	" JOIN run r ON r.rank = c.rank AND r.key = 'end_ns'"
	" WHERE c.call NOT IN ('MPI_Wtime', 'MPI_Wtick')) o;"
	"CREATE TEMP TABLE rank_time (rank INTEGER, part INTEGER, ns INTEGER,"
	" PRIMARY KEY (part, rank)) WITHOUT ROWID;"
	/* calls of several threads have the time of all of them */
	"INSERT INTO rank_time SELECT r.rank, 0, CAST(value AS INTEGER) * max(1, (SELECT count(DISTINCT thread)"
	" FROM call_cell c WHERE c.rank = r.rank)) FROM run r WHERE key = 'end_ns';"
	"INSERT INTO rank_time SELECT rank, 1, sum(ns) FROM (SELECT rank, time_ns AS ns"
	" FROM call_cell WHERE call NOT IN (SELECT id FROM call_name WHERE name IN ('MPI_Init',"
	" 'MPI_Init_thread', 'MPI_Finalize', 'MPI_Wtime', 'MPI_Wtick')) UNION ALL"
	" SELECT rank, ns FROM open_call) GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 6, sum(ns) FROM open_call"
	" WHERE (SELECT sum(ns) FROM open_call) > 0 GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 2, sum(wait_ns) FROM wait_cell WHERE peer >= 0"
	" GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 4, sum(ns) FROM (SELECT rank, iif(call IN (SELECT id FROM call_name"
	"  WHERE is_collective(name)), time_ns, 0) AS ns FROM call_cell"
	/* of nonblocking ones the most is in what completed them */
	" UNION ALL SELECT id >> 40, coalesce(blocked, complete) FROM coll_row WHERE done <> 0) GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 9, sum(tool_ns) FROM call_cell WHERE call NOT IN (SELECT id FROM"
	" call_name WHERE name IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize')) GROUP BY rank;"
	/* below a hundredth it is how programs look for what is mostly there, and what they seldom do */
	"CREATE TEMP TABLE untold AS SELECT part, rank, call, callsite, sum(time_ns) AS ns FROM call_cell"
	" JOIN (SELECT id, iif(is_polling(name), 7, 8) AS part FROM call_name WHERE is_polling(name)"
	"  OR is_other(name)) n ON n.id = call GROUP BY rank, call, callsite;"
	"INSERT INTO rank_time SELECT rank, part, sum(ns) FROM untold JOIN (SELECT part FROM untold GROUP BY part"
	"  HAVING sum(ns) * 100 >= (SELECT sum(ns) FROM rank_time WHERE part = 0)) USING (part) GROUP BY rank, part;";

/*
 * unpredicted(rank, ops, far, blocked_ns, ns): messages of which the time without waits is not known (far: of
 * these, with another world), and what of the time in which they blocked is no known wait. Bit 32 of the code:
 * OP_NO_PREDICTION; without a protocol a prediction, if any, is of overheads learned during the run alone.
 * unpredicted_why(text, helps): the reason, and what would tell.
 */
static const char unpredicted_sql[] =
	"CREATE TEMP TABLE unpredicted AS SELECT rank, sum(count) AS ops,"
	" sum(iif(code >> 37 & 1, count, 0)) AS far, sum(blocked_ns) AS blocked_ns,"
	" sum(blocked_ns - wait_ns) AS ns FROM wait_cell"
	" WHERE peer >= 0 AND (code >> 32 & 1 OR code >> 16 & 3 = 0) GROUP BY rank;"
	"CREATE TEMP VIEW unpredicted_why AS SELECT coalesce((SELECT 'links to processes of other worlds are not"
	" measured' WHERE (SELECT sum(far) = sum(ops) FROM unpredicted)), (SELECT 'calibrating was switched off' FROM run"
	"  WHERE key = 'TRYST_CALIBRATE' AND value = 'off'), (SELECT iif(reason LIKE 'not measured, %',"
	"  'the links were ' || reason, 'the links could not be measured (' || reason || ')') FROM link_param l"
	"  WHERE value IS NULL AND reason IS NOT NULL AND tier <> 'self'"
	"  AND NOT EXISTS (SELECT 1 FROM link_param m WHERE m.rank = l.rank AND m.tier = l.tier AND m.name = 'S'"
	"   AND m.value IS NOT NULL) ORDER BY name = 'S' DESC LIMIT 1), 'link parameters are missing') AS text,"
	" (SELECT iif(sum(far) = sum(ops), '', ': --links or calibrating on an idle machine would tell') FROM unpredicted)"
	"  AS helps;";

/* unblocked: model_error by rank, kind and protocol; where both sides are known less what had no room (report_exact.c). */
static const char model_sql[] =
	"CREATE TEMP TABLE unblocked_part AS SELECT rank, kind, protocol, sum(count) AS count,"
	" sum(predicted_ns) AS predicted_ns, sum(blocked_ns) AS blocked_ns FROM model_error GROUP BY rank, kind, protocol;"
	"CREATE TEMP VIEW unblocked AS SELECT rank, kind, protocol, sum(count) AS count,"
	" sum(predicted_ns) AS predicted_ns, sum(blocked_ns) AS blocked_ns FROM unblocked_part"
	" GROUP BY rank, kind, protocol HAVING sum(count) > 0;";

/* hedge(text): what the verdict has to add where what is not explained could change it. */
static const char hedge_sql[] =
	"INSERT INTO rank_time SELECT rank, 3, ns FROM unpredicted"
	" WHERE (SELECT sum(ns) FROM unpredicted) > 0;"
	"CREATE TEMP TABLE hedge AS SELECT printf('another %.1f %% was spent in message calls whose"
	" no-wait time is not known, since %s%s.',"
	" 100.0 * ns / run, (SELECT text FROM unpredicted_why), (SELECT helps FROM unpredicted_why)) AS text"
	" FROM (SELECT sum(ns) FILTER (WHERE part = 3) AS ns, sum(ns) FILTER (WHERE part = 0) AS run"
	"  FROM rank_time) WHERE ns * 100 >= run AND run > 0;";

/*
 * unconfirmed(text): what the verdict says where links between ranks have numbers that nothing confirmed; one row, "" where
 * there are none, or where nothing was predicted by them.
 */
static const char unconfirmed_sql[] =
	"CREATE TEMP TABLE unconfirmed AS SELECT iif(count(*) = 0 OR coalesce((SELECT alone FROM outlook), 0), '',"
	" ' Predictions rest on unconfirmed link numbers, ' || iif(min(said) = max(said), min(said),"
	"  'of several sets') || ': this launch could not measure (see LINKS).') AS text"
	" FROM (SELECT " MEASURED_AGO("max(value) FILTER (WHERE name = 'age')", "max(reason) FILTER (WHERE name = 'age')")
	"  AS said FROM link_param WHERE tier <> 'self' AND source = 'unconfirmed' GROUP BY rank, tier, peer);";

/*
 * besides(part, text): what the verdict has to add where much time goes into calls whose waits it cannot tell, or not
 * exactly. in_windows(ns, run): what was waited in windows and files, where blame knows of more than messages and
 * collectives have. without_rows(part, why): why ranks lack rows of messages or
 * collectives, most of them; NULL: they were too many.
 */
static const char besides_sql[] =
	"CREATE TEMP VIEW without_rows AS SELECT part, why FROM (SELECT iif(key = 'dropped_ops', 10, 11) AS part,"
	"   " WHY_NOT_WRITTEN("run.rank") " AS why, row_number() OVER (PARTITION BY key ORDER BY sum(CAST(value AS INTEGER)) DESC,"
	"   " WHY_NOT_WRITTEN("run.rank") ") AS nth FROM run WHERE key IN ('dropped_ops', 'dropped_collective')"
	"   AND CAST(value AS INTEGER) > 0 GROUP BY key, why) WHERE nth = 1;"
	"CREATE TEMP TABLE in_windows AS SELECT blamed - waited AS ns, run FROM"
	" (SELECT sum(direct + passed) / 256.0 AS blamed FROM blame_cell WHERE EXISTS (SELECT 1 FROM match_info)),"
	" (SELECT sum(ns) FILTER (WHERE part IN (2, 5)) AS waited, sum(ns) FILTER (WHERE part = 0) AS run FROM rank_time)"
	" WHERE blamed > 1.02 * waited AND (blamed - waited) * 100 >= run AND run > 0;"
	"CREATE TEMP TABLE besides AS SELECT part, printf(iif(part = 7, ' Another %.1f %% is polling, most in %s at"
	" %s: where there was nothing else to do, that is waiting, too, and what such a loop did between these calls.',"
	"  ' Another %.1f %% is in one-sided, file and communicator calls, most in %s at %s: '),"
	"  100.0 * ns / run, (SELECT name FROM call_name WHERE id = call), coalesce(place, 'unknown')) || iif(part = 7, '',"
	"  coalesce((SELECT printf('at least %.1f %% of the ranks'' time is waiting for others there, see BLAME.',"
	"   100.0 * w.ns / w.run) FROM in_windows w), 'how much of it is waiting for others is not told here.')) AS text"
	" FROM (SELECT part, sum(ns) AS ns FROM rank_time WHERE part IN (7, 8) GROUP BY part),"
	"  (SELECT sum(ns) AS run FROM rank_time WHERE part = 0), (SELECT u.part AS of, call, place, row_number() OVER"
	"   (PARTITION BY u.part ORDER BY sum(ns) DESC, call, place) AS n FROM untold u LEFT JOIN site"
	"   USING (rank, callsite) GROUP BY u.part, call, place)"
	" WHERE of = part AND n = 1 AND ns * 20 >= run AND run > 0;"
	"INSERT INTO besides SELECT part, printf(iif(part = 10, ' Of the waiting, %.1f %% of the ranks'' time is in"
	" messages without rows, as seen live (%s).', ' Another %.1f %% is in collectives without"
	" rows: how much of it is waiting is not told.'), 100.0 * ns / run, coalesce('they could not be written: '"
	"   || (SELECT why FROM without_rows w WHERE w.part = p.part), '--max-ops keeps more')) FROM"
	"  (SELECT part, sum(ns) AS ns FROM rank_time WHERE part IN (10, 11) GROUP BY part) p,"
	"  (SELECT sum(ns) AS run FROM rank_time WHERE part = 0) WHERE ns * 100 >= run AND run > 0;";

/*
 * at_end(rank, runs, calls, call, callsite): the ranks that did not reach MPI_Finalize, and in how
 * many calls each was; calls 0: it was outside MPI. wrong, cycle, misfit: report_hang.c. outlook(text, alone): what a verdict has to say before it
 * speaks of waits, and whether that is all that can be said: 1 since nothing was recorded, 2 since it was the start alone,
 * of ranks that then hung. bound(text): "at least", where records were lost with the waits in them.
 */
static const char outlook_sql[] =
	"CREATE TEMP TABLE in_mpi AS SELECT rank, call, kind, peer, tag, callsite FROM pending"
	" WHERE in_call AND call NOT IN ('MPI_Wtime', 'MPI_Wtick');"
	"CREATE TEMP TABLE at_end (rank INTEGER PRIMARY KEY, runs INTEGER, calls INTEGER, call TEXT,"
	" callsite INTEGER, peer INTEGER, kind TEXT, tag INTEGER);"
	"INSERT INTO at_end SELECT r.rank, max(i.state = 'unfinished'), count(p.call), min(p.call),"
	" p.callsite, p.peer, iif(p.kind = 'call' AND p.tag IS NOT NULL, 'recv', p.kind), p.tag"
	" FROM run r JOIN input i ON i.rank = r.rank"
	" LEFT JOIN in_mpi p ON p.rank = r.rank"
	" WHERE r.key = 'clean_finalize' AND r.value = 0 GROUP BY r.rank;"
	"CREATE TEMP TABLE wrong (rank INTEGER, op_id INTEGER, text TEXT, PRIMARY KEY (rank, op_id)) WITHOUT ROWID;"
	"CREATE TEMP TABLE cycle (text TEXT);"
	"CREATE TEMP TABLE misfit (rank INTEGER, op_id INTEGER, text TEXT, PRIMARY KEY (rank, op_id)) WITHOUT ROWID;"
	"CREATE TEMP TABLE outlook (text TEXT, alone INTEGER);"
	"CREATE TEMP VIEW bound AS SELECT iif((SELECT text FROM outlook) LIKE '%.', 'At', 'at') || ' least ' AS text"
	" WHERE (SELECT count(*) FROM known) < (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size')"
	"  AND EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL) OR EXISTS (SELECT 1 FROM run"
	"  WHERE CAST(value AS INTEGER) > 0 AND key IN ('lost_bytes', 'damaged_bytes', 'missing_chunks',"
	"   'damaged_records', 'damaged_regions', 'ring_missing', 'spool_missing'))"
	"  OR EXISTS (SELECT 1 FROM input WHERE state = 'partial');"
	/* between MPI_Pcontrol(0) and (1) */
	"CREATE TEMP VIEW unrecorded AS SELECT sum(CAST(u.value AS INTEGER)) AS ns,"
	" (SELECT sum(ns) FROM rank_time WHERE part = 0) AS run FROM run u WHERE u.key = 'unrecorded_ns';";

/* Behind who is inside calls: why they will never return, where that is seen. */
#define NEVER \
	"coalesce((SELECT printf(', rank %d in %s %s', rank, call, text) FROM wrong w JOIN pending p USING (rank)" \
	"  WHERE p.op_id IS nullif(w.op_id, 0) AND in_call AND (w.op_id OR tag NOT NULL) ORDER BY rank, w.op_id LIMIT 1), '')" \
	" || coalesce((SELECT printf(', rank %d %s %s from %s%s, while %s', rank, iif(p.in_call, 'in', 'waits for'), call," \
	"  coalesce('rank ' || peer, 'any rank'), iif(tag < 0, '', ', tag ' || tag), text) FROM misfit JOIN pending p" \
	"  USING (rank, op_id) WHERE kind = 'recv' ORDER BY rank, op_id LIMIT 1), '')" \
	" || coalesce(', and wait for each other: ' || (SELECT text FROM cycle), '')" \
	" || coalesce((SELECT printf(', rank %d in %s, where %s', rank, call, text) FROM unlike LIMIT 1), '')"

/* And who ended the job. A library that ends it on an error looks like a hang, but for messages that are too long. */
#define ENDED_BY \
	"coalesce((SELECT group_concat(text, '') FROM (SELECT printf('; %s %s called MPI_Abort at %s'," \
	"   iif(count(*) = 1, 'rank', 'ranks'), rank_list(rank), coalesce(place, 'an unknown place')) AS text FROM" \
	"   (SELECT rank, place FROM at_end LEFT JOIN site USING (rank, callsite) WHERE call = 'MPI_Abort' ORDER BY rank)" \
	"   GROUP BY place ORDER BY min(rank) LIMIT 3)) || coalesce((SELECT printf('; and others at %d more places', n - 3)" \
	"   FROM (SELECT count(DISTINCT coalesce(place, '')) AS n FROM at_end LEFT JOIN site USING (rank, callsite)" \
	"   WHERE call = 'MPI_Abort') WHERE n > 3), ''), '')"

static const char verdict_sql[] =
	"WITH n AS (SELECT (SELECT count(*) FROM known) AS known,"
	"  max((SELECT count(*) FROM known), (SELECT coalesce(max(CAST(value AS INTEGER)),"
	"   0) FROM run WHERE key = 'world_size')) AS world,"
	"  (SELECT count(*) FROM run WHERE key = 'in_init') AS starting,"
	"  (SELECT count(*) FROM at_end) AS ended, (SELECT count(*) FROM at_end WHERE runs) AS runs,"
	"  (SELECT count(*) FROM at_end WHERE calls) AS inside,"
	"  (SELECT count(*) FROM call_profile WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread',"
	"   'MPI_Finalize')) AS calls)"
	"INSERT INTO outlook SELECT CASE"
	" WHEN known > 0 AND starting = known THEN iif(runs, 'no rank has left MPI_Init yet', 'no rank came out of"
	" MPI_Init') || ': of waits nothing is known.'"
	" WHEN known > 0 AND calls = 0 AND ended = 0 THEN 'nothing was recorded between MPI_Init and"
	" MPI_Finalize'"
	"  || iif((SELECT 1 FROM run WHERE key = 'TRYST_RECORD' AND value = 'pcontrol'),"
	"   ' (recording waits for MPI_Pcontrol(1), by --record pcontrol)', '')"
	"  || ': of waits nothing is known.'"
	" WHEN runs AND inside THEN printf('%d of %d ranks are inside MPI calls that have not returned,"
	" the longest for %s%s: see PENDING. So far:', inside, world, (SELECT duration(max(least_ns))"
	" FROM open_call), " NEVER ")"
	" WHEN ended AND inside THEN printf('the job did not come to its end; %d of %d ranks were in"
	" calls that never returned', inside, world)"
	"  || coalesce((SELECT ', the longest for at least ' || duration(max(least_ns)) FROM open_call"
	"   HAVING max(least_ns) * 100 > (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns')), '')"
	"  || " NEVER " || " ENDED_BY " || '.'"
	" WHEN ended > runs THEN 'the job did not come to its end.' END"
	" || '', known > 0 AND calls = 0 AND (ended = 0 OR starting = known) FROM n;"
	"UPDATE outlook SET text = coalesce(text || ' ', '') || (SELECT printf('of %d of %d ranks"
	" nothing is known; of the others:', world - known, world) FROM (SELECT (SELECT count(*)"
	"  FROM known) AS known, max(CAST(value AS INTEGER)) AS world FROM run WHERE key = 'world_size')"
	"  WHERE world > known) WHERE NOT alone AND (SELECT count(*) FROM known) < (SELECT"
	"  max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size');"
	"UPDATE outlook SET text = coalesce(text || ' ', '') || (SELECT printf('in %.0f %% of the ranks'' time nothing was recorded,"
	" and what waited then is not known:', 100.0 * ns / run) FROM unrecorded) WHERE NOT alone AND EXISTS (SELECT 1 FROM unrecorded"
	"  WHERE ns * 20 >= run);"
	"UPDATE outlook SET alone = 2, text = printf('%s What share of the time is waiting is not told: the last record is of %s after"
	" MPI_Init, and the job ended by %s.', text, duration(last), duration(most)) FROM"
	" (SELECT max(least_ns) AS last, max(most_ns) AS most FROM unseen_end) WHERE NOT alone AND text LIKE '%.'"
	"  AND most > 10 * (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns')"
	"  AND (EXISTS (SELECT 1 FROM wrong) OR EXISTS (SELECT 1 FROM cycle) OR EXISTS (SELECT 1 FROM misfit) OR EXISTS (SELECT 1 FROM unlike));";

/* The same, of what both sides tell: report_bottlenecks.c. */
static const char besides_exact_sql[] =
	"INSERT INTO besides SELECT 12, printf(' Another %.1f %% is transfers that did not go on before they were completed,"
	" most in %s at %s: see BOTTLENECKS.', 100.0 * ns / run, call, place) FROM (SELECT sum(unhidden_ns) AS ns FROM bottleneck"
	" WHERE cause_id = 7), (SELECT call, place FROM bottleneck WHERE cause_id = 7 ORDER BY unhidden_ns DESC, place LIMIT 1),"
	" (SELECT sum(ns) AS run FROM rank_time WHERE part = 0) WHERE ns * 20 >= run AND run > 0;";

/* Behind all others: who has nothing of a part that somebody has spent no time in it. */
static const char no_time_sql[] =
	"INSERT OR IGNORE INTO rank_time SELECT t.rank, p.part, 0 FROM (SELECT DISTINCT part FROM rank_time) p"
	" CROSS JOIN rank_time t WHERE t.part = 0;";

/* Are both sides known of something that waited, or is there nothing that one side alone knows? -1: cannot be read. */
static const char is_analyzed_sql[] =
	"SELECT count(*) > 0 FROM match_info WHERE key = 'messages' AND (value > 0"
	" OR EXISTS (SELECT 1 FROM collective_wait_row)"
	" OR NOT EXISTS (SELECT 1 FROM wait_cell WHERE wait_ns > 0))";

/* Empty tables before those that `tryst analyze` filled: as if it had not been there. */
static const char one_side_sql[] =
	"CREATE TEMP TABLE match_info AS SELECT * FROM main.match_info WHERE 0;"
	"CREATE TEMP TABLE match_summary AS SELECT * FROM main.match_summary WHERE 0;";

int report_prepare(sqlite3 *db, bool one_side, bool *analyzed)
{
	int64_t both_sides;

	if (one_side && sqlite3_exec(db, one_side_sql, NULL, NULL, NULL) != SQLITE_OK)
		return -EIO;
	both_sides = db_int(db, is_analyzed_sql, -1);
	*analyzed = both_sides > 0;
	if (both_sides < 0
		|| report_functions(db) != 0
		|| sqlite3_exec(db, prepare_sql, NULL, NULL, NULL) != SQLITE_OK
		|| sqlite3_exec(db, unpredicted_sql, NULL, NULL, NULL) != SQLITE_OK
		|| sqlite3_exec(db, model_sql, NULL, NULL, NULL) != SQLITE_OK
		|| sqlite3_exec(db, outlook_sql, NULL, NULL, NULL) != SQLITE_OK
		|| report_prepare_hang(db, *analyzed) != SQLITE_OK
		|| sqlite3_exec(db, verdict_sql, NULL, NULL, NULL) != SQLITE_OK
		|| sqlite3_exec(db, unconfirmed_sql, NULL, NULL, NULL) != SQLITE_OK)
		return -EIO;
	if (*analyzed && (report_prepare_exact(db) != SQLITE_OK
			|| report_prepare_bottlenecks(db) != SQLITE_OK))
		return -EIO;
	return sqlite3_exec(db, hedge_sql, NULL, NULL, NULL) == SQLITE_OK
		&& sqlite3_exec(db, besides_sql, NULL, NULL, NULL) == SQLITE_OK
		&& (!*analyzed || sqlite3_exec(db, besides_exact_sql, NULL, NULL, NULL) == SQLITE_OK)
		&& sqlite3_exec(db, no_time_sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -EIO;
}

static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (strncmp(p, name, length) == 0 && (p[length] == ',' || p[length] == '\0'))
			return true;
	return false;
}

/* The first name in `list` that is no section's, or NULL. */
static const char *unknown_name(const struct section *sections, const char *list)
{
	if (list && !*list)
		return list;
	for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',') {
		const struct section *s = sections;

		while (s->name
			&& (strncmp(p, s->name, strlen(s->name)) != 0
				|| (p[strlen(s->name)] && p[strlen(s->name)] != ',')))
			s++;
		if (!s->name)
			return p;
	}
	return NULL;
}

/* A row may be of several lines: those after the first, and what is wrapped, stand indented. */
static void print_row(FILE *out, const char *text, const char *begin, int columns)
{
	enum { INDENT = 2 };
	int at = (int)strlen(begin);

	fputs(begin, out);
	while (text[strcspn(text, "\n")]) {
		int length = (int)strcspn(text, "\n");
		char *line = strndup(text, (size_t)length);

		print_wrapped(out, line ? line : "", at, INDENT, columns);
		free(line);
		text += length + 1;
		at = INDENT;
		fprintf(out, "%*s", INDENT, "");
	}
	print_wrapped(out, text, at, INDENT, columns);
}

/*
 * A ranking's query ends with its limit. In text one row more is asked for, so that it is told where some are not shown;
 * not all of them, which may cost as much as there are.
 */
static bool is_ranking(const char *sql)
{
	static const char end[] = "LIMIT :top";
	const size_t n = strlen(sql);

	return n >= sizeof end - 1 && strcmp(sql + n - (sizeof end - 1), end) == 0;
}

static int64_t print_lines(FILE *out, sqlite3_stmt *stmt, enum section_kind kind, int columns, int64_t most)
{
	const char *begin = kind == SECTION_RAISED ? "! " : "";
	int64_t rows = 0;
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);

		if (rows++ < most)
			print_row(out, text ? text : "", begin, columns);
	}
	return rc == SQLITE_DONE ? rows : -1;
}

static int print_below(FILE *out, sqlite3 *db, const char *sql, int columns)
{
	sqlite3_stmt *stmt;
	int64_t rows = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK)
		rows = print_lines(out, stmt, SECTION_LINES, columns, INT64_MAX);
	sqlite3_finalize(stmt);
	return rows < 0 ? -EIO : 0;
}

/* The text of a section goes to memory first: a title stands only above something. */
static int print_text(FILE *out, const struct section *s, const struct section_query *q,
	sqlite3_stmt *stmt, const struct report_layout *o, int64_t most, bool first)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int64_t rows;
	int rc = 0;

	if (!memory)
		return -ENOMEM;
	if (s->kind == SECTION_TABLE)
		rows = table_print_first(memory, stmt, o->columns, most);
	else
		rows = print_lines(memory, stmt, s->kind, o->columns, most);
	if (rows > most)
		fputs("... and more; --top shows them\n", memory);
	if (rows > 0 && q->below_sql)
		rc = print_below(memory, sqlite3_db_handle(stmt), q->below_sql, o->columns);
	fclose(memory);
	if ((rows > 0 || s->empty) && q->title && !first)
		fputc('\n', out);
	if ((rows > 0 || s->empty) && q->title && *q->title)
		fprintf(out, "%s\n", q->title);
	if (rows > 0)
		fputs(text, out);
	else if (rows == 0 && s->empty)
		fprintf(out, "%s\n", s->empty);
	else if (rows == 0 && o->sections && s->empty_asked)
		fprintf(out, "%s\n", s->empty_asked);
	free(text);
	return rows < 0 ? -EIO : rc;
}

static int print_section(FILE *out, sqlite3 *db, const struct section *s,
	const struct report_layout *o, bool first)
{
	const struct section_query *q = o->analyzed && s->both ? s->both : &s->one;
	const char *sql = o->format == TABLE_TEXT && q->text_sql ? q->text_sql : q->sql;
	sqlite3_stmt *stmt;
	bool ranks;
	int rc = 0;

	if (!sql)	/* still an (empty) array for who reads JSON */
		sql = "SELECT 1 AS unknown WHERE 0";

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) {
		say_error("section '%s': %s", s->name, sqlite3_errmsg(db));
		return -EIO;
	}
	ranks = o->format == TABLE_TEXT && is_ranking(sql);
	sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, ":top"), o->top + ranks);
	if (o->format == TABLE_TEXT) {
		rc = print_text(out, s, q, stmt, o, ranks ? o->top : INT64_MAX, first);
	} else {
		if (!first)
			fputs(o->format == TABLE_JSON ? ",\n" : "\n", out);
		if (o->format == TABLE_JSON) {
			json_string(out, s->name);
			fputs(": ", out);
		}
		rc = table_print(out, stmt, o->format, 0, s->name) < 0 ? -EIO : 0;
	}
	/* finalize would wipe the message of the error */
	if (rc == -EIO)
		say_error("section '%s': %s", s->name, sqlite3_errmsg(db));
	sqlite3_finalize(stmt);
	return rc;
}

int report_print(FILE *out, sqlite3 *db, const struct section *sections,
	const struct report_layout *o, const char **unknown)
{
	bool first = true;
	int rc = 0;

	*unknown = unknown_name(sections, o->sections);
	if (*unknown)
		return -EINVAL;
	if (o->format == TABLE_JSON)
		fputs("{\n", out);
	for (const struct section *s = sections; s->name; s++) {
		int one;

		if (o->sections && !is_listed(o->sections, s->name))
			continue;
		one = print_section(out, db, s, o, first);
		rc = rc ? rc : one;
		first = false;
	}
	if (o->format == TABLE_JSON)
		fputs("\n}\n", out);
	return rc;
}
