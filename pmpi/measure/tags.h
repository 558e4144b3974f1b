/* SPDX-License-Identifier: BSD-3-Clause */
/* tags.h: tags of the messages on the communicator that measures. */
#ifndef TRYST_TAGS_H
#define TRYST_TAGS_H

enum {
	TAG_CONTROL = 1, /* steps, ready, go, times */
	TAG_DATA,        /* what is measured */
	TAG_WAKE,        /* ends a follower's sleep */
	TAG_CLOCK,       /* start/sync.c: what time is it, in MPI_Init */
	TAG_CLOCK_ZERO,  /* ... where is your zero */
	TAG_CLOCK_HELLO, /* ... here I am, in MPI_Finalize */
	TAG_CLOCK_END,   /* ... what time is it, there */
	TAG_UNUSED       /* nobody sends it: to be inside MPI for nothing */
};

#endif
