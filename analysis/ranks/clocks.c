/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks.c: computes each rank's map to the common time (clocks.h). */
#include "analysis/ranks/clocks.h"
#include "analysis/base/array.h"
#include "analysis/ranks/queries.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

/* The error of the distance of two zeros on one clock, if the ranks count different ticks. */
#define SHARED_ERROR_NS 300

/* The limit for values from damaged rows, so that sums of a few do not overflow. */
#define MOVED_MAX (4 * CLOCK_NS_MAX)

int64_t clock_common(struct clock_map *map, int64_t ns)
{
	const struct clock_point *p;
	uint32_t i = map->last;
	double moved;

	if (map->npoints < 2)
		return ns + (map->npoints ? map->point[0].offset_ns : 0);
	/* times come nearly in order: try the piece used last, then its neighbours */
	while (i > 0 && ns < map->point[i].at_ns)
		i--;
	while (i + 2 < map->npoints && ns >= map->point[i + 1].at_ns)
		i++;
	map->last = i;
	p = &map->point[i];
	moved = (double)(p[1].offset_ns - p->offset_ns) * (double)(ns - p->at_ns) /
		(double)(p[1].at_ns - p->at_ns);
	return ns + p->offset_ns +
		(moved > (double)MOVED_MAX                 ? MOVED_MAX :
				moved < -(double)MOVED_MAX ? -MOVED_MAX :
							     (int64_t)moved);
}

int64_t clock_own(struct clock_map *map, int64_t common_ns)
{
	int64_t own = common_ns;

	/* drift is small: each step leaves less than a thousandth of the error */
	for (int step = 0; step < 8; step++)
		own = clock_within(own - (clock_common(map, own) - common_ns), 2 * MOVED_MAX);
	return own;
}

int64_t clock_error(const struct clock_map *map, int64_t ns)
{
	const struct clock_point *p = map->point, *last;

	if (map->npoints == 0)
		return 0;
	last = p + map->npoints - 1;
	if (ns <= p->at_ns || ns >= last->at_ns) {
		const struct clock_point *end = ns <= p->at_ns ? p : last;
		double away = fabs((double)ns - (double)end->at_ns);

		/* a map of one point is for a shared clock, without drift */
		if (map->npoints == 1 || end->error_ns == INT64_MAX)
			return end->error_ns;
		return end->error_ns + (int64_t)(away * CLOCK_DRIFT_MAX);
	}
	while (ns >= p[1].at_ns)
		p++;
	if (p->error_ns == INT64_MAX || p[1].error_ns == INT64_MAX)
		return INT64_MAX;
	return p->error_ns +
		(int64_t)((double)(p[1].error_ns - p->error_ns) * (double)(ns - p->at_ns) /
			(double)(p[1].at_ns - p->at_ns));
}

