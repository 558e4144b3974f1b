/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: the line is written over itself on stderr, and wiped in the end. */
#include "analysis/text/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "analysis/base/now.h"

enum { WIDTH = 60 };

static int64_t began_ms, shown_ms;
static bool shown;

static int64_t now_ms(void)
{
	return now_ns(CLOCK_MONOTONIC) / 1000000;
}

void progress(const char *what, uint64_t done, uint64_t all)
{
	int64_t now = now_ms();
	char line[WIDTH + 1];

	if (!began_ms)
		began_ms = now;
	if (now - began_ms < 1000 || now - shown_ms < 100 || !isatty(STDERR_FILENO))
		return;
	shown_ms = now;
	shown = true;
	snprintf(line, sizeof line, "tryst: %s %llu of %llu", what, (unsigned long long)done,
		(unsigned long long)all);
	fprintf(stderr, "\r%-*s", WIDTH, line);
}

void progress_end(void)
{
	if (shown)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
	shown = false;
	began_ms = 0;
}
