/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c: `tryst model`: the models, their parameters, and how well they predict.
 *
 * An action is a function and a line of the table `actions`. Actions print queries on tables in
 * memory (modelling/table.h).
 */
#include <config.h>

#include "analysis/command/queries.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/modelling/file.h"
#include "analysis/modelling/table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/model/models.h"
#include "analysis/format/links/links.h"

static const struct option options[] = {
	{ .name = "model",
		.letter = 'm',
		.type = OPT_TEXT,
		.argument = "MODEL",
		.at = offsetof(struct model_options, model),
		.help = "predict, fit: which model [LogGPS, or the set's]" },
	{ .name = "from",
		.type = OPT_WHOLE,
		.argument = "RANK",
		.initial = "-1",
		.lowest = -1,
		.highest = INT_MAX,
		.at = offsetof(struct model_options, from),
		.help = "messages from this rank; -1: the first pair" },
	{ .name = "to",
		.type = OPT_WHOLE,
		.argument = "RANK",
		.initial = "-1",
		.lowest = -1,
		.highest = INT_MAX,
		.at = offsetof(struct model_options, to),
		.help = "messages to this rank; -1: the first pair" },
	{ .name = "bytes",
		.letter = 'b',
		.type = OPT_TEXT,
		.argument = "BYTES,...",
		.at = offsetof(struct model_options, bytes),
		.help = "predict: message lengths [" MODEL_BYTES "]" },
	{ .name = "late-receiver",
		.type = OPT_TEXT,
		.argument = "TIME",
		.initial = "0",
		.at = offsetof(struct model_options, late_receiver),
		.help = "predict: the receive is entered TIME after the send (ns, us, ms, s)" },
	{ .name = "late-sender",
		.type = OPT_TEXT,
		.argument = "TIME",
		.initial = "0",
		.at = offsetof(struct model_options, late_sender),
		.help = "predict: the send is entered TIME after the receive" },
	{ .name = "delay",
		.letter = 'w',
		.type = OPT_TEXT,
		.argument = "TIME",
		.initial = "0",
		.at = offsetof(struct model_options, delay),
		.help = "predict: w, the idle time within a round trip" },
	{ .name = "hosts",
		.letter = 'n',
		.type = OPT_WHOLE,
		.argument = "N",
		.lowest = 1,
		.highest = 1000000,
		.at = offsetof(struct model_options, hosts),
		.help = "predict: processes of a scatter or gather, hosts of a burst [2]" },
	{ .name = "map",
		.type = OPT_TEXT,
		.argument = "NODE,...|NxM",
		.at = offsetof(struct model_options, map),
		.help = "predict: a broadcast over ranks on these nodes, or N nodes of M ranks" },
	{ .name = "pattern",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct model_options, pattern),
		.help = "predict: concurrent transfers, lines of FROM TO BYTES [START]; - is "
			"stdin" },
	{ .name = "ranks",
		.type = OPT_TEXT,
		.argument = "RANK,...",
		.at = offsetof(struct model_options, ranks),
		.help = "predict: scatter and gather over these by PLogP or LogGP, each pair with "
			"its own parameters" },
	{ .name = "convert",
		.type = OPT_TEXT,
		.argument = "LogP|LogGP-1",
		.at = offsetof(struct model_options, convert),
		.help = "predict: with PLogP's parameters turned into this model's" },
	{ .name = "set",
		.type = OPT_TEXT,
		.argument = "NAME=VALUE,...",
		.at = offsetof(struct model_options, set),
		.help = "predict: with these parameters changed (S=64k,o=2us); the rest stays" },
	{ .name = "form",
		.type = OPT_TEXT,
		.argument = "CALL",
		.at = offsetof(struct model_options, form),
		.help = "predict: the send or receive is isend, issend, ssend, send_init, irecv, "
			"..." },
	{ .name = "same-node",
		.type = OPT_FLAG,
		.at = offsetof(struct model_options, same_node),
		.help = "predict: both ranks on one node, for models of two tiers" },
	{ .name = "synchronous",
		.type = OPT_FLAG,
		.at = offsetof(struct model_options, synchronous),
		.help = "predict: the send is synchronous" },
	{ .name = "picture",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct model_options, picture),
		.help = "compare: draw errors by length (.svg, .png, .pdf; needs gnuplot)" },
	{ .name = "refit",
		.type = OPT_FLAG,
		.at = offsetof(struct model_options, refit),
		.help = "compare: fit the models again to the file's samples" },
	{ .name = "format",
		.letter = 'f',
		.type = OPT_CHOICE,
		.argument = "text|" TABLE_FORMATS,
		.initial = "text",
		.at = offsetof(struct model_options, format),
		.help = "how tables are printed" },
	{ .name = "width",
		.type = OPT_WHOLE,
		.argument = "N",
		.lowest = 40,
		.highest = 1000,
		.at = offsetof(struct model_options, width),
		.help = "columns to fit [the terminal's, 80 to 200]" },
	{ 0 }
};

