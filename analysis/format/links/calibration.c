/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration.c: writing the tables of include/calibration.sql; see calibration.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/links/calibration.h"
#include "analysis/format/links/calibration_sql.h"
#include "analysis/base/file.h"
#include "analysis/format/db/db.h"
#include "analysis/format/db/vfs.h"

const char *calibration_tier_name(unsigned tier)
{
	static const char *const names[] = {
		[TIER_SELF] = "self", [TIER_NODE] = "node", [TIER_NETWORK] = "network"
	};

	return tier < TIER_COUNT ? names[tier] : "?";
}

void calibration_release(struct calibration *c)
{
	for (size_t i = 0; i < c->nfits; i++) {
		model_params_release(&c->fit[i].params);
		model_findings_release(&c->fit[i].findings);
	}
	free(c->pair);
	free(c->sample);
	free(c->fit);
	free(c->residual);
	*c = (struct calibration){ 0 };
}

int64_t calibration_longest_bytes(const struct calibration *c, int32_t from, int32_t to)
{
	int64_t longest = -1;

	for (size_t i = 0; i < c->nsamples; i++) {
		const struct sample *s = &c->sample[i];

		if (s->kind == SAMPLE_RTT && s->from == from && s->to == to &&
			(int64_t)s->bytes > longest)
			longest = (int64_t)s->bytes;
	}
	return longest;
}

/* One prepared insert; columns are bound from left to right. */
struct insert {
	sqlite3_stmt *stmt;
	int column;
	int rc; /* SQLite's first error */
};

static void insert_open(struct insert *in, sqlite3 *db, const char *table)
{
	*in = (struct insert){ 0 };
	in->rc = db_prepare_insert(db, DB_INSERT, table, &in->stmt);
}

static void put_int(struct insert *in, int64_t value)
{
	if (!in->rc)
		sqlite3_bind_int64(in->stmt, ++in->column, value);
}

static void put_null(struct insert *in)
{
	if (!in->rc)
		sqlite3_bind_null(in->stmt, ++in->column);
}

/* NAN is NULL. */
static void put_real(struct insert *in, double value)
{
	if (isnan(value))
		put_null(in);
	else if (!in->rc)
		sqlite3_bind_double(in->stmt, ++in->column, value);
}

/* NULL and "" are NULL. The text must live until put_row(). */
static void put_text(struct insert *in, const char *text)
{
	if (!text || !*text)
		put_null(in);
	else if (!in->rc)
		sqlite3_bind_text(in->stmt, ++in->column, text, -1, SQLITE_STATIC);
}

/* Writes NULL for UINT64_MAX, and for any number that SQLite's integers cannot hold. */
static void put_bytes(struct insert *in, uint64_t bytes)
{
	if (bytes > INT64_MAX)
		put_null(in);
	else
		put_int(in, (int64_t)bytes);
}

static void put_row(struct insert *in)
{
	if (!in->rc)
		in->rc = db_execute(in->stmt);
	in->column = 0;
}

static int insert_close(struct insert *in)
{
	sqlite3_finalize(in->stmt);
	return in->rc;
}

static int write_pairs(sqlite3 *db, const struct calibration *c)
{
	struct insert in;

	insert_open(&in, db, "calibration_pair");
	for (size_t i = 0; i < c->npairs && !in.rc; i++) {
		const struct calibration_pair *p = &c->pair[i];

		put_int(&in, p->from);
		put_int(&in, p->to);
		put_text(&in, calibration_tier_name(p->tier));
		put_text(&in, p->from_host);
		put_text(&in, p->to_host);
		put_row(&in);
	}
	return insert_close(&in);
}

static int write_samples(sqlite3 *db, const struct calibration *c)
{
	struct insert in;

	insert_open(&in, db, "sample");
	for (size_t i = 0; i < c->nsamples && !in.rc; i++) {
		const struct sample *s = &c->sample[i];

		put_int(&in, s->from);
		put_int(&in, s->to);
		put_text(&in, sample_kind_name(s->kind));
		put_text(&in, sample_form_name(s->form));
		put_text(&in, sample_layout_name(s->layout));
		put_text(&in, sample_flow_name(s->flow));
		if (s->count)
			put_int(&in, s->count);
		else
			put_null(&in);
		put_bytes(&in, s->bytes);
		put_int(&in, s->delay_ns);
		put_int(&in, s->repetition);
		put_int(&in, s->truth);
		put_real(&in, s->value_ns);
		put_row(&in);
	}
	return insert_close(&in);
}

