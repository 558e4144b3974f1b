/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event-cost.c: what a sample of the kernel's events costs, by kind of event.
 *
 *	gcc -O1 event-cost.c -lm -o event-cost; ./event-cost [HZ [ROUNDS]]
 *
 * Each round [30] runs a loop once without an event and once under each event, sampled HZ [10000]
 * times a second of CPU time. A sample's cost is the CPU time that the loop takes longer, divided
 * by its samples. Prints the mean over the rounds [ns] and twice its standard error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOPS = 40000000, KINDS = 9 };

static const char *const names[KINDS] = { "as recorded", "cpu-clock", "without switches",
	"time of perf's own clock", "without times", "frequency instead of period", "not mapped",
	"oldest records stay", "cycles of the CPU" };

static volatile double sink;

/* The thread's CPU time for the loop [ns]. */
static double loop_ns(void)
{
	struct timespec from, to;
	double x = 1;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	for (long i = 0; i < LOOPS; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	return (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
}

/* Opens event_open()'s event (analysis/base/event.c), changed as names[kind] says. */
static int open_event(int kind, unsigned hz)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = kind == 1 ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = 1000000000U / hz,
		.sample_type = PERF_SAMPLE_IP | (kind == 4 ? 0 : PERF_SAMPLE_TIME),
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = kind != 2,
		.sample_id_all = 1,
		.use_clockid = kind != 3,
		.clockid = kind != 3 ? CLOCK_MONOTONIC_RAW : 0,
		.write_backward = kind != 7 };

	if (kind == 5) {
		a.freq = 1;
		a.sample_freq = hz;
	} else if (kind == 8) {
		a.type = PERF_TYPE_HARDWARE;
		a.config = PERF_COUNT_HW_CPU_CYCLES;
	}
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

/* The loop's CPU time under an event [ns]; below 0: it cannot be opened. */
static double sampled_ns(int kind, unsigned hz)
{
	const size_t bytes = 9 * (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_event(kind, hz);
	void *map = MAP_FAILED;
	double ns;

	if (fd < 0)
		return -errno;
	if (kind != 6)
		map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	ns = loop_ns();
	if (map != MAP_FAILED)
		munmap(map, bytes);
	close(fd);
	return ns;
}

int main(int argc, char **argv)
{
	const unsigned hz = argc > 1 ? (unsigned)atoi(argv[1]) : 10000;
	const int rounds = argc > 2 ? atoi(argv[2]) : 30;
	double sum[KINDS] = { 0 }, squares[KINDS] = { 0 }, refused[KINDS] = { 0 };

	for (int round = 0; round < rounds; round++) {
		const double bare_ns = loop_ns();

		for (int i = 0; i < KINDS; i++) {
			const int kind = (i + round) % KINDS;
			const double ns = sampled_ns(kind, hz);
			const double each_ns = (ns - bare_ns) / (ns * hz / 1e9);

			if (ns < 0)
				refused[kind] = -ns;
			sum[kind] += each_ns;
			squares[kind] += each_ns * each_ns;
		}
	}
	for (int kind = 0; kind < KINDS; kind++) {
		const double mean = sum[kind] / rounds;
		const double error = (squares[kind] / rounds - mean * mean) / rounds;

		if (refused[kind] > 0)
			printf("%-28s %s\n", names[kind], strerror((int)refused[kind]));
		else
			printf("%-28s %6.0f +- %.0f ns\n", names[kind], mean, 2 * sqrt(error));
	}
	return 0;
}
