/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample.c: ranks whose own clocks tell their computation and their times without a CPU.
 *
 *	sample work      two functions with work 3 to 1, between barriers
 *	sample sleep     rank 1 sleeps between barriers
 *	sample loss CPU  rank 0 computes on that CPU; a child of it takes turns with it there
 *	sample yield CPU all ranks on that CPU wait for rank 0, which computes
 *	sample kernel    as work, and as much time in the kernel; LIGHT is the time there
 *	sample kill      as work, and in the end rank 1 kills itself
 *
 * Each rank prints "RANK HEAVY LIGHT OUT": CPU seconds in the two functions, and by how much the
 * time between its calls was longer. A rank that kills itself prints its line before.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hog.h"

enum { ROUNDS = 40, UNIT = 400000 };

static double heavy_s, light_s, out_s;
static volatile double sink;

/* Each has a loop of its own: samples fall on the innermost function. */
__attribute__((noinline)) static void heavy(long n)
{
	double x = 1;

	for (long i = 0; i < 3 * n; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

/* Inlined where the compiler optimises. */
static inline void light(long n)
{
	double x = 1;

	for (long i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

static void work(long n)
{
	double begin = clock_s(CLOCK_THREAD_CPUTIME_ID), middle;

	heavy(n);
	middle = clock_s(CLOCK_THREAD_CPUTIME_ID);
	light(n);
	light_s += clock_s(CLOCK_THREAD_CPUTIME_ID) - middle;
	heavy_s += middle - begin;
}

/* Reads zeros, which the kernel writes, for as long as n steps of heavy() take or more. */
static void work_in_kernel(long n)
{
	static char zeros[1 << 20];
	const int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	double begin = clock_s(CLOCK_THREAD_CPUTIME_ID), middle;

	heavy(n / 3);
	middle = clock_s(CLOCK_THREAD_CPUTIME_ID);
	while (clock_s(CLOCK_THREAD_CPUTIME_ID) - middle < middle - begin)
		if (read(fd, zeros, sizeof(zeros)) != sizeof(zeros))
			exit(4);
	light_s += clock_s(CLOCK_THREAD_CPUTIME_ID) - middle;
	heavy_s += middle - begin;
	close(fd);
}

static void report(int rank)
{
	printf("%d %.6f %.6f %.6f\n", rank, heavy_s, light_s, out_s);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "work";
	const int cpu = argc > 2 ? atoi(argv[2]) : -1;
	pid_t hog = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (cpu >= 0 && (rank == 0 || strcmp(mode, "yield") == 0))
		bind_to(cpu);
	if (strcmp(mode, "loss") == 0 && rank == 0)
		hog = start_hog();
	for (int i = 0; i < ROUNDS; i++) {
		double begin, cpu_begin;

		MPI_Barrier(MPI_COMM_WORLD);
		begin = clock_s(CLOCK_MONOTONIC);
		cpu_begin = clock_s(CLOCK_THREAD_CPUTIME_ID);
		/* of different lengths: no round is in step with the samples */
		if (strcmp(mode, "kernel") == 0)
			work_in_kernel((20 + i * 7 % 13) * (long)UNIT);
		else if (strcmp(mode, "sleep") != 0 && (rank == 0 || strcmp(mode, "yield") != 0))
			work((20 + i * 7 % 13) * (long)UNIT / 2);
		else if (rank == 1 && strcmp(mode, "sleep") == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		out_s += clock_s(CLOCK_MONOTONIC) - begin -
			(clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu_begin);
	}
	report(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (hog > 0)
		kill(hog, SIGKILL);
	if (strcmp(mode, "kill") == 0 && rank == 1)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
