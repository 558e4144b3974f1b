/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggps_fit.c: from samples to LogGPS parameters.
 *
 * The source does not print its procedure. Its equations allow this one: half round trips are lines
 * in each regime, the calls themselves give overheads, and the rest of a line's slope is the gap.
 * If overheads overlap the delivery, the rest can be negative. Then only the sum is kept, and a
 * finding says so.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

struct fit {
	struct model_params *p;
	struct model_findings *f;
	struct sample_point *pt;
	size_t np;
	double *x, *y;                      /* room for np each */
	const struct loggps_borders *known; /* NULL: the samples tell */
	uint64_t s, S, S_p;                 /* UINT64_MAX: all lengths */
	double one_way, jump;
	double sum[LOGGPS_REGIMES];
	double O_s[LOGGPS_REGIMES], O_r[LOGGPS_REGIMES];
	double o, o_diff;
};

enum { SIZES_MIN = 3 };

_Static_assert(LOGGPS_REGIMES *ROBUST_KNOTS_MAX <= LOGGPS_KNEES_MAX, "no knee is left out");

static int set_param(struct fit *t, int param, double value, double half, const char *reason)
{
	return model_set(t->p, param, MODEL_NO_BYTES, value, value - half, value + half, reason);
}

static size_t curve(struct fit *t, enum sample_kind kind, uint64_t low, uint64_t high, double scale)
{
	return sample_curve(t->pt, t->np, kind, low, high, scale, t->x, t->y);
}

/* The median round trip of k bytes without a delay, INFINITY where there is none. */
static double plain_round_trip(const struct fit *t, uint64_t k)
{
	for (size_t i = 0; i < t->np; i++)
		if (t->pt[i].kind == SAMPLE_RTT && t->pt[i].bytes == k)
			return t->pt[i].median;
	return INFINITY;
}

/*
 * Takes round trips whose w is longer than all that it can hide. Less w, their time is T1 + T3. Of
 * each length only the shortest such w counts: after a longer one caches are cold, and the calls
 * take longer than in any round trip.
 */
static size_t curve_calls(struct fit *t, uint64_t low, uint64_t high)
{
	size_t n = 0;

	for (size_t i = 0; i < t->np; i++) {
		const struct sample_point *pt = &t->pt[i];
		double rest = pt->median - (double)pt->delay_ns;

		if (pt->kind != SAMPLE_RTT_W || pt->bytes < low || pt->bytes > high ||
			!(rest > 0) || (double)pt->delay_ns < plain_round_trip(t, pt->bytes) ||
			(n > 0 && t->x[n - 1] == (double)pt->bytes))
			continue;
		t->x[n] = (double)pt->bytes;
		t->y[n++] = rest;
	}
	return n;
}

/*
 * Leaves out lengths that took far longer than the next one. A fit of bent lines would take them
 * for structure. small_report() has named them. Returns the number of points left.
 */
static size_t without_spikes(struct fit *t, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && t->y[i] > 1.2 * t->y[i + 1])
			continue;
		t->x[kept] = t->x[i];
		t->y[kept++] = t->y[i];
	}
	return kept;
}

/* One border from late receivers: `param` set, *border: longest length below it. -1: no data. */
static int border_measured(struct fit *t, enum sample_kind kind, int param, uint64_t *border)
{
	uint64_t local, waits;

	if (sample_threshold(t->pt, t->np, kind, &local, &waits) < 0)
		return -1;
	*border = waits == UINT64_MAX ? UINT64_MAX : local;
	if (waits == UINT64_MAX) {
		char reason[64];

		snprintf(reason, sizeof(reason), "no send of up to %llu B waited",
			(unsigned long long)local);
		return model_set(t->p, param, MODEL_NO_BYTES, NAN, (double)local, NAN, reason);
	}
	return model_set(
		t->p, param, MODEL_NO_BYTES, (double)local, (double)local, (double)waits - 1, NULL);
}

