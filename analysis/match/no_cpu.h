/* SPDX-License-Identifier: BSD-3-Clause */
/* no_cpu.h: the part of a wait for threads that had no CPU, or had given it up. */
#ifndef TRYST_MATCH_NO_CPU_H
#define TRYST_MATCH_NO_CPU_H

#include <stdint.h>

#include "analysis/match/state.h"

/* Parts of a rank's lateness [ns]. Their sum is at most the lateness. */
struct loss {
	int64_t no_cpu;  /* it was ready to run */
	int64_t blocked; /* it slept or was blocked, outside of MPI */
};

/* A wait for a thread that was late in [from, until]. */
struct lateness {
	struct run_rank *late, *waiting;
	uint32_t lane;   /* of the late thread */
	int64_t entered; /* when the waiting rank entered its call */
	int64_t from, until;
};

/*
 * How much less late the thread would have been if it had kept its CPU. Losses count also before
 * the thread was late, back to the last stay in MPI of either rank, when both were in step.
 */
struct loss loss_of_late(struct match *m, const struct lateness *l);

/*
 * Returns when an op could continue that was released at `released`. If it needs its peer and the
 * peer's thread polled without a CPU at `released`, it is the end of this loss, at most `limit`.
 */
int64_t loss_until(struct match *m, const struct op *op, int64_t released, int64_t limit);

/*
 * Fills no_cpu, other_no_cpu and blocked_outside of op->parts from the other parts. The peer was
 * late in [late_until - parts.late, late_until]; apart from that, the op blocked in [from, to].
 */
void loss_of_op(struct match *m, struct op *op, int64_t from, int64_t to);

#endif
