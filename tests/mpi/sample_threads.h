/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_threads.h: threads that compute and never call MPI, until they are stopped.
 *
 * The includer defines _GNU_SOURCE first, and THREADS.
 */
#ifndef TRYST_SAMPLE_THREADS_H
#define TRYST_SAMPLE_THREADS_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "hog.h"

static struct {
	pthread_t thread[THREADS];
	_Atomic int starting, stop;
} others = { .starting = THREADS };

/* Computes in the program's own code: samples leave out the time in the kernel. */
static void compute(double least_s)
{
	const double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + least_s;

	while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 50000; i++)
			;
}

static void *compute_on(void *unused)
{
	compute(0.02);
	others.starting--;
	while (!others.stop)
		compute(0.001);
	return unused;
}

/* Ends once they have been seen: threads without calls are looked for twice a second. */
static void start_threads(void)
{
	double end = 0;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&others.thread[i], NULL, compute_on, NULL) != 0)
			puts("no thread");
	while (end == 0 || clock_s(CLOCK_MONOTONIC) < end) {
		MPI_Barrier(MPI_COMM_SELF);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		if (others.starting == 0 && end == 0)
			end = clock_s(CLOCK_MONOTONIC) + 0.6;
	}
}

static void stop_threads(void)
{
	others.stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(others.thread[i], NULL);
}

#endif
