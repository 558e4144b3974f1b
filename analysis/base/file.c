/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c: calls of the system for files, whole ones (file.h). */
#include "analysis/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open_mode(int dir, const char *path, int flags, mode_t mode)
{
	int fd;

	do
		fd = openat(dir, path, flags, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int file_open(int dir, const char *path, int flags)
{
	return file_open_mode(dir, path, flags, 0666);
}

int file_open_regular(int dir, const char *path, int flags, struct stat *st)
{
	struct stat own;
	int fd = file_open(dir, path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), error = 0;

	if (fd < 0) {
		/* what open() says of a pipe without a reader, and of a socket */
		if (errno == ENXIO)
			errno = EINVAL;
		return -1;
	}
	if (!st)
		st = &own;
	if (fstat(fd, st) != 0)
		error = errno;
	else if (!S_ISREG(st->st_mode))
		error = EINVAL;
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

const char *file_reason(int rc)
{
	return rc == -EINVAL ? "not a regular file" : strerror(-rc);
}

FILE *file_stream(int fd, const char *mode)
{
	FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);

	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

int file_make_directory(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST || lstat(path, &st) != 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int file_make_parents(const char *path, mode_t mode)
{
	char part[PATH_MAX];

	if (strlen(path) >= sizeof part)
		return -ENAMETOOLONG;
	strcpy(part, path);
	for (char *slash = *part ? strchr(part + 1, '/') : NULL; slash;
		slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(part, mode) != 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

int file_new_name(const char *path, char *name, size_t size)
{
	char host[65] = "";

	gethostname(host, sizeof(host) - 1);
	if (snprintf(name, size, "%s.new-%s-%ld", path, host, (long)getpid()) >= (int)size)
		return -ENAMETOOLONG;
	return 0;
}

int file_new_name_free(const char *path, char *name, size_t size)
{
	int rc = file_new_name(path, name, size);

	if (rc == 0)
		unlink(name);
	return rc;
}

int file_write(int fd, const void *data, size_t bytes)
{
	const char *from = data;

	while (bytes > 0) {
		ssize_t n = write(fd, from, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENOSPC;
		from += n;
		bytes -= (size_t)n;
	}
	return 0;
}

ssize_t file_read(int fd, void *to, size_t bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, (char *)to + done, bytes - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

bool file_text(const char *path, char *text, size_t size)
{
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);
	ssize_t n = fd < 0 ? -1 : file_read(fd, text, size - 1, 0);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

int file_truncate(int fd, uint64_t bytes)
{
	int rc;

	do
		rc = ftruncate(fd, (off_t)bytes) != 0 ? -errno : 0;
	while (rc == -EINTR);
	return rc;
}
