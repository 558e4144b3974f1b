/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi.c: asks the installed MPI libraries for their version, transports, and the settings that
 * bound eager messages. MPI_Init measures the real limits; this file tells which setting to turn.
 */
#include <config.h>

#include "analysis/doctor/doctor.h"
#include "analysis/doctor/program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/base/temporary.h"
#include "analysis/format/links/links.h"

enum { OUTPUT_BYTES = 1 << 20 };

const char *doctor_value_of(const char *output, const char *key, char *value, size_t size)
{
	const char *p = strstr(output, key);

	value[0] = '\0';
	if (p) {
		p += strlen(key);
		p += strspn(p, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(p, "\n"), p);
	}
	return value;
}

static const struct {
	const char *name, *says, *shim, *tried;
} libraries[] = {
#define LIBRARY(name, says, shim, tried, how) { name, says, shim, tried },
#include "libraries.def"
#undef LIBRARY
};

/* "4.2.1" stands in "MPICH Version: 4.2.1", and not in one of 4.2.10 or 14.2.1. */
static bool says_version(const char *said, const char *version, size_t length)
{
	for (const char *p = said; *p; p++) {
		if (strncmp(p, version, length) == 0 &&
			(p == said || !strchr("0123456789.", p[-1])) &&
			(p[length] == '\0' || !strchr("0123456789.abcr", p[length])))
			return true;
	}
	return false;
}

/*
 * Appends whether tryst records with a library and was tested with it. said: its own description.
 */
static enum finding tell_tested(
	const struct doctor *d, const char *said, bool standard_abi, char *text, size_t size)
{
	size_t at = strlen(text), i, n = sizeof libraries / sizeof *libraries;
	const char *shim;

	for (i = 0; i < n && !strstr(said, libraries[i].says); i++)
		;
	if (i == n && !standard_abi) {
		snprintf(text + at, size - at,
			"; tryst does not know this MPI library and records nothing: %.*s",
			(int)strcspn(said, "\n,"), said);
		return FINDING_PROBLEM;
	}
	shim = standard_abi ? "abi" : libraries[i].shim;
	if (!doctor_has_shim(d, shim)) {
		snprintf(text + at, size - at,
			"; nothing is recorded: tryst-%s.so is not installed", shim);
		return FINDING_PROBLEM;
	}
	if (i == n) {
		snprintf(
			text + at, size - at, "; not tested with this library of the standard ABI");
		return FINDING_NOTE;
	}
	for (const char *t = libraries[i].tried; *t; t += strspn(t, ", ")) {
		size_t length = strcspn(t, ",");

		if (says_version(said, t, length)) {
			snprintf(text + at, size - at, "; tested with %s %.*s", libraries[i].name,
				(int)length, t);
			return FINDING_OK;
		}
		t += length;
	}
	if (*libraries[i].tried)
		snprintf(text + at, size - at, "; tested with %s %s, but not with this version",
			libraries[i].name, libraries[i].tried);
	else
		snprintf(text + at, size - at, "; not tested with %s", libraries[i].name);
	return FINDING_NOTE;
}

/*
 * Asks the library in `file`, in another process, for its description. said: "" if it gives none.
 */
static void ask_library(const char *file, char *said, size_t size)
{
	int ends[2], length = 0;
	size_t used = 0;
	ssize_t got;
	pid_t child;

	said[0] = '\0';
	if (pipe(ends) != 0)
		return;
	child = fork();
	if (child == 0) {
		static char answer[8192 + 1];
		void *library;
		int (*version)(char *, int *);
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDERR_FILENO);
		alarm(10);
		library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
		version = library ?
			(int (*)(char *, int *))dlsym(library, "MPI_Get_library_version") :
			NULL;
		if (version && version(answer, &length) == 0 &&
			write(ends[1], answer, strlen(answer)) < 0)
			_exit(1);
		_exit(0);
	}
	close(ends[1]);
	while (child > 0 && used < size - 1 &&
		(got = read(ends[0], said + used, size - 1 - used)) > 0)
		used += (size_t)got;
	said[used] = '\0';
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
}

