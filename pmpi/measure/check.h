/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h: finds the stored set of a tier that still holds. */
#ifndef TRYST_CHECK_H
#define TRYST_CHECK_H

#include "pmpi/measure/pair.h"

/*
 * The leader measures five lengths once, in about 10 ms. It takes the set that predicts them best,
 * if the set is near enough, and if messages on both sides of its S behave as it says. Returns the
 * set's index; -ENOENT if no set holds; -EIO. *likely: the set to use if measuring then fails, or
 * -1. It is the best
 * predictor among the sets that the check did not refute. Otherwise it is the most recently
 * confirmed set whose S the check did not contradict. Times alone refute nothing on a busy machine.
 */
int check_pair(struct pair *p, const struct stored_set *set, size_t nsets, int tier, int *likely);

/*
 * Rows of messages to oneself hold as long as their fingerprint: returns the first usable set, or
 * -ENOENT.
 */
int check_self(const struct stored_set *set, size_t nsets, int tier);

#endif
