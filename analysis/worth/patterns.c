/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.c: by how much the run would be shorter if a pattern had its better form.
 *
 *	small messages    8 and 64 of them in one
 *	load imbalance    equal work between collectives; their barrier left out
 *	fans, rings       a collective in their place (trees.c)
 *	master            all that another way of serving can bring (master.c)
 */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/worth/queries.h"

enum { BY_MAX = 64, BY_BALANCE = 0, BY_NO_BARRIER = -1 };

/* Messages of a pair that become one. */
struct group {
	uint32_t send[BY_MAX];
	uint32_t n;
};

/* Makes the group one message. False: the long message's time is unknown. */
static bool put_into_one(struct worth *w, struct group *group)
{
	const struct replay_part *one = &w->g.part[group->send[0]];
	struct worth_longer more;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < group->n; i++)
		bytes += w->g.part[group->send[i]].bytes;
	if (!worth_longer(w, one, bytes, &more))
		return false;
	replay_aggregate(&w->edit, group->send, group->n, more.send_ns, more.recv_ns);
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
 * early. Messages whose calls also post or complete others stay as they are. False: they are most,
 * or times are unknown.
 */
static bool aggregate(struct worth *w, int64_t rank, int64_t callsite, int64_t peer, uint32_t by)
{
	const uint32_t site = worth_site(w, rank, callsite);
	struct group group = { .n = 0 };
	uint32_t answered = REPLAY_NONE; /* the first call that completes an answer */
	uint32_t taken = 0, left = 0;
	bool known = site != REPLAY_NONE;

	for (uint32_t i = 0; i < w->g.nparts && known; i++) {
		const struct replay_part *part = &w->g.part[i];
		const uint32_t partner = w->edit.part[i].partner;

		if (w->g.detail[i].rank != rank)
			continue;
		if (is_answer(w, i, peer)) {
			answered = w->edit.done[i] < answered ? w->edit.done[i] : answered;
			continue;
		}
		if (!part->is_send || part->site != site || partner == REPLAY_NONE ||
			w->g.detail[partner].rank != peer)
			continue;
		if (!replay_is_single(&w->edit, i)) {
			left++;
			continue;
		}
		taken++;
		if (answered < w->g.detail[i].post_call) {
			known = end_group(w, &group);
			answered = REPLAY_NONE;
		}
		group.send[group.n++] = i;
		if (group.n == by)
			known = end_group(w, &group);
	}
	return known && taken > left && end_group(w, &group);
}

/* by: of small messages that become one; or another change. */
static int put_pattern(struct worth *w, sqlite3_stmt *put, int64_t pattern, int by, int64_t gain_ns)
{
	sqlite3_bind_int64(put, 1, pattern);
	sqlite3_bind_int(put, 2, by);
	sqlite3_bind_int64(put, 3, gain_ns);
	sqlite3_bind_int64(put, 4, w->told_ns);
	return db_execute(put);
}

/* Replays the pattern of the row `q` is at with fewer and longer messages. */
static int weigh_small_messages(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	static const int bys[] = { 8, BY_MAX };
	int rc = 0;

	for (size_t i = 0; i < sizeof(bys) / sizeof(bys[0]) && !rc; i++) {
		const bool known = aggregate(w, sqlite3_column_int64(q, 2),
			sqlite3_column_int64(q, 3), sqlite3_column_int64(q, 4), (uint32_t)bys[i]);
		const int64_t ns = known ? worth_gain(w, &w->same, &rc) : 0;

		replay_edit_undo(&w->edit);
		if (known && !rc)
			rc = put_pattern(w, put, sqlite3_column_int64(q, 0), bys[i], ns);
	}
	return rc;
}

/* A fan or a ring as a collective. */
static int weigh_tree(struct worth *w, sqlite3_stmt *q, enum worth_shape shape)
{
	sqlite3_stmt *put = NULL;
	int64_t same_ns = -1, own_ns = -1;
	const uint32_t site = shape == SHAPE_RING ?
		REPLAY_NONE :
		worth_site(w, sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3));
	int rc = shape == SHAPE_RING || site != REPLAY_NONE ?
		worth_gain_of_tree(w, shape, sqlite3_column_int64(q, 2), site, &same_ns, &own_ns) :
		0;

	if (!rc && same_ns >= 0)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.collective_gain", &put);
	if (!rc && put) {
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(q, 0));
		sqlite3_bind_int64(put, 2, same_ns);
		if (own_ns >= 0)
			sqlite3_bind_int64(put, 3, own_ns);
		rc = db_execute(put);
	}
	sqlite3_finalize(put);
	return rc;
}

