/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_rows.c: measures the cost of a row. It writes the rows of a simulated rank, then copies
 * their op rows in two other ways: by a prepared statement a row, and table to table. CPU time;
 * medians of five.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/rows.h"
#include "tests/spoolgen.h"

enum { TRIES = 5 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void must(int failed, const char *what)
{
	if (failed) {
		fprintf(stderr, "cannot %s\n", what);
		exit(1);
	}
}

static double write_rows(const char *dir, uint64_t *ops)
{
	static const struct rows_options keep = { .keep = true };
	struct rows_result result;
	double begin = now();

	must(rows_write(dir, 0, &keep, &result, NULL), "write rows");
	*ops = result.ops;
	return now() - begin;
}

/* Copies op_row of rank 0 into a new file. */
static double copy_rows(const char *dir, int by_statement)
{
	char path[4096], sql[4200];
	sqlite3_stmt *from, *to;
	double begin, spent;
	sqlite3 *db;

	snprintf(path, sizeof(path), "%s/copy.db", dir);
	unlink(path);
	must(db_create(path, 0666, 4096, &db, NULL) || db_make_schema(db, NULL), "make a database");
	snprintf(sql, sizeof(sql), "ATTACH '%s/rank-000000.db' AS r", dir);
	must(db_exec(db, sql, "attach", NULL), "attach");
	begin = now();
	must(db_exec(db, "BEGIN", "begin", NULL), "begin");
	if (!by_statement) {
		must(db_exec(db, "INSERT INTO main.op_row SELECT * FROM r.op_row", "copy", NULL),
			"copy");
	} else {
		sqlite3_prepare_v2(db, "SELECT * FROM r.op_row", -1, &from, NULL);
		sqlite3_prepare_v2(db,
			"INSERT INTO main.op_row VALUES"
			" (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			-1, &to, NULL);
		while (sqlite3_step(from) == SQLITE_ROW) {
			for (int c = 0; c < 15; c++)
				sqlite3_bind_value(to, c + 1, sqlite3_column_value(from, c));
			sqlite3_step(to);
			sqlite3_reset(to);
		}
		sqlite3_finalize(from);
		sqlite3_finalize(to);
	}
	must(db_exec(db, "COMMIT", "commit", NULL), "commit");
	spent = now() - begin;
	sqlite3_close(db);
	return spent;
}

int main(int argc, char **argv)
{
	double spent[3][TRIES];
	struct spoolgen_truth truth;
	struct rusage usage;
	struct spoolgen g;
	uint64_t ops = 0;

	spoolgen_init(&g);
	must(argc != 2, "go on: usage: bench_rows DIR");
	g.dir = argv[1];
	g.ranks = 2;
	g.rounds = 526000;
	mkdir(g.dir, 0777);
	must(spoolgen_write(&g, &truth), "write a simulated run");
	for (int i = 0; i < TRIES; i++)
		spent[0][i] = write_rows(g.dir, &ops);
	getrusage(RUSAGE_SELF, &usage);
	for (int i = 0; i < TRIES; i++) {
		spent[1][i] = copy_rows(g.dir, 1);
		spent[2][i] = copy_rows(g.dir, 0);
	}
	for (int i = 0; i < 3; i++)
		qsort(spent[i], TRIES, sizeof(double), by_value);
	printf("%-42s %8.2f us   %4.2f million a second (budget 1)\n",
		"a row from its record to SQLite", spent[0][2] / (double)ops * 1e6,
		(double)ops / spent[0][2] / 1e6);
	printf("%-42s %8.2f us   ratio %.2f\n", "a row by a prepared statement",
		spent[1][2] / (double)ops * 1e6, spent[0][2] / spent[1][2]);
	printf("%-42s %8.2f us   ratio %.2f\n", "a row copied from table to table",
		spent[2][2] / (double)ops * 1e6, spent[0][2] / spent[2][2]);
	printf("%-42s %8ld MiB  (budget 64)\n", "peak memory", usage.ru_maxrss / 1024);
	return usage.ru_maxrss / 1024 > 64;
}
