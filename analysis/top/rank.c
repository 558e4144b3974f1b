/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank.c: of a look's bytes, facts of one rank.
 *
 *	sums	calls, bytes and time in MPI since the look before: exact
 *	mark	the call that a thread is in, and for how long
 *	records	waits and collectives that have ended since then, if the ring has them
 *
 * A ring that became full meanwhile has the newest records: a sample.
 */
#include <config.h>

#include "analysis/top/rank.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/base/now.h"
#include "functions.h"

enum { PLACES = 16 };
#define IDLE_SHARE 0.05         /* of a CPU: with less, a rank does not compute */
#define NAMED_SHARE 0.05        /* of the time: a shorter wait names no rank */
#define STARVED_SHARE 0.5       /* of the time without a CPU: with more, a rank is starved */
#define IDLE_LEAST_NS 400000000 /* after a shorter time, no rank counts as idle */

/* What the records since the look before add up to. */
struct window {
	struct rank *r;
	struct looker *k;
	uint64_t start;  /* of what counts [ticks]; UINT64_MAX: nothing does */
	uint32_t thread; /* of the last operation */
	bool any;
	uint32_t begun; /* threads whose records begin anew, with an operation */
	uint64_t from;  /* earliest moment from which the records are complete [ticks] */
	uint64_t wait, unpredicted, collective;
	struct rec_sample place[PLACES];
	uint64_t busiest;
	bool no_memory, any_peer;
	uint64_t oldest; /* pending request, by its post */
};

const char *rank_call_name(const struct rank *r, uint32_t call)
{
	static uint64_t ours; /* kept: its computation took a fifth of a look */

	if (!ours)
		ours = function_names_hash();
	return call == 0 || call >= FN_COUNT || r->live.functions_hash != ours ?
		"" :
		function_name(call);
}

/* The moment of `ticks` by our CLOCK_MONOTONIC; INT64_MIN: its clock is unknown. */
static int64_t moment(const struct rank *r, uint64_t ticks, int64_t mono, int64_t real)
{
	const struct rec_clock *c = &r->names.clock;
	double ns = (double)(int64_t)(ticks - c->ticks) * r->live.ns_per_tick;
	/* how far the two clocks of the rank are apart, and ours */
	double theirs = (double)c->realtime_ns - (double)c->monotonic_ns;
	double ours = (double)real - (double)mono;
	double at;

	if (!c->ticks)
		return INT64_MIN;
	/* another host, another time namespace: only the time of day is the same */
	if (r->live.elsewhere || fabs(theirs - ours) > 10e9)
		at = (double)c->realtime_ns - ours + ns;
	else
		at = (double)c->monotonic_ns + ns;
	return fabs(at) < 9e18 ? (int64_t)at : INT64_MIN;
}

/* The rank's clock at this moment; 0: unknown. */
static uint64_t ticks_at(const struct rank *r, int64_t mono, int64_t real)
{
	int64_t at = moment(r, r->names.clock.ticks, mono, real);
	double ticks = at == INT64_MIN ? -1 : (double)(mono - at) / r->live.ns_per_tick;

	return ticks >= 0 && ticks < 9e18 ? r->names.clock.ticks + (uint64_t)ticks : 0;
}

static int64_t age(const struct rank *r, uint64_t ticks, uint64_t now)
{
	double ns;

	if (!now)
		return -1;
	ns = (double)(int64_t)(now - ticks) * r->live.ns_per_tick;
	return ns < 0 ? 0 : ns < 9e18 ? (int64_t)ns : -1;
}

/* The part of a time that ended at `end` and lies in the window. */
static uint64_t part(const struct window *w, uint64_t ticks, uint64_t end)
{
	if (w->start == UINT64_MAX || (int64_t)(end - w->start) <= 0)
		return 0;
	return ticks < end - w->start ? ticks : end - w->start;
}

