/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.c: puts communicators together with their members (comms.h). */
#include <config.h>

#include "analysis/export/comms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/format/db/db.h"
#include "analysis/export/queries.h"

/* The most communicators and ranks that schema.sql has room for. A file with more is damaged. */
enum { COMMS_MAX = 1 << 24, RANKS_MAX = 1 << 20 };

static int by_world(const void *a, const void *b)
{
	const struct export_member *x = a, *y = b;

	return (x->world > y->world) - (x->world < y->world);
}

static struct export_comm *add_comm(struct export_comms *c, const char *name, uint32_t size)
{
	struct export_comm *more = realloc(c->comm, (c->n + 1) * sizeof(*more)), *comm;

	if (!more)
		return NULL;
	c->comm = more;
	comm = &more[c->n];
	comm->name = strdup(name);
	comm->size = size;
	comm->world = malloc(size * sizeof(*comm->world));
	comm->by_world = malloc(size * sizeof(*comm->by_world));
	c->n++;
	return comm->name && comm->world && comm->by_world ? comm : NULL;
}

static void sort_members(struct export_comm *comm)
{
	for (uint32_t i = 0; i < comm->size; i++)
		comm->by_world[i] = (struct export_member){ comm->world[i], (int32_t)i };
	qsort(comm->by_world, comm->size, sizeof(*comm->by_world), by_world);
}

static int number_comm(struct export_comms *c, uint32_t rank_index, uint32_t number, uint32_t comm)
{
	struct export_comm_numbers *r = &c->rank[rank_index];

	if (number >= COMMS_MAX)
		return 0;
	if (number >= r->n) {
		uint32_t i = r->n;

		if (array_cover(&r->of, sizeof(*r->of), &r->n, number))
			return -ENOMEM;
		for (; i < r->n; i++)
			r->of[i] = EXPORT_COMM_WORLD;
	}
	r->of[number] = comm;
	return 0;
}

/* Members of one communicator, one behind the other as (rank in it, rank in the world, number). */
struct group {
	int64_t uid;
	char name[128];
	int64_t size;
	bool inter;
	struct {
		int32_t rank, world;
		uint32_t number;
	} * member;
	uint32_t n, room;
};

static int add_member(struct group *g, int32_t rank, int32_t world, uint32_t number)
{
	if (array_room(&g->member, sizeof(*g->member), &g->room, g->n))
		return -ENOMEM;
	g->member[g->n].rank = rank;
	g->member[g->n].world = world;
	g->member[g->n++].number = number;
	return 0;
}

/* All rows of the group are in memory. Makes a communicator of it if no member is missing. */
static int end_group(struct export_run *run, struct export_comms *c, const struct group *g)
{
	struct export_comm *comm = NULL;
	uint32_t index = EXPORT_COMM_WORLD;
	int rc = 0;

	if (g->n == 0)
		return 0;
	if (g->size == 1 && !g->inter) {
		index = EXPORT_COMM_SELF;
	} else if (!g->inter && g->n == g->size && strcmp(g->name, "MPI_COMM_WORLD") != 0) {
		index = c->n;
		comm = add_comm(c, g->name, g->n);
		if (!comm)
			return -ENOMEM;
		for (uint32_t i = 0; i < g->n; i++)
			comm->world[i] = -1;
	}
	for (uint32_t i = 0; i < g->n && !rc; i++) {
		int64_t at = export_rank_index(run, g->member[i].world);

		if (comm && g->member[i].rank >= 0 && g->member[i].rank < g->size)
			comm->world[g->member[i].rank] = g->member[i].world;
		if (at >= 0)
			rc = number_comm(c, (uint32_t)at, g->member[i].number, index);
	}
	if (comm)
		sort_members(comm);
	return rc;
}

static int read_groups(struct export_run *run, struct export_comms *c)
{
	struct group g = { 0 };
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(run->db, sql_export_members, &s);

	if (step)
		return db_say(run->db, step, "read", run->say);
	while (!rc && (step = db_step(s)) > 0) {
		const char *name = (const char *)sqlite3_column_text(s, 5);

		if (g.n == 0 || sqlite3_column_int64(s, 0) != g.uid) {
			rc = end_group(run, c, &g);
			g.n = 0;
			g.uid = sqlite3_column_int64(s, 0);
			g.size = sqlite3_column_int64(s, 4);
			g.inter = sqlite3_column_type(s, 6) != SQLITE_NULL &&
				sqlite3_column_int64(s, 6) != 0;
			if (name && *name)
				snprintf(g.name, sizeof g.name, "%s", name);
			else
				snprintf(g.name, sizeof g.name, "communicator %u", c->n);
		}
		if (!rc)
			rc = add_member(&g, sqlite3_column_int(s, 1), sqlite3_column_int(s, 2),
				(uint32_t)sqlite3_column_int64(s, 3));
	}
	if (!rc)
		rc = end_group(run, c, &g);
	sqlite3_finalize(s);
	free(g.member);
	return rc ? rc : step ? db_say(run->db, step, "read", run->say) : 0;
}

static uint32_t read_world_size(struct export_run *run)
{
	int64_t size = db_int(run->db, sql_export_world_size, 0);

	if (run->nranks && run->rank[run->nranks - 1].rank >= size)
		size = run->rank[run->nranks - 1].rank + 1;
	return size > 0 && size <= RANKS_MAX ? (uint32_t)size : 1;
}

int export_comms_read(struct export_run *run, struct export_comms *out)
{
	struct export_comm *world;
	int rc = 0;

	memset(out, 0, sizeof(*out));
	out->world_size = read_world_size(run);
	out->rank = calloc(run->nranks + 1, sizeof(*out->rank));
	world = add_comm(out, "MPI_COMM_WORLD", out->world_size);
	if (!out->rank || !world) {
		rc = -ENOMEM;
	} else {
		for (uint32_t i = 0; i < out->world_size; i++)
			world->world[i] = (int32_t)i;
		sort_members(world);
		rc = read_groups(run, out);
	}
	if (rc == -ENOMEM)
		say_line(run->say, "out of memory");
	if (rc)
		export_comms_release(out, run);
	return rc;
}

void export_comms_release(struct export_comms *c, const struct export_run *run)
{
	for (uint32_t i = 0; i < c->n; i++) {
		free(c->comm[i].name);
		free(c->comm[i].world);
		free(c->comm[i].by_world);
	}
	for (uint32_t i = 0; c->rank && i < run->nranks; i++)
		free(c->rank[i].of);
	free(c->rank);
	free(c->comm);
	memset(c, 0, sizeof(*c));
}

uint32_t export_comm_of(const struct export_comms *c, uint32_t rank_index, uint32_t number)
{
	const struct export_comm_numbers *r = &c->rank[rank_index];

	return number < r->n ? r->of[number] : EXPORT_COMM_WORLD;
}

int32_t export_comm_rank(const struct export_comms *c, uint32_t comm, int32_t world)
{
	const struct export_member key = { world, 0 }, *found;

	found = bsearch(&key, c->comm[comm].by_world, c->comm[comm].size, sizeof(key), by_world);
	return found ? found->rank : -1;
}
