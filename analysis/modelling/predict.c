/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.c: `tryst model predict`.
 *
 * One pair's calls, messages and round trips by length; a broadcast over ranks on given nodes;
 * transfers that share nodes; scatter and gather over ranks each pair of which has parameters of
 * its own.
 */
#include <config.h>

#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"
#include "analysis/modelling/file.h"
#include "analysis/modelling/input.h"
#include "analysis/modelling/queries.h"
#include "analysis/modelling/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/model/equations/contention.h"
#include "analysis/model/models.h"
#include "analysis/model/equations/plogp.h"

/* What is asked with every length. */
struct asking {
	const struct model_options *o;
	struct model_case c;
	struct model_params p;
	int form;     /* enum sample_form */
	bool apart;   /* another call completes what this form posts */
	int *node_of; /* --map */
	sqlite3 *db;
};

/* T and TA know no length: beyond one packet their times are too short. */
static void warn_of_envelope(const struct asking *a)
{
	int param = model_param_find(a->p.model, "envelope");
	double longest = param < 0 ? INFINITY : model_get(&a->p, param);

	if (isnan(longest))
		say_note("%s is of messages that fit one packet; its length is not known",
			a->p.model->name);
	else if ((double)a->c.bytes > longest)
		say_note("%s is of messages that fit one packet, here up to %.0f B: the times for "
			 "%llu B are too short",
			a->p.model->name, longest, (unsigned long long)a->c.bytes);
}

static bool is_receive(int form)
{
	return form == SAMPLE_RECV_FORM || form == SAMPLE_IRECV || form == SAMPLE_RECV_INIT;
}

/*
 * LogGPS: a post and MPI_Wait right behind it take together what the blocking call takes. The post
 * of a rendezvous is its request, o; that of an eager message is the sending, (6). What the post of
 * a receive takes has no equation.
 */
static void cut_at_post(const struct asking *a, double ns[MODEL_QUANTITIES], double *wait)
{
	const struct model *m = a->p.model;
	const double S = model_get(&a->p, model_param_find(m, "S"));
	const bool rendezvous = a->c.mode == MODEL_SYNCHRONOUS || (double)a->c.bytes > S;
	double post;

	if (is_receive(a->form)) {
		*wait = ns[MODEL_RECV];
		ns[MODEL_RECV] = NAN;
		model_add_row(a->db, "note", "%Q, %Q", "recv",
			"the post of a receive has no equation; the wait is entered right behind "
			"it");
		return;
	}
	if (isnan(ns[MODEL_SEND])) /* the notes say why */
		return;
	post = rendezvous ? model_get(&a->p, model_param_find(m, "o")) : ns[MODEL_SEND];
	*wait = ns[MODEL_SEND] - post;
	ns[MODEL_SEND] = post;
}