static int write_fits(sqlite3 *db, const struct calibration *c)
{
	struct insert in;

	insert_open(&in, db, "fit");
	for (size_t i = 0; i < c->nfits; i++) {
		const struct calibration_fit *f = &c->fit[i];

		for (size_t j = 0; j < f->params.nvalues && !in.rc; j++) {
			const struct model_value *v = &f->params.value[j];
			const struct model_param *d = &f->params.model->param[v->param];

			put_int(&in, f->from);
			put_int(&in, f->to);
			put_text(&in, sample_form_name(f->form));
			put_text(&in, sample_layout_name(f->layout));
			put_text(&in, f->params.model->name);
			put_text(&in, d->name);
			put_bytes(&in, v->bytes);
			put_real(&in, v->value);
			put_text(&in, d->unit);
			put_real(&in, v->ci_low);
			put_real(&in, v->ci_high);
			put_text(&in, v->reason);
			put_row(&in);
		}
	}
	return insert_close(&in);
}

static int write_residuals(sqlite3 *db, const struct calibration *c)
{
	struct insert in;

	insert_open(&in, db, "residual");
	for (size_t i = 0; i < c->nresiduals && !in.rc; i++) {
		const struct calibration_residual *r = &c->residual[i];

		put_int(&in, r->from);
		put_int(&in, r->to);
		put_text(&in, r->model->name);
		put_text(&in, model_quantity_name(r->quantity));
		put_bytes(&in, r->bytes);
		put_int(&in, r->delay_ns);
		put_real(&in, r->measured_ns);
		put_real(&in, r->predicted_ns);
		put_real(&in, model_error_percent(r->predicted_ns, r->measured_ns));
		put_row(&in);
	}
	return insert_close(&in);
}

static int write_findings(sqlite3 *db, const struct calibration *c)
{
	struct insert in;

	insert_open(&in, db, "finding");
	for (size_t i = 0; i < c->nfits; i++) {
		const struct calibration_fit *f = &c->fit[i];

		for (size_t j = 0; j < f->findings.n && !in.rc; j++) {
			const struct model_finding *g = &f->findings.finding[j];

			put_int(&in, f->from);
			put_int(&in, f->to);
			put_text(&in, f->params.model->name);
			put_text(&in, finding_kind_name(g->kind));
			put_text(&in, g->param < 0 ? NULL : f->params.model->param[g->param].name);
			put_text(&in, sample_kind_name(g->samples));
			put_bytes(&in, g->bytes_low);
			put_bytes(&in, g->bytes_high);
			put_text(&in, g->text);
			put_row(&in);
		}
	}
	return insert_close(&in);
}

static int write_tables(sqlite3 *db, const struct calibration *c)
{
	static int (*const writers[])(sqlite3 *, const struct calibration *) = { write_pairs,
		write_samples, write_fits, write_residuals, write_findings };
	int rc = db_exec_quiet(db, "BEGIN");

	if (!rc)
		rc = db_exec_quiet(db, calibration_sql);
	for (size_t i = 0; i < sizeof(writers) / sizeof(*writers) && !rc; i++)
		rc = writers[i](db, c);
	return rc ? rc : db_exec_quiet(db, "COMMIT");
}

/* Adds the calibration's tables to the link parameters in `path`. `shown`: its final name. */
static int add_tables(
	const char *path, const char *shown, const struct calibration *c, const struct say *say)
{
	sqlite3 *db = NULL;
	int rc = db_vfs_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, true, &db);

	if (!rc)
		rc = write_tables(db, c);
	if (rc) {
		say_line(say, "cannot write '%s': %s", shown, db_reason(db, rc));
	}
	sqlite3_close(db);
	return rc;
}

/* Checks that `path` may be replaced: it holds link parameters, or does not exist. */
static int may_replace(const char *path, const struct say *say)
{
	struct link_file old = { 0 };
	struct stat st;
	int rc;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	rc = links_read(path, NULL, 0, &old, NULL);
	links_release(&old);
	if (rc == 0)
		return 0;
	say_line(say, "'%s' exists and holds no link parameters: left alone", path);
	return -EEXIST;
}

int calibration_write(const char *path, const struct link_key *keys, size_t nkeys,
	const struct rec_link *link, size_t nlinks, const struct calibration *c,
	const struct say *say)
{
	char name[PATH_MAX];
	int rc = may_replace(path, say);

	if (rc == -EEXIST)
		return rc;
	if (rc == 0)
		rc = file_new_name_free(path, name, sizeof(name));
	if (rc) {
		say_line(say, "cannot write '%s': %s", path, strerror(-rc));
		return rc;
	}
	rc = links_write(name, 0666, keys, nkeys, link, nlinks, LINKS_BY_CALIBRATE, say);
	if (rc == 0)
		rc = add_tables(name, path, c, say);
	if (rc == 0 && rename(name, path) < 0) {
		rc = -errno;
		say_line(say, "cannot write '%s': %s", path, strerror(-rc));
	}
	if (rc < 0)
		unlink(name);
	return rc;
}

int calibration_remove(const char *path, const struct say *say)
{
	int rc = may_replace(path, say);

	if (rc == 0 && unlink(path) < 0 && errno != ENOENT) {
		rc = -errno;
		say_line(say, "cannot remove '%s': %s", path, strerror(-rc));
	}
	return rc;
}
