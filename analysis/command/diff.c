/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c: `tryst diff`: two runs side by side, or a scaling study of several. */
#include <config.h>

#include "analysis/command/sections.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/out_file.h"
#include "analysis/text/progress.h"
#include "analysis/text/terminal.h"
#include "analysis/dataset/dataset.h"
#include "analysis/diff/conditions.h"
#include "analysis/diff/diff.h"
#include "analysis/diff/scaling.h"
#include "analysis/format/db/db.h"
#include "analysis/html/html.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct diff_options {
	int format;
	int64_t width;
	int64_t top;
	const char *sections;
	const char *output;
	const char *fail_if;
	bool ended;
	bool one_side;
	bool weak;
};

static const struct option options[] = {
	SECTION_OPTIONS(struct diff_options, "|html",
		"summary, run, verdict, conditions, time, waits, blame, calls", "10",
		"rows of each ranking"),
	OUTPUT_OPTION(struct diff_options),
	{ .name = "fail-if",
		.type = OPT_TEXT,
		.argument = "NAME>NUMBER,...",
		.at = offsetof(struct diff_options, fail_if),
		.help = "exit with 3 if one of these grew by more: 'run>5%,late_sender>10ms'" },
	{ .name = "one-side",
		.type = OPT_FLAG,
		.at = offsetof(struct diff_options, one_side),
		.help = "compare waits as one side of each message can know them" },
	{ .name = "weak",
		.type = OPT_FLAG,
		.at = offsetof(struct diff_options, weak),
		.help = "a scaling study: the work of a rank is the same in all runs" },
	{ .name = "ended",
		.type = OPT_FLAG,
		.at = offsetof(struct diff_options, ended),
		.help = "the jobs have ended, also where that cannot be seen from here" },
	{ 0 }
};

/* Runs, opened and prepared. exact: all have exact waits, so that these are compared. */
struct sides {
	struct dataset *data;
	int n;
	bool exact;
};

static bool is_study(const struct diff_options *o, int nruns)
{
	return o->weak || nruns > 2;
}

static int open_sides(struct sides *s, const struct diff_options *o, int nruns, char **argv)
{
	const struct dataset_options how = { .ended = o->ended };

	s->exact = true;
	s->data = calloc((size_t)nruns, sizeof *s->data);
	if (!s->data)
		return say_error("out of memory");
	for (s->n = 0; s->n < nruns;) {
		const char *name = argv[s->n];
		struct dataset *data = &s->data[s->n++];
		bool analyzed;

		if (dataset_open(name, &how, &say_stderr, data) != 0)
			return CMD_FAILED;
		if (data->empty)
			return say_error(
				"nothing was recorded for '%s': tryst report tells why", name);
		if (!o->one_side)
			analyze_dataset(data, &say_stderr);
		progress_watch(data->db);
		progress("preparing run", (uint64_t)s->n, (uint64_t)nruns);
		if (report_prepare(data->db, o->one_side, &analyzed) != 0)
			return say_error("cannot read '%s': %s", name, sqlite3_errmsg(data->db));
		s->exact &= analyzed;
	}
	return CMD_OK;
}

static void close_sides(struct sides *s)
{
	for (int i = 0; i < s->n; i++)
		dataset_close(&s->data[i]);
	free(s->data);
}

/* The rows of a ranking in the page. */
enum { PAGE_ROWS = 1000 };

static int write_page(FILE *out, sqlite3 *diff, const struct report_layout *asked, char **argv)
{
	struct report_layout layout = *asked;
	struct html_page page = {
		.sections = diff_sections, .data = &layout, .db = diff, .say = &say_stderr
	};
	char *title;
	int rc;

	if (asprintf(&title, "%s and %s", argv[0], argv[1]) < 0)
		return -ENOMEM;
	layout.format = TABLE_JSON;
	layout.top = PAGE_ROWS;
	page.title = title;
	rc = html_write(out, &page);
	free(title);
	return rc;
}

/* Returns CMD_OK, CMD_CONDITION after printing the conditions that are met, or CMD_FAILED. */
static int judge_conditions(sqlite3 *diff, const struct conditions *c)
{
	struct text met = { 0 };
	int rc = conditions_judge(diff, c, &met);

	if (rc == -ENODATA)
		say_error("'%s' is unknown: a run has no such time", met.at);
	else if (rc)
		say_error("cannot judge: %s", sqlite3_errmsg(diff));
	else if (met.length)
		say_note("--fail-if: %s", met.at);
	rc = rc ? CMD_FAILED : met.length ? CMD_CONDITION : CMD_OK;
	text_release(&met);
	return rc;
}

/* A run that died, or of which a part is missing, has other times for that reason. 0 or CMD_FAILED.
 */
static int check_ends(const struct sides *s, const struct diff_options *o, char **argv)
{
	static const char died[] =
		"SELECT EXISTS (SELECT 1 FROM run WHERE key = 'clean_finalize' AND value = 0)";

	for (int i = 0; i < s->n; i++) {
		if (!s->data[i].incomplete && !db_int(s->data[i].db, died, 0))
			continue;
		if (o->fail_if)
			return say_error("'%s' did not come to its end, or lacks ranks: --fail-if "
					 "cannot judge it",
				argv[i]);
		say_note("'%s' did not come to its end, or lacks ranks", argv[i]);
	}
	return CMD_OK;
}

