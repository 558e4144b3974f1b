/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h: clocks corrected by the messages between them.
 *
 * A message is received after it was sent. So each message bounds the offset of two clocks from one
 * side. For each stretch of the run and both directions the tightest bounds between two clocks are
 * kept. Then, from the lowest rank's clock outwards:
 *
 *	- A clock measured at both ends is only bent where a message would arrive before it was
 *	  sent. Such a message shows that the drift changed in between.
 *	- Any other clock gets the middle of all straight lines (offset and drift) that keep the
 *	  bounds, and half of their spread as its error. A single measurement is one of the bounds.
 */
#ifndef TRYST_RANKS_BOUNDS_H
#define TRYST_RANKS_BOUNDS_H

#include "analysis/ranks/clocks.h"

/*
 * Improves the maps of `c`, which were read from `db` and not yet written, by the ops in `db` (and
 * in the ranks' files if `db` lacks some). Reads nothing if all ranks share one clock. Returns 0 or
 * a negative errno, printed.
 */
int bounds_apply(sqlite3 *db, struct clocks *c, const struct say *say);

/* A bound of the offset x between clocks b and a at `at`, with b + x = a: x <= ns, or x >= ns. */
struct bound {
	int64_t at;
	int64_t ns;
	bool upper;
	uint8_t window;
};

/*
 * The range of x at `at` over all straight lines with a slope up to `slope_max` that keep all
 * bounds: its middle, and half its width (rounded up). If no line keeps all bounds: the line that
 * breaks them least, with an error that covers this. Returns false without bounds from above, or
 * without bounds from below.
 */
bool bound_span(const struct bound *bound, uint32_t n, double slope_max, int64_t at, int64_t *ns,
	int64_t *error_ns);

#endif
