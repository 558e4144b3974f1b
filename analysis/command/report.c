/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: `tryst report`: where the time went, in one screen. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/command/sections.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/out_file.h"
#include "analysis/text/terminal.h"
#include "analysis/dataset/dataset.h"
#include "analysis/html/html.h"
#include "analysis/dataset/newest.h"
#include "analysis/format/db/db.h"
#include "analysis/format/run/settings.h"
#include "analysis/report/queries.h"
#include "analysis/report/report.h"
#include "analysis/screen/screen.h"
#include "analysis/worth/worth.h"

#include <limits.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

struct report_options {
	int format;
	int64_t width;
	int64_t top;
	const char *sections;
	const char *db;
	const char *output;
	bool ended;
	bool one_side;
	bool no_replay;
	bool verbose;
};

/* The words of --format are the first values of enum table_format. */
_Static_assert(TABLE_TEXT == 0 && TABLE_CSV == 1 && TABLE_JSON == 2 && TABLE_SPREADSHEET == 3,
	"order of --format");

static const struct option options[] = {
	SECTION_OPTIONS(struct report_options, "|html",
		"summary, losses, pending, verdict, time, ranks, sizes, protocols, causes, "
		"callsites, pairs, bottlenecks, remedies, patterns, collectives, blame, path, "
		"calls, links, model, drift, accuracy, settings, overhead",
		NULL, "rows of each ranking [5]; 3 on the screen"),
	OUTPUT_OPTION(struct report_options),
	{ .name = "verbose",
		.letter = 'v',
		.type = OPT_FLAG,
		.at = offsetof(struct report_options, verbose),
		.help = "all sections in text, not one screen" },
	{ .name = "one-side",
		.type = OPT_FLAG,
		.at = offsetof(struct report_options, one_side),
		.help = "show what one side of each message can know, even if both are known" },
	{ .name = "no-replay",
		.type = OPT_FLAG,
		.at = offsetof(struct report_options, no_replay),
		.help = "no worth of bottlenecks; remedies by the cause alone, untried" },
	DATASET_OPTIONS(struct report_options), { 0 }
};

enum { TOP_USUAL = 5 }; /* rows of a ranking; the screen has fewer */

/* The facts of the page: every row of each ranking, up to a thousand. */
enum { PAGE_ROWS = 1000 };

static int write_page(
	FILE *out, const struct dataset *data, const struct report_layout *asked, const char *name)
{
	struct report_layout layout = *asked;
	const struct html_page page = { .title = name,
		.sections = report_sections,
		.data = &layout,
		.tables = html_tables,
		.db = data->db,
		.run = asked->analyzed ? data->db : NULL,
		.say = &say_stderr };

	layout.format = TABLE_JSON;
	layout.top = PAGE_ROWS;
	return html_write(out, &page);
}

/* One screen is for people who ask for nothing else. */
static bool is_screen(const struct report_options *o, const struct report_layout *layout)
{
	return layout->format == TABLE_TEXT && !layout->sections && !o->verbose;
}

static int screen_top(sqlite3 *db)
{
	bool is_open = db_int(db, sql_report_cut_short, 0) || db_int(db, sql_report_hangs, 0);

	return is_open ? SCREEN_TOP_CUT_SHORT : SCREEN_TOP;
}

/* Prints the report where it was asked for. Returns an exit code. */
static int print_report(const struct dataset *data, const struct report_options *o,
	const struct report_layout *layout, const char *name)
{
	struct out_file file = { .stream = stdout };
	const char *unknown;
	int rc;

	unknown = report_unknown_section(report_sections, o->sections);
	if (unknown)
		return say_no_section(unknown, report_sections);
	if (o->output && out_file_open(&file, o->output, &say_stderr) != 0)
		return CMD_FAILED;
	if (o->format == FORMAT_HTML)
		rc = write_page(file.stream, data, layout, name);
	else
		rc = report_print(file.stream, data->db,
			is_screen(o, layout) ? screen_sections : report_sections, layout, &unknown);
	/* The output has no error, so reading the database failed. */
	if (rc && !ferror(file.stream) && data->dir)
		say_note("'tryst merge %s' makes its database anew", data->dir);
	if (o->output)
		rc = out_file_close(&file, rc);
	return rc ? CMD_FAILED : CMD_OK;
}

