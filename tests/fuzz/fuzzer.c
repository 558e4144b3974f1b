/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzzer.c: libFuzzer's entry; `make fuzz-NAME` builds and runs it with clang.
 *
 * Most of an input's time goes to SQLite for schemas and queries, and half of that went to the
 * checker's malloc() and to fresh pages for each block. So SQLite has blocks of its own here, which
 * are used again at once. The checker knows how many bytes of each are in use: reading beyond what
 * SQLite gave, or what it has taken back, is found. This file is compiled without it, so the head
 * of a block is read as ever.
 */
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/target.h"

enum { HEAD_BYTES = 16, CLASSES = 32, POOL_BYTES = 1 << 22 };

/* A block: this, then 1 << class bytes, of which `bytes` are in use. */
struct block {
	struct block *next; /* of the free ones */
	uint32_t class, bytes;
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

static void use(struct block *b, int bytes)
{
	char *p = (char *)b + HEAD_BYTES;

	b->bytes = (uint32_t)bytes;
	__asan_unpoison_memory_region(p, (size_t)bytes);
	__asan_poison_memory_region(p + bytes, ((size_t)1 << b->class) - (size_t)bytes);
}

static void *take(int bytes)
{
	uint32_t class = 5;
	size_t all;
	struct block *b;

	while ((size_t)1 << class < (size_t)bytes)
		class ++;
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
	if (!b)
		return NULL;
	b->class = class;
	use(b, bytes);
	return (char *)b + HEAD_BYTES;
}

static void give_back(void *p)
{
	struct block *b = block_of(p);

	use(b, 0);
	pthread_mutex_lock(&lock);
	b->next = freed[b->class];
	freed[b->class] = b;
	pthread_mutex_unlock(&lock);
}

static int size_of(void *p)
{
	return p ? (int)block_of(p)->bytes : 0;
}

static void *resize(void *p, int bytes)
{
	void *more;

	if (bytes <= 1 << block_of(p)->class) {
		use(block_of(p), bytes);
		return p;
	}
	more = take(bytes);
	if (more) {
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

/* Does the checker see where a block of SQLite's ends, and that it was given back? */
static bool is_checked(void)
{
	char *p = sqlite3_malloc(40);
	bool checked =
		p && !__asan_address_is_poisoned(p + 39) && __asan_address_is_poisoned(p + 40);

	sqlite3_free(p);
	return checked && __asan_address_is_poisoned(p);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* dwarf_getscopes() loses what it has where damaged information ends it. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libdw.so\n";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const sqlite3_mem_methods methods = { take, give_back, resize, size_of, round_up,
		begin, end, NULL };

	(void)argc, (void)argv;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || target_begin() ||
		!is_checked())
		abort();
	atexit(target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return target_run(data, size) < 0 ? -1 : 0;
}
