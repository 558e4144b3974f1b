/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c: `tryst predict`: a recorded run replayed under changes. */
#include <config.h>

#include "analysis/command/queries.h"
#include "analysis/command/dataset_options.h"
#include "analysis/command/sections.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/dataset/dataset.h"
#include "analysis/format/links/links.h"
#include "analysis/goal/engine.h"
#include "analysis/options/subcommand.h"
#include "analysis/replay/load.h"
#include "analysis/mapping/mapping.h"
#include "analysis/replay/path.h"
#include "analysis/replay/run.h"
#include "analysis/mapping/sweep.h"
#include "analysis/replay/tables.h"
#include "analysis/report/phrase.h"
#include "analysis/report/report.h"
#include "analysis/text/gnuplot.h"
#include "analysis/text/messages.h"
#include "analysis/text/progress.h"
#include "analysis/text/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINK_FILES = 8 };

struct predict_options {
	struct replay_changes changes;
	const char *links; /* files of tryst calibrate, separated by commas */
	const char *sweep;
	const char *picture;  /* of the sweep */
	const char *scenario; /* a file of options */
	int as;               /* enum, below */
	int format;
	const char *sections;
	int64_t top;
	int64_t width;
	bool ended;
};

enum { AS_TRYST, AS_LOGGOPSIM };

static const struct option options[] = {
	{ .name = "set",
		.type = OPT_TEXT,
		.once = true,
		.argument = "NAME=VALUE,...",
		.at = offsetof(struct predict_options, changes.set),
		.help = "L, o, G, s, S or S_p; NAME*FACTOR multiplies" },
	{ .name = "fragment",
		.type = OPT_FLAG,
		.at = offsetof(struct predict_options, changes.fragment),
		.help = "messages above S go in eager pieces" },
	{ .name = "progress",
		.type = OPT_FLAG,
		.at = offsetof(struct predict_options, changes.progress),
		.help = "a thread moves messages while ranks compute" },
	{ .name = "ideal-network",
		.type = OPT_FLAG,
		.at = offsetof(struct predict_options, changes.ideal_network),
		.help = "flight, transfer and handshake take no time" },
	{ .name = "speed",
		.type = OPT_TEXT,
		.once = true,
		.argument = "rank:R=FACTOR|LINE=FACTOR,...",
		.at = offsetof(struct predict_options, changes.speed),
		.help = "the rank, or computation before calls at a line, is FACTOR times as "
			"fast" },
	{ .name = "add",
		.type = OPT_TEXT,
		.once = true,
		.argument = "rank:R@LINE=TIME,...",
		.at = offsetof(struct predict_options, changes.add),
		.help = "the rank computes longer before each MPI call at [FILE:]LINE" },
	{ .name = "balance",
		.type = OPT_TEXT,
		.argument = "A,B|collectives|run",
		.at = offsetof(struct predict_options, changes.balance),
		.help = "all ranks compute equally long between A and B, each a [FILE:]LINE" },
	{ .name = "no-waits",
		.type = OPT_TEXT,
		.once = true,
		.argument = "CAUSE,...",
		.at = offsetof(struct predict_options, changes.no_waits),
		.help = "without the waits of: late_sender, late_receiver, collective, "
			"late_progress" },
	{ .name = "map",
		.type = OPT_TEXT,
		.argument = "FILE|by-node|by-slot|search",
		.at = offsetof(struct predict_options, changes.map),
		.help = "ranks on other hosts; FILE: RANK HOST" },
	{ .name = "model",
		.type = OPT_TEXT,
		.argument = "LogGPS|LogGP-1|LogGP-2",
		.at = offsetof(struct predict_options, changes.model),
		.help = "messages take the time of this model alone" },
	{ .name = "links",
		.type = OPT_TEXT,
		.once = true,
		.argument = "FILE,...",
		.at = offsetof(struct predict_options, links),
		.help = "links that the run lacks, of tryst calibrate" },
	{ .name = "sweep",
		.type = OPT_TEXT,
		.argument = "NAME=LOW..HIGH",
		.at = offsetof(struct predict_options, sweep),
		.help = "the run time at LOW, twice LOW, ... of a --set" },
	{ .name = "picture",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct predict_options, picture),
		.help = "draw the sweep (.svg, .png, .pdf; needs gnuplot)" },
	{ .name = "as",
		.type = OPT_CHOICE,
		.argument = "tryst|loggopsim",
		.initial = "tryst",
		.at = offsetof(struct predict_options, as),
		.help = "also by the rules of the simulator LogGOPSim: section loggopsim" },
	{ .name = "scenario",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct predict_options, scenario),
		.help = "also the options in FILE, a line each: set S=64K" },
	SECTION_OPTIONS(struct predict_options, "",
		"run, map, loggopsim, notes, sweep, waits, efficiency, path, callsites, ranks",
		"10", "callsites, ranks and parts of the path to show"),
	ENDED_OPTION(struct predict_options), { 0 }
};