/* Reports wrong options before a run is read. */
static int check_options(const struct diff_options *o, int nruns, struct conditions *conditions)
{
	const bool study = is_study(o, nruns);
	const struct section *sections = study ? scaling_sections : diff_sections;
	const char *unknown = report_unknown_section(sections, o->sections);
	struct text why = { 0 };
	int rc = CMD_OK;

	*conditions = (struct conditions){ 0 };
	if (unknown)
		return say_no_section(unknown, sections);
	if (study && (o->fail_if || o->format == FORMAT_HTML)) {
		say_error("%s is for two runs, not for a scaling study",
			o->fail_if ? "--fail-if" : "-f html");
		return CMD_USAGE;
	}
	if (o->fail_if && conditions_read(conditions, o->fail_if, &why) != 0) {
		say_error("--fail-if: %s", why.at ? why.at : "out of memory");
		rc = CMD_USAGE;
	}
	text_release(&why);
	if (rc == CMD_OK && o->format == FORMAT_HTML && html_absent)
		return say_error("no HTML: %s", html_absent);
	return rc;
}

static int print_sections(sqlite3 *diff, const struct diff_options *o, bool study, char **argv)
{
	const struct report_layout layout = { .format = (enum table_format)o->format,
		.schema = study ? "tryst-scaling" : "tryst-diff",
		.top = o->top,
		.sections = o->sections,
		.columns = columns_to_fit(o->width) };
	const char *unknown;
	struct out_file file = { .stream = stdout };
	int rc;

	if (o->output && out_file_open(&file, o->output, &say_stderr) != 0)
		return CMD_FAILED;
	rc = o->format == FORMAT_HTML ?
		write_page(file.stream, diff, &layout, argv) :
		report_print(file.stream, diff, study ? scaling_sections : diff_sections, &layout,
			&unknown);
	if (o->output)
		rc = out_file_close(&file, rc);
	return rc ? CMD_FAILED : CMD_OK;
}

static int print_diff(sqlite3 *diff, const struct sides *s, const struct diff_options *o,
	const struct conditions *conditions, char **argv)
{
	const bool study = is_study(o, s->n);
	sqlite3 *failed;
	int rc = check_ends(s, o, argv), judged = CMD_OK;

	if (rc != CMD_OK)
		return rc;
	for (int i = 0; i < s->n; i++)
		if (diff_take(diff, i, s->data[i].db, argv[i], s->exact, &failed) != 0)
			return say_error("cannot read '%s': %s", argv[i], sqlite3_errmsg(failed));
	rc = study ? scaling_study(diff, o->weak) : diff_compare(diff);
	progress_end();
	if (rc == -EDOM) {
		say_error("these runs have the same number of ranks: a scaling study needs "
			  "different numbers, and a comparison needs two runs");
		return CMD_USAGE;
	}
	if (rc)
		return say_error("cannot compare: %s", sqlite3_errmsg(diff));
	if (!study)
		judged = judge_conditions(diff, conditions);
	if (judged == CMD_FAILED)
		return judged;
	rc = print_sections(diff, o, study, argv);
	return rc == CMD_OK ? judged : rc;
}

static int run_diff(const void *options_read, int argc, char **argv)
{
	const struct diff_options *o = options_read;
	struct sides sides = { 0 };
	struct conditions conditions;
	sqlite3 *diff;
	int rc = check_options(o, argc, &conditions);

	if (rc != CMD_OK)
		return rc;
	diff = diff_open();
	if (diff)
		progress_watch(diff);
	rc = diff ? open_sides(&sides, o, argc, argv) : say_error("out of memory");
	if (rc == CMD_OK)
		rc = print_diff(diff, &sides, o, &conditions, argv);
	sqlite3_close(diff);
	close_sides(&sides);
	return rc;
}

