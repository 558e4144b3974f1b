/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.c: `tryst doctor`: would recording work here? Each answer comes from trying.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/report/report.h"
#include "analysis/text/table.h"
#include "analysis/text/terminal.h"
#include "analysis/doctor/doctor.h"
#include "analysis/doctor/program.h"
#include "analysis/format/links/cache.h"
#include "analysis/format/run/settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/event.h"
#include "analysis/base/file.h"

extern char **environ;

struct doctor_options {
	const char *library;
	const char *dir;
	bool measure;
	bool is_loaded;
	int format;
};

static const struct option options[] = { { .name = "output",
						 .letter = 'o',
						 .type = OPT_TEXT,
						 .argument = "DIR",
						 .initial = ".",
						 .at = offsetof(struct doctor_options, dir),
						 .help = "where records would be written" },
	{ .name = "library",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct doctor_options, library),
		.help = "the library to preload [libtryst.so of this installation]" },
	{ .name = "measure",
		.letter = 'm',
		.type = OPT_FLAG,
		.at = offsetof(struct doctor_options, measure),
		.help = "launch two ranks of each MPI and measure which limits are in force" },
	{ .name = "format",
		.letter = 'f',
		.type = OPT_CHOICE,
		.argument = "text|json",
		.initial = "text",
		.at = offsetof(struct doctor_options, format),
		.help = "for people, or for programs" },
	{ .name = "is-loaded",
		.type = OPT_FLAG,
		.hidden = true,
		.at = offsetof(struct doctor_options, is_loaded),
		.help = "end with 0 if libtryst.so is loaded into this process" },
	{ 0 } };

/* Reads until the end, or until the deadline. Returns false at the deadline. */
static bool read_output(int fd, int seconds, char *text, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	time_t end = time(NULL) + seconds;
	char rest[4096];
	size_t at = 0;

	for (;;) {
		bool room = at + 1 < size;
		ssize_t n;

		if (time(NULL) > end || poll(&p, 1, seconds * 1000) <= 0)
			return false;
		n = room ? read(fd, text + at, size - at - 1) : read(fd, rest, sizeof rest);
		if (n <= 0)
			break;
		at += room ? (size_t)n : 0;
		text[at] = '\0';
	}
	return true;
}

int doctor_run(const char *const argv[], int seconds, char *text, size_t size)
{
	posix_spawn_file_actions_t actions;
	int fds[2], status = -1;
	pid_t pid;

	text[0] = '\0';
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ) != 0)
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (pid > 0) {
		if (!read_output(fds[0], seconds, text, size))
			kill(pid, SIGKILL);
		if (waitpid(pid, &status, 0) != pid)
			status = -1;
	}
	close(fds[0]);
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* True where `name` occurs in the list of files mapped into this process. */
static bool is_mapped(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	bool found = false;

	while (maps && !found && fgets(line, sizeof line, maps))
		found = strstr(line, name) != NULL;
	if (maps)
		fclose(maps);
	return found;
}

bool doctor_has_shim(const struct doctor *d, const char *kind)
{
	char dir[PATH_MAX], path[PATH_MAX + 64];

	snprintf(dir, sizeof dir, "%s", d->library);
	dirname(dir);
	snprintf(path, sizeof path, "%s/tryst/tryst-%s.so", dir, kind);
	if (access(path, R_OK) == 0)
		return true;
	snprintf(path, sizeof path, "%s/tryst-%s.so", dir, kind);
	return access(path, R_OK) == 0;
}

static enum finding look_library(const struct doctor *d, char *text, size_t size)
{
	static const char *const mpis[] = { "openmpi", "mpich", "abi" };
	int n = 0;

	if (!*d->library) {
		snprintf(text, size, "libtryst.so is not where this installation should have it");
		return FINDING_PROBLEM;
	}
	snprintf(text, size, "%s, for", d->library);
	for (int i = 0; i < 3; i++) {
		size_t at = strlen(text);

		if (doctor_has_shim(d, mpis[i]))
			snprintf(text + at, size - at, "%s %s", n++ ? "," : "", mpis[i]);
	}
	if (n)
		return FINDING_OK;
	snprintf(text, size, "%s has no tryst-<mpi>.so beside it or in tryst/", d->library);
	return FINDING_PROBLEM;
}

/* A child of this very program, with the library in LD_PRELOAD, looks whether it has it. */
static enum finding look_preload(const struct doctor *d, char *text, size_t size)
{
	char self[PATH_MAX], output[256], *old = getenv("LD_PRELOAD");
	const char *argv[] = { self, "doctor", "--is-loaded", NULL };
	char *saved = old ? strdup(old) : NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	int rc = -1;

