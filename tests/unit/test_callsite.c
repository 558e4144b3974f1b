/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_callsite.c: which stacks share a callsite id, and what is emitted of them. Also endless
 * stacks, libraries that come and go, and signals that interrupt. test_callsite_tree.c compares
 * random stacks.
 *
 * Loops count in volatile variables where all rounds must call from one place: compilers peel off
 * the first round and unroll the others.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "callsite_pace.h"
#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/module.h"
#include "record.h"
#include "unit.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { FN = 7, IDS = CALLSITE_FIRST + CALLSITE_COUNT_MAX };

/* What was emitted. */
static struct {
	unsigned modules;
	unsigned callsites;
	unsigned out_of_order; /* a callsite before one of its modules, or an id twice */
	bool has_module[MODULES_MAX + 1];
	const char *path[MODULES_MAX + 1];
	const struct rec_callsite *callsite[IDS];
	size_t kept_bytes;
	_Alignas(8) char kept[1 << 24];
} seen;

/* Also from signal handlers, so without malloc. */
static const void *keep(const void *data, size_t bytes)
{
	char *to = seen.kept + seen.kept_bytes;

	seen.kept_bytes += (bytes + 7) & ~(size_t)7;
	CU_ASSERT_FATAL(seen.kept_bytes <= sizeof(seen.kept));
	return memcpy(to, data, bytes);
}

static void see(void *context, const void *record, size_t bytes)
{
	const struct rec_head *head = record;

	CU_ASSERT_PTR_EQUAL(context, &seen);
	CU_ASSERT_EQUAL_FATAL(head->words * 8u, bytes);
	if (head->type == REC_MODULE) {
		const struct rec_module *module = record;

		seen.modules++;
		seen.out_of_order += seen.has_module[head->id];
		seen.has_module[head->id] = true;
		seen.path[head->id] = keep(module->path, strlen(module->path) + 1);
		return;
	}
	CU_ASSERT_EQUAL_FATAL(head->type, REC_CALLSITE);
	const struct rec_callsite *callsite = record;

	seen.callsites++;
	seen.out_of_order += head->id >= IDS || seen.callsite[head->id];
	for (unsigned i = 0; i < callsite->nframes; i++)
		seen.out_of_order +=
			callsite->frames[i].module && !seen.has_module[callsite->frames[i].module];
	seen.callsite[head->id] = keep(record, bytes);
}

static struct callsite_cache *cache;

static void begin(unsigned depth)
{
	char why[256] = "";

	CU_ASSERT_EQUAL(callsite_start(depth, NULL, see, &seen, why, sizeof(why)), 0);
	CU_ASSERT_STRING_EQUAL(why, "");
	cache = callsite_cache_new(NULL, NULL);
}

static void end(void)
{
	CU_ASSERT_EQUAL(seen.out_of_order, 0);
	callsite_cache_free(cache);
	callsite_stop();
	cache = NULL;
	memset(&seen, 0, sizeof(seen));
}

static struct callsite_stats stats(void)
{
	struct callsite_stats now;

	callsite_stats_get(&now);
	return now;
}

/* The wrapper of an MPI function. */
static __attribute__((noinline)) uint32_t call_fn(unsigned fn)
{
	uint32_t id =
		callsite_get(cache, fn, __builtin_return_address(0), __builtin_frame_address(0));

	__asm__ volatile("" : : : "memory");
	return id;
}

static __attribute__((noinline)) uint32_t helper(void)
{
	uint32_t id = call_fn(FN);

	__asm__ volatile("" : : : "memory");
	return id;
}

/* ---- which stacks are equal ---- */

static void a_line_has_one_id_and_is_walked_once(void)
{
	uint32_t first = 0, id;

	begin(8);
	for (volatile int i = 0; i < 100; i++) {
		id = call_fn(FN);
		CU_ASSERT(id >= CALLSITE_FIRST);
		CU_ASSERT(i == 0 || id == first);
		first = id;
	}
	CU_ASSERT_EQUAL(stats().unwinds, 1);
	CU_ASSERT_EQUAL(stats().callsites, 1);
	CU_ASSERT_EQUAL(seen.callsites, 1);
	CU_ASSERT_EQUAL(seen.callsite[first]->call, FN);
	end();
}

