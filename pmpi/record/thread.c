/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.c: threads start, use a region of the ring file, and leave it to the next one. */
#include "pmpi/record/thread.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "pmpi/record/isolate.h"

__thread struct thread *thread_self;
struct thread *thread_list;
const uint64_t sample_nothing = 0;
const uint64_t sample_unknown = 1;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static uint32_t nthreads;

/* The sums of a thread that has ended become records, so that its region can be used again. */
static void retire_sums(struct thread *t)
{
	struct {
		struct rec_head head;
		struct call_sum sum;
	} record = { .head = { .type = REC_CALL_SUM, .words = sizeof(record) / 8 } };

	for (int b = 0; b < SUM_BLOCKS; b++) {
		for (int i = 0; t->sums[b] && i < SUM_BLOCK; i++) {
			struct call_sum *sum = &t->sums[b][i];

			if (sum->callsite == 0)
				continue;
			record.sum = *sum;
			record.head.id = t->region->thread;
			record_append(t, &record);
			memset(sum, 0, sizeof(*sum));
		}
	}
}

static void retire(struct thread *t)
{
	if (t->region->busy_enter_ticks) {
		struct rec_busy busy = { { .type = REC_BUSY, .words = sizeof(busy) / 8 },
			t->region->busy_enter_ticks, t->region->busy_leave_ticks };

		record_append(t, &busy);
		t->in_ring[TABLE_BUSY]++;
		t->region->busy_enter_ticks = 0;
	}
	retire_sums(t);
	ring_flush(t);
	t->region->ended = 1;
	t->idle = true;
}

/* MPI_Finalize may run on another thread: it reads the threads that have not yet ended. */
static void thread_end(void *arg)
{
	struct isolate guest;

	thread_self = NULL;
	/* also in a child after fork(), in which the lock is never released */
	if (!shim.started)
		return;
	isolate_enter_locked(&guest);
	pthread_mutex_lock(&list_lock);
	if (shim.started)
		retire(arg);
	pthread_mutex_unlock(&list_lock);
	isolate_leave(&guest);
}

void thread_stop(void)
{
	struct isolate guest;

	isolate_enter_locked(&guest);
	pthread_mutex_lock(&list_lock);
	shim.started = false;
	pthread_mutex_unlock(&list_lock);
	isolate_leave(&guest);
}

static void make_end_key(void)
{
	pthread_key_create(&end_key, thread_end);
}

/* The next call opens the thread's samples. */
static void expect_samples(struct thread *t)
{
	t->sample_head = &sample_unknown;
	t->sample_seen = 0;
}

static struct thread *take_idle(void)
{
	struct thread *t;

	/* a ring that could not be emptied stays with its thread */
	for (t = thread_list; t && !(t->idle && t->head == 0); t = t->next)
		;
	if (!t)
		return NULL;
	t->idle = false;
	t->guard = 0;
	t->nested_ticks = 0;
	t->shapes_epoch++;
	memset(t->comms, 0, sizeof(t->comms));
	memset(t->types, 0, sizeof(t->types));
	memset(t->objects, 0, sizeof(t->objects));
	memset(t->probes, 0, sizeof(t->probes));
	memset(&t->poll, 0, sizeof(t->poll));
	t->nphases = 0;
	t->nannounced = 0;
	t->busy_site = 0;
	expect_samples(t);
	ring_rename_regions(t->region->thread, nthreads);
	t->region->thread = nthreads++;
	t->region->seq = 0;
	t->region->ended = 0;
	t->region->tool_ticks = 0;
	return t;
}

/* Charges the time of finding a callsite to tryst, at the call to which it belongs. */
static void count_spent(void *thread, unsigned fn, uint32_t site, uint64_t ns)
{
	thread_sum(thread, site, fn)->tool_ticks += clock_from_ns(ns);
}

void thread_start_callsites(struct thread *t)
{
	t->callsites = callsite_cache_new(count_spent, t);
}

static struct thread *make_new(void)
{
	uint64_t offset;
	struct thread *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	thread_start_callsites(t);
	expect_samples(t);
	t->region = ring_region(sizeof(struct thread_region), &offset);
	if (!t->region) {
		callsite_cache_free(t->callsites);
		free(t);
		return NULL;
	}
	t->limit = ring_limit();
	t->region->thread = nthreads++;
	ring_publish_region(REGION_THREAD, t->region->thread, offset, sizeof(struct thread_region));
	t->next = thread_list;
	thread_list = t;
	return t;
}

