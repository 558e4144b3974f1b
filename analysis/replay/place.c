/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: finds the callsites of a line of the program (place.h). */
#include "analysis/replay/place.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

int replay_add_at(sqlite3 *db, const struct replay_graph *g, uint32_t rank, const char *place,
	int64_t by, int64_t *of_site)
{
	const struct replay_rank *at = &g->rank[rank];
	const char *line = strrchr(place, ':');
	sqlite3_stmt *q = NULL;
	int n = 0;
	int rc = db_prepare(db,
		"SELECT callsite FROM callsite WHERE rank = ?1 AND frame = 0 AND line = ?2"
		" AND (?3 = '' OR file = ?3 OR file LIKE '%/' || ?3)",
		&q);

	if (rc)
		return rc;
	sqlite3_bind_int(q, 1, at->rank);
	sqlite3_bind_int64(q, 2, atol(line ? line + 1 : place));
	sqlite3_bind_text(q, 3, place, line ? (int)(line - place) : 0, SQLITE_STATIC);
	while ((rc = db_step(q)) > 0) {
		const int64_t callsite = sqlite3_column_int64(q, 0);

		if (callsite < 0 || callsite >= (int64_t)at->nsites)
			continue;
		of_site[at->first_site + (uint32_t)callsite] = clock_within(
			of_site[at->first_site + (uint32_t)callsite] + by, REPLAY_NS_MAX);
		n++;
	}
	sqlite3_finalize(q);
	return rc ? rc : n;
}
