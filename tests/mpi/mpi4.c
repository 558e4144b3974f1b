/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi4.c: requests of two ops and of partitioned messages, large counts, and the state of a request
 * that is asked for without completing it. Two ranks or more; prints "done", or "older" where the
 * library has no MPI-4.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, nranks, left, right;

static void get_status(void)
{
	int out = rank, in, flag = 0;
	MPI_Request r;
	MPI_Status s;

	MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r);
	MPI_Request_get_status(r, &flag, &s);
	MPI_Send(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
	for (flag = 0; !flag;)
		MPI_Request_get_status(r, &flag, &s);
	MPI_Wait(&r, &s);
}

#if MPI_VERSION >= 4
static int exchange(void)
{
	int out[64], in[64], wrong = 0;
	MPI_Request r[3];
	MPI_Status s[3];

	for (int i = 0; i < 64; i++)
		out[i] = rank;
	MPI_Isendrecv(out, 4, MPI_INT, right, 2, in, 8, MPI_INT, left, 2, MPI_COMM_WORLD, &r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	wrong += in[3] != left;
	MPI_Isendrecv_c(out, 5, MPI_INT, right, 3, in, 5, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out, 64, MPI_INT, right, 4, MPI_COMM_WORLD, &r[1]);
	MPI_Irecv(in + 8, 16, MPI_INT, left, 5, MPI_COMM_WORLD, &r[2]);
	MPI_Send(out, 16, MPI_INT, right, 5, MPI_COMM_WORLD);
	MPI_Recv(in, 64, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Waitall(3, r, s);
	MPI_Isendrecv_replace(out, 6, MPI_INT, right, 6, left, 6, MPI_COMM_WORLD, &r[0]);
	MPI_Wait(&r[0], &s[0]);
	wrong += out[5] != left;
	return wrong;
}

static int partitions(void)
{
	char out[4][1024], in[4][1024];
	MPI_Request r[2];
	MPI_Status *volatile none = MPI_STATUSES_IGNORE; /* as a literal, mpi.h of MPICH warns */
	int arrived = 0, wrong = 0;

	memset(out, rank + 1, sizeof(out));
	MPI_Psend_init(out, 4, 1024, MPI_CHAR, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
	MPI_Precv_init(in, 4, 1024, MPI_CHAR, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
	for (int round = 0; round < 2; round++) {
		memset(in, 0, sizeof(in));
		MPI_Startall(2, r);
		MPI_Pready(0, r[0]);
		MPI_Pready_range(1, 3, r[0]);
		while (!arrived)
			MPI_Parrived(r[1], 3, &arrived);
		MPI_Waitall(2, r, none);
		wrong += in[3][1023] != left + 1;
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	return wrong;
}

static void matched(void)
{
	int out = rank, in[4];
	MPI_Message m;
	MPI_Request r;
	MPI_Status s;

	for (int i = 0; i < 2; i++)
		MPI_Send(&out, 1, MPI_INT, right, 8 + i, MPI_COMM_WORLD);
	MPI_Mprobe(left, 8, MPI_COMM_WORLD, &m, &s);
	MPI_Mrecv_c(in, 4, MPI_INT, &m, &s);
	MPI_Mprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &m, &s);
	MPI_Imrecv_c(in, 4, MPI_INT, &m, &r);
	MPI_Wait(&r, &s);
}
#endif

int main(int argc, char **argv)
{
	int wrong = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	left = (rank + nranks - 1) % nranks;
	right = (rank + 1) % nranks;
	get_status();
#if MPI_VERSION >= 4
	wrong += exchange();
	MPI_Barrier(MPI_COMM_WORLD);
	wrong += partitions();
	MPI_Barrier(MPI_COMM_WORLD);
	matched();
#endif
	MPI_Finalize();
	if (rank == 0)
		puts(wrong ? "wrong" : MPI_VERSION >= 4 ? "done" : "older");
	return wrong;
}