const struct subcommand cmd_diff = {
	.name = "diff",
	.summary = "compare two runs, or study how a program scales",
	.arguments = "A B [RUN...]",
	.description =
		"Shows the run time, the parts of the time, and the waits of two runs side by "
		"side. Changes beyond the noise come first. A and B are directories or databases "
		"as for tryst report.\n\n"
		"A callsite is the same in both runs if build-id and offset are equal. If the "
		"program was built again, the callsites of an MPI function within one function of "
		"the program are paired in their order. Both lines are shown where they differ. "
		"If one run has more callsites, the pairing with the most even shift of lines "
		"counts, and the rest are new. Without debug information, callsites are paired in "
		"the order of their addresses within the function. If the function is unknown, "
		"the module replaces it.\n\n"
		"A change is beyond the noise if it exceeds the differences between launches of "
		"one program. The noise has two parts. The first is CPU shortage, the time in "
		"which ranks were ready to run but had no CPU. Any rank may have waited for one "
		"that lacked a CPU longer. So for each rank a row counts the change of the "
		"shortage, but no more than the rank's own time in the row. The total is at most "
		"that change plus the difference of the run times. The second part is the root of "
		"the sum of three squares:\n\n"
		"1. Chance within a run. Each run is cut into up to 32 consecutive parts. The "
		"scatter of their sums gives the standard deviation of the whole (batch means). "
		"Waits that come together, for example through one stall, count as one. Fewer than "
		"eight parts give no result. For time in calls without messages, the standard "
		"deviation is at most the square root of sum times longest value. The factor is "
		"chosen so that chance exceeds the limit in one row of a table once in 20 "
		"comparisons. If one run has many separate events of a row and the other none, "
		"this square is left out.\n\n"
		"2. A tenth of the larger sum. In experiments, two launches of the same program "
		"differed by up to this much (7 % over shared memory, 10 % over TCP).\n\n"
		"3. A tenth of the CPU shortage of both runs.\n\n"
		"The noise of the run time has only squares 2 and 3, plus the sum over ranks of "
		"the changes of the CPU shortage.\n\n"
		"A cause may vanish at a callsite, while another one with about the same time "
		"appears there. Both are then one row: late_sender -> contention. In csv and json, "
		"b_cause is the cause in B.\n\n"
		"Columns noise_ns in csv and json have the limit. A row says few instead of noise "
		"if only chance keeps the change within the limit, and chance would do so for any "
		"change of this size. Such waits are too few or too bunched, for example five "
		"waits of a program that repeats something five times. Their change is undecided, "
		"and the verdict says so where it matters. Longer runs with more repetitions "
		"decide it. If other programs, or more ranks than CPUs, take much of the ranks' "
		"time, little can be decided, and the verdict says so. Other differences of the "
		"machine are unknown: run each program twice, and compare A with itself. Runs with "
		"different numbers of ranks are shown and not judged: noise_ns and verdict are "
		"then empty.\n\n"
		"Section blame shows for which rank others waited in each run, and the main "
		"activity of that rank meanwhile. It often shows the reason for a change. Its rows "
		"are not judged.\n\n"
		"For messages without a prediction (--calibrate off, or links that could not be "
		"measured), both sides together still show late senders, late receivers and wrong "
		"order. The rest of their time may hide waits. If it could change the result, the "
		"verdict says so and compares the time in MPI. Causes that need predictions are "
		"then not judged.\n\n"
		"Formats are those of tryst report; html is one page with both runs side by side; "
		"the schema of json is diff.schema.json.\n\n"
		"More than two runs, or any with --weak, are a scaling study. It needs runs of "
		"one program with different numbers of ranks; runs with equally many are averaged. "
		"T(P) is the run time with P ranks, and P0 the smallest number of ranks. Strong "
		"scaling, the default, assumes the same work in all runs: the efficiency is "
		"T(P0) P0 / (T(P) P). --weak assumes the same work for each rank: the efficiency "
		"is T(P0) / T(P). The speedup is the efficiency times P / P0. Each callsite and "
		"cause has an efficiency, too, from the mean time of a rank there. lost_ns is the "
		"part beyond the ideal time, and lost_pct its share of the run. The places that "
		"lose most at the largest number of ranks come first. growth is the exponent k in "
		"ranks^k that fits the times best. It is ideally -1 for strong and 0 for weak "
		"scaling. Sections are summary, verdict, sizes, waits and calls; csv and json have "
		"a row for each place and number of ranks. The schema is scaling.schema.json. "
		"A scaling study does not judge by the noise.\n\n"
		"--fail-if takes conditions for continuous integration, separated by commas: "
		"NAME>NUMBER. A condition is met if NAME grew by more than NUMBER from A to B. "
		"NUMBER is a percentage of A (5%), a time in ns, us, ms or s, or a count. If NAME "
		"is 0 in A, any growth exceeds any percentage. The noise is not considered: choose "
		"numbers larger than the noise that the report shows. NAME is run (the run time), "
		"waits, mpi, computation (the time outside MPI and tryst), tryst (its own time), "
		"cpu_shortage, "
		"messages, calls (both counts), or a cause of waits as section waits names it, "
		"for example late_sender or wait_at_barrier. The message for an unknown NAME "
		"lists all. All but run are sums over all ranks. "
		"Section conditions shows each with its values, and one line on standard error "
		"names those that are met.\n\n"
		"Exit code 0: the runs were read, and no condition of --fail-if is met. 1: a run "
		"cannot be read, or a condition asks for something unknown. 2: an option or "
		"argument is wrong. 3: a condition of --fail-if is met.",
	.examples =
		"tryst diff before after\twhat a change of the program did to its waits\n"
		"tryst diff -f csv -s waits -n 1000 before after\tall of it, for a program\n"
		"tryst diff --fail-if 'run>10%,waits>50ms' before after\tin a test: exit code 3 if "
		"the run is slower, or waits more\n"
		"tryst diff run2 run4 run8\thow the program scales from 2 to 8 ranks\n",
	.see_also = "tryst-report(1), tryst-analyze(1)",
	.options = options,
	.options_size = sizeof(struct diff_options),
	.min_operands = 2,
	.max_operands = -1,
	.run = run_diff,
};
