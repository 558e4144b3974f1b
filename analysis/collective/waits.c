/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.c: who waited in a collective.
 *
 * The states are Scalasca's, with its definitions:
 *
 *	wait_at_barrier, wait_at_nxn   any member, until the last one came. Where a call makes a
 *				       communicator: only members that did not leave before that
 *	late_broadcast                 a member of a one-to-all, until its root came
 *	early_reduce                   the root of an all-to-one, until the first other member came
 *	early_scan                     a member of a prefix operation, until all of lower rank came
 *
 * tryst adds two states:
 *
 *	late_member   after the waits above: the root of an all-to-one, until the last other member
 *		      came. Also a member that the library's own algorithm kept (a tree, the
 *		      handshake of a large message, neighbours). Two conditions tell: nobody came
 *		      in two thirds of the member's time, until the late one did; and the late one
 *		      was in the call, without its own waits, half as long at most.
 *
 *	late_progress after the waits above, in nonblocking collectives: progress.h
 *
 * These two follow from times alone. If all members are in the call equally long, none meets the
 * second condition. If n members have next to nothing to do and come at random, n / 3^n of the
 * calls meet the first one.
 *
 * All waits are finer than Scalasca's: a wait begins where the member blocks, and is clipped there.
 * For a nonblocking or persistent collective that is the entry of its completion call, not that of
 * its post. The wait of a completion call of several requests is shared among them
 * (match/settle.c). In an intercommunicator a member needs only the members of the other side.
 */
#include "analysis/collective/waits.h"

#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "analysis/base/bisect.h"

/* Least wait for a member that is not needed by definition. */
enum { STOOD_NS = 1000 };

static const struct {
	const char *stem; /* in lower case, less MPI_, I and what follows */
	enum coll_state state;
} stems[] = {
	{ "barrier", COLL_BARRIER },
	{ "allgather", COLL_NXN },
	{ "allgatherv", COLL_NXN },
	{ "allreduce", COLL_NXN },
	{ "alltoall", COLL_NXN },
	{ "alltoallv", COLL_NXN },
	{ "alltoallw", COLL_NXN },
	{ "reduce_scatter", COLL_NXN },
	{ "reduce_scatter_block", COLL_NXN },
	{ "bcast", COLL_LATE_BROADCAST },
	{ "scatter", COLL_LATE_BROADCAST },
	{ "scatterv", COLL_LATE_BROADCAST },
	{ "reduce", COLL_EARLY_REDUCE },
	{ "gather", COLL_EARLY_REDUCE },
	{ "gatherv", COLL_EARLY_REDUCE },
	{ "scan", COLL_EARLY_SCAN },
	{ "exscan", COLL_EARLY_SCAN },
	{ "comm_dup", COLL_MAKER },
	{ "comm_dup_with_info", COLL_MAKER },
	{ "comm_create", COLL_MAKER },
	{ "comm_split", COLL_MAKER },
	{ "comm_split_type", COLL_MAKER },
	{ "intercomm_create", COLL_MAKER },
	{ "intercomm_merge", COLL_MAKER },
	{ "cart_create", COLL_MAKER },
	{ "cart_sub", COLL_MAKER },
	{ "graph_create", COLL_MAKER },
	{ "dist_graph_create", COLL_MAKER },
	{ "dist_graph_create_adjacent", COLL_MAKER },
};

/* The name in lower case, less its prefix and the suffixes _c and _init. */
static void make_stem(const char *name, char *stem, size_t size)
{
	static const char *const suffixes[] = { "_c", "_init" };
	const char *underscore = strchr(name, '_');
	size_t n = 0;

	for (name = underscore ? underscore + 1 : name; *name && n + 1 < size; name++)
		stem[n++] = (char)(*name | (*name >= 'A' && *name <= 'Z' ? 32 : 0));
	for (int i = 0; i < 2; i++) {
		size_t s = strlen(suffixes[i]);

		if (n > s && strncmp(stem + n - s, suffixes[i], s) == 0)
			n -= s;
	}
	stem[n] = '\0';
}

enum coll_state coll_state_of(unsigned call)
{
	char stem[64];

	make_stem(function_name(call), stem, sizeof(stem));
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (strcmp(stem, stems[i].stem) == 0 ||
			(stem[0] == 'i' && strcmp(stem + 1, stems[i].stem) == 0))
			return stems[i].state;
	return COLL_NONE;
}

static int by_comm_rank(const void *a, const void *b)
{
	const struct coll_member *x = a, *y = b;

	return (x->my_rank > y->my_rank) - (x->my_rank < y->my_rank);
}

/* Member i waits for member `late`, if that came after i's block and its waits for others. */
static void wait_for(const struct coll_member *member, uint32_t i, uint32_t late,
	struct coll_wait *wait, enum coll_part part)
{
	int64_t until = member[late].enter < member[i].to ? member[late].enter : member[i].to;
	int64_t from = member[i].from + (part == COLL_BY_MEMBER ? wait[i].ns[COLL_BY_STATE] : 0);

