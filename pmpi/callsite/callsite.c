/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite.c: the call stack's id in a few nanoseconds.
 *
 * Unwinding takes microseconds, and nearly all stacks have been seen before by the same thread. So
 * each thread keeps a list for each stack it has seen. The list holds the words of memory that
 * decided the walk: return addresses, and frame pointers if the walk used them (see unwind.c). Each
 * word is kept as its offset from the wrapper's frame and its value, in the order of the walk. The
 * list is found by the return address and the frame's position. If all words still have these
 * values, the stack is the same.
 *
 * Why this is correct. Assume that the words up to the i-th are equal. A new walk would then go the
 * same way so far: each step depends on the return address and stack pointer before it, on words in
 * the list, and on nothing else. So a new walk would read the word i+1 of the list next. By
 * induction, equal lists mean equal walks, whatever lies between the words. Reading the words is
 * also safe. Each one is a word that an unwinder would read now, in a live frame, even if the
 * thread is on another stack (signal stack, coroutine) that ends nearby. The comparison must
 * therefore stop at the first difference. Jumps (longjmp, exceptions) need no care, since no state
 * follows the stack.
 *
 * This relies on three assumptions:
 *
 *  - An address keeps its meaning while no library is unloaded, and run-time code while it exists.
 *    An unload is noticed at the next new stack, at the latest LOOK_CALLS calls later. Everything
 *    is forgotten then.
 *  - Unwind information finds a frame's end by the rules that unwind.c knows. For other rules
 *    unwind.c notes all words that may have mattered. In hand-written assembly without readable
 *    rules, two stacks with equal return addresses at equal places could be confused.
 *  - Only a thread itself writes its return addresses.
 *
 * Several stacks with the same return address and position (a helper called from several lines)
 * form a tree. If a stack differs from list A at the i-th word, (A, i, the word's value) is the key
 * of the list that continues from there. A stack costs its words plus one lookup for each branch.
 *
 *   key (return address, frame)  ->  [w0 w1 w2 w3]        id 2
 *   key (that entry, 1, value)   ->         [w2 w3 w4]    id 3
 *
 * Programs that keep producing new stacks (deep recursion, random alloca) would pay for a walk at
 * each call. So each thread has an allowance for walks: 50 ms and 1 % of the time. A call site that
 * uses it up is traced instead (unwind_trace(); found again by its return addresses alone). If
 * tracing is too slow as well, or a library was unloaded, the site becomes flat: its first frame
 * stands for all its stacks. table.c bounds the number of ids.
 */
#include "analysis/base/now.h"
#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/frame.h"
#include "pmpi/callsite/own.h"
#include "pmpi/callsite/table.h"
#include "pmpi/callsite/unwind.h"
#include "record.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
	/* slots of the first table; each next table has twice as many */
	ENTRIES_FIRST = 2048,
	ENTRIES_LAST = 32768,
	CHECKS_A_ROUND = 4,  /* compared between two looks at the end of the list */
	CHECKS_AN_ENTRY = 4, /* room for them, besides one a frame */
	SITES = 512,
	SITE_TRIES = 8,
	SITE_COST_MAX_NS = 500000, /* a site that used less keeps its mode, even if others used up
				      the allowance */
	LOOK_CALLS = 1024,         /* calls between two looks for unloaded libraries */
	REFUSED_MAX = 64,          /* calls in a row that may find the cache busy */
	PAGE_BYTES = 65536, /* the largest page size: areas aligned to it can be returned whole */
	GROWN_MAX_BYTES =
		16 << 20 /* for the caches of all threads together, beyond their first tables */
};

/* Marks in keys that cannot be addresses of the program. */
#define KEY_BRANCH (1ULL << 63)
#define KEY_TRACE (1ULL << 62)
#define KEY_DEAD (1ULL << 61)

/* A remembered stack, or the rest of one behind a branch. 32 bytes: two fit a cache line. */
struct entry {
	uint64_t key; /* 0: free */
	uint64_t key2;
	uint32_t first; /* index of its checks in cache->checks */
	uint32_t id;
	uint16_t fn;
	uint16_t nchecks;
	uint32_t nrounds; /* the last round is filled up with copies of the last check */
};

