/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c: errors of the models over message length, drawn by gnuplot. */
#include <config.h>

#include "analysis/text/gnuplot.h"
#include "analysis/text/messages.h"
#include "analysis/modelling/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/modelling/queries.h"

/* Prepares queries/curve.sql for this pair of ranks. Returns 0 or -EIO. */
static int prepare_curve(sqlite3 *db, int from, int to, sqlite3_stmt **s)
{
	const int rc = db_prepare(db, sql_modelling_curve, s);

	if (!rc) {
		sqlite3_bind_int(*s, 1, from);
		sqlite3_bind_int(*s, 2, to);
	}
	return rc;
}

/* The data block of each model, then what to plot of it. Returns the number of models, -1 after
 * printing the error. */
static int write_blocks(FILE *to, sqlite3 *db, int from, int to_rank)
{
	sqlite3_stmt *s = NULL;
	char model[64] = "";
	int n = 0;

	if (prepare_curve(db, from, to_rank, &s) != 0)
		return say_error("%s", sqlite3_errmsg(db)), -1;
	while (db_step(s) > 0) {
		const char *now = (const char *)sqlite3_column_text(s, 0);

		if (strcmp(now, model) != 0) {
			fprintf(to, "%s$m%d << END\n", n ? "END\n" : "", n);
			snprintf(model, sizeof(model), "%s", now);
			n++;
		}
		/* a logarithmic axis has no 0 */
		fprintf(to, "%lld %g\n",
			sqlite3_column_int64(s, 1) > 0 ? (long long)sqlite3_column_int64(s, 1) :
							 1LL,
			sqlite3_column_double(s, 2));
	}
	sqlite3_finalize(s);
	if (n)
		fprintf(to, "END\n");
	return n;
}

static void write_plot(FILE *to, sqlite3 *db, int from, int to_rank)
{
	sqlite3_stmt *s = NULL;
	char model[64] = "";
	int n = 0;

	fprintf(to, "plot 0 notitle lc rgb 'black'");
	for (bool more = prepare_curve(db, from, to_rank, &s) == 0; more && db_step(s) > 0;) {
		const char *now = (const char *)sqlite3_column_text(s, 0);

		if (strcmp(now, model) == 0)
			continue;
		snprintf(model, sizeof(model), "%s", now);
		fprintf(to, ", $m%d with linespoints title '%s'", n++, model);
	}
	sqlite3_finalize(s);
	fprintf(to, "\n");
}

int model_picture(sqlite3 *db, int from, int to, const char *path)
{
	FILE *pipe = gnuplot_begin(path);
	int rc;

	if (!pipe)
		return -1;
	fprintf(pipe,
		"set logscale x 2\nset xlabel 'message length, bytes'\n"
		"set ylabel 'error of the round trip, %%'\nset yrange [-50:50]\n"
		"set title 'ranks %d and %d'\n",
		from, to);
	rc = write_blocks(pipe, db, from, to);
	if (rc > 0)
		write_plot(pipe, db, from, to);
	return gnuplot_end(pipe, path) != 0 || rc < 0 ? -1 : 0;
}
