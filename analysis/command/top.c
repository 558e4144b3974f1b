/* SPDX-License-Identifier: BSD-3-Clause */
/* top.c: `tryst top`: what the ranks of a running job do now. */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"
#include "analysis/top/rows.h"
#include "analysis/top/screen.h"
#include "analysis/top/top.h"

#include <errno.h>
#include <time.h>

struct options {
	bool once;
	int format;
	double interval;
	int sort;
	int show;
	int64_t top;
	int64_t width;
};

static const struct option options[] = {
	{ .name = "once",
		.type = OPT_FLAG,
		.at = offsetof(struct options, once),
		.help = "print one look and end; csv and json do so, too" },
	{ .name = "format",
		.letter = 'f',
		.type = OPT_CHOICE,
		.argument = "text|" TABLE_FORMATS,
		.initial = "text",
		.at = offsetof(struct options, format),
		.help = "how" },
	{ .name = "interval",
		.letter = 'i',
		.type = OPT_REAL,
		.argument = "TIME",
		.initial = "1",
		.lowest = 0.05,
		.highest = 3600,
		.at = offsetof(struct options, interval),
		.help = "seconds between two looks, or 500ms; shares and rates are of this time" },
	{ .name = "sort",
		.letter = 's',
		.type = OPT_CHOICE,
		.argument = TOP_SORTS,
		.initial = "rank",
		.at = offsetof(struct options, sort),
		.help = "order of the ranks; key s" },
	{ .name = "show",
		.type = OPT_CHOICE,
		.argument = TOP_SHOWS,
		.initial = "all",
		.at = offsetof(struct options, show),
		.help = "ranks to show; key f" },
	{ .name = "top",
		.letter = 'n',
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "0",
		.lowest = 0,
		.highest = 1e9,
		.at = offsetof(struct options, top),
		.help = "the worst N ranks alone; 0: all" },
	{ .name = "width",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "0",
		.lowest = 0,
		.highest = 1e6,
		.at = offsetof(struct options, width),
		.help = "columns of text with --once; 0: as wide as the terminal, 80 to 200" },
	{ 0 }
};

