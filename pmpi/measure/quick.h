/* SPDX-License-Identifier: BSD-3-Clause */
/* quick.h: all that is measured of one tier at MPI_Init. */
#ifndef TRYST_QUICK_H
#define TRYST_QUICK_H

#include "analysis/model/live/fit.h"
#include "pmpi/measure/pair.h"

/*
 * Programs compute between their messages, and caches shared with others forget within a
 * millisecond: so both ranks are idle for a while before each sample. Short messages suffer little.
 */
static inline uint64_t quick_idle(uint64_t bytes)
{
	return clock_from_ns(bytes < 2048 ? 40000 : 150000);
}

enum { QUICK_POINTS = 320, QUICK_SAMPLES = 8192 };

/* What was measured so far. Zero-initialise; findings_release() frees. */
struct findings {
	struct live_point *point; /* QUICK_POINTS */
	struct sample *sample;    /* QUICK_SAMPLES */
	size_t npoints, nsamples;
	bool complete;                /* there was time for all of it: worth keeping */
	bool usable;                  /* for what all predictions rest on, blocking messages */
	struct live_border border[3]; /* of send, isend, send_init */
};

int findings_init(struct findings *f); /* 0 or -ENOMEM */
void findings_release(struct findings *f);

/* Add one point from its times (sorted here). Full: dropped. */
void findings_point(struct findings *f, enum live_what what, unsigned curve, unsigned count,
	uint64_t bytes, double *ns, size_t n);

/* Add raw samples for LogGPS's fit, times times `scale`. */
void findings_samples(struct findings *f, enum sample_kind kind, uint64_t bytes, double delay_ns,
	const double *ns, size_t n, double scale);

/* The leader of a pair measures until p->deadline. 0 or -EIO. */
int quick_pair(struct pair *p, struct findings *f);

/* A rank measures messages to itself until the deadline [ticks]. 0, -ENOMEM or -EIO. */
int quick_self(struct measure *m, uint64_t deadline, struct findings *f);

#endif