/* Names of the families as in doctor's texts, by what the loader lists or the launcher prints. */
enum { FAMILY_MPICH, FAMILY_MPICH_KIN, FAMILY_OPENMPI };

static const struct {
	const char *library, *launcher, *name, *start[2];
} families[] = {
	[FAMILY_MPICH] = { "libmpich", "HYDRA", "MPICH", { "mpirun.mpich", "mpiexec.hydra" } },
	[FAMILY_MPICH_KIN] = { "libmpi.so.12", "HYDRA", "MPICH or one of its kind",
		{ "mpiexec.hydra", "mpirun.mpich" } },
	[FAMILY_OPENMPI] = { "libmpi.so", "Open MPI", "Open MPI", { "mpirun.openmpi", "orterun" } },
};

bool doctor_find_library(const char *output, const char *name, char *path, size_t size)
{
	const char *p = strstr(output, name), *arrow = p ? strstr(p, "=> ") : NULL;

	if (arrow && arrow < p + strcspn(p, "\n"))
		snprintf(path, size, "%.*s", (int)strcspn(arrow + 3, " \n"), arrow + 3);
	return arrow && arrow < p + strcspn(p, "\n");
}

/*
 * Says which library it is and which launcher starts its programs. d->launcher gets the launcher.
 */
static enum finding tell_launcher(
	const struct doctor *d, size_t i, const char *file, char *output, char *text, size_t size)
{
	static const char *const version[] = { "mpirun", "--version", NULL };
	char path[PATH_MAX];
	int n;

	(void)doctor_run(version, 10, output, OUTPUT_BYTES);
	n = snprintf(text, size, "%s (%s)", families[i].name, file);
	if (strstr(output, families[i].launcher))
		return FINDING_OK;
	*d->launcher = '\0';
	for (size_t k = 0; k < 2 && !*d->launcher; k++)
		if (program_find(families[i].start[k], path, sizeof path) == 0)
			snprintf(d->launcher, d->launcher_size, "%s", families[i].start[k]);
	if (n < 0 || n >= (int)size)
		return FINDING_NOTE;
	text += n;
	size -= (size_t)n;
	if (*output)
		snprintf(text, size,
			"; mpirun is another MPI's, under which each process would be rank 0 "
			"of 1: start it with %s%s",
			*d->launcher ? d->launcher : families[i].start[0],
			*d->launcher ? "" : ", which is not in PATH");
	else if (!*d->launcher)
		snprintf(text, size, "; its launcher is not in PATH");
	return *output || !*d->launcher ? FINDING_NOTE : FINDING_OK;
}

/* The library in `file`, of the standard ABI or else of family i. */
static enum finding tell_library(const struct doctor *d, bool standard_abi, size_t i,
	const char *file, char *output, char *text, size_t size)
{
	enum finding launched, tried;
	char said[8192 + 1];

	ask_library(file, said, sizeof said);
	if (standard_abi && !*said) {
		snprintf(text, size,
			"one of the standard ABI (%s), which cannot be asked what it is", file);
		return FINDING_NOTE;
	}
	if (standard_abi)
		i = strstr(said, "Open MPI") ? FAMILY_OPENMPI : FAMILY_MPICH_KIN;
	launched = tell_launcher(d, i, file, output, text, size);
	tried = *said ? tell_tested(d, said, standard_abi, text, size) : FINDING_OK;
	return tried > launched ? tried : launched;
}

enum finding doctor_linked_mpi(const struct doctor *d, char *text, size_t size)
{
	char program[PATH_MAX], loader[PATH_MAX], file[PATH_MAX], *output = malloc(OUTPUT_BYTES);
	const char *list[] = { loader, "--list", program, NULL };
	enum finding finding = FINDING_NOTE;
	size_t i, n = sizeof families / sizeof *families;

