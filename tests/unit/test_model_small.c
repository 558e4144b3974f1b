/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_small.c: LogP, LogGP, PLogP, LogfP, LoP, the protocols and LoGH{sSP} against the
 * numbers that their sources print.
 */
#include "analysis/model/models.h"
#include "analysis/model/equations/plogp.h"
#include "tests/unit/model_test.h"

static void set(struct model_params *p, const char *name, uint64_t bytes, double value)
{
	int param = model_param_find(p->model, name);

	CU_ASSERT_FATAL(param >= 0);
	CU_ASSERT_EQUAL_FATAL(model_set(p, param, bytes, value, NAN, NAN, NULL), 0);
}

static double burst(const struct model_params *p, enum model_quantity q, int P)
{
	struct model_case c = { .n = P };

	return model_predict(p, q, &c, NULL);
}

static void every_model_says_what_it_does_not_define(void)
{
	int undefined = 0;

	for (const struct model *const *m = models; *m; m++) {
		struct model_params p;

		CU_ASSERT_PTR_EQUAL(model_find((*m)->name), *m);
		model_params_init(&p, *m);
		for (int q = 0; q < MODEL_QUANTITIES; q++) {
			struct model_case c = { .bytes = 8, .n = 4 };
			const char *why = NULL;

			/* nothing is known, so nothing is predicted, and the reason is told */
			CU_ASSERT(isnan(model_predict(&p, q, &c, &why)));
			CU_ASSERT_PTR_NOT_NULL(why);
			undefined += !((*m)->quantities & 1u << q);
		}
		model_params_release(&p);
	}
	CU_ASSERT(undefined > 0);
}

static void an_input_that_an_equation_lacks_is_refused_not_ignored(void)
{
	static const struct {
		struct model_case c;
		uint32_t input;
	} cases[] = {
		{ { .bytes = 8, .n = 1, .late_receiver_ns = 1 }, MODEL_LATE },
		{ { .bytes = 8, .n = 1, .late_sender_ns = 1 }, MODEL_LATE },
		{ { .bytes = 8, .n = 1, .delay_ns = 1e9 }, MODEL_DELAY },
		{ { .bytes = 8, .n = 1, .mode = MODEL_SYNCHRONOUS }, MODEL_MODE },
	};
	int refused = 0, changed = 0;

	for (const struct model_published *s = model_published; s->name; s++) {
		struct model_params p = published(s->name);

		for (int q = 0; q < MODEL_QUANTITIES; q++)
			for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
				struct model_case plain = { .bytes = 8, .n = 1 };
				double without = model_predict(&p, q, &plain, NULL);
				double with = model_predict(&p, q, &cases[i].c, NULL);

				if (isnan(without))
					continue;
				if (model_inputs(p.model, q) & cases[i].input) {
					CU_ASSERT(!isnan(with));
					changed += with > without;
				} else {
					CU_ASSERT(isnan(with));
					refused++;
				}
			}
		model_params_release(&p);
	}
	CU_ASSERT(refused > 0 && changed > 0);
}

static void every_published_set_loads_and_predicts(void)
{
	for (const struct model_published *s = model_published; s->name; s++) {
		struct model_params p = published(s->name);
		struct model_case c = { .bytes = 1000, .n = 1 };
		int predicted = 0;

		for (int q = 0; q < MODEL_QUANTITIES; q++) {
			double ns = model_predict(&p, q, &c, NULL);

			predicted += ns > 0 && isfinite(ns);
		}
		if (predicted == 0)
			fprintf(stderr, "%s predicts nothing\n", s->name);
		CU_ASSERT(predicted > 0);
		for (size_t i = 0; i < p.nvalues; i++) {
			const struct model_param *d = &p.model->param[p.value[i].param];

			CU_ASSERT(isnan(p.value[i].value) ||
				(p.value[i].value >= d->low && p.value[i].value <= d->high));
			CU_ASSERT(!isnan(p.value[i].value) || p.value[i].reason[0]);
		}
		model_params_release(&p);
	}
}