/* S from the largest upward jump of the round trip: between two measured lengths. */
static int border_from_jump(struct fit *t)
{
	size_t n = without_spikes(t, curve(t, SAMPLE_RTT, 0, UINT64_MAX, 0.5));
	size_t first[4], parts, at = 0;
	double best = 0.1;

	parts = robust_segments(t->x, t->y, n, 4, SIZES_MIN, 0.01, ROBUST_BAYES, first);
	for (size_t i = 1; i < parts; i++) {
		size_t a = first[i - 1], b = first[i];
		size_t end = i + 1 < parts ? first[i + 1] : n;
		struct robust_line l = robust_line_fit(t->x + a, t->y + a, b - a, NAN);
		struct robust_line r = robust_line_fit(t->x + b, t->y + b, end - b, NAN);
		double jump = (r.a + r.b * t->x[b] - l.a - l.b * t->x[b]) / t->y[b];

		if (jump > best) {
			best = jump;
			at = b;
		}
	}
	if (at == 0) {
		t->S = UINT64_MAX;
		return set_param(t, LOGGPS_S, NAN, NAN, "round trips show no jump");
	}
	t->S = (uint64_t)t->x[at - 1];
	if (model_find_add(t->f, FINDING_TOO_LITTLE, LOGGPS_S, SAMPLE_RTT, t->S, (uint64_t)t->x[at],
		    "S from a jump of the round trip: within %.0f to %.0f B", t->x[at - 1],
		    t->x[at] - 1) < 0)
		return -ENOMEM;
	return model_set(
		t->p, LOGGPS_S, MODEL_NO_BYTES, t->x[at - 1], t->x[at - 1], t->x[at] - 1, NULL);
}

/* s: the significant break below S, else S_p below S, else S. */
static int border_short(struct fit *t)
{
	size_t n = without_spikes(t, curve(t, SAMPLE_RTT, 0, t->S, 0.5)), first[2], i;
	double low, high;

	if (robust_segments(t->x, t->y, n, 2, SIZES_MIN, 0.02, ROBUST_BAYES, first) < 2) {
		/* a regime of one or two lengths gives no line */
		t->s = t->S_p < t->S && curve(t, SAMPLE_RTT, 0, t->S_p, 0.5) >= SIZES_MIN ? t->S_p :
											    t->S;
		if (t->s == UINT64_MAX)
			return set_param(t, LOGGPS_s, NAN, NAN, "round trips show no break");
		return set_param(t, LOGGPS_s, (double)t->s, NAN, NULL);
	}
	i = first[1];
	low = t->x[i - 1];
	high = t->x[i] - 1;
	/* a break between the two lengths around S_p, or one behind, is S_p */
	t->s = t->S_p < t->S && t->S_p + 1 >= (uint64_t)low && t->S_p <= (uint64_t)high ?
		t->S_p :
		(uint64_t)low;
	return model_set(t->p, LOGGPS_s, MODEL_NO_BYTES, (double)t->s, low, high, NULL);
}

/* A threshold that is known. */
static int border_known(struct fit *t, int param, uint64_t value)
{
	char reason[64];

	if (value != UINT64_MAX)
		return set_param(t, param, (double)value, 0, NULL);
	snprintf(reason, sizeof(reason), "no send of up to %llu B waited",
		(unsigned long long)t->known->reach);
	return model_set(t->p, param, MODEL_NO_BYTES, NAN, (double)t->known->reach, NAN, reason);
}

static int borders(struct fit *t)
{
	int rc;

	if (t->known) {
		t->S = t->known->S;
		t->S_p = t->known->S_p < t->S ? t->known->S_p : t->S;
		if ((rc = border_known(t, LOGGPS_S, t->S)) < 0 ||
			(rc = border_known(t, LOGGPS_S_p, t->S_p)) < 0)
			return rc;
		return border_short(t);
	}
	t->S = t->S_p = UINT64_MAX;
	if (border_measured(t, SAMPLE_LATE_MATCH, LOGGPS_S, &t->S) < 0 &&
		(rc = border_from_jump(t)) < 0)
		return rc;
	if (border_measured(t, SAMPLE_LATE_PROGRESS, LOGGPS_S_p, &t->S_p) < 0 &&
		(rc = set_param(t, LOGGPS_S_p, NAN, NAN, "no receiver outside MPI was tried")) < 0)
		return rc;
	if (t->S_p == UINT64_MAX && t->S != UINT64_MAX) {
		const struct model_value *v = model_value(t->p, LOGGPS_S_p, MODEL_NO_BYTES);

		/* nothing waited for progress up to S: that is where local completion ends */
		if (v && v->ci_low >= (double)t->S &&
			(rc = set_param(t, LOGGPS_S_p, (double)t->S, 0, NULL)) < 0)
			return rc;
	}
	if (t->S_p > t->S)
		t->S_p = t->S;
	return border_short(t);
}

