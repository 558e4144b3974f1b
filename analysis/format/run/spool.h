/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h: reads the files of a rank (include/record.h), whole or damaged.
 *
 * Assumes nothing about the two files: each may be missing, empty, cut anywhere or garbage. The
 * process that writes them may be alive, or was killed between any two instructions. Readable
 * records are given out, the rest is counted. Memory: the rings of the threads (64 KiB each) and
 * one chunk; everything else is read in pieces.
 *
 * Of a live rank, the ring's header and threads are copied first. Then the spool is read, but only
 * up to the chunks that the copied rings count as written, so that no record comes twice.
 */
#ifndef TRYST_FORMAT_RUN_SPOOL_H
#define TRYST_FORMAT_RUN_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#include "analysis/base/say.h"

enum spool_state {
	SPOOL_CLOSED,   /* MPI_Finalize returned */
	SPOOL_DEAD,     /* its process is gone, as its own host knows */
	SPOOL_ALIVE,    /* its process runs, or may run */
	SPOOL_ELSEWHERE /* written on another host, so its state is unknown */
};

/* Damaged or missing parts; all zero for whole files. */
struct spool_damage {
	uint64_t skipped_bytes;  /* of the spool, between whole chunks or at its end */
	uint64_t missing_chunks; /* gaps in a thread's sequence */
	uint64_t bad_records;    /* in whole chunks or rings: wrong length or type */
	uint32_t bad_regions;    /* of the ring: outside the file, of odd size */
	bool ring_missing;       /* there is no valid ring: only the spool was read */
	bool spool_missing;      /* there is no valid spool: only the ring was read */
	bool read_failed; /* spool_records() or spool_entries() failed to read, and said so */
};

struct spool;

/*
 * Opens <dir>/rank-NNNNNN.ring and .spool. One of the two is enough. Returns 0 and *out, which the
 * caller passes to spool_close(); -ENOENT if neither exists; -EPROTO for another version of the
 * format or another machine type; -EINVAL if neither is a file of tryst; or another negative errno.
 * Prints one line for each error except -ENOENT.
 */
int spool_open(const char *dir, int32_t rank, const struct say *say, struct spool **out);

/* Does nothing for NULL. */
void spool_close(struct spool *s);

/*
 * The ring's header, copied when it was opened; texts end with NUL, nregions is within bounds. If
 * the ring is missing: rank and run_id from the spool, all else zero. If its head was never
 * written: the rank, all else zero (no run has run_id 0).
 */
const struct ring_file *spool_header(const struct spool *s);

/* The state of the process that writes the files, when they were opened. */
enum spool_state spool_state(const struct spool *s);

/*
 * The time at which the ring was read, by this machine's clocks. The state of a running rank is
 * that of this time.
 */
struct spool_time {
	int64_t monotonic_ns, realtime_ns;
};

struct spool_time spool_read_at(const struct spool *s);

/* Damage found in all passes so far (bytes and records: in the last one). */
const struct spool_damage *spool_damage(const struct spool *s);

/*
 * Passes each whole record to visit() once, in the order of the file, so that each thread's records
 * are in order. The record is aligned to 8 bytes, at least as long as its type's struct, with texts
 * ended by NUL, and valid during the call. Sums and pending ops in records of type REC_WAIT_SUM,
 * REC_CALL_SUM, REC_PENDING lie behind the head. A record that refers to another one is expanded to
 * its struct rec_op or rec_op2. Ends early with visit()'s value if that is not 0. Returns 0, or a
 * negative errno of reading, printed once. May be called several times.
 */
int spool_records(struct spool *s,
	int (*visit)(void *context, uint32_t thread, const struct rec_head *record), void *context);

/* The i-th thread with a ring, as copied, from 0; NULL beyond the last. */
const struct thread_region *spool_thread(const struct spool *s, uint32_t i);

/*
 * Passes the used entries of all mapped tables of a kind: struct call_sum (REGION_SUMS), struct
 * pending_op (REGION_PENDING), struct wait_sum (REGION_WAITS). `thread` is the region's. Returns
 * as spool_records().
 */
int spool_entries(struct spool *s, enum region_kind kind,
	int (*visit)(void *context, uint32_t thread, const void *entry), void *context);

/*
 * True if the files may be removed once their rows are written: closed, dead, or `ended` (the user
 * says that the job has ended).
 */
bool spool_may_consume(const struct spool *s, bool ended);

/*
 * True if the rank has ended, or another process has consumed its files, since they were opened:
 * the records may then be older than rows that another process has written.
 */
bool spool_changed(const struct spool *s);

/*
 * Removes both files, if they still are the ones that were opened. A ring without a head is kept
 * for a minute, since a process of another machine may still write its head. Returns 0 or a
 * negative errno.
 */
int spool_remove(struct spool *s);

#endif
