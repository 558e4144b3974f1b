/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair.h: two ranks that enter calls at the same instant.
 *
 *	leader (sends)                    follower (receives)
 *	  step, T  ---------------------->  prepares
 *	  both spin until T, do their side of the step, read the clock
 *	  <--------------------------- time
 *
 * T is in the follower's own ticks. On one host both read the same clock. Between hosts the offset
 * is measured every few milliseconds (every 60 round trips if they are slow), from the fastest of a
 * few round trips.
 */
#ifndef TRYST_PAIR_H
#define TRYST_PAIR_H

#include "pmpi/measure/step.h"

enum { PAIR_SAMPLES = 64 };

/* Samples in which both were on time, in order. */
struct step_times {
	unsigned n;
	double sender_ns[PAIR_SAMPLES];
	double receiver_ns[PAIR_SAMPLES];
};

/*
 * Both ranks call these. Returns 0, -ENOMEM or -EIO. Until pair_close(), two ranks of one host are
 * bound to different processors if possible, since they cannot share one.
 */
int pair_open(struct pair *p, struct measure *m, int peer, bool leader, uint64_t deadline);
void pair_close(struct pair *p);

/* The leader: one sample. 0; 1 if a rank was not on time, so that the times mean little; -EIO. */
int pair_sample(struct pair *p, const struct step *s, double *sender_ns, double *receiver_ns);

/* The leader: does up to `samples` (<= PAIR_SAMPLES), fewer at the deadline. 0 or -EIO. */
int pair_step(struct pair *p, const struct step *s, unsigned samples, struct step_times *out);

/* The leader: ends pair_serve() on the follower. 0 or -EIO. */
int pair_end(struct pair *p);

/*
 * True if a rank was late in more than a fifth of all samples. The results serve this run, but are
 * not stored. On an idle virtual machine up to an eighth of the samples were late: its timer, 1000
 * times a second, took 30 to 60 us each time.
 */
static inline bool pair_was_disturbed(const struct pair *p)
{
	return p->late > p->samples / 5;
}

/* The follower: does steps until the leader ends. 0 or -EIO. */
int pair_serve(struct pair *p);

#endif
