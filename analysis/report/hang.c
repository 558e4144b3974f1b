/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hang.c: why calls that have not returned never will.
 *
 *	wrong         an operation in a call that the library refuses, or a probe (op_id 0): an
 *		      error that ends the job, if the program has not asked for another handling
 *	cycle         ranks that wait for each other
 *	misfit        a receive without a message, and a message without a receive that differs in
 *		      one thing; or one whose message is longer, which is such an error, too
 *	unlike        a collective that others call by another name
 *	reached       of communicators in which collectives are pending: the last one that a member
 *		      has begun
 *
 * hang_words.c puts them into words.
 *
 * What is on its way may still come: the first two (but for longer messages) are told only where no
 * pending op was matched, and all of ranks that still run, whose records are read one after the
 * other, only after five seconds.
 */
#include <config.h>

#include "analysis/format/db/db.h"
#include "analysis/report/report.h"
#include "analysis/report/queries.h"

static const char *const of_one_side[] = { sql_report_hang_reached, sql_report_hang_wrong, NULL };
static const char *const of_both_sides[] = { sql_report_hang_awaited, sql_report_hang_cycle,
	sql_report_hang_misfit, sql_report_hang_longer, NULL };

int report_prepare_hang(sqlite3 *db, bool analyzed)
{
	int rc = facts_make(db, of_one_side);

	if (!rc && analyzed)
		rc = facts_make(db, of_both_sides);
	return rc ? rc : db_exec_quiet(db, sql_report_hang_unlike);
}
