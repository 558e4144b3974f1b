/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrong_order.c ROUNDS: rank 1 waits 20 ms for a message of rank 0, while another one lies there
 * that it takes only then: of rank 0 as well, then of rank 2.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { THERE = 1, LATE };

static int rank, value;

static void send_later(void)
{
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	MPI_Send(&value, 1, MPI_INT, 1, LATE, MPI_COMM_WORLD);
}

static void same_sender(void)
{
	if (rank == 0) {
		MPI_Send(&value, 1, MPI_INT, 1, THERE, MPI_COMM_WORLD);
		send_later();
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 0, THERE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

static void other_sender(void)
{
	if (rank == 0) {
		send_later();
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 2, THERE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Send(&value, 1, MPI_INT, 1, THERE, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < rounds; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		same_sender();
		MPI_Barrier(MPI_COMM_WORLD);
		other_sender();
	}
	MPI_Finalize();
	return 0;
}
