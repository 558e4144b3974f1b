/* SPDX-License-Identifier: BSD-3-Clause */
/* test_diff_noise.c: how much of a sum of waits is chance. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "analysis/diff/diff.h"
#include "tests/unit/unit.h"

static sqlite3 *db;

static double value(const char *sql)
{
	sqlite3_stmt *s;
	double x;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(sqlite3_step(s), SQLITE_ROW);
	x = sqlite3_column_double(s, 0);
	sqlite3_finalize(s);
	return x;
}

#define EQUAL_SLOTS(n)                                                                             \
	"WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < " #n             \
	") SELECT batch_variance(40 + n, 10) FROM s"

static void few_batches(void)
{
	CU_ASSERT_EQUAL(value(EQUAL_SLOTS(7)), 70 * 70);
	CU_ASSERT_EQUAL(value(EQUAL_SLOTS(8)), 0);
}

/*
 * Waits of two runs, three in each of `slots` parts of both, drawn from one exponential
 * distribution.
 */
static int any_of_20_differs(int slots)
{
	int found = 0;

	for (int row = 0; row < 20; row++) {
		double sum[2] = { 0 }, variance = 0;

		for (int side = 0; side < 2; side++) {
			sqlite3_stmt *s;

			sqlite3_exec(db, "DELETE FROM slot", NULL, NULL, NULL);
			sqlite3_prepare_v2(db, "INSERT INTO slot VALUES (?, ?)", -1, &s, NULL);
			for (int i = 0; i < 3 * slots; i++) {
				const double ns = -1e6 * log((random() + 1.0) / (RAND_MAX + 2.0));

				sum[side] += ns;
				sqlite3_bind_int(s, 1, 40 + i / 3);
				sqlite3_bind_double(s, 2, ns);
				sqlite3_step(s);
				sqlite3_reset(s);
			}
			sqlite3_finalize(s);
			variance += value("SELECT batch_variance(slot, ns) FROM slot");
		}
		found |= fabs(sum[0] - sum[1]) > value("SELECT normal_bound(20)") * sqrt(variance) +
				0.1 * fmax(sum[0], sum[1]);
	}
	return found;
}

static void false_alarms(void)
{
	static const int slots[] = { 4, 6, 8, 12 };

	srandom(1);
	for (int i = 0; i < 4; i++) {
		int found = 0;

		for (int n = 0; n < 200; n++)
			found += any_of_20_differs(slots[i]);
		CU_ASSERT(found <= 10);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "of fewer than eight batches the spread is not known", few_batches },
		{ "equal runs differ once in 20 comparisons at most", false_alarms }, { NULL, NULL }
	};
	int failed = 1;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && diff_noise_functions(db) == SQLITE_OK &&
		sqlite3_exec(db, "CREATE TABLE slot (slot, ns)", NULL, NULL, NULL) == SQLITE_OK)
		failed = unit_main("diff_noise", tests);
	sqlite3_close(db);
	return failed;
}
