/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_run_damage.c: reads runs with wrong values from a fixed seed: first one column at a time,
 * then several. Each is read or refused, without a crash or an endless loop.
 */
#include "tests/unit/unit.h"

#include "tests/fuzz/damage.h"
#include "tests/fuzz/run_target.h"
#include "tests/fuzz/sql_edit.h"

enum { VALUES_A_COLUMN = 1, RANDOM_INPUTS = 40 };

static void the_good_run_is_read_by_all(void)
{
	for (uint8_t reader = 0; reader < RUN_READERS; reader++)
		CU_ASSERT_EQUAL(target_run(&reader, 1), 1);
}

static void each_column_survives_wrong_values(void)
{
	unsigned read = 0;

	for (size_t c = 0; c < run_target_columns(); c++)
		for (unsigned v = 0; v < VALUES_A_COLUMN; v++) {
			const uint8_t data[1 + RUN_EDIT_BYTES] = { (uint8_t)(damage_next() >> 20),
				(uint8_t)c,
				damage_next() % 3 ? (uint8_t)(damage_next() >> 20) : 255,
				(uint8_t)(damage_next() >> 20), (uint8_t)(c >> 8) };

			read += (unsigned)target_run(data, sizeof(data));
		}
	CU_ASSERT(read > 10);
}

static void several_wrong_values_are_survived(void)
{
	for (int i = 0; i < RANDOM_INPUTS; i++) {
		uint8_t data[1 + RUN_EDIT_BYTES * 6];

		for (size_t k = 0; k < sizeof(data); k++)
			data[k] = (uint8_t)(damage_next() >> 13);
		target_run(data, 1 + RUN_EDIT_BYTES * (1 + damage_next() % 6));
	}
	CU_PASS("nothing crashed");
}

/* By names: the numbers of columns change with the schema. */
static void the_corpus_is_survived(void)
{
	CU_ASSERT(damage_corpus("run", damage_run) > 0);
}

static void what_once_found_something_is_survived(void)
{
	static const struct {
		uint8_t reader, rows;
		const char *table, *column, *value;
	} found[] = {
		/* ranks that are missing were listed without end */
		{ 1, 255, "run", "value", "9223372036854775807" },
		/* room for so many communicators overflowed */
		{ 5, 255, "comm_row", "comm", "4294967295" },
		/* sums of times overflowed */
		{ 4, 255, "op_row", "span", "9223372036854775807" },
		{ 4, 255, "clock", "offset_ns", "9223372036854775807" },
		{ 0, 255, "clock", "offset_ns", "-9223372036854775808" },
		{ 1, 255, "busy_row", "enter", "9223372036854775807" },
		/* sums of sizes did */
		{ 0, 255, "op_row", "bytes", "-9223372036854775808" },
		/*
		 * as a number of 32 bits it came before the others, the last one decided about room
		 */
		{ 0, 0, "run", "rank", "4294967296" },
		/* microseconds before the run's zero were no JSON */
		{ 4, 255, "clock", "offset_ns", "-2147483648" },
	};

	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		size_t c = run_target_column(found[i].table, found[i].column);
		uint8_t v = 0, data[1 + RUN_EDIT_BYTES];

		while (v < SQL_EDIT_VALUES && strcmp(sql_edit_values[v], found[i].value))
			v++;
		CU_ASSERT(c < run_target_columns() && v < SQL_EDIT_VALUES);
		memcpy(data,
			(const uint8_t[]){
				found[i].reader, (uint8_t)c, found[i].rows, v, (uint8_t)(c >> 8) },
			sizeof(data));
		target_run(data, sizeof(data));
	}
}

static const struct unit_test tests[] = { { "the good run is read by all",
						  the_good_run_is_read_by_all },
	{ "each column survives wrong values", each_column_survives_wrong_values },
	{ "several wrong values are survived", several_wrong_values_are_survived },
	{ "the corpus is survived", the_corpus_is_survived },
	{ "what once found something is survived", what_once_found_something_is_survived },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	if (target_begin())
		return 1;
	failed = unit_main("run_damage", tests);
	target_end();
	return failed;
}
