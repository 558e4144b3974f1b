/* SPDX-License-Identifier: BSD-3-Clause */
/* test_bisect.c: bisection finds the place of a value among rising items. */
#include "analysis/base/bisect.h"
#include "tests/unit/unit.h"

struct item {
	char before[3];
	int64_t key;
};

static uint32_t below(const struct item *item, uint32_t n, int64_t value)
{
	return bisect_below(item, sizeof(*item), offsetof(struct item, key), n, value);
}

static void nothing_is_below_where_there_is_nothing(void)
{
	CU_ASSERT_EQUAL(below(NULL, 0, INT64_MAX), 0);
}

/* Against counting, for each length, with equal keys and values between keys. */
static void as_many_are_below_as_by_counting(void)
{
	struct item item[33];

	for (uint32_t n = 0; n <= 33; n++) {
		for (uint32_t i = 0; i < n; i++)
			item[i].key = (int64_t)i / 3 * 2 - 5;
		for (int64_t value = -7; value < 20; value++) {
			uint32_t count = 0;

			for (uint32_t i = 0; i < n; i++)
				count += item[i].key < value;
			CU_ASSERT_EQUAL(below(item, n, value), count);
		}
	}
}

static void the_ends_of_the_range_are_values(void)
{
	const struct item item[] = { { "", INT64_MIN }, { "", 0 }, { "", INT64_MAX } };

	CU_ASSERT_EQUAL(below(item, 3, INT64_MIN), 0);
	CU_ASSERT_EQUAL(below(item, 3, INT64_MIN + 1), 1);
	CU_ASSERT_EQUAL(below(item, 3, INT64_MAX), 2);
}

static const struct unit_test tests[] = { { "nothing is below where there is nothing",
						  nothing_is_below_where_there_is_nothing },
	{ "as many are below as by counting", as_many_are_below_as_by_counting },
	{ "the ends of the range are values", the_ends_of_the_range_are_values }, { NULL, NULL } };

int main(void)
{
	return unit_main("bisect", tests);
}
