/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h: records that outlive their process (include/record.h has the bytes).
 *
 * Assumes bursts of 16 to 104 byte records from few threads. The file system may be slow, full or
 * read-only at any moment, and the process may die between any two instructions.
 * Guarantees: a record is whole before `head` covers it. A chunk is written once. Records made
 * before space ran out stay. The program's own files are never written to, even if it closed our
 * descriptors.
 */
#ifndef TRYST_RECORD_RING_H
#define TRYST_RECORD_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "record.h"

struct thread;

/*
 * Tables whose rows are capped by TRYST_MAX_OPS. Samples are not, but they end when the disk is
 * full.
 */
enum ring_table {
	TABLE_OP,
	TABLE_BUSY,
	TABLE_COLLECTIVE,
	TABLE_RMA,
	TABLE_IO,
	TABLE_SAMPLE,
	TABLE_COUNT
};

extern struct ring_file *ring_file; /* the mapped header; NULL before ring_create() */

/* Counts losses in one of ring_file's counters, which all threads share. */
static inline void ring_count_losses(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

static inline void ring_count_loss(uint64_t *counter)
{
	ring_count_losses(counter, 1);
}

/* The callback for a full ring, under the lock of ring.c. */
struct ring_full {
	/* it is about to be written (observe.h) */
	void (*observe)(const struct thread *t);
	/* its tables have room for these rows alone (row_limit.h) */
	uint64_t (*limit)(struct thread *t, const uint64_t room[TABLE_COUNT]);
};

/*
 * Makes the rank's ring and spool in dir, which exists. Never follows a symbolic link, and never
 * opens an existing file. *full lives as long as the ring. Returns 0, or -1 after printing the
 * error.
 */
int ring_create(const char *dir, int rank, int world, uint64_t run_id, uint64_t max_rows,
	const struct ring_full *full);

/* True if the file system can reserve space without writing it. */
bool ring_can_reserve(void);

/*
 * A new zeroed region of the mapped file, page aligned, reserved on disk. ring_publish_region()
 * lists it for readers, once its content is valid. Returns NULL if there is no room.
 */
void *ring_region(uint64_t bytes, uint64_t *offset);
void ring_publish_region(enum region_kind kind, uint32_t thread, uint64_t offset, uint64_t bytes);

/* Hands the regions of an ended thread to another thread. */
void ring_rename_regions(uint32_t old_thread, uint32_t new_thread);

/* The number of bytes of records that fill a ring that is empty now. */
uint64_t ring_limit(void);

/* Writes the thread's ring as a chunk and empties it. record_reserve() calls it for a full ring. */
void ring_flush(struct thread *t);

/* At the end of the run: applies the row limits to the records still in the rings. */
void ring_keep_budget(struct thread *t);

/*
 * Under the lock that row_limit_apply() needs: writes sums as a chunk of their own. The header is
 * made here; the records, `bytes` in all, stand behind it. Returns 0, or -1 if there is no room.
 */
int ring_write_sums(struct thread *t, struct chunk *chunk, uint64_t bytes);

/*
 * Tells whether both files are in their place, or another process moved or removed them. Call it
 * before ring_close(): after that a reader may have collected them.
 */
enum ring_place { RING_IN_PLACE, RING_MOVED, RING_REMOVED };
enum ring_place ring_place(void);

/* The end: all remaining records are in the mapped file; marks it closed. */
void ring_close(enum ring_state state);

/* Nothing can be recorded after all: removes both files, which must not be used any more. */
void ring_abandon(void);

/* In the child after fork(): lets go of the files, which belong to the parent. */
void ring_forget(void);

#endif
