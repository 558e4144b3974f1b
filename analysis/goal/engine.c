/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.c: events in the order of time, then of insertion, as LogGOPSim has them.
 *
 * LogGOPSim puts an event back if its CPU or NIC is taken. All events that wait for the same thing
 * would be put back each time. Here they stand in a queue by insertion, and only the first one has
 * an event in the heap of times. The order is the same.
 */
#include "analysis/goal/engine.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/base/array.h"
#include "analysis/base/heap.h"
#include "analysis/replay/scenario.h"

enum { MESSAGE = GOAL_CALC + 1, TYPES };

struct event {
	uint64_t at, nth; /* nth: its number among all inserted events; a delayed event keeps it */
	uint32_t op;
	uint8_t type; /* enum goal_type, or MESSAGE */
	bool queued;  /* it is the first of its queue, or was */
};

/* When a CPU is free, and what waits for it. */
struct cpu {
	uint64_t free;
	struct heap waiting[TYPES]; /* ops by the numbers of their events */
};

/* The CPUs of a rank, and when its NIC is free. */
struct host {
	struct cpu *cpu; /* as many as the schedule names */
	uint32_t ncpus;
	uint64_t sending, receiving;
};

/* An op that can begin. */
struct freed {
	uint32_t rank, op;
	uint8_t type;
};

struct engine {
	const struct goal *g;
	const struct goal_parameters *p;
	struct host *host;
	struct cpu *cpu;     /* of all ranks */
	struct event *event; /* a heap */
	uint32_t nevents, room;
	uint64_t inserted;
	uint32_t *missing;     /* by op: how many requirements it still lacks */
	uint32_t *first_after; /* by op: its first edge in after[]; they end at the next op's */
	struct goal_edge *after;
	uint32_t *posted, *arrived; /* by tag: op, or REPLAY_NONE */
	struct freed *freed;        /* ops that this event freed */
	uint32_t nfreed, left;
	int error;
};

static bool is_before(const struct event *a, const struct event *b)
{
	return a->at != b->at ? a->at < b->at : a->nth < b->nth;
}

