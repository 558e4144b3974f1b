/* SPDX-License-Identifier: BSD-3-Clause */
/* recipes.h: the queries of tryst sql --recipe. */
#ifndef TRYST_RECIPES_RECIPES_H
#define TRYST_RECIPES_RECIPES_H

struct recipe {
	const char *name;
	const char *question;
	const char *sql; /* one statement, which may use :top */
};

/* In the order of their names, ended by an empty one. */
extern const struct recipe recipes[];

/* NULL: there is no recipe of this name. */
const struct recipe *recipe_find(const char *name);

#endif
