/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_target.h: a run's database whose values are not what they should be, for all that reads one.
 *
 * store_target.h damages bytes, which SQLite refuses mostly, and ends where ranks are merged. Here SQLite
 * finds nothing wrong, and run.db is read by reports, comparisons, exports and the analysis. An input
 * is who reads, then edits of 4 bytes:
 *
 *	low byte of the column's number (of all tables), which rows (255: all), which value (sql_edit.h),
 *	high byte of the column's number
 */
#ifndef TRYST_RUN_TARGET_H
#define TRYST_RUN_TARGET_H

#include <stddef.h>
#include <stdint.h>

enum { RUN_READERS = 6, RUN_EDIT_BYTES = 4 };

/* Makes the good run. Called once. Returns 0 or -1. */
int run_target_begin(void);

/* Columns that can be edited; the number of one, or that of all where there is none of that name. */
size_t run_target_columns(void);
size_t run_target_column(const char *table, const char *name);

/* Edits, then reads by one of RUN_READERS. Returns 1 where that could be done, 0 where it was refused with a line. */
int run_target_run(const uint8_t *data, size_t size);

/* Removes what run_target_begin() made. */
void run_target_end(void);

#endif