static void push(struct engine *e, struct event event)
{
	uint32_t i = e->nevents;

	if (array_room(&e->event, sizeof(*e->event), &e->room, e->nevents) != 0) {
		e->error = -ENOMEM;
		return;
	}
	e->nevents++;
	while (i && is_before(&event, &e->event[(i - 1) / 2])) {
		e->event[i] = e->event[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	e->event[i] = event;
}

static struct event pop(struct engine *e)
{
	const struct event top = e->event[0], last = e->event[--e->nevents];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < e->nevents) {
		if (child + 1 < e->nevents && is_before(&e->event[child + 1], &e->event[child]))
			child++;
		if (!is_before(&e->event[child], &last))
			break;
		e->event[i] = e->event[child];
		i = child;
	}
	e->event[i] = last;
	return top;
}

static void free_op(struct engine *e, uint32_t op)
{
	e->freed[e->nfreed++] = (struct freed){ e->g->op[op].rank, op, e->g->op[op].type };
}

/* The op has begun or ended: ops that required this can go on. */
static void free_dependents(struct engine *e, uint32_t op, bool at_begin)
{
	e->left -= !at_begin;
	for (uint32_t i = e->first_after[op]; i < e->first_after[op + 1]; i++)
		if (e->after[i].at_begin == at_begin && --e->missing[e->after[i].op] == 0)
			free_op(e, e->after[i].op);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Inserts an op that can begin. */
static void insert(struct engine *e, uint32_t index)
{
	const struct goal_op *op = &e->g->op[index];
	const struct host *h = &e->host[op->rank];
	const uint64_t free = h->cpu[op->cpu].free;

	push(e,
		(struct event){ .at = op->type == GOAL_SEND ? later(free, h->sending) : free,
			.nth = e->inserted++,
			.op = index,
			.type = op->type });
}

/* The send of a rendezvous ends with its receive, at `at`. */
static void end_send(struct engine *e, uint32_t send, uint64_t at)
{
	const struct goal_op *op = &e->g->op[send];
	struct host *h = &e->host[op->rank];

	if (op->size <= e->p->S)
		return;
	free_dependents(e, send, false);
	h->cpu[op->cpu].free = later(h->cpu[op->cpu].free, at);
	h->sending = later(h->sending, at);
}

/* The time at which the event can take place: its own, or a later one. */
static uint64_t can_be(const struct engine *e, const struct event *event)
{
	const struct goal_op *op = &e->g->op[event->op];
	const struct host *h = &e->host[event->type == MESSAGE ? op->peer : op->rank];

	switch (event->type) {
	case GOAL_CALC:
		return h->cpu[op->cpu].free;
	case GOAL_SEND:
		return later(h->cpu[op->cpu].free, h->sending);
	case MESSAGE:
		return later(h->cpu[op->cpu].free, h->receiving);
	default:
		return 0;
	}
}

static void take(struct engine *e, const struct event *event)
{
	const struct goal_op *op = &e->g->op[event->op];
	const struct goal_parameters *p = e->p;
	const uint64_t at = event->at, more = op->size - 1;
	struct host *h = &e->host[event->type == MESSAGE ? op->peer : op->rank];

	switch (event->type) {
	case GOAL_CALC:
		h->cpu[op->cpu].free = at + op->size;
		free_dependents(e, event->op, true);
		free_dependents(e, event->op, false);
		break;
	case GOAL_SEND:
		free_dependents(e, event->op, true);
		h->cpu[op->cpu].free = at + p->o + more * p->O;
		h->sending = at + p->g + more * p->G;
		push(e,
			(struct event){ .at = at + p->o + p->L,
				.nth = e->inserted++,
				.op = event->op,
				.type = MESSAGE });
		if (op->size <= p->S)
			free_dependents(e, event->op, false);
		break;
	case GOAL_RECV:
		free_dependents(e, event->op, true);
		e->posted[op->tag] = event->op;
		if (e->arrived[op->tag] == REPLAY_NONE)
			break;
		end_send(e, e->arrived[op->tag], at);
		free_dependents(e, event->op, false);
		break;
	default:
		h->cpu[op->cpu].free = at + p->o + later(more * p->O, more * p->G);
		h->receiving = at + p->g + more * p->G;
		e->arrived[op->tag] = event->op;
		if (e->posted[op->tag] == REPLAY_NONE)
			break;
		end_send(e, event->op, at);
		free_dependents(e, e->posted[op->tag], false);
	}
}

/* The events of this type that wait for the same CPU. */
static struct heap *queue_of(const struct engine *e, const struct event *event)
{
	const struct goal_op *op = &e->g->op[event->op];

	return &e->host[event->type == MESSAGE ? op->peer : op->rank]
			.cpu[op->cpu]
			.waiting[event->type];
}

/* The first one of the queue has an event in the heap, and others may have had one. */
static bool is_first(const struct heap *queue, const struct event *event)
{
	return queue->n && (uint64_t)queue->item[0].at == event->nth;
}

/* The first one of the queue, at the time at which it can take place. */
static void push_first(struct engine *e, const struct heap *queue, uint8_t type)
{
	struct event first = { .nth = (uint64_t)queue->item[0].at,
		.op = (uint32_t)(uintptr_t)queue->item[0].what,
		.type = type,
		.queued = true };

	first.at = can_be(e, &first);
	push(e, first);
}

/*
 * An event comes out of the heap. False: it waits, in the queue or again in the heap, or it is one
 * of a queue that is not the first any more.
 */
static bool can_take(struct engine *e, const struct event *event)
{
	struct heap *queue = queue_of(e, event);
	const bool waits = can_be(e, event) > event->at;

	if (!event->queued) {
		if (!waits)
			return true;
		if (heap_push(queue, (int64_t)event->nth, (void *)(uintptr_t)event->op) != 0)
			e->error = -ENOMEM;
		else if (is_first(queue, event))
			push_first(e, queue, event->type);
		return false;
	}
	if (!is_first(queue, event))
		return false;
	if (waits) {
		push_first(e, queue, event->type);
		return false;
	}
	heap_pop(queue);
	return true;
}

static int by_rank_and_type(const void *a, const void *b)
{
	const struct freed *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return (x->op > y->op) - (x->op < y->op);
}

static void insert_freed(struct engine *e)
{
	if (e->nfreed > 1)
		qsort(e->freed, e->nfreed, sizeof(*e->freed), by_rank_and_type);
	for (uint32_t i = 0; i < e->nfreed; i++)
		insert(e, e->freed[i].op);
	e->nfreed = 0;
}

/* Sorts edges by the op that comes before. */
static void sort_edges(struct engine *e)
{
	const struct goal *g = e->g;

	for (uint32_t i = 0; i < g->nedges; i++) {
		e->missing[g->edge[i].op]++;
		e->first_after[g->edge[i].before + 1]++;
	}
	for (uint32_t i = 0; i < g->nops; i++)
		e->first_after[i + 1] += e->first_after[i];
	/* filled from the end, so each op's first index moves down to its place */
	for (uint32_t i = g->nedges; i-- > 0;)
		e->after[--e->first_after[g->edge[i].before + 1]] = g->edge[i];
	for (uint32_t i = 0; i < g->nops; i++)
		e->first_after[i] = e->first_after[i + 1];
	e->first_after[g->nops] = g->nedges;
}

static void need_cpu(struct host *h, uint32_t cpu)
{
	h->ncpus = cpu >= h->ncpus ? cpu + 1 : h->ncpus;
}

/* Allocates the CPUs of each rank. A message arrives at the CPU with the number of its send's. */
static bool make_cpus(struct engine *e)
{
	size_t n = 0;

	for (uint32_t i = 0; i < e->g->nops; i++) {
		const struct goal_op *op = &e->g->op[i];

		need_cpu(&e->host[op->rank], op->cpu);
		if (op->type == GOAL_SEND)
			need_cpu(&e->host[op->peer], op->cpu);
	}
	for (uint32_t i = 0; i < e->g->nranks; i++)
		n += e->host[i].ncpus;
	e->cpu = calloc(n + 1, sizeof(*e->cpu));
	for (uint32_t i = 0; i < e->g->nranks && e->cpu; i++)
		e->host[i].cpu = i ? e->host[i - 1].cpu + e->host[i - 1].ncpus : e->cpu;
	return e->cpu != NULL;
}

static void release_cpus(struct engine *e)
{
	const struct host *last = e->g->nranks ? &e->host[e->g->nranks - 1] : NULL;

	for (struct cpu *cpu = e->cpu; last && cpu < last->cpu + last->ncpus; cpu++)
		for (int type = 0; type < TYPES; type++)
			heap_release(&cpu->waiting[type]);
	free(e->cpu);
}

static bool prepare(struct engine *e, uint32_t ntags)
{
	const size_t n = (size_t)e->g->nops + 2;

	e->host = calloc((size_t)e->g->nranks + 1, sizeof(*e->host));
	e->missing = calloc(n, sizeof(*e->missing));
	e->first_after = calloc(n, sizeof(*e->first_after));
	e->freed = malloc(n * sizeof(*e->freed));
	e->after = malloc(((size_t)e->g->nedges + 1) * sizeof(*e->after));
	e->posted = malloc(((size_t)ntags + 1) * sizeof(*e->posted));
	e->arrived = malloc(((size_t)ntags + 1) * sizeof(*e->arrived));
	if (!e->host || !e->missing || !e->first_after || !e->freed || !e->after || !e->posted ||
		!e->arrived || !make_cpus(e))
		return false;
	for (uint32_t i = 0; i < ntags; i++)
		e->posted[i] = e->arrived[i] = REPLAY_NONE;
	sort_edges(e);
	return true;
}

int goal_run(const struct goal *g, const struct goal_parameters *p, uint32_t ntags,
	uint64_t *end_ps, uint32_t *left)
{
	struct engine e = { .g = g, .p = p, .left = g->nops };
	const bool ready = prepare(&e, ntags);

	for (uint32_t i = 0; ready && i < g->nops; i++)
		if (!e.missing[i])
			free_op(&e, i);
	if (ready)
		insert_freed(&e);
	while (ready && e.nevents && !e.error) {
		const struct event event = pop(&e);
		const struct heap *queue = queue_of(&e, &event);

		if (!can_take(&e, &event))
			continue;
		take(&e, &event);
		insert_freed(&e);
		if (event.queued && queue->n)
			push_first(&e, queue, event.type);
	}
	for (uint32_t i = 0; ready && i < g->nranks; i++) {
		end_ps[i] = 0;
		for (uint32_t cpu = 0; cpu < e.host[i].ncpus; cpu++)
			end_ps[i] = later(end_ps[i], e.host[i].cpu[cpu].free);
	}
	*left = e.left;
	if (ready)
		release_cpus(&e);
	free(e.host);
	free(e.event);
	free(e.missing);
	free(e.first_after);
	free(e.freed);
	free(e.after);
	free(e.posted);
	free(e.arrived);
	return ready ? e.error : -ENOMEM;
}

uint32_t goal_tags(const struct goal *g)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->nops; i++)
		if (g->op[i].type != GOAL_CALC && g->op[i].tag >= n)
			n = g->op[i].tag + 1;
	return n;
}

