/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_several.c ROUNDS: of rank 0's messages in one MPI_Waitall rank 1 sends its 40 ms too late,
 * rank 2 90 ms, rank 3 at once.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	static const long late_ms[4] = { 0, 40, 90, 0 };
	int rounds = argc > 1 ? atoi(argv[1]) : 1, rank, value[3];
	MPI_Request request[3];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < rounds; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0) {
			for (int peer = 1; peer <= 3; peer++)
				MPI_Irecv(&value[peer - 1], 1, MPI_INT, peer, 0, MPI_COMM_WORLD,
					&request[peer - 1]);
			MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
		} else {
			nanosleep(&(struct timespec){ 0, late_ms[rank] * 1000000 }, NULL);
			MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		}
	}
	MPI_Finalize();
	return 0;
}
