/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c: finds settings of the MPI library that may help a run (candidates.h). */
#include <config.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/scenario.h"
#include "analysis/tune/candidates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/tune/queries.h"
#include "record.h"

enum {
	HEADER = 80, /* Open MPI: bytes of a limit that are no payload, at most */
	COVERED = 3
};

/*
 * The largest limit that is tried for each setting [B]. With larger ones of vader or sm, Open MPI's
 * buffers do not fit into its shared memory (4 MiB, 16 MiB), and ranks cannot reach each other.
 */
static const struct {
	const char *name;
	uint64_t max;
} largest[] = { { "btl_vader_eager_limit", 256 << 10 }, { "btl_sm_eager_limit", 1 << 20 },
	{ "btl_tcp_eager_limit", 4 << 20 }, { "UCX_RNDV_THRESH", 4 << 20 } };

static uint64_t largest_limit(const char *name)
{
	for (size_t i = 0; i < sizeof(largest) / sizeof(largest[0]); i++)
		if (strcmp(largest[i].name, name) == 0)
			return largest[i].max;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Sizes that half, nine tenths and all of the tiers' rendezvous messages in standard mode do not
 * exceed. Messages that need a limit above `max` do not count; *larger: there are such. False:
 * there are no others, or no memory.
 */
static bool covering_sizes(const struct replay_graph *g, unsigned tiers, uint64_t max,
	uint64_t size[COVERED], bool *larger)
{
	uint64_t *all = malloc(((size_t)g->nparts + 1) * sizeof(*all));
	size_t n = 0;

	*larger = false;
	for (uint32_t i = 0; all && i < g->nparts; i++) {
		const struct replay_part *part = &g->part[i];

		if (part->instance != REPLAY_NONE || !part->is_send || !part->rendezvous ||
			part->needs != NEEDS_PARTNER || part->synchronous ||
			!(tiers & 1u << part->tier))
			continue;
		if (part->bytes + HEADER <= max)
			all[n++] = part->bytes;
		else
			*larger = true;
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
static int add_limit(struct candidate *out, int n, unsigned tiers, const char *name, uint64_t size,
	double limit_now)
{
	const bool is_mca = strncmp(name, "btl_", 4) == 0;
	uint64_t limit = 1024;
	char setting[sizeof(out->setting)];
	const char *own;

	snprintf(setting, sizeof(setting), "%s%s", is_mca ? "OMPI_MCA_" : "", name);
	own = getenv(setting);
	if (own && strtod(own, NULL) > 0)
		limit_now = strtod(own, NULL);
	while (limit < size + (is_mca ? HEADER : 1))
		limit *= 2;
	snprintf(setting + strlen(setting), sizeof(setting) - strlen(setting), "=%llu",
		(unsigned long long)limit);
	if ((double)limit <= limit_now || n == CANDIDATES_MAX || is_there(out, n, setting))
		return n;
	out[n] = (struct candidate){ .S = limit - (is_mca ? HEADER : 1), .tiers = tiers };
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
		if (replay_is_message(&g->part[i]))
			return true;
	return false;
}

/*
 * Adds what the user's value of the setting has behind its first word, such as ":oversubscribe",
 * which the new value would lose. False: the user's value lists places, as ppr:2:node and user:0,1
 * do. No other value can stand for it.
 */
static bool keep_modifiers(struct candidate *c)
{
	const size_t length = strcspn(c->setting, "="), at = strlen(c->setting);
	char name[sizeof(c->setting)];
	const char *value, *more;

	snprintf(name, sizeof(name), "%.*s", (int)length, c->setting);
	value = getenv(name);
	if (value && (strncasecmp(value, "ppr:", 4) == 0 || strncasecmp(value, "user:", 5) == 0))
		return false;
	more = value ? strchr(value, ':') : NULL;
	if (more)
		snprintf(c->setting + at, sizeof(c->setting) - at, "%s", more);
	return true;
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
		n += keep_modifiers(&out[n]);
	}
	sqlite3_finalize(q);
	return rc < 0 ? rc : n;
}

int candidates_find(sqlite3 *db, const struct replay_graph *g, struct candidate out[CANDIDATES_MAX],
	struct text *notes)
{
	sqlite3_stmt *q = NULL;
	uint64_t size[COVERED];
	char shim[16];
	int n = 0, rc = db_prepare(db, sql_tune_limits, &q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const unsigned tiers = (sqlite3_column_int(q, 0) ? 1u << TIER_NODE : 0) |
			(sqlite3_column_int(q, 1) ? 1u << TIER_NETWORK : 0);
		const char *name = (const char *)sqlite3_column_text(q, 2);
		const uint64_t max = name ? largest_limit(name) : 0;
		bool larger;

		if (max && covering_sizes(g, tiers, max, size, &larger))
			for (int i = COVERED - 1; i >= 0; i--)
				n = add_limit(
					out, n, tiers, name, size[i], sqlite3_column_double(q, 3));
		else if (max && larger)
			text_addf(notes, "%s: left out: no message fits into %" PRIu64 " KiB.\n",
				name, max / 1024);
	}
	sqlite3_finalize(q);
	if (!rc && waits_for_progress(g) && n < CANDIDATES_MAX &&
		db_run_value(db, -1, "shim", shim, sizeof(shim)) == 0 && !strcmp(shim, "mpich"))
		out[n++] = (struct candidate){ "MPIR_CVAR_ASYNC_PROGRESS=1", .progress = true };
	return rc < 0 ? rc : has_messages(g) ? add_placements(db, out, n) : n;
}

/* Options of launchers by which the user places or binds ranks. Names are without dashes. */
static const char *const mapping_options[] = { "map-by", "rank-by", "bynode", "byslot", "pernode",
	"npernode", "npersocket", "ppr", "N", "ppn", "perhost", "rankfile", "rf", NULL };
static const char *const binding_options[] = { "bind-to", "bind-to-core", "bind-to-socket",
	"bind-to-none", "cpu-set", "cpu-list", "binding", NULL };
/* Hydra's -map-by chooses CPUs. */
static const char *const per_host_options[] = { "ppn", "perhost", NULL };

bool candidate_is_overridden(const struct candidate *c, const struct launch *l)
{
	const bool is_option = *c->setting == '-';
	const char *const *option = is_option ? per_host_options :
		*c->map                       ? mapping_options :
						binding_options;
	const char *parameter;
	char name[sizeof(c->setting)];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->setting, "="), c->setting);
	parameter = strstr(name, "_MCA_");
	if (is_option ? l->launcher < 0 :
			launch_sets(l, name) || (parameter && launch_sets(l, parameter + 5)))
		return true;
	if (!*c->map && !c->binds)
		return false;
	for (; *option; option++)
		if (launch_has_option(l, *option))
			return true;
	return launch_is_by(l, "srun");
}

