/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggps.h: LogGPS, the model of messages that are sent short, eagerly or by rendezvous.
 *
 * Source: LogGPS (Ino, Fujimoto, Hagihara), Tables 3, 4 and 6; numbers in parentheses are its
 * equations. Terms of one message of k bytes, t_s and t_r the entries of send and receive:
 *
 *	T1  = o + k O_ss       sending it               short: k <= s
 *	T2  = L + k G_s        its flight
 *	T3  = o + k O_rs       receiving it
 *	T1' = o + k O_sl,  T2' = L + s G_s + (k - s) G_l,  T3' = o + k O_rl       long: k > s
 *	T4  = max{o + L, t_r - t_s} + o                 the request of a rendezvous, k > S
 *	T5  = o + L + o                                 its acknowledgement
 *
 * Not in the source, ours:
 * - Sums. Over shared memory overheads overlap delivery, so that L and G alone come out near zero
 *   or below, while sums are sound. A struct loggps carries the sums that predictions need, and
 *   its parts may be NAN.
 * - A third triple (O_sr, O_rr, G_r): a rendezvous may move the data by another mechanism than an
 *   eager message (one copy instead of two). The long slopes then do not hold for it. Without other
 *   values the triple equals the long one, as in the source's model.
 * - Knees: caches make a byte dearer beyond some length. A knee at c adds slope (k - c) to the
 *   transfer of a longer message of the same regime. If all knees together add time, T1, T2
 *   and T3 share it like the slopes. If they take time away (parts of a message overlap), T2 has
 *   it. A rendezvous send has a part of its own, knees_sr, if that was fitted.
 * - r_r: a rendezvous send may return before its last bytes have left the machine, or after an end
 *   that the receiver does not wait for; its time is T4 + T5 + T1' + r_r.
 * - o_diff: the source has one o for both calls. If a receive takes longer than a send, a send up
 *   to S takes o - o_diff and a receive o + o_diff. Their sum stays the source's, and so does the
 *   time of each message and round trip.
 * - idle, idle_k: while a rank idles for w, others use its caches. So a round trip above S takes
 *   w (idle + k idle_k) longer than (14). Below S the difference is too small to be measured.
 * - S_p and r_p (4b): an eager send longer than S_p returns only after the receiver's progress.
 */
#ifndef TRYST_MODEL_EQUATIONS_LOGGPS_H
#define TRYST_MODEL_EQUATIONS_LOGGPS_H

#include <stdint.h>

enum loggps_regime { LOGGPS_SHORT, LOGGPS_LONG, LOGGPS_RENDEZVOUS, LOGGPS_REGIMES };

struct loggps_slopes {
	double O_s, O_r, G; /* ns/B; NAN: not identified */
	double sum;         /* O_s + G + O_r */
};

struct loggps_knee {
	uint64_t at;  /* B */
	double slope; /* ns/B more beyond it, or less */
};

enum { LOGGPS_KNEES_MAX = 36 }; /* of all regimes */

struct loggps {
	double L, o; /* ns; L may be NAN */
	/* ns that a receive's o is above o, and a send's below, k <= S */
	double o_diff;
	double one_way;    /* 2o + L */
	double rendezvous; /* T4 + T5 with t_r = t_s; by the source 2 (2o + L) */
	/* s (G_s - G_l): the long line's distance above one_way at k = 0 */
	double jump_long;
	double r_r; /* ns that a send above S takes beyond T4 + T5 + T1' */
	/* part of the knees in a send above S; NAN: as its slope's */
	double knees_sr;
	/* ns, and ns/B, that a ns of idling adds to a round trip above S */
	double idle, idle_k;
	/* ns that the receiver's progress adds to a send, S_p < k <= S */
	double r_p;
	uint64_t s, S, S_p; /* B; UINT64_MAX: no border seen */
	struct loggps_slopes by[LOGGPS_REGIMES];
	unsigned nknees;
	struct loggps_knee knee[LOGGPS_KNEES_MAX]; /* `at` ascends */
};

/*
 * Computes values that are NAN from known ones: sums from parts, rendezvous and its slopes by the
 * source's model, r_p = 0. Values that do not follow stay NAN. A long G that is not separable
 * counts as G_s in jump_long (its effect is bounded by s times the sum).
 */
void loggps_complete(struct loggps *p);

/*
 * For links without knees whose S was raised from S_was: beyond S_was, a byte of an eager message
 * takes at most twice as long to transfer as a byte of a rendezvous. An eager message is copied
 * twice, a rendezvous at least once. The slope of eager messages is known from shorter ones alone,
 * and leads far off if one of them was disturbed. Overheads stay.
 */
void loggps_bound_slope(struct loggps *p, uint64_t S_was);

/* Regime of k bytes in standard mode. */
enum loggps_regime loggps_regime(const struct loggps *p, uint64_t k);

/*
 * The time of k bytes without one_way and jump_long: what each of many messages in sequence adds
 * [ns]. NAN: unknown.
 */
double loggps_transfer(const struct loggps *p, uint64_t k);

/*
 * The time that the knees add to the transfer of k bytes, and that its overheads share. 0 if the
 * knees take time away.
 */
double loggps_knees(const struct loggps *p, uint64_t k);

double loggps_T1(const struct loggps *p, uint64_t k); /* T1 or T1' */
double loggps_T3(const struct loggps *p, uint64_t k); /* T3 or T3' */

/*
 * The times, NAN where a parameter that they need is. late = t_r - t_s [ns], below 0 where the
 * sender is late. `synchronous` makes every size a rendezvous (the slopes stay those of its size).
 */

/* (1), (2), (3): from the send's entry until the receive returns. */
double loggps_message(const struct loggps *p, uint64_t k, int synchronous, double late);

/* (4), (5): inside MPI_Send. */
double loggps_send(const struct loggps *p, uint64_t k, int synchronous, double late);

/* (7), (8), (9): inside MPI_Recv. */
double loggps_recv(const struct loggps *p, uint64_t k, int synchronous, double late);

/* (12), (13), (14): round trip with w ns of idling before the sender's receive, w included. */
double loggps_rtt(const struct loggps *p, uint64_t k, int synchronous, double w);

#endif
