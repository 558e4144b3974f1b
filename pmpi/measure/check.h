/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h: which stored rows of a tier still hold? */
#ifndef TRYST_CHECK_H
#define TRYST_CHECK_H

#include "pair.h"

/*
 * The leader measures five lengths once, in about 10 ms, and takes the set that predicts them best if that
 * is near enough and both sides of its S are where it says. Returns its index, -ENOENT where none holds, -EIO.
 * *likely is for a launch that then cannot measure: the nearest of those that were not refuted either; else the
 * first whose S was not seen elsewhere, since on a busy machine times that differ refute nothing; -1: none.
 */
int check_pair(struct pair *p, const struct stored_set *set, size_t nsets, int tier, int *likely);

/*
 * Rows of messages to oneself hold as long as their fingerprint does: the first set of use, or -ENOENT.
 */
int check_self(const struct stored_set *set, size_t nsets, int tier);

#endif
