/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot.h: a picture that gnuplot draws from commands written to a pipe. */
#ifndef TRYST_TEXT_GNUPLOT_H
#define TRYST_TEXT_GNUPLOT_H

#include <stdio.h>

/*
 * Starts gnuplot with `path` as its output: .svg, .png or .pdf. SIGPIPE is ignored from here on.
 * Returns where to write the commands, or NULL after printing the error.
 */
FILE *gnuplot_begin(const char *path);

/* Waits until the picture is made. 0, or -1 after printing the error. */
int gnuplot_end(FILE *to, const char *path);

#endif
