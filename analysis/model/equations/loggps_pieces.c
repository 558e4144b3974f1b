/* SPDX-License-Identifier: BSD-3-Clause */
/* loggps_pieces.c: computes the time of a message sent in pieces (loggps_pieces.h). */
#include "analysis/model/equations/loggps_pieces.h"

#include <math.h>

/* The shorter piece at the end; 0: there is none. */
static uint64_t last_piece(uint64_t bytes, uint64_t piece)
{
	return bytes % piece;
}

double loggps_send_pieces(const struct loggps *p, uint64_t bytes, uint64_t piece)
{
	const uint64_t last = last_piece(bytes, piece);

	return (double)(bytes / piece) * loggps_send(p, piece, 0, 0) +
		(last ? loggps_send(p, last, 0, 0) : 0);
}

/* The piece's flight, without overheads; 0 if they overlap the delivery. */
static double flight(const struct loggps *p, uint64_t bytes)
{
	const double ns =
		loggps_message(p, bytes, 0, 0) - loggps_T1(p, bytes) - loggps_T3(p, bytes);

	return ns < 0 ? 0 : ns;
}

double loggps_receive_pieces(const struct loggps *p, uint64_t bytes, uint64_t piece, double lead_ns)
{
	const uint64_t last = last_piece(bytes, piece);
	const double n = (double)(bytes / piece);
	const double sending = loggps_send(p, piece, 0, 0), T3 = loggps_T3(p, piece);
	const double first_there = lead_ns + sending + flight(p, piece);
	const double last_there = first_there + (n - 1) * sending;
	/* the receiver, the first piece or the last one decides: those between lie on a line */
	double done = n * T3, there;

	if (isnan(done + first_there))
		return NAN;
	done = fmax(done, first_there + n * T3);
	done = fmax(done, last_there + T3);
	if (!last)
		return done;
	there = lead_ns + n * sending + loggps_send(p, last, 0, 0) + flight(p, last);
	return isnan(there) ? NAN : fmax(done, there) + loggps_T3(p, last);
}
