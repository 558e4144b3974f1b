/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock.h: a lock that survives a jump out of it by the program's signal handlers.
 *
 * Blocking signals would cost two system calls each time. Instead the lock names its owner:
 *
 *   - A thread that finds itself the owner has left the lock by a jump, and continues as the owner.
 *   - Waiting threads check the owner now and then. They take the lock over if the owner cannot be
 *     inside any more: it has ended, or has slept or computed for a second since.
 *
 * So a critical section must take only microseconds and must not sleep, unless all signals are
 * blocked. It must leave consistent data after each of its instructions. A thread that is inside
 * must not take the lock again.
 */
#ifndef TRYST_CALLSITE_LOCK_H
#define TRYST_CALLSITE_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

struct lock {
	/*
	 * From the lowest bit: thread id [31], a thread sleeps [1], number of locks that this
	 * thread had taken [32]. 0: free.
	 */
	_Atomic uint64_t word;
};

#define LOCK_AWAITED (1ULL << 31)

extern __thread struct lock_self {
	uint32_t thread; /* 0: never took one */
	uint32_t takes;
} lock_self __attribute__((tls_model("initial-exec")));

/* The slow paths of lock_take() and lock_give(): wait for the owner; wake a waiting thread. */
void lock_wait(struct lock *lock);
void lock_wake(struct lock *lock);

static inline void lock_take(struct lock *lock)
{
	uint64_t free = 0, mine = (uint64_t)++lock_self.takes << 32 | lock_self.thread;

	if (__builtin_expect(!lock_self.thread ||
			    !atomic_compare_exchange_strong_explicit(&lock->word, &free, mine,
				    memory_order_acquire, memory_order_relaxed),
		    0))
		lock_wait(lock);
}

static inline void lock_give(struct lock *lock)
{
	uint64_t word = atomic_exchange_explicit(&lock->word, 0, memory_order_release);

	if (__builtin_expect(word & LOCK_AWAITED, 0))
		lock_wake(lock);
}

#endif
