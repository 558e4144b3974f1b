/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_bottlenecks.c: where transfers were held up, why, and what helps.
 *
 *	exact_cell --sums by callsite and cause--> who waited, for how long
 *	peer_side (report_sample.c) --> what the other side did meanwhile
 *	link_param --> S, S_p and the setting behind S
 *
 * The sums are complete; what the other side did is taken from a sample.
 *
 * Raising S is advised only where it removes the wait: for a send that waits for its receive, while
 * the receiver is inside MPI, and so small that the receiver would buffer it; and not where the call that
 * completes it also waits for a message, as long. A setting is named
 * only where the calibration found it to follow S to the byte (pmpi/measure/setting.c).
 *
 * Posting a receive earlier is advised only where it removes the wait: while the receiver was inside MPI, or where
 * transfers go on without it (async_progress). A receiver that computed (inside_pct below half, from the sample)
 * moves nothing meanwhile, whenever it posted: its waits would become late_progress. There the work of the rank
 * that was late most is to be balanced, by the place before its receives to which blame gives most of its computing.
 */
#include <config.h>

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "record.h"

/* Beyond it receivers do not buffer, whatever S is: DESIGN of the view rendezvous_bottlenecks. */
enum { BUFFERED_BYTES_MAX = 262144 };

_Static_assert(MODE_SYNCHRONOUS == 2 && PROTOCOL_RENDEZVOUS == 3 && CAUSE_LATE_RECEIVER == 2
	&& CAUSE_LATE_PROGRESS == 3, "numbers in the queries");

/* One row a group; limits of the tier that joins the pair. */
static const char groups_sql[] =
	"CREATE TEMP TABLE bottleneck (place TEXT, call TEXT, protocol TEXT, cause TEXT,"
	" pairs INTEGER, count INTEGER, least_bytes INTEGER, most_bytes INTEGER, wait_ns INTEGER,"
	" mean_ns INTEGER, longest_ns INTEGER, peer_call TEXT, peer_place TEXT,"
	" peer_done_call TEXT, peer_done_place TEXT, peer_share_pct REAL, inside_pct REAL,"
	" why TEXT, remedy TEXT, kind INTEGER, fn INTEGER, protocol_id INTEGER, cause_id INTEGER,"
	" S INTEGER, S_p INTEGER, setting TEXT, setting_bytes INTEGER, synchronous_pct REAL,"
	" receives_pct REAL, late_rank INTEGER, late_rank_pct REAL, late_place TEXT);"
	"INSERT INTO bottleneck (kind, fn, protocol_id, cause_id, place, call, protocol, cause,"
	" pairs, count, least_bytes, most_bytes, wait_ns, mean_ns, longest_ns, S, S_p, setting,"
	" setting_bytes, receives_pct)"
	" SELECT e.code >> 10 & 3, e.code & 1023, e.code >> 12 & 3, e.code >> 14 & 15,"
	" coalesce(s.place, 'unknown'), (SELECT name FROM call_name WHERE id = e.code & 1023),"
	" (SELECT name FROM protocol_name WHERE id = e.code >> 12 & 3),"
	" (SELECT name FROM cause_name WHERE id = e.code >> 14 & 15),"
	" count(DISTINCT e.rank << 32 | e.peer), sum(waits),"
	" min(iif(bytes_log2, 1 << (bytes_log2 - 1), 0)), max(max_bytes),"
	" sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns),"
	" sum(CASE e.code >> 14 & 15 WHEN 3 THEN progress_ns WHEN 4 THEN order_ns"
	"  WHEN 5 THEN flow_ns WHEN 6 THEN contention_ns ELSE late_ns END) / max(sum(waits), 1),"
	" iif(e.code >> 14 & 15 < 3, max(max_late_ns), NULL), min(CAST(eager.value"
	"  AS INTEGER)), min(CAST(alone.value AS INTEGER)), max(v.reason),"
	" max(CAST(v.value AS INTEGER)), 100.0 * sum(receives_too) / max(sum(waits), 1)"
	" FROM exact_cell e LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite"
	" LEFT JOIN peer_row p ON p.rank = e.rank AND p.peer = e.peer"
	" LEFT JOIN tier_name t ON t.id = p.tier"
	" LEFT JOIN link_param eager ON " LINK_OF_TIER("eager", "e.rank", "t.name")
	"  AND eager.name = 'S'"
	" LEFT JOIN link_param alone ON " LINK_OF_TIER("alone", "e.rank", "t.name")
	"  AND alone.name = 'S_p'"
	" LEFT JOIN link_param v ON " LINK_OF_TIER("v", "e.rank", "t.name")
	"  AND v.name = 'S_setting'"
	" WHERE e.code >> 14 & 15 <> 0 AND (e.code >> 12 & 3 = 3 OR e.code >> 14 & 15 = 3)"
	" GROUP BY 1, 2, 3, 4, 5;"
	"CREATE TEMP TABLE late_peer AS SELECT coalesce(s.place, 'unknown') AS place, e.code & 1023 AS call,"
	"  e.code >> 10 & 3 AS kind, e.code >> 12 & 3 AS protocol, e.code >> 14 & 15 AS cause, peer, sum(late_ns) AS ns"
	" FROM exact_cell e LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite"
	" WHERE e.code >> 14 & 15 IN (1, 2) AND peer >= 0 GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(late_ns) > 0;"
	"CREATE INDEX late_peer_of ON late_peer (place, call, kind, protocol, cause, ns);"
	"UPDATE bottleneck SET (late_rank, late_rank_pct) = (SELECT peer, 100.0 * max(ns) / sum(ns) FROM late_peer p"
	"  WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind"
	"  AND p.protocol = protocol_id AND p.cause = cause_id);"
	"UPDATE bottleneck SET"
	" inside_pct = (SELECT 100.0 * sum(inside_ns) / nullif(sum(late_ns), 0) FROM peer_side p"
	"  WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind"
	"  AND p.protocol = protocol_id AND p.cause = cause_id AND inside_ns IS NOT NULL),"
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
	"  LIMIT 1);"
	"UPDATE bottleneck SET late_place = (SELECT 'between ' || a.place || ' and ' || s.place FROM blame_cell b"
	"  JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite JOIN site a ON a.rank = b.rank"
	"  AND a.callsite = b.after WHERE b.rank = late_rank AND what = 1 AND s.place IN (peer_place, peer_done_place)"
	"  ORDER BY direct DESC, s.place, a.place LIMIT 1);";

