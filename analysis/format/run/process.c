/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c: identifies a process and tells whether it still runs (process.h). */
#include "analysis/format/run/process.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/run/proc.h"

/* The first line of a small file, without its newline; "" if it cannot be read. */
static void read_line(const char *path, char *text, size_t size)
{
	file_text(path, text, size);
	text[strcspn(text, "\n")] = 0;
}

static uint64_t namespace_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_ino : 0;
}

/* The start time of a process; 0 if unknown. *zombie: it has ended, but was not reaped. */
static uint64_t start_time_of(const char *path, bool *zombie)
{
	struct proc_stat stat;
	char text[1024];

	read_line(path, text, sizeof(text));
	proc_stat_read(text, &stat);
	/* but not if only its first thread has ended, by pthread_exit() */
	*zombie = (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
	return stat.start_time;
}

void process_identify(struct ring_file *h)
{
	bool zombie;

	h->pid = getpid();
	h->start_time = start_time_of("/proc/self/stat", &zombie);
	h->pid_namespace = namespace_of("/proc/self/ns/pid");
	read_line("/proc/sys/kernel/random/boot_id", h->boot_id, sizeof(h->boot_id));
	memset(h->host, 0, sizeof(h->host));
	gethostname(h->host, sizeof(h->host) - 1);
}

/* True in another pid or time namespace, whose pids or start times differ from ours. */
static bool foreign_namespace(const struct ring_file *h)
{
	char path[64];
	uint64_t mine = namespace_of("/proc/self/ns/pid");

	if (h->pid_namespace && mine && h->pid_namespace != mine)
		return true;
	snprintf(path, sizeof(path), "/proc/%lld/ns/time", (long long)h->pid);
	return namespace_of(path) && namespace_of(path) != namespace_of("/proc/self/ns/time");
}

bool process_has_ended(pid_t pid)
{
	char path[64];
	bool zombie;

	if (kill(pid, 0) != 0 && errno == ESRCH)
		return true;
	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	start_time_of(path, &zombie);
	return zombie;
}

enum process_state process_look(const struct ring_file *h)
{
	char boot_id[sizeof(h->boot_id)];
	uint64_t start_time;
	bool zombie;
	char path[64];

	/* Another boot id may mean another host of the same name, so it proves nothing. */
	read_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	if (!boot_id[0] || strncmp(boot_id, h->boot_id, sizeof(boot_id)) != 0)
		return PROCESS_ELSEWHERE;
	if (h->pid <= 0 || h->pid > INT32_MAX)
		return PROCESS_DEAD;
	if (foreign_namespace(h))
		return PROCESS_ALIVE;
	if (kill((pid_t)h->pid, 0) != 0 && errno == ESRCH)
		return PROCESS_DEAD;
	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)h->pid);
	start_time = start_time_of(path, &zombie);
	if (zombie || (start_time && h->start_time && start_time != h->start_time))
		return PROCESS_DEAD;
	return PROCESS_ALIVE;
}

int process_open(const struct ring_file *h)
{
#ifdef SYS_pidfd_open
	bool zombie;
	char path[64];
	int fd;

	if (h->pid <= 0 || h->pid > INT32_MAX || h->start_time == 0)
		return -1;
	/* the kernel sets FD_CLOEXEC */
	fd = (int)syscall(SYS_pidfd_open, (pid_t)h->pid, 0);
	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)h->pid);
	/* the number may have become another process's before it was opened */
	if (fd >= 0 && start_time_of(path, &zombie) != h->start_time) {
		close(fd);
		fd = -1;
	}
	return fd;
#else
	(void)h;
	return -1;
#endif
}
