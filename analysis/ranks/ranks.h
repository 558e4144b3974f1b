/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h: the rows of every rank, read in order, a chunk at a time, in corrected time.
 *
 *	run.db, or rank-NNNNNN.db where run.db has not all op rows
 *	    --pages_read()--> struct reader --> reader_peek(), reader_step()
 *
 * Memory is two chunks for each rank and table, whatever the number of rows. A place in a table is
 * a few page numbers, so any number of ranks can be read in step. A worker, if it runs, reads the
 * next chunk while one is in use.
 */
#ifndef TRYST_RANKS_RANKS_H
#define TRYST_RANKS_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/ranks/clocks.h"
#include "analysis/ranks/worker.h"
#include "analysis/format/db/pages.h"
#include "layouts.h"

/*
 * Readers give columns as row->value[OP_ROW_POST] and so on, ROW_NULL for NULL. Columns of io_row
 * have the numbers of rma_row. `done` is set if gap and complete are. Times can be added without
 * overflow, even in damaged files.
 *
 * A rank's rows come in the order of post or enter, over all threads; rows of READ_BUSY come in the
 * order of their ends. A receive of a matched message comes at the place of its probe, since no
 * later receive can have taken that message.
 */
enum reader_table { READ_OPS, READ_COLLS, READ_BUSY, READ_OFF_CPU, READ_RMA, READ_IO, READ_TABLES };

struct reader {
	struct row *row; /* [next, n) are still to be given */
	uint32_t next, n;
	bool end; /* the table has no more rows, except those of `comes` */
	/* the next chunk; it belongs to the job while that is pending */
	struct rows_ahead {
		struct job job;
		bool asked; /* the job was given, and its rows are not yet used */
		struct run_ranks *ranks;
		struct run_rank *rank;
		enum reader_table table;
		struct pages_cursor cursor;
		bool begun; /* the cursor is set */
		struct row *row;
		uint32_t n;
		bool end; /* the table has no more rows */
		int rc;
	} ahead;
};

struct comm_info {
	uint64_t uid;
	int32_t size, remote_size, my_rank;
	bool known;
	/* intercommunicator: of this rank's side; 0: intracommunicator */
	uint64_t group;
};

/* A window or an opened file. */
struct object_info {
	bool is_file;
	int64_t number; /* as the rank counts them */
	uint64_t uid;   /* the same on all members */
	int64_t comm;   /* the communicator of its members */
};

/* A time interval inside MPI, see busy.h. */
struct interval {
	int64_t enter, leave;
};

struct inside {
	struct interval *at; /* ring of `room` intervals, rising and apart */
	uint32_t first, n, room;
	bool forgot; /* older ones were dropped */
	bool any;    /* the rank has busy rows */
};

/* The times without a CPU of a rank's threads, see off_cpu.h. */
struct off_times {
	struct off_thread {
		struct off_time {
			int64_t enter, leave;
			int64_t ns[3]; /* by kind: the sum until `leave` */
			uint32_t kind; /* enum off_cpu */
		} * at;                /* ring of `room` intervals: in order, without overlap */
		uint32_t first, n, room;
	} * thread; /* by thread of the rank */
	uint32_t nthreads;
	uint32_t room;   /* of each thread, at most */
	int64_t read_to; /* when the last row that was read begins */
	bool failed;     /* there was no memory: no more is read */
};

/* Reasons why an op has no partner, in the order of reason_names[]. */
enum unmatched {
	MATCHED,
	UNMATCHED_PROC_NULL, /* it has none by definition */
	UNMATCHED_CANCELLED,
	UNMATCHED_FAILED, /* MPI returned an error for it */
	/* a receive whose request was freed: its source is unknown */
	UNMATCHED_FREED,
	UNMATCHED_PENDING,      /* not complete at the end */
	UNMATCHED_OTHER_WORLD,  /* its peer belongs to another world */
	UNMATCHED_COMM_UNKNOWN, /* its communicator was not recorded */
	UNMATCHED_PEER_MISSING, /* its peer has no usable file */
	/* op rows of its peer are lost: not written, or damaged */
	UNMATCHED_PEER_DROPPED,
	UNMATCHED_NOT_RECEIVED, /* a send that nobody received */
	UNMATCHED_NOT_SENT,     /* a completed receive without a fitting send */
	UNMATCHED_REASONS
};

