/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_fit.c: fits of all models but LogGPS: samples made from known parameters, with an
 * operating system's outliers, give them back.
 */
#include <string.h>

#include "analysis/model/equations/contention.h"
#include "analysis/model/models.h"
#include "tests/unit/model_test.h"

static const double outlier_rates[] = { 0, 0.01, 0.05 };

/* Round trips, sends and receives of one tier. */
static void add_tier(struct sample_list *l, struct random *r, double outliers, int same_node,
	double o_s, double o_r, double L, double gap)
{
	for (double at = 1; at < 5e6; at *= 2) {
		size_t first = l->n;
		uint64_t k = (uint64_t)at;

		add_repeats(l, r, outliers, SAMPLE_RTT, k, 2 * (o_s + L + o_r + (at - 1) * gap), 0);
		add_repeats(l, r, outliers, SAMPLE_SEND, k, o_s, 0);
		add_repeats(l, r, outliers, SAMPLE_RECV, k, o_r, 0);
		for (size_t i = first; i < l->n; i++)
			l->s[i].same_node = (uint8_t)same_node;
	}
}

static void LoGHsSP_comes_back_from_pairs_of_both_tiers(void)
{
	struct random r = { 19 };

	for (int i = 0; i < 3; i++) {
		struct sample_list l = { 0 };
		struct model_case inside = { .bytes = 10001, .same_node = 1 };
		struct model_findings f;
		struct model_params p;

		add_tier(&l, &r, outlier_rates[i], 1, 2000, 3000, 0, 0.01);
		add_tier(&l, &r, outlier_rates[i], 0, 30000, 20000, 4000, 0.05);
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loghssp, l.s, l.n, &f), 0);
		NEAR_PART(value_of(&p, "s_s"), 2000, 0.02);
		NEAR_PART(value_of(&p, "s_r"), 3000, 0.02);
		NEAR_PART(value_of(&p, "S"), 0.01, 0.03);
		NEAR_PART(value_of(&p, "o_s"), 30000, 0.01);
		NEAR_PART(value_of(&p, "o_r"), 20000, 0.01);
		NEAR_PART(value_of(&p, "L"), 4000, 0.2);
		NEAR_PART(value_of(&p, "G"), 0.05, 0.03);
		NEAR_PART(model_predict(&p, MODEL_MESSAGE, &inside, NULL), 5100, 0.01);
		NEAR_PART(predict(&p, MODEL_MESSAGE, 10001), 54500, 0.01);
		model_params_release(&p);
		model_findings_release(&f);
		/* and the two-line model learns from both what a byte takes inside a node */
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_mm, l.s, l.n, &f), 0);
		NEAR_PART(value_of(&p, "b"), 0.05, 0.03);
		NEAR_PART(value_of(&p, "c"), 0.01, 0.03);
		model_params_release(&p);
		model_findings_release(&f);
		free(l.s);
	}
}

static void LoGHsSP_from_one_tier_says_what_is_missing(void)
{
	struct random r = { 20 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	add_tier(&l, &r, 0.01, 1, 2000, 3000, 0, 0.01);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loghssp, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "S"), 0.01, 0.03);
	CU_ASSERT(isnan(value_of(&p, "G")) && isnan(predict(&p, MODEL_MESSAGE, 8)));
	CU_ASSERT(has_finding(&f, FINDING_TOO_LITTLE, model_param_find(p.model, "G")));
	for (size_t i = 0; i < p.nvalues; i++)
		CU_ASSERT(!isnan(p.value[i].value) || p.value[i].reason[0]);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void LogGP_comes_back_as_one_line_and_as_two(void)
{
	struct random r = { 8 };

	for (int i = 0; i < 3; i++) {
		struct sample_list l = { 0 };
		struct model_findings f;
		struct model_params p;

		for (double at = 1; at < 4e6; at *= 1.41421356) {
			uint64_t k = (uint64_t)at;
			double ns = k <= 8191 ? 2 * 3830 + 7000 + (double)(k - 1) * 24.98 :
						2 * 72880 + 7000 + (double)(k - 1) * 8.85;

			add_repeats(&l, &r, outlier_rates[i], SAMPLE_RTT, k, 2 * ns, 0);
			add_repeats(&l, &r, outlier_rates[i], SAMPLE_SEND, k, 3830, 0);
		}
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggp_2, l.s, l.n, &f), 0);
		NEAR_PART(value_of(&p, "L"), 7000, 0.02);
		NEAR_PART(value_of(&p, "o"), 3830, 0.01);
		NEAR_PART(value_of(&p, "G"), 24.98, 0.01);
		NEAR_PART(value_of(&p, "o_l"), 72880, 0.02);
		NEAR_PART(value_of(&p, "G_l"), 8.85, 0.01);
		CU_ASSERT(value_of(&p, "s") > 5700 && value_of(&p, "s") < 8200);
		model_params_release(&p);
		model_findings_release(&f);
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggp_1, l.s, l.n, &f), 0);
		/* one line cannot follow both: it is worse */
		CU_ASSERT(fabs(model_error_percent(predict(&p, MODEL_MESSAGE, 8000),
				  2 * 3830 + 7000 + 7999 * 24.98)) > 20 ||
			fabs(model_error_percent(predict(&p, MODEL_MESSAGE, 2000000),
				2 * 72880 + 7000 + 1999999 * 8.85)) > 20);
		model_params_release(&p);
		model_findings_release(&f);
		free(l.s);
	}
}

