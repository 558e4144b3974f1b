/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_clocks.c: the clocks of all ranks are mapped to one: from rows of table clock, from zeros,
 * from neither.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/bounds.h"
#include "analysis/ranks/clocks.h"
#include "analysis/format/db/db.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char dir[PATH_MAX];
static sqlite3 *db;
static struct clocks clocks;

static void run_sql(const char *format, ...)
{
	va_list args;
	char *sql;

	va_start(args, format);
	sql = sqlite3_vmprintf(format, args);
	va_end(args);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(sql);
}

static void begin(void)
{
	const char *path = scratch_path(dir, "run.db");

	remove(path);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &db), SQLITE_OK);
	run_sql("PRAGMA journal_mode = MEMORY");
	run_sql("PRAGMA synchronous = OFF");
	CU_ASSERT_EQUAL_FATAL(db_make_schema(db, NULL), 0);
}

static void end(void)
{
	clocks_release(&clocks);
	sqlite3_close(db);
	db = NULL;
}

/* A rank whose clock is called `clock` and stood at `ticks` at its zero. */
static void rank_on(int rank, const char *host, const char *clock, int64_t ticks)
{
	run_sql("INSERT INTO run VALUES (%d, 'boot_id', 'here'), (%d, 'host', '%s'),"
		" (%d, 'clock_id', '%s'), (%d, 'ns_per_tick', '1'), (%d, 'zero_ticks', %lld),"
		" (%d, 'zero_monotonic_ns', %lld), (%d, 'end_ns', 1000000)",
		rank, rank, host, rank, clock, rank, rank, (long long)ticks, rank, (long long)ticks,
		rank);
}

static void compared(int rank, int reference, int64_t at, int64_t offset, int64_t error)
{
	run_sql("INSERT INTO clock VALUES (%d, %lld, %lld, %lld, %d)", rank, (long long)at,
		(long long)offset, (long long)error, reference);
}

static int64_t common(int i, int64_t ns)
{
	return clock_common(&clocks.map[i], ns);
}

static int64_t error(int i, int64_t ns)
{
	return clock_error(&clocks.map[i], ns);
}

static void read_clocks(void)
{
	clocks_release(&clocks);
	CU_ASSERT_EQUAL_FATAL(clocks_read(db, &clocks, NULL), 0);
}

/* What is written is read again as the same. */
static void write_and_read(void)
{
	CU_ASSERT_EQUAL_FATAL(clocks_write(db, &clocks, NULL), 0);
	read_clocks();
}

static void between_two_points_offset_and_error_are_interpolated(void)
{
	begin();
	rank_on(0, "a", "one", 0);
	rank_on(1, "b", "two", 0);
	compared(1, 0, 0, 1000, 10);
	compared(1, 0, 10000, 3000, 30);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT_EQUAL(clocks.n, 2);
		CU_ASSERT_EQUAL(clocks.unknown, 0);
		CU_ASSERT(common(0, 77) == 77 && error(0, 77) == 0);
		CU_ASSERT_EQUAL(common(1, 0), 1000);
		CU_ASSERT_EQUAL(common(1, 5000), 7000);
		CU_ASSERT_EQUAL(error(1, 5000), 20);
		/* beyond them the drift goes on */
		CU_ASSERT_EQUAL(common(1, 20000), 25000);
		CU_ASSERT_EQUAL(error(1, 20000), 32);
		write_and_read();
	}
	end();
}

static void offsets_add_up_along_the_tree(void)
{
	begin();
	for (int rank = 0; rank < 4; rank++)
		rank_on(rank, (const char *[]){ "a", "b", "c", "d" }[rank],
			(const char *[]){ "p", "q", "r", "s" }[rank], 0);
	compared(3, 2, 100, 50, 5);
	compared(3, 2, 1100, 60, 5);
	compared(2, 0, 200, -1000, 7);
	compared(2, 0, 1200, -1000, 9);
	compared(1, 0, 0, 3, 1);
	compared(1, 0, 1000, 3, 1);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT_EQUAL(common(1, 500), 503);
		CU_ASSERT_EQUAL(common(2, 500), -500);
		CU_ASSERT_EQUAL(common(3, 100), 150 - 1000);
		CU_ASSERT_EQUAL(common(3, 1100), 1160 - 1000);
		CU_ASSERT(error(3, 100) == 12 && error(3, 1100) >= 13);
		write_and_read();
	}
	end();
}

