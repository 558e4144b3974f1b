/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_live.c: live predictions: tables against their equations, classes of sizes, shares of a
 * call.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/live/envelope.h"
#include "analysis/model/equations/loggps_fit.h"
#include "tests/unit/link_rows.h"
#include "tests/unit/unit.h"

#define NONE UINT64_MAX
#define SEND KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_BLOCKING)
#define SSEND KIND_MODE(KIND_SEND, MODE_SYNCHRONOUS, FORM_BLOCKING)
#define BSEND KIND_MODE(KIND_SEND, MODE_BUFFERED, FORM_BLOCKING)
#define RECV KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING)
#define ISEND KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_NONBLOCKING)
#define IRECV KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_NONBLOCKING)
#define START KIND_MODE(KIND_SEND, MODE_STANDARD, FORM_PERSISTENT)

static unsigned long long state = 1;

static unsigned long long draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void tables_follow_table_4_at_every_length(void)
{
	struct live_base base;
	int off = 0;

	machine();
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_base_from_rows(rows, nrows, TIER_NODE, &base), 0);
	for (uint64_t k = 0; k < 1 << 20; k = k < 5000 ? k + 1 : k + k / 97)
		for (unsigned kind = KIND_SEND; kind <= KIND_RECV; kind++) {
			double want =
				live_base_ns(&base, kind == KIND_SEND ? LIVE_SEND : LIVE_RECV, k);
			int64_t got = live_blocking_ns(&link, KIND_MODE(kind, 0, 0), 0, k);

			off += fabs((double)got - want) > 2 + 0.001 * want;
		}
	CU_ASSERT_EQUAL(off, 0);
}

static void the_jump_at_S_is_exact_to_the_byte(void)
{
	struct loggps g;
	struct live_base base;

	machine();
	build();
	live_base_from_rows(rows, nrows, TIER_NODE, &base);
	g = base.p;
	/* (4b) below, (5) above */
	CU_ASSERT(llabs(live_blocking_ns(&link, SEND, 0, 4040) -
			  (long long)(100 + 4040 * 0.25 + 40)) <= 1);
	CU_ASSERT(llabs(live_blocking_ns(&link, SEND, 0, 4041) -
			  (long long)(4 * 100 + 2 * 300 + 100 + 4041 * 0.25)) <= 1);
	CU_ASSERT_EQUAL(g.S, 4040);
}

/*
 * Of LogGPS's equations: t_s + (3) - t_r = (9) for all t_r, t_s; the live prediction is t_r = t_s.
 */
static void routine_and_communication_time_agree_for_any_lateness(void)
{
	struct live_base base;

	machine();
	live_base_from_rows(rows, nrows, TIER_NODE, &base);
	for (int i = 0; i < 1000; i++) {
		uint64_t k = draw() % 100000;
		double late = (double)(int64_t)(draw() % 20000) - 10000;
		double message = loggps_message(&base.p, k, 0, late);
		double recv = loggps_recv(&base.p, k, 0, late);

		CU_ASSERT_DOUBLE_EQUAL(message - late, recv, 1e-6);
	}
}

static void residuals_make_predictions_exact_where_they_were_measured(void)
{
	static const uint64_t at[] = { 0, 8, 256, 257, 1024, 4040, 4041, 65536, 1048576, 4194304 };
	struct live_base base;

	machine();
	live_base_from_rows(rows, nrows, TIER_NODE, &base);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++)
		row("send", "residual", at[i], 1000 + (double)at[i] * 0.05);
	CU_ASSERT_EQUAL(build(), 0);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		double want = live_base_ns(&base, LIVE_SEND, at[i]) + 1000 + (double)at[i] * 0.05;
		double got = (double)live_blocking_ns(&link, SEND, 0, at[i]);

		CU_ASSERT(fabs(got - want) <= 2 + 0.01 * want);
	}
	/* beyond the last one: extrapolated */
	CU_ASSERT(fabs((double)live_blocking_ns(&link, SEND, 0, 64 << 20) -
			  live_base_ns(&base, LIVE_SEND, 64 << 20) - 1000 - (64 << 20) * 0.05) <
		0.01 * live_base_ns(&base, LIVE_SEND, 64 << 20));
}

