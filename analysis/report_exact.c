/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_exact.c: the report's queries over both sides of the messages.
 *
 * They read sums only: what `tryst analyze` has added up (exact_cell, blame_cell,
 * critical_path_cell, accuracy_cell), and the waits in collectives, which are added up here, once.
 *
 * Ops whose rows were not kept (--max-ops) are in no such sum. The profile has them, with the waits that were seen
 * live: what it says beyond the live waits of the rows (exact_cell.live_ns) is a cause of its own, not_recorded.
 */
#include <config.h>

#include "report.h"
#include "report_model.h"

#include "analysis/match/cells.h"

#define CALL_NAME(code) "(SELECT name FROM call_name WHERE id = " code ")"
#define PLACE(site) "coalesce(" site ".place, 'unknown')"

/*
 * exact_part: the nanoseconds of each cause, where a wait can have several. part 9, unexplained, is
 * signed: what is left of the excess of ops that waited, where their protocol is known. part 10 is not_recorded.
 * coll_part: waits in collectives. done: the call that they were in, call + (callsite << 10), -1: the collective itself.
 */
static const char prepare_sql[] =
	"CREATE TEMP TABLE not_recorded AS SELECT rank, callsite, call, kind, peer, protocol, sum(ns) AS ns"
	" FROM (SELECT rank, callsite, code & 1023 AS call, code >> 10 & 3 AS kind, iif(code >> 37 & 1, -1, peer) AS peer,"
	"  code >> 16 & 3 AS protocol, wait_ns AS ns FROM wait_cell WHERE peer >= 0 AND code >> 16 & 3"
	"  UNION ALL SELECT rank, callsite, code & 1023, code >> 10 & 3, peer, code >> 19 & 3, -live_ns FROM exact_cell"
	"   WHERE code >> 19 & 3)"
	" WHERE rank IN (SELECT rank FROM run WHERE key = 'dropped_ops' AND CAST(value AS INTEGER) > 0)"
	" GROUP BY rank, callsite, call, kind, peer, protocol HAVING sum(ns) > 0;"
	"CREATE TEMP TABLE exact_part (rank INTEGER, callsite INTEGER, call INTEGER, kind INTEGER,"
	" protocol INTEGER, peer INTEGER, cause INTEGER, waits INTEGER, bytes INTEGER, ns INTEGER,"
	" longest_ns INTEGER);"
	"INSERT INTO exact_part WITH e AS (SELECT rank, callsite, code & 1023 AS call,"
	"  code >> 10 & 3 AS kind, code >> 12 & 3 AS protocol, code >> 14 & 15 AS cause, peer,"
	"  sum(waits) AS waits, sum(bytes) AS bytes, sum(late_ns) AS late,"
	"  sum(progress_ns) AS progress, sum(order_ns) AS in_order, sum(flow_ns) AS flow,"
	"  sum(contention_ns) AS contention, sum(other_ns) AS other, max(max_lateness_ns) AS longest"
	"  FROM exact_cell WHERE code >> 14 & 15 GROUP BY rank, callsite, code, peer)"
	" SELECT rank, callsite, call, kind, protocol, peer, iif(kind = 1, 2, 1),"
	"  iif(cause = iif(kind = 1, 2, 1), waits, 0), bytes, late, longest FROM e WHERE late"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 3, iif(cause = 3, waits, 0),"
	"  bytes, progress, 0 FROM e WHERE progress"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 4, iif(cause = 4, waits, 0),"
	"  bytes, in_order, 0 FROM e WHERE in_order"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 5, iif(cause = 5, waits, 0),"
	"  bytes, flow, 0 FROM e WHERE flow"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 6, iif(cause = 6, waits, 0),"
	"  bytes, contention, 0 FROM e WHERE contention"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 9, iif(cause = 9, waits, 0),"
	"  bytes, other, 0 FROM e WHERE other AND protocol"
	" UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 10, 0, NULL, ns, NULL FROM not_recorded;"
	/* waited_sum(ns): what shares are of. Parts below 0 take something off the sum, and are no part of what was waited. */
	"CREATE TEMP TABLE waited_sum AS SELECT sum(max(ns, 0)) AS ns FROM (SELECT sum(ns) AS ns FROM exact_part"
	"  GROUP BY cause);"
	/* callsites of one function alone, as all are but those of function pointers */
	"CREATE TEMP TABLE site_call (rank INTEGER, callsite INTEGER, call TEXT, PRIMARY KEY (rank, callsite)) WITHOUT ROWID;"
	"INSERT INTO site_call SELECT rank, callsite, " CALL_NAME("c.call") " FROM (SELECT rank, callsite, min(call) AS call"
	"  FROM call_cell GROUP BY rank, callsite HAVING min(call) = max(call)) c;"
	/* ranks of which more than one thread calls MPI: there blame and path tell which */
	"CREATE TEMP TABLE threaded (rank INTEGER PRIMARY KEY);"
	"INSERT INTO threaded SELECT rank FROM call_cell GROUP BY rank HAVING min(thread) < max(thread);"
	"CREATE TEMP TABLE coll_part (rank INTEGER, callsite INTEGER, code INTEGER,"
	" late_rank INTEGER, done INTEGER, count INTEGER, ns INTEGER, longest_ns INTEGER,"
	" PRIMARY KEY (rank, callsite, code, late_rank, done)) WITHOUT ROWID;"
	"DELETE FROM rank_time WHERE part = 2;"
	"INSERT INTO rank_time SELECT rank, 2, max(sum(ns), 0) FROM exact_part GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 10, sum(ns) FROM not_recorded GROUP BY rank;"
	/* live, the messages of a call had what its collectives took: shares of one call have the same sum (settle.c) */
	"UPDATE rank_time SET ns = max(ns + (SELECT coalesce(sum(live_blocked_ns - blocked_ns), 0) FROM exact_cell e"
	"  WHERE e.rank = rank_time.rank), 0) WHERE part = 4;"
	"INSERT INTO unblocked_part SELECT rank, 'send', (SELECT name FROM protocol_name WHERE id = code >> 19 & 3) AS own,"
	" -sum(count), -sum(blocked_ns - excess_ns), -sum(live_blocked_ns) FROM exact_cell WHERE code >> 14 & 15 = 5"
	" GROUP BY rank, own;"
	/* the shares of their calls by both sides, less the waits above */
	"UPDATE unpredicted SET ns = max(blocked_ns + coalesce((SELECT sum(blocked_ns - live_blocked_ns"
	"  - iif(code >> 14 & 15, late_ns + progress_ns + order_ns + flow_ns + contention_ns"
	"   + iif(code >> 12 & 3, other_ns, 0), 0)) FROM exact_cell e"
	"  WHERE e.rank = unpredicted.rank AND (code >> 18 & 1 OR code >> 19 & 3 = 0)), 0), 0);";

