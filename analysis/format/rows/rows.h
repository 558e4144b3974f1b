/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h: from a rank's ring and spool to its SQLite file.
 *
 *	ring + spool --definitions--> run, link_param, callsite, communicator, clock
 *	             --rows---------> op, collective, busy, rma, io, phase, wait_profile
 *	mapped tables --------------> call_profile, wait_profile, pending ops
 *
 * The file is written under a temporary name and renamed when complete. Then ring and spool are
 * removed if their process has ended. While they exist, the file can be written again at any time.
 * Memory stays under 32 MiB, whatever their size.
 */
#ifndef TRYST_FORMAT_ROWS_ROWS_H
#define TRYST_FORMAT_ROWS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/say.h"

struct rows_options {
	bool ended; /* the user says that the job has ended: remove files even if it seems alive */
	bool keep;  /* never remove ring and spool */
	/* the rank itself writes at its end; the time becomes key rows_ns of table run */
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
 * Writes <rank_dir>/rank-NNNNNN.db. Replaces an older file of the same run; -EEXIST if the file is
 * of another run. `result` may be NULL. Returns 0; -ENOENT without ring and spool; else a negative
 * errno, printed with the file, the reason, and that ring and spool are kept.
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
 * Removes unfinished files of killed processes from `rank_dir`: rank-NNNNNN.db.new-<host>-<pid> of
 * this host whose process has ended. Returns their number.
 */
int rows_sweep(const char *rank_dir);

#endif
