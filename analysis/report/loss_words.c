/* SPDX-License-Identifier: BSD-3-Clause */
/* loss_words.c: what was lost, in words. */
#include <config.h>

#include "analysis/report/sentences.h"

#include <fnmatch.h>
#include <string.h>

/* The first of them that fits; `state` NULL: any. */
static const struct {
	const char *loss, *state, *words;
} losses[] = {
	{ "processes_not_recorded", NULL,
		"{count} of {of} processes that tryst run started {count|is not|are not} "
		"recorded: " },
	{ "worlds_apart", NULL, "{reason}" },
	{ "ranks_missing", NULL, "left no file: nothing is known" },
	{ "ranks_not_read", NULL,
		"one file of a run of {of} ranks: nothing is said of the others" },
	{ "all", NULL, "nothing was recorded: no rank left a file" },
	{ "all_calls", NULL, "no call was recorded" },
	{ "ranks_left_out", NULL, "left out: {reason}" },
	{ "ranks_damaged", NULL, "damaged, used as far as it goes: {reason}" },
	{ "ranks_running", NULL,
		"still running as far as can be seen: all that follows is so far" },
	{ "ranks_exited", NULL,
		"called exit(), or returned from main, without MPI_Finalize; what was recorded is "
		"here" },
	{ "ranks_not_finalized", NULL, "ended without MPI_Finalize; what was recorded is here" },
	{ "ranks_in_init", "unfinished", "in MPI_Init: nothing is recorded before it returns" },
	{ "ranks_in_init", NULL, "ended in MPI_Init: nothing was recorded" },
	{ "time_after_last_record", NULL,
		"what came after the last record is not known[, for at most {ns}]: run time and "
		"all shares leave it out" },
	{ "aborted", NULL, "called {name} at {place?an unknown place}" },
	{ "outside_mpi", "runs",
		"is outside MPI, {of} other{of||s} inside"
		"[; its last message or collective: {name} at {place?an unknown place}]" },
	{ "outside_mpi", NULL,
		"was outside MPI at its end, {of} other{of||s} inside"
		"[; its last message or collective: {name} at {place?an unknown place}]" },
	{ "dropped_*", "too_many",
		"{count:,} rows of {name} were not recorded[, from {ns} on] (profiles are "
		"complete; --max-ops keeps more)" },
	{ "dropped_*", NULL,
		"{count:,} rows of {name} were not recorded[, from {ns} on] (profiles are "
		"complete)" },
	{ "lost_bytes", NULL, "{count:,} bytes of records could not be written[: {reason}]" },
	{ "ranks_stopped", NULL, "recording stopped before the end" },
	{ "time_not_recorded", NULL,
		"nothing was recorded for {ns}, {share_pct:0} % of their time, between "
		"MPI_Pcontrol(0) and (1): blame and path take it for computing" },
	{ "calls_left", NULL,
		"{count:,} calls were left by exceptions or jumps: they are counted, but what they "
		"took, and what they sent, received or completed, is not known" },
	{ "calls_failed", NULL,
		"{count:,} call{count||s} returned an error: {of:,} of {name} at "
		"{place?an unknown place}[, others at {more:,} more places]; what failed has no "
		"row, but for messages that were cut" },
	{ "samples_lost", "small",
		"{count:,} bytes of the kernel's samples were overwritten before they could be "
		"read: users may lock little memory (kernel.perf_event_mlock_kb)" },
	{ "samples_lost", NULL,
		"{count:,} bytes of the kernel's samples were overwritten before they could be "
		"read" },
	{ "samples_dropped", NULL,
		"{count:,} records of samples and of times without a CPU were not recorded "
		"(--max-ops keeps more)" },
	{ "threads_unsampled", NULL,
		"{count:,} thread{count| has|s have} no samples[, {more:,} because users may lock "
		"little memory (kernel.perf_event_mlock_kb)]" },
	{ "damaged_bytes", NULL, "{count} damaged bytes in ring or spool" },
	{ "damaged_records", NULL, "{count} damaged records in ring or spool" },
	{ "damaged_regions", NULL, "{count} damaged regions in ring or spool" },
	{ "missing_chunks", NULL, "{count} chunks of the spool are missing" },
	{ "ring_missing", NULL, "the ring is missing or damaged: what it held last is lost" },
	{ "spool_missing", NULL, "the spool is missing or damaged: only the ring was left" },
	{ "messages_not_predicted", "other_worlds",
		"{count:,} of {of:,} sends and receives have no prediction, since links to "
		"processes of other worlds are not measured" },
	{ "messages_not_predicted", "off",
		"{count:,} of {of:,} sends and receives have no prediction, for want of link "
		"parameters (TRYST_CALIBRATE=off)" },
	{ "messages_not_predicted", "quick",
		"{count:,} of {of:,} sends and receives have no prediction, for want of link "
		"parameters (was too much else running to measure them in MPI_Init? tryst "
		"calibrate and --links help)" },
	{ "messages_not_predicted", NULL,
		"{count:,} of {of:,} sends and receives have no prediction, for want of link "
		"parameters" },
	{ "ops_left_out", NULL, "{count:,} rows with the least waits are in the rank files only" },
	{ "violations", NULL,
		"{count:,} message{count| seems|s seem} to be received before {count|it was|they "
		"were} sent: clocks differ by more than is known" },
	{ "clocks_unknown", NULL,
		"the clocks of {count:,} ranks could not be compared: waits between hosts are "
		"estimates" },
	{ "order_unsure", NULL,
		"{count:,} message{count||s} may belong to another one of several threads" },
	{ "bytes_differ", NULL,
		"{count:,} message{count| has|s have} different sizes on both sides" },
	{ "collectives_cut", NULL, "{count:,} collective{count| lacks|s lack} members" },
	{ "blame_cut", NULL,
		"{count:,} wait{count| has|s have} a history too long to be followed: blame for "
		"{count|it|them} is incomplete" },
	{ "blame_left_out", NULL,
		"{count:,} wait{count||s} became known too late to be followed: blame leaves "
		"{count|it|them} out" },
};

void say_loss_proper(struct text *to, const struct fact *f)
{
	bool still_begun = fact_is(f, "loss", "collectives_cut") && fact_is(f, "state", "runs");

	if (!fact_is(f, "loss", "ranks_running") && !still_begun)
		say_loss(to, f);
}

/* The reason is a sentence on one process: "it ended ...". */
static void say_reason(struct text *to, const struct fact *f)
{
	const char *reason = fact_text(f, "reason");

	if (reason && fact_int(f, "count") > 1 && strncmp(reason, "it ", 3) == 0)
		text_addf(to, "each %s", reason + 3);
	else
		phrase(to, f, "{reason}");
	phrase(to, f, " ({name})");
}

void say_loss(struct text *to, const struct fact *f)
{
	const char *loss = fact_text(f, "loss");
	size_t i = 0, n = sizeof losses / sizeof *losses;

	while (i < n &&
		(!loss || fnmatch(losses[i].loss, loss, 0) != 0 ||
			(losses[i].state && !fact_is(f, "state", losses[i].state))))
		i++;
	phrase(to, f, "[rank{nranks||s} {ranks}: ]");
	phrase(to, f, i < n ? losses[i].words : "the reason of a loss is not known");
	if (fact_is(f, "loss", "processes_not_recorded"))
		say_reason(to, f);
	if (fact_is(f, "loss", "messages_not_predicted"))
		phrase(to, f,
			": how much of {ns} in them is waiting is unknown, and waits, causes, "
			"blame and path are lower bounds");
}