static void one_helper_called_from_two_lines_is_told_apart(void)
{
	uint32_t one = 0, two = 0, three = 0;

	begin(8);
	for (volatile int i = 0; i < 100; i++) {
		uint32_t a = helper(), b = helper(), c = helper();

		CU_ASSERT(a != b && b != c && a != c);
		CU_ASSERT(i == 0 || (a == one && b == two && c == three));
		one = a, two = b, three = c;
	}
	CU_ASSERT_EQUAL(stats().unwinds, 3);
	end();
}

static void two_functions_on_one_line_have_two_ids(void)
{
	uint32_t id[2];

	begin(8);
	for (volatile unsigned i = 0; i < 20; i++) {
		uint32_t now = call_fn(FN + i % 2);

		CU_ASSERT(i < 2 || now == id[i % 2]);
		id[i % 2] = now;
	}
	CU_ASSERT(id[0] != id[1]);
	end();
}

static __attribute__((noinline)) uint32_t recurse(unsigned depth)
{
	uint32_t id = depth ? recurse(depth - 1) : call_fn(FN);

	__asm__ volatile("" : : : "memory");
	return id;
}

static void recursions_differ_up_to_the_depth_of_stacks(void)
{
	uint32_t ids[20];

	begin(8);
	for (volatile int round = 0; round < 3; round++) {
		for (volatile unsigned depth = 0; depth < 20; depth++) {
			uint32_t id = recurse(depth);

			CU_ASSERT(round == 0 || id == ids[depth]);
			ids[depth] = id;
		}
	}
	for (unsigned depth = 1; depth < 20; depth++)
		CU_ASSERT_EQUAL(ids[depth] == ids[depth - 1], depth >= 8);
	CU_ASSERT_EQUAL(stats().unwinds, 20);
	end();
}

/* AddressSanitizer rounds up to 32 bytes: what is to differ differs by as many. */
static __attribute__((noinline)) uint32_t take(unsigned bytes)
{
	char *taken = alloca(bytes);
	uint32_t id;

	__asm__ volatile("" : : "r"(taken) : "memory");
	id = call_fn(FN);
	__asm__ volatile("" : : "r"(taken) : "memory");
	return id;
}

static void a_line_under_alloca_of_any_size_has_one_id(void)
{
	uint32_t first = 0;

	begin(8);
	for (volatile unsigned i = 0; i < 200; i++) {
		uint32_t id = take(16 + i % 50 * 48);

		CU_ASSERT(i == 0 || id == first);
		first = id;
	}
	CU_ASSERT_EQUAL(stats().unwinds, 50);
	end();
}

static void depth_is_the_number_of_frames(void)
{
	static const unsigned depths[] = { 1, 2, 8, 64 };

	for (int i = 0; i < 4; i++) {
		uint32_t id;

		begin(depths[i]);
		id = recurse(100);
		CU_ASSERT_EQUAL_FATAL(id, CALLSITE_FIRST);
		CU_ASSERT_EQUAL(seen.callsite[id]->nframes, depths[i]);
		end();
	}
}

static void depth_0_is_no_callsites(void)
{
	begin(0);
	CU_ASSERT_PTR_NULL(cache);
	CU_ASSERT_EQUAL(call_fn(FN), CALLSITE_NONE);
	CU_ASSERT_EQUAL(seen.callsites, 0);
	end();
}

/* ---- without libunwind ---- */

static void without_libunwind_the_return_address_stands_for_all(void)
{
	char why[256] = "";
	uint32_t a, b, c;

	CU_ASSERT_EQUAL(
		callsite_start(8, "/nowhere/libunwind.so", see, &seen, why, sizeof(why)), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "/nowhere/libunwind.so"));
	cache = callsite_cache_new(NULL, NULL);
	a = helper();
	b = helper();
	c = call_fn(FN);
	CU_ASSERT(a >= CALLSITE_FIRST);
	CU_ASSERT_EQUAL(a, b);
	CU_ASSERT_NOT_EQUAL(a, c);
	CU_ASSERT_EQUAL(seen.callsite[a]->nframes, 1);
	CU_ASSERT_EQUAL(helper(), a);
	end();
}

