/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h: text fitted to where it is read. */
#ifndef TRYST_TEXT_TERMINAL_H
#define TRYST_TEXT_TERMINAL_H

#include <stdint.h>
#include <stdio.h>

/* Columns of the terminal behind `out`: COLUMNS, the terminal's own, else 80; 40 to 250. */
int terminal_columns(FILE *out);

/* Columns to lay tables out for: `asked`, if not 0, else the terminal's, from 80 to 200. */
int columns_to_fit(int64_t asked);

/*
 * Prints `text` with words wrapped at `columns`, each line after the first indented by `indent`
 * spaces; the first begins at column `at`. Ends with a newline. In foreign text, what a terminal
 * would obey is escaped before: print_foreign(), for which a newline is no space.
 */
void print_wrapped(FILE *out, const char *text, int at, int indent, int columns);
void print_foreign(FILE *out, const char *text, int at, int indent, int columns);

#endif
