/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_fit_loggps.c: fits of LogGPS: samples made from known parameters, with an operating
 * system's outliers, give them back.
 */
#include <string.h>

#include "analysis/model/equations/contention.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "tests/unit/model_test.h"

static const double outlier_rates[] = { 0, 0.01, 0.05 };

/* A machine whose parts are all identifiable. */
static const struct loggps truth = {
	.L = 5000,
	.o = 1000,
	.one_way = NAN,
	.rendezvous = NAN,
	.jump_long = NAN,
	.r_p = 700,
	.s = 2048,
	.S = 32768,
	.S_p = 8192,
	.by = { { 0.4, 0.3, 2.0, NAN }, { 0.2, 0.15, 0.5, NAN }, { 0.1, 0.1, 0.5, NAN } },
};

static const double delay = 1e6;

/* All that a calibration takes for LogGPS. */
static void measure(
	struct sample_list *l, const struct loggps *g, struct random *r, double outliers)
{
	static const uint64_t borders[] = { 8190, 8192, 8193, 8200, 32767, 32768, 32769, 33000 };

	for (double at = 1; at < 5e6; at *= 1.41421356) {
		uint64_t k = (uint64_t)at;

		add_repeats(l, r, outliers, SAMPLE_RTT, k, loggps_rtt(g, k, 0, 0), 0);
		add_repeats(l, r, outliers, SAMPLE_SEND, k, loggps_send(g, k, 0, 0), 0);
		if (k > g->S)
			continue;
		add_repeats(l, r, outliers, SAMPLE_RECV, k, loggps_T3(g, k), 0);
		add_repeats(
			l, r, outliers, SAMPLE_RTT_W, k, loggps_T1(g, k) + loggps_T3(g, k), delay);
	}
	for (size_t i = 0; i < sizeof(borders) / sizeof(*borders); i++) {
		uint64_t k = borders[i];

		add_repeats(l, r, outliers, SAMPLE_LATE_MATCH, k,
			k > g->S ? delay : loggps_T1(g, k), delay);
		add_repeats(l, r, outliers, SAMPLE_LATE_PROGRESS, k,
			k > g->S_p ? delay : loggps_T1(g, k), delay);
	}
}

static void LogGPS_comes_back_from_its_own_samples(void)
{
	struct loggps g = truth;
	struct random r = { 1 };

	loggps_complete(&g);
	for (int i = 0; i < 3; i++) {
		struct sample_list l = { 0 };
		struct model_findings f;
		struct model_params p;

		measure(&l, &g, &r, outlier_rates[i]);
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
		NEAR(value_of(&p, "S"), 32768, 0);
		NEAR(value_of(&p, "S_p"), 8192, 0);
		/* between two lengths measured */
		CU_ASSERT(value_of(&p, "s") >= 1448 && value_of(&p, "s") <= 2900);
		NEAR_PART(value_of(&p, "o"), 1000, 0.02);
		NEAR_PART(value_of(&p, "L"), 5000, 0.02);
		NEAR_PART(value_of(&p, "one_way"), 7000, 0.01);
		NEAR_PART(value_of(&p, "rendezvous"), 14000, 0.02);
		NEAR_PART(value_of(&p, "sum_s"), 2.7, 0.01);
		NEAR_PART(value_of(&p, "sum_l"), 0.85, 0.01);
		NEAR_PART(value_of(&p, "sum_r"), 0.7, 0.01);
		NEAR_PART(value_of(&p, "O_ss"), 0.4, 0.02);
		NEAR_PART(value_of(&p, "O_rs"), 0.3, 0.02);
		NEAR_PART(value_of(&p, "G_s"), 2.0, 0.02);
		NEAR_PART(value_of(&p, "O_sl"), 0.2, 0.02);
		NEAR_PART(value_of(&p, "O_rl"), 0.15, 0.02);
		NEAR_PART(value_of(&p, "G_l"), 0.5, 0.02);
		NEAR_PART(value_of(&p, "O_sr"), 0.1, 0.02);
		NEAR_PART(value_of(&p, "r_p"), 700, 0.1);
		for (uint64_t k = 1; k < 4000000; k = k * 3 + 1)
			NEAR_PART(predict(&p, MODEL_ROUND_TRIP, k), loggps_rtt(&g, k, 0, 0), 0.02);
		model_params_release(&p);
		model_findings_release(&f);
		free(l.s);
	}
}