enum site_mode { SITE_WALKED, SITE_TRACED, SITE_FLAT };

/* One MPI call in the program's code that has had a new stack. */
struct site {
	uint64_t return_address; /* 0: free */
	uint16_t fn;
	uint8_t mode;     /* enum site_mode */
	uint8_t nskipped; /* traced: frames of MPI's libraries in its stacks, at most */
	uint32_t id;      /* flat: id of the frame alone; 0: frames of MPI must be skipped first */
	uint32_t cost_ns; /* of its walks or traces since its mode changed */
};

struct callsite_cache {
	const void *busy;        /* frame address of the call that uses the cache; NULL: none */
	const void *busy_return; /* its return address */
	uint32_t refused;        /* calls in a row that found the cache busy */
	const struct unwind_check *checks;
	struct entry *entries;
	uint64_t mask;       /* slots less one */
	uint32_t unloads;    /* module_unloads() when the entries were made */
	uint32_t until_look; /* calls until the next look for unloaded libraries */

	uint32_t depth;
	uint32_t nentries;
	uint32_t nchecks;
	size_t grown_bytes;
	callsite_spent *spent; /* NULL: not reported */
	void *context;
	int64_t allowance_ns;
	int64_t now_ns;         /* when the allowance was last added to */
	uint32_t trace_unloads; /* module_unloads() at the first trace */
	bool has_traced;
	size_t mapped_bytes;
	struct callsite_cache *next; /* list of all caches, under caches.lock */
	_Atomic uint64_t unwinds, traced_sites, flat_sites, other_stacks, resets;
	struct site sites[SITES];
	struct unwind_stack stack; /* the walk at work */
	struct frame_memory frames;
};

static struct {
	pthread_mutex_t lock;
	struct callsite_cache *first;
	struct callsite_stats ended; /* of threads that have ended */
	_Atomic size_t grown_bytes;
	unsigned depth;
} caches = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the fast path ---- */

static inline uint64_t slot_of(
	const struct callsite_cache *cache, unsigned fn, uint64_t key, uint64_t key2)
{
	return (key ^ key2 << 20 ^ (uint64_t)fn << 44) * 0x9e3779b97f4a7c15ULL >> 40 & cache->mask;
}

static inline struct entry *find_entry(
	const struct callsite_cache *cache, unsigned fn, uint64_t key, uint64_t key2)
{
	for (uint64_t i = slot_of(cache, fn, key, key2);; i = (i + 1) & cache->mask) {
		struct entry *entry = &cache->entries[i];

		if (entry->key == key && entry->key2 == key2 && entry->fn == fn)
			return entry;
		if (!entry->key)
			return NULL;
	}
}

/* No two entries share a check. */
static inline uint64_t branch_key(
	const struct callsite_cache *cache, const struct unwind_check *check)
{
	return KEY_BRANCH | (uint64_t)(check - cache->checks);
}

static inline UNWIND_READS_FRAMES bool differs(const struct unwind_check *check, const char *frame)
{
	return *(const uint64_t *)(frame + check->offset) != check->value;
}

/* The first check of the entry that fails, or NULL. Words behind it must not be read. */
static inline UNWIND_READS_FRAMES const struct unwind_check *first_difference(
	const struct callsite_cache *cache, const struct entry *entry, const char *frame)
{
	const struct unwind_check *check = cache->checks + entry->first;

	for (uint32_t rounds = entry->nrounds; rounds; rounds--, check += CHECKS_A_ROUND) {
		if (differs(check, frame))
			return check;
		if (differs(check + 1, frame))
			return check + 1;
		if (differs(check + 2, frame))
			return check + 2;
		if (differs(check + 3, frame))
			return check + 3;
	}
	return NULL;
}

static uint32_t new_stack(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address);
static uint32_t get_again(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address);

static uint32_t look_around(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address);
static uint32_t get_branch(struct callsite_cache *cache, unsigned fn, void *return_address,
	void *frame_address, const struct unwind_check *check);

