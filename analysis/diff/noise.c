/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.c: how much of a sum of waits is chance; diff.h has the rule.
 *
 * Batch means (Conway 1963; Law and Kelton, Simulation Modeling and Analysis, chapter 9): the run
 * is cut into consecutive batches, and the spread of their sums tells that of the whole. Waits
 * that come together, as when one stall delays many messages on several ranks, fall into one batch
 * or into neighbours. The first autocorrelation adds what neighbours have in common. Batches
 * before the first wait and behind the last one do not count, so that a part of the program is
 * judged by itself. The normal quantile holds from eight batches on: of comparisons between equal
 * runs (exponential waits, 20 or 100 rows) 5 % had a row beyond it with 8 batches, 11 % with 6, 16
 * to 38 % with 4.
 */
#include <config.h>

#include "analysis/diff/diff.h"

#include <math.h>

#include "analysis/format/db/db.h"

enum {
	SLOTS = 128, /* wait_slot_cell.slot */
	BATCHES_MOST = 32,
	BATCHES_FEWEST = 8
};

struct spread {
	double slot[SLOTS];
};

static void add_slot(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct spread *s = sqlite3_aggregate_context(context, sizeof *s);
	const int64_t slot = sqlite3_value_int64(value[0]);

	(void)n;
	if (s && slot >= 0 && slot < SLOTS)
		s->slot[slot] += sqlite3_value_double(value[1]);
}

/*
 * batch_variance(slot, ns): the variance of the sum of all ns. If all came at about one time, it
 * might as well not have come: the variance is then the square of the sum.
 */
static void batch_variance(sqlite3_context *context)
{
	const struct spread *s = sqlite3_aggregate_context(context, 0);
	double batch[BATCHES_MOST] = { 0 }, sum = 0, squares = 0, neighbours = 0, mean;
	int first = 0, last = SLOTS - 1, width, n;

	while (s && first <= last && s->slot[first] == 0)
		first++;
	while (s && first < last && s->slot[last] == 0)
		last--;
	if (!s || first > last) {
		sqlite3_result_double(context, 0);
		return;
	}
	width = (last - first) / BATCHES_MOST + 1;
	n = (last - first) / width + 1;
	for (int i = first; i <= last; i++) {
		batch[(i - first) / width] += s->slot[i];
		sum += s->slot[i];
	}
	mean = sum / n;
	for (int i = 0; i < n; i++) {
		squares += (batch[i] - mean) * (batch[i] - mean);
		neighbours += i ? (batch[i] - mean) * (batch[i - 1] - mean) : 0;
	}
	if (n < BATCHES_FEWEST)
		sqlite3_result_double(context, sum * sum);
	else
		sqlite3_result_double(
			context, n * (squares + 2 * (neighbours > 0 ? neighbours : 0)) / (n - 1));
}

/*
 * normal_bound(n): the number of standard deviations that one of n normal variables exceeds once in
 * 20 times (Bonferroni).
 */
static void normal_bound(sqlite3_context *context, int n, sqlite3_value **value)
{
	const double rare = 0.05 / fmax(sqlite3_value_double(value[0]), 1);
	double low = 0, high = 40;

	(void)n;
	while (high - low > 1e-6) {
		const double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) > rare)
			low = middle;
		else
			high = middle;
	}
	sqlite3_result_double(context, high);
}

static void square_root(sqlite3_context *context, int n, sqlite3_value **value)
{
	const double x = sqlite3_value_double(value[0]);

	(void)n;
	sqlite3_result_double(context, x > 0 ? sqrt(x) : 0);
}

static void natural_log(sqlite3_context *context, int n, sqlite3_value **value)
{
	const double x = sqlite3_value_double(value[0]);

	(void)n;
	if (x > 0)
		sqlite3_result_double(context, log(x));
}

int diff_noise_functions(sqlite3 *db)
{
	static const struct db_function functions[] = {
		{ "square_root", 1, .call = square_root },
		{ "natural_log", 1, .call = natural_log },
		{ "normal_bound", 1, .call = normal_bound },
		{ "batch_variance", 2, .step = add_slot, .end = batch_variance },
		{ .name = NULL },
	};

	return db_add_functions(db, functions);
}
