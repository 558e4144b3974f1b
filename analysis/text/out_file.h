/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out_file.h: a file that is written through stdio and keeps the reason of the first failure.
 *
 * A FILE only knows that some write failed. It also counts a write as failed that a signal
 * interrupted; here such a write is repeated.
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
 * Makes the file; -EEXIST if it exists. `path` and `say`, to which failures go, have to last until
 * it is closed. Returns 0, or a negative errno with nothing to close.
 */
int out_file_open(struct out_file *f, const char *path, const struct say *say);

/* Closes it. 0, or the negative errno of the first failure since it was opened, printed. */
int out_file_close(struct out_file *f);

#endif
