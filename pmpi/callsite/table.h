/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h: the rank's stacks and their ids. Private to this folder.
 */
#ifndef TRYST_CALLSITE_TABLE_H
#define TRYST_CALLSITE_TABLE_H

#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/module.h"

#include <stdbool.h>

/*
 * Stacks with one innermost frame and one function that get an id of their own; further ones get
 * the id of the innermost frame alone, so that one endless recursion does not take all ids.
 */
enum { CALLSITE_STACKS_MAX = 4096 };

/* Returns 0, or -1 if there is no memory. */
int callsite_table_start(callsite_emit *emit, void *context);
void callsite_table_stop(void);

/*
 * The id of `nframes` frames (1 to CALLSITE_DEPTH_MAX) under MPI function `fn`; new stacks are
 * emitted first. Known stacks are found without a lock. CALLSITE_OTHER where ids or memory are
 * used up, and before callsite_table_start().
 */
uint32_t callsite_table_id(unsigned fn, const struct module_address *frames, unsigned nframes);

/*
 * The same for a sampled instruction. Instructions get only the first half of the ids, so that some
 * are left for calls; then CALLSITE_OTHER.
 */
uint32_t callsite_table_place(const struct module_address *code);

/* Whether a call of MPI was made by this module itself, of those that have an id. */
bool callsite_table_calls_mpi(uint32_t module);

/* Number of ids so far; number of innermost frames that reached CALLSITE_STACKS_MAX. */
uint32_t callsite_table_count(void);
uint32_t callsite_table_cut(void);

#endif