	if (n > 0 && *d->library) {
		self[n] = '\0';
		setenv("LD_PRELOAD", d->library, 1);
		rc = doctor_run(argv, 10, output, sizeof output);
		if (saved)
			setenv("LD_PRELOAD", saved, 1);
		else
			unsetenv("LD_PRELOAD");
	}
	free(saved);
	snprintf(text, size,
		rc == 0 ? "a preloaded program has the library" :
			  "LD_PRELOAD does not bring the library into a program");
	return rc == 0 ? FINDING_OK : FINDING_PROBLEM;
}

static enum finding look_program(const struct doctor *d, char *text, size_t size)
{
	char path[PATH_MAX], why[PATH_MAX + 128];
	int rc;

	if (!d->program)
		return FINDING_NONE;
	rc = program_find(d->program, path, sizeof path);
	if (rc) {
		program_explain(d->program, rc, why, sizeof why);
		snprintf(text, size, "'%s' cannot be run: %s", d->program, why);
		return FINDING_PROBLEM;
	}
	if (program_look(path, why, sizeof why) != PROGRAM_DYNAMIC) {
		snprintf(text, size, "'%s' would run unrecorded: %s", path, why);
		return FINDING_PROBLEM;
	}
	snprintf(text, size, "'%s' can be preloaded", path);
	return FINDING_OK;
}

static enum finding look_callsites(const struct doctor *d, char *text, size_t size)
{
	const char *given = getenv("TRYST_LIBUNWIND");
	const char *name = given && *given ? given : "libunwind.so.8";
	void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	(void)d;
	if (!handle) {
		snprintf(text, size, "%s; records will have no callsites (Debian: libunwind8)",
			dlerror());
		return FINDING_PROBLEM;
	}
	dlclose(handle);
	snprintf(text, size, "%s can be loaded", name);
	return FINDING_OK;
}

static void first_line(const char *path, char *line, size_t size)
{
	FILE *in = file_stream(file_open_regular(AT_FDCWD, path, O_RDONLY, NULL), "r");

	line[0] = '\0';
	if (in && fgets(line, (int)size, in))
		line[strcspn(line, "\n")] = '\0';
	if (in)
		fclose(in);
}

/* The processor's counter: its name as a clock source of the kernel, and in words. */
#if defined(__aarch64__)
static const char counter_source[] = "arch_sys_counter", counter_name[] = "the processor's counter";
#else
static const char counter_source[] = "tsc", counter_name[] = "the TSC";
#endif

static enum finding look_clock(const struct doctor *d, char *text, size_t size)
{
	char source[64];

	(void)d;
	first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		sizeof source);
	if (strcmp(source, counter_source) == 0) {
		snprintf(text, size, "%s, which the kernel trusts too", counter_name);
		return FINDING_OK;
	}
	snprintf(text, size,
		"clock_gettime (the kernel's clock is '%s', not %s): about 25 ns more a call",
		*source ? source : "unknown", counter_name);
	return FINDING_NOTE;
}

static enum finding look_cores(const struct doctor *d, char *text, size_t size)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	double load = 0;
	int at;

	(void)d;
	at = snprintf(text, size,
		"%ld processors: with more ranks than that on this host, waits are partly the "
		"scheduler's",
		n);
	if (getloadavg(&load, 1) == 1 && load > (double)n && at > 0 && at < (int)size)
		snprintf(text + at, size - (size_t)at,
			"; they are busy now (load average %.1f): "
			"calibration may find no time to measure, and messages then have no "
			"prediction",
			load);
	return FINDING_NOTE;
}

static enum finding look_output(const struct doctor *d, char *text, size_t size)
{
	/* a rank's ring and the first chunk of its records */
	static const double least = 16 << 20;
	struct statvfs fs;
	double free_bytes;

	if (access(d->dir, W_OK | X_OK) != 0 && errno != ENOENT) {
		snprintf(text, size, "cannot write in '%s': %s", d->dir, strerror(errno));
		return FINDING_PROBLEM;
	}
	if (statvfs(access(d->dir, F_OK) == 0 ? d->dir : ".", &fs) != 0) {
		snprintf(text, size, "cannot look at '%s': %s", d->dir, strerror(errno));
		return FINDING_PROBLEM;
	}
	free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
	if (free_bytes < least) {
		snprintf(text, size,
			"'%s' has %.0f KiB free, which is too little to record anything", d->dir,
			free_bytes / 1024);
		return FINDING_PROBLEM;
	}
	snprintf(text, size, "'%s' has %.3g GiB free; a million ops of a rank take 0.2 GiB", d->dir,
		free_bytes / (1 << 30));
	return free_bytes < 1 << 30 ? FINDING_NOTE : FINDING_OK;
}

