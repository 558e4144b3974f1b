/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.c: the parts of the page, one behind the other.
 *
 * Data stands in scripts of type application/json, which a browser does not run. There "<" is
 * written as \u003c: a JSON text has it in strings alone, and no text can end the script.
 */
#include <config.h>

#include "analysis/html/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/html/assets.h"
#include "analysis/html/sources.h"
#include "analysis/html/timeline.h"
#include "analysis/text/table.h"

#ifdef HAVE_D3
const char *const html_absent;
#else
const char *const html_absent =
	"this tryst was built without d3 (Debian: apt-get install node-d3, then build again)";
#endif

/* A stream whose "<" are escaped. */
static ssize_t escape(void *cookie, const char *data, size_t bytes)
{
	FILE *out = cookie;

	for (size_t i = 0, n; i < bytes; i += n) {
		const char *at = memchr(data + i, '<', bytes - i);

		n = at ? (size_t)(at - data) - i : bytes - i;
		fwrite(data + i, 1, n, out);
		if (at) {
			fputs("\\u003c", out);
			n++;
		}
	}
	return ferror(out) ? 0 : (ssize_t)bytes;
}

static FILE *open_data(FILE *out, const char *id)
{
	FILE *data = fopencookie(out, "w", (cookie_io_functions_t){ .write = escape });

	if (data)
		fprintf(out, "<script type=\"application/json\" id=\"%s\">\n", id);
	return data;
}

static int close_data(FILE *out, FILE *data)
{
	int rc = fclose(data) == 0 ? 0 : -EIO;

	fputs("\n</script>\n", out);
	return rc;
}

static int write_sections(FILE *out, const char *id, const struct html_page *page,
	const struct section *sections, const struct report_layout *layout)
{
	FILE *data = open_data(out, id);
	const char *unknown;
	int rc;

	if (!data)
		return -ENOMEM;
	rc = report_print(data, page->db, sections, layout, &unknown);
	return close_data(out, data) ? -EIO : rc;
}

enum { WORDS_COLUMNS = 100, WORDS_UNBROKEN = 100000, WORDS_ROWS = 20 };

/* The report's text of each section. Sentences stay unbroken: the browser breaks their lines. */
static int write_words(FILE *out, const struct html_page *page)
{
	FILE *data = open_data(out, "words");
	int rc = data ? 0 : -ENOMEM;
	bool first = true;

	if (rc)
		return rc;
	fputs("{", data);
	for (const struct section *s = page->sections; s->name && !rc; s++) {
		struct report_layout layout = { .format = TABLE_TEXT,
			.top = WORDS_ROWS,
			.sections = s->name,
			.columns = s->kind == SECTION_TABLE ? WORDS_COLUMNS : WORDS_UNBROKEN,
			.analyzed = page->data->analyzed };
		const char *unknown;
		char *text = NULL;
		size_t bytes = 0;
		FILE *memory;
		bool again = false;

		for (const struct section *before = page->sections; before < s; before++)
			again |= strcmp(before->name, s->name) == 0;
		if (page->data->sections && !list_has(page->data->sections, s->name))
			continue;
		memory = again ? NULL : open_memstream(&text, &bytes);
		if (!memory)
			continue;
		rc = report_print(memory, page->db, page->sections, &layout, &unknown);
		fclose(memory);
		fputs(first ? "\n" : ",\n", data);
		first = false;
		json_string(data, s->name);
		fputs(": ", data);
		json_string(data, text ? text : "");
		free(text);
	}
	fputs("}", data);
	return close_data(out, data) ? -EIO : rc;
}

static void write_title(FILE *out, const char *title)
{
	for (; *title; title++)
		if (strchr("<>&\"'", *title))
			fprintf(out, "&#%d;", *title);
		else if ((unsigned char)*title >= ' ')
			putc(*title, out);
}

static void write_asset(FILE *out, const char *tag, const struct html_asset *asset)
{
	fprintf(out, "<%s>\n", tag);
	fwrite(asset->at, 1, asset->bytes, out);
	fprintf(out, "\n</%s>\n", tag);
}

/* A part of the timeline. */
static int write_timeline(
	FILE *out, const char *id, struct timeline *t, int (*write)(FILE *out, struct timeline *t))
{
	FILE *data = open_data(out, id);
	int rc = data ? write(data, t) : -ENOMEM;

	return data && close_data(out, data) ? -EIO : rc;
}

static int write_sources(FILE *out, const struct html_page *page)
{
	FILE *data = open_data(out, "sources");
	int rc = data ? sources_write(data, page->db) : -ENOMEM;

	return data && close_data(out, data) ? -EIO : rc;
}

int html_write(FILE *out, const struct html_page *page)
{
	struct report_layout all = *page->data;
	struct timeline *timeline = NULL;
	int rc;

	/* sections are chosen among the facts */
	all.sections = all.schema = NULL;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src "
	      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		out);
	write_title(out, page->title);
	fputs(" - tryst</title>\n", out);
	write_asset(out, "style", &html_style);
	fputs("</head>\n<body>\n<noscript>This page needs JavaScript: tryst report prints the same "
	      "as "
	      "text.</noscript>\n<div id=\"page\"></div>\n",
		out);
	rc = write_sections(out, "facts", page, page->sections, page->data);
	if (!rc && page->tables)
		rc = write_sections(out, "tables", page, page->tables, &all);
	if (!rc)
		rc = write_words(out, page);
	if (!rc && page->tables)
		rc = write_sources(out, page);
	if (!rc && page->run)
		rc = timeline_new(&timeline, page->run, page->title, page->say);
	if (!rc && timeline)
		rc = write_timeline(out, "timeline-data", timeline, timeline_write_overview);
	write_asset(out, "script", &html_d3);
	write_asset(out, "script", &html_program);
	/* The program shows the page before the browser has read the calls. */
	if (!rc && timeline)
		rc = write_timeline(out, "timeline-calls", timeline, timeline_write_calls);
	timeline_free(timeline);
	fputs("</body>\n</html>\n", out);
	return rc ? rc : ferror(out) ? -EIO : 0;
}