static void sleep_for(double seconds)
{
	struct timespec left = { (time_t)seconds,
		(long)((seconds - (double)(time_t)seconds) * 1e9) };

	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

static int say_no_run(const struct top *t)
{
	return say_error("'%s' holds no run", t->dir);
}

static bool has_run(const struct top *t)
{
	return t->nranks > 0 || t->starting > 0;
}

/* Two looks, since shares and rates are differences. */
static int print_once(struct top *t, const struct top_view *view, const struct options *o)
{
	if (top_look(t, &say_stderr) != 0)
		return CMD_FAILED;
	if (!has_run(t))
		return say_no_run(t);
	if (!top_is_over(t)) {
		sleep_for(o->interval);
		if (top_look(t, &say_stderr) != 0)
			return CMD_FAILED;
	}
	if (top_print(stdout, t, view, (enum table_format)o->format, columns_to_fit(o->width)) != 0)
		return say_error("out of memory");
	return CMD_OK;
}

/* A directory without a run is the reason to name first. */
static void say_no_screen(const struct top *t)
{
	if (has_run(t))
		say_error("this is no terminal that can show it; --once prints one look");
	else
		say_no_run(t);
}

static int run_top(const void *options_read, int argc, char **argv)
{
	const struct options *o = options_read;
	struct top_view view = { (enum top_sort)o->sort, (enum top_show)o->show, o->top };
	struct top t;
	int rc = CMD_FAILED;

	if (top_open(&t, argc ? argv[0] : NULL, &say_stderr) == 0) {
		if (o->once || o->format != TABLE_TEXT) {
			rc = print_once(&t, &view, o);
		} else {
			int failed = top_screen(&t, &view, o->interval, &say_stderr);

			rc = failed ? CMD_FAILED : CMD_OK;
			if (failed == -ENOSYS)
				say_error(
					"tryst was built without ncurses; --once prints one look");
			else if (failed == -ENOTTY && top_look(&t, &say_stderr) == 0)
				say_no_screen(&t);
		}
	}
	top_close(&t);
	return rc;
}

const struct subcommand cmd_top = {
	.name = "top",
	.summary = "watch a running job: what each rank does, and for whom it waits",
	.arguments = "[DIR]",
	.description =
		"Shows the ranks of a job while it runs. DIR is its directory, by default the "
		"newest run in the current directory. tryst top reads the files that the ranks map "
		"and append to. It writes nothing, takes no lock, and does not disturb the ranks. "
		"Run it on a host of the job.\n\n"
		"If the run is over and DIR.2 or a later number holds a newer one, the first line "
		"names it. Without DIR, tryst top goes on with the newer run by itself.\n\n"
		"Lines about the job come first: ranks that died, and rings of ranks that wait for "
		"each other and cannot go on. A ring is shown after five seconds, when no message "
		"can be on its way any more. Then come the ranks for which most others wait, "
		"directly or through further ranks, and what these ranks do.\n\n"
		"Then there is a line for each rank:\n\n"
		"state: waiting (in a call that waits for others, for 10 ms or longer), in MPI, "
		"computing (outside MPI), no CPU (outside MPI, ready to run, but without a CPU for "
		"more than half of the time), idle (outside MPI, without wanting a CPU), in "
		"MPI_Init, not recorded (recording was given up), ended, exited (by exit() without "
		"MPI_Finalize), died (killed, or ended without exit(): the process is gone), "
		"unreadable (files of another version).\n\n"
		"for: how long it has been in this call, or outside MPI. call and where: the call "
		"that it is in for 10 ms or longer. Otherwise the call with most of the time since "
		"the look before, if at least half of that time was in MPI. Otherwise where it "
		"computes, by the kernel's samples, or else where its last call was.\n\n"
		"waits_for and cause: ranks for which it waits now. In a collective these are the "
		"members that have not begun it. If it does not wait now, the rank for which it "
		"waited longest since the look before, if that was at least 5 % of the time.\n\n"
		"wait, mpi, cpu: shares of the time since the look before, of all threads that "
		"call "
		"MPI. Time in MPI is exact. Waits are those of messages that were longer than "
		"predicted, as one side can know them. A rank with more than a thousand messages "
		"between two looks counts only its latest ones. Messages without a prediction may "
		"hide waits (unpredicted_pct in csv and json). Collectives are apart "
		"(collective_pct). cpu is of the process. no_cpu_pct in csv and json is the share "
		"of time in which the first thread was ready to run, but had no CPU. With more "
		"than 64 ranks, each look measures it of 64 of them, in turns. The others keep "
		"their last value.\n\n"
		"Files of a rank on another host are known only as its file system shows them: "
		"known is the age of that knowledge. Run tryst top there for what is now, for "
		"example by ssh or srun with --once -f json.\n\n"
		"csv and json have all ranks and more columns: in_call (1: call is the one it is "
		"in; 0: call and waits_for are of the time since the look before), tag and bytes "
		"of the message, requests (pending ones), origin (the rank at "
		"the end of the chain of waits), behind (ranks that wait for it), ring (number of "
		"its ring), bytes_per_s (payload that calls were given). json is an object with "
		"schema (name tryst-top, version 1), dir, run_id, over, later, ranks_seen, "
		"ranks_expected, starting, interval_ns, look_cpu_ns (CPU time of the look), rings "
		"and ranks. top.schema.json in the folder tryst/schemas of the installation "
		"describes it.\n\n"
		"Keys: q quits; s changes the order, f the ranks shown; + and - double and halve "
		"the interval; arrows and page keys scroll; space stops and goes on.\n\n"
		"Exit code 0: the look was printed, or q was pressed. 1: DIR cannot be read or "
		"holds no run, or there is no terminal. 2: an option or argument is "
		"wrong.\n\n" CMD_FORMATS,
	.examples = "tryst top out\twatch the job that records into out\n"
		    "tryst top --once out\tone look as text\n"
		    "tryst top --once -f json out\tfor a program\n"
		    "tryst top -n 20 -s wait out\tthe 20 worst of many ranks\n",
	.see_also = "tryst-report(1), tryst-collect(1)",
	.options = options,
	.options_size = sizeof(struct options),
	.min_operands = 0,
	.max_operands = 1,
	.run = run_top,
};