/* The lengths of a regime, both ends included. */
static void regime_range(const struct fit *t, int r, uint64_t *low, uint64_t *high)
{
	*low = r == LOGGPS_SHORT ? 0 : r == LOGGPS_LONG ? t->s + 1 : t->S + 1;
	*high = r == LOGGPS_SHORT ? t->s : r == LOGGPS_LONG ? t->S : UINT64_MAX;
	if (r == LOGGPS_LONG && t->s == t->S)
		*low = *high = UINT64_MAX;
	if (r == LOGGPS_RENDEZVOUS && t->S == UINT64_MAX)
		*low = *high = UINT64_MAX;
}

/*
 * Finds lengths in x[0..n) at which a regime's line bends, for robust_bent_fit(). A bend costs one
 * knee less than ROBUST_BAYES, since one bend too many hardly moves a prediction, but one too few
 * lays a line through stairs.
 */
static size_t knots_of(struct fit *t, size_t n, double *knot)
{
	enum { PARTS = ROBUST_KNOTS_MAX / 2 + 1 };
	size_t first[PARTS], parts, m = 0;

	if (n < 2 * SIZES_MIN + 2)
		return 0;
	parts = robust_segments(t->x, t->y, n, PARTS, SIZES_MIN, 0.015, 2, first);
	for (size_t i = 1; i < parts; i++) {
		/* a knot on both sides: the break may be a jump */
		knot[m++] = t->x[first[i] - 1];
		knot[m++] = t->x[first[i]];
	}
	return m;
}

static int report_switch(struct fit *t, int r, double c)
{
	static const char *const names[] = { "short", "long eager", "rendezvous" };

	return model_find_add(t->f, FINDING_SWITCH, LOGGPS_knee, SAMPLE_RTT, (uint64_t)c,
		(uint64_t)c, "round trips of %s messages bend at %.0f B: kept as a knee", names[r],
		c);
}

/* The best line of slope 0 in place of l. */
static struct robust_line flat_line(struct fit *t, size_t n, struct robust_line l)
{
	double *value = malloc(2 * n * sizeof(*value)), *weight = value + n;

	if (!value)
		return l;
	l.error = 0;
	for (size_t i = 0; i < n; i++) {
		value[i] = t->y[i];
		weight[i] = 1 / t->y[i];
	}
	l.a = robust_weighted_median(value, weight, n);
	l.b = 0;
	free(value);
	for (size_t i = 0; i < n; i++)
		l.error += fabs(t->y[i] - l.a) / t->y[i] / (double)n;
	return l;
}

