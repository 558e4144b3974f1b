/* SPDX-License-Identifier: BSD-3-Clause */
/* row.c: binds and reads the columns of a link parameter (row.h). */
#include "analysis/format/links/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const tier_names
	[TIER_COUNT] = { [TIER_SELF] = "self", [TIER_NODE] = "node", [TIER_NETWORK] = "network" };

const char *link_tier_name(uint32_t tier)
{
	return tier < TIER_COUNT ? tier_names[tier] : NULL;
}

static void bind_text(sqlite3_stmt *stmt, int at, const char *text, size_t size)
{
	if (text[0])
		sqlite3_bind_text(stmt, at, text, (int)strnlen(text, size), SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, at);
}

/* SQLite makes NULL of NaN by itself. */
void link_row_bind(sqlite3_stmt *stmt, int first, const struct rec_link *link)
{
	sqlite3_bind_text(stmt, first, link_tier_name(link->head.id), -1, SQLITE_STATIC);
	if (link->peer >= 0)
		sqlite3_bind_int(stmt, first + 1, link->peer);
	else
		sqlite3_bind_null(stmt, first + 1);
	bind_text(stmt, first + 2, link->form, sizeof(link->form));
	bind_text(stmt, first + 3, link->layout, sizeof(link->layout));
	bind_text(stmt, first + 4, link->model, sizeof(link->model));
	bind_text(stmt, first + 5, link->name, sizeof(link->name));
	if (link->bytes <= INT64_MAX)
		sqlite3_bind_int64(stmt, first + 6, (int64_t)link->bytes);
	else
		sqlite3_bind_null(stmt, first + 6);
	sqlite3_bind_double(stmt, first + 7, link->value);
	bind_text(stmt, first + 8, link->unit, sizeof(link->unit));
	sqlite3_bind_double(stmt, first + 9, link->ci_low);
	sqlite3_bind_double(stmt, first + 10, link->ci_high);
	bind_text(stmt, first + 11, link->source, sizeof(link->source));
	bind_text(stmt, first + 12, link->reason, sizeof(link->reason));
}

static void read_text(sqlite3_stmt *stmt, int at, char *text, size_t size)
{
	const char *value = (const char *)sqlite3_column_text(stmt, at);
	size_t bytes = value ? strnlen(value, size - 1) : 0;

	if (bytes)
		memcpy(text, value, bytes);
	memset(text + bytes, 0, size - bytes);
}

static double read_number(sqlite3_stmt *stmt, int at)
{
	return sqlite3_column_type(stmt, at) == SQLITE_NULL ? NAN : sqlite3_column_double(stmt, at);
}

int link_row_read(sqlite3_stmt *stmt, int first, struct rec_link *link)
{
	const char *tier = (const char *)sqlite3_column_text(stmt, first);
	int64_t peer = sqlite3_column_int64(stmt, first + 1);
	int64_t bytes = sqlite3_column_int64(stmt, first + 6);
	uint32_t id = 0;

	while (id < TIER_COUNT && (!tier || strcmp(tier, tier_names[id]) != 0))
		id++;
	if (id == TIER_COUNT)
		return -1;
	memset(link, 0, sizeof(*link));
	link->head = (struct rec_head){ .type = REC_LINK, .words = sizeof(*link) / 8, .id = id };
	link->peer = sqlite3_column_type(stmt, first + 1) == SQLITE_NULL || peer < 0 ||
			peer > INT32_MAX ?
		-1 :
		(int32_t)peer;
	read_text(stmt, first + 2, link->form, sizeof(link->form));
	read_text(stmt, first + 3, link->layout, sizeof(link->layout));
	read_text(stmt, first + 4, link->model, sizeof(link->model));
	read_text(stmt, first + 5, link->name, sizeof(link->name));
	link->bytes = sqlite3_column_type(stmt, first + 6) == SQLITE_NULL || bytes < 0 ?
		UINT64_MAX :
		(uint64_t)bytes;
	link->value = read_number(stmt, first + 7);
	read_text(stmt, first + 8, link->unit, sizeof(link->unit));
	link->ci_low = read_number(stmt, first + 9);
	link->ci_high = read_number(stmt, first + 10);
	read_text(stmt, first + 11, link->source, sizeof(link->source));
	read_text(stmt, first + 12, link->reason, sizeof(link->reason));
	return 0;
}
