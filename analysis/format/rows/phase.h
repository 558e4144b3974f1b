/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.h: the phases of a rank, and the waits in each.
 *
 * A thread's records come in the order in which it made them, and an op's record when the op is
 * complete. So an op belongs to the innermost phase that its thread is in at that point.
 */
#ifndef TRYST_FORMAT_ROWS_PHASE_H
#define TRYST_FORMAT_ROWS_PHASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "record.h"

struct rows_phase;

/* The sums of a row of table phase_cell. */
enum rows_phase_kind { PHASE_SEND = 1, PHASE_RECV, PHASE_COLLECTIVE, PHASE_RMA, PHASE_IO };

/* Phases of `rank` go to `db`. 0, or a negative errno. */
int rows_phase_new(sqlite3 *db, int32_t rank, struct rows_phase **out);
void rows_phase_free(struct rows_phase *p);

/* A phase begins or ends at at_ns. 0, or a negative errno. */
int rows_phase_event(
	struct rows_phase *p, uint32_t thread, const struct rec_phase *event, int64_t at_ns);

/* An op or collective completed on `thread`. wait_ns: ROW_NULL if nothing was predicted. */
void rows_phase_add(struct rows_phase *p, uint32_t thread, enum rows_phase_kind kind,
	uint64_t bytes, int64_t blocked_ns, int64_t wait_ns);

/* Writes phase_cell, if there were phases. 0, or a negative errno. */
int rows_phase_flush(struct rows_phase *p);

#endif
