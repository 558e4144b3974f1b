/* SPDX-License-Identifier: BSD-3-Clause */
/* mapping.c: makes mappings, searches for the best, and puts the ranks there (mapping.h). */
#include "analysis/mapping/mapping.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/mapping/pace.h"
#include "analysis/mapping/hosts.h"
#include "analysis/replay/run.h"
#include "record.h"

enum { PASSES = 50 };

/* Between two ranks: what their messages take more between hosts than inside one [ns]. */
struct tie {
	uint32_t a, b;
	double ns;
};

/* What each rank costs away from each of its partners. */
struct ties {
	struct tie *of; /* by a, then b */
	uint32_t n;
	uint32_t *first; /* by rank: its first one; behind the last rank: n */
};

static int by_ranks(const void *x, const void *y)
{
	const struct tie *a = x, *b = y;

	return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

/* One of each two ranks, in both directions. */
static void join_ties(struct ties *t, uint32_t nranks)
{
	uint32_t n = 0;

	if (t->n)
		qsort(t->of, t->n, sizeof(*t->of), by_ranks);
	for (uint32_t i = 0; i < t->n; i++) {
		if (n && t->of[n - 1].a == t->of[i].a && t->of[n - 1].b == t->of[i].b)
			t->of[n - 1].ns += t->of[i].ns;
		else
			t->of[n++] = t->of[i];
	}
	t->n = n;
	for (uint32_t i = 0, r = 0; r <= nranks; r++) {
		while (i < n && t->of[i].a < r)
			i++;
		t->first[r] = i;
	}
}

/* 1: a kind of link is unknown. */
static int find_ties(const struct replay_graph *g, const struct replay_hosts *h,
	const struct replay_scenario *s, struct ties *t)
{
	t->first = calloc((size_t)g->nranks + 1, sizeof(*t->first));
	if (!t->first)
		return -ENOMEM;
	for (uint32_t p = 0; p < g->nparts; p++) {
		const struct replay_part *part = &g->part[p];
		const struct replay_link *link;
		uint32_t a, b;
		double ns;

		if (!part->is_send || !replay_is_message(part))
			continue;
		a = h->part_rank[p];
		b = h->part_rank[part->partner];
		if (a == b)
			continue;
		link = s->link[a];
		ns = loggps_message(&link[TIER_NETWORK].is, part->bytes, part->synchronous, 0) -
			loggps_message(&link[TIER_NODE].is, part->bytes, part->synchronous, 0);
		if (isnan(ns))
			return 1;
		for (int k = 0; k < 2; k++) {
			struct tie *tie = replay_grow(&t->of, &t->n, sizeof(*t->of));

			if (!tie)
				return -ENOMEM;
			*tie = (struct tie){ k ? b : a, k ? a : b, ns };
		}
	}
	join_ties(t, g->nranks);
	return 0;
}

/*
 * The hosts of ranks while ranks are exchanged. A host has a place for each of its ranks. near_ns
 * is a table by rank and host. With it, six numbers judge an exchange of two ranks, however many
 * partners they have.
 */
struct places {
	const struct ties *t;
	uint32_t nranks, nhosts;
	uint32_t *host_of;
	double *near_ns; /* by rank, then host: ties of the rank to those on the host */
	uint32_t *first; /* by host: its first place; behind the last host: nranks */
	uint32_t *rank_at, *place_of;
	uint32_t *tried; /* by host: 1 + the rank that was last to try it */
};

static double *near_of(const struct places *p, uint32_t rank)
{
	return p->near_ns + (size_t)rank * p->nhosts;
}

static void fill_places(struct places *p)
{
	const struct ties *t = p->t;

	for (uint32_t r = 0; r < p->nranks; r++) {
		p->first[p->host_of[r] + 1]++;
		for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++)
			near_of(p, r)[p->host_of[t->of[i].b]] += t->of[i].ns;
	}
	for (uint32_t h = 0; h < p->nhosts; h++)
		p->first[h + 1] += p->first[h];
	/* filled from the end, so each host's index moves down to its first place */
	for (uint32_t r = p->nranks; r-- > 0;) {
		p->place_of[r] = --p->first[p->host_of[r] + 1];
		p->rank_at[p->place_of[r]] = r;
	}
	memmove(p->first, p->first + 1, p->nhosts * sizeof(*p->first));
	p->first[p->nhosts] = p->nranks;
}

static void release_places(struct places *p)
{
	free(p->near_ns);
	free(p->first);
	free(p->rank_at);
	free(p->place_of);
	free(p->tried);
}

