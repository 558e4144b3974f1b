/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c: compares the run with a replay of it by the model (pace.h). */
#include "analysis/mapping/pace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/format/db/db.h"
#include "analysis/replay/queries.h"
#include "analysis/replay/run.h"

enum {
	ROUNDS = 4,
	CHANCES = 15,  /* replays with different seeds, at most */
	MANY = 5000000 /* ends of messages in all these replays together, at most */
};

#define PACE_LEAST 0.25
#define PACE_MOST 4.0
#define SHARE 0.05    /* of the run time that data between hosts needs to show its pace */
#define CLOSE 0.005   /* of the run time: the pace need not fit better */
#define GOOD 0.05     /* ... and fits so well */
#define USABLE 0.1    /* ... or at least so well */
#define TOO_FAST 0.95 /* data moved faster than shares of the ways into hosts allow */
#define CUT_MOST 1e6  /* damaged files may have larger ones */
#define FREE_CUT 0.2  /* of cut_pair: with a smaller cut_in ways into hosts are free */
#define CAREFUL 0.7   /* later steps: the run time may follow the pace in leaps */

/* A replay's run time, and its chance. */
struct tried {
	int64_t ns;
	uint32_t chance;
};

/* Takes the cuts that run.db or the file has. */
static int read_cuts(sqlite3 *db, struct contention *out)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(db, sql_replay_cuts, &q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const char *name = (const char *)sqlite3_column_text(q, 0);
		const double value = sqlite3_column_double(q, 1);
		double *cut = name ? contention_cut(out, name) : NULL;

		if (cut && value >= 0 && value <= CUT_MOST)
			*cut = value;
	}
	sqlite3_finalize(q);
	return rc;
}

int replay_cuts_read(sqlite3 *db, const struct replay_changes *changes, struct contention *out,
	const struct say *say)
{
	int rc;

	contention_share(out);
	for (uint32_t f = changes->nlinks_more; f-- > 0;) {
		rc = read_cuts(changes->links_more[f], out);
		if (rc)
			return db_say(changes->links_more[f], rc, "read", say);
	}
	rc = read_cuts(db, out);
	return rc ? db_say(db, rc, "read", say) : 0;
}

/* The run time of a replay; INT64_MAX: it would hang. s->crowded is set if it is too much to
 * follow. */
static int replay_time(struct replay_graph *g, struct replay_scenario *s, struct tried *out)
{
	struct replay_result result;
	const int rc = replay_run(g, s, &result);

	*out = (struct tried){ result.stuck ? INT64_MAX : result.run_ns, s ? s->chance : 0 };
	if (s)
		s->crowded |= result.crowded;
	replay_result_release(&result);
	return rc;
}

