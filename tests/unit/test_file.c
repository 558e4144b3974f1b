/* SPDX-License-Identifier: BSD-3-Clause */
/* test_file.c: small files as texts. */
#include "analysis/base/file.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char dir[PATH_MAX];

static void a_file_becomes_a_text(void)
{
	const char *path = scratch_path(dir, "small");
	char text[16] = "before";

	scratch_write(path, "12 34\n", 6);
	CU_ASSERT_TRUE(file_text(path, text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "12 34\n");
}

static void a_longer_file_is_cut(void)
{
	const char *path = scratch_path(dir, "longer");
	char text[5] = "";

	scratch_write(path, "123456789", 9);
	CU_ASSERT_TRUE(file_text(path, text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "1234");
}

static void an_empty_file_is_an_empty_text(void)
{
	const char *path = scratch_path(dir, "empty");
	char text[5] = "old";

	scratch_write(path, "", 0);
	CU_ASSERT_TRUE(file_text(path, text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "");
}

static void nothing_else_is_read_or_waited_for(void)
{
	char text[8] = "old";

	CU_ASSERT_EQUAL(mkfifo(scratch_path(dir, "pipe"), 0600), 0);
	CU_ASSERT_FALSE(file_text(scratch_path(dir, "pipe"), text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_FALSE(file_text(dir, text, sizeof(text)));
	CU_ASSERT_FALSE(file_text(scratch_path(dir, "missing"), text, sizeof(text)));
}

static void a_file_of_the_kernel_is_read(void)
{
	char text[16];

	CU_ASSERT_TRUE(file_text("/proc/self/comm", text, sizeof(text)));
	CU_ASSERT_EQUAL(strncmp(text, "test_file", 9), 0);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a file becomes a text", a_file_becomes_a_text },
		{ "a longer file is cut", a_longer_file_is_cut },
		{ "an empty file is an empty text", an_empty_file_is_an_empty_text },
		{ "nothing else is read or waited for", nothing_else_is_read_or_waited_for },
		{ "a file of the kernel is read", a_file_of_the_kernel_is_read },
		{ NULL, NULL },
	};
	int rc;

	scratch_make(dir);
	rc = unit_main("file", tests);
	scratch_remove(dir);
	return rc;
}
