/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_words.c: what ran, where and for how long, in words. */
#include <config.h>

#include "analysis/report/sentences.h"

/* Shares of the ranks' time from which on something is said of it [%] */
/* Beyond DOUBT_PCT the verdict begins with it (queries/doubt.sql). */
enum { MUCH_PCT = 5, DOUBT_PCT = 10 };

void say_programs(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{continues| : |}{program?unknown program}[ (rank{nranks||s} {ranks})]"
		"[ : ... and {more} more]");
}

void say_run(struct text *to, const struct fact *f)
{
	/* durations have three digits */
	bool is_later = fact_real(f, "run_most_ns") > 1.005 * fact_real(f, "run_ns");
	bool is_known = fact_has(f, "run_most_ns");

	phrase(to, f, "{ranks_read} of {ranks} ranks");
	if (fact_int(f, "in_init")) {
		if (fact_int(f, "hosts"))
			phrase(to, f, " on {hosts} host{hosts||s}");
		text_add(to, "; MPI_Init returned on none of them");
		return;
	}
	phrase(to, f, " on {hosts?0} host{hosts||s}, {mpi?unknown MPI}, ");
	if (fact_int(f, "runs")) {
		if (fact_int(f, "runs") < fact_int(f, "ranks_read"))
			phrase(to, f, "{runs} of them ");
		phrase(to, f,
			"still running as far as can be seen: this is about the first "
			"{run_ns?unknown time} after MPI_Init");
		return;
	}
	text_add(to, "ran ");
	if (fact_has(f, "run_ns") && (is_later || !is_known))
		text_add(to, "at least ");
	phrase(to, f, "{run_ns?an unknown time}");
	if (is_later)
		phrase(to, f, " and at most {run_most_ns}");
	text_add(to, " after MPI_Init");
}

void say_shared(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{continues|; |Ranks take turns: }{ranks} share {cpus} processor{cpus||s} on "
		"{host}");
	if (fact_is_last(f) && fact_int(f, "guessed"))
		text_add(to, ": waits are partly the scheduler's");
}

void say_no_processor(struct text *to, const struct fact *f)
{
	double pct = fact_real(f, "no_processor_pct");

	if (pct > MUCH_PCT && pct <= DOUBT_PCT)
		phrase(to, f,
			" Ranks were ready to run but had no CPU for {no_processor_ns} "
			"({no_processor_pct:0} % of their time).");
}

void say_lost_in_waits(struct text *to, const struct fact *f)
{
	const bool no_cpu = fact_real(f, "wait_no_cpu_pct") > MUCH_PCT,
		   blocked = fact_real(f, "wait_blocked_pct") > MUCH_PCT;

	if (!fact_has(f, "wait_no_cpu_ns") || !(no_cpu || blocked))
		return;
	text_add(to, " Of all waiting, including that with other causes, ");
	if (no_cpu)
		phrase(to, f,
			"{wait_no_cpu_ns} ({wait_no_cpu_pct:0} %) is for threads without a CPU");
	if (blocked)
		text_add(to, no_cpu ? ", and " : "");
	if (blocked)
		phrase(to, f,
			"{wait_blocked_ns} ({wait_blocked_pct:0} %) is for ranks that slept or "
			"were blocked outside MPI");
	text_add(to, ".");
}

/* Says nothing if the verdict begins with lost CPUs. */
void say_lost_undoubted(struct text *to, const struct fact *f)
{
	if (!(fact_real(f, "no_processor_pct") > DOUBT_PCT))
		say_lost_in_waits(to, f);
}

void say_slept(struct text *to, const struct fact *f)
{
	if (!fact_has(f, "wait_blocked_ns") && fact_real(f, "slept_pct") > MUCH_PCT)
		phrase(to, f,
			" Ranks slept for at least {slept_outside_ns} outside MPI, {slept_pct:0} % "
			"of their time. TIME may count this as computing. Sleep between polls is "
			"waiting.");
}

void say_spawned(struct text *to, const struct fact *f)
{
	phrase(to, f, "[Processes that were spawned have their own reports: {spawned_worlds}]");
}

void say_messages(struct text *to, const struct fact *f)
{
	int64_t nth = fact_int(f, "nth");

	if (nth > 0)
		phrase(to, f,
			nth > 1 ? ", {ops:,} {reason}" :
				  "; operations without partner: {ops:,} {reason}");
	else if (fact_int(f, "both_sides"))
		phrase(to, f, "[{messages:,} message{messages||s} seen from both sides]");
	else
		text_add(to,
			"One side of each message alone: causes are what that side can tell (tryst "
			"analyze puts both together)");
}

void say_not_received(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"Nobody received {messages:,} message{messages||s}, sent by rank{nranks||s} {ranks}"
		"[; the first one by {call} at {place} to rank {peer}, tag {tag}, {bytes}]");
}
