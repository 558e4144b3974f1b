/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_guest.c: a program that takes samples itself. Its first thread counts with an event of its
 * own, 64 threads compute, and a child computes after exec(). In the end the program executes
 * itself. Prints a line for each of these.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 64 };

static _Atomic int busy = THREADS, stop;

static double clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Computes in the program's own code: samples leave out the time in the kernel. */
static void compute(double least_s)
{
	const double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + least_s;

	while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 50000; i++)
			;
}

static void *run(void *unused)
{
	compute(0.02);
	busy--;
	while (!stop)
		compute(0.001);
	return unused;
}

/* An event as a profiler inside of the program would open it. */
static int open_event(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP,
		.exclude_kernel = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	const size_t bytes = 2 * (size_t)sysconf(_SC_PAGESIZE);

	if (fd >= 0 && mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
		puts("its event cannot be mapped");
	return fd;
}

static void run_threads(void)
{
	pthread_t thread[THREADS];
	double end = 0;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, NULL) != 0)
			puts("no thread");
	/* threads without calls are looked for twice a second */
	while (end == 0 || clock_s(CLOCK_MONOTONIC) < end) {
		MPI_Barrier(MPI_COMM_SELF);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		if (busy == 0 && end == 0)
			end = clock_s(CLOCK_MONOTONIC) + 0.6;
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	puts("threads have computed");
}

int main(int argc, char **argv)
{
	uint64_t count = 0;
	int event, status;
	pid_t child;

	if (argc > 1) {
		compute(0.02);
		puts(argv[1]);
		return 0;
	}
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &status);
	event = open_event();
	run_threads();
	compute(0.02);
	if (read(event, &count, sizeof(count)) == sizeof(count) && count > 10000000)
		puts("its event has counted");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execl("/proc/self/exe", argv[0], "a child has computed", NULL);
		_exit(1);
	}
	if (waitpid(child, &status, 0) == child && status == 0)
		puts("the child has ended");
	MPI_Barrier(MPI_COMM_SELF);
	MPI_Finalize();
	fflush(stdout);
	execl("/proc/self/exe", argv[0], "executed itself", NULL);
	return 1;
}