static void a_library_that_is_no_libunwind_is_refused(void)
{
	char why[256] = "";

	CU_ASSERT_EQUAL(callsite_start(8, "libm.so.6", see, &seen, why, sizeof(why)), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "'libm.so.6' has no "));
	callsite_stop();
}

static void libunwind_stays_out_of_the_programs_sight(void)
{
	void *unwinder;
	Dl_info info;

	begin(8);
	call_fn(FN);
	unwinder = dlsym(RTLD_DEFAULT, "_Unwind_RaiseException");
	CU_ASSERT(!unwinder || !dladdr(unwinder, &info) || !strstr(info.dli_fname, "libunwind"));
	CU_ASSERT_PTR_NULL(dlsym(RTLD_DEFAULT, "unw_backtrace"));
	end();
}

/* ---- libraries ---- */

typedef void plugin_function(void (*)(void *), void *, int);

static void *open_beside(const char *name, plugin_function **function)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	void *handle;

	CU_ASSERT_FATAL(n > 0);
	path[n] = '\0';
	snprintf(strrchr(path, '/'), sizeof(path) - 4000, "/callsite/%s", name);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		fprintf(stderr, "%s\n", dlerror());
	CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
	*function = (plugin_function *)dlsym(handle, "plugin_call");
	return handle;
}

static void call_back(void *id)
{
	*(uint32_t *)id = call_fn(FN);
	__asm__ volatile("" : : : "memory");
}

static bool is_in(uint32_t id, const char *name)
{
	for (unsigned i = 0; i < seen.callsite[id]->nframes; i++) {
		uint32_t module = seen.callsite[id]->frames[i].module;

		if (module && strstr(seen.path[module], name))
			return true;
	}
	return false;
}

static void a_library_that_takes_anothers_place_is_seen(void)
{
	uint32_t id[2][10];
	plugin_function *function;

	begin(8);
	for (volatile int i = 0; i < 10; i++) {
		for (int which = 0; which < 2; which++) {
			const char *name = which ? "libplugin_b.so" : "libplugin_a.so";
			void *handle = open_beside(name, &function);

			for (volatile int call = 0; call < 1024; call++) /* at the latest then */
				function(call_back, &id[which][i], 1);
			CU_ASSERT(is_in(id[which][i], name));
			CU_ASSERT_EQUAL(id[which][i], id[which][0]);
			dlclose(handle);
		}
	}
	CU_ASSERT_NOT_EQUAL(id[0][0], id[1][0]);
	CU_ASSERT(stats().resets > 0);
	end();
}

/* libunwind guesses by the frame pointer, and so do we. */
static void frames_without_unwind_information_are_guessed(void)
{
	plugin_function *function;
	void *handle = open_beside("libbare.so", &function);

	begin(8);
	for (volatile int i = 0; i < 10; i++) {
		uint32_t one, two, three;

		function(call_back, &one, 1);
		function(call_back, &two, 1);
		function(call_back, &three, 2);
		CU_ASSERT(is_in(one, "libbare.so") && is_in(one, "test_callsite"));
		CU_ASSERT(one != two && two != three && one != three);
	}
	CU_ASSERT_EQUAL(stats().callsites, 3);
	CU_ASSERT_EQUAL(stats().unwinds, 3);
	end();
	dlclose(handle);
}

static void frames_of_mpi_are_left_out(void)
{
	static const char *const names[] = { "libmpi.so.40", "libmpi_mpifh.so.40" };

	for (int i = 0; i < 2; i++) {
		plugin_function *function;
		void *handle = open_beside(names[i], &function);
		uint32_t inner, one, two;

		begin(8);
		function(call_back, &inner, 1);
		CU_ASSERT(!is_in(inner, names[i]));
		/* The call is in MPI's library itself: as Fortran programs reach us. */
		for (volatile int round = 0; round < 3; round++) {
			function((void (*)(void *))(uintptr_t)call_fn, (void *)FN, 1);
			function((void (*)(void *))(uintptr_t)call_fn, (void *)FN, 2);
		}
		CU_ASSERT_EQUAL(stats().callsites, 3);
		one = inner + 1, two = inner + 2;
		CU_ASSERT_EQUAL(seen.callsite[one]->frames[0].module, 1u);
		CU_ASSERT_NOT_EQUAL(
			seen.callsite[one]->frames[0].offset, seen.callsite[two]->frames[0].offset);
		CU_ASSERT(!is_in(one, names[i]) && !is_in(two, names[i]));
		end();
		dlclose(handle);
	}
}

