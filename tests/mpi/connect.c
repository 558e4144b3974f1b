/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * connect.c: even ranks of one world accept the odd ones behind them over a port, twice. Each pair
 * sends a message in the intercommunicator and one in what it merges to. Prints "done".
 */
#include <mpi.h>
#include <stdio.h>

static void meet(int rank, int tag)
{
	char port[MPI_MAX_PORT_NAME] = "";
	int even = rank % 2 == 0, x = 0;
	MPI_Comm inter, both;

	if (even) {
		MPI_Open_port(MPI_INFO_NULL, port);
		MPI_Send(port, sizeof(port), MPI_CHAR, rank + 1, 1, MPI_COMM_WORLD);
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
		MPI_Close_port(port);
		MPI_Send(&x, 1, MPI_INT, 0, tag, inter);
	} else {
		MPI_Recv(port, sizeof(port), MPI_CHAR, rank - 1, 1, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
		MPI_Recv(&x, 1, MPI_INT, 0, tag, inter, MPI_STATUS_IGNORE);
	}
	MPI_Intercomm_merge(inter, even, &both);
	if (even)
		MPI_Recv(&x, 1, MPI_INT, 0, tag, both, MPI_STATUS_IGNORE);
	else
		MPI_Send(&x, 1, MPI_INT, 1, tag, both);
	MPI_Comm_free(&both);
	MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 2; i++)
		if (rank < size / 2 * 2)
			meet(rank, 10 + i);
	MPI_Finalize();
	if (rank == 0)
		puts("done");
	return 0;
}
