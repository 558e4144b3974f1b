/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.h: sums of sample_cell, and of off_cpu_cell for times that get no row.
 *
 * Both are added up in tables of fixed size. A full table is added to the database and begins anew.
 */
#ifndef TRYST_FORMAT_ROWS_SAMPLES_H
#define TRYST_FORMAT_ROWS_SAMPLES_H

#include <stdint.h>
#include <sqlite3.h>

#include "record.h"

struct rows_samples;

/* 0 and *out, or a negative errno. Needs the tables of schema.sql in `db`. */
int rows_samples_new(sqlite3 *db, int32_t rank, struct rows_samples **out);

/* The number of a record's `thread` in tables: below 0 if it never called MPI. */
int64_t rows_samples_thread(uint32_t thread);

/* Adds to the cell of a record. 0, or a negative errno. */
int rows_samples_add(struct rows_samples *s, const struct rec_sample *sample);

/* The same of a time of `ns` without a CPU. */
int rows_samples_add_off_cpu(struct rows_samples *s, const struct rec_off_cpu *off, int64_t ns);

/* Adds the sums to the database. 0, or a negative errno. */
int rows_samples_flush(struct rows_samples *s);

/* Does nothing for NULL. Sums that were not flushed are lost. */
void rows_samples_free(struct rows_samples *s);

#endif
