/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site.c N [HOW]: N rounds of calls whose numbers and bytes test-site.sh knows, on two or more
 * ranks. HOW, after the rounds and a barrier:
 *
 *	kill SECONDS	rank 1 is killed after that time, while the others wait for it
 *	exit		rank 1 ends without MPI_Finalize, with exit code 0
 *	abort		rank 0 calls MPI_Abort, after the others have sent it a message
 *	late SECONDS	rank 1 comes so much later to MPI_Finalize
 *	memory		each rank prints the memory of its own that the library has [bytes]
 */
#include <mpi.h>
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

static void stay(double seconds)
{
	nanosleep(&(struct timespec){ (time_t)seconds, (long)(1e9 * (seconds - (int)seconds)) },
		NULL);
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

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "";
	double seconds = argc > 3 ? atof(argv[3]) : 0;
	char byte = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	for (int i = 0; i < atoi(argv[1]); i++) {
		point_to_point();
		collectives();
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "memory") == 0)
		print_memory();
	if (strcmp(how, "late") == 0 && rank == 1)
		stay(seconds);
	if (strcmp(how, "exit") == 0 && rank == 1)
		_exit(0);
	if (strcmp(how, "abort") == 0 && rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (strcmp(how, "kill") == 0) {
		if (rank == 1) {
			stay(seconds);
			raise(SIGKILL);
		}
		for (double waited = 0; waited < 60; waited += 0.05) {
			int flag;

			MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
			stay(0.05);
		}
		MPI_Recv(&byte, 1, MPI_BYTE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	if (rank == 0)
		printf("done\n");
	return 0;
}
