/* SPDX-License-Identifier: BSD-3-Clause */
/* persistent.c: the table of persistent requests. */
#include "pmpi/call/persistent.h"

#include <stdlib.h>

struct persistent {
	uintptr_t handle;
	struct persistent *next;
	bool is_coll;
	struct op op;
	struct coll coll;
};

static struct {
	struct persistent **bucket;
	uint32_t nbuckets;
	uint32_t count;
} table;

/* Under the lock, like all functions below that use the table; the table must have buckets. */
static struct persistent **table_link(uintptr_t handle)
{
	struct persistent **link;

	for (link = &table.bucket[handle_hash(handle) & (table.nbuckets - 1)];
		*link && (*link)->handle != handle; link = &(*link)->next)
		;
	return link;
}

static void grow(void)
{
	uint32_t n = table.nbuckets ? table.nbuckets * 2 : 256;
	struct persistent **bucket = calloc(n, sizeof(*bucket));

	if (!bucket)
		return;
	for (uint32_t i = 0; i < table.nbuckets; i++) {
		for (struct persistent *p = table.bucket[i], *rest; p; p = rest) {
			rest = p->next;
			p->next = bucket[handle_hash(p->handle) & (n - 1)];
			bucket[handle_hash(p->handle) & (n - 1)] = p;
		}
	}
	free(table.bucket);
	table.bucket = bucket;
	table.nbuckets = n;
}

static struct comm *comm_of(const struct persistent *p)
{
	return p->is_coll ? p->coll.comm : p->op.comm;
}

static void persistent_new(const struct op *op, const struct coll *k, MPI_Request request)
{
	struct persistent *p, **link;

	shim_lock();
	if (table.count >= table.nbuckets)
		grow();
	if (table.nbuckets) {
		link = table_link((uintptr_t)request);
		p = *link ? *link : calloc(1, sizeof(*p));
		if (p) {
			if (*link)
				comm_drop(comm_of(p));
			table.count += !*link;
			p->handle = (uintptr_t)request;
			p->is_coll = k != NULL;
			if (op)
				p->op = *op;
			if (k)
				p->coll = *k;
			comm_hold(comm_of(p));
			*link = p;
		} else {
			ring_count_loss(&ring_file->dropped_ops);
		}
	}
	shim_unlock();
}

void persistent_make(const struct op *op, MPI_Request request)
{
	persistent_new(op, NULL, request);
}

void persistent_make_coll(const struct coll *k, MPI_Request request)
{
	persistent_new(NULL, k, request);
}

uint64_t persistent_before_start(int n)
{
	return __atomic_fetch_add(&ring_file->ops, (uint64_t)(n > 0 ? n : 0), __ATOMIC_RELAXED) + 1;
}

void persistent_started(struct call *c, uint64_t first_id, int n, const MPI_Request *requests)
{
	for (int i = 0; i < n; i++) {
		struct persistent *p;
		struct persistent copy;

		shim_lock();
		p = table.nbuckets ? *table_link((uintptr_t)requests[i]) : NULL;
		if (p)
			copy = *p;
		shim_unlock();
		if (!p)
			continue;
		if (copy.is_coll) {
			copy.coll.seq =
				__atomic_fetch_add(&copy.coll.comm->next_seq, 1, __ATOMIC_RELAXED);
			request_post_coll_started(c, &copy.coll, requests[i]);
			continue;
		}
		copy.op.id = first_id + (uint64_t)i;
		copy.op.flags &= (uint16_t)~OP_FIRST;
		if (copy.op.rank >= 0)
			op_set_peer(&copy.op, copy.op.rank);
		op_accepted(&copy.op);
		request_post_started(c, &copy.op, requests[i]);
	}
}

struct persistent *persistent_leaves(MPI_Request request)
{
	struct persistent *p = NULL, **link;

	shim_lock();
	if (table.nbuckets) {
		link = table_link((uintptr_t)request);
		p = *link;
		if (p) {
			*link = p->next;
			table.count--;
		}
	}
	shim_unlock();
	return p;
}

void persistent_left(struct persistent *p, bool freed)
{
	struct persistent **link;

	if (!p)
		return;
	if (freed) {
		comm_drop(comm_of(p));
		free(p);
		return;
	}
	/* MPI has refused */
	shim_lock();
	link = table_link(p->handle);
	p->next = *link;
	*link = p;
	table.count++;
	shim_unlock();
}