static const char *const tier_names[REPLAY_TIERS] = { "self", "node", "network" };

void candidate_put_change(const struct candidate *c, struct text *to)
{
	const char *comma = "";

	for (int tier = 0; tier < REPLAY_TIERS; tier++)
		if (c->tiers & 1u << tier) {
			text_addf(to, "%s%s.S=%" PRIu64, comma, tier_names[tier], c->S);
			comma = ",";
		}
}

/* S of a tier in a file of tryst calibrate [B]; 0: unknown. */
static uint64_t S_of(sqlite3 *links, int tier)
{
	sqlite3_stmt *q = NULL;
	uint64_t S = 0;

	if (db_prepare(links, sql_tune_limit, &q) == 0 &&
		sqlite3_bind_text(q, 1, tier_names[tier], -1, SQLITE_STATIC) == 0 &&
		db_step(q) == 1)
		S = (uint64_t)sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	return S;
}

uint64_t candidate_S(const struct candidate *c, sqlite3 *was, sqlite3 *is, bool *changed)
{
	uint64_t S = 0;

	*changed = false;
	for (int tier = 0; tier < REPLAY_TIERS && !*changed; tier++) {
		const uint64_t now = c->tiers & 1u << tier ? S_of(is, tier) : 0;

		*changed = now && now != S_of(was, tier);
		S = now ? now : S;
	}
	return S;
}
