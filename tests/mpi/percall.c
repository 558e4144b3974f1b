/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * percall.c WHAT N [HELD]: N calls of one kind, for counting what a call costs.
 *
 *	null		MPI_Send to MPI_PROC_NULL
 *	self		MPI_Isend, MPI_Recv and MPI_Wait with oneself, 8 bytes
 *	halo		four MPI_Irecv, four MPI_Isend and MPI_Waitall with oneself, 8 bytes
 *	pingpong	MPI_Send and MPI_Recv of 8 bytes between two ranks
 *	window		windows of 64 MPI_Isend and MPI_Irecv of 8 bytes, MPI_Waitall
 *	rank		MPI_Comm_rank
 *	none		no call
 *
 * Rank 0 prints `ns N`, the median of eleven batches, in nanoseconds a call of the kind's own (of a
 * round for self, halo, pingpong and window), and `held N`, the 99th percentile of the time that
 * one call (round) took, over HELD more of them, 10,000 at most.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 11, NEIGHBOURS = 4, WINDOW = 64, HELD = 10000 };
static int rank, nranks;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void null(void)
{
	double x = 0;

	MPI_Send(&x, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

static void self(void)
{
	MPI_Request request;
	double in, out = 1;

	MPI_Isend(&out, 1, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, &request);
	MPI_Recv(&in, 1, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void pingpong(void)
{
	double x = 0;

	if (rank == 0) {
		MPI_Send(&x, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
		MPI_Recv(&x, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
	}
}

static void exchange(int peer, int n)
{
	MPI_Request request[2 * WINDOW];
	double in[WINDOW], out[WINDOW] = { 0 };

	for (int i = 0; i < n; i++)
		MPI_Irecv(&in[i], 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request[i]);
	for (int i = 0; i < n; i++)
		MPI_Isend(&out[i], 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request[n + i]);
	MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
}

static void halo(void)
{
	exchange(rank, NEIGHBOURS);
}

static void window(void)
{
	exchange(rank ^ 1, WINDOW);
}

static void comm_rank(void)
{
	int r;

	MPI_Comm_rank(MPI_COMM_WORLD, &r);
}

static void none(void)
{
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
		int ranks;
	} kinds[] = { { "null", null, 1 }, { "self", self, 1 }, { "halo", halo, 1 },
		{ "pingpong", pingpong, 2 }, { "window", window, 2 }, { "rank", comm_rank, 1 },
		{ "none", none, 1 } };
	const char *what = argc > 1 ? argv[1] : "null";
	long n = argc > 2 ? atol(argv[2]) : 1000;
	/* so that no compiler unrolls the loop around its call */
	void (*volatile run)(void) = NULL;
	static double ns[BATCHES], held[HELD];
	long nheld = argc > 3 ? atol(argv[3]) : 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, what) == 0 && nranks >= kinds[i].ranks)
			run = kinds[i].run;
	if (!run) {
		fprintf(stderr, "percall: no kind '%s' on %d ranks\n", what, nranks);
		MPI_Finalize();
		return 2;
	}
	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t begin = now();

		for (long i = 0; i < n / BATCHES; i++)
			run();
		ns[batch] = n >= BATCHES ? (double)(now() - begin) / (double)(n / BATCHES) : 0;
	}
	qsort(ns, BATCHES, sizeof(ns[0]), by_value);
	nheld = nheld < HELD ? nheld : HELD;
	for (long i = 0; i < nheld; i++) {
		uint64_t begin = now();

		run();
		held[i] = (double)(now() - begin);
	}
	qsort(held, (size_t)nheld, sizeof(held[0]), by_value);
	if (rank == 0)
		printf("ns %.1f\nheld %.1f\n", ns[BATCHES / 2], nheld ? held[nheld * 99 / 100] : 0);
	MPI_Finalize();
	return 0;
}