/* The transfer line of one regime; a gets its intercept, a_half its uncertainty. */
static int transfer_line(struct fit *t, int r, double *a, double *a_half)
{
	static const int sums[] = { LOGGPS_sum_s, LOGGPS_sum_l, LOGGPS_sum_r };
	/* no message takes less than nothing, and no handshake does */
	double least = r == LOGGPS_RENDEZVOUS ? t->one_way + t->jump : 0;
	double knot[ROBUST_KNOTS_MAX], c[ROBUST_KNOTS_MAX + 2];
	struct robust_line l;
	uint64_t low, high;
	size_t n, nknots;
	int rc;

	*a = *a_half = t->sum[r] = NAN;
	regime_range(t, r, &low, &high);
	if (low == UINT64_MAX)
		return 0;
	n = without_spikes(t, curve(t, SAMPLE_RTT, low, high, 0.5));
	if (n < 2)
		return model_find_add(t->f, FINDING_TOO_LITTLE, sums[r], SAMPLE_RTT, low, high,
			"%zu lengths of round trips: a line wants %d", n, SIZES_MIN);
	l = robust_line_fit(t->x, t->y, n, NAN);
	if (l.b < 0 && l.b + 2 * l.b_half > 0) /* noise on a flat curve */
		l = flat_line(t, n, l);
	nknots = l.error > 0.01 ? knots_of(t, n, knot) : 0;
	/*
	 * a first piece of few lengths may fall, or be too steep: it is joined to the piece
	 * behind its break
	 */
	while (nknots &&
		(isnan(robust_bent_fit(t->x, t->y, n, knot, nknots, c)) || c[1] < 0 ||
			c[0] < least)) {
		nknots -= 2;
		memmove(knot, knot + 2, nknots * sizeof(*knot));
	}
	for (size_t i = 0; i < nknots; i++) {
		if ((rc = model_set(
			     t->p, LOGGPS_knee, (uint64_t)knot[i], c[i + 2], NAN, NAN, NULL)) < 0 ||
			(i % 2 == 0 && (rc = report_switch(t, r, knot[i])) < 0))
			return rc;
	}
	*a = nknots ? c[0] : l.a;
	*a_half = l.a_half;
	t->sum[r] = nknots ? c[1] : l.b;
	return set_param(t, sums[r], t->sum[r], l.b_half, NULL);
}

/*
 * Few lengths above S can give a line that starts below any message: T4 + T5 below 0. Then the
 * slope is fitted with the source's 2 (2o + L) instead, and a finding says so.
 */
static int rendezvous_refused(struct fit *t, double handshake)
{
	const char *why = "round trips give a negative one: 2 (2o + L) is taken";
	double start = 3 * t->one_way + t->jump;
	uint64_t low, high;
	struct robust_line l;
	size_t n;
	int rc;

	regime_range(t, LOGGPS_RENDEZVOUS, &low, &high);
	if (model_find_add(t->f, FINDING_OUT_OF_RANGE, LOGGPS_rendezvous, SAMPLE_RTT, low, high,
		    "the fit gives rendezvous = %.0f ns; %s", handshake, "2 (2o + L) is taken") < 0)
		return -ENOMEM;
	for (size_t i = 0; i < t->p->nvalues; i++) {
		struct model_value *v = &t->p->value[i];

		if (v->param == LOGGPS_knee && v->bytes >= low) {
			v->value = NAN;
			snprintf(v->reason, sizeof(v->reason), "the line was refused");
		}
	}
	n = without_spikes(t, curve(t, SAMPLE_RTT, low, high, 0.5));
	l = robust_line_fit(t->x, t->y, n, start);
	t->sum[LOGGPS_RENDEZVOUS] = l.b;
	if ((rc = set_param(t, LOGGPS_sum_r, l.b, l.b_half, NULL)) < 0)
		return rc;
	return set_param(t, LOGGPS_rendezvous, NAN, NAN, why);
}

static int transfers(struct fit *t)
{
	double a, half, long_a = NAN;
	int rc;

	if ((rc = transfer_line(t, LOGGPS_SHORT, &t->one_way, &half)) < 0 ||
		(rc = set_param(t, LOGGPS_one_way, t->one_way, half,
			 isnan(t->one_way) ? "too few short round trips" : NULL)) < 0 ||
		(rc = transfer_line(t, LOGGPS_LONG, &long_a, &half)) < 0)
		return rc;
	t->jump = isnan(long_a) ? 0 : long_a - t->one_way;
	if ((rc = set_param(t, LOGGPS_jump_l, t->jump, half, NULL)) < 0 ||
		(rc = transfer_line(t, LOGGPS_RENDEZVOUS, &a, &half)) < 0)
		return rc;
	a -= t->one_way + t->jump;
	if (a < 0)
		return rendezvous_refused(t, a);
	return set_param(
		t, LOGGPS_rendezvous, a, half, isnan(a) ? "too few round trips above S" : NULL);
}

/* A slope of an overhead that noise pushed just below 0 is 0. */
static double at_least_zero(struct robust_line *l)
{
	if (l->b < 0 && (isnan(l->b_half) || l->b + 2 * l->b_half > 0))
		l->b = 0;
	return l->b;
}

