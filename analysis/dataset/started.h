/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * started.h: processes that `tryst run` started and MPI_Init never saw.
 */
#ifndef TRYST_DATASET_STARTED_H
#define TRYST_DATASET_STARTED_H

#include <sqlite3.h>
#include <stdbool.h>

/*
 * Makes the temp table started(host, pid, program, loaded, why, together) from the marks of the job
 * that recorded into `dir`; if `empty` (nothing was recorded), of the latest one: loaded is 1 for a
 * process whose MPI_Init was seen; why is a sentence for the others; together: how many processes
 * its launcher started, NULL where that is not known. `dir` NULL: the table stays empty. The temp
 * table apart(text) has a sentence where each of several processes took itself for the only one.
 * Returns 0 or a negative errno.
 */
int started_list(sqlite3 *db, const char *dir, bool empty);

/* True where there are marks of any job beside `dir`. */
bool started_any(const char *dir);

#endif
