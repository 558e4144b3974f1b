/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending.h: the table of what is posted and not completed, by request handle.
 *
 *   handle --hash--> chain of slots, oldest first
 *                      slot: struct pending_op (include/record.h), in the mapped file, so that what
 * was pending when the process died can be told
 *
 * This file finds the slot of a completed handle. request.c, its only user, knows what an op and
 * its completion mean. Slots have numbers from 1; 0 is none. A slot taken out of its chain belongs
 * to the thread that took it until that thread gives it back.
 *
 * If threads share requests, the caller holds the shim's lock, unless a function says otherwise.
 */
#ifndef TRYST_CALL_PENDING_H
#define TRYST_CALL_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "pmpi/record/shim.h"

/* For tables of requests by handle. */
static inline uint32_t handle_hash(uintptr_t handle)
{
	return (uint32_t)(handle * 0x9e3779b97f4a7c15ULL >> 32);
}

enum {
	PENDING_BLOCK = 4096,     /* slots in one region of the ring file */
	PENDING_BLOCKS_MAX = 960, /* 3.9 million requests in flight */
	PENDING_COMPLETE_MAX = 16 /* handles that mean "complete" */
};

/* Only the functions below read it. */
struct pending_table {
	struct pending_op *block[PENDING_BLOCKS_MAX];
	uint32_t *bucket;
	uint32_t nbuckets;
	uint32_t free;   /* free slots by private_next; 0: none */
	uint32_t nslots; /* slots ever used */
	uint32_t count;  /* in chains, or taken out and not given back */
	uintptr_t complete[PENDING_COMPLETE_MAX];
	int ncomplete;
	bool late_complete; /* some of these handles were learned while requests were pending under
			       them */
	uint64_t posts;
};
extern struct pending_table pending_table;

static inline struct pending_op *pending_at(uint32_t slot)
{
	return &pending_table.block[(slot - 1) / PENDING_BLOCK][(slot - 1) % PENDING_BLOCK];
}

/* The largest slot number. */
static inline uint32_t pending_last(void)
{
	return pending_table.nslots;
}

/* Read without the lock: a thread counts its op after posting it. */
static inline bool pending_none(void)
{
	return __atomic_load_n(&pending_table.count, __ATOMIC_RELAXED) == 0;
}

/* Number of ops posted so far, if threads share requests. Without the lock. */
static inline uint64_t pending_posts(void)
{
	return __atomic_load_n(&pending_table.posts, __ATOMIC_ACQUIRE);
}

/* True if this handle means "complete". Without the lock. */
static inline bool pending_is_complete(uintptr_t handle)
{
	int n = __atomic_load_n(&pending_table.ncomplete, __ATOMIC_ACQUIRE);

	for (int i = 0; i < n; i++)
		if (pending_table.complete[i] == handle)
			return true;
	return false;
}

/* True if it always has, so that nothing is pending under it. Without the lock. */
static inline bool pending_never(uintptr_t handle)
{
	return pending_is_complete(handle) &&
		!__atomic_load_n(&pending_table.late_complete, __ATOMIC_RELAXED);
}

/* From now on this handle means "complete". Ops already pending under it stay pending. */
void pending_learn_complete(uintptr_t handle);

/* Call it once, before all others. Returns 0, or -1 if there is no memory. */
int pending_start(void);

/* The first link of a handle's chain. */
static inline uint32_t *pending_chain(uintptr_t handle)
{
	return &pending_table.bucket[handle_hash(handle) & (pending_table.nbuckets - 1)];
}

/* A slot that was never used; as pending_new(). */
uint32_t pending_new_slot(void);

/* A free slot, in no chain. 0: there is no room, and a loss was counted. */
static inline uint32_t pending_new(void)
{
	uint32_t i = pending_table.free;

	if (unlikely(!i))
		return pending_new_slot();
	pending_table.free = pending_at(i)->private_next;
	return i;
}

/* Frees a slot that the caller has taken. */
static inline void pending_give(uint32_t slot)
{
	struct pending_op *p = pending_at(slot);

	__atomic_store_n(&p->state, PENDING_FREE, __ATOMIC_RELEASE);
	p->private_next = pending_table.free;
	pending_table.free = slot;
	__atomic_store_n(&pending_table.count, pending_table.count - 1, __ATOMIC_RELAXED);
}

/* The link for a new slot of this handle: the end of its chain. May grow the table. */
uint32_t *pending_chain_end(uint32_t slot, uintptr_t handle);

/* Posts a filled new slot under this handle, as the newest of its chain. */
static inline void pending_append(uint32_t slot, uintptr_t handle)
{
	struct pending_op *p = pending_at(slot);
	uint32_t *link = pending_chain(handle);

	p->private_key = handle;
	p->private_next = 0;
	if (unlikely(*link || pending_table.count >= pending_table.nbuckets || shim.threaded))
		link = pending_chain_end(slot, handle);
	/* Counted first: after a jump out of here, chains must not hold more slots than are
	 * counted. */
	__atomic_store_n(&pending_table.count, pending_table.count + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*link = slot;
	__atomic_store_n(&p->state, PENDING_POSTED, __ATOMIC_RELEASE);
}

/* Posts a taken slot again, now as the newest of its chain. */
void pending_put_back(uint32_t slot);

/* The slot that this handle meant when `posts` ops had been posted, or NULL. */
struct pending_op *pending_find(uintptr_t handle, uint64_t posts);

/* The link to that slot, in a chain of several or with shared requests; a link to 0: none. */
uint32_t *pending_link_to(uintptr_t handle, uint64_t posts);

/* Takes that slot out of its chain; 0: none. */
static inline uint32_t pending_take(uintptr_t handle, uint64_t posts)
{
	uint32_t *link = pending_chain(handle), i = *link;

	if (!i)
		return 0;
	if (unlikely(pending_at(i)->private_key != handle || shim.threaded)) {
		link = pending_link_to(handle, posts);
		i = *link;
	}
	if (likely(i))
		*link = pending_at(i)->private_next;
	return i;
}

/* Takes this slot out of its chain. False: it is in none. */
bool pending_remove(uint32_t slot);

#endif
