/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.c: phases by include/tryst.h and by MPI_Pcontrol, and recording switched off and on
 * while requests, communicators, datatypes, windows and files live. Two ranks. The tags of messages
 * say what is expected of them: 1xx are recorded, 2xx are not.
 */
#include <mpi.h>
#include <stdio.h>

#include "tryst.h"

static int me, other;

static void exchange(int tag, MPI_Comm comm)
{
	int out = me, in;

	MPI_Sendrecv(
		&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int out[3] = { 0 }, in[3], flag;
	MPI_Request r[2], persistent;
	MPI_Comm copy, gone;
	MPI_Datatype pair;
	MPI_Win win;

	tryst_phase_begin("too early");
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	other = 1 - me;
	MPI_Pcontrol(1); /* for TRYST_RECORD=pcontrol; else it changes nothing */
	exchange(101, MPI_COMM_WORLD);

	tryst_phase_begin("outer");
	exchange(102, MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++) {
		tryst_phase_begin("inner");
		exchange(103, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		tryst_phase_end();
	}
	MPI_Pcontrol(7);
	exchange(104, MPI_COMM_WORLD);
	MPI_Pcontrol(-9); /* no such phase */
	MPI_Pcontrol(-7);
	MPI_Pcontrol(2);
	tryst_phase_end();
	tryst_phase_end(); /* one too many */

	MPI_Irecv(in, 1, MPI_INT, other, 105, MPI_COMM_WORLD, &r[0]); /* completes unseen */
	MPI_Comm_dup(MPI_COMM_WORLD, &gone);
	MPI_Pcontrol(0);
	MPI_Pcontrol(0);
	MPI_Send(out, 1, MPI_INT, other, 105, MPI_COMM_WORLD);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	exchange(201, MPI_COMM_WORLD);
	MPI_Irecv(in + 1, 1, MPI_INT, other, 202, MPI_COMM_WORLD, &r[1]); /* posted unseen */
	MPI_Comm_free(&gone);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Send_init(out, 1, pair, other, 106, copy, &persistent);
	MPI_Win_create(out, sizeof(out), sizeof(int), MPI_INFO_NULL, copy, &win);
	MPI_Win_fence(0, win);
	MPI_Pcontrol(1);

	MPI_Send(out, 1, MPI_INT, other, 202, MPI_COMM_WORLD);
	do
		MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);
	while (!flag);
	MPI_Irecv(in, 1, pair, other, 106, copy, &r[0]);
	MPI_Start(&persistent);
	MPI_Wait(&persistent, MPI_STATUS_IGNORE);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&persistent);
	exchange(107, copy);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	MPI_Type_free(&pair);
	MPI_Comm_free(&copy);
	tryst_phase_begin("last");
	MPI_Pcontrol(0);
	exchange(203, MPI_COMM_WORLD);
	MPI_Finalize();
	tryst_phase_end();
	if (me == 0)
		puts("done");
	return 0;
}
