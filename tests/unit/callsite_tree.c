/* SPDX-License-Identifier: BSD-3-Clause */
/* callsite_tree.c: functions with frames of all sorts (callsite_tree.h). */
#include "callsite_tree.h"

#include <alloca.h>
#include <stddef.h>

/* Calls go through one of two lines that the compiler cannot make one. */
#define CALL(tree)                                                                                 \
	do {                                                                                       \
		if (tree_random(tree) % 2) {                                                       \
			tree_next(tree)(tree);                                                     \
			__asm__ volatile("" : : "i"(1) : "memory");                                \
		} else {                                                                           \
			tree_next(tree)(tree);                                                     \
			__asm__ volatile("nop" : : "i"(2) : "memory");                             \
		}                                                                                  \
	} while (0)

/* Makes the compiler believe that the memory is used, without touching it. */
#define KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

static __attribute__((noinline)) void plain(struct tree *tree)
{
	tree->depth++;
	CALL(tree);
	tree->depth--;
}

static __attribute__((noinline)) void twice(struct tree *tree)
{
	tree->depth++;
	CALL(tree);
	if (tree->calls_left)
		CALL(tree);
	tree->depth--;
}

/* Leaves what others left on the stack where it is. */
static __attribute__((noinline)) void wide(struct tree *tree)
{
	char old[264];

	KEEP(old);
	tree->depth++;
	CALL(tree);
	tree->depth--;
	KEEP(old);
}

static __attribute__((noinline)) void taking(struct tree *tree)
{
	char *taken = alloca(16 + tree_random(tree) % 24 * 16);

	KEEP(taken);
	tree->depth++;
	CALL(tree);
	tree->depth--;
	KEEP(taken);
}

static __attribute__((noinline)) void variable(struct tree *tree)
{
	uint64_t words[1 + tree_random(tree) % 32];

	KEEP(words);
	tree->depth++;
	CALL(tree);
	tree->depth--;
	KEEP(words);
}

static __attribute__((noinline)) void aligned(struct tree *tree)
{
	_Alignas(64) char line[64];

	KEEP(line);
	tree->depth++;
	CALL(tree);
	tree->depth--;
	KEEP(line);
}

static __attribute__((noinline)) void aligned_taking(struct tree *tree)
{
	_Alignas(128) char line[128];
	char *taken = alloca(tree_random(tree) % 4 * 32);

	KEEP(line);
	KEEP(taken);
	tree->depth++;
	CALL(tree);
	tree->depth--;
	KEEP(line);
}

/*
 * So many live values that the frame pointer is one of them, and sometimes points into the frame.
 */
static __attribute__((noinline)) void busy(struct tree *tree)
{
	uint64_t local[8];
	uint64_t a = tree_random(tree), b = a * 3, c = a ^ b, d = a + c, e = b * d;
	uint64_t *inside = tree_random(tree) % 2 ? local + tree_random(tree) % 8 : NULL;

	KEEP(local);
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(inside));
	tree->depth++;
	CALL(tree);
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(inside));
	CALL(tree);
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(inside));
	tree->depth--;
}

static __attribute__((noinline)) void again(struct tree *tree)
{
	tree->depth++;
	if (tree->depth < tree->depth_max && tree_random(tree) % 3)
		again(tree);
	else
		CALL(tree);
	tree->depth--;
	__asm__ volatile("" : : : "memory");
}

tree_function *const TREE_TABLE(TREE_NAME)[TREE_KINDS] = {
	plain,
	twice,
	wide,
	taking,
	variable,
	aligned,
	aligned_taking,
	busy,
	again,
};
