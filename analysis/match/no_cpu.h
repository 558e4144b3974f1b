/* SPDX-License-Identifier: BSD-3-Clause */
/* no_cpu.h: which part of a wait was because a thread had no CPU, or had given it up. */
#ifndef TRYST_MATCH_NO_CPU_H
#define TRYST_MATCH_NO_CPU_H

#include <stdint.h>

#include "analysis/match/state.h"

/* Parts of a time in which a rank was late [ns]. Their sum is at most that time. */
struct loss {
	int64_t no_cpu;  /* it was ready to run */
	int64_t blocked; /* it slept or was blocked, outside of MPI */
};

/* A wait for a thread that was late in [from, until]. */
struct lateness {
	struct run_rank *late, *waiting;
	uint32_t lane;   /* of the late thread */
	int64_t entered; /* when the call that waited was entered */
	int64_t from, until;
};

/*
 * By how much less the thread would have been late, if it had not lost its CPU, or had not given it
 * up. What it lost before it was late counts back to the last stay in MPI of either rank: so far
 * both were not in step.
 */
struct loss loss_of_late(struct match *m, const struct lateness *l);

/*
 * Fills the of-which parts of op->parts from its other parts. The peer was late in
 * [late_until - parts.late, late_until]; apart from that, the op blocked in [from, to].
 */
void loss_of_op(struct match *m, struct op *op, int64_t from, int64_t to);

#endif
