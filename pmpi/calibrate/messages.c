/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c: the calibration's lines, and where its progress is shown. */
#include <stdbool.h>
#include <unistd.h>

#include "analysis/base/shown.h"
#include "pmpi/calibrate/messages.h"

static void print_line(void *context, const char *text)
{
	char shown[2048];

	(void)context;
	fprintf(stderr, "tryst calibrate: %s\n", shown_text(text, shown, sizeof(shown)));
}

const struct say full_stderr = { .line = print_line };

FILE *full_progress(const struct full_options *o)
{
	static FILE *to;
	static bool looked;

	if (!looked && !o->quiet)
		to = isatty(STDERR_FILENO) ? stderr : fopen("/dev/tty", "we");
	looked = true;
	return to;
}
