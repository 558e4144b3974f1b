/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_callsite_unwind.c: walks of the stack find the same frames, however they begin. They begin
 * in functions of tryst, which have more or fewer frames with the compiler's options and the way to
 * the walk. Where a walk ended is remembered only with what ended it. A search for one frame finds
 * it, or says nothing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pmpi/callsite/unwind.h"
#include "unit.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DEPTH = 3, OWN = 20, FN = 7 };

/* Keeps calls before it from being the function's last act. */
#define STAY() __asm__ volatile("" : : : "memory")

struct look {
	void (*at)(struct look *, void *return_address, void *frame_address);
	unsigned nown; /* frames between the wrapper and at() */
	struct unwind_stack stack;
	bool is_met;
	struct callsite_cache *cache;
	uint32_t id;
};

static __attribute__((noinline)) void own(
	struct look *look, unsigned n, void *return_address, void *frame_address)
{
	if (n)
		own(look, n - 1, return_address, frame_address);
	else
		look->at(look, return_address, frame_address);
	STAY();
}

static __attribute__((noinline)) void wrapper(struct look *look)
{
	own(look, look->nown, __builtin_return_address(0), __builtin_frame_address(0));
	STAY();
}

static __attribute__((noinline)) void inner(struct look *look)
{
	wrapper(look);
	STAY();
}

/* Two callers that the compiler cannot make one. */
static __attribute__((noinline)) void outer(struct look *look)
{
	inner(look);
	STAY();
}

static __attribute__((noinline)) void other_outer(struct look *look)
{
	inner(look);
	__asm__ volatile("nop" : : : "memory");
}

static void begin(void)
{
	char why[256] = "";

	CU_ASSERT_EQUAL(unwind_start(NULL, why, sizeof(why)), 0);
	CU_ASSERT_STRING_EQUAL(why, "");
}

static void walk(struct look *look, void *return_address, void *frame_address)
{
	look->is_met = unwind_walk(&look->stack, DEPTH, return_address, frame_address);
}

static void trace(struct look *look, void *return_address, void *frame_address)
{
	unsigned found = unwind_trace(look->stack.raw, DEPTH, return_address);

	(void)frame_address;
	look->is_met = found > 0;
	if (found)
		unwind_resolve(&look->stack, DEPTH, found);
}

static bool are_same(const struct unwind_stack *a, const struct unwind_stack *b)
{
	return a->nframes == b->nframes &&
		memcmp(a->frames, b->frames, a->nframes * sizeof(a->frames[0])) == 0;
}

static void find_through_own_frames(void (*at)(struct look *, void *, void *))
{
	static struct look looks[OWN + 1];

	begin();
	for (volatile unsigned n = 0; n <= OWN; n++) {
		looks[n] = (struct look){ .at = at, .nown = n };
		outer(&looks[n]);
		CU_ASSERT(looks[n].is_met);
		CU_ASSERT_EQUAL(looks[n].stack.nframes, DEPTH);
		CU_ASSERT(are_same(&looks[n].stack, &looks[0].stack));
		CU_ASSERT_EQUAL(looks[n].stack.nchecks, looks[0].stack.nchecks);
	}
}

static void a_walk_begins_beyond_any_number_of_own_frames(void)
{
	find_through_own_frames(walk);
}

static void a_trace_begins_beyond_any_number_of_own_frames(void)
{
	find_through_own_frames(trace);
}

static void another_return_address(struct look *look, void *return_address, void *frame_address)
{
	walk(look, (char *)return_address + 1, frame_address);
}

static void a_walk_that_does_not_meet_the_caller_says_so(void)
{
	static struct look look = { .at = another_return_address, .is_met = true };

	begin();
	outer(&look);
	CU_ASSERT(!look.is_met);
	CU_ASSERT_EQUAL(look.stack.nframes, 1);
	CU_ASSERT_EQUAL(look.stack.nchecks, 0);
}

/* ---- whose frame holds an address ---- */

static const void *frame, *found, *expected;
static struct unwind_stack finding;
static bool is_noted;
static sigjmp_buf back;

static __attribute__((noinline)) void find(void)
{
	found = unwind_find_frame(&finding, frame, __builtin_return_address(0),
		__builtin_frame_address(0), &is_noted);
	STAY();
}

