/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * activity.h: time summed by activity: a call at a callsite, or the computation before one.
 *
 * Each rank numbers its own callsites. Two ranks' activities are the same if the stacks of their
 * callsites are (build-id and offset of each frame).
 */
#ifndef TRYST_BLAME_ACTIVITY_H
#define TRYST_BLAME_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/blame/history.h"

struct activity {
	uint64_t key;      /* the same on all ranks */
	uint32_t callsite; /* as in struct history_piece, of the first rank with it */
	uint32_t after;
	enum history_what what;
	bool used;
	int64_t ns;
	int64_t no_cpu_ns, blocked_ns; /* parts of ns, as in struct history_piece */
};

/* Activities beyond this number in one sum count as computation without a callsite. */
enum { ACTIVITIES = 1024, ACTIVITIES_FULL = 768 };

struct activities {
	struct activity at[ACTIVITIES];
	uint16_t list[ACTIVITIES]; /* slots in use */
	uint32_t n;
	int64_t compute_ns, call_ns;
};

struct sites {
	uint64_t **stack; /* by index of the rank, by callsite: hash of its frames */
	uint32_t *n;      /* callsites of each rank */
	uint32_t nranks;
};

/* Returns 0 or a negative errno, printed. */
int sites_read(struct sites *s, const struct run_ranks *ranks);
void sites_release(struct sites *s);

/* Removes all activities. */
void activities_clear(struct activities *a);

/* Adds `ns` to the activity of a piece of `rank`'s time. */
void activities_add(struct activities *a, const struct sites *s, uint32_t rank_index,
	const struct history_piece *piece, int64_t ns);

/* Adds all activities of another sum. */
void activities_join(struct activities *a, const struct activities *other);

/* The same activity in another sum; all 0 if it has none. */
const struct activity *activities_find(const struct activities *a, uint64_t key);

/* Key of a piece's activity. */
uint64_t activity_key(
	const struct sites *s, uint32_t rank_index, const struct history_piece *piece);

#endif
