/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h: two runs side by side.
 *
 *	run A --diff_take()--> side rows \
 *	                                  temporary database --sections' queries--> what changed
 *	run B --diff_take()--> side rows /
 *
 * A callsite of one run is that of the other if module (build-id) and offset are equal. Where the
 * module's build-id is not in both runs, because the program was built again, sites.c puts them
 * together by function, file, MPI function and their order.
 *
 * Is a change beyond the noise? Two launches of one program differ, and more than the waits within
 * one of them would let expect if they were independent. What a row may differ by is
 *
 *	H + sqrt(z^2 (V_A + V_B) + (0.1 max(W_A, W_B))^2 + (0.1 (P_A + P_B))^2)
 *
 *	V	variance of the row's sum W, by batch means (noise.c). Of time in collectives and
 *		other calls without messages, and of waits that have no place in time (live ones): W
 *		times the longest value. So one long wait alone never counts
 *	z	the normal quantile for which one of all the table's rows is beyond it by chance
 *		once in 20 times (Bonferroni)
 *	0.1 W	launches are in states of their own: medians of ping-pong differed by 7 % over
 *		shared memory, 10 % over TCP
 *	P	for how long the ranks had no processor though they could have run
 *		(run.cpu_wait_ns): which wait that time becomes is chance
 *	D	sum over ranks |P_A,r - P_B,r|
 *	H	sum over ranks min(max(W_A,r, W_B,r), D), where all others may wait for one that was
 *		held up longer. For what it waits itself in causes told from both sides' times it
 *		was not held up: there D is without its own part, if that went the way of W. No more
 *		than |T_A - T_B| + D, what all ranks can have lost by it; T: their time
 *
 * Where z sqrt(V_A + V_B) alone is as large as the larger W, not even a wait that is in one run
 * alone could be told: it takes about z^2 waits of one length, apart from each other, until it can.
 * A change that all the rest of the limit does not cover is then not called noise, but few.
 *
 * Measured with H = (n - 1) |sum P_A - sum P_B|, on two processors beside other work: of 540 pairs
 * of identical launches of five programs with 2 and 4 ranks 10 had a row beyond it. Where ranks had
 * their processors for most of the time, a dominant wait 1.35 times as long was told in 68 of 100
 * pairs, 1.6 times in 25 of 30 and 1.7 times in all of 100; where they had them for less than half,
 * in none.
 */
#ifndef TRYST_DIFF_DIFF_H
#define TRYST_DIFF_DIFF_H

#include "analysis/report/report.h"

extern const struct section diff_sections[];

/* SQL functions of the rule above (noise.c). 0, or a negative errno. */
int diff_noise_functions(sqlite3 *db);

/* An empty database for two runs, or NULL without memory. */
sqlite3 *diff_open(void);

/*
 * Takes over what a run, prepared by report_prepare(), has to say as side 0 (A) or 1 (B).
 * both_sides: waits are the exact ones. 0, or a negative errno; *failed is then the database that
 * has the message.
 */
int diff_take(
	sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides, sqlite3 **failed);

/*
 * Gives rows of `site` without an id that of the same callsite in the other run. 0, or a negative
 * errno.
 */
int diff_pair_sites(sqlite3 *diff);

/*
 * Call it when both runs are in: finds which callsites belong together, and what is noise. 0, or a
 * negative errno.
 */
int diff_compare(sqlite3 *diff);

#endif