/* No two of these lie in the same 256 bytes of code: see is_code_of(). */
#define APART ONE_COPY __attribute__((aligned(256)))

static APART void look_deeper(int depth)
{
	volatile char used[256];

	used[depth] = 0;
	if (depth)
		look_deeper(depth - 1);
	else
		find();
	used[depth]++;
}

static APART void look_by_hand(int signal)
{
	(void)signal;
	look_deeper(3);
}

/* Its return address is code of who called it. */
static APART void look_below(void)
{
	expected = __builtin_return_address(0);
	look_deeper(3);
	STAY();
}

static APART void has_frame(void (*next)(void))
{
	frame = __builtin_frame_address(0);
	next();
	STAY();
}

static APART void raise_it(void)
{
	raise(SIGUSR1);
	STAY();
}

static void jump_back(void)
{
	siglongjmp(back, 1);
}

static void the_frame_of_a_caller_is_found(void)
{
	begin();
	found = NULL;
	has_frame(look_below);
	CU_ASSERT_PTR_NOT_NULL(found);
	CU_ASSERT_PTR_EQUAL(found, expected);
	CU_ASSERT(is_noted);
	CU_ASSERT(finding.nchecks > 0);
}

static bool is_code_of(const void *code, void (*function)(void (*)(void)))
{
	return (uintptr_t)code - (uintptr_t)function < 256;
}

static void a_frame_is_found_beyond_a_signal(void)
{
	static _Alignas(16) char signals[1 << 16];
	stack_t alternate = { .ss_sp = signals, .ss_size = sizeof(signals) },
		none = { .ss_flags = SS_DISABLE };
	struct sigaction action = { .sa_handler = look_by_hand };

	begin();
	sigaltstack(&alternate, NULL);
	for (int i = 0; i < 2; i++) {
		action.sa_flags = i ? SA_ONSTACK : 0;
		sigaction(SIGUSR1, &action, NULL);
		found = NULL;
		has_frame(raise_it);
		CU_ASSERT(is_code_of(found, has_frame));
		CU_ASSERT(!is_noted);
	}
	sigaltstack(&none, NULL);
	signal(SIGUSR1, SIG_DFL);
}

static void a_frame_that_was_left_is_another_functions(void)
{
	begin();
	found = NULL;
	if (sigsetjmp(back, 0) == 0)
		has_frame(jump_back);
	look_deeper(9);
	CU_ASSERT_PTR_NOT_NULL(found);
	CU_ASSERT(!is_code_of(found, has_frame));
}

/*
 * As where a wrapper that was left by a jump had a smaller frame than the one that stands there
 * now.
 */
static __attribute__((noinline)) void find_in_own_frame(void)
{
	char *volatile own = __builtin_frame_address(0);

	expected = __builtin_return_address(0);
	found = unwind_find_frame(&finding, own + 8, __builtin_return_address(0), own, &is_noted);
	STAY();
}

static void an_address_in_the_wrappers_own_frame_leads_to_its_caller(void)
{
	begin();
	found = NULL;
	find_in_own_frame();
	CU_ASSERT_PTR_NOT_NULL(found);
	CU_ASSERT_PTR_EQUAL(found, expected);
	CU_ASSERT(!is_noted);
}

static void an_address_on_no_stack_has_no_frame(void)
{
	begin();
	frame = &back;
	look_deeper(3);
	CU_ASSERT_PTR_NULL(found);
}

/* ---- what callsites make of it ---- */

static void drop(void *context, const void *record, size_t bytes)
{
	(void)context, (void)record, (void)bytes;
}

static void get(struct look *look, void *return_address, void *frame_address)
{
	look->id = callsite_get(look->cache, FN, return_address, frame_address);
}

static void get_lost(struct look *look, void *return_address, void *frame_address)
{
	get(look, (char *)return_address + 1, frame_address);
}

