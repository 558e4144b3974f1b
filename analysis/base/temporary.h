/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temporary.h: a command's directory in TMPDIR, or in /tmp.
 *
 *	$TMPDIR/.tryst-scratch-HOST-XXXXXX	its owner holds a shared lock (flock) on it
 *
 * A killed command leaves its directory behind. The next command that makes one removes it, if the
 * user and the host are the same and nobody holds the lock. Commands on other hosts leave it alone:
 * some file systems keep their locks to one host. Only files that tryst puts there are removed.
 * A directory with other files stays.
 */
#ifndef TRYST_BASE_TEMPORARY_H
#define TRYST_BASE_TEMPORARY_H

#include "analysis/base/say.h"

struct temporary {
	char *path; /* NULL: none was made */
	int fd;     /* holds the lock */
};

/*
 * Makes the directory of a zero-filled `t`; does nothing if `t` has one. Returns 0, or a negative
 * errno: `say` has the message, except for -ENOMEM.
 */
int temporary_make(struct temporary *t, const struct say *say);

/*
 * Removes the directory with the files that tryst put there. Does nothing for a zero-filled `t`,
 * and leaves `t` zero-filled.
 */
void temporary_remove(struct temporary *t);

#endif