static inline uint32_t end_use(struct callsite_cache *cache, uint32_t id)
{
	cache->refused = 0;
	atomic_signal_fence(memory_order_seq_cst);
	cache->busy = NULL;
	return id;
}

/* Only tail calls: the fast path then saves no register. */
UNWIND_READS_FRAMES uint32_t callsite_get(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address)
{
	const struct unwind_check *check;
	const struct entry *entry;

	if (!cache)
		return CALLSITE_NONE;
	if (__builtin_expect(cache->busy != NULL, 0))
		return get_again(cache, fn, return_address, frame_address);
	cache->busy_return = return_address;
	cache->busy = frame_address;
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(--cache->until_look == 0 || cache->unloads != module_unloads(), 0))
		return look_around(cache, fn, return_address, frame_address);
	entry = find_entry(
		cache, fn, (uint64_t)(uintptr_t)return_address, (uint64_t)(uintptr_t)frame_address);
	if (__builtin_expect(!entry, 0))
		return new_stack(cache, fn, return_address, frame_address);
	check = first_difference(cache, entry, frame_address);
	if (check)
		return get_branch(cache, fn, return_address, frame_address, check);
	return end_use(cache, entry->id);
}

/* The lookup continued from where the stack differs from a remembered one. */
static UNWIND_READS_FRAMES __attribute__((noinline)) uint32_t get_branch(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address,
	const struct unwind_check *check)
{
	const struct entry *entry;

	do {
		entry = find_entry(cache, fn, branch_key(cache, check),
			*(const uint64_t *)((const char *)frame_address + check->offset));
		if (__builtin_expect(!entry, 0))
			return new_stack(cache, fn, return_address, frame_address);
		check = first_difference(cache, entry, frame_address);
	} while (check);
	return end_use(cache, entry->id);
}

/*
 * The cache is in use. Either a signal handler makes this call, and has interrupted a call that
 * uses the cache; or a handler has jumped out of such a call. In the second case that call's frame
 * lay below ours, has been overwritten, or lies dead above us. Many calls in a row then find the
 * cache in use, more than a handler makes. On a signal stack, addresses tell nothing.
 */
static bool is_interrupted(struct callsite_cache *cache, const void *frame_address)
{
	stack_t stack;

	if (++cache->refused > REFUSED_MAX)
		return false;
	if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK))
		return true;
	if ((uintptr_t)frame_address >= (uintptr_t)cache->busy)
		return false;
	return unwind_plain_address(unwind_word_at((uint64_t)(uintptr_t)cache->busy +
		       sizeof(void *))) == (uint64_t)(uintptr_t)cache->busy_return;
}

static __attribute__((noinline)) uint32_t get_again(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address)
{
	if (is_interrupted(cache, frame_address))
		return CALLSITE_OTHER;
	cache->busy = NULL;
	return callsite_get(cache, fn, return_address, frame_address);
}

/* ---- remembering ---- */

static void count(_Atomic uint64_t *counter)
{
	uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);

	atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

static void forget_all(struct callsite_cache *cache)
{
	memset(cache->entries, 0, (cache->mask + 1) * sizeof(*cache->entries));
	cache->nentries = cache->nchecks = 0;
	count(&cache->resets);
}

/* The key is written last: if a handler jumps out before, the unfinished entry does not count. */
static void put_entry(struct callsite_cache *cache, const struct entry *entry)
{
	uint64_t i = slot_of(cache, entry->fn, entry->key, entry->key2);
	struct entry *to;

	while (cache->entries[i].key)
		i = (i + 1) & cache->mask;
	to = &cache->entries[i];
	*to = *entry;
	to->key = 0;
	atomic_signal_fence(memory_order_seq_cst);
	*(volatile uint64_t *)&to->key = entry->key;
}

/* Adds an entry of `nchecks` checks, for which there is room. */
static void add_entry(
	struct callsite_cache *cache, struct entry entry, const struct unwind_check *checks)
{
	struct unwind_check *to = (struct unwind_check *)cache->checks + cache->nchecks;
	uint32_t nrounds = (entry.nchecks + CHECKS_A_ROUND - 1) / CHECKS_A_ROUND;