/* The caller sets the first four fields, and releases *p in any case. Returns 0 or -ENOMEM. */
static int make_places(struct places *p)
{
	const size_t hosts = (size_t)p->nhosts + 2, ranks = (size_t)p->nranks + 1;

	p->near_ns = calloc(ranks * hosts, sizeof(*p->near_ns));
	p->first = calloc(hosts, sizeof(*p->first));
	p->rank_at = calloc(ranks, sizeof(*p->rank_at));
	p->place_of = calloc(ranks, sizeof(*p->place_of));
	p->tried = calloc(hosts, sizeof(*p->tried));
	if (!p->near_ns || !p->first || !p->rank_at || !p->place_of || !p->tried)
		return -ENOMEM;
	fill_places(p);
	return 0;
}

/* The tie of two ranks [ns]; 0: they have none. */
static double between(const struct ties *t, uint32_t a, uint32_t b)
{
	const struct tie key = { .a = a, .b = b };
	const uint32_t first = t->first[a], n = t->first[a + 1] - first;
	const struct tie *found = n ? bsearch(&key, t->of + first, n, sizeof(key), by_ranks) : NULL;

	return found ? found->ns : 0;
}

/* Moves the rank to place `to` on `host`, and updates near_ns of its partners. */
static void move(struct places *p, uint32_t rank, uint32_t host, uint32_t to)
{
	const struct ties *t = p->t;

	for (uint32_t i = t->first[rank]; i < t->first[rank + 1]; i++) {
		near_of(p, t->of[i].b)[p->host_of[rank]] -= t->of[i].ns;
		near_of(p, t->of[i].b)[host] += t->of[i].ns;
	}
	p->host_of[rank] = host;
	p->place_of[rank] = to;
	p->rank_at[to] = rank;
}

/* Exchanges rank a with the one on host y that lowers the cost most, if any does. */
static bool exchange(struct places *p, uint32_t a, uint32_t y)
{
	const uint32_t x = p->host_of[a], from = p->place_of[a];
	const double *of_a = near_of(p, a);
	double most = 1; /* ns: rounding is no gain */
	uint32_t best = from;

	for (uint32_t place = p->first[y]; place < p->first[y + 1]; place++) {
		const uint32_t b = p->rank_at[place];
		const double *of_b = near_of(p, b);
		double gain = of_a[y] - of_a[x] + of_b[x] - of_b[y];

		if (gain > most) /* a and b stay on different hosts */
			gain -= 2 * between(p->t, a, b);
		if (gain <= most)
			continue;
		most = gain;
		best = place;
	}
	if (best == from)
		return false;
	move(p, p->rank_at[best], x, from);
	move(p, a, y, best);
	return true;
}

/* Exchanges ranks while that lowers the cost: one of the two must come to a partner. */
static int descend(const struct ties *t, const struct replay_graph *g, struct replay_hosts *h)
{
	struct places p = { .t = t, .nranks = g->nranks, .nhosts = h->n, .host_of = h->is };
	int rc = make_places(&p);
	bool better = !rc;

	for (int pass = 0; pass < PASSES && better; pass++) {
		better = false;
		memset(p.tried, 0, p.nhosts * sizeof(*p.tried));
		for (uint32_t a = 0; a < p.nranks; a++)
			for (uint32_t i = t->first[a]; i < t->first[a + 1]; i++) {
				const uint32_t host = p.host_of[t->of[i].b];

				if (host == p.host_of[a] || p.tried[host] == a + 1)
					continue;
				p.tried[host] = a + 1;
				better |= exchange(&p, a, host);
			}
	}
	release_places(&p);
	return rc;
}

/* Replays the mapping h->is. *run_ns: INT64_MAX: it would hang. */
static int try_mapping(struct replay_graph *g, const struct replay_hosts *h,
	struct replay_scenario *s, int64_t *run_ns, const struct say *say)
{
	const int rc = replay_hosts_apply(g, h, s, say);

	return rc ? rc : replay_median(g, s, run_ns);
}

/* Leaves in h->is the best mapping that was found. */
static int search(struct replay_graph *g, struct replay_hosts *h, struct replay_scenario *s,
	const struct say *say)
{
	struct ties t = { 0 };
	uint32_t *best = malloc(((size_t)g->nranks + 1) * sizeof(*best));
	int64_t least = INT64_MAX, ns;
	int rc = best ? find_ties(g, h, s, &t) : -ENOMEM;

	if (rc > 0) {
		say_line(say,
			"cannot search a mapping: parameters of links inside a host or between "
			"hosts are unknown: --links FILE of tryst calibrate");
		rc = -EINVAL;
	}
	/* the run's own mapping, and three that descend */
	for (int from = 0; from < 4 && !rc; from++) {
		memcpy(h->is, h->was, g->nranks * sizeof(*h->is));
		if (from > 1)
			replay_hosts_in_turn(g, from == 2, h);
		if (from > 0)
			rc = descend(&t, g, h);
		if (!rc)
			rc = try_mapping(g, h, s, &ns, say);
		if (!rc && (ns < least || from == 0)) {
			least = ns;
			memcpy(best, h->is, g->nranks * sizeof(*best));
		}
	}
	if (!rc)
		memcpy(h->is, best, g->nranks * sizeof(*best));
	free(t.of);
	free(t.first);
	free(best);
	return rc;
}

