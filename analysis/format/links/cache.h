/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.h: sets of link parameters that runs leave for later ones.
 *
 * Launches of one program on one machine are at several speeds: other processors, pages that lie
 * otherwise, other work beside them. So a fingerprint of machine and MPI has room for a few sets,
 * each a file of its own:
 *
 *	<dir>/<hash>.links, <dir>/<hash>-1.links, ...
 *
 * A file's time of modification tells when its set was last found true. Files are written whole
 * under another name and renamed, so that processes may read, confirm and write at once; of two
 * that write to the same place the later one's set stays.
 */
#ifndef TRYST_FORMAT_LINKS_CACHE_H
#define TRYST_FORMAT_LINKS_CACHE_H

#include <time.h>

#include "analysis/format/links/links.h"

/* Where a fingerprint's sets are. dir NULL: $XDG_CACHE_HOME/tryst, else $HOME/.cache/tryst. */
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
 * May sets in `dir` be used? Who could write there could slow programs down and choose their
 * predictions, so it must belong to the user or root, and have no permission to write for others.
 * 0; -EPERM, said; another negative errno: it is not there.
 */
int links_cache_check(const char *dir, const struct say *say);

/*
 * All sets that can be read, and could not be written by another user (links_cache_check()); says
 * one line for the directory or for each file that cannot.
 */
void links_cache_read(
	const struct links_cache *cache, struct cached_sets *out, const struct say *say);

void cached_sets_release(struct cached_sets *sets);

/* set[i] was found true now. Where that cannot be noted it makes room earlier, nothing else. */
void links_cache_confirm(const struct links_cache *cache, const struct cached_sets *sets, size_t i);

/*
 * Writes a new set, measured now by `by`, `sets` being what links_cache_read() found: to a place
 * without a readable set, else in the place of the one that was not confirmed for longest. What a
 * newer tryst wrote stays. Makes the directory. Returns 0; -ENOENT where neither variable is set;
 * -EPERM: links_cache_check(); another negative errno, said if a file could not be written.
 */
int links_cache_write(const struct links_cache *cache, const struct cached_sets *sets,
	const struct rec_link *link, size_t nlinks, const char *by, const struct say *say);

/*
 * Makes the directory, and those above it, for the user alone: 0 or as links_cache_write(). Says
 * nothing.
 */
int links_cache_make(const struct links_cache *cache);

/*
 * The file of one place, in path[size]. Returns 0; -ENOENT where neither variable is set;
 * -ENAMETOOLONG. Says nothing.
 */
int links_cache_path(const struct links_cache *cache, unsigned place, char *path, size_t size);

#endif