/*
 * Sets o_diff: the receive takes so much more than o, and the send so much less. Round trips show
 * the send's time. The receive's comes from the time of both calls together, or from receives
 * alone.
 */
static int overhead_by_side(struct fit *t, double send, double recv)
{
	double diff = (recv - send) / 2;

	t->o_diff = fabs(diff) <= t->o ? diff : 0;
	if (isnan(diff))
		return set_param(t, LOGGPS_o_diff, NAN, NAN, "sends or receives were not measured");
	if (fabs(diff) > t->o)
		return set_param(
			t, LOGGPS_o_diff, NAN, NAN, "one call alone took more than both together");
	return set_param(t, LOGGPS_o_diff, diff, NAN, NULL);
}

/* o: half of what both calls take at length 0, nobody waiting. */
static int fixed_overhead(struct fit *t)
{
	size_t n = curve_calls(t, 0, t->s);
	struct robust_line both = { NAN, NAN, NAN, NAN, NAN }, send, recv;
	int rc;

	if (n >= 2)
		both = robust_line_fit(t->x, t->y, n, NAN);
	n = curve(t, SAMPLE_SEND, 0, t->s, 1);
	send = robust_line_fit(t->x, t->y, n, NAN);
	n = curve(t, SAMPLE_RECV, 0, t->s, 1);
	recv = robust_line_fit(t->x, t->y, n, NAN);
	t->O_s[LOGGPS_SHORT] = at_least_zero(&send);
	t->O_r[LOGGPS_SHORT] = at_least_zero(&recv);
	if (isnan(t->O_s[0]) && !isnan(t->O_r[0]) && !isnan(both.b))
		t->O_s[0] = fmax(both.b - t->O_r[0], 0);
	if (isnan(t->O_r[0]) && !isnan(t->O_s[0]) && !isnan(both.b))
		t->O_r[0] = fmax(both.b - t->O_s[0], 0);
	t->o = !isnan(both.a)                    ? both.a / 2 :
		!isnan(send.a) && !isnan(recv.a) ? (send.a + recv.a) / 2 :
		!isnan(send.a)                   ? send.a :
						   recv.a;
	if (isnan(t->o) &&
		model_find_add(t->f, FINDING_TOO_LITTLE, LOGGPS_o, SAMPLE_SEND, 0, t->s,
			"no sends, receives or delayed round trips to tell overheads from") < 0)
		return -ENOMEM;
	rc = overhead_by_side(t, send.a, isnan(both.a) ? recv.a : both.a - send.a);
	return rc < 0 ? rc :
			set_param(t, LOGGPS_o, t->o, !isnan(both.a) ? both.a_half / 2 : send.a_half,
				isnan(t->o) ? "no overhead was measured" : NULL);
}

/*
 * x[0..n) become what overheads are proportional to: lengths, and the knees as so many bytes more.
 */
static void with_knees(struct fit *t, int r, size_t n)
{
	struct loggps g;

	loggps_of(t->p, &g);
	for (size_t i = 0; i < n && t->sum[r] > 0; i++)
		t->x[i] += loggps_knees(&g, (uint64_t)t->x[i]) / t->sum[r];
}

/*
 * A line for sends above S that take `part` of the knees; the error is infinite where it cannot be.
 */
static struct robust_line send_line(
	struct fit *t, const double *y, const double *knees, size_t n, double part, double fixed_a)
{
	struct robust_line l = { .error = INFINITY };

	for (size_t i = 0; i < n; i++) {
		t->y[i] = y[i] - part * knees[i];
		if (!(t->y[i] > 0))
			return l;
	}
	l = robust_line_fit(t->x, t->y, n, fixed_a);
	if (isnan(l.error) || l.b < 0 || l.a <= 0)
		l.error = INFINITY;
	return l;
}

/*
 * Fits the send above S. The send's part of the knees depends on which side moves the data; the
 * part that describes the samples best is kept. The send's line may lie below or above that of T4 +
 * T5 + T1'. If an intercept of its own pays for itself (a Bayesian criterion), r_r is the
 * difference.
 */
