/* SPDX-License-Identifier: BSD-3-Clause */
/* small.h: copies a rank's file of few rows to run.db without opening it in SQLite. */
#ifndef TRYST_MERGE_SMALL_H
#define TRYST_MERGE_SMALL_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/merge/copy.h"
#include "analysis/format/db/small_file.h"

/* Longer files are left to copy.h [bytes]. */
enum { SMALL_BYTES = 1 << 20 };

struct small;

/*
 * Prepares for run.db, whose tables `c` has listed; `c` has to outlive the result. NULL: no memory,
 * or an unexpected schema.
 */
struct small *small_new(struct copy *c);
void small_free(struct small *s);

/*
 * Reads the file. False: it is longer than SMALL_BYTES, damaged, or of another layout. copy.h then
 * copies it.
 */
bool small_open(struct small *s, const char *path);
void small_close(struct small *s);

/* The value of a key of table run as text, in text[size]; false: there is none. *rank: its rank. */
bool small_run_value(struct small *s, const char *key, int32_t *rank, char *text, size_t size);

/*
 * As copy_whole(), for the open file. After a negative errno a part may have been copied, which the
 * caller takes back by copy_undo().
 */
int small_copy(struct small *s, int32_t rank, uint64_t *left_out);

#endif
