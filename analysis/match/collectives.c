/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.c: finds the members of each collective (collectives.h). */
#include "analysis/match/collectives.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/progress.h"
#include "analysis/match/settle.h"
#include "functions.h"

enum { BUCKETS = 1 << 12, HELD_MEMBERS = 1 << 18 };

struct instance {
	struct instance *next; /* in its bucket */
	uint64_t uid, seq;
	uint32_t n, room, size; /* members so far; allocated; in all */
	bool transfer;          /* of a window or file */
	struct coll_member member[];
};

struct colls {
	struct instance *bucket[BUCKETS];
	uint8_t state[FN_COUNT]; /* enum coll_state by function */
	struct coll_wait *wait;
	struct coll_entry *order;
	uint32_t room; /* of both */
	/* complete instances, kept until their waiting members have left */
	struct heap held;
	uint32_t nheld; /* their members */
	struct absences away;
	uint32_t number; /* of the last instance that was finished */
};

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
		absences_release(&m->colls->away);
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

/* Makes room for the waits of n members. False: no memory. */
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

static void keep_wait(const struct instance *it, const struct coll_member *member,
	const struct coll_wait *w, enum coll_part part, enum coll_state state, uint32_t number,
	struct coll_kept *kept)
{
	const struct coll_member *late = &it->member[w->late[part]];

	kept->row[kept->n] = (struct output_coll){ member->rank, late->rank, it->uid, it->seq,
		member->comm, member->call, member->callsite, state, member->from, w->from[part],
		w->ns[part], member->done, 0, 0 };
	kept->wait[kept->n++] = (struct history_wait){ .from = w->from[part],
		.until = w->from[part] + w->ns[part],
		.lane = member->lane,
		.late = late->lane,
		.callsite = member->complete_callsite,
		.all = !member->group && (state == COLL_BARRIER || state == COLL_NXN) ? number :
											0 };
}

static void keep_waits(struct match *m, const struct instance *it, uint32_t i,
	enum coll_state state, uint32_t number)
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

/*
 * Finds the waits of an instance to which no more members will come. away_until: as in
 * progress_waits(); INT64_MIN: not asked for.
 */
static void instance_settle(struct match *m, struct instance *it, int64_t away_until)
{
	/* a fence may let members go: one that left earlier did not wait for the last one */
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
	for (uint32_t i = 0; i < it->n; i++)
		it->member[i].alone = !it->member[i].kept || !it->member[i].kept->group->first;
	if (away_until > INT64_MIN &&
		progress_waits(&m->ranks, &m->colls->away, it->member, it->n, state, root,
			away_until, m->colls->wait, m->colls->order) != 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; i < it->n; i++)
		keep_waits(m, it, i, name, number);
}

static struct instance **instance_find(struct colls *c, uint64_t uid, uint64_t seq)
{
	uint64_t x = (uid ^ seq * 0xbf58476d1ce4e5b9ULL) * 0x9e3779b97f4a7c15ULL;
	struct instance **link = &c->bucket[x >> 40 & (BUCKETS - 1)];

	while (*link && ((*link)->uid != uid || (*link)->seq != seq))
		link = &(*link)->next;
	return link;
}

/* Makes room for one more member. NULL: no memory. */
static struct coll_member *instance_join(
	struct instance **link, uint64_t uid, uint64_t seq, uint32_t size)
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
	int64_t span = v[COLL_ROW_SPAN] == ROW_NULL ? 0 : v[COLL_ROW_SPAN],
		enter = v[COLL_ROW_POST];

	*member = (struct coll_member){ .rank = rank,
		.comm = comm_thread_comm(v[COLL_ROW_COMM]),
		.callsite = (uint32_t)v[COLL_ROW_CALLSITE],
		.complete_callsite = (uint32_t)v[COLL_ROW_CALLSITE],
		.call = coll_code_call(v[COLL_ROW_CODE]),
		.done = v[COLL_ROW_DONE],
		.root = v[COLL_ROW_ROOT] == ROW_NULL ? -1 : (int32_t)v[COLL_ROW_ROOT] };
	member->enter = member->from = clock_common(clock, enter);
	member->post_leave = clock_common(clock, enter + span);
	if (v[COLL_ROW_SPAN] == ROW_NULL || v[COLL_ROW_DONE] == 0) {
		/* not complete: the time for which it blocked is unknown */
		member->to = member->from;
	} else if (v[COLL_ROW_DONE] == ROW_NULL) {
		member->to = member->post_leave;
	} else {
		enter += span + v[COLL_ROW_GAP];
		member->from = clock_common(clock, enter);
		member->to = clock_common(clock, enter + v[COLL_ROW_COMPLETE]);
		member->complete_callsite = done_callsite(v[COLL_ROW_DONE]);
	}
}

