/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worth.c: by how much the run would be shorter without a bottleneck, and with each remedy for it.
 *
 *	bottleneck, site --queries/worth_sites.sql--> messages of each one: parts of the graph
 *	replay of the run --> base;  without these waits --> worth
 *	                      with a remedy              --> what it brings
 *	a pattern (queries/patterns_rows.sql): small messages, 8 and 64 in one --> what that brings
 *	                                       load imbalance: equal work between collectives
 *
 * The run is loaded once. Each question edits the graph (replay/edit.h) or takes a scenario,
 * replays the run, and takes the edit back. The work is bounded by the size of the run, not by a
 * clock: a report says the same on any machine.
 */
#include <config.h>

#include "analysis/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/balance.h"
#include "analysis/replay/edit.h"
#include "analysis/replay/load.h"
#include "analysis/replay/run.h"
#include "analysis/report/queries.h"
#include "analysis/text/progress.h"
#include "layouts.h"
#include "record.h"

enum {
	MESSAGES_MAX = 500000, /* of a run that is replayed */
	ROWS_MAX = 2000000,    /* ... and operations: the graph takes 200 to 300 bytes of each */
	STEPS_MAX = 16000000,  /* calls and ends of messages gone through in all replays */
	BOTTLENECKS_MAX = 32,  /* that are replayed */
	LEAST_PART = 100       /* a gain below this part of the run is not told of */
};

#define INTERVAL_DEVIATIONS 1.96 /* 95 of 100 runs */

/* The messages at a callsite that belong to a bottleneck. */
struct key {
	int64_t bottleneck;
	bool is_send;
	uint8_t protocol, cause;
	uint32_t next; /* of the same site; REPLAY_NONE: none */
};

/* A message of a bottleneck: its end that waited. ns: waited beyond lateness and progress. */
struct member {
	int64_t bottleneck, ns;
	uint32_t part;
};

struct place {
	int64_t bottleneck;
	uint8_t cause;
	bool sends, moves_alone, computes, has_place;
	int64_t S_to;
	int64_t lost_ns; /* the sum of its waits */
};

struct worth {
	sqlite3 *db;
	struct replay_graph g;
	struct replay_edit edit;
	struct replay_scenario same;
	struct key *key;
	uint32_t nkeys;
	uint32_t *first_key; /* by site */
	struct member *member;
	uint32_t nmembers;
	struct place place[BOTTLENECKS_MAX];
	int nplaces;
	int64_t run_ns, interval_ns;
	int64_t base_ns; /* the replayed run, or one without tryst: gains count from here */
	int64_t told_ns; /* base_ns in the report's length of the run: no gain is longer */
	int64_t steps;   /* left */
	sqlite3_stmt *put_worth, *put_remedy;
};

/* The callsite as the graph numbers them, or REPLAY_NONE. */
static uint32_t site_index(const struct worth *w, int64_t rank, int64_t callsite)
{
	const uint32_t index = replay_rank_index(&w->g, rank);
	const struct replay_rank *r = &w->g.rank[index];

	return index < w->g.nranks && callsite >= 0 && callsite < (int64_t)r->nsites ?
		r->first_site + (uint32_t)callsite :
		REPLAY_NONE;
}

static int read_keys(struct worth *w)
{
	sqlite3_stmt *q = NULL;
	int rc;

	w->first_key = malloc(((size_t)w->g.nsites + 1) * sizeof(*w->first_key));
	if (!w->first_key)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->g.nsites; i++)
		w->first_key[i] = REPLAY_NONE;
	rc = db_prepare(w->db, sql_report_worth_sites, &q);
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const uint32_t site =
			site_index(w, sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 2));
		struct key *key;

		if (site == REPLAY_NONE)
			continue;
		key = replay_grow(&w->key, &w->nkeys, sizeof(*key));
		if (!key) {
			rc = -ENOMEM;
			break;
		}
		*key = (struct key){ .bottleneck = sqlite3_column_int64(q, 0),
			.is_send = sqlite3_column_int(q, 3),
			.protocol = (uint8_t)sqlite3_column_int(q, 4),
			.cause = (uint8_t)sqlite3_column_int(q, 5),
			.next = w->first_key[site] };
		w->first_key[site] = w->nkeys - 1;
	}
	sqlite3_finalize(q);
	return rc;
}

