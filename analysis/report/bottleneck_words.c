/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bottleneck_words.c: where transfers were held up, why, and what helps, in words. The facts are of
 * queries/bottlenecks.sql:
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

#include "analysis/report/sentences.h"

/* Beyond it receivers do not buffer, whatever S is: as the view rendezvous_bottlenecks has it. */
enum { BUFFERED_BYTES_MAX = 262144 };

/*
 * Of lateness the share that is other messages' wait, of a loss that of other causes, from which on
 * that is said [%]
 */
enum { ELSEWHERE_TOLD = 5 };

/* Is it known, and at least, or below, so much? */
static bool is_least(const struct fact *f, const char *column, double least)
{
	return fact_has(f, column) && fact_real(f, column) >= least;
}

static bool is_below(const struct fact *f, const char *column, double most)
{
	return fact_has(f, column) && fact_real(f, column) < most;
}

static bool is_balanced_away(const struct fact *f)
{
	return fact_is(f, "advice", "balance") || fact_is(f, "advice", "steady");
}

void say_bottleneck(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{lost_ns} lost in [{waited_in} at {waited_at}, for ]{call} at {where}: {count:,} "
		"{protocol} message{count||s} of {least_bytes}");
	if (fact_int(f, "most_bytes") > fact_int(f, "least_bytes"))
		phrase(to, f, " to {most_bytes}");
	phrase(to, f, " between {pairs} pair{pairs||s} of ranks");
}

void say_bottleneck_one_side(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{wait_ns} lost in {call} at {where}: {count:,} message{count||s} of {least_bytes} "
		"to {most_bytes} between {pairs} pair{pairs||s} of ranks, "
		"{cause_hint?cause unknown}; remedy: ");
	if (fact_int(f, "withheld"))
		text_add(to, "withheld, because ranks lacked a CPU");
	else if (fact_is(f, "remedy", "raise S"))
		phrase(to, f,
			"raise S from {eager_max_bytes:d} to {most_bytes:d} bytes, if the receiver "
			"is "
			"inside MPI (tryst analyze finds out)");
	else if (fact_int(f, "unconfirmed"))
		text_add(to, "unknown: the link's numbers are unconfirmed");
	else
		text_add(to, "unknown");
}

/* "MPI_Irecv at recv.c:12 (in 98 % of a sample)", or what it is */
static void say_peer_call(struct text *to, const struct fact *f, const char *otherwise)
{
	if (!fact_has(f, "peer_call")) {
		text_add(to, otherwise);
		return;
	}
	phrase(to, f, "{peer_call}[ at {peer_place}]");
	if (is_below(f, "peer_share_pct", 99.5))
		phrase(to, f, " (in {peer_share_pct:0} % of a sample)");
}

static void say_late(struct text *to, const struct fact *f)
{
	bool receives = fact_is(f, "cause", "late_receiver");

	text_addf(to, "late %s, the other side posts ", receives ? "receiver" : "sender");
	say_peer_call(to, f, receives ? "the receive" : "the send");
	phrase(to, f,
		" {late_mean_ns} late on average, {late_longest_ns} at most"
		"[, and is inside MPI for {inside_pct:0} % of that time].");
	if (is_least(f, "elsewhere_pct", ELSEWHERE_TOLD))
		phrase(to, f,
			" In {elsewhere_pct:0} % of that time other messages kept the same calls, "
			"too, and it is counted as their wait.");
}

static void say_late_progress(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"late progress, the other side makes no MPI call for {mean_ns} on average while "
		"the transfer is pending");
	if (fact_real(f, "before_pct") > 50) {
		text_add(to, ", before its ");
		say_peer_call(to, f, "receive");
	} else if (fact_has(f, "peer_call")) {
		text_add(to, ", after ");
		say_peer_call(to, f, "");
		phrase(to, f, "[, until {peer_done_call}]");
		if (fact_has(f, "peer_done_call"))
			phrase(to, f, "[ at {peer_done_place}]");
	}
	text_add(to, ".");
}

