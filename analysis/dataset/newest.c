/* SPDX-License-Identifier: BSD-3-Clause */
/* newest.c: runs told apart by when they claimed their directories (format/run/run_dir.h). */
#include <config.h>

#include "analysis/dataset/newest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/format/run/run_dir.h"

enum { LATER_MOST = 100 }; /* DIR.2 to DIR.100 are looked for */

/* When the run in `dir` claimed this directory. False: no run lies there. */
static bool claimed_at(const char *dir, struct timespec *when)
{
	char claim[PATH_MAX];
	struct stat st;
	uint64_t run_id;

	if (snprintf(claim, sizeof(claim), "%s/" RUN_CLAIM_FILE, dir) >= (int)sizeof(claim) ||
		run_dir_id(dir, &run_id) != 0 || lstat(claim, &st) != 0)
		return false;
	*when = st.st_mtim;
	return true;
}

/* Is the first time later? */
static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

int dataset_newest(const char *dir, char *path, size_t size)
{
	struct timespec newest, when;
	struct dirent *entry;
	bool found = claimed_at(dir, &newest);
	DIR *d;

	if (snprintf(path, size, "%s", dir) >= (int)size)
		return -ENAMETOOLONG;
	d = found ? NULL : opendir(dir);
	if (!found && !d)
		return -errno;
	while (d && (entry = readdir(d))) {
		char name[PATH_MAX];

		if (entry->d_name[0] == '.' ||
			snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name) >=
				(int)sizeof(name) ||
			!claimed_at(name, &when) || (found && !is_later(&when, &newest)))
			continue;
		if (snprintf(path, size, "%s",
			    name[0] == '.' && name[1] == '/' ? name + 2 : name) >= (int)size)
			continue;
		newest = when;
		found = true;
	}
	if (d)
		closedir(d);
	return found ? 0 : -ENOENT;
}

bool dataset_later(const char *dir, char *path, size_t size)
{
	size_t length = strlen(dir);
	struct timespec ours, when;
	char next[PATH_MAX];
	bool found = false;

	while (length > 1 && dir[length - 1] == '/')
		length--;
	if (!claimed_at(dir, &ours))
		return false;
	for (int i = 2; i <= LATER_MOST; i++) {
		if (snprintf(next, sizeof(next), "%.*s.%d", (int)length, dir, i) >=
				(int)sizeof(next) ||
			!claimed_at(next, &when))
			break;
		if (is_later(&when, &ours) && snprintf(path, size, "%s", next) < (int)size)
			found = true;
	}
	return found;
}
