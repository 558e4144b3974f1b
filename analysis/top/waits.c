/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.c: lists, walks, rings.
 *
 * All ranks in one collective share a list. So the lists are no longer than ranks times
 * collectives that are open at once.
 */
#include "analysis/top/waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/top/names.h"

struct waiter *waiter_of(struct waiter *waiter, uint32_t n, int32_t rank)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (waiter[middle].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && waiter[low].rank == rank ? &waiter[low] : NULL;
}

void waits_release(struct waits *w)
{
	free(w->wanted);
	free(w->ring);
	memset(w, 0, sizeof(*w));
}

static int add(int32_t **list, uint32_t *n, uint32_t *room, int32_t value)
{
	int rc = array_room(list, sizeof(**list), room, *n);

	if (!rc)
		(*list)[(*n)++] = value;
	return rc;
}

static const struct comm_known *member_of(const struct waiter *r, uint64_t uid)
{
	for (uint32_t i = 0; i < r->ncomms; i++)
		if (r->comm[i].uid == uid)
			return &r->comm[i];
	return NULL;
}

static bool same_collective(const struct waiter *a, const struct waiter *b)
{
	return b->want == WANT_COLLECTIVE && a->uid == b->uid && a->number == b->number;
}

/* The members that have not begun the collective of `in`. Some may be unknown. */
static int list_missing(struct waits *w, struct waiter *waiter, uint32_t n, struct waiter *in)
{
	int32_t known = 0;
	int rc = 0;

	in->first = w->nwanted;
	for (uint32_t i = 0; i < n && !rc; i++) {
		const struct comm_known *c = member_of(&waiter[i], in->uid);

		if (!c)
			continue;
		known++;
		if (c->begun <= in->number && !same_collective(in, &waiter[i]))
			rc = add(&w->wanted, &w->nwanted, &w->wanted_room, waiter[i].rank);
	}
	in->nwanted = w->nwanted - in->first;
	if (known != in->members)
		in->certain = false;
	return rc;
}

static int list_wanted(struct waits *w, struct waiter *waiter, uint32_t n)
{
	const struct waiter *shared = NULL;
	int rc = 0;

	w->nwanted = 0;
	for (uint32_t i = 0; i < n && !rc; i++) {
		struct waiter *r = &waiter[i];

		r->first = w->nwanted;
		r->nwanted = 0;
		if (r->want == WANT_RANKS) {
			for (uint32_t p = 0; p < r->npeers && !rc; p++)
				rc = add(&w->wanted, &w->nwanted, &w->wanted_room, r->peer[p]);
			r->nwanted = w->nwanted - r->first;
		} else if (r->want == WANT_COLLECTIVE) {
			/* most often that of the rank before, else looked for */
			if (!shared || !same_collective(r, shared)) {
				shared = NULL;
				for (uint32_t j = 0; j < i && !shared; j++)
					if (same_collective(r, &waiter[j]))
						shared = &waiter[j];
			}
			if (shared) {
				r->first = shared->first;
				r->nwanted = shared->nwanted;
				r->certain &= shared->certain;
			} else {
				rc = list_missing(w, waiter, n, r);
				shared = r;
			}
		}
	}
	return rc;
}

/* One pass, in the order of the ranks or against it. True if something changed. */
static bool spread(const struct waits *w, struct waiter *waiter, uint32_t n, bool *goes_on, bool up)
{
	bool changed = false;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = up ? k : n - 1 - k;

		for (uint32_t p = 0; !goes_on[i] && p < waiter[i].nwanted; p++) {
			const struct waiter *peer =
				waiter_of(waiter, n, w->wanted[waiter[i].first + p]);

			if (!peer || goes_on[peer - waiter])
				goes_on[i] = changed = true;
		}
	}
	return changed;
}

static void find_stuck(const struct waits *w, struct waiter *waiter, uint32_t n, bool *goes_on)
{
	bool up = true;

	for (uint32_t i = 0; i < n; i++)
		goes_on[i] = !waiter[i].waits || !waiter[i].stays || !waiter[i].certain ||
			waiter[i].nwanted == 0;
	while (spread(w, waiter, n, goes_on, up))
		up = !up;
}

