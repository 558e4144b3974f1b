/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_callsite.c: what an id of the call stack costs, against a function that does nothing.
 *
 *   bench_callsite          nanoseconds, medians of rounds, and ratios
 *   bench_callsite hits N   makes N calls on the remembered way, for counting instructions
 *   bench_callsite kinds N  asks N times what a module is
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/module.h"

#include <alloca.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 8, ROUNDS = 15, HITS = 200000, MISSES = 2000 };

static struct callsite_cache *cache;
static volatile uint32_t last;

static void drop(void *context, const void *record, size_t bytes)
{
	(void)context, (void)record, (void)bytes;
}

static __attribute__((noinline)) void wrapper(void)
{
	last = callsite_get(cache, 1, __builtin_return_address(0), __builtin_frame_address(0));
}

static __attribute__((noinline)) void empty_wrapper(void)
{
	last = (uint32_t)(uintptr_t)__builtin_frame_address(0);
}

static __attribute__((noinline)) void kind_wrapper(void)
{
	last = module_kind(__builtin_return_address(0));
}

static __attribute__((noinline)) void backtrace_wrapper(void)
{
	void *frames[DEPTH];

	last = (uint32_t)backtrace(frames, DEPTH);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* `call` times, from one line, some frames deep. */
static __attribute__((noinline)) void repeat(unsigned depth, void (*call)(void), unsigned times)
{
	if (depth > 0) {
		repeat(depth - 1, call, times);
		last++;
		return;
	}
	for (unsigned i = 0; i < times; i++)
		call();
}

static __attribute__((noinline)) void helper(void (*call)(void))
{
	call();
	last++;
}

/* A helper called from two lines: the remembered stacks branch. */
static __attribute__((noinline)) void repeat_branching(
	unsigned depth, void (*call)(void), unsigned times)
{
	if (depth > 0) {
		repeat_branching(depth - 1, call, times);
		last++;
		return;
	}
	for (unsigned i = 0; i < times; i += 2) {
		helper(call);
		helper(call);
	}
}

static double median_ns(
	void (*way)(unsigned, void (*)(void), unsigned), void (*call)(void), unsigned times)
{
	double round[ROUNDS];

	way(10, call, times);
	for (int i = 0; i < ROUNDS; i++) {
		double begin = now_ns();

		way(10, call, times);
		round[i] = (now_ns() - begin) / times;
	}
	qsort(round, ROUNDS, sizeof(round[0]), compare);
	return round[ROUNDS / 2];
}

/* Each call at a stack position of its own. */
static __attribute__((noinline)) void at_new_positions(
	unsigned depth, void (*call)(void), unsigned times)
{
	if (depth > 0) {
		at_new_positions(depth - 1, call, times);
		last++;
		return;
	}
	for (unsigned i = 0; i < times; i++) {
		memset(alloca(16), 0, 1);
		call();
	}
}

int main(int argc, char **argv)
{
	char why[256];
	double empty_ns, hit_ns, branch_ns, kind_ns, miss_ns, libc_ns;
	struct callsite_stats stats;

	if (callsite_start(DEPTH, NULL, drop, NULL, why, sizeof(why)) < 0) {
		fprintf(stderr, "bench_callsite: %s\n", why);
		return 1;
	}
	cache = callsite_cache_new(NULL, NULL);
	if (argc == 3) {
		repeat(10, strcmp(argv[1], "hits") == 0 ? wrapper : kind_wrapper,
			(unsigned)atoi(argv[2]));
		return 0;
	}
	empty_ns = median_ns(repeat, empty_wrapper, HITS);
	hit_ns = median_ns(repeat, wrapper, HITS) - empty_ns;
	branch_ns = median_ns(repeat_branching, wrapper, HITS) -
		median_ns(repeat_branching, empty_wrapper, HITS);
	kind_ns = median_ns(repeat, kind_wrapper, HITS) - empty_ns;
	libc_ns = median_ns(repeat, backtrace_wrapper, MISSES) - empty_ns;
	callsite_cache_free(cache);
	cache = callsite_cache_new(NULL, NULL);
	at_new_positions(10, wrapper, 100); /* what libunwind learns once */
	{
		double begin = now_ns();

		at_new_positions(11, wrapper, MISSES);
		miss_ns = (now_ns() - begin) / MISSES;
	}
	printf("remembered stack      %8.1f ns\n", hit_ns);
	printf("  helper, two lines   %8.1f ns  %6.2f of the first\n", branch_ns,
		branch_ns / hit_ns);
	printf("new stack             %8.1f ns  %6.0f of the first\n", miss_ns, miss_ns / hit_ns);
	printf("backtrace() of libc   %8.1f ns  %6.0f of the first\n", libc_ns, libc_ns / hit_ns);
	printf("module_kind()         %8.1f ns  %6.2f of the first\n", kind_ns, kind_ns / hit_ns);
	at_new_positions(11, wrapper, 4 * MISSES);
	at_new_positions(11, wrapper, 4 * MISSES);
	{
		double begin = now_ns();

		at_new_positions(11, wrapper, 4 * MISSES);
		miss_ns = (now_ns() - begin) / (4 * MISSES);
	}
	callsite_stats_get(&stats);
	printf("ever new stacks       %8.1f ns  %6.1f of the first (%llu walks, %llu sites traced, "
	       "%llu flat)\n",
		miss_ns, miss_ns / hit_ns, (unsigned long long)stats.unwinds,
		(unsigned long long)stats.traced_sites, (unsigned long long)stats.flat_sites);
	callsite_cache_free(cache);
	return 0;
}
