/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_pace.h: new stacks no faster than callsite.c allows walks their time, 50 ms and a hundredth of what
 * passes. Where system calls are slow, so are walks, and a site that asked for too much would be cut.
 */
#ifndef TRYST_CALLSITE_PACE_H
#define TRYST_CALLSITE_PACE_H

#include <stdint.h>
#include <time.h>

struct pace {
	int64_t begun_ns, spent_ns;
};

static int64_t pace_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct pace pace_begin(void)
{
	return (struct pace){.begun_ns = pace_clock_ns()};
}

/* A new stack took so long: sleeps until another one may. */
static void pace_keep(struct pace *p, uint64_t ns)
{
	p->spent_ns += (int64_t)(ns < 100000 ? ns : 100000);
	while (p->spent_ns > 40000000 + (pace_clock_ns() - p->begun_ns) / 100)
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

#endif
