/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.c: calls functions of every chapter, from the program, from its callbacks and from a
 * second thread, on two or more ranks. Ends with "done" from rank 0.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm world;
static int rank, nranks;
static MPI_Status *volatile none; /* MPI_STATUSES_IGNORE; as a literal, mpi.h of MPICH warns */

static void blocking_and_nonblocking(void)
{
	int out = rank, in[4], count;
	int right = (rank + 1) % nranks, left = (rank + nranks - 1) % nranks;
	MPI_Request r[4];
	MPI_Status s[4];

	for (int i = 0; i < 3; i++) {
		MPI_Irecv(&in[0], 1, MPI_INT, left, i, world, &r[0]);
		MPI_Send(&out, 1, MPI_INT, right, i, world);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	}
	MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in[0], 1, MPI_INT, left, 0, world, &s[0]);
	MPI_Get_count(&s[0], MPI_INT, &count);
	MPI_Isend(&out, 1, MPI_INT, right, 1, world, &r[0]);
	MPI_Issend(&out, 1, MPI_INT, right, 2, world, &r[1]);
	MPI_Irecv(&in[0], 1, MPI_INT, left, 1, world, &r[2]);
	MPI_Irecv(&in[1], 1, MPI_INT, left, 2, world, &r[3]);
	MPI_Waitall(4, r, s);
	MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, world);
}

