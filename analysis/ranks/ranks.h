/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h: the rows of every rank, read in order, a chunk at a time, in corrected time.
 *
 *	run.db, or rank-NNNNNN.db where run.db has not all op rows
 *	    --pages_read()--> struct reader --> reader_peek(), reader_step()
 *
 * Memory is two chunks a rank and table, whatever the number of rows; a place in a table is a few
 * page numbers, so any number of ranks can be read in step. While one chunk is gone through a
 * worker reads the next one, where it runs.
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
 * Columns of rows as readers give them are row->value[OP_ROW_POST] and so on, ROW_NULL where NULL.
 * Those of io_row have the numbers of rma_row's. `done` is set where gap and complete are; times
 * are such that they can be added (also in damaged files).
 *
 * A rank's rows come in the order of post or enter, all threads together; those of READ_BUSY as
 * they ended. A receive of a matched message comes where its probe took it: no receive behind it
 * can have taken that message.
 */
enum reader_table { READ_OPS, READ_COLLS, READ_BUSY, READ_RMA, READ_IO, READ_TABLES };

struct reader {
	struct row *row; /* [next, n) are still to be given */
	uint32_t next, n;
	bool end; /* the table has no more, but for what comes */
	/* the next chunk, a job's while that is pending */
	struct rows_ahead {
		struct job job;
		bool asked; /* the job was given, and its rows were not taken yet */
		struct run_ranks *ranks;
		struct run_rank *rank;
		enum reader_table table;
		struct pages_cursor cursor;
		bool begun; /* the cursor is set */
		struct row *row;
		uint32_t n;
		bool end; /* the table has no more */
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
	int64_t comm;   /* whose members have it */
};

/* Interval inside MPI, see busy.h. */
struct interval {
	int64_t enter, leave;
};

struct inside {
	struct interval *at; /* ring of `room` intervals, rising and apart */
	uint32_t first, n, room;
	bool forgot; /* older ones were dropped */
	bool any;    /* the rank has busy rows */
};

/* Why an op has no partner; the order of reason_names[]. */
enum unmatched {
	MATCHED,
	UNMATCHED_PROC_NULL, /* it has none by definition */
	UNMATCHED_CANCELLED,
	UNMATCHED_FAILED, /* MPI returned an error for it */
	/* a receive whose request was freed: who came is not known */
	UNMATCHED_FREED,
	UNMATCHED_PENDING,      /* not complete at the end */
	UNMATCHED_OTHER_WORLD,  /* its peer belongs to another world */
	UNMATCHED_COMM_UNKNOWN, /* its communicator was not recorded */
	UNMATCHED_PEER_MISSING, /* its peer has no usable file */
	/* op rows of its peer are lost: never written, or damaged */
	UNMATCHED_PEER_DROPPED,
	UNMATCHED_NOT_RECEIVED, /* a send that nobody received */
	UNMATCHED_NOT_SENT,     /* a receive that completed, yet no send fits */
	UNMATCHED_REASONS
};

extern const char *const unmatched_names[UNMATCHED_REASONS];

struct run_rank {
	int32_t rank;
	struct clock_map clock; /* borrowed from struct clocks */
	struct comm_info *comm; /* by the rank's number of the communicator */
	uint32_t ncomms;
	struct object_info *object; /* windows, then files, by number */
	uint32_t nobjects, objects_room;
	bool own_file;                /* run.db left op rows out */
	bool dropped;                 /* op rows are lost: never written, or damaged */
	bool cut[READ_TABLES];        /* the table has rows up to some time alone (--max-ops) */
	int64_t last_ns[READ_TABLES]; /* common time of the last row that the pass took */
	bool takes_matched;           /* it received messages that matched probes took */
	char *path;                   /* of the rank's file, if own_file */
	struct pages_file file;       /* the same, open or between chunks */
	struct reader reader[READ_TABLES];
	enum reader_table next_table; /* of which its next row is */
	struct inside inside;
	uint64_t ops[2][UNMATCHED_REASONS]; /* sends, receives: what became of them */
	uint32_t *lane;                     /* by thread: number + 1; 0: not seen */
	uint32_t nlanes;
	uint64_t moved_in; /* match/settle.c: the call with */
	int64_t moved[2];  /* ... messages to it, from it, and when these had moved */
	int64_t end_ns;    /* common time of the last thing known of it */
	int64_t zero_ns;   /* common time of its end of MPI_Init */
};

struct run_ranks {
	sqlite3 *db;
	struct pages_file file; /* run.db's */
	struct clocks clocks;
	struct run_rank *at; /* by rank, rising */
	uint32_t n;
	uint32_t *index;       /* by rank: index + 1, 0: not there */
	int32_t limit;         /* ranks in index[] are below */
	uint32_t chunk;        /* rows */
	struct worker *worker; /* reads the next chunk; NULL: nobody reads ahead */
	uint32_t nopen;        /* rank files open */
	uint32_t lanes;        /* given out so far */
	bool chunks_fail;      /* a table could not be read to its end */
	bool transfers;        /* there are rows of READ_RMA or READ_IO */
	const struct say *say;
};

/*
 * Finds the ranks in `db` (run.db, or a rank's file), their communicators and clocks. `db` must
 * stay open as long, and the rows that readers give as they are. memory: for all chunks together
 * [bytes]; worker: reads ahead, NULL: nobody does. Returns 0 or a negative errno, said.
 */
int ranks_open(struct run_ranks *r, sqlite3 *db, uint64_t memory, struct worker *worker,
	const struct say *say);

/* After the transaction in which they were read (db/pages.h), when the worker has stopped. */
void ranks_close(struct run_ranks *r);

/* The next row, which stays; NULL at the end. Valid until the reader's next call. */
const struct row *reader_peek(struct run_ranks *r, struct run_rank *rank, enum reader_table table);

/*
 * When the op that reader_peek() gave got its number, or somewhat later [ns, the rank's]: at its
 * post, but a receive of a matched message at its probe. It is the first post from there on; where
 * very many such messages are held at once, that of the next ones.
 */
int64_t reader_op_turn(const struct run_rank *rank);

/* Steps over what reader_peek() gave. */
static inline void reader_step(struct run_rank *rank, enum reader_table table)
{
	rank->reader[table].next++;
}

/* The reader begins with the table's first row once more. */
void reader_rewind(struct run_ranks *r, struct run_rank *rank, enum reader_table table);

/* The rank of that number; NULL: not in the run. */
static inline struct run_rank *rank_find(const struct run_ranks *r, int64_t rank)
{
	if (rank < 0 || rank >= r->limit || r->index[rank] == 0)
		return NULL;
	return &r->at[r->index[rank] - 1];
}

/* Which of the rank's threads has the lane. */
static inline uint32_t rank_thread(const struct run_rank *rank, uint32_t lane)
{
	uint32_t thread = 0;

	while (thread + 1 < rank->nlanes && rank->lane[thread] != lane + 1)
		thread++;
	return thread;
}

/*
 * The window or file that the rank knows by this number; NULL: not recorded, or not with its
 * members.
 */
const struct object_info *rank_object(const struct run_rank *rank, bool is_file, int64_t number);

/* The communicator that the rank knows by this number; NULL: not recorded. */
static inline const struct comm_info *rank_comm(const struct run_rank *rank, int64_t comm)
{
	if (comm < 0 || comm >= rank->ncomms || !rank->comm[comm].known)
		return NULL;
	return &rank->comm[comm];
}

/* A dense number for each thread of each rank that has asked for it. UINT32_MAX without memory. */
uint32_t rank_lane(struct run_ranks *r, struct run_rank *rank, uint32_t thread);

#endif