static struct model_params some_plogp(void)
{
	struct model_params p;

	model_params_init(&p, &model_plogp);
	set(&p, "L", MODEL_NO_BYTES, 5000);
	set(&p, "g", 0, 3000);
	set(&p, "g", 1, 3010);
	set(&p, "g", 1000, 13000);
	set(&p, "g", 100000, 1003000);
	set(&p, "o_s", 1, 900);
	set(&p, "o_s", 100000, 10900);
	set(&p, "o_r", 1, 1100);
	set(&p, "o_r", 100000, 50000);
	return p;
}

static void PLogP_and_the_LogGP_made_of_it_agree_at_one_byte(void)
{
	struct model_params p = some_plogp(), logp, loggp;

	model_params_init(&logp, &model_logp);
	model_params_init(&loggp, &model_loggp_1);
	CU_ASSERT_EQUAL(plogp_convert(&p, &logp), 0);
	CU_ASSERT_EQUAL(plogp_convert(&p, &loggp), 0);
	NEAR(value_of(&loggp, "L"), 5000 + 3010 - 900 - 1100, 1e-9);
	NEAR(2 * value_of(&loggp, "o"), 2000, 1e-9);
	NEAR(value_of(&loggp, "g"), 3010, 1e-9);
	NEAR(value_of(&loggp, "G"), 10.03, 1e-9);
	NEAR(predict(&p, MODEL_MESSAGE, 1), 8010, 1e-9);
	NEAR(predict(&loggp, MODEL_MESSAGE, 1), 8010, 1e-9);
	NEAR(predict(&logp, MODEL_MESSAGE, 1), 8010, 1e-9);
	/* between the lengths it is a line */
	NEAR(predict(&p, MODEL_MESSAGE, 50500), 5000 + 508000, 1e-6);
	CU_ASSERT(plogp_convert(&logp, &loggp) < 0);
	model_params_release(&p);
	model_params_release(&logp);
	model_params_release(&loggp);
}

static void scatter_over_two_processes_is_one_message(void)
{
	struct model_params p = some_plogp(), loggp;
	struct model_case two = { .bytes = 1000, .n = 2 }, five = { .bytes = 1000, .n = 5 };

	model_params_init(&loggp, &model_loggp_1);
	CU_ASSERT_EQUAL(plogp_convert(&p, &loggp), 0);
	NEAR(model_predict(&p, MODEL_SCATTER, &two, NULL), predict(&p, MODEL_MESSAGE, 1000), 1e-9);
	NEAR(model_predict(&loggp, MODEL_GATHER, &two, NULL), predict(&loggp, MODEL_MESSAGE, 1000),
		1e-9);
	NEAR(model_predict(&p, MODEL_SCATTER, &five, NULL), 5000 + 4 * 13000, 1e-9);
	NEAR(model_predict(&loggp, MODEL_SCATTER, &five, NULL), 8010 + 4 * 999 * 10.03 + 3 * 3010,
		1e-6);
	model_params_release(&p);
	model_params_release(&loggp);
}

static void pairs_of_their_own_predict_the_mean_of_all(void)
{
	struct model_params pair[9], loggp[9];
	struct plogp_pairs plogp = { .n = 3, .pair = pair }, converted = { .n = 3, .pair = loggp };
	const char *why = NULL;

	for (int i = 0; i < 9; i++) {
		pair[i] = some_plogp();
		set(&pair[i], "L", MODEL_NO_BYTES, 1000.0 * i);
		set(&pair[i], "o_s", 1, 900 + 100 * i);
		model_params_init(&loggp[i], &model_loggp_1);
		CU_ASSERT_EQUAL(plogp_convert(&pair[i], &loggp[i]), 0);
	}
	/* pairs 1, 2, 3, 5, 6, 7 have a mean L of 4 us, and g(1000) = 13 us: L + 2 g */
	NEAR(plogp_pairs_linear(&plogp, MODEL_SCATTER, 1000, &why), 4000 + 2 * 13000, 1e-6);
	/* L + 2o = L^p + g(1) of each; G = g(100000) / 100000; and one g(1) */
	NEAR(plogp_pairs_linear(&converted, MODEL_GATHER, 1000, &why),
		4000 + 3010 + 2 * 999 * 10.03 + 3010, 1e-6);
	CU_ASSERT_PTR_NULL(why);
	set(&loggp[5], "g", MODEL_NO_BYTES, NAN);
	CU_ASSERT(isnan(plogp_pairs_linear(&converted, MODEL_GATHER, 1000, &why)));
	CU_ASSERT_PTR_NOT_NULL(why);
	for (int i = 0; i < 9; i++) {
		model_params_release(&pair[i]);
		model_params_release(&loggp[i]);
	}
}

