/* SPDX-License-Identifier: BSD-3-Clause */
/* now.h: reads a clock of the kernel in nanoseconds. */
#ifndef TRYST_BASE_NOW_H
#define TRYST_BASE_NOW_H

#include <stdint.h>
#include <time.h>

/* The time of CLOCK_MONOTONIC or another clock [ns]. */
static inline int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
