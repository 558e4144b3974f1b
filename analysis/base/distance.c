/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.c: edit distance, one row of its table at a time. */
#include "analysis/base/distance.h"

#include <string.h>

unsigned name_distance(const char *name, size_t bytes, const char *other)
{
	size_t n = strlen(other);
	unsigned row[DISTANCE_FAR];

	if (n >= DISTANCE_FAR || bytes >= DISTANCE_FAR)
		return DISTANCE_FAR;
	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; i < bytes; i++) {
		unsigned diagonal = row[0]++;

		for (size_t j = 1; j <= n; j++) {
			unsigned best = diagonal + (name[i] != other[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}
