/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.h: the causes of waits, and the words for each. */
#ifndef TRYST_TEXT_CAUSES_H
#define TRYST_TEXT_CAUSES_H

#include <stdbool.h>

/* Words may have columns of a query in braces (report/phrase.h). NULL: nothing is said there. */
struct cause {
	const char *name;     /* of cause_name or coll_state_name, or of waits without a cause */
	bool is_measured;     /* a measure of tryst diff --fail-if */
	const char *of_waits; /* follows "94 % of that" */
	const char *waits;    /* the waits of a bottleneck */
	const char *why;      /* why a bottleneck waited */
	const char *remedy;   /* against a bottleneck, without a trial */
	const char *helps;    /* the same in a few words */
};

/* Ended by an entry without name. */
extern const struct cause causes[];

/* The cause of this name. For an unknown name or NULL, an entry without words. */
const struct cause *cause_find(const char *name);

#endif
