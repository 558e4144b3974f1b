/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c: `tryst merge`: one database of the whole run. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/dataset/dataset.h"
#include "analysis/merge/merge.h"
#include "analysis/command/queries.h"

struct merge_options {
	const char *db;
	bool ended;
	bool again;
	int64_t max_ops;
};

static const struct option options[] = { { .name = "db",
						 .type = OPT_TEXT,
						 .argument = "FILE",
						 .at = offsetof(struct merge_options, db),
						 .help = "database to write [DIR/run.db]" },
	{ .name = "max-ops",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "10000000",
		.lowest = 1,
		.highest = 1e15,
		.at = offsetof(struct merge_options, max_ops),
		.help = "beyond N op rows, take only those that waited or are pending" },
	{ .name = "again",
		.type = OPT_FLAG,
		.at = offsetof(struct merge_options, again),
		.help = "even if the database is up to date; removes results of tryst analyze" },
	ENDED_OPTION(struct merge_options), { 0 } };

static int run_merge(const void *options_read, int argc, char **argv)
{
	const struct merge_options *o = options_read;
	const struct dataset_options how = {
		.db = o->db, .ended = o->ended, .fresh = o->again, .max_ops = (uint64_t)o->max_ops
	};
	struct dataset data;
	int rc = CMD_OK;

	(void)argc;
	if (dataset_open(argv[0], &how, &say_stderr, &data) != 0)
		return CMD_FAILED;
	if (!data.dir) {
		rc = say_error("'%s' is not a directory", argv[0]);
	} else if (data.empty) {
		rc = say_error("nothing was recorded for '%s': tryst report tells why", argv[0]);
	} else if (data.temporary) {
		rc = say_error("the database of '%s' cannot be kept there: name a place with "
			       "--db",
			argv[0]);
	} else {
		put_line("%s: %lld ranks, %lld op rows", data.path,
			(long long)db_int(data.db, sql_command_ranks, 0),
			(long long)db_int(data.db, sql_command_ops, 0));
		rc = data.incomplete ? CMD_FAILED : CMD_OK;
	}
	dataset_close(&data);
	return rc;
}

const struct subcommand cmd_merge = {
	.name = "merge",
	.summary = "put all ranks of a run into one database",
	.arguments = "DIR",
	.description =
		"Makes run.db, which answers for all ranks the queries that a rank's database "
		"answers for one. Ranks that left only a spool are collected first. Callsites get "
		"their functions, files and lines. In runs of up to 64 ranks, the merge also "
		"writes these into the ranks' own files, on the ranks' host and once they have "
		"ended. A stack that several ranks share (the "
		"same offsets in modules of the same build-id) is kept once: column site of view "
		"callsite is the same number on all of them.\n\n"
		"A database that is up to date is left alone. An interrupted merge continues, "
		"rank by rank, from run.db.merging.\n\n"
		"If a rank's file is missing, damaged or from another run, a line names it and "
		"the merge goes on. The table `input` of run.db lists the files that were used.\n\n"
		"tryst report and tryst sql merge by themselves if run.db is missing or older "
		"than the ranks' files.\n\n" CMD_INCOMPLETE,
	.examples = "tryst merge out\tmakes out/run.db\n"
		    "tryst merge --db /tmp/run.db out\twhere out cannot be written\n",
	.see_also = "tryst-collect(1), tryst-sql(1), tryst-tables(5)",
	.options = options,
	.options_size = sizeof(struct merge_options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_merge,
};