static struct callsite_stats get_twice(
	void (*at)(struct look *, void *, void *), unsigned nown, uint32_t ids[2])
{
	static struct look look;
	struct callsite_stats stats;
	char why[256] = "";

	CU_ASSERT_EQUAL(callsite_start(DEPTH, NULL, drop, NULL, why, sizeof(why)), 0);
	look = (struct look){ .at = at, .nown = nown, .cache = callsite_cache_new(NULL, NULL) };
	for (volatile unsigned i = 0; i < 2; i++) {
		if (i)
			other_outer(&look);
		else
			outer(&look);
		ids[i] = look.id;
	}
	callsite_stats_get(&stats);
	callsite_cache_free(look.cache);
	callsite_stop();
	return stats;
}

static void callers_are_told_apart_through_any_number_of_own_frames(void)
{
	for (unsigned nown = 0; nown <= OWN; nown++) {
		uint32_t ids[2];
		struct callsite_stats stats = get_twice(get, nown, ids);

		CU_ASSERT_NOT_EQUAL(ids[0], ids[1]);
		CU_ASSERT_EQUAL(stats.callsites, 2);
		CU_ASSERT_EQUAL(stats.unwinds, 2);
	}
}

static void a_walk_that_does_not_meet_the_caller_is_not_remembered(void)
{
	uint32_t ids[2];
	struct callsite_stats stats = get_twice(get_lost, 0, ids);

	CU_ASSERT_EQUAL(ids[0], ids[1]);
	CU_ASSERT_EQUAL(stats.callsites, 1);
	CU_ASSERT_EQUAL(stats.unwinds, 2);
}

static struct callsite_cache *asked;

static __attribute__((noinline)) void ask(void)
{
	found = callsite_code_of_frame(
		asked, frame, __builtin_return_address(0), __builtin_frame_address(0));
	STAY();
}

static __attribute__((noinline)) void ask_from_two_places(void)
{
	const void *first;

	ask();
	first = found;
	ask();
	CU_ASSERT_PTR_EQUAL(found, first);
}

static void a_frame_that_was_looked_for_is_remembered_for_each_place(void)
{
	struct callsite_stats stats;
	char why[256] = "";

	CU_ASSERT_EQUAL(callsite_start(DEPTH, NULL, drop, NULL, why, sizeof(why)), 0);
	asked = callsite_cache_new(NULL, NULL);
	for (volatile unsigned i = 0; i < 10; i++) {
		has_frame(ask_from_two_places);
		CU_ASSERT(is_code_of(found, has_frame));
	}
	callsite_stats_get(&stats);
	CU_ASSERT_EQUAL(stats.unwinds, 2);
	/* that nothing is found is remembered, too */
	frame = &back;
	for (volatile unsigned i = 0; i < 10; i++) {
		ask_from_two_places();
		CU_ASSERT_PTR_NULL(found);
	}
	callsite_stats_get(&stats);
	CU_ASSERT_EQUAL(stats.unwinds, 4);
	/* so many places that it begins anew */
	for (volatile unsigned i = 0; i < 100; i++) {
		frame = (const char *)&back + i % 50;
		ask();
		CU_ASSERT_PTR_NULL(found);
	}
	has_frame(ask_from_two_places);
	CU_ASSERT(is_code_of(found, has_frame));
	callsite_cache_free(asked);
	callsite_stop();
}

/* ---- functions that switch stacks ---- */

#if defined(__x86_64__)
/* Calls function(look) with its frame below `top`. */
void call_on(void *top, void (*function)(struct look *), struct look *look);
__asm__(".text\n"
	".globl call_on\n"
	".type call_on, @function\n"
	"call_on:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"mov %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"mov %rdi, %rsp\n"
	"mov %rdx, %rdi\n"
	"call *%rsi\n"
	"leave\n"
	".cfi_def_cfa %rsp, 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size call_on, .-call_on\n");

/* Far enough apart for valgrind to see that stacks are switched. */
enum { STACK_BYTES = 4 << 20 };

static _Alignas(16) char stacks[2][STACK_BYTES];

static __attribute__((noinline)) void on_second(struct look *look)
{
	call_on(stacks[1] + STACK_BYTES, inner, look);
	STAY();
}

/* The caller of the second stack's function stands above it, or below it where a stack ends. */
static uint32_t get_on_second(struct look *look, bool from_below)
{
	if (from_below)
		call_on(stacks[0] + STACK_BYTES, on_second, look);
	else
		on_second(look);
	return look->id;
}