/* Adds the part to its bottleneck, if it has one. */
static int add_member(struct worth *w, int64_t id, unsigned protocol, unsigned cause, int64_t ns)
{
	const uint32_t part = replay_part_of(&w->g, id);
	uint32_t k = part == REPLAY_NONE ? REPLAY_NONE : w->first_key[w->g.part[part].site];

	for (; k != REPLAY_NONE; k = w->key[k].next) {
		const struct key *key = &w->key[k];
		struct member *m;

		if (key->is_send != w->g.part[part].is_send || key->protocol != protocol ||
			key->cause != cause)
			continue;
		m = replay_grow(&w->member, &w->nmembers, sizeof(*m));
		if (!m)
			return -ENOMEM;
		*m = (struct member){ key->bottleneck, ns, part };
	}
	return 0;
}

static int read_members(struct worth *w)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(w->db,
		"SELECT send, recv, code, flow + contention + other, unhidden FROM match_row", &q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const int64_t send = sqlite3_column_int64(q, 0), recv = sqlite3_column_int64(q, 1);
		const int64_t code = sqlite3_column_int64(q, 2), ns = sqlite3_column_int64(q, 3);
		const int64_t unhidden = sqlite3_column_int64(q, 4);
		const unsigned protocol = match_code_protocol(code), cause = match_code_cause(code);
		const unsigned waiting = match_code_waiting(code);
		int bad = 0;

		if (cause)
			bad = add_member(
				w, waiting == KIND_SEND ? send : recv, protocol, cause, ns);
		if (unhidden > 0 && !bad)
			bad = add_member(w, send, protocol, CAUSE_UNHIDDEN_TRANSFER, unhidden);
		if (unhidden > 0 && !bad)
			bad = add_member(w, recv, protocol, CAUSE_UNHIDDEN_TRANSFER, unhidden);
		if (bad) {
			rc = bad;
			break;
		}
	}
	sqlite3_finalize(q);
	return rc;
}

static int read_places(struct worth *w)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(w->db, sql_report_worth_bottlenecks, &q);

	while (rc >= 0 && w->nplaces < BOTTLENECKS_MAX && (rc = db_step(q)) > 0)
		w->place[w->nplaces++] = (struct place){ .bottleneck = sqlite3_column_int64(q, 0),
			.cause = (uint8_t)sqlite3_column_int(q, 1),
			.sends = sqlite3_column_int(q, 2),
			.S_to = sqlite3_column_int64(q, 3),
			.moves_alone = sqlite3_column_int(q, 4),
			.computes = sqlite3_column_int(q, 5),
			.lost_ns = sqlite3_column_int64(q, 6),
			.has_place = sqlite3_column_int(q, 7) };
	sqlite3_finalize(q);
	return rc < 0 ? rc : 0;
}

/*
 * By how much the run is shorter under the scenario and the edits; 0: it is not shorter, it would
 * hang, or the scenario changes messages whose times are unknown.
 */
static int64_t gain_of(struct worth *w, const struct replay_scenario *scenario, int *rc)
{
	struct replay_result result = { 0 };
	bool known;
	int64_t ns = 0;

	*rc = replay_run(&w->g, scenario, &result);
	known = !scenario->links_change || !result.unmodelled;
	if (!*rc && known && !result.stuck && result.run_ns < w->base_ns)
		ns = w->base_ns - result.run_ns;
	ns = ns < w->told_ns ? ns : w->told_ns;
	replay_result_release(&result);
	w->steps -= (int64_t)w->g.ncalls + w->g.nparts;
	return ns;
}

/* Without the waits of the bottleneck. */
static void spare(struct worth *w, const struct place *place)
{
	for (uint32_t i = 0; i < w->nmembers; i++) {
		const struct member *m = &w->member[i];

		if (m->bottleneck != place->bottleneck)
			continue;
		if (place->cause == CAUSE_UNHIDDEN_TRANSFER)
			replay_shorten(&w->edit, m->part, m->ns);
		else
			replay_spare(&w->edit, m->part, m->ns);
	}
}