/* One line of predictions; notes say once why something is missing. */
static void predict_row(const struct asking *a)
{
	struct contention net;
	char column[MODEL_QUANTITIES + 1][40], waiting[40];
	double ns[MODEL_QUANTITIES], wait = NAN;

	for (int q = 0; q < MODEL_QUANTITIES; q++) {
		const char *why = NULL;
		bool has = a->p.model->quantities & 1u << q;

		ns[q] = !has || (q == MODEL_BROADCAST && !a->node_of) ?
			NAN :
			model_predict(&a->p, q, &a->c, &why);

		if (why)
			model_add_row(a->db, "note", "%Q, %Q", model_quantity_name(q), why);
		else if (!has)
			model_add_row(a->db, "note", "%Q, %Q", model_quantity_name(q),
				"no equation of this model gives it (tryst"
				" model list tells which models have one)");
	}
	if (a->apart)
		cut_at_post(a, ns, &wait);
	for (int q = 0; q < MODEL_QUANTITIES; q++)
		snprintf(column[q], sizeof(column[q]), isnan(ns[q]) ? "NULL" : "%.1f", ns[q]);
	snprintf(waiting, sizeof(waiting), isnan(wait) ? "NULL" : "%.1f", wait);
	snprintf(column[MODEL_QUANTITIES], sizeof(*column), "NULL");
	if (a->node_of && a->p.model == &model_mm) {
		contention_of(&a->p, &net);
		snprintf(column[MODEL_QUANTITIES], sizeof(*column), "%.1f",
			contention_broadcast(&net, a->node_of, a->c.n, a->c.bytes, 1));
		if (!strcmp(column[MODEL_QUANTITIES], "nan"))
			snprintf(column[MODEL_QUANTITIES], sizeof(*column), "NULL");
	}
	model_add_row(a->db, "prediction", "%llu, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s",
		(unsigned long long)a->c.bytes, column[MODEL_SEND], column[MODEL_RECV], waiting,
		column[MODEL_MESSAGE], column[MODEL_ROUND_TRIP], column[MODEL_SCATTER],
		column[MODEL_GATHER], column[MODEL_BURST], column[MODEL_BURST_SEND],
		column[MODEL_BROADCAST], column[MODEL_QUANTITIES]);
}

/* What is missing above, a sentence a reason. */
static int print_notes(const struct asking *a)
{
	sqlite3_stmt *s;

	if (db_prepare(a->db, sql_modelling_notes, &s) != 0)
		return say_error("%s", sqlite3_errmsg(a->db));
	while (db_step(s) > 0)
		print_foreign(stdout, (const char *)sqlite3_column_text(s, 0), 0, 2,
			columns_to_fit(a->o->width));
	return db_finalize(s) == 0 ? CMD_OK : CMD_FAILED;
}

static int print_predictions(const struct asking *a)
{
	bool text = model_formats[a->o->format] == TABLE_TEXT;
	char sql[512], title[128];
	int rc;

	snprintf(sql, sizeof(sql), "SELECT bytes%s", text ? " AS length_bytes" : "");
	for (int q = 0; q < (a->node_of ? MODEL_QUANTITIES : MODEL_BROADCAST); q++)
		if (a->p.model->quantities & 1u << q)
			snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), ", %s_ns%s",
				model_quantity_name(q),
				q == MODEL_RECV && a->apart ? ", wait_ns" : "");
	snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), "%s FROM prediction ORDER BY rowid",
		a->node_of ? ", no_conflicts_ns" : "");
	snprintf(title, sizeof(title), "%s predicts", a->p.model->name);
	rc = model_print(a->db, a->o, title, sql);
	if (rc == CMD_OK && text)
		rc = print_notes(a);
	return rc;
}

static int predict_lengths(struct asking *a)
{
	const char *list = a->o->bytes ? a->o->bytes : MODEL_BYTES;

	while (*list) {
		int64_t bytes = model_next_bytes(&list);

		if (bytes < 0)
			return CMD_USAGE;
		a->c.bytes = (uint64_t)bytes;
		warn_of_envelope(a);
		predict_row(a);
	}
	return print_predictions(a);
}