	if (!output || !d->program || program_find(d->program, program, sizeof program) != 0 ||
		program_look(program, text, size) != PROGRAM_DYNAMIC) {
		free(output);
		return FINDING_NONE;
	}
	if (program_loader(program, loader, sizeof loader) != 0) {
		snprintf(text, size, "'%s' is a script: what it starts decides", program);
	} else if (doctor_run(list, 10, output, OUTPUT_BYTES) != 0) {
		finding = FINDING_NONE; /* a loader that lists nothing */
	} else {
		bool abi;

		for (i = 0; i < n &&
			!doctor_find_library(output, families[i].library, file, sizeof file);
			i++)
			;
		/* the loader lists libraries in the order of its search */
		abi = strstr(output, "libmpi_abi") &&
			(i == n ||
				strstr(output, "libmpi_abi") <
					strstr(output, families[i].library)) &&
			doctor_find_library(output, "libmpi_abi", file, sizeof file);
		if (i == n && !abi) {
			*d->unlinked = true;
			snprintf(text, size,
				"'%s' is not linked to MPI: tryst records it only if it opens an "
				"MPI library while it runs, as python does, or starts a program "
				"that is linked to MPI",
				program);
		} else {
			finding = tell_library(d, abi, i, file, output, text, size);
		}
	}
	free(output);
	return finding;
}

static void add_limit(
	const char *output, const char *btl, const char *words, char *text, size_t size)
{
	char key[96], value[64];
	size_t at = strlen(text);

	snprintf(key, sizeof key, "btl_%s_eager_limit:value:", btl);
	if (*doctor_value_of(output, key, value, sizeof value))
		snprintf(text + at, size - at, "; %s up to %s B are eager (btl_%s_eager_limit)",
			words, value, btl);
}

static enum finding look_openmpi(const struct doctor *d, char *text, size_t size)
{
	static const char *const argv[] = { "ompi_info", "--parsable", "--all", NULL };
	static const char *const pmls[] = { "ob1", "ucx", "cm" };
	char *output = malloc(OUTPUT_BYTES), value[128];
	enum finding finding = FINDING_NONE;
	size_t at;

	(void)d;
	if (!output)
		return FINDING_NONE;
	if (doctor_run(argv, 10, output, OUTPUT_BYTES) == 0) {
		finding = FINDING_OK;
		snprintf(text, size, "Open MPI %s; transports:",
			doctor_value_of(output, "ompi:version:full:", value, sizeof value));
		for (size_t i = 0; i < sizeof pmls / sizeof *pmls; i++) {
			snprintf(value, sizeof value, "mca:pml:%s:version", pmls[i]);
			at = strlen(text);
			if (strstr(output, value))
				snprintf(text + at, size - at, " pml %s,", pmls[i]);
		}
		text[strlen(text) - 1] = '\0';
		/* Open MPI 5 renamed vader to sm, and lists both names */
		add_limit(output, strstr(output, "btl_sm_eager_limit:value:") ? "sm" : "vader",
			"with pml ob1, shared-memory messages", text, size);
		add_limit(output, "tcp", "TCP messages", text, size);
		doctor_value_of(
			output, "btl_vader_single_copy_mechanism:value:", value, sizeof value);
		at = strlen(text);
		if (*value)
			snprintf(text + at, size - at, "; single copy in a node: %s", value);
		at = strlen(text);
		snprintf(text + at, size - at,
			" (headers take some bytes off; under pml ucx or cm other settings "
			"govern)");
	}
	free(output);
	return finding;
}

static enum finding look_mpich(const struct doctor *d, char *text, size_t size)
{
	static const char *const argv[] = { "mpichversion", NULL };
	const char *ucx = getenv("UCX_RNDV_THRESH");
	char *output = malloc(OUTPUT_BYTES), version[64], device[64];
	enum finding finding = FINDING_NONE;

	(void)d;
	if (!output)
		return FINDING_NONE;
	if (doctor_run(argv, 10, output, OUTPUT_BYTES) == 0) {
		finding = FINDING_OK;
		snprintf(text, size, "MPICH %s, device %s",
			doctor_value_of(output, "MPICH Version:", version, sizeof version),
			doctor_value_of(output, "MPICH Device:", device, sizeof device));
		if (strstr(device, "ucx")) {
			size_t at = strlen(text);

			snprintf(text + at, size - at,
				"; UCX_RNDV_THRESH (%s) bounds eager messages",
				ucx ? ucx : "not set");
		}
	}
	free(output);
	return finding;
}

