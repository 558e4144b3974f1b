/* SPDX-License-Identifier: BSD-3-Clause */
/* test_own.c: from the code of a library up to the program's own, on a copy of the stack. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pmpi/callsite/own.h"
#include "pmpi/callsite/table.h"
#include "unit.h"

#include <dlfcn.h>
#include <string.h>

typedef void plugin_function(void (*)(void *), void *, int);

enum { WORDS = 64, FUNCTION_BYTES = 128 };

/* The stack of a library's function at the instruction behind its call. */
struct seen {
	const void *at;
	uint64_t words[WORDS];
	struct callsite_stack stack;
};

static __attribute__((noinline)) void look(void *to)
{
	struct seen *s = to;
	const uint64_t *frame = __builtin_frame_address(0);

	s->at = __builtin_return_address(0);
	memcpy(s->words, frame + 2, sizeof(s->words));
	s->stack = (struct callsite_stack){ .sp = (uint64_t)(uintptr_t)(frame + 2),
		.frame_pointer = frame[0],
		.words = s->words,
		.nwords = WORDS };
}

/* Has room on the stack, so that WORDS words above look()'s frame can be read. */
static __attribute__((noinline, aligned(FUNCTION_BYTES))) void call(
	plugin_function *function, struct seen *s)
{
	volatile uint64_t room[WORDS] = { 0 };

	function(look, s, 1);
	room[0]++;
}

static void *opened; /* the last library */

static plugin_function *open_library(const char *name)
{
	char path[4096];
	const char *slash;
	Dl_info here;
	void *handle = NULL;

	if (dladdr((void *)(uintptr_t)look, &here) && (slash = strrchr(here.dli_fname, '/'))) {
		snprintf(path, sizeof(path), "%.*s/callsite/%s", (int)(slash - here.dli_fname),
			here.dli_fname, name);
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
	opened = handle;
	return (plugin_function *)dlsym(handle, "plugin_call");
}

static bool is_in_call(const void *address)
{
	const uint64_t from = (uint64_t)(uintptr_t)call, at = (uint64_t)(uintptr_t)address;

	return at > from && at <= from + FUNCTION_BYTES;
}

static void a_library_leads_to_the_function_that_called_it(void)
{
	struct seen s;

	call(open_library("libplugin_a.so"), &s);
	CU_ASSERT(is_in_call(own_caller(s.at, &s.stack)));
}

#if defined(__x86_64__)
static void a_library_without_unwind_tables_leads_to_it_as_well(void)
{
	struct seen s;

	call(open_library("libbare.so"), &s);
	s.stack.frame_pointer = 0;
	CU_ASSERT(is_in_call(own_caller(s.at, &s.stack)));
}
#endif

static void own_code_stands_for_itself(void)
{
	struct seen s;

	call(open_library("libplugin_a.so"), &s);
	CU_ASSERT_PTR_NULL(own_caller((const void *)(uintptr_t)call, &s.stack));
}

static void a_copy_that_ends_too_early_leads_nowhere(void)
{
	struct seen s;

	call(open_library("libplugin_a.so"), &s);
	s.stack.nwords = 0;
	CU_ASSERT_PTR_NULL(own_caller(s.at, &s.stack));
}

static void code_that_was_unloaded_is_not_read(void)
{
	struct seen s;

	call(open_library("libplugin_b.so"), &s);
	CU_ASSERT(is_in_call(own_caller(s.at, &s.stack)));
	CU_ASSERT_EQUAL(dlclose(opened), 0);
	(void)own_caller(s.at, &s.stack);
	CU_ASSERT_EQUAL(module_resolve(s.at).module, 0);
}

static void drop(void *context, const void *record, size_t bytes)
{
	(void)context, (void)record, (void)bytes;
}

static void a_library_that_calls_mpi_is_own_code(void)
{
	struct module_address frame;
	char why[256] = "";
	struct seen s;

	CU_ASSERT_EQUAL(callsite_start(1, NULL, drop, NULL, why, sizeof(why)), 0);
	call(open_library("libplugin_b.so"), &s);
	CU_ASSERT_PTR_NOT_NULL(own_caller(s.at, &s.stack));
	frame = module_resolve(s.at);
	callsite_table_place(&frame);
	CU_ASSERT_PTR_NOT_NULL(own_caller(s.at, &s.stack));
	callsite_table_id(1, &frame, 1);
	CU_ASSERT_PTR_NULL(own_caller(s.at, &s.stack));
	callsite_stop();
}

static const struct unit_test tests[] = { { "a library leads to the function that called it",
						  a_library_leads_to_the_function_that_called_it },
#if defined(__x86_64__)
	{ "a library without unwind tables leads to it as well",
		a_library_without_unwind_tables_leads_to_it_as_well },
#endif
	{ "own code stands for itself", own_code_stands_for_itself },
	{ "a copy that ends too early leads nowhere", a_copy_that_ends_too_early_leads_nowhere },
	{ "code that was unloaded is not read", code_that_was_unloaded_is_not_read },
	{ "a library that calls MPI is own code", a_library_that_calls_mpi_is_own_code },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("own", tests);
}
