/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.c KIND BATCHES ROUNDS: what calls cost more through libtryst.so than past it, in one
 * launch.
 *
 *	pingpong	MPI_Send and MPI_Recv of 8 bytes
 *	exchange	MPI_Isend, MPI_Recv and MPI_Wait
 *	halo		four MPI_Irecv, four MPI_Isend, MPI_Waitall
 *
 * Two ranks; before each round about 6 us of arithmetic. Batches of ROUNDS rounds go in turns
 * through the functions that the dynamic linker finds and through those of the library itself:
 * launches differ by more than tryst costs. Rank 0 prints `library NS`, a round's median time past
 * tryst, and `added NS`, the median over all pairs of batches of what a round took longer through
 * it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORK = 3500, NEIGHBOURS = 4, WARM_UP = 4 };

struct functions {
	__typeof__(MPI_Send) *send;
	__typeof__(MPI_Recv) *recv;
	__typeof__(MPI_Isend) *isend;
	__typeof__(MPI_Irecv) *irecv;
	__typeof__(MPI_Wait) *wait;
	__typeof__(MPI_Waitall) *waitall;
};

static const struct functions *mpi;
static volatile double result;
static int rank;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void work(void)
{
	double x = 1;

	for (int i = 0; i < WORK; i++)
		x = x * 0.999 + 1;
	result = x;
}

static void pingpong(void)
{
	double x = 0;

	work();
	if (rank == 0) {
		mpi->send(&x, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
		mpi->recv(&x, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		mpi->recv(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		mpi->send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
	}
}

static void exchange(void)
{
	MPI_Request request;
	double in, out = 0;

	work();
	mpi->isend(&out, 1, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, &request);
	mpi->recv(&in, 1, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mpi->wait(&request, MPI_STATUS_IGNORE);
}

static void halo(void)
{
	double in[NEIGHBOURS], out[NEIGHBOURS] = { 0 };
	MPI_Request request[2 * NEIGHBOURS];

	work();
	for (int i = 0; i < NEIGHBOURS; i++)
		mpi->irecv(&in[i], 1, MPI_DOUBLE, !rank, i, MPI_COMM_WORLD, &request[i]);
	for (int i = 0; i < NEIGHBOURS; i++)
		mpi->isend(
			&out[i], 1, MPI_DOUBLE, !rank, i, MPI_COMM_WORLD, &request[NEIGHBOURS + i]);
	mpi->waitall(2 * NEIGHBOURS, request, MPI_STATUSES_IGNORE);
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *x, int n)
{
	qsort(x, (size_t)n, sizeof(*x), by_value);
	return x[n / 2];
}

static double batch(const struct functions *f, void (*round)(void), int rounds)
{
	uint64_t begin;

	mpi = f;
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < rounds / 10; i++)
		round();
	begin = now();
	for (int i = 0; i < rounds; i++)
		round();
	return (double)(now() - begin) / rounds;
}

/* The library's own functions: what a handle of it finds is not interposed. */
static int find_library(struct functions *f)
{
#ifdef OPEN_MPI
	void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_NOLOAD);
#else
	void *library = dlopen("libmpich.so.12", RTLD_NOW | RTLD_NOLOAD);
#endif

	if (!library)
		return -1;
	*(void **)&f->send = dlsym(library, "MPI_Send");
	*(void **)&f->recv = dlsym(library, "MPI_Recv");
	*(void **)&f->isend = dlsym(library, "MPI_Isend");
	*(void **)&f->irecv = dlsym(library, "MPI_Irecv");
	*(void **)&f->wait = dlsym(library, "MPI_Wait");
	*(void **)&f->waitall = dlsym(library, "MPI_Waitall");
	return f->send && f->recv && f->isend && f->irecv && f->wait && f->waitall ? 0 : -1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*round)(void);
	} kinds[] = { { "pingpong", pingpong }, { "exchange", exchange }, { "halo", halo } };
	const struct functions found = { MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv, MPI_Wait,
		MPI_Waitall };
	int batches = argc > 3 ? atoi(argv[2]) : 0, rounds = argc > 3 ? atoi(argv[3]) : 0, nranks;
	void (*round)(void) = NULL;
	struct functions library;
	double *past, *added;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (argc > 3 && strcmp(kinds[i].name, argv[1]) == 0)
			round = kinds[i].round;
	past = calloc((size_t)batches + 1, sizeof(*past));
	added = calloc((size_t)batches + 1, sizeof(*added));
	if (!round || batches < 1 || rounds < 1 || nranks != 2 || !past || !added ||
		find_library(&library) != 0) {
		fprintf(stderr, "turns KIND BATCHES ROUNDS, on two ranks\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
		return 2;
	}
	for (int b = -WARM_UP; b < batches; b++) {
		int first = b & 1, at = b < 0 ? batches : b;
		double ns[2];

		for (int turn = 0; turn < 2; turn++)
			ns[turn ^ first] = batch((turn ^ first) ? &found : &library, round, rounds);
		past[at] = ns[0];
		added[at] = ns[1] - ns[0];
	}
	if (rank == 0)
		printf("library %.1f\nadded %.1f\n", median(past, batches), median(added, batches));
	free(past);
	free(added);
	MPI_Finalize();
	return 0;
}
