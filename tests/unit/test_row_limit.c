/* SPDX-License-Identifier: BSD-3-Clause */
/* test_row_limit.c: ops without rows are in the sums, each once, whatever can be written. */
#include <stdlib.h>

#include "tests/unit/unit.h"

/* The way that record/row_limit.c goes to the spool is ours here. */
#include "pmpi/record/row_limit.c"

struct ring_file *ring_file;
struct shim shim;
struct clock shim_clock = { .ns_per_tick = 1, .ns_mult = 1ULL << 32, .ticks_mult = 1ULL << 32 };

static struct thread *thread;
static const uint64_t no_ops[TABLE_COUNT] = { 0, 1000, 1000, 1000, 1000 };
static const uint64_t no_busy[TABLE_COUNT] = { 1000, 0, 1000, 1000, 1000 };
static const uint64_t two_ops[TABLE_COUNT] = { 2, 1000, 1000, 1000, 1000 };
static int batches_left; /* that can be written; -1: any number */
static uint64_t written; /* ops in the sums that were */
static uint64_t next_id;

bool ring_can_reserve(void)
{
	return true;
}

void *ring_region(uint64_t bytes, uint64_t *offset)
{
	*offset = 0;
	return calloc(1, bytes);
}

void ring_publish_region(enum region_kind kind, uint32_t of, uint64_t offset, uint64_t bytes)
{
	(void)kind;
	(void)of;
	(void)offset;
	(void)bytes;
}

int ring_write_sums(struct thread *t, struct chunk *chunk, uint64_t bytes)
{
	const struct {
		struct rec_head head;
		struct wait_sum sum;
	} *record = (const void *)(chunk + 1);

	(void)t;
	if (batches_left == 0)
		return -1;
	batches_left -= batches_left > 0;
	for (uint64_t i = 0; i < bytes / sizeof(*record); i++)
		written += record[i].sum.count;
	return 0;
}

void ring_flush(struct thread *t)
{
	(void)t;
}

/* As mapped memory would be: zeros, aligned. */
static void *zeros(size_t bytes)
{
	void *at = aligned_alloc(64, (bytes + 63) / 64 * 64);

	return at ? memset(at, 0, bytes) : NULL;
}

static void begin(void)
{
	free(ring_file);
	ring_file = zeros(sizeof(*ring_file));
	if (!thread) {
		thread = zeros(sizeof(*thread));
		thread->region = zeros(sizeof(*thread->region));
	}
	memset(thread->in_ring, 0, sizeof(thread->in_ring));
	thread->head = 0;
	if (!cells && row_limit_start())
		exit(1);
	memset(cells, 0, CELLS * sizeof(*cells));
	used = 0;
	written = next_id = 0;
	batches_left = -1;
}

static void add_op(int32_t peer)
{
	struct rec_op *r = (void *)(thread->region->ring + thread->head);

	*r = (struct rec_op){ .type = REC_OP,
		.words = sizeof(*r) / 8,
		.kind_mode = KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_BLOCKING),
		.call = 5,
		.op_id = ++next_id,
		.leave_ticks = 10,
		.bytes = 8,
		.peer = peer,
		.tier = TIER_NONE };
	thread->head += sizeof(*r);
	thread->in_ring[TABLE_OP]++;
}

static void add_again(uint64_t like)
{
	struct rec_again *r = (void *)(thread->region->ring + thread->head);

	*r = (struct rec_again){ .type = REC_AGAIN,
		.words = sizeof(*r) / 8,
		.like = (uint16_t)(like / 8),
		.waited = next_id % 2,
		.op_id_more = 1,
		.enter_more = 20,
		.took_ticks = 30 };
	next_id++;
	thread->head += sizeof(*r);
	thread->in_ring[TABLE_OP]++;
}

static void add_busy(void)
{
	struct rec_busy *r = (void *)(thread->region->ring + thread->head);

	*r = (struct rec_busy){ { .type = REC_BUSY, .words = sizeof(*r) / 8 }, 1, 2 };
	thread->head += sizeof(*r);
	thread->in_ring[TABLE_BUSY]++;
}

static uint64_t in_cells(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; cells && i < CELLS; i++)
		sum += cells[i].used ? cells[i].count : 0;
	return sum;
}

/* Rings of ops with as many peers as no table holds. */
static void fold_rings(int rings)
{
	for (int ring = 0; ring < rings; ring++) {
		thread->head = 0;
		for (int i = 0; i < 1000; i++)
			add_op((int32_t)(next_id * 7919 % 30000));
		row_limit_apply(thread, no_ops);
	}
}

static void a_full_table_goes_to_the_spool(void)
{
	begin();
	fold_rings(60);
	CU_ASSERT(written > 0);
	CU_ASSERT_EQUAL(written + in_cells(), next_id);
	CU_ASSERT_EQUAL(ring_file->dropped_ops, next_id);
	CU_ASSERT_EQUAL(ring_file->dropped_other, 0);
}

