/* SPDX-License-Identifier: BSD-3-Clause */
/* time.c: converts clock ticks to nanoseconds (time.h). */
#include "analysis/format/rows/time.h"

#include <math.h>
#include <stdlib.h>

static int64_t scaled(int64_t ticks, double rate)
{
	double ns = (double)ticks * rate;

	if (ns >= (double)ROWS_NS_MAX)
		return ROWS_NS_MAX;
	if (ns <= -(double)ROWS_NS_MAX)
		return -ROWS_NS_MAX;
	return (int64_t)(ns + (ns < 0 ? -0.5 : 0.5));
}

/* The last piece that begins at or before `ticks`; the first before all. */
static const struct rows_piece *piece_of(const struct rows_time *t, uint64_t ticks)
{
	uint32_t low = 0, high = t->npieces;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (ticks >= t->piece[middle].ticks)
			low = middle;
		else
			high = middle;
	}
	return &t->piece[low];
}

int64_t rows_time_ns(const struct rows_time *t, uint64_t ticks)
{
	const struct rows_piece *p = piece_of(t, ticks);
	int64_t ns = p->ns + scaled((int64_t)(ticks - p->ticks), p->rate);

	return ns > ROWS_NS_MAX ? ROWS_NS_MAX : ns < -ROWS_NS_MAX ? -ROWS_NS_MAX : ns;
}

int64_t rows_time_span(const struct rows_time *t, uint64_t ticks)
{
	return ticks > INT64_MAX ? 0 : scaled((int64_t)ticks, t->piece[0].rate);
}

void rows_time_reading(struct rows_time *t, const struct rec_clock *reading)
{
	if (reading->monotonic_ns > ROWS_NS_MAX || reading->monotonic_ns < -ROWS_NS_MAX)
		return;
	if (t->nreadings == ROWS_READINGS_MAX)
		t->nreadings--;
	t->reading[t->nreadings++] = *reading;
}

static int by_ticks(const void *a, const void *b)
{
	const struct rec_clock *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* Adds a piece. Its rate also holds after the last piece: it is better known than the first. */
static void add_piece(struct rows_time *t, uint64_t ticks, double rate)
{
	int64_t ns = rows_time_ns(t, ticks);

	t->piece[t->npieces++] = (struct rows_piece){ ticks, ns, rate };
}

void rows_time_make(struct rows_time *t, uint64_t zero_ticks, double ns_per_tick)
{
	const struct rec_clock *from = NULL;

	if (!(ns_per_tick > 0 && ns_per_tick < 1e6))
		ns_per_tick = 1;
	t->piece[0] = (struct rows_piece){ zero_ticks, 0, ns_per_tick };
	t->npieces = 1;
	qsort(t->reading, t->nreadings, sizeof(t->reading[0]), by_ticks);
	for (uint32_t i = 0; i < t->nreadings; i++) {
		const struct rec_clock *to = &t->reading[i];
		double ticks, ns, off;

		if (!from || from->ticks >= to->ticks || to->ticks <= zero_ticks) {
			from = to;
			continue;
		}
		ticks = (double)(to->ticks - from->ticks);
		ns = (double)to->monotonic_ns - (double)from->monotonic_ns;
		off = fabs(ns - ticks * ns_per_tick);
		if (off > 1e-3 * ns + 1e6)
			continue; /* damaged; the next one is compared with `from` again */
		if (off > (double)from->error_ns + (double)to->error_ns + 100) {
			add_piece(
				t, from->ticks > zero_ticks ? from->ticks : zero_ticks, ns / ticks);
			from = to;
		}
	}
}

int64_t rows_time_of_monotonic(const struct rows_time *t, int64_t monotonic_ns)
{
	const struct rec_clock *last = t->nreadings ? &t->reading[t->nreadings - 1] : NULL;

	if (!last)
		return INT64_MIN;
	return rows_time_ns(t, last->ticks) + (monotonic_ns - last->monotonic_ns);
}
