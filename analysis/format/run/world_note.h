/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world_note.h: the note of a spawning program's root in the directory of the spawned world. It
 * follows the claim, which is the file's first line:
 *
 *	spawn KEY WORLD PARENT	the intercommunicator's key, both worlds' numbers
 *	ranks A B C ...		of the parents in their world; without this line 0, 1, ...
 *	set NAME=VALUE		a variable that the parents had; any number of lines
 */
#ifndef TRYST_FORMAT_RUN_WORLD_NOTE_H
#define TRYST_FORMAT_RUN_WORLD_NOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/format/run/run_dir.h"

/* Opens the file in the world's directory `dir`, for reading or appending; NULL on errors. */
FILE *world_note_open(const char *dir, bool append);

/* False: there is no note. */
bool world_note_spawn(const char *dir, uint64_t *key, int *world, int *parent);

/* The variables as "NAME=value" lines; freed by the caller. NULL: no memory. */
char *world_note_settings(const char *dir);

/* The ranks of `count` parents; freed by the caller. NULL: the note has fewer. */
int *world_note_ranks(const char *dir, int count);

#endif
