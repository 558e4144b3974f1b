/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c: reads LogGPS parameters of links from run.db and from files of tryst calibrate
 * (links.h). */
#include "analysis/replay/links.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/queries.h"
#include "record.h"

_Static_assert((int)REPLAY_TIERS == (int)TIER_COUNT, "a link of each tier");

/* Reads parameters into the links of a graph's ranks. */
struct reader {
	const struct replay_graph *g;
	struct replay_link (*link)[REPLAY_TIERS];
	const struct say *say;
	bool taken; /* from a file, links to other ranks */
};

static const struct {
	const char *name;
	size_t at;
	bool is_bytes;
} link_names[] = {
	{ "L", offsetof(struct loggps, L), false },
	{ "o", offsetof(struct loggps, o), false },
	{ "o_diff", offsetof(struct loggps, o_diff), false },
	{ "one_way", offsetof(struct loggps, one_way), false },
	{ "rendezvous", offsetof(struct loggps, rendezvous), false },
	{ "O_ss", offsetof(struct loggps, by[LOGGPS_SHORT].O_s), false },
	{ "O_rs", offsetof(struct loggps, by[LOGGPS_SHORT].O_r), false },
	{ "G_s", offsetof(struct loggps, by[LOGGPS_SHORT].G), false },
	{ "O_sl", offsetof(struct loggps, by[LOGGPS_LONG].O_s), false },
	{ "O_rl", offsetof(struct loggps, by[LOGGPS_LONG].O_r), false },
	{ "G_l", offsetof(struct loggps, by[LOGGPS_LONG].G), false },
	{ "O_sr", offsetof(struct loggps, by[LOGGPS_RENDEZVOUS].O_s), false },
	{ "O_rr", offsetof(struct loggps, by[LOGGPS_RENDEZVOUS].O_r), false },
	{ "G_r", offsetof(struct loggps, by[LOGGPS_RENDEZVOUS].G), false },
	{ "sum_s", offsetof(struct loggps, by[LOGGPS_SHORT].sum), false },
	{ "sum_l", offsetof(struct loggps, by[LOGGPS_LONG].sum), false },
	{ "sum_r", offsetof(struct loggps, by[LOGGPS_RENDEZVOUS].sum), false },
	{ "jump_l", offsetof(struct loggps, jump_long), false },
	{ "r_p", offsetof(struct loggps, r_p), false },
	{ "r_r", offsetof(struct loggps, r_r), false },
	{ "s", offsetof(struct loggps, s), true },
	{ "S", offsetof(struct loggps, S), true },
	{ "S_p", offsetof(struct loggps, S_p), true },
};

static void nothing_known(struct loggps *p)
{
	const struct loggps_slopes none = { NAN, NAN, NAN, NAN };

	*p = (struct loggps){ .L = NAN,
		.o = NAN,
		.one_way = NAN,
		.rendezvous = NAN,
		.jump_long = NAN,
		.knees_sr = NAN,
		.s = UINT64_MAX,
		.S = UINT64_MAX,
		.S_p = UINT64_MAX,
		.by = { none, none, none } };
}

static void take_parameter(struct loggps *p, const char *name, double value)
{
	for (size_t i = 0; i < sizeof(link_names) / sizeof(link_names[0]); i++) {
		char *at = (char *)p + link_names[i].at;

		if (strcmp(name, link_names[i].name) != 0)
			continue;
		if (!link_names[i].is_bytes)
			*(double *)at = value;
		else if (value >= 0 && value < REPLAY_BYTES_END)
			*(uint64_t *)at = (uint64_t)value;
	}
}

enum { LINKS_WAS, LINKS_IS };

/* The link of a kind of rank i: as it was, or as it is. which: LINKS_WAS or LINKS_IS. */
static struct loggps *link_at(const struct reader *r, uint32_t i, int tier, int which)
{
	return which == LINKS_WAS ? &r->link[i][tier].was : &r->link[i][tier].is;
}