static int rendezvous_send(struct fit *t, size_t n, double above)
{
	double *y = malloc(2 * (n + 1) * sizeof(*y)), *knees = y + n, part = NAN;
	struct robust_line fixed = { .error = INFINITY }, own = { .error = INFINITY }, l;
	struct loggps g;
	int better, rc;

	if (!y)
		return -ENOMEM;
	loggps_of(t->p, &g);
	for (size_t i = 0; i < n; i++) {
		y[i] = t->y[i];
		knees[i] = loggps_knees(&g, (uint64_t)t->x[i]);
	}
	for (int quarter = 0; quarter <= 4; quarter++) {
		struct robust_line f = send_line(t, y, knees, n, quarter / 4.0, above);

		l = send_line(t, y, knees, n, quarter / 4.0, NAN);
		if (fmin(l.error, f.error) < 0.999 * fmin(own.error, fixed.error)) {
			own = l;
			fixed = f;
			part = quarter / 4.0;
		}
	}
	free(y);
	better = n > SIZES_MIN && isfinite(own.error) &&
		(!isfinite(fixed.error) ||
			(double)n * log((fixed.error + 0.002) / (own.error + 0.002)) >
				2 * log((double)n));
	l = better ? own : fixed;
	t->O_s[LOGGPS_RENDEZVOUS] = isfinite(l.error) ? l.b : NAN;
	rc = set_param(
		t, LOGGPS_knees_sr, part, NAN, isnan(part) ? "no line describes the sends" : NULL);
	return rc < 0 ? rc :
			set_param(t, LOGGPS_r_r, better ? own.a - above : 0,
				better ? own.a_half : NAN, NULL);
}

/*
 * The source's second step: round trips whose w is longer than all that it can hide show both calls
 * of an eager message together. Round trips show the sends; the rest is the receives' time.
 * Receives measured alone had met colder caches.
 */
static void calls_together(struct fit *t, uint64_t low, uint64_t high)
{
	size_t n = curve_calls(t, low, high);
	struct robust_line both;

	if (n == 0 || t->S_p < t->S) /* r_p is not yet known */
		return;
	both = robust_line_fit(t->x, t->y, n, 2 * t->o);
	if (both.b >= t->O_s[LOGGPS_LONG]) {
		t->O_r[LOGGPS_LONG] = both.b - t->O_s[LOGGPS_LONG];
	} else if (both.b > 0 && t->O_s[LOGGPS_LONG] > 0) {
		t->O_s[LOGGPS_LONG] = both.b;
		t->O_r[LOGGPS_LONG] = 0;
	}
}

/* Slopes of the calls above s: the intercept is o, and of a rendezvous also T4 + T5. */
static int long_overheads(struct fit *t, int r)
{
	uint64_t low, high;
	double above = t->o;
	size_t n;
	int rc = 0;

	t->O_s[r] = t->O_r[r] = NAN;
	regime_range(t, r, &low, &high);
	if (low == UINT64_MAX || isnan(t->o))
		return 0;
	if (r == LOGGPS_RENDEZVOUS) {
		double handshake = model_get(t->p, LOGGPS_rendezvous);

		above += isnan(handshake) ? 2 * t->one_way : handshake;
	}
	/* r_p is not yet known, so sends that need progress are left to progress() */
	n = curve(t, SAMPLE_SEND, low, r == LOGGPS_LONG && t->S_p > t->s ? t->S_p : high, 1);
	if (n > 0 && !isnan(above) && r == LOGGPS_RENDEZVOUS) {
		rc = rendezvous_send(t, n, above);
	} else if (n > 0 && !isnan(above)) {
		with_knees(t, r, n);
		struct robust_line l = robust_line_fit(t->x, t->y, n, above - t->o_diff);

		t->O_s[r] = at_least_zero(&l);
	}
	/* the data of a rendezvous cannot have arrived before its receive: T3' is not seen alone */
	n = curve(t, SAMPLE_RECV, low, high, 1);
	with_knees(t, r, n);
	if (n > 0 && r != LOGGPS_RENDEZVOUS) {
		struct robust_line l = robust_line_fit(t->x, t->y, n, above + t->o_diff);

		t->O_r[r] = at_least_zero(&l);
	}
	if (r == LOGGPS_LONG)
		calls_together(t, low, high);
	return rc;
}

