/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.h: a file or a directory that a command writes for its user: whole, or not at all.
 *
 *	out.otf2.new-HOST-PID  --rename-->  out.otf2
 *
 * Errors remove what was written, and so do SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGXFSZ,
 * before they end the command. Other signals leave the temporary name. An existing target is never
 * replaced. If the temporary name is taken, it gets a number: out.otf2.new-HOST-PID-2.
 */
#ifndef TRYST_TEXT_TARGET_H
#define TRYST_TEXT_TARGET_H

#include <limits.h>
#include <stdbool.h>

#include "analysis/base/say.h"

struct target {
	char path[PATH_MAX];
	char temporary[PATH_MAX]; /* the caller writes here */
	bool is_directory;
};

/*
 * Makes an empty file or directory under the temporary name of `path`, and missing parents; -EEXIST
 * if `path` exists. Signals remove the target that was begun first: others may only be parts of it.
 * `t` has to stay where it is. Returns 0 or a negative errno; after an error, target_finish() must
 * not be called.
 */
int target_make(struct target *t, const char *path, bool is_directory);

/*
 * rc 0: gives the target its name; the caller has closed all files. Otherwise removes it. Returns
 * rc, or a negative errno if it cannot have the name.
 */
int target_finish(struct target *t, int rc);

/* Removes a file, or a directory with all that is in it, as far as it can; follows no link. */
void target_remove(const char *path);

#endif
