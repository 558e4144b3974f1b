/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h: callsites that several ranks share.
 *
 * Two callsites are the same if their frames have the same offsets in modules with the same
 * build-ids. The path stands for a missing build-id. run.db has the frames of such a stack once,
 * from the rank that was merged first. Each other rank has a row of site_row that refers to them.
 */
#ifndef TRYST_MERGE_SITES_H
#define TRYST_MERGE_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>

/* Identifies a stack: two hashes, so that no two of millions of stacks are equal by chance. */
struct stack_key {
	uint64_t a, b;
	bool unknown; /* it has a frame outside all modules, and equals no other stack */
};

struct stack {
	struct stack_key key;
	int32_t rank; /* the rank whose frames are kept */
	int64_t callsite;
};

struct stacks {
	struct stack *at; /* a power of two of slots; key.a 0: empty */
	uint64_t slots, used;
};

/* Begins the key of a stack; stack_add() adds its frames. */
void stack_begin(struct stack_key *k);

/* A module's part of the key: a hash of its build-id or path, text[bytes]. */
uint64_t stack_module(const char *text, size_t bytes);

/* Adds the next frame: its module by stack_module(), or 0, and its offset there [bytes]. */
void stack_add(struct stack_key *k, uint64_t module, int64_t offset);

/*
 * The callsite whose frames stand for this stack. A new stack gets (rank, callsite). NULL: no
 * memory. The result is valid until the next call.
 */
const struct stack *stacks_at(
	struct stacks *s, const struct stack_key *k, int32_t rank, int64_t callsite);

/* Removes the callsites of a rank whose rows were not merged. False: no memory. */
bool stacks_forget(struct stacks *s, int32_t rank);

/* Frees all stacks. A zero-filled struct has none. */
void stacks_release(struct stacks *s);

/*
 * Calls each() for the stacks of table frame_row of `schema`, those of one rank after another.
 * Returns 0, what each() returned, or a negative errno.
 */
int stacks_each(sqlite3 *db, const char *schema,
	int (*each)(void *context, int32_t rank, int64_t callsite, const struct stack_key *k),
	void *context);

#endif
