/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worth_words.c: what a bottleneck costs the run, the remedy that was tried, and patterns, in
 * words.
 *
 * The facts are of queries/bottlenecks.sql, queries/verdict_worth.sql and queries/doubt.sql. A
 * remedy is told of only if its replay shortens the run by more than the interval, with the number.
 * Without a replay bottleneck_words.c says what helps by the cause alone.
 */
#include <config.h>

#include "analysis/report/sentences.h"

#define PIECES_COST ", if rank {rank} takes no longer for them than for one"
#define BOTH_WAYS                                                                                  \
	"{both_ways|, in both directions, if none depends on those that come back in the "         \
	"meantime|}"
#define WITHOUT_BARRIER                                                                            \
	"[ If nothing needs this barrier, leaving it out makes the run {without_gain_ns} "         \
	"shorter.]"

void say_worth(struct text *to, const struct fact *f)
{
	phrase(to, f,
		fact_int(f, "unsure") ? "worth: unknown, because ranks lacked a CPU." :
					"[worth: at most {worth_ns} of the run's {run_ns}.]");
}

void say_worth_untold(struct text *to, const struct fact *f)
{
	static const struct form whys[] = { { "long", "the run has more than 500,000 messages" },
		{ "many_rows", "the run has more than 2,000,000 recorded operations" },
		{ "runs", "the job still runs" },
		{ "cut_short", "the run did not come to its end" },
		{ "without_rows", "some messages or collectives have no rows" },
		{ "no_memory", "there is not enough memory to replay the run" },
		{ "damaged", "the run cannot be replayed" }, { NULL, NULL } };

	if (fact_is(f, "untold", "nothing"))
		return;
	text_add(to, "Their worth is unknown: ");
	say_form(to, f, whys, "untold");
	text_add(to, ".");
}

static void say_raise_S(struct text *to, const struct fact *f)
{
	int64_t S = fact_int(f, "remedy_value");

	phrase(to, f,
		"raise S, the size above which a send waits for its receive, from {S} to "
		"{remedy_value:d} B");
	add_setting(to, f, S);
}

static void say_post_early(struct text *to, const struct fact *f)
{
	phrase(to, f, "post the receive[ at {peer_place}] earlier (MPI_Irecv), by {late_mean_ns}");
}

static void say_call_meanwhile(struct text *to, const struct fact *f)
{
	text_add(to, "call MPI_Test");
	phrase(to, f, "[ before {peer_done_call} at {peer_done_place}]");
	text_add(to, " while computing");
}

static void say_send_nonblocking(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"send with MPI_Isend at {where}, from a buffer of its own, and complete it after "
		"the computation that follows");
}

static void say_receive_later(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"call MPI_Irecv at {where}, and MPI_Wait after the computation that follows, if "
		"this computation does not need the message");
}

static void say_receive_next_first(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"move the receive that follows {call} at {where} in front of it, with the "
		"computation that needs its message, or use MPI_Irecv and MPI_Waitany");
}

static void say_stay_awake(struct text *to, const struct fact *f)
{
	text_add(to, "shorten the time asleep or blocked outside MPI (sleep, file I/O, locks): ");
	say_who(to, f);
}

static void say_balance_all(struct text *to, const struct fact *f)
{
	text_add(to, "balance the work of all ranks over the whole run: ");
	say_who(to, f);
}

static const struct told {
	const char *name;  /* of remedy_tried */
	const char *words; /* in one line */
	say_function *say; /* in full */
	const char *only_if;
} told[] = { { "raise_S", "a larger S", say_raise_S, NULL },
	{ "post_early", "receives posted earlier", say_post_early, NULL },
	{ "call_meanwhile", "MPI_Test while computing", say_call_meanwhile, NULL },
	{ "stay_awake", "no time asleep", say_stay_awake, NULL },
	{ "balance", "balanced work", say_balance, NULL },
	{ "balance_all", "balanced work of all ranks", say_balance_all, NULL },
	{ "send_nonblocking", "MPI_Isend", say_send_nonblocking, NULL },
	{ "receive_next_first", "the next message received first", say_receive_next_first, NULL },
	{ "receive_later", "MPI_Irecv", say_receive_later,
		", if the computation that follows does not need the message" },
	{ NULL, NULL, NULL, NULL } };

static const struct told *told_of(const struct fact *f)
{
	for (const struct told *t = told; t->name; t++)
		if (fact_is(f, "remedy_kind", t->name))
			return t;
	return NULL;
}