static int weigh_master(struct worth *w, sqlite3_stmt *q)
{
	sqlite3_stmt *put = NULL;
	int rc;
	const int64_t ns = worth_gain_of_master(w, sqlite3_column_int64(q, 2), &rc);

	if (!rc && ns >= 0)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.master_gain", &put);
	if (!rc && put) {
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(q, 0));
		sqlite3_bind_int64(put, 2, ns);
		rc = db_execute(put);
	}
	sqlite3_finalize(put);
	return rc;
}

static int weigh_balance(struct worth *w, sqlite3_stmt *q, sqlite3_stmt *put)
{
	int rc;
	const int64_t ns = worth_gain_of_balance(w, SECTIONS_COLLECTIVES, NULL, &rc);

	return rc ? rc : put_pattern(w, put, sqlite3_column_int64(q, 0), BY_BALANCE, ns);
}

/* Members of barriers at the marked sites wait for nobody. False: there are none. */
static bool leave_barrier_out(struct worth *w, const bool *marked)
{
	bool found = false;

	for (uint32_t i = 0; i < w->g.nparts; i++)
		if (w->g.part[i].instance != REPLAY_NONE && marked[w->g.part[i].site]) {
			replay_spare(&w->edit, i, 0);
			found = true;
		}
	return found;
}

static int weigh_barrier(struct worth *w, int64_t pattern, sqlite3_stmt *put)
{
	bool *marked = calloc((size_t)w->g.nsites + 1, sizeof(*marked));
	sqlite3_stmt *sites = NULL;
	int rc = marked ? db_prepare(w->db, sql_worth_barriers, &sites) : -ENOMEM;

	if (!rc)
		sqlite3_bind_int64(sites, 1, pattern);
	while (rc >= 0 && (rc = db_step(sites)) > 0) {
		const uint32_t site = worth_site(
			w, sqlite3_column_int64(sites, 0), sqlite3_column_int64(sites, 1));

		if (site != REPLAY_NONE)
			marked[site] = true;
	}
	if (!rc && leave_barrier_out(w, marked)) {
		const int64_t ns = worth_gain(w, &w->same, &rc);

		if (!rc)
			rc = put_pattern(w, put, pattern, BY_NO_BARRIER, ns);
	}
	replay_edit_undo(&w->edit);
	sqlite3_finalize(sites);
	free(marked);
	return rc;
}

int worth_of_patterns(struct worth *w)
{
	sqlite3_stmt *q = NULL, *put = NULL;
	bool bare = false; /* w->base_ns is of a run without tryst */
	int rc = db_prepare(w->db, sql_worth_patterns, &q);

	if (!rc)
		rc = db_prepare_insert(w->db, DB_INSERT, "temp.pattern_gain", &put);
	while (rc >= 0 && w->steps > 0 && (rc = db_step(q)) > 0) {
		const char *name = (const char *)sqlite3_column_text(q, 1);

		if (strcmp(name, "load_imbalance") == 0) {
			rc = weigh_balance(w, q, put);
			if (!rc)
				rc = weigh_barrier(w, sqlite3_column_int64(q, 0), put);
		} else if (strcmp(name, "master") == 0) {
			rc = weigh_master(w, q);
		} else if (strcmp(name, "fan_out") == 0) {
			rc = weigh_tree(w, q, SHAPE_FAN_OUT);
		} else if (strcmp(name, "fan_in") == 0) {
			rc = weigh_tree(w, q, SHAPE_FAN_IN);
		} else if (strcmp(name, "ring") == 0) {
			rc = weigh_tree(w, q, SHAPE_RING);
		} else {
			rc = bare ? 0 : worth_leave_tool_out(w);
			bare = true;
			if (!rc)
				rc = weigh_small_messages(w, q, put);
		}
	}
	sqlite3_finalize(q);
	sqlite3_finalize(put);
	return rc < 0 ? rc : 0;
}
