/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_store_damage.c: reads damaged files: inputs that once found a bug (tests/fuzz/store/), and
 * random edits from a fixed seed. Nothing may crash, hang or go unsaid.
 */
#include "tests/unit/unit.h"

#include "tests/fuzz/damage.h"

enum { RANDOM_INPUTS = 150 };

/* Random edits of one kind of file; positions favour the beginning, where the headers are. */
static void random_edits(uint8_t kind)
{
	for (int i = 0; i < RANDOM_INPUTS; i++) {
		uint8_t data[1 + 12 * 8];
		size_t edits = 1 + damage_next() % 8;

		data[0] = kind | (uint8_t)(damage_next() & 4);
		for (size_t e = 0; e < edits; e++) {
			uint64_t words[2] = { damage_next(), damage_next() };
			uint32_t position = (uint32_t)(words[1] >> (8 + words[0] % 24));

			memcpy(data + 1 + e * 12, words, 12);
			data[1 + e * 12 + 3] = 0;
			memcpy(data + 1 + e * 12 + 4, &position, 4);
		}
		target_run(data, 1 + edits * 12);
	}
	CU_PASS("nothing crashed");
}

static void a_damaged_ring_or_spool_is_survived(void)
{
	random_edits(0);
}

static void a_damaged_database_is_survived(void)
{
	random_edits(1);
}

static void a_damaged_journal_is_survived(void)
{
	random_edits(3);
}

static void damaged_link_parameters_are_survived(void)
{
	random_edits(2);
}

static void what_once_found_something_is_survived(void)
{
	CU_ASSERT(damage_corpus("store", damage_run) > 0);
}

static const struct unit_test tests[] = { { "a damaged ring or spool is survived",
						  a_damaged_ring_or_spool_is_survived },
	{ "a damaged database is survived", a_damaged_database_is_survived },
	{ "a damaged journal is survived", a_damaged_journal_is_survived },
	{ "damaged link parameters are survived", damaged_link_parameters_are_survived },
	{ "what once found something is survived", what_once_found_something_is_survived },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	if (target_begin())
		return 1;
	failed = unit_main("store_damage", tests);
	target_end();
	return failed;
}
