/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c: `tryst run`: becomes the program, with the library in front of it.
 *
 * It exec's: the launcher's child is the program itself, with its process id, its standard input,
 * its signals and its exit code. Nothing that goes wrong with tryst stops the program from
 * running; only a program that cannot be started ends with 127 or 126, as in a shell.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/doctor/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/run/launcher.h"
#include "analysis/format/run/mark.h"
#include "analysis/format/run/run_dir.h"
#include "analysis/format/run/settings.h"

struct run_options {
#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help)           \
	const char *field;
#include "settings.def"
#undef SETTING
	const char *library;
};

#define RUN_TEXT OPT_TEXT
#define RUN_WHOLE OPT_WHOLE
#define RUN_CHOICE OPT_CHOICE

static const struct option options[] = {
#define SETTING(field, variable_name, option, arg, kind, def, low, high, text)                     \
	{ .name = (option) ? (option) : #field,                                                    \
		.hidden = !(option),                                                               \
		.raw = true,                                                                       \
		.type = RUN_##kind,                                                                \
		.variable = variable_name,                                                         \
		.argument = arg,                                                                   \
		.initial = def,                                                                    \
		.lowest = low,                                                                     \
		.highest = high,                                                                   \
		.at = offsetof(struct run_options, field),                                         \
		.help = text },
#include "settings.def"
#undef SETTING
	{ .name = "library",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct run_options, library),
		.help = "the library to preload [libtryst.so of this installation]" },
	{ 0 }
};

/* Only the first lines of a job speak: a thousand ranks would say the same. */
static bool speaks(void)
{
	return launcher_rank() <= 0;
}

/* Options given become the variables that the library reads. */
static void set_variables(const struct run_options *o)
{
#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help)           \
	if (o->field)                                                                              \
		setenv(variable, o->field, 1);
#include "settings.def"
#undef SETTING
}

/* TRYST_DIR becomes absolute: the program may change its directory before MPI_Init. */
static int set_directory(const char *program, char *dir, size_t size)
{
	const char *wanted = getenv("TRYST_DIR");
	char name[PATH_MAX], here[PATH_MAX];

	if (wanted && *wanted)
		snprintf(name, sizeof name, "%s", wanted);
	else
		run_dir_default(name, sizeof name, program);
	if (name[0] == '/' || !getcwd(here, sizeof here))
		here[0] = '\0';
	if (snprintf(dir, size, "%s%s%s", here, *here ? "/" : "", name) >= (int)size)
		return -ENAMETOOLONG;
	for (size_t n = strlen(dir); n > 1 && dir[n - 1] == '/'; n--)
		dir[n - 1] = '\0';
	return setenv("TRYST_DIR", dir, 1) == 0 ? 0 : -errno;
}

/* Puts the library in front of LD_PRELOAD, once. The loader splits at colons and spaces. */
static int set_preload(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	size_t length = strlen(library);
	char *both;
	int rc;

	if (strpbrk(library, ": "))
		return -EINVAL;
	if (old && strncmp(old, library, length) == 0 && strchr(": ", old[length]))
		return 0; /* strchr also finds the NUL */
	if (asprintf(&both, "%s%s%s", library, old && *old ? ":" : "", old ? old : "") < 0)
		return -ENOMEM;
	rc = setenv("LD_PRELOAD", both, 1) == 0 ? 0 : -errno;
	free(both);
	return rc;
}

/* True if `dir` is a symbolic link to nothing. No run can be there, so no mark is needed. */
static bool is_dangling(const char *dir)
{
	struct stat st;

	return lstat(dir, &st) == 0 && stat(dir, &st) != 0;
}

static void leave_mark(const char *dir, const char *program, const char *look)
{
	char job[128], text[1024], path[PATH_MAX];

	if (!run_job_name(job, sizeof job)) {
		time_t now = time(NULL);

		strftime(job, sizeof job, "%Y%m%d-%H%M%S", localtime(&now));
	}
	snprintf(text, sizeof text, "program=%.500s\nlook=%.250s\ntogether=%d\n", program, look,
		launcher_size());
	/* Without a mark the report cannot count this process; the run itself lacks nothing. */
	if (mark_make(dir, job, text, path, sizeof path) == 0)
		setenv("TRYST_STARTED", path, 1);
}

/* A site's module loads site mode into every job. A user who names a directory wants records in it.
 */
static void say_of_site_mode(const struct run_options *o)
{
	if (o->dir && speaks())
		say_note(o->record ?
				"--record profile: no records go to '%s', only a JSON file to "
				"--site-dir" :
				"TRYST_RECORD=profile: no records go to '%s'; --record on makes "
				"them",
			o->dir);
}

