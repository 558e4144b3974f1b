/* SPDX-License-Identifier: BSD-3-Clause */
/* balance.h: the work of all ranks made equal. */
#ifndef TRYST_REPLAY_BALANCE_H
#define TRYST_REPLAY_BALANCE_H

#include "analysis/replay/graph.h"

/* Where a section of a thread's run, whose work becomes that of its like, begins and ends. */
enum replay_sections {
	SECTIONS_RUN,         /* it is all calls of the thread */
	SECTIONS_COLLECTIVES, /* at each call of a collective of all ranks */
	SECTIONS_PLACES       /* from the last call at one place to the next call at the other */
};

enum { PLACE_BEGINS = 1, PLACE_ENDS = 2 }; /* a callsite is one, both or neither */

/*
 * Fills gap_ns[] of all calls [ns]: the computation before each. place[]: by site, sums of
 * PLACE_BEGINS and PLACE_ENDS; NULL unless the sections lie between places.
 *
 * Sections are alike where they are the same pass of the same thread of their ranks, or begin at
 * the same collective. The sum of the work of like sections is kept, and so is how the work of one
 * is shared among its calls; a section without any work has its new work before its last call.
 * 0 or -ENOMEM.
 */
int replay_balance(const struct replay_graph *g, enum replay_sections sections,
	const int64_t *place, int64_t *gap_ns);

#endif
