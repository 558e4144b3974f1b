/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_bottlenecks.c: where transfers were held up, why, and what helps.
 *
 *	exact_cell --sums by callsite and cause--> who waited, for how long
 *	peer_side (report_sample.c) --> what the other side did meanwhile
 *	blame_cell of the bottleneck --> who did what instead, through ranks that waited themselves
 *	link_param --> S, S_p and the setting behind S
 *
 * The sums are complete; what the other side did is taken from a sample.
 *
 * Raising S is advised only where it removes the wait: for a send that waits for its receive, while
 * the receiver is inside MPI, and so small that the receiver would buffer it. A setting is named
 * only where the calibration found it to follow S to the byte (pmpi/measure/setting.c). Numbers of a link that nothing
 * confirmed (source unconfirmed) name neither S nor a setting, and other advice by them says so.
 *
 * Posting a receive earlier is advised only where it removes the wait: while the receiver was inside MPI, or where
 * transfers go on without it (async_progress). A receiver that computed (inside_pct below half, from the sample)
 * moves nothing meanwhile, whenever it posted: its waits would become late_progress.
 *
 * Where blame gives most of a bottleneck's waits to computation, the work is to be balanced: of whom and where is what
 * blame says, and where that is no single rank or place, this is said instead. Ranks that are late in turns have
 * about the same work in the sum: there is next to nothing to move from one to the other, and no rank is named. A send that only needed progress has
 * that advice where its receive had not been posted.
 */
#include <config.h>

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/trail.h"
#include "record.h"

/* Beyond it receivers do not buffer, whatever S is: as the view rendezvous_bottlenecks has it. */
enum { BUFFERED_BYTES_MAX = 262144 };

/* Of lateness the share that is other messages' wait, of a loss that of other causes, from which on that is said [%] */
#define ELSEWHERE_TOLD 5

_Static_assert(MODE_SYNCHRONOUS == 2 && PROTOCOL_RENDEZVOUS == 3 && CAUSE_LATE_RECEIVER == 2
	&& CAUSE_LATE_PROGRESS == 3, "numbers in the queries");

/*
 * pair_link: which rows of link_param hold for a pair, by tier and `peer` there (-1: none).
 * receives_alone: whether on these links large messages are received while the program computes, where that is known
 * and confirmed.
 * bottleneck: one row a group; limits of the links that join its pairs. least_bytes: of a cell its power of two, or what the others
 * in it leave for the smallest, were all of them as large as the largest. wait_ns: all that these messages waited, for
 * whatever causes; what is unexplained counts unless it is below 0. mean_ns: of the part that has the row's cause.
 */
