/* SPDX-License-Identifier: BSD-3-Clause */
/* fill.h: gives a rank's file the names of its callsites. */
#ifndef TRYST_MERGE_FILL_H
#define TRYST_MERGE_FILL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Copies function, file and line of callsites from run.db to the file of `rank` at `path`, in one
 * transaction. Frames that have a function keep it. *st: the file as it was merged. Returns true if
 * the file was changed, and *st then describes its new state. Leaves the file alone if it changed
 * after the merge, belongs to another user or cannot be written. Also leaves it alone unless this
 * host knows that its process has ended. Says nothing: run.db has the names anyway.
 */
bool fill_names(sqlite3 *run_db, int32_t rank, const char *path, struct stat *st);

#endif
