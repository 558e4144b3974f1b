/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bottleneck_words.c: where transfers were held up, why, and what helps.
 *
 *	exact_cell --sums by callsite and cause--> who waited, for how long
 *	peer_side (sample.c) --> what the other side did meanwhile
 *	blame_cell of the bottleneck --> who did what instead, through ranks that waited themselves
 *	link_param --> S, S_p and the setting behind S
 *
 * The sums are complete; what the other side did is taken from a sample.
 *
 * Raising S is advised only where it removes the wait: for a send that waits for its receive, while
 * the receiver is inside MPI, and so small that the receiver would buffer it. A setting is named
 * only where the calibration found it to follow S to the byte (pmpi/measure/setting.c). Numbers of
 * a link that nothing confirmed (source unconfirmed) name neither S nor a setting, and other advice
 * by them says so.
 *
 * Posting a receive earlier is advised only where it removes the wait: while the receiver was
 * inside MPI, or where transfers go on without it (async_progress). A receiver that computed
 * (inside_pct below half, from the sample) moves nothing meanwhile, whenever it posted: its waits
 * would become late_progress.
 *
 * Where blame gives most of a bottleneck's waits to computation, the work is to be balanced: of
 * whom and where is what blame says, and where that is no single rank or place, this is said
 * instead. Ranks that are late in turns have about the same work in the sum: there is next to
 * nothing to move from one to the other, and no rank is named. A send that only needed progress has
 * that advice where its receive had not been posted.
 */
#include <config.h>

#include "analysis/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blame/history.h"
#include "analysis/report/queries.h"
#include "analysis/text/sql_functions.h"
#include "record.h"

/* Beyond it receivers do not buffer, whatever S is: as the view rendezvous_bottlenecks has it. */
enum { BUFFERED_BYTES_MAX = 262144 };

/*
 * Of lateness the share that is other messages' wait, of a loss that of other causes, from which on
 * that is said [%]
 */
#define ELSEWHERE_TOLD 5

_Static_assert(PROTOCOL_RENDEZVOUS == 3, "number in queries/bottleneck_groups.sql");

