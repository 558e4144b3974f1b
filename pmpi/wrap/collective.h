/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.h: the bytes that collectives move. wrap.awk makes the wrappers.
 *
 * sent: bytes that this rank contributes; recv: bytes that it gets. Both follow from its own
 * arguments, if MPI calls these significant on this rank.
 */
#ifndef TRYST_WRAP_COLLECTIVE_H
#define TRYST_WRAP_COLLECTIVE_H

#include "pmpi/call/persistent.h"

enum { COLL_NO_ROOT = INT32_MIN };

/* The number of the next collective on comm. */
static inline uint64_t coll_seq(struct comm *comm)
{
	return unlikely(shim.threaded) ? __atomic_fetch_add(&comm->next_seq, 1, __ATOMIC_RELAXED) :
					 comm->next_seq++;
}

/*
 * A collective takes its number before the call. If it fails on this member only, the other members
 * have counted it, too.
 */
static inline void coll_before(struct call *c, struct coll *k, MPI_Comm comm)
{
	struct call_mark *mark = &c->t->region->now.mark;

	mark->call = 0;
	k->comm = comm_find(c->t, comm);
	if (unlikely(!k->comm))
		return;
	k->seq = coll_seq(k->comm);
	mark->comm = k->comm->id;
	mark->bytes = k->seq;
	mark->flags8 = MARK_COLLECTIVE;
	mark->call = c->fn;
}

/* Sets this rank's place in it. False: no memory for its communicator. */
static inline bool coll_describe(struct call *c, struct coll *k, MPI_Comm comm, int root)
{
	struct comm *co = k->comm;

	if (unlikely(!co)) {
		co = k->comm = comm_get(c->t, comm);
		if (!co)
			return false;
		k->seq = coll_seq(co);
	}
	k->inter = co->remote_size != 0;
	k->size = k->inter ? co->remote_size : co->size;
	k->members = co->size;
	k->root = -1;
	k->is_root = k->is_leaf = false;
	if (root == COLL_NO_ROOT)
		return true;
	if (!k->inter) {
		k->is_root = root == co->rank;
		k->is_leaf = !k->is_root;
		k->root = comm_world(co, root);
	} else {
		k->is_root = root == MPI_ROOT;
		k->is_leaf = root >= 0;
		k->root = k->is_leaf ? comm_world(co, root) : k->is_root ? shim.rank : -1;
	}
	return true;
}

/* Bytes of n parts of count elements; 0 for MPI_IN_PLACE. */
static inline uint64_t coll_part(
	struct thread *t, const void *buffer, MPI_Count count, MPI_Datatype type, int n)
{
	return buffer == MPI_IN_PLACE ? 0 : type_bytes(t, count, type) * (uint64_t)n;
}

/* Macros, since counts may be int or MPI_Count. Each value is used once. */
#define COLL_SUM(t, buffer, counts, type, n)                                                       \
	({                                                                                         \
		uint64_t elements_ = 0;                                                            \
		int n_ = (n);                                                                      \
		__typeof__(&(counts)[0]) counts_ = (counts);                                       \
		for (int i_ = 0; i_ < n_; i_++)                                                    \
			elements_ += counts_[i_] > 0 ? (uint64_t)counts_[i_] : 0;                  \
		(buffer) == MPI_IN_PLACE || elements_ == 0 ?                                       \
			0 :                                                                        \
			elements_ *type_get((t), (type))->bytes;                                   \
	})

#define COLL_SUM_TYPES(t, counts, types, n)                                                        \
	({                                                                                         \
		uint64_t bytes_ = 0;                                                               \
		int n_ = (n);                                                                      \
		for (int i_ = 0; i_ < n_; i_++)                                                    \
			if ((counts)[i_] > 0)                                                      \
				bytes_ += type_bytes((t), (counts)[i_], (types)[i_]);              \
		bytes_;                                                                            \
	})

/* Neighbours of this rank, for neighbourhood collectives. */
static void coll_degree(struct coll *k, MPI_Comm comm)
{
	int kind = MPI_UNDEFINED, dims = 0, weighted;

	k->in = k->out = 0;
	if (pnext.MPI_Topo_test(comm, &kind) != MPI_SUCCESS)
		return;
	if (kind == MPI_CART && pnext.MPI_Cartdim_get(comm, &dims) == MPI_SUCCESS)
		k->in = k->out = 2 * dims;
	else if (kind == MPI_GRAPH)
		pnext.MPI_Graph_neighbors_count(comm, k->comm->rank, &k->in), k->out = k->in;
	else if (kind == MPI_DIST_GRAPH)
		pnext.MPI_Dist_graph_neighbors_count(comm, &k->in, &k->out, &weighted);
}

#endif