/* ---- threads ---- */

static void *call_in_thread(void *id)
{
	struct callsite_cache *mine = callsite_cache_new(NULL, NULL), **cell = id;

	*cell = mine;
	return NULL;
}

static __attribute__((noinline)) uint32_t call_with(struct callsite_cache *mine)
{
	return callsite_get(mine, FN, __builtin_return_address(0), __builtin_frame_address(0));
}

static void caches_of_threads_give_equal_ids(void)
{
	struct callsite_cache *other = NULL;
	pthread_t thread;
	uint32_t id[2];

	begin(8);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, call_in_thread, &other), 0);
	pthread_join(thread, NULL);
	for (volatile int i = 0; i < 2; i++)
		id[i] = call_with(i ? other : cache);
	CU_ASSERT_EQUAL(id[0], id[1]);
	CU_ASSERT_EQUAL(stats().unwinds, 2);
	callsite_cache_free(other);
	CU_ASSERT_EQUAL(stats().unwinds, 2);
	end();
}

/* ---- signals, jumps, other stacks ---- */

static volatile uint32_t handler_id;

static void call_in_handler(int number)
{
	(void)number;
	handler_id = call_fn(FN);
}

static void raise_one_way_and_another(uint32_t *one, uint32_t *two)
{
	raise(SIGUSR1);
	*one = handler_id;
	raise(SIGUSR1);
	*two = handler_id;
}

static void a_signal_handler_has_its_own_stack(int flags)
{
	struct sigaction action = { .sa_handler = call_in_handler, .sa_flags = flags }, old;
	uint32_t one, two;

	begin(8);
	sigaction(SIGUSR1, &action, &old);
	for (volatile int i = 0; i < 3; i++) {
		raise_one_way_and_another(&one, &two);
		CU_ASSERT(one >= CALLSITE_FIRST);
		CU_ASSERT_EQUAL(one, two); /* what was interrupted is no part of it */
		CU_ASSERT(seen.callsite[one]->nframes <= 4); /* a sanitizer's are among them */
	}
	sigaction(SIGUSR1, &old, NULL);
	end();
}

static void a_handlers_stack_ends_at_the_signal(void)
{
	a_signal_handler_has_its_own_stack(0);
}

static void a_handler_on_a_signal_stack_is_no_different(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 }, old;

	CU_ASSERT_EQUAL(sigaltstack(&stack, &old), 0);
	a_signal_handler_has_its_own_stack(SA_ONSTACK);
	sigaltstack(&old, NULL);
	free(stack.ss_sp);
}

static sigjmp_buf jump_to;
static volatile sig_atomic_t ticks, jumps;

/* One more signal, so soon that it may come at any point of the next calls. */
static void arm(void)
{
	static unsigned random = 1;
	struct itimerval tick = { { 0, 0 }, { 0, 0 } };

	random = random * 1103515245 + 12345;
	tick.it_value.tv_usec = 20 + random / 65536 % 80;
	setitimer(ITIMER_REAL, &tick, NULL);
}

static void interrupt(int number)
{
	uint32_t id = call_fn(FN + 1);

	(void)number;
	CU_ASSERT(id >= CALLSITE_OTHER);
	jumps += ++ticks % 3 == 0;
	if (jumps < 300)
		arm();
	if (ticks % 3 == 0)
		siglongjmp(jump_to, 1);
}

/* At hits as well as at walks. */
static void handlers_may_interrupt_and_jump_out_at_any_moment(void)
{
	struct sigaction action = { .sa_handler = interrupt }, old;
	volatile uint32_t first = 0, id;
	volatile unsigned calls = 0, wrong = 0, calm = 0;

	begin(8);
	ticks = jumps = 0;
	sigaction(SIGALRM, &action, &old);
	if (sigsetjmp(jump_to, 1) == 0)
		arm();
	while (calm < 1000) {
		calm += jumps >= 300;
		take(16 * (calls++ % 512));
		id = recurse(3);
		if (id == CALLSITE_OTHER)
			continue;
		if (!first)
			first = id;
		wrong += id != first;
	}
	sigaction(SIGALRM, &old, NULL);
	CU_ASSERT_EQUAL(jumps, 300);
	CU_ASSERT(first >= CALLSITE_FIRST);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(id, first); /* the last jump was got over */
	end();
}

