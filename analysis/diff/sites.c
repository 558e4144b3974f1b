/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.c: finds the callsite of B that is one of A, if the module was built again.
 *
 * An edit moves the lines below it, and a build moves every address. But a function still makes the
 * same calls in the same order. So callsites are paired by function, source file and MPI function:
 * the first with the first, the second with the second. If one side has more of them, some stay
 * without a partner: those without which the lines of all others shift most evenly. Equal lines are
 * the most even. A callsite without a partner may have one in a file of another name. If functions
 * are unknown, the module replaces function and file.
 */
#include <config.h>

#include "analysis/diff/diff.h"
#include "analysis/base/array.h"
#include "analysis/diff/queries.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/format/db/db.h"

/* With n callsites on one side and m on the other, pairing takes n m m steps. Beyond STEPS_MAX only
 * the order counts. */
enum { STEPS_MAX = 1 << 24 };

/* One more change of the shift counts as much as so many lines. */
#define UNEVEN ((int64_t)1 << 40)

/* Groups within which elements are put together, one after the other. */
static const char *const groups_sql[] = {
	sql_diff_same_unit,
	sql_diff_same_function,
};

struct element {
	int64_t id, pos, group;
	int side;
	int64_t mate; /* id of the partner's, of A's element its own; 0: none */
};

static void pair(struct element *a, struct element *b)
{
	struct element *first = a->side == 0 ? a : b;

	a->mate = b->mate = first->id;
}

static int64_t uneven(int64_t change)
{
	return change == 0 ? 0 : UNEVEN + llabs(change);
}

/* All of `few` get a partner, in order. n <= m. */
static int pair_evenly(struct element *few, size_t n, struct element *many, size_t m)
{
	int64_t *cost = malloc(n * m * sizeof *cost);
	size_t *from = calloc(n * m, sizeof *from);
	size_t best = n - 1;

	if (!cost || !from) {
		free(cost);
		free(from);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j <= m - (n - i); j++) {
			int64_t shift = many[j].pos - few[i].pos;

			cost[i * m + j] = i == 0 ? uneven(shift) : INT64_MAX;
			for (size_t q = i - 1; i > 0 && q < j; q++) {
				int64_t c = cost[(i - 1) * m + q] +
					uneven(shift - (many[q].pos - few[i - 1].pos));

				if (c < cost[i * m + j]) {
					cost[i * m + j] = c;
					from[i * m + j] = q;
				}
			}
		}
	for (size_t j = n - 1; j < m; j++)
		if (cost[(n - 1) * m + j] < cost[(n - 1) * m + best])
			best = j;
	for (size_t i = n; i-- > 0; best = from[i * m + best])
		pair(&few[i], &many[best]);
	free(cost);
	free(from);
	return 0;
}

/* Elements of one group: those of A, then those of B. */
static int pair_group(struct element *e, size_t count)
{
	struct element *few = e, *many;
	size_t n = 0, m;

	while (n < count && e[n].side == 0)
		n++;
	many = e + n;
	m = count - n;
	if (n > m) {
		few = many;
		many = e;
		m = n;
		n = count - n;
	}
	if (n > 0 && n < m && m <= STEPS_MAX && n * m <= STEPS_MAX / m)
		return pair_evenly(few, n, many, m);
	for (size_t i = 0; i < n; i++)
		pair(&few[i], &many[i]);
	return 0;
}

static int read_elements(sqlite3 *diff, const char *sql, struct element **elements, size_t *count)
{
	sqlite3_stmt *read;
	uint32_t room = 0;
	int rc = db_prepare(diff, sql, &read);

	while (!rc && (rc = db_step(read)) > 0) {
		rc = 0;
		if (array_room(elements, sizeof **elements, &room, *count)) {
			rc = -ENOMEM;
			break;
		}
		(*elements)[(*count)++] = (struct element){ .id = sqlite3_column_int64(read, 0),
			.side = sqlite3_column_int(read, 1),
			.pos = sqlite3_column_int64(read, 2),
			.group = sqlite3_column_int64(read, 3) };
	}
	sqlite3_finalize(read);
	return rc;
}

static int write_mates(sqlite3 *diff, const struct element *elements, size_t count)
{
	sqlite3_stmt *write;
	int rc = db_prepare(diff, sql_diff_mate, &write);

	for (size_t i = 0; !rc && i < count; i++) {
		if (!elements[i].mate)
			continue;
		sqlite3_bind_int64(write, 1, elements[i].id);
		sqlite3_bind_int64(write, 2, elements[i].mate);
		rc = db_execute(write);
	}
	sqlite3_finalize(write);
	return rc;
}

static int pair_by(sqlite3 *diff, const char *sql)
{
	struct element *elements = NULL;
	size_t count = 0;
	int rc = read_elements(diff, sql, &elements, &count);

	for (size_t i = 0, n; !rc && i < count; i += n) {
		for (n = 1; i + n < count && elements[i + n].group == elements[i].group; n++)
			;
		rc = pair_group(elements + i, n);
	}
	if (!rc)
		rc = write_mates(diff, elements, count);
	free(elements);
	return rc;
}

int diff_pair_sites(sqlite3 *diff)
{
	int rc = db_exec_quiet(diff, sql_diff_elements);

	for (size_t i = 0; !rc && i < sizeof groups_sql / sizeof *groups_sql; i++)
		rc = pair_by(diff, groups_sql[i]);
	return rc ? rc : db_exec_quiet(diff, sql_diff_paired_sites);
}