static int action_list(const struct model_options *o, const char *operand)
{
	sqlite3 *db = model_memory_db();
	int rc = CMD_FAILED;

	(void)operand;
	if (!db)
		return rc;
	for (const struct model *const *m = models; *m; m++) {
		char parameters[512] = "", predicts[256] = "";

		for (int i = 0; i < (*m)->nparams; i++)
			snprintf(parameters + strlen(parameters),
				sizeof(parameters) - strlen(parameters), "%s%s", i ? " " : "",
				(*m)->param[i].name);
		for (int q = 0; q < MODEL_QUANTITIES; q++)
			if ((*m)->quantities & 1u << q)
				snprintf(predicts + strlen(predicts),
					sizeof(predicts) - strlen(predicts), "%s%s",
					*predicts ? " " : "", model_quantity_name(q));
		model_add_row(db, "model", "%Q, %Q, %Q, %Q, %Q", (*m)->name, predicts, parameters,
			(*m)->summary, (*m)->source);
	}
	for (const struct model_published *p = model_published; p->name; p++)
		model_add_row(db, "published", "%Q, %Q, %Q, %Q", p->name, p->model, p->platform,
			p->source);
	rc = model_print(db, o, "Models",
		model_formats[o->format] == TABLE_TEXT ? sql_command_models_text :
							 sql_command_models);
	if (rc == CMD_OK)
		rc = model_print(db, o, "Published parameters, to be used in place of a file",
			sql_command_published_parameters);
	sqlite3_close(db);
	return rc;
}

static void add_params(sqlite3 *db, const struct model_params *p, int from, int to)
{
	for (size_t i = 0; i < p->nvalues; i++) {
		const struct model_value *v = &p->value[i];
		const struct model_param *d = &p->model->param[v->param];
		char bytes[32] = "NULL", value[64] = "NULL", interval[96] = "";

		if (v->bytes != MODEL_NO_BYTES)
			snprintf(bytes, sizeof(bytes), "%lld", (long long)v->bytes);
		if (!isnan(v->value))
			snprintf(value, sizeof(value), strcmp(d->unit, "B") == 0 ? "%.0f" : "%.6g",
				v->value);
		if (!isnan(v->ci_low) || !isnan(v->ci_high))
			snprintf(interval, sizeof(interval), "%.4g to %.4g", v->ci_low, v->ci_high);
		model_add_row(db, "parameter",
			"nullif(%d, -1), nullif(%d, -1), %Q, %Q, %s, %s, %Q, %Q, %Q", from, to,
			p->model->name, d->name, bytes, value, d->unit, interval,
			v->reason[0] ? v->reason : d->meaning);
	}
}

static int print_params(sqlite3 *db, const struct model_options *o, const char *title)
{
	return model_print(db, o, title,
		model_formats[o->format] == TABLE_TEXT ? sql_command_model_parameters :
							 sql_command_parameters);
}

