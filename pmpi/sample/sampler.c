/* SPDX-License-Identifier: BSD-3-Clause */
/* sampler.c: starts, reads and ends the sampling of one thread (sampler.h). */
#include "pmpi/sample/sampler.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/base/event.h"

enum {
	PLACES_AT_ONCE = 32,
	PAIRED_NS = 1000,
	PAIRINGS = 3,
	OFF_CPU_LEAST_NS = 20000 /* shorter times off the CPU cost less than their record tells */
};

struct sampling sampling;

/* Takes pages of the rank's share, at most half of what is left. Returns those of records, or 0. */
static int64_t take_pages(void)
{
	const int64_t most = event_buffer_pages(sampling.stack_bytes);
	int64_t left = atomic_load(&sampling.pages), pages;

	do {
		for (pages = most; pages > 1 && pages + 1 > left / 2; pages /= 2)
			;
		if (pages + 1 > left)
			return 0;
	} while (!atomic_compare_exchange_weak(&sampling.pages, &left, left - pages - 1));
	return pages;
}

/* Maps the event. The limit may be used up by other programs of the user. */
static bool map_event(struct sampler *s, int fd)
{
	int64_t pages = take_pages();

	while (pages > 0 && buffer_map(&s->buffer, fd, (size_t)pages, sampling.stack_bytes) != 0) {
		atomic_fetch_add(&sampling.pages, pages > 1 ? pages / 2 : pages + 1);
		pages /= 2;
	}
	return pages > 0;
}

bool sampler_open(struct sampler *s, pid_t tid)
{
	int fd = event_open(tid, sampling.period_ns, sampling.stack_bytes);
	bool mapped;

	*s = (struct sampler){ .tid = tid ? tid : (pid_t)syscall(SYS_gettid) };
	if (fd < 0) {
		/* else the thread has just ended, or there is no descriptor left */
		if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS)
			sampling.refused = fd;
		atomic_fetch_add(&sampling.unsampled, 1);
		return false;
	}
	mapped = map_event(s, fd);
	close(fd);
	if (!mapped) {
		atomic_fetch_add(&sampling.unsampled, 1);
		atomic_fetch_add(&sampling.unlocked, 1);
	} else if (s->buffer.bytes <
		(uint64_t)event_buffer_pages(0) * (uint64_t)sysconf(_SC_PAGESIZE)) {
		atomic_fetch_add(&sampling.small, 1);
	}
	return mapped;
}

void sampler_close(struct sampler *s)
{
	if (!s->buffer.page)
		return;
	atomic_fetch_add(
		&sampling.pages, (int64_t)(s->buffer.mapped_bytes / (size_t)sysconf(_SC_PAGESIZE)));
	buffer_unmap(&s->buffer);
}

/* One reading of a buffer. */
struct reading {
	const struct sampled *of;
	uint64_t now_ticks;
	int64_t now_ns; /* by the kernel's CLOCK_MONOTONIC_RAW, at the same time */
	struct place {
		uint32_t callsite;
		uint32_t count;
	} place[PLACES_AT_ONCE];
	uint32_t nplaces;
	uint64_t oldest_ticks;
	uint64_t in_calls; /* samples of the first thread inside calls */
};

static uint64_t ticks_of(const struct reading *r, uint64_t time_ns)
{
	const int64_t ago = r->now_ns - (int64_t)time_ns;
	const uint64_t ticks = clock_from_ns(ago > 0 ? (uint64_t)ago : 0);

	return ticks < r->now_ticks ? r->now_ticks - ticks : 0;
}

/* In MPI_Init, or between MPI_Pcontrol(0) and (1). */
static bool is_unrecorded(uint64_t ticks)
{
	return ticks < ring_file->zero_ticks || ticks < atomic_load(&sampling.since_ticks);
}

static void put_record(const struct reading *r, const void *record)
{
	record_append(r->of->writer, record);
	r->of->writer->in_ring[TABLE_SAMPLE]++;
}

static void put_places(struct reading *r)
{
	for (uint32_t i = 0; i < r->nplaces; i++)
		put_record(r,
			&(struct rec_sample){ { .type = REC_SAMPLE,
						      .words = sizeof(struct rec_sample) / 8,
						      .id = r->of->thread },
				r->of->callsite, r->of->after, r->place[i].callsite,
				r->place[i].count });
	r->nplaces = 0;
}

static void take_sample(void *context, const struct buffer_sample *s)
{
	struct reading *r = context;
	uint64_t ticks = ticks_of(r, s->time_ns);
	uint32_t callsite, i;

	r->oldest_ticks = ticks;
	if (is_unrecorded(ticks))
		return;
	if (ticks <= r->of->left_ticks) {
		r->in_calls += r->of->thread == 0;
		return;
	}
	callsite = callsite_of_code(
		(const void *)(uintptr_t)s->ip, s->stack.nwords ? &s->stack : NULL);
	for (i = 0; i < r->nplaces && r->place[i].callsite != callsite; i++)
		;
	if (i == PLACES_AT_ONCE) {
		put_places(r);
		i = 0;
	}
	if (i == r->nplaces)
		r->place[r->nplaces++] = (struct place){ callsite, 0 };
	r->place[i].count++;
}

static void take_off_cpu(void *context, uint64_t out_ns, uint64_t in_ns, bool preempted)
{
	struct reading *r = context;
	const bool inside = ticks_of(r, out_ns + (in_ns - out_ns) / 2) <= r->of->left_ticks;
	struct rec_off_cpu record = {
		{ .type = REC_OFF_CPU, .words = sizeof(record) / 8, .id = r->of->thread },
		inside ? r->of->after : r->of->callsite, inside ? 0 : r->of->after,
		ticks_of(r, out_ns), ticks_of(r, in_ns)
	};

	r->oldest_ticks = record.out_ticks;
	if (in_ns - out_ns < OFF_CPU_LEAST_NS || (inside && !preempted) ||
		is_unrecorded(record.out_ticks))
		return;
	record.head.pad = inside ? OFF_CPU_POLLING :
		preempted        ? OFF_CPU_PREEMPTED :
				   OFF_CPU_GAVE_UP;
	put_record(r, &record);
}

/* Reads both clocks at one instant: anew if the thread seems to have lost its CPU between them. */
static void pair_clocks(struct reading *r)
{
	const uint64_t soon = clock_from_ns(PAIRED_NS);
	uint64_t begin;

	for (int i = 0; i < PAIRINGS; i++) {
		begin = clock_ticks();
		r->now_ns = now_ns(CLOCK_MONOTONIC_RAW) - sampling.time_offset_ns;
		r->now_ticks = clock_ticks();
		if (r->now_ticks - begin <= soon)
			return;
	}
}

void sampler_read(struct sampler *s, const struct sampled *of)
{
	struct reading r = { .of = of };
	const struct buffer_taker taker = { take_sample, take_off_cpu, &r };
	uint64_t lost;

	pair_clocks(&r);
	r.oldest_ticks = r.now_ticks;
	lost = buffer_take(&s->buffer, &taker);
	put_places(&r);
	atomic_fetch_add(&sampling.in_calls, r.in_calls);
	if (lost)
		atomic_fetch_add(&sampling.lost_bytes, lost);
	/* all lost records are from inside the last call: its beginning read all older ones */
	if (lost && r.oldest_ticks <= of->left_ticks)
		atomic_fetch_add(&sampling.lost_in_calls, lost);
}
