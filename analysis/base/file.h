/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.h: system calls for files, repeated if a signal interrupts them or if they do only a part.
 *
 * The program's timers and other signals come at any time. For them, network file systems interrupt
 * calls that local file systems never interrupt.
 *
 * All functions but file_stream() allocate nothing and take no locks. They change errno. So signal
 * handlers that restore errno may call them.
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
 * As openat(), with mode 0666 for a new file. Returns a descriptor, or -1 with errno. With O_EXCL,
 * errno may be EEXIST although this call made the file: a server may interrupt a try that
 * succeeded.
 */
int file_open(int dir, const char *path, int flags);

/* The same with another mode. */
int file_open_mode(int dir, const char *path, int flags, mode_t mode);

/*
 * As file_open() with O_CLOEXEC, but only for a regular file; all else fails with EINVAL. It never
 * blocks, even if another user put a pipe without a writer there. With O_NOFOLLOW, a symbolic link
 * fails with ELOOP. *st, if not NULL, gets the result of fstat().
 */
int file_open_regular(int dir, const char *path, int flags, struct stat *st);

/* The text of a negative errno of file_open_regular(). Valid until the next call. */
const char *file_reason(int rc);

/*
 * A stream that owns `fd`. NULL for a negative fd, or without memory; `fd` is then closed.
 */
FILE *file_stream(int fd, const char *mode);

/*
 * Makes a directory, unless it exists. A symbolic link of this name is not followed: -ENOTDIR.
 * Returns 0 or a negative errno.
 */
int file_make_directory(const char *path);

/*
 * mkdir -p of the directories in which the file or directory `path` stands, with this mode. Returns
 * 0 or a negative errno: -ENAMETOOLONG beyond PATH_MAX.
 */
int file_make_parents(const char *path, mode_t mode);

/*
 * The name in name[size] under which this process makes the file or directory `path` before it
 * renames it: PATH.new-HOST-PID. A file of this name may be there: an earlier process with the same
 * PID left it, or one of another host with the same name makes it. Returns 0 or -ENAMETOOLONG.
 */
int file_new_name(const char *path, char *name, size_t size);

/*
 * The same. Removes a file of this name that an earlier process left. Use it only for files that no
 * other host makes at the same time. If the removal fails, making the file with O_EXCL fails, too.
 */
int file_new_name_free(const char *path, char *name, size_t size);

/* Writes all of data[bytes]. 0; or a negative errno, and a part may have been written. */
int file_write(int fd, const void *data, size_t bytes);

/*
 * Reads [offset, offset + bytes), or as much as the file has of it. The number of bytes, or a
 * negative errno.
 */
ssize_t file_read(int fd, void *to, size_t bytes, uint64_t offset);

/*
 * The text of a small regular file, one of /proc for example, in text[size]: as much of it as fits.
 * False, and "", if it cannot be read.
 */
bool file_text(const char *path, char *text, size_t size);

/* As ftruncate(). 0 or a negative errno. */
int file_truncate(int fd, uint64_t bytes);

#endif