static void post_early(struct worth *w, const struct place *place)
{
	for (uint32_t i = 0; i < w->nmembers; i++)
		if (w->member[i].bottleneck == place->bottleneck)
			replay_post_early(&w->edit, w->member[i].part, place->moves_alone);
}

/* Edits the bottleneck's messages one by one. */
static void edit_each(struct worth *w, const struct place *place,
	void (*edit)(struct replay_edit *e, uint32_t part))
{
	for (uint32_t i = 0; i < w->nmembers; i++)
		if (w->member[i].bottleneck == place->bottleneck)
			edit(&w->edit, w->member[i].part);
}

static void send_nonblocking(struct worth *w, const struct place *place)
{
	edit_each(w, place, replay_send_nonblocking);
}

static void receive_later(struct worth *w, const struct place *place)
{
	edit_each(w, place, replay_receive_later);
}

static void receive_next_first(struct worth *w, const struct place *place)
{
	edit_each(w, place, replay_receive_next_first);
}

/*
 * What the CPU does of the message, whenever it moves: all of it on one host, where ranks copy; on
 * a network the overheads. Calls of MPI in between can hide the rest alone.
 */
static int64_t copying_ns(const struct worth *w, const struct replay_part *part, int64_t ns)
{
	const uint32_t rank = w->g.lane[part->lane].rank;
	const struct loggps *link;
	double overhead;

	if (part->tier != TIER_NETWORK || !w->same.link)
		return ns;
	link = &w->same.link[rank][part->tier].was;
	overhead = part->is_send ? loggps_T1(link, part->bytes) : loggps_T3(link, part->bytes);
	return isnan(overhead) || overhead > (double)ns ? ns : llround(overhead);
}

/* The other side calls MPI while it computes. */
static void call_meanwhile(struct worth *w, const struct place *place)
{
	for (uint32_t i = 0; i < w->nmembers; i++) {
		const struct member *m = &w->member[i];
		struct replay_part *part = &w->g.part[m->part];

		if (m->bottleneck != place->bottleneck)
			continue;
		if (place->cause == CAUSE_UNHIDDEN_TRANSFER) {
			replay_shorten(&w->edit, m->part, m->ns - copying_ns(w, part, m->ns));
		} else {
			replay_shorten(&w->edit, m->part, part->progress_ns);
			part->progress_ns = 0;
		}
	}
}

/* Fills gap_ns with equal work in the sections. SECTIONS_PLACES: where late ranks compute. */
static int balance(
	struct worth *w, const struct place *place, enum replay_sections sections, int64_t *gap_ns)
{
	int64_t *mark = calloc((size_t)w->g.nsites + 1, sizeof(*mark));
	sqlite3_stmt *q = NULL;
	int rc = mark ? db_prepare(w->db, sql_report_worth_places, &q) : -ENOMEM;

	if (!rc && sections == SECTIONS_PLACES)
		sqlite3_bind_int64(q, 1, place->bottleneck);
	while (rc >= 0 && sections == SECTIONS_PLACES && (rc = db_step(q)) > 0) {
		const uint32_t site =
			site_index(w, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1));

		if (site != REPLAY_NONE)
			mark[site] |= sqlite3_column_int64(q, 2);
	}
	sqlite3_finalize(q);
	if (!rc)
		rc = replay_balance(
			&w->g, sections, sections == SECTIONS_PLACES ? mark : NULL, gap_ns);
	free(mark);
	return rc;
}

/* place: of SECTIONS_PLACES; NULL for others. */
static int64_t gain_of_balance(
	struct worth *w, const struct place *place, enum replay_sections sections, int *rc)
{
	struct replay_scenario scenario = w->same;
	int64_t ns = 0;

	scenario.gap_ns = malloc(((size_t)w->g.ncalls + 1) * sizeof(*scenario.gap_ns));
	*rc = scenario.gap_ns ? balance(w, place, sections, scenario.gap_ns) : -ENOMEM;
	if (!*rc)
		ns = gain_of(w, &scenario, rc);
	free(scenario.gap_ns);
	return ns;
}