/* "a larger S, MPI_Isend" */
static void say_tried(struct text *to, const struct fact *f)
{
	bool first = true;

	for (const struct told *t = told; t->name; t++)
		if (list_has(fact_text(f, "tried"), t->name)) {
			text_addf(to, "%s%s", first ? "" : ", ", t->words);
			first = false;
		}
}

static void say_remedy_tried(struct text *to, const struct fact *f)
{
	const struct told *best = told_of(f);

	if (fact_int(f, "withheld")) {
		text_add(to, "advice is withheld: ranks lacked a CPU.");
	} else if (best) {
		best->say(to, f);
		phrase(to, f, ". By replay the run is {remedy_gain_ns} shorter");
		/* it can exceed the waits: the rank that slept also ends earlier */
		text_add(to,
			fact_is(f, "remedy_kind", "stay_awake") ?
				" without any time asleep or blocked." :
				".");
		phrase(to, f, "{chance| Ranks are late by chance here.|}");
	} else if (fact_int(f, "chance")) {
		text_add(to, "Ranks are late by chance here.");
	} else if (fact_has(f, "tried")) {
		phrase(to, f,
			"no remedy is known. In replays, each of these gained at most "
			"{interval_ns}: ");
		say_tried(to, f);
		text_add(to, ".");
	} else {
		text_add(to, "unknown: no remedy for this cause can be replayed.");
	}
}

/*
 * Does the advice follow from the cause alone? If ranks lacked a CPU, the report gives only the
 * advice against this lack.
 */
static bool is_by_cause(const struct fact *f)
{
	return fact_is(f, "cause", "no_cpu") ||
		(fact_int(f, "untried") && !fact_int(f, "withheld"));
}

void say_remedy(struct text *to, const struct fact *f)
{
	if (is_by_cause(f))
		say_remedy_untried(to, f);
	else
		say_remedy_tried(to, f);
}

void say_remedy_short(struct text *to, const struct fact *f)
{
	if (is_by_cause(f))
		say_remedy_untried_short(to, f);
	else
		say_remedy_tried(to, f);
}

/* If the interval is as long as the run, the worth is unknown. */
void say_bottlenecks_rest(struct text *to, const struct fact *f)
{
	phrase(to, f,
		fact_int(f, "interval_ns") < fact_int(f, "run_ns") ?
			"{others} {others|bottleneck has|bottlenecks have} {lost_ns} of waits, and "
			"{others|is|are each} worth at most {bound_ns}." :
			"{others} {others|bottleneck has|bottlenecks have} {lost_ns} of waits. "
			"{others|Its|Their} worth is unknown: the times of calls vary too much.");
}

/* spoilt: a sentence on the figures below that CPU loss is a part of. */
static void say_doubt_about(struct text *to, const struct fact *f, const char *spoilt)
{
	if (!fact_is(f, "why", "no_cpu")) {
		phrase(to, f, "{first|no|No} message is predicted: ");
		say_prediction_lacks(to, f);
		phrase(to, f, ". Waits in {pct:0} % of the ranks' time are therefore unknown. ");
		if (!fact_is(f, "reason", "other_worlds"))
			text_add(to,
				"Record again with tryst run --links FILE, or on an idle "
				"machine. ");
		return;
	}
	phrase(to, f,
		"CPU shortage: ranks were ready to run but had no CPU for {ns} ({pct:0} % of their "
		"time). ");
	text_add(to, spoilt);
	text_add(to, " Give each rank a CPU of its own, or end other work, and repeat the run. ");
}

void say_doubt(struct text *to, const struct fact *f)
{
	say_doubt_about(to, f, "Waits below include that, and advice is withheld.");
}

void say_remedies_doubt(struct text *to, const struct fact *f)
{
	say_doubt_about(to, f, "It may have distorted the gains below.");
}

/* A remedy may bring more than the end of these waits: balance moves work that they only show. */
void say_verdict_worth(struct text *to, const struct fact *f)
{
	const struct told *best = fact_int(f, "withheld") ? NULL : told_of(f);

	phrase(to, f, "{ahead|The|the} run of {run_ns} would be ");
	if (best) {
		phrase(to, f, "{remedy_gain_ns} shorter with ");
		text_add(to,
			best->say == say_balance && late_in_turns(f) ?
				"the same work in each step" :
				best->words);
		text_addf(to, "%s, against the ", best->only_if ? best->only_if : "");
	} else {
		phrase(to, f, "at most {worth_ns} shorter without the ");
	}
	phrase(to, f, cause_of(f)->waits);
	phrase(to, f, " in {call} at {where}. ");
}