static int by_at(const void *a, const void *b)
{
	const struct clock_point *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

void clock_sort(struct clock_point *point, uint32_t *n)
{
	uint32_t kept = 0;

	if (*n)
		qsort(point, *n, sizeof(*point), by_at);
	for (uint32_t i = 0; i < *n; i++)
		if (kept == 0 || point[i].at_ns > point[kept - 1].at_ns)
			point[kept++] = point[i];
	*n = kept;
}

/*
 * *offset_ns: the time of the zero `zero` after the zero `reference`, by the clock that both ranks
 * read. False if they read no common clock.
 */
static bool zero_offset(
	const struct clock_zero *reference, const struct clock_zero *zero, int64_t *offset_ns)
{
	if (!*zero->boot_id || strcmp(reference->boot_id, zero->boot_id) != 0 ||
		strcmp(reference->clock_id, zero->clock_id) != 0)
		return false;
	if (zero->ns_per_tick > 0 && zero->ns_per_tick == reference->ns_per_tick) {
		double ns = (double)(int64_t)(zero->zero_ticks - reference->zero_ticks) *
			zero->ns_per_tick;

		if (fabs(ns) > (double)CLOCK_NS_MAX)
			return false;
		*offset_ns = (int64_t)ns;
		return true;
	}
	if (zero->zero_monotonic_ns == INT64_MIN || reference->zero_monotonic_ns == INT64_MIN)
		return false;
	*offset_ns = zero->zero_monotonic_ns - reference->zero_monotonic_ns;
	return true;
}

void clocks_release(struct clocks *c)
{
	for (uint32_t i = 0; c->map && i < c->n; i++)
		free(c->map[i].point);
	free(c->rank);
	free(c->map);
	free(c->group);
	free(c->once);
	memset(c, 0, sizeof(*c));
}

static void read_text(sqlite3_stmt *s, int column, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	if (text)
		strncpy(out, text, size - 1);
}

static void read_zero(sqlite3_stmt *s, struct clock_zero *z)
{
	memset(z, 0, sizeof(*z));
	z->rank = sqlite3_column_int(s, 0);
	read_text(s, 1, z->boot_id, sizeof(z->boot_id));
	z->ns_per_tick = sqlite3_column_double(s, 2);
	z->zero_ticks = (uint64_t)sqlite3_column_int64(s, 3);
	z->zero_monotonic_ns = sqlite3_column_int64(s, 4);
	if (sqlite3_column_type(s, 4) == SQLITE_NULL || z->zero_monotonic_ns > CLOCK_NS_MAX ||
		z->zero_monotonic_ns < -CLOCK_NS_MAX)
		z->zero_monotonic_ns = INT64_MIN;
	read_text(s, 5, z->clock_id, sizeof(z->clock_id));
	read_text(s, 6, z->host, sizeof(z->host));
	z->end_ns = clock_within(sqlite3_column_int64(s, 7), CLOCK_NS_MAX);
}

static int read_zeros(sqlite3 *db, struct clock_zero **out, uint32_t *n, const struct say *say)
{
	struct clock_zero *zero = NULL;
	sqlite3_stmt *s;
	uint32_t room = 0;
	int rc;

	*n = 0;
	rc = db_prepare(db, sql_ranks_zeros, &s);
	if (rc)
		return db_say(db, rc, "read", say);
	while ((rc = db_step(s)) > 0) {
		if (array_room(&zero, sizeof(*zero), &room, *n))
			break;
		read_zero(s, &zero[(*n)++]);
	}
	sqlite3_finalize(s);
	if (rc == 0 && *n) {
		*out = zero;
		return 0;
	}
	free(zero);
	return rc > 0 ? -ENOMEM : rc == 0 ? -ENOENT : db_say(db, rc, "read", say);
}

static int add_point(struct clock_map *map, const struct clock_point *point)
{
	struct clock_point *more = realloc(map->point, (map->npoints + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	map->point = more;
	more[map->npoints++] = *point;
	return 0;
}

/* State while maps are made. */
struct making {
	struct clocks *c;
	struct clock_zero *zero;
	int32_t *reference; /* of the rank's rows; -1: it has none */
	uint8_t *done;      /* enum progress */
};

enum progress { TO_DO, BEGUN, DONE };

static uint32_t index_of(const struct clocks *c, int32_t rank)
{
	uint32_t low = 0, high = c->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->rank[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->n && c->rank[low] == rank ? low : c->n;
}

/* NULL, or an impossible offset: unknown. */
static int64_t read_error(sqlite3_stmt *s, int column)
{
	int64_t ns = sqlite3_column_int64(s, column);

	return sqlite3_column_type(s, column) != SQLITE_NULL && ns >= 0 && ns <= CLOCK_NS_MAX ?
		ns :
		INT64_MAX;
}

/* Reads the rows of table clock. All rows of a rank are against one other rank. */
static int read_rows(sqlite3 *db, struct making *m, const struct say *say)
{
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(db, sql_ranks_clock_readings, &s);

	if (step)
		return db_say(db, step, "read", say);
	while (!rc && (step = db_step(s)) > 0) {
		const struct clock_point p = { clock_within(
						       sqlite3_column_int64(s, 1), CLOCK_NS_MAX),
			clock_within(sqlite3_column_int64(s, 2), CLOCK_NS_MAX), read_error(s, 3) };
		uint32_t i = index_of(m->c, sqlite3_column_int(s, 0));
		int32_t reference = sqlite3_column_count(s) > 4 ? sqlite3_column_int(s, 4) : 0;

		if (i == m->c->n || reference < 0 ||
			(m->reference[i] >= 0 && m->reference[i] != reference))
			continue;
		m->reference[i] = reference;
		rc = add_point(&m->c->map[i], &p);
	}
	sqlite3_finalize(s);
	for (uint32_t i = 0; i < m->c->n; i++)
		clock_sort(m->c->map[i].point, &m->c->map[i].npoints);
	return rc ? rc : step ? db_say(db, step, "read", say) : 0;
}

static int64_t error_sum(int64_t a, int64_t b)
{
	return a == INT64_MAX || b == INT64_MAX ? INT64_MAX : a + b;
}

/* Makes the map of rank i from that of rank r on the same clock, whose zero was `offset` earlier.
 */
static int share_clock(struct clocks *c, uint32_t i, uint32_t r, int64_t offset)
{
	const struct clock_map *from = &c->map[r];
	struct clock_map *map = &c->map[i];
	int rc = 0;

	c->group[i] = c->group[r];
	c->once[i] = c->once[r];
	map->npoints = 0;
	for (uint32_t k = 0; k < from->npoints && !rc; k++) {
		struct clock_point p = from->point[k];

		p.at_ns = clock_within(p.at_ns - offset, MOVED_MAX);
		p.offset_ns = clock_within(p.offset_ns + offset, MOVED_MAX);
		rc = add_point(map, &p);
	}
	/* the limit may have moved some points to the same instant */
	clock_sort(map->point, &map->npoints);
	return rc;
}

/* True if rows against a rank on the same clock agree with the zeros. Otherwise the clock is wrong.
 */
static bool rows_fit(const struct clock_map *map, int64_t offset)
{
	for (uint32_t i = 0; i < map->npoints; i++)
		if (map->point[i].error_ns == INT64_MAX ||
			llabs(map->point[i].offset_ns - offset) >
				map->point[i].error_ns + SHARED_ERROR_NS)
			return false;
	return true;
}

/* Converts rows against a rank with the map `to` to rows against the common time. */
static void lead_on(struct clock_map *map, struct clock_map *to)
{
	for (uint32_t i = 0; i < map->npoints; i++) {
		struct clock_point *p = &map->point[i];
		int64_t there = p->at_ns + p->offset_ns;

		p->offset_ns = clock_within(clock_common(to, there) - p->at_ns, MOVED_MAX);
		p->error_ns = error_sum(p->error_ns, clock_error(to, there));
	}
}

/* Compared once only: the error grows by the possible drift until the rank's end. */
static int let_drift(struct clock_map *map, int64_t end_ns)
{
	struct clock_point end = map->point[0];
	int64_t after = end_ns - end.at_ns;

	if (map->npoints != 1 || after <= 0 || end.error_ns == INT64_MAX)
		return 0;
	end.at_ns = end_ns;
	end.error_ns += (int64_t)((double)after * CLOCK_DRIFT_MAX);
	return add_point(map, &end);
}

/* Makes the map of a rank with rows, whose reference (NULL: the missing root) is done. */
static int relate(struct making *m, uint32_t i, uint32_t r)
{
	struct clock_map *map = &m->c->map[i];
	struct clock_map none = { NULL, 0, 0 };
	int64_t offset;

	m->done[i] = DONE;
	if (r < m->c->n && zero_offset(&m->zero[r], &m->zero[i], &offset) && rows_fit(map, offset))
		return share_clock(m->c, i, r, offset);
	m->c->once[i] = map->npoints == 1;
	if (let_drift(map, m->zero[i].end_ns) != 0)
		return -ENOMEM;
	lead_on(map, r < m->c->n ? &m->c->map[r] : &none);
	return 0;
}

/* Sets the map of the reference, and of the one rank without rows to which others lead. */
static int relate_root(struct making *m, uint32_t i)
{
	const struct clock_point zero = { 0, 0, 0 };

	m->done[i] = DONE;
	m->c->map[i].npoints = 0;
	return add_point(&m->c->map[i], &zero);
}

/* Makes the maps of rank i and of the ranks to which its rows lead. `path` has room for all ranks.
 */
static int relate_path(struct making *m, uint32_t i, uint32_t *path)
{
	const uint32_t n = m->c->n;
	uint32_t length = 0, r = i;
	int rc = 0;

	while (r < n && m->done[r] == TO_DO && m->reference[r] >= 0 &&
		m->reference[r] != m->c->rank[r]) {
		m->done[r] = BEGUN;
		path[length++] = r;
		r = index_of(m->c, m->reference[r]);
	}
	if (r < n && m->done[r] == TO_DO)
		rc = relate_root(m, r);
	/* rows in a circle, or rows against a rank that had rows but left no file */
	if ((r < n && m->done[r] == BEGUN) || (r == n && m->reference[path[length - 1]] != 0)) {
		while (length) {
			r = path[--length];
			m->reference[r] = -1;
			m->c->map[r].npoints = 0;
			m->done[r] = TO_DO;
		}
		return 0;
	}
	while (length && !rc) {
		uint32_t next = path[--length];

		rc = relate(m, next, r);
		r = next;
	}
	return rc;
}

/* A rank with a map on the same clock, preferably on the same host; n if there is none. */
static uint32_t sharing(const struct making *m, uint32_t i, uint32_t first)
{
	const struct clock_zero *zero = m->zero;
	uint32_t found = m->c->n;
	int64_t offset;

	/* neighbours mostly share a node, so the last rank found is tried first */
	if (m->done[first] == DONE && strcmp(zero[first].host, zero[i].host) == 0 &&
		zero_offset(&zero[first], &zero[i], &offset))
		return first;
	for (uint32_t r = 0; r < m->c->n; r++) {
		if (m->done[r] != DONE || !zero_offset(&zero[r], &zero[i], &offset))
			continue;
		if (strcmp(zero[r].host, zero[i].host) == 0)
			return r;
		if (found == m->c->n)
			found = r;
	}
	return found;
}

/* Handles cases 2 and 3 (clocks.h) for ranks without rows. */
static int relate_zeros(struct making *m)
{
	uint32_t r = 0;
	int rc = 0;

	for (uint32_t i = 0; i < m->c->n && !rc; i++) {
		/* a rank that ended in MPI_Init has no times to correct */
		const bool needs_none = i == 0 || m->zero[i].end_ns == 0;
		const struct clock_point unknown = { 0, 0, needs_none ? 0 : INT64_MAX };
		int64_t offset;
		uint32_t with;

		if (m->done[i] == DONE)
			continue;
		with = sharing(m, i, r);
		if (with < m->c->n && zero_offset(&m->zero[with], &m->zero[i], &offset)) {
			rc = share_clock(m->c, i, with, offset);
			r = with;
		} else {
			rc = add_point(&m->c->map[i], &unknown);
		}
		m->done[i] = DONE;
	}
	return rc;
}

/* The lowest rank's reference left no file: the lowest rank's clock is still the common one. */
static void rebase(struct clocks *c)
{
	struct clock_map *first = &c->map[0];

	if (first->npoints == 1 && first->point[0].offset_ns == 0)
		return;
	for (uint32_t i = 1; i < c->n; i++)
		for (uint32_t k = 0; k < c->map[i].npoints; k++) {
			struct clock_point *p = &c->map[i].point[k];

			p->offset_ns = clock_within(
				clock_own(first, p->at_ns + p->offset_ns) - p->at_ns, MOVED_MAX);
		}
	first->npoints = 1;
	first->point[0] = (struct clock_point){ 0, 0, 0 };
}

static int make_maps(sqlite3 *db, struct making *m, const struct say *say)
{
	uint32_t *path = calloc(m->c->n, sizeof(*path));
	int rc = path ? read_rows(db, m, say) : -ENOMEM;

	for (uint32_t i = 0; i < m->c->n && !rc; i++)
		if (m->reference[i] >= 0 && m->done[i] == TO_DO)
			rc = relate_path(m, i, path);
	if (!rc)
		rc = relate_zeros(m);
	if (!rc)
		rebase(m->c);
	for (uint32_t i = 0; i < m->c->n && !rc; i++)
		m->c->unknown += m->c->map[i].point[0].error_ns == INT64_MAX;
	free(path);
	return rc;
}

int clocks_read(sqlite3 *db, struct clocks *out, const struct say *say)
{
	struct making m = { .c = out };
	int rc;

	memset(out, 0, sizeof(*out));
	rc = read_zeros(db, &m.zero, &out->n, say);
	if (rc)
		return rc;
	out->rank = calloc(out->n, sizeof(*out->rank));
	out->map = calloc(out->n, sizeof(*out->map));
	out->group = calloc(out->n, sizeof(*out->group));
	out->once = calloc(out->n, sizeof(*out->once));
	m.reference = malloc(out->n * sizeof(*m.reference));
	m.done = calloc(out->n, 1);
	if (!out->rank || !out->map || !out->group || !out->once || !m.reference || !m.done)
		rc = -ENOMEM;
	for (uint32_t i = 0; i < out->n && !rc; i++) {
		out->rank[i] = m.zero[i].rank;
		out->group[i] = i;
		m.reference[i] = -1;
	}
	if (!rc)
		rc = make_maps(db, &m, say);
	free(m.zero);
	free(m.reference);
	free(m.done);
	if (rc)
		clocks_release(out);
	return rc;
}

static int bind_row(sqlite3_stmt *s, const int64_t *value, int n)
{
	for (int i = 0; i < n; i++)
		if (value[i] == INT64_MAX)
			sqlite3_bind_null(s, i + 1);
		else
			sqlite3_bind_int64(s, i + 1, value[i]);
	return db_execute(s);
}

/* Writes one rank's rows: its points, and the pieces between them if there is a correction. */
static int write_map(const struct clocks *c, uint32_t i, sqlite3_stmt *rows, sqlite3_stmt *pieces)
{
	const struct clock_map *map = &c->map[i];
	const struct clock_point *p = map->point;
	uint32_t npieces = map->npoints < 2 ? map->npoints : map->npoints - 1;
	int rc = 0;

	for (uint32_t k = 0; k < map->npoints && !rc; k++)
		rc = bind_row(rows,
			(const int64_t[]){
				c->rank[i], p[k].at_ns, p[k].offset_ns, p[k].error_ns, c->rank[0] },
			5);
	if (npieces == 1 && map->npoints == 1 && p->offset_ns == 0)
		return rc;
	for (uint32_t k = 0; k < npieces && !rc; k++) {
		bool more = k + 1 < map->npoints;

		rc = bind_row(pieces,
			(const int64_t[]){ c->rank[i], k ? p[k].at_ns : -(1LL << 62), p[k].at_ns,
				p[k].offset_ns, more ? p[k + 1].offset_ns - p[k].offset_ns : 0,
				more ? p[k + 1].at_ns - p[k].at_ns : 1 },
			6);
	}
	return rc;
}

int clocks_write(sqlite3 *db, const struct clocks *c, const struct say *say)
{
	sqlite3_stmt *rows = NULL, *pieces = NULL;
	int rc = db_exec_quiet(db, sql_ranks_clear_clocks);

	if (!rc)
		rc = db_prepare_insert(db, DB_INSERT, "clock", &rows);
	if (!rc)
		rc = db_prepare_insert(db, DB_INSERT, "clock_cell", &pieces);
	for (uint32_t i = 0; i < c->n && !rc; i++)
		rc = write_map(c, i, rows, pieces);
	sqlite3_finalize(rows);
	sqlite3_finalize(pieces);
	return rc ? db_say(db, rc, "write", say) : 0;
}
