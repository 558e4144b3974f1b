/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict_words.c: the verdict in words. It is one paragraph: an opening, why calls never return
 * (hang_words.c), how much is waiting, and what else the reader must know.
 */
#include <config.h>

#include "analysis/report/sentences.h"

#include <string.h>

#define YOUNG_NS INT64_C(10000000000)

void say_outlook(struct text *to, const struct fact *f)
{
	static const struct form states[] = {
		{ "starting", "no rank has left MPI_Init yet: of waits nothing is known." },
		{ "ended_in_init", "no rank came out of MPI_Init: of waits nothing is known." },
		{ "awaits_pcontrol",
			"nothing was recorded between MPI_Init and MPI_Finalize (recording waits "
			"for MPI_Pcontrol(1), by --record pcontrol): of waits nothing is known." },
		{ "nothing_recorded",
			"nothing was recorded between MPI_Init and MPI_Finalize: of waits nothing "
			"is known." },
		{ "hangs",
			"{inside} of {world} ranks are inside MPI calls that have not returned, "
			"the longest for at least {longest_ns}." },
		{ "hung",
			"the job did not come to its end. {inside} of {world} ranks were in calls "
			"that never returned[, the longest for at least {longest_ns}]." },
		{ "runs", "the job runs. So far:" },
		{ "cut_short", "the job did not come to its end." }, { NULL, NULL }
	};

	text_add(to, "Verdict: ");
	say_form(to, f, states, "state");
}

/* Behind the reasons of a hang. */
void say_outlook_end(struct text *to, const struct fact *f)
{
	if (fact_is(f, "state", "hangs"))
		text_add(to, " See PENDING.");
	if (fact_is(f, "state", "hangs") && fact_int(f, "longest_ns") < YOUNG_NS)
		text_add(to, " No call has waited for 10 s yet. To be sure, look again in 10 s.");
	if (fact_is(f, "state", "hangs"))
		text_add(to, " So far:");
	if (fact_has(f, "state") && (fact_has(f, "unknown") || fact_has(f, "unrecorded_pct")))
		text_add(to, " ");
	phrase(to, f, "[of {unknown} of {world} ranks nothing is known; of the others:]");
	if (fact_has(f, "unknown") && fact_has(f, "unrecorded_pct"))
		text_add(to, " ");
	phrase(to, f,
		"[in {unrecorded_pct:0} % of the ranks' time nothing was recorded, and what waited "
		"then is not known:]"
		"[ The share of waiting is unknown: the last record is of {last_ns} after "
		"MPI_Init, and the job ended by {ended_ns}.]");
	if (fact_int(f, "said") && !fact_int(f, "alone"))
		text_add(to, " ");
}

/* Ends the sentence, with the time that is not predicted, unless the verdict began with that. */
static void say_hedge(struct text *to, const struct fact *f)
{
	if (!fact_int(f, "unpredicted")) {
		phrase(to, f,
			"; another {not_predicted_pct:1} % was spent in message calls whose "
			"no-wait time is unknown, since ");
		say_prediction_lacks(to, f);
		if (!fact_is(f, "reason", "other_worlds"))
			text_add(to,
				": to predict it, give --links or calibrate on an idle machine");
	}
	text_add(to, ".");
}

static void say_least(struct text *to, const struct fact *f)
{
	phrase(to, f, "{ends|At|at} least ");
}

static void say_share(struct text *to, const struct fact *f, const char *share)
{
	phrase(to, f, share);
	phrase(to, f, " % of the ranks' time{unseen| up to their last record|}");
}

/* Is there nothing to say of but how little was waited? */
static bool is_all_well(const struct fact *f)
{
	return fact_real(f, "share_pct") < 2 && !fact_int(f, "said") && !fact_int(f, "besides") &&
		!fact_int(f, "least");
}

/* "94 % of that for late receivers" */
static void say_most_cause(struct text *to, const struct fact *f)
{
	phrase(to, f, "{cause_pct:0} % of that ");
	phrase(to, f, cause_of(f)->of_waits);
}

static void say_most_place(struct text *to, const struct fact *f)
{
	phrase(to, f,
		fact_has(f, "waited_in") ?
			"most in {waited_in} at {waited_at}, for {call} at {where}" :
			"most in {call} at {where}");
}

static void say_late_most(struct text *to, const struct fact *f)
{
	if (late_in_turns(f))
		text_add(to, " Ranks are late in turns, none much more than the others.");
	else if (fact_real(f, "late_rank_pct") > 50)
		phrase(to, f,
			" Of {blamed_more|that and of waits in windows and files|all waiting} "
			"{late_rank_pct:0} % is for rank {late_rank}: see BLAME.");
}

