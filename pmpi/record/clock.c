/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c: choosing the clock and finding its rate. */
#include "pmpi/record/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct clock shim_clock = { .ns_per_tick = 1.0, .ns_mult = 1ULL << 32, .ticks_mult = 1ULL << 32 };

static bool file_has(const char *path, const char *word)
{
	char line[4096];
	bool found = false;
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f))
		found = strstr(line, word) != NULL;
	fclose(f);
	return found;
}

/* The counter is only used if the kernel itself keeps time with it. */
static bool counter_is_trusted(void)
{
#if defined(__x86_64__)
	return file_has(
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc") &&
		file_has("/proc/cpuinfo", "constant_tsc") &&
		file_has("/proc/cpuinfo", "nonstop_tsc");
#elif defined(__aarch64__)
	return file_has("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		"arch_sys_counter");
#else
	return false;
#endif
}

bool clock_inject(const char *text)
{
	double seconds, ppm = 0;
	char *end;

	if (!text)
		return true;
	seconds = strtod(text, &end);
	if (end == text)
		return false;
	if (*end == ':') {
		text = end + 1;
		ppm = strtod(text, &end);
		if (end == text)
			return false;
	}
	/* at most a day and a half ahead, and a rate that no real clock has */
	if (*end || !(seconds >= -131072 && seconds <= 131072) || !(ppm >= -1e4 && ppm <= 1e4))
		return false;
	shim_clock.injected = true;
	shim_clock.injected_ns = (int64_t)(seconds * 1e9);
	shim_clock.injected_ppb = (int64_t)(ppm * 1e3);
	return true;
}

void clock_identity(char *out, size_t size)
{
	struct stat space = { .st_ino = 0 };

	if (shim_clock.counter) {
		snprintf(out, size, "tsc");
	} else if (shim_clock.injected) {
		snprintf(out, size, "injected %lld ns %lld ppb", (long long)shim_clock.injected_ns,
			(long long)shim_clock.injected_ppb);
	} else {
		/* a time namespace has its own offset */
		if (stat("/proc/self/ns/time", &space) != 0)
			space.st_ino = 0;
		snprintf(out, size, "monotonic %lu", (unsigned long)space.st_ino);
	}
}

void clock_read(struct rec_clock *out)
{
	struct rec_clock best = { .error_ns = UINT64_MAX };

	for (int i = 0; i < 8; i++) {
		int64_t before = clock_kernel_ns();
		uint64_t ticks = clock_ticks();
		int64_t real = now_ns(CLOCK_REALTIME);
		int64_t after = clock_kernel_ns();
		uint64_t apart = (uint64_t)(after - before);

		if (apart >= best.error_ns)
			continue;
		best.ticks = ticks;
		best.realtime_ns = real;
		best.monotonic_ns = before + (after - before) / 3;
		best.error_ns = apart;
	}
	best.head = (struct rec_head){ .type = REC_CLOCK, .words = sizeof(struct rec_clock) / 8 };
	*out = best;
}

void clock_set_rate(double ns_per_tick)
{
	shim_clock.ns_per_tick = ns_per_tick;
	shim_clock.ns_mult = (uint64_t)(ns_per_tick * 4294967296.0 + 0.5);
	shim_clock.ticks_mult = (uint64_t)(4294967296.0 / ns_per_tick + 0.5);
	shim_clock.busy_join = clock_from_ns(1000);
	shim_clock.poll_gap = clock_from_ns(50000);
}

double clock_measure_rate(void)
{
	struct rec_clock now;
	uint64_t ticks;

	if (!shim_clock.counter)
		return 1.0;
	clock_read(&now);
	ticks = now.ticks - shim_clock.start.ticks;
	if (ticks == 0)
		return shim_clock.ns_per_tick;
	return (double)(now.monotonic_ns - shim_clock.start.monotonic_ns) / (double)ticks;
}

bool clock_start(int choice)
{
	bool trusted = choice != 2 && !shim_clock.injected && counter_is_trusted();

	shim_clock.counter = trusted;
	clock_read(&shim_clock.start);
	clock_set_rate(1.0);
	if (trusted) {
		int64_t passed;

		/*
		 * A first rate over 2 ms, measured again if time went backwards. At the end of
		 * MPI_Init the rate is measured over the whole start.
		 */
		while ((passed = clock_kernel_ns() - shim_clock.start.monotonic_ns) < 2000000)
			if (passed < 0)
				clock_read(&shim_clock.start);
		clock_set_rate(clock_measure_rate());
	}
	return trusted || shim_clock.injected || choice != 1;
}
