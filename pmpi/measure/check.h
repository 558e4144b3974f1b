/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h: do stored rows of a tier still hold? */
#ifndef TRYST_CHECK_H
#define TRYST_CHECK_H

#include "pair.h"

/*
 * The leader compares five lengths and both sides of S with what the rows predict, in about 8 ms.
 * Returns 0 where they hold, 1 where they do not, -EIO.
 */
int check_pair(struct pair *p, const struct rec_link *rows, size_t n, int tier);

/* Rows of messages to oneself hold as long as their fingerprint does: 0, or 1 for useless rows. */
int check_self(const struct rec_link *rows, size_t n, int tier);

#endif
