/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chance.c: are ranks late by chance?
 *
 * They are if few of the messages wait, and no rank is late more than others: its net lateness is
 * what the sum of as long times of random sign can be. Work that alternates by design makes many
 * messages wait. A rank with more work is late more. A few waits, or a few long ones among others,
 * tell nothing of chance.
 */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
	FEW = 10,       /* a tenth of the messages */
	WAITS_MIN = 20, /* fewer are never chance */
	LONGEST = 10    /* no wait has more than a tenth of the squares */
};

/* How late others waited for a rank, less what it waited for them; the squares of both [ns^2]. */
struct lateness {
	double net, squares;
};

static void add_wait(const struct worth *w, const struct worth_wait *wait, struct lateness *rank)
{
	const uint32_t other = w->edit.part[wait->part].partner;
	const double ns = (double)wait->ns;
	struct lateness *waits = &rank[w->g.lane[w->g.part[wait->part].lane].rank];
	struct lateness *late;

	if (other == REPLAY_NONE)
		return;
	late = &rank[w->g.lane[w->g.part[other].lane].rank];
	late->net += ns;
	waits->net -= ns;
	late->squares += ns * ns;
	waits->squares += ns * ns;
}

/* Are there enough waits to judge by, and none that is most of them? */
static bool are_many(const struct worth_wait *waiting, uint32_t n)
{
	double longest = 0, squares = 0;

	for (uint32_t i = 0; i < n; i++) {
		const double square = (double)waiting[i].ns * (double)waiting[i].ns;

		squares += square;
		longest = fmax(longest, square);
	}
	return n >= WAITS_MIN && longest <= squares / LONGEST;
}

/*
 * How many times the root of the squares a net lateness is at most, if all of n ranks are late by
 * chance: in 95 of 100 runs. By Hoeffding's inequality, one rank exceeds it in 1 of 20 n runs.
 */
static double deviations(uint32_t n)
{
	return sqrt(2 * log(20.0 * n));
}

/* How many messages there are at the marked callsites: their ends of this kind. */
static uint32_t count_at(const struct worth *w, const bool *site, bool is_send)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->g.nparts; i++)
		n += w->g.part[i].instance == REPLAY_NONE && site[w->g.part[i].site] &&
			w->g.part[i].is_send == is_send;
	return n;
}

int worth_late_by_chance(
	const struct worth *w, const struct worth_wait *waiting, uint32_t n, bool *chance)
{
	struct lateness *rank = calloc((size_t)w->g.nranks + 1, sizeof(*rank));
	bool *site = calloc((size_t)w->g.nsites + 1, sizeof(*site));
	const int rc = rank && site ? 0 : -ENOMEM;

	*chance = false;
	if (!rc && are_many(waiting, n)) {
		for (uint32_t i = 0; i < n; i++) {
			add_wait(w, &waiting[i], rank);
			site[w->g.part[waiting[i].part].site] = true;
		}
		*chance = n < count_at(w, site, w->g.part[waiting[0].part].is_send) / FEW;
		for (uint32_t i = 0; i < w->g.nranks; i++)
			*chance &= fabs(rank[i].net) <=
				deviations(w->g.nranks) * sqrt(rank[i].squares);
	}
	free(site);
	free(rank);
	return rc;
}
