/* SPDX-License-Identifier: BSD-3-Clause */
/* test_top_rank.c: what a rank does, by its ring and its process (analysis/top/rank.h). */
#include <config.h>

#include "tests/unit/record_ring.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/now.h"
#include "analysis/format/run/proc.h"
#include "analysis/format/run/process.h"
#include "analysis/top/rank.h"

enum { SECOND_NS = 1000000000, HALF_A_SECOND_NS = 500000000 };

static struct rank rank;
static struct looker looker;

static void wait_ns(int64_t ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

static uint64_t start_time_of(pid_t pid)
{
	struct proc_stat stat;
	char path[64], text[1024] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof(text), f));
	fclose(f);
	CU_ASSERT(proc_stat_read(text, &stat));
	return stat.start_time;
}

/* A ring of process `pid`, whose clock is CLOCK_MONOTONIC: outside MPI since a second ago. */
static void start(pid_t pid)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);
	const struct rec_clock clock = { .head = { .type = REC_CLOCK },
		.ticks = (uint64_t)now,
		.monotonic_ns = now,
		.realtime_ns = now_ns(CLOCK_REALTIME) };

	rank_release(&rank);
	rank = (struct rank){ .live = { .dir = dir } };
	begin();
	process_identify(&file.header);
	file.header.pid = pid;
	file.header.start_time = start_time_of(pid);
	file.header.state = RING_OPEN;
	file.header.zero_ticks = (uint64_t)now - SECOND_NS;
	file.header.regions[1].kind = REGION_SUMS;
	add(&clock, sizeof(clock));
}

static void look(void)
{
	scratch_write(scratch_path(dir, "rank-000000.ring"), &file, sizeof(file));
	looker.budget = 1 << 20;
	live_see_ends(looker.buffers);
	CU_ASSERT_EQUAL(rank_look(&rank, &looker), 0);
}

/* A receive that has just ended, after took_ns. */
static void receive(uint16_t flags, uint8_t class8, int64_t took_ns)
{
	uint64_t now = (uint64_t)now_ns(CLOCK_MONOTONIC);
	const struct rec_op op = { .type = REC_OP,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING),
		.call = FN_MPI_Recv,
		.flags = flags,
		.op_id = 1,
		.enter_ticks = now - (uint64_t)took_ns,
		.leave_ticks = now,
		.peer = 3,
		.comm = COMM_WORLD_ID,
		.class8 = class8 };
	struct call_sum *sum = (struct call_sum *)file.wait;

	add(&op, sizeof(op));
	sum->callsite = 2;
	sum->call = FN_MPI_Recv;
	sum->count++;
	sum->ticks += (uint64_t)took_ns;
}

/* A process on one CPU; with SCHED_IDLE it gets what others leave. */
static pid_t busy_process(int cpu, int policy)
{
	const struct sched_param none = { 0 };
	volatile uint64_t n = 0;
	cpu_set_t set;
	pid_t pid = fork();

	if (pid)
		return pid;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || sched_setscheduler(0, policy, &none))
		_exit(1);
	for (;;)
		n++;
}

static int first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(set), &set), 0);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Another process has the CPU; the rank gets one only if nobody wants it. */
static void a_rank_that_has_no_cpu_is_not_idle(void)
{
	int cpu = first_cpu();
	pid_t other = busy_process(cpu, SCHED_OTHER), pid = busy_process(cpu, SCHED_IDLE);

	wait_ns(HALF_A_SECOND_NS);
	start(pid);
	look();
	CU_ASSERT_EQUAL(rank.state, RANK_COMPUTING);
	wait_ns(HALF_A_SECOND_NS);
	look();
	CU_ASSERT_EQUAL(rank.state, RANK_NO_CPU);
	end(pid);
	end(other);
}

static void a_rank_that_sleeps_is_idle(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	wait_ns(HALF_A_SECOND_NS / 5);
	start(pid);
	look();
	wait_ns(HALF_A_SECOND_NS);
	look();
	CU_ASSERT_EQUAL(rank.state, RANK_IDLE);
	/* outside MPI for a second and more: the age is that of the look's moment */
	looker.at_ns = (int64_t)file.header.zero_ticks + SECOND_NS + 7;
	look();
	CU_ASSERT_EQUAL(rank.for_ns, SECOND_NS + 7);
	looker.at_ns = (int64_t)file.header.zero_ticks - 7;
	look();
	CU_ASSERT_EQUAL(rank.for_ns, 0);
	looker.at_ns = 0;
	CU_ASSERT(rank.no_cpu_share >= 0 && rank.no_cpu_share < 0.1);
	end(pid);
}

