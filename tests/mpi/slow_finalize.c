/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_finalize.c: preloaded behind libtryst.so, a library that sends even short messages by
 * rendezvous, as UCX does with UCX_RNDV_THRESH=0. Rank 0 loses its CPU once in MPI_Finalize: for
 * 150 ms, after it has greeted rank 1 and before it looks for rank 1's greeting. It then goes on
 * alone, and never receives that greeting.
 * The file $SLOW_FINALIZE says that this came to pass.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pmpi/measure/tags.h"

int PMPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	return PMPI_Issend(buf, count, type, dest, tag, comm, request);
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *found, MPI_Status *status)
{
	static __typeof__(PMPI_Iprobe) *real;
	static double first;
	static int lost;
	int rank;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Iprobe");
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (tag == TAG_CLOCK_HELLO && rank == 0 && !lost) {
		if (first == 0)
			first = PMPI_Wtime();
		if (PMPI_Wtime() - first > 0.008) {
			nanosleep(&(struct timespec){ 0, 150000000 }, NULL);
			lost = 1;
			fclose(fopen(getenv("SLOW_FINALIZE"), "w"));
			*found = 0;
			return MPI_SUCCESS;
		}
	}
	return real(source, tag, comm, found, status);
}