/* Nanoseconds as picoseconds; 0 if negative or too large. */
static uint64_t ps(double ns)
{
	return ns > 0 && ns < 1e15 ? (uint64_t)llround(ns * 1000) : 0;
}

bool goal_parameters_of(const struct replay_graph *run, const struct replay_scenario *scenario,
	struct goal_parameters *p)
{
	double bytes[REPLAY_TIERS] = { 0 };
	const struct loggps *link;
	const struct loggps_slopes *slopes;
	int tier = 0;

	for (uint32_t i = 0; i < run->nparts; i++)
		if (run->part[i].instance == REPLAY_NONE && run->part[i].tier < REPLAY_TIERS)
			bytes[run->part[i].tier] += (double)run->part[i].bytes + 1;
	for (int i = 1; i < REPLAY_TIERS; i++)
		tier = bytes[i] > bytes[tier] ? i : tier;
	if (!run->nranks || !scenario->link)
		return false;
	link = &scenario->link[0][tier].is;
	slopes = &link->by[LOGGPS_LONG];
	*p = (struct goal_parameters){ .o = ps(link->o),
		.L = ps(isnan(link->L) ? link->one_way - 2 * link->o : link->L),
		.O = ps(slopes->O_s),
		.G = ps(isnan(slopes->G) ? slopes->sum : slopes->G),
		.S = link->S };
	return !isnan(link->o) && !isnan(link->one_way);
}
