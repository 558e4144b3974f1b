/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c: completion calls of one or many ops; live.h defines the prediction. */
#include "analysis/model/live/live.h"

static int64_t not_negative(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

void live_terms_make(const struct live_link *link, uint8_t kind_mode, uint16_t flags,
	uint64_t bytes, struct live_terms *out)
{
	unsigned in = KM_KIND(kind_mode) == KIND_RECV, curve = live_curve(kind_mode);
	unsigned octave = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
	uint64_t length = bytes >> 36 ? 1ULL << 36 : bytes;

	*out = (struct live_terms){ .noise_ns = INT64_MAX, .direction = LIVE_APART };
	if (!link)
		return;
	out->known = true;
	out->noise_ns = live_noise_ns(link, kind_mode, bytes);
	if (flags & OP_PROC_NULL)
		return;
	out->total_ns = live_blocking_ns(link, kind_mode, flags, bytes);
	if (curve >= LIVE_ISEND) {
		out->rest_ns = not_negative(live_bin_ns(link->rest[curve], length));
		out->local = !in && bytes < link->limits[curve].local_end;
	}
	out->next_ns = not_negative(live_bin_ns(link->next[in], length));
	if (out->noise_ns != INT64_MAX && out->total_ns >= LIVE_LONG_NS)
		out->next_noise_ns = out->next_ns < out->total_ns ?
			out->noise_ns * out->next_ns / out->total_ns :
			out->noise_ns;
	out->duplex_q8 = link->duplex_q8[octave < LIVE_OCTAVES ? octave : LIVE_OCTAVES - 1];
	out->direction = in ? LIVE_IN : LIVE_OUT;
}

/* Sifts ops[i] down in the heap of the first n. */
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

/* Sorts by end_ns. Most calls have few requests, nearly in order already. */
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

/* Sums over the ops of each direction, laid end to end. */
struct lanes {
	int64_t ns[3];       /* by enum live_direction */
	int64_t weight, sum; /* of remaining times: plain, and weighted by duplex shares */
};

/* Lays the ops of each direction end to end, in their present order. */
static struct lanes queue(struct live_share *ops, size_t n)
{
	struct lanes lanes = { 0 };

	for (size_t i = 0; i < n; i++) {
		int64_t *end = &lanes.ns[ops[i].direction];
		int64_t behind = *end > 0 ? *end + ops[i].next_ns : 0;

		lanes.weight += ops[i].rest_ns;
		lanes.sum += ops[i].rest_ns * ops[i].duplex_q8;
		if (ops[i].direction == LIVE_APART)
			continue;
		*end = ops[i].rest_ns > behind ? ops[i].rest_ns : behind;
		ops[i].end_ns = *end;
	}
	return lanes;
}

/* The hidden time of two directions that move at once: both are slower until the shorter ends. */
static void stretch(struct live_share *ops, size_t n, const struct lanes *lanes)
{
	int64_t both =
		lanes->ns[LIVE_OUT] < lanes->ns[LIVE_IN] ? lanes->ns[LIVE_OUT] : lanes->ns[LIVE_IN];
	double slower;

	if (both <= 0 || lanes->weight <= 0)
		return;
	slower = (double)lanes->sum / (double)lanes->weight / 256;
	for (size_t i = 0; i < n; i++) {
		int64_t beside = ops[i].end_ns < both ? ops[i].end_ns : both;

		if (ops[i].direction != LIVE_APART)
			ops[i].end_ns += (int64_t)((double)beside * slower);
	}
}

void live_share(struct live_share *ops, size_t n, int64_t enter_ns, int64_t leave_ns)
{
	int64_t call = leave_ns - enter_ns;
	int64_t predicted = 0, blocked = 0;
	struct lanes lanes;

	if (n > 1) {
		/* alone, an op ends after its remaining time: end_ns is rest_ns */
		sort_by_end(ops, n);
		lanes = queue(ops, n);
		stretch(ops, n, &lanes);
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
