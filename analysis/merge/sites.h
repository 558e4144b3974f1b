/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h: callsites that several ranks share.
 *
 * Two callsites are one where their frames lie at the same offsets of modules of the same build-ids
 * (paths, where there is none). Of such stacks run.db has the frames of the rank that was merged
 * first, and for each other rank a row of site_row that leads there.
 */
#ifndef TRYST_MERGE_SITES_H
#define TRYST_MERGE_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>

/* What a stack is told by: two hashes, so that no two of millions are alike by chance. */
struct stack_key {
	uint64_t a, b;
	bool unknown; /* of a frame outside all modules: never the same as another */
};

struct stack {
	struct stack_key key;
	int32_t rank; /* whose frames are kept */
	int64_t callsite;
};

struct stacks {
	struct stack *at; /* a power of two of slots; key.a 0: empty */
	uint64_t slots, used;
};

void stack_begin(struct stack_key *k);

/* A module's part of the key: its build-id or its path, of that many bytes. */
uint64_t stack_module(const char *text, size_t bytes);

/* The next frame; module 0: it lies in none. */
void stack_add(struct stack_key *k, uint64_t module, int64_t offset);

/*
 * Whose frames stand for this stack; those of (rank, callsite) themselves where it is new. NULL: no
 * memory. Valid until the next call.
 */
const struct stack *stacks_at(
	struct stacks *s, const struct stack_key *k, int32_t rank, int64_t callsite);

/* What was said of the rank's callsites is taken back: its rows are not there. False: no memory. */
bool stacks_forget(struct stacks *s, int32_t rank);

void stacks_release(struct stacks *s);

/*
 * Calls each() for the stacks of table frame_row of `schema`, those of one rank after another.
 * Returns 0, what each() returned, or a negative errno.
 */
int stacks_each(sqlite3 *db, const char *schema,
	int (*each)(void *context, int32_t rank, int64_t callsite, const struct stack_key *k),
	void *context);

#endif
