/* SPDX-License-Identifier: BSD-3-Clause */
/* origins.c: reads the bottlenecks that get blame of their own (origins.h). */
#include "analysis/blame/origins.h"
#include "analysis/base/array.h"
#include "analysis/base/bisect.h"
#include "analysis/blame/queries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "record.h"

struct origin {
	int64_t key; /* callsite, then code */
	uint32_t n;
};

_Static_assert(ORIGINS == 8, "queries/origins.sql keeps as many");

static int64_t key_of(uint32_t callsite, uint32_t code)
{
	return (int64_t)((uint64_t)callsite << 32 | code);
}

static int read_all(struct origins *o, const struct run_ranks *ranks, sqlite3_stmt *s)
{
	uint32_t n = 0, room = 0, next = 0;
	int rc;

	while ((rc = db_step(s)) > 0) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(s, 0));

		if (!rank)
			continue;
		if (array_room(&o->at, sizeof(*o->at), &room, n))
			return -ENOMEM;
		while (next <= (uint32_t)(rank - ranks->at))
			o->first[next++] = n;
		o->at[n++] = (struct origin){ key_of((uint32_t)sqlite3_column_int64(s, 1),
						      (uint32_t)sqlite3_column_int64(s, 2)),
			(uint32_t)sqlite3_column_int(s, 3) - 1 };
	}
	while (next <= o->nranks)
		o->first[next++] = n;
	return rc ? db_say(ranks->db, rc, "read", ranks->say) : 0;
}

int origins_read(struct origins *o, const struct run_ranks *ranks)
{
	sqlite3_stmt *s = NULL;
	int rc, step;

	*o = (struct origins){ .first = calloc(ranks->n + 1, sizeof(*o->first)),
		.nranks = ranks->n };
	if (!o->first)
		return -ENOMEM;
	rc = db_exec(ranks->db, sql_blame_origins, "write", ranks->say);
	if (rc)
		return rc;
	step = db_prepare(ranks->db, sql_blame_origin_rows, &s);
	rc = step ? db_say(ranks->db, step, "read", ranks->say) : read_all(o, ranks, s);
	sqlite3_finalize(s);
	return rc ? rc : db_exec(ranks->db, "DROP TABLE temp.origin", "write", ranks->say);
}

void origins_release(struct origins *o)
{
	free(o->at);
	free(o->first);
	memset(o, 0, sizeof(*o));
}

uint32_t origins_find(
	const struct origins *o, uint32_t rank_index, uint32_t callsite, uint32_t code)
{
	const uint32_t n = o->first[rank_index + 1] - o->first[rank_index];
	const struct origin *at = n ? o->at + o->first[rank_index] : NULL;
	const int64_t key = key_of(callsite, code);
	const uint32_t i = bisect_below(at, sizeof(*at), offsetof(struct origin, key), n, key);

	return i < n && at[i].key == key ? at[i].n : ORIGINS;
}
