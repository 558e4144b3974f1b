/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzzer.c: libFuzzer's entry; `make fuzz-NAME` builds and runs it with clang.
 *
 * Most of an input's time goes to SQLite for schemas and queries, and half of that went to the checker's
 * malloc() and to fresh pages for each block. So SQLite has blocks of its own here, which are used again at once;
 * what our own code allocates is checked as ever, and `make check-asan` checks both.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/target.h"

enum { HEAD_BYTES = 16, CLASSES = 32, POOL_BYTES = 1 << 22 };

/* A block: its class, then 1 << class bytes. */
struct block {
	struct block *next;	/* of the free ones */
	size_t class;
};
_Static_assert(sizeof(struct block) == HEAD_BYTES, "what is behind it is aligned");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *freed[CLASSES];
static char *pool;
static size_t pool_left;

static struct block *block_of(void *p)
{
	return (struct block *)(void *)((char *)p - HEAD_BYTES);
}

static void *take(int bytes)
{
	size_t class = 5, all;
	struct block *b;

	while ((size_t)1 << class < (size_t)bytes)
		class++;
	all = HEAD_BYTES + ((size_t)1 << class);
	pthread_mutex_lock(&lock);
	b = freed[class];
	if (b) {
		freed[class] = b->next;
	} else if (all > POOL_BYTES) {
		b = malloc(all);
	} else {
		if (pool_left < all) {
			pool = malloc(POOL_BYTES);
			pool_left = pool ? POOL_BYTES : 0;
		}
		b = pool_left ? (struct block *)(void *)pool : NULL;
		pool += pool_left ? all : 0;
		pool_left -= pool_left ? all : 0;
	}
	pthread_mutex_unlock(&lock);
	if (b)
		b->class = class;
	return b ? (char *)b + HEAD_BYTES : NULL;
}

static void give_back(void *p)
{
	struct block *b = block_of(p);

	pthread_mutex_lock(&lock);
	b->next = freed[b->class];
	freed[b->class] = b;
	pthread_mutex_unlock(&lock);
}

static int size_of(void *p)
{
	return p ? 1 << block_of(p)->class : 0;
}

static void *resize(void *p, int bytes)
{
	void *more = bytes <= size_of(p) ? p : take(bytes);

	if (more && more != p) {
		memcpy(more, p, (size_t)size_of(p));
		give_back(p);
	}
	return more;
}

static int round_up(int bytes)
{
	return (bytes + 7) & ~7;
}

static int begin(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void end(void *unused)
{
	(void)unused;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const sqlite3_mem_methods methods = { take, give_back, resize, size_of, round_up, begin, end,
		NULL };

	(void)argc, (void)argv;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || target_begin())
		abort();
	atexit(target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return target_run(data, size) < 0 ? -1 : 0;
}
