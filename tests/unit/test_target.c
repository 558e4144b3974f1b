/* SPDX-License-Identifier: BSD-3-Clause */
/* test_target.c: what a command writes for its user is whole, or not there. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/text/target.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char tmp[PATH_MAX];

static bool is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static int entries_of(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Two files, and a directory with one. */
static void fill(const char *dir)
{
	char below[PATH_MAX];

	snprintf(below, sizeof(below), "%s", scratch_path(dir, "below"));
	CU_ASSERT_EQUAL(mkdir(below, 0777), 0);
	scratch_write(scratch_path(below, "one"), "x", 1);
	scratch_write(scratch_path(dir, "two"), "x", 1);
	scratch_write(scratch_path(dir, "three"), "x", 1);
}

static void it_has_its_name_once_it_is_whole(void)
{
	struct target t;

	CU_ASSERT_FATAL(target_make(&t, scratch_path(tmp, "whole//"), true) == 0);
	CU_ASSERT_STRING_EQUAL(t.path, scratch_path(tmp, "whole"));
	fill(t.temporary);
	CU_ASSERT_FALSE(is_there(t.path));
	CU_ASSERT_EQUAL(target_finish(&t, 0), 0);
	CU_ASSERT_TRUE(is_there(scratch_path(t.path, "below/one")));
	CU_ASSERT_FALSE(is_there(t.temporary));
}

static void an_error_removes_all_of_it(void)
{
	struct target t;

	CU_ASSERT_FATAL(target_make(&t, scratch_path(tmp, "none"), true) == 0);
	fill(t.temporary);
	CU_ASSERT_EQUAL(symlink(tmp, scratch_path(t.temporary, "link")), 0);
	CU_ASSERT_EQUAL(target_finish(&t, -ENOSPC), -ENOSPC);
	CU_ASSERT_FALSE(is_there(t.path) || is_there(t.temporary));
	CU_ASSERT_TRUE(is_there(scratch_path(tmp, "whole/two")));
}

static void what_exists_is_not_replaced(void)
{
	struct target t;
	char text[8] = "";
	FILE *f;

	CU_ASSERT_EQUAL(target_make(&t, scratch_path(tmp, "whole"), false), -EEXIST);
	CU_ASSERT_FATAL(target_make(&t, scratch_path(tmp, "file"), false) == 0);
	scratch_write(t.path, "theirs", 6);
	CU_ASSERT_EQUAL(target_finish(&t, 0), -EEXIST);
	CU_ASSERT_FALSE(is_there(t.temporary));
	f = fopen(t.path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fread(text, 1, sizeof(text), f), 6);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(text, "theirs");
}

/* Two containers may have one host name and the same PIDs, on one file system. */
static void a_temporary_name_of_another_process_stays(void)
{
	struct target theirs, ours;

	CU_ASSERT_FATAL(target_make(&theirs, scratch_path(tmp, "same"), true) == 0);
	fill(theirs.temporary);
	CU_ASSERT_FATAL(target_make(&ours, scratch_path(tmp, "same"), true) == 0);
	CU_ASSERT_TRUE(is_there(scratch_path(theirs.temporary, "below/one")));
	CU_ASSERT_EQUAL(target_finish(&ours, 0), 0);
	CU_ASSERT_EQUAL(target_finish(&theirs, 0), -EEXIST);
	CU_ASSERT_FALSE(is_there(theirs.temporary) || is_there(ours.temporary));
	CU_ASSERT_TRUE(is_there(ours.path));
}

/* The inner target is a part of the outer one. */
static void is_removed_by(int number)
{
	const int before = entries_of(tmp);
	int status = 0;
	pid_t child = fork();

	CU_ASSERT_FATAL(child >= 0);
	if (child == 0) {
		const struct rlimit no_core = { 0, 0 };
		struct target outer, inner;

		setrlimit(RLIMIT_CORE, &no_core);
		/* a shell's background jobs ignore some, and what is ignored removes nothing */
		signal(number, SIG_DFL);
		if (target_make(&outer, scratch_path(tmp, "outer"), true) == 0 &&
			target_make(&inner, scratch_path(outer.temporary, "inner"), false) == 0) {
			fill(outer.temporary);
			raise(number);
		}
		_exit(0);
	}
	CU_ASSERT_FATAL(waitpid(child, &status, 0) == child);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number);
	CU_ASSERT_EQUAL(entries_of(tmp), before);
}

static void a_signal_removes_the_target_that_was_begun_first(void)
{
	static const int numbers[] = { SIGTERM, SIGQUIT, SIGXCPU, SIGXFSZ };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		is_removed_by(numbers[i]);
}

static const struct unit_test tests[] = { { "it has its name once it is whole",
						  it_has_its_name_once_it_is_whole },
	{ "an error removes all of it", an_error_removes_all_of_it },
	{ "what exists is not replaced", what_exists_is_not_replaced },
	{ "a temporary name of another process stays", a_temporary_name_of_another_process_stays },
	{ "a signal removes the target that was begun first",
		a_signal_removes_the_target_that_was_begun_first },
	{ NULL, NULL } };

int main(void)
{
	int rc;

	scratch_make(tmp);
	rc = unit_main("target", tests);
	scratch_remove(tmp);
	return rc;
}
