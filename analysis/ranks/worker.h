/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worker.h: a second thread that does jobs in the order in which they are given.
 *
 * A job owns its data until worker_wait() has returned for it. With one processor, or if no thread
 * can be made, a job is done when it is given. So results never depend on the worker.
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
 * shared: a connection that jobs and others use at the same time; NULL: none. If the connection is
 * not serialized, no thread is made.
 */
void worker_start(struct worker *w, sqlite3 *shared);

/* Finishes all jobs, and ends the thread. A zero-filled struct is allowed. */
void worker_stop(struct worker *w);

/* `job` must not be pending. */
void worker_give(struct worker *w, struct job *job);

/* Waits until the job is done, if it was given. */
void worker_wait(struct worker *w, const struct job *job);

#endif
