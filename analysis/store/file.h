/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.h: calls of the system for files that go on where a signal interrupted them, or where they did a part
 * of their work. Inside programs, timers and other signals of theirs come at any time; and file systems
 * over networks break off for them what local ones never do.
 *
 * They take no memory and no locks, and can be called from signal handlers that keep errno, which they change.
 */
#ifndef TRYST_FILE_H
#define TRYST_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * As openat(), with the mode 0666 where it makes the file. A descriptor, or -1 with errno: with O_EXCL also EEXIST
 * where a first try made the file and was broken off then, which a server may do.
 */
int file_open(int dir, const char *path, int flags);

/* Writes all of it. 0 or a negative errno; then a part may have been written. */
int file_write(int fd, const void *data, size_t bytes);

/* Reads what there is of [offset, offset + bytes). The number of bytes, or a negative errno. */
ssize_t file_read(int fd, void *to, size_t bytes, uint64_t offset);

/* As ftruncate(). 0 or a negative errno. */
int file_truncate(int fd, uint64_t bytes);

#endif
