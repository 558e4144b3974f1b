/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.c: adds up waits by callsite and part of the run (slots.h). */
#include "analysis/match/slots.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/base/array.h"
#include "analysis/base/bisect.h"
#include "analysis/ranks/cells.h"
#include "analysis/format/db/db.h"
#include "analysis/blame/queries.h"

/* wait_slot_cell.slot; diff/noise.c reads as many. */
enum { SLOTS = 128 };

/* A callsite with the stack of another rank's callsite. */
struct same_site {
	int64_t callsite;
	int64_t site; /* layout site: the first callsite with this stack */
};

struct slots {
	const struct run_ranks *ranks;
	int64_t end_ns;         /* of the last rank */
	struct same_site *same; /* by rank and callsite, rising */
	uint32_t *first;        /* by index of the rank, and one more: index in same[] */
	struct cells *of[SLOTS_USERS];
};

static const struct cells_layout layout = { .table = "wait_slot_cell", .keys = 3, .sums = 1 };

static int read_same(struct slots *s, sqlite3_stmt *rows)
{
	uint32_t n = 0, room = 0, next = 0;
	int rc;

	while ((rc = db_step(rows)) > 0) {
		const struct run_rank *rank = rank_find(s->ranks, sqlite3_column_int64(rows, 0));

		if (!rank)
			continue;
		if (array_room(&s->same, sizeof(*s->same), &room, n))
			return -ENOMEM;
		while (next <= (uint32_t)(rank - s->ranks->at))
			s->first[next++] = n;
		s->same[n++] = (struct same_site){ sqlite3_column_int64(rows, 1),
			site_put_rank((uint64_t)sqlite3_column_int64(rows, 2)) |
				site_put_callsite((uint64_t)sqlite3_column_int64(rows, 3)) };
	}
	while (next <= s->ranks->n)
		s->first[next++] = n;
	return rc;
}

int slots_new(sqlite3 *db, const struct run_ranks *ranks, struct slots **out)
{
	struct slots *s = calloc(1, sizeof(*s));
	sqlite3_stmt *rows = NULL;
	int rc;

	*out = s;
	if (!s)
		return -ENOMEM;
	s->ranks = ranks;
	for (uint32_t i = 0; i < ranks->n; i++)
		s->end_ns = ranks->at[i].end_ns > s->end_ns ? ranks->at[i].end_ns : s->end_ns;
	s->first = calloc(ranks->n + 1, sizeof(*s->first));
	if (!s->first)
		return -ENOMEM;
	rc = db_prepare(db, sql_blame_shared_sites, &rows);
	if (!rc)
		rc = read_same(s, rows);
	sqlite3_finalize(rows);
	for (int i = 0; i < SLOTS_USERS && !rc; i++)
		rc = cells_new(db, &layout, &s->of[i]);
	return rc ? db_say(db, rc, "read", ranks->say) : 0;
}

static int64_t site_of(const struct slots *s, int32_t rank, uint32_t callsite)
{
	const uint32_t index = (uint32_t)(rank_find(s->ranks, rank) - s->ranks->at);
	const uint32_t n = s->first[index + 1] - s->first[index];
	const struct same_site *same = n ? s->same + s->first[index] : NULL;
	const uint32_t i = bisect_below(
		same, sizeof(*same), offsetof(struct same_site, callsite), n, callsite);

	if (i < n && same[i].callsite == callsite)
		return same[i].site;
	return site_put_rank((uint32_t)rank) | site_put_callsite(callsite);
}

int slots_add(struct slots *s, enum slots_user user, int32_t rank, uint32_t callsite, uint32_t code,
	int64_t at, int64_t ns)
{
	const double part = s->end_ns > 0 ? (double)at / (double)s->end_ns : 0;
	const int64_t key[] = { site_of(s, rank, callsite), code,
		part <= 0         ? 0 :
			part >= 1 ? SLOTS - 1 :
				    (int64_t)(part * SLOTS) };
	struct cell *cell = cells_at(s->of[user], key);

	if (!cell)
		return cells_code(s->of[user]);
	cell->value[WAIT_SLOT_CELL_NS] += ns;
	return 0;
}

int slots_flush(struct slots *s)
{
	int rc = 0;

	for (int i = 0; i < SLOTS_USERS && !rc; i++)
		rc = cells_flush(s->of[i]);
	return rc;
}

void slots_free(struct slots *s)
{
	if (!s)
		return;
	for (int i = 0; i < SLOTS_USERS; i++)
		cells_free(s->of[i]);
	free(s->same);
	free(s->first);
	free(s);
}
