/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c: calls of the system for files, whole ones (file.h). */
#include "analysis/store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int file_open(int dir, const char *path, int flags)
{
	int fd;

	do
		fd = openat(dir, path, flags, 0666);
	while (fd < 0 && errno == EINTR);
	return fd;
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

int file_truncate(int fd, uint64_t bytes)
{
	int rc;

	do
		rc = ftruncate(fd, (off_t)bytes) != 0 ? -errno : 0;
	while (rc == -EINTR);
	return rc;
}
