/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_format_calibration.c: calibrations are read as they were written, and damaged files are
 * refused by name and reason.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/model/models.h"
#include "analysis/format/links/calibration.h"
#include "analysis/format/db/db.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static char dir[PATH_MAX];
static const struct link_key key = { "cpu", "x" };

static struct rec_link link_row(void)
{
	struct rec_link r = { .head = { .type = REC_LINK, .words = sizeof(r) / 8, .id = TIER_NODE },
		.peer = -1,
		.bytes = UINT64_MAX,
		.value = 4040,
		.ci_low = NAN,
		.ci_high = NAN };

	strcpy(r.model, "LogGPS");
	strcpy(r.name, "S");
	return r;
}

enum { NSAMPLES = 3 };

static const struct sample samples[NSAMPLES] = {
	{ .from = 0, .to = 1, .kind = SAMPLE_RTT, .bytes = 8, .value_ns = 900.5, .truth = 1 },
	{ .from = 1,
		.to = 0,
		.kind = SAMPLE_LATE_MATCH,
		.form = SAMPLE_RSEND_INIT,
		.layout = SAMPLE_STRIDED,
		.bytes = 1ull << 40,
		.delay_ns = 100000,
		.repetition = 7,
		.value_ns = 1 },
	{ .from = 0,
		.to = 1,
		.kind = SAMPLE_FLOW,
		.flow = SAMPLE_FLOW_MIXED_OUT,
		.count = 1,
		.bytes = 0,
		.value_ns = 3 },
};

static int write_file(const char *path)
{
	struct calibration_pair pair = {
		.from = 0, .to = 1, .tier = TIER_NODE, .from_host = "a", .to_host = "b"
	};
	struct calibration_fit fit = { .from = 0, .to = 1 };
	struct calibration_residual residual = { 0, 1, &model_plogp, MODEL_ROUND_TRIP, 8, 0, 100,
		103 };
	struct calibration c = { .pair = &pair,
		.npairs = 1,
		.sample = (struct sample *)samples,
		.nsamples = NSAMPLES,
		.fit = &fit,
		.nfits = 1,
		.residual = &residual,
		.nresiduals = 1 };
	struct rec_link row = link_row();
	int rc;

	model_params_init(&fit.params, &model_plogp);
	model_set(&fit.params, 0, MODEL_NO_BYTES, NAN, NAN, NAN, "not seen");
	model_set(&fit.params, 1, 8, 1.0 / 3, 0.3, NAN, NULL);
	model_set(&fit.params, 1, 9, 2, NAN, NAN, NULL);
	model_find_add(&fit.findings, FINDING_NOISE, 1, SAMPLE_RTT, 8, UINT64_MAX, "noisy");
	rc = calibration_write(path, &key, 1, &row, 1, &c, NULL);
	model_params_release(&fit.params);
	model_findings_release(&fit.findings);
	return rc;
}

static void a_calibration_is_for_all_whom_the_umask_lets_read(void)
{
	const char *path = scratch_path(dir, "shared.links");
	const mode_t before = umask(022);
	struct stat st;

	CU_ASSERT_EQUAL(write_file(path), 0);
	umask(before);
	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0644);
}

