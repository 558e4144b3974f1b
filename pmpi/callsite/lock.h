/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock.h: a lock that a signal handler of the program may jump out of, at no cost where nobody
 * does.
 *
 * Holding signals back would cost two system calls each time. Instead the lock says who took it
 * last:
 *
 *   - a thread that finds the lock its own has left it by a jump, and goes on with it
 *   - others that wait look now and then at the one who took it, and take over where it cannot be
 *     inside any more: it has ended, or has slept or calculated for a second since
 *
 * So what is done inside must take microseconds and not sleep, but with all signals held back,
 * where no handler jumps; and must leave things in order whatever its last instruction was. Not to
 * be taken by a thread that is inside already.
 */
#ifndef TRYST_CALLSITE_LOCK_H
#define TRYST_CALLSITE_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

struct lock {
	/*
	 * From the lowest bit: thread id [31], somebody sleeps [1], how many-th lock this thread
	 * took [32]. 0: free.
	 */
	_Atomic uint64_t word;
};

#define LOCK_AWAITED (1ULL << 31)

extern __thread struct lock_self {
	uint32_t thread; /* 0: never took one */
	uint32_t takes;
} lock_self __attribute__((tls_model("initial-exec")));

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
