/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_read.c: reads a calibration from its file.
 *
 * The file may come from anyone. If it has an unknown word, a number out of range or a damaged
 * table, it is refused as a whole, and one line has its name and the reason.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/array.h"
#include "analysis/format/links/calibration.h"
#include "analysis/format/db/db.h"
#include "analysis/format/links/queries.h"

struct reading {
	const char *path;
	sqlite3 *db;
	struct calibration *out;
	const struct say *say;
	uint32_t room; /* of the array that is being read */
};

static int damaged(struct reading *r, const char *what, const char *word)
{
	say_line(r->say, "cannot read '%s': %s '%s'", r->path, what, word ? word : "NULL");
	return -EINVAL;
}

static const char *text(sqlite3_stmt *s, int column)
{
	return (const char *)sqlite3_column_text(s, column);
}

static double real(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL ? NAN :
							       sqlite3_column_double(s, column);
}

static int read_pair(struct reading *r, sqlite3_stmt *s)
{
	struct calibration *c = r->out;
	struct calibration_pair p = {
		.from = sqlite3_column_int(s, 0), .to = sqlite3_column_int(s, 1), .tier = TIER_COUNT
	};
	const char *tier = text(s, 2), *from = text(s, 3), *to = text(s, 4);

	for (unsigned t = 0; t < TIER_COUNT; t++)
		if (tier && strcmp(tier, calibration_tier_name(t)) == 0)
			p.tier = t;
	if (p.tier == TIER_COUNT)
		return damaged(r, "unknown tier", tier);
	snprintf(p.from_host, sizeof(p.from_host), "%s", from ? from : "");
	snprintf(p.to_host, sizeof(p.to_host), "%s", to ? to : "");
	if (array_room(&c->pair, sizeof(p), &r->room, c->npairs))
		return -ENOMEM;
	c->pair[c->npairs++] = p;
	return 0;
}

static int read_sample(struct reading *r, sqlite3_stmt *s)
{
	struct calibration *c = r->out;
	int kind = sample_kind_by_name(text(s, 2)), form = sample_form_by_name(text(s, 3));
	int layout = sample_layout_by_name(text(s, 4)), flow = sample_flow_by_name(text(s, 5));
	int64_t count = sqlite3_column_int64(s, 6), bytes = sqlite3_column_int64(s, 7);
	double value = real(s, 11);

	if (kind < 0)
		return damaged(r, "unknown kind of sample", text(s, 2));
	if (form < 0 || layout < 0 || flow < 0)
		return damaged(r, "unknown form, layout or flow of a sample",
			text(s,
				form < 0           ? 3 :
					layout < 0 ? 4 :
						     5));
	if (count < 0 || count > UINT32_MAX || bytes < 0)
		return damaged(r, "impossible count or length of a sample", text(s, 6));
	if (array_room(&c->sample, sizeof(*c->sample), &r->room, c->nsamples))
		return -ENOMEM;
	c->sample[c->nsamples++] = (struct sample){
		.from = sqlite3_column_int(s, 0),
		.to = sqlite3_column_int(s, 1),
		.kind = (uint8_t)kind,
		.form = (uint8_t)form,
		.layout = (uint8_t)layout,
		.flow = (uint8_t)flow,
		.truth = sqlite3_column_int(s, 10) != 0,
		.count = (uint32_t)count,
		.repetition = (uint32_t)sqlite3_column_int64(s, 9),
		.bytes = (uint64_t)bytes,
		.delay_ns = sqlite3_column_int64(s, 8),
		.value_ns = value,
	};
	return 0;
}

/* The fit of these keys. Rows come sorted, so it is the last fit, or a new one is added. */
static int fit_for(
	struct reading *r, const struct calibration_fit *key, struct calibration_fit **out)
{
	struct calibration *c = r->out;
	struct calibration_fit *f = c->nfits ? &c->fit[c->nfits - 1] : NULL;

	if (!f || f->from != key->from || f->to != key->to || f->form != key->form ||
		f->layout != key->layout || f->params.model != key->params.model) {
		if (array_room(&c->fit, sizeof(*f), &r->room, c->nfits))
			return -ENOMEM;
		f = &c->fit[c->nfits++];
		*f = *key;
	}
	*out = f;
	return 0;
}

