/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.h: requests from their post to their completion.
 *
 * A handle alone identifies nothing: libraries give one handle to everything that completed at
 * once. Those handles are learned in MPI_Init (and from chains that grow long), and an op that
 * returns with one is complete at its post. Others lead to a chain of what is pending (pending.h).
 *
 * Assumes up to millions of requests in flight; each costs 96 bytes (104 where `threaded`) and a
 * hash bucket, and a call that completes many of them at once 32 bytes for each (struct many). A
 * handle may complete on another thread than posted it: all functions lock where `threaded`. It may
 * then also mean another request by the time that a completion call has returned: what was posted
 * before the call began tells (request_before()). An op that was posted later is not completed by
 * the call, though it may be the only one of the handle: that takes a program that passes a handle
 * to MPI while another thread posts it.
 */
#ifndef TRYST_CALL_REQUEST_H
#define TRYST_CALL_REQUEST_H

#include "pmpi/call/op.h"
#include "pmpi/call/pending.h"
#include "pmpi/call/repeat.h"

/* A collective on this rank: what is counted, and what its wrapper must know to count it. */
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
	bool is_leaf; /* takes the root's data */
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
 * Learn the handles that stand for "already complete", by ops that are: a send and a receive to
 * nobody, ...
 */
int request_start(struct thread *t);

/* Call c is about to complete requests, or to look whether it can. */
static inline void request_before(struct call *c)
{
	c->posts = pending_posts();
}

/*
 * A nonblocking op was posted in call c and `request` came back. True: it is complete, and the last
 * record is its struct rec_op.
 */
bool request_post(struct call *c, struct op *op, MPI_Request request);

/* One that repeats an earlier one and is not complete, posted in a call from `enter` to `leave`. */
bool request_pend_again(struct thread *t, const struct repeat *s, uint64_t id, uint64_t enter,
	uint64_t leave, MPI_Request request);

/*
 * Op `id` that repeats an earlier one was posted in call c. False: the shape holds no longer, and
 * nothing was done. One may have been complete at once, the other not.
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
 * A collective was posted in call c and `request` came back, or it is one of a persistent request.
 */
void request_post_coll(struct call *c, const struct coll *k, MPI_Request request);
void request_post_coll_started(struct call *c, const struct coll *k, MPI_Request request);

/* A transfer ended in call c, or was posted in it and `request` came back. */
void request_transfer(struct call *c, const struct transfer *x);
void request_post_transfer(struct call *c, const struct transfer *x, MPI_Request request);

/* Recording stops in call c: the completion of what is pending will not be seen. */
void request_leave(struct call *c);

/*
 * MPI_Request_free is about to free a request, and has, or has not. As soon as it has, the handle
 * can be another request's, on another thread: what is known of it is put aside before.
 */
struct leaving {
	uint32_t slot[2]; /* pending ops; 0: none */
};
void request_leaves(struct leaving *l, MPI_Request request);
void request_left(struct call *c, const struct leaving *l, bool freed);

/*
 * Call c has completed this request; handle: as it was before the call; status NULL: not known;
 * error: of this one, or MPI_SUCCESS. Here and below requests that we know nothing of (null,
 * inactive, files) are passed over.
 */
void request_complete(struct call *c, MPI_Request handle, const MPI_Status *status, int error);

/* The requests of one completion call. */
struct many {
	size_t n;
	MPI_Request *handle; /* as they were before the call */
	MPI_Status *status;  /* of all, or of those that completed; NULL: not known */
	/*
	 * Room for n, or 2 n where a request may be of two ops. Statuses may stand at its end: each
	 * is read before a share is there.
	 */
	struct live_share *share;
};

/* A request of two ops was posted (MPI_Isendrecv): there may be more in flight. */
extern bool request_any_pairs;

/*
 * Call c has returned `error` and completed n of these: handle[index[i]] with status[i], or where
 * index is NULL all of them. After MPI_ERR_IN_STATUS each status decides: pending ones have not
 * completed.
 */
void request_complete_many(
	struct call *c, const struct many *m, int error, size_t n, const int *index);

/*
 * Call c has asked for the receive of this request to be cancelled; its completion tells whether it
 * was.
 */
void request_cancel(struct call *c, MPI_Request handle);

/* Call c tested these without success: polling has begun, or goes on. */
void request_polled(struct call *c, const MPI_Request *handles, size_t n);

#endif