static void persistent(void)
{
	int out = rank, in, count, index, done[2];
	int right = (rank + 1) % nranks, left = (rank + nranks - 1) % nranks;
	MPI_Request r[2];
	MPI_Status s[2];

	MPI_Send_init(&out, 1, MPI_INT, right, 3, world, &r[0]);
	MPI_Recv_init(&in, 1, MPI_INT, left, 3, world, &r[1]);
	MPI_Startall(2, r);
	MPI_Waitsome(2, r, &count, done, s);
	MPI_Waitall(2, r, none);
	MPI_Start(&r[0]);
	MPI_Start(&r[1]);
	MPI_Waitany(2, r, &index, &s[0]);
	MPI_Waitall(2, r, none);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void buffers_and_probes(void)
{
	int out = rank, in, count, flag;
	int right = (rank + 1) % nranks, left = (rank + nranks - 1) % nranks;
	MPI_Request r;
	MPI_Status s;
	MPI_Message m;
	char *room = malloc(4096);

	MPI_Buffer_attach(room, 4096);
	MPI_Bsend(&out, 1, MPI_INT, right, 4, world);
	MPI_Probe(left, 4, world, &s);
	MPI_Recv(&in, 1, MPI_INT, left, 4, world, MPI_STATUS_IGNORE);
	MPI_Buffer_detach(&room, &count);
	free(room);
	MPI_Isend(&out, 1, MPI_INT, right, 5, world, &r);
	MPI_Mprobe(left, 5, world, &m, &s);
	MPI_Mrecv(&in, 1, MPI_INT, &m, &s);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iprobe(MPI_PROC_NULL, 9, world, &flag, &s);
	MPI_Irecv(&in, 1, MPI_INT, rank, 77, world, &r);
	MPI_Cancel(&r);
	MPI_Wait(&r, &s);
	MPI_Test_cancelled(&s, &flag);
	MPI_Test(&r, &flag, &s);
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
	int size;

	MPI_Type_size(*type, &size);
	for (int i = 0; i < *length; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void collectives(void)
{
	int out[64], in[64];
	MPI_Request r;
	MPI_Op op;

	memset(out, 0, sizeof(out));
	MPI_Op_create(add, 1, &op);
	MPI_Barrier(world);
	MPI_Bcast(out, 4, MPI_INT, 0, world);
	MPI_Allreduce(out, in, 4, MPI_INT, op, world);
	MPI_Reduce(out, in, 4, MPI_INT, MPI_MAX, 0, world);
	MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, world);
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, world);
	MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, world);
	MPI_Ibarrier(world, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iallreduce(out, in, 4, MPI_INT, MPI_SUM, world, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Reduce_local(out, in, 4, MPI_INT, MPI_SUM);
	MPI_Op_free(&op);
}

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
	int size;

	(void)key;
	(void)extra;
	MPI_Comm_size(comm, &size);
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

static void complain(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	(void)comm;
	MPI_Error_string(*code, text, &length);
}

static void communicators(void)
{
	MPI_Comm dup, half, cart;
	MPI_Group group;
	MPI_Errhandler handler;
	int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, key, n, name_length, from, to;
	char name[MPI_MAX_OBJECT_NAME];

	MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_set_attr(world, key, &dims);
	MPI_Comm_dup(world, &dup);
	MPI_Comm_delete_attr(world, key);
	MPI_Comm_free_keyval(&key);
	MPI_Comm_set_name(dup, "copy");
	MPI_Comm_get_name(dup, name, &name_length);
	MPI_Comm_create_errhandler(complain, &handler);
	MPI_Comm_set_errhandler(dup, handler);
	MPI_Send(NULL, -1, MPI_INT, 0, 0, dup);
	MPI_Errhandler_free(&handler);
	MPI_Comm_split(dup, rank % 2, rank, &half);
	MPI_Comm_group(half, &group);
	MPI_Group_size(group, &n);
	MPI_Group_free(&group);
	MPI_Comm_free(&half);
	MPI_Dims_create(nranks, 2, dims);
	MPI_Cart_create(dup, 2, dims, periods, 0, &cart);
	MPI_Cart_shift(cart, 0, 1, &from, &to);
	MPI_Comm_free(&cart);
	MPI_Comm_free(&dup);
}

static void datatypes(void)
{
	MPI_Datatype row;
	char packed[256];
	int values[32], at = 0, size;

	memset(values, 0, sizeof(values));
	MPI_Type_vector(4, 1, 4, MPI_INT, &row);
	MPI_Type_commit(&row);
	MPI_Type_size(row, &size);
	MPI_Pack(values, 1, row, packed, sizeof(packed), &at, world);
	MPI_Sendrecv(
		values, 1, row, rank, 8, values + 16, 1, row, rank, 8, world, MPI_STATUS_IGNORE);
	MPI_Type_free(&row);
}

static void one_sided(void)
{
	int memory[4] = { 0, 0, 0, 0 }, value = rank;
	MPI_Win win;

	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, world, &win);
	MPI_Win_fence(0, win);
	MPI_Put(&value, 1, MPI_INT, (rank + 1) % nranks, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
	MPI_Get(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
	MPI_Win_unlock(rank, win);
	MPI_Win_free(&win);
}

static void files(const char *path)
{
	MPI_File f;
	MPI_Info info;
	MPI_Offset size;
	int value = rank;

	MPI_Info_create(&info);
	MPI_Info_set(info, "access_style", "write_once");
	if (MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
		    info, &f) != MPI_SUCCESS) {
		fprintf(stderr, "cannot open '%s'\n", path);
		exit(1);
	}
	MPI_Info_free(&info);
	MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_at_all(f, rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(f);
	MPI_File_read_at(f, rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_get_size(f, &size);
	MPI_File_close(&f);
}

static void *second_thread(void *unused)
{
	int out = 1, in;

	for (int i = 0; i < 10; i++)
		MPI_Sendrecv(&out, 1, MPI_INT, 0, 20, &in, 1, MPI_INT, 0, 20, MPI_COMM_SELF,
			MPI_STATUS_IGNORE);
	return unused;
}

int main(int argc, char **argv)
{
	int provided, flag, major, minor;
	pthread_t thread;

	none = MPI_STATUSES_IGNORE;
	MPI_Initialized(&flag);
	MPI_Finalized(&flag);
	MPI_Get_version(&major, &minor);
	for (int i = 0; i < 3; i++)
		MPI_Initialized(&flag);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	world = MPI_COMM_WORLD;
	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &nranks);
	MPI_Get_version(&major, &minor);
	blocking_and_nonblocking();
	persistent();
	buffers_and_probes();
	collectives();
	communicators();
	datatypes();
	one_sided();
	files(argc > 1 ? argv[1] : "calls-file");
	if (provided == MPI_THREAD_MULTIPLE) {
		pthread_create(&thread, NULL, second_thread, NULL);
		for (int i = 0; i < 10; i++)
			MPI_Barrier(world);
		pthread_join(thread, NULL);
	}
	MPI_Pcontrol(1);
	MPI_Wtime();
	MPI_Finalize();
	MPI_Finalized(&flag);
	if (rank == 0)
		puts("done");
	return 0;
}