/* Records of a ring that was begun anew are complete from the first one on. */
static void note_begin(struct window *w, uint32_t thread, uint64_t enter)
{
	const struct live *l = &w->r->live;

	if (w->any && w->thread == thread)
		return;
	w->any = true;
	w->thread = thread;
	for (uint32_t i = 0; i < l->nthreads; i++) {
		if (l->threads[i].thread != thread || !l->threads[i].turned)
			continue;
		w->begun++;
		if (enter > w->from)
			w->from = enter;
	}
}

/* Is it unknown since when the records of some thread are complete? */
static bool begins_unknown(const struct window *w)
{
	const struct live *l = &w->r->live;
	uint32_t turned = 0;

	for (uint32_t i = 0; i < l->nthreads; i++)
		turned += l->threads[i].turned;
	return turned > w->begun;
}

static void add_late(struct rank *r, int32_t peer, unsigned cause, uint64_t ticks)
{
	struct peer_wait *smallest = &r->late[0];

	for (int i = 0; i < PEER_WAITS; i++) {
		struct peer_wait *p = &r->late[i];

		if (p->ticks && p->peer == peer && p->cause == cause) {
			p->ticks += ticks;
			return;
		}
		if (p->ticks < smallest->ticks)
			smallest = p;
	}
	if (ticks > smallest->ticks)
		*smallest = (struct peer_wait){ peer, (uint8_t)cause, ticks };
}

static void take_op(struct window *w, uint32_t thread, const struct rec_op *op)
{
	const struct rec_op2 *two = op->type == REC_OP2 ? (const void *)op : NULL;
	uint64_t end = two ? two->complete_leave_ticks : op->leave_ticks;
	uint64_t blocked = two ? two->blocked_ticks : op->leave_ticks - op->enter_ticks;
	double predicted = op->predicted_ns / w->r->live.ns_per_tick;
	uint64_t wait;

	note_begin(w, thread, op->enter_ticks);
	if (op->flags & OP_NO_PREDICTION)
		w->unpredicted += part(w, blocked, end);
	if (!(op->flags & OP_WAITED) || op->flags & (OP_FIRST | OP_NO_PREDICTION) ||
		(double)blocked <= predicted)
		return;
	wait = part(w, blocked - (uint64_t)(predicted > 0 ? predicted : 0), end);
	w->wait += wait;
	if (wait)
		add_late(w->r, op->peer, op_class_cause(op->class8), wait);
}

static void take_collective(struct window *w, uint32_t thread, const struct rec_collective *c)
{
	const struct rec_collective2 *two = c->type == REC_COLLECTIVE2 ? (const void *)c : NULL;

	note_begin(w, thread, c->enter_ticks);
	if (two)
		w->collective += part(w, two->blocked_ticks, two->complete_leave_ticks);
	else
		w->collective += part(w, c->leave_ticks - c->enter_ticks, c->leave_ticks);
}

static void take_sample(struct window *w, const struct rec_sample *s)
{
	for (int i = 0; i < PLACES; i++) {
		struct rec_sample *p = &w->place[i];

		if (p->count && p->place != s->place)
			continue;
		p->place = s->place;
		p->count += s->count < 1000 ? s->count : 1000;
		return;
	}
}

static int take_record(void *context, uint32_t thread, const struct rec_head *record)
{
	struct window *w = context;

	switch (record->type) {
	case REC_OP:
	case REC_OP2:
		take_op(w, thread, (const void *)record);
		return 0;
	case REC_COLLECTIVE:
	case REC_COLLECTIVE2:
		take_collective(w, thread, (const void *)record);
		break;
	case REC_SAMPLE:
		take_sample(w, (const void *)record);
		return 0;
	default:
		break;
	}
	if (names_take(w->k->names, &w->r->names, record) != 0)
		w->no_memory = true;
	return 0;
}

static void take_sum(void *context, uint32_t thread, const struct call_sum *change)
{
	struct window *w = context;

	(void)thread;
	if (change->ticks <= w->busiest)
		return;
	w->busiest = change->ticks;
	w->r->busiest_call = change->call;
	w->r->busiest_site = change->callsite;
}