/* The gain of making each 8 or 64 messages one, where it is more than chance. */
static void say_aggregation(struct text *to, const struct fact *f)
{
	const int64_t least = fact_int(f, "interval_ns");
	const bool by8 = fact_int(f, "by8_gain_ns") > least;
	const bool by64 = fact_int(f, "by64_gain_ns") > least;

	if (fact_int(f, "withheld"))
		return;
	if (by8 || by64) {
		phrase(to, f, " By replay, the run without tryst takes {bare_run_ns}. It is ");
		phrase(to, f,
			!by64        ? "{by8_gain_ns} shorter with 8 of them in one" :
				!by8 ? "{by64_gain_ns} shorter with 64 of them in one" :
				       "{by8_gain_ns} shorter with 8 of them in one, and "
				       "{by64_gain_ns} with 64");
		phrase(to, f, BOTH_WAYS ".");
	} else if (fact_has(f, "by8_gain_ns") && fact_has(f, "by64_gain_ns")) {
		text_add(to,
			" By replay, combining those between two answers of the peer does not "
			"shorten the run.");
	} else {
		text_add(to, " Fewer and longer messages may cost less.");
	}
}

/* Larger pieces of a master's work. */
static void say_pieces(struct text *to, const struct fact *f)
{
	if (fact_has(f, "gain_ns") && fact_int(f, "gain_ns") > fact_int(f, "interval_ns"))
		phrase(to, f,
			" By replay, with {by:d} pieces in a message the run is {gain_ns} "
			"shorter" PIECES_COST ".");
}

/* Did replays of the better form gain no more than chance? */
static bool helps_not(const struct fact *f)
{
	const int64_t least = fact_int(f, "interval_ns");

	if (fact_is(f, "pattern", "master") && fact_has(f, "gain_ns") &&
		fact_int(f, "gain_ns") > least)
		return false;
	return (fact_has(f, "same_gain_ns") && fact_int(f, "same_gain_ns") <= least &&
		       !fact_int(f, "own_helps")) ||
		(fact_has(f, "most_gain_ns") && fact_int(f, "most_gain_ns") <= least);
}

static void say_no_gain(struct text *to, const struct fact *f)
{
	text_add(to,
		fact_is(f, "pattern", "master") ?
			fact_has(f, "gain_ns") ?
			" By replay, neither a faster master nor larger pieces of work shorten the "
			"run." :
			" By replay, a faster master does not shorten the run. Larger pieces of "
			"work also save messages." :
			" By replay, a collective does not shorten the run.");
}

static void say_collective_gain(struct text *to, const struct fact *f)
{
	static const struct form both[] = {
		{ "fan_out",
			" By replay of a tree the run is {same_gain_ns} shorter with MPI_Bcast, "
			"and {own_gain_ns} with MPI_Scatter." },
		{ "fan_in",
			" By replay of a tree the run is {same_gain_ns} shorter with MPI_Reduce, "
			"and {own_gain_ns} with MPI_Gather." },
		{ "ring",
			" By replay of so many steps the run is {own_gain_ns} shorter with "
			"MPI_Allgather." },
		{ NULL, NULL }
	};
	static const struct form same[] = {
		{ "fan_out",
			" By replay of a tree the run is {same_gain_ns} shorter with MPI_Bcast, if "
			"all get the same data." },
		{ "fan_in",
			" By replay of a tree the run is {same_gain_ns} shorter with MPI_Reduce, "
			"if the data are reduced." },
		{ "ring",
			" By replay of so many steps the run is {same_gain_ns} shorter with "
			"MPI_Allreduce, if each message has all the data." },
		{ NULL, NULL }
	};

	if (!fact_has(f, "same_gain_ns"))
		return;
	say_form(to, f, fact_int(f, "own_helps") ? both : same, "pattern");
	if (fact_has(f, "own_gain_ns") && !fact_int(f, "own_helps"))
		text_add(to, " With each rank's own data it is not shorter.");
}

