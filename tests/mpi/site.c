/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site.c N [HOW]: N rounds of calls whose numbers and bytes test-site.sh knows, on two or more
 * ranks. HOW, after the rounds and a barrier:
 *
 *	kill SECONDS	rank 1 is killed once rank 0 has made a call so long after MPI_Init
 *	session		before MPI_Init, a session has a barrier, where the library has sessions
 *	jump		before the rounds, an error handler jumps out of MPI_Send
 *	odd		a type of 4 GiB, and MPI_Get_accumulate that only gets
 *	abort		rank 0 calls MPI_Abort, after the others have sent it a message
 *	late SECONDS	rank 1 comes so much later to MPI_Finalize
 *	hang SECONDS	all wait for a message that nobody sends, and end by SIGALRM
 *	memory		each rank prints the memory of its own that the library has [bytes]
 */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, nranks;

static void point_to_point(void)
{
	int right = (rank + 1) % nranks, left = (rank + nranks - 1) % nranks;
	double in[100], out[100] = { 0 };
	MPI_Request request[2];

	MPI_Irecv(in, 100, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[0]);
	MPI_Isend(out, 100, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Sendrecv(out, 1, MPI_DOUBLE, right, 2, in, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	if (rank % 2 == 0 && rank + 1 < nranks)
		MPI_Send(out, 3, MPI_INT, rank + 1, 3, MPI_COMM_WORLD);
	if (rank % 2 == 1) /* there is more room than the message takes */
		MPI_Recv(in, 100, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Send(out, 100, MPI_DOUBLE, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
}

static void collectives(void)
{
	int in[64] = { 0 }, out[64] = { 0 }, counts[64], begins[64];

	for (int i = 0; i < nranks; i++) {
		counts[i] = 2;
		begins[i] = 2 * i;
	}
	MPI_Bcast(out, 5, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allreduce(out, in, 7, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Gather(rank ? out : MPI_IN_PLACE, 2, MPI_INT, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Scatter(out, 2, MPI_INT, rank ? in : MPI_IN_PLACE, 2, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallv(out, counts, begins, MPI_INT, in, counts, begins, MPI_INT, MPI_COMM_WORLD);
}

static void rounds(int n)
{
	for (int i = 0; i < n; i++) {
		point_to_point();
		collectives();
	}
}

/* Its calls have frames far below those of calls out of main() and jump(). */
static __attribute__((noinline)) void below(int n)
{
	volatile char room[65536];

	room[0] = 0;
	rounds(n);
	room[1] = room[0];
}

static void stay(double seconds)
{
	nanosleep(&(struct timespec){ (time_t)seconds, (long)(1e9 * (seconds - (int)seconds)) },
		NULL);
}

static void lose_rank_1(double end)
{
	char byte = 0;
	int flag;

	if (rank == 1) {
		MPI_Recv(&byte, 1, MPI_BYTE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		raise(SIGKILL);
	}
	while (rank == 0 && MPI_Wtime() < end) {
		MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		stay(0.05);
	}
	if (rank == 0)
		MPI_Send(&byte, 1, MPI_BYTE, 1, 9, MPI_COMM_WORLD);
	MPI_Recv(&byte, 1, MPI_BYTE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void hang(double seconds)
{
	char byte;

	alarm((unsigned)seconds);
	MPI_Recv(&byte, 1, MPI_BYTE, (rank + 1) % nranks, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static jmp_buf back;

static void out_of_mpi(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	longjmp(back, 1);
}

static void jump(void)
{
	MPI_Errhandler handler;

	MPI_Comm_create_errhandler(out_of_mpi, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	if (setjmp(back) == 0)
		MPI_Send(NULL, 0, MPI_BYTE, nranks + 7, 0, MPI_COMM_WORLD);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void be_odd(void)
{
	int in = 0, got;
	MPI_Datatype large;
	MPI_Win win;

	MPI_Type_contiguous(1 << 29, MPI_DOUBLE, &large);
	MPI_Type_commit(&large);
	MPI_Bcast(&in, 1, large, 0, MPI_COMM_SELF);
	MPI_Type_free(&large);
	MPI_Win_create(&in, sizeof(in), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Get_accumulate(
		NULL, 0, MPI_DATATYPE_NULL, &got, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_NO_OP, win);
	MPI_Get_accumulate(&in, 1, MPI_INT, &got, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

/* Private pages of the library's files: those that it has written. */
static void print_memory(void)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[4096];
	long kib, sum = 0, ours = 0;

	while (maps && fgets(line, sizeof(line), maps)) {
		if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' '))
			ours = strstr(line, "tryst") != NULL && strstr(line, ".so") != NULL;
		if (ours && sscanf(line, "Private_Dirty: %ld", &kib) == 1)
			sum += kib * 1024;
	}
	if (maps)
		fclose(maps);
	printf("memory %ld\n", sum);
}

static void be_in_a_session(void)
{
#if MPI_VERSION >= 4
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://SELF", &group);
	MPI_Comm_create_from_group(group, "site.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
	/* it stays open: in MPICH 4.0, MPI_Init fails after MPI_Session_finalize */
#endif
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "";
	double seconds = argc > 3 ? atof(argv[3]) : 0;
	double begin;

	if (strcmp(how, "session") == 0)
		be_in_a_session();
	MPI_Init(&argc, &argv);
	begin = MPI_Wtime();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	if (strcmp(how, "jump") == 0)
		jump();
	if (strcmp(how, "jump") == 0)
		below(atoi(argv[1]));
	else
		rounds(atoi(argv[1]));
	if (strcmp(how, "odd") == 0)
		be_odd();
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "memory") == 0)
		print_memory();
	if (strcmp(how, "late") == 0 && rank == 1)
		stay(seconds);
	if (strcmp(how, "abort") == 0 && rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (strcmp(how, "hang") == 0)
		hang(seconds);
	if (strcmp(how, "kill") == 0)
		lose_rank_1(begin + seconds);
	MPI_Finalize();
	if (rank == 0)
		printf("done\n");
	return 0;
}