/* What little was waited was in these. */
static const char *waited_kind(const struct fact *f)
{
	if (fact_int(f, "outlook"))
		return "calls that returned";
	return fact_int(f, "other_calls") ? "messages and collectives" : "calls that block";
}

void say_verdict(struct text *to, const struct fact *f)
{
	bool is_little = fact_real(f, "share_pct") < 2;

	if (fact_int(f, "alone"))
		return;
	if (!fact_has(f, "share_pct")) {
		text_add(to, "how long the run took is not known.");
	} else if (fact_has(f, "not_predicted_pct")) {
		say_least(to, f);
		say_share(to, f, "{share_pct:1}");
		text_add(to, " is waiting");
		if (!is_little) {
			text_add(to, ", ");
			say_most_cause(to, f);
			text_add(to, ", ");
			say_most_place(to, f);
		}
		say_hedge(to, f);
	} else if (is_all_well(f)) {
		phrase(to, f,
			"{ends|Waiting|waiting} is not the problem, it is {share_pct:1} % of the "
			"ranks' time.");
	} else {
		if (fact_int(f, "least"))
			say_least(to, f);
		say_share(to, f, "{share_pct:1}");
		if (is_little) {
			text_addf(to, " is waiting in %s.", waited_kind(f));
			return;
		}
		phrase(to, f, " is waiting{windows| in messages and collectives|}, ");
		say_most_cause(to, f);
		text_add(to, "; ");
		say_most_place(to, f);
		text_add(to, ".");
		say_late_most(to, f);
		if (fact_int(f, "worth_little"))
			phrase(to, f,
				" Without the waits in {call} at {where}, the run would hardly be "
				"shorter.");
	}
}

void say_verdict_one_side(struct text *to, const struct fact *f)
{
	static const char so_far[] = " is waiting in messages, as one side can know it";

	if (fact_int(f, "alone"))
		return;
	if (!fact_int(f, "ran")) {
		text_add(to, "how long the run took is not known.");
	} else if (fact_has(f, "not_predicted_pct")) {
		say_least(to, f);
		say_share(to, f, "{share_pct:1?0.0}");
		text_add(to, so_far);
		say_hedge(to, f);
	} else if (is_all_well(f)) {
		phrase(to, f,
			"waiting in messages is not the problem, it is {share_pct:1?0.0} % of the "
			"ranks' time.");
	} else {
		if (fact_int(f, "least"))
			say_least(to, f);
		say_share(to, f, "{share_pct:1?0.0}");
		text_addf(to, "%s.", so_far);
	}
}

void say_besides(struct text *to, const struct fact *f)
{
	static const struct form additions[] = {
		{ "messages_without_rows",
			" Of the waiting, {share_pct:1} % of the ranks' time is in messages "
			"without rows, as seen live (" },
		{ "polling",
			" Another {share_pct:1} % is polling, most in {call} at {place}: where "
			"there was nothing else to do, that is waiting, too, and what such a loop "
			"did between these calls." },
		{ "other_calls",
			" Another {share_pct:1} % is in one-sided, file and communicator calls, "
			"most in {call} at {place}: " },
		{ "collectives_without_rows",
			" Another {share_pct:1} % is in collectives without rows: the report "
			"cannot say how much of it is waiting." },
		{ "transfers",
			" Another {share_pct:1} % is transfers that did not go on before they "
			"were completed, most in {call} at {place}: see BOTTLENECKS." },
		{ NULL, NULL }
	};

	say_form(to, f, additions, "what");
	if (fact_is(f, "what", "messages_without_rows"))
		phrase(to, f,
			fact_has(f, "why") ? "they could not be written: {why})." :
					     "--max-ops keeps more).");
	if (fact_is(f, "what", "other_calls"))
		phrase(to, f,
			fact_has(f, "waits_pct") ?
				"at least {waits_pct:1} % of the ranks' time is waiting for others "
				"there, see BLAME." :
				"how much of it is waiting for others is unknown.");
}

void say_unconfirmed(struct text *to, const struct fact *f)
{
	text_add(to, " Predictions rest on unconfirmed link numbers, ");
	if (fact_int(f, "several"))
		text_add(to, "of several sets");
	else
		say_measured_ago(to, f);
	text_add(to, ": this launch could not measure (see LINKS).");
}
