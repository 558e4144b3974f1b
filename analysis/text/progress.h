/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: shows the progress of long work in one line on a terminal, and nothing in a log. */
#ifndef TRYST_TEXT_PROGRESS_H
#define TRYST_TEXT_PROGRESS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "tryst: merging rank 12 of 400, about 9 s left". Printed after one second, then at most ten times
 * a second. A new `what` begins a new estimate.
 */
void progress(const char *what, uint64_t done, uint64_t all);

/* Long queries on `db` refresh the line of the last progress(), so that it appears in time. */
void progress_watch(sqlite3 *db);

/* Clears the line, if there is one. */
void progress_end(void);

/*
 * The line in line[size]. It has an estimate once two seconds were spent on `what` and something of
 * it is done; the rest is expected to go as fast.
 */
void progress_line(
	const char *what, uint64_t done, uint64_t all, int64_t spent_ms, char *line, size_t size);

#endif
