/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot.c: starts gnuplot for a picture, and waits for it (gnuplot.h). */
#include <config.h>

#include "analysis/text/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "analysis/text/messages.h"

static const struct {
	const char *end, *terminal;
} terminals[] = {
	{ ".svg", "svg size 900,600 background 'white'" },
	{ ".png", "pngcairo size 900,600" },
	{ ".pdf", "pdfcairo size 9,6" },
};

static const char *terminal_of(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(terminals) / sizeof(*terminals); i++) {
		size_t n = strlen(terminals[i].end);

		if (length > n && strcmp(path + length - n, terminals[i].end) == 0)
			return terminals[i].terminal;
	}
	return NULL;
}

FILE *gnuplot_begin(const char *path)
{
	const char *terminal = terminal_of(path);
	FILE *pipe;

	if (!terminal)
		return say_error("'%s': pictures end in .svg, .png or .pdf", path), NULL;
	if (strpbrk(path, "'\n"))
		return say_error("'%s': no such name can be given to gnuplot", path), NULL;
	signal(SIGPIPE, SIG_IGN);
	pipe = popen("gnuplot", "w");
	if (!pipe)
		return say_error("cannot run gnuplot: %s", strerror(errno)), NULL;
	fprintf(pipe, "set terminal %s\nset output '%s'\nset grid\n", terminal, path);
	return pipe;
}

int gnuplot_end(FILE *to, const char *path)
{
	if (pclose(to) == 0)
		return 0;
	say_error("gnuplot did not make '%s'; is it installed?", path);
	return -1;
}
