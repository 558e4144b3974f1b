/* SPDX-License-Identifier: BSD-3-Clause */
/* quick.h: the measurements of one tier in MPI_Init. */
#ifndef TRYST_QUICK_H
#define TRYST_QUICK_H

#include "analysis/model/live/fit.h"
#include "pmpi/measure/pair.h"

/*
 * Programs compute between their messages, and shared caches lose their content within a
 * millisecond. So both ranks are idle for a while before each sample. Short messages are hardly
 * affected.
 */
static inline uint64_t quick_idle(uint64_t bytes)
{
	return clock_from_ns(bytes < 2048 ? 40000 : 150000);
}

enum { QUICK_POINTS = 320, QUICK_SAMPLES = 8192 };

/* The measurements so far. Zero-initialise; findings_release() frees. */
struct findings {
	struct live_point *point; /* QUICK_POINTS */
	struct sample *sample;    /* QUICK_SAMPLES */
	size_t npoints, nsamples;
	bool complete; /* there was time for all measurements, so the set is stored */
	bool usable;   /* blocking messages were measured, on which all predictions rest */
	struct live_border border[3]; /* of send, isend, send_init */
};

int findings_init(struct findings *f); /* 0 or -ENOMEM */
void findings_release(struct findings *f);

/* Adds one point from its times, which it sorts. Drops the point if there is no room. */
void findings_point(struct findings *f, enum live_what what, unsigned curve, unsigned count,
	uint64_t bytes, double *ns, size_t n);

/* Adds raw samples for LogGPS's fit; times are multiplied by `scale`. */
void findings_samples(struct findings *f, enum sample_kind kind, uint64_t bytes, double delay_ns,
	const double *ns, size_t n, double scale);

/* The leader of a pair measures until p->deadline. 0 or -EIO. */
int quick_pair(struct pair *p, struct findings *f);

/* Measures messages of a rank to itself until the deadline [ticks]. 0, -ENOMEM or -EIO. */
int quick_self(struct measure *m, uint64_t deadline, struct findings *f);

#endif
