/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_contention.c: the model of concurrent communications against the numbers that MM
 * prints.
 */
#include "analysis/model/equations/contention.h"
#include "tests/unit/model_test.h"

static const char *const networks[] = { "mm-gige-lam", "mm-gige-mpich", "mm-myrinet-mx" };

static struct contention network(const char *name)
{
	struct model_params p = published(name);
	struct contention net;

	contention_of(&p, &net);
	model_params_release(&p);
	return net;
}

/* Flows written as "0>1>2<3": arrows between neighbours, cut[] in that order. */
static size_t parse(const char *pattern, struct flow *flow)
{
	size_t n = 0;

	for (int i = 0; pattern[i] && pattern[i + 1]; i += 2) {
		int a = pattern[i] - '0', b = pattern[i + 2] - '0', right = pattern[i + 1] == '>';

		flow[n++] = (struct flow){
			.from = right ? a : b, .to = right ? b : a, .bytes = 10000000
		};
	}
	return n;
}

static void expect_cuts(const struct contention *net, const char *pattern, const double *want)
{
	struct flow flow[16] = { { 0 } };
	double cut[16];
	size_t n = parse(pattern, flow);

	CU_ASSERT_EQUAL_FATAL(contention_cuts(net, flow, n, cut), 0);
	for (size_t i = 0; i < n; i++)
		if (!near_(cut[i], want[i], 1e-12, pattern, (int)i))
			CU_FAIL("cuts differ");
}

static void patterns_split_as_the_rules_say(void)
{
	struct contention lam = network("mm-gige-lam");

	expect_cuts(&lam, "0>1", (double[]){ 0 });
	expect_cuts(&lam, "0>1>2", (double[]){ 0, 3 });
	/* the source's examples of R1: 0->1->2 & 2->3, and 0->1 & 1->2<-3 & 3<-4<-5 */
	expect_cuts(&lam, "0>1>2>3", (double[]){ 0, 3, 0 });
	expect_cuts(&lam, "0<1<2<3", (double[]){ 0, 3, 0 });
	expect_cuts(&lam, "0>1>2<3<4<5", (double[]){ 0, 1, 1, 3, 0 });
	/* its figure 5: f1 and f2 constant, f4 delayed by f3 */
	expect_cuts(&lam, "0<1>2>3>4", (double[]){ 1, 1, 0, 3 });
	/* R3: 1->2 is in ->1-> and in ->2<-, the latter counts */
	expect_cuts(&lam, "0>1>2<3", (double[]){ 0, 1, 1 });
	/* a single flow between two pairs: "include" */
	expect_cuts(&lam, "0<1>2>3>4<5", (double[]){ 1, 1, 0.5, 1, 1 });
}

/* Not in the source: two flows from two nodes into one have a cut of their own, if it is known. */
static void flows_into_a_node_may_have_their_own_cut(void)
{
	struct contention lam = network("mm-gige-lam");

	expect_cuts(&lam, "0>1<2", (double[]){ 1, 1 });
	lam.cut_in = 0.25;
	expect_cuts(&lam, "0>1<2", (double[]){ 0.25, 0.25 });
	expect_cuts(&lam, "0<1>2", (double[]){ 1, 1 });
	expect_cuts(&lam, "0>1>2<3", (double[]){ 0, 0.25, 0.25 });
}

static void rates_of_a_chain_fill_each_shared_node_exactly(void)
{
	static const char *const chains[] = { "0>1<2", "0<1>2", "0>1<2>3", "0<1>2<3", "0>1<2>3<4",
		"0>1<2>3<4>5", "0<1>2<3>4<5>6" };

	/*
	 * Table 2 prints (1/2, 2, ..., 1/2) for an even and (1, ..., 1) for an odd number. That
	 * cannot be: the list begins and ends with 1/2 and alternates, so its length is odd; and
	 * for two flows through one node (1/2, 2) would favour one of two alike. Read the other way
	 * round, the rates at each node that two flows share add up to the whole link.
	 */
	for (int i = 0; i < 2; i++) {
		struct contention net = network(networks[i]);

		for (size_t j = 0; j < sizeof(chains) / sizeof(*chains); j++) {
			struct flow flow[16];
			double cut[16];
			size_t n = parse(chains[j], flow);

			CU_ASSERT_EQUAL_FATAL(contention_cuts(&net, flow, n, cut), 0);
			for (size_t k = 0; k + 1 < n; k++)
				NEAR(1 / (1 + cut[k]) + 1 / (1 + cut[k + 1]), 1, 1e-12);
			if (n % 2 == 1)
				NEAR(cut[0], net.cut_chain_end, 1e-12);
		}
	}
}

