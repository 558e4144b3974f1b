/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c: reads a thread's samples at the beginning of its calls (sample.h). */
#include "pmpi/sample/sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/base/event.h"
#include "analysis/base/file.h"
#include "analysis/format/run/proc.h"
#include "pmpi/record/isolate.h"
#include "pmpi/sample/sampler.h"
#include "pmpi/sample/threads.h"

#define THREADS_EVERY_NS 500000000U

/* When threads without MPI calls are looked for again. */
static _Atomic uint64_t threads_due_ticks;

/* How far this time namespace's CLOCK_MONOTONIC_RAW is ahead of the kernel's own. */
static int64_t time_offset(void)
{
	char text[256];

	file_text("/proc/self/timens_offsets", text, sizeof(text));
	return proc_timens_read(text);
}

void sample_start(struct thread *t, int nranks)
{
	const int64_t hz = shim.settings.sample;

	/* the places of samples are callsites */
	if (hz == 0 || shim.settings.stack_depth == 0)
		return;
	sampling.period_ns = 1000000000U / (uint64_t)hz;
	sampling.stack_bytes = (uint32_t)(shim.settings.sample_stack + 7) & ~7U;
	sampling.time_offset_ns = time_offset();
	sampling.pages = event_pages_each(nranks);
	sample_read(t, 0);
	if (sampling.refused)
		return;
	record_key_number(t, "sample_period_ns", (int64_t)sampling.period_ns);
	if (sampling.stack_bytes)
		record_key_number(t, "sample_stack_bytes", sampling.stack_bytes);
}

void sample_pause(void)
{
	sampling.since_ticks = UINT64_MAX;
}

void sample_resume(void)
{
	sampling.since_ticks = clock_ticks();
}

void sample_forget(struct thread *t)
{
	struct sampler *s = t ? t->sampler : NULL;

	sampling.period_ns = 0;
	if (s)
		buffer_blank(&s->buffer);
}

static void emit_count(struct thread *t, const char *key, uint64_t count)
{
	if (count)
		record_key_number(t, key, (int64_t)count);
}

void sample_emit(struct thread *t)
{
	char why[128];

	if (sampling.period_ns && !sampling.refused)
		threads_read(t);
	if (sampling.refused) {
		event_explain(sampling.refused, why, sizeof(why));
		record_key(t, "samples_refused", why);
		return;
	}
	emit_count(t, "samples_in_calls", sampling.in_calls);
	emit_count(t, "unsampled_threads", sampling.unsampled);
	emit_count(t, "unlocked_threads", sampling.unlocked);
	emit_count(t, "small_buffers", sampling.small);
	emit_count(t, "samples_lost_bytes", sampling.lost_bytes);
	emit_count(t, "samples_lost_in_calls", sampling.lost_in_calls);
}

/* The first call of a thread, or its first call with the state that another thread left. */
static void attach(struct thread *t)
{
	struct sampler *s = t->sampler;
	struct isolate guest;

	t->sample_head = &sample_nothing;
	t->sample_seen = 0;
	if (!sampling.period_ns || sampling.refused)
		return;
	if (!s)
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	if (s == MAP_FAILED)
		return;
	/* a handler that jumps out of here must leave no event half made */
	isolate_enter_locked(&guest);
	if (t->sampler)
		sampler_close(s);
	t->sampler = s;
	threads_leave(t, (pid_t)syscall(SYS_gettid));
	if (sampler_open(s, 0)) {
		t->sample_seen = s->buffer.seen;
		t->sample_head = (const uint64_t *)&s->buffer.page->data_head;
	}
	isolate_leave(&guest);
}

static void read_own(struct thread *t, uint32_t site)
{
	struct sampler *s = t->sampler;

	sampler_read(s,
		&(struct sampled){ .writer = t,
			.thread = t->region->thread,
			.callsite = site,
			.after = t->busy_site,
			.left_ticks = t->region->busy_leave_ticks });
	t->sample_seen = s->buffer.seen;
}

void sample_read(struct thread *t, uint32_t site)
{
	const uint64_t begin = clock_ticks(), tool_ticks = t->sum ? t->sum->tool_ticks : 0;
	uint64_t due = atomic_load_explicit(&threads_due_ticks, memory_order_relaxed);
	const int error = errno;

	if (t->sample_head == &sample_unknown)
		attach(t);
	else
		read_own(t, site);
	if (begin >= due && sampling.period_ns && !sampling.refused &&
		atomic_compare_exchange_strong(
			&threads_due_ticks, &due, begin + clock_from_ns(THREADS_EVERY_NS)))
		threads_read(t);
	/* all of it, once: a ring that got full was written meanwhile */
	if (t->sum)
		t->sum->tool_ticks = tool_ticks + clock_ticks() - begin;
	errno = error;
}
