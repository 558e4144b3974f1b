/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll.c: who waited in a collective.
 *
 * The states are Scalasca's, with its definitions:
 *
 *	wait_at_barrier, wait_at_nxn   until the last member came; in makers of communicators those who did
 *	                               not leave before that
 *	late_broadcast                 members of a one-to-all, until its root came
 *	early_reduce                   the root of an all-to-one, until the first other member came
 *	early_scan                     a member of a prefix operation, until all of lower rank came
 *
 * Two more are ours:
 *
 *	late_member   from there on: the root of an all-to-one until the last other member came. Anyone
 *	              else, whom the library's own way through the members (a tree, the handshake
 *	              of a large message, neighbours) kept: nobody came in two thirds of the
 *	              member's time, then one did that had to be there half as long at most,
 *	              but for its own waits.
 *
 *	late_progress from there on, of nonblocking ones: away.h
 *
 * The last two are judged by the clock. Of members that are at work for as long as each other none meets the
 * second condition; where some have next to nothing to do, and n of them come at random, the
 * first one is met in n / 3^n of the calls.
 *
 * All are finer in that the wait begins where the member blocks, which for a nonblocking or
 * persistent collective is the entry of its completion call and not that of its post, and in that
 * it is clipped there. What a completion call of several requests waited for is shared among them (settle.c).
 * In an intercommunicator a member needs those of the other side alone.
 */
#include "analysis/match/coll.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/away.h"
#include "functions.h"

enum {
	BUCKETS = 1 << 12,
	STOOD_NS = 1000,		/* least wait for who is not needed by definition */
	HELD_MEMBERS = 1 << 18
};

struct instance {
	struct instance *next;		/* in its bucket */
	uint64_t uid, seq;
	uint32_t n, room, size;		/* members here, allocated, in all */
	bool transfer;			/* of a window or file */
	struct coll_member member[];
};

struct colls {
	struct instance *bucket[BUCKETS];
	uint8_t state[FN_COUNT];	/* enum coll_state by function */
	struct coll_wait *wait;
	struct coll_entry *order;
	uint32_t room;			/* of both */
	struct heap held;		/* instances whose members are all here, until those that wait have left */
	uint32_t nheld;			/* their members */
	struct away_list away;
	uint32_t number;		/* of the last one that was settled */
};

