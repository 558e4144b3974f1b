/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h: what `tryst doctor` looks at. A check is a function and a line of a table. */
#ifndef TRYST_DOCTOR_DOCTOR_H
#define TRYST_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum finding {
	FINDING_OK,      /* works */
	FINDING_NOTE,    /* works, and the user should know something */
	FINDING_PROBLEM, /* recording will not work, or lose something */
	FINDING_NONE     /* nothing to say here: not installed and not needed */
};

struct doctor {
	const char *library;  /* to preload; "" where none was found */
	const char *program;  /* to look at, or NULL */
	const char *dir;      /* where records would go */
	char *launcher;       /* doctor_linked_mpi() writes here the program's launcher, */
	size_t launcher_size; /* or "" if no installed launcher fits */
	bool *unlinked;       /* doctor_linked_mpi() sets it for a program without an MPI library */
	bool measure;         /* launch two ranks and measure what is in force between them */
};

struct check {
	const char *name;
	enum finding (*look)(const struct doctor *d, char *text, size_t size);
};

/* Which MPI library the program is linked to, and what its launcher is called here (mpi.c). */
enum finding doctor_linked_mpi(const struct doctor *d, char *text, size_t size);

/* The MPI libraries installed and their limits (mpi.c); ended by an empty entry. */
extern const struct check mpi_checks[];

/*
 * Runs argv, its standard output into text[size] (cut there), nothing on standard error. Returns
 * the exit code, or -1 where it cannot be run or does not end within `seconds`.
 */
int doctor_run(const char *const argv[], int seconds, char *text, size_t size);

/*
 * From what programs print: the text behind `key` up to the end of its line, in value[size]; "":
 * not there.
 */
const char *doctor_value_of(const char *output, const char *key, char *value, size_t size);

/* Is tryst-KIND.so installed where libtryst.so looks for it? */
bool doctor_has_shim(const struct doctor *d, const char *kind);

/*
 * "libmpi.so.40 => /usr/lib/libmpi.so.40 (0x7f..)": the file of the library of that name, in
 * path[size].
 */
bool doctor_find_library(const char *output, const char *name, char *path, size_t size);

#endif