/* Prepares recording. If a step fails, a line says so, and the program runs all the same. */
static void prepare_recording(const struct run_options *o, const char *program)
{
	char library[PATH_MAX], dir[PATH_MAX], look[256];
	int record, rc;

	set_variables(o);
	record = settings_record();
	if (o->library)
		snprintf(library, sizeof library, "%s", o->library);
	if (o->library ? access(library, R_OK) != 0 : library_find(library, sizeof library) != 0) {
		if (speaks())
			say_note("cannot read '%s': %s; '%s' runs unrecorded", library,
				strerror(errno), program);
		return;
	}
	rc = set_preload(library);
	if (rc && speaks())
		say_note("cannot preload '%s': %s; '%s' runs unrecorded", library,
			rc == -EINVAL ? "its path has a space or a colon" : strerror(-rc), program);
	rc = set_directory(program, dir, sizeof dir);
	if (rc == 0 && program_look(program, look, sizeof look) != PROGRAM_DYNAMIC && speaks())
		say_note("'%s' will run unrecorded: %s", program, look);
	if (record == RECORD_PROFILE)
		say_of_site_mode(o);
	/* from the mark, tryst report can tell why the process is not in the records */
	else if (rc == 0 && record != RECORD_OFF && !is_dangling(dir))
		leave_mark(dir, program, look);
}

/* Prints the reason and a suggestion, and returns the exit code of a shell. */
static int cannot_run(const char *name, bool was_found, int rc)
{
	char why[PATH_MAX + 128] = "the interpreter or loader that it names is missing";

	if (rc != -ENOENT || !was_found)
		program_explain(name, rc, why, sizeof why);
	say_error("cannot run '%s': %s", name, why);
	return rc == -ENOENT ? 127 : 126;
}

static int run_run(const void *options_read, int argc, char **argv)
{
	const struct run_options *o = options_read;
	char path[PATH_MAX];
	const char *mark;
	int rc;

	(void)argc;
	unsetenv("TRYST_STARTED");
	rc = program_find(argv[0], path, sizeof path);
	if (rc == 0) {
		prepare_recording(o, path);
		fflush(NULL);
		execvp(argv[0], argv);
		rc = -errno;
		mark = getenv("TRYST_STARTED");
		if (mark)
			mark_drop(mark);
		return cannot_run(argv[0], true, rc);
	}
	return cannot_run(argv[0], false, rc);
}

const struct subcommand cmd_run = {
	.name = "run",
	.summary = "run a program with every MPI call recorded",
	.arguments = "PROGRAM [ARGUMENTS]",
	.description =
		"Starts PROGRAM with libtryst.so preloaded. Put it between the launcher and the "
		"program: the launcher then starts tryst run once a rank. tryst run becomes the "
		"program, so process id, standard input, signals and exit code stay as they are. "
		"PROGRAM may be a binary, a script, python, or a shell wrapper. At the program's "
		"first MPI call, the library finds out which MPI library the program uses. A "
		"program without MPI runs unchanged. If the library cannot record, it prints one "
		"line on standard error, and the program runs on.\n\n"
		"Each option sets the variable that the library reads. Without the option, the "
		"variable of the environment counts.\n\n"
		"Records go to DIR, one SQLite file a rank. DIR and directories above it are made "
		"if they are missing. If DIR holds another run, the new run "
		"goes to DIR.2, and a line says so. DIR.started holds a mark for each process "
		"until its MPI_Init was seen. From these marks tryst report can name the "
		"processes that were never recorded, and the reason. Marks that are left after "
		"the run can be removed. If DIR is removed while the program runs, the records "
		"are lost, and a line at MPI_Finalize says so.\n\n"
		"Use the launcher of PROGRAM's own MPI library. Under another launcher each "
		"process takes itself for rank 0 of 1 and gets a directory of its own (DIR, "
		"DIR.2, ...). tryst doctor PROGRAM finds a wrong launcher before the start, and "
		"the report names it afterwards.\n\n"
		"--sample-stack follows unwind information, and needs no frame pointers. The "
		"program's own code is the executable, and each library that calls MPI itself. "
		"Kernels with large buffers on the stack, such as some of OpenBLAS's, keep their "
		"samples. Records of samples get longer: some are lost if calls are far apart, "
		"and the report says so. A lower --sample then helps.\n\n"
		"--record profile is site mode, for a module that loads tryst into every job: "
		"LD_PRELOAD, TRYST_RECORD=profile and TRYST_SITE_DIR. It writes one JSON file a "
		"job, named after the batch job or HOST-PID-TIME, and no records: each MPI call's "
		"count, bytes and time, time in MPI, load imbalance, messages by size, and "
		"tryst's own time. It measures no links, takes no callsites, and sends messages "
		"in MPI_Finalize alone. The file has no arguments and no paths. Its schema is "
		"site.schema.json. A job that hangs or is killed leaves state \"running\", the "
		"call that rank 0 began last and when (in_call), and its other calls as of run_ns. "
		"The file is new, of mode 0640, and no symbolic link is followed, so the "
		"directory may be open to all users (mode 1777). Programs that only use sessions "
		"have no record.\n\n"
		"If PROGRAM cannot be started, the exit code is 127 (not found) or 126.",
	.examples =
		"mpirun -n 4 tryst run -o out ./app input\trecord four ranks in the directory out\n"
		"srun tryst run ./app\tdirectory named after the program and the job\n"
		"mpiexec -n 2 tryst run --max-ops 100k python3 solver.py\tfewer op rows a "
		"rank\n",
	.see_also = "tryst-report(1), tryst-env(1), tryst-doctor(1)",
	.options = options,
	.options_size = sizeof(struct run_options),
	.min_operands = 1,
	.max_operands = -1,
	.stops_at_operand = true,
	.run = run_run,
};
