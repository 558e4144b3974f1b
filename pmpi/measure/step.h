/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h: what each rank of a pair does in one sample. */
#ifndef TRYST_STEP_H
#define TRYST_STEP_H

#include <sched.h>
#include <stdbool.h>

#include "pmpi/record/clock.h"
#include "pmpi/measure/measure.h"

enum { PAIR_BYTES_MAX = 4 << 20, PAIR_TRAIN_MAX = 16 };

/*
 * Messages of each length have their own place in the buffer, at the length's power of two. So
 * caches behave as in a program that also sends other messages. Messages above half of the buffer,
 * and trains as long, begin at 0. The buffer of a launch is no larger, since the first use of a
 * page can take 20 us in a virtual machine: two buffers of 8 MiB took 75 ms of a launch's 270.
 */
enum { PAIR_BUFFER_BYTES = PAIR_BYTES_MAX };

/* The work done at T. The leader is the sender. The time of an op is from its post to its end. */
enum step_kind {
	STEP_TOGETHER, /* both enter at T and complete at once */
	/* the sender posts at T, computes for delay, completes; only that is timed */
	STEP_SEND_REST,
	STEP_RECV_REST,     /* the same of the receiver */
	STEP_LATE_MATCH,    /* the receiver is inside MPI from T and posts at T + delay */
	STEP_LATE_PROGRESS, /* the receiver is outside MPI until T + delay, then receives */
	/* `count` nonblocking ops, completed in one call; all of it is timed */
	STEP_TRAIN,
	STEP_EXCHANGE, /* both call MPI_Sendrecv at T */
	STEP_ECHO,     /* round trip, timed by the leader */
	STEP_MORE = 32 /* first of the kinds of measure.more */
};

struct step {
	uint8_t kind;      /* enum step_kind */
	uint8_t send_form; /* enum live_curve */
	uint8_t recv_form;
	uint8_t pad;
	uint32_t count; /* STEP_TRAIN: 2 to PAIR_TRAIN_MAX */
	uint64_t bytes; /* of a message; count * bytes <= PAIR_BUFFER_BYTES */
	uint64_t delay_ns;
};

struct pair {
	struct measure *m;
	int peer; /* rank in m->comm */
	bool same_clock;
	uint64_t ref_own, ref_peer; /* ticks of both clocks at one instant */
	double peer_rate;           /* peer's ticks in one of mine */
	uint64_t lead;              /* from the message that names T to T, without `idle` [ticks] */
	uint64_t lead_most;    /* the lead's upper limit: beyond it, something else is the cause */
	uint64_t idle;         /* time that both spend outside MPI before T [ticks] */
	uint64_t synchronised; /* when [ticks]; 0: not yet */
	uint64_t ask_again;    /* time until the clocks are compared again [ticks] */
	unsigned late_in_row;
	unsigned samples, late; /* number so far, and of those in which a rank was late */
	/* lost the CPU at the instant: the sample means nothing */
	bool overslept;
	long preemptions;  /* of this thread when they were last looked at */
	int64_t waited_ns; /* ... and how long it had been without a CPU */
	/* samples in which it lost the CPU for a moment, and in which it did not lose it */
	unsigned moments, undisturbed;
	uint64_t deadline;    /* [ticks] */
	cpu_set_t processors; /* where this thread may run; restored at the end */
	bool pinned;
	char *send_buf, *recv_buf;
	size_t buffer_bytes; /* of each: PAIR_BUFFER_BYTES, or what measure.more needs */
};

/* The bytes of all messages of the step. */
static inline uint64_t step_bytes(const struct step *s)
{
	return s->kind == STEP_TRAIN ? s->count * s->bytes : s->bytes;
}

/* Further kinds of steps (STEP_MORE and above): one function a side, as step_send() and
 * step_recv(). */
struct more_steps {
	size_t buffer_bytes; /* of each buffer; PAIR_BUFFER_BYTES or more */
	int (*send)(struct pair *p, const struct step *s, uint64_t start, double *ns);
	int (*recv)(struct pair *p, const struct step *s, uint64_t start, double *ns);
};

/* One side of one sample (step.c), whose T is at own tick `start`. 0 or -EIO. */
int step_send(struct pair *p, const struct step *s, uint64_t start, double *ns);
int step_recv(struct pair *p, const struct step *s, uint64_t start, double *ns);

/* Spins until the clock reaches `ticks`. Returns the clock's value then. */
static inline uint64_t spin_until(uint64_t ticks)
{
	uint64_t now;

	while ((int64_t)((now = clock_ticks()) - ticks) < 0)
		;
	return now;
}

/*
 * Like spin_until(). Marks the sample as useless if the thread lost its CPU meanwhile: a send that
 * had to come before its receive may have come after it.
 */
static inline uint64_t spin_on_time(struct pair *p, uint64_t ticks)
{
	uint64_t now = spin_until(ticks);

	p->overslept |= now - ticks > clock_from_ns(5000);
	return now;
}

#endif
