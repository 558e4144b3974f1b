/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c: `tryst collect`: SQLite files for ranks that left only their ring and spool. */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/dataset/collect.h"

struct options {
	bool ended;
};

static const struct option options[] = {
	{ .name = "ended",
		.type = OPT_FLAG,
		.at = offsetof(struct options, ended),
		.help = "the job has ended, also where that cannot be seen from here (its ranks "
			"ran on other hosts): spools are removed once their rows are written" },
	{ 0 }
};

static int run_collect(const void *options_read, int argc, char **argv)
{
	const struct options *o = options_read;
	const struct collect_options how = { .ended = o->ended, .name_all = true };
	struct collect_result result;
	struct db_ranks list;

	(void)argc;
	if (db_ranks_list(argv[0], &list, &say_stderr) != 0)
		return CMD_FAILED;
	if (list.nranks == 0) {
		db_ranks_release(&list);
		collect_say_none(argv[0], &say_stderr);
		return CMD_FAILED;
	}
	collect_ranks(&list, &how, &say_stderr, &result);
	printf("%u rank%s, %u collected now (%llu ops, %llu pending)", result.ranks,
		result.ranks == 1 ? "" : "s", result.written, (unsigned long long)result.ops,
		(unsigned long long)result.pending);
	if (result.unfinished)
		printf("; %u still running, or may be%s", result.unfinished,
			o->ended ? "" : " (--ended, if not)");
	if (result.failed)
		printf("; %u failed", result.failed);
	putchar('\n');
	if (result.pending)
		put_line("tryst report -s pending %s shows what each rank waits for", argv[0]);
	db_ranks_release(&list);
	return result.failed ? CMD_FAILED : CMD_OK;
}

const struct subcommand cmd_collect = {
	.name = "collect",
	.summary = "write the databases of ranks that were killed, hang or still run",
	.arguments = "DIR",
	.description =
		"A rank writes its database in MPI_Finalize. Until then its records lie in its "
		"ring and spool, and they stay there if the rank never reaches MPI_Finalize. tryst "
		"collect makes rank-NNNNNN.db from them. It also gives the callsites of all ranks "
		"their functions, files and lines, while the binaries are still there. The other "
		"subcommands do this by themselves.\n\n"
		"A spool is removed once its rows are written and the rank has ended. A rank has "
		"ended if it passed MPI_Finalize, if its process is seen to be gone on its own "
		"host, or if --ended says so. A running rank is only read: its database is marked "
		"unfinished and is replaced later.\n\n"
		"Exit code 0: every rank with records has its database. 1: a rank's records "
		"cannot be used (the message names the rank), or DIR holds no run. 2: an option "
		"or argument is wrong.",
	.examples = "tryst collect out\ton the host where the ranks ran\n"
		    "tryst collect --ended out\telsewhere, after the job\n",
	.see_also = "tryst-merge(1), tryst-report(1)",
	.options = options,
	.options_size = sizeof(struct options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_collect,
};
