/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slots.h: how the waits of each callsite are spread over the run.
 *
 * Their sums say how long was waited, not how much of it is chance: waits within one run are not
 * independent, since one stall delays many. So `tryst diff` looks at the sums of consecutive parts
 * of the run, all ranks together (analysis/diff/noise.c).
 */
#ifndef TRYST_MATCH_SLOTS_H
#define TRYST_MATCH_SLOTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* Who adds: what the two threads add to is apart. */
enum slots_user { SLOTS_OF_JOBS, SLOTS_OF_PASS, SLOTS_USERS };

struct slots;

/* 0 or a negative errno, said. */
int slots_new(sqlite3 *db, const struct run_ranks *ranks, struct slots **out);

/*
 * A wait of `rank` at its callsite that began at `at` [common ns]. code: as in wait_slot_cell. An
 * SQLite code.
 */
int slots_add(struct slots *s, enum slots_user user, int32_t rank, uint32_t callsite, uint32_t code,
	int64_t at, int64_t ns);

/* All into the database. An SQLite code. */
int slots_flush(struct slots *s);

/* NULL does nothing. */
void slots_free(struct slots *s);

#endif
