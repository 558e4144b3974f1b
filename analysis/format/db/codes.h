/* SPDX-License-Identifier: BSD-3-Clause */
/* codes.h: turns SQLite's result codes into errnos. Only this folder includes it. */
#ifndef TRYST_FORMAT_DB_CODES_H
#define TRYST_FORMAT_DB_CODES_H

#include <sqlite3.h>

/* 0 if the code is a success, else its negative errno; -EIO if it has none. */
int db_errno(sqlite3 *db, int code);

#endif