static void say_wrong_order(struct text *to, const struct fact *f)
{
	text_add(to, "wrong order, before the other side's ");
	say_peer_call(to, f, "send");
	phrase(to, f,
		" another message lay there for {mean_ns} on average, and was received later"
		"[; of the same sender in {same_sender_pct:0} % of that time].");
}

void say_why(struct text *to, const struct fact *f)
{
	static const struct form others[] = {
		{ "flow_control",
			"flow control, messages before it had not been received for {mean_ns} on "
			"average." },
		{ "contention",
			"contention, the transfer itself took {mean_ns} longer than alone, on "
			"average." },
		{ "unhidden_transfer",
			"unhidden transfer, {mean_ns} of each moved only in {peer_done_call}"
			"[ at {peer_done_place}], though both sides had posted before. This is "
			"transfer time, not a wait." },
		{ "no_cpu", "no CPU: a thread that was needed had none for {mean_ns} on average." },
		{ "unexplained", "unexplained by what both sides recorded: {mean_ns} on average." },
		{ NULL, NULL }
	};

	if (fact_is(f, "cause", "late_receiver") || fact_is(f, "cause", "late_sender"))
		say_late(to, f);
	else if (fact_is(f, "cause", "late_progress"))
		say_late_progress(to, f);
	else if (fact_is(f, "cause", "wrong_order"))
		say_wrong_order(to, f);
	else
		say_form(to, f, others, "cause");
	if (fact_has(f, "own_pct") && 100 - fact_real(f, "own_pct") >= ELSEWHERE_TOLD)
		phrase(to, f,
			" That is {own_pct:0} % of what was lost; the rest of these messages' "
			"waits has other causes.");
}

/* Raising S to the largest message, where the send would not need the receive then. */
static void say_raise_S(struct text *to, const struct fact *f)
{
	phrase(to, f,
		" Raising S from {S} to {most_bytes:d} B helps as well: the send would not need "
		"the receive");
	add_setting(to, f, fact_int(f, "most_bytes"));
	text_add(to, ".");
}

/* Would the message have gone without waiting for its receive, had S been larger? */
static void say_S(struct text *to, const struct fact *f)
{
	int64_t S = fact_int(f, "S"), most_bytes = fact_int(f, "most_bytes");

	if (fact_int(f, "unconfirmed")) {
		text_add(to,
			" Advice that depends on the link's numbers is left out: they are "
			"unconfirmed (see LINKS).");
	} else if (fact_real(f, "synchronous_pct") > 50) {
		text_add(to,
			" Raising S does not help a synchronous send: it waits for its receive.");
	} else if (S <= 0) {
		text_add(to, " Whether raising S helps is not known: S was not measured.");
	} else if (most_bytes > BUFFERED_BYTES_MAX) {
		char size[32];

		text_addf(to,
			" Raising S (%lld B) is no remedy: messages beyond %s are not buffered at "
			"the receiver.",
			(long long)S, bytes_text(BUFFERED_BYTES_MAX, size, sizeof size));
	} else if (most_bytes <= S) {
		return;
	} else if (is_least(f, "S_p", (double)S) || is_least(f, "inside_pct", 50)) {
		say_raise_S(to, f);
	} else if (fact_has(f, "inside_pct") && fact_has(f, "S_p")) {
		text_addf(to,
			" Raising S does not help: the receiver is outside MPI for %.0f %% of that "
			"time, and beyond S_p = %lld B a send is complete only when the receiver "
			"calls MPI.",
			100 - fact_real(f, "inside_pct"), (long long)fact_int(f, "S_p"));
	} else {
		text_add(to,
			" Whether raising S helps is not known: it does where the receiver is "
			"inside MPI.");
	}
}

