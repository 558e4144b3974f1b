/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * env.c: `tryst env`: how each launcher takes the library to the ranks without `tryst run`.
 *
 * A launcher is a line of the table: what stands before the variables, how one variable is
 * written, what stands behind.
 */
#include <config.h>

#include "analysis/base/text.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/doctor/program.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

struct env_options {
	const char *library;
	const char *dir;
};

static const struct option options[] = {
	{ .name = "output",
		.letter = 'o',
		.type = OPT_TEXT,
		.argument = "DIR",
		.at = offsetof(struct env_options, dir),
		.help = "directory of the records, for TRYST_DIR" },
	{ .name = "library",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct env_options, library),
		.help = "the library to preload [libtryst.so of this installation]" },
	{ 0 }
};

struct launcher {
	const char *name;
	const char *title;
	const char *before;   /* %s, where it is there: the library's directory */
	const char *variable; /* name, value */
	const char *after;
};

static const struct launcher launchers[] = {
	{ "openmpi", "Open MPI", "mpirun", " -x %s=%s", " -n 4 ./app" },
	{ "mpich", "MPICH, Intel MPI, MVAPICH (Hydra)", "mpiexec", " -genv %s %s", " -n 4 ./app" },
	/* Not --export=ALL,X=..: srun splits values at commas and has no way to quote them. */
	{ "slurm", "Slurm", "", "%s=%s ", "srun --export=ALL -n 4 ./app" },
	{ "pals", "PALS (Cray)", "mpiexec", " --env %s=%s", " -n 4 ./app" },
	{ "flux", "Flux", "flux run", " --env=%s=%s", " -n 4 ./app" },
	{ "apptainer", "Apptainer, Singularity (the library must be seen inside)",
		"apptainer exec --bind %s", " --env %s=%s", " image.sif ./app" },
	{ "docker", "Docker, Podman (the library must be seen inside)",
		"docker run --volume %1$s:%1$s:ro", " --env %s=%s", " image ./app" },
	{ "sh", "sh: the lines to evaluate; every program started afterwards inherits them", "",
		"export %s=%s\n", "" },
};

enum { NLAUNCHERS = sizeof launchers / sizeof *launchers };

/* Formats come from the table above; -Wformat-nonliteral has nothing to check there. */
static void print_variable(const struct launcher *l, const char *name, const char *value)
{
	struct text quoted = { 0 };

	text_add_quoted(&quoted, value);
	printf(l->variable, name, quoted.at ? quoted.at : "");
	text_release(&quoted);
}

static void print_launcher(const struct launcher *l, const char *library, const char *dir)
{
	char copy[PATH_MAX];

	printf("# %s\n", l->title);
	snprintf(copy, sizeof copy, "%s", library);
	printf(l->before, dirname(copy));
	print_variable(l, "LD_PRELOAD", library);
	if (dir)
		print_variable(l, "TRYST_DIR", dir);
	for (char **e = environ; *e; e++) {
		char *value = strchr(*e, '=');
		char name[64];

		if (strncmp(*e, "TRYST_", 6) != 0 || !value)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(value - *e), *e);
		if (strcmp(name, "TRYST_STARTED") != 0 && !(dir && strcmp(name, "TRYST_DIR") == 0))
			print_variable(l, name, value + 1);
	}
	printf("%s%s", l->after, *l->after ? "\n" : "");
}

static int run_env(const void *options_read, int argc, char **argv)
{
	const struct env_options *o = options_read;
	char library[PATH_MAX], known[256] = "";
	bool found = false;

	if (o->library)
		snprintf(library, sizeof library, "%s", o->library);
	else if (library_find(library, sizeof library) != 0)
		return say_error("cannot read '%s': %s", library, strerror(errno));
	if (argc == 0)
		puts("# Any launcher: put `tryst run` in front of the program; it needs none of "
		     "these:\n"
		     "#   mpirun -n 4 tryst run -o out ./app\n");
	for (int i = 0; i < NLAUNCHERS; i++) {
		if (argc && strcmp(argv[0], launchers[i].name) != 0)
			continue;
		if (found)
			putchar('\n');
		print_launcher(&launchers[i], library, o->dir);
		found = true;
	}
	if (found)
		return CMD_OK;
	for (int i = 0; i < NLAUNCHERS; i++)
		snprintf(known + strlen(known), sizeof known - strlen(known), " %s",
			launchers[i].name);
	say_error("no launcher '%s'; known:%s", argv[0], known);
	return CMD_USAGE;
}

const struct subcommand cmd_env = {
	.name = "env",
	.summary = "print the lines to set for a launcher or a container",
	.arguments = "[LAUNCHER]",
	.description =
		"Prints, for each launcher or only for LAUNCHER (openmpi, mpich, slurm, pals, "
		"flux, apptainer, docker, sh), the line that passes the library and the current "
		"TRYST_ variables to the ranks. Prefer tryst run in front of the program: it does "
		"the same under any launcher. These lines are for cases where the program's own "
		"command line must not change.\n\n"
		"In a container the library must be visible at the same path inside, and "
		"LD_PRELOAD must be set inside. The lines therefore bind the directory of the "
		"library.",
	.examples = "tryst env slurm\tthe line for srun\n"
		    "eval \"$(tryst env sh -o out)\"\tset the variables in this shell\n",
	.see_also = "tryst-run(1), tryst-doctor(1)",
	.options = options,
	.options_size = sizeof(struct env_options),
	.max_operands = 1,
	.run = run_env,
};
