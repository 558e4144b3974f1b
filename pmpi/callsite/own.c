/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.c: steps from a library up to the program's own code, on a copy of the stack.
 *
 *	sp                                                           end of the copy
 *	| frame in libm   | return address | frame in the program   |
 *	                         found
 *
 * Each step follows the unwind information of the code (cfi.h), so it needs no frame pointers. Code
 * without such information is assembly or a linkage stub. On x86-64 the first word that lies behind
 * a call instruction is then taken for the return address. Assembly leaves few words above it.
 */
#include "pmpi/callsite/own.h"
#include "pmpi/callsite/cfi.h"
#include "pmpi/callsite/table.h"
#include "pmpi/callsite/unwind.h"

enum {
	STEPS_MAX = 32,
	CALL_BYTES_MAX = 7, /* of a call instruction */
#if defined(__x86_64__)
	STACK_POINTER = 7
#else
	STACK_POINTER = 31
#endif
};

struct step {
	const struct callsite_stack *stack;
	uint64_t ip, sp, frame_pointer;
	bool is_first;
};

static bool read_word(const struct step *s, uint64_t at, uint64_t *word)
{
	const uint64_t from = at - s->stack->sp;

	if (at < s->stack->sp || from % sizeof(*word) != 0 ||
		from / sizeof(*word) >= s->stack->nwords)
		return false;
	*word = s->stack->words[from / sizeof(*word)];
	return true;
}

static bool is_own(const void *address)
{
	const struct module_address at = module_resolve(address);

	return at.kind == MODULE_PROGRAM &&
		(at.module == MODULE_EXECUTABLE || callsite_table_calls_mpi(at.module));
}

#if defined(__x86_64__)
static bool is_behind_call(uint64_t address)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)address;
	const uint32_t module = module_resolve(code).module;

	if (!module || module_resolve(code - CALL_BYTES_MAX).module != module)
		return false;
	if (code[-5] == 0xe8)
		return true;
	/* the address in a register or in memory: ff, and 2 in the middle bits of the next byte */
	for (int bytes = 2; bytes <= CALL_BYTES_MAX; bytes++)
		if (code[-bytes] == 0xff && (code[-bytes + 1] & 0x38) == 0x10)
			return true;
	return false;
}

static bool step_by_guess(struct step *s)
{
	uint64_t word;

	for (uint64_t at = s->sp; read_word(s, at, &word); at += sizeof(word))
		if (is_behind_call(word)) {
			s->ip = word;
			s->sp = at + sizeof(word);
			return true;
		}
	return false;
}
#else
/* A function without a frame. */
static bool step_by_guess(struct step *s)
{
	s->ip = unwind_plain_address(s->stack->link);
	return s->is_first;
}
#endif

static bool step_by_rule(struct step *s, const struct cfa_rule *rule)
{
	const bool by_frame = rule->reg == CFI_FRAME_POINTER;
	uint64_t cfa = (by_frame ? s->frame_pointer : s->sp) + (uint64_t)rule->offset;

	if ((!by_frame && rule->reg != STACK_POINTER) ||
		(rule->kind == CFA_WORD && !read_word(s, cfa, &cfa)) || cfa < s->sp)
		return false;
	if (rule->return_address.is_saved) {
		if (!read_word(s, cfa + (uint64_t)rule->return_address.offset, &s->ip))
			return false;
	} else if (s->is_first) {
		s->ip = s->stack->link;
	} else {
		return false;
	}
	s->ip = unwind_plain_address(s->ip);
	if (rule->frame_pointer.is_saved &&
		!read_word(s, cfa + (uint64_t)rule->frame_pointer.offset, &s->frame_pointer))
		return false;
	s->sp = cfa;
	return true;
}

/* A search of own_caller(), under module_hold(). */
struct search {
	struct step step;
	const void *found;
};

static void find_own(void *context)
{
	struct search *search = context;
	struct step *s = &search->step;

	for (int steps = 0; steps < STEPS_MAX; steps++) {
		/* rules are looked up by return addresses, which lie behind the instruction */
		const struct cfa_rule rule =
			cfa_rule_of((const void *)(uintptr_t)(s->ip + s->is_first));

		if (!(rule.kind == CFA_UNKNOWN ? step_by_guess(s) : step_by_rule(s, &rule)))
			return;
		s->is_first = false;
		if (is_own((const void *)(uintptr_t)s->ip)) {
			search->found = (const void *)(uintptr_t)s->ip;
			return;
		}
	}
}

const void *own_caller(const void *address, const struct callsite_stack *stack)
{
	struct search search = {
		{ stack, (uint64_t)(uintptr_t)address, stack->sp, stack->frame_pointer, true }, NULL
	};

	/*
	 * the sample is older than this call: its libraries may be unloaded by now, or another
	 * thread may be unloading them
	 */
	if (!is_own(address))
		module_hold(find_own, &search);
	return search.found;
}