/* O and G of one regime: G is what the overheads leave of the sum. */
static int split_sum(struct fit *t, int r)
{
	static const int params[][3] = {
		{ LOGGPS_O_ss, LOGGPS_O_rs, LOGGPS_G_s },
		{ LOGGPS_O_sl, LOGGPS_O_rl, LOGGPS_G_l },
		{ LOGGPS_O_sr, LOGGPS_O_rr, LOGGPS_G_r },
	};
	double G = t->sum[r] - t->O_s[r] - t->O_r[r];
	uint64_t low, high;
	const char *no_G = isnan(G) ? "an overhead a byte is not known" : NULL;
	const char *none = "no such messages";
	int rc;

	regime_range(t, r, &low, &high);
	if (G < 0) {
		no_G = "overheads overlap the delivery: only the sum is known";
		rc = model_find_add(t->f, FINDING_NOT_SEPARABLE, params[r][2], SAMPLE_SEND, low,
			high, "overheads of %.3g + %.3g ns/B exceed the transfer's %.3g", t->O_s[r],
			t->O_r[r], t->sum[r]);
		if (rc < 0)
			return rc;
		G = NAN;
	}
	if (low != UINT64_MAX)
		none = r == LOGGPS_RENDEZVOUS ? "its data never waits for its receive" :
						"too few such calls measured";
	if ((rc = set_param(t, params[r][0], t->O_s[r], NAN, isnan(t->O_s[r]) ? none : NULL)) < 0 ||
		(rc = set_param(t, params[r][1], t->O_r[r], NAN, isnan(t->O_r[r]) ? none : NULL)) <
			0)
		return rc;
	return set_param(t, params[r][2], G, NAN, no_G);
}

/*
 * T2' equals T2 at s, so jump_l = s (G_s - G_l). Where both gaps are known, that places s between
 * the two lengths around the break; no sample lies there.
 */
static int place_short(struct fit *t)
{
	const struct model_value *s = model_value(t->p, LOGGPS_s, MODEL_NO_BYTES);
	double at = round(t->jump / (model_get(t->p, LOGGPS_G_s) - model_get(t->p, LOGGPS_G_l)));

	if (!s || t->s == t->S_p || s->value != s->ci_low || !(at > s->ci_low && at <= s->ci_high))
		return 0;
	t->s = (uint64_t)at;
	return model_set(t->p, LOGGPS_s, MODEL_NO_BYTES, at, s->ci_low, s->ci_high, NULL);
}

/* L: what the calls leave of 2o + L. */
static int latency(struct fit *t)
{
	double L = t->one_way - 2 * t->o;

	if (isnan(L))
		return set_param(t, LOGGPS_L, NAN, NAN, "2o + L or o is not known");
	if (L > 0.02 * t->one_way)
		return set_param(t, LOGGPS_L, L, NAN, NULL);
	if (model_find_add(t->f, FINDING_NOT_SEPARABLE, LOGGPS_L, SAMPLE_RTT, 0, t->s,
		    "2o + L is %.0f ns, 2o alone %.0f ns: overheads overlap the delivery",
		    t->one_way, 2 * t->o) < 0)
		return -ENOMEM;
	return set_param(
		t, LOGGPS_L, NAN, NAN, "overheads overlap the delivery: only 2o + L is known");
}