/* When each transfer of a pattern ends, beside how long it would take alone. */
static int predict_pattern(struct asking *a)
{
	struct contention net;
	struct flow *flow = NULL;
	size_t n;
	int rc = CMD_FAILED;

	if (a->p.model != &model_mm)
		return say_error("%s does not say how transfers disturb each other: -m MM",
			a->p.model->name);
	contention_of(&a->p, &net);
	if (!contention_known(&net))
		return say_error("'%s' has no flow cuts: calibrate with four ranks or more on two "
				 "hosts or more, or take a published set",
			a->o->pattern);
	if (model_pattern_read(a->o->pattern, &flow, &n) < 0) {
		rc = CMD_USAGE;
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		if (isnan(contention_alone(&net, flow[i].bytes, flow[i].from == flow[i].to))) {
			say_error("what a transfer %s takes is not known",
				flow[i].from == flow[i].to ? "inside a node" : "between nodes");
			goto out;
		}
	if (contention_run(&net, flow, n) < 0) {
		say_error("out of memory");
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		double alone = contention_alone(&net, flow[i].bytes, flow[i].from == flow[i].to);
		double took = flow[i].end_ns - flow[i].start_ns;

		model_add_row(a->db, "transfer", "%lld, %d, %d, %llu, %.1f, %.1f, %.1f, %.1f, %.3f",
			(long long)i, flow[i].from, flow[i].to, (unsigned long long)flow[i].bytes,
			flow[i].start_ns, flow[i].end_ns, took, alone,
			alone > 0 ? took / alone : 1.0);
	}
	rc = model_print(a->db, a->o, "MM predicts concurrent transfers",
		model_formats[a->o->format] == TABLE_TEXT ? sql_modelling_transfers_text :
							    sql_modelling_transfers);
out:
	free(flow);
	return rc;
}

/* --convert: *p becomes another model's. Returns an exit code and prints errors. */
static int convert(const struct model_options *o, struct model_params *p)
{
	const struct model *to = model_find(o->convert);
	struct model_params q;

	if (to != &model_logp && to != &model_loggp_1) {
		say_error("PLogP converts to LogP and LogGP-1, not to '%s'", o->convert);
		return CMD_USAGE;
	}
	if (p->model != &model_plogp)
		return say_error(
			"only PLogP's parameters convert, not those of %s", p->model->name);
	model_params_init(&q, to);
	if (plogp_convert(p, &q) < 0) {
		model_params_release(&q);
		return say_error("out of memory");
	}
	model_params_release(p);
	*p = q;
	return CMD_OK;
}

/* Loads the parameters of every ordered pair into pair[n * n]. Returns an exit code. */
static int load_pairs(const struct model_options *o, const char *operand, const int *rank, int n,
	struct model_params *pair)
{
	int rc = CMD_OK;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n && rc == CMD_OK; j++) {
			struct model_params *p = &pair[i * n + j];

			if (i == j)
				continue;
			if (model_params_load(operand, o->model ? o->model : "PLogP", rank[i],
				    rank[j], p) < 0)
				return CMD_FAILED;
			rc = o->convert ? convert(o, p) : CMD_OK;
			if (rc == CMD_OK && o->set)
				rc = model_change(p, o->set);
			if (rc == CMD_OK && !(p->model->quantities & 1u << MODEL_SCATTER))
				rc = say_error(
					"%s has no equation of a scatter or a gather: PLogP, "
					"LogGP-1 and LogGP-2 have",
					p->model->name);
		}
	return rc;
}

/* Predicts scatter and gather of each length. Returns an exit code. */
static int predict_pairs(struct asking *a, const struct plogp_pairs *all)
{
	bool text = model_formats[a->o->format] == TABLE_TEXT;
	const char *list = a->o->bytes ? a->o->bytes : MODEL_BYTES;
	char title[128];
	int rc;

	while (*list) {
		int64_t bytes = model_next_bytes(&list);
		char column[2][40];

		if (bytes < 0)
			return CMD_USAGE;
		for (int i = 0; i < 2; i++) {
			enum model_quantity q = i ? MODEL_GATHER : MODEL_SCATTER;
			const char *why;
			double ns = plogp_pairs_linear(all, q, (uint64_t)bytes, &why);

			snprintf(column[i], sizeof(column[i]), isnan(ns) ? "NULL" : "%.1f", ns);
			if (why)
				model_add_row(a->db, "note", "%Q, %Q", model_quantity_name(q), why);
		}
		model_add_row(
			a->db, "all_pairs", "%lld, %s, %s", (long long)bytes, column[0], column[1]);
	}
	snprintf(title, sizeof(title), "%s predicts, each pair with its own parameters",
		all->pair[1].model->name);
	rc = model_print(
		a->db, a->o, title, text ? sql_modelling_all_pairs_text : sql_modelling_all_pairs);
	if (rc == CMD_OK && text)
		rc = print_notes(a);
	return rc;
}

