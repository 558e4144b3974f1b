/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.c: replays of the loaded run as it is changed, and what each one gains. */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/load.h"
#include "analysis/replay/run.h"
#include "analysis/worth/queries.h"

uint32_t worth_site(const struct worth *w, int64_t rank, int64_t callsite)
{
	const uint32_t index = replay_rank_index(&w->g, rank);
	const struct replay_rank *r = &w->g.rank[index];

	return index < w->g.nranks && callsite >= 0 && callsite < (int64_t)r->nsites ?
		r->first_site + (uint32_t)callsite :
		REPLAY_NONE;
}

int64_t worth_gain(struct worth *w, const struct replay_scenario *scenario, int *rc)
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

int64_t worth_gain_of_balance(
	struct worth *w, enum replay_sections sections, const int64_t *mark, int *rc)
{
	struct replay_scenario scenario = w->same;
	int64_t ns = 0;

	scenario.gap_ns = malloc(((size_t)w->g.ncalls + 1) * sizeof(*scenario.gap_ns));
	*rc = scenario.gap_ns ? replay_balance(&w->g, sections, mark, scenario.gap_ns) : -ENOMEM;
	if (!*rc)
		ns = worth_gain(w, &scenario, rc);
	free(scenario.gap_ns);
	return ns;
}

int worth_leave_tool_out(struct worth *w)
{
	struct replay_result bare = { 0 };
	int64_t *tool_ns = calloc((size_t)w->g.nsites + 1, sizeof(*tool_ns));
	sqlite3_stmt *q = NULL;
	int rc = tool_ns ? db_prepare(w->db, sql_worth_tool_sites, &q) : -ENOMEM;

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const uint32_t site =
			worth_site(w, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1));
		const int64_t ns = sqlite3_column_int64(q, 2);

		if (site != REPLAY_NONE && ns > 0)
			tool_ns[site] = ns;
	}
	sqlite3_finalize(q);
	if (!rc) {
		edit_without_tool(&w->edit, tool_ns);
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

bool worth_longer(const struct worth *w, const struct replay_part *message, uint64_t bytes,
	struct worth_longer *more)
{
	const struct loggps *link;
	double send, recv, both;

	if (!w->same.link || message->tier >= REPLAY_TIERS)
		return false;
	link = &w->same.link[w->g.lane[message->lane].rank][message->tier].was;
	send = loggps_send(link, bytes, 0, 0) - loggps_send(link, message->bytes, 0, 0);
	recv = loggps_T3(link, bytes) - loggps_T3(link, message->bytes);
	both = loggps_message(link, bytes, 0, 0) - loggps_message(link, message->bytes, 0, 0);
	more->rendezvous = bytes > link->S;
	send = isnan(send) || send > both ? both : send;
	recv = isnan(recv) || recv > both || more->rendezvous ? both : recv;
	if (!(send < (double)REPLAY_NS_MAX && recv < (double)REPLAY_NS_MAX))
		return false;
	more->send_ns = send > 0 ? llround(send) : 0;
	more->recv_ns = recv > 0 ? llround(recv) : 0;
	more->all_ns = both > 0 && both < (double)REPLAY_NS_MAX ? llround(both) : 0;
	return true;
}
