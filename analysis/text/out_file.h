/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out_file.h: a file that is written through stdio and keeps the reason of the first failure.
 *
 * A FILE only knows that some write failed. It also counts a write as failed that a signal
 * interrupted; here such a write is repeated.
 * The file has its name once it is closed (target.h).
 */
#ifndef TRYST_TEXT_OUT_FILE_H
#define TRYST_TEXT_OUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/say.h"
#include "analysis/text/target.h"

/* Ends the name of a file that is compressed (gzip); "": this build has no zlib. */
#ifdef HAVE_ZLIB
#define OUT_FILE_GZ ".gz"
#else
#define OUT_FILE_GZ ""
#endif

struct z_stream_s;

struct out_file {
	FILE *stream;
	struct z_stream_s *gzip; /* NULL: bytes are written as they are */
	int fd;
	int error;         /* 0 or a negative errno, of the first write that failed */
	int64_t bytes;     /* written */
	int64_t bytes_max; /* 0: any; the caller may set it */
	bool is_stream;    /* a device or pipe that was there: written as it is */
	struct target target;
	const char *path;
	const struct say *say;
};

/* Is it a device or a pipe (a terminal, /dev/full), to which bytes go at once? */
bool out_file_is_stream(const char *path);

/*
 * Makes the file; -EEXIST if it exists, unless it is a device or a pipe. A name that ends in ".gz"
 * makes it compressed, if this build has zlib. `path` and `say`, to which failures go, have to last
 * until it is closed. Returns 0, or a negative errno with nothing to close.
 */
int out_file_open(struct out_file *f, const char *path, const struct say *say);

/*
 * Closes the file, and names it if no write failed and rc, the caller's error, is 0. Otherwise
 * removes it. Returns the negative errno of the first failed write, printed; else rc, if not 0;
 * else -EFBIG, if it has more than bytes_max; else 0, or that of a failed renaming, printed.
 */
int out_file_close(struct out_file *f, int rc);

#endif
