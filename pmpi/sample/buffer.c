/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer.c: copies the kernel's records out of its buffer (buffer.h). */
#include "pmpi/sample/buffer.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* Record sizes, as event_open() asks for them: a header, and one or two words. */
enum { SWITCH_BYTES = 16, SAMPLE_BYTES = 24, RECORD_BYTES_MAX = 256 };

/* A record, copied. */
struct record {
	struct perf_event_header head;
	uint64_t word[2];
};

_Static_assert(sizeof(struct perf_event_header) == 8, "layout");

int buffer_map(struct buffer *b, int fd, size_t pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (pages + 1) * page;
	/* without PROT_WRITE the kernel goes on, over the oldest records */
	void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	*b = (struct buffer){ .page = map,
		.data = (const uint8_t *)map + page,
		.bytes = pages * page,
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
	r->word[0] = word_at(b, at + 8);
	r->word[1] = r->head.size >= SAMPLE_BYTES ? word_at(b, at + 16) : 0;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return at - head_of(b) + RECORD_BYTES_MAX <= b->bytes - BUFFER_MARGIN &&
		r->head.size >= SWITCH_BYTES && r->head.size <= RECORD_BYTES_MAX &&
		r->head.size % 8 == 0;
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
			taker->sample(taker->context, r.word[1], r.word[0]);
		else if (r.head.type == PERF_RECORD_SWITCH)
			take_switch(&s, r.word[0], r.head.misc, taker);
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
