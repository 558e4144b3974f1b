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
 * Gives each frame of `rank` in `to` that has no function the names that it has in `from`, a run.db
 * of the same run. The transaction is the caller's. Returns 0 or a negative errno. Says nothing.
 */
int resolve_copy(sqlite3 *from, sqlite3 *to, int32_t rank);

#endif