/* What machine g shows of k bytes, without noise; the receiver of delayed ones is late enough. */
static void measure_exactly(struct sample_list *l, const struct loggps *g, uint64_t k)
{
	const double w = 1e9;

	for (int i = 0; i < 5; i++) {
		sample_add(l, SAMPLE_RTT, k, loggps_rtt(g, k, 0, 0));
		sample_add(l, SAMPLE_SEND, k, loggps_send(g, k, 0, 0));
		sample_add(l, SAMPLE_LATE_MATCH, k, loggps_send(g, k, 0, w))->delay_ns = (int64_t)w;
		if (k > g->S)
			continue;
		sample_add(l, SAMPLE_RECV, k, loggps_T3(g, k));
		sample_add(l, SAMPLE_RTT_W, k, loggps_rtt(g, k, 0, w))->delay_ns = (int64_t)w;
	}
}

/* From messages of a multiple of 1 KiB, and short ones; S is probed to the byte. */
static void Table_5_comes_back_from_the_round_trips_that_it_gives(void)
{
	static const char *const sets[] = { "loggps-cenju4", "loggps-myrinet",
		"loggps-fast-ethernet" };
	static const char *const parts[] = { "L", "o", "O_ss", "O_rs", "G_s", "O_sl", "O_rl", "G_l",
		"s" };

	for (int i = 0; i < 3; i++) {
		struct model_params table = published(sets[i]), p;
		struct sample_list l = { 0 };
		struct model_findings f;
		struct loggps g;

		loggps_of(&table, &g);
		for (uint64_t k = 64; k < 65536; k += k < 1024 ? 64 : 1024)
			measure_exactly(&l, &g, k);
		for (uint64_t k = g.S; k <= g.S + 1; k++)
			measure_exactly(&l, &g, k);
		CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
		NEAR(value_of(&p, "S"), value_of(&table, "S"), 0);
		for (size_t j = 0; j < sizeof(parts) / sizeof(*parts); j++) {
			double want = value_of(&table, parts[j]);

			/* of Cenju-4 all messages are short or by rendezvous */
			if (i > 0 || j < 5 || j == 8)
				CU_ASSERT(near_(value_of(&p, parts[j]), want, fabs(want) * 0.001,
					parts[j], i));
		}
		NEAR_PART(value_of(&p, "rendezvous"), g.rendezvous, 0.001);
		for (uint64_t k = 1; k < 4000000; k = k * 3 + 1)
			NEAR_PART(predict(&p, MODEL_ROUND_TRIP, k), loggps_rtt(&g, k, 0, 0), 0.001);
		model_params_release(&table);
		model_params_release(&p);
		model_findings_release(&f);
		free(l.s);
	}
}

/* Too few lengths up to s for their own overhead a byte: that of the next ones, not an unknown
 * time. */
static void short_messages_take_overheads_of_long_ones_where_none_were_measured(void)
{
	struct loggps g = truth;

	g.by[LOGGPS_SHORT].O_s = g.by[LOGGPS_SHORT].O_r = NAN;
	loggps_complete(&g);
	CU_ASSERT_EQUAL(g.by[LOGGPS_SHORT].O_s, truth.by[LOGGPS_LONG].O_s);
	CU_ASSERT_EQUAL(g.by[LOGGPS_SHORT].O_r, truth.by[LOGGPS_LONG].O_r);
	CU_ASSERT(isfinite(loggps_T3(&g, g.s + 1)));
}