/* A site's module may load site mode into every job of a user who never heard of it. */
static enum finding look_site(const struct doctor *d, char *text, size_t size)
{
	const char *dir = getenv("TRYST_SITE_DIR");

	(void)d;
	if (settings_record() != RECORD_PROFILE)
		return FINDING_NONE;
	snprintf(text, size,
		"TRYST_RECORD=profile: jobs leave one JSON file each in '%s', and no records for "
		"tryst report; tryst run --record on makes them",
		dir ? dir : "");
	if (dir && access(dir, W_OK | X_OK) == 0)
		return FINDING_NOTE;
	snprintf(text, size, "TRYST_RECORD=profile: cannot write in TRYST_SITE_DIR '%s': %s",
		dir ? dir : "", dir ? strerror(errno) : "it is not set");
	return FINDING_PROBLEM;
}

static enum finding look_cache(const struct doctor *d, char *text, size_t size)
{
	const char *given = getenv("TRYST_CACHE"), *home = getenv("HOME");
	const char *xdg = getenv("XDG_CACHE_HOME");
	struct say_list said;
	char path[PATH_MAX];

	(void)d;
	if (given && strcmp(given, "off") == 0) {
		snprintf(text, size, "off: link parameters are measured in each MPI_Init");
		return FINDING_NOTE;
	}
	if (given && *given)
		snprintf(path, sizeof path, "%s", given);
	else if (xdg && *xdg)
		snprintf(path, sizeof path, "%s", xdg);
	else
		snprintf(path, sizeof path, "%s", home ? home : "/nonexistent");
	if (access(path, W_OK) != 0 && (errno != ENOENT || (given && *given))) {
		snprintf(text, size,
			"cannot write in '%s': %s; links are measured in each MPI_Init", path,
			strerror(errno));
		return FINDING_NOTE;
	}
	snprintf(path + strlen(path), sizeof path - strlen(path), "%s",
		given && *given     ? "" :
			xdg && *xdg ? "/tryst" :
				      "/.cache/tryst");
	say_list_init(&said);
	if (links_cache_check(path, &said.say) == -EPERM) {
		snprintf(text, size, "%s", say_list_next(&said, NULL));
		return FINDING_NOTE;
	}
	snprintf(text, size, "link parameters are kept in '%s'", path);
	return FINDING_OK;
}

/* Opens what the library opens in each thread. */
static enum finding look_samples(const struct doctor *d, char *text, size_t size)
{
	const int64_t pages = event_pages_each((int)sysconf(_SC_NPROCESSORS_ONLN));
	int fd = event_open(0, 1000000, 0);
	char why[128];

	(void)d;
	if (fd >= 0) {
		close(fd);
		snprintf(text, size,
			"the kernel tells where a program computes, and when it has no CPU");
		if (pages / 2 >= event_buffer_pages(0) + 1)
			return FINDING_OK;
		snprintf(text + strlen(text), size - strlen(text),
			"; but users may lock little memory (kernel.perf_event_mlock_kb): with a "
			"rank a CPU, %s",
			pages > 1 ? "samples between distant calls are lost" : "ranks get none");
		return FINDING_NOTE;
	}
	event_explain(fd, why, sizeof why);
	snprintf(text, size,
		"the kernel refuses them (%s): the report names no function that computes, and no "
		"time without a CPU",
		why);
	return FINDING_NOTE;
}

static const struct check checks[] = {
	{ "library", look_library },
	{ "preloading", look_preload },
	{ "program", look_program },
	{ "its MPI", doctor_linked_mpi },
	{ "callsites", look_callsites },
	{ "samples", look_samples },
	{ "clock", look_clock },
	{ "processors", look_cores },
	{ "records", look_output },
	{ "site mode", look_site },
	{ "cache", look_cache },
	{ NULL, NULL },
};

static void print_json_finding(enum finding finding, const char *check, const char *text)
{
	static const char *const words[] = { "ok", "note", "problem" };

	printf(",\n {\"finding\": \"%s\", \"check\": ", words[finding]);
	json_string(stdout, check);
	fputs(", \"text\": ", stdout);
	json_string(stdout, text);
	putchar('}');
}

