/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * level.c: prints the thread level that MPI_Init_thread gave and the one that MPI_Query_thread
 * tells.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int given, told, rank;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
	MPI_Query_thread(&told);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("%d %d %s\n", rank, given, given == told ? "same" : "other");
	MPI_Finalize();
	return 0;
}
