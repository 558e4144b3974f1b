/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out_file.h: a file that is written through stdio and knows why that failed, wherever in it that
 * was: a FILE keeps that something failed, but not what, and takes a write that a signal broke off
 * for a failure.
 */
#ifndef TRYST_TEXT_OUT_FILE_H
#define TRYST_TEXT_OUT_FILE_H

#include <stdio.h>

#include "analysis/base/say.h"

struct out_file {
	FILE *stream;
	int fd;
	int error; /* 0 or a negative errno, of the first write that failed */
	const char *path;
	const struct say *say;
};

/*
 * Makes the file, where none may be. `path` and `say`, which is told what fails, last until it is
 * closed. 0 or a negative errno; then nothing is to be closed.
 */
int out_file_open(struct out_file *f, const char *path, const struct say *say);

/*
 * Ends it. 0 or a negative errno, of whatever failed first since it was opened, which has been
 * said.
 */
int out_file_close(struct out_file *f);

#endif
