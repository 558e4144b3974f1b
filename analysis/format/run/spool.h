/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h: reading what a rank left (include/record.h), whole or not.
 *
 * Assumes nothing of the two files: each may be missing, empty, cut anywhere or garbage, and the
 * process that writes them may be alive, or have been killed between any two instructions. What is
 * readable is given, what is not is counted. Memory: the rings of the threads (64 KiB each) and
 * one chunk; the rest is read in pieces.
 *
 * A live rank: the ring's header and threads are copied first, the spool is read afterwards and
 * only up to the chunks that the copied rings say were written, so that no record comes twice.
 */
#ifndef TRYST_FORMAT_RUN_SPOOL_H
#define TRYST_FORMAT_RUN_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#include "analysis/base/say.h"

enum spool_state {
	SPOOL_CLOSED,   /* MPI_Finalize returned */
	SPOOL_DEAD,     /* its process is gone, seen on its own host */
	SPOOL_ALIVE,    /* its process runs, or may run */
	SPOOL_ELSEWHERE /* written on another host, which alone knows */
};

/* What was found damaged or missing; all zero for whole files. */
struct spool_damage {
	uint64_t skipped_bytes;  /* of the spool, between whole chunks or at its end */
	uint64_t missing_chunks; /* gaps in a thread's sequence */
	uint64_t bad_records;    /* in whole chunks or rings: wrong length or type */
	uint32_t bad_regions;    /* of the ring: outside the file, of odd size */
	bool ring_missing;       /* no ring, or not one: the spool alone was read */
	bool spool_missing;      /* no spool, or not one: the ring alone was read */
};

struct spool;

/*
 * Opens <dir>/rank-NNNNNN.ring and .spool. One of the two is enough. Returns 0 and *out, which
 * the caller gives to spool_close(); -ENOENT if neither exists; -EPROTO for another version of
 * the format or another machine type; -EINVAL if neither is ours; another negative errno. Says
 * one line for each error but -ENOENT.
 */
int spool_open(const char *dir, int32_t rank, const struct say *say, struct spool **out);

/* NULL does nothing. */
void spool_close(struct spool *s);

/*
 * The ring's header as copied when it was opened, texts ended by NUL, nregions within bounds. Where
 * the ring is missing: rank and run_id as the spool says, all else zero. Where its head was never
 * written: the rank, all else zero; run_id 0 is no run's.
 */
const struct ring_file *spool_header(const struct spool *s);

enum spool_state spool_state(const struct spool *s);

/*
 * When the ring was read, by this machine's clocks: what it says of a rank that runs held then, and
 * may not since.
 */
struct spool_time {
	int64_t monotonic_ns, realtime_ns;
};

struct spool_time spool_read_at(const struct spool *s);

/* Of the passes made so far (bytes and records: of the last one). */
const struct spool_damage *spool_damage(const struct spool *s);

/*
 * Gives every whole record to visit(), in the order of the file, each thread's in its own order,
 * each once. The record is aligned to 8 bytes, at least as long as its type's struct, and texts in
 * it are ended by NUL; it is valid during the call. Sums and pending ops in records of type
 * REC_WAIT_SUM, REC_CALL_SUM, REC_PENDING lie behind the head. A record that refers to another one
 * is given as the struct rec_op or rec_op2 that it stands for. Ends early with visit()'s value
 * where that is not 0. Returns 0, or a negative errno of reading, said once. May be called often.
 */
int spool_records(struct spool *s,
	int (*visit)(void *context, uint32_t thread, const struct rec_head *record), void *context);

/* The threads that have a ring, and their state as copied: `i` from 0; NULL beyond the last. */
const struct thread_region *spool_thread(const struct spool *s, uint32_t i);

/*
 * Gives the used entries of all mapped tables of a kind: struct call_sum (REGION_SUMS), struct
 * pending_op (REGION_PENDING), struct wait_sum (REGION_WAITS). `thread` is the region's. Returns
 * as spool_records().
 */
int spool_entries(struct spool *s, enum region_kind kind,
	int (*visit)(void *context, uint32_t thread, const void *entry), void *context);

/*
 * True where the files may be removed once their rows are written: closed, dead, or `ended` (the
 * user's word that the job has ended).
 */
bool spool_may_consume(const struct spool *s, bool ended);

/*
 * True where the rank has ended or its files were consumed since they were opened: what was read
 * may be older than rows that somebody else has written by now.
 */
bool spool_changed(const struct spool *s);

/*
 * Removes both files, if they still are the ones that were opened. A ring without a head stays for
 * the minute in which a process of another machine may still write it. Returns 0 or a negative
 * errno.
 */
int spool_remove(struct spool *s);

#endif
