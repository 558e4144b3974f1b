/* SPDX-License-Identifier: BSD-3-Clause */
/* loggps.c: the equations of loggps.h. */
#include <math.h>

#include "analysis/model/equations/loggps.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"

static void fill_if_unknown(double *x, double value)
{
	if (isnan(*x))
		*x = value;
}

void loggps_complete(struct loggps *p)
{
	struct loggps_slopes *s = &p->by[LOGGPS_SHORT], *l = &p->by[LOGGPS_LONG];
	struct loggps_slopes *r = &p->by[LOGGPS_RENDEZVOUS];
	double G_l;

	fill_if_unknown(&p->one_way, 2 * p->o + p->L);
	fill_if_unknown(&p->L, p->one_way - 2 * p->o);
	if (p->L < 0)
		p->L = NAN;
	fill_if_unknown(&p->rendezvous, 2 * p->one_way);
	fill_if_unknown(&p->o_diff, 0);
	fill_if_unknown(&p->idle, 0);
	fill_if_unknown(&p->idle_k, 0);
	fill_if_unknown(&p->r_p, 0);
	fill_if_unknown(&p->r_r, 0);
	/* where too few lengths lie below s: their own overhead a byte is unknown */
	fill_if_unknown(&s->O_s, l->O_s);
	fill_if_unknown(&s->O_r, l->O_r);
	for (int i = 0; i < LOGGPS_REGIMES; i++)
		fill_if_unknown(&p->by[i].sum, p->by[i].O_s + p->by[i].G + p->by[i].O_r);
	fill_if_unknown(&r->sum, l->sum);
	fill_if_unknown(&r->O_s, l->O_s);
	fill_if_unknown(&r->O_r, l->O_r);
	fill_if_unknown(&r->G, l->G);
	G_l = isnan(l->G) ? s->G : l->G;
	fill_if_unknown(&p->jump_long, p->s == UINT64_MAX ? 0 : (double)p->s * (s->G - G_l));
	fill_if_unknown(&p->jump_long, 0);
}

enum loggps_regime loggps_regime(const struct loggps *p, uint64_t k)
{
	return k > p->S ? LOGGPS_RENDEZVOUS : k > p->s ? LOGGPS_LONG : LOGGPS_SHORT;
}

void loggps_bound_slope(struct loggps *p, uint64_t S_was)
{
	const double most = 2 * p->by[LOGGPS_RENDEZVOUS].sum;
	double sum;

	if (p->S <= S_was)
		return;
	sum = p->by[loggps_regime(p, S_was + 1)].sum;
	if (most > 0 && sum > most)
		p->knee[p->nknees++] = (struct loggps_knee){ S_was, most - sum };
}

/* What the knees add to the transfer of k bytes. */
static double bent(const struct loggps *p, uint64_t k)
{
	enum loggps_regime r;
	double ns = 0;

	if (!p->nknees)
		return 0;
	r = loggps_regime(p, k);
	for (unsigned i = 0; i < p->nknees && p->knee[i].at < k; i++)
		if (loggps_regime(p, p->knee[i].at + 1) == r)
			ns += (double)(k - p->knee[i].at) * p->knee[i].slope;
	return ns;
}

double loggps_transfer(const struct loggps *p, uint64_t k)
{
	return (double)k * p->by[loggps_regime(p, k)].sum + bent(p, k);
}

/* T1 + T2 + T3, or their long forms. */
static double whole_message(const struct loggps *p, uint64_t k)
{
	return p->one_way + (loggps_regime(p, k) == LOGGPS_SHORT ? 0 : p->jump_long) +
		loggps_transfer(p, k);
}

double loggps_knees(const struct loggps *p, uint64_t k)
{
	double ns = bent(p, k);

	return ns > 0 ? ns : 0;
}

/*
 * An overhead with `slope` [ns/B] and its fraction of the knees. side: -1 for a send, 1 for a
 * receive.
 */
static double overhead(const struct loggps *p, uint64_t k, double slope, int side)
{
	double knees = loggps_knees(p, k), sum = p->by[loggps_regime(p, k)].sum;
	double fraction = knees > 0 && sum > 0 ? slope / sum : 0;

	return p->o + (k > p->S ? 0 : side * p->o_diff) + (double)k * slope +
		knees * (fraction > 1 ? 1 : fraction);
}

double loggps_T1(const struct loggps *p, uint64_t k)
{
	if (k > p->S && !isnan(p->knees_sr))
		return p->o + (double)k * p->by[LOGGPS_RENDEZVOUS].O_s +
			p->knees_sr * loggps_knees(p, k);
	return overhead(p, k, p->by[loggps_regime(p, k)].O_s, -1);
}

double loggps_T3(const struct loggps *p, uint64_t k)
{
	return overhead(p, k, p->by[loggps_regime(p, k)].O_r, 1);
}

