/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h: one time for all ranks.
 *
 * Each rank counts nanoseconds from its own end of MPI_Init on its own host's clock. The common
 * time is that of the reference rank, the lowest one. A rank's map is piecewise linear, through
 *
 *	1. its rows of table `clock`, if it has any. They are against another rank, whose own map
 *	   leads to the common time: the hosts form a tree (pmpi/start/sync.h);
 *	2. else the distance of the zeros from a rank that reads the same clock (boot id and clock
 *	   id): from zero_ticks if both count the same ticks, else from zero_monotonic_ns. A rank
 *	   with rows that fit that distance is moved so as well: exactly instead of measured;
 *	3. else nothing: both zeros count as the same instant (MPI_Init ends on all ranks at about
 *	   the same time), and the error is unknown. All ranks of such a host are moved together, so
 *	   that they stay exact among themselves, and messages can correct them (bounds.h).
 *
 * If a clock was compared only once, its error grows from there by the largest drift.
 */
#ifndef TRYST_RANKS_CLOCKS_H
#define TRYST_RANKS_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/base/say.h"

/* The largest drift between two clocks. */
#define CLOCK_DRIFT_MAX 200e-6

/*
 * Nine years. Larger values come from damaged files. Sums and differences of two values within the
 * limit fit into 64 bits.
 */
#define CLOCK_NS_MAX (INT64_C(1) << 58)

/* `ns`, cut at the limit. */
static inline int64_t clock_within(int64_t ns, int64_t limit)
{
	return ns > limit ? limit : ns < -limit ? -limit : ns;
}

/* The later one of two times, or the longer one of two durations. */
static inline int64_t clock_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct clock_point {
	int64_t at_ns;     /* on the rank's clock */
	int64_t offset_ns; /* common time less the rank's */
	int64_t error_ns;  /* its error; INT64_MAX: unknown */
};

/* From one rank's time to the common time. All zero: both are the same. */
struct clock_map {
	struct clock_point *point; /* by at_ns, rising */
	uint32_t npoints;
	uint32_t last; /* the piece used last */
};

/*
 * The common time of `ns`. It is interpolated between the map's points. Beyond them the drift of
 * the two outermost points continues; with one point there is none. The result is continuous, and
 * rises as long as drift is below 100 %.
 */
int64_t clock_common(struct clock_map *map, int64_t ns);

/* The inverse: the rank's time at a common time, to a nanosecond or two. */
int64_t clock_own(struct clock_map *map, int64_t common_ns);

/*
 * The error of clock_common() at `ns`; INT64_MAX: unknown. It is interpolated like offsets; before
 * the first point and after the last it grows by the largest drift.
 */
int64_t clock_error(const struct clock_map *map, int64_t ns);

/* Sorts by at_ns, and keeps the first of points at the same instant, so `n` may become smaller. */
void clock_sort(struct clock_point *point, uint32_t *n);

/* Properties of a rank's clock, from table run. */
struct clock_zero {
	int32_t rank;
	char boot_id[40];  /* "": unknown */
	char clock_id[64]; /* name of the clock on its machine; "": unknown, and all are the same */
	char host[64];
	double ns_per_tick; /* 0: unknown */
	uint64_t zero_ticks;
	int64_t zero_monotonic_ns; /* INT64_MIN: unknown */
	int64_t end_ns;            /* the last known time; 0: unknown */
};

/* Maps of many ranks. */
struct clocks {
	int32_t *rank;         /* rising */
	struct clock_map *map; /* by index in rank[] */
	uint32_t *group;       /* the index of one rank for all that read the same clock */
	bool *once;            /* compared once only */
	uint32_t n;
	uint32_t unknown; /* ranks of case 3 */
};

/*
 * Reads the maps of all ranks in table `run` of `db`. Returns 0, -ENOMEM, or another negative errno
 * after printing the error.
 */
int clocks_read(sqlite3 *db, struct clocks *out, const struct say *say);

/*
 * Writes these maps to the tables `clock` and `clock_cell` of `db`, all against the lowest rank,
 * and converts phases to the common time. Call it once, on a database with the ranks' own times.
 * Returns 0 or a negative errno, printed.
 */
int clocks_write(sqlite3 *db, const struct clocks *c, const struct say *say);

/* A zero-filled struct is allowed. */
void clocks_release(struct clocks *c);

#endif
