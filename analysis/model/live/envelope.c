/* SPDX-License-Identifier: BSD-3-Clause */
/* envelope.c: see envelope.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/model/live/fit.h"
#include "analysis/model/live/envelope.h"
#include "analysis/model/robust.h"

/* A bit length counts after this many calls; a line needs two bit lengths. */
enum { ENOUGH = 8, LENGTHS_MIN = 2 };

static int32_t clip32(int64_t ns)
{
	return ns > INT32_MAX ? INT32_MAX : ns < INT32_MIN ? INT32_MIN : (int32_t)ns;
}

void envelope_add(struct envelope *l, enum envelope_from from, uint64_t bytes, int64_t took_ns,
	int64_t predicted_ns)
{
	unsigned octave = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
	struct live_envelope *e;
	int32_t took = clip32(took_ns), off = clip32(took_ns - predicted_ns);

	if (octave >= LIVE_OCTAVES)
		octave = LIVE_OCTAVES - 1;
	e = &l->cell[from][octave];
	if (e->count == UINT32_MAX)
		return;
	if (e->count == 0 || took < e->floor_ns) {
		e->floor_ns = took;
		e->floor_bytes = bytes;
	}
	if (e->count % LEARN_WINDOW == 0 || took < e->window_ns)
		e->window_ns = took;
	if (e->count % LEARN_WINDOW == 0 || off < e->window_off_ns)
		e->window_off_ns = off;
	if (++e->count % LEARN_WINDOW != 0)
		return;
	e->last_ns = e->window_ns;
	e->last_off_ns = e->window_off_ns;
	if (e->count == LEARN_WINDOW) {
		e->first_ns = e->window_ns;
		e->first_off_ns = e->window_off_ns;
	}
}

uint64_t envelope_count(const struct envelope *l)
{
	uint64_t n = 0;

	for (int from = 0; from < LEARN_CELLS; from++)
		for (int o = 0; o < LIVE_OCTAVES; o++)
			n += l->cell[from][o].count;
	return n;
}

static void add_reason(struct rec_link *rows, size_t *n, int tier, const char *name,
	const char *unit, const char *why)
{
	struct rec_link *r = &rows[(*n)++];

	*r = live_row(tier, "", name, UINT64_MAX, unit, "learned");
	snprintf(r->reason, sizeof(r->reason), "%s", why);
}

/* Blocking sends if there are enough for a line, else posts of nonblocking ones; NULL: neither. */
static const struct live_envelope *sends_of(const struct envelope *l)
{
	static const enum envelope_from from[] = { LEARN_SEND, LEARN_SEND_POST };

	for (size_t i = 0; i < 2; i++) {
		unsigned lengths = 0;

		for (int o = 0; o < LIVE_OCTAVES; o++)
			lengths += l->cell[from[i]][o].count >= ENOUGH;
		if (lengths >= LENGTHS_MIN)
			return l->cell[from[i]];
	}
	return NULL;
}

/* o and O of sends by a robust line through the envelope, which single waits cannot bend. */
static int add_send_line(
	const struct live_envelope *sends, int tier, struct rec_link *rows, size_t *n)
{
	double x[LIVE_OCTAVES], y[LIVE_OCTAVES];
	struct robust_line line;
	size_t points = 0;

	for (int o = 0; o < LIVE_OCTAVES; o++) {
		const struct live_envelope *e = &sends[o];

		if (e->count < ENOUGH || e->floor_ns <= 0)
			continue;
		x[points] = (double)e->floor_bytes;
		y[points++] = e->floor_ns;
	}
	if (points < LENGTHS_MIN)
		return -ENOENT;
	line = robust_line_fit(x, y, points, NAN);
	if (isnan(line.a) || line.a < 0 || line.b < 0)
		return -ENOENT;
	rows[*n] = live_row(tier, "", "o", UINT64_MAX, "ns", "learned");
	rows[(*n)++].value = line.a;
	rows[*n] = live_row(tier, "", "O_ss", UINT64_MAX, "ns/B", "learned");
	rows[(*n)++].value = line.b;
	return 0;
}

int envelope_rows(const struct envelope *l, int tier, struct rec_link *rows, size_t *n)
{
	static const unsigned curve[2] = { LIVE_SEND, LIVE_RECV };
	const struct live_envelope *envelope[2] = { sends_of(l), l->cell[LEARN_RECV] };
	struct live_base base;
	size_t receives = 0;
	int rc;

	*n = 0;
	rc = envelope[0] ? add_send_line(envelope[0], tier, rows, n) : -ENOENT;
	if (rc == 0)
		rc = live_base_from_rows(rows, *n, tier, &base);
	for (int kind = 0; kind < 2 && rc == 0; kind++)
		for (int o = 0; o < LIVE_OCTAVES; o++) {
			const struct live_envelope *e = &envelope[kind][o];

			if (e->count < ENOUGH)
				continue;
			rows[*n] = live_row(tier, live_curve_name(curve[kind]), "residual",
				e->floor_bytes, "ns", "learned");
			rows[(*n)++].value =
				e->floor_ns - live_base_ns(&base, curve[kind], e->floor_bytes);
			receives += kind;
		}
	if (rc != 0 || receives == 0) {
		*n = 0;
		return -ENOENT;
	}
	add_reason(rows, n, tier, "L", "ns", "learned from one side: not known who was late");
	add_reason(rows, n, tier, "G_s", "ns/B", "learned from one side: not known who was late");
	add_reason(rows, n, tier, "S", "B", "not measured, learned from messages");
	return 0;
}

size_t envelope_drift(const struct envelope *l, int tier, struct rec_link *rows)
{
	size_t n = 0;

	for (int kind = LEARN_SEND; kind <= LEARN_RECV; kind++)
		for (int o = 0; o < LIVE_OCTAVES; o++) {
			const struct live_envelope *e = &l->cell[kind][o];

			if (e->count < 2 * LEARN_WINDOW)
				continue;
			rows[n] = live_row(tier, kind ? "recv" : "send", "drift", e->floor_bytes,
				"ns", "learned");
			rows[n].value = e->last_off_ns;
			rows[n++].ci_low = e->first_off_ns;
		}
	return n;
}
