/* SPDX-License-Identifier: BSD-3-Clause */
/* fragment.h: a message that its sender cuts into pieces, each sent eagerly. */
#ifndef TRYST_REPLAY_FRAGMENT_H
#define TRYST_REPLAY_FRAGMENT_H

#include <stdint.h>

#include "analysis/model/equations/loggps.h"

/*
 * By (4): time of a sender that sends `bytes` in pieces of `piece` bytes [ns]. The last piece may
 * be shorter. bytes > piece > 0, piece <= S. NAN: a parameter is not known.
 */
double replay_send_pieces(const struct loggps *p, uint64_t bytes, uint64_t piece);

/*
 * By (7), (8) for one piece after the other: time from the beginning of the receive until the
 * receiver has all pieces [ns]. lead_ns: from the beginning of the receive to that of the send;
 * below 0: the send began first.
 */
double replay_receive_pieces(
	const struct loggps *p, uint64_t bytes, uint64_t piece, double lead_ns);

#endif
