/* SPDX-License-Identifier: BSD-3-Clause */
/* crowd.c: the flows of each host in time, and how much longer each takes (crowd.h). */
#include "analysis/mapping/crowd.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/message.h"
#include "analysis/replay/run.h"
#include "record.h"

enum { ROUNDS = 3 };

#define STEPS_MAX 2e8 /* events times flows: some seconds */

/* Flows of one replay, and the sends that they are of. */
struct flows {
	struct flow *flow;
	uint32_t *part;
	size_t n;
};

int replay_cuts_read(sqlite3 *file, struct contention *out)
{
	const struct {
		const char *name;
		double *to;
	} cuts[] = { { "cut_pair", &out->cut_pair }, { "cut_chain_end", &out->cut_chain_end },
		{ "cut_chain_middle", &out->cut_chain_middle }, { "cut_enter", &out->cut_enter },
		{ "cut_leave", &out->cut_leave }, { "cut_between", &out->cut_between },
		{ "cut_single", &out->cut_single } };
	sqlite3_stmt *q = NULL;
	int rc = 0;

	*out = (struct contention){ .cut_pair = 1, .cut_chain_end = NAN, .cut_chain_middle = NAN };
	/* parameters that MPI_Init measured have no fits */
	if (file && db_has_table(file, "fit"))
		rc = db_prepare(file,
			"SELECT name, value FROM fit WHERE model = 'MM' AND value IS NOT NULL", &q);
	while (q && rc >= 0 && (rc = db_step(q)) > 0)
		for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
			if (strcmp((const char *)sqlite3_column_text(q, 0), cuts[i].name) == 0)
				*cuts[i].to = sqlite3_column_double(q, 1);
	sqlite3_finalize(q);
	if (isnan(out->cut_chain_end))
		out->cut_chain_end = out->cut_pair;
	if (isnan(out->cut_chain_middle))
		out->cut_chain_middle = out->cut_pair;
	return rc;
}

/* The flow of the send, as it was gone through last; false: it is none. */
static bool flow_of(const struct replay_graph *g, const struct replay_hosts *h,
	const struct replay_scenario *s, uint32_t p, bool under, struct flow *out)
{
	const struct replay_part *part = &g->part[p], *other;
	const uint32_t *host = under ? h->is : h->was;
	const struct replay_link *link = &s->link[h->part_rank[p]][TIER_NETWORK];
	const struct loggps *l = under ? &link->is : &link->was;
	double byte_ns;
	bool rendezvous;

	if (part->instance != REPLAY_NONE || !part->is_send || part->partner == REPLAY_NONE ||
		!part->bytes)
		return false;
	other = &g->part[part->partner];
	rendezvous = under ? replay_rendezvous(s, part) : part->rendezvous;
	byte_ns = l->by[loggps_regime(l, part->bytes)].sum;
	*out = (struct flow){ .from = (int)host[h->part_rank[p]],
		.to = (int)host[h->part_rank[part->partner]],
		.start_ns = (double)part->at,
		.bytes = part->bytes,
		.byte_ns = byte_ns };
	if (rendezvous && other->at > part->at)
		out->start_ns = (double)other->at;
	if (rendezvous && l->rendezvous > 0)
		out->start_ns += l->rendezvous;
	return out->from != out->to && part->at != INT64_MIN && byte_ns > 0 &&
		(!rendezvous || other->at != INT64_MIN);
}

/* As replay_run() left the graph. */
static int make_flows(const struct replay_graph *g, const struct replay_hosts *h,
	const struct replay_scenario *s, bool under, struct flows *out)
{
	*out = (struct flows){ .flow = malloc(((size_t)g->nparts + 1) * sizeof(*out->flow)),
		.part = malloc(((size_t)g->nparts + 1) * sizeof(*out->part)) };
	if (!out->flow || !out->part)
		return -ENOMEM;
	for (uint32_t p = 0; p < g->nparts; p++)
		if (flow_of(g, h, s, p, under, &out->flow[out->n]))
			out->part[out->n++] = p;
	return 0;
}

static void flows_release(struct flows *f)
{
	free(f->flow);
	free(f->part);
}

struct edge {
	double at;
	int more;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->more - y->more;
}

/* Would contention_run() take too many steps? -ENOMEM without memory. */
static int too_many(const struct flows *f)
{
	struct edge *edge = malloc((2 * f->n + 1) * sizeof(*edge));
	int now = 0, most = 0;

	if (!edge)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		const struct flow *flow = &f->flow[i];

		edge[2 * i] = (struct edge){ flow->start_ns, 1 };
		edge[2 * i + 1] =
			(struct edge){ flow->start_ns + (double)flow->bytes * flow->byte_ns, -1 };
	}
	qsort(edge, 2 * f->n, sizeof(*edge), by_time);
	for (size_t i = 0; i < 2 * f->n; i++) {
		now += edge[i].more;
		most = now > most ? now : most;
	}
	free(edge);
	return (double)f->n * most > STEPS_MAX;
}

/* Fills `was` or, if `under`, `is` of crowd[] from the last replay. 1: there are too many flows. */
static int fill(const struct replay_graph *g, const struct replay_hosts *h,
	const struct contention *cuts, bool under, struct replay_scenario *s)
{
	struct flows f = { 0 };
	int rc = make_flows(g, h, s, under, &f);

	if (!rc)
		rc = too_many(&f);
	if (!rc)
		rc = contention_run(cuts, f.flow, f.n);
	for (size_t i = 0; i < f.n && !rc; i++) {
		const struct flow *flow = &f.flow[i];
		const double more =
			flow->end_ns - flow->start_ns - (double)flow->bytes * flow->byte_ns;
		const uint32_t end[] = { f.part[i], g->part[f.part[i]].partner };

		for (int k = 0; k < 2; k++)
			*(under ? &s->crowd[end[k]].is : &s->crowd[end[k]].was) =
				more > 0 ? more : 0;
	}
	flows_release(&f);
	return rc;
}

int replay_find_crowd(struct replay_graph *g, const struct replay_hosts *h,
	const struct contention *cuts, struct replay_scenario *s)
{
	struct replay_crowd *crowd = calloc((size_t)g->nparts + 1, sizeof(*crowd));
	int rc = crowd ? 0 : -ENOMEM;

	free(s->crowd);
	s->crowd = crowd;
	s->crowded = false;
	for (int i = 0; i <= ROUNDS && !rc; i++) {
		struct replay_result result;

		rc = replay_run(g, i ? s : NULL, &result);
		replay_result_release(&result);
		/* at first as if messages began when they did in the run */
		if (!rc && i == 0)
			rc = fill(g, h, cuts, false, s);
		if (!rc)
			rc = fill(g, h, cuts, true, s);
	}
	if (rc <= 0)
		return rc;
	free(s->crowd);
	s->crowd = NULL;
	s->crowded = true;
	return 0;
}
