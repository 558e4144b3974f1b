/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h: a report is a table of sections, a section a list of questions.
 *
 *	dataset --report_prepare()--> temporary tables --sections' questions--> facts (facts.h)
 *	facts --> text, CSV, JSON
 *
 * The text of a report, its CSV and its JSON come from the same facts; how a column is shown
 * follows from its name (text/table.h). A new section is a line of report_sections[].
 *
 * A section may have two sets of queries: one over the views that every rank's database has, and
 * one over the tables that `tryst analyze` fills, which know both sides of each message. The second
 * is taken where the database was analyzed. No query reads rows of single messages: a report takes
 * as long for a million messages as for a thousand.
 */
#ifndef TRYST_REPORT_REPORT_H
#define TRYST_REPORT_REPORT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/report/facts.h"
#include "analysis/text/table.h"

enum section_kind {
	SECTION_TABLE,
	SECTION_LINES, /* in text: sentences */
	SECTION_RAISED /* as lines, and each one stands out: something was lost */
};

enum { SECTION_QUESTIONS = 16 };

struct section_query {
	const char *title;                      /* text only; NULL: none; "": an empty line */
	bool is_paragraph;                      /* all that is said makes one line */
	struct question ask[SECTION_QUESTIONS]; /* in the order of the text; one is for data */
};

struct section {
	const char *name; /* for --sections, CSV and JSON */
	enum section_kind kind;
	const char *empty;        /* text where there are no rows; NULL: the section is left out */
	const char *empty_asked;  /* where its name was asked for, without the title */
	struct section_query one; /* of what one side of each message knows */
	const struct section_query *both; /* of both sides; NULL: the same as `one` */
	bool asked;                       /* in text only where its name was asked for */
	const char *when; /* a query: the section is left out where it gives 0; NULL: never */
};

/* In the order of the report, ended by an empty entry. */
extern const struct section report_sections[];

#define QUESTIONS_OF_SUMMARY                                                                       \
	{ .sql = sql_report_summary_programs, .use = FOR_TEXT, .say = { say_programs } },          \
		{ .sql = sql_report_summary,                                                       \
			.say = { say_run },                                                        \
			.data = "program,ranks_read,ranks,hosts,mpi,run_ns,run_most_ns,"           \
				"all_ranks_ns,no_processor_ns,slept_outside_ns,messages,"          \
				"ops_without_partner,not_received,spawned_worlds" },               \
		{ .sql = sql_report_summary_shared, .use = FOR_TEXT, .say = { say_shared } },      \
		{ .sql = sql_report_overhead, .use = FOR_TEXT, .say = { say_overhead_much } },     \
		{ .sql = sql_report_summary, .use = FOR_TEXT, .say = { say_spawned } },            \
		{ .sql = sql_report_summary_messages, .use = FOR_TEXT, .say = { say_messages } },  \
	{                                                                                          \
		.sql = sql_report_summary_not_received, .use = FOR_TEXT,                           \
		.say = { say_not_received }                                                        \
	}

#define QUESTION_OF_LOSSES                                                                         \
	{                                                                                          \
		.sql = sql_report_losses, .say = { say_loss_proper },                              \
		.made = { { "text", say_loss } }, .data = "loss,ranks,count,unit,text"             \
	}

#define QUESTION_OF_PENDING                                                                        \
	{                                                                                          \
		.sql = sql_report_pending, .is_ranking = true,                                     \
		.made = { { "why", say_pending_why } }, .say = { say_pending },                    \
		.data = "rank,call,kind,peer,tag,bytes,age_ns,state,where,why"                     \
	}

/* Before the verdict if the job seems to hang, behind it if not. */
#define SECTION_OF_PENDING_NOW(asked)                                                              \
	{                                                                                          \
		.name = "pending", .kind = SECTION_LINES, .empty_asked = "Nothing is pending.",    \
		.when = (asked),                                                                   \
		.one = {.title = "PENDING in the running job: begun, and not completed so far",    \
			.ask = { QUESTION_OF_PENDING } }                                           \
	}

/* The queries over both sides that report_sections[] refers to (both_sides.c). */
#define QUESTIONS_OF_OUTLOOK                                                                       \
	{ .sql = sql_report_outlook_told, .use = FOR_TEXT, .say = { say_outlook } },               \
		{ .sql = sql_report_verdict_wrong, .use = FOR_TEXT, .say = { say_wrong_call } },   \
		{ .sql = sql_report_verdict_misfit,                                                \
			.use = FOR_TEXT,                                                           \
			.say = { say_misfit_receive } },                                           \
		{ .sql = sql_report_verdict_cycle, .use = FOR_TEXT, .say = { say_cycle } },        \
		{ .sql = sql_report_verdict_unlike, .use = FOR_TEXT, .say = { say_unlike } },      \
		{ .sql = sql_report_verdict_ended_by, .use = FOR_TEXT, .say = { say_ended_by } },  \
		{ .sql = sql_report_outlook_told, .use = FOR_TEXT, .say = { say_outlook_end } },   \
	{                                                                                          \
		.sql = sql_report_verdict_doubt, .use = FOR_TEXT, .say = { say_doubt }             \
	}