/* Of the requests that a call may wait for, the oldest stands for all in `cause` and the mark. */
static void take_pending(void *context, const struct pending_op *op)
{
	struct window *w = context;
	struct rank *r = w->r;
	const struct comm_known *comm = names_comm(&r->names, op->comm);
	bool message = op->kind_mode && KM_KIND(op->kind_mode) != KIND_TRANSFER;

	if (op->flags & OP_CANCELLED)
		return;
	r->requests++;
	if (!message || op->peer < 0 || op->flags & OP_COMM_PEER || (comm && !comm->own_world)) {
		w->any_peer = true;
	} else {
		if (array_room(&r->peers, sizeof(*r->peers), &r->peers_room, r->npeers) != 0) {
			w->no_memory = true;
			return;
		}
		r->peers[r->npeers++] = op->peer;
	}
	if (!message || op->post_enter_ticks >= w->oldest)
		return;
	w->oldest = op->post_enter_ticks;
	r->has_message = true;
	r->peer = op->peer;
	r->tag = op->tag;
	r->bytes = op->bytes;
	r->cause = KM_KIND(op->kind_mode) == KIND_RECV ? CAUSE_LATE_SENDER : CAUSE_LATE_RECEIVER;
}

static int take_definition(void *context, uint32_t thread, const struct rec_head *record)
{
	struct window *w = context;

	(void)thread;
	if (names_take(w->k->names, &w->r->names, record) != 0)
		w->no_memory = true;
	return 0;
}

/* Reads on in the spool until `found`, which looks for `id`. */
static bool define(struct rank *r, struct looker *k,
	bool (*found)(const struct rank_names *names, uint32_t id), uint32_t id)
{
	struct window w = { .r = r, .k = k };

	while (!found(&r->names, id))
		if (live_define(&r->live, k->buffers, &k->budget, take_definition, &w) <= 0 ||
			w.no_memory)
			return false;
	return true;
}

bool rank_define_site(struct rank *r, struct looker *k, uint32_t callsite)
{
	return callsite > CALLSITE_OTHER && r->live.state >= LIVE_RUNS &&
		define(r, k, names_has_site, callsite);
}

static bool has_clock(const struct rank_names *names, uint32_t id)
{
	(void)id;
	return names->clock.ticks != 0;
}

/* What MPI_Init recorded is in the ring or in the first chunk. */
static void define_start(struct rank *r, struct looker *k)
{
	struct window w = { .r = r, .k = k };

	if (r->live.defined <= sizeof(struct spool_file) && !names_comm(&r->names, COMM_WORLD_ID))
		live_define(&r->live, k->buffers, &k->budget, take_definition, &w);
	define(r, k, has_clock, 0);
}

static bool has_comm(const struct rank_names *names, uint32_t id)
{
	const struct comm_known *c = names_comm(names, id);

	return c && c->uid;
}

/* In a thread's time, all that it has spent in MPI so far, of all threads [ticks]. */
static uint64_t open_ticks(const struct live *l, uint64_t now)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < l->nthreads; i++)
		if (l->threads[i].now.call && now > l->threads[i].now.enter_ticks)
			sum += now - l->threads[i].now.enter_ticks;
	return sum;
}

/*
 * The entry of the call that a thread is in. The mark has it last, so it may be that of an earlier
 * call, which ended before busy_leave_ticks.
 */
static uint64_t entered(const struct live_thread *t)
{
	return t->now.enter_ticks > t->busy_leave_ticks ? t->now.enter_ticks : t->busy_leave_ticks;
}

static bool is_completion(const struct rank *r, uint32_t call)
{
	return strncmp(rank_call_name(r, call), "MPI_Wait", 8) == 0;
}

/* Can the call wait for other ranks? */
static bool may_wait(const struct rank *r, const struct current_call *now)
{
	return now->mark.kind_mode || now->mark.call == now->call || is_completion(r, now->call);
}

