/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate.c: `tryst calibrate`: becomes the measuring program of the MPI that the launcher
 * belongs to.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/modelling/input.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct calibrate_options {
	const char *output, *pairs, *sizes, *max_bytes, *precision, *budget;
	bool quiet;
	int mpi;
};

enum { MPI_AUTO, MPI_OPENMPI, MPI_MPICH };

/* Arguments of the measuring program (pmpi/measure/step.h, pmpi/calibrate/options.h). */
enum { BYTES_MAX = 4 << 20, SIZES_MAX = 64 };

static const struct option options[] = {
	{ .name = "output",
		.letter = 'o',
		.type = OPT_TEXT,
		.argument = "FILE",
		.initial = "tryst.links",
		.at = offsetof(struct calibrate_options, output),
		.help = "file for samples, fits and link parameters" },
	{ .name = "pairs",
		.letter = 'p',
		.type = OPT_TEXT,
		.argument = "tier|all|A-B,...",
		.initial = "tier",
		.at = offsetof(struct calibrate_options, pairs),
		.help = "which ranks measure: one pair a tier, every ordered pair, or these" },
	{ .name = "sizes",
		.letter = 's',
		.type = OPT_TEXT,
		.argument = "BYTES,...",
		.at = offsetof(struct calibrate_options, sizes),
		.help = "message lengths; those at the thresholds are added [0 to 4 MiB, half "
			"octaves]" },
	{ .name = "max-bytes",
		.type = OPT_WHOLE,
		.argument = "BYTES",
		.raw = true,
		.lowest = 1,
		.highest = 4194304,
		.at = offsetof(struct calibrate_options, max_bytes),
		.help = "longest message [4M]" },
	{ .name = "precision",
		.type = OPT_REAL,
		.argument = "PERCENT",
		.raw = true,
		.lowest = 0.01,
		.highest = 50,
		.at = offsetof(struct calibrate_options, precision),
		.help = "stop when medians are this precise, at 95 % confidence [2]" },
	{ .name = "budget",
		.letter = 'b',
		.type = OPT_REAL,
		.argument = "SECONDS",
		.raw = true,
		.lowest = 0.5,
		.highest = 86400,
		.at = offsetof(struct calibrate_options, budget),
		.help = "time for each pair, with one a tier all of it [10]" },
	{ .name = "mpi",
		.type = OPT_CHOICE,
		.argument = "auto|openmpi|mpich",
		.initial = "auto",
		.at = offsetof(struct calibrate_options, mpi),
		.help = "which MPI the launcher belongs to" },
	{ .name = "quiet",
		.letter = 'q',
		.type = OPT_FLAG,
		.at = offsetof(struct calibrate_options, quiet),
		.help = "no progress, no summary" },
	{ 0 }
};

/* What launchers put into the environment of their processes. */
static const char *launcher_mpi(void)
{
	if (getenv("OMPI_COMM_WORLD_SIZE"))
		return "openmpi";
	if (getenv("MPIR_LOCALRANKID") || getenv("MPI_LOCALNRANKS") || getenv("HYDI_CONTROL_FD"))
		return "mpich";
	if (getenv("PMIX_RANK"))
		return "openmpi";
	return getenv("PMI_RANK") ? "mpich" : NULL;
}

/* Finds the measuring program, built or installed. Returns 0, or -1 with the last place in path[].
 */
static int find_program(const char *mpi, char *path, size_t size)
{
	static const char *const places[] = { "../pmpi",
		"../" TRYST_LIBEXECDIR_BELOW_PREFIX "/tryst", TRYST_LIBEXECDIR "/tryst" };
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i][0] == '/')
			snprintf(path, size, "%s/tryst-measure-%s", places[i], mpi);
		else
			snprintf(path, size, "%s/%s/tryst-measure-%s", self, places[i], mpi);
		if (access(path, X_OK) == 0)
			return 0;
	}
	return -1;
}

/* "4M" as the measuring program wants it, in bytes. */
static unsigned long long bytes_of(const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	return *end == 'k' || *end == 'K' ? n << 10 :
		*end == 'M'               ? n << 20 :
		*end == 'G'               ? n << 30 :
					    n;
}

/* "8,4k,1M" as an option of the measuring program, in bytes, in text[size]. */
static int sizes_of(const char *list, char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "--sizes=");
	int n = 0;

	if (!*list)
		return say_error("an empty list of sizes");
	while (*list) {
		int64_t bytes = model_next_bytes(&list);

		if (bytes < 0)
			return CMD_FAILED;
		if (bytes > BYTES_MAX)
			return say_error("messages of %lld bytes are not measured: at most %d",
				(long long)bytes, BYTES_MAX);
		if (++n > SIZES_MAX)
			return say_error("more than %d sizes", SIZES_MAX);
		at += (size_t)snprintf(
			text + at, size - at, "%s%lld", n > 1 ? "," : "", (long long)bytes);
	}
	return CMD_OK;
}

