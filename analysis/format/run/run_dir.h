/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_dir.h: the places of a run's files.
 *
 *	DIR/tryst.run                    claimed by rank 0: the run's id; made with O_EXCL
 *	DIR/rank-000003.{ring,spool,db}  up to 1024 ranks
 *	DIR/ranks-002000/rank-002345.*   beyond: a subdirectory a thousand ranks
 *	DIR/world-1/...                  the same again for each further world (MPI_Comm_spawn)
 *	DIR/run.db                       made by tryst merge
 *
 * Pure file system code; rank 0 calls run_dir_claim() and broadcasts the path.
 */
#ifndef TRYST_FORMAT_RUN_RUN_DIR_H
#define TRYST_FORMAT_RUN_RUN_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/say.h"

#define RUN_CLAIM_FILE "tryst.run"
#define RUN_DB_FILE "run.db"
enum { RUN_FLAT_RANKS = 1024, RUN_RANKS_PER_DIR = 1000, RUN_PATH_MAX = 4096 };

/*
 * The job's name, equal in all its ranks, reduced to [A-Za-z0-9._-]: from SLURM (job.step), PBS,
 * LSF, Grid Engine, Flux, ..., else from the launcher. Returns false, with name[0] = 0, if unknown.
 */
bool run_job_name(char *name, size_t size);

/* The same from the batch system alone: false for a job that a launcher started without one. */
bool run_batch_name(char *name, size_t size);

/*
 * The default directory, relative: "tryst-<program>-<job>". If the job is unknown, the local time
 * (YYYYmmdd-HHMMSS) replaces it. `program`: argv[0] or a path, whose last part counts; NULL or "":
 * "program".
 */
void run_dir_default(char *path, size_t size, const char *program);

/*
 * Makes the directory `wanted` for run `run_id`, or takes it over if it holds no run, and writes
 * its claim. If it holds another run, `.2`, `.3`, ... are tried, and a line tells which one is
 * used. Missing parents of `wanted` are made. chosen[size] gets the absolute path. Returns 0 or a
 * negative errno, after printing the file, the error, and that nothing is recorded.
 */
int run_dir_claim(
	const char *wanted, uint64_t run_id, char *chosen, size_t size, const struct say *say);

/*
 * For the root of a spawned world: makes the first free DIR/world-<n>/, n from 1, and claims it.
 * Returns n, or a negative errno after printing the error.
 */
int run_world_claim(
	const char *dir, uint64_t run_id, char *chosen, size_t size, const struct say *say);

/*
 * The run id in the claim of `dir`. Returns 0; -ENOENT without a claim; -EINVAL if the file is no
 * claim; or another negative errno. Prints nothing.
 */
int run_dir_id(const char *dir, uint64_t *run_id);

/*
 * Puts the directory of a rank's files into path[size]: `dir` itself up to 1024 ranks, else its
 * subdirectory, which is made if `make`. Returns 0, -ENAMETOOLONG or another negative errno. Prints
 * nothing.
 */
int run_rank_dir(const char *dir, int64_t nranks, int32_t rank, bool make, char *path, size_t size);

/* "<rank_dir>/rank-000003.<suffix>". Returns 0 or -ENAMETOOLONG. */
int run_rank_path(const char *rank_dir, int32_t rank, const char *suffix, char *path, size_t size);

/* The rank in a file name "rank-000003.<suffix>" (no directory); -1 for other names. */
int32_t run_rank_of_name(const char *name, const char *suffix);

#endif
