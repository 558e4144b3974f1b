/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.c: the questions and answers of sync.h, all neighbours at once. */
#include "pmpi/start/sync.h"

#include <sched.h>
#include <stdlib.h>

#include "analysis/format/rows/time.h"
#include "pmpi/dispatch/handles.h"
#include "pmpi/measure/tags.h"
#include "next.h"

/* Rounds: enough that one of them is fast; more while rounds take little time. */
enum { ROUNDS_MIN = 8, ROUNDS_MAX = 40, READINGS = 4 };
#define ENOUGH_NS 4000000
/* The time limit for the whole exchange. */
#define TALK_DEADLINE_NS 1000000000
#define END_DEADLINE_NS 100000000
/*
 * In MPI_Finalize: a rank that came this long ago may be gone. Greetings are read before anything
 * is sent.
 */
#define END_STALE_NS 50000000
#define END_LISTEN_NS 2000000
/* The largest drift between two clocks. */
#define DRIFT 200e-6

/* A question or an answer. `round` -1: no more questions. */
struct word {
	int64_t round;
	int64_t ns;
};

/* One neighbour. Buffers are static: a send that is never received may outlive the exchange. */
struct edge {
	int peer;
	bool there;   /* it has said that it takes part */
	bool greeted; /* it was told that this rank takes part */
	bool open;
	MPI_Request in, out;
	struct word got, said;
};

struct round {
	uint64_t asked_ticks;
	int64_t asked_ns, back_ns; /* own time */
	int64_t parent_ns;
};

/* Parent's time less own, at own clock `ticks`. */
struct offset {
	bool known;
	uint64_t ticks;
	int64_t offset_ns;
	int64_t error_ns;
};

static struct {
	MPI_Comm own;
	bool on; /* this rank answers for its host, and there are several hosts */
	struct host_tree hosts;
	struct edge parent, child[HOST_CHILDREN_MAX];
	struct round round[ROUNDS_MAX];
	unsigned nrounds;
	struct offset start;
	int64_t zero_ns, parent_zero_ns;
	int64_t arrived_ns; /* in MPI_Finalize, own time */
	uint64_t zero_ticks;
	struct rec_clock reading[READINGS];
	unsigned nreadings;
	struct rows_time *time; /* at the end: the conversion to times of rows */
} sync_state;

/* Own time: in MPI_Init since the clock's start, in MPI_Finalize as in rows. */
static int64_t own_ns(uint64_t ticks)
{
	return sync_state.time ? rows_time_ns(sync_state.time, ticks) :
				 clock_ns(ticks - shim_clock.start.ticks);
}

static bool ask_for(struct edge *e, int tag)
{
	return pnext.MPI_Irecv(&e->got, sizeof(e->got), H(MPI_BYTE), e->peer, tag, sync_state.own,
		       &e->in) == MPI_SUCCESS;
}

/*
 * Waits until the other side has received the previous message. The other side may have left
 * without receiving it. A rendezvous send then never completes, so the edge is given up after the
 * limit. In MPI_Finalize a neighbour that takes part receives a greeting within END_DEADLINE_NS.
 */