	for (uint32_t c = 0; c < nrounds * CHECKS_A_ROUND; c++)
		to[c] = c < entry.nchecks ? checks[c] : to[c - 1];
	entry.first = cache->nchecks;
	entry.nrounds = nrounds;
	cache->nchecks += nrounds * CHECKS_A_ROUND;
	cache->nentries++;
	put_entry(cache, &entry);
}

/* Half of the slots are filled at most. */
static size_t checks_of(const struct callsite_cache *cache, size_t slots)
{
	return slots / 2 * (cache->depth + CHECKS_AN_ENTRY);
}

static bool has_room(const struct callsite_cache *cache, unsigned nchecks)
{
	return cache->nentries < (cache->mask + 1) / 2 &&
		cache->nchecks + nchecks + CHECKS_A_ROUND <= checks_of(cache, cache->mask + 1);
}

/* Switches to the next table, which lies behind this one. False: none is left, or no allowance. */
static bool grow(struct callsite_cache *cache)
{
	size_t slots = cache->mask + 1;
	size_t bytes = slots * sizeof(struct entry) +
		checks_of(cache, slots) * sizeof(struct unwind_check);
	struct entry *old = cache->entries;
	sigset_t all, before;

	if (slots == ENTRIES_LAST)
		return false;
	if (atomic_fetch_add(&caches.grown_bytes, bytes) + bytes > GROWN_MAX_BYTES) {
		atomic_fetch_sub(&caches.grown_bytes, bytes);
		return false;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	cache->grown_bytes += bytes;
	cache->entries = old + slots;
	cache->mask = 2 * slots - 1;
	cache->nentries = 0;
	for (size_t i = 0; i < slots; i++) {
		if (old[i].key && old[i].key != KEY_DEAD) {
			put_entry(cache, &old[i]);
			cache->nentries++;
		}
	}
	madvise(old, slots * sizeof(*old), MADV_DONTNEED);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return true;
}

/* If the cache cannot grow, it is emptied. */
static void make_room(struct callsite_cache *cache, unsigned nchecks)
{
	while (!has_room(cache, nchecks)) {
		if (!grow(cache))
			forget_all(cache);
	}
}

/*
 * Remembers the walk in cache->stack. Goes down the tree as callsite_get() does. If an entry on the
 * way lists other words than this walk, the entry and all its branches are dropped. This only
 * happens if a frame pointer pointed into its frame in one walk and not in the other.
 */
static void remember_walk(struct callsite_cache *cache, unsigned fn, uint64_t return_address,
	uint64_t frame, uint32_t id)
{
	const struct unwind_check *check = cache->stack.checks;
	const struct unwind_check *end = check + cache->stack.nchecks;
	struct entry new = { .key = return_address, .key2 = frame, .fn = (uint16_t)fn, .id = id };
	struct entry *met;

	make_room(cache, cache->stack.nchecks);
	while ((met = find_entry(cache, fn, new.key, new.key2)) != NULL) {
		const struct unwind_check *old = cache->checks + met->first;
		const struct unwind_check *old_end = old + met->nchecks;

		while (old != old_end && check != end && old->offset == check->offset &&
			old->value == check->value)
			old++, check++;
		if (old == old_end || check == end || old->offset != check->offset) {
			check -= old - (cache->checks + met->first);
			met->key = KEY_DEAD;
			break;
		}
		new.key = branch_key(cache, old);
		new.key2 = check->value;
		check++;
	}
	new.nchecks = (uint16_t)(end - check);
	add_entry(cache, new, check);
}

/* ---- what new stacks may cost ---- */

static struct site *find_site(struct callsite_cache *cache, unsigned fn, uint64_t return_address)
{
	uint32_t hash = (uint32_t)((return_address + fn) * 0x9e3779b97f4a7c15ULL >> 40);
	struct site *site, *victim = NULL;

	for (uint32_t i = 0; i < SITE_TRIES; i++) {
		site = &cache->sites[(hash + i) % SITES];
		if (site->return_address == return_address && site->fn == fn)
			return site;
		if (!victim && site->mode == SITE_WALKED)
			victim = site;
		if (!site->return_address)
			break;
	}
	if (!victim)
		victim = &cache->sites[hash % SITES];
	*victim = (struct site){ .return_address = return_address, .fn = (uint16_t)fn };
	return victim;
}

static void degrade(struct callsite_cache *cache, struct site *site, enum site_mode mode)
{
	site->mode = (uint8_t)mode;
	site->cost_ns = 0;
	count(mode == SITE_TRACED ? &cache->traced_sites : &cache->flat_sites);
}

/* Takes `cost_ns` off the allowance. A site that needs too much of it gets a cheaper mode. */
static void charge(struct callsite_cache *cache, struct site *site, int64_t now_ns, int64_t cost_ns)
{
	if (cost_ns > CALLSITE_WALK_MAX_NS)
		cost_ns = CALLSITE_WALK_MAX_NS;
	cache->allowance_ns += (now_ns - cache->now_ns) / CALLSITE_ALLOWANCE_SHARE - cost_ns;
	cache->now_ns = now_ns;
	if (cache->allowance_ns > CALLSITE_ALLOWANCE_NS)
		cache->allowance_ns = CALLSITE_ALLOWANCE_NS;
	if (site->cost_ns < SITE_COST_MAX_NS)
		site->cost_ns += (uint32_t)cost_ns;
	if (cache->allowance_ns < 0 && site->cost_ns >= SITE_COST_MAX_NS)
		degrade(cache, site, site->mode == SITE_WALKED ? SITE_TRACED : SITE_FLAT);
}

/* ---- new stacks ---- */

static uint32_t stack_id(
	struct callsite_cache *cache, unsigned fn, const struct unwind_stack *stack)
{
	uint32_t id = callsite_table_id(fn, stack->frames, stack->nframes);

	if (id == CALLSITE_OTHER)
		count(&cache->other_stacks);
	return id;
}

static uint32_t walk(
	struct callsite_cache *cache, struct site *site, void *return_address, void *frame_address)
{
	bool is_met;
	uint32_t id;

	count(&cache->unwinds);
	is_met = unwind_walk(&cache->stack, cache->depth, return_address, frame_address);
	id = stack_id(cache, site->fn, &cache->stack);
	if (is_met)
		remember_walk(cache, site->fn, site->return_address,
			(uint64_t)(uintptr_t)frame_address, id);
	return id;
}

/*
 * The id of the trace cache->stack.raw[0..nraw) at `depth` frames, or 0 if it is not remembered;
 * `key` gets its place. A key is two sums over the addresses, 125 bits together.
 */
static uint32_t find_trace(const struct callsite_cache *cache, unsigned fn, unsigned depth,
	unsigned nraw, struct entry *key)
{
	const struct entry *entry;
	uint64_t sum = (uint64_t)depth << 32 | nraw, sum2 = 0;

	for (unsigned i = 0; i < nraw; i++) {
		sum = (sum ^ (uint64_t)(uintptr_t)cache->stack.raw[i]) * 0xff51afd7ed558ccdULL;
		sum2 += sum ^ sum >> 31;
	}
	*key = (struct entry){ .key = KEY_TRACE | sum >> 3, .key2 = sum2, .fn = (uint16_t)fn };
	entry = find_entry(cache, fn, key->key, key->key2);
	return entry ? entry->id : 0;
}

static uint32_t trace(
	struct callsite_cache *cache, struct site *site, unsigned depth, void *return_address)
{
	struct entry key;
	unsigned nraw, found;
	uint32_t id;

	for (;;) {
		nraw = depth + site->nskipped;
		found = unwind_trace(cache->stack.raw, nraw, return_address);
		if (found == 0)
			break;
		id = find_trace(cache, site->fn, depth, found, &key);
		if (id)
			return id;
		unwind_resolve(&cache->stack, depth, found);
		if (cache->stack.nframes == depth || found < nraw ||
			site->nskipped == UNWIND_SKIPPED_MAX)
			break;
		site->nskipped++;
	}
	if (found == 0) {
		cache->stack.raw[0] = return_address;
		unwind_resolve(&cache->stack, 1, 1);
	}
	id = stack_id(cache, site->fn, &cache->stack);
	if (found > 0) {
		make_room(cache, 0);
		key.id = id;
		add_entry(cache, key, NULL);
	}
	return id;
}

/* unwind_trace() is only valid while no library is unloaded: see there. */
static bool can_trace(struct callsite_cache *cache)
{
	if (!unwind_is_started())
		return false;
	if (!cache->has_traced) {
		cache->has_traced = true;
		cache->trace_unloads = cache->unloads;
	}
	return cache->trace_unloads == cache->unloads;
}

/* The innermost frame outside MPI for all stacks of the site. */
static uint32_t flat(struct callsite_cache *cache, struct site *site, void *return_address)
{
	struct unwind_stack *stack = &cache->stack;

	if (module_resolve(return_address).kind != MODULE_PROGRAM && can_trace(cache))
		return trace(cache, site, 1, return_address);
	stack->raw[0] = return_address;
	unwind_resolve(stack, 1, 1);
	site->id = stack_id(cache, site->fn, stack);
	return site->id;
}

static void see_unloads(struct callsite_cache *cache)
{
	uint32_t unloads = module_refresh();

	if (cache->unloads == unloads)
		return;
	if (cache->nentries)
		forget_all(cache);
	memset(cache->sites, 0, sizeof(cache->sites));
	unwind_forget();
	cache->unloads = unloads;
}

/* Forgets all stacks if a library was unloaded. Then callsite_get() starts again, in any case. */
static __attribute__((noinline)) uint32_t look_around(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address)
{
	int saved = errno;

	cache->until_look = LOOK_CALLS;
	see_unloads(cache);
	errno = saved;
	cache->busy = NULL;
	return callsite_get(cache, fn, return_address, frame_address);
}

static uint32_t find_new(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address)
{
	int64_t begin_ns = now_ns(CLOCK_MONOTONIC), end_ns;
	struct site *site;
	uint32_t id;

	see_unloads(cache);
	site = find_site(cache, fn, (uint64_t)(uintptr_t)return_address);
	if (site->mode == SITE_WALKED && !unwind_is_started())
		site->mode = SITE_FLAT;
	if (site->mode == SITE_TRACED && !can_trace(cache))
		degrade(cache, site, SITE_FLAT);
	if (site->mode == SITE_WALKED)
		id = walk(cache, site, return_address, frame_address);
	else if (site->mode == SITE_TRACED)
		id = trace(cache, site, cache->depth, return_address);
	else
		id = flat(cache, site, return_address);
	end_ns = now_ns(CLOCK_MONOTONIC);
	if (site->mode != SITE_FLAT)
		charge(cache, site, end_ns, end_ns - begin_ns);
	if (cache->spent)
		cache->spent(cache->context, fn, id, (uint64_t)(end_ns - begin_ns));
	return id;
}

/* The stack is not remembered. Ends the use of the cache that callsite_get() began. */
static __attribute__((noinline)) uint32_t new_stack(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address)
{
	struct site *site = find_site(cache, fn, (uint64_t)(uintptr_t)return_address);
	uint32_t id = site->mode == SITE_FLAT ? site->id : 0;

	if (!id || cache->unloads != module_unloads()) {
		int saved = errno, cancel;

		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		id = find_new(cache, fn, return_address, frame_address);
		pthread_setcancelstate(cancel, NULL);
		errno = saved;
	}
	return end_use(cache, id);
}

/* ---- start and end ---- */

int callsite_start(unsigned depth, const char *libunwind, callsite_emit *emit, void *context,
	char *why, size_t why_bytes)
{
	caches.depth = 0;
	if (depth == 0)
		return 0;
	if (callsite_table_start(emit, context) < 0) {
		snprintf(why, why_bytes, "no memory for callsites: %s", strerror(errno));
		return -1;
	}
	caches.depth = depth < CALLSITE_DEPTH_MAX ? depth : CALLSITE_DEPTH_MAX;
	module_refresh();
	return unwind_start(libunwind, why, why_bytes);
}

void callsite_stop(void)
{
	caches.depth = 0;
	memset(&caches.ended, 0, sizeof(caches.ended));
	callsite_table_stop();
}

/* With signals blocked: a handler that jumped out would leave the lock taken for ever. */
static void lock_caches(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, old);
	pthread_mutex_lock(&caches.lock);
}