static const char groups_sql[] =
	"CREATE TEMP TABLE pair_link (rank INTEGER, peer INTEGER, tier TEXT, other INTEGER, PRIMARY KEY (rank, peer))"
	" WITHOUT ROWID;"
	"INSERT INTO pair_link SELECT p.rank, p.peer, t.name, coalesce((SELECT l.peer FROM run k JOIN link_param l"
	"  ON " LINK_OF("l", "p.rank", "t.name", "CAST(k.value AS INTEGER)") " AND l.name = 'S' AND l.value IS NOT NULL"
	"  WHERE k.rank = p.peer AND k.key = 'host_kind'), -1) FROM peer_row p JOIN tier_name t ON t.id = p.tier;"
	"CREATE TEMP TABLE receives_alone (rank INTEGER, tier TEXT, other INTEGER, alone INTEGER, PRIMARY KEY (rank, tier,"
	"  other)) WITHOUT ROWID;"
	"INSERT INTO receives_alone SELECT rank, tier, coalesce(peer, -1), max(value > 0) FROM link_param"
	" WHERE name = 'async_progress' AND value NOT NULL AND source IS NOT 'unconfirmed' AND coalesce(form, 'recv') LIKE '%recv%' AND model = 'LogGPS'"
	"  AND layout IS NULL GROUP BY 1, 2, 3;"
	"CREATE TEMP TABLE bottleneck (place TEXT, call TEXT, protocol TEXT, cause TEXT,"
	" pairs INTEGER, count INTEGER, least_bytes INTEGER, most_bytes INTEGER, wait_ns INTEGER, unhidden_ns INTEGER,"
	" mean_ns INTEGER, late_mean_ns INTEGER, late_longest_ns INTEGER, elsewhere_pct REAL, same_sender_pct REAL, peer_call TEXT, peer_place TEXT,"
	" peer_done_call TEXT, peer_done_place TEXT, peer_share_pct REAL, inside_pct REAL,"
	" why TEXT, remedy TEXT, kind INTEGER, fn INTEGER, protocol_id INTEGER, cause_id INTEGER,"
	" S INTEGER, S_p INTEGER, setting TEXT, setting_bytes INTEGER, async_progress INTEGER, synchronous_pct REAL,"
	" before_pct REAL, late_rank INTEGER, late_thread INTEGER, late_rank_pct REAL, late_what INTEGER,"
	" late_activity TEXT, computing_pct REAL, in_turns_pct REAL, late_ranks TEXT, through_rank INTEGER, through_pct REAL, help TEXT,"
	" unconfirmed INTEGER);"
	"INSERT INTO bottleneck (kind, fn, protocol_id, cause_id, place, call, protocol, cause,"
	" pairs, count, least_bytes, most_bytes, wait_ns, mean_ns, late_mean_ns, late_longest_ns, elsewhere_pct, same_sender_pct, S, S_p,"
	" setting, setting_bytes, async_progress, unconfirmed)"
	" SELECT e.code >> 10 & 3, e.code & 1023, e.code >> 12 & 3, e.code >> 14 & 15,"
	" coalesce(s.place, 'unknown'), (SELECT name FROM call_name WHERE id = e.code & 1023),"
	" (SELECT name FROM protocol_name WHERE id = e.code >> 12 & 3),"
	" (SELECT name FROM cause_name WHERE id = e.code >> 14 & 15),"
	" count(DISTINCT e.rank << 32 | e.peer), sum(waits),"
	" min(max(iif(bytes_log2, 1 << (bytes_log2 - 1), 0), min(e.bytes - (e.count - 1) * max_bytes, max_bytes))), max(max_bytes),"
	" sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns)"
	"  + max(sum(iif(e.code >> 12 & 3, other_ns, 0)), 0) AS lost_ns,"
	" max(sum(CASE e.code >> 14 & 15 WHEN 3 THEN progress_ns WHEN 4 THEN order_ns"
	"  WHEN 5 THEN flow_ns WHEN 6 THEN contention_ns WHEN 9 THEN other_ns ELSE late_ns END), 0) / max(sum(waits), 1),"
	" iif(e.code >> 14 & 15 < 3, sum(lateness_ns) / max(sum(waits), 1), NULL),"
	" iif(e.code >> 14 & 15 < 3, max(max_lateness_ns), NULL),"
	" iif(e.code >> 14 & 15 < 3, 100.0 - 100.0 * sum(late_ns + order_ns) / nullif(sum(lateness_ns), 0), NULL),"
	" iif(e.code >> 14 & 15 = 4, 100.0 * sum(order_same_ns) / nullif(sum(order_ns), 0), NULL), min(CAST(eager.value"
	"  AS INTEGER)), min(CAST(alone.value AS INTEGER)), max(v.reason),"
	" max(CAST(v.value AS INTEGER)), max(coalesce(a.alone, b.alone)), max(eager.source IS 'unconfirmed')"
	" FROM exact_cell e LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite"
	" LEFT JOIN pair_link p ON p.rank = e.rank AND p.peer = e.peer"
	" LEFT JOIN link_param eager ON " LINK_OF("eager", "e.rank", "p.tier", "p.other")
	"  AND eager.name = 'S'"
	" LEFT JOIN link_param alone ON " LINK_OF("alone", "e.rank", "p.tier", "p.other")
	"  AND alone.name = 'S_p'"
	" LEFT JOIN link_param v ON " LINK_OF("v", "e.rank", "p.tier", "p.other")
	"  AND v.name = 'S_setting'"
	" LEFT JOIN receives_alone a ON a.rank = e.rank AND a.tier = p.tier AND a.other = p.other"
	" LEFT JOIN receives_alone b ON b.rank = e.rank AND b.tier = p.tier AND b.other = -1"
	" WHERE e.code >> 14 & 15 <> 0 AND (e.code >> 12 & 3 = 3 OR e.code >> 14 & 15 IN (1, 3, 4)"
	"  OR (e.code >> 14 & 15 = 2 AND e.code >> 12 & 3 = 0))"
	" GROUP BY 1, 2, 3, 4, 5;"
	"CREATE TEMP TABLE late_pair AS SELECT coalesce(s.place, 'unknown') AS place, e.code & 1023 AS call,"
	"  e.code >> 10 & 3 AS kind, e.code >> 12 & 3 AS protocol, e.code >> 14 & 15 AS cause, e.rank, peer,"
	"  sum(late_ns + progress_ns) AS ns"
	" FROM exact_cell e LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite"
	" WHERE e.code >> 14 & 15 IN (1, 2, 3) AND peer >= 0 GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(late_ns + progress_ns) > 0;"
	"CREATE INDEX late_pair_of ON late_pair (place, call, kind, protocol, cause);"
	"UPDATE bottleneck SET"
	" inside_pct = (SELECT 100.0 * sum(inside_ns) / nullif(sum(late_ns), 0) FROM peer_side p"
	"  WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind"
	"  AND p.protocol = protocol_id AND p.cause = cause_id AND inside_ns IS NOT NULL),"
	" before_pct = (SELECT 100.0 * sum(before_ns) / nullif(sum(late_ns), 0) FROM peer_side p"
	"  WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind"
	"  AND p.protocol = protocol_id AND p.cause = cause_id AND before_ns IS NOT NULL),"
	" synchronous_pct = (SELECT 100.0 * avg(synchronous) FROM peer_side p"
	"  WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind"
	"  AND p.protocol = protocol_id AND p.cause = cause_id);"
	"UPDATE bottleneck SET (peer_call, peer_place, peer_done_call, peer_done_place,"
	"  peer_share_pct) = (SELECT (SELECT name FROM call_name WHERE id = peer_call), peer_place,"
	"  (SELECT name FROM call_name WHERE id = done_call), done_place, 100.0 * sum(late_ns)"
	"   / nullif((SELECT sum(late_ns) FROM peer_side q WHERE q.place = bottleneck.place"
	"    AND q.call = fn AND q.kind = bottleneck.kind AND q.protocol = protocol_id"
	"    AND q.cause = cause_id), 0)"
	"  FROM peer_side p WHERE p.place = bottleneck.place AND p.call = fn"
	"  AND p.kind = bottleneck.kind AND p.protocol = protocol_id AND p.cause = cause_id"
	"  GROUP BY peer_call, peer_place, done_call, done_place ORDER BY sum(late_ns) DESC"
	"  LIMIT 1);";

