/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_send.c: preloaded behind libtryst.so, a library whose PMPI_Send to rank 1 takes 40 ms from
 * call number $SLOW_SEND_AFTER on. No calibration can measure between ranks 0 and 1 then: in its
 * 0.3 s it has seven samples of the sixteen that it needs, on the fastest machine. What the program
 * calls is MPI_Send.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* Types and communicators are numbers or pointers: what the registers hold goes on. */
typedef int send(const void *, int, void *, int, int, void *);

send PMPI_Send;
int PMPI_Send(const void *buf, int count, void *type, int dest, int tag, void *comm)
{
	static int calls, after = -1;
	static send *real;

	if (!real) {
		const char *number = getenv("SLOW_SEND_AFTER");

		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Send");
		after = number ? atoi(number) : 0;
	}
	if (dest == 1 && calls++ >= after)
		nanosleep(&(struct timespec){ 0, 40000000 }, NULL);
	return real(buf, count, type, dest, tag, comm);
}