struct thread *thread_start(void)
{
	static bool said;
	struct isolate guest;
	struct thread *t;

	if (!shim.recording && !shim.tracking)
		return NULL;
	isolate_enter_locked(&guest);
	pthread_once(&end_once, make_end_key);
	pthread_mutex_lock(&list_lock);
	t = take_idle();
	if (!t)
		t = make_new();
	if (!t) {
		ring_count_loss(&ring_file->dropped_other);
		if (!said)
			shim_say("no room for the records of another thread of rank %d; its calls "
				 "are not recorded",
				shim.rank);
		said = true;
	}
	pthread_mutex_unlock(&list_lock);
	if (t) {
		pthread_setspecific(end_key, t);
		thread_self = t;
	}
	isolate_leave(&guest);
	return t;
}

/* Signals are blocked: a handler that jumped out would leave sums that no reader finds. */
static struct call_sum *new_sums(struct thread *t)
{
	uint64_t offset, bytes = SUM_BLOCK * sizeof(struct call_sum);
	struct call_sum *block;
	struct isolate guest;

	isolate_enter_locked(&guest);
	block = ring_region(bytes, &offset);
	if (block)
		ring_publish_region(REGION_SUMS, t->region->thread, offset, bytes);
	isolate_leave(&guest);
	return block;
}

struct call_sum *thread_sum_slow(struct thread *t, uint32_t site, unsigned fn)
{
	static struct call_sum nowhere;
	uint64_t begin = clock_ticks();
	uint32_t id = site > CALLSITE_OTHER ? site : SUM_SITES + fn;
	struct call_sum **block = &t->sums[id / SUM_BLOCK];
	struct call_sum *sum;

	if (!*block)
		*block = new_sums(t);
	if (!*block) {
		ring_count_loss(&ring_file->dropped_other);
		return &nowhere;
	}
	sum = &(*block)[id % SUM_BLOCK];
	sum->call = fn;
	sum->tool_ticks += clock_ticks() - begin;
	/* A slot is valid once its callsite is not 0. */
	__atomic_store_n(
		&sum->callsite, site > CALLSITE_OTHER ? site : CALLSITE_OTHER, __ATOMIC_RELEASE);
	return sum;
}

void *thread_scratch(struct thread *t, enum scratch which, size_t bytes)
{
	if (unlikely(bytes > t->scratch_bytes[which])) {
		size_t more = bytes < 16384 ? 16384 : bytes * 2, old_bytes;
		void *old;
		void *p = mmap(
			NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return NULL;
		/* in this order, since a handler may jump out in between */
		old = t->scratch[which];
		old_bytes = t->scratch_bytes[which];
		__atomic_store_n(&t->scratch[which], p, __ATOMIC_RELEASE);
		__atomic_store_n(&t->scratch_bytes[which], more, __ATOMIC_RELEASE);
		if (old)
			munmap(old, old_bytes);
	}
	return t->scratch[which];
}

void record_text(struct thread *t, enum record_type type, uint32_t id, const char *text)
{
	size_t length = strlen(text);
	uint32_t bytes;
	struct rec_text *r;

	if (length > 4000)
		length = 4000;
	bytes = (uint32_t)(sizeof(*r) + length + 8) / 8 * 8;
	r = record_reserve(t, bytes);
	memset(r, 0, bytes);
	r->head = (struct rec_head){
		.type = (uint8_t)type, .words = (uint16_t)(bytes / 8), .id = id
	};
	memcpy(r->text, text, length);
	record_commit(t, bytes);
}

void record_key(struct thread *t, const char *key, const char *value)
{
	size_t nkey = strlen(key) + 1, nvalue = strlen(value);
	uint32_t bytes;
	struct rec_text *r;

	if (nvalue > 4000)
		nvalue = 4000;
	bytes = (uint32_t)(sizeof(*r) + nkey + nvalue + 8) / 8 * 8;
	r = record_reserve(t, bytes);
	memset(r, 0, bytes);
	r->head = (struct rec_head){ .type = REC_KEY, .words = (uint16_t)(bytes / 8) };
	memcpy(r->text, key, nkey);
	memcpy(r->text + nkey, value, nvalue);
	record_commit(t, bytes);
}

void record_key_number(struct thread *t, const char *key, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	record_key(t, key, text);
}
