/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match.h: pairs every send with its receive, and finds which rank waited for which.
 *
 *	op rows of all ranks, by post --> queues --> pairs --> parts of the excess --> rows
 *	    (ranks/ranks.h, in step by time)   (ranks/queue.h)   (settle.h)           (output.h)
 *
 * One pass over the ranks' rows in the order of common time. Memory only holds ops in flight:
 * posted on one side and not yet on the other, or waiting for the rest of their completion call. So
 * memory grows with the messages in flight, not with the run.
 */
#ifndef TRYST_MATCH_H
#define TRYST_MATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/blame/blame_result.h"
#include "analysis/base/say.h"

/* Enough for 10 million op rows, two a match. In larger runs only matches that waited get rows. */
enum { MATCH_MAX_ROWS = 5000000 };

struct match_options {
	uint64_t max_rows; /* of table match; 0: MATCH_MAX_ROWS */
	uint64_t memory;   /* for chunks and windows [bytes]; 0: 128 MiB */
	uint32_t waits;    /* held in memory until they are written; 0: HISTORY_WAITS_HELD */
	/* called now and then with the number of ops read, and of all; may be NULL */
	void (*progress)(const char *what, uint64_t done, uint64_t all);
};

struct match_result {
	uint64_t ops;          /* read */
	uint64_t matched;      /* messages: pairs of ops */
	uint64_t unmatched;    /* ops; ops == 2 * matched + unmatched */
	uint64_t rows;         /* written to table match */
	uint64_t bytes_differ; /* pairs with contradicting sizes */
	uint64_t order_unsure; /* pairs of threads that posted to the same peer at the same time */
	uint64_t violations_before; /* messages received before they were sent, by the ranks' own
				       clocks */
	uint64_t violations;        /* the same, corrected */
	uint64_t collectives;       /* instances seen */
	uint64_t collectives_cut;   /* of these, with members missing */
	uint64_t in_flight_max;     /* ops in memory at once */
	struct blame_result blame;
};

/*
 * Fills the tables of schema.sql's section "Both sides together" in `db` (run.db, open for
 * writing), and replaces their old content. Returns 0 or a negative errno, printed.
 */
int match_run(sqlite3 *db, const struct match_options *options, struct match_result *result,
	const struct say *say);

/* Is it a table that match_run() fills? */
bool match_fills(const char *table);

#endif
