/* SPDX-License-Identifier: BSD-3-Clause */
/* tags.h: tags of the messages on our own communicator. */
#ifndef TRYST_TAGS_H
#define TRYST_TAGS_H

enum {
	TAG_CONTROL = 1, /* steps, ready, go, times */
	TAG_DATA,        /* the measured messages */
	TAG_WAKE,        /* ends a follower's sleep */
	TAG_CLOCK,       /* start/sync.c: asks for the time, in MPI_Init */
	TAG_CLOCK_ZERO,  /* ... asks for the zero of times */
	TAG_CLOCK_HELLO, /* ... greets, in MPI_Finalize */
	TAG_CLOCK_END,   /* ... asks for the time, in MPI_Finalize */
	TAG_UNUSED       /* never sent: for probes that only make progress */
};

#endif
