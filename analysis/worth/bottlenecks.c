/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bottlenecks.c: by how much the run would be shorter without each bottleneck, and with each remedy
 * for it.
 *
 *	bottleneck, site --queries/sites.sql--> messages of each one: parts of the graph
 *	without these waits --> worth        with a remedy --> what it brings
 *
 * A question edits the graph (worth/edit.h) or takes a scenario.
 */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/load.h"
#include "analysis/text/progress.h"
#include "analysis/worth/queries.h"
#include "layouts.h"
#include "record.h"

enum { BOTTLENECKS_MAX = 32 }; /* that are replayed */

/* The messages at a callsite that belong to a bottleneck. */
struct key {
	int64_t bottleneck;
	bool is_send;
	uint8_t protocol, cause;
	uint32_t next; /* of the same site; REPLAY_NONE: none */
};

/*
 * A message of a bottleneck: its end that waited. late_ns: for the other side, by lateness and
 * progress; ns: beyond that.
 */
struct member {
	int64_t bottleneck, ns, late_ns;
	uint32_t part;
};

struct place {
	int64_t bottleneck;
	uint8_t cause;
	bool sends, moves_alone, computes, has_place, sleeps, unknown, chance;
	int64_t S_to;
	int64_t lost_ns; /* the sum of its waits */
};

struct bottlenecks {
	struct worth *w;
	struct key *key;
	uint32_t nkeys;
	uint32_t *first_key; /* by site */
	struct member *member;
	uint32_t nmembers;
	struct place place[BOTTLENECKS_MAX];
	int nplaces;
	sqlite3_stmt *put_worth, *put_remedy, *put_chance;
};

static int read_keys(struct bottlenecks *b)
{
	sqlite3_stmt *q = NULL;
	int rc;

	b->first_key = malloc(((size_t)b->w->g.nsites + 1) * sizeof(*b->first_key));
	if (!b->first_key)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->w->g.nsites; i++)
		b->first_key[i] = REPLAY_NONE;
	rc = db_prepare(b->w->db, sql_worth_sites, &q);
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const uint32_t site =
			worth_site(b->w, sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 2));
		struct key *key;

		if (site == REPLAY_NONE)
			continue;
		key = replay_grow(&b->key, &b->nkeys, sizeof(*key));
		if (!key) {
			rc = -ENOMEM;
			break;
		}
		*key = (struct key){ .bottleneck = sqlite3_column_int64(q, 0),
			.is_send = sqlite3_column_int(q, 3),
			.protocol = (uint8_t)sqlite3_column_int(q, 4),
			.cause = (uint8_t)sqlite3_column_int(q, 5),
			.next = b->first_key[site] };
		b->first_key[site] = b->nkeys - 1;
	}
	sqlite3_finalize(q);
	return rc;
}

/* Adds the part to its bottleneck, if it has one. */
static int add_member(struct bottlenecks *b, int64_t id, unsigned protocol, unsigned cause,
	int64_t ns, int64_t late_ns)
{
	const uint32_t part = replay_part_of(&b->w->g, id);
	uint32_t k = part == REPLAY_NONE ? REPLAY_NONE : b->first_key[b->w->g.part[part].site];

	for (; k != REPLAY_NONE; k = b->key[k].next) {
		const struct key *key = &b->key[k];
		struct member *m;

		if (key->is_send != b->w->g.part[part].is_send || key->protocol != protocol ||
			key->cause != cause)
			continue;
		m = replay_grow(&b->member, &b->nmembers, sizeof(*m));
		if (!m)
			return -ENOMEM;
		*m = (struct member){ key->bottleneck, ns, late_ns, part };
	}
	return 0;
}

static int read_members(struct bottlenecks *b)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(b->w->db,
		"SELECT send, recv, code, flow + contention + other, unhidden, late + progress "
		"FROM match_row",
		&q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const int64_t send = sqlite3_column_int64(q, 0), recv = sqlite3_column_int64(q, 1);
		const int64_t code = sqlite3_column_int64(q, 2), ns = sqlite3_column_int64(q, 3);
		const int64_t unhidden = sqlite3_column_int64(q, 4),
			      late = sqlite3_column_int64(q, 5);
		const unsigned protocol = match_code_protocol(code), cause = match_code_cause(code);
		const unsigned waiting = match_code_waiting(code);
		int bad = 0;

		if (cause)
			bad = add_member(
				b, waiting == KIND_SEND ? send : recv, protocol, cause, ns, late);
		if (unhidden > 0 && !bad)
			bad = add_member(b, send, protocol, CAUSE_UNHIDDEN_TRANSFER, unhidden, 0);
		if (unhidden > 0 && !bad)
			bad = add_member(b, recv, protocol, CAUSE_UNHIDDEN_TRANSFER, unhidden, 0);
		if (bad) {
			rc = bad;
			break;
		}
	}
	sqlite3_finalize(q);
	return rc;
}