static int64_t gain_of_S(struct worth *w, const struct place *place, int *rc)
{
	struct replay_scenario scenario;
	char set[32];
	int64_t ns = 0;

	snprintf(set, sizeof(set), "S=%lld", (long long)place->S_to);
	*rc = replay_scenario_read(
		w->db, &w->g, &(struct replay_changes){ .set = set }, &scenario, NULL);
	if (!*rc)
		ns = gain_of(w, &scenario, rc);
	replay_scenario_release(&scenario);
	return ns;
}

/* In the order in which equal gains are preferred. */
static const struct remedy {
	const char *name;
	unsigned causes; /* bits of enum op_cause */
	void (*edit)(struct worth *w, const struct place *place);
} remedies[] = {
	{ "raise_S", 1 << CAUSE_LATE_RECEIVER, NULL },
	{ "post_early", 1 << CAUSE_LATE_RECEIVER, post_early },
	{ "call_meanwhile", 1 << CAUSE_LATE_PROGRESS | 1 << CAUSE_UNHIDDEN_TRANSFER,
		call_meanwhile },
	{ "balance", 1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_SENDER | 1 << CAUSE_LATE_PROGRESS,
		NULL },
	{ "balance_all",
		1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_SENDER | 1 << CAUSE_LATE_PROGRESS,
		NULL },
	{ "send_nonblocking", 1 << CAUSE_LATE_RECEIVER | 1 << CAUSE_LATE_PROGRESS,
		send_nonblocking },
	{ "receive_next_first", 1 << CAUSE_WRONG_ORDER, receive_next_first },
	{ "receive_later", 1 << CAUSE_LATE_SENDER | 1 << CAUSE_WRONG_ORDER, receive_later },
};

/* Does the remedy make sense for the bottleneck at all? */
static bool is_tried(const struct remedy *r, const struct place *place)
{
	if (!(r->causes >> place->cause & 1))
		return false;
	if (strcmp(r->name, "raise_S") == 0)
		return place->S_to > 0;
	if (strcmp(r->name, "balance") == 0)
		return place->computes && place->has_place;
	if (strcmp(r->name, "balance_all") == 0)
		return place->computes;
	return strcmp(r->name, "send_nonblocking") != 0 || place->sends;
}

/* What the remedy brings [ns]. */
static int64_t try_remedy(
	struct worth *w, const struct remedy *r, const struct place *place, int *rc)
{
	int64_t ns;

	if (strcmp(r->name, "raise_S") == 0)
		return gain_of_S(w, place, rc);
	if (!r->edit)
		return gain_of_balance(w, place,
			strcmp(r->name, "balance_all") == 0 ? SECTIONS_RUN : SECTIONS_PLACES, rc);
	r->edit(w, place);
	ns = gain_of(w, &w->same, rc);
	replay_edit_undo(&w->edit);
	return ns;
}

static int put_remedy(
	struct worth *w, const struct remedy *r, const struct place *place, int64_t ns)
{
	sqlite3_stmt *q = w->put_remedy;

	sqlite3_bind_int64(q, 1, place->bottleneck);
	sqlite3_bind_text(q, 2, r->name, -1, SQLITE_STATIC);
	if (strcmp(r->name, "raise_S") == 0)
		sqlite3_bind_int64(q, 3, place->S_to);
	else
		sqlite3_bind_null(q, 3);
	sqlite3_bind_int64(q, 4, ns);
	sqlite3_bind_int(q, 5, (int)(r - remedies));
	sqlite3_bind_int(q, 6, ns > w->interval_ns);
	return db_execute(q);
}

/* Does the replay have messages of the bottleneck? match_row names one waiting end of each. */
static bool has_members(const struct worth *w, const struct place *place)
{
	for (uint32_t i = 0; i < w->nmembers; i++)
		if (w->member[i].bottleneck == place->bottleneck)
			return true;
	return false;
}

/*
 * Replays the run without the bottleneck and with each remedy for it. A remedy may change the whole
 * run. The bottleneck is worth no more than its waits, however much that brings elsewhere.
 */