static const struct {
	const char *stem;		/* in lower case, less MPI_, I and what follows */
	enum coll_state state;
} stems[] = {
	{ "barrier", COLL_BARRIER },
	{ "allgather", COLL_NXN }, { "allgatherv", COLL_NXN }, { "allreduce", COLL_NXN },
	{ "alltoall", COLL_NXN }, { "alltoallv", COLL_NXN }, { "alltoallw", COLL_NXN },
	{ "reduce_scatter", COLL_NXN }, { "reduce_scatter_block", COLL_NXN },
	{ "bcast", COLL_LATE_BROADCAST }, { "scatter", COLL_LATE_BROADCAST },
	{ "scatterv", COLL_LATE_BROADCAST },
	{ "reduce", COLL_EARLY_REDUCE }, { "gather", COLL_EARLY_REDUCE },
	{ "gatherv", COLL_EARLY_REDUCE },
	{ "scan", COLL_EARLY_SCAN }, { "exscan", COLL_EARLY_SCAN },
	{ "comm_dup", COLL_MAKER }, { "comm_dup_with_info", COLL_MAKER }, { "comm_create", COLL_MAKER },
	{ "comm_split", COLL_MAKER }, { "comm_split_type", COLL_MAKER }, { "intercomm_create", COLL_MAKER },
	{ "intercomm_merge", COLL_MAKER }, { "cart_create", COLL_MAKER }, { "cart_sub", COLL_MAKER },
	{ "graph_create", COLL_MAKER }, { "dist_graph_create", COLL_MAKER },
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

/* Member i waits for member `late`, if that came after i had blocked and had waited for others. */
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

/* Of those that member i depends on, the one that came last (sign 1) or first (-1); n: none. */
static uint32_t extreme(const struct coll_member *member, uint32_t n, int sign, uint32_t i)
{
	uint32_t found = n;

	for (uint32_t k = 0; k < n; k++)
		if (k != i && coll_depends(&member[i], &member[k]) && (found == n ||
				(member[k].enter - member[found].enter) * sign > 0))
			found = k;
	return found;
}

/*
 * All wait for the last one; on each side of an intercommunicator for the last of the other. may_leave: whom the
 * library let go before that one came waited for others.
 */
static void wait_for_last(const struct coll_member *member, uint32_t n, bool may_leave, struct coll_wait *wait)
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

/* What each member needs by definition. */
static void wait_as_defined(struct coll_member *member, uint32_t n, enum coll_state state, int32_t root,
	struct coll_wait *wait)
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

/* Member i stood until one came, as the head of this file says. */
static void wait_as_made(const struct coll_member *member, uint32_t n, uint32_t i,
	const struct coll_entry *order, struct coll_wait *wait)
{
	int64_t from = member[i].from + coll_wait_ns(&wait[i]);
	int64_t to = member[i].to, before;
	int64_t middle = from + (to - from) / 2;	/* two thirds have it within */
	const struct coll_member *late;
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;

		if (order[at].enter <= middle)
			low = at + 1;
		else
			high = at;
	}
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

int coll_init(struct match *m)
{
	m->colls = calloc(1, sizeof(*m->colls));
	if (!m->colls)
		return -ENOMEM;
	for (unsigned fn = 1; fn < FN_COUNT; fn++)
		m->colls->state[fn] = (uint8_t)coll_state_of(fn);
	return 0;
}

void coll_free(struct match *m)
{
	for (int i = 0; m->colls && i < BUCKETS; i++)
		while (m->colls->bucket[i]) {
			struct instance *next = m->colls->bucket[i]->next;

			free(m->colls->bucket[i]);
			m->colls->bucket[i] = next;
		}
	if (m->colls) {
		for (uint32_t i = 0; i < m->colls->held.n; i++)
			free(m->colls->held.item[i].what);
		heap_release(&m->colls->held);
		away_release(&m->colls->away);
		free(m->colls->wait);
		free(m->colls->order);
	}
	free(m->colls);
	m->colls = NULL;
}

static enum coll_state state_of(const struct match *m, const struct coll_member *member)
{
	return member->call < FN_COUNT ? (enum coll_state)m->colls->state[member->call] : COLL_NONE;
}

/* Space for the waits of n members; false: there is no memory. */
static bool make_room(struct colls *c, uint32_t n)
{
	if (c->room >= n)
		return true;
	free(c->wait);
	free(c->order);
	c->wait = malloc(n * sizeof(*c->wait));
	c->order = malloc(n * sizeof(*c->order));
	c->room = c->wait && c->order ? n : 0;
	return c->room > 0;
}

static void keep_wait(const struct instance *it, const struct coll_member *member, const struct coll_wait *w,
	enum coll_part part, enum coll_state state, uint32_t number, struct coll_kept *kept)
{
	const struct coll_member *late = &it->member[w->late[part]];

	kept->row[kept->n] = (struct output_coll){ member->rank, late->rank, it->uid, it->seq, member->comm,
		member->call, member->callsite, state, member->from, w->from[part], w->ns[part], member->done };
	kept->wait[kept->n++] = (struct trail_wait){ .from = w->from[part], .until = w->from[part] + w->ns[part],
		.lane = member->lane, .late = late->lane, .callsite = member->complete_callsite,
		.all = !member->group && (state == COLL_BARRIER || state == COLL_NXN) ? number : 0 };
}

static void keep_waits(struct match *m, const struct instance *it, uint32_t i, enum coll_state state,
	uint32_t number)
{
	const enum coll_state states[COLL_PARTS] = { state, COLL_LATE_MEMBER, COLL_LATE_PROGRESS };
	const struct coll_wait *w = &m->colls->wait[i];
	const struct coll_member *member = &it->member[i];
	struct coll_kept alone, *kept = member->kept;

	if (!kept) {
		kept = &alone;
		kept->group = NULL;
		kept->no_rows = it->transfer;
		kept->n = 0;
	}
	for (int part = 0; part < COLL_PARTS; part++)
		if (w->ns[part] > 0)
			keep_wait(it, member, w, (enum coll_part)part, states[part], number, kept);
	settle_coll(m, kept);
}

bool coll_waits_alone(const struct coll_member *member)
{
	return !member->kept || !member->kept->group->first;
}

/* All who will ever come are here. away_until: as away_waits() has it, INT64_MIN: that nobody asks for. */
static void settle(struct match *m, struct instance *it, int64_t away_until)
{
	/* a fence need not wait for all: who left before one came did not wait for that one */
	enum coll_state state = it->transfer ? COLL_MAKER : state_of(m, &it->member[0]);
	const enum coll_state name = state == COLL_MAKER ? COLL_NXN : state;
	int32_t root = -1;
	uint32_t number = ++m->colls->number;

	m->result->collectives += !it->transfer;
	if (!make_room(m->colls, it->n)) {
		m->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < it->n && root < 0; i++)
		root = it->member[i].root;
	coll_waits(it->member, it->n, state, root, m->colls->wait, m->colls->order);
	if (away_until > INT64_MIN && away_waits(&m->ranks, &m->colls->away, it->member, it->n, state, root, away_until,
			m->colls->wait, m->colls->order) != 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; i < it->n; i++)
		keep_waits(m, it, i, name, number);
}

static struct instance **find(struct colls *c, uint64_t uid, uint64_t seq)
{
	uint64_t x = (uid ^ seq * 0xbf58476d1ce4e5b9ULL) * 0x9e3779b97f4a7c15ULL;
	struct instance **link = &c->bucket[x >> 40 & (BUCKETS - 1)];

	while (*link && ((*link)->uid != uid || (*link)->seq != seq))
		link = &(*link)->next;
	return link;
}

/* A place for one more member; NULL without memory. */
static struct coll_member *join(struct instance **link, uint64_t uid, uint64_t seq, uint32_t size)
{
	struct instance *it = *link;

	if (!it || it->n == it->room) {
		uint32_t room = it ? it->room * 2 : size < 8 ? size : 8;
		struct instance *more = realloc(it, sizeof(*it) + room * sizeof(it->member[0]));

		if (!more)
			return NULL;
		if (!it)
			*more = (struct instance){ .uid = uid, .seq = seq, .size = size };
		more->room = room;
		*link = it = more;
	}
	return &it->member[it->n++];
}

static void read_member(struct run_rank *rank, const int64_t *v, struct coll_member *member)
{
	struct clock_map *clock = &rank->clock;
	int64_t span = v[COC_SPAN] == ROW_NULL ? 0 : v[COC_SPAN], enter = v[COC_POST];

	*member = (struct coll_member){ .rank = rank, .comm = v[COC_COMM] & 0xffffff,
		.callsite = (uint32_t)v[COC_CALLSITE],
		.complete_callsite = (uint32_t)v[COC_CALLSITE], .call = v[COC_CODE] & 1023, .done = v[COC_DONE],
		.root = v[COC_ROOT] == ROW_NULL ? -1 : (int32_t)v[COC_ROOT] };
	member->enter = member->from = clock_common(clock, enter);
	member->post_leave = clock_common(clock, enter + span);
	if (v[COC_SPAN] == ROW_NULL || v[COC_DONE] == 0) {
		/* not complete: nothing is known of how long it blocked */
		member->to = member->from;
	} else if (v[COC_DONE] == ROW_NULL) {
		member->to = member->post_leave;
	} else {
		enter += span + v[COC_GAP];
		member->from = clock_common(clock, enter);
		member->to = clock_common(clock, enter + v[COC_COMPLETE]);
		member->complete_callsite = (uint32_t)(v[COC_DONE] >> 10);
	}
}

static void keep_calls(struct match *m, const struct coll_member *member)
{
	trail_passed(&m->trail, member->rank, member->lane, member->enter);
	trail_call(&m->trail, member->rank, member->lane, &(struct trail_call){ member->enter,
		member->post_leave, member->callsite, 0 });
	if (member->from != member->enter)
		trail_call(&m->trail, member->rank, member->lane, &(struct trail_call){ member->from,
			member->to, member->complete_callsite, 0 });
}

/* Of those held the one whose members leave first, before the time has come if `early`. */
static void settle_held(struct match *m, bool early)
{
	struct heap *held = &m->colls->held;
	const int64_t until = held->item[0].at;
	struct instance *it = held->item[0].what;

	heap_pop(held);
	m->colls->nheld -= it->n;
	settle(m, it, early ? INT64_MIN : until);
	free(it);
}

void coll_until(struct match *m, int64_t ns)
{
	while (m->colls->held.n && m->colls->held.item[0].at < ns && !m->error)
		settle_held(m, false);
}

/*
 * Who was inside MPI while others waited is asked in the order of time, since it is known of the last while alone
 * (inside.h). Where so many are held that memory would grow with the run, that is not asked.
 */
static void settle_if_whole(struct match *m, struct instance **link)
{
	struct instance *it = *link;
	int64_t until;

	if (it->n < it->size)
		return;
	*link = it->next;
	until = away_matters_until(it->member, it->n);
	if (until == INT64_MIN) {
		settle(m, it, until);
		free(it);
	} else if (heap_push(&m->colls->held, until, it) != 0) {
		m->error = -ENOMEM;
		free(it);
	} else {
		m->colls->nheld += it->n;
	}
	while (m->colls->nheld > HELD_MEMBERS)
		settle_held(m, true);
}

void coll_take(struct match *m, struct run_rank *rank)
{
	const struct row *row = reader_peek(&m->ranks, rank, READ_COLLS);
	const int64_t *v = row->value;
	const struct comm_info *comm = rank_comm(rank, v[COC_COMM] & 0xffffff);
	int64_t size = comm ? (int64_t)comm->size + comm->remote_size : 0;
	uint64_t seq = (uint64_t)v[COC_SEQ];
	struct coll_member *member;
	struct instance **link;

	if (size > 0) {
		link = find(m->colls, comm->uid, seq);
		member = join(link, comm->uid, seq, (uint32_t)size);
		if (!member) {
			m->error = -ENOMEM;
			return;
		}
		read_member(rank, v, member);
		member->my_rank = comm->my_rank;
		member->group = comm->group;
		member->lane = rank_lane(&m->ranks, rank, (uint32_t)(v[COC_COMM] >> 24));
		if (member->from != member->enter && settle_many(v[COC_DONE] & 1023)) {
			member->kept = settle_join_coll(m, member->lane, member->from, member->to);
			if (!member->kept)
				m->error = -ENOMEM;
		}
		keep_calls(m, member);
		settle_if_whole(m, link);
	}
	reader_step(rank, READ_COLLS);
}

void coll_take_transfer(struct match *m, struct run_rank *rank, const int64_t *v, bool is_file, uint32_t lane)
{
	const struct object_info *object = v[TRC_SEQ] == ROW_NULL || v[TRC_DONE] != ROW_NULL ||
		v[TRC_SPAN] == ROW_NULL ? NULL : rank_object(rank, is_file, v[TRC_OBJECT]);
	const struct comm_info *comm = object ? rank_comm(rank, object->comm) : NULL;
	struct coll_member *member;
	struct instance **link;
	uint64_t uid;

	if (!comm || comm->size <= 0)
		return;
	/* a window has the uid of a communicator, maybe */
	uid = ~object->uid + is_file;
	link = find(m->colls, uid, (uint64_t)v[TRC_SEQ]);
	member = join(link, uid, (uint64_t)v[TRC_SEQ], (uint32_t)comm->size);
	if (!member) {
		m->error = -ENOMEM;
		return;
	}
	(*link)->transfer = true;
	*member = (struct coll_member){ .rank = rank, .lane = lane, .root = -1, .my_rank = comm->my_rank,
		.enter = clock_common(&rank->clock, v[TRC_ENTER]),
		.to = clock_common(&rank->clock, v[TRC_ENTER] + v[TRC_SPAN]), .call = v[TRC_CALL] & 1023,
		.callsite = (uint32_t)v[TRC_CALLSITE], .complete_callsite = (uint32_t)v[TRC_CALLSITE],
		.done = ROW_NULL };
	member->from = member->enter;
	settle_if_whole(m, link);
}

void coll_drain(struct match *m)
{
	coll_until(m, INT64_MAX);
	for (int i = 0; i < BUCKETS; i++)
		for (struct instance *it = m->colls->bucket[i]; it; it = it->next) {
			m->result->collectives_cut += !it->transfer;
			settle(m, it, INT64_MIN);
		}
}