/* Ranks may spin in MPI_Init. */
static void what_a_rank_used_before_it_began_is_no_share(void)
{
	clock_t from = clock();
	uint64_t zero;

	start(getpid());
	zero = file.header.zero_ticks;
	file.header.zero_ticks = 0;
	while (clock() - from < CLOCKS_PER_SEC / 2)
		;
	look();
	CU_ASSERT_EQUAL(rank.state, RANK_STARTING);
	file.header.zero_ticks = zero;
	wait_ns(HALF_A_SECOND_NS / 5);
	look();
	CU_ASSERT(rank.cpu_share >= 0 && rank.cpu_share < 0.5);
	CU_ASSERT(rank.no_cpu_share >= 0);
}

static void time_without_a_prediction_is_a_share_of_the_time(void)
{
	int64_t first, took = HALF_A_SECOND_NS / 10;

	start(getpid());
	look();
	first = rank.looked_ns;
	CU_ASSERT(rank.unpredicted_share < 0);
	wait_ns(2 * took);
	receive(OP_NO_PREDICTION, 0, took);
	look();
	CU_ASSERT_DOUBLE_EQUAL(
		rank.unpredicted_share * (double)(rank.looked_ns - first), took, 1e5);
	CU_ASSERT_DOUBLE_EQUAL(rank.mpi_share, rank.unpredicted_share, 1e-6);
	CU_ASSERT_EQUAL(rank.wait_share, 0);
}

/* The spool has the older records, so it is unknown since when those in the ring are complete. */
static void shares_are_unknown_where_records_are_missing(void)
{
	start(getpid());
	look();
	wait_ns(HALF_A_SECOND_NS / 10);
	receive(0, 0, HALF_A_SECOND_NS / 100);
	file.thread.seq++;
	file.thread.lap++;
	file.thread.head = 0;
	look();
	CU_ASSERT(rank.wait_share < 0);
	CU_ASSERT(rank.unpredicted_share < 0);
	CU_ASSERT(rank.collective_share < 0);
	CU_ASSERT(rank.mpi_share > 0);
}

static void a_wait_may_have_no_cause(void)
{
	int64_t took = HALF_A_SECOND_NS / 4;

	start(getpid());
	look();
	wait_ns(2 * took);
	receive(OP_WAITED, OP_CLASS(0, CAUSE_NONE), took);
	receive(OP_WAITED, OP_CLASS(0, CAUSE_LATE_SENDER), took / 2);
	look();
	CU_ASSERT_EQUAL(rank.late[0].peer, 3);
	CU_ASSERT_EQUAL(rank.late[0].cause, CAUSE_NONE);
	CU_ASSERT_EQUAL(rank.late[0].ticks, (uint64_t)took);
	CU_ASSERT_EQUAL(rank.late[1].cause, CAUSE_LATE_SENDER);
	CU_ASSERT(rank.wait_share > 0);
}

/* 2.5 % of the time at most, by two causes. */
static void a_short_wait_names_no_rank(void)
{
	int64_t took = HALF_A_SECOND_NS / 10;

	start(getpid());
	look();
	wait_ns(2 * took);
	receive(OP_WAITED, OP_CLASS(0, CAUSE_FLOW_CONTROL), took / 20);
	receive(OP_WAITED, OP_CLASS(0, CAUSE_LATE_SENDER), took / 40);
	look();
	CU_ASSERT(rank.wait_share > 0);
	CU_ASSERT_EQUAL(rank.late[0].ticks, 0);
}

static const struct unit_test tests[] = { { "a rank that has no CPU is not idle",
						  a_rank_that_has_no_cpu_is_not_idle },
	{ "a rank that sleeps is idle", a_rank_that_sleeps_is_idle },
	{ "what a rank used before it began is no share",
		what_a_rank_used_before_it_began_is_no_share },
	{ "time without a prediction is a share of the time",
		time_without_a_prediction_is_a_share_of_the_time },
	{ "shares are unknown where records are missing",
		shares_are_unknown_where_records_are_missing },
	{ "a wait may have no cause", a_wait_may_have_no_cause },
	{ "a short wait names no rank", a_short_wait_names_no_rank }, { NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	looker.buffers = live_buffers_new();
	looker.names = names_new();
	failed = unit_main("top_rank", tests);
	rank_release(&rank);
	names_free(looker.names);
	live_buffers_free(looker.buffers);
	scratch_remove(dir);
	return failed;
}