static void bins_cover_all_lengths_in_order(void)
{
	for (unsigned i = 0; i < LIVE_BINS; i++) {
		CU_ASSERT_EQUAL(live_bin_of(live_bin_start(i)), i);
		if (i > 0)
			CU_ASSERT_EQUAL(live_bin_of(live_bin_start(i) - 1), i - 1);
	}
	CU_ASSERT_EQUAL(live_bin_of(UINT64_MAX), LIVE_BINS - 1);
}

static void curves_of_kind_mode_and_form(void)
{
	for (unsigned form = 0; form < 4; form++) {
		unsigned at = form > 2 ? 8 : form * 4;

		CU_ASSERT_EQUAL(live_curve(KIND_MODE(KIND_SEND, MODE_STANDARD, form)), at);
		CU_ASSERT_EQUAL(live_curve(KIND_MODE(KIND_SEND, MODE_READY, form)), at);
		CU_ASSERT_EQUAL(live_curve(KIND_MODE(KIND_SEND, MODE_SYNCHRONOUS, form)), at + 1);
		CU_ASSERT_EQUAL(live_curve(KIND_MODE(KIND_SEND, MODE_BUFFERED, form)), at + 2);
		CU_ASSERT_EQUAL(live_curve(KIND_MODE(KIND_RECV, MODE_STANDARD, form)), at + 3);
	}
	for (unsigned c = 0; c < LIVE_CURVES; c++)
		CU_ASSERT_EQUAL(live_curve_by_name(live_curve_name(c)), (int)c);
	CU_ASSERT_EQUAL(live_curve_by_name("irsend"), LIVE_ISEND);
	CU_ASSERT_EQUAL(live_curve_by_name("bcast"), -1);
}

static void classes_follow_thresholds_and_mode(void)
{
	static const struct {
		uint8_t km;
		uint64_t bytes;
		unsigned protocol, cause;
	} want[] = {
		{ SEND, 100, PROTOCOL_SHORT, CAUSE_FLOW_CONTROL },
		{ SEND, 101, PROTOCOL_EAGER, CAUSE_FLOW_CONTROL },
		{ SEND, 256, PROTOCOL_EAGER, CAUSE_FLOW_CONTROL },
		{ SEND, 257, PROTOCOL_EAGER, CAUSE_LATE_PROGRESS },
		{ SEND, 4040, PROTOCOL_EAGER, CAUSE_LATE_PROGRESS },
		{ SEND, 4041, PROTOCOL_RENDEZVOUS, CAUSE_LATE_RECEIVER },
		{ SSEND, 0, PROTOCOL_RENDEZVOUS, CAUSE_LATE_RECEIVER },
		{ BSEND, 1 << 20, PROTOCOL_RENDEZVOUS, CAUSE_NONE },
		{ BSEND, 8, PROTOCOL_SHORT, CAUSE_NONE },
		{ RECV, 8, PROTOCOL_SHORT, CAUSE_LATE_SENDER },
		{ RECV, 4041, PROTOCOL_RENDEZVOUS, CAUSE_LATE_SENDER },
		{ START, 0, PROTOCOL_SHORT, CAUSE_LATE_PROGRESS },
		{ START, 4040, PROTOCOL_EAGER, CAUSE_LATE_PROGRESS },
		{ ISEND, 5000, PROTOCOL_EAGER, CAUSE_LATE_PROGRESS },
		{ ISEND, 5001, PROTOCOL_RENDEZVOUS, CAUSE_LATE_RECEIVER },
	};

	machine();
	row("send_init", "S_p", NONE, 0);
	row("send_init", "S", NONE, 4040);
	row("isend", "S", NONE, 5000);
	CU_ASSERT_EQUAL(build(), 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		uint8_t c = live_class(&link, want[i].km, 0, want[i].bytes);

		CU_ASSERT_EQUAL(c, OP_CLASS(want[i].protocol, want[i].cause));
	}
	CU_ASSERT_EQUAL(live_class(&link, SEND, OP_PROC_NULL, 8), 0);
}

static void an_unknown_S_names_no_protocol_and_one_out_of_sight_is_eager(void)
{
	nrows = 0;
	row("", "o", NONE, 100);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_class(&link, SEND, 0, 8), 0);
	CU_ASSERT_EQUAL(
		live_class(&link, SSEND, 0, 8), OP_CLASS(PROTOCOL_RENDEZVOUS, CAUSE_LATE_RECEIVER));
	CU_ASSERT_EQUAL(live_class(&link, RECV, 0, 8), OP_CLASS(PROTOCOL_NONE, CAUSE_LATE_SENDER));
	row("", "S", NONE, NAN);
	rows[nrows - 1].ci_low = 1 << 20;
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_class(&link, SEND, 0, 8) & 15, PROTOCOL_SHORT);
}

