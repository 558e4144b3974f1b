/* SPDX-License-Identifier: BSD-3-Clause */
/* resolve.h: fills function, file and line of the callsites in a database. */
#ifndef TRYST_SYMBOLS_RESOLVE_H
#define TRYST_SYMBOLS_RESOLVE_H

#include <sqlite3.h>
#include <stdint.h>

#include "analysis/base/say.h"

/*
 * Resolves every frame of `db` (a rank's file or run.db, open for writing) that has no function
 * yet, in one transaction. Binaries that have changed since the run are named, once each.
 * Returns 0, or a negative errno after saying why; names are then missing, all else is as it was.
 */
int resolve_callsites(sqlite3 *db, const struct say *say);

/*
 * Copies the names of the frames of `rank` from `from`, the run.db of its run, to `to`. Frames that
 * have a function keep it. The caller begins and ends the transaction. Returns 0 or a negative
 * errno. Says nothing.
 */
int resolve_copy(sqlite3 *from, sqlite3 *to, int32_t rank);

#endif
