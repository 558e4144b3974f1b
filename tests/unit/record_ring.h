/* SPDX-License-Identifier: BSD-3-Clause */
/* record_ring.h: a rank's ring of records made by hand, and the rows that they become. */
#ifndef TRYST_RECORD_RING_TEST_H
#define TRYST_RECORD_RING_TEST_H

#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "functions.h"
#include "record.h"
#include "analysis/format/db/db.h"
#include "analysis/format/rows/rows.h"
#include "tests/unit/scratch.h"

enum { ZERO = 1000, THREAD = 3 };

static char dir[PATH_MAX];

/* A ring with one thread, as a process leaves it; 1 tick is 1 ns. */
static struct {
	struct ring_file header;
	uint8_t pad[RING_HEADER_BYTES - sizeof(struct ring_file)];
	struct thread_region thread;
	struct wait_sum wait[4];
} file;

static inline void begin(void)
{
	memset(&file, 0, sizeof(file));
	file.header.magic = RING_MAGIC;
	file.header.version = RECORD_VERSION;
	file.header.state = RING_CLOSED;
	file.header.run_id = 5;
	file.header.zero_ticks = ZERO;
	file.header.ns_per_tick = 1;
	file.header.functions_hash = function_names_hash();
	file.header.nregions = 2;
	file.header.regions[0] = (struct ring_region){ REGION_THREAD, THREAD, RING_HEADER_BYTES,
		sizeof(file.thread) };
	file.header.regions[1] = (struct ring_region){ REGION_WAITS, 0,
		RING_HEADER_BYTES + sizeof(file.thread), sizeof(file.wait) };
	file.thread.thread = THREAD;
}

/* The head of a record, or of an op or its kin, keeps its length in the same place. */
static inline void add(const void *record, size_t bytes)
{
	struct rec_head *head = (struct rec_head *)(file.thread.ring + file.thread.head);

	memcpy(head, record, bytes);
	head->words = (uint16_t)((bytes + 7) / 8);
	file.thread.head += head->words * 8u;
}

/* Writes the ring and its rows, and opens them. */
static inline sqlite3 *rows_of(const void *ring, size_t bytes)
{
	static const struct rows_options options;
	sqlite3 *db;

	unlink(scratch_path(dir, "rank-000000.db"));
	scratch_write(scratch_path(dir, "rank-000000.ring"), ring, bytes);
	CU_ASSERT_EQUAL_FATAL(rows_write(dir, 0, &options, NULL, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(db_open(scratch_path(dir, "rank-000000.db"), DB_READ, &db, NULL), 0);
	return db;
}

static inline sqlite3 *rows(void)
{
	return rows_of(&file, sizeof(file));
}

static inline void expect(sqlite3 *db, const char *sql, int64_t wanted)
{
	int64_t got = scratch_sql(db, sql);

	if (got != wanted)
		fprintf(stderr, "\n%s: %lld, not %lld\n", sql, (long long)got, (long long)wanted);
	CU_ASSERT_EQUAL(got, wanted);
}

#endif
