/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample.h: one measured time, and what it is a measurement of.
 *
 * A calibration (pmpi/measure), a recorded run and a test all give arrays of these; every fit
 * takes them. The SQL table `sample` of include/calibration.sql has the same columns.
 */
#ifndef TRYST_SAMPLE_H
#define TRYST_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * What was timed. `from` starts the exchange and reads the clock unless the line says otherwise.
 * Numbers are stored: append only.
 */
enum sample_kind {
	SAMPLE_RTT, /* send, then receive the answer of equal size: both calls */
	/* the same with delay_ns of idling between send and receive; w included */
	SAMPLE_RTT_W,
	/* the send (or its post and completion) with the receiver waiting in MPI */
	SAMPLE_SEND,
	SAMPLE_RECV, /* the receive of a message that has arrived; timed by `to` */
	/* the post of a nonblocking or the start of a persistent operation */
	SAMPLE_POST,
	SAMPLE_COMPLETE, /* its wait, entered at once */
	/* `count` messages one way and an empty answer, first entry to answer */
	SAMPLE_TRAIN,
	SAMPLE_BURST,      /* 1:P-P:1 with P = count: first send to last answer */
	SAMPLE_BURST_SEND, /* one send of it, averaged over the P: o(P) */
	/* the send; `to` is inside MPI and posts its receive delay_ns late */
	SAMPLE_LATE_MATCH,
	SAMPLE_LATE_PROGRESS, /* the send; `to` is outside MPI for delay_ns, then receives */
	/* what is left in the wait after computing for delay_ns behind the post */
	SAMPLE_OVERLAP,
	/* a transfer while `count` others share its nodes; flow names the pattern */
	SAMPLE_FLOW,
	/*
	 * a broadcast along a binomial tree over four ranks, two of them on the first of `count`
	 * hosts: from the root's first send to the last answer
	 */
	SAMPLE_BROADCAST,
	SAMPLE_KINDS
};

/* Which call moved the message. Numbers are stored: append only. */
enum sample_form {
	SAMPLE_ANY_FORM,  /* not a matter of form */
	SAMPLE_SEND_FORM, /* "send" */
	SAMPLE_BSEND,
	SAMPLE_SSEND,
	SAMPLE_RSEND,
	SAMPLE_ISEND,
	SAMPLE_IBSEND,
	SAMPLE_ISSEND,
	SAMPLE_IRSEND,
	SAMPLE_SEND_INIT,
	SAMPLE_BSEND_INIT,
	SAMPLE_SSEND_INIT,
	SAMPLE_RSEND_INIT,
	SAMPLE_RECV_FORM, /* "recv" */
	SAMPLE_IRECV,
	SAMPLE_RECV_INIT,
	SAMPLE_FORMS
};

enum sample_layout { SAMPLE_ANY_LAYOUT, SAMPLE_CONTIGUOUS, SAMPLE_STRIDED, SAMPLE_LAYOUTS };

/* The two flows of a pattern, as seen from the node that they share. */
enum sample_flow {
	SAMPLE_NO_FLOW,
	SAMPLE_FLOW_ALONE,     /* no other flow at the time: what the others are compared with */
	SAMPLE_FLOW_OUT,       /* both leave the node */
	SAMPLE_FLOW_IN,        /* both enter the node, from one other */
	SAMPLE_FLOW_MIXED_IN,  /* one enters, one leaves: the entering one */
	SAMPLE_FLOW_MIXED_OUT, /* the leaving one */
	SAMPLE_FLOW_IN_APART,  /* both enter the node, from two others */
	SAMPLE_FLOWS
};

struct sample {
	int32_t from, to; /* ranks of the launch that measured; equal: a group of ranks */
	uint8_t kind;     /* enum sample_kind */
	uint8_t form;     /* enum sample_form */
	uint8_t layout;   /* enum sample_layout */
	uint8_t flow;     /* enum sample_flow; 0 unless kind is SAMPLE_FLOW */
	uint8_t truth;    /* 1: no fit sees it; predictions are compared with it */
	/* 1: both ranks on one node; follows from the pair, is not stored */
	uint8_t same_node;
	/* messages of a train, hosts of a burst or broadcast, other flows; else 0 */
	uint32_t count;
	uint32_t repetition; /* 0, 1, ... among samples that agree in all the above and in... */
	uint64_t bytes;      /* ...message length */
	int64_t delay_ns;    /* and the delay that was set */
	double value_ns;     /* what the clock showed */
};

/*
 * Words as stored in tables ("rtt", "isend", "contiguous", "mixed_in"); "" for 0 of the last three.
 */
const char *sample_kind_name(unsigned kind);
const char *sample_form_name(unsigned form);
const char *sample_layout_name(unsigned layout);
const char *sample_flow_name(unsigned flow);

/*
 * The numbers behind the words, or -1 for an unknown word. NULL and "" give 0 for the last three.
 */
int sample_kind_by_name(const char *name);
int sample_form_by_name(const char *name);
int sample_layout_by_name(const char *name);
int sample_flow_by_name(const char *name);

/* What was repeated, reduced to quantiles. Times are ns. */
struct sample_point {
	uint8_t kind, form, layout, flow;
	uint32_t count;
	uint64_t bytes;
	int64_t delay_ns;
	size_t n; /* samples behind it, all of them */
	double p10, median, p90, p99;
	double ci_low, ci_high; /* of the median, 95 %, by order statistics */
};

/* Which samples to take: a field below 0 takes any. */
struct sample_filter {
	int kind, form, layout;
	int32_t from, to;
	int truth, same_node;
};

#define SAMPLE_FILTER_ALL ((struct sample_filter){ -1, -1, -1, -1, -1, -1, -1 })
#define SAMPLE_FILTER_FITS ((struct sample_filter){ -1, -1, -1, -1, -1, 0, -1 })
#define SAMPLE_FILTER_TRUTH ((struct sample_filter){ -1, -1, -1, -1, -1, 1, -1 })

/*
 * Reduces samples to points, one for each (kind, form, layout, flow, count, bytes, delay), in that
 * order. Of two flows in one direction, only the later end of each repetition counts. Values that
 * are not finite or below 0 are left out and counted in *refused (may be NULL). Returns an array
 * that the caller frees with free(), its length in *npoints; NULL with *npoints 0 where nothing
 * passed the filter, NULL with *npoints SIZE_MAX where memory ran out.
 */
struct sample_point *sample_points(const struct sample *s, size_t n,
	const struct sample_filter *filter, size_t *npoints, size_t *refused);

/*
 * The curve of one kind over length, as standard calls with contiguous data gave it: x [B], y [ns]
 * = median * scale, for low <= bytes <= high and delay 0, medians of 0 left out. x and y have room
 * for np. Returns the number of points; x ascends.
 */
size_t sample_curve(const struct sample_point *pt, size_t np, enum sample_kind kind, uint64_t low,
	uint64_t high, double scale, double *x, double *y);

/*
 * Finds the length from which sends wait for the receiver, from SAMPLE_LATE_MATCH or
 * SAMPLE_LATE_PROGRESS. A length waits if even its fastest tenth exceeds half of the delay, since
 * the operating system makes sends longer, never shorter. *local: the longest length below all that
 * wait. *waits: the shortest length that waits (UINT64_MAX: none). Returns 0, or -1 without data.
 */
int sample_threshold(const struct sample_point *pt, size_t np, enum sample_kind kind,
	uint64_t *local, uint64_t *waits);

#endif
