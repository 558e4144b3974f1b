/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h: the options of tryst-measure-<mpi>, as the command makes them
 * (analysis/command/calibrate.c): --name=value, all known.
 */
#ifndef TRYST_CALIBRATE_OPTIONS_H
#define TRYST_CALIBRATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FULL_SIZES_MAX = 64 };

struct full_options {
	const char *output;
	const char *pairs;              /* "tier", "all", or "0-1,2-3" */
	uint64_t sizes[FULL_SIZES_MAX]; /* none: the default grid */
	size_t nsizes;
	uint64_t max_bytes;
	double precision; /* relative half width of a median's 95 % interval */
	double budget_s;  /* a tier */
	bool quiet;
};

/* Messages are of `longest` bytes at most. Texts point into argv. Returns 0, or -EINVAL. */
int full_options_read(struct full_options *o, int argc, char **argv, uint64_t longest);

#endif