/* Unlike fmax() it keeps a NAN: an unknown time must not turn into a known one. */
static double larger(double a, double b)
{
	return a > b || isnan(a) ? a : b;
}

/* T4 + T5: the request is handled when the receive runs, never before it has flown o + L. */
static double handshake(const struct loggps *p, double late)
{
	return late > 0 ? p->rendezvous + larger(late - (p->one_way - p->o), 0) : p->rendezvous;
}

double loggps_message(const struct loggps *p, uint64_t k, int synchronous, double late)
{
	double T3 = loggps_T3(p, k), all = whole_message(p, k);

	if (synchronous || k > p->S)
		return handshake(p, late) + all;
	return late > 0 ? larger(all - T3, late) + T3 : all;
}

double loggps_send(const struct loggps *p, uint64_t k, int synchronous, double late)
{
	double T1 = loggps_T1(p, k);

	if (synchronous || k > p->S)
		return handshake(p, late) + T1 + (k > p->S ? p->r_r : 0);
	return k > p->S_p ? T1 + p->r_p : T1;
}

double loggps_recv(const struct loggps *p, uint64_t k, int synchronous, double late)
{
	double T3 = loggps_T3(p, k), all = whole_message(p, k);
	double flight = p->one_way - p->o;

	if (synchronous || k > p->S)
		return late == 0 ? p->rendezvous + all :
				   larger(flight - late, 0) + p->rendezvous - flight + all;
	/* where overheads overlap the delivery, T3 may exceed the whole */
	return late == 0 && all > T3 ? all : larger(all - T3 - late, 0) + T3;
}

double loggps_rtt(const struct loggps *p, uint64_t k, int synchronous, double w)
{
	double T1 = loggps_T1(p, k), T3 = loggps_T3(p, k), all = whole_message(p, k);
	double hidden;

	if (synchronous || k > p->S) {
		/* w hides T2' + T3' of the message out and the request of the answer */
		T1 += k > p->S ? p->r_r : 0;
		hidden = larger(all - T1, 0) + p->one_way - p->o;
		return 2 * (p->rendezvous + all) + (w > 0 ? larger(w - hidden, 0) : 0) +
			(k > p->S ? w * (p->idle + (double)k * p->idle_k) : 0);
	}
	/* a send that returns only after the receiver's progress idles later: (4b) in (12), (13) */
	if (k > p->S_p)
		T1 += p->r_p;
	hidden = larger(2 * all - T1 - T3, 0);
	return w > 0 ? larger(hidden - w, 0) + w + T1 + T3 : 2 * all;
}

static uint64_t border(const struct model_params *p, int param)
{
	double b = model_get(p, param);

	return isnan(b) || b >= LOGGPS_BYTES_HIGH ? UINT64_MAX : (uint64_t)b;
}

void loggps_of(const struct model_params *p, struct loggps *g)
{
	*g = (struct loggps){
		.L = model_get(p, LOGGPS_L), .o = model_get(p, LOGGPS_o),
		.o_diff = model_get(p, LOGGPS_o_diff),
		.one_way = model_get(p, LOGGPS_one_way),
		.rendezvous = model_get(p, LOGGPS_rendezvous),
		.jump_long = model_get(p, LOGGPS_jump_l), .r_p = model_get(p, LOGGPS_r_p),
		.r_r = model_get(p, LOGGPS_r_r), .knees_sr = model_get(p, LOGGPS_knees_sr),
		.idle = model_get(p, LOGGPS_idle), .idle_k = model_get(p, LOGGPS_idle_k),
		.s = border(p, LOGGPS_s), .S = border(p, LOGGPS_S), .S_p = border(p, LOGGPS_S_p),
		.by = {
			{ model_get(p, LOGGPS_O_ss), model_get(p, LOGGPS_O_rs),
				model_get(p, LOGGPS_G_s), model_get(p, LOGGPS_sum_s) },
			{ model_get(p, LOGGPS_O_sl), model_get(p, LOGGPS_O_rl),
				model_get(p, LOGGPS_G_l), model_get(p, LOGGPS_sum_l) },
			{ model_get(p, LOGGPS_O_sr), model_get(p, LOGGPS_O_rr),
				model_get(p, LOGGPS_G_r), model_get(p, LOGGPS_sum_r) },
		},
	};
	for (size_t i = 0; i < p->nvalues && g->nknees < LOGGPS_KNEES_MAX; i++)
		if (p->value[i].param == LOGGPS_knee && isfinite(p->value[i].value))
			g->knee[g->nknees++] =
				(struct loggps_knee){ p->value[i].bytes, p->value[i].value };
	if (g->s > g->S)
		g->s = g->S;
	if (g->S_p > g->S)
		g->S_p = g->S;
	loggps_complete(g);
}
