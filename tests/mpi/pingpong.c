/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.c: two ranks, some lengths, argv[1] (200) round trips each. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const int lengths[] = { 0, 1, 8, 64, 256, 1024, 4096, 16384, 65536 };
	static char out[65536], in[65536];
	int rank, rounds = argc > 1 ? atoi(argv[1]) : 200;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	memset(out, 1, sizeof(out));
	for (int i = 0; i < rounds; i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(*lengths) && rank < 2; j++) {
			if (rank == 0)
				MPI_Send(out, lengths[j], MPI_BYTE, 1, 5, MPI_COMM_WORLD);
			MPI_Recv(in, lengths[j], MPI_BYTE, 1 - rank, 5, MPI_COMM_WORLD,
				MPI_STATUS_IGNORE);
			if (rank == 1)
				MPI_Send(out, lengths[j], MPI_BYTE, 0, 5, MPI_COMM_WORLD);
		}
	MPI_Finalize();
	return 0;
}
