/* SPDX-License-Identifier: BSD-3-Clause */
/* run_dir.c: names, claims and lists a run's files (run_dir.h). */
#include "analysis/format/run/run_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"

/* Directories tried beyond the wanted one: DIR.2, DIR.3, ... */
enum { TRIES = 9999 };

/* Variables with job ids, best first: the job's, and its step's. Those of batch systems come first.
 */
enum { BATCH_VARIABLES = 7 };
static const struct {
	const char *job;
	const char *step;
} job_variables[] = {
	{ "SLURM_JOB_ID", "SLURM_STEP_ID" },
	{ "PBS_JOBID", NULL },
	{ "LSB_JOBID", NULL },
	{ "FLUX_JOB_ID", NULL },
	{ "PJM_JOBID", NULL },
	{ "COBALT_JOBID", NULL },
	{ "JOB_ID", NULL },
	/* variables of launchers, for jobs without a batch system */
	{ "PMIX_NAMESPACE", NULL },
	{ "OMPI_MCA_ess_base_jobid", NULL },
	{ "OMPI_MCA_orte_ess_jobid", NULL },
	{ "PMI_JOBID", NULL },
	{ "HYDRA_JOBID", NULL },
};

/* Copies `text` to name[size] with all but [A-Za-z0-9._-] replaced by '_'; no leading dot. */
static void plain_name(char *name, size_t size, const char *text)
{
	size_t n = 0;

	for (; *text && n + 1 < size; text++, n++) {
		char c = *text;
		bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_' || (c == '.' && n > 0);

		name[n] = plain ? c : '_';
	}
	name[n] = 0;
}

static bool job_name(size_t variables, char *name, size_t size)
{
	char text[128];

	name[0] = 0;
	for (size_t i = 0; i < variables; i++) {
		const char *job = getenv(job_variables[i].job);
		const char *step = job_variables[i].step ? getenv(job_variables[i].step) : NULL;

		if (!job || !*job)
			continue;
		if (step && *step)
			snprintf(text, sizeof(text), "%s.%s", job, step);
		else
			snprintf(text, sizeof(text), "%s", job);
		plain_name(name, size, text);
		return true;
	}
	return false;
}

bool run_job_name(char *name, size_t size)
{
	return job_name(sizeof(job_variables) / sizeof(job_variables[0]), name, size);
}

bool run_batch_name(char *name, size_t size)
{
	return job_name(BATCH_VARIABLES, name, size);
}

void run_dir_default(char *path, size_t size, const char *program)
{
	char name[128], job[128];
	const char *last = program ? strrchr(program, '/') : NULL;

	if (last)
		program = last + 1;
	plain_name(name, sizeof(name), program && *program ? program : "program");
	if (!run_job_name(job, sizeof(job))) {
		time_t now = time(NULL);
		struct tm tm;

		if (!localtime_r(&now, &tm) || !strftime(job, sizeof(job), "%Y%m%d-%H%M%S", &tm))
			snprintf(job, sizeof(job), "%lld", (long long)now);
	}
	snprintf(path, size, "tryst-%s-%s", name, job);
}

int32_t run_rank_of_name(const char *name, const char *suffix)
{
	unsigned long rank;
	char *end;

	if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9')
		return -1;
	errno = 0;
	rank = strtoul(name + 5, &end, 10);
	if (errno || rank > INT32_MAX || end - (name + 5) < 6 || *end != '.' ||
		strcmp(end + 1, suffix) != 0)
		return -1;
	return (int32_t)rank;
}

/* 1: `dir` holds files of a run (but perhaps no claim); 0: none; negative errno. */
static int holds_run(int dirfd)
{
	int fd = file_open(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int found = 0;

	if (!d) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return -error;
	}
	while (!found && (entry = readdir(d))) {
		const char *name = entry->d_name;

		found = run_rank_of_name(name, "db") >= 0 || run_rank_of_name(name, "ring") >= 0 ||
			run_rank_of_name(name, "spool") >= 0 || strcmp(name, RUN_DB_FILE) == 0 ||
			strncmp(name, "ranks-", 6) == 0 || strncmp(name, "world-", 6) == 0;
	}
	closedir(d);
	return found;
}

/*
 * Makes `path`, and the directories that it lies in, if they are missing, and claims it. 0;
 * -EEXIST: it belongs to another run; or another negative errno. `link_flag`: 0, or O_NOFOLLOW to
 * refuse a link by -ENOTDIR. *file: the file that could not be made.
 */
