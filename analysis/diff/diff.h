/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h: compares two runs.
 *
 *	run A --diff_take()--> side rows \
 *	                                  temporary database --sections' queries--> what changed
 *	run B --diff_take()--> side rows /
 *
 * Two callsites are the same if module (build-id) and offset are equal. If the program was built
 * again, its build-id is only in one of the runs. Then callsites are paired by function, file, MPI
 * function and their order.
 *
 * Is a change beyond the noise? Two launches of one program differ more than independent waits
 * would. A row may differ by
 *
 *	H + sqrt(z^2 (V_A + V_B) + (0.1 max(W_A, W_B))^2 + (0.1 (P_A + P_B))^2)
 *
 *	V	variance of the row's sum W, by batch means (noise.c). Times without an instant have
 *		no batches: collectives, other calls without messages, live waits. For these, V is W
 *		times the longest value, so that a single long wait never counts
 *	z	the normal quantile that any of the table's rows exceeds by chance once in 20
 *		comparisons (Bonferroni)
 *	0.1 W	launches differ in speed: medians of ping-pong differed by 7 % over shared memory
 *		and by 10 % over TCP
 *	P	the CPU loss of the ranks (run.cpu_wait_ns): chance decides which wait it prolongs
 *	D	sum over ranks |P_A,r - P_B,r|
 *	H	sum over ranks min(max(W_A,r, W_B,r), D): all others may wait for a rank that was
 *		held up longer. A rank's own wait is not due to its own CPU loss. So for causes
 *		found from both sides' times, D leaves out the rank's own part if it changed in the
 *		same direction as W. H is at most |T_A - T_B| + D, the most that all ranks can have
 *		lost; T is their time
 *
 * If z sqrt(V_A + V_B) alone is as large as the larger W, even a wait that only one run has would
 * be within the limit. About z^2 separate waits of one length are needed to exceed it. If a change
 * exceeds the rest of the limit, it is then called few (too few waits to tell), not noise.
 *
 * If one run has n events of a row and the other none, their number shows whether this is chance.
 * If both runs had such events equally often, all n would be in one run with a chance of 2^(1-n).
 * If that is below once in 20 tables, V is 0. All waits in one of 128 parts of the run count as one
 * event. If their times are unknown, ten waits do. A call that only one run makes is no chance.
 *
 * The run time may differ by D + sqrt((0.1 max(T_A, T_B))^2 + (0.1 (P_A + P_B))^2), where T is the
 * time of the run.
 *
 * Measured with H = (n - 1) |sum P_A - sum P_B|, on two processors beside other work: of 540 pairs
 * of identical launches of five programs with 2 and 4 ranks, 10 had a row beyond the limit. With
 * CPUs for most of the time, a dominant wait that became 1.35 times as long was found in 68 of 100
 * pairs; 1.6 times in 25 of 30; 1.7 times in all of 100. With CPUs for less than half of the time,
 * it was found in none.
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
 * Copies the rows of a run, prepared by report_prepare(), as side 0 (A) or 1 (B). both_sides: takes
 * the exact waits. 0, or a negative errno; *failed is then the database that has the message.
 */
int diff_take(
	sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides, sqlite3 **failed);

/*
 * Rows of `site` without an id get the id of the same callsite in the other run. 0, or a negative
 * errno.
 */
int diff_pair_sites(sqlite3 *diff);

/*
 * After both diff_take(): pairs the callsites and judges each change. 0, or a negative errno.
 */
int diff_compare(sqlite3 *diff);

#endif