static int weigh(struct worth *w, const struct place *place)
{
	int64_t without, most;
	int rc;

	if (!has_members(w, place))
		return 0;
	spare(w, place);
	most = without = gain_of(w, &w->same, &rc);
	replay_edit_undo(&w->edit);
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]) && !rc; i++) {
		int64_t ns;

		if (!is_tried(&remedies[i], place))
			continue;
		ns = try_remedy(w, &remedies[i], place, &rc);
		most = ns > most ? ns : most;
		if (!rc)
			rc = put_remedy(w, &remedies[i], place, ns);
	}
	sqlite3_bind_int64(w->put_worth, 1, place->bottleneck);
	sqlite3_bind_int64(w->put_worth, 2, most < place->lost_ns ? most : place->lost_ns);
	sqlite3_bind_int64(w->put_worth, 3, without);
	return rc ? rc : db_execute(w->put_worth);
}

enum { BY_MAX = 64 };

/* Messages of a pair that become one. */
struct group {
	uint32_t send[BY_MAX];
	uint32_t n;
};

/*
 * Makes the group one message. If the overheads of a byte are unknown, each end has the whole time
 * of the bytes. False: the long message's time is unknown.
 */
static bool put_into_one(struct worth *w, struct group *group)
{
	const struct replay_part *one = &w->g.part[group->send[0]];
	const struct loggps *link;
	uint64_t bytes = 0;
	double send, recv, both;

	if (!w->same.link || one->tier >= REPLAY_TIERS)
		return false;
	for (uint32_t i = 0; i < group->n; i++)
		bytes += w->g.part[group->send[i]].bytes;
	link = &w->same.link[w->g.lane[one->lane].rank][one->tier].was;
	send = loggps_T1(link, bytes) - loggps_T1(link, one->bytes);
	recv = loggps_T3(link, bytes) - loggps_T3(link, one->bytes);
	both = loggps_message(link, bytes, 0, 0) - loggps_message(link, one->bytes, 0, 0);
	send = isnan(send) ? both : send;
	recv = isnan(recv) ? both : recv;
	if (!(send < (double)REPLAY_NS_MAX && recv < (double)REPLAY_NS_MAX))
		return false;
	replay_aggregate(&w->edit, group->send, group->n, send > 0 ? llround(send) : 0,
		recv > 0 ? llround(recv) : 0);
	return true;
}

/* Makes the group one message, and empties it. One message alone stays as it is. */
static bool end_group(struct worth *w, struct group *group)
{
	const bool known = group->n < 2 || put_into_one(w, group);

	group->n = 0;
	return known;
}

/*
 * Is the part a collective, or a receive from the peer? The peer may send that message only after
 * it has the rank's earlier ones.
 */
static bool is_answer(const struct worth *w, uint32_t i, int64_t peer)
{
	const struct replay_part *part = &w->g.part[i];
	const uint32_t partner = w->edit.part[i].partner;

	return part->instance != REPLAY_NONE ||
		(!part->is_send && partner != REPLAY_NONE && w->g.detail[partner].rank == peer);
}

/*
 * Combines every `by` messages from a rank's callsite to the peer into one. An answer ends a group
 * early. False: times are unknown.
 */
static bool aggregate(struct worth *w, int64_t rank, int64_t callsite, int64_t peer, uint32_t by)
{
	const uint32_t site = site_index(w, rank, callsite);
	struct group group = { .n = 0 };
	uint32_t answered = REPLAY_NONE; /* the first call that completes an answer */
	bool known = site != REPLAY_NONE;

	for (uint32_t i = 0; i < w->g.nparts && known; i++) {
		const struct replay_part *part = &w->g.part[i];

		if (w->g.detail[i].rank != rank)
			continue;
		if (is_answer(w, i, peer)) {
			answered = w->edit.done[i] < answered ? w->edit.done[i] : answered;
			continue;
		}
		if (!part->is_send || part->site != site || !replay_is_single(&w->edit, i) ||
			w->g.detail[w->edit.part[i].partner].rank != peer)
			continue;
		if (answered < w->g.detail[i].post_call) {
			known = end_group(w, &group);
			answered = REPLAY_NONE;
		}
		group.send[group.n++] = i;
		if (group.n == by)
			known = end_group(w, &group);
	}
	return known && end_group(w, &group);
}

