/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hog.h: takes the CPU from a rank for known times, for programs that know their own loss.
 *
 * The includer defines _GNU_SOURCE first.
 */
#ifndef TRYST_HOG_H
#define TRYST_HOG_H

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The time of the clock [s]. */
static inline double clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Binds the calling thread to that CPU. Ends the process with 3 if it may not. */
static inline void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		exit(3);
}

/*
 * Starts a child that is ready to run for 30 of each 60 ms, on the CPUs of its parent, until the
 * parent ends or kills it.
 */
static inline pid_t start_hog(void)
{
	const pid_t parent = getpid();
	pid_t child = fork();

	while (child == 0) {
		double begin = clock_s(CLOCK_MONOTONIC);

		while (clock_s(CLOCK_MONOTONIC) < begin + 0.03)
			;
		if (getppid() != parent)
			_exit(0);
		nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, NULL);
	}
	return child;
}

#endif