static const struct cells_layout coll_layout = {
	.table = "coll_part",
	.columns = "rank, callsite, code, late_rank, done, count, ns, longest_ns",
	.keys = 5, .sums = 2, .maxes = 1
};

/* A row a wait: summed in memory, in a sixth of the time that sorting them takes SQLite. */
static int add_collectives(sqlite3 *db)
{
	sqlite3_stmt *s = NULL;
	struct cells *cells;
	int code = cells_new(db, &coll_layout, &cells);

	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(db, "SELECT rank, callsite, code, coalesce(late_rank, -1),"
			" coalesce(done, -1), wait FROM collective_wait_row", -1, &s, NULL);
	while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
		int64_t key[5], wait = sqlite3_column_int64(s, 5);
		struct cell *cell;

		for (int i = 0; i < 5; i++)
			key[i] = sqlite3_column_int64(s, i);
		cell = cells_at(cells, key);
		code = cell ? SQLITE_OK : cells_code(cells);
		if (!cell)
			break;
		cell->sum[0]++;
		cell->sum[1] += wait;
		if (wait > cell->max[0])
			cell->max[0] = wait;
	}
	sqlite3_finalize(s);
	if (code == SQLITE_DONE)
		code = cells_flush(cells);
	cells_free(cells);
	return code;
}

