/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * announced.c BYTES COUNT WHO: rank 0 sends messages to rank 1, each when the one before is over.
 *
 * WHO is `receiver`: rank 1 is elsewhere for 300 us before each receive, so that messages are
 * announced to it; or `sender`: rank 0 is elsewhere for 3 ms before each send. Rank 1 prints how
 * many messages were not what was sent, whether a receive changed the floating-point state, and how
 * often a receive that is wrong called the program's error handler.
 */
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void elsewhere(double seconds)
{
	double until = MPI_Wtime() + seconds;

	while (MPI_Wtime() < until)
		;
}

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	handled++;
}

static int calls_of_wrong_receive(char *buffer, int bytes)
{
	MPI_Errhandler handler;
	MPI_Comm comm;
	int tag = -5;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_create_errhandler(handle, &handler);
	MPI_Comm_set_errhandler(comm, handler);
	MPI_Recv(buffer, bytes, MPI_CHAR, 0, tag, comm, MPI_STATUS_IGNORE);
	MPI_Errhandler_free(&handler);
	MPI_Comm_free(&comm);
	return handled;
}

int main(int argc, char **argv)
{
	int rank, bytes = argc > 3 ? atoi(argv[1]) : 0, count = argc > 3 ? atoi(argv[2]) : 0,
		  wrong = 0, flags = 0;
	char *buffer = malloc((size_t)bytes + 1);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < count && buffer; i++) {
		if (rank == (strcmp(argv[3], "receiver") == 0))
			elsewhere(rank ? 300e-6 : 3e-3);
		if (rank == 0) {
			memset(buffer, i, (size_t)bytes);
			MPI_Send(buffer, bytes, MPI_CHAR, 1, i % 3, MPI_COMM_WORLD);
		} else if (rank == 1) {
			MPI_Status status;
			int got;

			feclearexcept(FE_ALL_EXCEPT);
			MPI_Recv(buffer, bytes, MPI_CHAR, i % 2 ? MPI_ANY_SOURCE : 0, i % 3,
				MPI_COMM_WORLD, &status);
			flags |= fetestexcept(FE_ALL_EXCEPT) != 0;
			MPI_Get_count(&status, MPI_CHAR, &got);
			wrong += got != bytes || buffer[0] != (char)i ||
				buffer[bytes - 1] != (char)i;
		}
	}
	handled = calls_of_wrong_receive(buffer, bytes);
	if (rank == 1)
		printf("wrong %d flags %d handled %d\n", wrong, flags, handled);
	MPI_Finalize();
	free(buffer);
	return 0;
}