static int show_findings(const char *path, const struct model_options *o)
{
	sqlite3 *db = NULL;
	int rc = links_open(path, &db, &say_stderr) == 0 ? CMD_OK : CMD_FAILED;

	if (rc == CMD_OK)
		rc = model_print(db, o, "Findings",
			model_formats[o->format] == TABLE_TEXT ? sql_command_model_findings :
								 sql_command_findings);
	if (rc == CMD_OK)
		rc = model_print(db, o, "Send forms: thresholds, and what the call takes up to S",
			sql_command_model_send_forms);
	if (rc == CMD_OK)
		rc = model_print(db, o, "While a long message is on its way, this side outside MPI",
			sql_command_async_progress);
	if (rc == CMD_OK)
		rc = model_print(db, o,
			"What --links takes: LogGPS by kind of link (table link_param; the "
			"Parameters above are table fit)",
			sql_command_model_links);
	sqlite3_close(db);
	return rc;
}

static int action_show(const struct model_options *o, const char *operand)
{
	struct calibration c = { 0 };
	struct model_params p;
	sqlite3 *db;
	int rc = CMD_FAILED;

	if (model_published_load(&p, operand) == 0) {
		db = model_memory_db();
		if (db) {
			add_params(db, &p, 0, 1);
			rc = print_params(db, o, operand);
		}
		model_params_release(&p);
		sqlite3_close(db);
		return rc;
	}
	if (calibration_read(operand, &c, &model_say) < 0) {
		calibration_release(&c);
		return CMD_FAILED;
	}
	db = model_memory_db();
	if (db) {
		for (size_t i = 0; i < c.nfits; i++)
			if (c.fit[i].form == 0 && c.fit[i].layout == 0)
				add_params(db, &c.fit[i].params, c.fit[i].from, c.fit[i].to);
		if (c.nfits == 0 && model_params_load(operand, NULL, -1, -1, &p) == 0) {
			add_params(db, &p, 0, 1);
			model_params_release(&p);
		}
		rc = print_params(db, o, "Parameters");
	}
	if (rc == CMD_OK && c.nfits > 0)
		rc = show_findings(operand, o);
	sqlite3_close(db);
	calibration_release(&c);
	return rc;
}

static bool has_rows(sqlite3 *db, const char *query)
{
	sqlite3_stmt *any = NULL;
	bool found = db_prepare(db, query, &any) == 0 && db_step(any) > 0;

	sqlite3_finalize(any);
	return found;
}

/* Errors by length, a column a model; --format csv and json give the rows themselves. */
static int print_comparison(sqlite3 *db, const struct model_options *o)
{
	int rc;

	if (model_formats[o->format] != TABLE_TEXT)
		return model_print(db, o, NULL,
			"SELECT * FROM comparison ORDER BY from_rank, to_rank,"
			" model, what, flow, hosts, delay_ns, bytes");
	rc = model_print(db, o, "Error of round trips by length", sql_command_model_by_length);
	if (rc == CMD_OK)
		rc = model_print(db, o,
			"Mean absolute error by regime (repeatability: of the same "
			"lengths measured twice in this launch)",
			sql_command_model_regimes);
	if (rc == CMD_OK)
		rc = model_print(db, o, "Round trips with a delay w before the receive",
			sql_command_model_delays);
	if (rc == CMD_OK && has_rows(db, "SELECT 1 FROM comparison WHERE what <> 'round_trip'"))
		rc = model_print(db, o,
			"Error of bursts and broadcasts by hosts and of concurrent transfers by "
			"pattern (fits to every second repetition, judged by the others)",
			sql_command_model_groups);
	return rc;
}

/* Are there rows of the pair that was asked for, and only those? */
static bool keep_pair(sqlite3 *db, const struct model_options *o)
{
	sqlite3_stmt *other = NULL;

	if (db_prepare(db, sql_command_other_pairs, &other) == 0) {
		sqlite3_bind_int64(other, 1, o->from);
		sqlite3_bind_int64(other, 2, o->to);
		db_step(other);
	}
	sqlite3_finalize(other);
	return has_rows(db, "SELECT 1 FROM comparison WHERE what = 'round_trip'");
}

