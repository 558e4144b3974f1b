/* SPDX-License-Identifier: BSD-3-Clause */
/* fingerprint.h: the properties that two runs must share to use the same link parameters. */
#ifndef TRYST_MEASURE_FINGERPRINT_H
#define TRYST_MEASURE_FINGERPRINT_H

#include "analysis/format/links/links.h"

enum { FINGERPRINT_KEYS = 9, FINGERPRINT_TEXT = 4096 };

struct fingerprint {
	struct link_key key[FINGERPRINT_KEYS];
	size_t nkeys;
	char text[FINGERPRINT_TEXT]; /* the values */
	size_t used;
};

/*
 * Fills the fingerprint of this process for one tier: processor, MPI library, transport (as
 * measure.h names it) and its settings in the environment, processors to run on, ranks on this
 * node, thread level. cpus_allowed: the result of fingerprint_cpus() before any rank was pinned.
 */
void fingerprint_take(struct fingerprint *f, int tier, const char *transport, uint64_t other,
	int ranks_here, int cpus_allowed);

/* The number of processors on which this thread may run now; 0: unknown. */
int fingerprint_cpus(void);

#endif
