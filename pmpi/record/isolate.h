/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isolate.h: keeps the program's settings away from our own work, and unchanged by it. Between
 * isolate_enter() and isolate_leave(), on this thread:
 *
 *   floating point   no traps (a program built with -ffpe-trap must not die of our arithmetic), and
 *                    the flags that the program sees afterwards are its own
 *   locale           "C": numbers in our files have a point
 *   ulimit -f        a write beyond the limit raises SIGXFSZ, which would end the program for a
 *                    file that is not its own; here it fails with EFBIG instead
 *   cancellation     a thread that was cancelled goes on to the program's next cancellation point,
 *                    instead of ending in our write() with a lock taken
 *
 * The fast path of the wrappers does not need it: it computes in integers and writes nothing. Calls
 * may be nested.
 *
 * isolate_enter_locked() also blocks all signals: a handler of the program may call MPI, jump or
 * exit, and must not need a lock that the interrupted thread holds.
 */
#ifndef TRYST_RECORD_ISOLATE_H
#define TRYST_RECORD_ISOLATE_H

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct isolate {
	fenv_t floating;
	locale_t locale;
	sigset_t signals;
	bool was_pending;
	int cancel;
};

static inline void isolate_enter_without(struct isolate *g, const sigset_t *held)
{
	/* glibc's "C" is a constant: nothing to free */
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	sigset_t set;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
	feholdexcept(&g->floating);
	g->locale = uselocale(c ? c : (locale_t)0);
	sigpending(&set);
	g->was_pending = sigismember(&set, SIGXFSZ) == 1;
	pthread_sigmask(SIG_BLOCK, held, &g->signals);
}

static inline void isolate_enter(struct isolate *g)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	isolate_enter_without(g, &set);
}

static inline void isolate_enter_locked(struct isolate *g)
{
	sigset_t set;

	sigfillset(&set);
	isolate_enter_without(g, &set);
}

/* Removes a pending signal that our writes raised, and no other. */
static inline void isolate_leave(const struct isolate *g)
{
	sigset_t set;

	sigpending(&set);
	if (!g->was_pending && sigismember(&set, SIGXFSZ) == 1) {
		sigemptyset(&set);
		sigaddset(&set, SIGXFSZ);
		sigtimedwait(&set, NULL, &(struct timespec){ 0, 0 });
	}
	pthread_sigmask(SIG_SETMASK, &g->signals, NULL);
	uselocale(g->locale);
	fesetenv(&g->floating);
	pthread_setcancelstate(g->cancel, NULL);
}

#endif
