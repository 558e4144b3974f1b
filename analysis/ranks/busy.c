/* SPDX-License-Identifier: BSD-3-Clause */
/* busy.c: reads busy intervals and looks times up in them (busy.h). */
#include "analysis/ranks/busy.h"

#include <errno.h>
#include <stdlib.h>

enum {
	LOOKS = 64,      /* most short stays that are looked at for a long enough one */
	GAPS_MOST = 1000 /* most times outside of which the longest is found */
};

int inside_init(struct run_ranks *r, uint64_t memory)
{
	uint64_t room = memory / r->n / sizeof(struct interval);
	uint32_t n = 64;

	while (n * 2 <= room && n < 1 << 20)
		n *= 2;
	for (uint32_t i = 0; i < r->n; i++)
		r->at[i].inside.room = n;
	return 0;
}

static struct interval *at(const struct inside *in, uint32_t i)
{
	return &in->at[(in->first + i) & (in->room - 1)];
}

void inside_add(struct inside *in, int64_t enter, int64_t leave)
{
	/*
	 * Intervals of several threads overlap. A long one comes at its end, after shorter ones.
	 */
	while (in->n) {
		struct interval *last = at(in, in->n - 1);

		if (enter > last->leave)
			break;
		if (enter < last->enter && leave >= last->enter) {
			if (leave < last->leave)
				leave = last->leave;
			in->n--;
			continue;
		}
		if (enter >= last->enter && leave > last->leave)
			last->leave = leave;
		return;
	}
	if (in->n == in->room) {
		in->first = (in->first + 1) & (in->room - 1);
		in->n--;
		in->forgot = true;
	}
	*at(in, in->n++) = (struct interval){ enter, leave };
}

/* Reads until an interval enters after `ns`, or none is left. */
static bool read_until(struct run_ranks *r, struct run_rank *rank, int64_t ns)
{
	struct inside *in = &rank->inside;
	const struct row *row;

	if (!in->at) {
		in->at = malloc(in->room * sizeof(*in->at));
		if (!in->at)
			return false;
	}
	while ((!in->n || at(in, in->n - 1)->enter <= ns) &&
		(row = reader_peek(r, rank, READ_BUSY)) != NULL) {
		int64_t enter = clock_common(&rank->clock, row->value[BUSY_ROW_ENTER]);

		inside_add(in, enter,
			clock_common(&rank->clock,
				row->value[BUSY_ROW_ENTER] + row->value[BUSY_ROW_SPAN]));
		reader_step(rank, READ_BUSY);
	}
	return in->n > 0;
}

/* The index of the first interval that leaves at `ns` or later; in->n if there is none. */
static uint32_t first_leaving_at(const struct inside *in, int64_t ns)
{
	uint32_t low = 0, high = in->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (at(in, middle)->leave < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t inside_next(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit)
{
	struct inside *in = &rank->inside;
	uint32_t i;

	if (!read_until(r, rank, ns))
		return ns;
	i = first_leaving_at(in, ns);
	if (i == 0 && in->forgot && at(in, 0)->enter > ns)
		return ns;
	if (i == in->n)
		return limit;
	if (at(in, i)->enter <= ns)
		return ns;
	return at(in, i)->enter < limit ? at(in, i)->enter : limit;
}

int64_t inside_enough(
	struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit, int64_t need)
{
	const int64_t first = inside_next(r, rank, ns, limit);
	struct inside *in = &rank->inside;

	if (first >= limit || !read_until(r, rank, limit) || (in->forgot && at(in, 0)->enter > ns))
		return first;
	for (uint32_t i = first_leaving_at(in, ns); i < in->n && at(in, i)->enter < limit; i++) {
		const int64_t enter = at(in, i)->enter > ns ? at(in, i)->enter : ns;

		need -= (at(in, i)->leave < limit ? at(in, i)->leave : limit) - enter;
		if (need <= 0)
			return enter;
	}
	return first;
}

int64_t inside_stay(
	struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit, int64_t need)
{
	struct inside *in = &rank->inside;
	int looks = 0;

	if (!read_until(r, rank, limit) || (in->forgot && at(in, 0)->enter > ns))
		return ns;
	for (uint32_t i = first_leaving_at(in, ns);
		looks < LOOKS && i < in->n && at(in, i)->enter < limit; i++, looks++) {
		const int64_t enter = at(in, i)->enter > ns ? at(in, i)->enter : ns;

		if (at(in, i)->leave - enter >= need)
			return enter;
	}
	return looks < LOOKS ? limit : ns;
}

int64_t inside_since(struct run_ranks *r, struct run_rank *rank, int64_t ns)
{
	struct inside *in = &rank->inside;
	uint32_t i;

	if (!read_until(r, rank, ns))
		return INT64_MIN;
	i = first_leaving_at(in, ns);
	if (i == in->n || at(in, i)->enter > ns)
		return i > 0 ? at(in, i - 1)->enter : INT64_MIN;
	return at(in, i)->enter;
}

int64_t inside_last_stay(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t need)
{
	const struct inside *in = &rank->inside;
	uint32_t i;

	if (!read_until(r, rank, ns))
		return ns;
	i = first_leaving_at(in, ns);
	if (i < in->n && at(in, i)->enter <= ns - need)
		return ns;
	for (int looks = 0; i > 0 && looks < LOOKS; looks++, i--)
		if (at(in, i - 1)->leave - at(in, i - 1)->enter >= need)
			return at(in, i - 1)->leave;
	return i > 0 || in->forgot ? ns : rank->zero_ns;
}

bool busy_next_gap(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit,
	int64_t *from, int64_t *to)
{
	const struct inside *in = &rank->inside;
	uint32_t i;

	if (!read_until(r, rank, limit) || (in->forgot && at(in, 0)->enter > ns))
		return false;
	i = first_leaving_at(in, ns);
	if (i < in->n && at(in, i)->enter <= ns)
		ns = at(in, i++)->leave;
	if (i == in->n || ns >= limit)
		return false;
	*from = ns;
	*to = at(in, i)->enter;
	return true;
}

int64_t busy_longest_gap(struct run_ranks *r, struct run_rank *rank, int64_t from, int64_t to)
{
	const struct inside *in = &rank->inside;
	int64_t longest = 0, at_ns = from, out, back;

	if (!read_until(r, rank, to) || rank->cut[READ_BUSY] ||
		(in->forgot && at(in, 0)->enter > from))
		return to - from;
	for (int i = 0; at_ns < to; i++) {
		if (i == GAPS_MOST || !busy_next_gap(r, rank, at_ns, to, &out, &back)) {
			/* what is not looked at, or lies behind the last stay */
			const int64_t left = at(in, in->n - 1)->leave;

			out = i < GAPS_MOST && left > at_ns ? left : at_ns;
			back = to;
		}
		at_ns = back < to ? back : to;
		longest = at_ns - out > longest ? at_ns - out : longest;
	}
	return longest;
}

int64_t inside_outside_ns(struct run_ranks *r, struct run_rank *rank, int64_t from, int64_t to)
{
	struct inside *in = &rank->inside;
	int64_t outside = to - from;

	if (from >= to || !read_until(r, rank, to))
		return 0;
	if (in->forgot && at(in, 0)->enter > from)
		return 0;
	for (uint32_t i = first_leaving_at(in, from); i < in->n && at(in, i)->enter < to; i++) {
		int64_t enter = at(in, i)->enter > from ? at(in, i)->enter : from;
		int64_t leave = at(in, i)->leave < to ? at(in, i)->leave : to;

		outside -= leave > enter ? leave - enter : 0;
	}
	return outside;
}