static const char read_sql[] =
	"SELECT rowid, kind, cause_id, most_bytes, mean_ns, longest_ns, S, S_p, setting,"
	" setting_bytes, inside_pct, synchronous_pct, peer_call, peer_place, peer_done_call,"
	" peer_done_place, peer_share_pct, receives_pct, late_rank, late_rank_pct, late_place,"
	" EXISTS (SELECT 1 FROM link_param WHERE name = 'async_progress' AND value > 0"
	"  AND coalesce(form, 'recv') LIKE '%recv%') FROM bottleneck";

/* A row of read_sql; -1 or NULL: not known. */
struct bottleneck {
	int64_t id;
	int kind, cause;
	int64_t most_bytes, mean_ns, longest_ns;
	int64_t S, S_p;
	const char *setting;
	int64_t setting_bytes;
	double inside_pct, synchronous_pct;
	const char *peer_call, *peer_place, *done_call, *done_place;
	double peer_share_pct;
	double receives_pct;	/* of sends, in calls that a receive kept as long */
	int64_t late_rank;	/* whom most of the waits were for, late_rank_pct of them */
	double late_rank_pct;
	const char *late_place; /* where it computed instead */
	bool async_progress;	/* of receives, on any tier */
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
		.longest_ns = whole(s, 5), .S = whole(s, 6), .S_p = whole(s, 7),
		.setting = (const char *)sqlite3_column_text(s, 8), .setting_bytes = whole(s, 9),
		.inside_pct = real(s, 10), .synchronous_pct = real(s, 11),
		.peer_call = (const char *)sqlite3_column_text(s, 12),
		.peer_place = (const char *)sqlite3_column_text(s, 13),
		.done_call = (const char *)sqlite3_column_text(s, 14),
		.done_place = (const char *)sqlite3_column_text(s, 15),
		.peer_share_pct = real(s, 16), .receives_pct = real(s, 17),
		.late_rank = whole(s, 18), .late_rank_pct = real(s, 19),
		.late_place = (const char *)sqlite3_column_text(s, 20), .async_progress = whole(s, 21) > 0 };
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
	char mean[32], longest[32];

	duration_text((double)b->mean_ns, mean, sizeof mean);
	duration_text((double)b->longest_ns, longest, sizeof longest);
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER:
	case CAUSE_LATE_SENDER:
		peer_text(out, b, b->cause == CAUSE_LATE_RECEIVER ? "late receiver, the other side posts"
								  : "late sender, the other side posts",
			b->cause == CAUSE_LATE_RECEIVER ? "the receive" : "the send");
		fprintf(out, " %s too late on average, %s at most", mean, longest);
		if (b->inside_pct >= 0)
			fprintf(out, ", and is inside MPI for %.0f %% of that time", b->inside_pct);
		fputc('.', out);
		break;
	case CAUSE_LATE_PROGRESS:
		fprintf(out, "late progress, the other side makes no MPI call for %s on average"
			" while the transfer is pending", mean);
		if (b->peer_call) {
			peer_text(out, b, ", after", "");
			if (b->done_call)
				fprintf(out, ", until %s%s%s", b->done_call, b->done_place ? " at " : "",
					b->done_place ? b->done_place : "");
		}
		fputc('.', out);
		break;
	case CAUSE_WRONG_ORDER:
		fprintf(out, "wrong order, for %s on average another message lay there and was"
			" received later.", mean);
		break;
	case CAUSE_FLOW_CONTROL:
		fprintf(out, "flow control, messages before it had not been received for %s on"
			" average.", mean);
		break;
	case CAUSE_CONTENTION:
		fprintf(out, "contention, the transfer itself took %s longer than alone, on average.",
			mean);
		break;
	default:
		fputs("unexplained by what both sides recorded.", out);
	}
}

