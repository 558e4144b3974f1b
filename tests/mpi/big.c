/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * big.c: one message of 2052 MiB, more bytes than an int counts, as 2052 elements of 1 MiB, from
 * rank 0 to rank 1, blocking. Exit code 77 where memory is short.
 */
#include <mpi.h>
#include <stdlib.h>

enum { ELEMENTS = 2052, ELEMENT_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
	size_t bytes = (size_t)ELEMENTS * ELEMENT_BYTES;
	int rank, ok, all, wrong = 0;
	MPI_Datatype type;
	char *buffer;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	buffer = malloc(bytes);
	ok = buffer != NULL;
	MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (!all) {
		MPI_Finalize();
		return 77;
	}
	MPI_Type_contiguous(ELEMENT_BYTES, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	if (rank == 0) {
		buffer[bytes - 1] = 9;
		MPI_Send(buffer, ELEMENTS, type, 1, 3, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(buffer, ELEMENTS, type, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		wrong = buffer[bytes - 1] != 9;
	}
	MPI_Type_free(&type);
	MPI_Finalize();
	free(buffer);
	return wrong;
}
