/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi5.c: what MPI-4.1 added: requests that are looked at without completing them, buffers of
 * communicators, and requests for their flush among others. Two ranks or more; prints "done", or
 * "older" where mpi.h has no MPI-4.1, and behind it the version that the library itself names.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, nranks, left, right, wrong;

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
enum { N = 3 };

/*
 * Asks until all three are complete, by each of the three calls; then one MPI_Waitall completes
 * them.
 */
static void look(void)
{
	int out = rank, in[N], flag, index, indices[N], count = 0;
	MPI_Request r[N];
	MPI_Status s[N];

	for (int i = 0; i < N; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, left, 10 + i, MPI_COMM_WORLD, &r[i]);
	MPI_Request_get_status_all(N, r, &flag, s);
	MPI_Request_get_status_any(N, r, &index, &flag, s);
	MPI_Request_get_status_some(N, r, &count, indices, s);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < N; i++)
		MPI_Send(&out, 1, MPI_INT, right, 10 + i, MPI_COMM_WORLD);
	for (flag = 0; !flag;)
		MPI_Request_get_status_any(N, r, &index, &flag, &s[0]);
	wrong += index < 0 || index >= N || s[0].MPI_SOURCE != left;
	for (count = 0; count == 0;)
		MPI_Request_get_status_some(N, r, &count, indices, s);
	for (flag = 0; !flag;)
		MPI_Request_get_status_all(N, r, &flag, s);
	for (int i = 0; i < N; i++)
		wrong += r[i] == MPI_REQUEST_NULL || s[i].MPI_TAG != 10 + i;
	MPI_Waitall(N, r, s);
	for (int i = 0; i < N; i++)
		wrong += in[i] != left;
}

/*
 * Buffered sends through buffers of the process and of a communicator, with requests for their
 * flush among other requests. Each round a receive and a send are pending when the flush is posted.
 */
static void flush(MPI_Comm comm)
{
	static char bytes[2][1 << 16];
	int out = rank, in = -1, size, done, index, outcount, indices[N];
	void *back;
	MPI_Request r[N];
	MPI_Status s[N];

	MPI_Buffer_attach(bytes[0], sizeof(bytes[0]));
	MPI_Comm_attach_buffer(comm, bytes[1], sizeof(bytes[1]));
	for (int round = 0; round < 4; round++) {
		int tag = 20 + round;

		MPI_Irecv(&in, 1, MPI_INT, left, tag, comm, &r[0]);
		MPI_Bsend(&out, 1, MPI_INT, right, tag, round % 2 ? MPI_COMM_WORLD : comm);
		if (round % 2) {
			MPI_Buffer_iflush(&r[1]);
			MPI_Wait(&r[1], &s[1]);
			MPI_Buffer_iflush(&r[1]);
			MPI_Buffer_flush();
		} else {
			MPI_Comm_iflush_buffer(comm, &r[1]);
			MPI_Wait(&r[1], &s[1]);
			MPI_Comm_iflush_buffer(comm, &r[1]);
			MPI_Comm_flush_buffer(comm);
		}
		MPI_Issend(&out, 1, MPI_INT, right, 30 + round, comm, &r[2]);
		MPI_Recv(&in, 1, MPI_INT, left, 30 + round, comm, MPI_STATUS_IGNORE);
		if (round % 2) {
			MPI_Send(&out, 1, MPI_INT, right, tag, comm);
			MPI_Recv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		if (round == 0) {
			MPI_Waitall(N, r, s);
		} else if (round == 1) {
			for (done = 0; done < N; done++)
				MPI_Waitany(N, r, &index, &s[0]);
		} else if (round == 2) {
			for (done = 0; done < N; done += outcount)
				MPI_Testsome(N, r, &outcount, indices, s);
		} else {
			for (int i = N - 1; i >= 0; i--)
				MPI_Wait(&r[i], &s[i]);
		}
		wrong += in != left;
	}
	MPI_Comm_detach_buffer(comm, &back, &size);
	wrong += back != bytes[1] || size != sizeof(bytes[1]);
	MPI_Buffer_detach(&back, &size);
	wrong += back != bytes[0] || size != sizeof(bytes[0]);
}

/* Local calls: counted, no rows. */
static void local(void)
{
	int class, source = -1, tag = -1, error = -1;
	MPI_Datatype pair;
	MPI_Info info;
	MPI_Status s;

	MPI_Add_error_class(&class);
	MPI_Remove_error_class(class);
	MPI_Type_get_value_index(MPI_INT, MPI_INT, &pair);
	wrong += pair != MPI_2INT;
	MPI_Get_hw_resource_info(&info);
	MPI_Info_free(&info);
	MPI_Status_set_source(&s, 3);
	MPI_Status_set_tag(&s, 4);
	MPI_Status_set_error(&s, 5);
	MPI_Status_get_source(&s, &source);
	MPI_Status_get_tag(&s, &tag);
	MPI_Status_get_error(&s, &error);
	wrong += source != 3 || tag != 4 || error != 5;
#if MPI_VERSION >= 5
	MPI_Abi_get_version(&source, &tag);
	wrong += MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) != MPI_COMM_WORLD;
#endif
}

static void all(void)
{
	MPI_Comm comm;

	look();
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	flush(comm);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_free(&comm);
	local();
}
#define SAID "done"
#else
static void all(void)
{
	wrong += left == right && nranks > 2;
}
#define SAID "older"
#endif

int main(int argc, char **argv)
{
	int version = 0, subversion = 0;

	MPI_Init(&argc, &argv);
	MPI_Get_version(&version, &subversion);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	left = (rank + nranks - 1) % nranks;
	right = (rank + 1) % nranks;
	all();
	MPI_Finalize();
	if (rank == 0 || wrong)
		printf("%s %d.%d\n", wrong ? "wrong" : SAID, version, subversion);
	return wrong != 0;
}
