/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h: a report is a table of sections, a section a query.
 *
 *	dataset --report_prepare()--> temporary tables --sections' queries--> text, CSV, JSON
 *
 * The text of a report, its CSV and its JSON come from the same rows; how a column is shown
 * follows from its name (table.h). A new section is a line of report_sections[].
 *
 * A section may have two sets of queries: one over the views that every rank's database has, and
 * one over the tables that `tryst analyze` fills, which know both sides of each message. The second
 * is taken where the database was analyzed. No query reads rows of single messages: a report takes
 * as long for a million messages as for a thousand.
 */
#ifndef TRYST_REPORT_H
#define TRYST_REPORT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "table.h"

enum section_kind {
	SECTION_TABLE,
	SECTION_LINES,	/* in text: the first column of each row is sentences */
	SECTION_RAISED	/* as lines, and each one stands out: something was lost */
};

struct section_query {
	const char *title;	/* text only; NULL: none; "": an empty line */
	const char *sql;	/* may use :top; NULL: nothing is known */
	const char *text_sql;	/* for text, where it differs: sentences, or fewer columns */
	const char *below_sql;	/* text only: sentences below the rows; NULL: none */
};

struct section {
	const char *name;	/* for --sections, CSV and JSON */
	enum section_kind kind;
	const char *empty;	/* text where there are no rows; NULL: the section is left out */
	const char *empty_asked;	/* the same where it was asked for by its name, instead of its title */
	struct section_query one;	/* of what one side of each message knows */
	const struct section_query *both;	/* of both sides; NULL: the same as `one` */
};

/* In the order of the report, ended by an empty entry. */
extern const struct section report_sections[];

/* The queries over both sides that report_sections[] refers to (report_exact.c). */
extern const struct section_query report_verdict_exact, report_protocols_exact, report_causes_exact,
	report_callsites_exact,
	report_pairs_exact, report_bottlenecks_exact, report_collectives_exact, report_blame_exact,
	report_path_exact, report_model_exact, report_drift_exact, report_accuracy_exact;

/* Query: rank, what the waits for it cost [ns], and what it did instead mostly. */
extern const char report_blame_ranks[];

/* SQL text of blame and path: a call at `callsite`, or what was before it, and behind the call at `after`: enum trail_what. */
#define ACTIVITY(what, call, callsite_place, after_place) \
	"iif(" what " = 0, printf('in %s at %s', coalesce(" call ", 'the call'), coalesce(" callsite_place ", 'unknown'))," \
	" CASE " what " WHEN 1 THEN 'computing' WHEN 2 THEN 'in other calls of MPI' WHEN 4 THEN 'starting (in MPI_Init)'" \
	"  ELSE 'in time without rows' END" \
	" || coalesce(' between ' || " after_place " || ' and ' || " callsite_place "," \
	" ' after ' || " after_place ", ' before ' || " callsite_place ", ''))"

/*
 * SQL: ranks are late in turns, hardly one more than others. pct: how much of being late [%] is by those who wait as much for
 * others, 100 where each rank's shares of both are equal. Of two ranks one is then late a fifth more than the other at most.
 */
#define IN_TURNS(pct) "coalesce(" pct ", 0) >= 90"

/*
 * SQL: what is a parameter of a link as a whole. of_peer: the lowest rank of hosts of another kind, -1: of any of the
 * tier. As the index link_param_key has it, and without an affinity, which it lacks (+): found at once.
 */
#define LINK_OF(p, of_rank, of_tier, of_peer) \
	p ".rank = " of_rank " AND " p ".tier = " of_tier " AND coalesce(" p ".peer, -1) = +" of_peer \
	" AND coalesce(" p ".form, '') = '' AND coalesce(" p ".layout, '') = ''" \
	" AND " p ".model = 'LogGPS'"

/* SQL text: "measured 3 days ago by an earlier launch". */
#define MEASURED_AGO(age_s, by) \
	"'measured ' || CASE WHEN " age_s " IS NULL THEN 'at an unknown time'" \
	" WHEN " age_s " >= 172800 THEN printf('%d days ago', " age_s " / 86400)" \
	" WHEN " age_s " >= 7200 THEN printf('%d hours ago', " age_s " / 3600)" \
	" WHEN " age_s " >= 120 THEN printf('%d minutes ago', " age_s " / 60)" \
	" ELSE printf('%d s ago', " age_s ") END || ' by ' || coalesce(" by ", 'an earlier launch')"

/* SQL: what helps against a cause, unless that is among `resting`, which rest on the numbers of links, and these are unconfirmed. */
#define HELPS(cause, resting) \
	"iif(" cause " IN (" resting ") AND (SELECT text FROM unconfirmed) <> '', '(unconfirmed)', helps(" cause "))"

/* What the system said when it refused to write a rank's rows; NULL: those that are missing were too many. */
#define WHY_NOT_WRITTEN(of_rank) "(SELECT w.value FROM run w WHERE w.rank = " of_rank " AND w.key = 'lost_reason')"

struct report_layout {
	enum table_format format;
	int columns;		/* width to fit */
	int64_t top;		/* rows of a ranking */
	const char *sections;	/* names, separated by commas; NULL: all */
	bool analyzed;		/* take the queries over both sides: report_prepare() */
};

/*
 * Prepares `db` (see dataset.h) for the sections' queries: SQL functions and temporary tables.
 * *analyzed tells whether both sides of the messages are known; with `one_side` they count as not
 * known. Returns 0 or a negative errno with sqlite3_errmsg() set.
 */
int report_prepare(sqlite3 *db, bool one_side, bool *analyzed);

/* The part of it about calls that have not returned (report_hang.c). An SQLite code. */
int report_prepare_hang(sqlite3 *db, bool analyzed);

/* The part of it that needs the tables of `tryst analyze` (report_exact.c). An SQLite code. */
int report_prepare_exact(sqlite3 *db);

/*
 * Fills temp.peer_side: what the other sides of messages that waited did, by callsite and cause, of
 * a sample of the run (report_sample.c). An SQLite code.
 */
int report_sample(sqlite3 *db);

/* Fills temp.bottleneck: what rendezvous cost, why, and what helps (report_bottlenecks.c). */
int report_prepare_bottlenecks(sqlite3 *db);

/*
 * Registers inside_ns(rank, from_ns, to_ns): how much of that time, on the rank's own clock, some
 * thread of the rank was inside MPI; NULL where its `busy` rows do not reach that far. To be removed
 * before `db` is closed: the function holds statements. SQLite codes (report_inside.c).
 */
int report_inside_function(sqlite3 *db);
int report_inside_remove(sqlite3 *db);

/*
 * Prints `sections`. Returns 0; -EINVAL where options->sections names no section (*unknown is
 * then its beginning); -EIO with sqlite3_errmsg() set where a query fails, after all the others.
 */
int report_print(FILE *out, sqlite3 *db, const struct section *sections,
	const struct report_layout *options, const char **unknown);

/*
 * SQL functions: short_file(path), duration(ns), size(bytes), is_collective(call), is_query(call),
 * is_polling(call), is_other(call), helps(cause); the aggregates rank_list(rank), cpu_count(core_map), link_key(name, value, source).
 */
int report_functions(sqlite3 *db);

/* What helps against a cause, in a few words; NULL where nothing is known. */
const char *report_helps(const char *cause);

#endif