static int read_places(struct bottlenecks *b)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(b->w->db, sql_worth_bottlenecks, &q);

	while (rc >= 0 && b->nplaces < BOTTLENECKS_MAX && (rc = db_step(q)) > 0)
		b->place[b->nplaces++] = (struct place){ .bottleneck = sqlite3_column_int64(q, 0),
			.cause = (uint8_t)sqlite3_column_int(q, 1),
			.sends = sqlite3_column_int(q, 2),
			.S_to = sqlite3_column_int64(q, 3),
			.moves_alone = sqlite3_column_int(q, 4),
			.computes = sqlite3_column_int(q, 5),
			.lost_ns = sqlite3_column_int64(q, 6),
			.has_place = sqlite3_column_int(q, 7),
			.sleeps = sqlite3_column_int(q, 8),
			.unknown = sqlite3_column_int(q, 9) };
	sqlite3_finalize(q);
	return rc < 0 ? rc : 0;
}

/* Without the waits of the bottleneck. */
static void spare(struct bottlenecks *b, const struct place *place)
{
	for (uint32_t i = 0; i < b->nmembers; i++) {
		const struct member *m = &b->member[i];

		if (m->bottleneck != place->bottleneck)
			continue;
		if (place->cause == CAUSE_UNHIDDEN_TRANSFER)
			edit_shorten(&b->w->edit, m->part, m->ns);
		else
			edit_spare(&b->w->edit, m->part, m->ns);
	}
}

static void post_early(struct bottlenecks *b, const struct place *place)
{
	for (uint32_t i = 0; i < b->nmembers; i++)
		if (b->member[i].bottleneck == place->bottleneck)
			edit_post_early(&b->w->edit, b->member[i].part, place->moves_alone);
}

/* Edits the bottleneck's messages one by one. */
static void edit_each(struct bottlenecks *b, const struct place *place,
	void (*edit)(struct edit *e, uint32_t part))
{
	for (uint32_t i = 0; i < b->nmembers; i++)
		if (b->member[i].bottleneck == place->bottleneck)
			edit(&b->w->edit, b->member[i].part);
}

static void send_nonblocking(struct bottlenecks *b, const struct place *place)
{
	edit_each(b, place, edit_send_nonblocking);
}

static void receive_later(struct bottlenecks *b, const struct place *place)
{
	edit_each(b, place, edit_receive_later);
}

static void receive_next_first(struct bottlenecks *b, const struct place *place)
{
	edit_each(b, place, edit_receive_next_first);
}

/*
 * What the CPU does of the message, whenever it moves: all of it on one host, where ranks copy; on
 * a network the overheads. Calls of MPI in between can hide the rest alone.
 */
static int64_t copying_ns(const struct bottlenecks *b, const struct replay_part *part, int64_t ns)
{
	const uint32_t rank = b->w->g.lane[part->lane].rank;
	const struct loggps *link;
	double overhead;

	if (part->tier != TIER_NETWORK || !b->w->same.link)
		return ns;
	link = &b->w->same.link[rank][part->tier].was;
	overhead = part->is_send ? loggps_T1(link, part->bytes) : loggps_T3(link, part->bytes);
	return isnan(overhead) || overhead > (double)ns ? ns : llround(overhead);
}

/* The other side calls MPI while it computes. */
static void call_meanwhile(struct bottlenecks *b, const struct place *place)
{
	for (uint32_t i = 0; i < b->nmembers; i++) {
		const struct member *m = &b->member[i];
		const struct replay_part *part = &b->w->g.part[m->part];

		if (m->bottleneck != place->bottleneck)
			continue;
		if (place->cause == CAUSE_UNHIDDEN_TRANSFER)
			edit_shorten(&b->w->edit, m->part, m->ns - copying_ns(b, part, m->ns));
		else
			edit_spare_progress(&b->w->edit, m->part);
	}
}

static void share_work(struct bottlenecks *b, const struct place *place)
{
	edit_each(b, place, edit_share_work);
}

/* Where late ranks compute for the bottleneck. Both arrays are by site. */
struct late_places {
	int64_t *mark;  /* as in replay_balance() */
	double *asleep; /* shares of the computation before the call */
};

static void late_places_release(struct late_places *l)
{
	free(l->mark);
	free(l->asleep);
}

