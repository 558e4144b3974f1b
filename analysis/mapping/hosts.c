/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: reads files of hosts, and finds the kind of link between two ranks (hosts.h). */
#include "analysis/mapping/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/file.h"
#include "analysis/format/db/db.h"
#include "analysis/replay/message.h"
#include "record.h"

enum { LINE_BYTES = 512 };

static const char *const kinds[REPLAY_TIERS] = { "inside a process", "inside a host",
	"between hosts" };

/* The number of the host of this name. REPLAY_NONE without memory. */
static uint32_t host_number(struct replay_hosts *h, const char *name)
{
	char **at;

	for (uint32_t i = 0; i < h->n; i++)
		if (strcmp(h->name[i], name) == 0)
			return i;
	at = replay_grow(&h->name, &h->n, sizeof(*h->name));
	if (!at)
		return REPLAY_NONE;
	*at = strdup(name);
	return *at ? h->n - 1 : REPLAY_NONE;
}

static int read_hosts(sqlite3 *db, const struct replay_graph *g, struct replay_hosts *h)
{
	sqlite3_stmt *q = NULL;
	uint32_t i = 0;
	int rc = db_prepare(db,
		"SELECT rank, value FROM run WHERE key = 'host' AND value IS NOT NULL"
		" ORDER BY rank",
		&q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const char *name = (const char *)sqlite3_column_text(q, 1);

		while (i < g->nranks && g->rank[i].rank < sqlite3_column_int(q, 0))
			i++;
		if (!name || i == g->nranks || g->rank[i].rank != sqlite3_column_int(q, 0))
			continue;
		h->was[i] = host_number(h, name);
		if (h->was[i] == REPLAY_NONE)
			rc = -ENOMEM;
	}
	sqlite3_finalize(q);
	return rc;
}

int replay_hosts_read(
	sqlite3 *db, const struct replay_graph *g, struct replay_hosts *h, const struct say *say)
{
	int rc;

	memset(h, 0, sizeof(*h));
	h->was = malloc(((size_t)g->nranks + 1) * sizeof(*h->was));
	h->is = malloc(((size_t)g->nranks + 1) * sizeof(*h->is));
	h->part_rank = calloc((size_t)g->nparts + 1, sizeof(*h->part_rank));
	if (!h->was || !h->is || !h->part_rank)
		return -ENOMEM;
	for (uint32_t i = 0; i < g->nranks; i++) {
		h->was[i] = REPLAY_NONE;
		for (uint32_t p = 0; p < g->rank[i].nparts; p++)
			h->part_rank[g->rank[i].first_part + p] = i;
	}
	rc = read_hosts(db, g, h);
	if (rc)
		return rc == -ENOMEM ? rc : db_say(db, rc, "read", say);
	for (uint32_t i = 0; i < g->nranks; i++)
		if (h->was[i] == REPLAY_NONE) {
			say_line(say, "cannot map ranks: the host of rank %d is unknown",
				g->rank[i].rank);
			return -EINVAL;
		}
	memcpy(h->is, h->was, g->nranks * sizeof(*h->is));
	return 0;
}

void replay_hosts_release(struct replay_hosts *h)
{
	for (uint32_t i = 0; i < h->n; i++)
		free(h->name[i]);
	free(h->name);
	free(h->was);
	free(h->is);
	free(h->part_rank);
	memset(h, 0, sizeof(*h));
}

/* One line of a file. NULL, or why it cannot be. */
static const char *take_line(const struct replay_graph *g, char *line, struct replay_hosts *h)
{
	char *name, *end;
	long rank;

	line[strcspn(line, "#\n")] = 0;
	line += strspn(line, " \t\r");
	if (!*line)
		return NULL;
	if (!isdigit((unsigned char)*line))
		return "it is RANK HOST";
	rank = strtol(line, &name, 10);
	if (*name && !strchr(" \t\r", *name))
		return "it is RANK HOST";
	end = name += strspn(name, " \t");
	end += strcspn(end, " \t\r");
	if (name == end || end[strspn(end, " \t\r")])
		return "it is RANK HOST";
	*end = 0;
	for (uint32_t i = 0; i < g->nranks; i++)
		if (g->rank[i].rank == rank) {
			h->is[i] = host_number(h, name);
			return h->is[i] == REPLAY_NONE ? "out of memory" : NULL;
		}
	return "the run has no such rank";
}

