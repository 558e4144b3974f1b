/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_return.c: preloaded behind libtryst.so, a library whose completion calls sometimes come back
 * late: what the library has freed in them, it has long given out again.
 */
#include <time.h>

enum { EVERY = 8, LATE_NS = 300000 };

static int late(int rc)
{
	static __thread unsigned calls;
	const struct timespec time = { 0, LATE_NS };

	if (++calls % EVERY == 0)
		nanosleep(&time, NULL);
	return rc;
}

/* All arguments are of the same sizes in all MPI libraries. */
#define LATE_2(name)                                                                               \
	int P##name(void *, void *);                                                               \
	int name(void *request, void *status)                                                      \
	{                                                                                          \
		return late(P##name(request, status));                                             \
	}
#define LATE_3(name, first)                                                                        \
	int P##name(first, void *, void *);                                                        \
	int name(first a, void *b, void *c)                                                        \
	{                                                                                          \
		return late(P##name(a, b, c));                                                     \
	}
#define LATE_4(name)                                                                               \
	int P##name(int, void *, void *, void *);                                                  \
	int name(int n, void *a, void *b, void *c)                                                 \
	{                                                                                          \
		return late(P##name(n, a, b, c));                                                  \
	}
#define LATE_5(name)                                                                               \
	int P##name(int, void *, void *, void *, void *);                                          \
	int name(int n, void *a, void *b, void *c, void *d)                                        \
	{                                                                                          \
		return late(P##name(n, a, b, c, d));                                               \
	}

LATE_2(MPI_Wait)
LATE_3(MPI_Waitall, int)
LATE_4(MPI_Waitany)
LATE_5(MPI_Waitsome)
LATE_3(MPI_Test, void *)
LATE_4(MPI_Testall)
LATE_5(MPI_Testany)
LATE_5(MPI_Testsome)