/* A row of queries/bottleneck_rows.sql; -1 or NULL: not known. */
struct bottleneck {
	int64_t id;
	int kind, cause;
	int64_t most_bytes;
	int64_t mean_ns; /* of the waits: of one call they add up to its own */
	/* how late the other side was for the call, whoever else was */
	int64_t late_mean_ns, late_longest_ns;
	double elsewhere_pct;   /* of that, what is other messages' wait */
	double own_pct;         /* of what was lost, what has this cause */
	double same_sender_pct; /* of wrong order, where both messages are of one sender */
	int64_t S, S_p;
	const char *setting;
	int64_t setting_bytes;
	double inside_pct, synchronous_pct;
	const char *peer_call, *peer_place, *done_call, *done_place;
	double peer_share_pct;
	double before_pct;   /* of late progress, before the receive was posted */
	int64_t late_thread; /* which of late_rank's, where one has nine tenths of it */
	/* whom blame gives late_rank_pct of the waits, as the next ones:
	 * queries/bottleneck_blame.sql */
	int64_t late_rank;
	double late_rank_pct;
	int late_what; /* enum history_what */
	const char *late_activity;
	double computing_pct; /* of blame, computation; -1: blame is not known */
	/* somebody is late each time, and hardly one more than others: none has too much work */
	bool in_turns;
	const char *late_ranks;
	int64_t through_rank;
	double through_pct;
	bool async_progress; /* of receives, on any of its links */
	bool unconfirmed;    /* numbers of one of its links */
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
	*b = (struct bottleneck){ .id = whole(s, 0),
		.kind = (int)whole(s, 1),
		.cause = (int)whole(s, 2),
		.most_bytes = whole(s, 3),
		.mean_ns = whole(s, 4),
		.late_mean_ns = whole(s, 5),
		.late_longest_ns = whole(s, 6),
		.S = whole(s, 7),
		.S_p = whole(s, 8),
		.setting = (const char *)sqlite3_column_text(s, 9),
		.setting_bytes = whole(s, 10),
		.inside_pct = real(s, 11),
		.synchronous_pct = real(s, 12),
		.peer_call = (const char *)sqlite3_column_text(s, 13),
		.peer_place = (const char *)sqlite3_column_text(s, 14),
		.done_call = (const char *)sqlite3_column_text(s, 15),
		.done_place = (const char *)sqlite3_column_text(s, 16),
		.peer_share_pct = real(s, 17),
		.before_pct = real(s, 18),
		.late_rank = whole(s, 19),
		.late_rank_pct = real(s, 20),
		.late_what = (int)whole(s, 21),
		.late_activity = (const char *)sqlite3_column_text(s, 22),
		.computing_pct = real(s, 23),
		.late_thread = whole(s, 24),
		.late_ranks = (const char *)sqlite3_column_text(s, 25),
		.through_rank = whole(s, 26),
		.through_pct = real(s, 27),
		.async_progress = whole(s, 28) > 0,
		.in_turns = whole(s, 29) > 0,
		.elsewhere_pct = real(s, 30),
		.same_sender_pct = real(s, 31),
		.own_pct = real(s, 32),
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
		peer_text(out, b,
			b->cause == CAUSE_LATE_RECEIVER ? "late receiver, the other side posts" :
							  "late sender, the other side posts",
			b->cause == CAUSE_LATE_RECEIVER ? "the receive" : "the send");
		fprintf(out, " %s too late on average, %s at most", late, longest);
		if (b->inside_pct >= 0)
			fprintf(out, ", and is inside MPI for %.0f %% of that time", b->inside_pct);
		fputc('.', out);
		if (b->elsewhere_pct >= ELSEWHERE_TOLD)
			fprintf(out,
				" In %.0f %% of that time other messages kept the same calls, too, "
				"and it is counted as their wait.",
				b->elsewhere_pct);
		break;
	case CAUSE_LATE_PROGRESS:
		fprintf(out,
			"late progress, the other side makes no MPI call for %s on average"
			" while the transfer is pending",
			mean);
		if (b->before_pct > 50) {
			peer_text(out, b, ", before its", "receive");
		} else if (b->peer_call) {
			peer_text(out, b, ", after", "");
			if (b->done_call)
				fprintf(out, ", until %s%s%s", b->done_call,
					b->done_place ? " at " : "",
					b->done_place ? b->done_place : "");
		}
		fputc('.', out);
		break;
	case CAUSE_WRONG_ORDER:
		peer_text(out, b, "wrong order, before the other side's", "send");
		fprintf(out, " another message lay there for %s on average, and was received later",
			mean);
		if (b->same_sender_pct >= 0)
			fprintf(out, "; of the same sender in %.0f %% of that time",
				b->same_sender_pct);
		fputc('.', out);
		break;
	case CAUSE_FLOW_CONTROL:
		fprintf(out,
			"flow control, messages before it had not been received for %s on"
			" average.",
			mean);
		break;
	case CAUSE_CONTENTION:
		fprintf(out,
			"contention, the transfer itself took %s longer than alone, on average.",
			mean);
		break;
	case CAUSE_UNHIDDEN_TRANSFER:
		fprintf(out,
			"unhidden transfer, %s of each moved only in %s%s%s, though both sides had "
			"posted before. That is no wait.",
			mean, b->done_call, b->done_place ? " at " : "",
			b->done_place ? b->done_place : "");
		break;
	default:
		fprintf(out, "unexplained by what both sides recorded: %s on average.", mean);
	}
	if (b->own_pct >= 0 && 100 - b->own_pct >= ELSEWHERE_TOLD)
		fprintf(out,
			" That is %.0f %% of what was lost; the rest of these messages' waits has "
			"other causes.",
			b->own_pct);
}