/* Of a collective for whose end each member needs all others. */
static bool needs_all(const struct rank *r, uint32_t call)
{
	static const char *const names[] = { "MPI_Barrier", "MPI_Allreduce", "MPI_Allgather",
		"MPI_Alltoall", "MPI_Reduce_scatter_block", "MPI_Allreduce_c", "MPI_Allgather_c",
		"MPI_Alltoall_c", "MPI_Reduce_scatter_block_c" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], rank_call_name(r, call)) == 0)
			return true;
	return false;
}

/* The rank waits in a collective. */
static void want_collective(struct rank *r, struct looker *k, const struct current_call *now)
{
	const struct comm_known *c;

	r->cause = CAUSE_COLLECTIVE_SKEW;
	if (!define(r, k, has_comm, now->mark.comm))
		return;
	c = names_comm(&r->names, now->mark.comm);
	r->wait.want = WANT_COLLECTIVE;
	r->wait.uid = c->uid;
	r->wait.number = now->mark.bytes;
	r->wait.members = c->size;
	r->wait.certain = needs_all(r, now->call);
}

/* It waits in a call for one message. */
static void want_message(struct rank *r, const struct current_call *now)
{
	const struct comm_known *c = names_comm(&r->names, now->mark.comm);

	r->has_message = true;
	r->peer = now->mark.peer;
	r->tag = now->mark.tag;
	r->bytes = now->mark.bytes;
	r->cause = now->mark.kind_mode && KM_KIND(now->mark.kind_mode) == KIND_SEND ?
		CAUSE_LATE_RECEIVER :
		CAUSE_LATE_SENDER;
	if (r->peer < 0 || (c && !c->own_world))
		return;
	r->wait.want = WANT_RANKS;
	r->wait.peer = &r->peer;
	r->wait.npeers = 1;
	r->wait.certain = true;
}

static void want_requests(struct rank *r, const struct window *w)
{
	r->wait.want = WANT_RANKS;
	r->wait.peer = r->peers;
	r->wait.npeers = r->npeers;
	r->wait.certain = !w->any_peer && r->npeers;
}

/* Of threads in calls, the one that is in its call for the longest time. NULL: none is in one. */
static const struct live_thread *longest(const struct live *l, bool *all)
{
	const struct live_thread *found = NULL;

	*all = true;
	for (uint32_t i = 0; i < l->nthreads; i++) {
		const struct live_thread *t = &l->threads[i];

		if (t->ended)
			continue;
		if (!t->now.call)
			*all = false;
		else if (!found || entered(t) < entered(found))
			found = t;
	}
	return found;
}

/* Of a rank that runs, outside MPI: since when, and after which call. */
static void outside(struct rank *r, uint64_t now)
{
	const struct live_thread *last = NULL;

	for (uint32_t i = 0; i < r->live.nthreads; i++)
		if (!last || r->live.threads[i].busy_leave_ticks > last->busy_leave_ticks)
			last = &r->live.threads[i];
	r->state = RANK_COMPUTING;
	if (!last)
		return;
	r->callsite = last->now.callsite;
	r->for_ns =
		age(r, last->busy_leave_ticks ? last->busy_leave_ticks : r->live.zero_ticks, now);
}

static void inside(struct rank *r, struct looker *k, const struct live_thread *t, bool all,
	const struct window *w, uint64_t now)
{
	const struct current_call *call = &t->now;
	int64_t stays = r->live.elsewhere ? STAYS_FAR_NS : STAYS_NS;

	r->state = RANK_IN_MPI;
	r->call = call->call;
	r->callsite = call->callsite;
	r->for_ns = age(r, entered(t), now);
	if (!may_wait(r, call)) {
		r->has_message = false;
		return;
	}
	if (call->mark.kind_mode ||
		(call->mark.call == call->call && call->mark.flags8 == MARK_PROBE))
		want_message(r, call);
	else if (call->mark.call == call->call)
		want_collective(r, k, call);
	else
		want_requests(r, w);
	if (r->for_ns < PATIENCE_NS)
		return;
	r->state = RANK_WAITING;
	r->wait.waits = true;
	r->wait.stays = all && t->held && r->for_ns >= stays;
}

