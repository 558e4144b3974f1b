/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job_file.h: the one file of a job in site mode, include/schemas/site.schema.json.
 *
 * The file is made at the start, empty, and from then on replaced as a whole by rename(). Only
 * in_call and in_call_begin_ns are stored in place, through a shared mapping. Its
 * directory may be writable for everybody (mode 1777): no file of others is opened, and no symbolic
 * link is followed. Nothing here allocates memory, so a look out of an MPI call is safe.
 */
#ifndef TRYST_SITE_JOB_FILE_H
#define TRYST_SITE_JOB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "functions.h"

/* Sums over ranks, for each function of MPI and each figure below. */
struct site_sum {
	uint64_t count;
	uint64_t bytes;
	uint64_t time;     /* [ns] in a record; ticks while the rank counts */
	uint64_t max;      /* the largest rank's time [ns] */
	uint64_t max_rank; /* the lowest rank that has it */
};

enum { SITE_SIZES = 48 };

/* Behind the functions' sums. */
enum site_figure {
	SITE_RUN = FN_COUNT, /* count: ranks; time: from MPI_Init to MPI_Finalize */
	SITE_IN_MPI,  /* time: of it in MPI calls; count: ranks of which threads called MPI */
	SITE_OUTSIDE, /* time: the rest */
	SITE_TRYST,   /* time: that tryst itself took */
	SITE_NO_CPU,  /* time: that ranks could have run, but had no CPU; count: ranks that know */
	SITE_HOSTS,   /* count: ranks that are the first of their host */
	SITE_MESSAGE, /* sent messages of 0 bytes; then of 1; then of 2 and 3; of 4 to 7; ... */
	SITE_SUMS = SITE_MESSAGE + SITE_SIZES
};

enum site_state { SITE_RUNNING, SITE_FINALIZED, SITE_ABORTED };

struct site_record {
	char dir[4096]; /* absolute */
	char name[256]; /* of the file in it; "": there is none */
	char job[128];  /* of the batch system; "": none */
	char program[128];
	char host[128];
	char mpi_library[256];
	char start[32]; /* ISO 8601, UTC */
	int nranks;
	unsigned in_call;          /* FN_*, that rank 0 begins; FN_NONE: none */
	uint64_t in_call_begin_ns; /* as in run_ns */
	const unsigned char
		*has_bytes; /* [FN_COUNT]: are the bytes of a function's calls counted? */
	pid_t process;      /* a child of fork() must not write */
	char *page;         /* a page that is mapped in place of the file's first; NULL: never */
	size_t call_at;     /* where in it the values of in_call and in_call_begin_ns are */
	size_t begin_at;
	bool shows; /* is the file's own page mapped? */
};

/* in_call's value, the comma behind it, and blanks: as many characters as are stored at once. */
enum { SITE_CALL_WIDTH = 48 };

/*
 * Fills in job, program, host and start, and makes an empty file with a name of its own: JOB.json,
 * or HOST-PID-TIME.json without a batch system, or if that is taken, JOB.HOST-PID-TIME.json.
 * Returns 0 or a negative errno; the record then has no name. `dir` may be relative.
 */
int site_record_make(struct site_record *record, const char *dir);

/* Removes the file, and the record's name. */
void site_record_drop(struct site_record *record);

/*
 * Replaces the file by these sums; does nothing for a record without a name, or in a child of
 * fork(). In state running, the new file's page is mapped then. Returns 0 or a negative errno.
 */
int site_record_write(
	struct site_record *record, enum site_state state, const struct site_sum sums[SITE_SUMS]);

/* in_call's text for a function FN_*; FN_NONE: null. */
void site_record_call_text(char text[SITE_CALL_WIDTH + 1], unsigned fn);

/*
 * Stores the call that rank 0 begins, and the time [ns], in the file by memory alone: what is
 * stored stays when the process is killed. Only if `shows`. A write may go on in another thread.
 */
static inline void site_record_show_call(
	const struct site_record *record, const char text[SITE_CALL_WIDTH])
{
	memcpy(record->page + record->call_at, text, SITE_CALL_WIDTH);
}
void site_record_show_begin(const struct site_record *record, uint64_t in_call_begin_ns);

#endif