static void useless_rows_are_refused(void)
{
	machine();
	CU_ASSERT_EQUAL(live_link_from_rows(rows, nrows, TIER_NETWORK, &link), -ENOENT);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, 0, 1000), 0);
	row("", "O_ss", NONE, -1);
	CU_ASSERT_EQUAL(build(), -EINVAL);
	CU_ASSERT_EQUAL(link.flags, 0);
	machine();
	row("send", "residual", 8, INFINITY);
	CU_ASSERT_EQUAL(build(), -EINVAL);
	CU_ASSERT_EQUAL(live_link_from_rows(NULL, 0, TIER_NODE, &link), -ENOENT);
}

static void describe(const struct live_link *of, uint8_t km, uint64_t bytes, int64_t since_post_ns,
	struct live_share *op)
{
	struct live_terms terms;

	live_terms_make(of, km, 0, bytes, &terms);
	live_op(&terms, since_post_ns, op);
}

static void what_is_left_shrinks_with_time_to_its_floor(void)
{
	int64_t all, last;

	machine();
	row("isend", "rest", 65536, 500);
	row("irecv", "rest", 65536, 1e6);
	CU_ASSERT_EQUAL(build(), 0);
	last = all = live_rest_ns(&link, ISEND, 0, 65536, 0);
	CU_ASSERT_EQUAL(all, live_blocking_ns(&link, ISEND, 0, 65536));
	for (int64_t since = 0; since < 2 * all; since += all / 20) {
		int64_t left = live_rest_ns(&link, ISEND, 0, 65536, since);

		CU_ASSERT(left <= last && left >= 500);
		CU_ASSERT(left == 500 || left == all - since);
		last = left;
	}
	CU_ASSERT_EQUAL(last, 500);
	/* no asynchronous progress: nothing has moved before the completion call */
	CU_ASSERT_EQUAL(live_rest_ns(&link, IRECV, 0, 65536, 1 << 30), 1000000);
	CU_ASSERT_EQUAL(live_rest_ns(&link, ISEND, OP_PROC_NULL, 65536, 0), 0);
}

static void forms_measured_at_few_lengths_grow_as_simpler_ones(void)
{
	const uint8_t start_recv = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_PERSISTENT);

	machine();
	for (uint64_t bytes = 8; bytes <= 1 << 22; bytes *= 2)
		row("irecv", "rest", bytes, 1000 + 0.25 * (double)bytes);
	row("recv_init", "rest", 8, 1200);
	row("recv_init", "rest", 4041, 2200);
	row("recv_init", "rest", 4096, 2900);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_DOUBLE_EQUAL(live_rest_ns(&link, start_recv, 0, 4096, 1 << 30), 2900, 60);
	CU_ASSERT_DOUBLE_EQUAL(live_rest_ns(&link, start_recv, 0, 1 << 22, 1 << 30),
		2900 + 0.25 * ((1 << 22) - 4096), 0.01 * (1 << 20));

	/* and where there is none, points that close tell no slope */
	nrows = 0;
	row("", "o", NONE, 100);
	row("recv", "residual", 4041, 2200);
	row("recv", "residual", 4096, 2900);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT(live_blocking_ns(&link, RECV, 0, 1 << 22) < 10000);
}

/*
 * Beyond 1 MiB, where caches end, a byte takes twice as long: only blocking messages were measured
 * there.
 */
