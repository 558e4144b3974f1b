/* SPDX-License-Identifier: BSD-3-Clause */
/* test_temporary.c: a command's temporary directory, and those that killed commands left. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "analysis/base/temporary.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char tmp[PATH_MAX];

/*
 * A child makes a directory, with a file in it where `file` is not NULL, and is killed. Its path
 * goes to path.
 */
static void leave(char path[PATH_MAX], const char *file)
{
	int ends[2], status;
	pid_t child;

	CU_ASSERT_FATAL(pipe(ends) == 0);
	child = fork();
	CU_ASSERT_FATAL(child >= 0);
	if (child == 0) {
		struct temporary t = { 0 };

		if (temporary_make(&t, NULL) == 0) {
			if (file)
				scratch_write(scratch_path(t.path, file), "x", 1);
			snprintf(path, PATH_MAX, "%s", t.path);
			if (write(ends[1], path, PATH_MAX) == PATH_MAX)
				raise(SIGKILL);
		}
		_exit(1);
	}
	close(ends[1]);
	CU_ASSERT_EQUAL(read(ends[0], path, PATH_MAX), PATH_MAX);
	close(ends[0]);
	CU_ASSERT_FATAL(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

/* Another command comes and goes. */
static void next_command(void)
{
	struct temporary t = { 0 };

	CU_ASSERT_FATAL(temporary_make(&t, NULL) == 0);
	temporary_remove(&t);
	CU_ASSERT_PTR_NULL(t.path);
}

static int entries(void)
{
	DIR *d = opendir(tmp);
	int n = -2;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void it_is_one_and_goes_with_its_files(void)
{
	struct temporary t = { 0 };
	char path[PATH_MAX];
	struct stat st;

	temporary_remove(&t);
	CU_ASSERT_FATAL(temporary_make(&t, NULL) == 0);
	snprintf(path, sizeof(path), "%s", t.path);
	CU_ASSERT(stat(path, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700);
	CU_ASSERT(temporary_make(&t, NULL) == 0);
	CU_ASSERT_STRING_EQUAL(t.path, path);
	scratch_write(scratch_path(path, "rank-000003.ring"), "x", 1);
	scratch_write(scratch_path(path, "run.db.merging-host-4-journal"), "x", 1);
	scratch_write(scratch_path(path, "links.incomplete"), "x", 1);
	temporary_remove(&t);
	CU_ASSERT_EQUAL(entries(), 0);
}

static void what_a_killed_command_left_goes_with_the_next(void)
{
	char path[2][PATH_MAX];

	leave(path[0], NULL);
	CU_ASSERT_EQUAL(entries(), 1);
	leave(path[1], "run.db");
	CU_ASSERT_EQUAL(entries(), 1);
	next_command();
	CU_ASSERT_EQUAL(entries(), 0);
}

static void what_another_command_uses_stays(void)
{
	struct temporary used = { 0 };

	CU_ASSERT_FATAL(temporary_make(&used, NULL) == 0);
	scratch_write(scratch_path(used.path, "run.db"), "x", 1);
	next_command();
	CU_ASSERT(scratch_exists(scratch_path(used.path, "run.db")));
	temporary_remove(&used);
	CU_ASSERT_EQUAL(entries(), 0);
}

/* Kinds of what bears such a name, or lies in such a directory, and is not ours. */
static void what_is_not_of_a_command_stays(void)
{
	char path[PATH_MAX], outside[PATH_MAX], other[PATH_MAX];
	char *host;

	leave(path, NULL);
	scratch_write(scratch_path(path, "thesis.tex"), "x", 1);
	CU_ASSERT_FATAL(symlink("thesis.tex", scratch_path(path, "run.db")) == 0);
	CU_ASSERT_FATAL(mkdir(scratch_path(path, "rank-1"), 0700) == 0);
	next_command();
	CU_ASSERT(scratch_exists(scratch_path(path, "thesis.tex")));
	CU_ASSERT(scratch_exists(scratch_path(path, "run.db")));
	scratch_remove(path);

	snprintf(outside, sizeof(outside), "%s", scratch_path(tmp, "outside"));
	CU_ASSERT_FATAL(mkdir(outside, 0700) == 0);
	scratch_write(scratch_path(outside, "run.db"), "x", 1);
	CU_ASSERT_FATAL(symlink("outside", path) == 0);
	next_command();
	CU_ASSERT(scratch_exists(path) && scratch_exists(scratch_path(outside, "run.db")));
	unlink(path);
	scratch_remove(outside);

	CU_ASSERT_FATAL(mkfifo(path, 0600) == 0);
	next_command();
	CU_ASSERT(scratch_exists(path));
	unlink(path);

	/* ".tryst-scratch-HOST-XXXXXX" of another host, whose locks may be unknown here */
	snprintf(other, sizeof(other), "%s", path);
	host = strstr(other, "scratch-") + strlen("scratch-");
	*host = *host == 'x' ? 'y' : 'x';
	CU_ASSERT_FATAL(mkdir(other, 0700) == 0);
	next_command();
	CU_ASSERT(scratch_exists(other));
	rmdir(other);

	CU_ASSERT_FATAL(mkdir(path, 0700) == 0);
	if (geteuid() == 0) {
		CU_ASSERT_FATAL(chown(path, 12345, 12345) == 0);
		next_command();
		CU_ASSERT(scratch_exists(path));
		CU_ASSERT_FATAL(chown(path, 0, 0) == 0);
	}
	next_command();
	CU_ASSERT_EQUAL(entries(), 0);
}

/*
 * Each makes its directory, puts a file into it, sees it there and removes it: one is swept while
 * others begin.
 */
static void commands_at_once_do_not_take_each_others(void)
{
	enum { COMMANDS = 4, ROUNDS = 300 };
	int status;

	for (int i = 0; i < COMMANDS; i++)
		if (fork() == 0) {
			for (int round = 0; round < ROUNDS; round++) {
				struct temporary t = { 0 };

				if (temporary_make(&t, NULL) != 0)
					_exit(1);
				scratch_write(scratch_path(t.path, "run.db"), "x", 1);
				if (!scratch_exists(scratch_path(t.path, "run.db")))
					_exit(2);
				temporary_remove(&t);
			}
			_exit(0);
		}
	for (int i = 0; i < COMMANDS; i++) {
		CU_ASSERT(wait(&status) > 0);
		CU_ASSERT_EQUAL(status, 0);
	}
	CU_ASSERT_EQUAL(entries(), 0);
}

static void where_none_can_be_made_is_said(void)
{
	struct temporary t = { 0 };
	struct say_list said;

	say_list_init(&said);
	setenv("TMPDIR", scratch_path(tmp, "nowhere"), 1);
	CU_ASSERT_EQUAL(temporary_make(&t, &said.say), -ENOENT);
	setenv("TMPDIR", tmp, 1);
	CU_ASSERT_PTR_NULL(t.path);
	CU_ASSERT_PTR_NOT_NULL_FATAL(say_list_next(&said, NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(say_list_next(&said, NULL), "No such file or directory"));
}

static const struct unit_test tests[] = { { "it is one, and goes with its files",
						  it_is_one_and_goes_with_its_files },
	{ "what a killed command left goes with the next",
		what_a_killed_command_left_goes_with_the_next },
	{ "what another command uses stays", what_another_command_uses_stays },
	{ "what is not of a command stays", what_is_not_of_a_command_stays },
	{ "commands at once do not take each other's", commands_at_once_do_not_take_each_others },
	{ "where none can be made is said", where_none_can_be_made_is_said }, { NULL, NULL } };

int main(void)
{
	int rc;

	scratch_make(tmp);
	setenv("TMPDIR", tmp, 1);
	rc = unit_main("temporary", tests);
	scratch_remove(tmp);
	return rc;
}