static void ranks_of_a_host_go_with_the_one_that_speaks_for_it(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "a", "p", 250);
	rank_on(2, "b", "q", 5000);
	rank_on(3, "b", "q", 5100);
	compared(2, 0, 0, 70, 4);
	compared(2, 0, 10000, 170, 4);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT(common(1, 0) == 250 && error(1, 0) == 0);
		/* 3's time is 2's, 100 later, with all of its drift */
		for (int64_t at = -500; at < 20000; at += 1500)
			CU_ASSERT_EQUAL(common(3, at), common(2, at + 100));
		CU_ASSERT_EQUAL(error(3, 700), 4);
		write_and_read();
	}
	end();
}

static void rows_that_fit_a_shared_clock_give_way_to_it(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "p", 4000);
	compared(1, 0, 0, 4090, 100);
	read_clocks();
	CU_ASSERT(common(1, 10) == 4010 && error(1, 10) == 0);
	/* those that do not fit are believed: something reads that clock wrong */
	run_sql("DELETE FROM clock");
	compared(1, 0, 0, 9000, 100);
	read_clocks();
	CU_ASSERT(common(1, 10) == 9010 && error(1, 0) == 100);
	end();
}

static void compared_once_a_clock_may_drift(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	compared(1, 0, 0, 500, 10);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT(common(1, 1000000) == 1000500);
		CU_ASSERT(error(1, 0) == 10 && error(1, 1000000) == 210 && error(1, 500000) == 110);
		write_and_read();
	}
	end();
}

static void clocks_that_nobody_compared_begin_together(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 90000);
	rank_on(2, "b", "q", 90040);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT_EQUAL(clocks.unknown, 2);
		CU_ASSERT(common(1, 5) == 5 && common(2, 5) == 45);
		CU_ASSERT_EQUAL(error(1, 5), INT64_MAX);
		write_and_read();
	}
	end();
}

static void the_root_may_have_left_no_file(void)
{
	begin();
	rank_on(1, "b", "q", 0);
	rank_on(2, "c", "r", 0);
	compared(1, 0, 0, 1000, 10);
	compared(1, 0, 100000, 1010, 10);
	compared(2, 0, 0, 5000, 10);
	compared(2, 0, 100000, 5000, 10);
	read_clocks();
	for (int again = 0; again < 2; again++) {
		CU_ASSERT(common(0, 40) == 40 && common(0, 99) == 99);
		CU_ASSERT_EQUAL(common(1, 0), 4000);
		CU_ASSERT_EQUAL(common(1, 100000), 104000 - 10);
		CU_ASSERT_EQUAL(clocks.unknown, 0);
		write_and_read();
	}
	end();
}

static void rows_that_lead_nowhere_count_as_none(void)
{
	begin();
	for (int rank = 0; rank < 5; rank++)
		rank_on(rank, (const char *[]){ "a", "b", "c", "d", "e" }[rank],
			(const char *[]){ "p", "q", "r", "s", "t" }[rank], 0);
	compared(1, 2, 0, 5, 1); /* in a circle */
	compared(2, 1, 0, 5, 1);
	compared(3, 7, 0, 5, 1); /* to who is not there */
	compared(4, 4, 0, 5, 1); /* to itself */
	read_clocks();
	CU_ASSERT_EQUAL(clocks.n, 5);
	for (int rank = 0; rank < 4; rank++)
		CU_ASSERT_EQUAL(common(rank, 11), 11);
	CU_ASSERT_EQUAL(error(1, 0), INT64_MAX);
	end();
}

static void a_line_keeps_all_bounds(void)
{
	/* 100 + i <= x <= 300 + i, i thousandths of the time since 1000000 */
	struct bound bound[20];
	int64_t ns, error, error_ahead;

	for (int i = 0; i < 20; i++)
		bound[i] = (struct bound){ 1000000 + i * 1000, (i & 1 ? 300 : 100) + i, i & 1, 0 };
	CU_ASSERT_TRUE_FATAL(bound_span(bound, 20, 0.01, 1009500, &ns, &error));
	CU_ASSERT(ns > 205 && ns < 214 && error >= 100 && error <= 115);
	/*
	 * the slope is not known exactly, so that before them and behind them the error is greater
	 */
	CU_ASSERT_TRUE_FATAL(bound_span(bound, 20, 0.01, 1100000, &ns, &error_ahead));
	CU_ASSERT(llabs(ns - 300) <= error_ahead && error_ahead > 2 * error);
	CU_ASSERT_FALSE(bound_span(bound, 1, 0.01, 0, &ns, &error));
	/* wherever it is laid one is broken, by 50 */
	bound[0] = (struct bound){ 0, 0, true, 0 };
	bound[1] = (struct bound){ 0, 100, false, 0 };
	CU_ASSERT_TRUE_FATAL(bound_span(bound, 2, 0.01, 0, &ns, &error));
	CU_ASSERT(ns == 50 && error >= 50);
}