static void what_was_measured_at_fewer_lengths_grows_as_blocking_messages_do(void)
{
	const uint64_t mib = 1 << 20, most = 1 << 22;
	int64_t send, recv;

	machine();
	for (uint64_t bytes = 65536; bytes <= most; bytes *= 2) {
		double more = 0.5 * ((double)bytes + fmax((double)bytes - (double)mib, 0));

		row("send", "residual", bytes, more);
		row("recv", "residual", bytes, more);
		if (bytes > mib)
			continue;
		row("isend", "residual", bytes, more + 50);
		row("ssend", "residual", bytes, more + 50);
		row("isend", "rest", bytes, 100);
		row("irecv", "rest", bytes, more);
		if (bytes <= mib / 4) {
			row("send", "next", bytes, more);
			row("recv", "next", bytes, more);
		}
	}
	CU_ASSERT_EQUAL(build(), 0);
	send = live_blocking_ns(&link, SEND, 0, most);
	recv = live_blocking_ns(&link, RECV, 0, most);
	CU_ASSERT(send > 4 * live_blocking_ns(&link, SEND, 0, mib));
	CU_ASSERT_DOUBLE_EQUAL(
		live_rest_ns(&link, ISEND, 0, most, 0), send + 50, 0.01 * (double)send);
	CU_ASSERT_DOUBLE_EQUAL(
		live_blocking_ns(&link, KIND_MODE(KIND_SEND, MODE_SYNCHRONOUS, 0), 0, most),
		send + 50, 0.01 * (double)send);
	/*
	 * what moves while the sender computes goes on to do so, what does not takes longer as the
	 * receive does
	 */
	CU_ASSERT(live_rest_ns(&link, ISEND, 0, most, 1 << 30) < 1000);
	CU_ASSERT_DOUBLE_EQUAL((double)live_rest_ns(&link, IRECV, 0, most, 1 << 30) /
			(double)live_rest_ns(&link, IRECV, 0, mib, 1 << 30),
		(double)recv / (double)live_blocking_ns(&link, RECV, 0, mib), 0.05);
}

static void strided_layouts_add_their_packing(void)
{
	machine();
	row("send", "strided_o", NONE, 50);
	row("send", "strided_O", NONE, 0.5);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT(llabs(live_blocking_ns(&link, SEND, OP_STRIDED, 10000) -
			  live_blocking_ns(&link, SEND, 0, 10000) - 5050) <= 1);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, OP_PROC_NULL, 10000), 0);
}

/*
 * A calibration's file has thresholds and overheads of strided data as well: not those of other
 * data.
 */
static void rows_of_strided_data_describe_no_other(void)
{
	struct live_link plain;

	machine();
	row("send", "S", NONE, 4040);
	CU_ASSERT_EQUAL(build(), 0);
	plain = link;
	row("", "S", NONE, 800);
	row("send", "S", NONE, 800);
	row("isend", "S_p", NONE, 0);
	row("", "o", NONE, 9000);
	for (int i = 1; i <= 4; i++)
		strcpy(rows[nrows - (size_t)i].layout, "strided");
	CU_ASSERT_EQUAL(build(), 0);
	for (uint64_t k = 1; k < 100000; k = k * 3 / 2 + 1)
		CU_ASSERT_EQUAL(
			live_blocking_ns(&link, SEND, 0, k), live_blocking_ns(&plain, SEND, 0, k));
	/* but what such a layout adds is its own */
	row("send", "strided_o", NONE, 50);
	strcpy(rows[nrows - 1].layout, "strided");
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_blocking_ns(&link, SEND, OP_STRIDED, 100),
		live_blocking_ns(&plain, SEND, 0, 100) + 50);
}

/* Returns the sum of what is predicted: the end of the last op. */
static int64_t check_share(const struct live_share *ops, size_t n, int64_t call)
{
	int64_t blocked = 0, predicted = 0;

	for (size_t i = 0; i < n; i++) {
		blocked += ops[i].blocked_ns;
		predicted += ops[i].predicted_ns;
		CU_ASSERT(ops[i].blocked_ns >= 0);
		CU_ASSERT(ops[i].predicted_ns >= 0);
	}
	CU_ASSERT_EQUAL(blocked, call);
	return predicted;
}

static void shares_add_up_to_the_call_whatever_its_ops(void)
{
	static struct live_share ops[300];

	machine();
	build();
	for (int i = 0; i < 2000; i++) {
		size_t n = draw() % (i % 20 ? 12 : 300);
		int64_t enter = (int64_t)(draw() % 1000000), call = (int64_t)(draw() % 3000000);
		uint64_t users = 0;

		for (size_t k = 0; k < n; k++) {
			unsigned which = (unsigned)(draw() % 5);
			uint8_t km = which == 0 ? IRECV :
				which == 1      ? ISEND :
				which == 2      ? START :
						  SEND;

			describe(which == 4 ? NULL : &link, km, draw() % 200000,
				(int64_t)(draw() % 50000), &ops[k]);
			ops[k].user = (uint32_t)k;
		}
		live_share(ops, n, enter, enter + call);
		check_share(ops, n, n ? call : 0);
		for (size_t k = 0; k < n; k++)
			users += ops[k].user + 1;
		CU_ASSERT_EQUAL(users, n * (n + 1) / 2);
	}
}

