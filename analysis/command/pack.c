/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.c: `tryst pack`: a run as one file to send. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/base/file.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/format/db/db.h"
#include "analysis/dataset/dataset.h"
#include "analysis/options/subcommand.h"
#include "analysis/pack/pack.h"
#include "analysis/text/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
	const char *output;
	const char *db;
	int64_t size;
	bool names;
	bool ended;
};

static const struct option options[] = {
	{ .name = "output",
		.letter = 'o',
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct options, output),
		.help = "what to write; must not exist [DIR" PACK_SUFFIX "]" },
	{ .name = "size",
		.type = OPT_WHOLE,
		.argument = "BYTES",
		.initial = "7M",
		.lowest = 1024,
		.highest = 1e15,
		.at = offsetof(struct options, size),
		.help = "most bytes of the archive; 7M fit into a mail of 10 MB" },
	{ .name = "names",
		.type = OPT_FLAG,
		.at = offsetof(struct options, names),
		.help = "keep paths, arguments and names" },
	DATASET_OPTIONS(struct options), { 0 }
};

/* "out.tryst.gz" for "out/". To be freed; NULL without memory. */
static char *default_target(const char *path)
{
	size_t n = strlen(path);
	char *target;

	while (n > 1 && path[n - 1] == '/')
		n--;
	return asprintf(&target, "%.*s%s", (int)n, path, PACK_SUFFIX) < 0 ? NULL : target;
}

static int write_archive(const struct dataset *data, const struct options *o, const char *target)
{
	const struct pack_options how = { .names = o->names, .bytes_max = o->size };
	int64_t left_out = 0;
	struct stat st;

	if (lstat(target, &st) == 0)
		return say_error("'%s' is there already: name another one with -o", target);
	if (pack_write(data->db, target, &how, &say_stderr, &left_out) != 0)
		return CMD_FAILED;
	if (left_out)
		say_note("rows of %lld operations are not in it; sums over messages are complete",
			(long long)left_out);
	put_line("%s", target);
	return CMD_OK;
}

static int run_pack(const void *options_read, int argc, char **argv)
{
	const struct options *o = options_read;
	const struct dataset_options how = { .db = o->db, .ended = o->ended };
	struct dataset data;
	char *target;
	int rc;

	(void)argc;
	if (pack_absent)
		return say_error("%s", pack_absent);
	target = o->output ? strdup(o->output) : default_target(argv[0]);
	if (!target)
		return say_error("out of memory");
	if (strlen(target) < 4 || strcmp(target + strlen(target) - 3, ".gz") != 0) {
		say_error("the name of an archive must end in .gz");
		free(target);
		return CMD_USAGE;
	}
	if (dataset_open(argv[0], &how, &say_stderr, &data) != 0) {
		free(target);
		return CMD_FAILED;
	}
	analyze_dataset(&data, &say_stderr);
	if (data.empty)
		rc = say_error("nothing was recorded for '%s': tryst report tells why", argv[0]);
	else if (db_has_rows(data.db, "match_info") <= 0)
		rc = say_error("'%s' is not analyzed: name the run's directory", argv[0]);
	else
		rc = write_archive(&data, o, target);
	dataset_close(&data);
	free(target);
	return rc;
}

const struct subcommand cmd_pack = {
	.name = "pack",
	.summary = "make one file of a run, to send",
	.arguments = "DIR|FILE",
	.description =
		"Writes the merged and analyzed run as one compressed file, and prints its name. "
		"tryst report, diff, export and sql read this file in place of a directory.\n\n"
		"The archive has no paths, no arguments of the program, and no names of hosts. "
		"Names that the program gave to communicators, windows, files and phases become "
		"numbers. Scenarios of tryst predict are left out. The program's base name, "
		"functions, base names of source files, and lines stay: a report needs them. "
		"Settings stay, except for paths. --names keeps everything.\n\n"
		"If the archive would be larger than --size, rows of single messages, and of "
		"one-sided and file operations, are left out. Those with the longest waits are "
		"kept. Sums, waits by callsite and pair, and the critical path stay complete. The "
		"views rma_by_callsite and io_by_file cover only the rows that are kept. Of a "
		"fence, or another collective call on a window, all ranks' rows are kept or none: "
		"rma_wait has some of these calls, with their whole waits. The report says how "
		"many rows are missing. The worth of bottlenecks is then unknown, because a replay "
		"needs all messages.\n\n"
		"An archive is an SQLite database, compressed by gzip. tryst checks an archive as "
		"it checks any foreign database, and refuses one that holds more than 4 "
		"GiB.\n\n"
		"Exit code 0: the archive was written. 1: the run cannot be read, or the archive "
		"cannot be written or is too large. 2: an option or argument is wrong.",
	.examples = "tryst pack out\tout.tryst.gz, to send by mail\n"
		    "tryst report out.tryst.gz\twhat the receiver does\n"
		    "tryst pack --names --size 1G -o all.gz out\twith everything\n",
	.see_also = "tryst-report(1), tryst-merge(1)",
	.options = options,
	.options_size = sizeof(struct options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_pack,
};