/* Behind the waits in collectives: the time in those without rows, of which nobody knows what was waiting. */
static const char finish_sql[] =
	/* done_ns: in which call a post's waits were; NULL: in the post itself */
	"CREATE TEMP TABLE done_ns AS"
	" SELECT " PLACE("s") " AS place, code & 1023 AS call, code >> 12 & 3 AS protocol, code >> 14 & 15 AS cause,"
	"  NULL AS done_call, NULL AS done_place, late_ns + progress_ns + order_ns + flow_ns + contention_ns"
	"   + iif(code >> 12 & 3, other_ns, 0) AS ns FROM exact_cell e"
	"  LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite WHERE code >> 14 & 15"
	" UNION ALL SELECT " PLACE("s") ", code & 1023, code >> 24 & 3, code >> 20 & 15, NULL, NULL, -wait_ns"
	"  FROM exact_done_cell d LEFT JOIN site s ON s.rank = d.rank AND s.callsite = d.callsite"
	" UNION ALL SELECT " PLACE("s") ", code & 1023, code >> 24 & 3, code >> 20 & 15, " CALL_NAME("code >> 10 & 1023") ", "
		PLACE("t") ", wait_ns FROM exact_done_cell d LEFT JOIN site s ON s.rank = d.rank AND s.callsite = d.callsite"
	"  LEFT JOIN site t ON t.rank = d.rank AND t.callsite = d.done_callsite;"
	/* done_part: of a post's waits, the call in which they were for the longest time, if not in the post itself */
	"CREATE TEMP TABLE done_part AS SELECT place, call, done_call, done_place FROM (SELECT place, call, done_call,"
	"  done_place, row_number() OVER (PARTITION BY place, call ORDER BY sum(ns) DESC, done_place) AS n FROM ("
	"   SELECT place, call, done_call, done_place, ns FROM done_ns"
	"   UNION ALL SELECT " PLACE("s") ", code & 1023, iif(done < 0, NULL, " CALL_NAME("done & 1023") "),"
	"    iif(done < 0, NULL, " PLACE("t") "), ns FROM coll_part c"
	"    LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite"
	"    LEFT JOIN site t ON t.rank = c.rank AND t.callsite = c.done >> 10)"
	"  GROUP BY place, call, done_call, done_place) WHERE n = 1 AND done_call NOT NULL;"
	/* done_of: the same of those with one protocol and cause */
	"CREATE TEMP TABLE done_of AS SELECT place, call, protocol, cause, done_call, done_place FROM (SELECT *,"
	"  row_number() OVER (PARTITION BY place, call, protocol, cause ORDER BY sum(ns) DESC, done_place) AS n FROM done_ns"
	"  GROUP BY place, call, protocol, cause, done_call, done_place) WHERE n = 1 AND done_call NOT NULL;"
	"INSERT INTO rank_time SELECT rank, 5, sum(ns) FROM coll_part GROUP BY rank;"
	"INSERT INTO rank_time SELECT rank, 11, ns FROM (SELECT d.rank, (SELECT sum(time_ns) FROM call_cell c"
	"   JOIN call_name n ON n.id = c.call WHERE c.rank = d.rank AND is_collective(n.name)) -"
	"  (SELECT coalesce(sum(span), 0) FROM coll_row WHERE id BETWEEN d.rank << 40 AND (d.rank << 40) + 0xffffffffff)"
	"  AS ns FROM run d WHERE key = 'dropped_collective' AND CAST(value AS INTEGER) > 0) WHERE ns > 0;";

int report_prepare_exact(sqlite3 *db)
{
	int code = sqlite3_exec(db, prepare_sql, NULL, NULL, NULL);

	if (code == SQLITE_OK)
		code = add_collectives(db);
	return code == SQLITE_OK ? sqlite3_exec(db, finish_sql, NULL, NULL, NULL) : code;
}

#define CAUSE_NAME(code) "iif(" code " = 10, 'not_recorded', (SELECT name FROM cause_name WHERE id = " code "))"
#define RUN_NS "(SELECT sum(ns) FROM rank_time WHERE part = 0)"
#define WAIT_NS "(SELECT ns FROM waited_sum)"

/* Waits in messages and in collectives with one list of reasons, the largest first. */
#define REASONS \
	"WITH reason AS (" \
	" SELECT " CAUSE_NAME("e.cause") " AS cause, " CALL_NAME("e.call") " AS call," \
	"  " PLACE("s") " AS place, sum(ns) AS ns FROM exact_part e" \
	"  LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite GROUP BY 1, 2, 3" \
	" UNION ALL SELECT (SELECT name FROM coll_state_name WHERE id = c.code >> 10)," \
	"  " CALL_NAME("c.code & 1023") ", " PLACE("s") ", sum(ns) FROM coll_part c" \
	"  LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite GROUP BY 1, 2, 3)," \
	" part AS (SELECT cause, sum(ns) AS ns FROM reason GROUP BY cause)," \
	" one AS (SELECT cause, ns FROM part ORDER BY ns DESC LIMIT 1)," \
	" place AS (SELECT r.*, done_call, done_place, printf('in %s at %s', coalesce(done_call || ' at ' ||" \
	"   done_place || ', for ' || r.call, r.call), r.place) AS text FROM (SELECT call, place, sum(ns) AS ns" \
	"   FROM reason WHERE cause = (SELECT cause FROM one) GROUP BY call, place ORDER BY ns DESC, call, place" \
	"   LIMIT 1) r LEFT JOIN done_part d ON d.place = r.place AND " CALL_NAME("d.call") " = r.call)," \
	" total AS (SELECT max(coalesce(sum(ns), 0), 0) AS ns, sum(max(ns, 0)) AS waited_ns, " RUN_NS " AS run_ns" \
	"  FROM part)," \
	/* of the waiting; of what is blamed where that is more, with waits in windows and files */ \
	" blamed AS (SELECT sum(direct + passed) / 256.0 AS ns FROM blame_cell)," \
	" late AS (SELECT rank, 100.0 * sum(direct + passed) / 256.0 / nullif(max(blamed.ns, coalesce(waited_ns, 0)), 0)" \
	"  AS pct, blamed.ns AS blamed_ns FROM blame_cell, blamed, total" \
	"  GROUP BY rank ORDER BY sum(direct + passed) DESC, rank LIMIT 1)," \
	/* as in report_bottlenecks.c: how much of being late is by those who wait as much for others */ \
	" turns AS (SELECT 100.0 * sum(min(b.part, w.part)) AS pct FROM (SELECT rank, 1.0 * sum(direct + passed)" \
	"  / sum(sum(direct + passed)) OVER () AS part FROM blame_cell GROUP BY rank) b JOIN (SELECT rank, 1.0 * sum(ns)" \
	"  / sum(sum(ns)) OVER () AS part FROM rank_time WHERE part IN (2, 5) GROUP BY rank) w USING (rank))"