static void a_single_op_has_the_whole_call(void)
{
	struct live_share op;

	machine();
	build();
	describe(&link, RECV, 8, 0, &op);
	live_share(&op, 1, 10, 100010);
	CU_ASSERT_EQUAL(op.blocked_ns, 100000);
	CU_ASSERT_EQUAL(op.predicted_ns, live_blocking_ns(&link, RECV, 0, 8));
}

static void transfers_of_one_direction_queue_and_directions_overlap(void)
{
	struct live_share ops[4];
	int64_t one, next, end;

	machine();
	row("send", "next", 65536, 20000);
	row("recv", "next", 65536, 20000);
	row("", "duplex", 65536, 0.25);
	CU_ASSERT_EQUAL(build(), 0);
	one = live_blocking_ns(&link, ISEND, 0, 65536);
	for (int i = 0; i < 4; i++)
		describe(&link, ISEND, 65536, 0, &ops[i]);
	next = ops[3].next_ns;
	live_share(ops, 4, 0, 1000000);
	end = check_share(ops, 4, 1000000);
	CU_ASSERT(llabs(end - one - 3 * next) <= 4);
	for (int i = 0; i < 2; i++)
		describe(&link, i ? IRECV : ISEND, 65536, 0, &ops[i]);
	one = ops[0].rest_ns > ops[1].rest_ns ? ops[0].rest_ns : ops[1].rest_ns;
	live_share(ops, 2, 0, 1000000);
	end = check_share(ops, 2, 1000000);
	CU_ASSERT(end > one && end < one + one / 3);
}

static void messages_behind_others_may_be_slower_than_one_alone(void)
{
	const int64_t next = 200000;
	struct live_share ops[4];
	int64_t one;

	machine();
	row("send", "next", 65536, (double)next);
	CU_ASSERT_EQUAL(build(), 0);
	one = live_blocking_ns(&link, ISEND, 0, 65536);
	CU_ASSERT_FATAL(one < next);
	for (int i = 0; i < 4; i++)
		describe(&link, ISEND, 65536, 0, &ops[i]);
	live_share(ops, 4, 0, 10000000);
	CU_ASSERT(llabs(check_share(ops, 4, 10000000) - one - 3 * next) <= 4);
	CU_ASSERT_EQUAL(ops[0].predicted_ns, one);
	/* what was done before the call is not done again */
	for (int i = 0; i < 4; i++)
		describe(&link, ISEND, 65536, one / 2, &ops[i]);
	live_share(ops, 4, 0, 10000000);
	CU_ASSERT(
		llabs(check_share(ops, 4, 10000000) - (one - one / 2) - 3 * (next - one / 2)) <= 4);
	for (int i = 0; i < 4; i++)
		describe(&link, ISEND, 65536, 2 * next, &ops[i]);
	live_share(ops, 4, 0, 10000000);
	CU_ASSERT(check_share(ops, 4, 10000000) <=
		4 * live_rest_ns(&link, ISEND, 0, 65536, 2 * next));
}

static void the_last_of_several_has_the_noise_of_all(void)
{
	struct live_terms half, brief, unknown;

	machine();
	row("send", "noise", 262144, 1000);
	row("send", "next", 262144, 0.125 * 262144);
	CU_ASSERT_EQUAL(build(), 0);
	live_terms_make(&link, ISEND, 0, 262144, &half);
	live_terms_make(&link, ISEND, 0, 8, &brief);
	live_terms_make(NULL, ISEND, 0, 262144, &unknown);
	CU_ASSERT_EQUAL(half.noise_ns, 1000);
	CU_ASSERT_EQUAL(half.next_noise_ns, 1000 * half.next_ns / half.total_ns);
	CU_ASSERT(half.next_noise_ns > 200 && half.next_noise_ns < 800);
	CU_ASSERT_EQUAL(
		live_last_noise_ns(&half, 3 * half.next_noise_ns), 1000 + 3 * half.next_noise_ns);
	/* what slows one short message down is nothing to the next one */
	CU_ASSERT_EQUAL(brief.next_noise_ns, 0);
	CU_ASSERT_EQUAL(unknown.next_noise_ns, 0);
	CU_ASSERT_EQUAL(live_last_noise_ns(&unknown, 1000), INT64_MAX);
}