static void say_run_time(struct text *to, const struct fact *f)
{
	text_addf(to, "Run time: ");
	phrase(to, f,
		"{run_after_ns}[ ({run_low_ns} to {run_high_ns} by the noise inside the run)] "
		"instead of {run_before_ns} (");
	text_addf(to, "%+.1f %%).", fact_real(f, "change_pct"));
	if (fact_int(f, "moved") > 0)
		phrase(to, f, " {moved} send{moved||s} use{moved|s|} another protocol.");
}

static void say_unreturned(struct text *to, const struct fact *f)
{
	if (fact_int(f, "unreturned") > 0)
		phrase(to, f,
			"{unreturned} rank{unreturned||s} had not returned from an MPI call when "
			"{unreturned|its|their} records ended. All times are those until then.");
}

static void say_efficiency_until(struct text *to, const struct fact *f)
{
	if (fact_int(f, "unreturned") > 0)
		phrase(to, f,
			"{unreturned} rank{unreturned||s} had not returned from an MPI call: the "
			"efficiencies are those until the records ended.");
}

static void say_limit(struct text *to, const struct fact *f)
{
	phrase(to, f, "{note}");
}

static const struct section sections[] = {
	{ .name = "run",
		.kind = SECTION_LINES,
		.one = { .ask = { { .sql = sql_command_predict_run,
				 .say = { say_run_time, say_unreturned } } } } },
	{ .name = "map",
		.one = { .title = "HOSTS OF RANKS",
			.ask = { { .sql = sql_command_predict_map, .is_ranking = true } } } },
	{ .name = "loggopsim",
		.one = { .title = "RUN TIME by LogGOPSim's rules",
			.ask = { { .sql = sql_command_predict_loggopsim } } } },
	{ .name = "notes",
		.kind = SECTION_LINES,
		.one = { .title = "LIMITS AND ASSUMPTIONS",
			.ask = { { .sql = sql_command_predict_notes, .say = { say_limit } } } } },
	{ .name = "sweep",
		.one = { .title = "RUN TIME BY PARAMETER",
			.ask = { { .sql = sql_command_predict_sweep_told, .use = FOR_TEXT },
				{ .sql = sql_command_predict_sweep, .use = FOR_DATA } } } },
	{ .name = "waits",
		.one = { .title = "WAITS BY CAUSE, all ranks",
			.ask = { { .sql = sql_command_predict_waits } } } },
	{ .name = "efficiency",
		.one = { .title = "EFFICIENCIES of the run as measured, as POP defines them",
			.ask = { { .sql = sql_command_predict_efficiency },
				{ .sql = sql_command_predict_run,
					.use = FOR_TEXT,
					.say = { say_efficiency_until } } } } },
	{ .name = "path",
		.one = { .title = "CRITICAL PATH, by calls and the computation before them",
			.ask = { { .sql = sql_command_predict_path, .is_ranking = true } } } },
	{ .name = "callsites",
		.one = { .title = "WAITS BY CALLSITE, all ranks",
			.ask = { { .sql = sql_command_predict_callsites, .is_ranking = true } } } },
	{ .name = "ranks",
		.one = { .title = "RANKS",
			.ask = { { .sql = sql_command_predict_ranks,
				.is_ranking = true,
				.spare = "inside_before_ns,inside_after_ns,computation_before_ns,"
					 "computation_after_ns" } } } },
	{ 0 }
};

