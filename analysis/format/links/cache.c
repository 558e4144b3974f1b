/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c: finds, writes and confirms cached sets of link parameters (cache.h). */
#include "analysis/format/links/cache.h"
#include "analysis/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fnv.h"

_Static_assert(LINKS_CACHE_SETS <= 10, "a place is one digit of a name");

/* A sum of hashes, so that the order of the keys does not matter. */
static uint64_t fingerprint_hash(const struct link_key *keys, size_t nkeys)
{
	uint64_t sum = nkeys;

	for (size_t i = 0; i < nkeys; i++) {
		uint64_t h = fnv_bytes(FNV_START, keys[i].key, strlen(keys[i].key) + 1);

		h = fnv_bytes(h, keys[i].value, strlen(keys[i].value) + 1);
		sum += h ^ h >> 29;
	}
	return sum;
}

int links_cache_path(const struct links_cache *cache, unsigned place, char *path, size_t size)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *base = cache->dir, *below = "";
	char number[4] = "";

	if (!base && xdg && xdg[0] == '/') {
		base = xdg;
		below = "/tryst";
	} else if (!base && home && home[0] == '/') {
		base = home;
		below = "/.cache/tryst";
	}
	if (!base)
		return -ENOENT;
	if (place > 0)
		snprintf(number, sizeof(number), "-%u", place % 10);
	if (snprintf(path, size, "%s%s/%016" PRIx64 "%s.links", base, below,
		    fingerprint_hash(cache->keys, cache->nkeys), number) >= (int)size)
		return -ENAMETOOLONG;
	return 0;
}

/* The reason why others could have written the file; NULL: only the user and root could. */
static const char *distrust(const struct stat *st)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return "it belongs to another user";
	if (!(st->st_mode & (S_IWGRP | S_IWOTH)))
		return NULL;
	/* a directory like /tmp (sticky) is right as it is, but is no cache: advise no chmod */
	return st->st_uid == geteuid() && !(st->st_mode & S_ISVTX) ?
		"others may write it: 'chmod go-w' mends that" :
		"others may write it";
}

int links_cache_check(const char *dir, const struct say *say)
{
	const char *why;
	struct stat st;

	if (stat(dir, &st) != 0)
		return -errno;
	why = S_ISDIR(st.st_mode) ? distrust(&st) : "it is not a directory";
	if (why)
		say_line(say, "the cache of link parameters '%s' is not used: %s", dir, why);
	return why ? -EPERM : 0;
}

static int check_dir_of(char *path, const struct say *say)
{
	char *slash = strrchr(path, '/');
	int rc;

	*slash = 0;
	rc = links_cache_check(path, say);
	*slash = '/';
	return rc;
}

/* As links_read(), of a file that nobody else could have written. */
static int read_own(const char *path, const struct links_cache *cache, struct cached_set *out,
	const struct say *say)
{
	const char *why;
	struct stat st;

	if (lstat(path, &st) != 0)
		return -errno;
	/* links_read() refuses other kinds of files */
	why = S_ISREG(st.st_mode) ? distrust(&st) : NULL;
	if (why)
		say_line(say, "cached link parameters '%s' are not used: %s", path, why);
	out->confirmed = st.st_mtim;
	return why ? -EPERM : links_read(path, cache->keys, cache->nkeys, &out->file, say);
}

static int later_first(const void *a, const void *b)
{
	const struct cached_set *x = a, *y = b;

	if (x->confirmed.tv_sec != y->confirmed.tv_sec)
		return x->confirmed.tv_sec > y->confirmed.tv_sec ? -1 : 1;
	if (x->confirmed.tv_nsec != y->confirmed.tv_nsec)
		return x->confirmed.tv_nsec > y->confirmed.tv_nsec ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

void links_cache_read(
	const struct links_cache *cache, struct cached_sets *out, const struct say *say)
{
	char path[PATH_MAX];

	out->n = 0;
	if (links_cache_path(cache, 0, path, sizeof(path)) != 0 || check_dir_of(path, say) != 0)
		return;
	for (unsigned place = 0; place < LINKS_CACHE_SETS; place++) {
		struct cached_set *set = &out->set[out->n];

		if (links_cache_path(cache, place, path, sizeof(path)) != 0 ||
			read_own(path, cache, set, say) != 0)
			continue;
		set->place = place;
		out->n++;
	}
	qsort(out->set, out->n, sizeof(*out->set), later_first);
}

void cached_sets_release(struct cached_sets *sets)
{
	for (size_t i = 0; i < sets->n; i++)
		links_release(&sets->set[i].file);
	sets->n = 0;
}

void links_cache_confirm(const struct links_cache *cache, const struct cached_sets *sets, size_t i)
{
	char path[PATH_MAX];

	if (links_cache_path(cache, sets->set[i].place, path, sizeof(path)) == 0)
		utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

/* For $HOME/.cache/tryst where ~/.cache is still missing. */
int links_cache_make(const struct links_cache *cache)
{
	char path[PATH_MAX];
	int rc = links_cache_path(cache, 0, path, sizeof(path));

	return rc ? rc : file_make_parents(path, 0700);
}

/* Sorts the places: first those without a set, then the others by the time of confirmation. */
static void order_places(const struct cached_sets *sets, unsigned place[LINKS_CACHE_SETS])
{
	bool taken[LINKS_CACHE_SETS] = { false };
	size_t n = 0;

	for (size_t i = 0; i < sets->n; i++)
		taken[sets->set[i].place] = true;
	for (unsigned p = 0; p < LINKS_CACHE_SETS; p++)
		if (!taken[p])
			place[n++] = p;
	for (size_t i = sets->n; i-- > 0;)
		place[n++] = sets->set[i].place;
}

int links_cache_write(const struct links_cache *cache, const struct cached_sets *sets,
	const struct rec_link *link, size_t nlinks, const char *by, const struct say *say)
{
	unsigned place[LINKS_CACHE_SETS];
	char path[PATH_MAX];
	int rc = links_cache_make(cache);

	if (!rc)
		rc = links_cache_path(cache, 0, path, sizeof(path));
	if (!rc)
		rc = check_dir_of(path, say);
	if (rc)
		return rc;
	order_places(sets, place);
	rc = -EEXIST;
	for (int i = 0; i < LINKS_CACHE_SETS && rc == -EEXIST; i++) {
		rc = links_cache_path(cache, place[i], path, sizeof(path));
		if (rc == 0)
			rc = links_write(
				path, 0600, cache->keys, cache->nkeys, link, nlinks, by, say);
	}
	return rc;
}