const struct section_query report_verdict_exact = {
	.title = "",
	.sql = REASONS
	" SELECT total.ns AS wait_ns, 100.0 * total.ns / total.run_ns AS share_pct,"
	" one.cause, one.ns AS cause_ns, place.call, place.place AS \"where\", place.ns AS place_ns,"
	" done_call AS waited_in, done_place AS waited_at,"
	" late.rank AS late_rank, late.pct AS late_rank_pct, (SELECT pct FROM turns) AS in_turns_pct,"
	" (SELECT sum(ns) FROM rank_time WHERE part = 3) AS not_predicted_ns"
	" FROM total LEFT JOIN one LEFT JOIN place LEFT JOIN late",
	.text_sql = REASONS
	" SELECT 'Verdict: ' || coalesce((SELECT text || ' ' FROM outlook), '') || CASE"
	"  WHEN (SELECT alone FROM outlook) THEN ''"
	"  WHEN coalesce(total.run_ns, 0) = 0 THEN 'how long the run took is not known.'"
	"  WHEN EXISTS (SELECT 1 FROM hedge) THEN printf(iif((SELECT text FROM outlook) LIKE '%.', 'At', 'at')"
	" || ' least %.1f %% of ' || (SELECT text FROM whose) || ' is"
	" waiting%s; %s', 100.0 * total.ns / total.run_ns, iif(total.ns * 100 < 2 * total.run_ns, '',"
	"   printf(', %.0f %% of that %s, most %s', 100.0 * one.ns / total.waited_ns, one.cause, place.text)),"
	"   (SELECT text FROM hedge))"
	"  WHEN total.ns * 100 < 2 * total.run_ns AND (SELECT text FROM outlook) IS NULL"
	"   AND NOT EXISTS (SELECT 1 FROM besides) AND NOT EXISTS (SELECT 1 FROM bound) THEN"
	"   printf('waiting is not the problem, it is %.1f %% of the ranks'' time.',"
	"   100.0 * total.ns / total.run_ns)"
	"  WHEN total.ns * 100 < 2 * total.run_ns THEN printf(coalesce((SELECT text FROM bound), '')"
	"   || '%.1f %% of ' || (SELECT text FROM whose) || ' is waiting in %s.', 100.0 * total.ns / total.run_ns,"
	"   CASE WHEN (SELECT text FROM outlook) IS NOT NULL THEN"
	"   'calls that returned' WHEN EXISTS (SELECT 1 FROM besides WHERE part = 8) THEN 'messages and collectives'"
	"   ELSE 'calls that block' END)"
	"  ELSE printf(coalesce((SELECT text FROM bound), '') || '%.0f %% of ' || (SELECT text FROM whose)"
	"   || ' is waiting%s, %.0f %% of that %s; most %s.', 100.0 * total.ns / total.run_ns, iif(EXISTS (SELECT 1 FROM in_windows), ' in messages and collectives', ''), 100.0 * one.ns / total.waited_ns, one.cause, place.text) ||"
	"   CASE WHEN " IN_TURNS("(SELECT pct FROM turns)") " THEN ' Ranks are late in turns, hardly one more than others.'"
	"    WHEN late.pct > 50 THEN printf(' Of %s %.0f %% is for rank %d: see BLAME.', iif(late.blamed_ns >"
	"    total.waited_ns * 1.02, 'that and of waits in windows and files', 'it'), late.pct, late.rank) ELSE '' END END ||"
	"   (SELECT coalesce(group_concat(text, ''), '') FROM (SELECT text FROM besides ORDER BY part <> 10, part))"
	"   || (SELECT text FROM unconfirmed) AS text"
	" FROM total LEFT JOIN one LEFT JOIN place LEFT JOIN late",
};

