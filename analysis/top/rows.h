/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h: a look as lines and a table of ranks: on a terminal, in a log, and for programs. */
#ifndef TRYST_TOP_ROWS_H
#define TRYST_TOP_ROWS_H

#include <stdio.h>

#include "analysis/text/table.h"
#include "analysis/top/top.h"

/* The words of these two are options of the command, in this order. */
#define TOP_SORTS "rank|wait|mpi|cpu|calls"
#define TOP_SHOWS "all|waiting|computing|running|ended"

enum top_sort { SORT_RANK, SORT_WAIT, SORT_MPI, SORT_CPU, SORT_CALLS, SORTS };
enum top_show { SHOW_ALL, SHOW_WAITING, SHOW_COMPUTING, SHOW_RUNNING, SHOW_ENDED, SHOWS };

/* The version of the JSON, as REPORT_JSON_VERSION (analysis/report/report.h) is of the report's. */
enum { TOP_JSON_VERSION = 1 };

struct top_view {
	enum top_sort sort;
	enum top_show show;
	int64_t most; /* rows, of the worst ranks; 0: all */
};

/*
 * Prints the last look. Text: lines about the run, then the ranks; CSV: the ranks; JSON: an object.
 * Names in it are escaped as in analysis/base/shown.h. Returns 0 or -ENOMEM.
 */
int top_print(FILE *out, struct top *t, const struct top_view *view, enum table_format format,
	int columns);

#endif
