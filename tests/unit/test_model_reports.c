/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_reports.c: fits of each model report the samples that they leave out and the
 * parameters that they cannot identify.
 */
#include "analysis/model/models.h"
#include "tests/unit/model_test.h"

static void a_longer_message_that_took_less_is_reported_with_its_lengths(void)
{
	struct random r = { 6 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	int found = 0;

	for (uint64_t k = 1; k < 100000; k *= 2)
		add_repeats(
			&l, &r, 0.01, SAMPLE_RTT, k, k == 512 ? 9000 : 4000 + 0.5 * (double)k, 0);
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_loggps, l.s, l.n, &f), 0);
	for (size_t i = 0; i < f.n; i++)
		found += f.finding[i].kind == FINDING_NON_MONOTONE &&
			f.finding[i].bytes_low == 512 && f.finding[i].bytes_high == 1024;
	CU_ASSERT_EQUAL(found, 1);
	/* and one such length does not bend the line */
	NEAR_PART(predict(&p, MODEL_ROUND_TRIP, 300), 4150, 0.02);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static void a_longer_message_that_took_less_is_reported_by_every_model_of_messages(void)
{
	struct random r = { 14 };
	struct sample_list l = { 0 };

	for (uint64_t k = 1; k < 100000; k *= 2)
		add_repeats(
			&l, &r, 0.05, SAMPLE_RTT, k, k == 512 ? 9000 : 4000 + 0.5 * (double)k, 0);
	for (const struct model *const *m = models; *m; m++) {
		struct model_findings f;
		struct model_params p;
		int found = 0;

		CU_ASSERT_EQUAL_FATAL(model_fit(&p, *m, l.s, l.n, &f), 0);
		for (size_t i = 0; i < f.n; i++)
			found += f.finding[i].kind == FINDING_NON_MONOTONE &&
				f.finding[i].samples == SAMPLE_RTT &&
				f.finding[i].bytes_low == 512 && f.finding[i].bytes_high == 1024;
		/* bursts are another matter */
		CU_ASSERT_EQUAL(found > 0, *m != &model_logfp && *m != &model_lop);
		model_params_release(&p);
		model_findings_release(&f);
	}
	free(l.s);
}

static void a_burst_to_more_hosts_that_took_less_is_reported(void)
{
	static const struct model *const of_bursts[] = { &model_logfp, &model_lop };
	struct random r = { 15 };
	struct sample_list l = { 0 };

	for (uint32_t P = 1; P <= 16; P++)
		for (int i = 0; i < REPEATS; i++) {
			double ns = P == 6 ? 90000 : 9000 + 1000.0 * P;

			sample_add(&l, SAMPLE_BURST, 1, noisy(&r, ns, 0.05))->count = P;
			sample_add(&l, SAMPLE_BURST_SEND, 1, noisy(&r, 300, 0.05))->count = P;
		}
	for (int i = 0; i < 2; i++) {
		struct model_findings f;
		struct model_params p;

		CU_ASSERT_EQUAL_FATAL(model_fit(&p, of_bursts[i], l.s, l.n, &f), 0);
		CU_ASSERT(has_finding(&f, FINDING_NON_MONOTONE, -1));
		model_params_release(&p);
		model_findings_release(&f);
	}
	free(l.s);
}

static void what_no_clock_can_have_shown_is_left_out_and_reported(void)
{
	static const double wrong[] = { NAN, INFINITY, -5 };
	struct random r = { 16 };
	struct sample_list l = { 0 };

	for (uint64_t k = 1; k < 100000; k *= 2)
		add_repeats(&l, &r, 0.01, SAMPLE_RTT, k, 2 * (4000 + 0.5 * (double)k), 0);
	for (int i = 0; i < 3; i++)
		sample_add(&l, SAMPLE_RTT, 64, wrong[i]);
	for (const struct model *const *m = models; *m; m++) {
		struct model_findings f;
		struct model_params p;
		int found = 0;

		CU_ASSERT_EQUAL_FATAL(model_fit(&p, *m, l.s, l.n, &f), 0);
		for (size_t i = 0; i < f.n; i++)
			found += f.finding[i].kind == FINDING_OUT_OF_RANGE &&
				f.finding[i].samples == SAMPLE_RTT &&
				f.finding[i].bytes_low == 64 && f.finding[i].bytes_high == 64;
		CU_ASSERT_EQUAL(found, 1);
		if (*m == &model_loggp_1)
			NEAR_PART(predict(&p, MODEL_ROUND_TRIP, 64), 2 * 4032, 0.01);
		model_params_release(&p);
		model_findings_release(&f);
	}
	free(l.s);
}