#define OPS_NOT_RECORDED \
	"(SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = 'dropped_ops')"

/* The waits among it are in no other row; its share of them is not known. */
#define NOT_PREDICTED \
	" UNION ALL SELECT NULL, 'not_predicted', sum(ops), sum(ns), NULL, NULL," \
	" helps('not_predicted') FROM unpredicted HAVING sum(ns) > 0"

/* count and mean_ns are of waits that were mostly for that cause; wait_ns has its part of others, too */
#define CAUSE_ROWS \
	"SELECT (SELECT name FROM protocol_name WHERE id = protocol AND cause <> 10) AS protocol," \
	" " CAUSE_NAME("cause") " AS cause, iif(cause = 10, " OPS_NOT_RECORDED ", nullif(sum(waits), 0)) AS count," \
	" sum(ns) AS wait_ns," \
	" 100.0 * sum(ns) / nullif(" WAIT_NS ", 0) AS share_pct," \
	" sum(iif(waits, ns, 0)) / nullif(sum(waits), 0) AS mean_ns," \
	" coalesce((SELECT iif(unconfirmed AND cause_id IN (5, 6), '(unconfirmed)', help) FROM bottleneck b WHERE b.cause_id = e.cause AND b.protocol_id = e.protocol GROUP BY help" \
	"  ORDER BY sum(wait_ns) DESC LIMIT 1)," \
	"  iif(cause = 10 AND (SELECT why FROM without_rows WHERE part = 10) NOT NULL, '(live)'," \
	"   " HELPS(CAUSE_NAME("cause"), "'flow_control', 'contention'") ")) AS what_helps" \
	" FROM exact_part e GROUP BY iif(cause = 10, NULL, protocol), cause"

/* For machines causes alone: the verdict has not_predicted_ns. */
const struct section_query report_causes_exact = {
	.title = "WAITS by protocol and cause, from both sides",
	.sql = CAUSE_ROWS " ORDER BY wait_ns DESC, protocol, cause",
	.text_sql = "SELECT * FROM (" CAUSE_ROWS NOT_PREDICTED
	") ORDER BY cause = 'not_predicted', wait_ns DESC, protocol, cause",
};

#define EXACT_PREDICTED "sum(iif(code >> 18 & 1, 0, blocked_ns - excess_ns))"

/*
 * The profile, which has what has no row, too; what has one moves from where its own side put it to where both do:
 * a receive's protocol is the sender's, and a call that completed several messages is shared among them anew.
 */
#define PROTOCOL_ROWS(wait) \
	"SELECT iif(kind = 1, 'send', 'recv') AS kind, coalesce((SELECT name FROM protocol_name" \
	"  WHERE id = protocol), 'unknown') AS protocol, sum(count) AS count, sum(bytes) AS bytes," \
	" sum(blocked_ns) AS blocked_ns, iif(protocol, sum(predicted_ns), NULL) AS predicted_ns," \
	" " wait " AS wait_ns, 100.0 * " wait " / nullif(" WAIT_NS ", 0) AS share_pct" \
	" FROM (SELECT code >> 10 & 3 AS kind, code >> 16 & 3 AS protocol, sum(count) AS count," \
	"  sum(bytes) AS bytes, sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns, 0 AS wait_ns" \
	"  FROM wait_cell WHERE peer >= 0 GROUP BY 1, 2" \
	"  UNION ALL SELECT code >> 10 & 3, code >> 19 & 3, -sum(count), -sum(bytes), -sum(live_blocked_ns)," \
	"   -" EXACT_PREDICTED ", 0 FROM exact_cell GROUP BY 1, 2" \
	"  UNION ALL SELECT code >> 10 & 3, code >> 12 & 3, sum(count), sum(bytes), sum(blocked_ns)," \
	"   " EXACT_PREDICTED ", 0 FROM exact_cell GROUP BY 1, 2" \
	"  UNION ALL SELECT kind, protocol, 0, 0, 0, 0, sum(ns) FROM exact_part GROUP BY 1, 2)" \
	" GROUP BY kind, protocol HAVING sum(count)" \
	" ORDER BY 7 DESC, 1, 2"

/* What is left of an excess is signed, and a row of next to no waits can be below 0: nobody waited for less than nothing. */
const struct section_query report_protocols_exact = {
	.title = "MESSAGES by protocol",
	.sql = PROTOCOL_ROWS("sum(wait_ns)"),
	.text_sql = PROTOCOL_ROWS("max(sum(wait_ns), 0)"),
};

