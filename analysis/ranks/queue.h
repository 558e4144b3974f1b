/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h: sends that wait for their receive and receives that wait for their send.
 *
 * MPI's rule: of messages from one rank to another in one communicator with one tag, the first sent
 * is taken by the first receive posted for it. So there is one queue for each (communicator,
 * source, destination, tag), first in first out, and at any time it holds ops of one kind only.
 * Receives with wildcards are put where what they took says, in the order of their posts. Threads
 * that post at the same time have no order between them: what became of their ops decides, and is
 * marked as not sure.
 */
#ifndef TRYST_RANKS_QUEUE_H
#define TRYST_RANKS_QUEUE_H

#include <stdint.h>

#include "analysis/ranks/op.h"

struct queue_key {
	uint64_t uid;
	int32_t source, dest;
	int32_t tag;
	bool partitioned; /* these meet each other alone */
};

struct queue {
	struct queue_key key;
	bool used;
	struct op *head, *tail;
};

/* Open addressing; a queue that has run empty keeps its slot until the table grows. */
struct queues {
	struct queue *slot;
	uint64_t mask;
	uint64_t used;    /* slots ever taken since the last growth */
	uint64_t waiting; /* ops in all queues */
};

/* Of an op whose communicator its rank knows. Looks at rank, comm, kind, code, peer and tag. */
struct queue_key queue_key_of(const struct op *op);

/* 0 or -ENOMEM. */
int queues_init(struct queues *q);
void queues_release(struct queues *q);

/*
 * The op of the other kind under this key whose turn it is, taken out; NULL: there is none, and
 * `op` was put in. Looks at kind, lane, post, post_leave and leave; sets `unsure`. -ENOMEM in
 * *error where there was no room for it.
 */
struct op *queues_match(struct queues *q, const struct queue_key *key, struct op *op, int *error);

/* Calls each() for all that still wait, and empties the queues. */
void queues_drain(struct queues *q, void (*each)(void *context, struct op *op), void *context);

#endif
