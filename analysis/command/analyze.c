/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.c: `tryst analyze`: messages matched, exact waits, their causes. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/dataset/dataset.h"
#include "analysis/text/progress.h"

#include <inttypes.h>

#include "analysis/match/match.h"
#include "analysis/command/queries.h"

struct analyze_options {
	const char *db;
	bool ended;
	int64_t max_rows;
};

static const struct option options[] = { { .name = "db",
						 .type = OPT_TEXT,
						 .argument = "FILE",
						 .at = offsetof(struct analyze_options, db),
						 .help = "database to write [DIR/run.db]" },
	{ .name = "max-matches",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "5000000",
		.lowest = 1,
		.highest = 1e15,
		.at = offsetof(struct analyze_options, max_rows),
		.help = "beyond N messages, keep only rows of messages that waited" },
	ENDED_OPTION(struct analyze_options), { 0 } };

static void print_result(const char *path, const struct match_result *r)
{
	put_line("%s: %" PRIu64 " messages matched, %" PRIu64 " of %" PRIu64
		 " operations without partner, %" PRIu64 " collectives",
		path, r->matched, r->unmatched, r->ops, r->collectives);
	if (r->bytes_differ)
		printf("%" PRIu64 " messages have different sizes on both sides\n",
			r->bytes_differ);
	if (r->order_unsure)
		printf("%" PRIu64 " messages may belong to another one of several threads\n",
			r->order_unsure);
	if (r->blame.left_out)
		printf("blame and critical path leave out %" PRIu64
		       " waits that became known too late, "
		       "%.1f %% of the time waited\n",
			r->blame.left_out,
			100.0 * (double)r->blame.left_out_ns /
				(double)(r->blame.left_out_ns + r->blame.waits_ns));
	if (r->violations)
		printf("%" PRIu64 " messages were received before they were sent: clocks differ "
		       "(%" PRIu64 " before correction)\n",
			r->violations, r->violations_before);
}

/* A rank's own database, opened alone: it was not made from any file. */
static bool is_one_rank(sqlite3 *db)
{
	return db_int(db, sql_command_is_one_rank, 0) != 0;
}

static int run_analyze(const void *options_read, int argc, char **argv)
{
	const struct analyze_options *o = options_read;
	const struct dataset_options how = { .db = o->db, .ended = o->ended, .analyzes = true };
	const struct match_options match = { .max_rows = (uint64_t)o->max_rows,
		.progress = progress };
	struct match_result result;
	struct dataset data;
	sqlite3 *db;
	int rc = CMD_OK;

	(void)argc;
	if (dataset_open(argv[0], &how, &say_stderr, &data) != 0)
		return CMD_FAILED;
	if (is_one_rank(data.db)) {
		rc = say_error("'%s' is one rank's: name the directory of the run", argv[0]);
	} else if (data.empty) {
		rc = say_error("nothing was recorded for '%s': tryst report tells why", argv[0]);
	} else if (data.temporary) {
		rc = say_error("the database of '%s' cannot be kept there: name a place with "
			       "--db",
			argv[0]);
	} else if (db_open(data.path, DB_WRITE, &db, &say_stderr) != 0) {
		rc = CMD_FAILED;
	} else {
		if (match_run(db, &match, &result, &say_stderr) != 0)
			rc = CMD_FAILED;
		progress_end();
		if (rc == CMD_OK)
			print_result(data.path, &result);
		if (data.incomplete)
			rc = CMD_FAILED;
		sqlite3_close(db);
	}
	dataset_close(&data);
	return rc;
}

const struct subcommand cmd_analyze = {
	.name = "analyze",
	.summary = "match messages and find who waited for whom, and why",
	.arguments = "DIR",
	.description =
		"Matches every send with its receive and every collective with its members, and "
		"writes the cause of each wait into run.db: a late sender or receiver, a peer "
		"outside MPI whose progress was needed, messages received in the wrong order, no "
		"room at the receiver. Results are the tables match, match_summary and "
		"collective_wait, and the views exact_* and rendezvous_exact. tryst report shows "
		"them.\n\n"
		"Ranks are collected and merged first if needed.\n\n" CMD_INCOMPLETE,
	.examples = "tryst analyze out\tadds the exact waits to out/run.db\n",
	.see_also = "tryst-merge(1), tryst-report(1), tryst-sql(1), tryst-tables(5)",
	.options = options,
	.options_size = sizeof(struct analyze_options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_analyze,
};
