/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h: what all threads did, for the page's timeline.
 *
 *	export_thread() --> calls and their waits --> columns, a number a call in each
 *	match_row       --> messages              --> columns, a number a message in each
 *	both            --> bins: parts of the time of each thread in each state
 *
 * A call is one mark. TIMELINE_CALLS marks are kept at most: with more calls in the run, the
 * shortest calls have no mark of their own, and "least_ns" says how long the others are. Times are
 * in ticks of "tick_ns": a nanosecond, or more in runs with many calls. The bins hold all calls.
 * Behind a lane's "recorded_ns" rows of calls are missing (queries/recorded.sql): time between the
 * calls that remain is "not recorded", no computation.
 */
#ifndef TRYST_HTML_TIMELINE_H
#define TRYST_HTML_TIMELINE_H

#include <sqlite3.h>
#include <stdio.h>

#include "analysis/base/say.h"

enum {
	TIMELINE_CALLS = 3000000,    /* marks at most */
	TIMELINE_MESSAGES = 1500000, /* arrows at most */
	TIMELINE_FINE = 300000,      /* marks up to which a tick is a nanosecond */
	TIMELINE_BINS = 1 << 20      /* bins at most, over all threads */
};

struct timeline;

/*
 * Reads the calls of run.db. Returns 0 and *out, to be freed, or a negative errno, said. `db` must
 * stay open.
 */
int timeline_new(struct timeline **out, sqlite3 *db, const char *name, const struct say *say);

/* Writes a JSON object: names, places, threads and bins. Returns 0 or a negative errno, said. */
int timeline_write_overview(FILE *out, struct timeline *t);

/*
 * Writes a JSON object: the columns of calls and messages. After the overview, once. Returns 0 or a
 * negative errno, said.
 */
int timeline_write_calls(FILE *out, struct timeline *t);

/* Accepts NULL. */
void timeline_free(struct timeline *t);

#endif