/* A pattern that may come first in the report: its sentence in the verdict, and its lines. */
static const struct leader {
	const char *pattern, *verdict, *where, *why, *remedy, *gain, *worth;
} leaders[] = {
	{ "small_messages",
		"{ahead|The|the} run without tryst ({bare_run_ns} by replay) would be {gain_ns} "
		"shorter with up to {by:d} messages combined into one" BOTH_WAYS ". Rank {rank} "
		"sends {count:,} messages of {mean_bytes} to rank {peer} in {call}[ at {where}]"
		"{both_ways|, and receives from it in turn|}. ",
		"where: {call}[ at {where}], {count:,} messages of {mean_bytes} from rank {rank} "
		"to rank {peer}{both_ways|, in turn with messages back|}",
		"why: many small messages, {share_pct:1} % of the ranks' time. Each message has an "
		"overhead that does not depend on its size.",
		"do: combine up to {by:d} of them into one" BOTH_WAYS,
		". By replay the run without tryst is {gain_ns} shorter.",
		"worth: {gain_ns} of the {bare_run_ns} that the run takes without tryst" },
	{ "load_imbalance",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter if ranks had equal "
		"work between collectives. ",
		"where: {call}[ at {where}], {count:,} waits",
		"why: load imbalance: ranks come to collectives at different times. Waiting there "
		"takes {share_pct:1} % of the ranks' time.",
		"do: balance the work of all ranks between collectives[: most of the waiting is "
		"for rank {rank}][, {activity}]",
		". By replay the run is {gain_ns} shorter." WITHOUT_BARRIER,
		"worth: {gain_ns} of the run's {run_ns}; {time_ns} of waits" },
	{ "barrier",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter without {call}[ at "
		"{where}], if nothing needs this barrier. ",
		"where: {call}[ at {where}], {count:,} waits",
		"why: ranks come to this barrier at different times. By replay, equal work does "
		"not shorten the run, but leaving the barrier out does. Waiting in collectives "
		"takes {share_pct:1} % of the ranks' time.",
		"do: leave this barrier out, if nothing needs it",
		". By replay the run is {gain_ns} shorter.",
		"worth: {gain_ns} of the run's {run_ns}; {time_ns} of waits in collectives" },
	{ "fan_out",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter with "
		"{own_helps|MPI_Bcast or MPI_Scatter as a tree|MPI_Bcast as a tree, if all get the "
		"same data,} in the place of rank {rank}'s messages to each of the others in "
		"{call}[ at {where}]. ",
		"where: {call}[ at {where}], {count:,} messages of {mean_bytes} from rank {rank} "
		"to all others",
		"why: a broadcast by hand takes {steps_now} steps, and {share_pct:1} % of the "
		"ranks' time. A collective needs {steps} steps.",
		"do: use {own_helps|MPI_Bcast, or MPI_Scatter for each rank's own data|MPI_Bcast, "
		"if all get the same data}",
		". By replay of a tree the run is {gain_ns} shorter.",
		"worth: {gain_ns} of the run's {run_ns}" },
	{ "fan_in",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter with "
		"{own_helps|MPI_Reduce or MPI_Gather as a tree|MPI_Reduce as a tree, if the data "
		"are reduced,} in the place of messages from each rank to rank {rank} in {call}[ "
		"at {where}]. ",
		"where: {call}[ at {where}], {count:,} messages of {mean_bytes} from all others to "
		"rank {rank}",
		"why: a gathering by hand takes {steps_now} steps, and {share_pct:1} % of the "
		"ranks' time. A collective needs {steps} steps.",
		"do: use {own_helps|MPI_Gather, or MPI_Reduce to reduce the data|MPI_Reduce, if "
		"the data are reduced}",
		". By replay of a tree the run is {gain_ns} shorter.",
		"worth: {gain_ns} of the run's {run_ns}" },
	{ "ring",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter with "
		"{own_helps|MPI_Allgather|MPI_Allreduce, if each message has all the data,} in the "
		"place of a ring of messages by hand. ",
		"where: a ring of {ranks} ranks, {count:,} messages of {mean_bytes}",
		"why: a ring by hand takes {steps_now} steps, and {share_pct:1} % of the ranks' "
		"time. A collective needs {steps} steps.",
		"do: use {own_helps|MPI_Allgather|MPI_Allreduce, if each message has all the data}",
		". By replay of {steps} steps the run is {gain_ns} shorter.",
		"worth: {gain_ns} of the run's {run_ns}" },
	{ "master",
		"{ahead|The|the} run of {run_ns} would be {gain_ns} shorter if rank {rank}, which "
		"serves all others, handed out {by:d} pieces of work in a message and took no "
		"longer for them than for one. ",
		"where: rank {rank}, {count:,} messages of {mean_bytes} with all others",
		"why: one rank serves all others, and they wait {time_ns} for it",
		"do: hand out {by:d} pieces of work in a message" PIECES_COST,
		". By replay the run is {gain_ns} shorter.",
		"worth: {gain_ns} of the run's {run_ns}" },
	{ NULL, "", "", "", "", "", "" }
};

static const struct leader *leader_of(const struct fact *f)
{
	const struct leader *l = leaders;

	while (l->pattern && !fact_is(f, "pattern", l->pattern))
		l++;
	return l;
}

void say_verdict_pattern(struct text *to, const struct fact *f)
{
	phrase(to, f, leader_of(f)->verdict);
}

void say_pattern_where(struct text *to, const struct fact *f)
{
	phrase(to, f, leader_of(f)->where);
}

void say_pattern_why(struct text *to, const struct fact *f)
{
	phrase(to, f, leader_of(f)->why);
}

void say_pattern_do(struct text *to, const struct fact *f)
{
	phrase(to, f, leader_of(f)->remedy);
	add_sampled(to, f);
	phrase(to, f, leader_of(f)->gain);
}

void say_pattern_worth(struct text *to, const struct fact *f)
{
	phrase(to, f, leader_of(f)->worth);
}

void say_pattern(struct text *to, const struct fact *f)
{
	static const struct form patterns[] = {
		{ "small_messages",
			"Many small messages: rank {rank} sends {count:,} of {mean_bytes} to rank "
			"{peer} in {call}[ at {where}]{both_ways|, and receives from it in "
			"turn|}." },
		{ "load_imbalance",
			"Load imbalance: ranks come to collectives at different times, and wait "
			"{time_ns} there, most of it in {call}[ at {where}]." },
		{ "barrier",
			"A barrier: ranks wait {time_ns} in collectives, most of it in {call}[ at "
			"{where}]. Equal work does not shorten the run." },
		{ "master",
			"One rank serves all: the others exchange {count:,} messages with rank "
			"{rank}, and wait {time_ns} for it." },
		{ "pipeline",
			"A pipeline from rank {rank} to rank {peer} fills: ranks wait "
			"{time_ns} for their first messages." },
		{ "serialised",
			"Neighbours exchange one after the other: {call} at {where} waits "
			"{time_ns} for ranks that are in their own sends and receives." },
		{ "fan_out",
			"A broadcast by hand: rank {rank} sends {mean_bytes} to each of the others "
			"in {call}[ at {where}]." },
		{ "fan_in",
			"A gathering by hand: rank {rank} receives {mean_bytes} from each of the "
			"others in {call}[ at {where}]." },
		{ "all_to_all",
			"An exchange of all by hand: each of {ranks} ranks sends {mean_bytes} to "
			"each of the others." },
		{ "ring",
			"A ring by hand: each of {ranks} ranks sends to the next one alone, "
			"{count:,} messages of {mean_bytes} in all." },
		{ "one_late",
			"One rank is late: the others wait {time_ns} because of rank {rank}." },
		{ "late_in_turns", "Ranks are late in turns." }, { NULL, NULL }
	};
	static const struct form advice[] = {
		{ "master", " Larger pieces of work save messages; several ranks can serve." },
		{ "load_imbalance", " Equal work between collectives ends this." },
		{ "barrier", " If nothing needs this barrier, leave it out." },
		{ "pipeline", " Smaller first pieces fill it earlier." },
		{ "serialised", " MPI_Sendrecv, or MPI_Irecv first, lets them exchange at once." },
		{ "fan_out", " MPI_Bcast or MPI_Scatter needs {steps} steps, not {steps_now}." },
		{ "fan_in", " MPI_Gather or MPI_Reduce needs {steps} steps, not {steps_now}." },
		{ "all_to_all", " MPI_Alltoall or MPI_Allgather can do it." },
		{ "ring", " MPI_Allgather or MPI_Allreduce needs {steps} steps, not {steps_now}." },
		{ "late_in_turns",
			" Over the whole run, no rank has more work. Equal work in each step can "
			"help. If ranks need each other's results, smaller steps can help, too." },
		{ NULL, NULL }
	};

	say_form(to, f, patterns, "pattern");
	if (helps_not(f)) {
		say_no_gain(to, f);
	} else if (!fact_int(f, "withheld")) {
		say_form(to, f, advice, "pattern");
		say_collective_gain(to, f);
		if (fact_is(f, "pattern", "master"))
			say_pieces(to, f);
		if (fact_int(f, "most_gain_ns") > fact_int(f, "interval_ns"))
			phrase(to, f,
				" With a master that takes no time the run would be {most_gain_ns} "
				"shorter: several that serve bring no more.");
		if (fact_is(f, "pattern", "small_messages"))
			say_aggregation(to, f);
		phrase(to, f, "[ By replay the run is {remedy_gain_ns} shorter.]" WITHOUT_BARRIER);
		if (fact_int(f, "untried"))
			text_add(to, " Gain: unknown.");
	}
	if (!fact_is(f, "pattern", "late_in_turns"))
		phrase(to, f, " The pattern takes {share_pct:1} % of the ranks' time.");
}

void say_pattern_line(struct text *to, const struct fact *f)
{
	phrase(to, f, "[{text}]");
}
