/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c: knows records of site mode by their first lines (site.h). */
#include "analysis/dataset/site.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/file.h"

static bool is_record(int dir, const char *name)
{
	char text[128];
	int fd = file_open_regular(dir, name, O_RDONLY, NULL);
	ssize_t n = fd < 0 ? 0 : file_read(fd, text, sizeof(text) - 1, 0);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return strstr(text, "{\"name\": \"tryst-site\"") != NULL;
}

static bool holds_record(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		const char *end = strrchr(entry->d_name, '.');

		found = end && strcmp(end, ".json") == 0 && is_record(dirfd(dir), entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

bool site_say(const char *path, const struct say *say)
{
	bool is_file = is_record(AT_FDCWD, path);

	if (!is_file && !holds_record(path))
		return false;
	say_line(say,
		is_file ?
			"'%s' is the record of a job in site mode: JSON with sums, and nothing to "
			"report on. Run the job with: tryst run --record on" :
			"'%s' holds records of jobs in site mode: JSON with sums, and nothing to "
			"report on. Run the job with: tryst run --record on",
		path);
	return true;
}