/* Would the message have gone without waiting for its receive, had S been larger? */
static void raising_S_text(FILE *out, const struct bottleneck *b)
{
	char size[32];

	if (b->unconfirmed) {
		fputs(" Advice that depends on the link's numbers is left out: they are "
		      "unconfirmed (see LINKS).",
			out);
	} else if (b->synchronous_pct > 50) {
		fputs(" Raising S does not help a synchronous send: it waits for its receive.",
			out);
	} else if (b->S <= 0) {
		fputs(" Whether raising S helps is not known: S was not measured.", out);
	} else if (b->most_bytes > BUFFERED_BYTES_MAX) {
		fprintf(out,
			" Raising S (%" PRId64 " B) is no remedy: messages beyond %s are not"
			" buffered at the receiver.",
			b->S, bytes_text(BUFFERED_BYTES_MAX, size, sizeof size));
	} else if (b->most_bytes <= b->S) {
		return;
	} else if (b->S_p >= b->S || b->inside_pct >= 50) {
		fprintf(out,
			" Raising S from %" PRId64 " to %" PRId64 " B helps as well: the send would"
			" not need the receive",
			b->S, b->most_bytes);
		if (b->setting && b->setting_bytes > 0)
			fprintf(out, " (S follows %s, which would be %" PRId64 ").", b->setting,
				b->most_bytes + b->setting_bytes - b->S);
		else
			fputs(" (which setting moves S here is not known).", out);
	} else if (b->inside_pct >= 0 && b->S_p >= 0) {
		fprintf(out,
			" Raising S does not help: the receiver is outside MPI for %.0f %% of that"
			" time, and beyond S_p = %" PRId64
			" B a send is complete only when the receiver"
			" calls MPI.",
			100 - b->inside_pct, b->S_p);
	} else {
		fputs(" Whether raising S helps is not known: it does where the receiver is inside"
		      " MPI.",
			out);
	}
}

/* What to say of S behind other advice. */
static const char *not_S(const struct bottleneck *b, const char *text)
{
	return b->unconfirmed ? "" : text;
}

/*
 * Blame gives most of it to computation; where blame is not known, the receiver did not call MPI.
 */
static bool work_is_late(const struct bottleneck *b)
{
	return b->computing_pct >= 0 ? b->computing_pct >= 50 :
				       b->inside_pct >= 0 && b->inside_pct < 50;
}

/* Somebody has most of it, or several ranks do the same or are late in turns. */
static bool is_told_of(const struct bottleneck *b)
{
	return b->late_rank >= 0 || b->late_ranks || b->in_turns;
}