/* The value of a parameter of the node's tier in a file that tryst calibrate wrote; -1: unknown. */
static double link_value(sqlite3 *db, const char *name)
{
	sqlite3_stmt *s;
	double value = -1;

	if (db_prepare(db,
		    "SELECT value FROM link_param WHERE tier = 'node' AND name = ?"
		    " AND form IS NULL AND layout IS NULL AND peer IS NULL AND value IS NOT NULL",
		    &s) != 0)
		return -1;
	sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	if (db_step(s) > 0)
		value = sqlite3_column_double(s, 0);
	sqlite3_finalize(s);
	return value;
}

static enum finding tell_limits(const char *file, char *text, size_t size)
{
	double S = -1, S_p = -1;
	sqlite3 *db;
	size_t at;

	if (links_open(file, &db, NULL) == 0) {
		S = link_value(db, "S");
		S_p = link_value(db, "S_p");
	}
	sqlite3_close(db);
	if (S < 0) {
		snprintf(text, size,
			"the limits could not be measured here now: too much else runs");
		return FINDING_NOTE;
	}
	snprintf(text, size,
		"between two ranks of this node, messages up to %.0f B are eager: sent "
		"before their receive is posted",
		S);
	at = strlen(text);
	if (S_p >= 0 && S_p < S)
		snprintf(text + at, size - at,
			"; but beyond %.0f B a send ends only when the receiver calls MPI", S_p);
	at = strlen(text);
	snprintf(text + at, size - at, "; larger ones wait for the receive (rendezvous)");
	return FINDING_OK;
}

/* tryst calibrate, for half a second, on two ranks under the MPI's own launcher. */
static enum finding measure(const struct doctor *d, const char *mpi, const char *const *launchers,
	char *text, size_t size)
{
	char self[PATH_MAX], launcher[PATH_MAX], file[PATH_MAX], part[PATH_MAX + 16], output[4096];
	struct temporary dir = { 0 };
	/* the user only asked whether tryst works: nothing goes to the cache */
	const char *argv[] = { launcher, "-n", "2", "env", "TRYST_CACHE=off", self, "calibrate",
		"--mpi", mpi, "--budget", "0.5", "--max-bytes", "128k", "--quiet", "--output", file,
		NULL };
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	enum finding finding = FINDING_NOTE;
	int rc;

	while (*launchers && program_find(*launchers, launcher, sizeof launcher) != 0)
		launchers++;
	if (!d->measure || !*launchers || n <= 0)
		return FINDING_NONE;
	self[n] = '\0';
	if (temporary_make(&dir, NULL) != 0)
		return FINDING_NONE;
	snprintf(file, sizeof file, "%s/links", dir.path);
	snprintf(part, sizeof part, "%s.incomplete", file);
	rc = doctor_run(argv, 60, output, sizeof output);
	if (rc == 0 || access(part, R_OK) == 0)
		finding = tell_limits(rc == 0 ? file : part, text, size);
	else
		snprintf(text, size,
			"the limits cannot be measured: %s -n 2 tryst calibrate ended with %d",
			launcher, rc);
	temporary_remove(&dir);
	return finding;
}

static enum finding measure_openmpi(const struct doctor *d, char *text, size_t size)
{
	static const char *const launchers[] = { "mpirun.openmpi", "orterun", NULL };

	return measure(d, "openmpi", launchers, text, size);
}

static enum finding measure_mpich(const struct doctor *d, char *text, size_t size)
{
	static const char *const launchers[] = { "mpiexec.hydra", "mpirun.mpich", NULL };

	return measure(d, "mpich", launchers, text, size);
}

const struct check mpi_checks[] = {
	{ "Open MPI", look_openmpi },
	{ "", measure_openmpi },
	{ "MPICH", look_mpich },
	{ "", measure_mpich },
	{ NULL, NULL },
};
