/* SPDX-License-Identifier: BSD-3-Clause */
/* hang_words.c: what is pending, and why calls never return, in words. */
#include <config.h>

#include "analysis/report/sentences.h"

#include <string.h>

static const char name_of_comm[] = "[{comm_name}][communicator {comm_number}]";

/* "to rank 9, where MPI_COMM_WORLD has 2: an error that ends the job" */
static void say_error(struct text *to, const struct fact *f)
{
	static const struct form errors[] = { { "no_such_rank",
						      "{sends|to|from} rank {not_there}, where " },
		{ "rank_below_0", "{sends|to|from} a rank below 0" },
		{ "sends_to_any", "to MPI_ANY_SOURCE" },
		{ "no_such_tag", "with tag {tag}, which no message has" }, { NULL, NULL } };

	say_form(to, f, errors, "error");
	if (fact_is(f, "error", "no_such_rank")) {
		phrase(to, f, name_of_comm);
		phrase(to, f, " has {members}");
	}
	text_add(to, ": an error that ends the job");
}

/* "rank 1 sent tag 4 (MPI_Send at a.c:7)" */
static void say_misfit(struct text *to, const struct fact *f)
{
	static const struct form sent[] = { { "rank", "that" }, { "tag", "tag {from_tag}" },
		{ "comm", "that over {from_comm?another communicator}" },
		{ "bytes", "{from_bytes}" }, { NULL, NULL } };

	phrase(to, f, "rank {from_rank} sent ");
	say_form(to, f, sent, "differs");
	phrase(to, f, " ({from_call} at {from_place?an unknown place})");
	if (fact_is(f, "differs", "bytes"))
		text_add(to, ", more than there is room for");
}

static const char others_called[] = "[where rank{other_count||s} {other_ranks} called {other_call}]"
				    "[, and others {more_calls} more functions]";

void say_pending_why(struct text *to, const struct fact *f)
{
	if (fact_has(f, "error")) {
		say_error(to, f);
	} else if (fact_has(f, "differs")) {
		text_add(to, "while ");
		say_misfit(to, f);
	} else {
		phrase(to, f, "[not begun by rank{missing_count||s} {missing}]");
		if (fact_has(f, "missing") && fact_has(f, "other_call"))
			text_add(to, ", ");
		phrase(to, f, others_called);
	}
}

/* Is it a message of a rank to itself? */
static bool is_itself(const struct fact *f)
{
	return (fact_is(f, "kind", "send") || fact_is(f, "kind", "recv")) && fact_has(f, "peer") &&
		fact_int(f, "peer") == fact_int(f, "rank");
}

/* Whom it is with, which an error in it may say as well. */
static void say_partner(struct text *to, const struct fact *f)
{
	static const struct form partners[] = { { "send", "[ to rank {peer}]" },
		{ "recv", "[ from rank {peer}]" }, { "call", "[ from rank {peer}]" },
		{ "collective", "[ with root {peer}] #{op_id} of " },
		{ "rma", "[ with rank {peer}]" }, { NULL, NULL } };
	bool receives =
		fact_is(f, "kind", "recv") || (fact_is(f, "kind", "call") && fact_has(f, "tag"));
	bool is_said = fact_is(f, "error", "no_such_rank") || fact_is(f, "error", "rank_below_0");

	if (is_itself(f))
		text_add(to, receives ? " from itself" : " to itself");
	else if (receives || !fact_is(f, "kind", "call"))
		say_form(to, f, partners, "kind");
	if (receives && !fact_has(f, "peer") && !is_said)
		text_add(to, " from any rank");
	if (fact_is(f, "kind", "collective"))
		phrase(to, f, name_of_comm);
	if (fact_int(f, "tag") == -1 && !fact_is(f, "error", "no_such_tag"))
		text_add(to, ", any tag");
	else if (!fact_is(f, "error", "no_such_tag"))
		phrase(to, f, "[, tag {tag}]");
}

static void say_age(struct text *to, const struct fact *f)
{
	int64_t least_ns = fact_int(f, "least_ns"), age_ns = fact_int(f, "age_ns");

	if (fact_int(f, "cancelled"))
		text_add(to, ", cancelled");
	else if (least_ns > 0)
		phrase(to, f, ", for at least {least_ns}");
	else if (age_ns > 0)
		phrase(to, f, ", for at most {age_ns}");
	if (!fact_int(f, "cancelled") && least_ns > 0 && age_ns > least_ns)
		phrase(to, f, ", at most {age_ns}");
}

void say_pending(struct text *to, const struct fact *f)
{
	phrase(to, f, "rank {rank} {in_call|in|posted} {call}");
	say_partner(to, f);
	phrase(to, f, "[, {why}]");
	/* an op inside a call has bytes only if its datatype was known before */
	if (fact_int(f, "bytes") > 0 || !fact_int(f, "in_call"))
		phrase(to, f, "[, {bytes}]");
	if (fact_int(f, "times") > 1)
		phrase(to, f, ", {times:,} times");
	say_age(to, f);
	phrase(to, f, ": {where?unknown place}");
}

void say_wrong_call(struct text *to, const struct fact *f)
{
	phrase(to, f, " Rank {rank} called {call} ");
	say_error(to, f);
	text_add(to, ".");
}

void say_misfit_receive(struct text *to, const struct fact *f)
{
	phrase(to, f, " Rank {rank} waits {in_call|in|for} {call} from ");
	phrase(to, f, fact_has(f, "peer") ? "rank {peer}" : "any rank");
	phrase(to, f, "[, tag {awaited}]. But ");
	say_misfit(to, f);
	text_add(to, ".");
}

void say_cycle(struct text *to, const struct fact *f)
{
	if (fact_int(f, "nth") == 1)
		phrase(to, f, " {steps:,} ranks wait for each other in a ring.");
	phrase(to, f, " Rank {rank} waits in {call}[ for {awaited}]");
	if (fact_is(f, "kind", "collective")) {
		phrase(to, f, " #{seq} of ");
		phrase(to, f, name_of_comm);
		phrase(to, f, "[, not begun by rank {missing}]");
	} else {
		text_add(to, fact_is(f, "kind", "send") ? " to " : " from ");
		phrase(to, f, is_itself(f) ? "itself[, tag {tag}]" : "rank {peer}[, tag {tag}]");
	}
	text_add(to, ".");
	if (!fact_is_last(f))
		return;
	if (fact_int(f, "steps") > fact_int(f, "nth"))
		text_addf(to, " %lld more ranks are in the ring.",
			(long long)(fact_int(f, "steps") - fact_int(f, "nth")));
	if (fact_int(f, "others") > 0)
		phrase(to, f, " {others:,} other rank{others||s} wait{others|s|}, too.");
	if (fact_int(f, "sends_alone"))
		text_add(to, " MPI_Sendrecv, or MPI_Irecv before the send, avoids this.");
}

void say_unlike(struct text *to, const struct fact *f)
{
	phrase(to, f, " Rank {rank} called {call}, ");
	phrase(to, f, others_called);
	text_add(to, ".");
}

void say_ended_by(struct text *to, const struct fact *f)
{
	phrase(to, f,
		" Rank{nranks||s} {ranks} called MPI_Abort at {place?an unknown place}."
		"[ Others called it at {more} more places.]");
}
