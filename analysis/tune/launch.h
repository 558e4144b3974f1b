/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.h: runs the user's command as it is, with other words before the program, or with other
 * words instead of the program.
 *
 *	mpirun -n 4 | ./app input | : -n 2 | ./other
 *	launcher      program                program
 *
 * All programs of a command with colons are treated alike.
 */
#ifndef TRYST_TUNE_LAUNCH_H
#define TRYST_TUNE_LAUNCH_H

#include <stdbool.h>

struct launch {
	const char *const *argv; /* ended by NULL */
	int program;             /* index of the first program's name */
};

/*
 * Finds the program in a command: the first word after the launcher that can be run, except values
 * of the launcher's options, and the same behind each colon. False: a program is missing.
 */
bool launch_find(const char *const *argv, struct launch *out);

/* How a command is run. */
struct launch_way {
	const char *const *before; /* words before the program, ended by NULL; NULL: none */
	bool without_program;      /* `before` replaces the program */
	const char *setting;       /* NAME=VALUE of the environment; NULL: none */
	const char *output;        /* the file that gets its output appended */
};

/*
 * Runs the command and waits for its end. Returns its exit code, 128 + N for signal N, or a
 * negative errno. *seconds: how long it took.
 */
int launch_run(const struct launch *l, const struct launch_way *way, double *seconds);

/* Was this process asked to stop, by SIGINT or SIGTERM, since launch_watch()? */
bool launch_stopped(void);
void launch_watch(void);

#endif