/* Ranks of the run on one host have nowhere else to go. */
static int one_host(const struct say *say)
{
	say_line(
		say, "cannot map ranks: the run used one host. A file can name others: --map FILE");
	return -EINVAL;
}

/* Does the scenario change links between hosts, without a pure model, an ideal network or pieces?
 */
static bool network_changes(const struct replay_graph *g, const struct replay_scenario *s)
{
	bool changes = s->S_set[TIER_NETWORK] || s->S_p_set[TIER_NETWORK];

	if (s->model != REPLAY_MEASURED || s->ideal || s->piece_bytes || !s->link)
		return false;
	for (uint32_t r = 0; r < g->nranks && !changes; r++) {
		const struct replay_link *link = &s->link[r][TIER_NETWORK];

		changes = memcmp(&link->is, &link->was, sizeof(link->is)) != 0;
	}
	return changes;
}

/* Puts the ranks where `map` says, unless it is a search. */
static int place(const struct replay_graph *g, const char *map, struct replay_hosts *hosts,
	const struct say *say)
{
	const bool by_node = strcmp(map, "by-node") == 0;
	const bool in_turn = by_node || strcmp(map, "by-slot") == 0;
	const bool searches = strcmp(map, "search") == 0;

	if ((in_turn || searches) && hosts->n < 2)
		return one_host(say);
	if (in_turn)
		replay_hosts_in_turn(g, by_node, hosts);
	return in_turn || searches ? 0 : replay_hosts_file(g, map, hosts, say);
}

/* Reads the hosts of the run, once. Without changes->map an unknown host is no error: n stays 0. */
static int read_hosts(sqlite3 *db, const struct replay_graph *g,
	const struct replay_changes *changes, struct replay_hosts *hosts, const struct say *say)
{
	const int rc = hosts->n ? 0 : replay_hosts_read(db, g, hosts, changes->map ? say : NULL);

	if (rc == -EINVAL && !changes->map) {
		replay_hosts_release(hosts);
		return 0;
	}
	if (rc)
		return rc;
	memcpy(hosts->is, hosts->was, g->nranks * sizeof(*hosts->is));
	return changes->map || hosts->n > 1 ? replay_cuts_read(db, changes, &hosts->cuts, say) : 0;
}

/* The scenario follows messages from now on. */
static void follow(struct replay_scenario *s, const struct replay_hosts *hosts)
{
	s->host_of = hosts->is;
	s->cuts = &hosts->cuts;
	s->ways_in_free = hosts->ways_in_free;
	s->pace = hosts->pace;
}

int replay_follow(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	struct replay_scenario *s, struct replay_hosts *hosts, const struct say *say)
{
	const char *map = changes->map;
	const bool changed = network_changes(g, s);
	int64_t ns;
	int rc;

	if (!map && !changed)
		return 0;
	rc = read_hosts(db, g, changes, hosts, say);
	if (rc || (!map && hosts->n < 2))
		return rc;
	if (map)
		rc = place(g, map, hosts, say);
	if (!rc && !hosts->pace)
		rc = replay_find_pace(g, s, hosts);
	/* without a pace, measured times and the model's differences tell more */
	if (rc || (!map && !hosts->pace_known))
		return rc;
	follow(s, hosts);
	/* ranks on other hosts may need less of what the model lacks, or more of it */
	s->rest_ns = map ? 0 : hosts->rest_ns;
	if (map && strcmp(map, "search") == 0)
		rc = search(g, hosts, s, say);
	s->moves = memcmp(hosts->is, hosts->was, g->nranks * sizeof(*hosts->is)) != 0;
	if (!rc)
		rc = replay_hosts_apply(g, hosts, s, say);
	if (!s->moves && !changed)
		s->host_of = NULL;
	if (!rc)
		rc = replay_median(g, s, &ns);
	if (map && s->host_of) {
		s->off = hosts->off;
		s->chance_ns = hypot(s->chance_ns, (double)hosts->rest_ns);
	}
	return rc;
}

int replay_table_map(sqlite3 *db, const struct replay_graph *g, const struct replay_hosts *hosts,
	const struct say *say)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_map", &q);

	for (uint32_t i = 0; i < g->nranks && hosts->n && !rc; i++) {
		sqlite3_bind_int64(q, 1, g->rank[i].rank);
		sqlite3_bind_text(q, 2, hosts->name[hosts->was[i]], -1, SQLITE_STATIC);
		sqlite3_bind_text(q, 3, hosts->name[hosts->is[i]], -1, SQLITE_STATIC);
		rc = db_execute(q);
	}
	sqlite3_finalize(q);
	return rc ? db_say(db, rc, "write", say) : 0;
}