static void LogfP_has_the_overheads_that_InfiniBand_showed(void)
{
	struct model_params p = published("logfp-infiniband");
	double previous = INFINITY;

	/*
	 * printed: o(1) = 1.6 us, o(P) -> 0.18 us; o_max = o(1) and o(1) = o_min + o_max disagree
	 */
	NEAR(burst(&p, MODEL_BURST_SEND, 1), 1600, 1e-6);
	NEAR(burst(&p, MODEL_BURST_SEND, 1000), 180, 2);
	for (int P = 1; P < 100; P++) {
		double o = burst(&p, MODEL_BURST_SEND, P);

		CU_ASSERT(o < previous);
		previous = o;
	}
	/* L and g are not published: nothing is made up */
	CU_ASSERT(isnan(burst(&p, MODEL_BURST, 5)));
	model_params_release(&p);
}

static struct model_params some_logfp(double L, double g, double f)
{
	struct model_params p = published("logfp-infiniband");

	set(&p, "L", MODEL_NO_BYTES, L);
	set(&p, "g", MODEL_NO_BYTES, g);
	set(&p, "f", MODEL_NO_BYTES, f);
	return p;
}

static void LogfP_is_continuous_at_f_and_its_assessment_finds_the_parameters(void)
{
	struct model_params p = some_logfp(3000, 900, 10);
	double at_f = burst(&p, MODEL_BURST, 10), lowest = INFINITY;
	int argmin = 0;

	/* P <= f: 2L + P o(P) + o(1), above: 2L + o(P) + o(1) + max{(P - 1) o(P), (P - f) g} */
	NEAR(at_f, 6000 + 10 * (180 + 142) + 1600, 1e-6);
	NEAR(burst(&p, MODEL_BURST, 40), 6000 + (180 + 35.5) + 1600 + 30 * 900, 1e-6);
	NEAR((burst(&p, MODEL_BURST, 1) - 2 * 180 - 2 * 1420) / 2, 3000, 1e-6); /* L */
	NEAR_PART(burst(&p, MODEL_BURST, 100000) / 100000, 900, 0.001);         /* g */
	for (int P = 1; P <= 1000; P++)
		if (burst(&p, MODEL_BURST, P) / P < lowest) {
			lowest = burst(&p, MODEL_BURST, P) / P;
			argmin = P;
		}
	/*
	 * f g = 9000 exceeds 2L + o(1) + o_min = 7780: RTT / P has a lowest place. It is not f but
	 * where the gaps outgrow the overheads: (P - f) g = (P - 1) o(P) between 14 and 15.
	 */
	CU_ASSERT_EQUAL(argmin, 14);
	model_params_release(&p);

	/* and where f g does not, RTT / P falls for ever and its lowest place says nothing of f */
	p = some_logfp(30000, 900, 10);
	for (int P = 10; P < 1000; P++)
		CU_ASSERT(burst(&p, MODEL_BURST, P + 1) / (P + 1) < burst(&p, MODEL_BURST, P) / P);
	model_params_release(&p);
}