/* Truth for rank 1: its clock is 5000 behind at time 0, and loses 100 ns in a millisecond. */
static int64_t true_common(int64_t ns)
{
	return ns + 5000 + ns / 10000;
}

static int64_t true_own(int64_t common_ns)
{
	int64_t own = common_ns;

	for (int i = 0; i < 4; i++)
		own -= true_common(own) - common_ns;
	return own;
}

static void message(int n, int from, int64_t sent, int64_t received)
{
	static const char op[] =
		"INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm,"
		" callsite) VALUES ((%d << 40) + %d, %d, %lld, %lld, 8, %d, 3, 1, 2)";

	if (from == 1)
		sent = true_own(sent);
	else
		received = true_own(received);
	run_sql(op, from, n, 1 << 10, (long long)sent, 100LL, 1 - from);
	run_sql(op, 1 - from, n, 2 << 10, (long long)received - 700, 700LL, from);
}

/* A second of messages both ways, each on its way for 2000 ns at least. */
static void exchange_messages(void)
{
	for (int rank = 0; rank < 2; rank++) {
		run_sql("INSERT INTO comm_row (rank, comm, uid, size, my_rank) VALUES (%d, 1, 77, "
			"2, %d)",
			rank, rank);
		run_sql("UPDATE run SET value = 1000000000 WHERE rank = %d AND key = 'end_ns'",
			rank);
	}
	run_sql("BEGIN");
	for (int i = 0; i < 1000; i++) {
		int64_t at = 20000 + i * 1000000LL;

		message(2 * i + 1, 0, at, at + 2000 + i * 37 % 500);
		message(2 * i + 2, 1, at + 500000, at + 502000 + i * 53 % 700);
	}
	run_sql("COMMIT");
}

static void expect_truth(int64_t error_max)
{
	for (int64_t at = 0; at < 1000000000; at += 50000000) {
		CU_ASSERT(llabs(common(1, at) - true_common(at)) <= error(1, at));
		CU_ASSERT(error(1, at) <= error_max);
	}
}

static void messages_tell_how_clocks_stand_that_nobody_compared(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	exchange_messages();
	read_clocks();
	CU_ASSERT_EQUAL(clocks.unknown, 1);
	CU_ASSERT_EQUAL(bounds_apply(db, &clocks, NULL), 0);
	CU_ASSERT_EQUAL(clocks.unknown, 0);
	expect_truth(3000);
	write_and_read();
	expect_truth(3000);
	end();
}

static void messages_tell_the_drift_of_a_clock_compared_once(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	exchange_messages();
	compared(1, 0, 0, 5100, 200);
	read_clocks();
	CU_ASSERT(error(1, 1000000000) >= 200000);
	CU_ASSERT_EQUAL(bounds_apply(db, &clocks, NULL), 0);
	expect_truth(3000);
	CU_ASSERT(error(1, 0) <= 205);
	end();
}

static void clocks_measured_well_stay_as_they_are(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	exchange_messages();
	compared(1, 0, 0, 5100, 200);
	compared(1, 0, 1000000000, 104900, 200);
	read_clocks();
	CU_ASSERT_EQUAL(bounds_apply(db, &clocks, NULL), 0);
	expect_truth(200);
	CU_ASSERT(common(1, 0) == 5100 && clocks.map[1].npoints == 2);
	end();
}

static void a_drift_that_changed_is_seen_by_messages_that_came_too_early(void)
{
	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	exchange_messages();
	/* measured right at both ends, but somewhere in between a clock was slewed: 40 us */
	run_sql("UPDATE op_row SET post = post - 40000 WHERE id >> 40 = 1"
		" AND post BETWEEN 400000000 AND 600000000");
	compared(1, 0, 0, 5000, 200);
	compared(1, 0, 1000000000, 105000, 200);
	read_clocks();
	CU_ASSERT_EQUAL(bounds_apply(db, &clocks, NULL), 0);
	CU_ASSERT(llabs(common(1, 500000000) - true_common(500000000) - 40000) < 3000);
	CU_ASSERT(llabs(common(1, 200000000) - true_common(200000000)) <= 2000);
	CU_ASSERT(error(1, 500000000) >= 30000);
	end();
}

