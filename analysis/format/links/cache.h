/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.h: sets of link parameters that runs store for later runs.
 *
 * Launches of one program on one machine differ in speed: they get other CPUs, other pages, and
 * other work beside them. So each fingerprint of machine and MPI has a few sets, each in its own
 * file:
 *
 *	<dir>/<hash>.links, <dir>/<hash>-1.links, ...
 *
 * A file's modification time is the time at which its set was last confirmed. Files are written
 * under another name and renamed when complete. So processes may read, confirm and write at the
 * same time. If two write to the same place, the later set stays.
 */
#ifndef TRYST_FORMAT_LINKS_CACHE_H
#define TRYST_FORMAT_LINKS_CACHE_H

#include <time.h>

#include "analysis/format/links/links.h"

/* The place of a fingerprint's sets. dir NULL: $XDG_CACHE_HOME/tryst, else $HOME/.cache/tryst. */
struct links_cache {
	const char *dir;
	const struct link_key *keys;
	size_t nkeys;
};

struct cached_set {
	unsigned place; /* < LINKS_CACHE_SETS */
	struct timespec confirmed;
	struct link_file file;
};

/* The one last confirmed first. Zero-initialise; cached_sets_release() frees. */
struct cached_sets {
	struct cached_set set[LINKS_CACHE_SETS];
	size_t n;
};

/*
 * Checks that sets in `dir` may be used. Whoever can write there controls predictions, and can slow
 * programs down. So `dir` must belong to the user or root, and others must not be able to write. 0;
 * -EPERM, printed; another negative errno: it does not exist.
 */
int links_cache_check(const char *dir, const struct say *say);

/*
 * All readable sets that no other user could have written (links_cache_check()). Says one line for
 * the directory, or for each file, that is left out.
 */
void links_cache_read(
	const struct links_cache *cache, struct cached_sets *out, const struct say *say);

void cached_sets_release(struct cached_sets *sets);

/* Marks set[i] as confirmed now. If that fails, the set is only replaced earlier. */
void links_cache_confirm(const struct links_cache *cache, const struct cached_sets *sets, size_t i);

/*
 * Writes a new set, measured now by `by`. sets: as links_cache_read() found them. Uses a place
 * without a readable set, else that of the set confirmed least recently. Files of a newer tryst
 * stay. Makes the directory. Returns 0; -ENOENT if neither variable is set; -EPERM:
 * links_cache_check(); another negative errno, printed if a file could not be written.
 */
int links_cache_write(const struct links_cache *cache, const struct cached_sets *sets,
	const struct rec_link *link, size_t nlinks, const char *by, const struct say *say);

/*
 * Makes the directory, and those above it, with permissions for the user only. Returns as
 * links_cache_write(). Says nothing.
 */
int links_cache_make(const struct links_cache *cache);

/*
 * The file of one place, in path[size]. Returns 0; -ENOENT if neither variable is set;
 * -ENAMETOOLONG. Says nothing.
 */
int links_cache_path(const struct links_cache *cache, unsigned place, char *path, size_t size);

#endif
