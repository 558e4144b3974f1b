/* SPDX-License-Identifier: BSD-3-Clause */
/* pending.c: slots, chains, and handles that stand for "complete". */
#include "pmpi/call/pending.h"

#include <stdlib.h>

#include "pmpi/record/isolate.h"
#include "pmpi/record/ring.h"
#include "pmpi/record/shim.h"

/* If this many live requests share one handle, they are complete. */
enum { CHAIN_LONG = 64 };

struct pending_table pending_table;

/* The number of a slot's op among all posts, if threads share requests: behind the block's slots.
 */
static uint64_t *number_at(uint32_t i)
{
	const uint32_t b = (i - 1) / PENDING_BLOCK;

	return (uint64_t *)(pending_table.block[b] + PENDING_BLOCK) + (i - 1) % PENDING_BLOCK;
}

void pending_learn_complete(uintptr_t handle)
{
	if (pending_is_complete(handle) || pending_table.ncomplete == PENDING_COMPLETE_MAX)
		return;
	pending_table.complete[pending_table.ncomplete] = handle;
	__atomic_store_n(&pending_table.ncomplete, pending_table.ncomplete + 1, __ATOMIC_RELEASE);
}

/*
 * Each old chain splits in two and keeps its order. Only slots in chains move: a slot in no chain
 * belongs to a thread that has taken it and still reads it. Signals are blocked: a handler that
 * jumped out would leave the chains half changed, and malloc's lock taken.
 */
static bool grow_buckets(void)
{
	uint32_t n = pending_table.nbuckets ? pending_table.nbuckets * 2 : 4096;
	struct isolate guest;
	uint32_t *bucket;

	isolate_enter_locked(&guest);
	bucket = calloc(n, sizeof(*bucket));
	if (!bucket) {
		isolate_leave(&guest);
		return pending_table.nbuckets != 0;
	}
	for (uint32_t b = 0; b < pending_table.nbuckets; b++) {
		uint32_t *tail[2] = { &bucket[b], &bucket[b + pending_table.nbuckets] };

		for (uint32_t i = pending_table.bucket[b], rest; i; i = rest) {
			struct pending_op *p = pending_at(i);
			uint32_t **end =
				&tail[(handle_hash(p->private_key) & pending_table.nbuckets) != 0];

			rest = p->private_next;
			p->private_next = 0;
			**end = i;
			*end = &p->private_next;
		}
	}
	free(pending_table.bucket);
	pending_table.bucket = bucket;
	pending_table.nbuckets = n;
	isolate_leave(&guest);
	return true;
}

static bool add_block(void)
{
	uint64_t offset, bytes = PENDING_BLOCK * sizeof(struct pending_op);
	uint64_t numbers_bytes = shim.threaded ? PENDING_BLOCK * sizeof(uint64_t) : 0;
	uint32_t b = pending_table.nslots / PENDING_BLOCK;

	if (b >= PENDING_BLOCKS_MAX)
		return false;
	pending_table.block[b] = ring_region(bytes + numbers_bytes, &offset);
	if (!pending_table.block[b])
		return false;
	ring_publish_region(REGION_PENDING, 0, offset, bytes);
	return true;
}

uint32_t pending_new_slot(void)
{
	if (pending_table.nslots % PENDING_BLOCK == 0 && !add_block()) {
		ring_count_loss(&ring_file->dropped_ops);
		return 0;
	}
	return ++pending_table.nslots;
}

uint32_t *pending_chain_end(uint32_t i, uintptr_t handle)
{
	uint32_t *link;
	int same = 0;

	if (pending_table.count >= pending_table.nbuckets)
		grow_buckets();
	for (link = pending_chain(handle); *link; link = &pending_at(*link)->private_next)
		same += pending_at(*link)->private_key == handle;
	if (unlikely(shim.threaded)) {
		*number_at(i) = pending_table.posts + 1;
		__atomic_store_n(&pending_table.posts, pending_table.posts + 1, __ATOMIC_RELEASE);
	}
	if (unlikely(same >= CHAIN_LONG)) {
		__atomic_store_n(&pending_table.late_complete, true, __ATOMIC_RELAXED);
		pending_learn_complete(handle);
	}
	return link;
}

void pending_put_back(uint32_t i)
{
	__atomic_store_n(&pending_table.count, pending_table.count - 1, __ATOMIC_RELAXED);
	pending_append(i, pending_at(i)->private_key);
}

/* True if several live requests share this handle because they were complete when posted. */
static bool is_shared(uintptr_t handle, const struct pending_op *a, const struct pending_op *b)
{
	return (a->kind_mode == KIND_MODE_RMA && b->kind_mode == KIND_MODE_RMA) ||
		pending_is_complete(handle);
}

/*
 * The slot that a handle meant when `posts` ops had been posted. With threads, MPI may give a freed
 * handle to another request before the thread that completed the first request gets here. A third
 * thread may even have completed the other request. But the first op was posted before its
 * completion call began, and no other op of that handle was posted in between. So it is the newest
 * op posted before that call.
 *
 * Among requests that share a handle it is the oldest, as without threads. A handle is shared if it
 * was learned while they were pending, or if they are one-sided: their handle for "complete" cannot
 * be learned without a window.
 */
static __attribute__((noinline)) uint32_t *chain_link_then(uintptr_t handle, uint64_t posts)
{
	uint32_t *link, *found = NULL;

	for (link = pending_chain(handle); *link; link = &pending_at(*link)->private_next) {
		const struct pending_op *p = pending_at(*link);

		if (p->private_key == handle && *number_at(*link) <= posts &&
			!(found && is_shared(handle, pending_at(*found), p)))
			found = link;
	}
	return found ? found : link;
}

/* Without threads: the oldest of this handle. */
uint32_t *pending_link_to(uintptr_t handle, uint64_t posts)
{
	uint32_t *link;

	if (unlikely(shim.threaded))
		return chain_link_then(handle, posts);
	for (link = pending_chain(handle); *link && pending_at(*link)->private_key != handle;
		link = &pending_at(*link)->private_next)
		;
	return link;
}

struct pending_op *pending_find(uintptr_t handle, uint64_t posts)
{
	uint32_t i = *pending_link_to(handle, posts);

	return i ? pending_at(i) : NULL;
}

bool pending_remove(uint32_t i)
{
	uint32_t *link = pending_chain(pending_at(i)->private_key);

	while (*link && *link != i)
		link = &pending_at(*link)->private_next;
	if (!*link)
		return false;
	*link = pending_at(i)->private_next;
	return true;
}

int pending_start(void)
{
	return grow_buckets() ? 0 : -1;
}
