/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/origins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/store/db.h"
#include "record.h"

struct origin {
	uint32_t callsite, code, n;
};

_Static_assert(CAUSE_LATE_SENDER == 1 && CAUSE_LATE_RECEIVER == 2 && CAUSE_LATE_PROGRESS == 3 &&
	PROTOCOL_RENDEZVOUS == 3 && ORIGINS == 8, "numbers in the queries");

/* Causes with a late rank. One line of the program has other callsites on other ranks, and by other ways to it. */
static const char find_sql[] =
	"CREATE TEMP TABLE origin AS WITH e AS (SELECT rank, callsite, code & 0x3ffff AS code,"
	"  sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) AS ns FROM exact_cell"
	"  WHERE code >> 14 & 15 IN (1, 3) OR (code >> 14 & 15 = 2 AND code >> 12 & 3 IN (0, 3))"
	"  GROUP BY rank, callsite, code & 0x3ffff)"
	/* as reports tell places apart (report.c) */
	" SELECT e.*, coalesce(iif(f.file IS NULL, f.function, substr(f.function, 1, instr(f.function || ' (inlined',"
	"  ' (inlined') - 1) || ' ' || f.file || ':' || f.line), m.path || ':' || f.offset, '') AS place"
	" FROM e LEFT JOIN site_row s ON s.rank = e.rank AND s.callsite = e.callsite"
	" LEFT JOIN frame_row f ON f.rank = coalesce(s.first_rank, e.rank)"
	"  AND f.callsite = coalesce(s.first_callsite, e.callsite) AND f.frame = 0"
	" LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module;"
	"INSERT INTO blame_of_row SELECT row_number() OVER (ORDER BY ns DESC, place, code), code, rank, callsite FROM"
	" (SELECT place, code, sum(ns) AS ns, min(rank) AS rank, callsite FROM origin GROUP BY place, code"
	"  ORDER BY 3 DESC, place, code LIMIT 8) WHERE ns > 0;";

static const char read_sql[] =
	"SELECT o.rank, o.callsite, o.code, b.n FROM blame_of_row b JOIN origin first ON first.rank = b.rank"
	" AND first.callsite = b.callsite AND first.code = b.code JOIN origin o ON o.place = first.place"
	" AND o.code = first.code ORDER BY o.rank, o.callsite, o.code";

static int read_all(struct origins *o, const struct run_ranks *ranks, sqlite3_stmt *s)
{
	uint32_t n = 0, room = 0, next = 0;
	int code;

	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(s, 0));

		if (!rank)
			continue;
		if (n == room) {
			struct origin *more;

			room = room ? room * 2 : 64;
			more = realloc(o->at, room * sizeof(*more));
			if (!more)
				return -ENOMEM;
			o->at = more;
		}
		while (next <= (uint32_t)(rank - ranks->at))
			o->first[next++] = n;
		o->at[n++] = (struct origin){ (uint32_t)sqlite3_column_int64(s, 1),
			(uint32_t)sqlite3_column_int64(s, 2), (uint32_t)sqlite3_column_int(s, 3) - 1 };
	}
	while (next <= o->nranks)
		o->first[next++] = n;
	return code == SQLITE_DONE ? 0 : db_say(ranks->db, code, "read", ranks->say);
}

int origins_read(struct origins *o, const struct run_ranks *ranks)
{
	sqlite3_stmt *s = NULL;
	int rc, code;

	*o = (struct origins){ .first = calloc(ranks->n + 1, sizeof(*o->first)), .nranks = ranks->n };
	if (!o->first)
		return -ENOMEM;
	rc = db_exec(ranks->db, find_sql, "write", ranks->say);
	if (rc)
		return rc;
	code = sqlite3_prepare_v2(ranks->db, read_sql, -1, &s, NULL);
	rc = code == SQLITE_OK ? read_all(o, ranks, s) : db_say(ranks->db, code, "read", ranks->say);
	sqlite3_finalize(s);
	return rc ? rc : db_exec(ranks->db, "DROP TABLE temp.origin", "write", ranks->say);
}

void origins_release(struct origins *o)
{
	free(o->at);
	free(o->first);
	memset(o, 0, sizeof(*o));
}

uint32_t origins_find(const struct origins *o, uint32_t rank_index, uint32_t callsite, uint32_t code)
{
	uint32_t low = o->first[rank_index], high = o->first[rank_index + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct origin *at = &o->at[middle];

		if (at->callsite == callsite && at->code == code)
			return at->n;
		if (at->callsite < callsite || (at->callsite == callsite && at->code < code))
			low = middle + 1;
		else
			high = middle;
	}
	return ORIGINS;
}