/*
 * From here on gains are those of a run without tryst. A replay that removes a call keeps tryst's
 * own time before it, which is long compared with a short call.
 */
static int leave_tool_out(struct worth *w)
{
	struct replay_result bare = { 0 };
	int64_t *tool_ns = calloc((size_t)w->g.nsites + 1, sizeof(*tool_ns));
	sqlite3_stmt *q = NULL;
	int rc = tool_ns ? db_prepare(w->db, sql_report_tool_sites, &q) : -ENOMEM;

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const uint32_t site =
			site_index(w, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1));
		const int64_t ns = sqlite3_column_int64(q, 2);

		if (site != REPLAY_NONE && ns > 0)
			tool_ns[site] = ns;
	}
	sqlite3_finalize(q);
	if (!rc) {
		replay_without_tool(&w->edit, tool_ns);
		rc = replay_run(&w->g, &w->same, &bare);
		w->told_ns -= w->base_ns - bare.run_ns;
		w->told_ns = w->told_ns > 0 ? w->told_ns : 0;
		w->base_ns = bare.run_ns;
		replay_result_release(&bare);
		w->steps -= (int64_t)w->g.ncalls + w->g.nparts;
	}
	free(tool_ns);
	return rc;
}

/* by: of small messages that become one; 0: the work was balanced. */
static int put_pattern(
	struct worth *w, sqlite3_stmt *put, int64_t pattern, uint32_t by, int64_t gain_ns)
{
	sqlite3_bind_int64(put, 1, pattern);
	sqlite3_bind_int64(put, 2, by);
	sqlite3_bind_int64(put, 3, gain_ns);
	sqlite3_bind_int64(put, 4, w->told_ns);
	return db_execute(put);
}

/* Replays the pattern of the row `q` is at with fewer and longer messages. */
static int weigh_small_messages(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	static const uint32_t bys[] = { 8, BY_MAX };
	int rc = 0;

	for (size_t i = 0; i < sizeof(bys) / sizeof(bys[0]) && !rc; i++) {
		const bool known = aggregate(w, sqlite3_column_int64(q, 2),
			sqlite3_column_int64(q, 3), sqlite3_column_int64(q, 4), bys[i]);
		const int64_t ns = known ? gain_of(w, &w->same, &rc) : 0;

		replay_edit_undo(&w->edit);
		if (known && !rc)
			rc = put_pattern(w, put, sqlite3_column_int64(q, 0), bys[i], ns);
	}
	return rc;
}

/* Ends with small messages, for which the run is one without tryst. */
static int weigh_patterns(struct worth *w)
{
	sqlite3_stmt *q = NULL, *put = NULL;
	bool bare = false; /* w->base_ns is of a run without tryst */
	int rc = db_prepare(w->db, sql_report_worth_patterns, &q);

	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.pattern_gain", &put);
	while (rc >= 0 && w->steps > 0 && (rc = db_step(q)) > 0) {
		if (sqlite3_column_int(q, 1)) {
			const int64_t ns = gain_of_balance(w, NULL, SECTIONS_COLLECTIVES, &rc);

			if (!rc)
				rc = put_pattern(w, put, sqlite3_column_int64(q, 0), 0, ns);
			continue;
		}
		rc = bare ? 0 : leave_tool_out(w);
		bare = true;
		if (!rc)
			rc = weigh_small_messages(w, q, put);
	}
	sqlite3_finalize(q);
	sqlite3_finalize(put);
	return rc < 0 ? rc : 0;
}

/*
 * Replays the run without a change, and finds how much of a gain is chance. The replay begins with
 * the last rank's start. The report counts the run from the first rank's start on.
 */