/* The state of a rank without a ring. If its rows do not tell, it counts as ended. */
static enum rank_state state_by_rows(struct rank *r)
{
	static const enum rank_state states[] = { [ROWS_UNREADABLE] = RANK_UNREADABLE,
		[ROWS_ENDED] = RANK_ENDED,
		[ROWS_EXITED] = RANK_EXITED,
		[ROWS_DIED] = RANK_DIED };

	rank_rows_look(&r->rows, &r->live);
	return states[r->rows.end];
}

static bool no_longer_runs(struct rank *r)
{
	static const enum rank_state states[] = { [LIVE_NOTHING] = RANK_STARTING,
		[LIVE_UNREADABLE] = RANK_UNREADABLE,
		[LIVE_RUNS] = RANK_COMPUTING,
		[LIVE_STOPPED] = RANK_STOPPED,
		[LIVE_DEAD] = RANK_DIED,
		[LIVE_CLOSED] = RANK_ENDED };

	r->state = states[r->live.state];
	if (r->live.state == LIVE_NOTHING && r->has_rows)
		r->state = state_by_rows(r);
	else if (r->live.state == LIVE_DEAD && r->live.exit_ticks)
		r->state = RANK_EXITED;
	else if (r->live.state == LIVE_RUNS && r->live.zero_ticks == 0)
		r->state = RANK_STARTING;
	else
		return r->live.state != LIVE_RUNS;
	return true;
}

static double within(double share)
{
	return share > 1 ? 1 : share;
}

/* A thread that ends takes its sums along: then there is less than before. */
static double rate(uint64_t now, uint64_t before, int64_t dt)
{
	return now > before ? (double)(now - before) * 1e9 / (double)dt : 0;
}

/*
 * Of a process in MPI_Init, too: the next look tells of the time since this one. A brief look
 * leaves the share without a CPU as it was.
 */
static void note_cpu(struct rank *r, int64_t mono)
{
	const int64_t now = r->live.no_cpu_ns, before = r->before_no_cpu;

	r->before_cpu = r->live.cpu_ns;
	if (r->live.looked_briefly)
		return;
	r->no_cpu_share = -1;
	if (r->no_cpu_at_ns && before >= 0 && now >= before && mono > r->no_cpu_at_ns)
		r->no_cpu_share = within((double)(now - before) / (double)(mono - r->no_cpu_at_ns));
	r->before_no_cpu = now;
	r->no_cpu_at_ns = mono;
}

/* Shares and rates since the look before, at which `before` of everything had happened. */
static void rates(struct rank *r, const struct window *w, uint64_t now, int64_t dt)
{
	const struct live *l = &r->live;
	uint64_t open = open_ticks(l, now);
	uint32_t running = 0;
	double ticks = (double)dt / l->ns_per_tick;
	uint64_t from = w->from > w->start ? w->from : w->start;

	for (uint32_t i = 0; i < l->nthreads; i++)
		running += !l->threads[i].ended;
	if (w->start != UINT64_MAX && dt > 0 && running) {
		double in =
			(double)(int64_t)(l->sums.ticks + open - r->before.ticks - r->before_open);
		double seen = now > from && !begins_unknown(w) ? (double)(now - from) * running : 0;

		r->calls_per_s = rate(l->sums.calls, r->before.calls, dt);
		r->bytes_per_s = rate(l->sums.bytes, r->before.bytes, dt);
		r->mpi_share = in > 0 ? in / (ticks * running) : 0;
		if (seen > 0) {
			r->wait_share = (double)w->wait / seen;
			r->unpredicted_share = (double)w->unpredicted / seen;
			r->collective_share = (double)w->collective / seen;
		}
		if (r->before_cpu >= 0 && l->cpu_ns >= r->before_cpu)
			r->cpu_share = (double)(l->cpu_ns - r->before_cpu) / (double)dt;
	}
	r->before = l->sums;
	r->before_open = open;
}