static bool previous_is_sent(struct edge *e)
{
	uint64_t begin = clock_ticks();
	uint64_t limit = clock_from_ns(sync_state.time ? END_DEADLINE_NS : TALK_DEADLINE_NS);
	int done = e->out == H(MPI_REQUEST_NULL);

	while (!done && clock_ticks() - begin < limit) {
		if (pnext.MPI_Test(&e->out, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return false;
		if (!done)
			sched_yield();
	}
	return done;
}

static bool say(struct edge *e, int tag, struct word what)
{
	if (!previous_is_sent(e))
		return false;
	/* The library may read `said` until the previous send is complete. */
	e->said = what;
	return pnext.MPI_Isend(&e->said, sizeof(e->said), H(MPI_BYTE), e->peer, tag, sync_state.own,
		       &e->out) == MPI_SUCCESS;
}

/* Has a message come? An error closes the edge. */
static bool heard(struct edge *e)
{
	int found = 0;

	if (!e->open)
		return false;
	e->open = pnext.MPI_Test(&e->in, &found, MPI_STATUS_IGNORE) == MPI_SUCCESS;
	return e->open && found;
}

static void open_edge(struct edge *e, int peer, int tag)
{
	e->peer = peer;
	e->in = H(MPI_REQUEST_NULL);
	if (!e->greeted)
		e->out = H(MPI_REQUEST_NULL);
	e->open = peer >= 0 && e->there && ask_for(e, tag);
}

static void close_edge(struct edge *e)
{
	int found = 0;

	if (e->in != H(MPI_REQUEST_NULL) && pnext.MPI_Cancel(&e->in) == MPI_SUCCESS)
		pnext.MPI_Wait(&e->in, MPI_STATUS_IGNORE);
	if (e->out != H(MPI_REQUEST_NULL) &&
		pnext.MPI_Test(&e->out, &found, MPI_STATUS_IGNORE) == MPI_SUCCESS && !found)
		pnext.MPI_Request_free(&e->out);
	e->open = false;
}

static void answer(struct edge *e, int tag)
{
	const struct word what = { e->got.round, own_ns(clock_ticks()) };

	e->open = what.round >= 0 && say(e, tag, what) && ask_for(e, tag);
}

static void ask_parent(struct edge *e, int tag)
{
	struct round *r = &sync_state.round[sync_state.nrounds];

	r->asked_ticks = clock_ticks();
	r->asked_ns = own_ns(r->asked_ticks);
	if (!say(e, tag, (struct word){ (int64_t)sync_state.nrounds, 0 }))
		e->open = false;
}

/* The parent has answered: another question, or the end. */
static void go_on(struct edge *e, int tag, int64_t back_ns)
{
	struct round *r = &sync_state.round[sync_state.nrounds];

	if (e->got.round != (int64_t)sync_state.nrounds) {
		e->open = ask_for(e, tag); /* this answers another question */
		return;
	}
	r->back_ns = back_ns;
	r->parent_ns = e->got.ns;
	if (++sync_state.nrounds == ROUNDS_MAX ||
		(sync_state.nrounds >= ROUNDS_MIN &&
			back_ns - sync_state.round[0].asked_ns > ENOUGH_NS)) {
		say(e, tag, (struct word){ -1, 0 });
		e->open = false;
	} else if ((e->open = ask_for(e, tag))) {
		ask_parent(e, tag);
	}
}

static bool any_open(void)
{
	for (int i = 0; i < sync_state.hosts.nchildren; i++)
		if (sync_state.child[i].open)
			return true;
	return sync_state.parent.open;
}

static void exchange_with_parent_and_children(int tag, uint64_t limit_ns)
{
	uint64_t begin = clock_ticks(), limit = clock_from_ns(limit_ns);
	struct edge *parent = &sync_state.parent;
	unsigned idle = 0;

	sync_state.nrounds = 0;
	for (int i = 0; i < sync_state.hosts.nchildren; i++)
		open_edge(&sync_state.child[i], sync_state.hosts.child[i], tag);
	open_edge(parent, sync_state.hosts.parent, tag);
	if (parent->open)
		ask_parent(parent, tag);
	while (any_open() && clock_ticks() - begin < limit) {
		bool moved = false;

		if (heard(parent)) {
			go_on(parent, tag, own_ns(clock_ticks()));
			moved = true;
		}
		for (int i = 0; i < sync_state.hosts.nchildren; i++)
			if (heard(&sync_state.child[i])) {
				answer(&sync_state.child[i], tag);
				moved = true;
			}
		/* the rank that must answer may need this processor */
		idle = moved ? 0 : idle + 1;
		if (idle > 256)
			sched_yield();
	}
	for (int i = 0; i < sync_state.hosts.nchildren; i++)
		close_edge(&sync_state.child[i]);
	close_edge(parent);
}

/* Own time by the parent's clock: greetings along an edge use the clock of its upper end. */
static int64_t edge_ns(const struct edge *e, int64_t own)
{
	if (e == &sync_state.parent)
		own += sync_state.start.offset_ns - sync_state.parent_zero_ns + sync_state.zero_ns;
	return own;
}

static bool greet(struct edge *e)
{
	e->greeted = true;
	return say(e, TAG_CLOCK_HELLO, (struct word){ 0, edge_ns(e, sync_state.arrived_ns) });
}

/*
 * One step of meeting a neighbour. True once it is decided: the neighbour takes part (it has said
 * so recently, and knows that we do), or it has gone on without us.
 */
static bool meet(struct edge *e, int64_t waited_ns)
{
	int found = 0;

	if (e->peer < 0 ||
		pnext.MPI_Iprobe(e->peer, TAG_CLOCK_HELLO, sync_state.own, &found,
			MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return true;
	if (!found)
		return !e->greeted && waited_ns > END_LISTEN_NS && !greet(e);
	if (pnext.MPI_Recv(&e->got, sizeof(e->got), H(MPI_BYTE), e->peer, TAG_CLOCK_HELLO,
		    sync_state.own, MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return true;
	e->there = edge_ns(e, own_ns(clock_ticks())) - e->got.ns < END_STALE_NS &&
		(e->greeted || greet(e));
	return true;
}

/*
 * Ranks enter MPI_Finalize at different times. A message to a rank that has gone on would never be
 * received, and some libraries warn the user of that. So both must know of each other before one of
 * them asks. The later rank finds the other's greeting, and estimates from its time whether the
 * other still waits.
 */
static void meet_all(void)
{
	bool settled[HOST_CHILDREN_MAX + 1] = { false };
	int n = sync_state.hosts.nchildren, left = n + 1;
	int64_t waited_ns = 0;

	sync_state.arrived_ns = own_ns(clock_ticks());
	for (int i = 0; i <= n; i++) {
		struct edge *e = i < n ? &sync_state.child[i] : &sync_state.parent;

		*e = (struct edge){ .in = H(MPI_REQUEST_NULL),
			.out = H(MPI_REQUEST_NULL),
			.peer = i < n                  ? sync_state.hosts.child[i] :
				sync_state.start.known ? sync_state.hosts.parent :
							 -1 };
	}
	while (left && waited_ns < END_DEADLINE_NS) {
		for (int i = 0; i <= n; i++)
			if (!settled[i] &&
				meet(i < n ? &sync_state.child[i] : &sync_state.parent,
					waited_ns)) {
				settled[i] = true;
				left--;
			}
		waited_ns = own_ns(clock_ticks()) - sync_state.arrived_ns;
		if (waited_ns > END_LISTEN_NS)
			sched_yield();
	}
}

static const struct round *fastest(void)
{
	const struct round *best = NULL;

	for (unsigned i = 0; i < sync_state.nrounds; i++) {
		const struct round *r = &sync_state.round[i];

		if (!best || r->back_ns - r->asked_ns < best->back_ns - best->asked_ns)
			best = r;
	}
	return best;
}

/*
 * Each round bounds the offset from both sides. All rounds together give tighter bounds than the
 * fastest one alone. Bounds of earlier rounds are widened by the possible drift since then.
 */
static struct offset conclude(void)
{
	const struct round *best = fastest();
	int64_t low, high;

	if (!best)
		return (struct offset){ false, 0, 0, 0 };
	low = best->parent_ns - best->back_ns;
	high = best->parent_ns - best->asked_ns;
	for (unsigned i = 0; i < sync_state.nrounds; i++) {
		const struct round *r = &sync_state.round[i];
		int64_t apart = llabs(r->asked_ns - best->asked_ns);
		int64_t slack = (int64_t)((double)apart * DRIFT) + 1;

		if (r->parent_ns - r->back_ns - slack > low)
			low = r->parent_ns - r->back_ns - slack;
		if (r->parent_ns - r->asked_ns + slack < high)
			high = r->parent_ns - r->asked_ns + slack;
	}
	if (low > high) { /* the clocks drift faster than assumed */
		low = best->parent_ns - best->back_ns;
		high = best->parent_ns - best->asked_ns;
	}
	return (struct offset){ true,
		best->asked_ticks + clock_from_ns((uint64_t)(best->back_ns - best->asked_ns) / 2),
		low + (high - low) / 2, (high - low + 1) / 2 };
}

void sync_start(MPI_Comm own, const struct host_tree *hosts)
{
	sync_state.own = own;
	sync_state.hosts = *hosts;
	sync_state.on = own != H(MPI_COMM_NULL) && hosts->speaks && hosts->nhosts > 1;
	if (!sync_state.on)
		return;
	sync_state.parent.there = true;
	for (int i = 0; i < hosts->nchildren; i++)
		sync_state.child[i].there = true;
	exchange_with_parent_and_children(TAG_CLOCK, TALK_DEADLINE_NS);
	sync_state.start = conclude();
}

/* The parent's zero. A neighbour without one is given up. */
static bool learn_zero(void)
{
	struct edge *e = &sync_state.parent;
	uint64_t begin = clock_ticks(), limit = clock_from_ns(TALK_DEADLINE_NS);
	bool came = false;

	open_edge(e, sync_state.hosts.parent, TAG_CLOCK_ZERO);
	while (e->open && !(came = heard(e)) && clock_ticks() - begin < limit)
		sched_yield();
	close_edge(e);
	sync_state.parent_zero_ns = e->got.ns;
	return came;
}

uint64_t sync_zero(void)
{
	if (sync_state.on && sync_state.hosts.parent >= 0)
		sync_state.start.known &= learn_zero();
	sync_state.zero_ticks = clock_ticks();
	sync_state.zero_ns = clock_ns(sync_state.zero_ticks - shim_clock.start.ticks);
	for (int i = 0; sync_state.on && i < sync_state.hosts.nchildren; i++) {
		struct edge *e = &sync_state.child[i];

		if (say(e, TAG_CLOCK_ZERO, (struct word){ 0, sync_state.zero_ns }))
			pnext.MPI_Request_free(&e->out);
	}
	return sync_state.zero_ticks;
}

static void emit(struct thread *t, const struct offset *o, int64_t offset_ns)
{
	const struct rec_clock_offset r = { .head = { .type = REC_CLOCK_OFFSET,
						    .words = sizeof(r) / 8,
						    .id = (uint32_t)sync_state.hosts.parent },
		.ticks = o->ticks,
		.offset_ns = offset_ns,
		.error_ns = (uint64_t)o->error_ns };

	if (t && o->known)
		record_append(t, &r);
}

void sync_emit(struct thread *t)
{
	const struct offset *o = &sync_state.start;

	emit(t, o, o->offset_ns - sync_state.parent_zero_ns + sync_state.zero_ns);
}

void sync_reading(const struct rec_clock *reading)
{
	if (sync_state.nreadings < READINGS)
		sync_state.reading[sync_state.nreadings++] = *reading;
}

void sync_end(struct thread *t)
{
	struct offset o;

	if (!sync_state.on)
		return;
	sync_state.on = false;
	sync_state.time = malloc(sizeof(*sync_state.time));
	if (!sync_state.time)
		return;
	sync_state.time->nreadings = 0;
	for (unsigned i = 0; i < sync_state.nreadings; i++)
		rows_time_reading(sync_state.time, &sync_state.reading[i]);
	rows_time_make(sync_state.time, sync_state.zero_ticks, shim_clock.ns_per_tick);
	meet_all();
	exchange_with_parent_and_children(TAG_CLOCK_END, TALK_DEADLINE_NS);
	o = conclude();
	emit(t, &o, o.offset_ns);
	free(sync_state.time);
	sync_state.time = NULL;
}

void sync_forget(void)
{
	sync_state.on = false;
}