#define QUESTION_OF_PATTERN_FIRST                                                                  \
	{                                                                                          \
		.sql = sql_report_pattern_first, .use = FOR_TEXT,                                  \
		.say = { say_pattern_where,                                                        \
			say_pattern_why,                                                           \
			say_pattern_do,                                                            \
			say_pattern_worth }                                                        \
	}

#define QUESTION_OF_DRIFT                                                                          \
	{                                                                                          \
		.sql = sql_report_drift, .say = { say_drift },                                     \
		.data = "tier,name,form,bytes,ranks,value,first_value"                             \
	}

#define QUESTIONS_OF_BESIDES                                                                       \
	{ .sql = "SELECT * FROM besides ORDER BY nth", .use = FOR_TEXT, .say = { say_besides } },  \
		{ .sql = sql_report_summary, .use = FOR_TEXT, .say = { say_no_processor } },       \
		{ .sql = sql_report_summary, .use = FOR_TEXT, .say = { say_lost_in_waits } },      \
		{ .sql = sql_report_summary, .use = FOR_TEXT, .say = { say_slept } },              \
	{                                                                                          \
		.sql = "SELECT * FROM unconfirmed", .use = FOR_TEXT, .say = { say_unconfirmed }    \
	}

extern const struct section_query report_verdict_exact, report_protocols_exact, report_causes_exact,
	report_callsites_exact, report_pairs_exact, report_bottlenecks_exact, report_remedies_exact,
	report_patterns_exact, report_collectives_exact, report_blame_exact, report_path_exact,
	report_model_exact, report_drift_exact, report_accuracy_exact;

#define REPORT_DRIFT_TITLE "LIVE MODEL: where the run left its calibration"

/* Of JSON: see include/schemas/README. A column that goes, or means another thing, is a new
 * version. */
enum { REPORT_JSON_VERSION = 1 };

struct report_layout {
	enum table_format format;
	const char *schema;   /* JSON names it: "tryst-report"; NULL: none */
	int columns;          /* width to fit */
	bool colour;          /* titles are bold, for a terminal */
	int64_t top;          /* rows of a ranking */
	const char *sections; /* names, separated by commas; NULL: all */
	bool analyzed;        /* take the queries over both sides: report_prepare() */
};

/*
 * Prepares `db` (see dataset/dataset.h) for the sections' queries: SQL functions and temporary
 * tables. *analyzed tells whether both sides of the messages are known; with `one_side` they count
 * as not known. Returns 0 or a negative errno with sqlite3_errmsg() set.
 */
int report_prepare(sqlite3 *db, bool one_side, bool *analyzed);

/*
 * The part of report_prepare() about calls that have not returned (hang.c). 0, or a negative errno.
 */
int report_prepare_hang(sqlite3 *db, bool analyzed);

/*
 * The part of report_prepare() that needs the tables of `tryst analyze` (both_sides.c). 0, or a
 * negative errno.
 */
int report_prepare_exact(sqlite3 *db);

/*
 * Fills temp.peer_side: what the other sides of messages that waited did, by callsite and cause, of
 * a sample of the run (sample.c). 0, or a negative errno.
 */
int report_sample(sqlite3 *db);

/*
 * Registers inside_ns(rank, from_ns, to_ns): how much of that time, on the rank's own clock, some
 * thread of the rank was inside MPI; NULL where its `busy` rows do not reach that far. To be
 * removed before `db` is closed: the function holds statements. 0, or a negative errno (inside.c).
 */
int report_inside_function(sqlite3 *db);
int report_inside_remove(sqlite3 *db);

/* What the questions of a section have given. */
struct section_facts {
	const struct section *section;
	const struct section_query *query;
	struct facts facts[SECTION_QUESTIONS];
	int nfacts;
};

/*
 * Asks the questions of a section whose answers the layout's format shows. Returns 0 or a negative
 * errno (-EIO: sqlite3_errmsg() tells why). *list is to be released in any case.
 */
int report_facts(sqlite3 *db, const struct section *section, const struct report_layout *layout,
	struct section_facts *list);

void report_facts_release(struct section_facts *list);

/* The facts of a section for people; `first`: nothing stands above. 0 or a negative errno. */
int report_render_text(FILE *out, const struct section_facts *list,
	const struct report_layout *layout, bool first);

/*
 * The rows of one question as a table in the layout's format, without the columns in `unshown`.
 * Returns how many there are, or -1 without memory. `section`: as table_print().
 */
int64_t report_render_table(FILE *out, const struct facts *facts, const char *unshown,
	const struct report_layout *layout, const char *section);

/* The same for machines, as CSV or JSON. */
int report_render_data(FILE *out, const struct section_facts *list,
	const struct report_layout *layout, bool first);

/* The first name in `list` that is no section's; NULL: none, or no list. */
const char *report_unknown_section(const struct section *sections, const char *list);

/*
 * Prints `sections`. Returns 0; -EINVAL where options->sections names no section (*unknown is
 * then its beginning); -EIO with sqlite3_errmsg() set where a query fails, after all the others.
 */
int report_print(FILE *out, sqlite3 *db, const struct section *sections,
	const struct report_layout *options, const char **unknown);

#endif
