/* SPDX-License-Identifier: BSD-3-Clause */
/* mark.c: marks of started processes (mark.h). */
#include "analysis/format/run/mark.h"

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
#include "analysis/format/run/process.h"

/* An earlier process of the job may remove the job's directory between mkdir and open. */
static int make_file(const char *dir, const char *job, const char *name, char *path, size_t size)
{
	int fd = -1, rc;

	for (int tries = 0; tries < 100 && fd < 0; tries++) {
		if (snprintf(path, size, "%s.started", dir) >= (int)size)
			return -ENAMETOOLONG;
		rc = file_make_directory(path);
		if (rc == -ENOENT && (rc = file_make_parents(path, 0777)) == 0)
			rc = file_make_directory(path);
		if (rc)
			return rc;
		if (snprintf(path, size, "%s.started/%s", dir, job) >= (int)size)
			return -ENAMETOOLONG;
		rc = file_make_directory(path);
		if (rc == -ENOENT)
			continue;
		if (rc)
			return rc;
		if (snprintf(path, size, "%s.started/%s/%s", dir, job, name) >= (int)size)
			return -ENAMETOOLONG;
		fd = file_open_regular(
			AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, NULL);
		if (fd < 0 && errno != ENOENT)
			return -errno;
	}
	return fd < 0 ? -ENOENT : fd;
}

int mark_make(const char *dir, const char *job, const char *text, char *path, size_t size)
{
	struct ring_file *self = calloc(1, sizeof *self); /* too large for a stack */
	char name[128], head[512];
	int fd, rc;

	if (!self)
		return -ENOMEM;
	process_identify(self);
	snprintf(name, sizeof name, "%.63s-%lld", self->host, (long long)self->pid);
	snprintf(head, sizeof head,
		"host=%.63s\n"
		"boot_id=%.39s\n"
		"pid=%lld\n"
		"start_time=%llu\n"
		"pid_namespace=%llu\n"
		"job=%.127s\n",
		self->host, self->boot_id, (long long)self->pid,
		(unsigned long long)self->start_time, (unsigned long long)self->pid_namespace, job);
	free(self);
	fd = make_file(dir, job, name, path, size);
	if (fd < 0)
		return fd;
	rc = file_write(fd, head, strlen(head));
	if (rc == 0)
		rc = file_write(fd, text, strlen(text));
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	if (rc)
		unlink(path);
	return rc;
}

/* Cuts the last part off `path`; false if none is left. */
static bool cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* Removes the directories above `path`. This fails, as intended, while other marks are in them. */
static void remove_empty(const char *path)
{
	char above[PATH_MAX];

	snprintf(above, sizeof above, "%s", path);
	if (cut_last(above) && rmdir(above) == 0 && cut_last(above))
		rmdir(above);
}

void mark_drop(const char *path)
{
	unlink(path);
	remove_empty(path);
}

int mark_move(const char *path, const char *dir)
{
	const char *name = strrchr(path, '/');
	char to[PATH_MAX];
	int rc;

	if (!name)
		return -EINVAL;
	if (snprintf(to, sizeof to, "%s/started", dir) >= (int)sizeof to)
		return -ENAMETOOLONG;
	rc = file_make_directory(to);
	if (rc)
		return rc;
	if (snprintf(to, sizeof to, "%s/started%s", dir, name) >= (int)sizeof to)
		return -ENAMETOOLONG;
	if (rename(path, to) != 0)
		return errno == ENOENT ? 0 : -errno;
	remove_empty(path);
	return 0;
}

int mark_note(const char *path, const char *key, const char *value)
{
	int fd = file_open_regular(AT_FDCWD, path, O_WRONLY | O_APPEND | O_NOFOLLOW, NULL), rc;
	char line[384];

	if (fd < 0)
		return -errno;
	snprintf(line, sizeof line, "%s=%.256s\n", key, value);
	rc = file_write(fd, line, strlen(line));
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

static void read_line(char *line, struct mark *m)
{
	char *value = strchr(line, '=');

	line[strcspn(line, "\n")] = '\0';
	if (!value)
		return;
	*value++ = '\0';
	if (strcmp(line, "host") == 0)
		snprintf(m->host, sizeof m->host, "%s", value);
	else if (strcmp(line, "boot_id") == 0)
		snprintf(m->boot_id, sizeof m->boot_id, "%s", value);
	else if (strcmp(line, "pid") == 0)
		m->pid = strtoll(value, NULL, 10);
	else if (strcmp(line, "start_time") == 0)
		m->start_time = strtoull(value, NULL, 10);
	else if (strcmp(line, "pid_namespace") == 0)
		m->pid_namespace = strtoull(value, NULL, 10);
	else if (strcmp(line, "job") == 0)
		snprintf(m->job, sizeof m->job, "%s", value);
	else if (strcmp(line, "together") == 0)
		m->together = (int)strtol(value, NULL, 10);
	else if (strcmp(line, "program") == 0)
		snprintf(m->program, sizeof m->program, "%s", value);
	else if (strcmp(line, "look") == 0)
		snprintf(m->look, sizeof m->look, "%s", value);
	else if (strcmp(line, "note") == 0)
		snprintf(m->note, sizeof m->note, "%s", value);
}

int mark_read(const char *path, struct mark *mark)
{
	FILE *in = file_stream(file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, NULL), "r");
	char line[1024];

	memset(mark, 0, sizeof *mark);
	if (!in)
		return -errno;
	while (fgets(line, sizeof line, in))
		read_line(line, mark);
	fclose(in);
	return 0;
}
