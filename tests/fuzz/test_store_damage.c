/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damaged files without a fuzzer: inputs that once found something (tests/fuzz/store/), and
 * random edits from a fixed seed. Nothing may crash, hang or go unsaid.
 */
#include "tests/unit/unit.h"

#include <dirent.h>

#include "tests/fuzz/store_target.h"
#include "tests/unit/scratch.h"

enum { RANDOM_INPUTS = 150 };

static uint64_t state = 20261120;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

/* Random edits of one kind of file; positions favour the beginning, where the headers are. */
static void random_edits(uint8_t kind)
{
	for (int i = 0; i < RANDOM_INPUTS; i++) {
		uint8_t data[1 + 12 * 8];
		size_t edits = 1 + next() % 8;

		data[0] = kind | (uint8_t)(next() & 4);
		for (size_t e = 0; e < edits; e++) {
			uint64_t words[2] = {next(), next()};
			uint32_t position = (uint32_t)(words[1] >> (8 + words[0] % 24));

			memcpy(data + 1 + e * 12, words, 12);
			data[1 + e * 12 + 3] = 0;
			memcpy(data + 1 + e * 12 + 4, &position, 4);
		}
		store_target_run(data, 1 + edits * 12);
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

static void damaged_link_parameters_are_survived(void)
{
	random_edits(2);
}

static void texts_of_any_content_are_survived(void)
{
	static const char *const words[] = {"TRYST_", "DIR", "MAX_OPS", "=", "\n", "9", "-", "k", "host",
		"pid=", "boot_id=", "tryst run ", "rank-", ".db", "on|off", "%s", "\xff"};

	for (int i = 0; i < RANDOM_INPUTS; i++) {
		uint8_t data[2048] = {3};
		size_t size = 1;

		for (uint64_t n = next() % 60; n > 0; n--) {
			const char *word = words[next() % (sizeof(words) / sizeof(words[0]))];

			memcpy(data + size, word, strlen(word));
			size += strlen(word);
		}
		store_target_run(data, size);
	}
	CU_PASS("nothing crashed");
}

static void what_once_found_something_is_survived(void)
{
	/* tests/run says where the sources are; without it, beside this file as it was compiled */
	const char *source = getenv("TEST_SRC");
	const int folder = (int)(strrchr(__FILE__, '/') - __FILE__);
	const struct dirent *entry;
	char path[PATH_MAX];
	int n = 0;
	DIR *d;

	if (source && *source)
		snprintf(path, sizeof(path), "%s/tests/fuzz/store", source);
	else
		snprintf(path, sizeof(path), "%.*s/store", folder, __FILE__);
	d = opendir(path);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	while ((entry = readdir(d))) {
		uint8_t *data;
		size_t bytes;

		if (entry->d_name[0] == '.')
			continue;
		data = scratch_read(scratch_path(path, entry->d_name), &bytes);
		store_target_run(data, bytes);
		free(data);
		n++;
	}
	closedir(d);
	CU_ASSERT(n > 0);
}

static const struct unit_test tests[] = {
	{"a damaged ring or spool is survived", a_damaged_ring_or_spool_is_survived},
	{"a damaged database is survived", a_damaged_database_is_survived},
	{"damaged link parameters are survived", damaged_link_parameters_are_survived},
	{"texts of any content are survived", texts_of_any_content_are_survived},
	{"what once found something is survived", what_once_found_something_is_survived},
	{NULL, NULL}};

int main(void)
{
	int failed;

	if (store_target_begin())
		return 1;
	failed = unit_main("store_damage", tests);
	store_target_end();
	return failed;
}
