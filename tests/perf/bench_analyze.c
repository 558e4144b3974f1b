/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_analyze.c: what merging and matching cost. Makes two simulated runs of 4 ranks, one of ten
 * times as many messages as the other, and has `tryst` merge and analyze them.
 *
 *	bench_analyze DIR TRYST [MESSAGES]
 *
 * Wall and CPU time and peak memory of each command; as a reference, the same op rows read once
 * through SQLite.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/rows.h"
#include "tests/spoolgen.h"

enum { RANKS = 4, BUDGET_PER_S = 500000, BUDGET_MIB = 512 };

struct cost {
	double wall_s, cpu_s;
	long peak_kib;
};

static void must(int failed, const char *what)
{
	if (failed) {
		fprintf(stderr, "cannot %s\n", what);
		exit(1);
	}
}

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct cost run(const char *tryst, const char *command, const char *dir)
{
	double begin = now(CLOCK_MONOTONIC);
	struct rusage usage;
	struct cost c;
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	must(pid < 0, "fork");
	if (pid == 0) {
		must(!freopen("/dev/null", "w", stdout), "silence it");
		execl(tryst, tryst, command, dir, (char *)NULL);
		_exit(127);
	}
	must(wait4(pid, &status, 0, &usage) < 0 || status != 0, command);
	c.wall_s = now(CLOCK_MONOTONIC) - begin;
	c.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
	c.peak_kib = usage.ru_maxrss;
	return c;
}

/* CPU time of reading all op rows once, column by column, as any reader through SQLite does. */
static double read_plainly(const char *dir)
{
	double begin = now(CLOCK_PROCESS_CPUTIME_ID);

	for (int rank = 0; rank < RANKS; rank++) {
		char path[4096];
		int64_t sum = 0;
		sqlite3_stmt *s;
		sqlite3 *db;

		snprintf(path, sizeof(path), "%s/rank-%06d.db", dir, rank);
		must(db_open(path, DB_READ, &db, NULL), "open a rank's file");
		must(sqlite3_prepare_v2(db, "SELECT * FROM op_row", -1, &s, NULL), "read it");
		while (sqlite3_step(s) == SQLITE_ROW)
			for (int c = 0; c < 14; c++)
				sum += sqlite3_column_int64(s, c);
		must(sum == 0, "read rows");
		sqlite3_finalize(s);
		sqlite3_close(db);
	}
	return now(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

static long measure(const char *dir, const char *tryst, uint64_t messages)
{
	struct spoolgen_truth truth;
	struct spoolgen g;
	struct cost merge, analyze;
	double plain, all;

	spoolgen_init(&g);
	g.dir = dir;
	g.ranks = RANKS;
	g.rounds = messages * 263 / 1000; /* 4 messages a round, but for collectives */
	must(mkdir(dir, 0777), "make a directory");
	must(spoolgen_write(&g, &truth), "write a simulated run");
	for (int rank = 0; rank < RANKS; rank++)
		must(rows_write(dir, rank, &(struct rows_options){ 0 }, NULL, NULL), "write rows");
	plain = read_plainly(dir);
	merge = run(tryst, "merge", dir);
	analyze = run(tryst, "analyze", dir);
	all = merge.cpu_s + analyze.cpu_s;
	printf("%9.0f messages: merge %.2f s, analyze %.2f s of CPU time (wall %.2f and %.2f s)\n",
		(double)truth.sends, merge.cpu_s, analyze.cpu_s, merge.wall_s, analyze.wall_s);
	printf("%27s %.2f million messages a second of CPU time, %.2f of wall time (budget %.1f)\n",
		"together", (double)truth.sends / all * 1e-6,
		(double)truth.sends / (merge.wall_s + analyze.wall_s) * 1e-6, BUDGET_PER_S * 1e-6);
	printf("%27s ratio %.2f to reading the rows once through SQLite (%.2f s)\n", "",
		all / plain, plain);
	printf("%27s peak memory %ld MiB merging, %ld MiB analyzing (budget %d)\n", "",
		merge.peak_kib / 1024, analyze.peak_kib / 1024, BUDGET_MIB);
	return merge.peak_kib > analyze.peak_kib ? merge.peak_kib : analyze.peak_kib;
}

int main(int argc, char **argv)
{
	uint64_t messages = argc > 3 ? strtoull(argv[3], NULL, 10) : 4000000;
	char few[4096], many[4096];
	long few_kib, many_kib;

	must(argc < 3, "go on: usage: bench_analyze DIR TRYST [MESSAGES]");
	snprintf(few, sizeof(few), "%s/few", argv[1]);
	snprintf(many, sizeof(many), "%s/many", argv[1]);
	few_kib = measure(few, argv[2], messages / 10);
	many_kib = measure(many, argv[2], messages);
	/*
	 * what grows to its limit and stays there (waits that blame follows) is in the budget alone
	 */
	return many_kib / 1024 > BUDGET_MIB || few_kib / 1024 > BUDGET_MIB;
}
