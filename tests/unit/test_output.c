/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_output.c: the tables of the analysis are complete or refused when memory and disk are short.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "analysis/ranks/cells.h"
#include "tests/unit/match_run.h"

enum { ROUNDS = 12000, CELLS = 25000 };

/* Each round is a message and a barrier that were waited for. */
static void play_rounds(void)
{
	run_sql("BEGIN");
	for (int i = 0; i < ROUNDS; i++) {
		int64_t t = 10000 + 20000LL * i;

		op((struct given){ SEND, .rank = 0, .peer = 1, .post = t + 5000, .span = 10,
			.predicted = 10 });
		op((struct given){ RECV, .rank = 1, .peer = 0, .post = t + 1000, .span = 4015,
			.predicted = 15 });
		coll((struct given_coll){ .rank = 0,
			.fn = FN_MPI_Barrier,
			.seq = i + 1,
			.root = -1,
			.post = t + 8000,
			.span = 5000 });
		coll((struct given_coll){ .rank = 1,
			.fn = FN_MPI_Barrier,
			.seq = i + 1,
			.root = -1,
			.post = t + 12900,
			.span = 100 });
	}
	run_sql("COMMIT");
}

/* SQLite itself rolls back then, and a later insert would be a transaction of its own. */
static void an_analysis_that_finds_the_disk_full_leaves_the_old_one(void)
{
	const struct match_options options = { .memory = 1 << 24 };
	struct rlimit all, room;
	int64_t pages;

	begin(2);
	coll((struct given_coll){ .rank = 0,
		.fn = FN_MPI_Barrier,
		.seq = 0,
		.root = -1,
		.post = 1000,
		.span = 5000 });
	coll((struct given_coll){
		.rank = 1, .fn = FN_MPI_Barrier, .seq = 0, .root = -1, .post = 5900, .span = 100 });
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM collective_wait_row"), 1);
	play_rounds();
	pages = number("PRAGMA page_count");
	run_sql("PRAGMA cache_size = 40"); /* pages are written before the end */
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &all);
	for (int more = 8; more < 128; more += 8) {
		room = all;
		room.rlim_cur = (rlim_t)(pages + more) * 4096;
		setrlimit(RLIMIT_FSIZE, &room);
		CU_ASSERT_EQUAL(match_run(db, &options, &result, NULL), -EFBIG);
		setrlimit(RLIMIT_FSIZE, &all);
		CU_ASSERT_EQUAL(number("SELECT count(*) FROM collective_wait_row"), 1);
		CU_ASSERT_EQUAL(number("SELECT count(*) FROM match_row"), 0);
	}
	analyze();
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM match_row"), ROUNDS);
	end();
}

static void cells_say_why_they_cannot_be_written(void)
{
	static const struct cells_layout layout = { .table = "full", .keys = 1, .sums = 1 };
	struct cells *cells;
	int64_t k = 0;

	begin(1);
	run_sql("CREATE TABLE full (k INTEGER PRIMARY KEY, v INTEGER)");
	run_sql("PRAGMA max_page_count = 1"); /* as many as there are */
	CU_ASSERT_EQUAL_FATAL(cells_new(db, &layout, &cells), 0);
	while (k < CELLS && cells_at(cells, &k))
		k++;
	CU_ASSERT_TRUE(k < CELLS);
	CU_ASSERT_EQUAL(cells_code(cells), -ENOSPC);
	CU_ASSERT_EQUAL(cells_flush(cells), -ENOSPC);
	cells_free(cells);
	end();
}

static void cells_of_a_table_with_other_columns_are_refused(void)
{
	static const struct cells_layout layout = {
		.table = "wide", .keys = 1, .sums = 1, .maxes = 1
	};
	struct cells *cells;

	begin(1);
	run_sql("CREATE TABLE wide (k INTEGER PRIMARY KEY, v INTEGER)");
	CU_ASSERT_EQUAL(cells_new(db, &layout, &cells), -EINVAL);
	CU_ASSERT_PTR_NULL(cells);
	run_sql("ALTER TABLE wide ADD COLUMN most INTEGER");
	CU_ASSERT_EQUAL_FATAL(cells_new(db, &layout, &cells), 0);
	for (int64_t k = 7, i = 0; i < 4; i++) {
		struct cell *cell = cells_at(cells, &k);

		cell->value[1] += 5;
		cell->value[2] = i == 2 ? 9 : cell->value[2];
		if (i == 1)
			CU_ASSERT_EQUAL(cells_flush(cells), 0);
	}
	CU_ASSERT_EQUAL(cells_flush(cells), 0);
	CU_ASSERT_EQUAL(number("SELECT v FROM wide WHERE k = 7 AND most = 9"), 20);
	cells_free(cells);
	end();
}

static const struct unit_test tests[] = {
	{ "an analysis that finds the disk full leaves the old one",
		an_analysis_that_finds_the_disk_full_leaves_the_old_one },
	{ "cells say why they cannot be written", cells_say_why_they_cannot_be_written },
	{ "cells of a table with other columns are refused",
		cells_of_a_table_with_other_columns_are_refused },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("output", tests);
	scratch_remove(dir);
	return failed;
}
