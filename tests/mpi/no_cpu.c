/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_cpu.c: ranks wait for rank 0, which loses its CPU or sleeps. Rank 0's own clocks tell for how
 * long.
 *
 *	no_cpu loss CPU     rank 0 computes on that CPU; a child of it takes turns with it there
 *	no_cpu equal CPU    as loss; the others compute as much before they wait, all in step
 *	no_cpu inside CPU   as loss; rank 0 computes inside calls, by copying messages to itself
 *	no_cpu sleep        rank 0 sleeps
 *	no_cpu turns CPU    all ranks are on that CPU; rank 0 computes
 *
 * In each round rank 0 sends its clock to all others. Each rank prints "RANK SECONDS". Rank 0: its
 * time without a CPU from the first barrier to its last send. The others: the sum of times from
 * that clock to the end of their receives.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hog.h"

enum { ROUNDS = 40, UNIT = 400000, NUMBERS = 1 << 16 };

static volatile double sink;

static void work(long n)
{
	double x = 1;

	for (long i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

/* This thread's time without a CPU since some moment [s]. */
static double without_cpu_s(void)
{
	return clock_s(CLOCK_MONOTONIC) - clock_s(CLOCK_THREAD_CPUTIME_ID);
}

/* Copies every second number of an array to another one, in each call. */
static void copy(int times)
{
	static double from[2 * NUMBERS], to[2 * NUMBERS];
	MPI_Datatype type;

	MPI_Type_vector(NUMBERS, 1, 2, MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	for (int i = 0; i < times; i++)
		MPI_Sendrecv(
			from, 1, type, 0, 2, to, 1, type, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
}

/* Spends one round's time before the messages. */
static void spend(const char *mode, int rank, int round)
{
	if (rank == 0 && strcmp(mode, "sleep") == 0)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	else if (rank == 0 && strcmp(mode, "inside") == 0)
		copy(20 + round * 7 % 13);
	else if (rank == 0 || strcmp(mode, "equal") == 0)
		work((20 + round * 7 % 13) * (long)UNIT);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "loss";
	const int cpu = argc > 2 ? atoi(argv[2]) : -1;
	double seconds = 0, without_s, sent_s;
	pid_t hog = 0;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (cpu >= 0 && (rank == 0 || strcmp(mode, "turns") == 0))
		bind_to(cpu);
	MPI_Barrier(MPI_COMM_WORLD);
	without_s = without_cpu_s();
	if (cpu >= 0 && rank == 0 && strcmp(mode, "turns") != 0)
		hog = start_hog();
	for (int i = 0; i < ROUNDS; i++) {
		if (strcmp(mode, "equal") == 0)
			MPI_Barrier(MPI_COMM_WORLD);
		spend(mode, rank, i);
		if (rank == 0)
			seconds = without_cpu_s() - without_s;
		for (int to = 1; rank == 0 && to < size; to++) {
			sent_s = clock_s(CLOCK_MONOTONIC);
			MPI_Send(&sent_s, 1, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
		}
		if (rank > 0) {
			MPI_Recv(&sent_s, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			seconds += clock_s(CLOCK_MONOTONIC) - sent_s;
		}
	}
	if (hog > 0)
		kill(hog, SIGKILL);
	printf("%d %.6f\n", rank, seconds);
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