struct run_rank {
	int32_t rank;
	struct clock_map clock; /* borrowed from struct clocks */
	struct comm_info *comm; /* by the rank's number of the communicator */
	uint32_t ncomms;
	struct object_info *object; /* windows, then files, by number */
	uint32_t nobjects, objects_room;
	bool own_file;                /* run.db left op rows out */
	bool dropped;                 /* op rows are lost: never written, or damaged */
	bool cut[READ_TABLES];        /* the table only has rows up to some time (--max-ops) */
	int64_t last_ns[READ_TABLES]; /* common time of the last row that the pass took */
	bool takes_matched;           /* it received messages that matched probes took */
	char *path;                   /* of the rank's file, if own_file */
	struct pages_file file;       /* the same, open or between chunks */
	struct reader reader[READ_TABLES];
	enum reader_table next_table; /* the table of its next row */
	struct inside inside;
	struct off_times off_cpu;
	uint64_t ops[2][UNMATCHED_REASONS]; /* sends and receives, by reason */
	uint32_t *lane;                     /* by thread: number + 1; 0: not seen */
	uint32_t nlanes;
	uint64_t moved_in; /* for match/settle.c: the current call ... */
	int64_t moved[2];  /* ... and when its messages to this rank, and from it, had moved */
	int64_t end_ns;    /* common time of its last known event */
	int64_t zero_ns;   /* common time of its end of MPI_Init */
};

struct run_ranks {
	sqlite3 *db;
	struct pages_file file; /* run.db's */
	struct clocks clocks;
	struct run_rank *at; /* by rank, rising */
	uint32_t n;
	uint32_t *index;       /* by rank: index + 1; 0: none */
	int32_t limit;         /* ranks in index[] are below this */
	uint32_t chunk;        /* rows */
	struct worker *worker; /* reads the next chunk; NULL: no reading ahead */
	uint32_t nopen;        /* rank files open */
	uint32_t lanes;        /* given out so far */
	bool chunks_fail;      /* a table could not be read to its end */
	bool transfers;        /* there are rows of READ_RMA or READ_IO */
	const struct say *say;
};

/*
 * Finds the ranks in `db` (run.db, or a rank's file), their communicators and clocks. `db` must
 * stay open, and the rows that readers give must stay unchanged. memory: for all chunks together
 * [bytes]; worker: reads ahead; may be NULL. Returns 0 or a negative errno, printed.
 */
int ranks_open(struct run_ranks *r, sqlite3 *db, uint64_t memory, struct worker *worker,
	const struct say *say);

/* Call it after the transaction of the reads (db/pages.h), when the worker has stopped. */
void ranks_close(struct run_ranks *r);

/* Frees the intervals; done by ranks_close(). */
void off_times_release(struct off_times *o);

/* The next row, which stays; NULL at the end. Valid until the reader's next call. */
const struct row *reader_peek(struct run_ranks *r, struct run_rank *rank, enum reader_table table);

/*
 * The time at which the op of reader_peek() got its number, or somewhat later [ns, the rank's]: its
 * post; for a receive of a matched message its probe. It is the first post from there on. If very
 * many such messages are held at once, it is the post of the next ones.
 */
int64_t reader_op_numbered(const struct run_rank *rank);

/* Steps over the row of reader_peek(). */
static inline void reader_step(struct run_rank *rank, enum reader_table table)
{
	rank->reader[table].next++;
}

/* Makes the reader begin with the table's first row again. */
void reader_rewind(struct run_ranks *r, struct run_rank *rank, enum reader_table table);

/* The rank of that number; NULL: not in the run. */
static inline struct run_rank *rank_find(const struct run_ranks *r, int64_t rank)
{
	if (rank < 0 || rank >= r->limit || r->index[rank] == 0)
		return NULL;
	return &r->at[r->index[rank] - 1];
}

/* The rank's thread that has this lane. */
static inline uint32_t rank_thread(const struct run_rank *rank, uint32_t lane)
{
	uint32_t thread = 0;

	while (thread + 1 < rank->nlanes && rank->lane[thread] != lane + 1)
		thread++;
	return thread;
}

/*
 * The window or file with this number on the rank; NULL: it, or its members, were not recorded.
 */
const struct object_info *rank_object(const struct run_rank *rank, bool is_file, int64_t number);

/* The communicator with this number on the rank; NULL: not recorded. */
static inline const struct comm_info *rank_comm(const struct run_rank *rank, int64_t comm)
{
	if (comm < 0 || comm >= rank->ncomms || !rank->comm[comm].known)
		return NULL;
	return &rank->comm[comm];
}

/* A dense number for each thread of each rank, given at its first use. UINT32_MAX: no memory. */
uint32_t rank_lane(struct run_ranks *r, struct run_rank *rank, uint32_t thread);

#endif