/* What a cell of blame has of the bottleneck that o numbers. */
#define OF_ORIGIN \
	"CASE o.n WHEN 1 THEN of1 WHEN 2 THEN of2 WHEN 3 THEN of3 WHEN 4 THEN of4 WHEN 5 THEN of5 WHEN 6 THEN of6" \
	" WHEN 7 THEN of7 ELSE of8 END"

/* A row of late_pair is of the bottleneck. */
#define OF_BOTTLENECK \
	"p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind AND p.protocol = protocol_id" \
	" AND p.cause = cause_id"

/* Where they are late in turns, of two ranks one has half of it all the same. */
#define ONE_IS_LATE "NOT " IN_TURNS("in_turns_pct")

/*
 * culprit: what blame says of the waits of each bottleneck that it keeps apart. Whatever has at least half of it is
 * told of: one rank's activity; else that of late_ranks together; else one rank's computing, in several places.
 * through_rank: whom most of the others waited for, and which waited itself. in_turns_pct: how much of being late
 * is by those who wait as much for others; 100 where each rank's shares of both are equal.
 */
static const char blame_sql[] =
	"CREATE TEMP TABLE culprit_thread AS SELECT b.rowid AS bottleneck, c.rank, c.thread, what, "
	ACTIVITY("what", "k.call", "s.place", "a.place") " AS activity, sum(" OF_ORIGIN ") / 256.0 AS ns"
	" FROM blame_cell c CROSS JOIN blame_of_row o ON " OF_ORIGIN " > 0"
	" LEFT JOIN site p ON p.rank = o.rank AND p.callsite = o.callsite"
	" JOIN bottleneck b ON b.place = coalesce(p.place, 'unknown')"
	"  AND fn + (kind << 10) + (protocol_id << 12) + (cause_id << 14) = o.code"
	" LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite"
	" LEFT JOIN site_call k ON k.rank = c.rank AND k.callsite = c.callsite"
	" LEFT JOIN site a ON a.rank = c.rank AND a.callsite = c.after GROUP BY 1, 2, 3, 4, 5;"
	"CREATE TEMP TABLE culprit AS SELECT bottleneck, rank, what, activity, sum(ns) AS ns FROM culprit_thread GROUP BY 1, 2, 3, 4;"
	"CREATE INDEX culprit_of ON culprit (bottleneck, rank);"
	"CREATE TEMP TABLE culprit_sum AS SELECT bottleneck, sum(ns) AS ns, sum(iif(what = 1, ns, 0)) AS computing_ns"
	" FROM culprit GROUP BY bottleneck HAVING sum(ns) > 0;"
	"UPDATE bottleneck SET computing_pct = 100.0 * c.computing_ns / c.ns FROM culprit_sum c"
	" WHERE c.bottleneck = bottleneck.rowid;"
	"CREATE TEMP TABLE kept AS SELECT bottleneck.rowid AS bottleneck, p.rank,"
	"  1.0 * sum(ns) / sum(sum(ns)) OVER (PARTITION BY bottleneck.rowid) AS part"
	" FROM bottleneck CROSS JOIN late_pair p ON " OF_BOTTLENECK " GROUP BY 1, 2;"
	"CREATE INDEX kept_of ON kept (bottleneck, rank);"
	"UPDATE bottleneck SET in_turns_pct = c.pct FROM"
	" (SELECT bottleneck, 100.0 * sum(min(c.part, w.part)) AS pct FROM"
	"   (SELECT bottleneck, rank, sum(k.ns) / s.ns AS part FROM culprit k JOIN culprit_sum s USING (bottleneck)"
	"    GROUP BY bottleneck, rank) c CROSS JOIN kept w USING (bottleneck, rank) GROUP BY bottleneck) c"
	" WHERE c.bottleneck = bottleneck.rowid;"
	"UPDATE bottleneck SET late_rank = c.rank, late_rank_pct = c.pct, late_what = c.what, late_activity = c.activity"
	" FROM (SELECT bottleneck, rank, what, activity, 100.0 * max(c.ns) / s.ns AS pct FROM culprit c"
	"  JOIN culprit_sum s USING (bottleneck) GROUP BY bottleneck) c"
	" WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND " ONE_IS_LATE ";"
	"UPDATE bottleneck SET late_ranks = c.ranks, late_rank_pct = c.pct, late_what = c.what, late_activity = c.activity"
	" FROM (SELECT bottleneck, ranks, what, activity, 100.0 * max(ns) / whole AS pct FROM (SELECT bottleneck,"
	"   rank_list(rank) AS ranks, what, activity, sum(c.ns) AS ns, s.ns AS whole FROM (SELECT * FROM culprit"
	"   ORDER BY bottleneck, activity, rank) c JOIN culprit_sum s USING (bottleneck) GROUP BY bottleneck, activity)"
	"  GROUP BY bottleneck) c"
	" WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND late_rank IS NULL;"
	"UPDATE bottleneck SET late_rank = c.rank, late_rank_pct = c.pct, late_what = 1"
	" FROM (SELECT bottleneck, rank, 100.0 * max(ns) / whole AS pct FROM (SELECT bottleneck, rank, sum(c.ns) AS ns,"
	"   s.ns AS whole FROM culprit c JOIN culprit_sum s USING (bottleneck) WHERE what = 1 GROUP BY bottleneck, rank)"
	"  GROUP BY bottleneck) c"
	" WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND late_rank IS NULL AND late_ranks IS NULL"
	"  AND " ONE_IS_LATE ";"
	"UPDATE bottleneck SET late_thread = (SELECT thread FROM (SELECT thread, sum(ns) AS ns, sum(sum(ns)) OVER () AS whole"
	"   FROM culprit_thread t WHERE t.bottleneck = bottleneck.rowid AND t.rank = late_rank AND t.what = late_what"
	"   AND coalesce(late_activity, t.activity) = t.activity GROUP BY thread) WHERE ns >= 0.9 * whole)"
	" WHERE late_rank IN (SELECT rank FROM threaded);"
	"UPDATE bottleneck SET through_rank = c.peer, through_pct = c.pct FROM (SELECT id, peer, 100.0 * max(ns) /"
	"   (SELECT sum(p.ns) FROM bottleneck JOIN late_pair p ON " OF_BOTTLENECK " WHERE bottleneck.rowid = id) AS pct"
	"  FROM (SELECT bottleneck.rowid AS id, p.peer, sum(p.ns) AS ns FROM bottleneck JOIN late_pair p"
	"   ON " OF_BOTTLENECK " AND p.peer <> late_rank GROUP BY 1, 2) GROUP BY id) c"
	" WHERE c.id = bottleneck.rowid AND c.pct >= 20 AND 200 * (SELECT coalesce(sum(k.ns), 0) FROM culprit k"
	"  WHERE k.bottleneck = c.id AND k.rank = c.peer) < c.pct * (SELECT ns FROM culprit_sum s WHERE s.bottleneck = c.id);";

