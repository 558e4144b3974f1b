/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worker.h: a second thread that does jobs in the order in which they are given.
 *
 * What a job touches is its own until worker_wait() has returned for it. Jobs are the same with one
 * processor, or where a thread cannot be had: they are then done while they are given. So results
 * never depend on the worker.
 */
#ifndef TRYST_RANKS_WORKER_H
#define TRYST_RANKS_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <sqlite3.h>

struct job {
	void (*run)(void *context);
	void *context;
	struct job *next;
	bool pending; /* given, and not done yet */
};

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t given, done;
	struct job *first, *last;
	bool runs; /* there is a thread */
	bool stops;
};

/*
 * shared: the connection that jobs use while others do, NULL: none. One that is not serialized has
 * no thread.
 */
void worker_start(struct worker *w, sqlite3 *shared);

/* All that was given is done. Zero-filled ones do no harm. */
void worker_stop(struct worker *w);

/* `job` must not be pending. */
void worker_give(struct worker *w, struct job *job);

/* Until the job is done, if it was given. */
void worker_wait(struct worker *w, const struct job *job);

#endif
