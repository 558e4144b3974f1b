/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c: the sections of the screen, in the order in which they are read. */
#include <config.h>

#include "analysis/screen/screen.h"

#include "analysis/report/queries.h"
#include "analysis/report/sentences.h"
#include "analysis/screen/words.h"

enum { RANK_COLUMNS = 20, SIZE_COLUMNS = 26 }; /* of a cell, if there are many */

static const struct section_query verdict_exact = {
	.title = "",
	.is_paragraph = true,
	.ask = { QUESTIONS_OF_OUTLOOK,
		{ .sql = sql_report_pattern_first, .say = { say_verdict_pattern } },
		{ .sql = sql_report_verdict_worth, .say = { say_verdict_worth } },
		{ .sql = sql_report_verdict, .say = { say_verdict } },
		{ .sql = sql_report_besides_first, .say = { say_besides } },
		{ .sql = sql_report_summary, .say = { say_lost_undoubted } } },
};

static const struct section_query bottlenecks_exact = {
	.title = "WORTH MOST: where, why, what to do, and what it is worth",
	.ask = { QUESTION_OF_PATTERN_FIRST,
		{ .sql = sql_report_bottlenecks,
			.is_ranking = true,
			.more = "-s bottlenecks shows them",
			.say = { say_where_short, say_why_short, say_do_short, say_worth_short } },
		{ .sql = sql_report_bottlenecks_rest, .say = { say_bottlenecks_rest } },
		{ .sql = sql_report_why_no_worth, .say = { say_worth_untold } } },
};

static const struct section_query patterns_exact = {
	.title = "PATTERNS",
	.ask = { { .sql = sql_report_patterns_few, .say = { say_pattern } } },
};

const struct section screen_sections[] = {
	{ .name = "summary", .kind = SECTION_LINES, .one = { .ask = { QUESTIONS_OF_SUMMARY } } },
	{ .name = "losses", .kind = SECTION_RAISED, .one = { .ask = { QUESTION_OF_LOSSES } } },
	{ .name = "pending",
		.kind = SECTION_LINES,
		.when = sql_report_cut_short,
		.one = { .title = "PENDING at the end: begun and never completed",
			.ask = { QUESTION_OF_PENDING } } },
	SECTION_OF_PENDING_NOW(sql_report_hangs),
	{ .name = "verdict",
		.kind = SECTION_LINES,
		.one = { .title = "",
			.is_paragraph = true,
			.ask = { QUESTIONS_OF_OUTLOOK,
				{ .sql = sql_report_verdict_one_side,
					.say = { say_verdict_one_side } },
				{ .sql = sql_report_besides_first, .say = { say_besides } } } },
		.both = &verdict_exact },
	{ .name = "pending",
		.kind = SECTION_LINES,
		.when = sql_report_not_cut_short,
		.one = { .title = "NOT COMPLETED: begun, and not completed before MPI_Finalize",
			.ask = { QUESTION_OF_PENDING } } },
	{ .name = "time",
		.kind = SECTION_LINES,
		.one = { .title = "TIME",
			.ask = { { .sql = sql_report_elapsed,
					 .say = { say_elapsed },
					 .is_title = true },
				{ .sql = sql_report_kinds,
					.say = { say_kind_bar },
					.is_bars = true },
				{ .sql = sql_report_few_ranks,
					.say = { say_rank_bar },
					.is_bars = true,
					.cell_columns = RANK_COLUMNS } } } },
	{ .name = "sizes",
		.kind = SECTION_LINES,
		.when = sql_report_not_cut_short,
		.one = { .title = "MESSAGES by size: how many, and their share",
			.ask = { { .sql = sql_report_sizes,
				.say = { say_size_bar },
				.is_bars = true,
				.cell_columns = SIZE_COLUMNS } } } },
	{ .name = "bottlenecks",
		.kind = SECTION_LINES,
		.one = { .title = "RENDEZVOUS BOTTLENECKS, as one side can know them",
			.ask = { { .sql = sql_report_bottlenecks_one_side,
				.is_ranking = true,
				.more = "-s bottlenecks shows them",
				.say = { say_bottleneck_one_side } } } },
		.both = &bottlenecks_exact },
	{ .name = "patterns", .kind = SECTION_LINES, .both = &patterns_exact },
	{ .name = "trust",
		.kind = SECTION_LINES,
		.one = { .title = "",
			.ask = { { .sql = sql_report_trust, .say = { say_trust } },
				{ .sql = sql_report_ask_next, .say = { say_next } } } } },
	{ 0 }
};
