/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * db.h: opens the SQLite files of a run, and makes new ones.
 *
 * Readers get a connection only to files that carry tryst's application id and a schema version
 * that this tryst understands: its own or an older one.
 */
#ifndef TRYST_FORMAT_DB_DB_H
#define TRYST_FORMAT_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>
#include <sys/types.h>

#include "analysis/format/db/layout.h"
#include "analysis/base/say.h"
#include "layouts.h"

#define DB_APPLICATION_ID 0x74727374       /* "trst": a rank's file or run.db */
#define DB_LINKS_APPLICATION_ID 0x7472736c /* "trsl": link parameters */
#define IDS_OF_RANK                                                                                \
	((int64_t)1 << OP_KEY_RANK_AT) /* ids of rank r's rows are from r times this on */

/* Ranks of a world, and callsites of a rank: a shim gives out 65,536 and two. */
#define DB_RANK_MAX ((INT64_C(1) << 20) - 1)
#define DB_CALLSITE_MAX ((INT64_C(1) << 20) - 1)

enum { DB_VERSION = 1, DB_LINKS_VERSION = 1 };

/* include/schema.sql as text, ended by NUL. */
extern const char db_schema[];

/* The objects of rank files and run.db of DB_VERSION. */
extern const struct db_layout db_layout;

enum db_mode {
	DB_READ,  /* read only; SQLite makes no file beside it */
	DB_WRITE, /* may change it, from several threads: tryst analyze, collect */
	DB_RESCUE /* reads a file that DB_READ refused as damaged: only tables that
		   * db_layout_has_table() knows, and only as far as a cut file has them */
};

/* A kind of SQLite file, by what its header says. */
struct db_kind {
	int32_t application_id;
	int32_t version;                /* the newest that can be read */
	const char *name;               /* for messages: "a database of tryst's" */
	const struct db_layout *layout; /* of versions 1, 2, ... */
};

/* Steps that SQLite may still take for a connection; see db_limit_steps(). */
struct db_steps {
	uint64_t left;
};

/* As db_open(), for another kind of file. */
int db_open_kind(const char *path, const struct db_kind *kind, enum db_mode mode, sqlite3 **out,
	const struct say *say);

/*
 * Opens the rank file or run.db `path`, never through a symbolic link. Returns 0 and *out, to be
 * closed with sqlite3_close(); -ENOENT; -EPROTO: a newer version's; -EINVAL: not SQLite, another
 * program's, with tables or views that are not as tryst makes them, in WAL mode, with a journal
 * that tryst does not leave, or so damaged that it cannot be opened; another negative errno. Says
 * one line for each error. See README, "Hostile files".
 */
int db_open(const char *path, enum db_mode mode, sqlite3 **out, const struct say *say);

/*
 * Makes the checks of db_open(), for "main" or a file attached as `schema`. Returns 0 or -EINVAL.
 * Prints nothing.
 */
int db_check_inside(sqlite3 *db, const char *schema);

/*
 * For connections that db_vfs_open() made: SQL text within the file may do no more than tryst's own
 * statements ask for.
 */
void db_harden(sqlite3 *db);

/*
 * Attaches the file `path` as `schema`, through the VFS of the connection. 0 or a negative errno.
 * The caller checks what is inside: db_check_inside().
 */
int db_attach(sqlite3 *db, const char *path, const char *schema);

/* Has a statement been prepared that reads one of certain tables? */
struct db_tables_read {
	bool (*is_one)(const char *table);
	bool any;
};

/*
 * Forbids the connection to open or make other files, and notes in `of` what statements read. `of`
 * lives as long as the connection.
 */
void db_refuse_attach(sqlite3 *db, struct db_tables_read *of);

/*
 * Limits the steps of all further statements on `db` to the most that a file of file_bytes can
 * need: damage can make a table of a few pages endless. Beyond them statements fail with -EINVAL.
 * `steps` lives as long as the connection, or until db_end_limit().
 */
void db_limit_steps(sqlite3 *db, struct db_steps *steps, uint64_t file_bytes);
void db_end_limit(sqlite3 *db);

/* True if the last statement failed at this limit. */
bool db_reached_limit(sqlite3 *db);

/*
 * Makes an empty database that must not exist yet (O_EXCL, no symbolic link), with `mode` less the
 * umask, set for fast writing by one process: no journal, nothing synced. The caller makes it whole
 * and renames it. page_bytes: a power of two, 512..65536. Returns 0 and *out, or a negative errno
 * after saying why.
 */
int db_create(const char *path, mode_t mode, int page_bytes, sqlite3 **out, const struct say *say);

/* Tables, views, application_id and user_version of schema.sql. 0, or a negative errno, printed. */
int db_make_schema(sqlite3 *db, const struct say *say);

/* PRAGMA quick_check. 0: whole; -EINVAL: damaged, printed with SQLite's first finding. */
int db_check(sqlite3 *db, const char *path, const struct say *say);

/*
 * The value of `key` in table run for `rank` (-1: any), in text[size]. Returns 0, -ENOENT, or
 * another negative errno. Says nothing.
 */
