/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.h: parses texts of /proc, which other files read; it reads schedstat itself. */
#ifndef TRYST_FORMAT_RUN_PROC_H
#define TRYST_FORMAT_RUN_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

/* From /proc/<pid>/stat or that of a thread. */
struct proc_stat {
	char state;    /* 'R', 'S', 'Z', ... */
	uint64_t used; /* processor time [clock ticks] */
	int64_t threads;
	uint64_t start_time; /* [clock ticks since boot] */
	uint64_t held;       /* blocked signals, of the first 31 */
};

/* False if fields are missing; they are 0. The text may end after field 32. */
bool proc_stat_read(const char *text, struct proc_stat *out);

/* From schedstat, of one thread. */
struct proc_cpu {
	int64_t ran_ns;    /* on a processor */
	int64_t waited_ns; /* ready to run, without one */
};

/* False if a number is missing or out of range; *out is then 0. */
bool proc_cpu_read(const char *text, struct proc_cpu *out);

/*
 * The same for thread `tid` of this process, or for the first thread of process `pid` (0: this
 * process). Both allocate nothing and take no locks, but change errno.
 */
bool proc_cpu_of_thread(pid_t tid, struct proc_cpu *out);
bool proc_cpu_of_process(pid_t pid, struct proc_cpu *out);

/*
 * From /proc/self/timens_offsets: how far CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW are ahead of
 * those of the first time namespace [ns]; 0 where the text does not say.
 */
int64_t proc_timens_read(const char *text);

/* The processor's name in a text like /proc/cpuinfo, to name[size]; "unknown". */
void proc_cpu_name(FILE *cpuinfo, char *name, size_t size);

/*
 * The file that is mapped at `address` by this `line` of /proc/<pid>/maps, cut out of the line; or
 * NULL.
 */
static inline char *proc_maps_file(char *line, uint64_t address)
{
	char *slash = strchr(line, '/');
	unsigned long low, high;

	if (!slash || sscanf(line, "%lx-%lx", &low, &high) != 2 || address - low >= high - low)
		return NULL;
	slash[strcspn(slash, "\n")] = '\0';
	return slash;
}

#endif
