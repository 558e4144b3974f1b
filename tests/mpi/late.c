/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late.c: collectives to which one rank comes late, and what the others stood in them.
 *
 *	late CALL RANK [barrier]
 *
 * Before each of ROUNDS calls of CALL, whose root is 0, RANK sleeps 50 ms; with `barrier` all ranks
 * make one after the last. Who did not have to wait sleeps for most of that time afterwards, lest
 * it spin in MPI_Finalize. Each rank prints "RANK NS": how long it was in the calls, by the clock
 * of the program.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 10, SLEEP_NS = 50000000 };

static MPI_Comm ring;
static int mine, of_all[64], one_each[64], first[64];

static void reduce(void)
{
	MPI_Reduce(&mine, of_all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void gather(void)
{
	MPI_Gather(&mine, 1, MPI_INT, of_all, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void gatherv(void)
{
	MPI_Gatherv(&mine, 1, MPI_INT, of_all, one_each, first, MPI_INT, 0, MPI_COMM_WORLD);
}

static void ireduce(void)
{
	MPI_Request request;

	MPI_Ireduce(&mine, of_all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void bcast(void)
{
	MPI_Bcast(of_all, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void scatter(void)
{
	MPI_Scatter(of_all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void scan(void)
{
	MPI_Scan(&mine, of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* With the ranks before and after, in a ring. */
static void neighbor(void)
{
	MPI_Neighbor_allgather(&mine, 1, MPI_INT, of_all, 1, MPI_INT, ring);
}

static void dup(void)
{
	MPI_Comm copy;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_free(&copy);
}

static void split(void)
{
	MPI_Comm part;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
	MPI_Comm_free(&part);
}

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{ "reduce", reduce },
	{ "gather", gather },
	{ "gatherv", gatherv },
	{ "ireduce", ireduce },
	{ "bcast", bcast },
	{ "scatter", scatter },
	{ "scan", scan },
	{ "neighbor", neighbor },
	{ "dup", dup },
	{ "split", split },
};

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv)
{
	static const struct timespec pause = { .tv_nsec = SLEEP_NS };
	static const struct timespec most = { .tv_nsec = SLEEP_NS * (ROUNDS - 1) };
	void (*call)(void) = NULL;
	int late = argc > 2 ? atoi(argv[2]) : 0, rank, all;
	long ns = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	for (int i = 0; i < all; i++) {
		one_each[i] = 1;
		first[i] = i;
	}
	for (size_t i = 0; argc > 2 && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(argv[1], calls[i].name) == 0)
			call = calls[i].call;
	if (call == neighbor) {
		ns -= now_ns();
		MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &(int){ 1 }, 0, &ring);
		ns += now_ns();
	}
	for (int i = 0; call && i < ROUNDS; i++) {
		if (rank == late)
			nanosleep(&pause, NULL);
		ns -= now_ns();
		call();
		ns += now_ns();
	}
	if (rank != late && ns < (long)ROUNDS * SLEEP_NS / 2)
		nanosleep(&most, NULL);
	if (argc > 3)
		MPI_Barrier(MPI_COMM_WORLD);
	printf("%d %ld\n", rank, ns);
	MPI_Finalize();
	return !call;
}
