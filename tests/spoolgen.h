/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spoolgen.h: rings and spools of a run that never was.
 *
 * Rank by rank the records of a simulated program whose messages fit together: every send has its
 * receive, with the times at which a LogGPS machine would have ended both, given when they were
 * entered. Some ranks are late by a random time, drawn from the seed. So what a reader or a
 * matcher must find is known, for any number of ops and ranks, in little memory.
 *
 * A round is one of: blocking exchange between pairs of ranks; the same received from any source
 * with any tag; nonblocking exchange with computation before two waits; collective.
 */
#ifndef TRYST_SPOOLGEN_H
#define TRYST_SPOOLGEN_H

#include <stdbool.h>
#include <stdint.h>

struct spoolgen {
	const char *dir; /* exists; files as run/run_dir.h lays them out */
	int32_t ranks;   /* >= 1 */
	uint64_t rounds; /* ops a rank: about 2 a round of pairs */
	uint64_t seed;
	uint64_t run_id;
	unsigned late_percent; /* share of a rank's rounds that it enters late */
	uint64_t late_max_ns;  /* late by 1 us up to this, log-uniform */
	uint64_t added_ns;     /* rank 1 computes longer before each call by this */
	uint64_t max_bytes;    /* sizes: 0, and powers of two up to this */
	unsigned wildcard_percent;
	unsigned nonblocking_percent;
	unsigned collective_percent;
	int32_t ranks_per_node; /* tier node within, network between; 0: one node */
	bool skewed;            /* clocks start apart: REC_CLOCK_OFFSET says by how much */
	unsigned op_cost_ns;    /* what a call that posts a message costs in the shim */
	bool open;              /* as a process leaves it that dies in a receive */
};

/* Defaults for all but dir: 4 ranks, 1000 rounds, a tenth late by up to 1 ms, sizes to 1 MiB. */
void spoolgen_init(struct spoolgen *g);

/* What must come out of the files, summed over all ranks. */
struct spoolgen_truth {
	uint64_t ops;
	uint64_t sends;
	uint64_t bytes_sent;
	uint64_t collectives;
	uint64_t pending;
	int64_t excess_ns; /* of all ops */
	int64_t wait_ns;   /* of those above the noise, 100 ns, that are not the first of their pair
			    */
};

/* Writes all files. Returns 0 or a negative errno. */
int spoolgen_write(const struct spoolgen *g, struct spoolgen_truth *truth);

#endif
