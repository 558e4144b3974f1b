/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_guest.c: a program that takes samples itself. Its first thread counts with an event of its
 * own, 64 threads compute, and a child computes after exec(). In the end the program executes
 * itself. Prints a line for each of these.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 64
#include "sample_threads.h"

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
	start_threads();
	stop_threads();
	puts("threads have computed");
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
