/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h: finds function, file and line of an offset in a module.
 *
 * Offsets are addresses as the module's file has them (return address less load address). The
 * file must still be the one that ran: its build-id is compared, and a changed file gives no
 * names rather than wrong ones. Separate debug files are found by build-id
 * (/usr/lib/debug/.build-id and beside the binary). Without debug information a function's name
 * comes from the ELF symbols, without line.
 */
#ifndef TRYST_SYMBOLS_SYMBOLS_H
#define TRYST_SYMBOLS_SYMBOLS_H

#include <stdint.h>

struct symbols;

enum symbol_state {
	SYMBOL_LINE,    /* function, file and line */
	SYMBOL_NAME,    /* function only: no debug information */
	SYMBOL_UNKNOWN, /* the file has no name for this address */
	SYMBOL_CHANGED, /* the file is not the one that ran */
	SYMBOL_NO_FILE  /* the file cannot be read here */
};

struct symbol {
	enum symbol_state state;
	const char *function; /* "inner (inlined in outer)"; C++ names without parameters */
	const char *file;     /* as the compiler was given it */
	int line;             /* 0: unknown */
};

/* NULL: no memory. At most 16 files stay open and 64 Ki results are kept. */
struct symbols *symbols_new(void);
void symbols_free(struct symbols *);

/*
 * Looks up the call before the return address `offset` in the module at `path`. `build_id` is
 * lower-case hex, or NULL or "" where it is not known (then any file at `path` is trusted).
 * The strings of *out belong to `symbols` and live until the next call. Never fails: what
 * cannot be found has NULL strings and a state that says why.
 */
void symbols_resolve(struct symbols *, const char *path, const char *build_id, uint64_t offset,
	struct symbol *out);

#endif