/* 0 or a negative errno. */
static int late_places_read(
	const struct bottlenecks *b, const struct place *place, struct late_places *l)
{
	sqlite3_stmt *q = NULL;
	int rc;

	l->mark = calloc((size_t)b->w->g.nsites + 1, sizeof(*l->mark));
	l->asleep = calloc((size_t)b->w->g.nsites + 1, sizeof(*l->asleep));
	rc = l->mark && l->asleep ? db_prepare(b->w->db, sql_worth_places, &q) : -ENOMEM;
	if (!rc)
		sqlite3_bind_int64(q, 1, place->bottleneck);
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const uint32_t site =
			worth_site(b->w, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1));

		if (site == REPLAY_NONE)
			continue;
		l->mark[site] |= sqlite3_column_int64(q, 2);
		l->asleep[site] = fmin(fmax(sqlite3_column_double(q, 3), 0), 1);
	}
	sqlite3_finalize(q);
	return rc;
}

/* Without the time that ranks sleep where late ranks do. */
static int64_t gain_of_waking(struct bottlenecks *b, const struct place *place, int *rc)
{
	struct late_places late;
	int64_t ns = 0;

	*rc = late_places_read(b, place, &late);
	if (!*rc) {
		edit_stay_awake(&b->w->edit, late.mark, late.asleep);
		ns = worth_gain(b->w, &b->w->same, rc);
		edit_undo(&b->w->edit);
	}
	late_places_release(&late);
	return ns;
}

/*
 * Equal work where late ranks compute for the bottleneck. All ranks may compute there. If only late
 * ranks do, half of what is waited for moves to those that wait.
 */
static int64_t gain_of_places(struct bottlenecks *b, const struct place *place, int *rc)
{
	struct late_places late;
	int64_t ns = 0, shared_ns;

	*rc = late_places_read(b, place, &late);
	if (!*rc)
		ns = worth_gain_of_balance(b->w, SECTIONS_PLACES, late.mark, rc);
	late_places_release(&late);
	if (*rc)
		return 0;
	share_work(b, place);
	shared_ns = worth_gain(b->w, &b->w->same, rc);
	edit_undo(&b->w->edit);
	return shared_ns > ns ? shared_ns : ns;
}

static int64_t gain_of_all_work(struct bottlenecks *b, const struct place *place, int *rc)
{
	(void)place;
	return worth_gain_of_balance(b->w, SECTIONS_RUN, NULL, rc);
}

static int64_t gain_of_S(struct bottlenecks *b, const struct place *place, int *rc)
{
	struct replay_scenario scenario;
	char set[32];
	int64_t ns = 0;

	snprintf(set, sizeof(set), "S=%lld", (long long)place->S_to);
	*rc = replay_scenario_read(
		b->w->db, &b->w->g, &(struct replay_changes){ .set = set }, &scenario, NULL);
	if (!*rc)
		ns = worth_gain(b->w, &scenario, rc);
	replay_scenario_release(&scenario);
	return ns;
}

/* In the order in which equal gains are preferred. */
static const struct remedy {
	const char *name;
	unsigned causes; /* bits of enum op_cause */
	void (*edit)(struct bottlenecks *b, const struct place *place);
	int64_t (*gain)(struct bottlenecks *b, const struct place *place, int *rc); /* if no edit */
} remedies[] = {
	{ "raise_S", 1 << CAUSE_LATE_RECEIVER, NULL, gain_of_S },
	{ "post_early", 1 << CAUSE_LATE_RECEIVER, post_early, NULL },
	{ "call_meanwhile", 1 << CAUSE_LATE_PROGRESS | 1 << CAUSE_UNHIDDEN_TRANSFER, call_meanwhile,
		NULL },
	{ "stay_awake",
		1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_SENDER | 1 << CAUSE_LATE_PROGRESS, NULL,
		gain_of_waking },
	{ "balance", 1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_SENDER | 1 << CAUSE_LATE_PROGRESS,
		NULL, gain_of_places },
	{ "balance_all",
		1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_SENDER | 1 << CAUSE_LATE_PROGRESS, NULL,
		gain_of_all_work },
	{ "send_nonblocking", 1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_PROGRESS, send_nonblocking,
		NULL },
	{ "receive_next_first", 1 << CAUSE_WRONG_ORDER, receive_next_first, NULL },
	{ "receive_later", 1 << CAUSE_LATE_SENDER | 1 << CAUSE_WRONG_ORDER, receive_later, NULL },
};

/* Are ranks late for the bottleneck by chance? Then it has no work that could move. */
static int find_chance(const struct bottlenecks *b, struct place *place)
{
	struct worth_wait *late;
	uint32_t n = 0;
	int rc;

	if (!place->computes)
		return 0;
	late = malloc(((size_t)b->nmembers + 1) * sizeof(*late));
	if (!late)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->nmembers; i++)
		if (b->member[i].bottleneck == place->bottleneck)
			late[n++] = (struct worth_wait){ b->member[i].late_ns, b->member[i].part };
	rc = worth_late_by_chance(b->w, late, n, &place->chance);
	free(late);
	return rc;
}

