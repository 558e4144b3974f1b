/* SPDX-License-Identifier: BSD-3-Clause */
/* activity.c: adds up time by activity in a hash table (activity.h). */
#include "analysis/blame/activity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/format/db/db.h"
#include "analysis/blame/queries.h"
#include "fnv.h"

static int put_site(struct sites *s, uint32_t i, uint32_t callsite, uint64_t stack)
{
	if (array_cover(&s->stack[i], sizeof(*s->stack[i]), &s->n[i], callsite))
		return -ENOMEM;
	s->stack[i][callsite] = stack;
	return 0;
}

static int read_shared(struct sites *s, const struct run_ranks *ranks)
{
	sqlite3_stmt *stmt;
	int rc = 0, step = db_prepare(ranks->db, sql_blame_shared_sites, &stmt);

	if (step)
		return db_say(ranks->db, step, "read", ranks->say);
	while (!rc && (step = db_step(stmt)) > 0) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(stmt, 0));
		const struct run_rank *first = rank_find(ranks, sqlite3_column_int64(stmt, 2));
		int64_t callsite = sqlite3_column_int64(stmt, 1),
			there = sqlite3_column_int64(stmt, 3);
		uint32_t i = first ? (uint32_t)(first - ranks->at) : 0;

		if (rank && first && callsite >= 0 && callsite <= DB_CALLSITE_MAX && there >= 0 &&
			there < s->n[i])
			rc = put_site(s, (uint32_t)(rank - ranks->at), (uint32_t)callsite,
				s->stack[i][there]);
	}
	sqlite3_finalize(stmt);
	return rc ? rc : step ? db_say(ranks->db, step, "read", ranks->say) : 0;
}

int sites_read(struct sites *s, const struct run_ranks *ranks)
{
	sqlite3_stmt *stmt;
	int rc = 0, step;

	*s = (struct sites){ calloc(ranks->n, sizeof(*s->stack)), calloc(ranks->n, sizeof(*s->n)),
		ranks->n };
	if (!s->stack || !s->n) {
		sites_release(s);
		return -ENOMEM;
	}
	step = db_prepare(ranks->db, sql_blame_stacks, &stmt);
	if (step)
		return db_say(ranks->db, step, "read", ranks->say);
	while (!rc && (step = db_step(stmt)) > 0) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(stmt, 0));
		const char *text = (const char *)sqlite3_column_text(stmt, 2);
		int64_t callsite = sqlite3_column_int64(stmt, 1);

		if (rank && callsite >= 0 && callsite <= DB_CALLSITE_MAX)
			rc = put_site(s, (uint32_t)(rank - ranks->at), (uint32_t)callsite,
				text ? fnv_text(FNV_START, text) : FNV_START);
	}
	sqlite3_finalize(stmt);
	if (!rc)
		rc = step ? db_say(ranks->db, step, "read", ranks->say) : 0;
	return rc ? rc : read_shared(s, ranks);
}

void sites_release(struct sites *s)
{
	for (uint32_t i = 0; s->stack && i < s->nranks; i++)
		free(s->stack[i]);
	free(s->stack);
	free(s->n);
	memset(s, 0, sizeof(*s));
}

static inline uint64_t stack_of(const struct sites *s, uint32_t rank_index, uint32_t callsite)
{
	if (rank_index < s->nranks && callsite < s->n[rank_index] && s->stack[rank_index][callsite])
		return s->stack[rank_index][callsite];
	/* without a stack: by number, since ranks mostly number them alike */
	return callsite;
}

static inline uint64_t key_of(
	const struct sites *s, uint32_t rank_index, const struct history_piece *piece)
{
	uint64_t x = stack_of(s, rank_index, piece->callsite) * 0x9e3779b97f4a7c15ULL;

	if (piece->what != HISTORY_CALL)
		x ^= stack_of(s, rank_index, piece->after) * 0xbf58476d1ce4e5b9ULL + piece->what;
	return x ^ x >> 32;
}

uint64_t activity_key(const struct sites *s, uint32_t rank_index, const struct history_piece *piece)
{
	return key_of(s, rank_index, piece);
}

void activities_clear(struct activities *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		a->at[a->list[i]].used = false;
	a->n = 0;
	a->compute_ns = a->call_ns = 0;
}

static inline uint32_t slot_of(const struct activities *a, uint64_t key)
{
	uint32_t i = key & (ACTIVITIES - 1);

	while (a->at[i].used && a->at[i].key != key)
		i = (i + 1) & (ACTIVITIES - 1);
	return i;
}

static void add_to(struct activity *at, const struct activity *more)
{
	at->ns += more->ns;
	at->no_cpu_ns += more->no_cpu_ns;
	at->blocked_ns += more->blocked_ns;
}

/* Adds an activity that the sum lacks. A full sum adds it to computation without a callsite. */
static void add_first(struct activities *a, uint32_t i, const struct activity *more)
{
	static const struct activity rest = { .what = HISTORY_COMPUTATION };
	const struct activity *like = more;

	if (a->n >= ACTIVITIES_FULL) {
		like = &rest;
		i = slot_of(a, like->key);
	}
	if (!a->at[i].used) {
		a->at[i] = *like;
		a->at[i].used = true;
		a->at[i].ns = a->at[i].no_cpu_ns = a->at[i].blocked_ns = 0;
		a->list[a->n++] = (uint16_t)i;
	}
	add_to(&a->at[i], more);
}

static void add(struct activities *a, const struct activity *more)
{
	const uint32_t i = slot_of(a, more->key);

	*(more->what == HISTORY_COMPUTATION ? &a->compute_ns : &a->call_ns) += more->ns;
	if (a->at[i].used)
		add_to(&a->at[i], more);
	else
		add_first(a, i, more);
}

void activities_add(struct activities *a, const struct sites *s, uint32_t rank_index,
	const struct history_piece *piece, int64_t ns)
{
	add(a,
		&(struct activity){ .key = key_of(s, rank_index, piece),
			.callsite = piece->callsite,
			.after = piece->after,
			.what = piece->what,
			.ns = ns,
			.no_cpu_ns = piece->no_cpu_ns,
			.blocked_ns = piece->blocked_ns });
}

void activities_join(struct activities *a, const struct activities *other)
{
	for (uint32_t k = 0; k < other->n; k++)
		add(a, &other->at[other->list[k]]);
}

const struct activity *activities_find(const struct activities *a, uint64_t key)
{
	static const struct activity none;
	const uint32_t i = slot_of(a, key);

	return a->at[i].used ? &a->at[i] : &none;
}
