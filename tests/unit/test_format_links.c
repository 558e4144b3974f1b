/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_format_links.c: files and cache of link parameters are written, read, confirmed and refused.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/links/cache.h"
#include "tests/unit/scratch.h"

static char dir[PATH_MAX];
static const struct link_key keys[] = { { "cpu", "x" }, { "mpi", "Open MPI 4.1.4" },
	{ "btl_tcp_eager_limit", "65536" } };
enum { NKEYS = 3 };

static struct rec_link row(uint32_t tier, const char *name, double value)
{
	struct rec_link r = { .head = { REC_LINK, 0, sizeof(r) / 8, tier },
		.peer = -1,
		.bytes = UINT64_MAX,
		.value = value,
		.ci_low = NAN,
		.ci_high = NAN };

	strcpy(r.model, "LogGPS");
	strcpy(r.name, name);
	strcpy(r.source, "measured");
	return r;
}

static void rows_come_back_as_they_were_written(void)
{
	struct rec_link rows[3] = { row(TIER_NODE, "L", NAN), row(TIER_NETWORK, "S", 65480),
		row(TIER_SELF, "residual", -1.0 / 3) };
	const char *path = scratch_path(dir, "links");
	struct link_file read;

	strcpy(rows[0].reason, "overheads overlap the delivery");
	memset(rows[1].form, 'f', sizeof(rows[1].form) - 1);
	rows[2].peer = 0;
	rows[2].bytes = 0;
	rows[2].ci_low = -INFINITY;
	CU_ASSERT_EQUAL(links_write(path, 0666, keys, NKEYS, rows, 3, LINKS_BY_LAUNCH, NULL), 0);
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

static void change(const char *path, const char *sql)
{
	sqlite3 *db;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &db), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void expect_origin(const char *path, int64_t measured_at, const char *by)
{
	struct link_file read;

	CU_ASSERT_EQUAL_FATAL(links_read(path, keys, NKEYS, &read, NULL), 0);
	CU_ASSERT_EQUAL(read.measured_at, measured_at);
	CU_ASSERT_STRING_EQUAL(read.by, by);
	links_release(&read);
}

static void a_file_tells_when_it_was_measured_and_by_whom_and_need_not(void)
{
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	const char *path = scratch_path(dir, "origin");
	const time_t before = time(NULL);
	struct link_file read;

	CU_ASSERT_EQUAL(links_write(path, 0666, keys, NKEYS, rows, 1, LINKS_BY_CALIBRATE, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(links_read(path, keys, NKEYS, &read, NULL), 0);
	CU_ASSERT(read.measured_at >= before && read.measured_at <= time(NULL));
	CU_ASSERT_STRING_EQUAL(read.by, LINKS_BY_CALIBRATE);
	links_release(&read);
	change(path,
		"UPDATE origin SET value = 86400 WHERE key = 'measured_at';"
		"UPDATE origin SET value = 'an earlier launch' WHERE key = 'by'");
	expect_origin(path, 86400, LINKS_BY_LAUNCH);
	change(path,
		"UPDATE origin SET value = -1 WHERE key = 'measured_at';"
		"UPDATE origin SET value = x'1b5b324a' WHERE key = 'by'");
	expect_origin(path, 0, "");
	/* as tryst wrote it before it knew of this table */
	change(path, "DROP TABLE origin");
	expect_origin(path, 0, "");
}

/* Anyone who may write in the cache may put there what has no end. */
static void tables_are_tables(void)
{
	static const char endless[] =
		" AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
		" SELECT x AS key, x AS value FROM n";
	static const char *const names[] = { "fingerprint", "link_param", "origin" };
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	const char *path = scratch_path(dir, "endless");
	struct link_file read;
	char sql[256], value[8];

	for (int i = 0; i < 3; i++) {
		unlink(path);
		CU_ASSERT_EQUAL_FATAL(
			links_write(path, 0666, keys, NKEYS, rows, 1, LINKS_BY_LAUNCH, NULL), 0);
		snprintf(sql, sizeof(sql), "DROP TABLE %s; CREATE VIEW %s%s", names[i], names[i],
			endless);
		change(path, sql);
		alarm(20);
		CU_ASSERT_EQUAL(links_read(path, keys, NKEYS, &read, NULL), -EINVAL);
		CU_ASSERT_FALSE(links_differ(path, &keys[0], value, sizeof(value)));
		alarm(0);
	}
}

static void a_fingerprint_must_be_equal_in_any_order(void)
{
	struct link_key other[] = { keys[2], keys[0], keys[1], { "ppn", "4" } };
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	const char *path = scratch_path(dir, "fingerprint");
	struct link_file read;

	CU_ASSERT_EQUAL(links_read(path, keys, NKEYS, &read, NULL), -ENOENT);
	CU_ASSERT_EQUAL(links_write(path, 0666, keys, NKEYS, rows, 1, LINKS_BY_LAUNCH, NULL), 0);
	CU_ASSERT_EQUAL(links_read(path, other, 3, &read, NULL), 0);
	links_release(&read);
	CU_ASSERT_EQUAL(links_read(path, other, 2, &read, NULL), -ESTALE);
	CU_ASSERT_EQUAL(links_read(path, other, 4, &read, NULL), -ESTALE);
	other[0].value = "65537";
	CU_ASSERT_EQUAL(links_read(path, other, 3, &read, NULL), -ESTALE);
}

static void the_cache_has_files_for_each_fingerprint(void)
{
	const struct link_key other[] = { keys[2], keys[0], keys[1] },
			      foreign[] = { keys[2], keys[0], { "mpi", "y" } };
	const struct links_cache here = { NULL, keys, NKEYS }, same = { NULL, other, NKEYS },
				 another = { NULL, foreign, NKEYS },
				 relative = { "relative", keys, NKEYS };
	const struct cached_sets none = { .n = 0 };
	char a[PATH_MAX], b[PATH_MAX];
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	struct link_file read;

	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	CU_ASSERT_EQUAL(links_cache_path(&here, 0, a, sizeof(a)), -ENOENT);
	CU_ASSERT_EQUAL(links_cache_write(&here, &none, rows, 1, LINKS_BY_LAUNCH, NULL), -ENOENT);
	setenv("HOME", dir, 1);
	CU_ASSERT_EQUAL(links_cache_path(&here, 0, a, sizeof(a)), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(a, "/.cache/tryst/"));
	CU_ASSERT_EQUAL(links_cache_write(&here, &none, rows, 1, LINKS_BY_LAUNCH, NULL), 0);
	CU_ASSERT_EQUAL(links_read(a, keys, NKEYS, &read, NULL), 0);
	links_release(&read);
	CU_ASSERT_EQUAL(links_cache_path(&same, 0, b, sizeof(b)), 0);
	CU_ASSERT_STRING_EQUAL(a, b);
	CU_ASSERT_EQUAL(links_cache_path(&another, 0, b, sizeof(b)), 0);
	CU_ASSERT_STRING_NOT_EQUAL(a, b);
	CU_ASSERT_EQUAL(links_cache_path(&here, 0, b, 20), -ENAMETOOLONG);
	CU_ASSERT_EQUAL(links_cache_path(&relative, 0, b, sizeof(b)), 0);
	CU_ASSERT_EQUAL(strncmp(b, "relative/", 9), 0);
	for (unsigned place = 0; place < LINKS_CACHE_SETS; place++) {
		CU_ASSERT_EQUAL(links_cache_path(&here, place, b, sizeof(b)), 0);
		CU_ASSERT(links_cache_names(b));
		CU_ASSERT_EQUAL(strcmp(a, b) == 0, place == 0);
	}
	CU_ASSERT_FALSE(links_cache_names("0123456789abcdef-0.links"));
	CU_ASSERT_FALSE(links_cache_names("0123456789abcdef-4.links"));
	CU_ASSERT_FALSE(links_cache_names("0123456789abcdef.link"));
	CU_ASSERT_FALSE(links_cache_names("/0123456789abcdef.links/mine"));
}

/* The values of the sets in a cache of that name, the one last confirmed first. */
static void expect_sets(const struct links_cache *cache, size_t n, const double *values)
{
	struct cached_sets sets = { .n = 0 };

	links_cache_read(cache, &sets, NULL);
	CU_ASSERT_EQUAL(sets.n, n);
	for (size_t i = 0; i < n && i < sets.n; i++)
		CU_ASSERT_EQUAL(sets.set[i].file.link[0].value, values[i]);
	cached_sets_release(&sets);
}

/* File systems keep the time of the last tick. */
static void wait_for_a_new_time(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

/* Adds a set of one value, as a run does that found none of the others true. */
static void add_set(const struct links_cache *cache, double value)
{
	struct rec_link rows[1] = { row(TIER_NODE, "L", value) };
	struct cached_sets sets = { .n = 0 };

	links_cache_read(cache, &sets, NULL);
	CU_ASSERT_EQUAL(links_cache_write(cache, &sets, rows, 1, LINKS_BY_LAUNCH, NULL), 0);
	cached_sets_release(&sets);
	wait_for_a_new_time();
}

static void the_set_that_was_not_confirmed_for_longest_makes_room(void)
{
	char folder[PATH_MAX];
	const struct links_cache cache = { folder, keys, NKEYS };
	struct cached_sets sets = { .n = 0 };

	strcpy(folder, scratch_path(dir, "sets"));
	for (int value = 1; value <= LINKS_CACHE_SETS; value++)
		add_set(&cache, value);
	expect_sets(&cache, 4, (double[]){ 4, 3, 2, 1 });
	links_cache_read(&cache, &sets, NULL);
	links_cache_confirm(&cache, &sets, 3);
	wait_for_a_new_time();
	links_cache_confirm(&cache, &sets, 1);
	wait_for_a_new_time();
	cached_sets_release(&sets);
	expect_sets(&cache, 4, (double[]){ 3, 1, 4, 2 });
	add_set(&cache, 5);
	expect_sets(&cache, 4, (double[]){ 5, 3, 1, 4 });
	add_set(&cache, 6);
	expect_sets(&cache, 4, (double[]){ 6, 5, 3, 1 });
}

static void what_cannot_be_read_makes_room_before_any_set(void)
{
	static const char newer[4] = { 0, 0, 0, DB_LINKS_VERSION + 1 };
	char folder[PATH_MAX], path[PATH_MAX];
	const struct links_cache cache = { folder, keys, NKEYS };
	size_t bytes, after;
	uint8_t *file, *kept;

	strcpy(folder, scratch_path(dir, "damage"));
	for (int value = 1; value <= LINKS_CACHE_SETS; value++)
		add_set(&cache, value);
	links_cache_path(&cache, 2, path, sizeof(path));
	scratch_write(path, "garbage", 7);
	expect_sets(&cache, 3, (double[]){ 4, 2, 1 });
	add_set(&cache, 5);
	expect_sets(&cache, 4, (double[]){ 5, 4, 2, 1 });
	/* what a newer tryst wrote there is not ours to replace */
	file = scratch_read(path, &bytes);
	memcpy(file + 60, newer, sizeof(newer));
	scratch_write(path, file, bytes);
	add_set(&cache, 6);
	expect_sets(&cache, 3, (double[]){ 6, 4, 2 });
	kept = scratch_read(path, &after);
	CU_ASSERT(after == bytes && memcmp(file, kept, bytes) == 0);
	free(kept);
	free(file);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void the_cache_is_the_users_alone(void)
{
	char above[PATH_MAX], folder[PATH_MAX], path[PATH_MAX];
	const struct links_cache cache = { folder, keys, NKEYS };
	const mode_t before = umask(0);

	strcpy(above, scratch_path(dir, "private"));
	strcpy(folder, scratch_path(above, "links"));
	add_set(&cache, 1);
	umask(before);
	links_cache_path(&cache, 0, path, sizeof(path));
	CU_ASSERT_EQUAL(mode_of(above), 0700);
	CU_ASSERT_EQUAL(mode_of(folder), 0700);
	CU_ASSERT_EQUAL(mode_of(path), 0600);
}

static void what_others_may_have_written_is_not_used(void)
{
	static const mode_t modes[] = { 0720, 0702, 01777 };
	const struct cached_sets none = { .n = 0 };
	struct rec_link rows[1] = { row(TIER_NODE, "L", 3) };
	char folder[PATH_MAX], path[PATH_MAX];
	const struct links_cache cache = { folder, keys, NKEYS };
	struct cached_sets sets = { .n = 0 };
	struct say_list said;

	strcpy(folder, scratch_path(dir, "others"));
	add_set(&cache, 1);
	add_set(&cache, 2);
	links_cache_path(&cache, 0, path, sizeof(path));
	say_list_init(&said);
	chmod(path, 0620);
	links_cache_read(&cache, &sets, &said.say);
	CU_ASSERT_EQUAL(sets.n, 1);
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT(
		scratch_said(&said, "are not used: others may write it: 'chmod go-w' mends that"));
	cached_sets_release(&sets);
	/* it makes room before any set */
	add_set(&cache, 3);
	expect_sets(&cache, 2, (double[]){ 3, 2 });

	for (int i = 0; i < 3; i++) {
		chmod(folder, modes[i]);
		say_list_init(&said);
		links_cache_read(&cache, &sets, &said.say);
		CU_ASSERT_EQUAL(sets.n, 0);
		CU_ASSERT_EQUAL(scratch_lines(&said), 1);
		CU_ASSERT_EQUAL(scratch_said(&said, "'chmod go-w' mends that"), modes[i] != 01777);
		CU_ASSERT_EQUAL(
			links_cache_write(&cache, &none, rows, 1, LINKS_BY_LAUNCH, NULL), -EPERM);
	}
	chmod(folder, 0755);
	expect_sets(&cache, 2, (double[]){ 3, 2 });
	if (geteuid() != 0)
		return;
	CU_ASSERT_EQUAL_FATAL(chown(path, 12345, (gid_t)-1), 0);
	expect_sets(&cache, 1, (double[]){ 2 });
	CU_ASSERT_EQUAL_FATAL(chown(folder, 12345, (gid_t)-1), 0);
	expect_sets(&cache, 0, NULL);
}

/* Copies a good file to `name` with `bytes` of `data` at `offset` changed. */
static const char *damaged(const char *name, uint64_t offset, const void *data, size_t bytes)
{
	const char *path = scratch_path(dir, name), *good = scratch_path(dir, "good");
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	size_t size;
	uint8_t *file;

	CU_ASSERT_EQUAL(links_write(good, 0666, keys, NKEYS, rows, 1, LINKS_BY_LAUNCH, NULL), 0);
	file = scratch_read(good, &size);
	memcpy(file + offset, data, bytes);
	scratch_write(path, file, size);
	free(file);
	return path;
}

static void damaged_newer_and_foreign_files_are_named_and_count_as_absent(void)
{
	static const char newer[4] = { 0, 0, 0, DB_LINKS_VERSION + 1 }, foreign[4] = "abcd";
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	struct say_list said;
	struct link_file read;
	const char *path;

	say_list_init(&said);
	path = damaged("newer", 60, newer, 4);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EPROTO);
	CU_ASSERT(scratch_said(&said, "newer': version 2, this tryst reads up to 1"));
	CU_ASSERT_EQUAL(
		links_write(path, 0666, keys, NKEYS, rows, 1, LINKS_BY_LAUNCH, &said.say), -EEXIST);
	path = damaged("foreign", 68, foreign, 4);
	CU_ASSERT_EQUAL(links_read(path, NULL, 0, &read, &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "foreign': not a file of tryst's link parameters"));
	CU_ASSERT_EQUAL(
		links_write(path, 0666, keys, NKEYS, rows, 1, LINKS_BY_LAUNCH, &said.say), -EEXIST);
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

static void what_cannot_be_written_is_said_and_leaves_nothing(void)
{
	struct rec_link rows[1] = { row(TIER_NODE, "L", 1) };
	struct say_list said;

	say_list_init(&said);
	CU_ASSERT_EQUAL(links_write(scratch_path(dir, "no/such/file"), 0666, keys, NKEYS, rows, 1,
				LINKS_BY_LAUNCH, &said.say),
		-ENOENT);
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT(scratch_said(&said, "No such file or directory"));
}

static const struct unit_test tests[] = { { "rows come back as they were written",
						  rows_come_back_as_they_were_written },
	{ "a file tells when it was measured and by whom, and need not",
		a_file_tells_when_it_was_measured_and_by_whom_and_need_not },
	{ "a fingerprint must be equal, in any order", a_fingerprint_must_be_equal_in_any_order },
	{ "tables are tables", tables_are_tables },
	{ "the cache has files for each fingerprint", the_cache_has_files_for_each_fingerprint },
	{ "the set that was not confirmed for longest makes room",
		the_set_that_was_not_confirmed_for_longest_makes_room },
	{ "what cannot be read makes room before any set",
		what_cannot_be_read_makes_room_before_any_set },
	{ "the cache is the user's alone", the_cache_is_the_users_alone },
	{ "what others may have written is not used", what_others_may_have_written_is_not_used },
	{ "damaged, newer and foreign files are named and count as absent",
		damaged_newer_and_foreign_files_are_named_and_count_as_absent },
	{ "what cannot be written is said and leaves nothing",
		what_cannot_be_written_is_said_and_leaves_nothing },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("links", tests);
	scratch_remove(dir);
	return failed;
}
