/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.h: link parameters as rows of a small SQLite file: one that `tryst calibrate` made, or
 * one of the cache (cache.h).
 *
 * Table link_param has the columns of the run's table of that name without rank; table
 * fingerprint(key, value) says what the parameters belong to. Table origin(key, value) says when
 * they were measured (measured_at, seconds since 1970) and by whom. Older files lack it.
 */
#ifndef TRYST_FORMAT_LINKS_LINKS_H
#define TRYST_FORMAT_LINKS_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>
#include <sys/types.h>

#include "record.h"
#include "analysis/base/say.h"

/* A property that must be equal if parameters are used again: CPU, MPI library, transport, ... */
struct link_key {
	const char *key;
	const char *value;
};

/* The measuring program, as in the file and in reports. */
#define LINKS_BY_LAUNCH "an earlier launch"
#define LINKS_BY_CALIBRATE "tryst calibrate"

struct link_file {
	struct rec_link *link; /* head.type and head.words set, head.id: the tier */
	size_t nlinks;
	int64_t measured_at; /* seconds since 1970; 0: unknown */
	char by[24];         /* LINKS_BY_...; "": unknown */
};

/*
 * Opens a file of link parameters for reading, with the checks of db_open(). They include the
 * tables of calibration.sql, if the file has them. The caller passes *out to sqlite3_close().
 */
int links_open(const char *path, sqlite3 **out, const struct say *say);

/*
 * Reads `path`. With nkeys > 0 the file's fingerprint must be equal to `keys`, in any order.
 * Returns 0 and *out (links_release()); -ENOENT: no such file; -ESTALE: another fingerprint;
 * -EPROTO: newer; -EINVAL: damaged or not ours; another negative errno. Says one line for each
 * error but -ENOENT and -ESTALE. After an error the caller treats the file as absent.
 */
int links_read(const char *path, const struct link_key *keys, size_t nkeys, struct link_file *out,
	const struct say *say);

/*
 * True if the file's fingerprint has another value than `key`, which is then in value[size]. False
 * also if the file cannot be read or lacks the key. Says nothing.
 */
bool links_differ(const char *path, const struct link_key *key, char *value, size_t size);

void links_release(struct link_file *links);

/* Sets that the cache keeps of a fingerprint, each in a file: 0123456789abcdef[-1].links. */
enum { LINKS_CACHE_SETS = 4 };

/* True if a file of that name is the cache's, so that a damaged one may be replaced. */
bool links_cache_names(const char *path);

/*
 * Writes `path` with `mode` less the umask, as measured now by `by`. Replaces an existing file if
 * it holds link parameters, or if it is damaged and has a name of the cache; else -EEXIST. Returns
 * 0 or a negative errno, printed.
 */
int links_write(const char *path, mode_t mode, const struct link_key *keys, size_t nkeys,
	const struct rec_link *link, size_t nlinks, const char *by, const struct say *say);

#endif