/* Would the message have gone without waiting for its receive, had S been larger? */
static void raising_S_text(FILE *out, const struct bottleneck *b)
{
	char size[32];

	if (b->receives_pct > 50) {
		fputs(" Raising S does not help: the call that completes the send also waits for a message, as"
		      " long.", out);
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

static bool receiver_computes(const struct bottleneck *b)
{
	return b->inside_pct >= 0 && b->inside_pct < 50 && !b->async_progress && b->late_rank >= 0;
}

static void balance_text(FILE *out, const struct bottleneck *b)
{
	fprintf(out, "balance the work: rank %" PRId64, b->late_rank);
	if (b->late_rank_pct < 99.5)
		fprintf(out, " (%.0f %% of it)", b->late_rank_pct);
	fprintf(out, " computes%s%s. Posting the receive earlier does not help%s: the receiver is outside MPI for"
		" %.0f %% of that time, and the transfer needs it there.", b->late_place ? " " : "",
		b->late_place ? b->late_place : "",
		b->receives_pct > 50 ? "" : ", unless it calls MPI meanwhile (MPI_Test)", 100 - b->inside_pct);
}

static void remedy_text(FILE *out, const struct bottleneck *b)
{
	char mean[32];

	duration_text((double)b->mean_ns, mean, sizeof mean);
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER:
		if (receiver_computes(b))
			balance_text(out, b);
		else
			fprintf(out, "post the receive %s earlier.", mean);
		raising_S_text(out, b);
		break;
	case CAUSE_LATE_SENDER:
		fprintf(out, "send %s earlier, or receive later and compute meanwhile; raising S does"
			" not help.", mean);
		break;
	case CAUSE_LATE_PROGRESS:
		fputs("call MPI there while computing (MPI_Test, MPI_Iprobe), or post and complete"
		      " closer together; raising S does not help here.", out);
		if (b->receives_pct > 50)
			fputs(" The call that completes the send also waits for a message, as long: that has to"
			      " come earlier, too.", out);
		break;
	case CAUSE_WRONG_ORDER:
		fputs("receive in the order of sending.", out);
		break;
	case CAUSE_FLOW_CONTROL:
		fputs("receive earlier, or send fewer messages ahead.", out);
		break;
	case CAUSE_CONTENTION:
		fputs("spread the transfers over time.", out);
		break;
	default:
		fputs("unknown.", out);
	}
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
		rc = sqlite3_prepare_v2(db, "UPDATE bottleneck SET why = ?1, remedy = ?2"
			" WHERE rowid = ?3", -1, &update, NULL);
	while (rc == SQLITE_OK && (rc = sqlite3_step(read)) == SQLITE_ROW) {
		read_bottleneck(read, &b);
		rc = store_text(update, 1, &b, why_text);
		if (rc == SQLITE_OK)
			rc = store_text(update, 2, &b, remedy_text);
		if (rc != SQLITE_OK)
			break;
		sqlite3_bind_int64(update, 3, b.id);
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
	return rc == SQLITE_OK ? add_texts(db) : rc;
}
