/* SPDX-License-Identifier: BSD-3-Clause */
/* recipes.c: see recipes.h; make writes recipe_list.h from queries/. */
#include <config.h>

#include "analysis/recipes/recipes.h"
#include "analysis/recipes/queries.h"

#include <stddef.h>
#include <string.h>

const struct recipe recipes[] = {
#include "analysis/recipes/recipe_list.h"
	{ NULL, NULL, NULL },
};

const struct recipe *recipe_find(const char *name)
{
	for (const struct recipe *r = recipes; r->name; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	return NULL;
}
