/* SPDX-License-Identifier: BSD-3-Clause */
/* next.c: the tables of the library's own functions. */
#define NEXT_FUNCTIONS
#include "functions.h"
#include "pmpi/callsite/module.h"
#include "next.h"
#include "pmpi/dispatch/next_fill.h"

#include <stdio.h>
#include <string.h>

enum { NEXT_COUNT = sizeof(struct mpi_next) / sizeof(void *) };

_Static_assert(sizeof(next_functions) / sizeof(*next_functions) == NEXT_COUNT,
	"a member of struct mpi_next is a pointer, and there is nothing else");

struct mpi_next next, pnext;

void next_fill(void *(*resolve)(const char *name))
{
	for (size_t i = 0; i < NEXT_COUNT; i++) {
		char name[64];
		void *function;

		snprintf(name, sizeof(name), "P%s", function_name(next_functions[i]));
		function = resolve(name + 1);
		memcpy((char *)&next + i * sizeof(function), &function, sizeof(function));
		function = resolve(name);
		memcpy((char *)&pnext + i * sizeof(function), &function, sizeof(function));
	}
}

bool next_is_tool(void)
{
	for (size_t i = 0; i < NEXT_COUNT; i++) {
		void *function;

		memcpy(&function, (const char *)&next + i * sizeof(function), sizeof(function));
		if (function && module_kind(function) == MODULE_PROGRAM)
			return true;
	}
	return false;
}

static void *member(const struct mpi_next *table, unsigned fn)
{
	void *function = NULL;

	for (size_t i = 0; i < NEXT_COUNT; i++)
		if (next_functions[i] == fn)
			memcpy(&function, (const char *)table + i * sizeof(function),
				sizeof(function));
	return function;
}

void next_drop(struct shim_entry *entry, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!member(&next, entry[i].fn))
			entry[i].mpi = NULL;
		if (!member(&pnext, entry[i].fn))
			entry[i].pmpi = NULL;
	}
}
