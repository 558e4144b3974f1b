/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c: reads the kernel's CPU accounting twice a run. */
#include "pmpi/start/cpu.h"

#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "pmpi/record/ring.h"

static pid_t tid; /* of the thread that called MPI_Init */
static struct proc_cpu at_start, at_end;
static bool known_at_start, known_at_end;

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
	tid = (pid_t)syscall(SYS_gettid);
	known_at_start = proc_cpu_of_thread(tid, &at_start);
}

void cpu_end(void)
{
	known_at_end = proc_cpu_of_thread(tid, &at_end);
}

void cpu_emit_times(struct thread *t)
{
	if (!known_at_start || !known_at_end)
		return;
	record_key_number(t, "cpu_ns", at_end.ran_ns - at_start.ran_ns);
	record_key_number(t, "cpu_wait_ns", at_end.waited_ns - at_start.waited_ns);
}
