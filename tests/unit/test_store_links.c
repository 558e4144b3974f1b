/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analysis/store/db.h"
#include "analysis/store/links.h"
#include "tests/unit/scratch.h"

static char dir[PATH_MAX];
static const struct link_key keys[] = {
	{"cpu", "x"}, {"mpi", "Open MPI 4.1.4"}, {"btl_tcp_eager_limit", "65536"}};
enum { NKEYS = 3 };

static struct rec_link row(uint32_t tier, const char *name, double value)
{
	struct rec_link r = {.head = {REC_LINK, 0, sizeof(r) / 8, tier},
		.peer = -1,
		.bytes = UINT64_MAX,
		.value = value,
		.ci_low = NAN,
		.ci_high = NAN};

	strcpy(r.model, "LogGPS");
	strcpy(r.name, name);
	strcpy(r.source, "measured");
	return r;
}

static void rows_come_back_as_they_were_written(void)
{
	struct rec_link rows[3] = {row(TIER_NODE, "L", NAN), row(TIER_NETWORK, "S", 65480),
		row(TIER_SELF, "residual", -1.0 / 3)};
	const char *path = scratch_path(dir, "links");
	struct link_file read;

	strcpy(rows[0].reason, "overheads overlap the delivery");
	memset(rows[1].form, 'f', sizeof(rows[1].form) - 1);
	rows[2].peer = 0;
	rows[2].bytes = 0;
	rows[2].ci_low = -INFINITY;
	CU_ASSERT_EQUAL(links_write(path, keys, NKEYS, rows, 3, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(links_read(path, NULL, 0, &read, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(read.nlinks, 3);
	for (int i = 0; i < 3; i++) {
		struct rec_link *r = &read.link[i];

		/* one NaN is as good as another */
		if (isnan(r->value) && isnan(rows[i].value))
			r->value = rows[i].value;
		if (isnan(r->ci_low) && isnan(rows[i].ci_low))
			r->ci_low = rows[i].ci_low;
		if (isnan(r->ci_high) && isnan(rows[i].ci_high))
			r->ci_high = rows[i].ci_high;
		CU_ASSERT_EQUAL(memcmp(r, &rows[i], sizeof(*r)), 0);
	}
	links_release(&read);
}

static void a_fingerprint_must_be_equal_in_any_order(void)
{
	struct link_key other[] = {keys[2], keys[0], keys[1], {"ppn", "4"}};
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};
	const char *path = scratch_path(dir, "fingerprint");
	struct link_file read;

	CU_ASSERT_EQUAL(links_read(path, keys, NKEYS, &read, NULL), -ENOENT);
	CU_ASSERT_EQUAL(links_write(path, keys, NKEYS, rows, 1, NULL), 0);
	CU_ASSERT_EQUAL(links_read(path, other, 3, &read, NULL), 0);
	links_release(&read);
	CU_ASSERT_EQUAL(links_read(path, other, 2, &read, NULL), -ESTALE);
	CU_ASSERT_EQUAL(links_read(path, other, 4, &read, NULL), -ESTALE);
	other[0].value = "65537";
	CU_ASSERT_EQUAL(links_read(path, other, 3, &read, NULL), -ESTALE);
}

static void the_cache_has_a_file_for_each_fingerprint(void)
{
	struct link_key other[] = {keys[2], keys[0], keys[1]};
	char a[PATH_MAX], b[PATH_MAX];
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};

	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	CU_ASSERT_EQUAL(links_cache_path(NULL, keys, NKEYS, false, a, sizeof(a)), -ENOENT);
	setenv("HOME", dir, 1);
	CU_ASSERT_EQUAL(links_cache_path(NULL, keys, NKEYS, true, a, sizeof(a)), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(a, "/.cache/tryst/"));
	CU_ASSERT_EQUAL(links_write(a, keys, NKEYS, rows, 1, NULL), 0);
	CU_ASSERT_EQUAL(links_cache_path(NULL, other, NKEYS, false, b, sizeof(b)), 0);
	CU_ASSERT_STRING_EQUAL(a, b);
	other[1].value = "y";
	CU_ASSERT_EQUAL(links_cache_path(NULL, other, NKEYS, false, b, sizeof(b)), 0);
	CU_ASSERT_STRING_NOT_EQUAL(a, b);
	CU_ASSERT_EQUAL(links_cache_path(NULL, keys, NKEYS, false, b, 20), -ENAMETOOLONG);
	CU_ASSERT_EQUAL(links_cache_path("relative", keys, NKEYS, false, b, sizeof(b)), 0);
	CU_ASSERT_EQUAL(strncmp(b, "relative/", 9), 0);
}

/* Copies a good file to `name` with `bytes` of `data` at `offset` changed. */
static const char *damaged(const char *name, uint64_t offset, const void *data, size_t bytes)
{
	const char *path = scratch_path(dir, name), *good = scratch_path(dir, "good");
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};
	size_t size;
	uint8_t *file;

	CU_ASSERT_EQUAL(links_write(good, keys, NKEYS, rows, 1, NULL), 0);
	file = scratch_read(good, &size);
	memcpy(file + offset, data, bytes);
	scratch_write(path, file, size);
	free(file);
	return path;
}

static void damaged_newer_and_foreign_files_are_named_and_count_as_absent(void)
{
	static const char newer[4] = {0, 0, 0, DB_LINKS_VERSION + 1}, foreign[4] = "abcd";
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};
	struct say_list said;
	struct link_file read;
	const char *path;

	say_list_init(&said);
	path = damaged("newer", 60, newer, 4);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EPROTO);
	CU_ASSERT(scratch_said(&said, "newer': version 2, this tryst reads up to 1"));
	CU_ASSERT_EQUAL(links_write(path, keys, NKEYS, rows, 1, &said.say), -EEXIST);
	path = damaged("foreign", 68, foreign, 4);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "foreign': not a file of tryst's link parameters"));
	CU_ASSERT_EQUAL(links_write(path, keys, NKEYS, rows, 1, &said.say), -EEXIST);
	path = damaged("schema", 100, "\x0d\xff\xff\xff\xff\xff\xff\xff", 8);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EINVAL);
	scratch_write(path, "text\n", 5);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EINVAL);
	scratch_write(path, "", 0);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EINVAL);
	CU_ASSERT_EQUAL(links_read(dir, NULL, 0, &read, &said.say), -EINVAL);
	CU_ASSERT_EQUAL(scratch_lines(&said), 8);
	CU_ASSERT_PTR_NULL(read.link);
}

