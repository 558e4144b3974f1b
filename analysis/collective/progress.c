/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: finds late progress in nonblocking collectives (progress.h). */
#include "analysis/collective/progress.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/ranks/busy.h"
#include "analysis/base/bisect.h"

enum {
	ABSENCE_NS = 1000, /* least time that is told */
	/* absences kept for a member; older ones are joined in pairs */
	TIMES_EACH = 8,
	LOOKS = 64 /* absences of others that each waiting member looks at */
};

static bool waits_apart(const struct coll_member *member)
{
	return member->from != member->enter && member->to - member->from >= ABSENCE_NS;
}

int64_t progress_matters_until(const struct coll_member *member, uint32_t n)
{
	int64_t until = INT64_MIN;

	for (uint32_t i = 0; i < n; i++)
		if (waits_apart(&member[i]) && member[i].to > until)
			until = member[i].to;
	return until;
}

void absences_release(struct absences *list)
{
	free(list->at);
	free(list->by_until);
	*list = (struct absences){ 0 };
}

/* Adds an absence to those of its member, which are [first, list->n). There is room. */
static void add_absence(struct absences *list, uint32_t first, const struct absence *more)
{
	if (list->n - first == TIMES_EACH) {
		for (uint32_t i = 0; i < TIMES_EACH / 2; i++) {
			const struct absence *a = &list->at[first + 2 * i];

			list->at[first + i] = (struct absence){ a[0].from, a[1].until,
				a[0].ns + a[1].ns, a[0].member };
		}
		list->n = first + TIMES_EACH / 2;
	}
	list->at[list->n++] = *more;
}

/*
 * The times in [since, until] that member k was outside MPI, between its post and the call that
 * completes it.
 */
static void find_times(struct run_ranks *r, struct absences *list, const struct coll_member *member,
	uint32_t k, int64_t since, int64_t until)
{
	const struct coll_member *of = &member[k];
	const uint32_t first = list->n;
	int64_t at = of->post_leave > since ? of->post_leave : since, from, to;

	/* if rows were not kept, nothing is known */
	if (of->from == of->enter || of->rank->cut[READ_BUSY])
		return;
	while (at < of->from && busy_next_gap(r, of->rank, at, until, &from, &to) &&
		from < of->from) {
		/* it is inside MPI then: intervals are missing */
		if (to > of->from + ABSENCE_NS) {
			list->n = first;
			return;
		}
		to = to < of->from ? to : of->from;
		if (to > until)
			return;
		if (to - from >= ABSENCE_NS)
			add_absence(list, first, &(struct absence){ from, to, to - from, k });
		at = to;
	}
}

static int make_room(struct absences *list, uint32_t n)
{
	if (list->room >= n)
		return 0;
	absences_release(list);
	list->at = malloc((size_t)n * sizeof(*list->at));
	list->by_until = malloc((size_t)n * sizeof(*list->by_until));
	list->room = list->at && list->by_until ? n : 0;
	return list->room ? 0 : -ENOMEM;
}

/* Does member i need member k by definition? member[] of an early scan is in the order of ranks. */
static bool needs(const struct coll_member *member, uint32_t i, uint32_t k, enum coll_state state,
	int32_t root)
{
	switch (state) {
	case COLL_BARRIER:
	case COLL_NXN:
		return true;
	case COLL_LATE_BROADCAST:
		return member[k].rank->rank == root;
	case COLL_EARLY_REDUCE:
		return member[i].rank->rank == root;
	case COLL_EARLY_SCAN:
		return k < i;
	default:
		return false;
	}
}

/* The time that a member was outside MPI, from `from` on until the end of its absence `x`. */
static int64_t absent_since(const struct absences *list, uint32_t x, int64_t from)
{
	const uint32_t member = list->at[x].member;
	int64_t ns = 0;

	for (;; x--) {
		const struct absence *a = &list->at[x];
		const int64_t most = a->until - (a->from > from ? a->from : from);

		if (a->member != member || most <= 0)
			break;
		ns += a->ns < most ? a->ns : most;
		if (x == 0)
			break;
	}
	return ns;
}

/* The number of absences that ended by `ns`. */
static uint32_t came_back(const struct absences *list, int64_t ns)
{
	return bisect_below(list->by_until, sizeof(*list->by_until),
		offsetof(struct coll_entry, enter), list->n, ns + 1);
}

static void wait_for_progress(const struct absences *list, const struct coll_member *member,
	uint32_t i, enum coll_state state, int32_t root, struct coll_wait *wait)
{
	const int64_t from = member[i].from + coll_wait_ns(&wait[i]), to = member[i].to;
	int64_t most = ABSENCE_NS - 1;
	uint32_t x = came_back(list, to);

	for (int looks = 0; x-- > 0 && looks < LOOKS; looks++) {
		const uint32_t at = list->by_until[x].member, k = list->at[at].member;
		const int64_t until = list->at[at].until;
		int64_t ns;

		if (until - from <= most)
			break;
		ns = absent_since(list, at, from);
		if (k == i || ns <= most || !coll_depends(&member[i], &member[k]))
			continue;
		if (!needs(member, i, k, state, root) &&
			(ns * 3 < (to - from) * 2 ||
				(member[k].to - member[k].from - coll_wait_ns(&wait[k])) * 2 > ns))
			continue;
		most = ns;
		wait[i].ns[COLL_BY_PROGRESS] = ns;
		wait[i].from[COLL_BY_PROGRESS] = until - ns;
		wait[i].late[COLL_BY_PROGRESS] = k;
	}
}

int progress_waits(struct run_ranks *r, struct absences *list, const struct coll_member *member,
	uint32_t n, enum coll_state state, int32_t root, int64_t until, struct coll_wait *wait,
	struct coll_entry *order)
{
	int64_t since = INT64_MAX;

	for (uint32_t i = 0; i < n; i++) {
		order[i] = (struct coll_entry){ member[i].from, i };
		if (waits_apart(&member[i]) && member[i].from < since)
			since = member[i].from;
	}
	if (make_room(list, TIMES_EACH * n) != 0)
		return -ENOMEM;
	list->n = 0;
	for (uint32_t k = 0; k < n; k++)
		find_times(r, list, member, k, since, until);
	for (uint32_t x = 0; x < list->n; x++)
		list->by_until[x] = (struct coll_entry){ list->at[x].until, x };
	qsort(list->by_until, list->n, sizeof(*list->by_until), coll_by_enter);
	/* from the last to the first: the waits of those who came back later are known */
	qsort(order, n, sizeof(*order), coll_by_enter);
	for (uint32_t i = n; i-- > 0 && list->n;)
		if (waits_apart(&member[order[i].member]) && member[order[i].member].alone)
			wait_for_progress(list, member, order[i].member, state, root, wait);
	return 0;
}
