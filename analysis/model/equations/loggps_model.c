/* SPDX-License-Identifier: BSD-3-Clause */
/* loggps_model.c: LogGPS as a model among others: its parameters, predictions and fit. */
#include "analysis/model/equations/loggps_fit.h"

#include "analysis/model/models.h"

#define NS_HIGH 1e12   /* 1000 s */
#define SLOPE_HIGH 1e9 /* 1 byte a second */

static const struct model_param params[] = {
	[LOGGPS_L] = { "L", "ns", 0, NS_HIGH, 0, "network latency", SAMPLE_RTT },
	[LOGGPS_o] = { "o", "ns", 0, NS_HIGH, 0, "fixed overhead of a call", SAMPLE_SEND },
	[LOGGPS_o_diff] = { "o_diff", "ns", -NS_HIGH, NS_HIGH, 0,
		"what a receive's o is more up to S, and a send's less", SAMPLE_RECV },
	[LOGGPS_one_way] = { "one_way", "ns", 0, NS_HIGH, 0, "2o + L", SAMPLE_RTT },
	[LOGGPS_rendezvous] = { "rendezvous", "ns", 0, NS_HIGH, 0, "T4 + T5, both sides in time",
		SAMPLE_RTT },
	[LOGGPS_O_ss] = { "O_ss", "ns/B", 0, SLOPE_HIGH, 0, "send overhead a byte, short",
		SAMPLE_SEND },
	[LOGGPS_O_rs] = { "O_rs", "ns/B", 0, SLOPE_HIGH, 0, "receive overhead a byte, short",
		SAMPLE_RECV },
	[LOGGPS_G_s] = { "G_s", "ns/B", 0, SLOPE_HIGH, 0, "gap a byte, short", SAMPLE_RTT },
	[LOGGPS_O_sl] = { "O_sl", "ns/B", 0, SLOPE_HIGH, 0, "send overhead a byte, long",
		SAMPLE_SEND },
	[LOGGPS_O_rl] = { "O_rl", "ns/B", 0, SLOPE_HIGH, 0, "receive overhead a byte, long",
		SAMPLE_RECV },
	[LOGGPS_G_l] = { "G_l", "ns/B", 0, SLOPE_HIGH, 0, "gap a byte, long", SAMPLE_RTT },
	[LOGGPS_O_sr] = { "O_sr", "ns/B", 0, SLOPE_HIGH, 0,
		"send overhead a byte, rendezvous, where it differs from O_sl", SAMPLE_SEND },
	[LOGGPS_O_rr] = { "O_rr", "ns/B", 0, SLOPE_HIGH, 0, "receive overhead a byte, rendezvous",
		SAMPLE_RECV },
	[LOGGPS_G_r] = { "G_r", "ns/B", 0, SLOPE_HIGH, 0, "gap a byte, rendezvous", SAMPLE_RTT },
	[LOGGPS_sum_s] = { "sum_s", "ns/B", 0, SLOPE_HIGH, 0, "O_ss + G_s + O_rs", SAMPLE_RTT },
	[LOGGPS_sum_l] = { "sum_l", "ns/B", 0, SLOPE_HIGH, 0, "O_sl + G_l + O_rl", SAMPLE_RTT },
	[LOGGPS_sum_r] = { "sum_r", "ns/B", 0, SLOPE_HIGH, 0, "O_sr + G_r + O_rr", SAMPLE_RTT },
	[LOGGPS_jump_l] = { "jump_l", "ns", -NS_HIGH, NS_HIGH, 0, "s (G_s - G_l)", SAMPLE_RTT },
	[LOGGPS_s] = { "s", "B", 0, LOGGPS_BYTES_HIGH, 0, "longest short message", SAMPLE_RTT },
	[LOGGPS_S] = { "S", "B", 0, LOGGPS_BYTES_HIGH, 0, "longest eager message",
		SAMPLE_LATE_MATCH },
	[LOGGPS_S_p] = { "S_p", "B", 0, LOGGPS_BYTES_HIGH, 0,
		"longest message whose send completes without the receiver's progress",
		SAMPLE_LATE_PROGRESS },
	[LOGGPS_r_p] = { "r_p", "ns", 0, NS_HIGH, 0,
		"what that progress adds to a send, receiver inside MPI", SAMPLE_SEND },
	[LOGGPS_r_r] = { "r_r", "ns", -NS_HIGH, NS_HIGH, 0,
		"what a send above S takes more than T4 + T5 + T1'", SAMPLE_SEND },
	[LOGGPS_knees_sr] = { "knees_sr", "", 0, 1, 0,
		"part of the knees that a send above S takes", SAMPLE_SEND },
	[LOGGPS_idle] = { "idle", "", 0, 1, 0,
		"what a ns of idling adds to a round trip above S [ns]", SAMPLE_RTT_W },
	[LOGGPS_idle_k] = { "idle_k", "1/B", 0, 1, 0, "and for each byte of the message",
		SAMPLE_RTT_W },
	[LOGGPS_knee] = { "knee", "ns/B", -SLOPE_HIGH, SLOPE_HIGH, 1,
		"what the transfer's slope grows by beyond a length", SAMPLE_RTT },
};

_Static_assert(sizeof(params) / sizeof(*params) == LOGGPS_PARAMS, "all described");

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return loggps_fit_samples(p, s, n, NULL, f);
}

int loggps_fit_known(struct model_params *p, const struct sample *s, size_t n,
	const struct loggps_borders *known, struct model_findings *f)
{
	int rc;

	if (!known)
		return model_fit(p, &model_loggps, s, n, f);
	model_params_init(p, &model_loggps);
	model_findings_init(f);
	rc = loggps_fit_samples(p, s, n, known, f);
	return rc < 0 ? rc : model_refuse_out_of_range(p, f);
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	int synchronous = c->mode == MODEL_SYNCHRONOUS;
	double late = c->late_receiver_ns - c->late_sender_ns;
	struct loggps g;

	(void)why;
	loggps_of(p, &g);
	if (c->mode == MODEL_BUFFERED && q == MODEL_SEND)
		return loggps_T1(&g, c->bytes);
	switch (q) {
	case MODEL_SEND:
		return loggps_send(&g, c->bytes, synchronous, late);
	case MODEL_RECV:
		return loggps_recv(&g, c->bytes, synchronous, late);
	case MODEL_MESSAGE:
		return loggps_message(&g, c->bytes, synchronous, late);
	default:
		return loggps_rtt(&g, c->bytes, synchronous, c->delay_ns);
	}
}

const struct model model_loggps = {
	.name = "LogGPS",
	.source = "LogGPS, Tables 3, 4 and 6",
	.summary = "overheads and gaps a byte, short and long; rendezvous above S",
	.param = params,
	.nparams = LOGGPS_PARAMS,
	.quantities =
		1u << MODEL_SEND | 1u << MODEL_RECV | 1u << MODEL_MESSAGE | 1u << MODEL_ROUND_TRIP,
	.inputs = MODEL_LATE | MODEL_DELAY | MODEL_MODE,
	.predict = predict,
	.fit = fit,
};