	if (i != late && until > from) {
		wait[i].ns[part] = until - from;
		wait[i].from[part] = from;
		wait[i].late[part] = late;
	}
}

/*
 * The last (sign 1) or first (-1) member to come among those that member i depends on; n: there is
 * none.
 */
static uint32_t extreme(const struct coll_member *member, uint32_t n, int sign, uint32_t i)
{
	uint32_t found = n;

	for (uint32_t k = 0; k < n; k++)
		if (k != i && coll_depends(&member[i], &member[k]) &&
			(found == n || (member[k].enter - member[found].enter) * sign > 0))
			found = k;
	return found;
}

/*
 * All wait for the last member; in an intercommunicator, for the last one of the other side.
 * may_leave: a member that left before the last one came did not wait for it.
 */
static void wait_for_last(
	const struct coll_member *member, uint32_t n, bool may_leave, struct coll_wait *wait)
{
	uint32_t other = 1, last[2] = { extreme(member, n, 1, 0), n };

	while (other < n && member[other].group == member[0].group)
		other++;
	if (other < n)
		last[1] = extreme(member, n, 1, other);
	else if (last[0] < n && member[0].enter >= member[last[0]].enter)
		last[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t late = last[member[i].group != member[0].group];

		if (late < n && (!may_leave || member[i].to >= member[late].enter))
			wait_for(member, i, late, wait, COLL_BY_STATE);
	}
}

/* Waits for the members that a collective needs by definition. */
static void wait_as_defined(struct coll_member *member, uint32_t n, enum coll_state state,
	int32_t root, struct coll_wait *wait)
{
	uint32_t late, is_root = n;

	if (state == COLL_EARLY_SCAN) {
		qsort(member, n, sizeof(*member), by_comm_rank);
		for (uint32_t i = late = 0; i < n; i++) {
			wait_for(member, i, late, wait, COLL_BY_STATE);
			if (member[i].enter > member[late].enter)
				late = i;
		}
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (member[i].rank->rank == root)
			is_root = i;
	if (state == COLL_BARRIER || state == COLL_NXN || state == COLL_MAKER) {
		wait_for_last(member, n, state == COLL_MAKER, wait);
	} else if (state == COLL_EARLY_REDUCE && is_root < n) {
		late = extreme(member, n, -1, is_root);
		if (late < n) {
			wait_for(member, is_root, late, wait, COLL_BY_STATE);
			wait_for(member, is_root, extreme(member, n, 1, is_root), wait,
				COLL_BY_MEMBER);
		}
	} else if (state == COLL_LATE_BROADCAST) {
		for (uint32_t i = 0; i < n && is_root < n; i++)
			if (coll_depends(&member[i], &member[is_root]))
				wait_for(member, i, is_root, wait, COLL_BY_STATE);
	}
}

int coll_by_enter(const void *a, const void *b)
{
	const struct coll_entry *x = a, *y = b;

	return (x->enter > y->enter) - (x->enter < y->enter);
}

/* Finds a wait of member i that meets both conditions of late_member (head of this file). */
static void wait_as_made(const struct coll_member *member, uint32_t n, uint32_t i,
	const struct coll_entry *order, struct coll_wait *wait)
{
	int64_t from = member[i].from + coll_wait_ns(&wait[i]);
	int64_t to = member[i].to, before;
	int64_t middle = from + (to - from) / 2; /* two thirds have it within */
	const struct coll_member *late;
	/* the first that came behind the middle */
	const uint32_t low = bisect_below(
		order, sizeof(*order), offsetof(struct coll_entry, enter), n, middle + 1);

	if (low == n || order[low].enter >= to || order[low].enter - from < STOOD_NS)
		return;
	late = &member[order[low].member];
	before = low && order[low - 1].enter > from ? order[low - 1].enter : from;
	if ((late->enter - before) * 3 >= (to - from) * 2 &&
		(late->to - late->from - coll_wait_ns(&wait[order[low].member])) * 2 <=
			late->enter - from)
		wait_for(member, i, order[low].member, wait, COLL_BY_MEMBER);
}

void coll_waits(struct coll_member *member, uint32_t n, enum coll_state state, int32_t root,
	struct coll_wait *wait, struct coll_entry *order)
{
	memset(wait, 0, n * sizeof(*wait));
	if (n < 2)
		return;
	wait_as_defined(member, n, state, root, wait);
	/* nobody comes after the last one */
	if ((state == COLL_BARRIER || state == COLL_NXN) && !member[0].group)
		return;
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct coll_entry){ member[i].enter, i };
	qsort(order, n, sizeof(*order), coll_by_enter);
	/* from the last to the first: the waits of those who came later are known */
	for (uint32_t i = n; i-- > 0;)
		wait_as_made(member, n, order[i].member, order, wait);
}
