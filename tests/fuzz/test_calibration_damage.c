/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_calibration_damage.c: reads parameter files with wrong values: from a fixed seed, and with
 * each value in each column. Each is read or refused, without a crash, an endless loop or an
 * impossible value.
 */
#include "tests/unit/unit.h"

#include "tests/fuzz/damage.h"
#include "tests/fuzz/sql_edit.h"

enum { COLUMNS = 36, RANDOM_INPUTS = 120 };

static void the_good_file_is_read(void)
{
	CU_ASSERT_EQUAL(target_run(NULL, 0), 1);
}

/* A quarter of all combinations, others in each half of the table. */
static void each_column_survives_each_value(void)
{
	unsigned refused = 0;

	for (unsigned c = 0; c < COLUMNS; c++)
		for (unsigned v = c % 4; v < SQL_EDITS; v += 4) {
			const uint8_t data[4] = { (uint8_t)c, v % 8 == c % 8 ? 255 : 3, (uint8_t)v,
				0 };

			refused += !target_run(data, sizeof(data));
		}
	CU_ASSERT(refused > 10);
}

static void several_wrong_values_are_survived(void)
{
	for (int i = 0; i < RANDOM_INPUTS; i++) {
		uint8_t data[4 * 6];

		for (size_t k = 0; k < sizeof(data); k++)
			data[k] = (uint8_t)(damage_next() >> 13);
		target_run(data, 4 * (1 + damage_next() % 6));
	}
	CU_PASS("nothing crashed");
}

static void the_corpus_is_survived(void)
{
	CU_ASSERT(damage_corpus("calibration", damage_run) > 0);
}

static const struct unit_test tests[] = { { "the good file is read", the_good_file_is_read },
	{ "each column survives each value", each_column_survives_each_value },
	{ "several wrong values are survived", several_wrong_values_are_survived },
	{ "the corpus is survived", the_corpus_is_survived }, { NULL, NULL } };

int main(void)
{
	int failed;

	if (target_begin())
		return 1;
	failed = unit_main("calibration_damage", tests);
	target_end();
	return failed;
}
