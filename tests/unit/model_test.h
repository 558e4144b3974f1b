/* SPDX-License-Identifier: BSD-3-Clause */
/* model_test.h: what the tests of analysis/model share. */
#ifndef TRYST_MODEL_TEST_H
#define TRYST_MODEL_TEST_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/model/model.h"
#include "tests/unit/unit.h"

/* Fails with both numbers shown. */
static inline int near_(double x, double want, double tolerance, const char *what, int line)
{
	int good = fabs(x - want) <= tolerance;

	if (!good)
		fprintf(stderr, "\n%s, line %d: %.10g, expected %.10g +- %.3g\n", what, line, x,
			want, tolerance);
	return good;
}

#define NEAR(x, want, tolerance) CU_ASSERT(near_((x), (want), (tolerance), #x, __LINE__))
#define NEAR_PART(x, want, part) NEAR(x, want, fabs((want) * (part)))

static inline double predict(const struct model_params *p, enum model_quantity q, uint64_t bytes)
{
	struct model_case c = { .bytes = bytes };

	return model_predict(p, q, &c, NULL);
}

static inline double value_of(const struct model_params *p, const char *name)
{
	return model_get(p, model_param_find(p->model, name));
}

/* A named set, or the test fails. */
static inline struct model_params published(const char *name)
{
	struct model_params p;

	CU_ASSERT_EQUAL_FATAL(model_published_load(&p, name), 0);
	return p;
}

/* The same numbers on every run: a 64-bit linear congruential generator. */
struct random {
	uint64_t state;
};

static inline double random_unit(struct random *r)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (double)(r->state >> 11) / 9007199254740992.0;
}

/*
 * A time as a busy machine would show it: 1 % of spread upwards, and in `outliers` of the cases
 * 10 to 1000 times too long.
 */
static inline double noisy(struct random *r, double ns, double outliers)
{
	double value = ns * (1 + 0.01 * random_unit(r) * random_unit(r));

	if (random_unit(r) < outliers)
		value *= pow(10, 1 + 2 * random_unit(r));
	return value;
}

/* A growing list of samples. */
struct sample_list {
	struct sample *s;
	size_t n, room;
};

static inline struct sample *sample_add(
	struct sample_list *l, enum sample_kind kind, uint64_t bytes, double ns)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 1024;
		l->s = realloc(l->s, l->room * sizeof(*l->s));
		CU_ASSERT_PTR_NOT_NULL_FATAL(l->s);
	}
	l->s[l->n] = (struct sample){
		.from = 0, .to = 1, .kind = (uint8_t)kind, .bytes = bytes, .value_ns = ns
	};
	return &l->s[l->n++];
}

enum { REPEATS = 40 };

/* REPEATS samples of one length; a round trip with a late receiver lasts longer by its delay. */
static inline void add_repeats(struct sample_list *l, struct random *r, double outliers,
	enum sample_kind kind, uint64_t k, double ns, double delay_ns)
{
	for (int i = 0; i < REPEATS; i++)
		sample_add(
			l, kind, k, noisy(r, ns, outliers) + (kind == SAMPLE_RTT_W ? delay_ns : 0))
			->delay_ns = (int64_t)delay_ns;
}

static inline int has_finding(const struct model_findings *f, enum finding_kind kind, int param)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->finding[i].kind == kind && (param < 0 || f->finding[i].param == param))
			return 1;
	return 0;
}

#endif
