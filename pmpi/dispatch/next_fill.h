/* SPDX-License-Identifier: BSD-3-Clause */
/* next_fill.h: filling of next and pnext (the generated next.h), once, in tryst_shim_load(). */
#ifndef TRYST_DISPATCH_NEXT_FILL_H
#define TRYST_DISPATCH_NEXT_FILL_H

#include <stdbool.h>

#include "pmpi/dispatch/dispatch.h"

/* Look up all members of next and pnext; those that the library lacks become NULL. */
void next_fill(void *(*resolve)(const char *name));

/* Clear the wrappers of functions that next_fill() did not find. */
void next_drop(struct shim_entry *entry, size_t count);

/* Is another tool between us and the library? What it calls for itself comes back to us. */
bool next_is_tool(void);

#endif
