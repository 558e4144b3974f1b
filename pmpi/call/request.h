/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.h: requests from their post to their completion.
 *
 * A handle does not identify a request: libraries give the same handle to all ops that are complete
 * at once. Such handles are learned in MPI_Init, and from chains that grow long. An op that returns
 * with one of them is complete at its post. All other handles lead to a chain of pending ops
 * (pending.h).
 *
 * Assumes up to millions of requests in flight. Each takes 96 bytes (104 if `threaded`) and a hash
 * bucket; a call that completes many takes another 32 bytes for each (struct many). A request may
 * complete on another thread than posted it, so all functions lock if `threaded`. By the time that
 * a completion call returns, the handle may already belong to a newer request. So the call only
 * completes ops that were posted before it began (request_before()).
 */
#ifndef TRYST_CALL_REQUEST_H
#define TRYST_CALL_REQUEST_H

#include "pmpi/call/op.h"
#include "pmpi/call/pending.h"
#include "pmpi/call/repeat.h"

/* A collective on this rank: its counts, and what its wrapper needs to count. */
struct coll {
	struct comm *comm;
	uint64_t seq;
	uint64_t sent;
	uint64_t recv;
	int root;    /* world rank, -1: none */
	int size;    /* parts of a send or receive buffer: the (remote) group's size */
	int members; /* of the own group */
	int in, out; /* neighbours */
	bool inter;
	bool is_root;
	bool is_leaf; /* receives the root's data */
};

/* A one-sided or file operation, or a call that belongs to them, on this rank. */
struct transfer {
	bool is_io;
	uint32_t object; /* number of the window or file; 0: none */
	uint32_t seq;    /* of collective calls on it; TRANSFER_ALONE */
	int32_t peer;    /* world rank; -1: none */
	uint64_t bytes;
};

/*
 * Learns the handles that mean "complete", from ops that are complete at once: a send and a receive
 * to MPI_PROC_NULL, ...
 */
int request_start(struct thread *t);

/* Call c is about to complete or test requests. */
static inline void request_before(struct call *c)
{
	c->posts = pending_posts();
}

/*
 * A nonblocking op was posted in call c, which returned `request`. True: it is complete, and the
 * last record is its struct rec_op.
 */
bool request_post(struct call *c, struct op *op, MPI_Request request);

/* An op that repeats an earlier one was posted in a call from `enter` to `leave`, not complete. */
bool request_pend_again(struct thread *t, const struct repeat *s, uint64_t id, uint64_t enter,
	uint64_t leave, MPI_Request request);

/*
 * Op `id`, which repeats an earlier one, was posted in call c. It may be complete at once even if
 * the earlier one was not, and the other way round. False: the shape is no longer valid, and
 * nothing was done.
 */
HOT bool request_post_again(
	struct call *c, const struct repeat *s, uint64_t id, MPI_Request request)
{
	if (pending_is_complete((uintptr_t)request))
		return repeat_again(c, s, id);
	if (unlikely(!request_pend_again(c->t, s, id, c->enter, c->leave, request)))
		return false;
	c->sum->bytes += s->mark.bytes;
	return true;
}

/* The same for a send and a receive under one request (MPI_Isendrecv), if both are known. */
void request_post_pair(struct call *c, struct op op[2], MPI_Request request);

/* The same for an op of a persistent request, which is never complete by its handle alone. */
void request_post_started(struct call *c, const struct op *op, MPI_Request request);

/* A collective ended in call c. */
static inline void request_coll(struct call *c, const struct coll *k)
{
	struct rec_collective *r = record_reserve(c->t, sizeof(*r));

	*r = (struct rec_collective){ .type = REC_COLLECTIVE,
		.words = sizeof(*r) / 8,
		.call = c->fn,
		.seq = k->seq,
		.enter_ticks = c->enter,
		.leave_ticks = c->leave,
		.sent_bytes = k->sent,
		.recv_bytes = k->recv,
		.root = k->root,
		.comm = k->comm->id,
		.callsite = c->site };
	c->t->in_ring[TABLE_COLLECTIVE]++;
	record_commit(c->t, sizeof(*r));
	c->sum->bytes += k->sent;
}

/*
 * A collective was posted in call c, which returned `request`, or it is one of a persistent
 * request.
 */
void request_post_coll(struct call *c, const struct coll *k, MPI_Request request);
void request_post_coll_started(struct call *c, const struct coll *k, MPI_Request request);

/* A transfer ended in call c, or call c posted it and returned `request`. */
void request_transfer(struct call *c, const struct transfer *x);
void request_post_transfer(struct call *c, const struct transfer *x, MPI_Request request);

/* Recording stops in call c: the completion of what is pending will not be seen. */
void request_leave(struct call *c);

/*
 * Before and after MPI_Request_free. From the moment MPI frees it, the handle can belong to another
 * request on another thread. So its ops are taken out of the table before the call.
 */
struct leaving {
	uint32_t slot[2]; /* pending ops; 0: none */
};
void request_leaves(struct leaving *l, MPI_Request request);
void request_left(struct call *c, const struct leaving *l, bool freed);

/*
 * Call c has completed this request. handle: its value before the call; status: NULL if unknown;
 * error: of this request, or MPI_SUCCESS. These functions ignore requests that are not in the table
 * (null, inactive, files).
 */
void request_complete(struct call *c, MPI_Request handle, const MPI_Status *status, int error);

/* The requests of one completion call. */
struct many {
	size_t n;
	MPI_Request *handle; /* their values before the call */
	MPI_Status *status;  /* of all, or of those that completed; NULL: unknown */
	/*
	 * Room for n, or 2 n if a request may have two ops. Statuses may stand at its end: each is
	 * read before a share overwrites it.
	 */
	struct live_share *share;
};

/* True once a request of two ops was posted (MPI_Isendrecv). */
extern bool request_any_pairs;

/*
 * Call c has returned `error` and completed n of these: handle[index[i]] with status[i], or all of
 * them if index is NULL. After MPI_ERR_IN_STATUS each status tells whether its request is pending.
 */
void request_complete_many(
	struct call *c, const struct many *m, int error, size_t n, const int *index);

/*
 * Call c has asked to cancel this request's receive; its completion tells whether that succeeded.
 */
void request_cancel(struct call *c, MPI_Request handle);

/* Call c tested these without success: polling begins or continues. */
void request_polled(struct call *c, const MPI_Request *handles, size_t n);

#endif
