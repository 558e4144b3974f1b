/* SPDX-License-Identifier: BSD-3-Clause */
/* run_links.c: reads the link parameters between the ranks of a run (run_links.h). */
#include "analysis/links/run_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/links/row.h"
#include "analysis/links/queries.h"

enum { LINK_ROWS_MAX = 1 << 16 };

/*
 * The index of the link of tier `tier` from hosts of kind `own`; over the network, to hosts of kind
 * `other`.
 */
static size_t place(const struct run_links *l, unsigned own, unsigned tier, unsigned other)
{
	return own * (TIER_NETWORK + l->nkinds) + tier + (tier == TIER_NETWORK ? other : 0);
}

static size_t nlinks(const struct run_links *l)
{
	return l->nkinds * (TIER_NETWORK + l->nkinds);
}

/* As in the shim (hosts/link_kinds.c), kinds beyond the limit count as the last kind. */
static unsigned kind_number(struct run_links *l, int64_t lowest)
{
	unsigned k = 0;

	while (k < l->nkinds && l->kind_rank[k] != lowest)
		k++;
	if (k == HOST_KINDS_MAX)
		return HOST_KINDS_MAX - 1;
	if (k == l->nkinds)
		l->kind_rank[l->nkinds++] = (int32_t)lowest;
	return k;
}

/* A rank without a kind has the lowest rank's kind: if all hosts are alike, no rank has one. */
static int read_kinds(struct run_links *l, const struct run_ranks *ranks)
{
	sqlite3_stmt *s;
	int rc = db_prepare(ranks->db, sql_links_host_kinds, &s);

	l->kind_of = calloc(ranks->n, sizeof(*l->kind_of));
	if (rc || !l->kind_of) {
		sqlite3_finalize(s);
		return rc ? db_say(ranks->db, rc, "read", ranks->say) : -ENOMEM;
	}
	while ((rc = db_step(s)) > 0) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(s, 0));

		if (rank)
			l->kind_of[rank - ranks->at] =
				(uint8_t)kind_number(l, sqlite3_column_int64(s, 1));
	}
	sqlite3_finalize(s);
	if (l->nkinds == 0)
		kind_number(l, -1);
	return rc ? db_say(ranks->db, rc, "read", ranks->say) : 0;
}

/*
 * True if these rows describe a known link. Values learned during the run with another link's
 * parameters are not enough.
 */
static bool take_rows(
	struct run_link *link, const struct rec_link *row, size_t n, unsigned tier, int32_t peer)
{
	if (live_link_of_peer(row, n, (int)tier, peer, &link->live) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(row[i].name, "async_progress") == 0 && row[i].value > 0) {
			link->alone[0] |= strcmp(row[i].form, "isend") == 0;
			link->alone[1] |= strcmp(row[i].form, "irecv") == 0;
		} else if (strcmp(row[i].name, "G_l") == 0 && strcmp(row[i].model, "LogGPS") == 0 &&
			!row[i].form[0] && !row[i].layout[0] && row[i].value > 0) {
			link->byte_ns = row[i].value;
		}
	return true;
}

/* State for reading one link after the other. */
struct link_reader {
	struct run_links *links;
	const struct run_ranks *ranks;
	sqlite3_stmt *find;   /* by rank, tier and peer */
	struct rec_link *row; /* [LINK_ROWS_MAX] */
};

/*
 * Reads the link of hosts of kind `own` from rows with this peer (-1: without one). Returns 1, or 0
 * if no rank knows it.
 */
static int read_link(const struct link_reader *r, unsigned own, unsigned tier, int32_t peer,
	struct run_link *out)
{
	int rc = 0;
	bool known = false;