#define CALLSITE_ROWS \
	"WITH g AS (SELECT place, call, cause, sum(waits) AS waits, sum(ns) AS ns FROM exact_part e" \
	"  LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite GROUP BY place, call, cause)" \
	"SELECT " PLACE("g") " AS \"where\", " CALL_NAME("g.call") " AS call," \
	" sum(waits) AS count, sum(ns) AS wait_ns," \
	" 100.0 * sum(ns) / nullif(" WAIT_NS ", 0) AS share_pct," \
	" (SELECT " CAUSE_NAME("cause") " FROM g i WHERE i.call = g.call AND i.place IS g.place" \
	"  ORDER BY ns DESC LIMIT 1) AS mostly"
#define BY_CALLSITE \
	" FROM g LEFT JOIN done_part d ON d.place = " PLACE("g") " AND d.call = g.call" \
	" GROUP BY g.place, g.call HAVING sum(ns) > 0 ORDER BY sum(ns) DESC, 1, 2 LIMIT :top"

/* waited_in, waited_at: the call that completed most of what was posted there, where that is another one. */
const struct section_query report_callsites_exact = {
	.title = "WAITS by callsite, from both sides",
	.sql = CALLSITE_ROWS ", done_call AS waited_in, done_place AS waited_at" BY_CALLSITE,
	.text_sql = CALLSITE_ROWS ", done_place AS waited_at" BY_CALLSITE,
};

const struct section_query report_pairs_exact = {
	.title = "WAITS by pair of ranks, from both sides",
	.sql = "SELECT rank AS waiting_rank, iif(kind = 1, 'sends to', 'receives from') AS \"as\","
	" peer, sum(waits) AS count, sum(ns) AS wait_ns,"
	" 100.0 * sum(ns) / nullif(" WAIT_NS ", 0) AS share_pct,"
	" max(longest_ns) AS longest_late_ns"
	" FROM exact_part GROUP BY rank, kind, peer HAVING sum(ns) > 0"
	" ORDER BY sum(ns) DESC, rank, kind, peer LIMIT :top",
};

/* What is no wait says itself in which call it moved. */
#define BOTTLENECKS \
	" FROM (SELECT *, coalesce(wait_ns, unhidden_ns) AS ns FROM bottleneck) b LEFT JOIN done_of d" \
	"  ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn AND d.protocol = protocol_id AND d.cause = cause_id"
#define MOST_LOST " ORDER BY ns DESC, b.place, b.call, b.cause LIMIT :top"

const struct section_query report_bottlenecks_exact = {
	.title = "BOTTLENECKS: why, and what helps",
	.sql = "SELECT b.place AS \"where\", b.call, b.protocol, b.cause, pairs, count, least_bytes,"
	" most_bytes, wait_ns, unhidden_ns, mean_ns, late_mean_ns, late_longest_ns, elsewhere_pct, same_sender_pct, done_call AS waited_in, done_place AS waited_at,"
	" peer_call, peer_place, peer_done_call, peer_done_place, peer_share_pct, inside_pct, late_rank, late_thread,"
	" late_rank_pct, late_activity, computing_pct, in_turns_pct, why, remedy" BOTTLENECKS MOST_LOST,
	.text_sql = "SELECT printf('%s lost in %s%s at %s: %,d %s message%s of %s%s between %d"
	" pair%s of ranks', duration(ns), coalesce(done_call || ' at ' || done_place || ', for ', ''), b.call, b.place,"
	"  count, b.protocol, iif(count = 1, '', 's'), size(least_bytes),"
	"  iif(most_bytes > least_bytes, ' to ' || size(most_bytes), ''), pairs,"
	"  iif(pairs = 1, '', 's')) || char(10) || 'why: ' || why || char(10) || 'what helps: '"
	" || remedy" BOTTLENECKS " WHERE ns >= 0.01 * coalesce(" WAIT_NS ", 0)" MOST_LOST,
};

#define COLLECTIVES \
	"WITH c AS (SELECT s.place, code, late_rank, sum(count) AS count, sum(ns) AS ns," \
	"  max(longest_ns) AS longest_ns FROM coll_part p" \
	"  LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite GROUP BY 1, 2, 3)" \
	"SELECT coalesce(c.place, 'unknown') AS \"where\", " CALL_NAME("code & 1023") " AS call," \
	" (SELECT name FROM coll_state_name WHERE id = code >> 10) AS state, sum(count) AS count," \
	" sum(ns) AS wait_ns,"
#define LATE_RANK \
	" (SELECT nullif(late_rank, -1) FROM c i WHERE i.place IS c.place AND i.code = c.code" \
	"  ORDER BY ns DESC, late_rank LIMIT 1) AS late_rank"
