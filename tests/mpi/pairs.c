/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.c: heavy and light pairs of ranks, for tests of mappings.
 *
 *	pairs ROUNDS BYTES WORK_US
 *
 * In each round every rank sleeps, exchanges BYTES with the rank half of all ranks away, and 512
 * bytes with its neighbour. A barrier keeps all in step.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LIGHT = 512 };

static void compute(long us)
{
	const struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 10, bytes = argc > 2 ? atoi(argv[2]) : 100000;
	const long work_us = argc > 3 ? atol(argv[3]) : 1000;
	char *out = calloc(1, (size_t)bytes + LIGHT), *in = calloc(1, (size_t)bytes + LIGHT);
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!out || !in || size % 2)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < rounds; i++) {
		const int heavy = (rank + size / 2) % size, light = rank ^ 1;
		MPI_Request request[2];

		compute(work_us);
		MPI_Irecv(in, bytes, MPI_BYTE, heavy, 0, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(out, bytes, MPI_BYTE, heavy, 0, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		MPI_Sendrecv(out, LIGHT, MPI_BYTE, light, 1, in, LIGHT, MPI_BYTE, light, 1,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	free(out);
	free(in);
	MPI_Finalize();
	return 0;
}