static int claim(const char *path, int link_flag, uint64_t run_id, char *chosen, size_t size,
	const char **file)
{
	char text[64];
	int bytes, dirfd, fd, rc = file_make_directory(path);
	char full[PATH_MAX];

	*file = "";
	if (rc == -ENOENT && (rc = file_make_parents(path, 0777)) == 0)
		rc = file_make_directory(path);
	/* Not a directory: it may be a link to one. */
	if (rc && rc != -ENOTDIR)
		return rc;
	dirfd = file_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | link_flag);
	if (dirfd < 0)
		return -errno;
	rc = holds_run(dirfd);
	if (rc) {
		close(dirfd);
		return rc < 0 ? rc : -EEXIST;
	}
	/* The claim decides between two runs that choose at the same time. */
	*file = "/" RUN_CLAIM_FILE;
	fd = file_open(dirfd, RUN_CLAIM_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		rc = -errno;
	} else {
		bytes = snprintf(text, sizeof(text), "tryst run %016" PRIx64 "\n", run_id);
		rc = file_write(fd, text, (size_t)bytes);
		if (close(fd) != 0 && !rc)
			rc = -errno;
		if (rc)
			unlinkat(dirfd, RUN_CLAIM_FILE, 0);
	}
	close(dirfd);
	if (!rc) {
		*file = "";
		if (!realpath(path, full))
			rc = -errno;
		else if (snprintf(chosen, size, "%s", full) >= (int)size)
			rc = -ENAMETOOLONG;
	}
	return rc;
}

static int say_failed(const char *path, const char *file, int rc, const struct say *say)
{
	say_line(say, "cannot make '%s%s': %s; nothing is recorded", path, file, strerror(-rc));
	return rc;
}

int run_dir_claim(
	const char *wanted, uint64_t run_id, char *chosen, size_t size, const struct say *say)
{
	const char *file = "";
	char path[PATH_MAX];
	size_t length = strlen(wanted);
	int rc = -EEXIST;

	while (length > 1 && wanted[length - 1] == '/')
		length--;
	for (int i = 1; i <= TRIES && rc == -EEXIST; i++) {
		int n = i == 1 ? snprintf(path, sizeof(path), "%.*s", (int)length, wanted) :
				 snprintf(path, sizeof(path), "%.*s.%d", (int)length, wanted, i);

		if (n >= (int)sizeof(path))
			return say_failed(wanted, "", -ENAMETOOLONG, say);
		rc = claim(path, 0, run_id, chosen, size, &file);
		if (rc == 0 && i > 1)
			say_line(say, "'%.*s' holds another run; the records go to '%s'",
				(int)length, wanted, path);
	}
	return rc ? say_failed(path, file, rc, say) : 0;
}

int run_world_claim(
	const char *dir, uint64_t run_id, char *chosen, size_t size, const struct say *say)
{
	const char *file = "";
	char path[PATH_MAX];
	int rc = -EEXIST;
	int n;

	for (n = 1; n <= TRIES; n++) {
		if (snprintf(path, sizeof(path), "%s/world-%d", dir, n) >= (int)sizeof(path))
			return say_failed(dir, "/world-", -ENAMETOOLONG, say);
		/* a link does not belong to the run */
		rc = claim(path, O_NOFOLLOW, run_id, chosen, size, &file);
		if (rc != -EEXIST && rc != -ENOTDIR)
			break;
	}
	return rc ? say_failed(path, file, rc, say) : n;
}

int run_dir_id(const char *dir, uint64_t *run_id)
{
	char path[PATH_MAX], text[64];
	ssize_t bytes;
	int fd;

	if (snprintf(path, sizeof(path), "%s/" RUN_CLAIM_FILE, dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, NULL);
	if (fd < 0)
		return -errno;
	bytes = file_read(fd, text, sizeof(text) - 1, 0);
	close(fd);
	if (bytes < 0)
		return -EIO;
	text[bytes] = 0;
	return sscanf(text, "tryst run %16" SCNx64, run_id) == 1 ? 0 : -EINVAL;
}

int run_rank_dir(const char *dir, int64_t nranks, int32_t rank, bool make, char *path, size_t size)
{
	int n;

	if (nranks <= RUN_FLAT_RANKS)
		n = snprintf(path, size, "%s", dir);
	else
		n = snprintf(path, size, "%s/ranks-%06d", dir,
			(int)(rank / RUN_RANKS_PER_DIR * RUN_RANKS_PER_DIR));
	if (n >= (int)size)
		return -ENAMETOOLONG;
	return make && nranks > RUN_FLAT_RANKS ? file_make_directory(path) : 0;
}

int run_rank_path(const char *rank_dir, int32_t rank, const char *suffix, char *path, size_t size)
{
	int n = snprintf(path, size, "%s/rank-%06d.%s", rank_dir, (int)rank, suffix);

	return n >= (int)size ? -ENAMETOOLONG : 0;
}
