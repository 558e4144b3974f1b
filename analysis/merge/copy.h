/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.h: copies the rows of one rank's file to run.db, and of a damaged file those before the
 * damage. */
#ifndef TRYST_MERGE_COPY_H
#define TRYST_MERGE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/ranks/worker.h"
#include "analysis/format/db/batch.h"
#include "analysis/merge/sites.h"

enum { COPY_NAME_MAX = 64 };

struct copy {
	sqlite3 *db;                   /* run.db */
	struct rows_batch batch;       /* behind rows_batch of this connection */
	bool waits_only;               /* copy only ops that waited or are pending */
	char (*tables)[COPY_NAME_MAX]; /* copy_init() lists them */
	int ntables;
	struct stacks stacks; /* of callsites in run.db */
	sqlite3_stmt *put_site;
	struct worker worker; /* reads while rows are written */
};

/* Lists the tables of c->db and the callsites that it has. 0, or a negative errno. */
int copy_init(struct copy *c);

/* Frees what copy_init() allocated; c->db stays open. */
void copy_release(struct copy *c);

/* Attaches the file as `src`. 0, or a negative errno. */
int copy_attach(struct copy *c, const char *path);
void copy_detach(struct copy *c);

/*
 * True if a table of `schema` in `src` has rows of other ranks. reason[size] then says why the file
 * is left out. Damage does not count here: copying reports it.
 */
bool copy_has_foreign(
	struct copy *c, sqlite3 *src, const char *schema, int32_t rank, char *reason, size_t size);

/*
 * Copies all of the attached file `path`, page by page, in a transaction that the caller
 * ends. Returns 0 or a negative errno; then nothing was copied. *left_out counts ops that
 * waits_only left behind.
 */
int copy_whole(struct copy *c, int32_t rank, const char *path, uint64_t *left_out);

/*
 * Copies rank's rows one by one from an open file that is damaged or of an older version, in a
 * transaction that the caller ends. Of each table it copies the rows before the damage, and the
 * columns that both files have. Returns 0, or a negative errno if writing failed; then nothing was
 * copied. Damage in `src` is no failure: its first message goes to damage[size] ("" if there is
 * none). rescued: `src` is open as DB_RESCUE, and a table with a wrong definition counts as damage.
 */
int copy_rows(struct copy *c, sqlite3 *src, int32_t rank, bool rescued, uint64_t *left_out,
	char *damage, size_t size);

/*
 * *is_new: the frames of this callsite have to be copied. If not, the callsite gets a row of
 * site_row. 0, or a negative errno.
 */
int copy_site(
	struct copy *c, int32_t rank, int64_t callsite, const struct stack_key *key, bool *is_new);

/*
 * Undoes what was copied of the rank since the transaction began. Returns `rc`, or -ENOMEM.
 */
int copy_undo(struct copy *c, int32_t rank, int rc);

#endif