/*
 * Refuses options that no equation of the wanted `quantities` takes (model_inputs()). Returns
 * CMD_OK, or CMD_USAGE after printing the error.
 */
static int check_options(const struct asking *a, const struct model *m, uint32_t quantities)
{
	const struct {
		const char *name;
		uint32_t input;
		bool set;
	} set[] = {
		{ "late-receiver", MODEL_LATE, a->c.late_receiver_ns > 0 },
		{ "late-sender", MODEL_LATE, a->c.late_sender_ns > 0 },
		{ "delay", MODEL_DELAY, a->c.delay_ns > 0 },
		{ "synchronous", MODEL_MODE, a->o->synchronous },
		{ "same-node", MODEL_TIER, a->o->same_node },
		{ "hosts", MODEL_COUNT, a->o->hosts > 0 },
		{ "map", MODEL_NODES, a->o->map },
	};
	uint32_t taken = 0;

	for (int q = 0; q < MODEL_QUANTITIES; q++)
		if (quantities & 1u << q)
			taken |= model_inputs(m, q);
	for (size_t i = 0; i < sizeof(set) / sizeof(*set); i++)
		if (set[i].set && !(taken & set[i].input)) {
			say_error("%s does not use --%s%s", m->name, set[i].name,
				a->o->pattern       ? " in a pattern" :
					a->o->ranks ? " over --ranks" :
						      "");
			return CMD_USAGE;
		}
	if (a->c.delay_ns > 0 && a->c.late_receiver_ns + a->c.late_sender_ns > 0) {
		say_error("%s has no equation with a late side and a --delay", m->name);
		return CMD_USAGE;
	}
	return CMD_OK;
}

static int predict_ranks(struct asking *a, const char *operand)
{
	struct plogp_pairs all = { .n = 0 };
	struct model_params *pair = NULL;
	int *rank, rc = CMD_FAILED;

	if (model_map_read(a->o->ranks, &rank, &all.n) < 0)
		return CMD_USAGE;
	if (all.n < 2 || all.n > 256) {
		say_error("--ranks wants 2 to 256 ranks");
		goto out;
	}
	pair = calloc((size_t)all.n * (size_t)all.n, sizeof(*pair));
	if (!pair) {
		say_error("out of memory");
		goto out;
	}
	all.pair = pair;
	rc = load_pairs(a->o, operand, rank, all.n, pair);
	if (rc == CMD_OK)
		rc = check_options(a, pair[1].model, 0);
	if (rc == CMD_OK)
		rc = predict_pairs(a, &all);
out:
	for (int i = 0; pair && i < all.n * all.n; i++)
		model_params_release(&pair[i]);
	free(pair);
	free(rank);
	return rc;
}

/* The model that the question is about, where the user names none. NULL: the set's, or LogGPS. */
static const char *model_for(const struct model_options *o, const char *operand)
{
	if (o->model || model_is_published(operand))
		return o->model;
	return o->convert ? "PLogP" : o->map || o->pattern ? "MM" : NULL;
}