/* A coroutine's stack that ends where the next one's goes on. */
static ucontext_t program, routine;
static uint32_t routine_id;

static void run_routine(void)
{
	routine_id = helper();
}

static void coroutines_have_stacks_of_their_own(void)
{
	size_t bytes = 65536;
	volatile uint32_t first = 0;

	begin(8);
	for (volatile int i = 0; i < 20; i++) {
		char *stack = malloc(bytes);

		getcontext(&routine);
		routine.uc_stack.ss_sp = stack;
		routine.uc_stack.ss_size = bytes - 64 * (size_t)(i % 5);
		routine.uc_link = &program;
		makecontext(&routine, run_routine, 0);
		swapcontext(&program, &routine);
		CU_ASSERT(i == 0 || routine_id == first);
		first = routine_id;
		free(stack);
	}
	CU_ASSERT(first >= CALLSITE_FIRST);
	end();
}

static void errno_stays(void)
{
	begin(8);
	errno = 4711;
	call_fn(FN);
	CU_ASSERT_EQUAL(errno, 4711);
	end();
}

/* ---- many stacks ---- */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { MANY = 1500 }; /* more than the first table holds */

static struct {
	unsigned times;
	uint64_t ns;
	uint32_t id;
	struct pace pace;
} spent;

static void count_spent(void *context, unsigned fn, uint32_t id, uint64_t ns)
{
	CU_ASSERT_PTR_EQUAL(context, &spent);
	CU_ASSERT_EQUAL(fn, FN);
	spent.times++;
	spent.ns += ns;
	spent.id = id;
	pace_keep(&spent.pace, ns);
}

