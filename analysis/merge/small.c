/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small.c: rows of small files as db/small_file.c reads them, through statements that are prepared
 * once for all files.
 *
 * A file is copied this way only if each of its tables has exactly the same CREATE statement as in
 * run.db.
 */
#include <config.h>

#include "analysis/merge/queries.h"
#include "analysis/base/array.h"
#include "analysis/merge/small.h"
#include "analysis/merge/sites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

struct table {
	char *name, *sql;
	int columns;
	bool has_id;    /* the first column is the rowid */
	bool is_names;  /* the same in all files */
	uint64_t names; /* of names: what was copied last; 0: nothing */
	sqlite3_stmt *insert;
	uint32_t root; /* in the file at hand; 0: not there */
};

struct module {
	int64_t id;
	uint64_t key;
};

struct small {
	struct copy *copy;
	struct table *table;
	int ntables;
	struct small_file file;
	/* of the rank at hand */
	int32_t rank;
	struct table *at;
	uint64_t left_out;
	struct module *module;
	uint32_t nmodules, modules_room;
};

static int prepare_table(struct small *s, sqlite3_stmt *info, const char *name)
{
	struct table *t = &s->table[s->ntables];
	char into[COPY_NAME_MAX + 8];

	sqlite3_bind_text(info, 1, name, -1, SQLITE_STATIC);
	if (db_step(info) <= 0 || !sqlite3_column_int(info, 4) ||
		sqlite3_column_int(info, 2) > IMAGE_COLUMNS) {
		sqlite3_reset(info);
		return -ENOTSUP;
	}
	s->ntables++;
	t->name = strdup(name);
	t->sql = strdup((const char *)sqlite3_column_text(info, 1));
	t->columns = sqlite3_column_int(info, 2);
	t->has_id = sqlite3_column_int(info, 3);
	t->is_names = strstr(name, "_name") != NULL;
	sqlite3_reset(info);
	if (!t->name || !t->sql)
		return -ENOMEM;
	snprintf(into, sizeof into, "main.%s", name);
	return db_prepare_insert(
		s->copy->db, t->is_names ? DB_INSERT_OR_IGNORE : DB_INSERT, into, &t->insert);
}

struct small *small_new(struct copy *c)
{
	struct small *s = calloc(1, sizeof *s);
	sqlite3_stmt *info = NULL;
	int rc = -ENOMEM;

	if (!s)
		return NULL;
	s->copy = c;
	s->table = calloc((size_t)c->ntables, sizeof *s->table);
	if (s->table)
		rc = db_prepare(c->db, sql_merge_small_tables, &info);
	for (int i = 0; !rc && i < c->ntables; i++)
		rc = prepare_table(s, info, c->tables[i]);
	sqlite3_finalize(info);
	if (!rc)
		return s;
	small_free(s);
	return NULL;
}

void small_free(struct small *s)
{
	if (!s)
		return;
	small_close(s);
	for (int i = 0; i < s->ntables; i++) {
		sqlite3_finalize(s->table[i].insert);
		free(s->table[i].name);
		free(s->table[i].sql);
	}
	free(s->module);
	free(s->table);
	free(s);
}

static bool is_text(const struct small_value *v, const char *text)
{
	return v->kind == VALUE_TEXT && v->bytes == strlen(text) &&
		memcmp(v->text, text, v->bytes) == 0;
}

/* A row of sqlite_schema: type, name, tbl_name, rootpage, sql. */
static int find_root(void *context, const struct small_row *r)
{
	struct small *s = context;

	for (int i = 0; r->n == 5 && is_text(&r->value[0], "table") && i < s->ntables; i++)
		if (is_text(&r->value[1], s->table[i].name) &&
			is_text(&r->value[4], s->table[i].sql))
			s->table[i].root = (uint32_t)r->value[3].integer;
	return 0;
}

bool small_open(struct small *s, const char *path)
{
	bool fits = small_file_open(path, SMALL_BYTES, &s->file) == 0 &&
		s->file.version == DB_VERSION && s->file.application_id == DB_APPLICATION_ID;

	for (int i = 0; i < s->ntables; i++)
		s->table[i].root = 0;
	fits = fits && small_file_each(&s->file, 1, find_root, s) == 0;
	for (int i = 0; i < s->ntables; i++)
		fits = fits && s->table[i].root;
	if (!fits)
		small_close(s);
	return fits;
}

