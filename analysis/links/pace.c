/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c: see pace.h. */
#include "analysis/links/pace.h"

#include "analysis/model/robust.h"

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

static uint16_t median(const uint16_t *value)
{
	double sorted[PACE_SAMPLES];

	for (int i = 0; i < PACE_SAMPLES; i++)
		sorted[i] = value[i];
	robust_sort(sorted, PACE_SAMPLES);
	return (uint16_t)robust_quantile(sorted, PACE_SAMPLES, 0.5);
}

void pace_add(struct pace *p, const struct op *op, enum pace_class class, int64_t took_ns,
	int64_t calibrated_ns)
{
	struct pace_cell *c = &p->cell[class][op->kind == KIND_RECV][op->shared][length_of(op)];
	int64_t ratio;

	if (calibrated_ns < CALIBRATED_NS_MIN || took_ns <= 0)
		return;
	ratio = took_ns > UINT16_MAX / PACE_ONE_Q8 * calibrated_ns ?
		UINT16_MAX :
		took_ns * PACE_ONE_Q8 / calibrated_ns;
	c->ratio_q8[c->n++ % PACE_SAMPLES] = (uint16_t)ratio;
	if (c->n % PACE_SAMPLES)
		return;
	c->scale_q8 = median(c->ratio_q8);
	if (c->scale_q8 < LEAST_Q8)
		c->scale_q8 = LEAST_Q8;
	if (c->scale_q8 > MOST_Q8)
		c->scale_q8 = MOST_Q8;
}

uint16_t pace_q8(
	const struct pace *p, const struct op *op, enum pace_class class, int64_t calibrated_ns)
{
	const uint16_t scale =
		p->cell[class][op->kind == KIND_RECV][op->shared][length_of(op)].scale_q8;

	return scale && calibrated_ns >= CALIBRATED_NS_MIN ? scale : PACE_ONE_Q8;
}
