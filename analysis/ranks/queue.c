/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c: queues sends and receives until their partner comes (queue.h). */
#include "analysis/ranks/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The most ops checked to find the next one. */
enum { LOOK = 64 };

#define LANE_BIT(op) (UINT64_C(1) << ((op)->lane & 63))

int queues_init(struct queues *q)
{
	memset(q, 0, sizeof(*q));
	q->mask = 4095;
	q->slot = calloc(q->mask + 1, sizeof(*q->slot));
	return q->slot ? 0 : -ENOMEM;
}

void queues_release(struct queues *q)
{
	free(q->slot);
	memset(q, 0, sizeof(*q));
}

static uint64_t hash(const struct queue_key *k)
{
	uint64_t x = k->uid * 0x9e3779b97f4a7c15ULL;

	x ^= ((uint64_t)(uint32_t)k->source << 32 | (uint32_t)k->dest) * 0xbf58476d1ce4e5b9ULL;
	x ^= (uint64_t)(uint32_t)k->tag * 0x94d049bb133111ebULL;
	x ^= x >> 29;
	return x * 0xbf58476d1ce4e5b9ULL >> 20;
}

static bool same(const struct queue_key *a, const struct queue_key *b)
{
	return a->uid == b->uid && a->source == b->source && a->dest == b->dest &&
		a->tag == b->tag && a->partitioned == b->partitioned;
}

struct queue_key queue_key_of(const struct op *op)
{
	bool sends = op->kind == KIND_SEND;

	return (struct queue_key){ .uid = rank_comm(op->rank, op->comm)->uid,
		.source = sends ? op->rank->rank : op->peer,
		.dest = sends ? op->peer : op->rank->rank,
		.tag = op->tag,
		.partitioned = KM_FORM(op_kind_mode(op)) == FORM_PARTITIONED };
}

static struct queue *queue_find(const struct queues *q, const struct queue_key *key)
{
	uint64_t i = hash(key) & q->mask;

	while (q->slot[i].used && !same(&q->slot[i].key, key))
		i = (i + 1) & q->mask;
	return &q->slot[i];
}

/* Makes a table of the size that the queues in use need, without empty ones. */
static int grow(struct queues *q)
{
	struct queues bigger = { .waiting = q->waiting };
	uint64_t busy = 0;

	for (uint64_t i = 0; i <= q->mask; i++)
		busy += q->slot[i].head != NULL;
	bigger.mask = 4095;
	while (bigger.mask < busy * 4)
		bigger.mask = bigger.mask * 2 + 1;
	bigger.slot = calloc(bigger.mask + 1, sizeof(*bigger.slot));
	if (!bigger.slot)
		return -ENOMEM;
	for (uint64_t i = 0; i <= q->mask; i++)
		if (q->slot[i].head) {
			*queue_find(&bigger, &q->slot[i].key) = q->slot[i];
			bigger.used++;
		}
	free(q->slot);
	*q = bigger;
	return 0;
}

/*
 * The op before the next one to take; NULL: the next one is the first. Posts of different threads
 * have no order if none had returned when the last was entered. Then the op that completed first is
 * taken: its message must have come by then, and the others can still take later ones. A receive of
 * a matched message keeps its place: its message was there, and no later receive can have taken it.
 */
static struct op *before_next(const struct queue *slot)
{
	struct op *first = slot->head, *best = first, *before_best = NULL, *before = first;
	uint64_t lanes = LANE_BIT(first);
	int64_t until = first->post_leave;

	for (int i = 0; i < LOOK && !op_flag(before, OP_MPROBE) && before->next &&
		before->next->post < until;
		i++) {
		struct op *op = before->next;

		if (!(lanes & LANE_BIT(op))) {
			op->unsure = first->unsure = true;
			if (op->leave < best->leave) {
				best = op;
				before_best = before;
			}
		}
		lanes |= LANE_BIT(op);
		until = op->post_leave < until ? op->post_leave : until;
		before = op;
	}
	return before_best;
}

static struct op *take_next(struct queue *slot)
{
	struct op *before = before_next(slot);
	struct op *op = before ? before->next : slot->head;

	*(before ? &before->next : &slot->head) = op->next;
	if (slot->tail == op)
		slot->tail = before;
	op->next = NULL;
	return op;
}

struct op *queues_match(struct queues *q, const struct queue_key *key, struct op *op, int *error)
{
	struct queue *slot = queue_find(q, key);

	if (slot->head && slot->head->kind != op->kind) {
		q->waiting--;
		return take_next(slot);
	}
	if (!slot->used) {
		if (q->used >= q->mask / 2) {
			*error = grow(q);
			if (*error)
				return NULL;
			slot = queue_find(q, key);
		}
		slot->used = true;
		slot->key = *key;
		q->used++;
	}
	op->next = NULL;
	if (slot->tail)
		slot->tail->next = op;
	else
		slot->head = op;
	slot->tail = op;
	q->waiting++;
	return NULL;
}

void queues_drain(struct queues *q, void (*each)(void *context, struct op *op), void *context)
{
	for (uint64_t i = 0; i <= q->mask; i++) {
		struct op *op = q->slot[i].head;

		q->slot[i].head = q->slot[i].tail = NULL;
		while (op) {
			struct op *next = op->next;

			each(context, op);
			op = next;
		}
	}
	q->waiting = 0;
}
