/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h: from a rank's ring and spool to its SQLite file.
 *
 *	ring + spool --definitions--> run, link_param, callsite, communicator, clock
 *	             --rows---------> op, collective, busy, rma, io, phase, wait_profile
 *	mapped tables --------------> call_profile, wait_profile, pending ops
 *
 * The file is written under a temporary name and renamed when whole, so that there is never half
 * a file; then ring and spool are removed if nobody writes them any more. It can be done again at
 * any time while they exist. Memory stays under 32 MiB whatever their size.
 */
#ifndef TRYST_FORMAT_ROWS_ROWS_H
#define TRYST_FORMAT_ROWS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/say.h"

struct rows_options {
	bool ended; /* the user says the job has ended: consume what seems alive */
	bool keep;  /* never remove ring and spool */
	/* by the rank itself at its end, whose time for it becomes key rows_ns of `run` */
	bool own;
};

struct rows_result {
	uint64_t ops;     /* op rows written, pending ones included */
	uint64_t pending; /* ops and collectives not completed */
	uint64_t dropped; /* rows that were never recorded, all tables */
	bool unfinished;  /* the rank was still running, or may have been */
	bool clean_finalize;
	bool consumed; /* ring and spool are gone */
};

/*
 * Writes <rank_dir>/rank-NNNNNN.db. An older one of the same run is replaced; a file of that name
 * that is not this run's is left alone (-EEXIST). `result` may be NULL.
 * Returns 0; -ENOENT where there is neither ring nor spool; else a negative errno after saying
 * which file, why, and that ring and spool are kept.
 */
int rows_write(const char *rank_dir, int32_t rank, const struct rows_options *options,
	struct rows_result *result, const struct say *say);

/*
 * Adds calls that the rank itself made after its rows were written, e.g. MPI_Finalized: count[fn]
 * calls of each function, in thread 0, without callsite and time. Returns 0, -ENOENT if the file is
 * not of run run_id, or another negative errno; says nothing.
 */
int rows_add_calls(const char *rank_dir, int32_t rank, uint64_t run_id, const uint32_t *count);

/*
 * Removes what rows_write() left unfinished in `rank_dir` where its process was killed meanwhile:
 * files rank-NNNNNN.db.new-<host>-<pid> of this host whose process is gone. Returns their number.
 */
int rows_sweep(const char *rank_dir);

#endif