static void LogP_of_a_burst_is_two_latencies_two_overheads_and_the_gaps(void)
{
	struct model_params p;

	model_params_init(&p, &model_logp);
	set(&p, "L", MODEL_NO_BYTES, 3000);
	set(&p, "o", MODEL_NO_BYTES, 500);
	set(&p, "g", MODEL_NO_BYTES, 900);
	NEAR(burst(&p, MODEL_BURST, 1), 2 * 3000 + 2 * 500, 1e-9);
	NEAR(burst(&p, MODEL_BURST, 11), 2 * 3000 + 2 * 500 + 10 * 900, 1e-9);
	set(&p, "g", MODEL_NO_BYTES, 100); /* max{o, g} */
	NEAR(burst(&p, MODEL_BURST, 11), 2 * 3000 + 2 * 500 + 10 * 500, 1e-9);
	NEAR(predict(&p, MODEL_ROUND_TRIP, 1), 2 * 4000, 1e-9);
	model_params_release(&p);
}

static void LoP_is_its_equation_and_shifting_l6_is_no_change(void)
{
	struct model_params p;
	double l[] = { 9000, 0.5, 800, 400, -0.05, 7 }, d = 4, l4 = l[3] * exp(l[4] * -(d));

	model_params_init(&p, &model_lop);
	for (int i = 0; i < 6; i++)
		set(&p, model_lop.param[2 + i].name, MODEL_NO_BYTES, l[i]);
	set(&p, "o1", MODEL_NO_BYTES, 1600);
	set(&p, "o2", MODEL_NO_BYTES, 0.25);
	NEAR(burst(&p, MODEL_BURST_SEND, 4), 1600 / 4.25, 1e-9);
	NEAR(burst(&p, MODEL_BURST, 20), 20 * (9000 / 20.5 + 800 + 400 * (1 - exp(-0.05 * 13))),
		1e-6);
	double before = burst(&p, MODEL_BURST, 33);

	set(&p, "l4", MODEL_NO_BYTES, l4);
	set(&p, "l6", MODEL_NO_BYTES, l[5] - d);
	set(&p, "l3", MODEL_NO_BYTES, l[2] + l[3] - l4);
	/* l4 e^(l5 (P - l6)) and l3 + l4 are what they were */
	NEAR(burst(&p, MODEL_BURST, 33), before, 1e-6);
	model_params_release(&p);
}

static struct model_params protocol(const struct model *m)
{
	struct model_params p;

	model_params_init(&p, m);
	set(&p, "L", MODEL_NO_BYTES, 3100);
	set(&p, "o_s", MODEL_NO_BYTES, 30000);
	set(&p, "o_r", MODEL_NO_BYTES, 15000);
	set(&p, "G", MODEL_NO_BYTES, 40);
	return p;
}

/* AM, (1) to (7); k = 16. */
static void protocols_add_up_their_messages(void)
{
	static const struct {
		const char *model;
		double send, whole;
	} want[] = {
		/* us, from L 3.1, o_s 30, o_r 15, G 0.04: (1) to (7) */
		{ "T", 30, 48.1 },
		{ "TA", 96.2, 96.2 },
		{ "RTA", 60 + 9.3 + 30 + 0.6, 60 + 6.2 + 15 + 0.6 },
		{ "RAT", 120 + 9.3 + 30 + 0.6, 120 + 12.4 + 45 + 0.6 },
	};

	for (int i = 0; i < 4; i++) {
		const struct model *m = model_find(want[i].model);
		struct model_params p;

		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		p = protocol(m);
		NEAR(predict(&p, MODEL_SEND, 16) / 1000, want[i].send, 1e-9);
		NEAR(predict(&p, MODEL_MESSAGE, 16) / 1000, want[i].whole, 1e-9);
		model_params_release(&p);
	}
}

