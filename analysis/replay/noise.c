/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.c: how much of a run time is chance.
 *
 * Batch means, as in diff/noise.c. The repetitions at a site are cut into consecutive batches:
 * those of the computation before its calls, and those of the calls without their waits. The spread
 * of the batches' sums gives the spread of the sum of all repetitions. The path has a share of this
 * spread. Waits add no noise of their own: they follow from computation and calls.
 */
#include "analysis/replay/path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { BATCHES = 16, FEWEST = 8 };

/* The repetitions at a site: of the computation before its calls, or of the calls. */
struct repeated {
	double batch[BATCHES];
	uint32_t n, seen;
};

static uint32_t batches_of(const struct repeated *r)
{
	return r->n < BATCHES ? r->n : BATCHES;
}

static void add(struct repeated *r, int64_t ns)
{
	r->batch[(uint64_t)r->seen++ * batches_of(r) / r->n] += (double)ns;
}

/* Variance of the sum of all repetitions [ns^2]; *sum: the sum. n >= 2. */
static double variance(const struct repeated *r, double *sum)
{
	const uint32_t n = batches_of(r);
	double squares = 0, neighbours = 0, last = 0;

	*sum = 0;
	for (uint32_t i = 0; i < n; i++)
		*sum += r->batch[i];
	for (uint32_t i = 0; i < n; i++) {
		const double off = r->batch[i] - *sum / n;

		squares += off * off;
		neighbours += off * last;
		last = off;
	}
	return n * (squares + 2 * fmax(neighbours, 0)) / (n - 1);
}

/*
 * Adds the path's share of the variance to *sum, and path_ns to *known_ns, if the repetitions are
 * enough.
 */
static void add_share(const struct repeated *r, int64_t path_ns, double *sum, double *known_ns)
{
	double all, share;

	if (r->n < FEWEST || path_ns <= 0)
		return;
	*known_ns += (double)path_ns;
	share = variance(r, &all);
	if (all > 0)
		*sum += share * fmin((double)path_ns / all, 1);
}

static void add_repetitions(
	const struct replay_graph *g, struct repeated *gap, struct repeated *inside)
{
	for (uint32_t i = 0; i < g->ncalls; i++) {
		gap[g->call[i].site].n++;
		inside[g->call[i].site].n++;
	}
	for (uint32_t i = 0; i < g->ncalls; i++) {
		const struct replay_call *call = &g->call[i];

		add(&gap[call->site], call->gap_ns);
		add(&inside[call->site], call->inside_ns - call->late_ns);
	}
}

int replay_noise(const struct replay_graph *g, const struct replay_result *r, double *ns)
{
	struct repeated *gap = calloc((size_t)g->nsites + 1, sizeof(*gap));
	struct repeated *inside = calloc((size_t)g->nsites + 1, sizeof(*inside));
	const int rc = gap && inside ? 0 : -ENOMEM;
	double sum = 0, known_ns = 0;

	*ns = NAN;
	if (!rc) {
		add_repetitions(g, gap, inside);
		for (uint32_t i = 0; i < g->nsites; i++) {
			add_share(&gap[i], r->site[i].path_computation_ns, &sum, &known_ns);
			add_share(&inside[i], r->site[i].path_call_ns, &sum, &known_ns);
		}
		/* the rest of the path is taken to have the same noise, relative to its time */
		if (r->path_ns > 0 && known_ns >= (double)r->path_ns / 2)
			*ns = sqrt(sum) * (double)r->path_ns / known_ns;
	}
	free(inside);
	free(gap);
	return rc;
}
