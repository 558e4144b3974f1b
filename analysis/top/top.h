/* SPDX-License-Identifier: BSD-3-Clause */
/* top.h: a run that goes on, looked at again and again. */
#ifndef TRYST_TOP_TOP_H
#define TRYST_TOP_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/say.h"
#include "analysis/top/rank.h"
#include "analysis/top/waits.h"

struct top {
	char dir[4096];
	bool chosen;        /* the newest run of the current directory, not the user's choice */
	struct rank **rank; /* by rank */
	uint32_t nranks, room;
	struct waiter *waiter; /* of each rank, with whom it waits for */
	uint32_t waiters;
	struct waits waits;
	struct looker looker;
	int32_t expected;   /* ranks of the run; 0: unknown */
	uint32_t starting;  /* processes of tryst run that have not come through MPI_Init */
	bool far;           /* some rank is on another host */
	char later[4096];   /* a run that was started later, if all of this one's have ended */
	uint32_t turn;      /* first rank of those whose process is asked closely */
	int64_t looked_ns;  /* CLOCK_MONOTONIC */
	int64_t between_ns; /* since the look before; 0: there was none */
	int64_t cost_ns;    /* CPU time of this process for the look */
};

/*
 * Prepares looking at `dir`; NULL: the newest run in the current directory. Returns 0 or a negative
 * errno, said. top_close() releases it in any case.
 */
int top_open(struct top *t, const char *dir, const struct say *say);

/* Looks at all ranks. Returns 0, or a negative errno, said. -ENOENT: there is no directory yet. */
int top_look(struct top *t, const struct say *say);

/* True if each rank that was seen has ended, in whatever way. */
bool top_is_over(const struct top *t);

void top_close(struct top *t);

#endif
