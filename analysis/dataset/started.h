/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * started.h: finds processes that `tryst run` started but that were not recorded in MPI_Init.
 */
#ifndef TRYST_DATASET_STARTED_H
#define TRYST_DATASET_STARTED_H

#include <sqlite3.h>
#include <stdbool.h>

/*
 * Makes the temp table started(host, pid, program, loaded, why, together) from the marks of the job
 * that recorded into `dir`. `empty`: nothing was recorded, and the latest job counts. loaded is 1
 * for a process whose MPI_Init was recorded; for others `why` is a sentence. together is the number
 * of processes that its launcher started, or NULL: unknown. `dir` NULL: the table stays empty. The
 * temp table apart(text) has a sentence if several processes each started as a job of one rank.
 * Returns 0 or a negative errno.
 */
int started_list(sqlite3 *db, const char *dir, bool empty);

/* True if there are marks of any job beside `dir`. */
bool started_any(const char *dir);

#endif
