/* SPDX-License-Identifier: BSD-3-Clause */
/* off_cpu.c: reads times without a CPU and adds them up between two instants (off_cpu.h). */
#include "analysis/ranks/off_cpu.h"

#include <stdlib.h>

#include "analysis/base/array.h"
#include "record.h"

enum { ROOM_LEAST = 64, ROOM_MOST = 1 << 20, THREADS_MOST = 1 << 12 };

void off_cpu_init(struct run_ranks *r, uint64_t memory)
{
	const uint64_t fits = memory / r->n / sizeof(struct off_time);
	uint32_t room = ROOM_LEAST;

	while (room * 2 <= fits && room < ROOM_MOST)
		room *= 2;
	for (uint32_t i = 0; i < r->n; i++)
		r->at[i].off_cpu.room = room;
}

static struct off_time *at(const struct off_thread *t, uint32_t i)
{
	return &t->at[(t->first + i) & (t->room - 1)];
}

/* Makes room for one more interval. At the limit, the oldest one goes. */
static bool make_room(struct off_thread *t, uint32_t limit)
{
	struct off_time *more;
	uint32_t room = t->room ? t->room * 2 : ROOM_LEAST;

	if (t->n < t->room)
		return true;
	if (t->room >= limit) {
		t->first = (t->first + 1) & (t->room - 1);
		t->n--;
		return true;
	}
	/* as long as the ring grows, it begins at its first slot */
	more = realloc(t->at, room * sizeof(*more));
	if (!more)
		return false;
	t->at = more;
	t->room = room;
	return true;
}

bool off_cpu_add(struct off_times *o, uint32_t thread, unsigned kind, int64_t enter, int64_t leave)
{
	static const struct off_time none = { .leave = INT64_MIN };
	const struct off_time *last = &none;
	struct off_thread *t;
	struct off_time more;

	if (thread >= THREADS_MOST || kind < OFF_CPU_PREEMPTED || kind > OFF_CPU_POLLING)
		return true;
	if (array_cover(&o->thread, sizeof(*o->thread), &o->nthreads, thread))
		return false;
	t = &o->thread[thread];
	if (t->n)
		last = at(t, t->n - 1);
	if (enter < last->leave)
		enter = last->leave;
	if (leave <= enter)
		return true;
	more = *last;
	more.enter = enter;
	more.leave = leave;
	more.kind = kind;
	more.ns[kind - 1] += leave - enter;
	if (!make_room(t, o->room))
		return false;
	*at(t, t->n++) = more;
	return true;
}

/* Reads until a row begins at `ns` or later, or none is left. */
static const struct off_thread *thread_until(
	struct run_ranks *r, struct run_rank *rank, uint32_t lane, int64_t ns)
{
	struct off_times *o = &rank->off_cpu;
	const uint32_t thread = rank_thread(rank, lane);
	const struct row *row;

	while (!o->failed && o->read_to < ns &&
		(row = reader_peek(r, rank, READ_OFF_CPU)) != NULL) {
		const int64_t *v = row->value;

		o->read_to = clock_common(&rank->clock, v[OFF_CPU_ROW_ENTER]);
		/* threads that never call MPI have a number below 0 */
		if (v[OFF_CPU_ROW_THREAD] != ROW_NULL && v[OFF_CPU_ROW_THREAD] >= 0)
			o->failed = !off_cpu_add(o, (uint32_t)v[OFF_CPU_ROW_THREAD],
				(unsigned)v[OFF_CPU_ROW_WHAT], o->read_to,
				clock_common(
					&rank->clock, v[OFF_CPU_ROW_ENTER] + v[OFF_CPU_ROW_SPAN]));
		reader_step(rank, READ_OFF_CPU);
	}
	return thread < o->nthreads && o->thread[thread].n ? &o->thread[thread] : NULL;
}

/* The index of the first interval that ends after `ns`; t->n if there is none. */
static uint32_t first_after(const struct off_thread *t, int64_t ns)
{
	uint32_t low = 0, high = t->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (at(t, middle)->leave <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct off_time *o, unsigned kinds)
{
	return kinds >> (o->kind - 1) & 1;
}

/* The time of these kinds up to `ns`, from some instant before the first interval on. */
static int64_t sum_until(const struct off_thread *t, unsigned kinds, int64_t ns)
{
	const uint32_t i = first_after(t, ns);
	const struct off_time *next = i < t->n ? at(t, i) : NULL;
	const struct off_time *o = next ? next : at(t, t->n - 1);
	int64_t sum = 0;

	for (int kind = 0; kind < OFF_CPU_POLLING; kind++)
		if (kinds >> kind & 1)
			sum += o->ns[kind];
	if (next && is_of(next, kinds))
		sum -= next->leave - (ns > next->enter ? ns : next->enter);
	return sum;
}

bool off_cpu_any(struct run_ranks *r, struct run_rank *rank, uint32_t lane, int64_t ns)
{
	return thread_until(r, rank, lane, ns) != NULL;
}

int64_t off_cpu_ns(struct run_ranks *r, struct run_rank *rank, uint32_t lane, unsigned kinds,
	int64_t from, int64_t to)
{
	const struct off_thread *t = from < to ? thread_until(r, rank, lane, to) : NULL;

	return t ? sum_until(t, kinds, to) - sum_until(t, kinds, from) : 0;
}

bool off_cpu_next(struct run_ranks *r, struct run_rank *rank, uint32_t lane, unsigned kinds,
	int64_t from, int64_t to, struct interval *out)
{
	const struct off_thread *t = from < to ? thread_until(r, rank, lane, to) : NULL;
	uint32_t i = t ? first_after(t, from) : 0;

	while (t && i < t->n && !is_of(at(t, i), kinds))
		i++;
	if (!t || i == t->n || at(t, i)->enter >= to)
		return false;
	out->enter = at(t, i)->enter > from ? at(t, i)->enter : from;
	out->leave = at(t, i)->leave < to ? at(t, i)->leave : to;
	return true;
}
