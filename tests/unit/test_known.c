/* SPDX-License-Identifier: BSD-3-Clause */
/* test_known.c: how long a message may take, from messages that were timed. */
#include "analysis/model/live/known.h"
#include "tests/unit/unit.h"

static void the_longest_one_is_scaled_up(void)
{
	struct known k = { 0 };

	known_add(&k, 1024, 4000);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 7 * 1024), 16000, 1e-6);
	known_add(&k, 3 * 1024, 6000);
	known_add(&k, 8, 90000);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 7 * 1024), 12000, 1e-6);
}

static void a_shorter_one_takes_as_long_at_most(void)
{
	struct known k = { 0 };

	known_add(&k, 65536, 20000);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 65536), 20000, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 40000), 20000, 1e-6);
}

static void of_one_length_the_longest_time_counts(void)
{
	struct known k = { 0 };

	known_add(&k, 0, 1500);
	known_add(&k, 0, 3000);
	known_add(&k, 0, 2000);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 0), 3000, 1e-6);
}

static void what_nothing_is_known_of_takes_a_microsecond(void)
{
	struct known k = { 0 };

	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 1 << 20), 1000, 1e-6);
	known_add(&k, 8, 300);
	CU_ASSERT_DOUBLE_EQUAL(known_guess_ns(&k, 8), 1000, 1e-6);
}

static const struct unit_test tests[] = { { "the longest one is scaled up",
						  the_longest_one_is_scaled_up },
	{ "a shorter one takes as long at most", a_shorter_one_takes_as_long_at_most },
	{ "of one length the longest time counts", of_one_length_the_longest_time_counts },
	{ "what nothing is known of takes a microsecond",
		what_nothing_is_known_of_takes_a_microsecond },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("known", tests);
}
