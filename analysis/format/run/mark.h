/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mark.h: the mark that `tryst run` makes before it becomes the program.
 *
 *	DIR.started/<job>/<host>-<pid>	made by tryst run
 *	DIR/started/<host>-<pid>	moved there by MPI_Init, in the directory that was chosen
 *
 * If a mark stays in the first place, its process never reached MPI_Init under tryst. Pure file
 * system code. A mark is text, with lines "key=value".
 */
#ifndef TRYST_FORMAT_RUN_MARK_H
#define TRYST_FORMAT_RUN_MARK_H

#include <stddef.h>

/*
 * Makes the mark of the calling process for a run into `dir`. `text`: whole lines, added to those
 * that identify the process. path[size] gets the mark's absolute path. Returns 0 or a negative
 * errno. Prints nothing.
 */
int mark_make(const char *dir, const char *job, const char *text, char *path, size_t size);

/*
 * Moves the mark at `path` (TRYST_STARTED) into `dir`, and removes directories that are then empty.
 * Returns 0 or a negative errno; 0 also if the mark is already gone, since all descendants of one
 * `tryst run` share a mark. Prints nothing. Several processes may call it at the same time.
 */
int mark_move(const char *path, const char *dir);

/* Removes the mark at `path`, of a program that could not be started, and directories as above. */
void mark_drop(const char *path);

/* Adds "key=value\n" to the mark. Returns 0 or a negative errno (-ENOENT: it was moved). */
int mark_note(const char *path, const char *key, const char *value);

/* A mark that was read. A text is "" if its line is missing. */
struct mark {
	char host[64], boot_id[40];
	long long pid;
	unsigned long long start_time, pid_namespace;
	char job[128];
	int together;      /* processes that the launcher started at once; 0: unknown */
	char program[512]; /* as found in PATH, or as given */
	char look[256];    /* why preloading cannot reach it, found before the start */
	char note[256];    /* why the library could not record the process */
};

/* Reads one mark. Returns 0 or a negative errno. */
int mark_read(const char *path, struct mark *mark);

#endif
