/* SPDX-License-Identifier: BSD-3-Clause */
/* sites.c: compares the stacks of callsites across ranks (sites.h). */
#include <config.h>

#include "analysis/merge/sites.h"
#include "analysis/merge/queries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "fnv.h"

enum { SLOTS_MIN = 1024 };

void stack_begin(struct stack_key *k)
{
	*k = (struct stack_key){ .a = FNV_START, .b = 0x9e3779b97f4a7c15ULL };
}

uint64_t stack_module(const char *text, size_t bytes)
{
	return fnv_bytes(FNV_START, text, bytes) | 1;
}

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

void stack_add(struct stack_key *k, uint64_t module, int64_t offset)
{
	k->unknown |= module == 0;
	k->a = mix(mix(k->a + module) + (uint64_t)offset);
	k->b = mix(mix(k->b ^ module) * 3 + (uint64_t)offset);
}

static uint64_t slot_of(const struct stacks *s, const struct stack_key *k)
{
	uint64_t i = k->a & (s->slots - 1);

	while (s->at[i].key.a && (s->at[i].key.a != k->a || s->at[i].key.b != k->b))
		i = (i + 1) & (s->slots - 1);
	return i;
}

/* To that many slots, without the stacks of `but`. */
static bool rebuild(struct stacks *s, uint64_t slots, int32_t but)
{
	struct stacks more = { .at = calloc(slots, sizeof(*more.at)), .slots = slots };

	if (!more.at)
		return false;
	for (uint64_t i = 0; i < s->slots; i++)
		if (s->at[i].key.a && s->at[i].rank != but) {
			more.at[slot_of(&more, &s->at[i].key)] = s->at[i];
			more.used++;
		}
	free(s->at);
	*s = more;
	return true;
}

const struct stack *stacks_at(
	struct stacks *s, const struct stack_key *k, int32_t rank, int64_t callsite)
{
	struct stack *at;

	if (s->used * 4 >= s->slots * 3 && !rebuild(s, s->slots ? 2 * s->slots : SLOTS_MIN, -1))
		return NULL;
	at = &s->at[slot_of(s, k)];
	if (at->key.a == 0) {
		*at = (struct stack){ *k, rank, callsite };
		s->used++;
	}
	return at;
}

bool stacks_forget(struct stacks *s, int32_t rank)
{
	return s->slots == 0 || rebuild(s, s->slots, rank);
}

void stacks_release(struct stacks *s)
{
	free(s->at);
	*s = (struct stacks){ 0 };
}

int stacks_each(sqlite3 *db, const char *schema,
	int (*each)(void *context, int32_t rank, int64_t callsite, const struct stack_key *k),
	void *context)
{
	char *sql = sqlite3_mprintf(sql_merge_stacks, schema, schema);
	int32_t rank = -1;
	int64_t callsite = -1;
	struct stack_key key;
	sqlite3_stmt *s = NULL;
	int rc = sql ? db_prepare(db, sql, &s) : -ENOMEM, step = rc;

	sqlite3_free(sql);
	while (!rc && (step = db_step(s)) > 0) {
		int column = sqlite3_column_bytes(s, 3) ? 3 : 4;
		const char *module = (const char *)sqlite3_column_text(s, column);

		if (sqlite3_column_int(s, 0) != rank || sqlite3_column_int64(s, 1) != callsite) {
			if (rank >= 0)
				rc = each(context, rank, callsite, &key);
			rank = sqlite3_column_int(s, 0);
			callsite = sqlite3_column_int64(s, 1);
			stack_begin(&key);
		}
		stack_add(&key,
			module ? stack_module(module, (size_t)sqlite3_column_bytes(s, column)) : 0,
			sqlite3_column_int64(s, 2));
	}
	sqlite3_finalize(s);
	if (!rc && step == 0 && rank >= 0)
		rc = each(context, rank, callsite, &key);
	return rc ? rc : step;
}
