/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.c: waiting for a lock, and finding out whether it was left by a jump. */
#include "pmpi/callsite/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/run/proc.h"

enum {
	TRIES = 64, /* before a thread goes to sleep */
	LOOK_NS = 10000000,
	ASLEEP_LOOKS = 100 /* looks in a row that must find the owner asleep before the lock counts
			      as left */
};

#define THREAD_BITS (LOCK_AWAITED - 1)
/* The signals from 1 to 31 that a thread can block. */
#define ALL_HELD (0x7fffffffUL & ~(1UL << 8) & ~(1UL << 18))

__thread struct lock_self lock_self;

/* Observations of the thread that has the lock. */
struct look {
	uint64_t word; /* the lock's word, without LOCK_AWAITED: it tells one taking from another */
	uint64_t used; /* processor time at the first look [clock ticks] */
	int asleep;    /* looks in a row */
};

/* Another thread's state, from the kernel. False: unknown. */
static bool read_state(uint32_t thread, struct proc_stat *task)
{
	char text[1024], path[64];
	int cancel;

	snprintf(path, sizeof(path), "/proc/self/task/%u/stat", thread);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	file_text(path, text, sizeof(text));
	pthread_setcancelstate(cancel, NULL);
	return proc_stat_read(text, task);
}

/* True if the thread that took the lock cannot be inside any more. */
static bool has_left(struct look *look, uint64_t word)
{
	uint32_t thread = (uint32_t)(word & THREAD_BITS);
	struct proc_stat task;

	word &= ~LOCK_AWAITED;
	if (syscall(SYS_tgkill, getpid(), thread, 0) != 0 && errno == ESRCH)
		return true;
	if (!read_state(thread, &task) || (task.held & ALL_HELD) == ALL_HELD) {
		look->word = 0;
		return false;
	}
	if (look->word != word)
		*look = (struct look){ .word = word, .used = task.used };
	look->asleep = task.state == 'S' ? look->asleep + 1 : 0;
	return look->asleep >= ASLEEP_LOOKS ||
		task.used - look->used >= (uint64_t)sysconf(_SC_CLK_TCK);
}

/* The half of the word that changes when the lock is given back. */
static uint32_t *futex_of(struct lock *lock)
{
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half comes first");
	return (uint32_t *)(void *)&lock->word;
}

static bool slept_long(struct lock *lock, uint64_t word)
{
	const struct timespec patience = { 0, LOOK_NS };

	return syscall(SYS_futex, futex_of(lock), FUTEX_WAIT_PRIVATE, (uint32_t)word, &patience,
		       NULL, 0) != 0 &&
		errno == ETIMEDOUT;
}

static bool replace(struct lock *lock, uint64_t word, uint64_t by)
{
	return atomic_compare_exchange_strong_explicit(
		&lock->word, &word, by, memory_order_acquire, memory_order_relaxed);
}

void lock_wait(struct lock *lock)
{
	struct look look = { 0 };
	int saved_errno = errno;
	uint64_t mine;

	if (!lock_self.thread)
		lock_self.thread = (uint32_t)syscall(SYS_gettid);
	mine = (uint64_t)lock_self.takes << 32 | lock_self.thread;
	for (int tries = 0;; tries++) {
		uint64_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);

		/* a thread that has slept does not know whether others still sleep */
		if (word == 0 && replace(lock, 0, tries < TRIES ? mine : mine | LOCK_AWAITED))
			break;
		if ((word & THREAD_BITS) == lock_self.thread &&
			replace(lock, word, mine | (word & LOCK_AWAITED)))
			break;
		if (word == 0 || tries < TRIES ||
			(!(word & LOCK_AWAITED) && !replace(lock, word, word | LOCK_AWAITED)))
			continue;
		word |= LOCK_AWAITED;
		if (slept_long(lock, word) && has_left(&look, word) &&
			replace(lock, word, mine | LOCK_AWAITED))
			break;
	}
	errno = saved_errno;
}

void lock_wake(struct lock *lock)
{
	int saved_errno = errno;

	syscall(SYS_futex, futex_of(lock), FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved_errno;
}
