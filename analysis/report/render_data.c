/* SPDX-License-Identifier: BSD-3-Clause */
/* render_data.c: facts as CSV and JSON, whose names of sections and columns are a contract. */
#include "analysis/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Columns of facts that are shown, and the row that is read. */
struct reader {
	const struct facts *facts;
	int *column;
	int64_t row;
};

static const char *reader_name(void *from, int i)
{
	const struct reader *r = from;

	return r->facts->name[r->column[i]];
}

static int reader_next(void *from)
{
	struct reader *r = from;

	return ++r->row < r->facts->nrows;
}

static void reader_cell(void *from, int i, struct table_cell *cell)
{
	const struct reader *r = from;

	*cell = facts_at(r->facts, r->row).cell[r->column[i]];
}

/* As struct table_source has it: of the columns in question->spare, the first goes first. */
static int reader_spare(void *from, int i)
{
	const struct reader *r = from;
	const char *left = r->facts->question->spare;
	int n = 0;

	for (; left && list_has(left, reader_name(from, i)); n++) {
		left += strcspn(left, ",");
		left += *left == ',';
	}
	for (; left && n && *left; left++)
		n += *left == ',';
	return n;
}

/* Columns but those in `unshown`, or those of the list `shown`, where there is one. */
static int pick_columns(
	const struct facts *facts, const char *shown, const char *unshown, int *column)
{
	int n = 0;

	for (int i = 0; !shown && i < facts->ncolumns; i++)
		if (!list_has(unshown, facts->name[i]))
			column[n++] = i;
	for (const char *p = shown; p && *p && n < facts->ncolumns;
		p += strcspn(p, ","), p += *p == ',')
		for (int i = 0; i < facts->ncolumns; i++)
			if (strncmp(p, facts->name[i], strcspn(p, ",")) == 0 &&
				facts->name[i][strcspn(p, ",")] == '\0')
				column[n++] = i;
	return n;
}

int64_t report_render_table(FILE *out, const struct facts *facts, const char *unshown,
	const struct report_layout *o, const char *section)
{
	struct reader r = { .facts = facts,
		.row = -1,
		.column = calloc((size_t)facts->ncolumns + 1, sizeof *r.column) };
	struct table_source rows = { .name = reader_name,
		.next = reader_next,
		.cell = reader_cell,
		.spare = reader_spare,
		.from = &r };
	int64_t most = o->format == TABLE_TEXT && facts->question->is_ranking ? o->top : INT64_MAX;
	int64_t n = -1;

	if (r.column)
		rows.ncolumns = pick_columns(facts,
			o->format == TABLE_TEXT ? NULL : facts->question->data, unshown, r.column);
	if (r.column)
		n = table_print_rows(out, &rows, o->format,
			o->format == TABLE_TEXT ? o->columns : 0, section, most);
	free(r.column);
	return n;
}

int report_render_data(
	FILE *out, const struct section_facts *list, const struct report_layout *o, bool first)
{
	int64_t rows = 0;

	if (!first)
		fputs(o->format == TABLE_JSON ? ",\n" : "\n", out);
	if (o->format == TABLE_JSON) {
		json_string(out, list->section->name);
		fputs(": ", out);
	}
	for (int i = 0; i < list->nfacts && rows >= 0; i++)
		rows = report_render_table(out, &list->facts[i], NULL, o, list->section->name);
	return rows < 0 ? -ENOMEM : 0;
}