/* Prints the findings; returns the number of problems. */
static int run_checks(const struct check *table, const struct doctor *d, bool json)
{
	static const char *const words[] = { "ok", "note", "PROBLEM" };
	int columns = terminal_columns(stdout), problems = 0;

	for (const struct check *c = table; c->name; c++) {
		char text[1024] = "";
		enum finding finding = c->look(d, text, sizeof text);

		if (finding == FINDING_NONE)
			continue;
		problems += finding == FINDING_PROBLEM;
		if (json) {
			print_json_finding(finding, c->name, text);
			continue;
		}
		printf("%-8s %-11s ", words[finding], c->name);
		print_foreign(stdout, text, 21, 21, columns);
	}
	return problems;
}

static int run_doctor(const void *options_read, int argc, char **argv)
{
	const struct doctor_options *o = options_read;
	struct doctor d = {
		.program = argc ? argv[0] : NULL, .dir = o->dir, .measure = o->measure
	};
	char library[PATH_MAX], launcher[32] = "mpirun";
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool unlinked = false;
	bool json = o->format != 0;
	int problems;

	if (o->is_loaded)
		return is_mapped("libtryst.so") ? CMD_OK : CMD_FAILED;
	if (o->library)
		snprintf(library, sizeof library, "%s", o->library);
	else if (library_find(library, sizeof library) != 0)
		library[0] = '\0';
	d.library = library;
	d.launcher = launcher;
	d.launcher_size = sizeof launcher;
	d.unlinked = &unlinked;
	if (json)
		printf("{\n\"schema\": {\"name\": \"tryst-doctor\", \"version\": "
		       "%d},\n\"findings\": ["
		       "\n {\"finding\": \"ok\", \"check\": \"tryst\", \"text\": \"%s\"}",
			REPORT_JSON_VERSION, PACKAGE_VERSION);
	else
		printf("tryst %s\n", PACKAGE_VERSION);
	problems = run_checks(checks, &d, json);
	problems += run_checks(mpi_checks, &d, json);
	if (json) {
		fputs("\n],\n\"launcher\": ", stdout);
		json_string(stdout, launcher);
		printf(",\n\"problems\": %d\n}\n", problems);
		return problems ? CMD_FAILED : CMD_OK;
	}
	if (problems)
		return say_error("%d problem%s", problems, problems == 1 ? "" : "s");
	if (!*launcher)
		puts("Recording should work here, once the launcher of the program's MPI is in "
		     "PATH.");
	else /* no more ranks than CPUs, if there are two */
		put_line("Recording should work here%s: %s -n %d tryst run -o out %s",
			unlinked ? ", if the program uses MPI at all" : "", launcher,
			cpus >= 4 ? 4 : 2, d.program ? d.program : "./app");
	return CMD_OK;
}

const struct subcommand cmd_doctor = {
	.name = "doctor",
	.summary = "say what is installed and whether recording would work here",
	.arguments = "[PROGRAM]",
	.description =
		"Checks each thing that a recorded run depends on, and reports the result in "
		"words: the library and the MPI libraries that it serves; whether preloading "
		"works; callsites, samples of computation, clock, CPUs, room for records and the "
		"cache of link parameters; and the settings of the installed MPI libraries that "
		"limit eager messages. For PROGRAM it also says whether preloading reaches it (not "
		"if it is setuid or static), which MPI library it is linked to, and which launcher "
		"starts it. With --measure it measures the limits in force between two ranks of "
		"this node, which takes a few seconds. A recorded run measures them in MPI_Init "
		"and shows them in the report.\n\n"
		"The preloaded library asks the loaded MPI library for its version "
		"(MPI_Get_library_version) and opens the matching shim. One shim serves all "
		"versions of an ABI: libmpi.so.40 of Open MPI, libmpi.so.12 of MPICH and its "
		"derivatives. A third shim serves programs built for the standard ABI of MPI-5 "
		"(libmpi_abi.so, mpicc_abi), with any library. It is built if Open MPI 6 or MPICH "
		"5 provides the header. A shim records functions newer than its header if that "
		"header has all their types. Other new functions work, but are not recorded. "
		"doctor PROGRAM says whether the program's library was tested. Shims built with "
		"the headers of newer releases were tested on Open MPI 4.1.4 and MPICH 4.0.2, "
		"too.\n\n"
		"-f json prints the findings as an array of rows with finding (ok, note, problem), "
		"check and text, and the number of problems. Its schema is doctor.schema.json in "
		"the folder tryst/schemas of the installation.\n\n"
		"Exit code 0: nothing prevents recording. 1: there is a problem. 2: an option or "
		"argument is wrong.",
	.examples = "tryst doctor ./app\twould ./app be recorded here?\n",
	.see_also = "tryst-run(1), tryst-env(1)",
	.options = options,
	.options_size = sizeof(struct doctor_options),
	.max_operands = 1,
	.run = run_doctor,
};