static void a_wait_is_an_excess_above_the_noise_and_never_less(void)
{
	CU_ASSERT_EQUAL(live_wait_ns(1000, 1000), 0);
	CU_ASSERT_EQUAL(live_wait_ns(1001, 1000), 1001);
	CU_ASSERT_EQUAL(live_wait_ns(-50000, 1000), 0);
}

static void noise_grows_with_messages_beyond_what_was_measured(void)
{
	machine();
	row("send", "noise", 1024, 100);
	row("send", "noise", 65536, 1000);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_noise_ns(&link, SEND, 0), 100);
	CU_ASSERT(
		live_noise_ns(&link, SEND, 8192) > 100 && live_noise_ns(&link, SEND, 8192) < 1000);
	CU_ASSERT_EQUAL(live_noise_ns(&link, SSEND, 65536), 1000);
	CU_ASSERT_EQUAL(live_noise_ns(&link, SEND, 4 << 20), 64000);
}

static void outliers_of_the_scheduler_are_no_noise(void)
{
	struct live_point pt = { .what = LIVE_TOTAL };
	double ns[100];

	for (int i = 0; i < 100; i++)
		ns[i] = i == 7 ? 4e6 : 1000 + i % 10 * 10;
	live_point_reduce(&pt, ns, 100);
	CU_ASSERT_EQUAL(pt.n, 100);
	CU_ASSERT_DOUBLE_EQUAL(pt.ns, 1045, 10);
	CU_ASSERT(pt.noise_ns > 0 && pt.noise_ns < 100);
}

static void a_busy_machine_makes_no_message_slow(void)
{
	static const uint64_t at[] = { 8, 1024, 3072, 16384 };
	double ns[] = { 2e6, 900, 8e6, 950, 4e6, 910, 3e6 }, two[] = { 3e6, 900 };
	struct live_point pt = { .what = LIVE_TOTAL }, points[4];
	struct live_measured in = { .tier = TIER_NODE,
		.source = "measured",
		.point = points,
		.npoints = 4,
		.border = { { 4040, 4040, 1 << 20, NULL }, { 0, 0, 0, "no time" },
			{ 0, 0, 0, "no time" } } };
	size_t left_out = 0;

	live_point_reduce(&pt, ns, sizeof(ns) / sizeof(*ns));
	CU_ASSERT(pt.ns >= 900 && pt.ns <= 950);
	CU_ASSERT(pt.noise_ns >= 0 && pt.noise_ns < 100);
	live_point_reduce(&pt, two, 2);
	CU_ASSERT_EQUAL(pt.ns, 900);
	CU_ASSERT_EQUAL(pt.noise_ns, 0);
	/* nothing but disturbed samples: longer messages know better */
	for (int i = 0; i < 4; i++)
		points[i] = (struct live_point){ .what = LIVE_TOTAL,
			.curve = LIVE_SEND,
			.n = 4,
			.bytes = at[i],
			.ns = i == 2 ? 2e6 : 500 + (double)at[i] / 8 };
	CU_ASSERT_EQUAL(live_fit(&in, rows, 512, &nrows), 0);
	for (size_t i = 0; i < nrows; i++)
		left_out += isnan(rows[i].value) && strcmp(rows[i].name, "residual") == 0 &&
			rows[i].bytes == 3072 && strstr(rows[i].reason, "left out");
	CU_ASSERT_EQUAL(left_out, 1);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT(live_blocking_ns(&link, SEND, 0, 3072) < 2000);
	CU_ASSERT(live_noise_ns(&link, SEND, 3072) < 10000);
}

