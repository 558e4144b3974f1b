/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h: from what a calibration measured to the rows that live_link_from_rows() reads.
 *
 * LogGPS's parameters come from equations/loggps_fit.c, as for any other calibration; what the
 * straight lines leave becomes residuals, by form and length.
 */
#ifndef TRYST_MODEL_LIVE_FIT_H
#define TRYST_MODEL_LIVE_FIT_H

#include "analysis/model/live/live.h"
#include "analysis/model/sample.h"

/*
 * What was repeated at one length. Both ranks entered at the same instant unless it says otherwise.
 */
enum live_what {
	LIVE_TOTAL,   /* from the post's entry to the end of the completion, entered at once */
	LIVE_REST,    /* the completion call alone, entered long after the post */
	LIVE_TRAIN,   /* `count` nonblocking ops of one direction and their common completion */
	LIVE_EXCHANGE /* MPI_Sendrecv with both messages of this length */
};

struct live_point {
	uint8_t what;   /* enum live_what */
	uint8_t curve;  /* enum live_curve */
	uint16_t count; /* of LIVE_TRAIN */
	uint32_t n;     /* samples behind it */
	uint64_t bytes;
	double ns; /* median, lower quartile or least */
	/* 99th percentile of what is above it, without scheduler outliers */
	double noise_ns;
	double ci_low, ci_high; /* of the median, 95 % */
};

/*
 * Reduce n > 0 times [ns] to a point (`what`, `curve`, `count` and `bytes` are left alone); the
 * times are sorted. An outlier is what lies above the median by more than 4 times the distance of
 * the quartiles, 20 % of the median and 500 ns together, or by more than twice the median and 2 us.
 * Where the median itself is that far above the lower quartile, or of up to three times the least,
 * the machine had other things to do: that is taken.
 */
void live_point_reduce(struct live_point *point, double *ns, size_t n);

/* Thresholds of one send form [B]; UINT64_MAX: none up to `reach`. */
struct live_border {
	uint64_t S, S_p; /* S_p = 0: no length is local */
	uint64_t reach;
	const char *reason; /* not measured, and why; NULL: measured */
};

struct live_measured {
	int tier;
	const char *source; /* "measured" */
	const struct live_point *point;
	size_t npoints;
	const struct sample *sample; /* for loggps_fit() */
	size_t nsamples;
	struct live_border border[3]; /* of send, isend, send_init */
};

/*
 * Make the rows of one tier: rows[max], *n of them. Returns 0, -ENOMEM (memory, or max is too
 * small: what fits is there).
 */
int live_fit(const struct live_measured *in, struct rec_link *rows, size_t max, size_t *n);

/* A row with all fields set but the value: form "" and bytes UINT64_MAX are NULL. */
struct rec_link live_row(int tier, const char *form, const char *name, uint64_t bytes,
	const char *unit, const char *source);

#endif
