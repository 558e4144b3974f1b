/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c NAME: two ranks send over a communicator of that name, rank 0 begins a barrier on it, and
 * both are killed: reports then tell of the program, its arguments, places and the communicator.
 */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	MPI_Comm named;
	MPI_Request barrier;
	int rank, in, out = 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &named);
	MPI_Comm_set_name(named, argc > 1 ? argv[1] : "");
	MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 7, &in, 1, MPI_INT, 1 - rank, 7, named,
		MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Ibarrier(named, &barrier);
	MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 8, &in, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	kill(getpid(), SIGKILL);
	return 0;
}