/* The run's efficiencies, by a replay on an ideal network of the same links. */
static int find_efficiency(sqlite3 *db, const struct replay_changes *of, struct replay_graph *g,
	const struct replay_result *before)
{
	const struct replay_changes changes = {
		.ideal_network = true, .links_more = of->links_more, .nlinks_more = of->nlinks_more
	};
	struct replay_scenario ideal = { 0 };
	struct replay_result result = { 0 };
	int rc = replay_scenario_read(db, g, &changes, &ideal, &say_stderr);

	if (!rc)
		rc = replay_run(g, &ideal, &result);
	if (!rc) {
		const struct replay_efficiency e = replay_efficiency(g, before, &result);

		rc = replay_table_efficiency(db, &e, result.unmodelled == 0, &say_stderr);
	}
	replay_result_release(&result);
	replay_scenario_release(&ideal);
	return rc;
}

/* A row of temp.scenario_loggopsim. */
static int put_loggopsim(sqlite3 *db, const struct goal_parameters *p, const uint64_t *end_ps,
	uint32_t n, bool ended)
{
	sqlite3_stmt *q = NULL;
	uint64_t last = 0;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_loggopsim", &q);

	for (uint32_t i = 0; i < n; i++)
		last = end_ps[i] > last ? end_ps[i] : last;
	if (!rc) {
		if (ended)
			sqlite3_bind_int64(q, 1, (int64_t)(last / 1000));
		sqlite3_bind_double(q, 2, (double)p->L / 1e3);
		sqlite3_bind_double(q, 3, (double)p->o / 1e3);
		sqlite3_bind_double(q, 4, (double)p->O / 1e3);
		sqlite3_bind_double(q, 5, (double)p->G / 1e3);
		sqlite3_bind_int64(q, 6, p->S < INT64_MAX ? (int64_t)p->S : INT64_MAX);
		rc = db_execute(q);
	}
	sqlite3_finalize(q);
	return rc ? db_say(db, rc, "write", &say_stderr) : 0;
}

/* Predicts the run time by the rules of LogGOPSim, with the links of the scenario. */
static int simulate(
	sqlite3 *db, const struct replay_graph *g, const struct replay_scenario *scenario)
{
	struct goal_parameters p;
	struct goal goal = { 0 };
	uint64_t *end_ps = calloc((size_t)g->nranks + 1, sizeof(*end_ps));
	uint32_t left = 0;
	int rc = end_ps ? goal_from_run(g, &goal) : -ENOMEM;

	if (!rc && !goal_parameters_of(g, scenario, &p)) {
		say_error(
			"parameters of the run's links are unknown: LogGOPSim needs o and 2o + L");
		rc = -EINVAL;
	}
	if (!rc)
		rc = goal_run(&goal, &p, goal_tags(&goal), end_ps, &left);
	if (!rc)
		rc = put_loggopsim(db, &p, end_ps, g->nranks, left == 0);
	goal_release(&goal);
	free(end_ps);
	return rc;
}

/* Replays the run as it was measured and under the changes. */
static int replay(sqlite3 *db, struct replay_graph *g, const struct predict_options *o)
{
	struct replay_scenario scenario = { 0 };
	struct replay_hosts hosts = { 0 };
	const struct replay_scenario unchanged = { .corrects = true };
	struct replay_result before = { 0 }, same = { 0 }, after = { 0 };
	int rc = replay_load(db, g, &say_stderr);

	if (!rc)
		rc = replay_scenario_read(db, g, &o->changes, &scenario, &say_stderr);
	if (!rc)
		rc = replay_run(g, &unchanged, &same);
	if (!rc)
		rc = replay_follow(db, g, &o->changes, &scenario, &hosts, &say_stderr);
	if (!rc)
		rc = replay_run_path(g, NULL, &before);
	if (!rc)
		rc = replay_run_path(g, &scenario, &after);
	if (!rc && replay_is_blind(&after)) {
		say_error("cannot predict this S: link parameters are unknown for most sends that "
			  "could change protocol. tryst report -s links shows them. Run "
			  "tryst calibrate -o FILE with the settings of the recorded run, and "
			  "give --links FILE");
		rc = -EINVAL;
	}
	if (!rc)
		rc = replay_tables(db, g, &scenario, &before, &same, &after, &say_stderr);
	if (!rc && o->changes.map)
		rc = replay_table_map(db, g, &hosts, &say_stderr);
	if (!rc)
		rc = find_efficiency(db, &o->changes, g, &before);
	if (!rc && o->as == AS_LOGGOPSIM)
		rc = simulate(db, g, &scenario);
	if (!rc && o->sweep)
		rc = replay_sweep(db, g, &o->changes, o->sweep, &hosts, &say_stderr);
	progress_end();
	if (rc == -ENOMEM)
		say_error("out of memory");
	replay_result_release(&before);
	replay_result_release(&same);
	replay_result_release(&after);
	replay_scenario_release(&scenario);
	replay_hosts_release(&hosts);
	return rc;
}