static void a_late_receiver_is_predicted_from_fitted_parameters_by_Table_6(void)
{
	struct loggps g = truth;
	struct random r = { 2 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	loggps_complete(&g);
	measure(&l, &g, &r, 0.05);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	for (uint64_t k = 8; k < 4000000; k = k * 5 + 3)
		for (double w = 0; w <= 4e6; w += 250000) {
			struct model_case c = { .bytes = k, .delay_ns = w };

			NEAR_PART(model_predict(&p, MODEL_ROUND_TRIP, &c, NULL),
				loggps_rtt(&g, k, 0, w), 0.02);
		}
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void a_receive_that_costs_more_than_a_send_is_told_from_it(void)
{
	struct loggps g = truth;
	struct random r = { 31 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	g.o_diff = 400;
	loggps_complete(&g);
	measure(&l, &g, &r, 0.05);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "o"), 1000, 0.02);
	NEAR_PART(value_of(&p, "o_diff"), 400, 0.05);
	NEAR_PART(value_of(&p, "O_sl"), 0.2, 0.02);
	NEAR_PART(value_of(&p, "O_rl"), 0.15, 0.02);
	for (uint64_t k = 1; k < 32768; k = k * 3 + 1) {
		struct model_case early = { .bytes = k, .late_receiver_ns = 1e9 };

		NEAR_PART(predict(&p, MODEL_SEND, k), loggps_send(&g, k, 0, 0), 0.03);
		NEAR_PART(model_predict(&p, MODEL_RECV, &early, NULL), loggps_T3(&g, k), 0.03);
		NEAR_PART(predict(&p, MODEL_ROUND_TRIP, k), loggps_rtt(&g, k, 0, 0), 0.02);
	}
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void receives_that_were_cold_when_alone_are_those_of_delayed_round_trips(void)
{
	struct loggps g = truth;
	struct random r = { 32 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	g.S_p = g.S;
	g.r_p = 0;
	loggps_complete(&g);
	measure(&l, &g, &r, 0);
	for (size_t i = 0; i < l.n; i++)
		if (l.s[i].kind == SAMPLE_RECV)
			l.s[i].value_ns *= 1.5;
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "O_sl"), 0.2, 0.02);
	NEAR_PART(value_of(&p, "O_rl"), 0.15, 0.02);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void what_idling_costs_is_told_from_delayed_round_trips(void)
{
	static const uint64_t bytes[] = { 40000, 65536, 262144, 1048576 };
	static const double w[] = { 2e4, 1e5, 5e5, 2e6, 4e6, 8e6 };
	struct loggps g = truth;
	struct random r = { 33 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	loggps_complete(&g);
	measure(&l, &g, &r, 0.02);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, bytes[i], loggps_rtt(&g, bytes[i], 0, 0), 0);
	g.idle = 0.01;
	g.idle_k = 8e-8;
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		for (size_t j = 0; j < sizeof(w) / sizeof(*w); j++)
			add_repeats(&l, &r, 0.02, SAMPLE_RTT_W, bytes[i],
				loggps_rtt(&g, bytes[i], 0, w[j]) - w[j], w[j]);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "idle_k"), 8e-8, 0.1);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		for (size_t j = 0; j < sizeof(w) / sizeof(*w); j++) {
			struct model_case c = { .bytes = bytes[i], .delay_ns = w[j] };

			NEAR_PART(model_predict(&p, MODEL_ROUND_TRIP, &c, NULL),
				loggps_rtt(&g, bytes[i], 0, w[j]), 0.03);
		}
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void without_late_receivers_S_is_found_in_the_round_trips(void)
{
	struct loggps g = truth;
	struct random r = { 3 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	loggps_complete(&g);
	for (double at = 1; at < 5e6; at *= 1.1892071)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at,
			loggps_rtt(&g, (uint64_t)at, 0, 0), 0);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	NEAR_PART(value_of(&p, "S"), 32768, 0.2);
	/* that it is not exact is said, and so is what was not measured at all */
	CU_ASSERT(has_finding(&f, FINDING_TOO_LITTLE, LOGGPS_S));
	CU_ASSERT(isnan(value_of(&p, "L")) && isnan(value_of(&p, "o")));
	CU_ASSERT(model_value(&p, LOGGPS_L, MODEL_NO_BYTES)->reason[0] != 0);
	NEAR_PART(value_of(&p, "one_way"), 7000, 0.01);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void overheads_that_overlap_leave_L_and_G_unknown_but_sums_sound(void)
{
	struct loggps g = truth;
	struct random r = { 4 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	loggps_complete(&g);
	for (double at = 1; at < 40000; at *= 1.5) {
		uint64_t k = (uint64_t)at;
		double ns = 500 + 0.1 * at;

		add_repeats(&l, &r, 0.01, SAMPLE_RTT, k, 2 * ns, 0);
		add_repeats(&l, &r, 0.01, SAMPLE_SEND, k, 300 + 0.07 * at, 0);
		add_repeats(&l, &r, 0.01, SAMPLE_RECV, k, 320 + 0.08 * at, 0);
		add_repeats(&l, &r, 0.01, SAMPLE_LATE_MATCH, k, 300, delay);
	}
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	CU_ASSERT(isnan(value_of(&p, "L")) && isnan(value_of(&p, "G_s")));
	CU_ASSERT(has_finding(&f, FINDING_NOT_SEPARABLE, LOGGPS_L));
	CU_ASSERT(has_finding(&f, FINDING_NOT_SEPARABLE, LOGGPS_G_s));
	CU_ASSERT(isnan(value_of(&p, "S"))); /* no send waited */
	NEAR_PART(predict(&p, MODEL_ROUND_TRIP, 20000), 2 * 2500, 0.01);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void where_nothing_waits_for_progress_local_completion_ends_at_S(void)
{
	struct random r = { 24 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (double at = 1; at < 4e6; at *= 1.41421356)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at,
			1000 + at + (at > 8192 ? 30000 : 0), 0);
	for (uint64_t k = 8191; k <= 8194; k++)
		add_repeats(&l, &r, 0, SAMPLE_LATE_MATCH, k, k > 8192 ? delay : 500, delay);
	add_repeats(&l, &r, 0, SAMPLE_LATE_PROGRESS, 8192, 500, delay);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	NEAR(value_of(&p, "S"), 8192, 0);
	NEAR(value_of(&p, "S_p"), 8192, 0);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void a_switch_inside_a_regime_is_detected(void)
{
	struct random r = { 5 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	int found = 0;

	/* eager up to 64 KiB, and at 4 KiB the library begins to copy in pieces: +8 us, 3 ns/B */
	for (double at = 1; at < 4e6; at *= 1.1892071) {
		double ns = at <= 256 ? 1000 + 1.5 * at :
			at <= 4096    ? 1256 + 0.5 * at :
			at <= 65536   ? 1256 + 8000 + 3 * at :
					300000 + 0.7 * at;

		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * ns, 0);
	}
	add_repeats(&l, &r, 0, SAMPLE_LATE_MATCH, 65536, 1000, delay);
	add_repeats(&l, &r, 0, SAMPLE_LATE_MATCH, 65537, delay, delay);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	for (size_t i = 0; i < f.n; i++)
		if (f.finding[i].kind == FINDING_SWITCH)
			found += f.finding[i].bytes_low >= 200 && f.finding[i].bytes_low <= 4900;
	CU_ASSERT(found >= 1);
	for (double at = 1; at < 4e6; at *= 1.1892071) {
		double ns = at <= 256 ? 1000 + 1.5 * at :
			at <= 4096    ? 1256 + 0.5 * at :
			at <= 65536   ? 1256 + 8000 + 3 * at :
					300000 + 0.7 * at;

		NEAR_PART(predict(&p, MODEL_ROUND_TRIP, (uint64_t)at), 2 * ns, 0.05);
	}
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* Above S in pieces of 256 KiB, each of which costs two thirds of its time once more. */
static double in_pieces(double at)
{
	return 50000 + 0.15 * at + 60000 * floor((at - 65536) / 262144);
}

static void stairs_above_S_are_climbed(void)
{
	struct random r = { 7 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	double error = 0;
	size_t n = 0;
	int found = 0;

	/* each length 3 % off, either way */
	for (double at = 1; at<4.2e6; at *= at> 65536 ? 1.07 : 1.5)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at,
			(1.94 + 0.12 * random_unit(&r)) *
				(at <= 65536 ? 10000 + 0.3 * at : in_pieces(at)),
			0);
	add_repeats(&l, &r, 0, SAMPLE_LATE_MATCH, 65536, 1000, delay);
	add_repeats(&l, &r, 0, SAMPLE_LATE_MATCH, 65537, delay, delay);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	for (double at = 65537; at < 4.2e6; at *= 1.011, n++)
		error += fabs(predict(&p, MODEL_ROUND_TRIP, (uint64_t)at) / 2 / in_pieces(at) - 1);
	NEAR(error / (double)n, 0, 0.02);
	for (size_t i = 0; i < f.n; i++)
		found += f.finding[i].kind == FINDING_SWITCH;
	CU_ASSERT(found >= 5);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* A grid without S, as a short calibration has it: the jump lies at 4096, the probe says 4040. */
static void thresholds_that_are_known_end_the_regimes(void)
{
	const struct loggps_borders known = { 4040, 256, 1 << 20 };
	struct random r = { 18 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (uint64_t k = 1; k < 5000000; k *= 2) {
		double ns = k <= 4096 ? 500 + 0.4 * (double)k : 4000 + 0.1 * (double)k;

		add_repeats(&l, &r, 0.02, SAMPLE_RTT, k, 2 * ns, 0);
		add_repeats(&l, &r, 0.02, SAMPLE_SEND, k, k <= 4040 ? 200 : ns, 0);
	}
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	NEAR(value_of(&p, "S"), 4040, 0);
	NEAR(value_of(&p, "S_p"), 256, 0);
	CU_ASSERT(value_of(&p, "s") <= 4040);
	model_params_release(&p);
	model_findings_release(&f);
	/* none in sight: no length is a rendezvous, and up to where that was seen is kept */
	CU_ASSERT_EQUAL_FATAL(
		loggps_fit_known(&p, l.s, l.n,
			&(struct loggps_borders){ UINT64_MAX, UINT64_MAX, 1 << 20 }, &f),
		0);
	CU_ASSERT(isnan(value_of(&p, "S")));
	NEAR(model_value(&p, LOGGPS_S, MODEL_NO_BYTES)->ci_low, 1 << 20, 0);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* A transport that takes the last 20 us of a long message off the sender's hands. */
static void a_rendezvous_send_that_returns_early_is_told_from_its_slope(void)
{
	const struct loggps_borders known = { 4096, 4096, 1 << 20 };
	struct random r = { 21 };
	struct sample_list l = { 0 };
	struct model_case delayed = { .bytes = 100000, .delay_ns = 1e6 };
	struct model_findings f;
	struct model_params p;

	for (double at = 1; at < 5e6; at *= 1.41421356) {
		uint64_t k = (uint64_t)at;
		double half = 5000 + 0.5 * at + (k > 4096 ? 40000 : 0);

		add_repeats(&l, &r, 0.02, SAMPLE_RTT, k, 2 * half, 0);
		add_repeats(&l, &r, 0.02, SAMPLE_SEND, k,
			k <= 4096 ? 1000 + 0.1 * at : 21000 + 0.1 * at, 0);
		if (k <= 4096)
			add_repeats(&l, &r, 0.02, SAMPLE_RECV, k, 1000 + 0.1 * at, 0);
	}
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	NEAR_PART(value_of(&p, "rendezvous"), 40000, 0.05);
	NEAR(value_of(&p, "r_r"), -20000, 1500);
	NEAR_PART(value_of(&p, "O_sr"), 0.1, 0.02);
	NEAR_PART(predict(&p, MODEL_SEND, 100000), 31000, 0.02);
	/*
	 * what the sender does not wait for passes in w: 95 us less 31, and the answer's request, 4
	 */
	NEAR_PART(model_predict(&p, MODEL_ROUND_TRIP, &delayed, NULL), 1e6 + 190000 - 64000 - 4000,
		0.005);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/*
 * Beyond 500 kB caches make a byte twice as dear: for the receiver alone, or also for the sender.
 */
static void who_pays_for_caches_is_told_from_the_sends(void)
{
	const struct loggps_borders known = { 4096, 4096, 1 << 20 };
	struct random r = { 23 };

	for (int part = 0; part <= 1; part++) {
		struct sample_list l = { 0 };
		struct model_findings f;
		struct model_params p;

		for (double at = 1; at < 5e6; at *= 1.25) {
			double knee = fmax(at - 500000, 0) * 0.5, high = at > 4096 ? 40000 : 0;

			add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at,
				2 * (5000 + 0.5 * at + high + knee), 0);
			add_repeats(&l, &r, 0.02, SAMPLE_SEND, (uint64_t)at,
				1000 + 0.3 * at + high + part * knee, 0);
		}
		CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
		NEAR(value_of(&p, "knees_sr"), part, 0.25);
		NEAR_PART(predict(&p, MODEL_ROUND_TRIP, 3000000), 2 * (1545000 + 1250000), 0.03);
		NEAR_PART(predict(&p, MODEL_SEND, 3000000), 941000 + part * 1250000, 0.05);
		model_params_release(&p);
		model_findings_release(&f);
		free(l.s);
	}
}

/* A busy machine: above S times fall at first, then rise, and beyond 600 kB rise steeply. */
static void noise_on_a_flat_beginning_does_not_straighten_what_is_bent(void)
{
	const struct loggps_borders known = { 4096, 4096, 1 << 20 };
	static const double first[] = { 4100, 4000, 3900, 3850, 3800 };
	struct random r = { 25 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	int i = 0;

	for (double at = 1; at < 5e6; at *= 1.25) {
		double ns = at <= 4096 ? 500 + 0.5 * at :
			at < 12000     ? first[i++ % 5] :
					 3800 + 0.04 * at + fmax(at - 600000, 0) * 0.3;

		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * ns, 0);
	}
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	for (double at = 20000; at < 5e6; at *= 1.7)
		NEAR_PART(predict(&p, MODEL_ROUND_TRIP, (uint64_t)at),
			2 * (3800 + 0.04 * at + fmax(at - 600000, 0) * 0.3), 0.1);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* Just above S so steep that its line begins below any message. */
static double steep_at_first(double at)
{
	return at <= 4096 ? 300 + 0.01 * at :
		at < 4600 ? 2000 + (at - 4097) :
			    2500 + 0.1 * (at - 4600) + fmax(at - 600000, 0) * 0.3;
}

static void a_steep_beginning_above_S_costs_no_other_bend(void)
{
	const struct loggps_borders known = { 4096, 4096, 1 << 20 };
	struct random r = { 26 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (double at = 4097; at < 4600; at += 150)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * steep_at_first(at), 0);
	for (double at = 1; at < 5e6; at *= 1.25)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * steep_at_first(at), 0);
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	CU_ASSERT(value_of(&p, "rendezvous") > 0);
	for (double at = 6000; at < 5e6; at *= 1.7)
		NEAR_PART(
			predict(&p, MODEL_ROUND_TRIP, (uint64_t)at), 2 * steep_at_first(at), 0.06);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* Open MPI over TCP: after a switch at 30 KiB three lengths rise steeply. */
static void a_steep_beginning_below_S_does_not_start_below_0(void)
{
	const struct loggps_borders known = { 65536, 65536, 1 << 20 };
	static const double bytes[] = { 30464, 30592, 30656, 30688, 30720, 32768, 40925, 49152,
		57295, 65480 };
	static const double ns[] = { 10368, 11724, 11958, 11910, 11748, 13548, 13495, 14379, 14214,
		15646 };
	struct random r = { 27 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (double at = 1; at < 30000; at *= 1.25)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * (6400 + 0.05 * at), 0);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)bytes[i], 2 * ns[i], 0);
	for (double at = 65537; at < 5e6; at *= 1.25)
		add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at, 2 * (30000 + 0.2 * at), 0);
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	CU_ASSERT(value_of(&p, "one_way") + value_of(&p, "jump_l") >= 0);
	CU_ASSERT(value_of(&p, "rendezvous") < 30000);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

/* As a program's own messages may be: nothing between short ones and very long ones. */
static void a_line_above_S_that_starts_below_0_is_refused_and_replaced(void)
{
	const struct loggps_borders known = { 4096, 4096, 1 << 20 };
	struct random r = { 22 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;

	for (double at = 1; at < 5e6; at *= 1.41421356)
		if (at < 4096 || at > 300000)
			add_repeats(&l, &r, 0.02, SAMPLE_RTT, (uint64_t)at,
				at < 4096 ? 2 * (500 + 0.2 * at) : 2 * (0.2 * at - 50000), 0);
	CU_ASSERT_EQUAL_FATAL(loggps_fit_known(&p, l.s, l.n, &known, &f), 0);
	CU_ASSERT(isnan(value_of(&p, "rendezvous")));
	CU_ASSERT(has_finding(&f, FINDING_OUT_OF_RANGE, LOGGPS_rendezvous));
	CU_ASSERT(model_value(&p, LOGGPS_rendezvous, MODEL_NO_BYTES)->reason[0] != 0);
	/* and predictions are of the order of what was measured */
	NEAR_PART(predict(&p, MODEL_ROUND_TRIP, 1000000), 300000, 0.2);
	CU_ASSERT(predict(&p, MODEL_ROUND_TRIP, 5000) > 2000);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static const struct unit_test tests[] = { { "LogGPS comes back from its own samples",
						  LogGPS_comes_back_from_its_own_samples },
	{ "Table 5 comes back from the round trips that it gives",
		Table_5_comes_back_from_the_round_trips_that_it_gives },
	{ "short messages take overheads of long ones where none were measured",
		short_messages_take_overheads_of_long_ones_where_none_were_measured },
	{ "a delayed round trip is predicted from fitted parameters by Table 6",
		a_late_receiver_is_predicted_from_fitted_parameters_by_Table_6 },
	{ "a receive that costs more than a send is told from it",
		a_receive_that_costs_more_than_a_send_is_told_from_it },
	{ "receives that were cold when alone are those of delayed round trips",
		receives_that_were_cold_when_alone_are_those_of_delayed_round_trips },
	{ "what idling costs is told from delayed round trips",
		what_idling_costs_is_told_from_delayed_round_trips },
	{ "without late receivers S is found in the round trips",
		without_late_receivers_S_is_found_in_the_round_trips },
	{ "overheads that overlap leave L and G unknown but sums sound",
		overheads_that_overlap_leave_L_and_G_unknown_but_sums_sound },
	{ "where nothing waits for progress local completion ends at S",
		where_nothing_waits_for_progress_local_completion_ends_at_S },
	{ "a switch inside a regime is detected", a_switch_inside_a_regime_is_detected },
	{ "stairs above S are climbed", stairs_above_S_are_climbed },
	{ "thresholds that are known end the regimes", thresholds_that_are_known_end_the_regimes },
	{ "a rendezvous send that returns early is told from its slope",
		a_rendezvous_send_that_returns_early_is_told_from_its_slope },
	{ "who pays for caches is told from the sends",
		who_pays_for_caches_is_told_from_the_sends },
	{ "noise on a flat beginning does not straighten what is bent",
		noise_on_a_flat_beginning_does_not_straighten_what_is_bent },
	{ "a steep beginning above S costs no other bend",
		a_steep_beginning_above_S_costs_no_other_bend },
	{ "a steep beginning below S does not start below 0",
		a_steep_beginning_below_S_does_not_start_below_0 },
	{ "a line above S that starts below 0 is refused and replaced",
		a_line_above_S_that_starts_below_0_is_refused_and_replaced },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("fits_loggps", tests);
}
