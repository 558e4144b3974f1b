/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.h: how far a name is from one that may have been meant. */
#ifndef TRYST_BASE_DISTANCE_H
#define TRYST_BASE_DISTANCE_H

#include <stddef.h>

enum { DISTANCE_FAR = 64 };

/*
 * Insertions, deletions and replacements of characters that make name[bytes] into `other`;
 * DISTANCE_FAR where one of them is that long or longer.
 */
unsigned name_distance(const char *name, size_t bytes, const char *other);

#endif