static int find_base(struct worth *w)
{
	struct replay_scenario unchanged = w->same;
	struct replay_result same = { 0 }, before = { 0 };
	int rc;

	unchanged.corrects = true;
	rc = replay_run(&w->g, &unchanged, &same);
	if (!rc)
		rc = replay_run_path(&w->g, NULL, &before);
	w->base_ns = same.run_ns;
	w->run_ns = clock_within(db_int(w->db, sql_report_elapsed, same.run_ns), REPLAY_NS_MAX);
	w->run_ns = w->told_ns = w->run_ns > 0 ? w->run_ns : 0;
	w->interval_ns = w->run_ns / LEAST_PART;
	if (!rc && INTERVAL_DEVIATIONS * before.noise_ns > (double)w->interval_ns)
		w->interval_ns =
			llround(fmin(INTERVAL_DEVIATIONS * before.noise_ns, (double)w->run_ns));
	replay_result_release(&same);
	replay_result_release(&before);
	return rc;
}

static int put_run(struct worth *w, const char *untold)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(w->db, DB_INSERT, "temp.worth_run", &q);

	if (!rc && !untold) {
		sqlite3_bind_int64(q, 1, w->run_ns);
		sqlite3_bind_int64(q, 2, w->interval_ns);
	}
	if (!rc && untold)
		sqlite3_bind_text(q, 3, untold, -1, SQLITE_STATIC);
	if (!rc)
		rc = db_execute(q);
	sqlite3_finalize(q);
	return rc;
}

static int replay_all(struct worth *w)
{
	int rc = replay_load(w->db, &w->g, NULL);

	if (!rc)
		rc = replay_scenario_read(
			w->db, &w->g, &(struct replay_changes){ 0 }, &w->same, NULL);
	if (!rc)
		rc = find_base(w);
	if (!rc)
		rc = read_keys(w);
	if (!rc)
		rc = read_members(w);
	if (!rc)
		rc = read_places(w);
	if (!rc)
		rc = replay_edit_begin(&w->g, &w->edit);
	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.worth", &w->put_worth);
	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.remedy_tried", &w->put_remedy);
	for (int i = 0; i < w->nplaces && w->steps > 0 && !rc; i++) {
		progress("replaying bottleneck", (uint64_t)i, (uint64_t)w->nplaces);
		rc = weigh(w, &w->place[i]);
	}
	if (!rc)
		rc = weigh_patterns(w);
	progress_end();
	return rc ? rc : put_run(w, NULL);
}

/* Are there more than ROWS_MAX rows of operations? Counts no further. */
static bool has_many_rows(sqlite3 *db)
{
	static const char *const tables[] = { "op_row", "coll_row", "rma_row", "io_row" };
	int64_t rows = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && rows <= ROWS_MAX; i++) {
		char sql[96];

		snprintf(sql, sizeof(sql), "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)",
			tables[i], ROWS_MAX + 1);
		rows += db_int(db, sql, 0);
	}
	return rows > ROWS_MAX;
}

/* Why the run is not replayed; NULL: it is. The text is in `why`. */
static const char *untold(sqlite3 *db, char *why, size_t size)
{
	const char *said = "damaged";
	sqlite3_stmt *s = NULL;

	if (db_prepare(db, sql_report_worth_untold, &s) == 0) {
		sqlite3_bind_int64(s, 1, MESSAGES_MAX);
		if (db_step(s) > 0)
			said = (const char *)sqlite3_column_text(s, 0);
	}
	snprintf(why, size, "%s", said ? said : "");
	sqlite3_finalize(s);
	if (said)
		return why;
	return has_many_rows(db) ? "many_rows" : NULL;
}

int report_worth(sqlite3 *db)
{
	struct worth w = { .db = db, .steps = STEPS_MAX };
	char text[16];
	const char *why = untold(db, text, sizeof(text));
	int rc = why ? 0 : replay_all(&w);

	/* a damaged file, or a run that exceeds the memory, has no replay but still a report */
	if (rc && !why) {
		why = rc == -ENOMEM ? "no_memory" : "damaged";
		rc = db_exec_quiet(db,
			"DELETE FROM worth; DELETE FROM remedy_tried; DELETE FROM pattern_gain");
	}
	if (!rc && why)
		rc = put_run(&w, why);
	sqlite3_finalize(w.put_worth);
	sqlite3_finalize(w.put_remedy);
	replay_edit_end(&w.edit);
	replay_scenario_release(&w.same);
	replay_graph_release(&w.g);
	free(w.key);
	free(w.first_key);
	free(w.member);
	return rc;
}
