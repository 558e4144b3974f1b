/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c: see words.h. */
#include <config.h>

#include "analysis/diff/words.h"
#include "analysis/report/phrase.h"

#include <math.h>

void say_side(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{side}: {name}, {program?unknown program}, {ranks} rank{ranks||s}[ "
		"({missing} missing)], {messages:,} message{messages||s}");
	if (!fact_int(f, "both_sides"))
		text_add(to, ", waits as one side can know them");
}

void say_run_time(struct text *to, const struct fact *f)
{
	const double pct = fact_has(f, "change_pct") ? fact_real(f, "change_pct") : 0;

	phrase(to, f, "Run time: {a_ns} became {b_ns}");
	if (fact_int(f, "change_ns") != 0 && pct != 0)
		text_addf(to, ", %.1f %% %s", fabs(pct), pct > 0 ? "longer" : "shorter");
	if (!fact_has(f, "noise_ns"))
		text_add(to, "; not judged, since the numbers of ranks differ.");
	else if (fact_is(f, "verdict", "noise"))
		phrase(to, f, "; that is within the noise of {noise_ns}.");
	else
		phrase(to, f, "; that is beyond the noise of {noise_ns}.");
}

void say_condition(struct text *to, const struct fact *f)
{
	phrase(to, f, "Condition {condition} is ");
	text_add(to, fact_int(f, "is_met") ? "met: " : "not met: ");
	phrase(to, f, "[{a_ns} became {b_ns}][{a_count:,} became {b_count:,}].");
}

void say_other_ranks(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"The numbers of ranks differ: the tables have sums over all ranks, and no change "
		"is "
		"compared with the noise. A rank waited {a_wait_ns} in A and {b_wait_ns} in B on "
		"average.");
}

void say_other_programs(struct text *to, const struct fact *f)
{
	(void)f;
	text_add(to, "These are different programs.");
}

/* Waits, or all time in MPI if too much of the time in messages is unpredicted. */
static void say_sums(struct text *to, const struct fact *f)
{
	bool waits = fact_is(f, "thing", "wait");

	text_add(to, "Verdict: ");
	if (!waits)
		phrase(to, f,
			"the waits cannot be compared, since time in message calls is unpredicted "
			"and "
			"may be waiting: [{a_unpredicted_ns} of A ({a_why})]{both| and |}"
			"[{b_unpredicted_ns} of B ({b_why})]. All time in MPI: ");
	phrase(to, f, waits ? "{a_ns} of waiting became {b_ns}; " : "{a_ns} became {b_ns}; ");
}

void say_change(struct text *to, const struct fact *f)
{
	say_sums(to, f);
	if (fact_int(f, "other_ranks"))
		text_add(to, "not judged, since the numbers of ranks differ.");
	else if (fact_int(f, "more") + fact_int(f, "less") > 0)
		phrase(to, f, "{more} {thing}{more||s} grew and {less} shrank beyond the noise.");
	else if (fact_int(f, "many_few"))
		text_add(to, "it is unknown whether that is a change.");
	else
		text_add(to, "no change is beyond the noise.");
	if (fact_int(f, "many_few"))
		phrase(to, f,
			" {few_ns} of the difference is in {thing}s that are too few, or too close "
			"in "
			"time, to be told from chance. Longer runs, with more repetitions, would "
			"show "
			"more.");
	phrase(to, f,
		"[ CPU shortage: ranks were ready to run but had no CPU for {a_no_cpu_ns} in A and "
		"{b_no_cpu_ns} in B. It causes up to {no_cpu_noise_ns} of a row's noise (noise_ns "
		"in csv). Repeat both runs with a CPU for each rank to see smaller changes.]");
}

void say_scaling(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"Verdict: {ranks} ranks took {run_ns}. Ideal {weak|weak|strong} scaling from "
		"{first_ranks} rank{first_ranks||s} would take {ideal_ns}[: the efficiency is "
		"{efficiency_pct:1} %].");
}

void say_scaling_loss(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"[Of the run with {ranks} ranks, {mpi_lost_pct:1} % is time in MPI beyond the "
		"ideal. ]"
		"[{computation_lost_pct:1} % of it is computation beyond the ideal. ]"
		"[The wait that grew most is {cause} of {call} at {where}: {lost_pct:1} %.]");
}
