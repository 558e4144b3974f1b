/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c: opens the kernel's event of one thread (event.h). */
#include "analysis/base/event.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"

/*
 * PARANOID_USER: the highest level at which users may sample their own programs, without the
 * kernel's code. LOCKABLE_KB: the kernel's default of perf_event_mlock_kb.
 */
enum { PARANOID_USER = 2, LOCKABLE_KB = 516 };

enum { BUFFER_BYTES = 32 << 10, BUFFER_BYTES_STACKS = 256 << 10 };

#if defined(__x86_64__)
enum { REGISTERS = 1 << PERF_REG_X86_BP | 1 << PERF_REG_X86_SP };
#else
#define REGISTERS                                                                                  \
	(1ULL << PERF_REG_ARM64_X29 | 1ULL << PERF_REG_ARM64_LR | 1ULL << PERF_REG_ARM64_SP)
#endif

int event_open(pid_t tid, uint64_t period_ns, uint32_t stack_bytes)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period_ns,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.write_backward = 1,
	};
	long fd;

	if (stack_bytes) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = REGISTERS;
		attr.sample_stack_user = stack_bytes;
	}
	fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int64_t event_buffer_pages(uint32_t stack_bytes)
{
	const long page = sysconf(_SC_PAGESIZE);
	const long bytes = stack_bytes ? BUFFER_BYTES_STACKS : BUFFER_BYTES;

	return page < bytes ? bytes / page : 1;
}

/* The number in a file of /proc/sys/kernel, or `otherwise` where it cannot be read. */
static long kernel_setting(const char *path, long otherwise)
{
	char text[32];

	return file_text(path, text, sizeof(text)) && text[0] ? strtol(text, NULL, 10) : otherwise;
}

void event_explain(int error, char *text, size_t size)
{
	const long level = kernel_setting("/proc/sys/kernel/perf_event_paranoid", -1);

	if ((error == -EACCES || error == -EPERM) && level > PARANOID_USER)
		snprintf(text, size, "kernel.perf_event_paranoid is %ld", level);
	else if (error == -EACCES || error == -EPERM)
		snprintf(text, size, "seccomp or a security module");
	else if (error == -ENOSYS)
		snprintf(text, size, "seccomp, or a kernel without CONFIG_PERF_EVENTS");
	else
		snprintf(text, size, "%s", strerror(-error));
}

/*
 * Bytes of mapped events that a user may have on this host without privileges
 * (kernel.perf_event_mlock_kb for each CPU); the kernel's default if it cannot be read.
 */
static uint64_t lockable_bytes(void)
{
	long kb = kernel_setting("/proc/sys/kernel/perf_event_mlock_kb", LOCKABLE_KB);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (kb < 0 || kb > INT32_MAX)
		kb = LOCKABLE_KB;
	return (uint64_t)kb * 1024 * (uint64_t)(cpus > 0 ? cpus : 1);
}

int64_t event_pages_each(int nranks)
{
	return (int64_t)(lockable_bytes() / 2 / (uint64_t)(nranks > 0 ? nranks : 1) /
		(uint64_t)sysconf(_SC_PAGESIZE));
}
