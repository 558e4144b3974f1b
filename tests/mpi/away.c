/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * away.c: nonblocking collectives of which one rank computes between post and wait.
 *
 *	away CALL RANK
 *
 * ROUNDS times, after a barrier, all post CALL, the root of MPI_Ibcast a little later, RANK sleeps
 * for 60 ms, and all wait. Each rank prints for each round "RANK ROUND POST POSTED WAIT DONE": when
 * it entered and left the post, and MPI_Wait, by the clock of the program [ns].
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 6, RANKS = 64, LONG = 1 << 18 };

static int mine[RANKS], of_all[RANKS], large[LONG];
static MPI_Request request;
static int rank;

static void iallreduce(void)
{
	MPI_Iallreduce(mine, of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
}

static void ibarrier(void)
{
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
}

/* The others have posted before: of whom the message finds in that call, the root needs no more. */
static void ibcast(void)
{
	static const struct timespec a_little = { .tv_nsec = 5000000 };

	if (rank == 0)
		nanosleep(&a_little, NULL);
	MPI_Ibcast(large, LONG, MPI_INT, 0, MPI_COMM_WORLD, &request);
}

#if MPI_VERSION >= 4
static void allreduce_start(void)
{
	if (request == MPI_REQUEST_NULL)
		MPI_Allreduce_init(
			mine, of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
}
#endif

static const struct {
	const char *name;
	void (*post)(void);
} calls[] = {
	{ "iallreduce", iallreduce },
	{ "ibarrier", ibarrier },
	{ "ibcast", ibcast },
#if MPI_VERSION >= 4
	{ "persistent", allreduce_start },
#endif
};

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv)
{
	static const struct timespec compute = { .tv_nsec = 60000000 };
	int away = argc > 2 ? atoi(argv[2]) : 0;
	void (*post)(void) = NULL;
	long at[ROUNDS][4];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	request = MPI_REQUEST_NULL;
	for (size_t i = 0; argc > 2 && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(argv[1], calls[i].name) == 0)
			post = calls[i].post;
	for (int i = 0; post && i < ROUNDS; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		at[i][0] = now_ns();
		post();
		at[i][1] = now_ns();
		if (rank == away)
			nanosleep(&compute, NULL);
		at[i][2] = now_ns();
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		at[i][3] = now_ns();
	}
	if (request != MPI_REQUEST_NULL)
		MPI_Request_free(&request);
	for (int i = 0; post && i < ROUNDS; i++)
		printf("%d %d %ld %ld %ld %ld\n", rank, i, at[i][0], at[i][1], at[i][2], at[i][3]);
	MPI_Finalize();
	return !post;
}
