/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sql_functions.h: SQL functions that make text of numbers, and of a cause what helps against it.
 */
#ifndef TRYST_TEXT_SQL_FUNCTIONS_H
#define TRYST_TEXT_SQL_FUNCTIONS_H

#include <sqlite3.h>

/*
 * SQL functions: short_file(path), duration(ns), size(bytes), is_collective(call), is_query(call),
 * is_polling(call), is_other(call), helps(cause), first_id(rank), last_id(rank), rank_of(id),
 * power_of_two(n); the aggregates rank_list(rank), cpu_count(core_map), link_key(name, value,
 * source).
 */
int sql_functions_add(sqlite3 *db);

/* What helps against a cause, in a few words; NULL where nothing is known. */
const char *cause_remedy(const char *cause);

#endif
