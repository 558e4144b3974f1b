/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale.c MODE N: much of one thing, by one rank alone (others only start and end).
 *
 *	comms		N communicators are made and freed, each with a message of its rank to
 *			itself
 *	requests	N receives in flight at once, then as many sends
 *	messages	N messages of the rank to itself
 *
 * Prints `MODE N: K KiB`: what the process's memory has grown by since MPI_Init returned, at the
 * most; files that are mapped are part of it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/self/status [KiB]. */
static long status(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long value = -1;

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, name, strlen(name)) == 0)
			sscanf(line + strlen(name), ": %ld", &value);
	if (f)
		fclose(f);
	return value;
}

static void comms(long n)
{
	MPI_Comm comm;
	int in, out = 1;

	for (long i = 0; i < n; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &comm);
		MPI_Sendrecv(
			&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
		MPI_Comm_free(&comm);
	}
}

static void requests(long n)
{
	MPI_Request *request = malloc((size_t)n * sizeof(*request));
	int *in = malloc((size_t)n * sizeof(*in)), out = 1;

	if (!request || !in)
		exit(2);
	for (long i = 0; i < n; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[i]);
	for (long i = 0; i < n; i++)
		MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
	MPI_Waitall((int)n, request, MPI_STATUSES_IGNORE);
	free(request);
	free(in);
}

static void messages(long n)
{
	MPI_Request request;
	int in, out = 1;

	for (long i = 0; i < n; i++) {
		MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
		MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "messages";
	long n = argc > 2 ? atol(argv[2]) : 1000, before;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	before = status("VmRSS");
	if (rank == 0 && strcmp(mode, "comms") == 0)
		comms(n);
	if (rank == 0 && strcmp(mode, "requests") == 0)
		requests(n);
	if (rank == 0 && strcmp(mode, "messages") == 0)
		messages(n);
	if (rank == 0)
		printf("%s %ld: %ld KiB\n", mode, n, status("VmHWM") - before);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
