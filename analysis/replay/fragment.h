/* SPDX-License-Identifier: BSD-3-Clause */
/* fragment.h: a message that its sender cuts into pieces, each sent eagerly. */
#ifndef TRYST_REPLAY_FRAGMENT_H
#define TRYST_REPLAY_FRAGMENT_H

#include <stdint.h>

#include "analysis/model/equations/loggps.h"

/*
 * By (4): how long a sender takes that sends `bytes` in pieces of `piece` bytes, of which the last
 * one may be shorter [ns]. bytes > piece > 0, piece <= S. NAN: a parameter is not known.
 */
double replay_send_pieces(const struct loggps *p, uint64_t bytes, uint64_t piece);

/*
 * By (7), (8) for one piece after the other: when the receiver has all, since it began to receive.
 * lead_ns: the sender began so long after it; below 0: before it.
 */
double replay_receive_pieces(
	const struct loggps *p, uint64_t bytes, uint64_t piece, double lead_ns);

#endif