static void views_of_times_give_the_common_ones(void)
{
	sqlite3_stmt *s = NULL;

	begin();
	rank_on(0, "a", "p", 0);
	rank_on(1, "b", "q", 0);
	compared(1, 0, 0, 1000, 10);
	compared(1, 0, 10000, 3000, 30);
	compared(1, 0, 20000, 3000, 30);
	run_sql("INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite) VALUES"
		" (1 << 40, 1024, 5000, 10, 8, 0, 3, 1, 2), ((1 << 40) + 1, 1024, 15000, 10, 8, 0, "
		"3, 1, 2), ((1 << 40) + 2, 1024, -500, 10, 8, 0, 3, 1, 2), (7, 1024, 500, 10, 8, "
		"1, 3, 1, 2)");
	run_sql("INSERT INTO phase_row VALUES (1, 0, 0, NULL, 1, 5000, 5010)");
	read_clocks();
	CU_ASSERT_EQUAL_FATAL(clocks_write(db, &clocks, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db,
				      "SELECT rank, (op_key & 15) AS n, post_enter_ns,"
				      " complete_leave_ns FROM op UNION ALL SELECT rank, 15, "
				      "enter_ns, leave_ns FROM phase ORDER BY 1, 2",
				      -1, &s, NULL),
		SQLITE_OK);
	for (int i = 0; i < 5; i++) {
		static const int64_t wanted[] = { 500, 7000, 18000, 400, 7000 };

		CU_ASSERT_EQUAL_FATAL(sqlite3_step(s), SQLITE_ROW);
		CU_ASSERT_EQUAL(sqlite3_column_int64(s, 2), wanted[i]);
		CU_ASSERT_EQUAL(sqlite3_column_int64(s, 3), wanted[i] + 10);
	}
	sqlite3_finalize(s);
	end();
}

static int break_off(void *left)
{
	return --*(int *)left < 0;
}

static void a_read_broken_off_at_any_step_leaves_nothing(void)
{
	int rc, steps = 0;

	begin();
	rank_on(0, "a", "one", 0);
	rank_on(1, "b", "two", 0);
	compared(1, 0, 0, 1000, 10);
	do {
		int left = steps++;

		sqlite3_progress_handler(db, 1, break_off, &left);
		rc = clocks_read(db, &clocks, NULL);
		clocks_release(&clocks);
	} while (rc < 0 && steps < 100000);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT(steps > 10);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	end();
}

static const struct unit_test tests[] = {
	{ "between two points offset and error are interpolated",
		between_two_points_offset_and_error_are_interpolated },
	{ "offsets add up along the tree", offsets_add_up_along_the_tree },
	{ "ranks of a host go with the one that speaks for it",
		ranks_of_a_host_go_with_the_one_that_speaks_for_it },
	{ "rows that fit a shared clock give way to it",
		rows_that_fit_a_shared_clock_give_way_to_it },
	{ "compared once a clock may drift", compared_once_a_clock_may_drift },
	{ "clocks that nobody compared begin together",
		clocks_that_nobody_compared_begin_together },
	{ "the root may have left no file", the_root_may_have_left_no_file },
	{ "rows that lead nowhere count as none", rows_that_lead_nowhere_count_as_none },
	{ "a line keeps all bounds", a_line_keeps_all_bounds },
	{ "messages tell how clocks stand that nobody compared",
		messages_tell_how_clocks_stand_that_nobody_compared },
	{ "messages tell the drift of a clock compared once",
		messages_tell_the_drift_of_a_clock_compared_once },
	{ "clocks measured well stay as they are", clocks_measured_well_stay_as_they_are },
	{ "a drift that changed is seen by messages that came too early",
		a_drift_that_changed_is_seen_by_messages_that_came_too_early },
	{ "views of times give the common ones", views_of_times_give_the_common_ones },
	{ "a read broken off at any step leaves nothing",
		a_read_broken_off_at_any_step_leaves_nothing },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("clocks", tests);
	scratch_remove(dir);
	return failed;
}
