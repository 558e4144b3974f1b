/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h: what can be seen of a program before it runs: would preloading reach it?
 */
#ifndef TRYST_DOCTOR_PROGRAM_H
#define TRYST_DOCTOR_PROGRAM_H

#include <stddef.h>

enum program_kind {
	PROGRAM_DYNAMIC,    /* preloading works */
	PROGRAM_STATIC,     /* no dynamic loader: nothing can be preloaded */
	PROGRAM_PRIVILEGED, /* setuid, ... or capabilities: the loader drops LD_PRELOAD */
	PROGRAM_FOREIGN,    /* for another processor or word length than the library */
	PROGRAM_UNREADABLE, /* may be run, not read */
	PROGRAM_MISSING     /* not found or not executable */
};

/*
 * Finds `name` as execvp() would. Returns 0 with the path in path[size], or a negative errno.
 */
int program_find(const char *name, char *path, size_t size);

/*
 * Looks at the file at `path`; a script's interpreter stands for the script. why[size] gets one
 * sentence that begins with a small letter, "" for PROGRAM_DYNAMIC.
 */
enum program_kind program_look(const char *path, char *why, size_t size);

/*
 * The loader that the ELF file at `path` names, in loader[size]. Returns 0; -ENOEXEC: no ELF file,
 * as a script, or static; another negative errno.
 */
int program_loader(const char *path, char *loader, size_t size);

/*
 * Finds the library to preload, next to the running command: the build tree's, or the installed
 * one. Returns 0 with an absolute path, or -1 with path[] naming where it was looked for last.
 */
int library_find(char *path, size_t size);

/* Why program_find() gave `rc` for `name`, and what was probably meant, in words. */
void program_explain(const char *name, int rc, char *text, size_t size);

#endif
