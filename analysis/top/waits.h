/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h: who waits for whom, from what each rank's mark says at one look. Pure.
 *
 * A rank in a collective waits for the members that have not begun it. A ring is told only where no
 * rank in it can go on:
 *
 *	goes on		a rank that does not wait, whose wait is young, or that waits for unknown
 *			ranks or for any one that goes on
 *	ring		the others wait for each other only: walking from one to the next comes back
 */
#ifndef TRYST_TOP_WAITS_H
#define TRYST_TOP_WAITS_H

#include <stdbool.h>
#include <stdint.h>

enum want {
	WANT_NOTHING,
	WANT_RANKS,     /* those in peer[] */
	WANT_COLLECTIVE /* the other members of a communicator */
};

struct waiter {
	int32_t rank;
	bool waits;
	bool stays;   /* it has waited for so long that no message to it is on its way */
	bool certain; /* it needs all whom it waits for, as far as is known */
	enum want want;
	const int32_t *peer; /* ranks, WANT_RANKS */
	uint32_t npeers;
	uint64_t uid; /* of the communicator, WANT_COLLECTIVE */
	uint64_t number;
	int32_t members;
	/* Collectives that it has begun in communicators of any uid. */
	const struct comm_known *comm;
	uint32_t ncomms;

	/* Results. */
	uint32_t first, nwanted; /* whom it waits for: waits.wanted[first...] */
	int32_t origin; /* the rank at the end of the chain; itself where it waits for nobody */
	int32_t behind; /* ranks that wait for it, directly or through others */
	int32_t ring;   /* its number; -1: in none */
};

struct waits {
	int32_t *wanted; /* ranks */
	uint32_t nwanted, wanted_room;
	/* Rings, one behind the other: ranks, each ring ended by -1. */
	int32_t *ring;
	uint32_t nring, ring_room, nrings;
};

/* `n` waiters by rank. Zero *w before the first call. 0 or -ENOMEM. */
int waits_find(struct waits *w, struct waiter *waiter, uint32_t n);

/*
 * The circle in which the rank of `start` is, as far as is seen now: it may still open. Puts its
 * ranks into member[most]. Returns how many; 0: it is in none, or in a longer one.
 */
uint32_t waits_circle(const struct waits *w, struct waiter *waiter, uint32_t n,
	const struct waiter *start, int32_t *member, uint32_t most);

void waits_release(struct waits *w);

/* The waiter of a rank; NULL: there is none. */
struct waiter *waiter_of(struct waiter *waiter, uint32_t n, int32_t rank);

#endif