/* Makes all links those of a query: rank (NULL: all), tier, name and value of a parameter. */
static int take_links(const struct reader *r, sqlite3 *db, const char *sql, int which)
{
	const uint32_t nranks = r->g->nranks;
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(db, sql, &q);

	for (uint32_t i = 0; i < nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			nothing_known(link_at(r, i, t, which));
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const bool all = sqlite3_column_type(q, 0) == SQLITE_NULL;
		const uint32_t only = all ? 0 : replay_rank_index(r->g, sqlite3_column_int64(q, 0));
		const int tier = sqlite3_column_int(q, 1);

		for (uint32_t i = only; i < (all || only == nranks ? nranks : only + 1); i++) {
			if (tier < 0 || tier >= REPLAY_TIERS)
				break;
			take_parameter(link_at(r, i, tier, which),
				(const char *)sqlite3_column_text(q, 2),
				sqlite3_column_double(q, 3));
		}
	}
	sqlite3_finalize(q);
	for (uint32_t i = 0; i < nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			loggps_complete(link_at(r, i, t, which));
	return rc ? db_say(db, rc, "read", r->say) : 0;
}

/* Do the parameters tell the protocol and the time of every message? */
static bool is_whole(const struct loggps *p)
{
	bool whole = !isnan(p->one_way) && p->S != UINT64_MAX;

	for (int i = 0; i < LOGGPS_REGIMES; i++)
		whole &= !isnan(p->by[i].sum);
	return whole;
}

/* Takes from a file the kinds of links that are still unknown. */
static int take_unknown_links(struct reader *r, sqlite3 *file)
{
	const int rc = take_links(r, file, sql_replay_links_of_file, LINKS_IS);

	for (uint32_t i = 0; i < r->g->nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++) {
			struct replay_link *link = &r->link[i][t];

			if (!isnan(link->was.one_way) &&
				(is_whole(&link->was) || !is_whole(&link->is)))
				continue;
			link->was = link->is;
			r->taken |= t != TIER_SELF && !isnan(link->is.one_way);
		}
	return rc;
}

int replay_links_read(sqlite3 *db, const struct replay_graph *g, sqlite3 *const *more,
	uint32_t nmore, struct replay_link (*link)[REPLAY_TIERS], bool *taken,
	const struct say *say)
{
	struct reader r = { g, link, say, false };
	int rc = take_links(&r, db, sql_replay_links, LINKS_WAS);

	for (uint32_t f = 0; f < nmore && !rc; f++)
		rc = take_unknown_links(&r, more[f]);
	for (uint32_t i = 0; i < g->nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			link[i][t].is = link[i][t].was;
	*taken = r.taken;
	return rc;
}

int replay_links_of_files(const struct replay_graph *g, sqlite3 *was, sqlite3 *is,
	struct replay_link (*link)[REPLAY_TIERS], const struct say *say)
{
	const struct reader r = { g, link, say, false };
	const int rc = take_links(&r, was, sql_replay_links_of_file, LINKS_WAS);

	return rc ? rc : take_links(&r, is, sql_replay_links_of_file, LINKS_IS);
}

/* Is it a send whose protocol is unknown, or guessed from its wait alone? */
static bool is_unknown(const struct replay_graph *g, uint32_t p)
{
	const struct replay_part *part = &g->part[p];

	return replay_is_message(part) && part->is_send && !part->synchronous && !part->buffered &&
		part->tier < REPLAY_TIERS && (!part->protocol_known || part->guessed);
}

void replay_protocols_by_S(struct replay_graph *g, const struct replay_link (*link)[REPLAY_TIERS])
{
	for (uint32_t p = 0; p < g->nparts; p++) {
		struct replay_part *send = &g->part[p];
		const uint64_t S = is_unknown(g, p) ?
			link[g->lane[send->lane].rank][send->tier].was.S :
			UINT64_MAX;

		if (S == UINT64_MAX)
			continue;
		g->eager_above_S += send->bytes > S && send->needs != NEEDS_PARTNER;
		send->rendezvous = send->bytes > S && send->needs == NEEDS_PARTNER;
		g->part[send->partner].rendezvous = send->rendezvous;
		send->protocol_known = true;
		g->part[p].guessed = false;
		if (!send->rendezvous)
			send->needs = NEEDS_NOBODY;
	}
	for (uint32_t c = 0; c < g->ncalls; c++)
		replay_call_late(g, &g->call[c]);
}
