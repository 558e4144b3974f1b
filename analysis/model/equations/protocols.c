/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protocols.c: a message as a whole, or as the messages of which its protocol consists.
 *
 * Source: AM. Its simple approach (section 3.1, no equation is printed) is LogGP of whole MPI
 * calls: o_s + L + o_r + (k - 1) G, which is (2) with a length. The others are its equations (1) to
 * (7). Their overheads are those of the protocol's messages, far below those of calls. Each time is
 * a o_s + b L + c o_r + d (k - 1) G; the table has a, b, c, d. T_s is the time after which the
 * sender goes on, T_s-r is end to end. In T the sender sends at once. In TA the receiver
 * acknowledges. In RTA the sender asks, and the receiver pulls (rendezvous by get). In RAT the
 * sender asks, is allowed and pushes. T and TA carry messages that fit a packet: no G. The source
 * does not say how long these are: `envelope` is the longest message that does not wait for its
 * receiver (inferred). If the source gives only one time, as for TA, T_s and T_s-r are equal.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

/* Only the models T and TA have AM_envelope. */
enum { AM_L, AM_o_s, AM_o_r, AM_G, AM_envelope, AM_PARAMS };

enum { AM_SIMPLE, AM_T, AM_TA, AM_RTA, AM_RAT };

static const struct model_param params[] = {
	[AM_L] = { "L", "ns", 0, 1e12, 0, "latency", SAMPLE_RTT },
	[AM_o_s] = { "o_s", "ns", 0, 1e12, 0, "send overhead of a message", SAMPLE_SEND },
	[AM_o_r] = { "o_r", "ns", 0, 1e12, 0, "receive overhead of a message", SAMPLE_RECV },
	[AM_G] = { "G", "ns/B", 0, 1e9, 0, "gap a byte", SAMPLE_RTT },
	[AM_envelope] = { "envelope", "B", 0, 1.9e19, 0,
		"longest message that one protocol message carries", SAMPLE_LATE_MATCH },
};

static const struct decomposition {
	struct terms {
		int o_s, L, o_r, G;
	} sender, end_to_end;
} decompositions[] = {
	[AM_SIMPLE] = { { 1, 0, 0, 0 }, { 1, 1, 1, 1 } },
	[AM_T] = { { 1, 0, 0, 0 }, { 1, 1, 1, 0 } },   /* (1), (2) */
	[AM_TA] = { { 2, 2, 2, 0 }, { 2, 2, 2, 0 } },  /* (3) */
	[AM_RTA] = { { 2, 3, 2, 1 }, { 2, 2, 1, 1 } }, /* (5), (4) */
	[AM_RAT] = { { 4, 3, 2, 1 }, { 4, 4, 3, 1 } }, /* (6), (7) */
};

/* n times a parameter; one that is not needed need not be known. */
static double times(int n, double value)
{
	return n ? n * value : 0;
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	const struct decomposition *d = &decompositions[p->model->variant];
	const struct terms *t = q == MODEL_SEND ? &d->sender : &d->end_to_end;
	double bytes = c->bytes ? (double)(c->bytes - 1) : 0;

	(void)why;
	if (q == MODEL_RECV)
		return model_get(p, AM_o_r);
	return times(t->o_s, model_get(p, AM_o_s)) + times(t->L, model_get(p, AM_L)) +
		times(t->o_r, model_get(p, AM_o_r)) + times(t->G, bytes * model_get(p, AM_G));
}

static int set_param(
	struct model_params *p, int param, double value, double half, const char *reason)
{
	return model_set(p, param, MODEL_NO_BYTES, value, value - half, value + half, reason);
}

/*
 * L, o_s and o_r from the shortest messages, G from the line through round trips: the source's
 * LogGP parameters, which its section 3.2 gives to the messages of the protocol.
 */
static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	struct small_times t = small_times_of(pt, np);
	double L = t.half_rtt - t.o_s - t.o_r, *x = malloc(2 * np * sizeof(*x)), *y = x + np;
	const char *unknown = isnan(L) ? "needs round trips, sends and receives" : NULL;
	struct robust_line l;
	uint64_t local, waits;
	int rc;

	if (!x)
		return -ENOMEM;
	l = robust_line_fit(x, y, sample_curve(pt, np, SAMPLE_RTT, 0, UINT64_MAX, 0.5, x, y), NAN);
	free(x);
	if (isnan(L) || isnan(l.b))
		rc = model_find_add(f, FINDING_TOO_LITTLE, isnan(L) ? AM_L : AM_G, SAMPLE_RTT, 0,
			UINT64_MAX, "needs sends, receives and round trips of several lengths");
	else if (L < 0)
		rc = model_find_add(f, FINDING_NOT_SEPARABLE, AM_L, SAMPLE_RTT, 0, UINT64_MAX,
			"o_s + L + o_r is %.0f ns, o_s + o_r alone %.0f ns", t.half_rtt,
			t.o_s + t.o_r);
	else
		rc = 0;
	if (L < 0) {
		unknown = "overheads overlap the delivery";
		L = NAN;
	}
	if (rc < 0 || (rc = set_param(p, AM_L, L, NAN, unknown)) < 0 ||
		(rc = set_param(p, AM_o_s, t.o_s, NAN, isnan(t.o_s) ? "no sends" : NULL)) < 0 ||
		(rc = set_param(p, AM_o_r, t.o_r, NAN, isnan(t.o_r) ? "no receives" : NULL)) < 0)
		return rc;
	rc = set_param(p, AM_G, l.b, l.b_half, isnan(l.b) ? "too few lengths" : NULL);
	if (rc < 0 || p->model->nparams <= AM_envelope)
		return rc;
	if (sample_threshold(pt, np, SAMPLE_LATE_MATCH, &local, &waits) < 0)
		return set_param(p, AM_envelope, NAN, NAN, "no late receiver was tried");
	return model_set(p, AM_envelope, MODEL_NO_BYTES, (double)local, (double)local,
		waits == UINT64_MAX ? NAN : (double)waits - 1, NULL);
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_RTT, f, fit_points);
}

#define PROTOCOL(variable, name_, variant_, quantities_, summary_)                                 \
	const struct model variable = {                                                            \
		.name = name_,                                                                     \
		.source = "AM, section 3",                                                         \
		.summary = summary_,                                                               \
		.param = params,                                                                   \
		.nparams = variant_ == AM_T || variant_ == AM_TA ? AM_PARAMS : AM_envelope,        \
		.variant = variant_,                                                               \
		.quantities = quantities_,                                                         \
		.predict = predict,                                                                \
		.fit = fit,                                                                        \
	}

#define SEND_AND_MESSAGE (1u << MODEL_SEND | 1u << MODEL_MESSAGE)

PROTOCOL(model_am_simple, "AM-simple", AM_SIMPLE, SEND_AND_MESSAGE | 1u << MODEL_RECV,
	"LogGP with an overhead of its own for each side");
PROTOCOL(model_am_t, "T", AM_T, SEND_AND_MESSAGE, "a message sent at once");
PROTOCOL(model_am_ta, "TA", AM_TA, SEND_AND_MESSAGE, "a message and its acknowledgement");
PROTOCOL(model_am_rta, "RTA", AM_RTA, SEND_AND_MESSAGE, "request, pull, acknowledgement");
PROTOCOL(model_am_rat, "RAT", AM_RAT, SEND_AND_MESSAGE, "request, permission, push, end");