/*
 * The state of a rank outside MPI. The kernel counts a time without a CPU only when it ends. During
 * a long one, the thread is ready to run and uses no CPU. After a brief look, the rank is without a
 * CPU if it was before; but not if it used one.
 */
static enum rank_state computes(struct rank *r, int64_t dt)
{
	bool used_none =
		r->cpu_share >= 0 && r->cpu_share < IDLE_SHARE && r->for_ns > IDLE_LEAST_NS;

	if (dt <= IDLE_LEAST_NS)
		return RANK_COMPUTING;
	if (!r->live.looked_briefly)
		r->starved = r->no_cpu_share > STARVED_SHARE ||
			(used_none && live_process_state(&r->live) == 'R');
	else if (r->cpu_share > 1 - STARVED_SHARE)
		r->starved = false;
	return r->starved ? RANK_NO_CPU : used_none ? RANK_IDLE : RANK_COMPUTING;
}

/* A wait that goes on counts as those that have ended. */
static void count_open_wait(struct window *w, const struct rank *r, uint64_t now)
{
	double ticks = (double)r->for_ns / r->live.ns_per_tick;
	uint64_t open;

	if (!r->wait.waits || r->for_ns < 0)
		return;
	open = part(w, ticks < 9e18 ? (uint64_t)ticks : UINT64_MAX, now);
	/* of a window that begins late, only what lies in it */
	if (w->from > w->start && now > w->from && open > now - w->from)
		open = now - w->from;
	if (r->cause == CAUSE_COLLECTIVE_SKEW)
		w->collective += open;
	else
		w->wait += open;
}

/* Forgets waits that are too short to name a rank; the window ends at `now`. */
static void drop_short_waits(struct rank *r, const struct window *w, uint64_t now)
{
	const uint64_t from = w->from > w->start ? w->from : w->start;
	const double least = now > from ? (double)(now - from) * NAMED_SHARE : 0;

	for (int i = 0; i < PEER_WAITS; i++)
		if ((double)r->late[i].ticks < least)
			r->late[i] = (struct peer_wait){ 0 };
}

static int by_ticks(const void *a, const void *b)
{
	const struct peer_wait *x = a, *y = b;

	return (x->ticks < y->ticks) - (x->ticks > y->ticks);
}

static void finish(struct rank *r, struct window *w)
{
	uint32_t most = 0;

	r->mpi_share = within(r->mpi_share);
	/* a sample of the time may have more of it in waits than all of the time has in MPI */
	if (r->wait_share > r->mpi_share)
		r->wait_share = r->mpi_share;
	r->unpredicted_share = within(r->unpredicted_share);
	r->collective_share = within(r->collective_share);
	qsort(r->late, PEER_WAITS, sizeof(r->late[0]), by_ticks);
	for (int i = 0; i < PLACES; i++)
		if (w->place[i].count > most) {
			most = w->place[i].count;
			r->place = w->place[i].place;
		}
	r->wait.comm = r->names.comm;
	r->wait.ncomms = r->names.ncomms;
}

/* Ranks are read one after the other. A call that began since the look's moment has no age yet. */
static void take_age_back(struct rank *r, const struct looker *k, int64_t mono)
{
	if (k->at_ns == 0 || r->for_ns < 0)
		return;
	r->for_ns -= mono - k->at_ns;
	if (r->for_ns < 0)
		r->for_ns = 0;
}