static bool is_balanced_away(const struct bottleneck *b)
{
	switch (b->cause) {
	case CAUSE_LATE_RECEIVER: /* who does not call MPI receives nothing, whenever it posts */
		return work_is_late(b) && !b->async_progress &&
			(is_told_of(b) || (b->inside_pct >= 0 && b->inside_pct < 50));
	case CAUSE_LATE_SENDER:
		return work_is_late(b) && is_told_of(b);
	case CAUSE_LATE_PROGRESS: /* it would have been late, had the transfer needed nothing */
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
		[CAUSE_LATE_RECEIVER] = "late_receiver",
		[CAUSE_LATE_PROGRESS] = "late_progress",
		[CAUSE_WRONG_ORDER] = "wrong_order",
		[CAUSE_FLOW_CONTROL] = "flow_control",
		[CAUSE_CONTENTION] = "contention" };
	const char *helps =
		b->cause > 0 && b->cause <= CAUSE_CONTENTION ? cause_remedy(names[b->cause]) : NULL;

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
	const bool computes = b->late_what == HISTORY_COMPUTATION;
	const char *place = b->late_activity && computes ? b->late_activity + strlen("computing") :
							   b->late_activity;

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
		fprintf(out, " %s%s", computes ? "computes" : "is ",
			place ? place : " in several places (see BLAME)");
		if (b->through_rank >= 0)
			fprintf(out,
				", for %.0f %% of it through rank %" PRId64 ", which waited itself",
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
		fputs(". Moving work from one rank to another hardly helps: its time varies, or "
		      "the machine's, or they take turns by design, as in pipelines",
			out);
}

/* Behind advice that is about the call: what else the late rank does, where that is known. */
static void meanwhile_text(FILE *out, const struct bottleneck *b)
{
	if (b->computing_pct < 0 || b->late_what == HISTORY_NOT_RECORDED)
		return;
	fputs(is_told_of(b) ? " Meanwhile " : " Of what is done instead, ", out);
	who_text(out, b);
	fputc('.', out);
}

static void late_receiver_text(FILE *out, const struct bottleneck *b)
{
	char late[32];

	if (!is_balanced_away(b)) {
		fprintf(out, "post the receive %s earlier.",
			duration_text((double)b->late_mean_ns, late, sizeof late));
		meanwhile_text(out, b);
	} else {
		balance_text(out, b);
		if (b->inside_pct >= 50 || b->inside_pct < 0)
			fputs(". Posting the receive earlier helps only while the receiver is "
			      "inside MPI.",
				out);
		else
			fprintf(out,
				". Posting the receive earlier does not help, unless it calls MPI "
				"meanwhile (MPI_Test): the receiver is outside MPI for %.0f %% of "
				"that time, and the transfer needs it there.",
				100 - b->inside_pct);
	}
	raising_S_text(out, b);
}

static void late_sender_text(FILE *out, const struct bottleneck *b)
{
	char late[32];

	if (is_balanced_away(b)) {
		balance_text(out, b);
		fprintf(out, ". Or receive later and compute meanwhile%s.",
			not_S(b, "; raising S does not help"));
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
		fprintf(out,
			"call MPI there while computing (MPI_Test, MPI_Iprobe), or post and "
			"complete closer together%s.",
			not_S(b, "; raising S does not help here"));
		meanwhile_text(out, b);
		return;
	}
	balance_text(out, b);
	fprintf(out,
		". Or call MPI there while computing (MPI_Test, MPI_Iprobe): the send needs no "
		"more%s.",
		not_S(b, "; raising S does not help here"));
}

/*
 * What waits is waited for all the same: the wait's end is its sender's doing alone
 * (match/wrong_order.h).
 */
static void wrong_order_text(FILE *out, const struct bottleneck *b)
{
	if (is_senders_order(b))
		fputs("have the sender send this message first, or do the work between the two "
		      "behind them, unless it needs that order. Receiving the other one first does "
		      "not end the wait earlier: it helps only as far as there is work on that to "
		      "be done meanwhile.",
			out);
	else
		fputs("work on the other message meanwhile: take what comes first (MPI_Irecv and "
		      "MPI_Waitany, or MPI_ANY_SOURCE). Receiving the other one first does not end "
		      "the wait earlier, but lets its sender go on, where that waits for it; who "
		      "sends this one late is in BLAME.",
			out);
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
		fputs("call MPI while computing (MPI_Test), or have the library move messages "
		      "meanwhile by itself (asynchronous progress, where it has a setting for "
		      "that).",
			out);
		break;
	default:
		fputs("unknown.", out);
	}
	if (b->unconfirmed &&
		(b->cause == CAUSE_FLOW_CONTROL || b->cause == CAUSE_CONTENTION ||
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
	int rc = sqlite3_prepare_v2(db, sql_report_bottleneck_rows, -1, &read, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db,
			"UPDATE bottleneck SET why = ?1, remedy = ?2,"
			" help = nullif(?3, '') WHERE rowid = ?4",
			-1, &update, NULL);
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
	static const char *const sql[] = { sql_report_bottleneck_groups,
		sql_report_bottleneck_blame, sql_report_unhidden, NULL };
	int rc = report_sample(db);

	if (rc == SQLITE_OK)
		rc = report_ask_all(db, sql);
	return rc == SQLITE_OK ? add_texts(db) : rc;
}
