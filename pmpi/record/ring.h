/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h: records that outlive their process (include/record.h has the bytes).
 *
 * Assumes: bursts of 16 to 104 byte records from few threads, a file system that may be slow, full
 * or read-only at any moment, and a process that may die between any two instructions.
 * Guarantees: a record is whole before `head` covers it; a chunk is written once; what was
 * recorded before space ran out stays; the program's own files are never written to, even where
 * it closed our descriptors.
 */
#ifndef TRYST_RECORD_RING_H
#define TRYST_RECORD_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "record.h"

struct thread;

/* Tables whose rows are capped by TRYST_MAX_OPS. */
enum ring_table { TABLE_OP, TABLE_BUSY, TABLE_COLLECTIVE, TABLE_RMA, TABLE_IO, TABLE_COUNT };

extern struct ring_file *ring_file; /* the mapped header; NULL before ring_create() */

/* Count losses in one of ring_file's counters, which all threads share. */
static inline void ring_count_losses(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

static inline void ring_count_loss(uint64_t *counter)
{
	ring_count_losses(counter, 1);
}

/*
 * Make rank's ring and spool in dir, which exists. Never follows a symbolic link and never opens
 * a file that is there already. Returns 0, or -1 after saying what is wrong.
 */
int ring_create(const char *dir, int rank, int world, uint64_t run_id, uint64_t max_rows);

/* Does the file system reserve space without writing it? */
bool ring_can_reserve(void);

/*
 * A new zeroed region of the mapped file, page aligned, reserved on disk. It is listed for readers
 * by ring_publish_region(), once its content is valid. Returns NULL where there is no room.
 */
void *ring_region(uint64_t bytes, uint64_t *offset);
void ring_publish_region(enum region_kind kind, uint32_t thread, uint64_t offset, uint64_t bytes);

/* The regions of a thread that has ended now belong to another. */
void ring_rename_regions(uint32_t old_thread, uint32_t new_thread);

/* How many bytes of records make a ring full that is empty now. */
uint64_t ring_limit(void);

/* Write the thread's ring as a chunk and empty it. Called by record_reserve() when it is full. */
void ring_flush(struct thread *t);

/* At the end of the run: what the rings still hold keeps to the budget of rows, too. */
void ring_keep_budget(struct thread *t);

/*
 * Under the lock that row_limit_apply() is called with: write sums as a chunk of their own, whose
 * header is made here and whose records, `bytes` in all, stand behind it. Returns 0, or -1 where
 * there is no room.
 */
int ring_write_sums(struct thread *t, struct chunk *chunk, uint64_t bytes);

/*
 * Where are both files, by somebody else's doing? Before ring_close(): after it they may be
 * collected.
 */
enum ring_place { RING_IN_PLACE, RING_MOVED, RING_REMOVED };
enum ring_place ring_place(void);

/* Last words: every thread's rest is in the mapped file; mark it closed. */
void ring_close(enum ring_state state);

/* Nothing could be recorded after all: remove both files. Nobody may use them any more. */
void ring_abandon(void);

/* After fork() in the child: forget the files, they are the parent's. */
void ring_forget(void);

#endif
