/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h: from the measurements of a calibration to the rows that live_link_from_rows() reads.
 *
 * LogGPS's parameters come from equations/loggps_fit.c, as for any other calibration. The
 * differences from its straight lines become residuals, by form and length.
 */
#ifndef TRYST_MODEL_LIVE_FIT_H
#define TRYST_MODEL_LIVE_FIT_H

#include "analysis/model/live/live.h"
#include "analysis/model/sample.h"

/*
 * The kinds of measured times. Both ranks entered at the same instant, unless stated otherwise.
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
	uint32_t n;     /* number of samples */
	uint64_t bytes;
	double ns; /* median, lower quartile or least */
	/* 99th percentile of the excess over it, without outliers of the scheduler */
	double noise_ns;
	double ci_low, ci_high; /* of the median, 95 % */
};

/*
 * Reduces n > 0 times [ns] to a point, and sorts them; `what`, `curve`, `count` and `bytes` stay.
 * A time is an outlier if its distance from the median is above one of two limits. The first is 4
 * times the distance of the quartiles, plus 20 % of the median, plus 500 ns. The second is twice
 * the median plus 2 us. If the median itself is so far above the lower quartile (of up to three
 * times: above the least), the machine was busy. The point then gets the lower quartile, or the
 * least.
 */
void live_point_reduce(struct live_point *point, double *ns, size_t n);

/* Thresholds of one send form [B]; UINT64_MAX: none up to `reach`. */
struct live_border {
	uint64_t S, S_p; /* S_p = 0: no length completes locally */
	uint64_t reach;
	const char *reason; /* not measured, and why; NULL: measured */
};

struct live_measured {
	int tier;
	const char *source; /* "measured" */
	const struct live_point *point;
	size_t npoints;
	const struct sample *sample; /* for loggps_fit_known() */
	size_t nsamples;
	struct live_border border[3]; /* of send, isend, send_init */
};

/*
 * Makes the rows of one tier: rows[max], *n of them. Returns 0, or -ENOMEM if memory ran out or max
 * is too small; rows[] then has those that fit.
 */
int live_fit(const struct live_measured *in, struct rec_link *rows, size_t max, size_t *n);

/* A row with all fields except the value: form "" and bytes UINT64_MAX stand for NULL. */
struct rec_link live_row(int tier, const char *form, const char *name, uint64_t bytes,
	const char *unit, const char *source);

#endif
