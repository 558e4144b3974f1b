/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.h: calls of the system for files that go on where a signal interrupted them, or where they
 * did a part of their work. Inside programs, timers and other signals of theirs come at any time;
 * and file systems over networks break off for them what local ones never do.
 *
 * All but file_stream() take no memory and no locks, and can be called from signal handlers that
 * keep errno, which they change.
 */
#ifndef TRYST_BASE_FILE_H
#define TRYST_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * As openat(), with the mode 0666 where it makes the file. A descriptor, or -1 with errno: with
 * O_EXCL also EEXIST where a first try made the file and was broken off then, which a server may
 * do.
 */
int file_open(int dir, const char *path, int flags);

/* The same with another mode. */
int file_open_mode(int dir, const char *path, int flags, mode_t mode);

/*
 * As file_open() with O_CLOEXEC, for a regular file alone. A directory of another user may hold a
 * pipe that no one writes under the name of a file: opening it never waits, and the call fails with
 * EINVAL, as for any other kind of file. With O_NOFOLLOW a symbolic link fails with ELOOP. What
 * fstat() says goes to *st, unless that is NULL.
 */
int file_open_regular(int dir, const char *path, int flags, struct stat *st);

/* A negative errno of file_open_regular() in words. */
const char *file_reason(int rc);

/*
 * A stream of `fd`, which it owns, also where it fails. NULL for a negative fd, or without memory.
 */
FILE *file_stream(int fd, const char *mode);

/*
 * Makes a directory, unless it exists. Another user may have put a link of this name there: it is
 * not followed, -ENOTDIR. Returns 0 or a negative errno.
 */
int file_make_directory(const char *path);

/* Writes all of it. 0 or a negative errno; then a part may have been written. */
int file_write(int fd, const void *data, size_t bytes);

/* Reads what there is of [offset, offset + bytes). The number of bytes, or a negative errno. */
ssize_t file_read(int fd, void *to, size_t bytes, uint64_t offset);

/*
 * The text of a small regular file, one of /proc for example, in text[size]: as much of it as fits.
 * False, and "", if it cannot be read.
 */
bool file_text(const char *path, char *text, size_t size);

/* As ftruncate(). 0 or a negative errno. */
int file_truncate(int fd, uint64_t bytes);

#endif
