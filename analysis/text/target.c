/* SPDX-License-Identifier: BSD-3-Clause */
/* target.c: temporary names, and their removal by signals (target.h). */
#include <config.h>

#include "analysis/text/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/base/file.h"

/* Directories in directories: an OTF2 archive has one. */
enum { DEPTH = 4, PASSES = 4, LISTED_BYTES = 4096, NAMES = 1000 };

static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ };

/* The target that a signal removes: the first that was begun. NULL: none. */
static const struct target *unfinished;

static void remove_at(int parent, const char *name, int depth);

/* Removes the next entries that the kernel lists. False: none were left. */
static bool remove_listed(int dir, int depth)
{
	_Alignas(struct dirent64) char listed[LISTED_BYTES];
	const long n = syscall(SYS_getdents64, dir, listed, sizeof listed);

	for (long at = 0; at < n;) {
		const struct dirent64 *entry = (const struct dirent64 *)(const void *)(listed + at);

		at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_at(dir, entry->d_name, depth);
	}
	return n > 0;
}

/*
 * Removes a file, or a directory with all that is in it; follows no link. It allocates nothing, as
 * readdir() would, because signal handlers call it.
 */
static void remove_at(int parent, const char *name, int depth)
{
	int dir;

	if (unlinkat(parent, name, 0) == 0 || depth == 0)
		return;
	dir = file_open(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return;
	/* A file system may skip entries of a directory that shrinks. */
	for (int i = 0; i < PASSES && unlinkat(parent, name, AT_REMOVEDIR) != 0; i++) {
		lseek(dir, 0, SEEK_SET);
		while (remove_listed(dir, depth - 1))
			;
	}
	close(dir);
}

void target_remove(const char *path)
{
	remove_at(AT_FDCWD, path, DEPTH);
}

static void remove_unfinished(int number)
{
	if (unfinished)
		target_remove(unfinished->temporary);
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that are ignored, as under nohup, stay ignored. */
static void catch_endings(void)
{
	struct sigaction now, ours = { .sa_handler = remove_unfinished };

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (sigaction(endings[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(endings[i], &ours, NULL);
}

/* Blocks the signals of endings[] while a target is made, named or removed. */
static void hold_endings(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		sigaddset(&held, endings[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

/* Makes an empty file or directory of this name; -EEXIST if there is one. */
static int reserve(const char *path, bool is_directory)
{
	int fd;

	if (is_directory)
		return mkdir(path, 0777) == 0 ? 0 : -errno;
	fd = file_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Makes an empty target of a name that is free: another host may have this host's name and PIDs. */
static int make_temporary(struct target *t)
{
	int rc = file_new_name(t->path, t->temporary, sizeof t->temporary);
	const size_t length = strlen(t->temporary), rest = sizeof t->temporary - length;

	if (rc == 0)
		rc = reserve(t->temporary, t->is_directory);
	for (int i = 2; rc == -EEXIST && i < NAMES; i++) {
		if (snprintf(t->temporary + length, rest, "-%d", i) >= (int)rest)
			return -ENAMETOOLONG;
		rc = reserve(t->temporary, t->is_directory);
	}
	return rc;
}

/* RENAME_NOREPLACE where the file system knows it. -EEXIST: the name is taken. */
static int rename_to_new(const char *from, const char *to)
{
#ifdef HAVE_RENAMEAT2
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : -errno;
#else
	(void)from;
	(void)to;
	return -ENOSYS;
#endif
}

/* A target that is there stays as it is. */
static int give_name(const struct target *t)
{
	int rc = rename_to_new(t->temporary, t->path);

	if (rc != -EINVAL && rc != -ENOSYS)
		return rc;
	if (!t->is_directory && link(t->temporary, t->path) == 0) {
		unlink(t->temporary);
		return 0;
	}
	/* directories, and file systems without links: rename() replaces an empty target */
	rc = reserve(t->path, t->is_directory);
	if (rc == 0 && rename(t->temporary, t->path) != 0) {
		rc = -errno;
		unlinkat(AT_FDCWD, t->path, t->is_directory ? AT_REMOVEDIR : 0);
	}
	return rc;
}

int target_make(struct target *t, const char *path, bool is_directory)
{
	const size_t length = strlen(path);
	struct stat st;
	sigset_t before;
	int rc;

	if (length >= sizeof t->path)
		return -ENAMETOOLONG;
	strcpy(t->path, path);
	for (size_t i = length; is_directory && i > 1 && t->path[i - 1] == '/'; i--)
		t->path[i - 1] = '\0';
	t->is_directory = is_directory;
	if (lstat(t->path, &st) == 0)
		return -EEXIST;
	rc = file_make_parents(t->path, 0777);
	if (rc)
		return rc;
	hold_endings(&before);
	rc = make_temporary(t);
	if (rc == 0 && !unfinished) {
		unfinished = t;
		catch_endings();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int target_finish(struct target *t, int rc)
{
	sigset_t before;

	hold_endings(&before);
	if (rc == 0)
		rc = give_name(t);
	if (rc)
		target_remove(t->temporary);
	if (unfinished == t)
		unfinished = NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
