/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h: sends that wait for their receive and receives that wait for their send.
 *
 * MPI's rule: among messages from one rank to another with one communicator and tag, the first
 * receive posted takes the first message sent. So there is one queue for each (communicator,
 * source, destination, tag), first in first out, and at any time it holds ops of one kind only. A
 * receive with wildcards goes to the queue of the message it took, in the order of posts. Threads
 * that post at the same time have no order: their completion decides, and such pairs are marked as
 * unsure.
 */
#ifndef TRYST_RANKS_QUEUE_H
#define TRYST_RANKS_QUEUE_H

#include <stdint.h>

#include "analysis/ranks/op.h"

struct queue_key {
	uint64_t uid;
	int32_t source, dest;
	int32_t tag;
	bool partitioned; /* partitioned ops only match partitioned ops */
};

struct queue {
	struct queue_key key;
	bool used;
	struct op *head, *tail;
};

/* Open addressing; an empty queue keeps its slot until the table grows. */
struct queues {
	struct queue *slot;
	uint64_t mask;
	uint64_t used;    /* slots taken since the last growth */
	uint64_t waiting; /* ops in all queues */
};

/* The key of an op whose communicator is known, from rank, comm, kind, code, peer and tag. */
struct queue_key queue_key_of(const struct op *op);

/* 0 or -ENOMEM. */
int queues_init(struct queues *q);
void queues_release(struct queues *q);

/*
 * Takes out the next op of the other kind under this key. NULL: there is none, and `op` was put in.
 * Reads kind, lane, post, post_leave and leave; sets `unsure`. *error is -ENOMEM if there was no
 * room.
 */
struct op *queues_match(struct queues *q, const struct queue_key *key, struct op *op, int *error);

/* Calls each() for all ops in the queues, and empties them. */
void queues_drain(struct queues *q, void (*each)(void *context, struct op *op), void *context);

#endif
