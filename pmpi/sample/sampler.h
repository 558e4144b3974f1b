/* SPDX-License-Identifier: BSD-3-Clause */
/* sampler.h: the samples of one thread of the program. */
#ifndef TRYST_SAMPLE_SAMPLER_H
#define TRYST_SAMPLE_SAMPLER_H

#include <sys/types.h>

#include "pmpi/record/thread.h"
#include "pmpi/sample/buffer.h"

struct sampler {
	struct buffer buffer; /* page NULL: no event */
	pid_t tid;
};

/* State that the samplers of all threads share. */
struct sampling {
	uint64_t period_ns;           /* 0: off */
	uint32_t stack_bytes;         /* of each sample */
	_Atomic int refused;          /* a negative errno of the kernel; 0: none */
	int64_t time_offset_ns;       /* of this time namespace's CLOCK_MONOTONIC_RAW */
	_Atomic int64_t pages;        /* that may still be mapped */
	_Atomic uint64_t since_ticks; /* what is earlier is left out: recording was off */
	_Atomic uint64_t in_calls;    /* samples of the first thread inside calls */
	_Atomic uint64_t lost_bytes;
	_Atomic uint64_t lost_in_calls; /* bytes of lost_bytes that were recorded inside calls */
	_Atomic uint64_t unsampled;     /* threads without an event */
	_Atomic uint64_t unlocked;      /* of these, those for which no memory could be locked */
	_Atomic uint64_t small;         /* threads with a smaller buffer, for the same reason */
};

extern struct sampling sampling;

/* Between which calls the records to be read lie, and whose they are. */
struct sampled {
	struct thread *writer; /* gets the records in its ring; the calling thread */
	uint32_t thread;
	uint32_t callsite;   /* of the call that is entered; 0: none */
	uint32_t after;      /* callsite of the call left last; 0: none */
	uint64_t left_ticks; /* when that call was left: what is earlier lies in it */
};

/* Opens the event of thread `tid`; 0: the calling one. False: there is none, and it is counted. */
bool sampler_open(struct sampler *s, pid_t tid);

/* Ends the event. What was not read is lost. */
void sampler_close(struct sampler *s);

/* Makes records of all that is new. Changes errno. */
void sampler_read(struct sampler *s, const struct sampled *of);

#endif