void small_close(struct small *s)
{
	small_file_close(&s->file);
	s->nmodules = 0;
}

static struct table *find_table(struct small *s, const char *name)
{
	for (int i = 0; i < s->ntables; i++)
		if (strcmp(s->table[i].name, name) == 0)
			return &s->table[i];
	return NULL;
}

struct wanted {
	const char *key;
	int32_t *rank;
	char *text;
	size_t size;
	bool found;
};

static int look_at_run(void *context, const struct small_row *r)
{
	struct wanted *w = context;
	const struct small_value *v = &r->value[2];

	if (r->n < 3 || !is_text(&r->value[1], w->key))
		return 0;
	w->found = true;
	*w->rank = (int32_t)r->value[0].integer;
	if (v->kind == VALUE_TEXT)
		snprintf(w->text, w->size, "%.*s", (int)v->bytes, v->text);
	else
		snprintf(w->text, w->size, "%lld", (long long)v->integer);
	return 0;
}

bool small_run_value(struct small *s, const char *key, int32_t *rank, char *text, size_t size)
{
	struct wanted w = { key, rank, text, size, false };

	return small_file_each(&s->file, find_table(s, "run")->root, look_at_run, &w) == 0 &&
		w.found;
}

static int insert(struct table *t, const struct small_row *r)
{
	for (int i = 0; i < t->columns; i++) {
		const struct small_value *v = &r->value[i];

		if (i == 0 && t->has_id)
			sqlite3_bind_int64(t->insert, 1, r->id);
		else if (i >= r->n || v->kind == VALUE_NULL)
			sqlite3_bind_null(t->insert, i + 1);
		else if (v->kind == VALUE_INTEGER)
			sqlite3_bind_int64(t->insert, i + 1, v->integer);
		else if (v->kind == VALUE_REAL)
			sqlite3_bind_double(t->insert, i + 1, v->real);
		else if (v->kind == VALUE_TEXT)
			sqlite3_bind_text(t->insert, i + 1, v->text, (int)v->bytes, SQLITE_STATIC);
		else
			sqlite3_bind_blob(t->insert, i + 1, v->text, (int)v->bytes, SQLITE_STATIC);
	}
	return db_execute(t->insert);
}

static int add_name(void *context, const struct small_row *r)
{
	uint64_t *sum = context;

	if (r->n > 1 && r->value[1].kind == VALUE_TEXT)
		*sum += stack_module(r->value[1].text, r->value[1].bytes) *
			(2 * (uint64_t)r->id + 1);
	return 0;
}

/*
 * Is the row the rank's? Its id begins with the rank, or else its first column is the rank. If a
 * row is foreign, copying ends here, and the next way of copying tells why.
 */
static bool is_own(const struct small *s, const struct small_row *r)
{
	const struct small_value *first = &r->value[0];

	if (s->at->is_names)
		return true;
	if (s->at->has_id)
		return r->id >> OP_KEY_RANK_AT == s->rank;
	return r->n > 0 && first->kind == VALUE_INTEGER && first->integer == s->rank;
}

static int copy_row(void *context, const struct small_row *r)
{
	struct small *s = context;

	return is_own(s, r) ? insert(s->at, r) : -EINVAL;
}

/* Op rows, where only those that waited or are pending are taken. */
static int copy_wait(void *context, const struct small_row *r)
{
	struct small *s = context;
	const struct small_value *done = &r->value[OP_ROW_DONE];

	if (!is_own(s, r))
		return -EINVAL;
	if (r->n > OP_ROW_DONE &&
		(op_code_waited(r->value[OP_ROW_CODE].integer) ||
			(done->kind == VALUE_INTEGER && done->integer == 0)))
		return insert(s->at, r);
	s->left_out++;
	return 0;
}