/* Transfers that did not go on while ranks computed, where they are 2 % of the ranks' time: no waits, but time as well. */
static const char unhidden_sql[] =
	"INSERT INTO bottleneck (kind, fn, protocol_id, cause_id, place, call, protocol, cause, pairs, count, least_bytes,"
	" most_bytes, unhidden_ns, mean_ns, peer_done_call, peer_done_place, unconfirmed)"
	" SELECT code >> 10 & 3, code & 1023, code >> 12 & 3, 7, coalesce(s.place, 'unknown'),"
	" (SELECT name FROM call_name WHERE id = code & 1023), (SELECT name FROM protocol_name WHERE id = code >> 12 & 3),"
	" 'unhidden_transfer', count(DISTINCT u.rank << 32 | u.peer), sum(count),"
	" min(iif(bytes_log2, 1 << (bytes_log2 - 1), 0)), max(max_bytes), sum(unhidden_ns), sum(unhidden_ns) / sum(count),"
	" (SELECT name FROM call_name WHERE id = done & 1023), d.place, (SELECT text <> '' FROM unconfirmed)"
	" FROM unhidden_cell u LEFT JOIN site s ON s.rank = u.rank AND s.callsite = u.callsite"
	" LEFT JOIN site d ON d.rank = u.rank AND d.callsite = u.done >> 10"
	" WHERE 50 * (SELECT sum(unhidden_ns) FROM unhidden_cell) >= (SELECT sum(ns) FROM rank_time WHERE part = 0)"
	" GROUP BY 1, 2, 3, 5, 15, 16;";

