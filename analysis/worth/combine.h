/* SPDX-License-Identifier: BSD-3-Clause */
/* combine.h: several messages of a rank to a peer become one (an edit, to be undone). */
#ifndef TRYST_WORTH_COMBINE_H
#define TRYST_WORTH_COMBINE_H

#include "analysis/worth/gain.h"

enum { WORTH_COMBINED_MAX = 64 };

/*
 * Makes n >= 1 messages of a pair of ranks one with so many bytes, as edit_aggregate() does.
 * Above S it waits for its receiver. False: its time is unknown; above 1 MiB it is.
 */
bool worth_put_into_one(
	struct worth *w, const uint32_t *sends, uint32_t n, uint64_t bytes, bool received_last);

/* Messages of a rank's callsite to a peer. */
struct worth_stream {
	int64_t rank, peer;
	uint32_t site; /* REPLAY_NONE: none */
};

/*
 * Combines every `by` of them (at most WORTH_COMBINED_MAX) into one. False: too few of them can be,
 * or the time of the long messages is unknown: above 1 MiB it is. Too few: of a stream, not more
 * than half; of rounds, not more than half follow another one at once.
 */
typedef bool worth_combine(struct worth *w, const struct worth_stream *stream, uint32_t by);

/* An answer ends a group early. Messages whose calls also post or complete others stay as they are.
 */
worth_combine worth_combine_stream;

/*
 * With as many of the peer's messages to the rank. A group ends early if a rank computes between
 * two rounds longer than it is in their calls, or calls something else. A round with calls of
 * others between its own stays as it is.
 */
worth_combine worth_combine_rounds;

#endif