/* Writes the changes as options, for table scenario. */
static void name_changes(const struct predict_options *o, struct text *to)
{
	for (const struct option *p = options; !option_is_end(p); p++) {
		const char *at = (const char *)o + p->at;

		if (p->at >= offsetof(struct predict_options, sweep))
			continue;
		if (p->type == OPT_FLAG && *(const bool *)at)
			text_addf(to, "%s--%s", to->length ? " " : "", p->name);
		if (p->type == OPT_TEXT && *(const char *const *)at)
			text_addf(to, "%s--%s %s", to->length ? " " : "", p->name,
				*(const char *const *)at);
	}
}

/* Stores the prediction in run.db, if run.db can be written. */
static void store(const struct dataset *data, const struct predict_options *o)
{
	struct text changes = { 0 };
	sqlite3 *db;

	if (!data->dir || data->temporary || db_open(data->path, DB_WRITE, &db, NULL) != 0)
		return;
	name_changes(o, &changes);
	replay_store(data->db, db, changes.length ? changes.at : "", &say_stderr);
	text_release(&changes);
	sqlite3_close(db);
}

static int print(sqlite3 *db, const struct predict_options *o)
{
	const struct report_layout layout = { .format = (enum table_format)o->format,
		.schema = "tryst-predict",
		.top = o->top,
		.sections = o->sections,
		.columns = columns_to_fit(o->width) };
	const char *unknown;
	const int rc = report_print(stdout, db, sections, &layout, &unknown);

	if (rc == -EINVAL)
		return say_no_section(unknown, sections);
	return rc ? say_error("cannot read: %s", sqlite3_errmsg(db)) : CMD_OK;
}

/* Draws the run time over the parameter of the sweep. Returns an exit code; errors are printed. */
static int draw_sweep(sqlite3 *db, const char *path)
{
	sqlite3_stmt *q = NULL;
	FILE *to = gnuplot_begin(path);
	char name[32] = "";
	int rc = to ? db_prepare(db, sql_command_predict_sweep, &q) : -EIO;

	if (!to)
		return CMD_FAILED;
	fputs("$run << END\n", to);
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		snprintf(name, sizeof(name), "%s", (const char *)sqlite3_column_text(q, 0));
		/* an empty line interrupts the curve where the program would hang */
		if (sqlite3_column_type(q, 3) == SQLITE_NULL)
			fputs("\n", to);
		else
			fprintf(to, "%.9g %.9g\n",
				sqlite3_column_double(
					q, sqlite3_column_type(q, 1) == SQLITE_NULL ? 2 : 1),
				sqlite3_column_double(q, 3) / 1e9);
	}
	sqlite3_finalize(q);
	fprintf(to,
		"END\nset logscale x 2\nset xlabel '%s'\nset ylabel 'run time, s'\n"
		"plot $run with linespoints notitle\n",
		name);
	if (gnuplot_end(to, path) != 0)
		return CMD_FAILED;
	return rc ? say_error("cannot read: %s", sqlite3_errmsg(db)) : CMD_OK;
}

