/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c: reads the kernel's CPU accounting twice a run. */
#include "pmpi/start/cpu.h"

#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "pmpi/record/ring.h"

struct account {
	uint64_t ran_ns, waited_ns;
	bool known;
};

static long tid; /* of the thread that called MPI_Init */
static struct account at_start, at_end;

static struct account schedstat(void)
{
	struct account a = { 0 };
	char path[64], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", tid);
	f = fopen(path, "re");
	if (!f)
		return a;
	a.known =
		fgets(line, sizeof(line), f) && proc_schedstat_read(line, &a.ran_ns, &a.waited_ns);
	fclose(f);
	return a;
}

/* If more ranks than these processors run here, ranks take turns. */
void cpu_emit_map(struct thread *t)
{
	char text[1024];
	cpu_set_t cpus;
	size_t at = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
		return;
	for (int first = 0, end; first < CPU_SETSIZE && at + 16 < sizeof(text); first = end + 1) {
		for (end = first; end < CPU_SETSIZE && CPU_ISSET(end, &cpus); end++)
			;
		if (end == first)
			continue;
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d", at ? "," : "", first);
		if (end - 1 > first)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "-%d", end - 1);
	}
	if (at)
		record_key(t, "core_map", text);
}

void cpu_start(void)
{
	tid = syscall(SYS_gettid);
	at_start = schedstat();
}

void cpu_end(void)
{
	at_end = schedstat();
}

void cpu_emit_times(struct thread *t)
{
	if (!at_start.known || !at_end.known)
		return;
	record_key_number(t, "cpu_ns", (int64_t)(at_end.ran_ns - at_start.ran_ns));
	record_key_number(t, "cpu_wait_ns", (int64_t)(at_end.waited_ns - at_start.waited_ns));
}