static void a_damaged_file_of_the_cache_is_replaced(void)
{
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};
	char path[PATH_MAX];
	struct link_file read;

	CU_ASSERT_EQUAL(links_cache_path(dir, keys, NKEYS, true, path, sizeof(path)), 0);
	scratch_write(path, "garbage", 7);
	CU_ASSERT_EQUAL(links_read(path, keys, NKEYS, &read, NULL), -EINVAL);
	CU_ASSERT_EQUAL(links_write(path, keys, NKEYS, rows, 1, NULL), 0);
	CU_ASSERT_EQUAL(links_read(path, keys, NKEYS, &read, NULL), 0);
	links_release(&read);
}

static void what_cannot_be_written_is_said_and_leaves_nothing(void)
{
	struct rec_link rows[1] = {row(TIER_NODE, "L", 1)};
	struct say_list said;

	say_list_init(&said);
	CU_ASSERT_EQUAL(
		links_write(scratch_path(dir, "no/such/file"), keys, NKEYS, rows, 1, &said.say),
		-ENOENT);
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT(scratch_said(&said, "No such file or directory"));
}

static const struct unit_test tests[] = {
	{"rows come back as they were written", rows_come_back_as_they_were_written},
	{"a fingerprint must be equal, in any order", a_fingerprint_must_be_equal_in_any_order},
	{"the cache has a file for each fingerprint", the_cache_has_a_file_for_each_fingerprint},
	{"damaged, newer and foreign files are named and count as absent",
		damaged_newer_and_foreign_files_are_named_and_count_as_absent},
	{"a damaged file of the cache is replaced", a_damaged_file_of_the_cache_is_replaced},
	{"what cannot be written is said and leaves nothing",
		what_cannot_be_written_is_said_and_leaves_nothing},
	{NULL, NULL}};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("links", tests);
	scratch_remove(dir);
	return failed;
}