static void the_last_message_of_a_protocol_separates_its_two_times(void)
{
	struct model_params rta = protocol(&model_am_rta), rat = protocol(&model_am_rat);

	/* (5) - (4) = (7) - (6) = L + o_r: in RTA the receiver is free first, in RAT the sender */
	NEAR(predict(&rta, MODEL_SEND, 10000) - predict(&rta, MODEL_MESSAGE, 10000), 18100, 1e-6);
	NEAR(predict(&rat, MODEL_MESSAGE, 10000) - predict(&rat, MODEL_SEND, 10000), 18100, 1e-6);
	model_params_release(&rta);
	model_params_release(&rat);
}

static void overheads_of_calls_serve_the_simple_approach_alone(void)
{
	struct model_params p = published("simple-t3d-10000");

	/* us, Table 3: 130 + 3.1 + 80 + 9999 * 0.04 */
	NEAR(predict(&p, MODEL_MESSAGE, 10000) / 1000, 130 + 3.1 + 80 + 399.96, 1e-6);
	NEAR(predict(&p, MODEL_SEND, 10000) / 1000, 130, 1e-9);
	NEAR(predict(&p, MODEL_RECV, 10000) / 1000, 80, 1e-9);
	model_params_release(&p);
	for (const struct model_published *s = model_published; s->name; s++) {
		CU_ASSERT_STRING_NOT_EQUAL(s->model, "TA");
		CU_ASSERT_STRING_NOT_EQUAL(s->model, "RTA");
		CU_ASSERT_STRING_NOT_EQUAL(s->model, "RAT");
	}
}

static void two_tiers_differ_as_Table_4_of_AM_says(void)
{
	struct model_params p = published("loghssp-convex-10000");
	struct model_case inside = { .bytes = 10000, .same_node = 1 }, between = { .bytes = 10000 };

	/* us: s_s + s_r + (k - 1) S, and o_s + o_r + (k - 1) G + L */
	NEAR(model_predict(&p, MODEL_MESSAGE, &inside, NULL) / 1000, 40 + 9999 * 0.01, 1e-6);
	NEAR(model_predict(&p, MODEL_MESSAGE, &between, NULL) / 1000, 400 + 9999 * 0.05 + 10, 1e-6);
	/*
	 * The caption of Table 4 has S and G the wrong way round: with 0.01 us/B between nodes and
	 * 0.05 inside, the ring between hypernodes would be faster (100 MB/s) than the crossbar (20
	 * MB/s).
	 */
	CU_ASSERT(value_of(&p, "S") < value_of(&p, "G"));
	model_params_release(&p);
}

static const struct unit_test tests[] = { { "every model says what it does not define",
						  every_model_says_what_it_does_not_define },
	{ "an input that an equation lacks is refused, not ignored",
		an_input_that_an_equation_lacks_is_refused_not_ignored },
	{ "every published set loads and predicts", every_published_set_loads_and_predicts },
	{ "PLogP and the LogGP made of it agree at one byte",
		PLogP_and_the_LogGP_made_of_it_agree_at_one_byte },
	{ "scatter over two processes is one message", scatter_over_two_processes_is_one_message },
	{ "pairs of their own predict the mean of all",
		pairs_of_their_own_predict_the_mean_of_all },
	{ "LogfP has the overheads that InfiniBand showed",
		LogfP_has_the_overheads_that_InfiniBand_showed },
	{ "LogfP is continuous at f, and its assessment finds the parameters",
		LogfP_is_continuous_at_f_and_its_assessment_finds_the_parameters },
	{ "LogP of a burst is two latencies, two overheads and the gaps",
		LogP_of_a_burst_is_two_latencies_two_overheads_and_the_gaps },
	{ "LoP is its equation, and shifting l6 is no change",
		LoP_is_its_equation_and_shifting_l6_is_no_change },
	{ "protocols add up their messages", protocols_add_up_their_messages },
	{ "the last message of a protocol separates its two times",
		the_last_message_of_a_protocol_separates_its_two_times },
	{ "overheads of calls serve the simple approach alone",
		overheads_of_calls_serve_the_simple_approach_alone },
	{ "two tiers differ as Table 4 of AM says", two_tiers_differ_as_Table_4_of_AM_says },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("small models", tests);
}