static int predict(struct dataset *data, const struct predict_options *o, const char *name)
{
	struct replay_graph g = { 0 };
	bool analyzed = false;
	int rc;

	if (data->empty)
		return say_error("nothing was recorded for '%s': tryst report tells why", name);
	analyze_dataset(data, &say_stderr);
	if (report_prepare(data->db, false, &analyzed) != 0)
		return say_error("cannot read '%s': %s", name, sqlite3_errmsg(data->db));
	if (!analyzed)
		return say_error("'%s' is not analyzed: see tryst analyze", name);
	rc = replay(data->db, &g, o);
	replay_graph_release(&g);
	if (!rc)
		store(data, o);
	if (rc)
		return rc == -EINVAL ? CMD_USAGE : CMD_FAILED;
	rc = o->picture ? draw_sweep(data->db, o->picture) : CMD_OK;
	return rc == CMD_OK ? print(data->db, o) : rc;
}

extern const struct subcommand cmd_predict;

/* Opens the files of --links, up to LINK_FILES. The caller closes those that are not NULL. */
static int open_links(struct predict_options *o, sqlite3 **file)
{
	char *list = strdup(o->links), *rest = list, *path;
	int rc = list ? CMD_OK : CMD_FAILED;

	o->changes.links_more = file;
	while (rc == CMD_OK && (path = strsep(&rest, ","))) {
		if (o->changes.nlinks_more == LINK_FILES) {
			say_error("--links: more than %d files", LINK_FILES);
			rc = CMD_USAGE;
		} else if (links_open(path, &file[o->changes.nlinks_more], &say_stderr) != 0)
			rc = CMD_FAILED;
		else
			o->changes.nlinks_more++;
	}
	free(list);
	return rc;
}

static int run_predict(const void *options_read, int argc, char **argv)
{
	struct predict_options o = *(const struct predict_options *)options_read;
	const struct dataset_options how = { .ended = o.ended };
	sqlite3 *links[LINK_FILES] = { NULL };
	struct dataset data;
	char *text = NULL;
	int rc = o.scenario ? options_file(&cmd_predict, o.scenario, &o, &text) : CMD_OK;

	(void)argc;
	if (rc == CMD_OK && o.picture && !o.sweep) {
		say_error("--picture needs --sweep");
		rc = CMD_USAGE;
	}
	if (rc == CMD_OK && o.links)
		rc = open_links(&o, links);
	if (rc == CMD_OK && dataset_open(argv[0], &how, &say_stderr, &data) != 0)
		rc = CMD_FAILED;
	else if (rc == CMD_OK) {
		rc = predict(&data, &o, argv[0]);
		dataset_close(&data);
	}
	for (uint32_t i = 0; i < o.changes.nlinks_more; i++)
		sqlite3_close(links[i]);
	free(text);
	return rc;
}

