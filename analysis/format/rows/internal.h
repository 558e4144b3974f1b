/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h: what the files of this folder share; rows.h is the interface.
 *
 *	rows.c        the file: made, filled, renamed; ring and spool removed
 *	definitions.c   first pass: what the other records refer to
 *	ops.c    second pass: one record, one row; ops also into their cell of wait_profile
 *	order.c  the order of rows but ops
 *	end.c    mapped tables, pending ops, calls in flight, table run
 *	db/batch.c  rows in bulk into SQLite
 *	wait_cells.c   cells of wait_profile
 *	samples.c  cells of samples, and of times without a CPU
 *	phase.c  phases, and sums by phase
 *	time.c   ticks to nanoseconds
 *
 * Functions return 0 or a negative errno. They print nothing, but spool.c prints errors of reading.
 */
#ifndef TRYST_FORMAT_ROWS_INTERNAL_H
#define TRYST_FORMAT_ROWS_INTERNAL_H

#include <stdbool.h>
#include <sqlite3.h>

#include "analysis/model/live/live.h"
#include "record.h"
#include "analysis/format/db/batch.h"
#include "analysis/format/rows/phase.h"
#include "analysis/format/rows/samples.h"
#include "analysis/format/rows/time.h"
#include "analysis/format/rows/wait_cells.h"
#include "analysis/format/run/spool.h"

enum {
	ROWS_WINDOW = 1 << 16, /* ops that may complete out of order and still be appended */
	ROWS_HALF = ROWS_WINDOW / 2,
	ROWS_BATCH = 2048,
	ROWS_WAITING = 1 << 14, /* rows held back for sorting: twice as many as come late */
	ROWS_CALLS = 1024,      /* FN_* are below */
	ROWS_PEERS_MAX = 1 << 20
};

/* Rows that wait for their insertion into one table. */
struct rows_queue {
	sqlite3_stmt *insert;
	struct row *row; /* ROWS_WAITING or ROWS_BATCH of them */
	uint32_t n, room;
	uint64_t pushed, written;
	int64_t last_ns; /* time of the last one written */
	bool disordered; /* an earlier one was written after it */
	bool pending;    /* some had not ended */
};

enum rows_table {
	ROWS_COLL,
	ROWS_BUSY,
	ROWS_RMA,
	ROWS_IO,
	ROWS_OFF_CPU,
	ROWS_LATE_OPS,
	ROWS_TABLES
};

struct rows {
	sqlite3 *db;
	struct spool *spool;
	const struct ring_file *header;
	int64_t id_base; /* rank * IDS_OF_RANK */
	struct rows_time time;
	struct live_link link[LINK_COUNT];
	bool have_link[LINK_COUNT];
	struct rows_batch batch; /* what table rows_batch shows */

	/* Ops by op_id & (ROWS_WINDOW - 1), from base on; two halves are inserted in turn. */
	sqlite3_stmt *insert_ops;
	struct row *window;
	uint64_t base;
	uint32_t half_used[2]; /* rows of each half up to the last one in use */

	struct rows_queue queue[ROWS_TABLES];
	struct rows_wait *wait;
	struct rows_phase *phases;
	struct rows_samples *samples;
	uint64_t max_rows; /* of off_cpu_row; the shim counted the rows of other tables */
	sqlite3_stmt *insert_clock, *insert_call;
	sqlite3_stmt *insert_pending_op;
	uint8_t *peer_tier; /* ROWS_PEERS_MAX: tier + 1 by world rank; 0: not seen */
	int32_t npeers;     /* up to the highest one seen */
	bool call_used[ROWS_CALLS];
	int64_t last_ns; /* the latest time seen */
	/* when a thread was last seen to leave MPI: that may be MPI_Finalize */
	int64_t busy_ns;
	int64_t seen_ns;      /* time until which an earlier file knew the rank; 0: no such file */
	uint64_t bad_records; /* whole records that make no sense */
	int64_t op_rows;
};

/* definitions.c */

/* Reads all definitions; afterwards r->time and r->link are ready. */
int rows_definitions(struct rows *r);

/* ops.c */

/* Prepares statements and memory for rows_records() and rows_end(). */
int rows_begin(struct rows *r);
int rows_records(struct rows *r);

/* Adds a row of a table other than op. It gets its id when it is written. */
int rows_push(struct rows *r, enum rows_table table, struct row *row);

/* Inserts all waiting rows. */
int rows_flush(struct rows *r);

void rows_release(struct rows *r);

/* Adds to call_profile and wait_profile. */
int rows_add_call(struct rows *r, uint32_t thread, const struct call_sum *sum);
int rows_add_wait(struct rows *r, const struct wait_sum *sum);
int rows_add_pending(struct rows *r, const struct pending_op *op);

/* order.c */

/* True if ids rise with the time of the call. */
bool rows_are_ordered(enum rows_table table);

/* Sorts the waiting rows, and gives the first `n` their ids. */
void rows_sort(struct rows *r, enum rows_table table, uint32_t n);

/* After the last row: gives all remaining rows their ids. */
int rows_order(struct rows *r);

/* end.c */

/* Writes all that is not in records. `unfinished`: the rank was still running. */
int rows_end(struct rows *r, bool unfinished);

static inline uint32_t rows_log2(uint64_t bytes)
{
	return bytes ? 64 - (uint32_t)__builtin_clzll(bytes) : 0;
}

static inline int64_t rows_int(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

#endif
