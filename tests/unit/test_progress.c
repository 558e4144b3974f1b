/* SPDX-License-Identifier: BSD-3-Clause */
/* test_progress.c: how long work will still take (analysis/text/progress.h). */
#include "analysis/text/progress.h"
#include "tests/unit/unit.h"

static char line[80];

static const char *line_of(uint64_t done, uint64_t all, int64_t spent_ms)
{
	progress_line("merging rank", done, all, spent_ms, line, sizeof(line));
	return line;
}

static void time_left_is_as_much_as_the_rest_takes(void)
{
	CU_ASSERT_STRING_EQUAL(
		line_of(100, 400, 5000), "tryst: merging rank 100 of 400, about 15 s left");
	CU_ASSERT_STRING_EQUAL(
		line_of(400, 400, 5000), "tryst: merging rank 400 of 400, about 0 s left");
}

static void long_times_have_long_units(void)
{
	CU_ASSERT_STRING_EQUAL(
		line_of(1, 101, 6000), "tryst: merging rank 1 of 101, about 10 min left");
	CU_ASSERT_STRING_EQUAL(
		line_of(1, 1001, 36000), "tryst: merging rank 1 of 1001, about 10 h left");
}

static void early_guesses_are_not_told(void)
{
	CU_ASSERT_STRING_EQUAL(line_of(1, 400, 1999), "tryst: merging rank 1 of 400");
	CU_ASSERT_STRING_EQUAL(line_of(0, 400, 5000), "tryst: merging rank 0 of 400");
}

static void more_than_all_is_the_end(void)
{
	CU_ASSERT_STRING_EQUAL(
		line_of(500, 400, 5000), "tryst: merging rank 500 of 400, about 0 s left");
}

static void long_names_are_cut(void)
{
	char small[16];

	progress_line("merging rank", 100, 400, 5000, small, sizeof(small));
	CU_ASSERT_STRING_EQUAL(small, "tryst: merging ");
}

static const struct unit_test tests[] = { { "the time left is what the rest takes at the same rate",
						  time_left_is_as_much_as_the_rest_takes },
	{ "long times have long units", long_times_have_long_units },
	{ "early guesses are not told", early_guesses_are_not_told },
	{ "more than all is the end", more_than_all_is_the_end },
	{ "long names are cut", long_names_are_cut }, { NULL, NULL } };

int main(void)
{
	return unit_main("progress", tests);
}