static void too_little_data_is_reported_by_every_model(void)
{
	struct sample one = { .kind = SAMPLE_RTT, .bytes = 8, .value_ns = 1000 };

	for (const struct model *const *m = models; *m; m++) {
		for (size_t n = 0; n <= 1; n++) {
			struct model_findings f;
			struct model_params p;
			int rc = model_fit(&p, *m, &one, n, &f);

			CU_ASSERT(rc == 0 || (*m)->fit == NULL);
			CU_ASSERT(rc < 0 || f.n > 0);
			if (rc == 0 && f.n == 0)
				fprintf(stderr, "\n%s finds nothing\n", (*m)->name);
			for (size_t i = 0; i < p.nvalues; i++)
				CU_ASSERT(!isnan(p.value[i].value) || p.value[i].reason[0]);
			model_params_release(&p);
			model_findings_release(&f);
		}
	}
}

static void a_negative_parameter_is_never_written(void)
{
	struct random r = { 7 };
	struct sample_list l = { 0 };

	/* longer messages are faster: every slope is negative */
	for (uint64_t k = 1; k < 100000; k *= 2)
		add_repeats(&l, &r, 0.01, SAMPLE_RTT, k, 1e6 - 5 * (double)k, 0);
	for (const struct model *const *m = models; *m; m++) {
		struct model_findings f;
		struct model_params p;

		if (model_fit(&p, *m, l.s, l.n, &f) < 0)
			continue;
		for (size_t i = 0; i < p.nvalues; i++) {
			const struct model_param *d = &p.model->param[p.value[i].param];

			CU_ASSERT(isnan(p.value[i].value) || p.value[i].value >= d->low);
		}
		if (*m == &model_loggp_1)
			CU_ASSERT(isnan(value_of(&p, "G")) &&
				has_finding(&f, FINDING_OUT_OF_RANGE, model_param_find(*m, "G")));
		model_params_release(&p);
		model_findings_release(&f);
	}
	free(l.s);
}

/* A send that gets faster with length: what is left out names the samples that say so. */
static void a_value_that_cannot_be_names_the_samples_to_look_at(void)
{
	struct random r = { 17 };
	struct sample_list l = { 0 };
	struct model_findings f;
	struct model_params p;
	int found = 0;

	for (uint32_t P = 1; P <= 16; P++)
		for (int i = 0; i < REPEATS; i++) {
			sample_add(&l, SAMPLE_BURST, 1, noisy(&r, 9000 + 1000.0 * P, 0))->count = P;
			sample_add(&l, SAMPLE_BURST_SEND, 1, noisy(&r, 2000 - 1900.0 / P, 0))
				->count = P;
		}
	CU_ASSERT_EQUAL_FATAL(model_fit(&p, &model_logfp, l.s, l.n, &f), 0);
	CU_ASSERT(isnan(value_of(&p, "o_max")));
	for (size_t i = 0; i < f.n; i++)
		found += f.finding[i].kind == FINDING_OUT_OF_RANGE &&
			f.finding[i].param == model_param_find(p.model, "o_max") &&
			f.finding[i].samples == SAMPLE_BURST_SEND;
	CU_ASSERT_EQUAL(found, 1);
	model_params_release(&p);
	model_findings_release(&f);
	free(l.s);
}

static const struct unit_test tests[] = {
	{ "a longer message that took less is reported with its lengths",
		a_longer_message_that_took_less_is_reported_with_its_lengths },
	{ "a longer message that took less is reported by every model of messages",
		a_longer_message_that_took_less_is_reported_by_every_model_of_messages },
	{ "a burst to more hosts that took less is reported",
		a_burst_to_more_hosts_that_took_less_is_reported },
	{ "what no clock can have shown is left out and reported",
		what_no_clock_can_have_shown_is_left_out_and_reported },
	{ "a value that cannot be names the samples to look at",
		a_value_that_cannot_be_names_the_samples_to_look_at },
	{ "too little data is reported by every model",
		too_little_data_is_reported_by_every_model },
	{ "a negative parameter is never written", a_negative_parameter_is_never_written },
	{ NULL, NULL }
};

int main(void)
{
	return unit_main("reports", tests);
}