static void a_stack_that_ended_is_another_than_one_that_goes_on(void)
{
	static struct look look;
	struct callsite_stats stats;
	char why[256] = "";
	uint32_t ids[2][2];

	CU_ASSERT_EQUAL(callsite_start(DEPTH, NULL, drop, NULL, why, sizeof(why)), 0);
	for (volatile unsigned first = 0; first < 2; first++) {
		look = (struct look){ .at = get, .cache = callsite_cache_new(NULL, NULL) };
		for (volatile unsigned i = 0; i < 4; i++) {
			bool from_below = (first + i) % 2;

			ids[first][from_below] = get_on_second(&look, from_below);
		}
		callsite_cache_free(look.cache);
	}
	CU_ASSERT_NOT_EQUAL(ids[0][0], ids[0][1]);
	CU_ASSERT_EQUAL(ids[0][0], ids[1][0]);
	CU_ASSERT_EQUAL(ids[0][1], ids[1][1]);
	callsite_stats_get(&stats);
	CU_ASSERT_EQUAL(stats.unwinds, 4);
	callsite_stop();
}
#endif

#if defined(__x86_64__)
static unsigned nreads;

/* Before libc's, for all that is in this process. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
	const struct iovec *from, unsigned long nfrom, unsigned long flags)
{
	nreads++;
	return syscall(SYS_process_vm_readv, pid, to, nto, from, nfrom, flags);
}

static void the_programs_own_walks_make_no_calls_of_ours(void)
{
	struct look look = { .at = walk };
	/* more than a cursor and a context of libunwind take */
	static char cursor[4096], context[4096];
	void *lib = dlopen("libunwind.so.8", RTLD_NOW);
	int (*here)(void *), (*init)(void *, void *), (*step)(void *);
	unsigned steps = 0;

	begin();
	outer(&look);
	CU_ASSERT(nreads > 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(lib);
	*(void **)&here = dlsym(lib, "_Ux86_64_getcontext");
	*(void **)&init = dlsym(lib, "_ULx86_64_init_local");
	*(void **)&step = dlsym(lib, "_ULx86_64_step");
	CU_ASSERT_FATAL(here && init && step);
	nreads = 0;
	here(context);
	CU_ASSERT_EQUAL(init(cursor, context), 0);
	while (step(cursor) > 0)
		steps++;
	CU_ASSERT(steps > 2);
	CU_ASSERT_EQUAL(nreads, 0);
	dlclose(lib);
	callsite_stop();
}
#endif

static const struct unit_test tests[] = {
	{ "a walk begins beyond any number of own frames",
		a_walk_begins_beyond_any_number_of_own_frames },
	{ "a trace begins beyond any number of own frames",
		a_trace_begins_beyond_any_number_of_own_frames },
	{ "a walk that does not meet the caller says so",
		a_walk_that_does_not_meet_the_caller_says_so },
	{ "callers are told apart through any number of own frames",
		callers_are_told_apart_through_any_number_of_own_frames },
	{ "a walk that does not meet the caller is not remembered",
		a_walk_that_does_not_meet_the_caller_is_not_remembered },
	{ "the frame of a caller is found", the_frame_of_a_caller_is_found },
	{ "a frame is found beyond a signal", a_frame_is_found_beyond_a_signal },
	{ "a frame that was left is another function's",
		a_frame_that_was_left_is_another_functions },
	{ "an address in the wrapper's own frame leads to its caller",
		an_address_in_the_wrappers_own_frame_leads_to_its_caller },
	{ "an address on no stack has no frame", an_address_on_no_stack_has_no_frame },
	{ "a frame that was looked for is remembered for each place",
		a_frame_that_was_looked_for_is_remembered_for_each_place },
#if defined(__x86_64__)
	{ "a stack that ended is another than one that goes on",
		a_stack_that_ended_is_another_than_one_that_goes_on },
	{ "the program's own walks make no calls of ours",
		the_programs_own_walks_make_no_calls_of_ours },
#endif
	{ NULL, NULL },
};

int main(void)
{
	return unit_main("callsite_unwind", tests);
}