/* "computes between a.c:1 and a.c:2". A rank that sleeps most of the time does not compute. */
static void say_late_doing(struct text *to, const struct fact *f, bool several)
{
	if (fact_int(f, "sleeps"))
		text_add(to, several ? " are outside MPI" : " is outside MPI");
	else if (fact_is(f, "late_doing", "computation"))
		text_add(to, several ? " compute" : " computes");
	else
		text_add(to, several ? " are " : " is ");
	if (!fact_has(f, "doing")) {
		text_add(to, " in several places (see BLAME)");
	} else if (fact_is(f, "doing", "computation")) {
		add_between(to, fact_text(f, "late_place"), fact_text(f, "late_after"));
		add_sampled(to, f);
	} else {
		add_activity(to, fact_text(f, "doing"), fact_text(f, "late_call"),
			fact_text(f, "late_place"), fact_text(f, "late_after"));
	}
}

static void say_part(struct text *to, const struct fact *f)
{
	if (is_below(f, "late_rank_pct", 99.5))
		phrase(to, f, " ({late_rank_pct:0} % of it)");
}

/* "rank 2 (98 % of it) computes between a.c:1 and a.c:2" */
void say_who(struct text *to, const struct fact *f)
{
	if (fact_has(f, "late_ranks")) {
		phrase(to, f, "ranks {late_ranks}");
		say_part(to, f);
		say_late_doing(to, f, true);
		text_add(to, late_in_turns(f) ? ", late in turns" : ", none of them most of it");
	} else if (late_in_turns(f)) {
		text_add(to, "ranks are late in turns, in several places (see BLAME)");
	} else if (fact_has(f, "late_rank")) {
		phrase(to, f, "rank {late_rank}[ thread {late_thread}]");
		say_part(to, f);
		say_late_doing(to, f, false);
		phrase(to, f,
			"[, for {through_pct:0} % of it through rank {through_rank}, which waited "
			"itself]");
	} else {
		text_add(to, "no rank and no place has most of it: see BLAME");
	}
}

void say_balance(struct text *to, const struct fact *f)
{
	text_add(to, late_in_turns(f) ? "steady the work: " : "balance the work: ");
	if (fact_has(f, "computing_pct"))
		say_who(to, f);
	else
		text_add(to, "the other side computes: see BLAME");
	if (late_in_turns(f))
		text_add(to,
			". No rank has more work in the sum. The time of a step varies, or the "
			"machine's, or they take turns by design, as in pipelines. Equal work "
			"in each step can help");
}

/* Behind advice that is about the call: what else the late rank does, where that is known. */
static void say_meanwhile(struct text *to, const struct fact *f)
{
	bool is_named = fact_has(f, "late_rank") || fact_has(f, "late_ranks") || late_in_turns(f);

	if (!fact_has(f, "computing_pct") || fact_is(f, "late_doing", "not_recorded"))
		return;
	text_add(to, is_named ? " Meanwhile " : " Of what is done instead, ");
	say_who(to, f);
	text_add(to, ".");
}

static void say_remedy_receiver(struct text *to, const struct fact *f)
{
	if (!is_balanced_away(f)) {
		phrase(to, f, "post the receive {late_mean_ns} earlier.");
		say_meanwhile(to, f);
	} else {
		say_balance(to, f);
		if (is_below(f, "inside_pct", 50))
			text_addf(to,
				". Posting the receive earlier does not help, unless it calls MPI "
				"meanwhile (MPI_Test): the receiver is outside MPI for %.0f %% of "
				"that time, and the transfer needs it there.",
				100 - fact_real(f, "inside_pct"));
		else
			text_add(to,
				". Posting the receive earlier helps only while the receiver is "
				"inside MPI.");
	}
	say_S(to, f);
}

static void say_remedy_sender(struct text *to, const struct fact *f)
{
	bool is_balanced = is_balanced_away(f);

	if (is_balanced)
		say_balance(to, f);
	phrase(to, f,
		is_balanced ?
			". Or receive later and compute meanwhile" :
			"send {late_mean_ns} earlier, or receive later and compute meanwhile");
	phrase(to, f, "{unconfirmed||; raising S does not help}.");
	if (!is_balanced)
		say_meanwhile(to, f);
}