static const char read_sql[] =
	"SELECT rowid, kind, cause_id, most_bytes, mean_ns, late_mean_ns, late_longest_ns, S, S_p, setting,"
	" setting_bytes, inside_pct, synchronous_pct, peer_call, peer_place, peer_done_call,"
	" peer_done_place, peer_share_pct, before_pct, late_rank, late_rank_pct, late_what, late_activity,"
	" computing_pct, late_thread, late_ranks, through_rank, through_pct,"
	" async_progress, " IN_TURNS("in_turns_pct") ", elsewhere_pct, same_sender_pct, 100.0 * mean_ns * count / nullif(wait_ns, 0),"
	" unconfirmed FROM bottleneck";

/* A row of read_sql; -1 or NULL: not known. */
struct bottleneck {
	int64_t id;
	int kind, cause;
	int64_t most_bytes;
	int64_t mean_ns;		/* of the waits: of one call they add up to its own */
	int64_t late_mean_ns, late_longest_ns;	/* how late the other side was for the call, whoever else was */
	double elsewhere_pct;		/* of that, what is other messages' wait */
	double own_pct;			/* of what was lost, what has this cause */
	double same_sender_pct;		/* of wrong order, where both messages are of one sender */
	int64_t S, S_p;
	const char *setting;
	int64_t setting_bytes;
	double inside_pct, synchronous_pct;
	const char *peer_call, *peer_place, *done_call, *done_place;
	double peer_share_pct;
	double before_pct;	/* of late progress, before the receive was posted */
	int64_t late_thread;	/* which of late_rank's, where one has nine tenths of it */
	int64_t late_rank;	/* whom blame gives late_rank_pct of the waits, as the next ones: blame_sql */
	double late_rank_pct;
	int late_what;		/* enum trail_what */
	const char *late_activity;
	double computing_pct;	/* of blame, computation; -1: blame is not known */
	bool in_turns;		/* somebody is late each time, and hardly one more than others: none has too much work */
	const char *late_ranks;
	int64_t through_rank;
	double through_pct;
	bool async_progress;	/* of receives, on any of its links */
	bool unconfirmed;	/* numbers of one of its links */
};

static int64_t whole(sqlite3_stmt *s, int i)
{
	return sqlite3_column_type(s, i) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, i);
}

static double real(sqlite3_stmt *s, int i)
{
	return sqlite3_column_type(s, i) == SQLITE_NULL ? -1 : sqlite3_column_double(s, i);
}

static void read_bottleneck(sqlite3_stmt *s, struct bottleneck *b)
{
	*b = (struct bottleneck){ .id = whole(s, 0), .kind = (int)whole(s, 1),
		.cause = (int)whole(s, 2), .most_bytes = whole(s, 3), .mean_ns = whole(s, 4),
		.late_mean_ns = whole(s, 5), .late_longest_ns = whole(s, 6), .S = whole(s, 7), .S_p = whole(s, 8),
		.setting = (const char *)sqlite3_column_text(s, 9), .setting_bytes = whole(s, 10),
		.inside_pct = real(s, 11), .synchronous_pct = real(s, 12),
		.peer_call = (const char *)sqlite3_column_text(s, 13),
		.peer_place = (const char *)sqlite3_column_text(s, 14),
		.done_call = (const char *)sqlite3_column_text(s, 15),
		.done_place = (const char *)sqlite3_column_text(s, 16),
		.peer_share_pct = real(s, 17), .before_pct = real(s, 18), .late_rank = whole(s, 19),
		.late_rank_pct = real(s, 20), .late_what = (int)whole(s, 21),
		.late_activity = (const char *)sqlite3_column_text(s, 22), .computing_pct = real(s, 23),
		.late_thread = whole(s, 24),
		.late_ranks = (const char *)sqlite3_column_text(s, 25), .through_rank = whole(s, 26),
		.through_pct = real(s, 27), .async_progress = whole(s, 28) > 0, .in_turns = whole(s, 29) > 0,
		.elsewhere_pct = real(s, 30), .same_sender_pct = real(s, 31), .own_pct = real(s, 32),
		.unconfirmed = whole(s, 33) > 0 };
}

/* "its MPI_Irecv at recv.c:12 (98 % of a sample of it)" */
static void peer_text(FILE *out, const struct bottleneck *b, const char *whose, const char *what)
{
	if (!b->peer_call) {
		fprintf(out, "%s %s", whose, what);
		return;
	}
	fprintf(out, "%s %s", whose, b->peer_call);
	if (b->peer_place)
		fprintf(out, " at %s", b->peer_place);
	if (b->peer_share_pct >= 0 && b->peer_share_pct < 99.5)
		fprintf(out, " (in %.0f %% of a sample)", b->peer_share_pct);
}

