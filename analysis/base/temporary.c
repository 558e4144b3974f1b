/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temporary.c: a command's directory in TMPDIR, and those of commands that were killed
 * (temporary.h).
 */
#include <config.h>

#include "analysis/base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"

/* Host names have at most 64 bytes. */
enum { NAME_BYTES = 96, RANDOM_BYTES = 6, ATTEMPTS = 100 };

/*
 * All names of files that tryst puts there: of ranks, run.db with its journal, and link parameters.
 */
static const char *const own_files[] = { "rank-*", "run.db*", "links*" };

/* ".tryst-scratch-HOST-": all before the random bytes. */
static void name_start(char name[NAME_BYTES])
{
	char host[65] = "";

	gethostname(host, sizeof(host) - 1);
	for (char *p = host; *p; p++)
		if (*p == '/')
			*p = '-';
	snprintf(name, NAME_BYTES, ".tryst-scratch-%s-", host);
}

static int open_directory(int dir, const char *name)
{
	return file_open(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static void remove_files(int fd)
{
	int listed = dup(fd);
	DIR *dir = listed < 0 ? NULL : fdopendir(listed);
	struct dirent *entry;
	struct stat st;

	if (!dir && listed >= 0)
		close(listed);
	while (dir && (entry = readdir(dir)))
		for (size_t i = 0; i < sizeof(own_files) / sizeof(*own_files); i++)
			if (fnmatch(own_files[i], entry->d_name, 0) == 0 &&
				fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
				S_ISREG(st.st_mode))
				unlinkat(fd, entry->d_name, 0);
	if (dir)
		closedir(dir);
}

/* `name` may be a link, a pipe or another user's directory: these stay. */
static void remove_left(int parent, const char *name)
{
	int fd = open_directory(parent, name);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		remove_files(fd);
		unlinkat(parent, name, AT_REMOVEDIR);
	}
	close(fd);
}

/* Removes the directories whose owners are gone. */
static void sweep(const char *tmp, const char *start)
{
	DIR *dir = opendir(tmp);
	size_t bytes = strlen(start);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, start, bytes) == 0 &&
			strlen(entry->d_name) == bytes + RANDOM_BYTES)
			remove_left(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

/*
 * Another command's sweep may come between mkdtemp() and the lock. The directory is then gone, or
 * the other command holds the lock and removes it: -ESTALE, and the caller makes another one.
 * Without locks in the file system a sweep removes nothing, and no lock is needed. Returns 0 or a
 * negative errno.
 */
static int make_once(struct temporary *t)
{
	struct stat st;
	int rc;

	if (!mkdtemp(t->path))
		return -errno;
	t->fd = open_directory(AT_FDCWD, t->path);
	if (t->fd < 0) {
		rc = -errno;
		rmdir(t->path);
		return rc == -ENOENT ? -ESTALE : rc;
	}
	if ((flock(t->fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
		stat(t->path, &st) == 0)
		return 0;
	close(t->fd);
	return -ESTALE;
}

int temporary_make(struct temporary *t, const struct say *say)
{
	const char *tmp = getenv("TMPDIR");
	char start[NAME_BYTES];
	int rc, attempts = 0;

	if (t->path)
		return 0;
	if (!tmp || !*tmp)
		tmp = "/tmp";
	name_start(start);
	sweep(tmp, start);
	do {
		free(t->path);
		if (asprintf(&t->path, "%s/%sXXXXXX", tmp, start) < 0) {
			t->path = NULL;
			return -ENOMEM;
		}
		rc = make_once(t);
	} while (rc == -ESTALE && ++attempts < ATTEMPTS);
	if (rc == 0)
		return 0;
	say_line(say, "cannot make '%s': %s", t->path, strerror(-rc));
	free(t->path);
	t->path = NULL;
	return rc;
}

void temporary_remove(struct temporary *t)
{
	if (t->path) {
		remove_files(t->fd);
		rmdir(t->path);
		close(t->fd);
	}
	free(t->path);
	memset(t, 0, sizeof(*t));
}