static int read_fit(struct reading *r, sqlite3_stmt *s)
{
	const char *model = text(s, 4), *name = text(s, 5);
	int form = sample_form_by_name(text(s, 2)), layout = sample_layout_by_name(text(s, 3)),
	    param;
	struct calibration_fit key = { .from = sqlite3_column_int(s, 0),
		.to = sqlite3_column_int(s, 1) },
			       *f;
	uint64_t bytes = MODEL_NO_BYTES;

	if (form < 0 || layout < 0)
		return damaged(r, "unknown form or layout of a fit", text(s, form < 0 ? 2 : 3));
	model_params_init(&key.params, model ? model_find(model) : NULL);
	if (!key.params.model)
		return damaged(r, "unknown model", model);
	param = name ? model_param_find(key.params.model, name) : -1;
	if (param < 0)
		return damaged(r, "unknown parameter", name);
	if (real(s, 7) < key.params.model->param[param].low ||
		real(s, 7) > key.params.model->param[param].high)
		return damaged(r, "impossible value of", name);
	key.form = (uint8_t)form;
	key.layout = (uint8_t)layout;
	if (sqlite3_column_type(s, 6) != SQLITE_NULL)
		bytes = (uint64_t)sqlite3_column_int64(s, 6);
	if (fit_for(r, &key, &f) < 0)
		return -ENOMEM;
	return model_set(
		&f->params, param, bytes, real(s, 7), real(s, 9), real(s, 10), text(s, 11));
}

static const struct {
	const char *table, *sql;
	int (*row)(struct reading *r, sqlite3_stmt *s);
} tables[] = {
	{ "calibration_pair", sql_links_pairs, read_pair },
	{ "sample", sql_links_samples, read_sample },
	{ "fit", sql_links_fits, read_fit },
};

static int read_table(
	struct reading *r, const char *sql, int (*row)(struct reading *r, sqlite3_stmt *s))
{
	sqlite3_stmt *s = NULL;
	int step = db_prepare(r->db, sql, &s), rc = 0;

	r->room = 0;
	while (!step && rc == 0 && (step = db_step(s)) > 0) {
		rc = row(r, s);
		step = 0;
	}
	if (rc == 0 && step != 0) {
		say_line(r->say, "cannot read '%s': %s", r->path, sqlite3_errmsg(r->db));
		rc = step == -ENOMEM ? -ENOMEM : -EINVAL;
	}
	sqlite3_finalize(s);
	return rc;
}

int calibration_read(const char *path, struct calibration *out, const struct say *say)
{
	struct reading r = { .path = path, .out = out, .say = say };
	struct link_file links = { 0 };
	struct db_steps steps;
	struct stat st;
	int rc;

	*out = (struct calibration){ 0 };
	/* says what is wrong with the file as such: not there, foreign, newer, damaged */
	rc = links_read(path, NULL, 0, &links, say);
	links_release(&links);
	if (rc == -ENOENT)
		say_line(say, "cannot open '%s': %s", path, strerror(ENOENT));
	if (rc < 0)
		return rc;
	rc = links_open(path, &r.db, say);
	if (rc == 0)
		db_limit_steps(r.db, &steps, lstat(path, &st) == 0 ? (uint64_t)st.st_size : 0);
	if (rc == 0) /* cut files can look whole in the tables that are read */
		rc = db_check(r.db, path, say);
	/* a file of link parameters alone has none of these tables */
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && rc == 0; i++)
		if (db_has_table(r.db, tables[i].table))
			rc = read_table(&r, tables[i].sql, tables[i].row);
	for (size_t i = 0; i < out->nsamples; i++)
		for (size_t k = 0; k < out->npairs && !out->sample[i].same_node; k++)
			out->sample[i].same_node = out->pair[k].tier == TIER_NODE &&
				out->sample[i].from == out->pair[k].from &&
				out->sample[i].to == out->pair[k].to;
	sqlite3_close(r.db);
	return rc;
}
