/* SPDX-License-Identifier: BSD-3-Clause */
/* next_fill.h: filling of next and pnext (the generated next.h), once, in tryst_shim_load(). */
#ifndef TRYST_DISPATCH_NEXT_FILL_H
#define TRYST_DISPATCH_NEXT_FILL_H

#include <stdbool.h>

#include "pmpi/dispatch/dispatch.h"

/* Looks up all members of next and pnext; those that the library lacks become NULL. */
void next_fill(void *(*resolve)(const char *name));

/* Clears the wrappers of functions that next_fill() did not find. */
void next_drop(struct shim_entry *entry, size_t count);

/* True if another tool stands between us and the library. Its own MPI calls come back to us. */
bool next_is_tool(void);

#endif
