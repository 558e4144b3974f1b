/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.c: lanes cut into sections; like sections brought together by sorting.
 *
 *	lane  | computation | call at A | computation | call | computation | call at B | ...
 *	                                |<------------- section -------------->|
 */
#include "analysis/replay/balance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/clocks.h"

/* Some calls of a lane in a row, with the computation before each. */
struct section {
	uint32_t thread, like; /* the same in like sections */
	uint32_t first, n;     /* in call[] */
	int64_t work_ns;
};

struct cutter {
	const struct replay_graph *g;
	enum replay_sections sections;
	const int64_t *place;
	struct section *section;
	uint32_t nsections;
};

static struct section *begin_section(
	struct cutter *c, const struct replay_lane *lane, uint32_t like, uint32_t first)
{
	struct section *s = replay_grow(&c->section, &c->nsections, sizeof(*s));

	if (s)
		*s = (struct section){ .thread = lane->thread, .like = like, .first = first };
	return s;
}

/* The collective of all ranks to which the call belongs, or REPLAY_NONE. */
static uint32_t collective_of(const struct replay_graph *g, const struct replay_call *call)
{
	for (uint32_t p = call->posts; p != REPLAY_NONE; p = g->part[p].next_post) {
		const uint32_t instance = g->part[p].instance;

		if (instance != REPLAY_NONE && g->instance[instance].n == g->nranks)
			return instance;
	}
	return REPLAY_NONE;
}

/* Does a section end with this call? */
static bool ends_section(const struct cutter *c, const struct replay_call *call)
{
	switch (c->sections) {
	case SECTIONS_COLLECTIVES:
		return collective_of(c->g, call) != REPLAY_NONE;
	case SECTIONS_PLACES:
		return c->place[call->site] & PLACE_ENDS;
	default:
		return false;
	}
}

/* Does one begin behind it? *like: what it has in common with like ones; counts passes of places.
 */
static bool begins_section(const struct cutter *c, const struct replay_call *call, uint32_t *like)
{
	switch (c->sections) {
	case SECTIONS_COLLECTIVES:
		*like = collective_of(c->g, call) + 1;
		return *like != 0;
	case SECTIONS_PLACES:
		*like += c->place[call->site] & PLACE_BEGINS;
		return c->place[call->site] & PLACE_BEGINS;
	default:
		return false;
	}
}

static int cut_lane(struct cutter *c, const struct replay_lane *lane)
{
	struct section *s = NULL;
	uint32_t like = 0;

	if (c->sections != SECTIONS_PLACES && !(s = begin_section(c, lane, like, lane->first)))
		return -ENOMEM;
	for (uint32_t i = lane->first; i < lane->first + lane->n; i++) {
		const struct replay_call *call = &c->g->call[i];

		if (s) {
			s->work_ns += call->gap_ns;
			s->n++;
			s = ends_section(c, call) ? NULL : s;
		}
		if (s && c->sections == SECTIONS_PLACES && c->place[call->site] & PLACE_BEGINS) {
			/* the section begins at the last call at the place */
			s->first = i + 1;
			s->n = 0;
			s->work_ns = 0;
		} else if (!s && begins_section(c, call, &like) &&
			!(s = begin_section(c, lane, like, i + 1))) {
			return -ENOMEM;
		}
	}
	/* it has no end, or no call that its work could be before */
	if (s && (c->sections == SECTIONS_PLACES || s->n == 0))
		c->nsections--;
	return 0;
}

static int by_likeness(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->like > y->like) - (x->like < y->like);
}

/* Shares `work_ns` among the calls of the section as its own work was. */
static void share_work(
	const struct replay_graph *g, const struct section *s, int64_t work_ns, int64_t *gap_ns)
{
	int64_t own = 0, given = 0;

	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		int64_t ns = i + 1 == s->first + s->n ? work_ns : 0;

		own += g->call[i].gap_ns;
		if (s->work_ns)
			ns = llround((double)work_ns * ((double)own / (double)s->work_ns));
		gap_ns[i] = ns - given;
		given = ns;
	}
}

int replay_balance(const struct replay_graph *g, enum replay_sections sections,
	const int64_t *place, int64_t *gap_ns)
{
	struct cutter c = { .g = g, .sections = sections, .place = place };
	struct section *s;
	int rc = 0;

	for (uint32_t i = 0; i < g->ncalls; i++)
		gap_ns[i] = g->call[i].gap_ns;
	for (uint32_t i = 0; i < g->nlanes && !rc; i++)
		rc = cut_lane(&c, &g->lane[i]);
	s = c.section;
	if (s)
		qsort(s, c.nsections, sizeof(*s), by_likeness);
	for (uint32_t i = 0, n; i < c.nsections && !rc; i = n) {
		int64_t sum = 0;

		for (n = i; n < c.nsections && by_likeness(&s[i], &s[n]) == 0; n++)
			sum = clock_within(sum + s[n].work_ns, REPLAY_NS_MAX);
		for (uint32_t k = i; k < n; k++)
			share_work(g, &s[k], sum / (n - i), gap_ns);
	}
	free(c.section);
	return rc;
}