static void PLogP_is_the_medians_themselves(void)
{
	struct random r = { 9 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (uint64_t k = 1; k < 1000000; k *= 2)
		add_repeats(&l, &r, 0.05, SAMPLE_RTT, k, 2 * (9000 + 3 * (double)k), 0);
	for (int i = 0; i < REPEATS; i++) /* g(1) = 4000, and the answer of the train */
		for (uint32_t n = 8; n <= 64; n *= 2)
			sample_add(&l, SAMPLE_TRAIN, 1, noisy(&r, 12000 + 4000.0 * n, 0.05))
				->count = n;
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_plogp, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "L"), 9003 - 4000, 0.03);
	NEAR_PART(predict(&p, MODEL_MESSAGE, 3000), 9000 + 9000, 0.01);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void protocols_come_back_from_calls_and_round_trips(void)
{
	struct random r = { 13 };
	struct sample_list l = { 0 };

	for (double at = 1; at < 4e6; at *= 2) {
		uint64_t k = (uint64_t)at;

		add_repeats(&l, &r, 0.05, SAMPLE_RTT, k, 2 * (3000 + 15000 + 3100 + 0.04 * at), 0);
		add_repeats(&l, &r, 0.05, SAMPLE_SEND, k, 3000, 0);
		add_repeats(&l, &r, 0.05, SAMPLE_RECV, k, 15000, 0);
		add_repeats(&l, &r, 0.05, SAMPLE_LATE_MATCH, k, k > 4096 ? 1e6 : 3000, 1e6);
	}
	for (const struct model *const *m = models; *m; m++) {
		struct model_findings f;
		struct model_params p;

		if ((*m)->source != model_am_rat.source)
			continue;
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, *m, l.s, l.n, &f), 0);
		NEAR_PART(value_of(&p, "o_s"), 3000, 0.01);
		NEAR_PART(value_of(&p, "o_r"), 15000, 0.01);
		NEAR_PART(value_of(&p, "L"), 3100, 0.02);
		NEAR_PART(value_of(&p, "G"), 0.04, 0.01);
		if (*m == &model_am_t || *m == &model_am_ta) {
			NEAR(value_of(&p, "envelope"), 4096, 0);
		} else {
			CU_ASSERT(model_param_find(*m, "envelope") < 0);
		}
		model_params_release(&p);
		model_findings_release(&f);
	}
	free(l.s);
}

static void LogfP_comes_back_from_bursts(void)
{
	struct random r = { 10 };

	for (int i = 0; i < 3; i++) {
		struct model_params made = published("logfp-infiniband"), p;
		struct sample_list l = { 0 };
		struct model_findings f;

		model_set(
			&made, model_param_find(made.model, "L"), MODEL_NO_BYTES, 3000, 0, 0, NULL);
		model_set(
			&made, model_param_find(made.model, "g"), MODEL_NO_BYTES, 900, 0, 0, NULL);
		for (int P = 1; P <= 64; P = P < 16 ? P + 1 : P * 2) {
			struct model_case c = { .n = P };

			for (int j = 0; j < REPEATS; j++) {
				sample_add(&l, SAMPLE_BURST, 1,
					noisy(&r, model_predict(&made, MODEL_BURST, &c, NULL),
						outlier_rates[i]))
					->count = (uint32_t)P;
				sample_add(&l, SAMPLE_BURST_SEND, 1,
					noisy(&r, model_predict(&made, MODEL_BURST_SEND, &c, NULL),
						outlier_rates[i]))
					->count = (uint32_t)P;
			}
		}
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_logfp, l.s, l.n, &f), 0);
		NEAR_PART(value_of(&p, "o_min"), 180, 0.02);
		NEAR_PART(value_of(&p, "o_max"), 1420, 0.02);
		NEAR_PART(value_of(&p, "L"), 3000, 0.02);
		NEAR_PART(value_of(&p, "g"), 900, 0.02);
		NEAR_PART(value_of(&p, "f"), 10, 0.03);
		model_params_release(&p);
		model_params_release(&made);
		model_findings_release(&f);
		free(l.s);
	}
}

