/* SPDX-License-Identifier: BSD-3-Clause */
/* test_file.c: small files as texts, and names of new files. */
#include "analysis/base/file.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char dir[PATH_MAX];

static void a_file_becomes_a_text_as_far_as_it_fits(void)
{
	static const struct {
		const char *file, *text;
	} cases[] = { { "", "" }, { "12 34\n", "12 34\n" }, { "123456789", "1234567" } };
	const char *path = scratch_path(dir, "file");

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[8] = "before";

		scratch_write(path, cases[i].file, strlen(cases[i].file));
		CU_ASSERT_TRUE(file_text(path, text, sizeof(text)));
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
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

static void a_new_file_finds_its_name_free(void)
{
	char name[PATH_MAX], free_name[PATH_MAX];

	CU_ASSERT_EQUAL(file_new_name(scratch_path(dir, "a"), name, sizeof(name)), 0);
	for (int there = 1; there >= 0; there--) {
		if (there)
			scratch_write(name, "left", 4);
		CU_ASSERT_EQUAL(
			file_new_name_free(scratch_path(dir, "a"), free_name, sizeof(free_name)),
			0);
		CU_ASSERT_STRING_EQUAL(free_name, name);
		CU_ASSERT_FALSE(scratch_exists(name));
	}
	CU_ASSERT_EQUAL(file_new_name_free("a", name, 4), -ENAMETOOLONG);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a file becomes a text as far as it fits",
			a_file_becomes_a_text_as_far_as_it_fits },
		{ "nothing else is read or waited for", nothing_else_is_read_or_waited_for },
		{ "a file of the kernel is read", a_file_of_the_kernel_is_read },
		{ "a new file finds its name free", a_new_file_finds_its_name_free },
		{ NULL, NULL },
	};
	int rc;

	scratch_make(dir);
	rc = unit_main("file", tests);
	scratch_remove(dir);
	return rc;
}