static void a_calibration_comes_back_as_it_was_written(void)
{
	const char *path = scratch_path(dir, "whole.links");
	struct link_file links;
	struct calibration c;

	CU_ASSERT_EQUAL_FATAL(write_file(path), 0);
	CU_ASSERT_EQUAL_FATAL(write_file(path), 0); /* replaces itself */
	CU_ASSERT_EQUAL_FATAL(calibration_read(path, &c, NULL), 0);
	CU_ASSERT(c.npairs == 1 && c.pair[0].tier == TIER_NODE &&
		strcmp(c.pair[0].to_host, "b") == 0);
	CU_ASSERT_EQUAL_FATAL(c.nsamples, NSAMPLES);
	for (int i = 0; i < NSAMPLES; i++) {
		const struct sample *a = &samples[i], *b = &c.sample[i];

		CU_ASSERT(a->from == b->from && a->to == b->to && a->kind == b->kind &&
			a->form == b->form && a->layout == b->layout && a->flow == b->flow);
		CU_ASSERT(a->truth == b->truth && a->count == b->count && a->bytes == b->bytes &&
			a->delay_ns == b->delay_ns && a->repetition == b->repetition);
		CU_ASSERT(a->value_ns == b->value_ns);
	}
	CU_ASSERT_EQUAL_FATAL(c.nfits, 1);
	CU_ASSERT_PTR_EQUAL(c.fit[0].params.model, &model_plogp);
	CU_ASSERT(model_value(&c.fit[0].params, 1, 8)->value == 1.0 / 3);
	CU_ASSERT(isnan(model_value(&c.fit[0].params, 1, 8)->ci_high));
	CU_ASSERT_STRING_EQUAL(
		model_value(&c.fit[0].params, 0, MODEL_NO_BYTES)->reason, "not seen");
	calibration_release(&c);
	/* and the shim reads the same file */
	CU_ASSERT_EQUAL_FATAL(links_read(path, &key, 1, &links, NULL), 0);
	CU_ASSERT(links.nlinks == 1 && links.link[0].value == 4040);
	links_release(&links);
}

static void the_longest_round_trip_is_one_of_the_pair_and_no_other_message(void)
{
	struct sample some[] = {
		{ .from = 0, .to = 1, .kind = SAMPLE_RTT, .bytes = 32 },
		{ .from = 0, .to = 1, .kind = SAMPLE_RTT, .bytes = 0 },
		{ .from = 0, .to = 1, .kind = SAMPLE_SEND, .bytes = 4096 },
		{ .from = 1, .to = 0, .kind = SAMPLE_RTT, .bytes = 64 },
		{ .from = 2, .to = 3, .kind = SAMPLE_RTT, .bytes = 0 },
	};
	const struct calibration c = { .sample = some, .nsamples = sizeof(some) / sizeof(*some) };

	CU_ASSERT_EQUAL(calibration_longest_bytes(&c, 0, 1), 32);
	CU_ASSERT_EQUAL(calibration_longest_bytes(&c, 1, 0), 64);
	CU_ASSERT_EQUAL(calibration_longest_bytes(&c, 2, 3), 0);
	CU_ASSERT_EQUAL(calibration_longest_bytes(&c, 3, 2), -1);
}

static void link_parameters_alone_are_a_calibration_without_samples(void)
{
	const char *path = scratch_path(dir, "alone.links");
	struct rec_link row = link_row();
	struct calibration c;

	CU_ASSERT_EQUAL_FATAL(links_write(path, 0666, &key, 1, &row, 1, LINKS_BY_LAUNCH, NULL), 0);
	CU_ASSERT_EQUAL(calibration_read(path, &c, NULL), 0);
	CU_ASSERT(c.npairs == 0 && c.nsamples == 0 && c.nfits == 0);
	calibration_release(&c);
}

static void put_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* Reads must fail with a line that names the file. */
static void expect_refused(const char *path, int want)
{
	struct say_list said;
	struct calibration c;
	const char *line;
	int rc;

	say_list_init(&said);
	rc = calibration_read(path, &c, &said.say);
	CU_ASSERT(want ? rc == want : rc < 0);
	line = say_list_next(&said, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	if (!strstr(line, path))
		fprintf(stderr, "\n%s\n", line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, path));
	calibration_release(&c);
}