static void why_text(FILE *out, const struct bottleneck *b)
{
	char mean[32], late[32], longest[32];

	duration_text((double)b->mean_ns, mean, sizeof mean);
	duration_text((double)b->late_mean_ns, late, sizeof late);
	duration_text((double)b->late_longest_ns, longest, sizeof longest);
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER:
	case CAUSE_LATE_SENDER:
		peer_text(out, b, b->cause == CAUSE_LATE_RECEIVER ? "late receiver, the other side posts"
								  : "late sender, the other side posts",
			b->cause == CAUSE_LATE_RECEIVER ? "the receive" : "the send");
		fprintf(out, " %s too late on average, %s at most", late, longest);
		if (b->inside_pct >= 0)
			fprintf(out, ", and is inside MPI for %.0f %% of that time", b->inside_pct);
		fputc('.', out);
		if (b->elsewhere_pct >= ELSEWHERE_TOLD)
			fprintf(out, " In %.0f %% of that time other messages kept the same calls, too, and it is counted as"
				" their wait.", b->elsewhere_pct);
		break;
	case CAUSE_LATE_PROGRESS:
		fprintf(out, "late progress, the other side makes no MPI call for %s on average"
			" while the transfer is pending", mean);
		if (b->before_pct > 50) {
			peer_text(out, b, ", before its", "receive");
		} else if (b->peer_call) {
			peer_text(out, b, ", after", "");
			if (b->done_call)
				fprintf(out, ", until %s%s%s", b->done_call, b->done_place ? " at " : "",
					b->done_place ? b->done_place : "");
		}
		fputc('.', out);
		break;
	case CAUSE_WRONG_ORDER:
		peer_text(out, b, "wrong order, before the other side's", "send");
		fprintf(out, " another message lay there for %s on average, and was received later", mean);
		if (b->same_sender_pct >= 0)
			fprintf(out, "; of the same sender in %.0f %% of that time", b->same_sender_pct);
		fputc('.', out);
		break;
	case CAUSE_FLOW_CONTROL:
		fprintf(out, "flow control, messages before it had not been received for %s on"
			" average.", mean);
		break;
	case CAUSE_CONTENTION:
		fprintf(out, "contention, the transfer itself took %s longer than alone, on average.",
			mean);
		break;
	case CAUSE_UNHIDDEN_TRANSFER:
		fprintf(out, "unhidden transfer, %s of each moved only in %s%s%s, though both sides had posted before."
			" That is no wait.", mean, b->done_call, b->done_place ? " at " : "",
			b->done_place ? b->done_place : "");
		break;
	default:
		fprintf(out, "unexplained by what both sides recorded: %s on average.", mean);
	}
	if (b->own_pct >= 0 && 100 - b->own_pct >= ELSEWHERE_TOLD)
		fprintf(out, " That is %.0f %% of what was lost; the rest of these messages' waits has other causes.",
			b->own_pct);
}

/* Would the message have gone without waiting for its receive, had S been larger? */
static void raising_S_text(FILE *out, const struct bottleneck *b)
{
	char size[32];

	if (b->unconfirmed) {
		fputs(" Advice that depends on the link's numbers is left out: they are unconfirmed (see LINKS).", out);
	} else if (b->synchronous_pct > 50) {
		fputs(" Raising S does not help a synchronous send: it waits for its receive.", out);
	} else if (b->S <= 0) {
		fputs(" Whether raising S helps is not known: S was not measured.", out);
	} else if (b->most_bytes > BUFFERED_BYTES_MAX) {
		fprintf(out, " Raising S (%" PRId64 " B) is no remedy: messages beyond %s are not"
			" buffered at the receiver.", b->S,
			bytes_text(BUFFERED_BYTES_MAX, size, sizeof size));
	} else if (b->most_bytes <= b->S) {
		return;
	} else if (b->S_p >= b->S || b->inside_pct >= 50) {
		fprintf(out, " Raising S from %" PRId64 " to %" PRId64 " B helps as well: the send would"
			" not need the receive", b->S, b->most_bytes);
		if (b->setting && b->setting_bytes > 0)
			fprintf(out, " (S follows %s, which would be %" PRId64 ").", b->setting,
				b->most_bytes + b->setting_bytes - b->S);
		else
			fputs(" (which setting moves S here is not known).", out);
	} else if (b->inside_pct >= 0 && b->S_p >= 0) {
		fprintf(out, " Raising S does not help: the receiver is outside MPI for %.0f %% of that"
			" time, and beyond S_p = %" PRId64 " B a send is complete only when the receiver"
			" calls MPI.", 100 - b->inside_pct, b->S_p);
	} else {
		fputs(" Whether raising S helps is not known: it does where the receiver is inside"
		      " MPI.", out);
	}
}

/* What to say of S behind other advice. */
static const char *not_S(const struct bottleneck *b, const char *text)
{
	return b->unconfirmed ? "" : text;
}

