/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: one line on a terminal for work that takes long; nothing in a log. */
#ifndef TRYST_TEXT_PROGRESS_H
#define TRYST_TEXT_PROGRESS_H

#include <stdint.h>

/* "tryst: merging rank 12 of 400", at most ten times a second, from the second second on. */
void progress(const char *what, uint64_t done, uint64_t all);

/* Wipes the line. Harmless where there is none. */
void progress_end(void);

#endif
