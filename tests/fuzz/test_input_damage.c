/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_input_damage.c: reads the corpus in tests/fuzz/input/, and each of its files with damage
 * from a fixed seed. Each is read or refused, without a crash, an endless loop or an impossible
 * value.
 */
#include "tests/unit/unit.h"

#include "tests/fuzz/damage.h"

enum { COPIES = 30, ROOM = 1 << 14, WORD_BYTES = 24 };

/* Replaces `bytes` at `at`, which may be none, by a word of n bytes. */
static size_t splice(
	uint8_t *data, size_t size, size_t at, size_t bytes, const void *word, size_t n)
{
	if (size - bytes + n > ROOM)
		return size;
	memmove(data + at + n, data + at + bytes, size - at - bytes);
	memcpy(data + at, word, n);
	return size - bytes + n;
}

/* Something else behind the first byte, which is the reader. */
static size_t damage(uint8_t *data, size_t size)
{
	static const char *const words[] = { "", "0", "-1", "9223372036854775808",
		"18446744073709551616", "1e400", "nan", "-", ",", "\n", " ", "=", "%s%n", "/", ")",
		"0x", "1k", "\xff", "rank-", "TRYST_", "#!", "libmpi.so" };
	size_t at = 1 + damage_next() % size, left, bytes;
	const char *word = words[damage_next() % (sizeof(words) / sizeof(*words))];
	uint8_t some[WORD_BYTES];

	at = at < size ? at : size;
	left = size - at;
	bytes = damage_next() % WORD_BYTES;
	bytes = bytes < left ? bytes : left;
	switch (damage_next() % 6) {
	case 0:
		return splice(data, size, at, bytes, "", 0);
	case 1:
		return splice(data, size, at, 0, word, strlen(word));
	case 2:
		return splice(data, size, at, bytes, word, strlen(word));
	case 3:
		memcpy(some, data + at, bytes);
		return splice(data, size, 1 + damage_next() % (size - bytes), 0, some, bytes);
	case 4:
		return left ? at : size;
	default:
		if (left)
			data[at] ^= (uint8_t)(1 << damage_next() % 8);
		return size;
	}
}

static unsigned read_whole, runs;

static void run_damaged(const uint8_t *data, size_t size)
{
	static uint8_t copy[ROOM];

	read_whole += target_run(data, size) == 1;
	for (int i = 0; i < COPIES; i++) {
		size_t n = size;

		memcpy(copy, data, size);
		for (uint64_t k = 1 + damage_next() % 4; k > 0; k--)
			n = damage(copy, n);
		target_run(copy, n);
		runs++;
	}
}

static void damaged_texts_are_survived(void)
{
	CU_ASSERT(damage_corpus("input", run_damaged) > 0);
	CU_ASSERT(runs > 1000);
	/* what is whole must be read, or nothing is asked of its reader */
	CU_ASSERT(read_whole > 30);
}

static const struct unit_test tests[] = {
	{ "damaged texts are survived", damaged_texts_are_survived }, { NULL, NULL }
};

int main(void)
{
	int failed;

	if (target_begin())
		return 1;
	failed = unit_main("input_damage", tests);
	target_end();
	return failed;
}
