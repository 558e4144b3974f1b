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

#include "analysis/base/text.h"

struct launch {
	const char *const *argv; /* ended by NULL */
	int program;             /* index of the first program's name */
	int launcher;            /* index of the launcher's name; -1: none is known */
};

/*
 * Finds the program in a command: the first word after the launcher that can be run, except values
 * of the launcher's options, and the same behind each colon. False: a program is missing.
 */
bool launch_find(const char *const *argv, struct launch *out);

/* Has the launcher the option? The name is without dashes. */
bool launch_has_option(const struct launch *l, const char *name);

/*
 * Does the command give the variable or MCA parameter a value, as in `-x NAME=1`, `--mca NAME 1`
 * or `env NAME=1 mpirun`?
 */
bool launch_sets(const struct launch *l, const char *name);

/* Does the launcher have this name? False if none is known. */
bool launch_is_by(const struct launch *l, const char *name);

/* How a command is run. */
struct launch_way {
	const char *const *before; /* words before the program, ended by NULL; NULL: none */
	bool without_program;      /* `before` replaces the program */
	const char *setting;       /* NAME=VALUE of the environment; NULL: none */
	const char *option;        /* an option added to a known launcher; NULL: none */
	const char *output;        /* the file that gets its output appended */
};

/*
 * Runs the command in a process group of its own and waits for its end. Returns its exit code, 128
 * + N for signal N, or a negative errno. *seconds: how long it took. After launch_watch(), SIGINT
 * and SIGTERM also go to the group. What is left of it is killed ten seconds after the last signal.
 * No command starts after such a signal: -EINTR.
 */
int launch_run(const struct launch *l, const struct launch_way *way, double *seconds);

/* Adds the command as a line for a shell, with `option` added to its launcher. */
void launch_line(const struct launch *l, const char *option, struct text *to);

/* Was this process asked to stop, by SIGINT or SIGTERM, since launch_watch()? */
bool launch_stopped(void);
void launch_watch(void);

#endif