static void keep_calls(struct match *m, const struct coll_member *member)
{
	history_passed(&m->history, member->rank, member->lane, member->enter);
	history_call(&m->history, member->rank, member->lane,
		&(struct history_call){ member->enter, member->post_leave, member->callsite, 0 });
	if (member->from != member->enter)
		history_call(&m->history, member->rank, member->lane,
			&(struct history_call){
				member->from, member->to, member->complete_callsite, 0 });
}

/* Takes the held instance whose members leave first; with `early`, even before its time. */
static void settle_held(struct match *m, bool early)
{
	struct heap *held = &m->colls->held;
	const int64_t until = held->item[0].at;
	struct instance *it = held->item[0].what;

	heap_pop(held);
	m->colls->nheld -= it->n;
	instance_settle(m, it, early ? INT64_MIN : until);
	free(it);
}

void coll_until(struct match *m, int64_t ns)
{
	while (m->colls->held.n && m->colls->held.item[0].at < ns && !m->error)
		settle_held(m, false);
}

/*
 * Finishes instances in the order of time, since busy intervals are only known for the last while
 * (ranks/busy.h). If so many instances are held that memory would grow with the run, some are
 * finished without busy intervals.
 */
static void settle_if_whole(struct match *m, struct instance **link)
{
	struct instance *it = *link;
	int64_t until;

	if (it->n < it->size)
		return;
	*link = it->next;
	until = progress_matters_until(it->member, it->n);
	if (until == INT64_MIN) {
		instance_settle(m, it, until);
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
	const struct comm_info *comm = rank_comm(rank, comm_thread_comm(v[COLL_ROW_COMM]));
	int64_t size = comm ? (int64_t)comm->size + comm->remote_size : 0;
	uint64_t seq = (uint64_t)v[COLL_ROW_SEQ];
	struct coll_member *member;
	struct instance **link;

	if (size > 0) {
		link = instance_find(m->colls, comm->uid, seq);
		member = instance_join(link, comm->uid, seq, (uint32_t)size);
		if (!member) {
			m->error = -ENOMEM;
			return;
		}
		read_member(rank, v, member);
		member->my_rank = comm->my_rank;
		member->group = comm->group;
		member->lane = rank_lane(&m->ranks, rank, comm_thread_thread(v[COLL_ROW_COMM]));
		if (member->from != member->enter &&
			completes_several(done_call(v[COLL_ROW_DONE]))) {
			member->kept = settle_join_coll(m, member->lane, member->from, member->to);
			if (!member->kept)
				m->error = -ENOMEM;
		}
		keep_calls(m, member);
		settle_if_whole(m, link);
	}
	reader_step(rank, READ_COLLS);
}

void coll_take_transfer(
	struct match *m, struct run_rank *rank, const int64_t *v, bool is_file, uint32_t lane)
{
	const struct object_info *object = v[RMA_ROW_SEQ] == ROW_NULL ||
			v[RMA_ROW_DONE] != ROW_NULL || v[RMA_ROW_SPAN] == ROW_NULL ?
		NULL :
		rank_object(rank, is_file, v[RMA_ROW_OBJECT]);
	const struct comm_info *comm = object ? rank_comm(rank, object->comm) : NULL;
	struct coll_member *member;
	struct instance **link;
	uint64_t uid;

	if (!comm || comm->size <= 0)
		return;
	/* a window may have the uid of a communicator */
	uid = ~object->uid + is_file;
	link = instance_find(m->colls, uid, (uint64_t)v[RMA_ROW_SEQ]);
	member = instance_join(link, uid, (uint64_t)v[RMA_ROW_SEQ], (uint32_t)comm->size);
	if (!member) {
		m->error = -ENOMEM;
		return;
	}
	(*link)->transfer = true;
	*member = (struct coll_member){ .rank = rank,
		.lane = lane,
		.root = -1,
		.my_rank = comm->my_rank,
		.enter = clock_common(&rank->clock, v[RMA_ROW_ENTER]),
		.to = clock_common(&rank->clock, v[RMA_ROW_ENTER] + v[RMA_ROW_SPAN]),
		.call = coll_code_call(v[RMA_ROW_CALL]),
		.callsite = (uint32_t)v[RMA_ROW_CALLSITE],
		.complete_callsite = (uint32_t)v[RMA_ROW_CALLSITE],
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
			instance_settle(m, it, INT64_MIN);
		}
}