/* Does the remedy make sense for the bottleneck at all? */
static bool is_tried(const struct remedy *r, const struct place *place)
{
	if (!(r->causes >> place->cause & 1))
		return false;
	if (strcmp(r->name, "raise_S") == 0)
		return place->S_to > 0;
	if (strcmp(r->name, "stay_awake") == 0)
		return place->sleeps;
	if (strcmp(r->name, "balance") == 0)
		return place->computes && place->has_place && !place->chance;
	if (strcmp(r->name, "balance_all") == 0)
		return place->computes && !place->chance;
	return strcmp(r->name, "send_nonblocking") != 0 || place->sends;
}

/* What the remedy brings [ns]. */
static int64_t try_remedy(
	struct bottlenecks *b, const struct remedy *r, const struct place *place, int *rc)
{
	int64_t ns;

	if (!r->edit)
		return r->gain(b, place, rc);
	r->edit(b, place);
	ns = worth_gain(b->w, &b->w->same, rc);
	edit_undo(&b->w->edit);
	return ns;
}

static int put_remedy(
	struct bottlenecks *b, const struct remedy *r, const struct place *place, int64_t ns)
{
	sqlite3_stmt *q = b->put_remedy;

	sqlite3_bind_int64(q, 1, place->bottleneck);
	sqlite3_bind_text(q, 2, r->name, -1, SQLITE_STATIC);
	if (strcmp(r->name, "raise_S") == 0)
		sqlite3_bind_int64(q, 3, place->S_to);
	else
		sqlite3_bind_null(q, 3);
	sqlite3_bind_int64(q, 4, ns);
	sqlite3_bind_int(q, 5, (int)(r - remedies));
	sqlite3_bind_int(q, 6, ns > b->w->interval_ns);
	return db_execute(q);
}

/* Does the replay have messages of the bottleneck? match_row names one waiting end of each. */
static bool has_members(const struct bottlenecks *b, const struct place *place)
{
	for (uint32_t i = 0; i < b->nmembers; i++)
		if (b->member[i].bottleneck == place->bottleneck)
			return true;
	return false;
}

/*
 * Replays the run without the bottleneck and with each remedy for it. A remedy may change the whole
 * run. The bottleneck is worth no more than its waits, however much that brings elsewhere. Only
 * the worth of a lack of CPUs can be more, because it also makes computations longer. It is unknown
 * if advice is withheld.
 */
static int weigh(struct bottlenecks *b, struct place *place)
{
	int64_t without, most;
	int rc;

	if (!has_members(b, place))
		return 0;
	rc = find_chance(b, place);
	if (!rc && place->chance) {
		sqlite3_bind_int64(b->put_chance, 1, place->bottleneck);
		rc = db_execute(b->put_chance);
	}
	if (rc)
		return rc;
	spare(b, place);
	most = without = worth_gain(b->w, &b->w->same, &rc);
	edit_undo(&b->w->edit);
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]) && !rc; i++) {
		int64_t ns;

		if (!is_tried(&remedies[i], place))
			continue;
		ns = try_remedy(b, &remedies[i], place, &rc);
		most = ns > most ? ns : most;
		if (!rc)
			rc = put_remedy(b, &remedies[i], place, ns);
	}
	sqlite3_bind_int64(b->put_worth, 1, place->bottleneck);
	if (place->unknown)
		sqlite3_bind_null(b->put_worth, 2);
	else
		sqlite3_bind_int64(b->put_worth, 2, most < place->lost_ns ? most : place->lost_ns);
	sqlite3_bind_int64(b->put_worth, 3, without);
	return rc ? rc : db_execute(b->put_worth);
}

int worth_of_bottlenecks(struct worth *w)
{
	struct bottlenecks b = { .w = w };
	int rc = read_keys(&b);

	if (!rc)
		rc = read_members(&b);
	if (!rc)
		rc = read_places(&b);
	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.worth", &b.put_worth);
	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.remedy_tried", &b.put_remedy);
	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.late_by_chance", &b.put_chance);
	for (int i = 0; i < b.nplaces && w->steps > 0 && !rc; i++) {
		progress("replaying bottleneck", (uint64_t)i, (uint64_t)b.nplaces);
		rc = weigh(&b, &b.place[i]);
	}
	sqlite3_finalize(b.put_worth);
	sqlite3_finalize(b.put_remedy);
	sqlite3_finalize(b.put_chance);
	free(b.key);
	free(b.first_key);
	free(b.member);
	return rc;
}
