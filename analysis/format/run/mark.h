/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mark.h: what `tryst run` leaves behind before it becomes the program.
 *
 *	DIR.started/<job>/<host>-<pid>	made by tryst run
 *	DIR/started/<host>-<pid>	moved there by MPI_Init, in the directory that was chosen
 *
 * A mark that stays in the first place tells of a process that tryst never saw in MPI_Init.
 * Pure file system code; a mark is text, a line "key=value" each.
 */
#ifndef TRYST_FORMAT_RUN_MARK_H
#define TRYST_FORMAT_RUN_MARK_H

#include <stddef.h>

/*
 * Makes the mark of the calling process for a run into `dir`. `text` is its content beyond what
 * identifies the process (whole lines). Its absolute path goes to path[size]. Returns 0 or a
 * negative errno. Says nothing.
 */
int mark_make(const char *dir, const char *job, const char *text, char *path, size_t size);

/*
 * Moves the mark at `path` (TRYST_STARTED) into `dir`, and removes the directories that are empty
 * then. 0 also where the mark has gone already: processes that descend from one `tryst run` share
 * one. Else a negative errno. Says nothing; safe to call from several processes at a time.
 */
int mark_move(const char *path, const char *dir);

/* Removes the mark at `path`, of a program that could not be started, and directories as above. */
void mark_drop(const char *path);

/* Adds "key=value\n" to the mark. Returns 0 or a negative errno (-ENOENT: it was moved). */
int mark_note(const char *path, const char *key, const char *value);

/* A mark as read. Texts are "" where the line is missing. */
struct mark {
	char host[64], boot_id[40];
	long long pid;
	unsigned long long start_time, pid_namespace;
	char job[128];
	int together;      /* processes that the launcher started at once; 0: unknown */
	char program[512]; /* as found in PATH, or as it was given */
	char look[256];    /* why preloading cannot reach it, as seen before the start */
	char note[256];    /* what the library saw when it could not serve the process */
};

/* Reads one mark. Returns 0 or a negative errno. */
int mark_read(const char *path, struct mark *mark);

#endif
