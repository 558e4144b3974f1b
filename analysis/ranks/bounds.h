/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h: clocks corrected by the messages between them.
 *
 * A message is received after it was sent: each one bounds how far two clocks can be apart, from
 * one side. Of all messages between two clocks the tightest bounds of each stretch of the run are
 * kept, in both directions; then, from the lowest rank's clock outwards,
 *
 *	- a clock that was measured at both ends stays as it is, but is bent where a message came
 *	  before it went, which only a drift that changed in between can do;
 *	- any other clock gets the middle of all straight lines (offset and drift) that keep the
 *	  bounds, what was measured once being one of them, and half of their spread as its error.
 */
#ifndef TRYST_RANKS_BOUNDS_H
#define TRYST_RANKS_BOUNDS_H

#include "analysis/ranks/clocks.h"

/*
 * Improves the maps of `c`, which were read from `db` and not yet written, by the ops in `db` (and
 * in the ranks' files where it has not all of them). Nothing is read where all ranks share one
 * clock. Returns 0 or a negative errno, said.
 */
int bounds_apply(sqlite3 *db, struct clocks *c, const struct say *say);

/* How far clock b's time is from clock a's at `at`: x with b + x = a; x <= ns, or x >= ns. */
struct bound {
	int64_t at;
	int64_t ns;
	bool upper;
	uint8_t window;
};

/*
 * Where x can be at `at`, if it goes along a straight line with a slope up to `slope_max` that
 * keeps all bounds: the middle, and half the width (rounded up). Where no line keeps all of them,
 * the one that breaks them least, and an error that covers what it breaks. Returns false where
 * there are no bounds from above, or none from below.
 */
bool bound_span(const struct bound *bound, uint32_t n, double slope_max, int64_t at, int64_t *ns,
	int64_t *error_ns);

#endif
