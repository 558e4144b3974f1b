/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h: two runs side by side.
 *
 *	run A --diff_take()--> side rows \
 *	                                  temporary database --sections' queries--> what changed
 *	run B --diff_take()--> side rows /
 *
 * A callsite of one run is that of the other if module (build-id) and offset are equal. Where the
 * module's build-id is not in both runs, because the program was built again, diff_sites.c puts them
 * together by function, file, MPI function and their order.
 *
 * Is a change beyond the noise? Let W be the sum and M the longest single value (wait, or time in
 * a call) of each run. A change counts if it is larger than both
 *
 *	2 sqrt(M_A W_A + M_B W_B)	a sum of independent values, none above M, has a variance of
 *					at most M W, also where their number is left to chance; so
 *					one long wait alone never counts
 *	0.1 max(W_A, W_B)		two launches of one program differ by so much: medians of
 *					ping-pong did, by 7 % over shared memory, 10 % over TCP
 */
#ifndef TRYST_DIFF_H
#define TRYST_DIFF_H

#include "report.h"

extern const struct section diff_sections[];

/* An empty database for two runs, or NULL without memory. */
sqlite3 *diff_open(void);

/*
 * Takes over what a run, prepared by report_prepare(), has to say as side 0 (A) or 1 (B).
 * both_sides: waits are the exact ones. Returns an SQLite code; *failed is then the database that
 * has the message.
 */
int diff_take(sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides,
	sqlite3 **failed);

/* Rows of `site` without an id get one: that of the callsite in the other run which they are. An SQLite code. */
int diff_pair_sites(sqlite3 *diff);

/* When both are in: finds which callsites belong together, and what is noise. An SQLite code. */
int diff_compare(sqlite3 *diff);

#endif