static void many_stacks_are_remembered_and_their_cost_is_told(void)
{
	double begun = seconds();
	unsigned wrong = 0;
	uint32_t id, first = 0;

	begin(8);
	callsite_cache_free(cache);
	cache = callsite_cache_new(count_spent, &spent);
	memset(&spent, 0, sizeof(spent));
	spent.pace = pace_begin();
	/* volatile: a compiler that peels off the first round would make a second call site. */
	for (volatile unsigned i = 0; i < 2 * MANY; i++) {
		id = take(32 * (i % MANY));
		if (i == 0)
			first = id;
		wrong += id != first;
		CU_ASSERT_EQUAL(spent.times, i < MANY ? i + 1 : MANY);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(spent.id, first);
	CU_ASSERT(spent.ns > 0 && (double)spent.ns * 1e-9 < seconds() - begun);
	CU_ASSERT_EQUAL(stats().unwinds, MANY);
	CU_ASSERT_EQUAL(stats().resets, 0);
	end();
}

/* ---- endless stacks ---- */

static void ever_new_positions_cost_little_and_are_said(void)
{
	double begun, walked;
	uint32_t first;

	begin(8);
	begun = seconds();
	first = take(16);
	for (volatile unsigned i = 0; i < 400000; i++)
		take(32 + i % 60000 * 16);
	walked = seconds() - begun;
	CU_ASSERT(stats().traced_sites > 0);
	CU_ASSERT(stats().unwinds < 200000);
	CU_ASSERT(stats().callsites <= 3); /* the two lines, and the second's frame alone */
	CU_ASSERT(walked < 60);
	CU_ASSERT(first >= CALLSITE_FIRST);
	CU_ASSERT_NOT_EQUAL(helper(), CALLSITE_OTHER);
	end();
}

/* 2^depth stacks */
static ONE_COPY uint32_t branch(unsigned depth, unsigned path)
{
	uint32_t id;

	if (depth == 0) {
		id = call_fn(FN);
	} else if (path & 1) {
		/* what stands around the two calls keeps compilers from making one of them */
		__asm__ volatile("" : : : "memory");
		id = branch(depth - 1, path >> 1);
		__asm__ volatile("" : : : "memory");
	} else {
		__asm__ volatile("nop" : : : "memory");
		id = branch(depth - 1, path >> 1);
		__asm__ volatile("nop" : : : "memory");
	}
	__asm__ volatile("" : : : "memory");
	return id;
}

static void too_many_stacks_of_one_call_are_cut_to_its_frame(void)
{
	volatile uint32_t id = 0, first;

	begin(32);
	first = branch(14, 0);
	for (unsigned path = 0; path < 1 << 14; path++) {
		if (path % 256 == 0) { /* walks of a new cache are not yet too many */
			callsite_cache_free(cache);
			cache = callsite_cache_new(NULL, NULL);
		}
		id = branch(14, path);
	}
	CU_ASSERT_EQUAL(stats().cut_sites, 1);
	CU_ASSERT(stats().callsites <= 4096 + 2);
	CU_ASSERT_EQUAL(seen.callsite[id]->nframes, 1);
	CU_ASSERT(seen.callsite[first]->nframes > 14);
	CU_ASSERT(helper() > id); /* others keep their stacks */
	end();
}

static void ids_end_at_their_number(void)
{
	uint32_t id = 0;

	begin(2);
	for (unsigned fn = 1; fn <= CALLSITE_COUNT_MAX / 2; fn++) {
		id = call_fn(fn);
		CU_ASSERT(id >= CALLSITE_FIRST);
		id = call_fn(fn);
		CU_ASSERT(id >= CALLSITE_FIRST);
	}
	CU_ASSERT_EQUAL(stats().callsites, CALLSITE_COUNT_MAX);
	CU_ASSERT_EQUAL(id, CALLSITE_FIRST + CALLSITE_COUNT_MAX - 1);
	CU_ASSERT_EQUAL(helper(), CALLSITE_OTHER);
	CU_ASSERT_EQUAL(helper(), CALLSITE_OTHER);
	CU_ASSERT(stats().other_stacks >= 2);
	end();
}

static const struct unit_test tests[] = {
	{ "a line has one id and is walked once", a_line_has_one_id_and_is_walked_once },
	{ "one helper called from two lines is told apart",
		one_helper_called_from_two_lines_is_told_apart },
	{ "two functions on one line have two ids", two_functions_on_one_line_have_two_ids },
	{ "recursions differ up to the depth of stacks",
		recursions_differ_up_to_the_depth_of_stacks },
	{ "a line under alloca of any size has one id",
		a_line_under_alloca_of_any_size_has_one_id },
	{ "depth is the number of frames", depth_is_the_number_of_frames },
	{ "depth 0 is no callsites", depth_0_is_no_callsites },
	{ "without libunwind the return address stands for all",
		without_libunwind_the_return_address_stands_for_all },
	{ "a library that is no libunwind is refused", a_library_that_is_no_libunwind_is_refused },
	{ "libunwind stays out of the program's sight", libunwind_stays_out_of_the_programs_sight },
	{ "a library that takes another's place is seen",
		a_library_that_takes_anothers_place_is_seen },
	{ "frames without unwind information are guessed",
		frames_without_unwind_information_are_guessed },
	{ "frames of MPI are left out", frames_of_mpi_are_left_out },
	{ "caches of threads give equal ids", caches_of_threads_give_equal_ids },
	{ "a handler's stack ends at the signal", a_handlers_stack_ends_at_the_signal },
	{ "a handler on a signal stack is no different",
		a_handler_on_a_signal_stack_is_no_different },
	{ "handlers may interrupt and jump out at any moment",
		handlers_may_interrupt_and_jump_out_at_any_moment },
	{ "coroutines have stacks of their own", coroutines_have_stacks_of_their_own },
	{ "errno stays", errno_stays },
	{ "many stacks are remembered and their cost is told",
		many_stacks_are_remembered_and_their_cost_is_told },
	{ "ever new positions cost little and are said",
		ever_new_positions_cost_little_and_are_said },
	{ "too many stacks of one call are cut to its frame",
		too_many_stacks_of_one_call_are_cut_to_its_frame },
	{ "ids end at their number", ids_end_at_their_number },
	{ NULL, NULL },
};

int main(void)
{
	return unit_main("callsite", tests);
}
