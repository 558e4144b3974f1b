/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h: the kernel's samples of one thread, by perf_event_open(2).
 *
 * The event is a software clock of CPU time, so it needs neither hardware counters nor privileges
 * where kernel.perf_event_paranoid is 2 or less. It gives two kinds of records, each with its time
 * by CLOCK_MONOTONIC_RAW: where the thread computes, once a period of CPU time, and each moment at
 * which the thread loses or gets a CPU. The kernel's own code is never sampled.
 *
 *	sample without a stack:  header | instruction | time
 *	with a stack:            the same | form of registers | EVENT_REGISTERS words |
 *	                         bytes | words of the stack | bytes that are valid
 *	switch:                  header | time
 */
#ifndef TRYST_BASE_EVENT_H
#define TRYST_BASE_EVENT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Registers of a sample with a stack, in the order of their words. */
#if defined(__x86_64__)
enum { EVENT_FRAME_POINTER, EVENT_STACK_POINTER, EVENT_REGISTERS };
#else
enum { EVENT_FRAME_POINTER, EVENT_LINK, EVENT_STACK_POINTER, EVENT_REGISTERS };
#endif

enum { EVENT_STACK_BYTES_MAX = 1024 };

/*
 * Opens the event for thread `tid` of this process, 0: the calling one, with a sample each
 * `period_ns` of CPU time, and the first `stack_bytes` (a multiple of 8, 0 to
 * EVENT_STACK_BYTES_MAX; 0: no registers either) of its stack. The event must be mapped to be read;
 * the newest record then overwrites the oldest one. Returns a descriptor to close, which exec()
 * closes too, or a negative errno.
 */
int event_open(pid_t tid, uint64_t period_ns, uint32_t stack_bytes);

/*
 * Pages for the records of a thread, a power of two: at least 32 KiB, which hold 6 s of samples at
 * 200 a second, or 2000 switches. With stacks, 256 KiB, or 1 s of the largest samples. The
 * kernel's own page comes on top.
 */
int64_t event_buffer_pages(uint32_t stack_bytes);

/*
 * Names the setting that made the kernel refuse an event, in text[size]:
 * "kernel.perf_event_paranoid is 3", or "seccomp or a security module". `error` is a negative errno
 * of event_open().
 */
void event_explain(int error, char *text, size_t size);

/*
 * Pages that each of `nranks` ranks of a host may map: an equal part of half of what the kernel
 * lets a user map without privileges.
 */
int64_t event_pages_each(int nranks);

#endif
