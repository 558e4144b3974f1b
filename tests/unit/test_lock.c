/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lock.c: a lock that signal handlers jump out of blocks no thread for ever, and admits none
 * too early.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pmpi/callsite/lock.h"
#include "unit.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 200000, JUMPS = 300 };

static struct lock lock;
static _Thread_local sigjmp_buf out;
static _Thread_local volatile bool jumps; /* this thread, at the next signal */

static void jump(int number)
{
	(void)number;
	if (jumps)
		siglongjmp(out, 1);
}

/* Takes the lock and leaves it by a jump out of a handler. */
static void take_and_jump(void)
{
	jumps = true;
	if (sigsetjmp(out, 1) == 0) {
		lock_take(&lock);
		raise(SIGUSR1);
	}
	jumps = false;
}

static void a_thread_goes_on_with_the_lock_it_jumped_out_of(void)
{
	for (int i = 0; i < 3; i++)
		take_and_jump();
	lock_take(&lock);
	lock_give(&lock);
	CU_ASSERT_EQUAL(lock.word, 0);
}

static sem_t taken, go_on;
static _Atomic bool done;

static void *end_after_a_jump(void *unused)
{
	take_and_jump();
	sem_post(&taken);
	return unused;
}

static void *sleep_after_a_jump(void *unused)
{
	end_after_a_jump(NULL);
	sem_wait(&go_on);
	lock_take(&lock);
	lock_give(&lock);
	return unused;
}

static void *calculate_after_a_jump(void *unused)
{
	end_after_a_jump(NULL);
	while (!done)
		;
	return unused;
}

static void come_after(void *(*first)(void *))
{
	pthread_t thread;

	done = false;
	sem_init(&taken, 0, 0);
	sem_init(&go_on, 0, 0);
	pthread_create(&thread, NULL, first, NULL);
	sem_wait(&taken);
	lock_take(&lock);
	sem_post(&go_on);
	done = true;
	usleep(30000); /* who comes back has to wait for us */
	lock_give(&lock);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(lock.word & ~LOCK_AWAITED, 0);
}

static void the_lock_of_a_thread_that_has_ended_is_free(void)
{
	come_after(end_after_a_jump);
}

static void the_lock_of_a_thread_that_sleeps_elsewhere_is_free(void)
{
	come_after(sleep_after_a_jump);
}

static void the_lock_of_a_thread_that_calculates_elsewhere_is_free(void)
{
	come_after(calculate_after_a_jump);
}

static volatile bool inside;

static void *stay_inside(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	lock_take(&lock);
	inside = true;
	sem_post(&taken);
	usleep(1500000);
	inside = false;
	lock_give(&lock);
	return unused;
}

static void a_thread_with_signals_held_back_may_sleep_inside(void)
{
	pthread_t thread;

	sem_init(&taken, 0, 0);
	pthread_create(&thread, NULL, stay_inside, NULL);
	sem_wait(&taken);
	lock_take(&lock);
	CU_ASSERT(!inside);
	lock_give(&lock);
	pthread_join(thread, NULL);
}

static volatile long counted; /* under the lock */
static _Atomic long given, jumped;

static void *count_rounds(void *jumping)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	if (sigsetjmp(out, 1))
		jumped++;
	for (volatile int i = 0; jumping ? jumped < JUMPS : i < ROUNDS; i++) {
		if (jumping) {
			jumps = true;
			pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
		}
		lock_take(&lock);
		counted = counted + 1;
		lock_give(&lock);
		jumps = false;
		given++;
	}
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	return NULL;
}

static void count_together(void *jumping)
{
	pthread_t thread[THREADS];

	counted = 0;
	given = 0;
	jumped = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, count_rounds, jumping);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void one_thread_is_inside_at_a_time(void)
{
	count_together(NULL);
	CU_ASSERT_EQUAL(counted, (long)THREADS * ROUNDS);
	CU_ASSERT_EQUAL(given, (long)THREADS * ROUNDS);
	CU_ASSERT_EQUAL(lock.word, 0);
}

static void so_it_is_where_handlers_jump_out_at_any_moment(void)
{
	const struct itimerval every = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	count_together(&lock);
	setitimer(ITIMER_REAL, &never, NULL);
	CU_ASSERT(jumped >= JUMPS);
	CU_ASSERT(counted >= given);
	CU_ASSERT(counted <= given + jumped);
}

static const struct unit_test tests[] = {
	{ "a thread goes on with the lock it jumped out of",
		a_thread_goes_on_with_the_lock_it_jumped_out_of },
	{ "the lock of a thread that has ended is free",
		the_lock_of_a_thread_that_has_ended_is_free },
	{ "the lock of a thread that sleeps elsewhere is free",
		the_lock_of_a_thread_that_sleeps_elsewhere_is_free },
	{ "the lock of a thread that calculates elsewhere is free",
		the_lock_of_a_thread_that_calculates_elsewhere_is_free },
	{ "a thread with signals held back may sleep inside",
		a_thread_with_signals_held_back_may_sleep_inside },
	{ "one thread is inside at a time", one_thread_is_inside_at_a_time },
	{ "so it is where handlers jump out at any moment",
		so_it_is_where_handlers_jump_out_at_any_moment },
	{ NULL, NULL },
};

int main(void)
{
	struct sigaction action = { .sa_handler = jump };

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	return unit_main("lock", tests);
}
