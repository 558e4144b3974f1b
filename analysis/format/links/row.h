/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row.h: struct rec_link to and from the 13 columns tier, peer, form, layout, model, name,
 * bytes, value, unit, ci_low, ci_high, source, reason of a link_param table. A rank's has column
 * rank before them.
 */
#ifndef TRYST_FORMAT_LINKS_ROW_H
#define TRYST_FORMAT_LINKS_ROW_H

#include <sqlite3.h>

#include "record.h"

enum { LINK_COLUMNS = 13 };

/* "self", "node", "network"; NULL for other numbers. */
const char *link_tier_name(uint32_t tier);

/* Binds parameters first .. first + 12. The texts must stay until the statement was stepped. */
void link_row_bind(sqlite3_stmt *stmt, int first, const struct rec_link *link);

/* Reads columns first .. first + 12. Returns 0, or -1 for an unknown tier. Long texts are cut. */
int link_row_read(sqlite3_stmt *stmt, int first, struct rec_link *link);

#endif
