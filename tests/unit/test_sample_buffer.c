/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sample_buffer.c: records as the kernel writes them, backwards in a ring. */
#include "tests/unit/unit.h"

#include <string.h>

#include "analysis/base/event.h"
#include "pmpi/sample/buffer.h"

enum { BYTES = 8192, TAKEN_MAX = 1024 };

static struct perf_event_mmap_page page;
static uint64_t data[BYTES / 8];
static struct buffer buffer;

static struct taken {
	uint64_t a, b;
	int what; /* 0: a sample, 1: off, 2: off and preempted */
	uint64_t sp, frame_pointer, nwords, last_word;
} taken[TAKEN_MAX];
static int ntaken;

static void take(uint64_t a, uint64_t b, int what)
{
	if (ntaken < TAKEN_MAX)
		taken[ntaken++] = (struct taken){ .a = a, .b = b, .what = what };
}

static void take_sample(void *context, const struct buffer_sample *s)
{
	(void)context;
	take(s->time_ns, s->ip, 0);
	CU_ASSERT_TRUE_FATAL(ntaken > 0);
	taken[ntaken - 1].sp = s->stack.sp;
	taken[ntaken - 1].frame_pointer = s->stack.frame_pointer;
	taken[ntaken - 1].nwords = s->stack.nwords;
	taken[ntaken - 1].last_word = s->stack.nwords ? s->stack.words[s->stack.nwords - 1] : 0;
}

static void take_off_cpu(void *context, uint64_t out_ns, uint64_t in_ns, bool preempted)
{
	(void)context;
	take(out_ns, in_ns, preempted ? 2 : 1);
}

static void begin(void)
{
	memset(&page, 0, sizeof(page));
	memset(data, 0, sizeof(data));
	buffer = (struct buffer){ .page = &page, .data = (const uint8_t *)data, .bytes = BYTES };
}

static uint64_t look(void)
{
	const struct buffer_taker taker = { take_sample, take_off_cpu, NULL };

	ntaken = 0;
	return buffer_take(&buffer, &taker);
}

/* As the kernel: the record first, then data_head. */
static void put(const struct perf_event_header *head, const uint64_t *words)
{
	uint64_t at = page.data_head - head->size;

	for (uint64_t i = 0; i < head->size / 8; i++)
		memcpy((char *)data + (at + 8 * i) % BYTES, i ? &words[i - 1] : (const void *)head,
			8);
	page.data_head = at;
}

static void put_sample(uint64_t time_ns, uint64_t ip)
{
	put(&(struct perf_event_header){ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 24 },
		(uint64_t[]){ ip, time_ns });
}

static void put_switch(uint64_t time_ns, int misc)
{
	put(&(struct perf_event_header){ PERF_RECORD_SWITCH, (uint16_t)misc, 16 }, &time_ns);
}

enum {
	IN = 0,
	OUT = PERF_RECORD_MISC_SWITCH_OUT,
	PREEMPTED = PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
};

static void check_taken(int i, uint64_t a, uint64_t b, int what)
{
	CU_ASSERT_TRUE_FATAL(i < ntaken);
	CU_ASSERT_EQUAL(taken[i].a, a);
	CU_ASSERT_EQUAL(taken[i].b, b);
	CU_ASSERT_EQUAL(taken[i].what, what);
}

static void each_record_is_taken_once_the_newest_first(void)
{
	begin();
	put_sample(100, 0x1000);
	put_switch(200, PREEMPTED);
	put_switch(300, IN);
	put_switch(400, OUT);
	put_switch(600, IN);
	put_sample(700, 0x2000);
	CU_ASSERT_EQUAL(look(), 0);
	CU_ASSERT_EQUAL(ntaken, 4);
	check_taken(0, 700, 0x2000, 0);
	check_taken(1, 400, 600, 1);
	check_taken(2, 200, 300, 2);
	check_taken(3, 100, 0x1000, 0);
	CU_ASSERT_EQUAL(look(), 0);
	CU_ASSERT_EQUAL(ntaken, 0);
	put_sample(800, 0x3000);
	CU_ASSERT_EQUAL(look(), 0);
	CU_ASSERT_EQUAL(ntaken, 1);
}

static void a_loss_that_lasts_beyond_a_look_is_taken_at_the_next(void)
{
	begin();
	put_switch(100, PREEMPTED);
	look();
	CU_ASSERT_EQUAL(ntaken, 0);
	put_switch(900, IN);
	put_sample(950, 0x1000);
	look();
	CU_ASSERT_EQUAL(ntaken, 2);
	check_taken(1, 100, 900, 2);
	put_switch(1000, IN);
	look();
	CU_ASSERT_EQUAL(ntaken, 0);
}

