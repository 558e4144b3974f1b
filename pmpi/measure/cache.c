/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c: see cache.h. */
#include "pmpi/measure/cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/model/live/live.h"

_Static_assert((int)LINKS_CACHE_SETS == (int)MEASURE_SETS_MAX, "as many sets as are checked");

bool measure_cache_off(const char *dir)
{
	return dir && strcmp(dir, "off") == 0;
}

void measure_cache_init(struct measure_cache *cache, const char *dir, const struct measure *m)
{
	*cache = (struct measure_cache){ .dir = dir, .cpus_allowed = fingerprint_cpus() };
	for (int r = 0; r < m->nranks; r++)
		cache->ranks_here += m->link_of[r] < TIER_NETWORK;
}

void measure_cache_find(
	struct measure_cache *cache, int tier, const char *transport, uint64_t other)
{
	struct fingerprint *f = &cache->fingerprint;

	fingerprint_take(f, tier, transport, other, cache->ranks_here, cache->cpus_allowed);
	cache->place = (struct links_cache){ cache->dir, f->key, f->nkeys };
}

static void read_sets(struct measure_cache *cache, int tier, const char *transport, uint64_t other)
{
	measure_cache_find(cache, tier, transport, other);
	cached_sets_release(&cache->sets);
	links_cache_read(&cache->place, &cache->sets, cache->say);
}

/* The set's age. If the clock was set back, it is 0, not negative. */
static double age_of(const struct link_file *file)
{
	const double age_s = difftime(time(NULL), (time_t)file->measured_at);

	return file->measured_at == 0 ? NAN : age_s > 0 ? age_s : 0;
}

size_t measure_cache_stored(int tier, const char *transport, uint64_t other,
	struct stored_set set[MEASURE_SETS_MAX], void *arg)
{
	struct measure_cache *cache = arg;

	read_sets(cache, tier, transport, other);
	for (size_t i = 0; i < cache->sets.n; i++) {
		const struct link_file *file = &cache->sets.set[i].file;

		set[i] = (struct stored_set){ file->link, file->nlinks, age_of(file), file->by };
	}
	return cache->sets.n;
}

void measure_cache_confirmed(size_t i, void *arg)
{
	const struct measure_cache *cache = arg;

	links_cache_confirm(&cache->place, &cache->sets, i);
}

void measure_cache_store(const struct rec_link *fresh, size_t n, void *arg)
{
	const struct measure_cache *cache = arg;

	links_cache_write(&cache->place, &cache->sets, fresh, n, LINKS_BY_LAUNCH, cache->write_say);
}

void measure_cache_leave(
	struct measure_cache *cache, const struct measure *m, const struct rec_link *row, size_t n)
{
	const unsigned needed = LIVE_KNOWN_TIME | LIVE_KNOWN_S;
	struct rec_link *of_tier = calloc(n + 1, sizeof(*of_tier));
	struct live_link *link = calloc(1, sizeof(*link));

	for (int tier = TIER_NODE; of_tier && link && tier < TIER_COUNT; tier++) {
		size_t k = 0;

		for (size_t i = 0; i < n; i++)
			if (row[i].head.id == (uint32_t)tier)
				of_tier[k++] = row[i];
		if (m->pair[tier][0] < 0 || live_link_from_rows(of_tier, k, tier, link) != 0 ||
			(link->flags & needed) != needed)
			continue;
		read_sets(cache, tier, m->transport, 0);
		links_cache_write(&cache->place, &cache->sets, of_tier, k, LINKS_BY_CALIBRATE,
			cache->write_say);
	}
	free(link);
	free(of_tier);
}

void measure_cache_release(struct measure_cache *cache)
{
	cached_sets_release(&cache->sets);
}
