/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.c: texts of /proc (proc.h). */
#include "analysis/format/run/proc.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/file.h"

/* Numbers of fields in proc(5). */
enum { STATE = 3, UTIME = 14, STIME = 15, THREADS = 20, START_TIME = 22, BLOCKED = 32 };

bool proc_stat_read(const char *text, struct proc_stat *out)
{
	/* the second field is the command's name in parentheses, with any characters */
	const char *at = strrchr(text, ')');

	*out = (struct proc_stat){ .state = '?' };
	if (!at || at[1] != ' ')
		return false;
	at += 2;
	if (*at)
		out->state = *at;
	for (int field = STATE + 1; field <= BLOCKED; field++) {
		uint64_t value;

		at = strchr(at, ' ');
		if (!at)
			return false;
		value = strtoull(++at, NULL, 10);
		if (field == UTIME || field == STIME)
			out->used += value;
		else if (field == THREADS)
			out->threads = (int64_t)value;
		else if (field == START_TIME)
			out->start_time = value;
		else if (field == BLOCKED)
			out->held = value;
	}
	return true;
}

bool proc_cpu_read(const char *text, struct proc_cpu *out)
{
	uint64_t ran, waited;

	*out = (struct proc_cpu){ 0 };
	if (sscanf(text, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2 || ran > INT64_MAX ||
		waited > INT64_MAX)
		return false;
	*out = (struct proc_cpu){ .ran_ns = (int64_t)ran, .waited_ns = (int64_t)waited };
	return true;
}

static bool cpu_of(const char *path, struct proc_cpu *out)
{
	char text[128];

	/* "" is no number */
	file_text(path, text, sizeof(text));
	return proc_cpu_read(text, out);
}

bool proc_cpu_of_thread(pid_t tid, struct proc_cpu *out)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", (long)tid);
	return cpu_of(path, out);
}

bool proc_cpu_of_process(pid_t pid, struct proc_cpu *out)
{
	char path[64];

	if (pid == 0)
		return cpu_of("/proc/self/schedstat", out);
	snprintf(path, sizeof(path), "/proc/%ld/schedstat", (long)pid);
	return cpu_of(path, out);
}

int64_t proc_timens_read(const char *text)
{
	const char *line = strstr(text, "monotonic");
	int64_t s, ns;

	if (!line || sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &s, &ns) != 2 ||
		s > INT32_MAX || s < -INT32_MAX || ns >= 1000000000 || ns < 0)
		return 0;
	return s * 1000000000 + ns;
}

void proc_cpu_name(FILE *cpuinfo, char *name, size_t size)
{
	char line[256];

	snprintf(name, size, "unknown");
	while (fgets(line, sizeof(line), cpuinfo)) {
		const char *colon = strchr(line, ':');

		if (!colon || (strncmp(line, "model name", 10) && strncmp(line, "CPU part", 8)))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(name, size, "%s", colon + 1);
		break;
	}
}
