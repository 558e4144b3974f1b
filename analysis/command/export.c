/* SPDX-License-Identifier: BSD-3-Clause */
/* export.c: `tryst export`: a run in the formats of other tools. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/base/file.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/out_file.h"
#include "analysis/text/progress.h"
#include "analysis/text/target.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/dataset/dataset.h"
#include "analysis/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct export_options {
	int format;
	const char *output;
	const char *db;
	double from_s, to_s;
	const char *ranks;
	int64_t worst;
	bool ended;
};

/* In the order of the words of --format. */
static const struct export_format *const formats[] = { &export_otf2, &export_chrome, &export_csv,
	&export_spreadsheet, &export_goal };

static const struct option options[] = {
	{ .name = "format",
		.letter = 'f',
		.type = OPT_CHOICE,
		.argument = "otf2|chrome|csv|spreadsheet|goal",
		.initial = "otf2",
		.at = offsetof(struct export_options, format),
		.help = "OTF2 archive, trace events in JSON, a file a table, or a schedule for "
			"LogGOPSim" },
	{ .name = "output",
		.letter = 'o',
		.type = OPT_TEXT,
		.argument = "PATH",
		.at = offsetof(struct export_options, output),
		.help = "what to write; must not exist [DIR.otf2, DIR.trace.json.gz, DIR.csv, "
			"DIR.goal]" },
	{ .name = "from",
		.type = OPT_REAL,
		.argument = "TIME",
		.lowest = 0,
		.highest = 1e9,
		.at = offsetof(struct export_options, from_s),
		.help = "otf2, chrome: without calls that end before this time of the run" },
	{ .name = "to",
		.type = OPT_REAL,
		.argument = "TIME",
		.lowest = 0,
		.highest = 1e9,
		.at = offsetof(struct export_options, to_s),
		.help = "otf2, chrome: without calls that begin after it [the run's end]" },
	{ .name = "ranks",
		.type = OPT_TEXT,
		.argument = "LIST",
		.at = offsetof(struct export_options, ranks),
		.help = "otf2, chrome: these ranks alone, such as 0-7,12" },
	{ .name = "worst",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "0",
		.lowest = 0,
		.highest = 1e9,
		.at = offsetof(struct export_options, worst),
		.help = "otf2, chrome: the N ranks that waited longest; 0: all" },
	DATASET_OPTIONS(struct export_options), { 0 }
};

/* "out" for "out/", and out.otf2 for that. To be freed; NULL without memory. */
static char *default_target(const char *path, const char *suffix)
{
	size_t n = strlen(path);
	char *target;

	while (n > 1 && path[n - 1] == '/')
		n--;
	return asprintf(&target, "%.*s%s", (int)n, path, suffix) < 0 ? NULL : target;
}

/* Prints what the export lacks. */
static void tell_limits(sqlite3 *db, const struct export_format *format)
{
	int64_t n = db_run_int(db, -1, "ops_left_out", 0) + db_run_int(db, -1, "dropped_ops", 0);

	if (n > 0)
		say_note("%lld ops are not in it: they have no row in the merged database",
			(long long)n);
	if (format == &export_chrome && db_has_rows(db, "match_info") <= 0)
		say_note("no arrows for messages: 'tryst analyze' finds which belong together");
}

/* Writes a directory under a temporary name. Formats of one file do so themselves. */
static int write_target(
	struct export_run *run, const struct export_format *format, const char *path)
{
	struct target target;
	int rc, ended;

	if (!format->is_directory)
		return format->write(run, path);
	ended = target_make(&target, path, true);
	if (ended == 0) {
		rc = format->write(run, target.temporary);
		ended = target_finish(&target, rc);
		if (rc)
			return rc;
	}
	if (ended)
		say_error("cannot write '%s': %s", path, strerror(-ended));
	return ended;
}

static int write_export(const struct dataset *data, const struct export_format *format,
	const struct export_options *o, const char *named, const char *target)
{
	const bool is_stream = !format->is_directory && out_file_is_stream(target);
	struct export_run run;
	struct stat st;
	bool made;
	int rc;

	if (!is_stream && lstat(target, &st) == 0)
		return say_error("'%s' is there already: name another one with -o", target);
	if (export_open(&run, data->db, named, &say_stderr) != 0)
		return CMD_FAILED;
	rc = export_choose_time(&run, o->from_s, o->to_s);
	if (!rc && (o->ranks || o->worst))
		rc = export_choose(&run, o->ranks, o->worst);
	made = rc == 0;
	if (made)
		rc = write_target(&run, format, target);
	export_close(&run);
	progress_end();
	if ((rc == -EINVAL && !made) || rc == -ENODATA)
		return CMD_USAGE;
	if (rc)
		return CMD_FAILED;
	tell_limits(data->db, format);
	if (is_stream)
		return CMD_OK;
	/* only a terminal gets the name with escapes: a program needs it unchanged */
	if (isatty(STDOUT_FILENO))
		put_line("%s", target);
	else
		printf("%s\n", target);
	return CMD_OK;
}

