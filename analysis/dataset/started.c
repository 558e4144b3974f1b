/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * started.c: reads the marks (analysis/format/run/mark.h) and finds out, by looking, why a process
 * that was started never was recorded.
 *
 * A directory that was given twice has marks of several jobs beside it. Those of the jobs that
 * recorded into it count; where none did, those of the latest.
 */
#include <config.h>

#include "analysis/doctor/program.h"
#include "analysis/dataset/queries.h"
#include "analysis/dataset/started.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/db/db.h"
#include "analysis/format/run/mark.h"
#include "analysis/format/run/process.h"

/* Programs that start others where LD_PRELOAD does not follow by itself. */
static const char *const containers[] = { "apptainer", "singularity", "docker", "podman", "sarus",
	"shifter", "enroot", "charliecloud", "ch-run" };

static bool is_container(const char *program)
{
	const char *base = strrchr(program, '/');

	base = base ? base + 1 : program;
	for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
		if (strcmp(base, containers[i]) == 0)
			return true;
	return false;
}

/* Whether the library is mapped into the live process: 1, 0, or -1 where that cannot be seen. */
static int has_library(long long pid)
{
	char path[64], line[PATH_MAX + 128];
	int found = 0;
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%lld/maps", pid);
	maps = file_stream(file_open_regular(AT_FDCWD, path, O_RDONLY, NULL), "r");
	if (!maps)
		return -1;
	while (!found && fgets(line, sizeof line, maps))
		found = strstr(line, "libtryst.so") != NULL;
	fclose(maps);
	return found;
}

static enum process_state state_of(const struct mark *m)
{
	struct ring_file *h = calloc(1, sizeof *h);
	enum process_state state;

	if (!h)
		return PROCESS_ELSEWHERE;
	h->pid = m->pid;
	h->start_time = m->start_time;
	h->pid_namespace = m->pid_namespace;
	snprintf(h->boot_id, sizeof h->boot_id, "%s", m->boot_id);
	snprintf(h->host, sizeof h->host, "%s", m->host);
	state = process_look(h);
	free(h);
	return state;
}

/* One sentence, a constant or in why[size]. */
static const char *explain(const struct mark *m, char *why, size_t size)
{
	int library;

	if (*m->note)
		return m->note;
	if (*m->look)
		return m->look;
	if (is_container(m->program))
		return "it is a container's launcher: LD_PRELOAD must be set inside (tryst env)";
	if (state_of(m) == PROCESS_ALIVE) {
		library = has_library(m->pid);
		if (library == 0)
			return "it runs without the library: something dropped LD_PRELOAD";
		return "it runs and has not come through MPI_Init yet";
	}
	if (strchr(m->program, '/') && program_look(m->program, why, size) != PROGRAM_DYNAMIC)
		return why;
	return "it ended before MPI_Init returned, is no MPI program (tryst doctor), or could not"
	       " or need not record";
}

static int add_mark(sqlite3_stmt *insert, const struct mark *m, bool loaded)
{
	char why[256];
	int rc;

	sqlite3_bind_text(insert, 1, m->host, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(insert, 2, m->pid);
	sqlite3_bind_text(insert, 3, m->program, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int(insert, 4, loaded);
	if (loaded)
		sqlite3_bind_null(insert, 5);
	else
		sqlite3_bind_text(insert, 5, explain(m, why, sizeof why), -1, SQLITE_TRANSIENT);
	if (m->together)
		sqlite3_bind_int(insert, 6, m->together);
	else
		sqlite3_bind_null(insert, 6);
	rc = db_step(insert);
	sqlite3_reset(insert);
	return rc == 0 ? 0 : -EIO;
}

/* NULL with errno: also for a symbolic link, which may lead anywhere. */
static DIR *open_directory(const char *path)
{
	int fd = file_open(
		AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Adds the marks in `dir`; the job of the last one goes to job[size]. */
static int add_directory(sqlite3_stmt *insert, const char *dir, bool loaded, char *job, size_t size)
{
	DIR *d = open_directory(dir);
	struct dirent *entry;
	int rc = 0;

	/* it belongs to another user, or is no directory: no process is known to have started */
	if (!d)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES ?
			0 :
			-errno;
	while (rc == 0 && (entry = readdir(d))) {
		char path[PATH_MAX];
		struct mark m;

		if (entry->d_name[0] == '.' ||
			snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) >=
				(int)sizeof path ||
			mark_read(path, &m) != 0)
			continue;
		if (job)
			snprintf(job, size, "%s", m.job);
		rc = add_mark(insert, &m, loaded);
	}
	closedir(d);
	return rc;
}

/* The job's directory in `started` that changed last. False where there is none. */
static bool latest_job(const char *started, char *job, size_t size)
{
	DIR *d = open_directory(started);
	struct timespec latest = { 0 };
	struct dirent *entry;
	bool found = false;

	while (d && (entry = readdir(d))) {
		char path[PATH_MAX];
		struct stat st;

		if (entry->d_name[0] == '.' ||
			snprintf(path, sizeof path, "%s/%s", started, entry->d_name) >=
				(int)sizeof path ||
			lstat(path, &st) != 0 || !S_ISDIR(st.st_mode))
			continue;
		if (!found || st.st_mtim.tv_sec > latest.tv_sec ||
			(st.st_mtim.tv_sec == latest.tv_sec &&
				st.st_mtim.tv_nsec > latest.tv_nsec)) {
			snprintf(job, size, "%s", entry->d_name);
			latest = st.st_mtim;
			found = true;
		}
	}
	if (d)
		closedir(d);
	return found;
}

/* If "out" held a run, its records went to "out.2", but its marks are in out.started. */
static void started_dir(const char *dir, char *path, size_t size)
{
	char base[PATH_MAX], *dot;
	struct stat st;

	snprintf(base, sizeof base, "%s", dir);
	for (size_t n = strlen(base); n > 1 && base[n - 1] == '/'; n--)
		base[n - 1] = '\0';
	snprintf(path, size, "%s.started", base);
	dot = strrchr(base, '.');
	if (stat(path, &st) == 0 || !dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")])
		return;
	*dot = '\0';
	snprintf(path, size, "%s.started", base);
}

bool started_any(const char *dir)
{
	char path[PATH_MAX], job[NAME_MAX + 1];

	started_dir(dir, path, sizeof path);
	return latest_job(path, job, sizeof job);
}

int started_list(sqlite3 *db, const char *dir, bool empty)
{
	char path[PATH_MAX], started[PATH_MAX], job[NAME_MAX + 1] = "";
	sqlite3_stmt *insert;
	int rc;

	if (db_exec_quiet(db, sql_dataset_started) != 0 ||
		db_prepare_insert(db, DB_INSERT, "started", &insert) != 0)
		return -EIO;
	rc = 0;
	if (dir && snprintf(path, sizeof path, "%s/started", dir) < (int)sizeof path) {
		rc = add_directory(insert, path, true, job, sizeof job);
		started_dir(dir, started, sizeof started);
		/* a mark comes from anyone: it must not name another directory */
		if (*job == '.' || strchr(job, '/'))
			*job = '\0';
		if (rc == 0 && is_directory(started) &&
			(*job || (empty && latest_job(started, job, sizeof job))) &&
			snprintf(path, sizeof path, "%s/%s", started, job) < (int)sizeof path)
			rc = add_directory(insert, path, false, NULL, 0);
	}
	sqlite3_finalize(insert);
	if (rc == 0 && db_exec_quiet(db, sql_dataset_apart) != 0)
		rc = -EIO;
	return rc;
}
