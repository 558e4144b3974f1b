/* SPDX-License-Identifier: BSD-3-Clause */
/* codes.h: SQLite's result codes end here. Only this folder includes it. */
#ifndef TRYST_FORMAT_DB_CODES_H
#define TRYST_FORMAT_DB_CODES_H

#include <sqlite3.h>

/* 0 for a code of success, else the errno behind it, negative: -EIO where there is none. */
int db_errno(sqlite3 *db, int code);

#endif
