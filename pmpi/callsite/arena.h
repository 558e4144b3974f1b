/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h: memory that only grows, straight from the kernel.
 *
 * For data that lives until the end of the process and must not come from the program's malloc. The
 * caller locks. Nothing is ever moved; a page is first touched when it is used.
 */
#ifndef TRYST_CALLSITE_ARENA_H
#define TRYST_CALLSITE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { ARENA_CHUNK_BYTES = 1 << 18 };

struct arena_chunk {
	struct arena_chunk *next;
};

/* Empty if all but `limit` is zero. */
struct arena {
	struct arena_chunk *chunks;
	uint8_t *at;
	uint8_t *end;
	size_t taken; /* from the kernel [bytes] */
	size_t limit; /* never takes more than this [bytes] */
};

/* `bytes` bytes of zeros, 8-byte aligned; NULL beyond the limit or where the kernel refuses. */
static inline void *arena_take(struct arena *arena, size_t bytes)
{
	void *taken;

	bytes = (bytes + 7) & ~(size_t)7;
	if (bytes > ARENA_CHUNK_BYTES - sizeof(struct arena_chunk))
		return NULL;
	if ((size_t)(arena->end - arena->at) < bytes) {
		struct arena_chunk *chunk;

		if (arena->taken + ARENA_CHUNK_BYTES > arena->limit)
			return NULL;
		chunk = mmap(NULL, ARENA_CHUNK_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (chunk == MAP_FAILED)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->taken += ARENA_CHUNK_BYTES;
		arena->at = (uint8_t *)(chunk + 1);
		arena->end = (uint8_t *)chunk + ARENA_CHUNK_BYTES;
	}
	taken = arena->at;
	arena->at += bytes;
	return taken;
}

/* Returns all memory to the kernel. The arena is empty afterwards and keeps its limit. */
static inline void arena_release(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *chunk = arena->chunks;

		arena->chunks = chunk->next;
		munmap(chunk, ARENA_CHUNK_BYTES);
	}
	arena->at = arena->end = NULL;
	arena->taken = 0;
}

#endif
