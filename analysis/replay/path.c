/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c: follows the critical path of a replay from its end, and gives efficiencies (path.h). */
#include "analysis/replay/path.h"

#include <math.h>

/* A point on the path: time `at` of the lane, after call[call]. */
struct place {
	uint32_t lane, call; /* call REPLAY_NONE: before the lane's first one */
	int64_t at;
};

/* The part whose post `part` waited for. */
static uint32_t releaser(const struct replay_graph *g, const struct replay_part *part)
{
	const struct replay_instance *it;
	int64_t last;

	if (part->instance == REPLAY_NONE)
		return part->partner;
	it = &g->instance[part->instance];
	if (part->needs == NEEDS_ROOT)
		return it->root;
	last = part->needs == NEEDS_LOWER ? g->detail[part - g->part].lower_at : it->last;
	for (uint32_t i = it->first; i < it->first + it->n; i++)
		if (g->part[g->member[i]].at == last)
			return g->member[i];
	return REPLAY_NONE;
}

static uint32_t lane_of(const struct replay_graph *g, uint32_t call)
{
	uint32_t low = 0, high = g->nlanes - 1;

	while (low < high) {
		const uint32_t middle = low + (high - low + 1) / 2;

		if (g->lane[middle].first <= call)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Adds `ns` of the path to the rank, to the whole path and to *of. */
static void add(struct replay_result *r, uint32_t rank, int64_t *of, int64_t ns)
{
	if (ns <= 0)
		return;
	r->rank[rank].path_ns += ns;
	r->path_ns += ns;
	*of += ns;
}

static uint32_t before(const struct replay_lane *lane, uint32_t call)
{
	return call == lane->first ? REPLAY_NONE : call - 1;
}

/* Finds the end of the last lane of the rank that ended last. False: no rank called MPI. */
static bool find_end(const struct replay_graph *g, const struct replay_result *r, struct place *p)
{
	uint32_t last = 0;
	int64_t at = INT64_MIN;

	for (uint32_t i = 1; i < g->nranks; i++)
		last = r->rank[i].end_ns > r->rank[last].end_ns ? i : last;
	for (uint32_t i = 0; g->nranks && i < g->nlanes; i++) {
		const uint32_t call = g->lane[i].first + g->lane[i].n - 1;

		if (g->lane[i].rank != last || !g->lane[i].n || g->call[call].leave <= at)
			continue;
		at = g->call[call].leave;
		*p = (struct place){ i, call, r->rank[last].end_ns };
	}
	return at != INT64_MIN;
}

/* Takes the path back over the computation after the lane's call, and over the call. */
static void step_back(
	const struct replay_graph *g, struct replay_result *r, int64_t start, struct place *p)
{
	const struct replay_lane *lane = &g->lane[p->lane];
	const uint32_t next = p->call == REPLAY_NONE ? lane->first : p->call + 1;
	int64_t left = p->call == REPLAY_NONE ? start : g->call[p->call].leave, rest = 0;
	struct replay_site_result *site;
	uint32_t by = REPLAY_NONE;

	left = left > start ? left : start;
	add(r, lane->rank,
		next < lane->first + lane->n ? &r->site[g->call[next].site].path_computation_ns :
					       &rest,
		p->at - left);
	p->at = left < p->at ? left : p->at;
	if (p->call == REPLAY_NONE || p->at <= start) {
		p->at = start;
		return;
	}
	site = &r->site[g->call[p->call].site];
	if (g->call[p->call].by != REPLAY_NONE)
		by = releaser(g, &g->part[g->call[p->call].by]);
	left = by == REPLAY_NONE ? g->call[p->call].enter : g->part[by].at;
	left = left > start ? left : start;
	add(r, lane->rank, &site->path_call_ns, p->at - left);
	p->at = left < p->at ? left : p->at;
	if (by != REPLAY_NONE) {
		p->call = g->detail[by].post_call;
		p->lane = lane_of(g, p->call);
		lane = &g->lane[p->lane];
	}
	p->call = before(lane, p->call);
}

void replay_path(const struct replay_graph *g, struct replay_result *r)
{
	struct place p;
	int64_t start = 0;

	if (r->stuck || !find_end(g, r, &p))
		return;
	for (uint32_t i = 0; i < g->nranks; i++)
		start = g->rank[i].start_ns > start ? g->rank[i].start_ns : start;
	/*
	 * steps have a limit: if clocks of two hosts contradict each other, the path may pass a
	 * call again
	 */
	for (uint64_t steps = 0; p.at > start && steps <= 2 * (uint64_t)g->ncalls; steps++)
		step_back(g, r, start, &p);
}

struct replay_efficiency replay_efficiency(const struct replay_graph *g,
	const struct replay_result *before, const struct replay_result *ideal)
{
	struct replay_efficiency e = { 0 };
	double sum = 0;

	for (uint32_t i = 0; i < g->nranks; i++) {
		const struct replay_rank *rank = &g->rank[i];
		const int64_t end = before->rank[i].end_ns, ideal_end = ideal->rank[i].end_ns;
		int64_t ns = end - rank->start_ns;

		if (rank->nlanes)
			ns -= before->rank[i].inside_ns / rank->nlanes;
		sum += (double)ns;
		e.max_computation_ns = ns > e.max_computation_ns ? ns : e.max_computation_ns;
		e.run_ns = end > e.run_ns ? end : e.run_ns;
		e.ideal_ns = ideal_end > e.ideal_ns ? ideal_end : e.ideal_ns;
	}
	e.mean_computation_ns = g->nranks ? llround(sum / g->nranks) : 0;
	return e;
}
