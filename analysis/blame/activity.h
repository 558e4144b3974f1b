/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * activity.h: time summed by what a rank did: a call at a callsite, or what was before one.
 *
 * Callsites are numbered by each rank for itself; two ranks' activities are the same where the
 * stacks of their callsites are (build-id and offset of each frame).
 */
#ifndef TRYST_BLAME_ACTIVITY_H
#define TRYST_BLAME_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/blame/history.h"

struct activity {
	uint64_t key;      /* the same on all ranks */
	uint32_t callsite; /* as in struct history_piece, of the rank that was seen first */
	uint32_t after;
	enum history_what what;
	bool used;
	int64_t ns;
};

/* More kinds of activity in one sum than this are put together as computation of no callsite. */
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

/* 0 or a negative errno, said. */
int sites_read(struct sites *s, const struct run_ranks *ranks);
void sites_release(struct sites *s);

void activities_clear(struct activities *a);

/* Adds `ns` to the activity of a piece of `rank`'s time. */
void activities_add(struct activities *a, const struct sites *s, uint32_t rank_index,
	const struct history_piece *piece, int64_t ns);

/* Adds all that the other one has. */
void activities_join(struct activities *a, const struct activities *other);

/* The same activity in another sum [ns]; 0 if it is not there. */
int64_t activities_find(const struct activities *a, uint64_t key);

/* Key of a piece's activity. */
uint64_t activity_key(
	const struct sites *s, uint32_t rank_index, const struct history_piece *piece);

#endif
