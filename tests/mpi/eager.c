/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eager.c ROUNDS BYTES: in each round, rank 0's send waits for its receive if it is a rendezvous.
 *
 *	rank 0	sends BYTES to rank 1, and computes 2 ms
 *	rank 1	receives from rank 2, and only then from rank 0: it is inside MPI all the time
 *	rank 2	computes 2 ms and sends a byte to rank 1
 *
 * A round begins with a barrier. It takes 4 ms if the send is a rendezvous, and 2 ms if it is
 * eager. Ranks compute by sleeping.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static char buffer[1 << 20];

static void compute(void)
{
	nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 50, bytes = argc > 2 ? atoi(argv[2]) : 16384;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int round = 0; round < rounds; round++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0) {
			MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
			compute();
		} else if (rank == 1) {
			MPI_Recv(buffer, 1, MPI_BYTE, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else if (rank == 2) {
			compute();
			MPI_Send(buffer, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		}
	}
	MPI_Finalize();
	return 0;
}
