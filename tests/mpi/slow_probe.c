/* SPDX-License-Identifier: BSD-3-Clause */
/* slow_probe.c: preloaded behind libtryst.so, a library whose PMPI_Iprobe takes 2 ms. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

/* The communicator is a number or a pointer: what the register holds goes on. */
typedef int iprobe(int, int, void *, void *, void *);

iprobe PMPI_Iprobe;
int PMPI_Iprobe(int source, int tag, void *comm, void *flag, void *status)
{
	static iprobe *real;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Iprobe");
	nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	return real(source, tag, comm, flag, status);
}