/* --form: its parameters, if the file knows them, and who completes it. An exit code, said. */
static int take_form(struct asking *a, const char *operand)
{
	static const int apart[] = { SAMPLE_ISEND, SAMPLE_ISSEND, SAMPLE_IRSEND, SAMPLE_SEND_INIT,
		SAMPLE_SSEND_INIT, SAMPLE_RSEND_INIT, SAMPLE_IRECV, SAMPLE_RECV_INIT };
	const int form = sample_form_by_name(a->o->form);

	a->form = form;
	if (form <= 0 || form == SAMPLE_BSEND || form == SAMPLE_IBSEND ||
		form == SAMPLE_BSEND_INIT) {
		say_error("no form '%s' can be predicted: send, ssend, rsend, isend, issend, "
			  "irsend, send_init, ssend_init, rsend_init, recv, irecv, recv_init",
			a->o->form);
		return CMD_USAGE;
	}
	if (a->p.model != &model_loggps)
		return say_error("%s does not tell forms apart: -m LogGPS", a->p.model->name),
		       CMD_USAGE;
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		a->apart |= form == apart[i];
	if (a->c.late_receiver_ns > 0 &&
		(form == SAMPLE_RSEND || form == SAMPLE_IRSEND || form == SAMPLE_RSEND_INIT))
		return say_error(
			       "--late-receiver: the receive of %s is posted already", a->o->form),
		       CMD_USAGE;
	if (form == SAMPLE_SSEND || form == SAMPLE_ISSEND || form == SAMPLE_SSEND_INIT)
		a->c.mode = MODEL_SYNCHRONOUS;
	return model_form_load(operand, form, (int)a->o->from, (int)a->o->to, &a->p) < 0 ?
		CMD_FAILED :
		CMD_OK;
}

/* Refuses options that exclude each other. Returns an exit code; the error is printed. */
static int check_together(const struct model_options *o, const char *operand)
{
	const bool pair = o->from >= 0 || o->to >= 0, apart = o->ranks || o->pattern || o->map;
	const struct {
		bool both;
		const char *what;
	} refused[] = {
		{ o->ranks && (o->pattern || o->map),
			"--ranks is not used with --pattern or --map" },
		{ o->form && apart,
			"--form is of one message, not of --ranks, --pattern or --map" },
		{ o->bytes && o->pattern,
			"--bytes is not used with --pattern: its lines have the lengths" },
		{ pair && o->ranks, "--from and --to are not used with --ranks" },
		{ pair && model_is_published(operand), "a set has no ranks for --from and --to" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (refused[i].both)
			return say_error("%s", refused[i].what), CMD_USAGE;
	return CMD_OK;
}

int model_predict_action(const struct model_options *o, const char *operand)
{
	struct asking a = { .o = o,
		.c = { .late_receiver_ns = model_time_of(o->late_receiver),
			.late_sender_ns = model_time_of(o->late_sender),
			.delay_ns = model_time_of(o->delay),
			.n = o->hosts ? (int)o->hosts : 2,
			.same_node = o->same_node,
			.mode = o->synchronous ? MODEL_SYNCHRONOUS : MODEL_STANDARD } };
	int rc = CMD_FAILED;

	if (isnan(a.c.late_receiver_ns + a.c.late_sender_ns + a.c.delay_ns) ||
		check_together(o, operand) != CMD_OK)
		return CMD_USAGE;
	if (a.c.late_receiver_ns > 0 && a.c.late_sender_ns > 0)
		return say_error("the receiver and the sender cannot both be late"), CMD_USAGE;
	if (o->map && model_map_read(o->map, &a.node_of, &a.c.n) < 0)
		return CMD_USAGE;
	a.c.node_of = a.node_of;
	a.db = model_memory_db();
	if (a.db && o->ranks)
		rc = predict_ranks(&a, operand);
	else if (a.db &&
		model_params_load(operand, model_for(o, operand), (int)o->from, (int)o->to, &a.p) ==
			0) {
		rc = o->convert ? convert(o, &a.p) : CMD_OK;
		if (rc == CMD_OK && o->form)
			rc = take_form(&a, operand);
		if (rc == CMD_OK && o->set)
			rc = model_change(&a.p, o->set);
		if (rc == CMD_OK)
			rc = check_options(&a, a.p.model, o->pattern ? 0 : UINT32_MAX);
		if (rc == CMD_OK)
			rc = o->pattern ? predict_pattern(&a) : predict_lengths(&a);
	}
	sqlite3_close(a.db);
	free(a.node_of);
	model_params_release(&a.p);
	return rc;
}