static int by_time(const void *a, const void *b)
{
	const struct tried *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

/* The number of replays: odd, so that there is a median. */
static uint32_t chances(const struct replay_graph *g)
{
	const uint32_t n = g->nparts ? MANY / g->nparts : CHANCES;

	return n >= CHANCES ? CHANCES : n > 1 ? (n - 1) | 1 : 1;
}

int replay_median(struct replay_graph *g, struct replay_scenario *s, int64_t *run_ns)
{
	uint32_t n = s->host_of ? chances(g) : 1;
	struct tried tried[CHANCES];
	double mean = 0, squares = 0;
	int rc = 0;

	for (s->chance = 0; s->chance < n && !rc; s->chance++) {
		rc = replay_time(g, s, &tried[s->chance]);
		if (s->crowded) { /* then all are alike */
			s->host_of = NULL;
			tried[0] = tried[s->chance];
			n = 1;
		}
	}
	if (rc)
		return rc;
	qsort(tried, n, sizeof(*tried), by_time);
	s->chance = tried[n / 2].chance;
	*run_ns = tried[n - 1].ns == INT64_MAX ? INT64_MAX : tried[n / 2].ns;
	s->chance_ns = 0;
	if (n == 1 || *run_ns == INT64_MAX)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		mean += (double)tried[i].ns / n;
	for (uint32_t i = 0; i < n; i++)
		squares += ((double)tried[i].ns - mean) * ((double)tried[i].ns - mean);
	s->chance_ns = sqrt(squares / (n - 1));
	return 0;
}

/* The run by the model: no change but that traffic is followed. 0 or -ENOMEM. */
static int unchanged(const struct replay_graph *g, const struct replay_hosts *h,
	const struct replay_scenario *s, struct replay_scenario *out)
{
	struct replay_hosts where = *h; /* nobody moves */

	where.is = where.was;
	*out = (struct replay_scenario){
		.links_equal = s->links_equal, .host_of = h->was, .cuts = &h->cuts, .pace = 1
	};
	out->link = malloc(((size_t)g->nranks + 1) * sizeof(*out->link));
	if (!out->link)
		return -ENOMEM;
	for (uint32_t r = 0; r < g->nranks; r++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			out->link[r][t].was = out->link[r][t].is = s->link[r][t].was;
	return replay_hosts_apply(g, &where, out, NULL);
}

/* A pace, and how far a replay with it is off the run time, as a share of it. INFINITY: none fits.
 */
struct fit {
	double pace, off;
	int64_t run_ns;
	int64_t run_at_1_ns; /* with pace 1 */
};

/* How far the replay is off, as a share of `ns`. */
static double off_by(int64_t run_ns, int64_t ns)
{
	return fabs((double)run_ns / (double)ns - 1);
}

/* Fits the pace: a replay of *was should take `ns`. Changes was->pace. */
static int fit_pace(
	struct replay_graph *g, struct replay_scenario *was, int64_t ns, struct fit *fit)
{
	struct tried least = { 0 };
	int64_t run;
	int rc;

	*fit = (struct fit){ 1, INFINITY, 0, 0 };
	was->pace = PACE_LEAST / 100;
	rc = replay_time(g, was, &least);
	was->pace = 1;
	for (int i = 0; i < ROUNDS && !rc && fit->off > CLOSE; i++) {
		double off;

		rc = replay_median(g, was, &run);
		if (rc || was->crowded || run == INT64_MAX)
			break;
		off = off_by(run, ns);
		if (off < fit->off)
			*fit = (struct fit){ was->pace, off, run, i ? fit->run_at_1_ns : run };
		if (ns <= least.ns || run <= least.ns ||
			(i == 0 && (double)(run - least.ns) < SHARE * (double)ns))
			break;
		was->pace *=
			pow((double)(ns - least.ns) / (double)(run - least.ns), i ? CAREFUL : 1);
		was->pace = fmin(fmax(was->pace, PACE_LEAST), PACE_MOST);
	}
	return rc;
}

/* Do the flow cuts tell that messages from several hosts do not slow each other down? */
static bool cuts_leave_ways_in_free(const struct contention *cuts)
{
	return !isnan(cuts->cut_in) && cuts->cut_in < FREE_CUT * cuts->cut_pair;
}

int replay_find_pace(
	struct replay_graph *g, const struct replay_scenario *s, struct replay_hosts *hosts)
{
	struct replay_scenario was; /* as it was, but by the model */
	struct tried measured = { 0 };
	struct fit fit = { 1, INFINITY, 0, 0 }, in_free;
	int rc = unchanged(g, hosts, s, &was);

	hosts->ways_in_free = was.ways_in_free = cuts_leave_ways_in_free(&hosts->cuts);
	if (!rc)
		rc = replay_time(g, NULL, &measured);
	if (!rc)
		rc = fit_pace(g, &was, measured.ns, &fit);
	if (!rc && !was.crowded && fit.pace < TOO_FAST && isnan(hosts->cuts.cut_in)) {
		was.ways_in_free = true;
		rc = fit_pace(g, &was, measured.ns, &in_free);
		if (!rc && in_free.off < fmax(fit.off, GOOD) &&
			fabs(log(in_free.pace)) < fabs(log(fit.pace))) {
			fit = in_free;
			hosts->ways_in_free = true;
		}
	}
	/* data is no faster than alone over its link, but the model may lack something */
	if (fit.pace < 1 && off_by(fit.run_at_1_ns, measured.ns) < USABLE)
		fit = (struct fit){ 1, off_by(fit.run_at_1_ns, measured.ns), fit.run_at_1_ns,
			fit.run_at_1_ns };
	hosts->pace = fit.pace;
	hosts->pace_known = fit.off < USABLE;
	hosts->rest_ns = isfinite(fit.off) ? measured.ns - fit.run_ns : 0;
	hosts->off = isfinite(fit.off) ? fit.off : 0;
	free(was.link);
	free(was.tier);
	return rc;
}
