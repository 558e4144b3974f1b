/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * added.c: a ring of messages, in each round of which rank 1 computes longer by argv[1] ms.
 *
 * Everybody computes 5 ms a round, by sleeping: busy ranks would wait for processors.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20, ROUND_MS = 5 };

static void compute(long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
	const long more = argc > 1 ? atol(argv[1]) : 0;
	int rank, size, token = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Request request;

		compute(ROUND_MS + (rank == 1 ? more : 0));
		MPI_Irecv(&token, 1, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD,
			&request);
		MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Allreduce(MPI_IN_PLACE, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