static void clear(struct rank *r)
{
	r->for_ns = r->known_ns = -1;
	r->call = r->callsite = r->requests = 0;
	r->has_message = false;
	r->peer = r->tag = -1;
	r->bytes = 0;
	r->cause = CAUSE_NONE;
	r->wait = (struct waiter){ .rank = r->live.rank };
	r->wait_share = r->unpredicted_share = r->collective_share = -1;
	r->mpi_share = r->cpu_share = -1;
	r->calls_per_s = r->bytes_per_s = -1;
	r->busiest_call = r->busiest_site = r->place = 0;
	r->npeers = 0;
	memset(r->late, 0, sizeof(r->late));
}

static void look_at_age(struct rank *r, int64_t mono, int64_t real)
{
	/* at the first look everything seems to have changed */
	if (r->live.fresh)
		r->changed_ns = 0;
	else if (r->live.changed)
		r->changed_ns = mono;
	if (!r->live.elsewhere)
		return;
	r->known_ns = real - r->live.modified_ns;
	if (r->changed_ns && mono - r->changed_ns < r->known_ns)
		r->known_ns = mono - r->changed_ns;
	if (r->known_ns < 0)
		r->known_ns = 0;
}

int rank_look(struct rank *r, struct looker *k)
{
	int64_t mono = now_ns(CLOCK_MONOTONIC), real = now_ns(CLOCK_REALTIME);
	struct window w = { .r = r, .k = k, .oldest = UINT64_MAX };
	const struct live_visitor visitor = { take_record, take_sum, take_pending, &w };
	const struct live_thread *t;
	int64_t dt = mono - r->looked_ns;
	uint64_t now;
	bool had = r->names.ncomms || r->names.nsites || r->names.clock.ticks;
	bool all;
	int rc;

	clear(r);
	w.start = r->looked_ns ? ticks_at(r, r->looked_ns, real - dt) : UINT64_MAX;
	if (w.start == 0)
		w.start = UINT64_MAX;
	rc = live_look(&r->live, k->buffers, &visitor);
	if (rc || w.no_memory)
		return -ENOMEM;
	if (r->live.fresh) {
		/* another process's: what was just taken comes again */
		if (had) {
			rank_names_release(&r->names);
			memset(&r->live.dev, 0, sizeof(r->live.dev));
			memset(&r->live.ino, 0, sizeof(r->live.ino));
			rc = live_look(&r->live, k->buffers, &visitor);
		}
		w.start = UINT64_MAX;
		r->no_cpu_at_ns = 0;
		memset(r->late, 0, sizeof(r->late));
	}
	if (rc || w.no_memory)
		return -ENOMEM;
	mono = now_ns(CLOCK_MONOTONIC);
	real = now_ns(CLOCK_REALTIME);
	dt = mono - r->looked_ns;
	r->looked_ns = r->live.state >= LIVE_RUNS ? mono : 0;
	look_at_age(r, mono, real);
	if (r->live.state >= LIVE_RUNS)
		define_start(r, k);
	now = r->live.state >= LIVE_RUNS ? ticks_at(r, mono, real) : 0;
	t = longest(&r->live, &all);
	if (no_longer_runs(r)) {
		if (r->state == RANK_DIED && t) {
			inside(r, k, t, all, &w, 0);
			r->state = RANK_DIED;
			r->wait = (struct waiter){ .rank = r->live.rank };
			r->for_ns = -1;
		}
		memset(r->late, 0, sizeof(r->late));
		note_cpu(r, mono);
		finish(r, &w);
		return 0;
	}
	if (t)
		inside(r, k, t, all, &w, now);
	else
		outside(r, now);
	count_open_wait(&w, r, now);
	rates(r, &w, now, dt);
	drop_short_waits(r, &w, now);
	note_cpu(r, mono);
	if (r->state == RANK_COMPUTING)
		r->state = computes(r, dt);
	take_age_back(r, k, mono);
	finish(r, &w);
	return w.no_memory ? -ENOMEM : 0;
}

void rank_release(struct rank *r)
{
	live_release(&r->live);
	rank_names_release(&r->names);
	free(r->peers);
}