int db_run_value(sqlite3 *db, int32_t rank, const char *key, char *text, size_t size);

/*
 * The integer under `key` in table run: that of `rank`, or the sum over all ranks (-1). `none`
 * where there is no value. Says nothing.
 */
int64_t db_run_int(sqlite3 *db, int32_t rank, const char *key, int64_t none);

/* Sets or replaces `key` of `rank` in table run. 0, or a negative errno. */
int db_run_set(sqlite3 *db, int32_t rank, const char *key, int64_t value);

/*
 * The integer in the first row's first column of `sql` (NULL: 0); `none` where there is no row.
 * Says nothing.
 */
int64_t db_int(sqlite3 *db, const char *sql, int64_t none);

/* True if it has this table; a view does not count. */
bool db_has_table(sqlite3 *db, const char *table);

/* 1: the table has a row; 0: it has none; -1: it cannot be read or is missing. Says nothing. */
int db_has_rows(sqlite3 *db, const char *table);

/* How an INSERT treats a row whose key is in use: fails, leaves it out, or replaces the old one. */
enum db_insert { DB_INSERT, DB_INSERT_OR_IGNORE, DB_INSERT_OR_REPLACE };

/* Prepares the reading of all columns of `table`. 0, or a negative errno. */
int db_prepare_rows(sqlite3 *db, const char *table, sqlite3_stmt **out);

/*
 * Prepares the INSERT of a whole row into `table`, with a parameter for each column in their order.
 * A column without a bound value becomes NULL. 0, or a negative errno.
 */
int db_prepare_insert(sqlite3 *db, enum db_insert how, const char *table, sqlite3_stmt **out);

/* The run id of an open file. Returns 0 or -ENOENT. Says nothing. */
int db_run_id(sqlite3 *db, uint64_t *run_id);

/*
 * SQLite's functions for code outside this folder, without result codes. They return 0 or a
 * negative errno: -EEXIST if a key is in use, -ENOTSUP if a table or column is missing, -EINVAL for
 * a damaged file, -EIO if SQLite names no other. They say nothing.
 */
int db_open_memory(sqlite3 **out);
int db_close(sqlite3 *db);
int db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out);
int db_exec_quiet(sqlite3 *db, const char *sql);

/* As db_prepare(), for the first statement of *sql. *sql then is the rest of the text. */
int db_prepare_first(sqlite3 *db, const char **sql, sqlite3_stmt **out);

/* 1: at a row; 0: there is none left; or a negative errno. */
int db_step(sqlite3_stmt *stmt);

/* Executes a statement that gives no rows and makes it ready for the next time. */
int db_execute(sqlite3_stmt *stmt);

/* Finalizes a statement (or NULL). Returns 0, or the negative errno of its last step. */
int db_finalize(sqlite3_stmt *stmt);

/*
 * A function of SQL whose value depends on its arguments alone: `call` for each row, or `step` and
 * `end` for a group of rows.
 */
struct db_function {
	const char *name;
	int arguments;
	void (*call)(sqlite3_context *, int, sqlite3_value **);
	void (*step)(sqlite3_context *, int, sqlite3_value **);
	void (*end)(sqlite3_context *);
	void *context; /* sqlite3_user_data() */
};

/* Adds the functions of an array that ends with a row without a name. */
int db_add_functions(sqlite3 *db, const struct db_function *functions);

/* The error of the last statement: 0, or a negative errno. */
int db_last_error(sqlite3 *db);

/* `rc` in words, those of SQLite where the system has none. Valid until the next statement. */
const char *db_reason(sqlite3 *db, int rc);

/* Says "cannot WHAT 'file': reason" for `rc`, the last error of `db`. Returns it. */
int db_say(sqlite3 *db, int rc, const char *what, const struct say *say);

/* Executes SQL text. 0, or a negative errno after saying "cannot WHAT 'file': reason". */
int db_exec(sqlite3 *db, const char *sql, const char *what, const struct say *say);

/*
 * Copies all pages of a database into an empty one. Calls tell() from time to time with the numbers
 * of copied pages and of all pages. Returns 0, or a negative errno.
 */
int db_backup(sqlite3 *from, sqlite3 *to, void (*tell)(uint64_t pages, uint64_t of));

/* One rank as found in a run's directory. */
struct db_rank {
	int32_t rank;
	bool has_rows; /* rank-NNNNNN.db */
	bool has_ring; /* rank-NNNNNN.ring or .spool: rows are still to be made */
	char *dir;     /* directory that holds its files; points into the list */
};

/* The ranks of one world of a run, by rank. */
struct db_ranks {
	struct db_rank *rank;
	uint32_t nranks;
	char **dirs; /* the directories that were read */
	uint32_t ndirs;
};

/*
 * Lists the ranks in `dir` (the run's, or a world's) and its subdirectories of a thousand ranks.
 * Returns 0, -ENOMEM, or a negative errno of opening `dir`, printed.
 */
int db_ranks_list(const char *dir, struct db_ranks *list, const struct say *say);

void db_ranks_release(struct db_ranks *list);

#endif
