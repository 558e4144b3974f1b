/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sql_functions.h: SQL functions that format numbers, classify calls, and name remedies of causes.
 */
#ifndef TRYST_TEXT_SQL_FUNCTIONS_H
#define TRYST_TEXT_SQL_FUNCTIONS_H

#include <sqlite3.h>

/*
 * SQL functions: short_file(path), duration(ns), size(bytes), is_collective(call), is_query(call),
 * is_polling(call), is_other(call), helps(cause), first_id(rank), last_id(rank), rank_of(id),
 * power_of_two(n); the aggregates rank_list(rank), cpu_count(core_map), link_key(name, value,
 * source). Adds them to the connection. 0 or a negative errno.
 */
int sql_functions_add(sqlite3 *db);

#endif