static void LoP_predicts_the_bursts_that_it_was_made_from(void)
{
	static const double l6[6] = { 9000, 0.5, 800, 400, -0.05, 1 };
	struct random r = { 11 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (int P = 1; P <= 64; P = P < 16 ? P + 1 : P * 2)
		for (int j = 0; j < REPEATS; j++) {
			double ns = l6[0] / (l6[1] + P) + l6[2] +
				l6[3] * (1 - exp(l6[4] * (P - l6[5])));

			sample_add(&l, SAMPLE_BURST, 1, noisy(&r, P * ns, 0.02))->count =
				(uint32_t)P;
			sample_add(&l, SAMPLE_BURST_SEND, 1, noisy(&r, 1600 / (0.25 + P), 0.02))
				->count = (uint32_t)P;
		}
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_lop, l.s, l.n, &f), 0);
	for (int P = 1; P <= 64; P++) {
		struct model_case c = { .n = P };

		NEAR_PART(model_predict(&p, MODEL_BURST, &c, NULL),
			P * (l6[0] / (l6[1] + P) + l6[2] + l6[3] * (1 - exp(l6[4] * (P - l6[5])))),
			0.02);
		NEAR_PART(model_predict(&p, MODEL_BURST_SEND, &c, NULL), 1600 / (0.25 + P), 0.02);
	}
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* A transfer of 10 MB that takes `slower` times as long as alone. */
static void add_flow(struct sample_list *l, struct random *r, enum sample_flow flow, double slower,
	uint32_t repetition)
{
	struct sample *s = sample_add(l, SAMPLE_FLOW, 10000000, noisy(r, 89e6 * slower, 0.02));

	s->flow = (uint8_t)flow;
	s->repetition = repetition;
}

static void flow_cuts_come_back_from_concurrent_transfers(void)
{
	struct random r = { 12 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	static const struct {
		enum sample_flow flow;
		double slower;
	} pattern[] = {
		{ SAMPLE_FLOW_ALONE, 1 },
		{ SAMPLE_FLOW_OUT, 2 },
		{ SAMPLE_FLOW_IN, 2 },
		{ SAMPLE_FLOW_MIXED_IN, 1 },
		{ SAMPLE_FLOW_MIXED_OUT, 1.75 },
	};

	for (double at = 1; at < 4e6; at *= 2)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * (4700 + at * 8.9), 0);
	for (size_t i = 0; i < sizeof(pattern) / sizeof(*pattern); i++)
		for (uint32_t j = 0; j < REPEATS; j++)
			add_flow(&l, &r, pattern[i].flow, pattern[i].slower, j);
	/* the earlier end of two flows does not count */
	for (uint32_t j = 0; j < REPEATS; j++)
		add_flow(&l, &r, SAMPLE_FLOW_OUT, 1.4, j);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_mm, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "L"), 4700, 0.01);
	NEAR_PART(value_of(&p, "b"), 8.9, 0.01);
	NEAR_PART(value_of(&p, "cut_pair"), 1, 0.02);
	NEAR(value_of(&p, "cut_enter"), 0, 0.01);
	NEAR_PART(value_of(&p, "cut_leave"), 3, 0.05);
	CU_ASSERT(isnan(value_of(&p, "cut_in")));
	model_params_release(&p);
	model_findings_release(&f);
	/* from two nodes into one, which its network does not limit */
	for (uint32_t j = 0; j < REPEATS; j++)
		add_flow(&l, &r, SAMPLE_FLOW_IN_APART, 1.1, j);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_mm, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "cut_pair"), 1, 0.02);
	NEAR(value_of(&p, "cut_in"), 0.1, 0.02);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static const struct unit_test tests[] = { { "LoGH{sSP} comes back from pairs of both tiers",
						  LoGHsSP_comes_back_from_pairs_of_both_tiers },
	{ "LoGH{sSP} from one tier says what is missing",
		LoGHsSP_from_one_tier_says_what_is_missing },
	{ "LogGP comes back as one line and as two", LogGP_comes_back_as_one_line_and_as_two },
	{ "PLogP is the medians themselves", PLogP_is_the_medians_themselves },
	{ "protocols come back from calls and round trips",
		protocols_come_back_from_calls_and_round_trips },
	{ "LogfP comes back from bursts", LogfP_comes_back_from_bursts },
	{ "LoP predicts the bursts that it was made from",
		LoP_predicts_the_bursts_that_it_was_made_from },
	{ "flow cuts come back from concurrent transfers",
		flow_cuts_come_back_from_concurrent_transfers },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("fits", tests);
}