static void what_cannot_be_written_is_counted_once_and_ends(void)
{
	for (int batches = 0; batches < 30; batches += 3) {
		begin();
		batches_left = batches;
		fold_rings(40);
		CU_ASSERT_EQUAL(written + in_cells() + ring_file->dropped_other, next_id);
	}
}

static void an_op_that_is_like_another_is_folded_as_it(void)
{
	begin();
	add_op(1);
	add_again(0);
	add_again(0);
	CU_ASSERT_EQUAL(row_limit_apply(thread, no_ops), 0);
	CU_ASSERT_EQUAL(in_cells(), 3);
	for (uint32_t i = 0; i < CELLS; i++)
		if (cells[i].used) {
			CU_ASSERT_EQUAL(cells[i].bytes, 24);
			CU_ASSERT_EQUAL(cells[i].blocked_ns, 70);
			CU_ASSERT_EQUAL(cells[i].wait_ns, 30);
		}
}

static void an_op_that_was_completed_as_another_has_a_wait_of_its_own(void)
{
	struct rec_op2 *first;
	struct rec_op2_again *r;

	begin();
	add_op(1);
	first = (void *)thread->region->ring;
	thread->head += sizeof(*first) - sizeof(first->op);
	first->op.type = REC_OP2;
	first->op.words = sizeof(*first) / 8;
	first->op.predicted_ns = 4;
	first->blocked_ticks = 10;
	for (int i = 0; i < 2; i++) {
		r = (void *)(thread->region->ring + thread->head);
		*r = (struct rec_op2_again){ .type = REC_OP2_AGAIN,
			.words = sizeof(*r) / 8,
			.waited = i == 1,
			.op_id_more = 1,
			.blocked_ticks = 100,
			.predicted_ns = 40 };
		thread->head += sizeof(*r);
		thread->in_ring[TABLE_OP]++;
	}
	CU_ASSERT_EQUAL(row_limit_apply(thread, no_ops), 0);
	CU_ASSERT_EQUAL(in_cells(), 3);
	for (uint32_t i = 0; i < CELLS; i++)
		if (cells[i].used) {
			CU_ASSERT_EQUAL(cells[i].blocked_ns, 210);
			CU_ASSERT_EQUAL(cells[i].predicted_ns, 84);
			CU_ASSERT_EQUAL(cells[i].wait_ns, 60);
		}
}

static void references_follow_what_they_refer_to(void)
{
	struct rec_op2 again = { 0 };
	uint64_t like, at;

	begin();
	add_busy();
	like = thread->head;
	add_op(1);
	add_busy();
	add_again(like);
	add_op(2);
	/* intervals are left out, ops stay */
	thread->head = row_limit_apply(thread, no_busy);
	CU_ASSERT_EQUAL(thread->head, 2 * sizeof(struct rec_op) + sizeof(struct rec_again));
	CU_ASSERT_EQUAL(ring_file->dropped_busy, 2);
	at = sizeof(struct rec_op);
	CU_ASSERT(record_again(thread->region->ring, at, &again));
	CU_ASSERT_EQUAL(again.op.op_id, 2);
	CU_ASSERT_EQUAL(again.op.peer, 1);
	CU_ASSERT_EQUAL(again.op.leave_ticks, 50);
}

static void the_first_rows_stay(void)
{
	struct rec_op2 again = { 0 };

	begin();
	add_op(1);
	add_busy();
	add_again(0);
	add_again(0);
	add_op(2);
	thread->head = row_limit_apply(thread, two_ops);
	CU_ASSERT_EQUAL(thread->head,
		sizeof(struct rec_op) + sizeof(struct rec_busy) + sizeof(struct rec_again));
	CU_ASSERT_EQUAL(thread->in_ring[TABLE_OP], 2);
	CU_ASSERT_EQUAL(in_cells(), 2);
	CU_ASSERT_EQUAL(ring_file->dropped_ops, 2);
	CU_ASSERT(record_again(
		thread->region->ring, sizeof(struct rec_op) + sizeof(struct rec_busy), &again));
	CU_ASSERT_EQUAL(again.op.op_id, 2);
}

static const struct unit_test tests[] = { { "a full table goes to the spool",
						  a_full_table_goes_to_the_spool },
	{ "what cannot be written is counted once, and ends",
		what_cannot_be_written_is_counted_once_and_ends },
	{ "an op that is like another is folded as it",
		an_op_that_is_like_another_is_folded_as_it },
	{ "an op that was completed as another has a wait of its own",
		an_op_that_was_completed_as_another_has_a_wait_of_its_own },
	{ "the first rows stay", the_first_rows_stay },
	{ "references follow what they refer to", references_follow_what_they_refer_to },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("fold", tests);
}
