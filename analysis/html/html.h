/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.h: a report or a diff as one HTML file that needs no network.
 *
 *	facts as JSON, text by section, packed timeline --html_write()--> page
 *
 * All that the run names is escaped: the page has it as data, never as markup.
 */
#ifndef TRYST_HTML_HTML_H
#define TRYST_HTML_HTML_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/base/say.h"
#include "analysis/report/report.h"

struct html_page {
	const char *title;                /* what the user named */
	const struct section *sections;   /* of the report or the diff */
	const struct report_layout *data; /* format JSON */
	const struct section *tables;     /* more of the same database, or NULL */
	sqlite3 *db;
	sqlite3 *run; /* run.db of the timeline, or NULL: the page has none */
	const struct say *say;
};

/* Questions beyond report_sections[]: ranks, matrix, sizes, scenarios. */
extern const struct section html_tables[];

/* NULL, or why this build writes no page. */
extern const char *const html_absent;

/*
 * Writes the page. Returns 0, or a negative errno, said. The database of `page` must be as
 * report_prepare() or diff_compare() left it.
 */
int html_write(FILE *out, const struct html_page *page);

#endif