static int action_compare(const struct model_options *o, const char *operand)
{
	struct calibration c;
	sqlite3 *db = NULL;
	int rc = CMD_FAILED;

	if (calibration_read(operand, &c, &model_say) < 0)
		goto out;
	if (c.nsamples == 0) {
		say_error("'%s' holds link parameters but no samples to compare with: tryst "
			  "calibrate makes them",
			operand);
		goto out;
	}
	db = model_memory_db();
	if (!db || (o->refit && model_refit(&c) < 0) || model_comparison(db, &c) < 0)
		goto out;
	if (!keep_pair(db, o)) {
		say_error("'%s' has no round trips%s to compare with", operand,
			o->from >= 0 || o->to >= 0 ? " of these ranks" : "");
		goto out;
	}
	rc = print_comparison(db, o);
	if (rc == CMD_OK && o->picture)
		rc = model_picture(db, o->from >= 0 ? (int)o->from : c.pair[0].from,
			     o->to >= 0 ? (int)o->to : c.pair[0].to, o->picture) < 0 ?
			CMD_FAILED :
			CMD_OK;
out:
	sqlite3_close(db);
	calibration_release(&c);
	return rc;
}

static int print_fit(
	const struct model_options *o, const struct model_params *p, const struct model_findings *f)
{
	sqlite3 *db = model_memory_db();
	int rc = CMD_FAILED;

	if (!db)
		return rc;
	add_params(db, p, (int)o->from, (int)o->to);
	for (size_t i = 0; i < f->n; i++) {
		const struct model_finding *g = &f->finding[i];

		model_add_row(db, "learned", "%Q, %Q, %Q, %lld, %lld, %Q",
			finding_kind_name(g->kind),
			g->param < 0 ? NULL : p->model->param[g->param].name,
			sample_kind_name(g->samples), (long long)g->bytes_low,
			g->bytes_high > INT64_MAX ? -1LL : (long long)g->bytes_high, g->text);
	}
	rc = print_params(db, o, "Parameters learned from the run's messages");
	if (rc == CMD_OK)
		rc = model_print(db, o, "Findings", sql_command_learned);
	sqlite3_close(db);
	return rc;
}

static int action_fit(const struct model_options *o, const char *operand)
{
	const struct model *m = model_find(o->model ? o->model : "LogGPS");
	struct model_findings f;
	struct model_params p;
	struct model_run run;
	int rc;

	if (!m)
		return say_error("no model '%s': tryst model list", o->model), CMD_USAGE;
	if (!m->fit)
		return say_error("the source of %s has no procedure to fit it", m->name);
	if (model_run_read(operand, o->from, o->to, &run) < 0) {
		free(run.s);
		return CMD_FAILED;
	}
	if (run.n == 0) {
		free(run.s);
		return say_error(
			"'%s' has no length of blocking standard sends or receives with at "
			"least 8 calls",
			operand);
	}
	if (m == &model_loggps && run.has_borders)
		rc = loggps_fit_known(&p, run.s, run.n, &run.known, &f);
	else
		rc = model_fit(&p, m, run.s, run.n, &f);
	if (rc == 0)
		rc = model_run_refuse(&p, &f);
	rc = rc < 0 ? say_error("out of memory") : print_fit(o, &p, &f);
	model_params_release(&p);
	model_findings_release(&f);
	free(run.s);
	return rc;
}

static const struct {
	const char *name;
	const char *operand; /* what it wants one of; NULL: nothing */
	const char *takes;   /* options besides format and width */
	int (*run)(const struct model_options *o, const char *operand);
} actions[] = {
	{ "list", NULL, "", action_list },
	{ "show", "FILE or SET", "", action_show },
	{ "predict", "FILE or SET",
		"model from to bytes late-receiver late-sender delay hosts map pattern ranks "
		"convert set form same-node synchronous",
		model_predict_action },
	{ "compare", "FILE", "from to picture refit", action_compare },
	{ "fit", "DIR", "model from to", action_fit },
};