/* r_p: what a send above S_p takes beyond T1', the receiver inside MPI. */
static int progress(struct fit *t)
{
	double O = t->s < t->S ? t->O_s[LOGGPS_LONG] : t->O_s[LOGGPS_SHORT];
	size_t n;

	if (t->S_p >= t->S)
		return set_param(t, LOGGPS_r_p, t->S_p == UINT64_MAX ? NAN : 0, NAN, NULL);
	if (t->S_p <= t->s && t->s < t->S) {
		/* T1' and r_p begin at the same length: one line gives both */
		struct robust_line l;

		n = curve(t, SAMPLE_SEND, t->s + 1, t->S, 1);
		with_knees(t, LOGGPS_LONG, n);
		l = robust_line_fit(t->x, t->y, n, NAN);
		if (isnan(l.b))
			return set_param(t, LOGGPS_r_p, NAN, NAN, "too few sends above S_p");
		t->O_s[LOGGPS_LONG] = at_least_zero(&l);
		return set_param(t, LOGGPS_r_p, fmax(l.a - t->o + t->o_diff, 0), l.a_half, NULL);
	}
	n = curve(t, SAMPLE_SEND, t->S_p + 1, t->S, 1);
	with_knees(t, t->s < t->S ? LOGGPS_LONG : LOGGPS_SHORT, n);
	for (size_t i = 0; i < n; i++)
		t->y[i] -= t->o - t->o_diff + O * t->x[i];
	if (n == 0)
		return set_param(t, LOGGPS_r_p, NAN, NAN, "no sends above S_p");
	return set_param(t, LOGGPS_r_p, fmax(robust_median(t->y, n), 0), NAN, NULL);
}

/*
 * Fits the time that delayed round trips above S take beyond (14), for each ns of w, as a line over
 * the length. Only those w count that are long beside the time that w hides. If half of the round
 * trips take no longer, nothing is added.
 */
static int idling(struct fit *t)
{
	struct robust_line l = { .a = 0, .b = 0 };
	size_t n = 0, seen = 0;
	struct loggps g;
	int rc;

	loggps_of(t->p, &g);
	for (size_t i = 0; i < t->np; i++) {
		const struct sample_point *pt = &t->pt[i];
		double w = (double)pt->delay_ns;
		double more = pt->median - loggps_rtt(&g, pt->bytes, 0, w);

		if (pt->kind != SAMPLE_RTT_W || pt->bytes <= t->S || isnan(more) ||
			w < 2 * plain_round_trip(t, pt->bytes))
			continue;
		seen++;
		if (more <= 0)
			continue;
		t->x[n] = (double)pt->bytes;
		t->y[n++] = more / w;
	}
	if (seen == 0)
		return 0;
	if (2 * n > seen)
		l = robust_line_fit(t->x, t->y, n, NAN);
	if (!(l.b >= 0)) /* one length, or noise */
		l = flat_line(t, n, l);
	if ((rc = set_param(t, LOGGPS_idle, fmax(l.a, 0), NAN, NULL)) < 0)
		return rc;
	return set_param(t, LOGGPS_idle_k, l.b, NAN, NULL);
}

static int fit_all(struct fit *t)
{
	int rc;

	if ((rc = small_report(t->pt, t->np, SAMPLE_RTT, t->f)) < 0 || (rc = borders(t)) < 0 ||
		(rc = transfers(t)) < 0 || (rc = fixed_overhead(t)) < 0)
		return rc;
	if ((rc = long_overheads(t, LOGGPS_LONG)) < 0 ||
		(rc = long_overheads(t, LOGGPS_RENDEZVOUS)) < 0 || (rc = progress(t)) < 0)
		return rc;
	for (int r = 0; r < LOGGPS_REGIMES; r++)
		if ((rc = split_sum(t, r)) < 0)
			return rc;
	if ((rc = place_short(t)) < 0)
		return rc;
	rc = latency(t);
	return rc < 0 ? rc : idling(t);
}

int loggps_fit_samples(struct model_params *p, const struct sample *s, size_t n,
	const struct loggps_borders *known, struct model_findings *f)
{
	struct fit t = { .p = p, .f = f, .known = known };
	struct sample_filter fits = SAMPLE_FILTER_FITS;
	int rc = -ENOMEM;

	t.pt = sample_points(s, n, &fits, &t.np, NULL);
	if (t.np == 0)
		return model_find_add(
			f, FINDING_TOO_LITTLE, -1, SAMPLE_RTT, 0, UINT64_MAX, "no samples");
	if (t.pt) {
		t.x = malloc(t.np * sizeof(*t.x));
		t.y = malloc(t.np * sizeof(*t.y));
		if (t.x && t.y)
			rc = fit_all(&t);
	}
	free(t.x);
	free(t.y);
	free(t.pt);
	return rc;
}
