/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer.c: copies the kernel's records out of its buffer (buffer.h). */
#include "pmpi/sample/buffer.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/base/event.h"

/* Words of records behind the header, as event_open() asks for them. */
enum {
	AT_TIME_OF_SWITCH = 0,
	SWITCH_WORDS,
	AT_IP = 0,
	AT_TIME,
	SAMPLE_WORDS,
	AT_FORM = SAMPLE_WORDS, /* 0: no registers follow */
	AT_REGISTERS,
	AT_STACK_BYTES = AT_REGISTERS + EVENT_REGISTERS,
	AT_STACK
};

/* Without the stack no record is longer. */
enum { RECORD_BYTES_MAX = 256 };

/* A record, copied. */
struct record {
	struct perf_event_header head;
	uint32_t words;
	uint64_t word[(RECORD_BYTES_MAX + EVENT_STACK_BYTES_MAX) / 8];
};

_Static_assert(sizeof(struct perf_event_header) == 8, "layout");

int buffer_map(struct buffer *b, int fd, size_t pages, uint32_t stack_bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (pages + 1) * page;
	/* without PROT_WRITE the kernel goes on, over the oldest records */
	void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	*b = (struct buffer){ .page = map,
		.data = (const uint8_t *)map + page,
		.bytes = pages * page,
		.stack_bytes = stack_bytes,
		.mapped_bytes = bytes };
	return 0;
}

void buffer_unmap(struct buffer *b)
{
	const void *page = b->page;

	b->page = NULL;
	if (page)
		munmap((void *)(uintptr_t)page, b->mapped_bytes);
}

void buffer_blank(struct buffer *b)
{
	void *const page = (void *)(uintptr_t)b->page;
	void *map;

	if (!page)
		return;
	/*
	 * A reader finds the end at 0, and no record. Another handler of the child may have mapped
	 * something here, which stays. Linux before 4.17 takes the address for a hint.
	 */
	map = mmap(page, b->mapped_bytes, PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (map != page && map != MAP_FAILED)
		munmap(map, b->mapped_bytes);
}

static uint64_t head_of(const struct buffer *b)
{
	return __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);
}

static uint64_t word_at(const struct buffer *b, uint64_t at)
{
	/* records are multiples of 8 bytes and begin at such: no word goes around the end */
	return *(const volatile uint64_t *)(const void *)(b->data + (at & (b->bytes - 1)));
}

/* True if the record at `at` was still whole after it had been copied. */
static bool copy_record(const struct buffer *b, uint64_t at, struct record *r)
{
	union {
		uint64_t word;
		struct perf_event_header head;
	} first = { .word = word_at(b, at) };

	r->head = first.head;
	r->words = r->head.size / 8U - 1;
	if (r->head.size % 8 != 0 || r->head.size < 8 * (1 + SWITCH_WORDS) ||
		r->head.size > RECORD_BYTES_MAX + b->stack_bytes)
		return false;
	for (uint32_t i = 0; i < r->words; i++)
		r->word[i] = word_at(b, at + 8 + 8 * (uint64_t)i);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return at - head_of(b) + r->head.size <= b->bytes - BUFFER_MARGIN - b->stack_bytes;
}

static void take_sample(const struct record *r, const struct buffer_taker *taker)
{
	struct buffer_sample s = { .time_ns = r->word[AT_TIME], .ip = r->word[AT_IP] };
	const uint64_t *registers = r->word + AT_REGISTERS;

	if (r->words < SAMPLE_WORDS)
		return;
	/* the kernel gives as much of the stack as there is, in a room of the size asked for */
	if (r->words > AT_STACK && r->word[AT_FORM] != PERF_SAMPLE_REGS_ABI_NONE &&
		r->word[AT_STACK_BYTES] / 8 == r->words - AT_STACK - 1) {
		s.stack = (struct callsite_stack){ .sp = registers[EVENT_STACK_POINTER],
			.frame_pointer = registers[EVENT_FRAME_POINTER],
			.words = r->word + AT_STACK,
			.nwords = r->word[r->words - 1] / 8 };
		if (s.stack.nwords > r->words - AT_STACK - 1)
			s.stack.nwords = 0;
#if !defined(__x86_64__)
		s.stack.link = registers[EVENT_LINK];
#endif
	}
	taker->sample(taker->context, &s);
}

/* The switches of one look, from the newest back. */
struct switches {
	uint64_t in_ns;  /* the thread got a CPU then; when it had lost it is not yet known */
	uint64_t out_ns; /* the newest switch, if the thread lost its CPU by it */
	bool preempted, any;
};

static void take_switch(
	struct switches *s, uint64_t time_ns, uint16_t misc, const struct buffer_taker *taker)
{
	const bool preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;

	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		s->in_ns = time_ns;
	} else if (!s->any) {
		s->out_ns = time_ns;
		s->preempted = preempted;
	} else if (s->in_ns > time_ns) {
		taker->off_cpu(taker->context, time_ns, s->in_ns, preempted);
		s->in_ns = 0;
	}
	s->any = true;
}

uint64_t buffer_take(struct buffer *b, const struct buffer_taker *taker)
{
	const uint64_t end = b->seen, head = head_of(b);
	struct switches s = { 0 };
	uint64_t at = head;

	/*
	 * before the records: a signal handler that jumps out of here loses some, and reads none
	 * twice
	 */
	b->seen = head;
	while (at != end) {
		struct record r;

		if (!copy_record(b, at, &r) || end - at < r.head.size)
			break;
		if (r.head.type == PERF_RECORD_SAMPLE)
			take_sample(&r, taker);
		else if (r.head.type == PERF_RECORD_SWITCH)
			take_switch(&s, r.word[AT_TIME_OF_SWITCH], r.head.misc, taker);
		at += r.head.size;
	}
	if (at == end && b->out_ns && s.in_ns > b->out_ns)
		taker->off_cpu(taker->context, b->out_ns, s.in_ns, b->preempted);
	if (s.any || at != end) {
		b->out_ns = s.out_ns;
		b->preempted = s.preempted;
	}
	return end - at;
}