int replay_hosts_file(const struct replay_graph *g, const char *path, struct replay_hosts *h,
	const struct say *say)
{
	const int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);
	FILE *file = file_stream(fd, "r");
	const char *why = NULL;
	char line[LINE_BYTES];
	int n = 0;

	if (!file) {
		say_line(say, "cannot read '%s': %s", path,
			fd < 0 ? file_reason(-errno) : strerror(ENOMEM));
		return -EINVAL;
	}
	while (!why && fgets(line, sizeof(line), file)) {
		n++;
		why = strlen(line) == sizeof(line) - 1 ? "the line is too long" :
							 take_line(g, line, h);
	}
	fclose(file);
	if (!why)
		return 0;
	say_line(say, "%s:%d: %s", path, n, why);
	return -EINVAL;
}

void replay_hosts_in_turn(const struct replay_graph *g, bool by_node, struct replay_hosts *h)
{
	uint32_t next = 0;

	/* h->is is read behind rank i: each of these is a place that is still free */
	memcpy(h->is, h->was, g->nranks * sizeof(*h->is));
	for (uint32_t i = 0; i < g->nranks; i++) {
		uint32_t best = REPLAY_NONE;

		for (uint32_t k = i; k < g->nranks; k++) {
			const uint32_t off = (h->is[k] + h->n - next) % h->n;

			if (best == REPLAY_NONE || off < (h->is[best] + h->n - next) % h->n)
				best = k;
		}
		const uint32_t host = h->is[best];

		h->is[best] = h->is[i];
		h->is[i] = host;
		next = by_node ? (host + 1) % h->n : host;
	}
}

uint64_t replay_S_of(const struct replay_graph *g, const struct replay_scenario *s, int tier)
{
	uint64_t S = UINT64_MAX;

	for (uint32_t i = 0; i < g->nranks; i++)
		S = s->link[i][tier].is.S < S ? s->link[i][tier].is.S : S;
	return S;
}

/* Can the time of each message over its new link be told? */
static int check(
	const struct replay_graph *g, const struct replay_scenario *s, const struct say *say)
{
	for (uint32_t p = 0; p < g->nparts; p++) {
		const struct replay_part *part = &g->part[p];

		if (part->instance != REPLAY_NONE || !replay_link_changes(s, part) ||
			replay_time_is_known(g, s, p))
			continue;
		say_line(say,
			"cannot map ranks: messages between ranks %d and %d would go %s instead of "
			"%s, and the parameters of such links are unknown. Run tryst calibrate -o "
			"FILE on the program's hosts, with two ranks on one host, and give --links "
			"FILE",
			g->detail[p].rank, g->detail[part->partner].rank, kinds[s->tier[p]],
			kinds[part->tier < REPLAY_TIERS ? part->tier : TIER_NETWORK]);
		return -EINVAL;
	}
	return 0;
}

int replay_hosts_apply(const struct replay_graph *g, const struct replay_hosts *h,
	struct replay_scenario *s, const struct say *say)
{
	s->links_change = true;
	s->part = g->part;
	if (!s->tier)
		s->tier = malloc((size_t)g->nparts + 1);
	if (!s->tier)
		return -ENOMEM;
	for (int t = 0; t < REPLAY_TIERS; t++)
		if (!s->S_set[t])
			s->S[t] = replay_S_of(g, s, t);
	for (uint32_t p = 0; p < g->nparts; p++) {
		const struct replay_part *part = &g->part[p];
		uint32_t a, b;

		s->tier[p] = part->tier;
		if (!replay_is_message(part))
			continue;
		a = h->part_rank[p];
		b = h->part_rank[part->partner];
		if (a != b && (h->is[a] == h->is[b]) != (h->was[a] == h->was[b]))
			s->tier[p] = h->is[a] == h->is[b] ? TIER_NODE : TIER_NETWORK;
	}
	return check(g, s, say);
}
