/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.c: rank 0 computes 400 ms too long, rank 1 waits for its message, rank 2 for rank 1's, ...
 *
 *	chain LOG
 *
 * Everybody computes ROUND_US a round; in the last round rank 0 computes 400 ms more. LOG.<rank>
 * gets a line a round: when it began, what was to be computed, entry of the receive, entry of the
 * send (0 where there is none), when it ended; ns of CLOCK_MONOTONIC. Its first line is round 0:
 * from the end of MPI_Init, nothing to be computed, to the entry of the barrier before the first
 * round. Rank 0 prints what it was too long by.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 10, ROUND_US = 2000, LATE_US = 400000 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleeps: with more ranks than cores, busy ones would wait for each other. */
static double __attribute__((noinline)) compute(int us)
{
	double begin = now();
	struct timespec t = { 0, us * 1000L };

	nanosleep(&t, NULL);
	return now() - begin;
}

static long now_ns(void)
{
	return (long)(now() * 1e9);
}

int main(int argc, char **argv)
{
	double late = 0;
	int rank, size, token = 0;
	long ready;
	char name[4096];
	FILE *log;

	MPI_Init(&argc, &argv);
	ready = now_ns();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "%s.%d", argc > 1 ? argv[1] : "chain-log", rank);
	log = fopen(name, "w");
	if (!log)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fprintf(log, "%d 0 %ld 0 0 0 %ld\n", rank, ready, now_ns());
	MPI_Barrier(MPI_COMM_WORLD);
	for (int round = 1; round <= ROUNDS; round++) {
		long begin = now_ns(), recv = 0, send = 0;
		int us = ROUND_US;

		compute(ROUND_US);
		if (rank == 0 && round == ROUNDS) {
			late = compute(LATE_US);
			us += LATE_US;
		}
		if (rank > 0) {
			recv = now_ns();
			MPI_Recv(&token, 1, MPI_INT, rank - 1, round, MPI_COMM_WORLD,
				MPI_STATUS_IGNORE);
		}
		if (rank + 1 < size) {
			send = now_ns();
			MPI_Send(&token, 1, MPI_INT, rank + 1, round, MPI_COMM_WORLD);
		}
		fprintf(log, "%d %d %ld %d %ld %ld %ld\n", rank, round, begin, us * 1000, recv,
			send, now_ns());
	}
	fclose(log);
	if (rank == 0)
		printf("late_ns %.0f\n", late * 1e9);
	MPI_Finalize();
	return 0;
}
