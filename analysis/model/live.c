/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c: completion calls of one or many ops; live.h says what is predicted. */
#include "live.h"

int64_t live_rest_ns(const struct live_link *link, uint8_t kind_mode, uint16_t flags,
	uint64_t bytes, int64_t since_post_ns)
{
	unsigned curve = live_curve(kind_mode);
	int64_t left = live_blocking_ns(link, kind_mode, flags, bytes) - since_post_ns;
	int64_t floor;

	if (flags & OP_PROC_NULL)
		return 0;
	if (curve < LIVE_ISEND)
		return left > 0 ? left : 0;
	floor = live_bin_ns(link->rest[curve], bytes >> 36 ? 1ULL << 36 : bytes);
	/* a send that completes locally is complete when its post has returned, however long that took */
	if (left < floor || (since_post_ns > 0 && (curve & 3) != LIVE_RECV &&
			bytes < link->limits[curve].local_end))
		left = floor;
	return left > 0 ? left : 0;
}

void live_op(const struct live_link *link, uint8_t kind_mode, uint16_t flags, uint64_t bytes,
	int64_t since_post_ns, struct live_share *op)
{
	unsigned in = KM_KIND(kind_mode) == KIND_RECV;
	unsigned octave = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;

	op->rest_ns = op->next_ns = 0;
	op->duplex_q8 = 0;
	op->direction = LIVE_APART;
	op->pad = 0;
	if (!link || flags & OP_PROC_NULL)
		return;
	op->direction = in ? LIVE_IN : LIVE_OUT;
	op->rest_ns = live_rest_ns(link, kind_mode, flags, bytes, since_post_ns);
	op->next_ns = live_bin_ns(link->next[in], bytes >> 36 ? 1ULL << 36 : bytes);
	if (op->next_ns > op->rest_ns)
		op->next_ns = op->rest_ns;
	if (op->next_ns < 0)
		op->next_ns = 0;
	op->duplex_q8 = link->duplex_q8[octave < LIVE_OCTAVES ? octave : LIVE_OCTAVES - 1];
}

/* Sift ops[i] down in the heap of the first n. */
static void sift(struct live_share *ops, size_t i, size_t n)
{
	struct live_share moved = ops[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && ops[child + 1].end_ns > ops[child].end_ns)
			child++;
		if (ops[child].end_ns <= moved.end_ns)
			break;
		ops[i] = ops[child];
	}
	ops[i] = moved;
}

/* By end_ns. Most calls have few requests, nearly in order already. */
static void sort_by_end(struct live_share *ops, size_t n)
{
	size_t sorted = n ? 1 : 0;

	while (sorted < n && ops[sorted - 1].end_ns <= ops[sorted].end_ns)
		sorted++;
	if (n - sorted > 32) {
		for (size_t i = n / 2; i-- > 0;)
			sift(ops, i, n);
		for (size_t last = n; last-- > 1;) {
			struct live_share top = ops[0];

			ops[0] = ops[last];
			ops[last] = top;
			sift(ops, 0, last);
		}
		return;
	}
	for (; sorted < n; sorted++) {
		struct live_share moved = ops[sorted];
		size_t i = sorted;

		for (; i > 0 && ops[i - 1].end_ns > moved.end_ns; i--)
			ops[i] = ops[i - 1];
		ops[i] = moved;
	}
}

/*
 * Lay the ops of each direction end to end in their present order; lane[] gets the lengths. Returns the
 * duplex share of them all, by what is left of each.
 */
static double queue(struct live_share *ops, size_t n, int64_t lane[3])
{
	int64_t weight = 0, sum = 0;

	lane[LIVE_OUT] = lane[LIVE_IN] = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t *end = &lane[ops[i].direction];
		int64_t behind = *end + ops[i].next_ns;

		weight += ops[i].rest_ns;
		sum += ops[i].rest_ns * ops[i].duplex_q8;
		if (ops[i].direction == LIVE_APART)
			continue;
		*end = ops[i].rest_ns > behind ? ops[i].rest_ns : behind;
		ops[i].end_ns = *end;
	}
	return weight > 0 ? (double)sum / (double)weight / 256 : 0;
}

/* What is hidden of two directions that move at once: until the shorter ends both are slower. */
static void stretch(struct live_share *ops, size_t n, const int64_t lane[3], double slower)
{
	int64_t both = lane[LIVE_OUT] < lane[LIVE_IN] ? lane[LIVE_OUT] : lane[LIVE_IN];

	if (both <= 0)
		return;
	for (size_t i = 0; i < n; i++) {
		int64_t beside = ops[i].end_ns < both ? ops[i].end_ns : both;

		if (ops[i].direction != LIVE_APART)
			ops[i].end_ns += (int64_t)((double)beside * slower);
	}
}

void live_share(struct live_share *ops, size_t n, int64_t enter_ns, int64_t leave_ns)
{
	int64_t call = leave_ns - enter_ns, lane[3] = { 0 };
	int64_t predicted = 0, blocked = 0;
	double slower;

	if (n > 1) {
		/* alone, an op ends when what is left of it has passed: end_ns is rest_ns */
		sort_by_end(ops, n);
		slower = queue(ops, n, lane);
		stretch(ops, n, lane, slower);
		sort_by_end(ops, n);
	}
	for (size_t i = 0; i < n; i++) {
		int64_t end_ns = ops[i].end_ns, end = end_ns < call ? end_ns : call;

		if (i == n - 1)
			end = call;
		ops[i].predicted_ns = end_ns - predicted;
		ops[i].blocked_ns = end - blocked;
		predicted = end_ns;
		blocked = end;
	}
}