/* Blame gives most of it to computation; where blame is not known, the receiver did not call MPI. */
static bool work_is_late(const struct bottleneck *b)
{
	return b->computing_pct >= 0 ? b->computing_pct >= 50 : b->inside_pct >= 0 && b->inside_pct < 50;
}

/* Somebody has most of it, or several ranks do the same or are late in turns. */
static bool is_told_of(const struct bottleneck *b)
{
	return b->late_rank >= 0 || b->late_ranks || b->in_turns;
}

static bool is_balanced_away(const struct bottleneck *b)
{
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER:	/* who does not call MPI receives nothing, whenever it posts */
		return work_is_late(b) && !b->async_progress &&
			(is_told_of(b) || (b->inside_pct >= 0 && b->inside_pct < 50));
	case CAUSE_LATE_SENDER:
		return work_is_late(b) && is_told_of(b);
	case CAUSE_LATE_PROGRESS:	/* it would have been late, had the transfer needed nothing */
		return work_is_late(b) && b->before_pct > 50;
	default:
		return false;
	}
}

/* Both messages are of one sender: it decides which one comes first. */
static bool is_senders_order(const struct bottleneck *b)
{
	return b->same_sender_pct >= 50;
}

/* In the same words where waits are told by cause. */
static void help_text(FILE *out, const struct bottleneck *b)
{
	static const char *const names[] = { [CAUSE_LATE_SENDER] = "late_sender",
		[CAUSE_LATE_RECEIVER] = "late_receiver", [CAUSE_LATE_PROGRESS] = "late_progress",
		[CAUSE_WRONG_ORDER] = "wrong_order", [CAUSE_FLOW_CONTROL] = "flow_control",
		[CAUSE_CONTENTION] = "contention" };
	const char *helps = b->cause > 0 && b->cause <= CAUSE_CONTENTION ? report_helps(names[b->cause]) : NULL;

	if (b->cause == CAUSE_WRONG_ORDER && is_senders_order(b))
		helps = "send it first";
	if (is_balanced_away(b))
		helps = b->in_turns ? "steady the work" : "balance the work";
	fputs(helps ? helps : "", out);
}

static void part_text(FILE *out, const struct bottleneck *b)
{
	if (b->late_rank_pct < 99.5)
		fprintf(out, " (%.0f %% of it)", b->late_rank_pct);
}

/* "rank 2 (98 % of it) computes between a.c:1 and a.c:2" */
static void who_text(FILE *out, const struct bottleneck *b)
{
	const bool computes = b->late_what == TRAIL_COMPUTATION;
	const char *place = b->late_activity && computes ? b->late_activity + strlen("computing") : b->late_activity;

	if (b->late_ranks) {
		fprintf(out, "ranks %s", b->late_ranks);
		part_text(out, b);
		fprintf(out, " %s%s, %s", computes ? "compute" : "are ", place,
			b->in_turns ? "late in turns" : "none of them most of it");
	} else if (b->in_turns) {
		fputs("ranks are late in turns, in several places (see BLAME)", out);
	} else if (b->late_rank >= 0) {
		fprintf(out, "rank %" PRId64, b->late_rank);
		if (b->late_thread >= 0)
			fprintf(out, " thread %" PRId64, b->late_thread);
		part_text(out, b);
		fprintf(out, " %s%s", computes ? "computes" : "is ", place ? place : " in several places (see BLAME)");
		if (b->through_rank >= 0)
			fprintf(out, ", for %.0f %% of it through rank %" PRId64 ", which waited itself",
				b->through_pct, b->through_rank);
	} else {
		fputs("no rank and no place has most of it: see BLAME", out);
	}
}

static void balance_text(FILE *out, const struct bottleneck *b)
{
	fputs(b->in_turns ? "steady the work: " : "balance the work: ", out);
	if (b->computing_pct >= 0)
		who_text(out, b);
	else
		fputs("the other side computes: see BLAME", out);
	if (b->in_turns)
		fputs(". Moving work from one rank to another hardly helps: its time varies, or the machine's, or they take turns by"
		      " design, as in pipelines", out);
}

/* Behind advice that is about the call: what else the late rank does, where that is known. */
static void meanwhile_text(FILE *out, const struct bottleneck *b)
{
	if (b->computing_pct < 0 || b->late_what == TRAIL_NOT_RECORDED)
		return;
	fputs(is_told_of(b) ? " Meanwhile " : " Of what is done instead, ", out);
	who_text(out, b);
	fputc('.', out);
}

static void late_receiver_text(FILE *out, const struct bottleneck *b)
{
	char late[32];

	if (!is_balanced_away(b)) {
		fprintf(out, "post the receive %s earlier.", duration_text((double)b->late_mean_ns, late, sizeof late));
		meanwhile_text(out, b);
	} else {
		balance_text(out, b);
		if (b->inside_pct >= 50 || b->inside_pct < 0)
			fputs(". Posting the receive earlier helps only while the receiver is inside MPI.", out);
		else
			fprintf(out, ". Posting the receive earlier does not help, unless it calls MPI meanwhile (MPI_Test):"
				" the receiver is outside MPI for %.0f %% of that time, and the transfer needs it there.",
				100 - b->inside_pct);
	}
	raising_S_text(out, b);
}

