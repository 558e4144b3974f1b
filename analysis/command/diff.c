/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c: `tryst diff`: two runs side by side. */
#include <config.h>

#include "analysis/command/sections.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"
#include "analysis/dataset/dataset.h"
#include "analysis/diff/diff.h"

#include <errno.h>
#include <string.h>

struct diff_options {
	int format;
	int64_t width;
	int64_t top;
	const char *sections;
	bool ended;
	bool one_side;
};

static const struct option options[] = { SECTION_OPTIONS(struct diff_options,
						 "summary, verdict, time, waits, blame, calls",
						 "10", "rows of each ranking"),
	{ .name = "one-side",
		.type = OPT_FLAG,
		.at = offsetof(struct diff_options, one_side),
		.help = "compare waits as one side of each message can know them" },
	{ .name = "ended",
		.type = OPT_FLAG,
		.at = offsetof(struct diff_options, ended),
		.help = "the jobs have ended, also where that cannot be seen from here" },
	{ 0 } };

/* Two runs, opened and prepared. Exact waits are compared only where both have them. */
struct sides {
	struct dataset data[2];
	bool analyzed[2];
};

static int open_sides(struct sides *s, const struct diff_options *o, char **argv)
{
	const struct dataset_options how = { .ended = o->ended };

	for (int i = 0; i < 2; i++) {
		if (dataset_open(argv[i], &how, &say_stderr, &s->data[i]) != 0)
			return CMD_FAILED;
		if (s->data[i].empty)
			return say_error(
				"nothing was recorded for '%s': tryst report tells why", argv[i]);
		if (!o->one_side)
			analyze_dataset(&s->data[i], &say_stderr);
		if (report_prepare(s->data[i].db, o->one_side, &s->analyzed[i]) != 0)
			return say_error(
				"cannot read '%s': %s", argv[i], sqlite3_errmsg(s->data[i].db));
	}
	return CMD_OK;
}

static int print_diff(
	sqlite3 *diff, const struct sides *s, const struct diff_options *o, char **argv)
{
	const struct report_layout layout = { .format = (enum table_format)o->format,
		.top = o->top,
		.sections = o->sections,
		.columns = columns_to_fit(o->width) };
	bool both = s->analyzed[0] && s->analyzed[1];
	const char *unknown;
	sqlite3 *failed;
	int rc;

	for (int i = 0; i < 2; i++)
		if (diff_take(diff, i, s->data[i].db, argv[i], both, &failed) != SQLITE_OK)
			return say_error("cannot read '%s': %s", argv[i], sqlite3_errmsg(failed));
	if (diff_compare(diff) != SQLITE_OK)
		return say_error("cannot compare: %s", sqlite3_errmsg(diff));
	rc = report_print(stdout, diff, diff_sections, &layout, &unknown);
	if (rc == -EINVAL)
		return say_no_section(unknown, "diff");
	return rc ? CMD_FAILED : CMD_OK;
}

static int run_diff(const void *options_read, int argc, char **argv)
{
	const struct diff_options *o = options_read;
	struct sides sides = { 0 };
	sqlite3 *diff = diff_open();
	int rc = diff ? open_sides(&sides, o, argv) : say_error("out of memory");

	(void)argc;
	if (rc == CMD_OK)
		rc = print_diff(diff, &sides, o, argv);
	sqlite3_close(diff);
	dataset_close(&sides.data[0]);
	dataset_close(&sides.data[1]);
	return rc;
}

const struct subcommand cmd_diff = {
	.name = "diff",
	.summary = "compare two runs by callsite and cause",
	.arguments = "A B",
	.description =
		"Shows the time and the waits of two runs side by side, what is beyond the noise "
		"first. A and B are directories or databases as for tryst report.\n\n"
		"A callsite is the same in both runs if build-id and offset are. Where the program "
		"was built again, the callsites of an MPI function within one function of the "
		"program are put together in their order (both lines are shown where they differ); "
		"where one run has more of them, those are new without which lines shift most "
		"evenly. Without debug information the order of addresses counts, within the "
		"function or, where that is not known, the module.\n\n"
		"A change is beyond the noise if it is larger than what launches of one program "
		"differ by. How long ranks had no processor though they could have run is seen: of "
		"that the difference counts in full, rank by rank, for each other rank as far as "
		"it waited there; all in all no more than the runs differ in time and in that. To "
		"this comes the root of the sum of three squares. What chance makes of the waits "
		"within a run: each run is cut into up to 32 consecutive parts, and how their sums "
		"differ tells the standard deviation of the whole (batch means; waits that come "
		"together, as by one stall, count as one; nothing is told from fewer than eight "
		"parts); of time in calls without messages it is at most the square root of sum "
		"times longest value. It is taken so often that of all rows of a table one is "
		"beyond it by chance once in 20 comparisons. A tenth of the larger sum, since two "
		"launches of the same program were seen to differ by that (7 % over shared memory, "
		"10 % over TCP). And a tenth of the time without a processor in both runs. Columns "
		"noise_ns in csv and json have the limit. A row is few, instead of noise, where "
		"only what chance makes of its waits keeps its change within the limit, and as "
		"much as there is of them would do so: the waits are too few, or came too much at "
		"once, as the five waits of a program that repeats something five times. Whether "
		"they changed cannot be told then, and the verdict says so where it matters: "
		"longer runs, with more repetitions, would tell. Where other programs or more "
		"ranks than processors take much of the ranks' time, little can be told: the "
		"verdict says so. What else the machine does differently is not known: run each "
		"twice, and compare A with itself. Runs with different numbers of ranks are shown "
		"and not judged: noise_ns and verdict are then empty.\n\n"
		"Section blame tells for whom others waited in each run, and what that rank did "
		"most meanwhile: the reason of a change is often there. It is not judged.\n\n"
		"Of messages without a prediction (--calibrate off, or links that could not be "
		"measured) only late senders, late receivers and wrong order are known, from both "
		"sides. Where the rest of their time could change the result, the verdict says so "
		"and compares the time in MPI; causes that need predictions are not judged where "
		"it could explain their change.\n\n"
		"Formats are those of tryst report.",
	.examples = "tryst diff before after\twhat a change of the program did to its waits\n"
		    "tryst diff -f csv -s waits -n 1000 before after\tall of it, for a program\n",
	.see_also = "tryst-report(1), tryst-analyze(1)",
	.options = options,
	.options_size = sizeof(struct diff_options),
	.min_operands = 2,
	.max_operands = 2,
	.run = run_diff,
};