static void flow_cut_3_delays_the_leaving_flow_by_three_quarters(void)
{
	for (int i = 0; i < 3; i++) {
		struct contention net = network(networks[i]);
		struct flow flow[2];
		double alone;

		parse("0>1>2", flow);
		alone = contention_alone(&net, flow[0].bytes, 0);
		CU_ASSERT_EQUAL_FATAL(contention_run(&net, flow, 2), 0);
		NEAR(flow[0].end_ns, alone, 1e-6 * alone);
		/*
		 * The text has f2 take (1 + 1/2) T_NC and concludes a cut of 3, which needs (1 +
		 * 3/4) T_NC. Table 4 agrees with the latter.
		 */
		NEAR(flow[1].end_ns - net.L, (i < 2 ? 1.75 : 1) * (alone - net.L), 1e-6 * alone);
	}
}

/* Table 4, 10 MB, seconds: T_B and T_B without conflicts, as printed. */
static void broadcasts_take_what_Table_4_prints(void)
{
	static const double printed[][2] = { { 0.334, 0.267 }, { 0.334, 0.267 }, { 0.136, 0.136 } };
	/*
	 * Four nodes of two: in the last step each even rank sends to the next node, a ring
	 * 0->1->2->3->0 that splits into two ->X->. The mapping B is not legible in the source;
	 * this one gives its formula 2 T_NC + T(f|C).
	 */
	static const int B[8] = { 0, 1, 1, 2, 2, 3, 3, 0 };

	for (int i = 0; i < 3; i++) {
		struct contention net = network(networks[i]);

		/* the source truncates, and its text leaves out the latency of a few us */
		NEAR(contention_broadcast(&net, B, 8, 10000000, 0) / 1e9, printed[i][0], 0.001);
		NEAR(contention_broadcast(&net, B, 8, 10000000, 1) / 1e9, printed[i][1], 0.001);
	}
}

/*
 * Table 4's T_A is where c comes from, so it says nothing of the broadcast. With another c it does:
 * ranks 2i and 2i + 1 are on node i, two steps take T_NC each and the last one stays inside.
 */
static void the_last_step_of_a_broadcast_in_mapping_A_stays_inside_nodes(void)
{
	static const int A[8] = { 0, 0, 1, 1, 2, 2, 3, 3 };
	static const double MB_per_s[] = { 112.2, 112.1, 219.4 }; /* Table 1 */

	for (int i = 0; i < 3; i++) {
		struct contention net = network(networks[i]);

		net.c = 3; /* 30 ms for 10 MB */
		NEAR(contention_broadcast(&net, A, 8, 10000000, 0) / 1e9,
			2 * 10 / MB_per_s[i] + 0.030, 0.0001);
		CU_ASSERT_EQUAL(contention_broadcast(&net, A, 8, 10000000, 0),
			contention_broadcast(&net, A, 8, 10000000, 1));
	}
}

static void T_NC_is_size_over_the_bandwidth_of_Table_1(void)
{
	static const double T_NC[] = { 0.0891, 0.0892, 0.0456 };

	for (int i = 0; i < 3; i++) {
		struct contention net = network(networks[i]);

		NEAR(contention_alone(&net, 10000000, 0) / 1e9, T_NC[i], 0.0001);
	}
}

static void flows_that_start_later_share_from_then_on(void)
{
	struct contention net = network("mm-gige-lam");
	double x = net.b, L = net.L;
	struct flow flow[] = {
		{ .from = 0, .to = 2, .start_ns = 0, .bytes = 4000000 },
		{ .from = 1, .to = 2, .start_ns = 1000000 * x, .bytes = 1000000 },
	};

	/* the second halves the first's rate until it ends: 1 MB alone, 1 MB shared, 2 MB alone */
	CU_ASSERT_EQUAL_FATAL(contention_run(&net, flow, 2), 0);
	NEAR(flow[1].end_ns, L + 3000000 * x, 1);
	NEAR(flow[0].end_ns, L + 5000000 * x, 1);
}

enum { RANDOM_FLOWS = 30 };

/* The moment after t at which the next flow starts or has sent its last byte; INFINITY: none. */
static double next_event(const struct contention *net, const struct flow *flow, double t)
{
	double next = INFINITY;

	for (int i = 0; i < RANDOM_FLOWS; i++) {
		double sent = flow[i].end_ns - net->L;

		next = flow[i].start_ns > t ? fmin(next, flow[i].start_ns) : next;
		next = sent > t ? fmin(next, sent) : next;
	}
	return next;
}