/* rank, module, build_id, path, base */
static int copy_module(void *context, const struct small_row *r)
{
	struct small *s = context;
	const struct small_value *v;

	if (r->n < 4 || !is_own(s, r))
		return -EINVAL;
	if (array_room(&s->module, sizeof *s->module, &s->modules_room, s->nmodules))
		return -ENOMEM;
	v = r->value[2].kind == VALUE_TEXT && r->value[2].bytes ? &r->value[2] : &r->value[3];
	s->module[s->nmodules++] = (struct module){ r->value[1].integer,
		v->kind == VALUE_TEXT ? stack_module(v->text, v->bytes) : 0 };
	return insert(s->at, r);
}

static uint64_t module_key(const struct small *s, const struct small_value *module)
{
	for (uint32_t i = 0; module->kind == VALUE_INTEGER && i < s->nmodules; i++)
		if (s->module[i].id == module->integer)
			return s->module[i].key;
	return 0;
}

/*
 * The frames of one callsite. They are read twice: to find an equal stack, and to copy a new one.
 */
struct frames {
	struct small *s;
	bool begun; /* there is one: */
	int64_t callsite;
	struct stack_key key;
	bool *is_new; /* for each callsite, in their order */
	uint32_t n, room, next;
};

static int end_stack(struct frames *f)
{
	int rc = 0;

	if (!f->begun)
		return rc;
	if (array_room(&f->is_new, sizeof *f->is_new, &f->room, f->n))
		return -ENOMEM;
	return copy_site(f->s->copy, f->s->rank, f->callsite, &f->key, &f->is_new[f->n++]);
}

/* rank, callsite, frame, module, offset, ... */
static int add_frame(void *context, const struct small_row *r)
{
	struct frames *f = context;
	int rc = 0;

	if (r->n < 5 || !is_own(f->s, r))
		return -EINVAL;
	if (!f->begun || r->value[1].integer != f->callsite) {
		rc = end_stack(f);
		f->begun = true;
		f->callsite = r->value[1].integer;
		stack_begin(&f->key);
	}
	stack_add(&f->key, module_key(f->s, &r->value[3]), r->value[4].integer);
	return rc;
}

static int copy_frame(void *context, const struct small_row *r)
{
	struct frames *f = context;

	if (!f->begun || r->value[1].integer != f->callsite) {
		f->begun = true;
		f->callsite = r->value[1].integer;
		f->next++;
	}
	return f->next <= f->n && f->is_new[f->next - 1] ? insert(f->s->at, r) : 0;
}

static int copy_frames(struct small *s)
{
	struct frames f = { .s = s };
	int rc = small_file_each(&s->file, s->at->root, add_frame, &f);

	if (!rc)
		rc = end_stack(&f);
	f.begun = false;
	if (!rc)
		rc = small_file_each(&s->file, s->at->root, copy_frame, &f);
	free(f.is_new);
	return rc;
}

/* Copies names, unless they are those of the last file, as in most files. */
static int copy_names(struct small *s)
{
	uint64_t sum = 0;
	int rc = small_file_each(&s->file, s->at->root, add_name, &sum);

	if (!rc && sum != s->at->names)
		rc = small_file_each(&s->file, s->at->root, copy_row, s);
	s->at->names = sum;
	return rc;
}

static int copy_table(struct small *s)
{
	if (s->at->is_names)
		return copy_names(s);
	if (strcmp(s->at->name, "frame_row") == 0)
		return copy_frames(s);
	return small_file_each(&s->file, s->at->root,
		strcmp(s->at->name, "module_row") == 0                            ? copy_module :
			s->copy->waits_only && strcmp(s->at->name, "op_row") == 0 ? copy_wait :
										    copy_row,
		s);
}

int small_copy(struct small *s, int32_t rank, uint64_t *left_out)
{
	int rc = db_exec_quiet(s->copy->db, "BEGIN");

	s->rank = rank;
	s->left_out = 0;
	for (int i = 0; !rc && i < s->ntables; i++) {
		s->at = &s->table[i];
		rc = copy_table(s);
	}
	*left_out = s->left_out;
	for (int i = 0; rc && i < s->ntables; i++)
		s->table[i].names = 0;
	return rc;
}
