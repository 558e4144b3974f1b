/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.h: the edit distance of two names, for suggestions. */
#ifndef TRYST_BASE_DISTANCE_H
#define TRYST_BASE_DISTANCE_H

#include <stddef.h>

enum { DISTANCE_FAR = 64 };

/*
 * The number of insertions, deletions and replacements of characters that turn name[bytes] into
 * `other`. DISTANCE_FAR if either has DISTANCE_FAR bytes or more.
 */
unsigned name_distance(const char *name, size_t bytes, const char *other);

#endif
