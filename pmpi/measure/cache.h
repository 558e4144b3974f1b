/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.h: stored sets of link parameters, found by this launch's machine, MPI and settings.
 *
 * Launches ask through struct measure_options; `tryst calibrate` stores its results for them.
 */
#ifndef TRYST_MEASURE_CACHE_H
#define TRYST_MEASURE_CACHE_H

#include "analysis/format/links/cache.h"
#include "pmpi/measure/fingerprint.h"
#include "pmpi/measure/measure.h"

struct measure_cache {
	const char *dir;       /* as TRYST_CACHE; NULL: the user's own */
	const struct say *say; /* reports files that cannot be read */
	/* reports files that cannot be written; NULL: silent, since the next launch measures again
	 */
	const struct say *write_say;
	int ranks_here;                 /* on this node */
	int cpus_allowed;               /* before pairs were pinned */
	struct fingerprint fingerprint; /* of the tier last asked for */
	struct links_cache place;       /* of it */
	struct cached_sets sets;        /* found there */
};

/* True if this value of TRYST_CACHE (NULL: not set) switches the cache off. */
bool measure_cache_off(const char *dir);

/* Sets the launch's part of the fingerprint. Call it before the first pair is pinned. */
void measure_cache_init(struct measure_cache *cache, const char *dir, const struct measure *m);

/* Sets cache->place to the place of a tier's sets. */
void measure_cache_find(
	struct measure_cache *cache, int tier, const char *transport, uint64_t other);

/* For struct measure_options, whose arg is the cache: stored, confirmed, store. */
size_t measure_cache_stored(int tier, const char *transport, uint64_t other,
	struct stored_set set[MEASURE_SETS_MAX], void *arg);
void measure_cache_confirmed(size_t i, void *arg);
void measure_cache_store(const struct rec_link *fresh, size_t n, void *arg);

/*
 * Stores the rows of tryst calibrate for later launches: those of each tier that they predict and
 * for which they have S.
 */
void measure_cache_leave(
	struct measure_cache *cache, const struct measure *m, const struct rec_link *row, size_t n);

void measure_cache_release(struct measure_cache *cache);

#endif
