/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * persistent.h: persistent requests, from their making to MPI_Request_free.
 *
 *   handle --hash--> struct persistent: the op or collective that each MPI_Start posts (request.h)
 *
 * The communicator is held, since each start needs it, even if the program has freed it. All
 * functions lock if `threaded`.
 */
#ifndef TRYST_CALL_PERSISTENT_H
#define TRYST_CALL_PERSISTENT_H

#include "pmpi/call/request.h"

struct persistent;

/* A persistent request was made; nothing is posted yet. */
void persistent_make(const struct op *op, MPI_Request request);
void persistent_make_coll(const struct coll *k, MPI_Request request);

/*
 * Persistent requests were started in call c. before: ids from persistent_before_start(), which is
 * called before MPI_Start so that ids have the order of the posts.
 */
uint64_t persistent_before_start(int n);
void persistent_started(struct call *c, uint64_t first_id, int n, const MPI_Request *requests);

/*
 * Before and after MPI_Request_free of a request, as request_leaves(). NULL: it is not persistent.
 */
struct persistent *persistent_leaves(MPI_Request request);
void persistent_left(struct persistent *p, bool freed);

#endif
