/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out_file.h: a file that is written through stdio and keeps the reason of the first failure.
 *
 * A FILE only knows that some write failed. It also counts a write as failed that a signal
 * interrupted; here such a write is repeated.
 *
 * SIGINT, SIGTERM and SIGHUP remove the file that was opened last, until it is closed.
 */
#ifndef TRYST_TEXT_OUT_FILE_H
#define TRYST_TEXT_OUT_FILE_H

#include <stdio.h>

#include "analysis/base/say.h"

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
	int error; /* 0 or a negative errno, of the first write that failed */
	const char *path;
	const struct say *say;
};

/*
 * Makes the file; -EEXIST if it exists. A name that ends in ".gz" makes it compressed, if this
 * build has zlib. `path` and `say`, to which failures go, have to last until it is closed. Returns
 * 0, or a negative errno with nothing to close.
 */
int out_file_open(struct out_file *f, const char *path, const struct say *say);

/* Closes it. 0, or the negative errno of the first failure since it was opened, printed. */
int out_file_close(struct out_file *f);

#endif