static void say_remedy_progress(struct text *to, const struct fact *f)
{
	static const char not_S[] = "{unconfirmed||; raising S does not help here}.";

	if (is_balanced_away(f)) {
		say_balance(to, f);
		text_add(to,
			". Or call MPI there while computing (MPI_Test, MPI_Iprobe): the send "
			"needs no more");
		phrase(to, f, not_S);
		return;
	}
	text_add(to,
		"call MPI there while computing (MPI_Test, MPI_Iprobe), or post and complete "
		"closer together");
	phrase(to, f, not_S);
	say_meanwhile(to, f);
}

/*
 * What waits is waited for all the same: the wait's end is its sender's doing alone
 * (match/wrong_order.h).
 */
static const char take_what_comes[] =
	"work on the other message meanwhile: take what comes first (MPI_Irecv and MPI_Waitany, or "
	"MPI_ANY_SOURCE). Receiving the other one first does not end the wait earlier, but lets "
	"its sender go on, where that waits for it; who sends this one late is in BLAME.";
static const char send_it_first[] =
	"have the sender send this message first, or do the work between the two behind them, "
	"unless it needs that order. Receiving the other one first does not end the wait earlier: "
	"it helps only as far as there is work on that to be done meanwhile.";

void say_remedy_untried(struct text *to, const struct fact *f)
{
	static const char unconfirmed[] =
		"{unconfirmed| This rests on numbers of the link that are unconfirmed (see "
		"LINKS).|}";
	static const struct form others[] = {
		{ "flow_control", "receive earlier, or send fewer messages ahead." },
		{ "contention", "spread the transfers over time." },
		{ "unhidden_transfer",
			"call MPI while computing (MPI_Test), or have the library move messages "
			"meanwhile by itself (asynchronous progress, where it has a setting for "
			"that)." },
		{ NULL, NULL }
	};

	if (fact_is(f, "cause", "late_receiver")) {
		say_remedy_receiver(to, f);
	} else if (fact_is(f, "cause", "late_sender")) {
		say_remedy_sender(to, f);
	} else if (fact_is(f, "cause", "late_progress")) {
		say_remedy_progress(to, f);
	} else if (fact_is(f, "cause", "wrong_order")) {
		text_add(to, fact_is(f, "advice", "send_first") ? send_it_first : take_what_comes);
	} else if (fact_is(f, "cause", "no_cpu")) {
		text_add(to, "give each rank a CPU of its own, or keep other work off its CPUs.");
	} else if (fact_is(f, "cause", "unexplained")) {
		text_add(to, "unknown.");
	} else {
		say_form(to, f, others, "cause");
		phrase(to, f, unconfirmed);
	}
}

/* The first thing to do, without the reasons. */
void say_remedy_untried_short(struct text *to, const struct fact *f)
{
	if (is_balanced_away(f))
		say_balance(to, f);
	else if (fact_is(f, "advice", "send_first"))
		text_add(to, "have the sender send this message first");
	else
		phrase(to, f, cause_of(f)->remedy);
	if (!fact_is(f, "cause", "unexplained") && !fact_is(f, "cause", "no_cpu"))
		text_add(to, " (untried)");
}

/* In the report's lines: behind what it is. */
void say_why_line(struct text *to, const struct fact *f)
{
	phrase(to, f, "[why: {why}]");
}

void say_remedy_line(struct text *to, const struct fact *f)
{
	phrase(to, f, "[do: {remedy}]");
}

void say_late_activity(struct text *to, const struct fact *f)
{
	if (fact_has(f, "doing"))
		add_activity(to, fact_text(f, "doing"), fact_text(f, "late_call"),
			fact_text(f, "late_place"), fact_text(f, "late_after"));
}
