/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c: see pace.h. */
#include "analysis/links/pace.h"

#include <math.h>

#include "analysis/model/robust.h"

enum { FEW_SAMPLES = 4 };

/*
 * If messages seem to take more than twice the calibrated time, something else delays them; if they
 * seem to take less than an eighth, they had moved before.
 */
enum { LEAST_Q8 = PACE_ONE_Q8 / 8, MOST_Q8 = 2 * PACE_ONE_Q8, CALIBRATED_NS_MIN = 500 };

static unsigned length_of(const struct op *op)
{
	return live_bin_of((uint64_t)op->bytes) / 4;
}

bool pace_alike(const struct op *a, const struct op *b)
{
	return length_of(a) == length_of(b);
}

/* The median of the cell's latest samples, within its bounds. */
static uint16_t scale_of(const struct pace_cell *c)
{
	const uint32_t n = c->n < PACE_SAMPLES ? c->n : PACE_SAMPLES;
	double sorted[PACE_SAMPLES];

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = c->ratio_q8[i];
	robust_sort(sorted, n);
	return (uint16_t)fmax(fmin(robust_quantile(sorted, n, 0.5), MOST_Q8), LEAST_Q8);
}

/* After the first few samples, after twice as many each time, and then after every PACE_SAMPLES. */
static bool is_due(uint32_t n)
{
	return n == FEW_SAMPLES || n == 2 * FEW_SAMPLES || n % PACE_SAMPLES == 0;
}

void pace_add(struct pace *p, const struct op *op, enum pace_class which, int64_t took_ns,
	int64_t calibrated_ns)
{
	struct pace_cell *c = &p->cell[which][op->kind == KIND_RECV][op->shared][length_of(op)];
	int64_t ratio;

	if (calibrated_ns < CALIBRATED_NS_MIN || took_ns <= 0)
		return;
	ratio = took_ns > UINT16_MAX / PACE_ONE_Q8 * calibrated_ns ?
		UINT16_MAX :
		took_ns * PACE_ONE_Q8 / calibrated_ns;
	c->ratio_q8[c->n++ % PACE_SAMPLES] = (uint16_t)ratio;
	if (is_due(c->n))
		c->scale_q8 = scale_of(c);
}

uint16_t pace_q8(
	const struct pace *p, const struct op *op, enum pace_class which, int64_t calibrated_ns)
{
	const uint16_t scale =
		p->cell[which][op->kind == KIND_RECV][op->shared][length_of(op)].scale_q8;

	return scale && calibrated_ns >= CALIBRATED_NS_MIN ? scale : PACE_ONE_Q8;
}
