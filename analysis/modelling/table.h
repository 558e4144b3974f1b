/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h: the options of `tryst model`, and the tables in memory that it prints. */
#ifndef TRYST_MODELLING_TABLE_H
#define TRYST_MODELLING_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/text/table.h"

#define MODEL_BYTES "8,1k,64k,1M"

struct model_options {
	const char *model, *bytes /* NULL: MODEL_BYTES */, *late_receiver, *late_sender, *delay,
		*picture;
	const char *map, *pattern, *ranks, *convert, *set, *form;
	int64_t from, to;
	int64_t hosts; /* 0: not given */
	bool same_node, synchronous, refit;
	int format;
	int64_t width; /* 0: the terminal's */
};

/* By model_options.format. */
extern const enum table_format model_formats[];

/* Prints the rows of a query under a title, if any (text alone has titles). An exit code. */
int model_print(sqlite3 *db, const struct model_options *o, const char *title, const char *sql);

/* A database in memory with the tables of queries/tables.sql, or NULL after printing the error. */
sqlite3 *model_memory_db(void);

/*
 * Adds a row to `table`: its values in SQL, separated by commas, made as by sqlite3_mprintf(), so
 * that %Q quotes text. Errors are left in db.
 */
void model_add_row(sqlite3 *db, const char *table, const char *values, ...);

/* `tryst model predict`: an exit code. */
int model_predict_action(const struct model_options *o, const char *operand);

#endif