static void late_sender_text(FILE *out, const struct bottleneck *b)
{
	char late[32];

	if (is_balanced_away(b)) {
		balance_text(out, b);
		fprintf(out, ". Or receive later and compute meanwhile%s.", not_S(b, "; raising S does not help"));
	} else {
		fprintf(out, "send %s earlier, or receive later and compute meanwhile%s.",
			duration_text((double)b->late_mean_ns, late, sizeof late),
			not_S(b, "; raising S does not help"));
		meanwhile_text(out, b);
	}
}

static void late_progress_text(FILE *out, const struct bottleneck *b)
{
	if (!is_balanced_away(b)) {
		fprintf(out, "call MPI there while computing (MPI_Test, MPI_Iprobe), or post and complete"
			" closer together%s.", not_S(b, "; raising S does not help here"));
		meanwhile_text(out, b);
		return;
	}
	balance_text(out, b);
	fprintf(out, ". Or call MPI there while computing (MPI_Test, MPI_Iprobe): the send needs no more%s.",
		not_S(b, "; raising S does not help here"));
}

/* What waits is waited for all the same: the wait's end is its sender's doing alone (order.h). */
static void wrong_order_text(FILE *out, const struct bottleneck *b)
{
	if (is_senders_order(b))
		fputs("have the sender send this message first, or do the work between the two behind them, unless it needs"
		      " that order. Receiving the other one first does not end the wait earlier: it helps only as far as"
		      " there is work on that to be done meanwhile.", out);
	else
		fputs("work on the other message meanwhile: take what comes first (MPI_Irecv and MPI_Waitany, or"
		      " MPI_ANY_SOURCE). Receiving the other one first does not end the wait earlier, but lets its sender go on,"
		      " where that waits for it; who sends this one late is in BLAME.", out);
}

static void remedy_text(FILE *out, const struct bottleneck *b)
{
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER:
		late_receiver_text(out, b);
		break;
	case CAUSE_LATE_SENDER:
		late_sender_text(out, b);
		break;
	case CAUSE_LATE_PROGRESS:
		late_progress_text(out, b);
		break;
	case CAUSE_WRONG_ORDER:
		wrong_order_text(out, b);
		break;
	case CAUSE_FLOW_CONTROL:
		fputs("receive earlier, or send fewer messages ahead.", out);
		break;
	case CAUSE_CONTENTION:
		fputs("spread the transfers over time.", out);
		break;
	case CAUSE_UNHIDDEN_TRANSFER:
		fputs("call MPI while computing (MPI_Test), or have the library move messages meanwhile by itself"
		      " (asynchronous progress, where it has a setting for that).", out);
		break;
	default:
		fputs("unknown.", out);
	}
	if (b->unconfirmed && (b->cause == CAUSE_FLOW_CONTROL || b->cause == CAUSE_CONTENTION ||
			b->cause == CAUSE_UNHIDDEN_TRANSFER))
		fputs(" This rests on numbers of the link that are unconfirmed (see LINKS).", out);
}

static int store_text(sqlite3_stmt *update, int i, const struct bottleneck *b,
	void (*write)(FILE *, const struct bottleneck *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return SQLITE_NOMEM;
	write(out, b);
	if (fclose(out) != 0)
		return SQLITE_NOMEM;
	return sqlite3_bind_text(update, i, text, -1, free);
}

static int add_texts(sqlite3 *db)
{
	sqlite3_stmt *read = NULL, *update = NULL;
	struct bottleneck b;
	int rc = sqlite3_prepare_v2(db, read_sql, -1, &read, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, "UPDATE bottleneck SET why = ?1, remedy = ?2,"
			" help = nullif(?3, '') WHERE rowid = ?4", -1, &update, NULL);
	while (rc == SQLITE_OK && (rc = sqlite3_step(read)) == SQLITE_ROW) {
		read_bottleneck(read, &b);
		rc = store_text(update, 1, &b, why_text);
		if (rc == SQLITE_OK)
			rc = store_text(update, 2, &b, remedy_text);
		if (rc == SQLITE_OK)
			rc = store_text(update, 3, &b, help_text);
		if (rc != SQLITE_OK)
			break;
		sqlite3_bind_int64(update, 4, b.id);
		sqlite3_step(update);
		rc = sqlite3_reset(update);
	}
	sqlite3_finalize(update);
	sqlite3_finalize(read);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int report_prepare_bottlenecks(sqlite3 *db)
{
	int rc = report_sample(db);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, groups_sql, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, blame_sql, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, unhidden_sql, NULL, NULL, NULL);
	return rc == SQLITE_OK ? add_texts(db) : rc;
}