const struct subcommand cmd_predict = {
	.name = "predict",
	.summary = "replay a recorded run and show the effect of a change",
	.arguments = "DIR",
	.description =
		"Replays the run of DIR and shows run time, waits and ranks as they were measured "
		"and under the changes that the options name. Changes combine. Without any, the "
		"replay gives the run as it was. The run is analyzed first if needed.\n\n"
		"The replay keeps each computation, and each call's time without waits, as "
		"measured. Waits follow from the times at which ranks arrive: a receive waits for "
		"its send, a send above S for its receive, a collective for its members. A changed "
		"parameter changes the time of a message, or of all messages that one call "
		"completes, by the difference of two LogGPS predictions: one with the new "
		"parameter, one with the measured one. A message "
		"that moves to another protocol waits by the rules of that protocol.\n\n"
		"A parameter in --set may belong to one kind of links: node.o*0.5, network.S=128K. "
		"Sizes have the units K and M, times ns, us, ms and s. A change of S is refused if "
		"the links are unknown for most sends that could change protocol. Record with "
		"tryst run --links FILE, or give --links FILE here. Make FILE by tryst calibrate "
		"with the settings of the recorded program. S counts the bytes of the program's "
		"message. A library's setting can include a header: 65536 for Open MPI's eager "
		"limit of shared memory is S = 65480. tryst report and tryst tune say which value "
		"of the setting an S needs. L is refused if the links do not identify it.\n\n"
		"--speed rank:1=2 halves the computation of rank 1. solver.c:20=2 halves the "
		"computation before each MPI call at this line on all ranks, rank:1@solver.c:20=2 "
		"on rank 1 alone.\n\n"
		"With --balance A,B a section of a rank's run ends at a call at place B. It begins "
		"at the rank's last call at place A before this. The computation in the first "
		"section of each rank becomes the mean over all ranks that have one; the same "
		"holds for the second section, and so "
		"on. The sum over ranks, the share of the computation before each call, and all "
		"time inside calls stay. With collectives, sections lie between collectives of all "
		"ranks. With run, the run up to a rank's last call is one section. --speed and "
		"--add act on the balanced computation.\n\n"
		"--sweep NAME=LOW..HIGH adds section sweep: the run time under all changes, with "
		"the parameter at LOW and at each double of it up to HIGH. The time is empty if "
		"threads of the program would wait for each other for ever (stuck). --picture FILE "
		"draws the run time.\n\n"
		"Section efficiency has POP's efficiencies of the run as it was measured: "
		"parallel (mean computation of ranks to run time) = load_balance (mean to largest "
		"computation) * communication; communication = serialisation (largest "
		"computation to run time on an ideal network) * transfer (that run time to the "
		"measured one). The ideal network is that of --ideal-network: flight, transfer "
		"and handshake take no time, and the run's contention is gone. Overheads, copies "
		"and the time of collectives after the last arrival stay, and count as "
		"serialisation. Computation is time outside of MPI calls. A call that never "
		"returned lasts until the rank's last record. Time counts from the "
		"first rank's end of MPI_Init. Serialisation and transfer are empty if the "
		"parameters of a link are unknown.\n\n"
		"With --fragment each message above S in standard mode is cut into pieces of S "
		"bytes and a shorter one, as if the program sent and received the pieces one after "
		"the other. S is the value of --set, or the smallest of all links. The pieces wait "
		"for no receive.\n\n"
		"With --progress no message waits until its other side is inside MPI. Above S "
		"--progress also saves a part of the transfer: the part that a thread can do "
		"between the posts of both sides and the completing call. The overhead o remains. "
		"--set S_p can only raise S_p: the run does not show how long sends up to the "
		"measured S_p would wait for progress. --set S also raises S_p if sends up to the "
		"measured S need no progress. Inside a host, S_p becomes the new S. Between hosts "
		"it grows to 64 KiB at most: the receiver's host takes this much of a TCP "
		"connection's data while the receiver computes. A message that --set S makes eager "
		"needs no progress up to S_p. The send of a longer one waits until the receiver is "
		"inside MPI. The send of a message that becomes a rendezvous waits until its "
		"receive is posted and the receiver is inside MPI. With --map this also holds for "
		"a rendezvous that moves into a host or out of one.\n\n"
		"--map puts ranks on other hosts. FILE has a line RANK HOST for each rank that "
		"moves; HOST is a host of the run or a new name. by-node puts ranks on the hosts "
		"of the run in turn, by-slot fills one host after the other. search exchanges "
		"ranks between hosts as long as the sum of all messages' times falls, and takes "
		"the mapping whose replay ends first, which can be the run's own. With all but "
		"FILE each host keeps its number of ranks. Section map has the host of each rank. "
		"A message between ranks that come to one host, or leave it, "
		"takes another kind of link: its parameters, S and S_p are those that the run "
		"measured, or those of --links FILE if it did not measure all. tryst "
		"calibrate measures both kinds if it runs in the place of the program, on its "
		"hosts with two ranks on one. Several files can be given, too: the first that "
		"knows a kind of link counts. If none knows it, the mapping is refused.\n\n"
		"The replay follows a message between hosts if it works out how the message shares "
		"its hosts with others. It does so if --map moves ranks, and if --set or --sweep "
		"changes links between the hosts of the run; but not with --model, "
		"--ideal-network or --fragment, and without --map only if the model gives the run "
		"time as it was within 10 %; what is missing then is added. A host sends one piece "
		"of a message at a time. "
		"Messages to one partner keep their order, pieces for several partners alternate. "
		"The data of a rendezvous joins when its sender has noticed the answer, which "
		"itself waits behind other data. Messages from several hosts share the way into "
		"their receiver's host, equally or by the flow cuts of the run's links, or else of "
		"--links FILE. A flow cut "
		"tells how much slower a message is while another one shares its host. tryst "
		"calibrate measures flow cuts with four ranks on two hosts. With a third host it "
		"also measures cut_in, of two messages from different hosts to one. A network may "
		"limit only what leaves a host. Then messages do not slow each other down on the "
		"way into one. The replay assumes this if cut_in is below a fifth of cut_pair. If "
		"cut_in is unknown, it assumes this if the run was faster than equal shares allow. "
		"Calls that complete "
		"followed messages take the time of the model, in which the time of data is "
		"multiplied by a factor from 0.25 to 4, the run's pace. With it a replay of the "
		"unchanged run by the model takes about as long as the run. It is 1 if data "
		"between hosts lengthens this replay by less than 5 % of the run time, and below 1 "
		"only if this replay would else be 10 % too long or more. Pieces are "
		"as TCP on Linux makes them; other networks can differ.\n\n"
		"With --model each call that completes messages takes the model's time, without "
		"any measured one: flights of several messages overlap, the bytes of each "
		"direction and the overheads add up. LogGPS "
		"has S and its waits. LogGP-1 and LogGP-2 are without synchronisation: no send "
		"waits for its receive. LogGP-2 has the lines of short and of eager messages, "
		"LogGP-1 one line from the shortest to the longest message of the run. Their "
		"parameters follow from those of LogGPS.\n\n"
		"The interval behind the run time is for a further run: 95 of 100 such runs lie in "
		"it, as far as the noise inside the recorded run tells. The noise is the spread of "
		"repeated computations and calls on the critical path. Where messages are "
		"followed, the run is replayed 15 times. Flight times of requests and answers "
		"vary at random, and so does the amount of each message's data that may wait at "
		"its host. The replay with the median run time is shown. The spread of all replays "
		"adds to the noise. With --map, the model's error for the unchanged run adds to "
		"it, too. Above about 150,000 messages there are fewer replays, and above 800,000 "
		"there is one. "
		"Launches can differ by more, and one run cannot show by how much: on a machine "
		"that was busy with other programs, 341 of 448 unchanged runs lay in the interval. "
		"Without an interval, less than half of the path was repeated at least eight "
		"times.\n\n"
		"If run.db can be written, it keeps the last prediction for each list of changes: "
		"tables scenario, scenario_rank, scenario_callsite and scenario_path of "
		"tryst-tables(5). tryst analyze and a new merge remove them.\n\n"
		"With --scenario FILE, options also come from FILE. A line is the name of an "
		"option without dashes, and its value: set S=64K. A # begins a comment. Options of "
		"the command line win.\n\n"
		"--as loggopsim adds section loggopsim: the run time by the rules of the simulator "
		"LogGOPSim, as it would give it for tryst export -f goal. Of the changes, only "
		"those "
		"of links count there. A rendezvous costs no handshake, the time inside calls "
		"follows from the parameters alone, and a receive takes the CPU when its message "
		"comes.\n\n"
		"A wait for the other side's progress ends when the other rank is inside MPI. "
		"Where that does not explain the wait of the run, it stays as measured. If the "
		"run shows that sends of a kind need the other rank, then all of them do. Waits by "
		"wrong order, flow control and contention stay as "
		"measured, and so do unexplained ones; contention is unknown where messages are "
		"followed. Section notes lists limits and assumptions of the prediction.",
	.examples =
		"tryst predict --set S=64K out\tthe run if messages up to 64 KiB were eager\n"
		"tryst predict --sweep S=1K..4M -s sweep out\tthe run time with S = 1 KiB, 2 KiB, "
		"... 4 MiB\n"
		"tryst predict --no-waits late_sender out\twhat late senders cost the run\n"
		"tryst predict --balance solve.c:20,solve.c:41 out\tif all ranks had the same "
		"work\n"
		"tryst predict --add rank:1@solve.c:30=20ms out\tif rank 1 computed longer\n"
		"tryst predict --map search --links node.db,net.db out\ton which host each rank "
		"should be\n",
	.see_also = "tryst-analyze(1), tryst-report(1), tryst-model(1)",
	.options = options,
	.options_size = sizeof(struct predict_options),
	.min_operands = 1,
	.max_operands = 1,
	.run = run_predict,
};
