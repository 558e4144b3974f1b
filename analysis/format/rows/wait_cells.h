/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_cells.h: adds up the cells of wait_profile in a table of fixed size.
 *
 * A full table is added to the database and begins anew, so any number of cells fits.
 */
#ifndef TRYST_FORMAT_ROWS_WAIT_CELLS_H
#define TRYST_FORMAT_ROWS_WAIT_CELLS_H

#include <stdint.h>
#include <sqlite3.h>

struct rows_wait;

struct rows_wait_key {
	int64_t code; /* schema.sql, wait_cell */
	uint32_t callsite;
	int32_t peer; /* -1: none */
	uint32_t comm;
	uint32_t bytes_log2;
};

struct rows_wait_sums {
	uint64_t count;
	uint64_t bytes;
	int64_t blocked_ns;
	int64_t predicted_ns;
	int64_t excess_ns;
	int64_t wait_ns;
	int64_t max_wait_ns;
};

/* 0 and *out, or a negative errno. Needs the tables of schema.sql in `db`. */
int rows_wait_new(sqlite3 *db, int32_t rank, struct rows_wait **out);

/* Adds to a cell. 0, or a negative errno. */
int rows_wait_add(
	struct rows_wait *w, const struct rows_wait_key *key, const struct rows_wait_sums *sums);

/* Adds the sums to the database. 0, or a negative errno. */
int rows_wait_flush(struct rows_wait *w);

/* Does nothing for NULL. Sums that were not flushed are lost. */
void rows_wait_free(struct rows_wait *w);

#endif
