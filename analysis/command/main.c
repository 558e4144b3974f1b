/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c: `tryst SUBCOMMAND [options] [operands]`: finds the subcommand, reads its options,
 * runs it.
 * `tryst --man NAME` and `tryst --completion` serve the build.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/*
 * A report that a full disk cut short must not end with 0. If the reader went away (head), no
 * message is needed.
 */
static int close_output(int rc)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return rc;
	if (errno != EPIPE)
		/* errno 0: an earlier write failed, and its reason is lost */
		rc = say_error("cannot write the output: %s",
			errno ? strerror(errno) : "a part of it is missing");
	return rc ? rc : CMD_FAILED;
}

static int run_subcommand(const struct subcommand *cmd, int argc, char **argv)
{
	void *values = calloc(1, cmd->options_size + 1);
	int help, noperands = 0, rc;

	if (!values)
		return say_error("out of memory");
	say_as(cmd->name);
	rc = options_read(cmd, argc, argv, values, &noperands, &help);
	if (rc == 0 && help == 'h')
		help_short(cmd, stdout);
	else if (rc == 0 && help)
		help_long(cmd, stdout);
	else if (rc == 0)
		rc = cmd->run(values, noperands, argv + 1);
	free(values);
	return rc;
}

static int unknown_subcommand(const char *name)
{
	const char *near = subcommand_suggest(name);

	if (name[0] == '-')
		say_error("unknown option %s; see tryst --help", name);
	else if (near)
		say_error("no subcommand '%s', did you mean '%s'? See tryst --help", name, near);
	else
		say_error("no subcommand '%s'; see tryst --help", name);
	return CMD_USAGE;
}

int main(int argc, char **argv)
{
	const struct subcommand *cmd;
	int rc = CMD_OK;

	/* for the width of characters: tryst prints UTF-8 in every locale */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (argc < 2) {
		help_begin(stdout);
	} else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help_all(stdout);
	} else if (strcmp(argv[1], "--man") == 0) {
		rc = man_page(argv[2], stdout);
	} else if (strcmp(argv[1], "--completion") == 0) {
		completion_bash(stdout);
	} else if (strcmp(argv[1], "--version") == 0) {
		printf("tryst %s\n", PACKAGE_VERSION);
	} else {
		cmd = subcommand_find(argv[1]);
		if (!cmd)
			return unknown_subcommand(argv[1]);
		rc = run_subcommand(cmd, argc - 1, argv + 1);
	}
	return close_output(rc);
}
