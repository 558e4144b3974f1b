/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c: finds settings of the MPI library that may help a run (candidates.h). */
#include <config.h>

#include "analysis/format/db/db.h"
#include "analysis/tune/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tune/queries.h"

enum {
	HEADER = 80, /* Open MPI: bytes of a limit that are no payload, at most */
	LIMIT_MAX = 1 << 22,
	COVERED = 3
};

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Sizes that half, nine tenths and all of the tier's rendezvous messages in standard mode do not
 * exceed. False: there are no such messages, or no memory.
 */
static bool covering_sizes(const struct replay_graph *g, int tier, uint64_t size[COVERED])
{
	uint64_t *all = malloc(((size_t)g->nparts + 1) * sizeof(*all));
	size_t n = 0;

	for (uint32_t i = 0; all && i < g->nparts; i++) {
		const struct replay_part *part = &g->part[i];

		if (part->instance == REPLAY_NONE && part->is_send && part->rendezvous &&
			part->needs == NEEDS_PARTNER && !part->synchronous && part->tier == tier &&
			part->bytes <= LIMIT_MAX / 2)
			all[n++] = part->bytes;
	}
	if (n) {
		qsort(all, n, sizeof(*all), by_size);
		size[0] = all[n / 2];
		size[1] = all[n - 1 - n / 10];
		size[2] = all[n - 1];
	}
	free(all);
	return n > 0;
}

static bool is_there(const struct candidate *list, int n, const char *setting)
{
	for (int i = 0; i < n; i++)
		if (strcmp(list[i].setting, setting) == 0)
			return true;
	return false;
}

/* Adds setting `name` with the least power of two that covers `size` bytes. Returns the new n. */
static int add_limit(
	struct candidate *out, int n, const char *name, uint64_t size, double limit_now)
{
	const bool is_mca = strncmp(name, "btl_", 4) == 0;
	uint64_t limit = 1024;
	char setting[sizeof(out->setting)];

	while (limit < size + (is_mca ? HEADER : 1))
		limit *= 2;
	snprintf(setting, sizeof(setting), "%s%s=%llu", is_mca ? "OMPI_MCA_" : "", name,
		(unsigned long long)limit);
	if ((double)limit <= limit_now || n == CANDIDATES_MAX || is_there(out, n, setting))
		return n;
	out[n] = (struct candidate){ .S = limit - (is_mca ? HEADER : 1) };
	memcpy(out[n].setting, setting, sizeof(setting));
	return n + 1;
}

/* Are there messages that wait for the other side's progress? */
static bool waits_for_progress(const struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nparts; i++)
		if (g->part[i].progress_ns > 0)
			return true;
	return false;
}

static bool has_messages(const struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nparts; i++)
		if (g->part[i].instance == REPLAY_NONE && g->part[i].partner != REPLAY_NONE)
			return true;
	return false;
}

/* Adds settings that place ranks. Returns the new n, or a negative errno. */
static int add_placements(sqlite3 *db, struct candidate *out, int n)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(db, sql_tune_placements, &q);

	while (rc >= 0 && (rc = db_step(q)) > 0 && n < CANDIDATES_MAX) {
		const char *map = (const char *)sqlite3_column_text(q, 1);

		out[n] = (struct candidate){ .binds = !map };
		snprintf(out[n].setting, sizeof(out[n].setting), "%s",
			(const char *)sqlite3_column_text(q, 0));
		snprintf(out[n].map, sizeof(out[n].map), "%s", map ? map : "");
		n++;
	}
	sqlite3_finalize(q);
	return rc < 0 ? rc : n;
}

int candidates_find(sqlite3 *db, const struct replay_graph *g, struct candidate out[CANDIDATES_MAX])
{
	sqlite3_stmt *q = NULL;
	uint64_t size[COVERED];
	char shim[16];
	int n = 0, rc = db_prepare(db, sql_tune_limits, &q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const char *name = (const char *)sqlite3_column_text(q, 1);

		if (!name || !covering_sizes(g, sqlite3_column_int(q, 0), size))
			continue;
		for (int i = COVERED - 1; i >= 0; i--)
			n = add_limit(out, n, name, size[i], sqlite3_column_double(q, 2));
	}
	sqlite3_finalize(q);
	if (!rc && waits_for_progress(g) && n < CANDIDATES_MAX &&
		db_run_value(db, -1, "shim", shim, sizeof(shim)) == 0 && !strcmp(shim, "mpich"))
		out[n++] = (struct candidate){ "MPIR_CVAR_ASYNC_PROGRESS=1", .progress = true };
	return rc < 0 ? rc : has_messages(g) ? add_placements(db, out, n) : n;
}
