/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c: equal stacks get equal ids, in all threads.
 *
 * An open-addressing table of pointers to stacks, which never move and are never freed. Readers
 * need no lock. Writers (new stacks are rare) take a lock with signals blocked, so that a handler
 * that calls MPI never waits for the thread it interrupted. An id is published after its records
 * were emitted.
 *
 * Bounds: CALLSITE_COUNT_MAX ids; 12 MiB of stacks; 2 MiB of table, touched as it fills.
 */
#include "pmpi/callsite/table.h"
#include "pmpi/callsite/arena.h"
#include "record.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum {
	TABLE_SLOTS = 1 << 18, /* at most twice CALLSITE_COUNT_MAX stacks: half full */
	STACKS_MAX = 2 * CALLSITE_COUNT_MAX,
	ARENA_BYTES = 12 << 20,
	OFFSET_BITS = 48
};

struct stack {
	uint64_t hash;
	_Atomic uint32_t id;       /* 0: none yet */
	_Atomic uint32_t children; /* in a stack of one frame: longer stacks that begin with it */
	uint16_t fn;
	uint16_t nframes;
	uint64_t frames[]; /* module << OFFSET_BITS | offset */
};

static struct {
	_Atomic(struct stack *) *slots;
	pthread_mutex_t lock;
	struct arena arena;
	uint32_t stacks;
	_Atomic uint32_t ids;
	_Atomic uint32_t cut;
	callsite_emit *emit;
	void *context;
	uint8_t is_emitted[MODULES_MAX + 1];
	_Atomic uint8_t calls_mpi[MODULES_MAX + 1];
	_Alignas(8) uint8_t record[sizeof(struct rec_module) + 4096 + 8];
} table = { .lock = PTHREAD_MUTEX_INITIALIZER, .arena = { .limit = ARENA_BYTES } };

_Static_assert(sizeof(struct rec_callsite) + CALLSITE_DEPTH_MAX * sizeof(struct callsite_frame) <=
		sizeof(table.record),
	"a callsite fits the record buffer");
_Static_assert(MODULES_MAX < 1 << (64 - OFFSET_BITS), "a module's number fits a packed frame");