static int run_export(const void *options_read, int argc, char **argv)
{
	const struct export_options *o = options_read;
	const struct dataset_options how = { .db = o->db, .ended = o->ended };
	const struct export_format *format = formats[o->format];
	struct dataset data;
	char *target;
	int rc;

	(void)argc;
	if (format->absent)
		return say_error("%s: %s", format->name, format->absent);
	if ((o->from_s > 0 || o->to_s > 0 || o->ranks || o->worst) && !format->of_parts) {
		say_error("--from, --to, --ranks and --worst are for otf2 and chrome");
		return CMD_USAGE;
	}
	if (o->ranks && o->worst) {
		say_error("--ranks and --worst exclude each other");
		return CMD_USAGE;
	}
	target = o->output ? strdup(o->output) : default_target(argv[0], format->suffix);
	if (!target)
		return say_error("out of memory");
	if (dataset_open(argv[0], &how, &say_stderr, &data) != 0) {
		free(target);
		return CMD_FAILED;
	}
	if (format->of_both_sides || o->worst)
		analyze_dataset(&data, &say_stderr);
	if (data.empty)
		rc = say_error("nothing was recorded for '%s': tryst report tells why", argv[0]);
	else
		rc = write_export(&data, format, o, argv[0], target);
	dataset_close(&data);
	free(target);
	return rc;
}

const struct subcommand cmd_export = {
	.name = "export",
	.summary = "write a run in the format of another tool",
	.arguments = "DIR|FILE",
	.description =
		"Writes the calls, messages and collectives of all ranks as a trace for other "
		"tools, and prints its name. Missing directories on the way are made. chrome and "
		"goal also write to a device or pipe that is there, without printing its "
		"name.\n\n"
		"otf2: an archive for Vampir and otf2-print (DIR.otf2/traces.otf2). MPI calls are "
		"regions. Their Enter has the attributes callsite and source (the line of the "
		"program); their Leave has wait_ns and cause. After tryst analyze these come from "
		"table match, before it from one side's view. At the end of each call that "
		"completes messages, metrics wait and predicted have its wait and its predicted "
		"time. A collective that waited has only its wait.\n\n"
		"chrome: JSON for ui.perfetto.dev or chrome://tracing. Calls are slices. Inner "
		"slices show the wait and its cause; in collectives they also show when and for "
		"which rank the call waited. After tryst analyze, messages are arrows from the "
		"send to the receive. The file is compressed if its name ends in .gz; Perfetto "
		"reads both.\n\n"
		"--from and --to keep the calls of a part of the run, --ranks and --worst those of "
		"some ranks. A time is a number of seconds, or has a unit: 1.5, 1500ms. If the run "
		"has no such part or ranks, or no call is left, tryst writes nothing, "
		"and the exit code is 2. --worst analyzes the run first if needed. "
		"chrome has arrows only "
		"for messages with both ends in the export. otf2 also has messages with one "
		"end. It posts a receive or collective from before --from at its completion.\n\n"
		"csv: one file for each table and view of tryst-tables(5). spreadsheet: the same "
		"for a spreadsheet program, which takes a text that begins with =, +, -, @ or a "
		"tab for a formula. Such a text gets an apostrophe in front. Numbers are as in "
		"csv.\n\n"
		"goal: the computation and the messages of all ranks in GOAL, the input of "
		"LogGOPSim (by its txt2bin), in picoseconds. The run is analyzed first if needed. "
		"A "
		"message has a tag of its own. A collective is a dissemination of single bytes if "
		"all wait for all, else single bytes from or to its root or its next member. The "
		"first line has the simulator's parameters for the links of the run.\n\n"
		"A trace has each call that moves messages or data, and each collective. Clocks "
		"of hosts are corrected. Messages appear under MPI_COMM_WORLD if not all members "
		"of their communicator left a file, or if they go between the two groups of an "
		"intercommunicator. Memory does not grow with the length of the run.",
	.examples = "tryst export out\tout.otf2/traces.otf2\n"
		    "tryst export -f chrome -o /tmp/out.json out\tto open in Perfetto\n"
		    "tryst export --worst 8 --from 10 --to 12 out\ttwo seconds of the eight ranks "
		    "that waited longest\n"
		    "tryst export -f csv out\tout.csv/op.csv and so on\n",
	.see_also = "tryst-analyze(1), tryst-tables(5)",
	.options = options,
	.options_size = sizeof(struct export_options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_export,
};
