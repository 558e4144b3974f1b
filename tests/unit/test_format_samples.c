/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_samples.c: records of samples and of times without a CPU become the right rows. */
#include "tests/unit/unit.h"

#include <string.h>

#include "tests/unit/record_ring.h"

static void add_sample(
	uint32_t thread, uint32_t callsite, uint32_t after, uint32_t place, uint32_t count)
{
	const struct rec_sample sample = { { .type = REC_SAMPLE, .id = thread }, callsite, after,
		place, count };

	add(&sample, sizeof(sample));
}

static void add_off_cpu(uint8_t what, uint64_t out, uint64_t in)
{
	const struct rec_off_cpu off = { { .type = REC_OFF_CPU, .pad = what, .id = THREAD }, 8, 7,
		ZERO + out, ZERO + in };

	add(&off, sizeof(off));
}

static void samples_of_one_place_between_two_calls_add_up(void)
{
	sqlite3 *db;

	begin();
	add_sample(THREAD, 8, 7, 20, 3);
	add_sample(THREAD, 8, 7, 20, 4);
	add_sample(THREAD, 8, 7, 21, 1);
	add_sample(THREAD, 9, 7, 20, 1);
	add_sample(THREAD, 9, 7, 20, 0);
	add_sample(THREAD_OUTSIDE + 1, 0, 0, 20, 5);
	db = rows();
	expect(db, "SELECT count(*) FROM sample_cell", 4);
	expect(db, "SELECT count FROM sample_cell WHERE callsite = 8 AND after = 7 AND place = 20",
		7);
	expect(db, "SELECT thread FROM sample_cell WHERE count = 5", -2);
	expect(db, "SELECT sum(samples) FROM computation", 14);
	expect(db, "SELECT sum(samples) FROM computation WHERE after_callsite IS NULL", 5);
	sqlite3_close(db);
}

static void add_key(const char *key, const char *value)
{
	_Alignas(8) struct {
		struct rec_head head;
		char text[48];
	} record = { { .type = REC_KEY }, "" };

	memcpy(record.text, key, strlen(key));
	memcpy(record.text + strlen(key) + 1, value, strlen(value));
	add(&record, sizeof(record));
}

/* Of 100 us of CPU time, 7 samples of 10 us lie outside of calls and 1 inside. */
static void the_kernel_had_the_cpu_time_that_samples_leave(void)
{
	sqlite3 *db;

	for (int lost = 0; lost < 2; lost++) {
		begin();
		add_sample(0, 8, 7, 20, 3);
		add_sample(0, 9, 8, 20, 4);
		add_sample(THREAD, 8, 7, 20, 5);
		add_key("cpu_ns", "100000");
		add_key("sample_period_ns", "10000");
		add_key("samples_in_calls", "1");
		if (lost)
			add_key("samples_lost_bytes", "24");
		db = rows();
		expect(db, "SELECT outside_ns FROM cpu_time", 70000);
		expect(db, "SELECT inside_ns FROM cpu_time", 10000);
		expect(db, "SELECT coalesce(kernel_ns, -1) FROM cpu_time", lost ? -1 : 20000);
		sqlite3_close(db);
	}
}

static void many_cells_all_arrive(void)
{
	enum { MANY = 3000 };
	sqlite3 *db;

	begin();
	for (uint32_t i = 0; i < MANY; i++)
		add_sample(THREAD, 8, 7, 2 + i % (MANY / 2), 1);
	db = rows();
	expect(db, "SELECT count(*) FROM sample_cell WHERE count = 2", MANY / 2);
	sqlite3_close(db);
}

static void times_without_a_cpu_are_rows_by_what_they_were(void)
{
	sqlite3 *db;

	begin();
	add_off_cpu(OFF_CPU_PREEMPTED, 100, 50100);
	add_off_cpu(OFF_CPU_GAVE_UP, 60000, 90000);
	add_off_cpu(OFF_CPU_POLLING, 200000, 230000);
	add_off_cpu(OFF_CPU_PREEMPTED, 300000, 2300000);
	add_off_cpu(0, 1, 2);
	add_off_cpu(OFF_CPU_POLLING + 1, 1, 2);
	add_off_cpu(OFF_CPU_POLLING, 2, 1);
	db = rows();
	expect(db, "SELECT count(*) FROM off_cpu", 4);
	expect(db, "SELECT enter_ns FROM off_cpu WHERE what = 'gave_up'", 60000);
	expect(db, "SELECT off_ns FROM off_cpu WHERE what = 'polling' AND thread = 3", 30000);
	expect(db, "SELECT value FROM run WHERE key = 'damaged_records'", 3);
	expect(db, "SELECT loss_ns FROM cpu_loss WHERE count = 2", 2050000);
	expect(db, "SELECT longest_ns FROM cpu_loss WHERE below_100us = 1 AND below_10ms = 1",
		2000000);
	expect(db, "SELECT since_1ms FROM cpu_loss", 1);
	sqlite3_close(db);
}

/* Of times that are read together, the newest comes first. */
static void times_without_a_cpu_are_in_the_order_in_which_they_began(void)
{
	enum { MANY = 2000 };
	sqlite3 *db;

	begin();
	for (int i = 0; i < MANY; i++)
		add_off_cpu(OFF_CPU_GAVE_UP, 100000 + 1000 * (uint64_t)(i ^ 7),
			100500 + 1000 * (uint64_t)(i ^ 7));
	add_off_cpu(OFF_CPU_POLLING, 100, 200);
	db = rows();
	expect(db, "SELECT count(*) FROM off_cpu_row", MANY + 1);
	expect(db,
		"SELECT count(*) FROM off_cpu_row a JOIN off_cpu_row b ON b.id = a.id + 1 "
		"WHERE b.enter > a.enter",
		MANY);
	sqlite3_close(db);
}

static void beyond_the_row_limit_times_without_a_cpu_are_sums(void)
{
	_Alignas(8) struct {
		struct rec_head head;
		char text[16];
	} limit = { { .type = REC_KEY },
		"TRYST_MAX_OPS\0"
		"2" };
	sqlite3 *db;

	begin();
	add(&limit, sizeof(limit));
	for (uint64_t i = 0; i < 5; i++)
		add_off_cpu(OFF_CPU_PREEMPTED, 100000 * i, 100000 * i + 30000 + i);
	db = rows();
	expect(db, "SELECT count(*) FROM off_cpu", 2);
	expect(db, "SELECT count FROM off_cpu_cell WHERE max_ns = 30004 AND callsite = 8", 3);
	expect(db, "SELECT loss_ns FROM cpu_loss WHERE count = 5 AND longest_ns = 30004", 150010);
	sqlite3_close(db);
}

static const struct unit_test tests[] = { { "samples of one place between two calls add up",
						  samples_of_one_place_between_two_calls_add_up },
	{ "the kernel had the CPU time that samples leave",
		the_kernel_had_the_cpu_time_that_samples_leave },
	{ "many cells all arrive", many_cells_all_arrive },
	{ "times without a CPU are rows by what they were",
		times_without_a_cpu_are_rows_by_what_they_were },
	{ "times without a CPU are in the order in which they began",
		times_without_a_cpu_are_in_the_order_in_which_they_began },
	{ "beyond the row limit times without a CPU are sums",
		beyond_the_row_limit_times_without_a_cpu_are_sums },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("format_samples", tests);
	scratch_remove(dir);
	return failed;
}