int callsite_table_start(callsite_emit *emit, void *context)
{
	void *slots = mmap(NULL, TABLE_SLOTS * sizeof(*table.slots), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (slots == MAP_FAILED)
		return -1;
	table.emit = emit;
	table.context = context;
	table.slots = slots;
	return 0;
}

void callsite_table_stop(void)
{
	if (table.slots)
		munmap(table.slots, TABLE_SLOTS * sizeof(*table.slots));
	table.slots = NULL;
	arena_release(&table.arena);
	table.stacks = 0;
	atomic_store(&table.ids, 0);
	atomic_store(&table.cut, 0);
	memset(table.is_emitted, 0, sizeof(table.is_emitted));
	for (size_t i = 0; i <= MODULES_MAX; i++)
		atomic_store(&table.calls_mpi[i], 0);
}

bool callsite_table_calls_mpi(uint32_t module)
{
	return atomic_load_explicit(&table.calls_mpi[module], memory_order_relaxed);
}

uint32_t callsite_table_count(void)
{
	return atomic_load_explicit(&table.ids, memory_order_relaxed);
}

uint32_t callsite_table_cut(void)
{
	return atomic_load_explicit(&table.cut, memory_order_relaxed);
}

/* ---- records ---- */

static void emit_module(uint32_t number)
{
	const struct module *module = module_get(number);
	struct rec_module *record = (struct rec_module *)table.record;
	size_t path_bytes, bytes;

	if (!module || table.is_emitted[number])
		return;
	table.is_emitted[number] = 1;
	path_bytes = strnlen(module->path, 4095) + 1;
	bytes = (sizeof(*record) + path_bytes + 7) & ~(size_t)7;
	memset(record, 0, bytes);
	record->head = (struct rec_head){ REC_MODULE, 0, (uint16_t)(bytes / 8), number };
	record->base = module->base;
	record->build_id_bytes = module->build_id_bytes;
	memcpy(record->build_id, module->build_id, module->build_id_bytes);
	memcpy(record->path, module->path, path_bytes - 1);
	table.emit(table.context, record, bytes);
}

static void emit_callsite(const struct stack *stack, uint32_t id)
{
	struct rec_callsite *record = (struct rec_callsite *)table.record;
	size_t bytes = sizeof(*record) + stack->nframes * sizeof(record->frames[0]);

	for (unsigned i = 0; i < stack->nframes; i++)
		emit_module((uint32_t)(stack->frames[i] >> OFFSET_BITS));
	if (stack->fn)
		atomic_store_explicit(
			&table.calls_mpi[stack->frames[0] >> OFFSET_BITS], 1, memory_order_relaxed);
	memset(record, 0, bytes);
	record->head = (struct rec_head){ REC_CALLSITE, 0, (uint16_t)(bytes / 8), id };
	record->call = stack->fn;
	record->nframes = stack->nframes;
	for (unsigned i = 0; i < stack->nframes; i++) {
		record->frames[i].module = (uint32_t)(stack->frames[i] >> OFFSET_BITS);
		record->frames[i].offset = stack->frames[i] & ((1ULL << OFFSET_BITS) - 1);
	}
	table.emit(table.context, record, bytes);
}

/* ---- the table ---- */

static uint64_t hash_stack(unsigned fn, const uint64_t *frames, unsigned nframes)
{
	uint64_t hash = fn * 0x9e3779b97f4a7c15ULL + nframes;

	for (unsigned i = 0; i < nframes; i++) {
		hash = (hash ^ frames[i]) * 0xff51afd7ed558ccdULL;
		hash ^= hash >> 32;
	}
	return hash;
}

/* The stack, or NULL, with its place in `*slot`. */
static struct stack *stack_find(
	unsigned fn, const uint64_t *frames, unsigned nframes, uint64_t hash, uint32_t *slot)
{
	for (uint32_t i = (uint32_t)hash & (TABLE_SLOTS - 1);; i = (i + 1) & (TABLE_SLOTS - 1)) {
		struct stack *stack = atomic_load_explicit(&table.slots[i], memory_order_acquire);

		*slot = i;
		if (!stack)
			return NULL;
		if (stack->hash == hash && stack->fn == fn && stack->nframes == nframes &&
			memcmp(stack->frames, frames, nframes * sizeof(*frames)) == 0)
			return stack;
	}
}

/* Under the lock: the stack, made if it is new; NULL if there is no room. */
static struct stack *stack_add(unsigned fn, const uint64_t *frames, unsigned nframes)
{
	uint64_t hash = hash_stack(fn, frames, nframes);
	struct stack *stack;
	uint32_t slot;

	stack = stack_find(fn, frames, nframes, hash, &slot);
	if (stack || table.stacks == STACKS_MAX)
		return stack;
	stack = arena_take(&table.arena, sizeof(*stack) + nframes * sizeof(*frames));
	if (!stack)
		return NULL;
	stack->hash = hash;
	stack->fn = (uint16_t)fn;
	stack->nframes = (uint16_t)nframes;
	memcpy(stack->frames, frames, nframes * sizeof(*frames));
	table.stacks++;
	atomic_store_explicit(&table.slots[slot], stack, memory_order_release);
	return stack;
}

/* Under the lock: the stack's id. A stack without one gets an id, and its records are emitted. */
static uint32_t give_id(struct stack *stack)
{
	uint32_t id = atomic_load_explicit(&stack->id, memory_order_relaxed);
	uint32_t ids = atomic_load_explicit(&table.ids, memory_order_relaxed);

	if (id)
		return id;
	if (ids == CALLSITE_COUNT_MAX)
		return CALLSITE_OTHER;
	id = CALLSITE_FIRST + ids;
	emit_callsite(stack, id);
	atomic_store_explicit(&stack->id, id, memory_order_release);
	atomic_store_explicit(&table.ids, ids + 1, memory_order_relaxed);
	return id;
}

/* Under the lock. */
static uint32_t new_id(unsigned fn, const uint64_t *frames, unsigned nframes)
{
	struct stack *inner = nframes > 1 ? stack_add(fn, frames, 1) : NULL;
	struct stack *stack;
	uint32_t slot;

	if (nframes > 1) {
		uint32_t children;

		if (!inner)
			return CALLSITE_OTHER;
		children = atomic_load_explicit(&inner->children, memory_order_relaxed);
		stack = stack_find(fn, frames, nframes, hash_stack(fn, frames, nframes), &slot);
		if (!stack && children <= CALLSITE_STACKS_MAX) {
			atomic_store_explicit(&inner->children, ++children, memory_order_relaxed);
			if (children > CALLSITE_STACKS_MAX)
				atomic_fetch_add_explicit(&table.cut, 1, memory_order_relaxed);
		}
		if (!stack && children > CALLSITE_STACKS_MAX)
			return give_id(inner);
	}
	stack = stack_add(fn, frames, nframes);
	return stack ? give_id(stack) : CALLSITE_OTHER;
}

/* Without the lock: the id of a stack that has one, or that will never get one; else 0. */
static uint32_t known_id(unsigned fn, const uint64_t *frames, unsigned nframes)
{
	struct stack *stack;
	uint32_t slot;

	stack = stack_find(fn, frames, nframes, hash_stack(fn, frames, nframes), &slot);
	if (!stack && nframes > 1) {
		stack = stack_find(fn, frames, 1, hash_stack(fn, frames, 1), &slot);
		if (stack &&
			atomic_load_explicit(&stack->children, memory_order_relaxed) <=
				CALLSITE_STACKS_MAX)
			stack = NULL;
	}
	if (!stack && callsite_table_count() == CALLSITE_COUNT_MAX)
		return CALLSITE_OTHER;
	return stack ? atomic_load_explicit(&stack->id, memory_order_acquire) : 0;
}

/* Stacks that are not known yet get none of the ids from `most` on. */
static uint32_t id_below(
	unsigned fn, const struct module_address *frames, unsigned nframes, uint32_t most)
{
	uint64_t packed[CALLSITE_DEPTH_MAX] = { 0 };
	sigset_t all, old;
	uint32_t id;

	if (!table.slots)
		return CALLSITE_OTHER;
	for (unsigned i = 0; i < nframes; i++)
		packed[i] = (uint64_t)frames[i].module << OFFSET_BITS |
			(frames[i].offset & ((1ULL << OFFSET_BITS) - 1));
	id = known_id(fn, packed, nframes);
	if (id)
		return id;
	if (callsite_table_count() >= most)
		return CALLSITE_OTHER;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pthread_mutex_lock(&table.lock);
	id = new_id(fn, packed, nframes);
	pthread_mutex_unlock(&table.lock);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return id;
}

uint32_t callsite_table_id(unsigned fn, const struct module_address *frames, unsigned nframes)
{
	return id_below(fn, frames, nframes, UINT32_MAX);
}

uint32_t callsite_table_place(const struct module_address *code)
{
	return id_below(0, code, 1, CALLSITE_COUNT_MAX / 2);
}
