/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slots.h: the distribution of each callsite's waits over the run.
 *
 * Sums alone do not show how much of a wait is chance: waits within a run are not independent,
 * since one stall delays many. So `tryst diff` compares the sums of consecutive parts of the run,
 * over all ranks (analysis/diff/noise.c).
 */
#ifndef TRYST_MATCH_SLOTS_H
#define TRYST_MATCH_SLOTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* The adding thread: each of the two has its own sums. */
enum slots_user { SLOTS_OF_JOBS, SLOTS_OF_PASS, SLOTS_USERS };

struct slots;

/* Returns 0 or a negative errno, printed. */
int slots_new(sqlite3 *db, const struct run_ranks *ranks, struct slots **out);

/*
 * A wait of `rank` at its callsite that began at `at` [common ns]. code: as in wait_slot_cell. 0,
 * or a negative errno.
 */
int slots_add(struct slots *s, enum slots_user user, int32_t rank, uint32_t callsite, uint32_t code,
	int64_t at, int64_t ns);

/* Writes all of it to the database. 0, or a negative errno. */
int slots_flush(struct slots *s);

/* Does nothing for NULL. */
void slots_free(struct slots *s);

#endif