/* Is the word one of those in the list, with spaces between? */
static bool is_word_of(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static bool is_given(const struct option *d, const void *read)
{
	const void *value = (const char *)read + d->at;

	switch (d->type) {
	case OPT_FLAG:
		return *(const bool *)value;
	case OPT_TEXT:
		return *(const char *const *)value != d->initial;
	default:
		return *(const int64_t *)value != (d->initial ? atoll(d->initial) : 0);
	}
}

/* An option that the action does not use; NULL: none is given. */
static const char *unused(size_t action, const void *read)
{
	for (const struct option *d = options; d->name; d++)
		if (!is_word_of("format width", d->name) &&
			!is_word_of(actions[action].takes, d->name) && is_given(d, read))
			return d->name;
	return NULL;
}

static int run_model(const void *read, int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		if (strcmp(argv[0], actions[i].name) != 0)
			continue;
		if (argc - 1 != (actions[i].operand != NULL)) {
			say_error("%s wants %s%s", argv[0],
				actions[i].operand ? "one " : "nothing more",
				actions[i].operand ? actions[i].operand : "");
			return CMD_USAGE;
		}
		if (unused(i, read)) {
			say_error("%s does not use --%s", actions[i].name, unused(i, read));
			return CMD_USAGE;
		}
		return actions[i].run(read, argv[1]);
	}
	say_error("unknown action '%s': list, show, predict, compare or fit", argv[0]);
	return CMD_USAGE;
}

const struct subcommand cmd_model = {
	.name = "model",
	.summary = "show models and their parameters, predict, and compare with what was measured",
	.arguments = "list | show FILE|SET | predict FILE|SET | compare FILE | fit DIR",
	.description =
		"FILE is made by tryst calibrate. SET is a published set of parameters; list "
		"shows them. DIR is a recorded run.\n\n"
		"list shows the models and sets. show prints the parameters of every model, and "
		"the reason for each unknown one. predict gives the times of calls, messages and "
		"round trips. compare sets each model's predictions beside the round trips of "
		"FILE that no fit used, by length and by regime, and beside their repeatability. "
		"It does the same for models of bursts, of concurrent transfers and of broadcasts. "
		"fit learns "
		"parameters from a run's own messages. A value above 1000 ns/B can only come from "
		"calls that waited: fit leaves it out and says so.\n\n"
		"With --form predict takes the parameters that FILE has of this call. If another "
		"call completes the message, send is the time of the post, and wait that of an "
		"MPI_Wait right behind it.\n\n"
		"A FILE of tryst calibrate holds two fits of LogGPS. Table link_param is measured "
		"as in MPI_Init, one set for each kind of link. Recorded runs predict with it "
		"(TRYST_LINKS, --links), and show lists it under \"What --links takes\". Table "
		"fit is fitted to the long measurement of each pair, and serves predict and "
		"compare. show lists it under Parameters.\n\n"
		"A value that the model's source does not define is not predicted, and a line "
		"names it. predict refuses options for which the model has no equation. Only calls "
		"and messages have a late side, and only round trips have a delay: the other "
		"columns are then empty.\n\n"
		"predict --map and --pattern use the model of concurrent communications (MM). "
		"They give the time of a broadcast along a binomial tree over ranks on nodes, "
		"with and without conflicts, and the end of each of several transfers that begin "
		"at any times. predict --ranks needs a FILE of tryst calibrate --pairs all.\n\n"
		"Formats are those of tryst report.",
	.examples =
		"tryst model list\tmodels and published sets\n"
		"tryst model predict loggps-myrinet -b 8k,16k,32k --late-receiver 100us\ta late "
		"receiver, around S\n"
		"tryst model predict mm-gige-mpich --map 0,1,1,2,2,3,3,0 -b 10000000\ta broadcast "
		"of 10 MB whose last messages share nodes, with and without conflicts\n"
		"tryst model compare tryst.links --picture errors.svg\twhich model fits this "
		"machine\n",
	.see_also = "tryst-calibrate(1), tryst-report(1)",
	.options = options,
	.options_size = sizeof(struct model_options),
	.min_operands = 1,
	.max_operands = 2,
	.run = run_model,
};
