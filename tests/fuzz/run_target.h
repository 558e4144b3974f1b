/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_target.h: a run's database whose values are not what they should be, for all that reads one.
 *
 * store_target.c damages bytes, which SQLite refuses mostly, and ends where ranks are merged. Here
 * SQLite finds nothing wrong, and run.db is read by reports, pages, comparisons, exports,
 * predictions and the analysis.
 * An input is who reads, then edits of 4 bytes:
 *
 *	low byte of the column's number (of all tables), which rows (255: all), which value
 *	(sql_edit.h; 255: a name with what terminals obey), high byte of the column's number
 *
 * Names in the run are such names to begin with. What is printed is text without control
 * characters, or JSON.
 */
#ifndef TRYST_RUN_TARGET_H
#define TRYST_RUN_TARGET_H

#include <stddef.h>

enum { RUN_READERS = 8, RUN_EDIT_BYTES = 4 };

/*
 * Columns that can be edited; the number of one, or that of all where there is none of that name.
 */
size_t run_target_columns(void);
size_t run_target_column(const char *table, const char *name);

#endif
