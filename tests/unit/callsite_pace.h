/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_pace.h: new stacks no faster than callsite/callsite.h allows walks their time, less a
 * fifth of what they have at any time. Where system calls are slow, so are walks, and a site that
 * asked for too much would be cut.
 */
#ifndef TRYST_CALLSITE_PACE_H
#define TRYST_CALLSITE_PACE_H

#include <stdint.h>
#include <time.h>

#include "analysis/base/now.h"
#include "pmpi/callsite/callsite.h"

struct pace {
	int64_t begun_ns, spent_ns;
};

static struct pace pace_begin(void)
{
	return (struct pace){ .begun_ns = now_ns(CLOCK_MONOTONIC) };
}

/* A new stack took so long: sleeps until another one may. */
static void pace_keep(struct pace *p, uint64_t ns)
{
	p->spent_ns += (int64_t)(ns < CALLSITE_WALK_MAX_NS ? ns : CALLSITE_WALK_MAX_NS);
	while (p->spent_ns > CALLSITE_ALLOWANCE_NS / 5 * 4 +
			(now_ns(CLOCK_MONOTONIC) - p->begun_ns) / CALLSITE_ALLOWANCE_SHARE)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

#endif
