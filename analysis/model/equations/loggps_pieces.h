/* SPDX-License-Identifier: BSD-3-Clause */
/* loggps_pieces.h: a message that its sender cuts into pieces, each sent eagerly. */
#ifndef TRYST_MODEL_LOGGPS_PIECES_H
#define TRYST_MODEL_LOGGPS_PIECES_H

#include <stdint.h>

#include "analysis/model/equations/loggps.h"

/*
 * By (4): time of a sender that sends `bytes` in pieces of `piece` bytes [ns]. The last piece may
 * be shorter. bytes > piece > 0, piece <= S. NAN: a parameter is unknown.
 */
double loggps_send_pieces(const struct loggps *p, uint64_t bytes, uint64_t piece);

/*
 * By (7), (8) for one piece after the other: time from the beginning of the receive until the
 * receiver has all pieces [ns]. lead_ns: from the beginning of the receive to that of the send;
 * below 0: the send began first.
 */
double loggps_receive_pieces(
	const struct loggps *p, uint64_t bytes, uint64_t piece, double lead_ns);

#endif