static void execute(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &db), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void what_is_no_calibration_is_refused_by_name_and_reason(void)
{
	static const char *const damage[] = {
		"UPDATE sample SET kind = 'riddle'",
		"UPDATE sample SET form = 'riddle'",
		"UPDATE sample SET bytes = -1",
		"UPDATE sample SET count = -5",
		"UPDATE fit SET model = 'riddle'",
		"UPDATE fit SET name = 'riddle'",
		"UPDATE fit SET value = -1",
		"UPDATE fit SET value = 9e999",
		"UPDATE calibration_pair SET tier = 'moon'",
		"DROP TABLE sample; CREATE TABLE sample(x)",
	};
	const char *path = scratch_path(dir, "bad.links");

	expect_refused(scratch_path(dir, "nowhere.links"), -ENOENT);
	put_file(path, "", 0);
	expect_refused(path, 0);
	put_file(path, "a text of no meaning, long enough to be read as a header of something", 70);
	expect_refused(path, 0);
	unlink(path);
	CU_ASSERT_EQUAL_FATAL(write_file(path), 0);
	execute(path, "PRAGMA user_version = 99");
	expect_refused(path, -EPROTO);
	unlink(path);
	CU_ASSERT_EQUAL_FATAL(write_file(path), 0);
	execute(path, "PRAGMA application_id = 1");
	expect_refused(path, -EINVAL);
	for (size_t i = 0; i < sizeof(damage) / sizeof(*damage); i++) {
		unlink(path);
		CU_ASSERT_EQUAL_FATAL(write_file(path), 0);
		execute(path, damage[i]);
		expect_refused(path, -EINVAL);
	}
}

/* Any truncation and many changed bytes: an error or a sound calibration, never a crash. */
static void damaged_bytes_do_no_harm(void)
{
	const char *whole = scratch_path(dir, "whole.links"),
		   *path = scratch_path(dir, "cut.links");
	static char bytes[1 << 18], changed[1 << 18];
	unsigned refused = 0, tried = 0;
	struct calibration c;
	FILE *f;
	size_t n;

	unlink(whole);
	CU_ASSERT_EQUAL_FATAL(write_file(whole), 0);
	f = fopen(whole, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (size_t cut = 0; cut < n; cut += 509, tried++) {
		put_file(path, bytes, cut);
		refused += calibration_read(path, &c, NULL) < 0;
		calibration_release(&c);
	}
	CU_ASSERT_EQUAL(refused, tried);
	for (size_t at = 0; at < n; at += 97) {
		memcpy(changed, bytes, n);
		changed[at] ^= (char)(1 << at % 8);
		changed[(at * 31) % n] = (char)0xff;
		put_file(path, changed, n);
		calibration_read(path, &c, NULL);
		calibration_release(&c);
	}
}

static void another_file_is_left_alone(void)
{
	const char *path = scratch_path(dir, "thesis.tex");
	char text[8] = "";
	FILE *f;

	put_file(path, "years", 5);
	CU_ASSERT_EQUAL(write_file(path), -EEXIST);
	CU_ASSERT_EQUAL(calibration_remove(path, NULL), -EEXIST);
	f = fopen(path, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fread(text, 1, 7, f), 5);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(text, "years");
}

static void a_calibration_is_removed_where_it_is_there(void)
{
	const char *path = scratch_path(dir, "old.links");

	CU_ASSERT_EQUAL_FATAL(write_file(path), 0);
	CU_ASSERT_EQUAL(calibration_remove(path, NULL), 0);
	CU_ASSERT_EQUAL(access(path, F_OK), -1);
	CU_ASSERT_EQUAL(calibration_remove(path, NULL), 0);
}

static const struct unit_test tests[] = {
	{ "a calibration is for all whom the umask lets read",
		a_calibration_is_for_all_whom_the_umask_lets_read },
	{ "a calibration comes back as it was written",
		a_calibration_comes_back_as_it_was_written },
	{ "the longest round trip is one of the pair, and no other message",
		the_longest_round_trip_is_one_of_the_pair_and_no_other_message },
	{ "link parameters alone are a calibration without samples",
		link_parameters_alone_are_a_calibration_without_samples },
	{ "what is no calibration is refused by name and reason",
		what_is_no_calibration_is_refused_by_name_and_reason },
	{ "damaged bytes do no harm", damaged_bytes_do_no_harm },
	{ "another file is left alone", another_file_is_left_alone },
	{ "a calibration is removed where it is there",
		a_calibration_is_removed_where_it_is_there },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("calibration", tests);
	scratch_remove(dir);
	return failed;
}
