/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h: the one clock of all records.
 *
 * Ticks are the processor's time stamp counter, if it is constant, never stops, and the kernel
 * itself keeps time with it; otherwise nanoseconds of CLOCK_MONOTONIC. A read costs 11 ns or 23 ns.
 * Nothing else in the shim reads a clock.
 */
#ifndef TRYST_RECORD_CLOCK_H
#define TRYST_RECORD_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "analysis/base/now.h"
#include "record.h"

struct clock {
	bool counter; /* ticks are the processor's counter, not nanoseconds */
	double ns_per_tick;
	uint64_t ns_mult;     /* ns_per_tick * 2^32 */
	uint64_t ticks_mult;  /* 2^32 / ns_per_tick */
	uint64_t busy_join;   /* 1 us [ticks]: busy intervals closer than this are one */
	uint64_t poll_gap;    /* 50 us [ticks]: a longer gap ends polling */
	bool injected;        /* for tests: the kernel's clock is read with the following errors */
	int64_t injected_ns;  /* offset at the kernel clock's zero */
	int64_t injected_ppb; /* error of the rate [ns in a second] */
	struct rec_clock start; /* the pair of readings that the rate is measured against */
};

extern struct clock shim_clock;

/*
 * Without it, GCC at -O3 outlines the reading of the kernel's clock: 14 instructions more for
 * MPI_Comm_rank.
 */
#define CLOCK_INLINE static inline __attribute__((always_inline))

static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	/*
	 * Without isb the processor may read the counter before earlier instructions, or after a
	 * later read.
	 */
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
#else
	return 0;
#endif
}

/* CLOCK_MONOTONIC [ns], with the errors that a test asked for. */
CLOCK_INLINE int64_t clock_kernel_ns(void)
{
	int64_t ns = now_ns(CLOCK_MONOTONIC);

	if (__builtin_expect(shim_clock.injected, 0))
		ns += shim_clock.injected_ns +
			(int64_t)((__int128)ns * shim_clock.injected_ppb / 1000000000);
	return ns;
}

CLOCK_INLINE uint64_t clock_ticks(void)
{
	if (__builtin_expect(shim_clock.counter, 1))
		return clock_counter();
	return (uint64_t)clock_kernel_ns();
}

/* A duration in ticks as nanoseconds, with the rate known now. */
static inline int64_t clock_ns(uint64_t ticks)
{
	return (int64_t)((unsigned __int128)ticks * shim_clock.ns_mult >> 32);
}

/* A duration in nanoseconds as ticks. */
static inline uint64_t clock_from_ns(uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * shim_clock.ticks_mult >> 32);
}

/*
 * For tests, before clock_start(): makes the kernel's clock the clock, read with errors. `text` is
 * SECONDS[:PPM]: its offset at the machine's start, and the error of its rate. Both may be negative
 * and have a fraction. NULL: no errors. Returns false, and changes nothing, for any other text.
 */
bool clock_inject(const char *text);

/*
 * The name of this clock, valid while the machine is up: ranks of one machine (boot id) count the
 * same ticks if their texts are equal. At most 63 characters.
 */
void clock_identity(char *out, size_t size);

/*
 * Chooses the clock. `choice` is the index of TRYST_CLOCK's words: 0 auto, 1 tsc, 2 monotonic.
 * Returns false if tsc was asked for but is not reliable here; monotonic is used then.
 */
bool clock_start(int choice);

/* Reads all clocks at nearly the same instant; takes the best of a few tries. */
void clock_read(struct rec_clock *out);

/* Sets the rate from the readings at clock_start() and now; a longer time gives a better rate. */
double clock_measure_rate(void);

/* Uses this rate from now on, the same on all ranks of a node. */
void clock_set_rate(double ns_per_tick);

#endif