static void records_go_around_the_end_of_the_ring(void)
{
	begin();
	for (uint64_t i = 1; i <= 2000; i++) {
		put_sample(i, 0x1000 + i);
		if (i % 100)
			continue;
		CU_ASSERT_EQUAL(look(), 0);
		CU_ASSERT_EQUAL(ntaken, 100);
		for (int k = 0; k < ntaken; k++)
			check_taken(k, i - (uint64_t)k, 0x1000 + i - (uint64_t)k, 0);
	}
}

static void overwritten_records_are_counted_and_none_is_made_of_their_rest(void)
{
	uint64_t lost;

	begin();
	for (uint64_t i = 1; i <= 1000; i++)
		put_sample(i, i);
	lost = look();
	CU_ASSERT_EQUAL(lost + (uint64_t)ntaken * 24, 24000);
	CU_ASSERT_TRUE(ntaken * 24 > BYTES / 2 && ntaken * 24 <= BYTES);
	for (int k = 0; k < ntaken; k++)
		check_taken(k, 1000 - (uint64_t)k, 1000 - (uint64_t)k, 0);
}

static void a_loss_whose_begin_was_overwritten_is_none(void)
{
	begin();
	put_switch(50, OUT);
	look();
	put_switch(100, IN);
	for (uint64_t i = 1; i <= 1000; i++)
		put_sample(100 + i, i);
	CU_ASSERT_TRUE(look() > 0);
	for (int k = 0; k < ntaken; k++)
		CU_ASSERT_EQUAL(taken[k].what, 0);
}

/* A sample with room for `room` words of the stack, of which `valid` are there. form 0: no
 * registers. */
static void put_stack(uint64_t form, uint64_t room, uint64_t valid)
{
	uint64_t words[64] = { 0x1000, 100, form };
	uint64_t n = 3;

	if (form) {
		words[n + EVENT_FRAME_POINTER] = 0x7000;
		words[n + EVENT_STACK_POINTER] = 0x6000;
		n += EVENT_REGISTERS;
	}
	words[n++] = 8 * room;
	for (uint64_t i = 0; i < room; i++)
		words[n++] = 500 + i;
	if (room)
		words[n++] = 8 * valid;
	put(&(struct perf_event_header){ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		    (uint16_t)(8 + 8 * n) },
		words);
}

static void a_stack_comes_with_its_registers_and_as_much_as_is_valid(void)
{
	begin();
	buffer.stack_bytes = 8 * 40;
	put_stack(2, 40, 40);
	put_stack(2, 40, 3);
	put_stack(0, 0, 0);
	put_stack(2, 0, 0);
	put_stack(2, 40, 41); /* of the kernel's bytes no more are believed than there are */
	CU_ASSERT_EQUAL(look(), 0);
	CU_ASSERT_EQUAL_FATAL(ntaken, 5);
	for (int i = 0; i < ntaken; i++)
		check_taken(i, 100, 0x1000, 0);
	CU_ASSERT_EQUAL(taken[0].nwords + taken[1].nwords + taken[2].nwords, 0);
	CU_ASSERT_EQUAL(taken[3].nwords, 3);
	CU_ASSERT_EQUAL(taken[3].last_word, 502);
	CU_ASSERT_EQUAL(taken[4].nwords, 40);
	CU_ASSERT_EQUAL(taken[4].last_word, 539);
	CU_ASSERT_EQUAL(taken[4].sp, 0x6000);
	CU_ASSERT_EQUAL(taken[4].frame_pointer, 0x7000);
}

static void a_size_that_cannot_be_ends_the_look(void)
{
	static const uint16_t sizes[] = { 0, 8, 17, 300 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin();
		put_sample(100, 1);
		put_switch(200, IN);
		((struct perf_event_header *)((char *)data + page.data_head % BYTES))->size =
			sizes[i];
		CU_ASSERT_EQUAL(look(), 40);
		CU_ASSERT_EQUAL(ntaken, 0);
	}
}

static const struct unit_test tests[] = { { "each record is taken once the newest first",
						  each_record_is_taken_once_the_newest_first },
	{ "a loss that lasts beyond a look is taken at the next",
		a_loss_that_lasts_beyond_a_look_is_taken_at_the_next },
	{ "records go around the end of the ring", records_go_around_the_end_of_the_ring },
	{ "overwritten records are counted and none is made of their rest",
		overwritten_records_are_counted_and_none_is_made_of_their_rest },
	{ "a loss whose begin was overwritten is none",
		a_loss_whose_begin_was_overwritten_is_none },
	{ "a stack comes with its registers and as much as is valid",
		a_stack_comes_with_its_registers_and_as_much_as_is_valid },
	{ "a size that cannot be ends the look", a_size_that_cannot_be_ends_the_look },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("sample_buffer", tests);
}
