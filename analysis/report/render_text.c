/* SPDX-License-Identifier: BSD-3-Clause */
/* render_text.c: facts for people, as sentences and tables. */
#include <config.h>

#include "analysis/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/shown.h"
#include "analysis/text/terminal.h"

enum { INDENT = 2 };

/* What is wrapped stands indented. */
static void print_line(FILE *out, const char *begin, const char *text, int columns)
{
	fputs(begin, out);
	print_foreign(out, text, (int)strlen(begin), INDENT, columns);
}

static bool continues(const struct facts *facts, int64_t row)
{
	const struct fact fact = facts_at(facts, row);

	return facts_know(facts, "continues") && fact_int(&fact, "continues");
}

/*
 * What is said of a row, and in the same line of those behind it that continue it; *row becomes the
 * last of them. 1, 0 where nothing was said, or -1 without memory.
 */
static int print_said(
	FILE *out, const struct facts *facts, int64_t *row, const char *begin, int columns)
{
	bool failed = false, said = false;

	for (int i = 0; i < SAY_LINES && facts->question->say[i]; i++) {
		struct fact fact = facts_at(facts, *row);
		struct text text = { 0 };

		facts->question->say[i](&text, &fact);
		while (*row + 1 < facts->nrows && continues(facts, *row + 1)) {
			fact = facts_at(facts, ++*row);
			facts->question->say[i](&text, &fact);
		}
		if (text.length > 0)
			print_line(out, said ? "  " : begin, text.at, columns);
		said |= text.length > 0;
		failed |= text.failed;
		text_release(&text);
	}
	return failed ? -1 : said;
}

enum { FEW_BARS = 4 };

/*
 * Prints bars without wrapping. More than FEW_BARS stand side by side, so that they take FEW_BARS
 * lines, or more if there is no room. Returns the number of bars, or -1 without memory.
 */
static int64_t print_bars(FILE *out, const struct facts *facts, const struct report_layout *o)
{
	const struct question *q = facts->question;
	const int64_t n = facts->nrows;
	const int64_t fit = q->cell_columns ? o->columns / q->cell_columns : 1;
	const int64_t want = (n + FEW_BARS - 1) / FEW_BARS;
	const int64_t beside = want < fit ? want : fit < 1 ? 1 : fit;
	const int64_t lines = n ? (n + beside - 1) / beside : 0;
	bool failed = false;

	for (int64_t line = 0; line < lines; line++) {
		struct text text = { 0 };
		char *shown;

		for (int64_t i = line; i < n; i += lines) {
			const struct fact fact = facts_at(facts, i);

			while (i > line && text.length < (size_t)((i / lines) * q->cell_columns) &&
				!text.failed)
				text_add(&text, " ");
			q->say[0](&text, &fact);
		}
		while (text.length > 0 && text.at[text.length - 1] == ' ')
			text.at[--text.length] = '\0';
		shown = text.at ? shown_copy(text.at, text.length) : NULL;
		failed |= text.failed || !shown;
		fprintf(out, "%s\n", shown ? shown : "");
		free(shown);
		text_release(&text);
	}
	return failed ? -1 : n;
}

/* How many facts have lines; -1 without memory. */
static int64_t print_lines(
	FILE *out, const struct facts *facts, enum section_kind kind, const struct report_layout *o)
{
	const char *begin = kind == SECTION_RAISED ? "! " : "";
	int64_t most = facts->question->is_ranking && facts->nrows > o->top ? o->top : facts->nrows;
	int64_t n = 0;

	for (int64_t i = 0; i < most && n >= 0; i++) {
		int said = print_said(out, facts, &i, begin, o->columns);

		n = said < 0 ? -1 : n + said;
	}
	return n;
}

/* That a ranking has more rows: how many, where the query knows (of_all). */
static void print_more(FILE *out, const struct facts *facts, int64_t top)
{
	const struct fact first = facts_at(facts, 0);
	const char *how = facts->question->more ? facts->question->more : "--top shows them";

	if (facts->nrows <= top)
		return;
	if (facts_know(facts, "of_all")) {
		char more[32];

		fprintf(out, "... and %s more; %s\n",
			count_text(fact_int(&first, "of_all") - top, more, sizeof more), how);
	} else {
		fprintf(out, "... and more; %s\n", how);
	}
}

static int64_t print_facts(FILE *out, const struct section_facts *list, const struct facts *facts,
	const struct report_layout *o)
{
	bool is_table = list->section->kind == SECTION_TABLE && !facts->question->say[0];
	int64_t n = is_table ?
		report_render_table(out, facts, facts->question->data_only, o, NULL) :
		facts->question->is_bars ? print_bars(out, facts, o) :
					   print_lines(out, facts, list->section->kind, o);

	if (n >= 0 && facts->question->is_ranking)
		print_more(out, facts, o->top);
	return n;
}

/* What all questions say, in one line. 1, 0 where nothing is said, or -1 without memory. */
static int print_paragraph(FILE *out, const struct section_facts *list, int columns)
{
	struct text text = { 0 };
	int said;

	for (int i = 0; i < list->nfacts; i++)
		for (int64_t row = 0; row < list->facts[i].nrows; row++) {
			const struct fact fact = facts_at(&list->facts[i], row);

			list->facts[i].question->say[0](&text, &fact);
		}
	if (text.length > 0)
		print_line(out, "", text.at, columns);
	said = text.failed ? -1 : text.length > 0;
	text_release(&text);
	return said;
}

static int64_t print_body(
	FILE *out, const struct section_facts *list, const struct report_layout *o)
{
	int64_t n = 0;

	if (list->query->is_paragraph)
		return print_paragraph(out, list, o->columns);
	for (int i = 0; i < list->nfacts && n >= 0; i++) {
		int64_t more = 0;

		if (!list->facts[i].question->is_title)
			more = print_facts(out, list, &list->facts[i], o);
		n = more < 0 ? -1 : n + more;
	}
	return n;
}

/* The section's title, and what a question says behind it. */
static int print_title(FILE *out, const struct section_facts *list, const struct report_layout *o)
{
	struct text title = { 0 };
	bool failed;

	text_add(&title, list->query->title);
	for (int i = 0; i < list->nfacts; i++)
		if (list->facts[i].question->is_title && list->facts[i].nrows > 0) {
			const struct fact fact = facts_at(&list->facts[i], 0);

			text_add(&title, ": ");
			list->facts[i].question->say[0](&title, &fact);
		}
	failed = title.failed;
	if (!failed && o->colour)
		fputs("\033[1m", out);
	if (!failed)
		print_foreign(out, title.at, 0, INDENT, o->columns);
	if (!failed && o->colour)
		fputs("\033[0m", out);
	text_release(&title);
	return failed ? -ENOMEM : 0;
}

/* The text of a section goes to memory first: a title stands only above something. */
int report_render_text(
	FILE *out, const struct section_facts *list, const struct report_layout *o, bool first)
{
	const struct section *s = list->section;
	const char *title = list->query->title;
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int64_t n;
	int rc = 0;

	if (!memory)
		return -ENOMEM;
	n = print_body(memory, list, o);
	if (fclose(memory) != 0 || n < 0)
		rc = -ENOMEM;
	if ((n > 0 || s->empty) && title && !first)
		fputc('\n', out);
	if ((n > 0 || s->empty) && title && *title && rc == 0)
		rc = print_title(out, list, o);
	if (n > 0)
		fputs(text, out);
	else if (n == 0 && s->empty)
		fprintf(out, "%s\n", s->empty);
	else if (n == 0 && o->sections && s->empty_asked)
		fprintf(out, "%s\n", s->empty_asked);
	free(text);
	return rc;
}