#define BY_PLACE \
	" FROM c LEFT JOIN done_part d ON d.place = coalesce(c.place, 'unknown') AND d.call = code & 1023" \
	" GROUP BY c.place, code ORDER BY sum(ns) DESC, 1, 2 LIMIT :top"

/* late_rank: whom the others waited for most, late_pct of the row's waits. waited_in, waited_at: as for messages. */
const struct section_query report_collectives_exact = {
	.title = "WAITS in collectives, and the rank that was late most",
	.sql = COLLECTIVES " 100.0 * sum(ns) / " RUN_NS " AS run_pct, max(longest_ns) AS longest_ns,"
		LATE_RANK ", 100.0 * max(ns) / nullif(sum(ns), 0) AS late_pct, done_call AS waited_in,"
		" done_place AS waited_at" BY_PLACE,
	.text_sql = COLLECTIVES LATE_RANK ", done_place AS waited_at" BY_PLACE,
	.below_sql = "SELECT 'late_progress: these had been posted in time, and stood still while a member computed. MPI_Test there in"
	" between helps, or less between post and MPI_Wait.' FROM (SELECT sum(ns) AS ns, sum(iif(code >> 10 = 7, ns, 0)) AS still"
	"  FROM coll_part) WHERE 100 * still >= ns AND still > 0",
};

/* Behind the first of these rows, where something follows the ranking. */
#define MORE(rows) \
	"printf('... and %,d more; --top shows them', count(*) - :top) FROM " rows " HAVING count(*) > :top"

#define BLAME_ROWS \
	"WITH b AS (SELECT b.rank, b.thread, " ACTIVITY("b.what", "k.call", "s.place", "a.place") " AS activity," \
	"  sum(direct) / 256 AS direct_ns, sum(passed) / 256 AS passed_ns," \
	"  (sum(direct) + sum(passed)) / 256 AS blame_ns FROM blame_cell b" \
	"  LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite" \
	"  LEFT JOIN site_call k ON k.rank = b.rank AND k.callsite = b.callsite" \
	"  LEFT JOIN site a ON a.rank = b.rank AND a.callsite = b.after GROUP BY 1, 2, 3)," \
	" total AS (SELECT sum(blame_ns) AS ns FROM b) "

/* Of the activities the one that costs most: with max() the other columns are of its row. */
const char report_blame_ranks[] = BLAME_ROWS
	"SELECT rank, ns, activity FROM (SELECT rank, sum(blame_ns) AS ns, activity, max(blame_ns) FROM b, total"
	" WHERE blame_ns > 0 GROUP BY rank)";

const struct section_query report_blame_exact = {
	.title = "BLAME: what late ranks did instead, by what the waits for them cost",
	.sql = BLAME_ROWS
	"SELECT rank, thread, activity AS \"where\", direct_ns, passed_ns AS passed_on_ns, blame_ns,"
	" 100.0 * blame_ns / nullif(total.ns, 0) AS share_pct FROM b, total"
	" WHERE blame_ns > 0 ORDER BY blame_ns DESC, rank, thread, activity LIMIT :top",
	.text_sql = BLAME_ROWS
	"SELECT printf('%s (%.1f %%) rank %d%s %s%s', duration(blame_ns), 100.0 * blame_ns / total.ns,"
	" rank, iif(rank IN (SELECT rank FROM threaded), ' thread ' || thread, ''), activity, iif(passed_ns * 20 > blame_ns, '; ' || duration(passed_ns) ||"
	"  ' of it passed on by ranks that waited themselves', ''))"
	" FROM (SELECT * FROM b WHERE blame_ns > 0 ORDER BY blame_ns DESC, rank, thread, activity LIMIT :top) b, total"
	" UNION ALL SELECT " MORE("b WHERE blame_ns > 0")
	" UNION ALL SELECT printf('%s more of waiting is in messages without rows: for whom is not told',"
	" duration(sum(ns))) FROM not_recorded HAVING sum(ns) > 0",
};

