/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: shows the progress of long work in one line on a terminal, and nothing in a log. */
#ifndef TRYST_TEXT_PROGRESS_H
#define TRYST_TEXT_PROGRESS_H

#include <stdint.h>

/* "tryst: merging rank 12 of 400". Printed after one second, then at most ten times a second. */
void progress(const char *what, uint64_t done, uint64_t all);

/* Clears the line, if there is one. */
void progress_end(void);

#endif
