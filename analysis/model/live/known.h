/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * known.h: estimates the time of a message of a new length, from the longest message that was
 * timed.
 */
#ifndef TRYST_MODEL_LIVE_KNOWN_H
#define TRYST_MODEL_LIVE_KNOWN_H

#include <stdint.h>

/* The longest message that was timed. Zero-initialise: none was. */
struct known {
	uint64_t bytes;
	double ns;
};

/* Takes a message into account. Of one length the longest time counts. */
static inline void known_add(struct known *k, uint64_t bytes, double ns)
{
	if (bytes > k->bytes || (bytes == k->bytes && ns > k->ns))
		*k = (struct known){ .bytes = bytes, .ns = ns };
}

/*
 * Guesses the time of a message of `bytes` [ns], at least 1000. A message no longer than the known
 * one gets its time. A longer one gets more, in proportion to its length plus 1024 bytes, which
 * stand for the time that any message takes.
 */
static inline double known_guess_ns(const struct known *k, uint64_t bytes)
{
	double ns = bytes > k->bytes ? k->ns * (double)(bytes + 1024) / (double)(k->bytes + 1024) :
				       k->ns;

	return ns > 1000 ? ns : 1000;
}

#endif
