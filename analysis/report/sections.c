/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections.c: the queries of `tryst report`, in the order in which they are read.
 *
 * They use the views of include/schema.sql, the tables `input` and `started` (dataset/dataset.h),
 * and what report_prepare() makes (prepare.c).
 */
#include "analysis/report/report.h"
#include "analysis/report/queries.h"
#include "analysis/report/sentences.h"

/* A rank did not come to its end. */
#define CUT_SHORT "EXISTS (SELECT 1 FROM at_end)"

const struct section report_sections[] = {
	{ .name = "summary", .kind = SECTION_LINES, .one = { .ask = { QUESTIONS_OF_SUMMARY } } },
	{ .name = "losses",
		.kind = SECTION_RAISED,
		.empty = "Nothing was lost.",
		.one = { .ask = { QUESTION_OF_LOSSES } } },
	{ .name = "pending",
		.kind = SECTION_LINES,
		.empty_asked = "Nothing is pending.",
		.when = "SELECT " CUT_SHORT,
		.one = { .title = "PENDING at the end: begun and never completed",
			.ask = { QUESTION_OF_PENDING } } },
	{ .name = "verdict",
		.kind = SECTION_LINES,
		.one = { .title = "",
			.is_paragraph = true,
			.ask = { QUESTIONS_OF_OUTLOOK,
				{ .sql = sql_report_verdict_one_side,
					.say = { say_verdict_one_side },
					.data = "wait_ns,share_pct,not_predicted_ns" },
				QUESTIONS_OF_BESIDES } },
		.both = &report_verdict_exact },
	/* no hang where all ranks have ended: that comes first then */
	{ .name = "pending",
		.kind = SECTION_LINES,
		.empty_asked = "Nothing is pending.",
		.when = "SELECT NOT " CUT_SHORT,
		.one = { .title = "NOT COMPLETED: begun, and not completed before MPI_Finalize",
			.ask = { QUESTION_OF_PENDING } } },
	{ .name = "time",
		.one = { .title = "TIME",
			.ask = { { .sql = sql_report_time },
				{ .sql = sql_report_elapsed,
					.use = FOR_TEXT,
					.say = { say_elapsed },
					.is_title = true } } } },
	{ .name = "ranks",
		.asked = true,
		.one = { .title = "TIME by rank",
			.ask = { { .sql = sql_report_ranks,
				.is_ranking = true,
				.data_only = "ranks",
				.data = "rank,run_ns,computing_ns,message_wait_ns,"
					"collective_wait_ns,polling_ns,unpredicted_ns,"
					"not_returned_ns,other_ns,tool_ns" } } } },
	{ .name = "sizes",
		.asked = true,
		.empty_asked = "No messages between ranks.",
		.one = { .title = "MESSAGES by size",
			.ask = { { .sql = sql_report_sizes,
				.data_only = "bytes_log2,sizes",
				.data = "least_bytes,below_bytes,count,bytes,share_pct" } } } },
	{ .name = "protocols",
		.empty = "No messages between ranks.",
		.one = { .title = "MESSAGES by protocol: a pair's first one has no wait here",
			.ask = { { .sql = sql_report_protocols_one_side } } },
		.both = &report_protocols_exact },
	{ .name = "causes",
		.empty = "No waits in messages seen.",
		.one = { .title = "WAITS by cause, as one side can know it",
			.ask = { { .sql = "SELECT * FROM cause_row ORDER BY wait_ns DESC",
					 .use = FOR_DATA },
				{ .sql = sql_report_causes_one_side_text, .use = FOR_TEXT } } },
		.both = &report_causes_exact },
	{ .name = "callsites",
		.one = { .title = "WAITS by callsite",
			.ask = { { .sql = sql_report_callsites_one_side, .is_ranking = true } } },
		.both = &report_callsites_exact },
	{ .name = "pairs",
		.one = { .title = "WAITS by pair of ranks",
			.ask = { { .sql = sql_report_pairs, .is_ranking = true } } },
		.both = &report_pairs_exact },
	{ .name = "bottlenecks",
		.kind = SECTION_LINES,
		.one = { .title = "RENDEZVOUS BOTTLENECKS, as one side can know them",
			.ask = { { .sql = sql_report_bottlenecks_one_side,
				.is_ranking = true,
				.say = { say_bottleneck_one_side },
				.data = "where,call,cause_hint,pairs,count,least_bytes,"
					"most_bytes,wait_ns,remedy,eager_max_bytes,"
					"unconfirmed" } } },
		.both = &report_bottlenecks_exact },
	{ .name = "remedies", .asked = true, .both = &report_remedies_exact },
	{ .name = "patterns", .kind = SECTION_LINES, .both = &report_patterns_exact },
	{ .name = "collectives", .both = &report_collectives_exact },
	{ .name = "blame", .kind = SECTION_LINES, .both = &report_blame_exact },
	{ .name = "path", .kind = SECTION_LINES, .both = &report_path_exact },
	{ .name = "calls",
		.one = { .title = "TIME IN MPI by callsite",
			.ask = { { .sql = sql_report_calls, .is_ranking = true } } } },
	{ .name = "links",
		.kind = SECTION_LINES,
		.empty = "No link between ranks is known: tryst calibrate measures them,"
			 " tryst run --links takes them.",
		.one = { .title = "LINKS: what a message costs without waits",
			.ask = { { .sql = sql_report_links,
				.is_ranking = true,
				.say = { say_link },
				.data = "tier,ranks,peer,o_ns,one_way_ns,rendezvous_ns,"
					"G_s_ns_per_byte,G_l_ns_per_byte,short_max_bytes,"
					"local_max_bytes,eager_max_bytes,source,age_s,"
					"measured_by" } } } },
	{ .name = "model",
		.one = { .ask = { { .sql = sql_report_model } },
			.title = "LIVE MODEL on messages that only full buffers can have made "
				 "wait, means" },
		.both = &report_model_exact },
	{ .name = "drift",
		.kind = SECTION_LINES,
		.one = { .title = REPORT_DRIFT_TITLE, .ask = { QUESTION_OF_DRIFT } },
		.both = &report_drift_exact },
	{ .name = "accuracy", .both = &report_accuracy_exact },
	{ .name = "settings",
		.one = { .ask = { { .sql = sql_report_settings, .use = FOR_DATA } } } },
	{ .name = "overhead",
		.kind = SECTION_LINES,
		.one = { .title = "TRYST ITSELF",
			.ask = { { .sql = sql_report_overhead, .say = { say_overhead } } } } },
	{ 0 }
};
