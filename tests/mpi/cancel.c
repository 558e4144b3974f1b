/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel.c: two ranks. Each starts persistent receives that nobody answers, cancels them before the
 * end, and completes none. Of two more receives one is cancelled and completed, the other is
 * cancelled after its message has come. Prints `cancelled A B` by rank 0: what MPI said of these
 * two.
 */
#include <mpi.h>
#include <stdio.h>

enum { LISTENERS = 32, TAG_NOBODY = 77, TAG_CANCELLED, TAG_CAME };

int main(int argc, char **argv)
{
	static int room[LISTENERS + 2];
	MPI_Request listener[LISTENERS], request[2];
	int me, other, cancelled[2], out = 1, flag = 0;
	MPI_Status status[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	other = 1 - me;
	for (int i = 0; i < LISTENERS; i++)
		MPI_Recv_init(
			&room[i], 1, MPI_INT, other, TAG_NOBODY, MPI_COMM_WORLD, &listener[i]);
	MPI_Startall(LISTENERS, listener);
	MPI_Irecv(&room[LISTENERS], 1, MPI_INT, other, TAG_CANCELLED, MPI_COMM_WORLD, &request[0]);
	MPI_Irecv(&room[LISTENERS + 1], 1, MPI_INT, other, TAG_CAME, MPI_COMM_WORLD, &request[1]);
	MPI_Send(&out, 1, MPI_INT, other, TAG_CAME, MPI_COMM_WORLD);
	while (!flag)
		MPI_Request_get_status(request[1], &flag, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		MPI_Cancel(&request[i]);
		MPI_Wait(&request[i], &status[i]);
		MPI_Test_cancelled(&status[i], &cancelled[i]);
	}
	if (me == 0)
		printf("cancelled %d %d\n", cancelled[0], cancelled[1]);
	for (int i = 0; i < LISTENERS; i++)
		MPI_Cancel(&listener[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
