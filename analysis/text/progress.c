/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: the line is written over itself on stderr, and wiped in the end. */
#include "analysis/text/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/now.h"

enum { WIDTH = 72, ESTIMATE_MS = 2000, STEPS_BETWEEN_LOOKS = 100000 };

static int64_t began_ms, step_ms, shown_ms;
static char step[32]; /* what is being done: its name without what does not fit */
static uint64_t step_done, step_all;
static bool shown;

static int64_t now_ms(void)
{
	return now_ns(CLOCK_MONOTONIC) / 1000000;
}

void progress_line(
	const char *what, uint64_t done, uint64_t all, int64_t spent_ms, char *line, size_t size)
{
	double left_s = done ?
		(double)spent_ms / (double)done * (double)(all > done ? all - done : 0) / 1000 :
		0;
	int n = snprintf(line, size, "tryst: %s %llu of %llu", what, (unsigned long long)done,
		(unsigned long long)all);

	if (n < 0 || (size_t)n >= size || done == 0 || spent_ms < ESTIMATE_MS)
		return;
	if (left_s < 99.5)
		snprintf(line + n, size - (size_t)n, ", about %.0f s left", left_s);
	else if (left_s < 99.5 * 60)
		snprintf(line + n, size - (size_t)n, ", about %.0f min left", left_s / 60);
	else
		snprintf(line + n, size - (size_t)n, ", about %.0f h left", left_s / 3600);
}

void progress(const char *what, uint64_t done, uint64_t all)
{
	int64_t now = now_ms();
	char line[WIDTH + 1];

	if (!began_ms)
		began_ms = now;
	step_done = done;
	step_all = all;
	if (!step_ms || strncmp(step, what, sizeof step - 1) != 0) {
		snprintf(step, sizeof step, "%s", what);
		step_ms = now;
	}
	if (now - began_ms < 1000 || now - shown_ms < 100 || !isatty(STDERR_FILENO))
		return;
	shown_ms = now;
	shown = true;
	progress_line(what, done, all, now - step_ms, line, sizeof line);
	fprintf(stderr, "\r%-*s", WIDTH, line);
}

static int refresh(void *unused)
{
	(void)unused;
	if (step_ms)
		progress(step, step_done, step_all);
	return 0;
}

void progress_watch(sqlite3 *db)
{
	sqlite3_progress_handler(db, STEPS_BETWEEN_LOOKS, refresh, NULL);
}

void progress_end(void)
{
	if (shown)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
	shown = false;
	began_ms = step_ms = 0;
}
