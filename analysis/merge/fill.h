/* SPDX-License-Identifier: BSD-3-Clause */
/* fill.h: gives a rank's file the names of its callsites. */
#ifndef TRYST_MERGE_FILL_H
#define TRYST_MERGE_FILL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Writes function, file and line of run.db's callsites into the file of `rank` at `path`, in one
 * transaction, where a frame has no function yet. *st: the file as it was merged. Returns true if
 * the file was changed; *st is then as it is now. Leaves the file alone if it has changed, if it is
 * another user's or cannot be written, and while the process that wrote it may live. Says nothing:
 * run.db has the names anyway.
 */
bool fill_names(sqlite3 *run_db, int32_t rank, const char *path, struct stat *st);

#endif