/* Does one of the sections need replays? */
static bool needs_worth(const char *sections)
{
	return !sections || list_has(sections, "verdict") || list_has(sections, "causes") ||
		list_has(sections, "bottlenecks") || list_has(sections, "remedies") ||
		list_has(sections, "patterns");
}

static const char *site_hint(void)
{
	return settings_record() == RECORD_PROFILE ?
		". TRYST_RECORD=profile makes none: tryst run --record on" :
		"";
}

static int run_report(const void *options_read, int argc, char **argv)
{
	const struct report_options *o = options_read;
	const struct dataset_options how = { .db = o->db, .ended = o->ended, .tells = true };
	struct report_layout text = { .format = (enum table_format)o->format,
		.schema = "tryst-report",
		.top = o->top,
		.sections = o->sections,
		.columns = columns_to_fit(o->width),
		.colour = !o->output && has_colour(stdout) };
	struct dataset data;
	const char *run = argv[0];
	char newest[PATH_MAX], later[PATH_MAX];
	int rc;

	if (o->format == FORMAT_HTML && html_absent)
		return say_error("no HTML: %s", html_absent);
	if (argc < 1) {
		if (dataset_newest(".", newest, sizeof(newest)) != 0)
			return say_error("no run lies here: tryst report DIR%s", site_hint());
		run = newest;
		say_note("this is the newest run here, '%s'", run);
	} else if (dataset_later(run, later, sizeof(later)))
		say_note("a later run is in '%s'", later);
	if (dataset_open(run, &how, &say_stderr, &data) != 0)
		return CMD_FAILED;
	if (data.empty && !text.sections)
		text.sections = "losses";
	if (!o->one_side)
		analyze_dataset(&data, &say_stderr);
	rc = report_prepare(data.db, o->one_side, &text.analyzed);
	if (!rc && text.analyzed && !o->no_replay && needs_worth(text.sections))
		rc = worth_fill(data.db);
	if (rc) {
		rc = say_error("cannot read '%s': %s", data.path ? data.path : run,
			sqlite3_errmsg(data.db));
	} else {
		if (text.top == 0)
			text.top = is_screen(o, &text) ? screen_top(data.db) : TOP_USUAL;
		rc = print_report(&data, o, &text, run);
		if (rc == CMD_OK && data.incomplete)
			rc = CMD_FAILED;
	}
	dataset_close(&data);
	return rc;
}

