/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conditions.h: conditions on the change between two runs, for tests of performance.
 *
 *	"run>5%,late_sender>10ms,messages>1000"
 *
 * A condition is met if the measure is larger in B than in A by more than the number: by that share
 * of A, or by that amount. From 0, any growth exceeds any share. Noise is not considered.
 */
#ifndef TRYST_DIFF_CONDITIONS_H
#define TRYST_DIFF_CONDITIONS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "analysis/base/text.h"

enum { CONDITIONS_MAX = 32 };

struct condition {
	char text[80];
	const char *measure; /* a name in conditions.c or text/causes.c */
	bool is_count, is_percent;
	double limit; /* percent, ns or a count */
};

struct conditions {
	struct condition at[CONDITIONS_MAX];
	int n;
};

/* Reads a list. 0, or -EINVAL with one line in *why, which says what is possible. */
int conditions_read(struct conditions *c, const char *list, struct text *why);

/*
 * After diff_compare(): fills table `condition`. *met: the conditions that are met, separated by
 * commas. 0, or a negative errno; -ENODATA: *met names one whose measure is unknown in a run.
 */
int conditions_judge(sqlite3 *diff, const struct conditions *c, struct text *met);

#endif