/* Whom a walk from `r` comes to: one that does not wait where there is one. NULL: nobody known. */
static struct waiter *next_of(
	const struct waits *w, struct waiter *waiter, uint32_t n, const struct waiter *r)
{
	struct waiter *first = NULL;

	for (uint32_t p = 0; r->waits && p < r->nwanted; p++) {
		struct waiter *peer = waiter_of(waiter, n, w->wanted[r->first + p]);

		if (peer && !peer->waits)
			return peer;
		if (peer && !first)
			first = peer;
	}
	return first;
}

/* From each stuck rank along `next`: a walk that comes to itself is a ring. */
static int find_rings(struct waits *w, struct waiter *waiter, uint32_t n, const bool *goes_on,
	struct waiter *const *next, uint32_t *walk)
{
	int rc = 0;

	memset(walk, 0, n * sizeof(*walk));
	for (uint32_t i = 0; i < n && !rc; i++) {
		uint32_t at = i;

		if (goes_on[i])
			continue;
		while (!walk[at] && next[at]) {
			walk[at] = i + 1;
			at = (uint32_t)(next[at] - waiter);
		}
		if (walk[at] != i + 1)
			continue;
		for (; !rc && waiter[at].ring < 0; at = (uint32_t)(next[at] - waiter)) {
			waiter[at].ring = (int32_t)w->nrings;
			rc = add(&w->ring, &w->nring, &w->ring_room, waiter[at].rank);
		}
		if (!rc)
			rc = add(&w->ring, &w->nring, &w->ring_room, -1);
		w->nrings += !rc;
	}
	return rc;
}

/* Where the walk from each rank ends; in a ring, or a circle that may dissolve, at its lowest. */
static void find_origins(
	struct waiter *waiter, uint32_t n, struct waiter *const *next, uint32_t *walk)
{
	for (uint32_t i = 0; i < n; i++)
		waiter[i].origin = -1;
	memset(walk, 0, n * sizeof(*walk));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;
		int32_t origin;

		while (waiter[at].origin < 0 && walk[at] != i + 1 && next[at]) {
			walk[at] = i + 1;
			at = (uint32_t)(next[at] - waiter);
		}
		origin = waiter[at].origin;
		if (origin < 0) {
			origin = waiter[at].rank;
			for (uint32_t r = at; next[r] && (r = (uint32_t)(next[r] - waiter)) != at;)
				if (waiter[r].rank < origin)
					origin = waiter[r].rank;
		}
		for (at = i; waiter[at].origin < 0; at = (uint32_t)(next[at] - waiter)) {
			waiter[at].origin = origin;
			if (!next[at])
				break;
		}
	}
}

static int find(struct waits *w, struct waiter *waiter, uint32_t n, struct waiter **next,
	uint32_t *walk, bool *goes_on)
{
	int rc = list_wanted(w, waiter, n);

	w->nring = w->nrings = 0;
	for (uint32_t i = 0; i < n; i++) {
		waiter[i].ring = -1;
		waiter[i].behind = 0;
	}
	if (rc)
		return rc;
	for (uint32_t i = 0; i < n; i++)
		next[i] = next_of(w, waiter, n, &waiter[i]);
	find_stuck(w, waiter, n, goes_on);
	rc = find_rings(w, waiter, n, goes_on, next, walk);
	find_origins(waiter, n, next, walk);
	for (uint32_t i = 0; i < n; i++)
		if (waiter[i].origin != waiter[i].rank)
			waiter_of(waiter, n, waiter[i].origin)->behind++;
	return rc;
}

int waits_find(struct waits *w, struct waiter *waiter, uint32_t n)
{
	struct waiter **next = calloc(n + 1, sizeof(struct waiter *));
	uint32_t *walk = calloc(n + 1, sizeof(*walk));
	bool *goes_on = calloc(n + 1, sizeof(*goes_on));
	int rc = next && walk && goes_on ? find(w, waiter, n, next, walk, goes_on) : -ENOMEM;

	free(next);
	free(walk);
	free(goes_on);
	return rc;
}

uint32_t waits_circle(const struct waits *w, struct waiter *waiter, uint32_t n,
	const struct waiter *start, int32_t *member, uint32_t most)
{
	const struct waiter *at = start;
	uint32_t length = 0;

	do {
		member[length++] = at->rank;
		at = next_of(w, waiter, n, at);
	} while (at && at != start && length < most);
	return at == start ? length : 0;
}