static void unlock_caches(const sigset_t *old)
{
	pthread_mutex_unlock(&caches.lock);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

struct callsite_cache *callsite_cache_new(callsite_spent *spent, void *context)
{
	/* all tables in a row, then the checks of the last one; pages are touched as they fill */
	struct callsite_cache *cache;
	size_t head = (sizeof(*cache) + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	size_t tables = (2 * ENTRIES_LAST - ENTRIES_FIRST) * sizeof(struct entry);
	size_t bytes = head + tables +
		(size_t)ENTRIES_LAST / 2 * (caches.depth + CHECKS_AN_ENTRY) *
			sizeof(struct unwind_check);
	sigset_t old;

	if (caches.depth == 0)
		return NULL;
	cache = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (cache == MAP_FAILED)
		return NULL;
	cache->mapped_bytes = bytes;
	cache->depth = caches.depth;
	cache->entries = (struct entry *)((char *)cache + head);
	cache->mask = ENTRIES_FIRST - 1;
	cache->checks = (const struct unwind_check *)((char *)cache->entries + tables);
	cache->spent = spent;
	cache->context = context;
	cache->unloads = module_unloads();
	cache->until_look = LOOK_CALLS;
	cache->allowance_ns = CALLSITE_ALLOWANCE_NS;
	cache->now_ns = now_ns(CLOCK_MONOTONIC);
	lock_caches(&old);
	cache->next = caches.first;
	caches.first = cache;
	unlock_caches(&old);
	return cache;
}

static void add_stats(struct callsite_stats *stats, struct callsite_cache *cache)
{
	stats->unwinds += atomic_load_explicit(&cache->unwinds, memory_order_relaxed);
	stats->traced_sites += atomic_load_explicit(&cache->traced_sites, memory_order_relaxed);
	stats->flat_sites += atomic_load_explicit(&cache->flat_sites, memory_order_relaxed);
	stats->other_stacks += atomic_load_explicit(&cache->other_stacks, memory_order_relaxed);
	stats->resets += atomic_load_explicit(&cache->resets, memory_order_relaxed);
}

void callsite_cache_free(struct callsite_cache *cache)
{
	struct callsite_cache **at = &caches.first;
	sigset_t old;

	if (!cache)
		return;
	lock_caches(&old);
	while (*at != cache)
		at = &(*at)->next;
	*at = cache->next;
	add_stats(&caches.ended, cache);
	unlock_caches(&old);
	atomic_fetch_sub(&caches.grown_bytes, cache->grown_bytes);
	munmap(cache, cache->mapped_bytes);
}

uint32_t callsite_of_code(const void *address, const struct callsite_stack *stack)
{
	const void *caller = stack ? own_caller(address, stack) : NULL;
	struct module_address frame = module_resolve(caller ? caller : address);

	/* as of a call: the address behind the instruction */
	if (!caller)
		frame.offset++;
	return callsite_table_place(&frame);
}

const void *callsite_code_of_frame(struct callsite_cache *cache, const void *address,
	void *return_address, void *frame_address)
{
	const void *code;
	bool is_walk;

	if (!cache)
		return NULL;
	code = frame_code(&cache->frames, address, return_address, frame_address, &is_walk);
	if (is_walk)
		count(&cache->unwinds);
	return code;
}

void callsite_stats_get(struct callsite_stats *stats)
{
	sigset_t old;

	lock_caches(&old);
	*stats = caches.ended;
	for (struct callsite_cache *cache = caches.first; cache; cache = cache->next)
		add_stats(stats, cache);
	unlock_caches(&old);
	stats->callsites = callsite_table_count();
	stats->cut_sites = callsite_table_cut();
}
