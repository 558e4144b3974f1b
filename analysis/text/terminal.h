/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h: fits text to the width of the terminal. */
#ifndef TRYST_TEXT_TERMINAL_H
#define TRYST_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The width of the terminal at `out`: $COLUMNS, else its own, else 80; limited to [40, 250]. */
int terminal_columns(FILE *out);

/*
 * The width of tables: `asked` if not 0; 80 if standard output is no terminal; else the terminal's,
 * limited to [80, 200].
 */
int columns_to_fit(int64_t asked);

/* Is it a terminal that obeys escape sequences? Not if NO_COLOR is set. */
bool has_colour(FILE *out);

/*
 * Prints `text` with words wrapped at `columns`, each line after the first indented by `indent`
 * spaces; the first begins at column `at`. Ends with a newline. print_foreign() first escapes
 * what a terminal would obey; a newline is then no space.
 */
void print_wrapped(FILE *out, const char *text, int at, int indent, int columns);
void print_foreign(FILE *out, const char *text, int at, int indent, int columns);

#endif