	for (uint32_t i = 0; i < r->ranks->n && !known && !rc; i++) {
		size_t n = 0;

		if (r->links->kind_of[i] != own)
			continue;
		sqlite3_bind_int(r->find, 1, r->ranks->at[i].rank);
		sqlite3_bind_text(r->find, 2, link_tier_name(tier), -1, SQLITE_STATIC);
		sqlite3_bind_int(r->find, 3, peer);
		while ((rc = db_step(r->find)) > 0 && n < LINK_ROWS_MAX)
			n += link_row_read(r->find, 1, &r->row[n]) == 0;
		sqlite3_reset(r->find);
		known = n > 0 && take_rows(out, r->row, n, tier, peer);
		if (rc > 0)
			rc = 0;
	}
	return rc ? db_say(r->ranks->db, rc, "read", r->ranks->say) : known;
}

/* A link to another kind of host is better than none, as in live_link_to(). */
static int read_network(const struct link_reader *r, unsigned own)
{
	struct run_links *l = r->links;
	struct run_link *alike = &l->link[place(l, own, TIER_NETWORK, own)];
	int rc = read_link(r, own, TIER_NETWORK, -1, alike);

	for (unsigned other = 0; other < l->nkinds && rc >= 0; other++) {
		struct run_link *out = &l->link[place(l, own, TIER_NETWORK, other)];

		if (other == own)
			continue;
		rc = read_link(r, own, TIER_NETWORK, l->kind_rank[other], out);
		if (rc == 0)
			*out = *alike;
	}
	return rc;
}

static int read_links(const struct link_reader *r)
{
	struct run_links *l = r->links;
	int rc = 0;

	for (unsigned own = 0; own < l->nkinds && rc >= 0; own++) {
		for (unsigned tier = 0; tier < TIER_NETWORK && rc >= 0; tier++)
			rc = read_link(r, own, tier, -1, &l->link[place(l, own, tier, 0)]);
		if (rc >= 0)
			rc = read_network(r, own);
	}
	return rc < 0 ? rc : 0;
}

int run_links_init(struct run_links *l, const struct run_ranks *ranks)
{
	struct link_reader r = { .links = l, .ranks = ranks };
	int rc = read_kinds(l, ranks), step;

	if (rc)
		return rc;
	l->link = calloc(nlinks(l) + 1, sizeof(*l->link));
	r.row = malloc(LINK_ROWS_MAX * sizeof(*r.row));
	if (!l->link || !r.row) {
		free(r.row);
		return -ENOMEM;
	}
	step = db_prepare(ranks->db, sql_links_links, &r.find);
	rc = step ? db_say(ranks->db, step, "read", ranks->say) : read_links(&r);
	sqlite3_finalize(r.find);
	free(r.row);
	return rc;
}

void run_links_release(struct run_links *l)
{
	free(l->kind_of);
	free(l->link);
	memset(l, 0, sizeof(*l));
}

struct run_link *run_links_of(
	const struct run_links *l, const struct run_ranks *ranks, const struct op *op)
{
	const unsigned tier = op_tier_of(op), own = l->kind_of[op->rank - ranks->at];
	const struct run_rank *peer = NULL;

	if (tier >= TIER_COUNT)
		return &l->link[nlinks(l)];
	if (tier == TIER_NETWORK && l->nkinds > 1)
		peer = op->partner ? op->partner->rank : rank_find(ranks, op->peer);
	return &l->link[place(l, own, tier, peer ? l->kind_of[peer - ranks->at] : own)];
}

const struct run_link *run_links_between(const struct run_links *l, const struct run_ranks *ranks,
	const struct run_rank *from, const struct run_rank *to)
{
	return &l->link[place(
		l, l->kind_of[from - ranks->at], TIER_NETWORK, l->kind_of[to - ranks->at])];
}

int64_t run_link_total_ns(const struct run_link *link, const struct op *op)
{
	if (!(link->live.flags & LIVE_KNOWN_TIME))
		return 0;
	return live_blocking_ns(&link->live, op_kind_mode(op), (uint16_t)op_code_flags(op->code),
		(uint64_t)op->bytes);
}