/*
 * What each flow moves between its start and the end that contention_run() gave it, at the rates of
 * the flows that then run: to moved[] [B]. Ends closer together than a byte's time are one event.
 */
static void add_up(const struct contention *net, const struct flow *flow, double *moved)
{
	double t = 0, next;

	for (int i = 0; i < RANDOM_FLOWS; i++)
		moved[i] = 0;
	for (; isfinite(next = next_event(net, flow, t)); t = next) {
		struct flow now[RANDOM_FLOWS];
		double cuts[RANDOM_FLOWS];
		int which[RANDOM_FLOWS];
		size_t n = 0;

		for (int i = 0; i < RANDOM_FLOWS; i++)
			if (flow[i].start_ns <= t && flow[i].end_ns - net->L > t + 1e-3) {
				which[n] = i;
				now[n++] = flow[i];
			}
		CU_ASSERT_EQUAL_FATAL(contention_cuts(net, now, n, cuts), 0);
		for (size_t i = 0; i < n; i++)
			moved[which[i]] += (next - t) / ((1 + cuts[i]) * net->b);
	}
}

static void thirty_random_flows_move_all_their_bytes_and_no_more(void)
{
	static const uint64_t cycle[] = { 1, 2, 4, 2 };
	struct random r = { 42 };
	int slowed = 0;

	for (int round = 0; round < 50; round++) {
		struct contention net = network(networks[round % 3]);
		struct flow flow[RANDOM_FLOWS];
		double moved[RANDOM_FLOWS];

		for (int i = 0; i < RANDOM_FLOWS; i++) {
			int from = (int)(random_unit(&r) * 8), to = (int)(random_unit(&r) * 7);

			flow[i] = (struct flow){ .from = from,
				.to = to + (to >= from),
				.start_ns = (i + 1) * 1e6,
				.bytes = cycle[i % 4] * 1000000 };
		}
		CU_ASSERT_EQUAL_FATAL(contention_run(&net, flow, RANDOM_FLOWS), 0);
		add_up(&net, flow, moved);
		for (int i = 0; i < RANDOM_FLOWS; i++) {
			NEAR_PART(moved[i], (double)flow[i].bytes, 1e-9);
			slowed += flow[i].end_ns - flow[i].start_ns >
				1.01 * contention_alone(&net, flow[i].bytes, 0);
		}
	}
	CU_ASSERT(slowed > 1000);
}

static void flows_inside_a_node_disturb_nobody(void)
{
	struct contention net = network("mm-gige-lam");
	struct flow flow[] = {
		{ .from = 0, .to = 0, .bytes = 1000000 },
		{ .from = 0, .to = 1, .bytes = 1000000 },
	};

	CU_ASSERT_EQUAL_FATAL(contention_run(&net, flow, 2), 0);
	NEAR(flow[0].end_ns, net.L + 1000000 * net.c, 1);
	NEAR(flow[1].end_ns, net.L + 1000000 * net.b, 1);
}

static void three_flows_of_one_direction_share_fairly(void)
{
	struct contention net = network("mm-gige-lam");
	struct flow flow[3];

	for (int i = 0; i < 3; i++)
		flow[i] = (struct flow){ .from = 9, .to = i, .bytes = 1000000 };
	CU_ASSERT_EQUAL_FATAL(contention_run(&net, flow, 3), 0);
	NEAR(flow[2].end_ns, net.L + 3 * 1000000 * net.b, 1);
}

static const struct unit_test tests[] = { { "flows into a node may have their own cut",
						  flows_into_a_node_may_have_their_own_cut },
	{ "patterns split as the rules say", patterns_split_as_the_rules_say },
	{ "rates of a chain fill each shared node exactly",
		rates_of_a_chain_fill_each_shared_node_exactly },
	{ "a flow cut of 3 delays the leaving flow by three quarters",
		flow_cut_3_delays_the_leaving_flow_by_three_quarters },
	{ "broadcasts take what Table 4 prints", broadcasts_take_what_Table_4_prints },
	{ "the last step of a broadcast in mapping A stays inside nodes",
		the_last_step_of_a_broadcast_in_mapping_A_stays_inside_nodes },
	{ "T_NC is size over the bandwidth of Table 1",
		T_NC_is_size_over_the_bandwidth_of_Table_1 },
	{ "flows that start later share from then on", flows_that_start_later_share_from_then_on },
	{ "thirty random flows move all their bytes, and no more",
		thirty_random_flows_move_all_their_bytes_and_no_more },
	{ "flows inside a node disturb nobody", flows_inside_a_node_disturb_nobody },
	{ "three flows of one direction share fairly", three_flows_of_one_direction_share_fairly },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("concurrent communications", tests);
}