static int become(const struct calibrate_options *o, const char *mpi)
{
	char path[PATH_MAX + 64], output[PATH_MAX + 16], pairs[4096], sizes[2048], max_bytes[64];
	char precision[64], budget[64], quiet[] = "--quiet", *argv[10];
	int n = 0;

	if (find_program(mpi, path, sizeof(path)) < 0)
		return say_error(
			"tryst was built without a measuring program for this MPI: '%s' is "
			"not there",
			path);
	argv[n++] = path;
	snprintf(output, sizeof(output), "--output=%s", o->output);
	argv[n++] = output;
	snprintf(pairs, sizeof(pairs), "--pairs=%s", o->pairs);
	argv[n++] = pairs;
	if (o->sizes) {
		if (sizes_of(o->sizes, sizes, sizeof(sizes)) != CMD_OK)
			return CMD_USAGE;
		argv[n++] = sizes;
	}
	if (o->max_bytes) {
		snprintf(max_bytes, sizeof(max_bytes), "--max-bytes=%llu", bytes_of(o->max_bytes));
		argv[n++] = max_bytes;
	}
	if (o->precision) {
		snprintf(precision, sizeof(precision), "--precision=%g",
			strtod(o->precision, NULL) / 100);
		argv[n++] = precision;
	}
	if (o->budget) {
		snprintf(budget, sizeof(budget), "--budget=%s", o->budget);
		argv[n++] = budget;
	}
	if (o->quiet)
		argv[n++] = quiet;
	argv[n] = NULL;
	/* it measures a bare library */
	unsetenv("LD_PRELOAD");
	execv(path, argv);
	return say_error("cannot run '%s': %s", path, strerror(errno));
}

static int run_calibrate(const void *read, int argc, char **argv)
{
	const struct calibrate_options *o = read;
	const char *mpi = o->mpi == MPI_OPENMPI ? "openmpi" :
		o->mpi == MPI_MPICH             ? "mpich" :
						  launcher_mpi();

	(void)argc;
	(void)argv;
	if (!mpi)
		return say_error("no MPI launcher is seen: mpirun -n 2 tryst calibrate, or name it "
				 "with --mpi");
	return become(o, mpi);
}

const struct subcommand cmd_calibrate = {
	.name = "calibrate",
	.summary = "measure the links between ranks and fit the models to them",
	.arguments = "",
	.description =
		"Run it under the launcher of either MPI, with two or more ranks. It measures "
		"round trips, also with a delay before the receive; calls; message trains and "
		"bursts; and whether transfers move while the program computes. For all twelve "
		"send forms, with contiguous and strided data, it finds the lengths from which a "
		"send waits for the receiver's progress (S_p) and for the matching receive (S). "
		"With at least four ranks, two of them on one host and two on others, it measures "
		"broadcasts and transfers that share a host. If three hosts take part, the two "
		"transfers into one host come from different hosts (flow cut cut_in). Where a host "
		"has more ranks than CPUs, bursts of messages from one rank to many are not "
		"measured. Broadcasts and transfers that share a host are measured only if a "
		"transfer of 1 MiB takes longer than 10 ms. It fits "
		"every model, and writes raw samples, fits and findings "
		"into one SQLite file.\n\n"
		"With --pairs all or a list, disjoint pairs measure at the same time, as many as "
		"their hosts have CPUs for. Ranks that do not measure sleep. A pair ends early "
		"once its medians are as precise as --precision asks.\n\n"
		"tryst run --links FILE uses the file; tryst model show FILE shows it. The "
		"parameters that "
		"predictions need also go to the cache (TRYST_CACHE). A later launch of the same "
		"kind uses them, marked as unconfirmed, if it cannot measure. Launches are of the "
		"same kind if CPU model, MPI library, transport settings, CPUs per rank, ranks "
		"per node and thread level are equal. calibrate calls MPI_Init: programs with a "
		"higher thread level need --links FILE.\n\n"
		"If a pair could not be measured, or a kind of link lacks a parameter that "
		"predictions need (S, o, L, G), FILE is not written and the exit code is 1. The "
		"same holds if round trips do not reach S, at most 64 KiB, unless --sizes lists "
		"the lengths. The message names what is missing. A slow network needs a larger "
		"--budget: 20 at 100 Mbit/s. FILE.incomplete has what was "
		"measured, until a calibration of that name succeeds.\n\n"
		"Launches differ: a file describes the launch, binding and settings with which it "
		"was made. Run it in place of the program, with the same hosts, ranks and "
		"settings. tryst predict --map needs the links inside a host and between hosts: "
		"for both, at least one host needs two ranks.",
	.examples = "mpirun -n 2 tryst calibrate\tthe links that two ranks use\n"
		    "mpirun --host a:2,b:2,c:2 tryst calibrate -o abc.links\tlinks inside and "
		    "between three hosts\n"
		    "mpirun -n 8 tryst calibrate -p all -b 2\tevery ordered pair, 2 seconds each\n"
		    "mpirun -n 2 tryst calibrate -s 8,4k,1M -o small.links\tthree lengths\n",
	.see_also = "tryst-model(1), tryst-run(1)",
	.options = options,
	.options_size = sizeof(struct calibrate_options),
	.max_operands = 0,
	.run = run_calibrate,
};