static void measured_points_come_back_as_predictions(void)
{
	static const uint64_t at[] = { 0, 8, 256, 1024, 4096, 16384, 65536, 262144, 1048576 };
	enum { N = sizeof(at) / sizeof(*at) };
	struct live_point points[2 * N];
	struct live_measured in = { .tier = TIER_NODE,
		.source = "measured",
		.point = points,
		.npoints = 2 * N,
		.border = { { 8255, 8255, 1 << 20, NULL }, { 0, 0, 0, "no time" },
			{ 8255, 0, 1 << 20, NULL } } };

	for (size_t i = 0; i < 2 * N; i++)
		points[i] = (struct live_point){ .what = LIVE_TOTAL,
			.n = 20,
			.bytes = at[i % N],
			.curve = i < N ? LIVE_SEND : LIVE_RECV,
			.noise_ns = 30,
			.ns = (i < N ? 300 : 500) + (double)at[i % N] / 8 };
	CU_ASSERT_EQUAL(live_fit(&in, rows, 512, &nrows), 0);
	CU_ASSERT_EQUAL(build(), 0);
	for (size_t i = 0; i < 2 * N; i++)
		CU_ASSERT(fabs((double)live_blocking_ns(&link, i < N ? SEND : RECV, 0, at[i % N]) -
				  points[i].ns) < 3 + 0.01 * points[i].ns);
	CU_ASSERT_EQUAL(live_class(&link, ISEND, 0, 8256) & 15, PROTOCOL_RENDEZVOUS);
	CU_ASSERT_EQUAL(live_class(&link, START, 0, 8) >> 4, CAUSE_LATE_PROGRESS);
	CU_ASSERT_EQUAL(live_fit(&in, rows, 10, &nrows), -ENOMEM);
	CU_ASSERT_EQUAL(nrows, 10);
}

/* Sends of 100 + k/4 and receives of 80 + k/8 ns at best; half of them wait. */
static void some_calls(struct envelope *l, int64_t slower)
{
	for (int i = 0; i < 20000; i++) {
		uint64_t k = draw() % 4000, late = draw() % 2 ? draw() % 100000 : draw() % 30;
		enum envelope_from from = draw() % 2 ? LEARN_SEND : LEARN_RECV;
		int64_t alone = from == LEARN_SEND ? 100 + (int64_t)k / 4 : 80 + (int64_t)k / 8;

		envelope_add(l, from, k, alone + slower + (int64_t)late, alone);
	}
}

static void the_envelope_of_a_run_gives_overheads_but_no_latency(void)
{
	static struct envelope l;
	struct live_base base;

	nrows = 0;
	CU_ASSERT_EQUAL(envelope_rows(&l, TIER_NODE, rows, &nrows), -ENOENT);
	some_calls(&l, 0);
	CU_ASSERT_EQUAL(envelope_count(&l), 20000);
	CU_ASSERT_EQUAL(envelope_rows(&l, TIER_NODE, rows, &nrows), 0);
	CU_ASSERT(nrows <= LEARN_ROWS_MAX);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT_EQUAL(live_base_from_rows(rows, nrows, TIER_NODE, &base), 0);
	CU_ASSERT_DOUBLE_EQUAL(base.p.o, 100, 15);
	CU_ASSERT_DOUBLE_EQUAL(base.p.by[LOGGPS_SHORT].O_s, 0.25, 0.03);
	CU_ASSERT(isnan(base.p.L));
	CU_ASSERT_EQUAL(link.flags, LIVE_KNOWN_TIME | LIVE_FLOOR_ONLY);
	CU_ASSERT(fabs((double)live_blocking_ns(&link, SEND, 0, 2048) - 612) < 60);
	CU_ASSERT(fabs((double)live_blocking_ns(&link, RECV, 0, 2048) - 336) < 60);
	/* a floor tells of no receive, however long, that it has waited; overheads do of sends */
	for (uint64_t k = 0; k < 1 << 24; k = 2 * k + 1) {
		CU_ASSERT_EQUAL(live_wait_ns(10000000000, live_noise_ns(&link, RECV, k)), 0);
		CU_ASSERT_EQUAL(live_wait_ns(10000000000, live_noise_ns(&link, IRECV, k)), 0);
		CU_ASSERT_EQUAL(
			live_wait_ns(10000000000, live_noise_ns(&link, SEND, k)), 10000000000);
	}
}