const struct subcommand cmd_report = {
	.name = "report",
	.summary = "show where the ranks of a run waited, and why",
	.arguments = "[DIR|FILE]",
	.description =
		"Reads the directory of a run, one rank's database, run.db, or an archive of tryst "
		"pack. Prints one screen: "
		"what ran, losses, the verdict, time by kind and by rank, message sizes, the "
		"three bottlenecks worth most, patterns, and how far to trust the numbers. If the "
		"run was cut short, it leaves out sizes and the third bottleneck. A "
		"rank's bar uses the letters of the kinds. -v and the formats for machines have "
		"all sections, -s has some of them: "
		"what was lost; calls that were pending at the end; a verdict; where "
		"the time went; messages by protocol; waits by protocol and cause, by callsite "
		"and by pair of ranks; bottlenecks with cause, remedy and worth; waits in "
		"collectives; "
		"which ranks caused the waits; the critical path; link parameters and their "
		"source; how well the live model fits; the cost of recording. tryst-reading(7) "
		"explains each.\n\n"
		"The report first does what is missing: it collects ranks that never reached "
		"MPI_Finalize, merges all ranks into DIR/run.db, and matches sends with receives "
		"(tryst analyze). If DIR is read-only or full, it works in a temporary directory, "
		"or in the file of --db. For one rank's database, and with --one-side, the report "
		"shows the waits that one side can know. A running job is reported up to now.\n\n"
		"Sums are complete. Only the activity of a bottleneck's other side comes from a "
		"sample of its messages. The report names a setting only if the measured S was "
		"seen to follow it. Link parameters are unconfirmed if they come from an earlier "
		"set and this launch could neither confirm nor measure them. Advice then names "
		"neither S nor a setting. In links, age_s and measured_by say when and by whom a "
		"cached set was measured.\n\n"
		"A wait is the time a call was blocked beyond the model's prediction. The "
		"prediction assumes that the other side comes at the same moment. The waits of "
		"one call over several messages add up to the call's own wait. The lateness of a "
		"sender or receiver (longest late; late on average, in bottlenecks) is given "
		"in full, even if others were late for the same call. In bottlenecks, each "
		"message counts for the cause of the largest part of its wait, and lost (wait_ns) "
		"sums these waits in full. An average (mean_ns) covers only the part with the "
		"named cause. If this part is not nearly all of the wait, the line gives its "
		"share. Text "
		"shows durations and sizes in fitting units; csv and json have nanoseconds and "
		"bytes.\n\n"
		"For programs: each section has stable names. In csv they are columns, after one "
		"with the section's name; in json they are keys. Units are in the names (_ns, "
		"_bytes, _pct). summary, verdict and overhead are one row each. summary has "
		"ranks_read of ranks, hosts, run_ns, run_most_ns (the upper limit, if a rank's "
		"end was not seen), all_ranks_ns, no_processor_ns (ready to run, but without a "
		"CPU), slept_outside_ns, messages, ops_without_partner and not_received. verdict "
		"has wait_ns and share_pct. overhead has tool_ns, share_pct, init_longer_ns and "
		"finalize_longer_ns. losses has a row for each loss: loss (ranks_missing, "
		"ranks_not_finalized, ranks_exited, dropped_ops, lost_bytes, "
		"messages_not_predicted, violations, ...), ranks, count, unit (of count) and "
		"text. An unknown value is empty in csv and null in json, never 0. settings "
		"has the settings of tryst as rows of name and value, in text only with -s.\n\n"
		"html is one page that needs no network: the report's text, its tables to sort and "
		"filter, a timeline of all threads, a matrix of ranks and pictures. It shows the "
		"numbers of json and computes none. At most 3,000,000 calls are drawn singly: with "
		"more, the shortest are in the overview alone, and the page says so. A click on a "
		"row of bottlenecks or callsites shows the source around it, if the file is there "
		"when the page is made. A page can be "
		"printed and follows the browser's light or dark setting. Keys move and zoom the "
		"timeline: arrows, +, -, 0; n and p choose the next and the previous call. The "
		"page "
		"carries d3. Without d3 at build time there is no html.\n\n"
		"json begins with schema, an object with name (tryst-report) and version. The "
		"JSON schema is report.schema.json in the folder tryst/schemas of the "
		"installation. The version rises if a column goes or means another thing. New "
		"columns can come without a new version.\n\n" CMD_FORMATS "\n\n" CMD_INCOMPLETE,
	.examples = "tryst report out\tthe report of the run in out\n"
		    "tryst report\tof the newest run in this directory\n"
		    "tryst report -v out\tall sections\n"
		    "tryst report -n 20 -s callsites,pairs out\tthe twenty worst of each\n"
		    "tryst report -f json out | jq .callsites\tfor a program\n"
		    "tryst report -f html -o run.html out\ta page for a browser\n",
	.see_also = "tryst-run(1), tryst-sql(1), tryst-tables(5), tryst-reading(7)",
	.options = options,
	.options_size = sizeof(struct report_options),
	.min_operands = 0,
	.max_operands = 1,
	.run = run_report,
};