/* Behind its last call a rank computes, as far as the path's cells tell; it may be inside the next one. */
#define PATH_ROWS \
	"WITH last AS (SELECT rank, thread, call, callsite, ns FROM open_call GROUP BY rank, thread)," \
	" cell AS (SELECT c.*, l.call, l.callsite AS open_callsite," \
	"  coalesce(iif(c.what = 1 AND c.callsite = 0, min(path_ns, l.ns), 0), 0) AS open_ns" \
	"  FROM critical_path_cell c LEFT JOIN last l ON l.rank = c.rank AND l.thread = c.thread)," \
	" p AS (SELECT " ACTIVITY("p.what", "k.call", "s.place", "a.place") " AS activity, p.rank," \
	"  iif(p.rank IN (SELECT rank FROM threaded), p.thread, NULL) AS thread," \
	"  sum(path_ns - open_ns) AS ns, sum(max(imbalance_ns - open_ns, 0)) AS imbalance_ns" \
	"  FROM cell p LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite" \
	"  LEFT JOIN site_call k ON k.rank = p.rank AND k.callsite = p.callsite" \
	"  LEFT JOIN site a ON a.rank = p.rank AND a.callsite = p.after GROUP BY 1, 2, 3" \
	"  UNION ALL SELECT printf('in %s at %s (not returned)', call, " PLACE("s") "), p.rank," \
	"  iif(p.rank IN (SELECT rank FROM threaded), p.thread, NULL), sum(open_ns), 0 FROM cell p LEFT JOIN site s ON s.rank = p.rank" \
	"  AND s.callsite = open_callsite WHERE open_ns > 0 GROUP BY 1, 2, 3)," \
	" row AS (SELECT activity, thread, rank_list(rank) AS ranks, sum(ns) AS ns," \
	"  sum(imbalance_ns) AS imbalance_ns FROM (SELECT * FROM p ORDER BY activity, rank)" \
	"  GROUP BY activity, thread)," \
	" total AS (SELECT nullif(value, 0) AS ns FROM match_info WHERE key = 'path_run_ns') "

/* Calls that wait for other ranks, and for whom nobody knows. */
#define UNKNOWN_CALL \
	"CASE WHEN activity GLOB 'in other calls*' THEN 'other calls'" \
	" WHEN activity GLOB 'in MPI_Win_wait *' OR activity GLOB 'in MPI_Win_start *'" \
	"  OR activity GLOB 'in MPI_Win_complete *' OR activity GLOB 'in MPI_Win_lock*'" \
	"  OR activity GLOB 'in MPI_Win_unlock*' OR activity GLOB 'in MPI_Win_flush*'" \
	"  THEN substr(activity, 4, instr(activity, ' at ') - 4) END"

const struct section_query report_path_exact = {
	.title = "CRITICAL PATH: what the run would have to do faster to end earlier",
	.sql = PATH_ROWS
	"SELECT activity AS \"where\", ranks, thread, row.ns AS path_ns,"
	" 100.0 * row.ns / total.ns AS share_pct, imbalance_ns FROM row LEFT JOIN total WHERE row.ns > 0"
	" ORDER BY row.ns DESC, activity, thread LIMIT :top",
	.text_sql = PATH_ROWS
	"SELECT * FROM (SELECT printf('%s (%.1f %%) rank%s %s%s %s%s', duration(row.ns), 100.0 * row.ns / total.ns,"
	" iif(ranks GLOB '*[^0-9]*', 's', ''), ranks, coalesce(' thread ' || thread, ''), activity,"
	" iif(imbalance_ns * 20 > row.ns, '; ' || duration(imbalance_ns) || ' beyond the mean of"
	" all ranks', ''))"
	" FROM row LEFT JOIN total WHERE row.ns > 0 ORDER BY row.ns DESC, activity, thread LIMIT :top)"
	" UNION ALL SELECT " MORE("row WHERE ns > 0")
	" UNION ALL SELECT 'For whom a thread waits of its own rank (joins, barriers of OpenMP) is not seen: it computes then.'"
	" WHERE EXISTS (SELECT 1 FROM row WHERE thread NOT NULL)"
	" UNION ALL SELECT printf('In %s (%.1f %%) a rank may have waited for another one, which is not known: then that one"
	" is on the path.', " UNKNOWN_CALL ", 100.0 * sum(row.ns) / total.ns)"
	" FROM row JOIN total WHERE " UNKNOWN_CALL " NOT NULL GROUP BY " UNKNOWN_CALL
	"  HAVING 20 * sum(row.ns) > total.ns",
};

const struct section_query report_model_exact = {
	.title = "LIVE MODEL on messages that cannot have waited, means",
	.sql = REPORT_MODEL_SQL,
};

const struct section_query report_drift_exact = {
	.title = REPORT_DRIFT_TITLE,
	.sql = REPORT_DRIFT_SQL,
	.text_sql = REPORT_DRIFT_TEXT_SQL("cannot have waited", ""),
};

const struct section_query report_accuracy_exact = {
	.title = "LIVE WAITS against exact ones",
	.sql = "SELECT kind, protocol, sum(count) AS count, sum(bias_ns * count) / sum(count)"
	" AS bias_ns, max(median_error_ns) AS worst_median_error_ns,"
	" 100.0 * sum(right_cause * count) / sum(count) AS right_cause_pct"
	" FROM live_accuracy WHERE protocol IS NOT NULL GROUP BY kind, protocol ORDER BY kind DESC, protocol",
};