static void posts_of_sends_will_do_where_no_send_blocks(void)
{
	static struct envelope l;
	struct live_base base;

	for (int i = 0; i < 1000; i++) {
		uint64_t k = draw() % 2 ? 1000 : 30000;

		envelope_add(
			&l, LEARN_SEND_POST, k, 150 + (int64_t)k / 10 + (int64_t)(draw() % 30), 0);
		envelope_add(&l, LEARN_RECV, k, 90 + (int64_t)(draw() % 100000), 0);
	}
	nrows = 0;
	CU_ASSERT_EQUAL(envelope_rows(&l, TIER_NODE, rows, &nrows), 0);
	CU_ASSERT_EQUAL(live_base_from_rows(rows, nrows, TIER_NODE, &base), 0);
	CU_ASSERT_DOUBLE_EQUAL(base.p.o, 150, 30);
	/* a few blocking ones of one length give no line */
	for (int i = 0; i < 1000; i++)
		envelope_add(&l, LEARN_SEND, 8, 20, 0);
	CU_ASSERT_EQUAL(envelope_rows(&l, TIER_NODE, rows, &nrows), 0);
	CU_ASSERT_EQUAL(build(), 0);
	CU_ASSERT(fabs((double)live_blocking_ns(&link, ISEND, 0, 30000) - 3150) < 60);
	CU_ASSERT(live_rest_ns(&link, IRECV, 0, 30000, 0) < 2000);
}

static void drift_is_how_the_envelope_leaves_the_prediction(void)
{
	static struct envelope l;

	some_calls(&l, 0);
	for (int i = 0; i < 4; i++)
		some_calls(&l, 5000);
	nrows = envelope_drift(&l, TIER_NODE, rows);
	CU_ASSERT(nrows >= 4 && nrows <= LEARN_ROWS_MAX);
	for (size_t i = 0; i < nrows; i++) {
		CU_ASSERT_DOUBLE_EQUAL(rows[i].value, 5000, 300);
		CU_ASSERT_DOUBLE_EQUAL(rows[i].ci_low, 0, 300);
	}
}

static const struct unit_test tests[] = { { "tables follow Table 4 at every length",
						  tables_follow_table_4_at_every_length },
	{ "the jump at S is exact to the byte", the_jump_at_S_is_exact_to_the_byte },
	{ "routine and communication time agree for any lateness",
		routine_and_communication_time_agree_for_any_lateness },
	{ "residuals make predictions exact where they were measured",
		residuals_make_predictions_exact_where_they_were_measured },
	{ "bins cover all lengths in order", bins_cover_all_lengths_in_order },
	{ "curves of kind, mode and form", curves_of_kind_mode_and_form },
	{ "classes follow thresholds and mode", classes_follow_thresholds_and_mode },
	{ "an unknown S names no protocol, one out of sight is eager",
		an_unknown_S_names_no_protocol_and_one_out_of_sight_is_eager },
	{ "useless rows are refused", useless_rows_are_refused },
	{ "what is left shrinks with time to its floor",
		what_is_left_shrinks_with_time_to_its_floor },
	{ "forms measured at few lengths grow as simpler ones",
		forms_measured_at_few_lengths_grow_as_simpler_ones },
	{ "rows of strided data describe no other", rows_of_strided_data_describe_no_other },
	{ "what was measured at fewer lengths grows as blocking messages do",
		what_was_measured_at_fewer_lengths_grows_as_blocking_messages_do },
	{ "strided layouts add their packing", strided_layouts_add_their_packing },
	{ "shares add up to the call whatever its ops",
		shares_add_up_to_the_call_whatever_its_ops },
	{ "a single op has the whole call", a_single_op_has_the_whole_call },
	{ "transfers of one direction queue, directions overlap",
		transfers_of_one_direction_queue_and_directions_overlap },
	{ "messages behind others may be slower than one alone",
		messages_behind_others_may_be_slower_than_one_alone },
	{ "the last of several has the noise of all", the_last_of_several_has_the_noise_of_all },
	{ "a wait is an excess above the noise and never less",
		a_wait_is_an_excess_above_the_noise_and_never_less },
	{ "noise grows with messages beyond what was measured",
		noise_grows_with_messages_beyond_what_was_measured },
	{ "outliers of the scheduler are no noise", outliers_of_the_scheduler_are_no_noise },
	{ "a busy machine makes no message slow", a_busy_machine_makes_no_message_slow },
	{ "measured points come back as predictions", measured_points_come_back_as_predictions },
	{ "the envelope of a run gives overheads but no latency",
		the_envelope_of_a_run_gives_overheads_but_no_latency },
	{ "posts of sends will do where no send blocks",
		posts_of_sends_will_do_where_no_send_blocks },
	{ "drift is how the envelope leaves the prediction",
		drift_is_how_the_envelope_leaves_the_prediction },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("live", tests);
}
