/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_live.c: looks at a rank that goes on (analysis/format/run/live.h). */
#include "tests/unit/record_ring.h"

#include <string.h>

#include "analysis/format/run/live.h"
#include "analysis/format/run/process.h"
#include "tests/unit/scratch.h"

static struct live rank;
static struct live_buffers *buffers;
static uint64_t records, sum_calls;

static int see_record(void *context, uint32_t thread, const struct rec_head *record)
{
	(void)context;
	CU_ASSERT_EQUAL(thread, THREAD);
	CU_ASSERT_EQUAL(record->type, REC_OP);
	records++;
	return 0;
}

static void see_sum(void *context, uint32_t thread, const struct call_sum *change)
{
	(void)context, (void)thread;
	sum_calls += change->count;
}

/* The file as it is now, looked at. */
static void look(void)
{
	static const struct live_visitor visitor = { .record = see_record, .sum = see_sum };

	scratch_write(scratch_path(dir, "rank-000000.ring"), &file, sizeof(file));
	records = sum_calls = 0;
	CU_ASSERT_EQUAL(live_look(&rank, buffers, &visitor), 0);
}

static void receive(uint64_t op_id)
{
	const struct rec_op op = { .type = REC_OP,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING),
		.call = FN_MPI_Recv,
		.op_id = op_id,
		.enter_ticks = ZERO + 10 * op_id,
		.leave_ticks = ZERO + 10 * op_id + 7,
		.comm = COMM_WORLD_ID };

	add(&op, sizeof(op));
	/* the region of waits is looked at as one of sums here */
	((struct call_sum *)file.wait)->callsite = 2;
	((struct call_sum *)file.wait)->count++;
}

/* A rank of this process, with two receives, looked at once. */
static void start(void)
{
	live_release(&rank);
	rank = (struct live){ .dir = dir };
	begin();
	process_identify(&file.header);
	file.header.state = RING_OPEN;
	file.header.regions[1].kind = REGION_SUMS;
	receive(1);
	receive(2);
	look();
}

static const struct live_thread *thread(void)
{
	CU_ASSERT_EQUAL_FATAL(rank.nthreads, 1);
	return &rank.threads[0];
}

static void the_first_look_sees_all_that_the_ring_has(void)
{
	start();
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
	CU_ASSERT(rank.fresh);
	CU_ASSERT_EQUAL(records, 2);
	CU_ASSERT_EQUAL(rank.sums.calls, 2);
	CU_ASSERT_EQUAL(sum_calls, 0);
}

static void a_record_is_seen_once(void)
{
	start();
	look();
	CU_ASSERT(!rank.fresh && !rank.changed);
	CU_ASSERT_EQUAL(records, 0);
	receive(3);
	look();
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT_EQUAL(sum_calls, 1);
	CU_ASSERT(!thread()->turned);
}

/* The ring became full, and a chunk: its records since the last look have gone to the spool. */
static void a_ring_that_began_anew_is_seen_from_its_first_record_on(void)
{
	start();
	file.thread.seq++;
	file.thread.lap++;
	file.thread.head = 0;
	receive(3);
	receive(4);
	receive(5);
	look();
	CU_ASSERT(!rank.fresh);
	CU_ASSERT_EQUAL(records, 3);
	CU_ASSERT(thread()->turned);
	receive(6);
	look();
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT(!thread()->turned);
}

static void an_emptied_ring_has_turned_without_records(void)
{
	start();
	file.thread.seq++;
	file.thread.lap++;
	file.thread.head = 0;
	look();
	CU_ASSERT_EQUAL(records, 0);
	CU_ASSERT(thread()->turned);
}

/* A run of the same name writes over the file: the inode stays. */
static void another_run_in_the_same_file_begins_anew(void)
{
	start();
	begin();
	process_identify(&file.header);
	file.header.state = RING_OPEN;
	file.header.run_id = 6;
	file.header.regions[1].kind = REGION_SUMS;
	receive(1);
	receive(2);
	look();
	CU_ASSERT(rank.fresh);
	CU_ASSERT_EQUAL(records, 2);
	CU_ASSERT_EQUAL(sum_calls, 0);
	CU_ASSERT_EQUAL(rank.sums.calls, 2);
	receive(3);
	look();
	CU_ASSERT(!rank.fresh);
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT_EQUAL(sum_calls, 1);
}

static const struct unit_test tests[] = { { "the first look sees all that the ring has",
						  the_first_look_sees_all_that_the_ring_has },
	{ "a record is seen once", a_record_is_seen_once },
	{ "a ring that began anew is seen from its first record on",
		a_ring_that_began_anew_is_seen_from_its_first_record_on },
	{ "an emptied ring has turned without records",
		an_emptied_ring_has_turned_without_records },
	{ "another run in the same file begins anew", another_run_in_the_same_file_begins_anew },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	buffers = live_buffers_new();
	failed = buffers ? unit_main("live", tests) : 1;
	live_buffers_free(buffers);
	live_release(&rank);
	scratch_remove(dir);
	return failed;
}
