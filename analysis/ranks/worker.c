/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.c: runs jobs on a second thread (worker.h). */
#include "analysis/ranks/worker.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void *work(void *context)
{
	struct worker *w = context;

	pthread_mutex_lock(&w->lock);
	while (w->first || !w->stops) {
		struct job *job = w->first;

		if (!job) {
			pthread_cond_wait(&w->given, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		job->run(job->context);
		pthread_mutex_lock(&w->lock);
		w->first = job->next;
		job->pending = false;
		pthread_cond_signal(&w->done);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void worker_start(struct worker *w, sqlite3 *shared)
{
	sigset_t all, before;

	memset(w, 0, sizeof(*w));
	if ((shared && !sqlite3_db_mutex(shared)) || sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->given, NULL);
	pthread_cond_init(&w->done, NULL);
	/* signals go to the first thread */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->runs = pthread_create(&w->thread, NULL, work, w) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void worker_stop(struct worker *w)
{
	if (!w->runs)
		return;
	pthread_mutex_lock(&w->lock);
	w->stops = true;
	pthread_cond_signal(&w->given);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->given);
	pthread_cond_destroy(&w->done);
	pthread_mutex_destroy(&w->lock);
	memset(w, 0, sizeof(*w));
}

void worker_give(struct worker *w, struct job *job)
{
	if (!w->runs) {
		job->run(job->context);
		return;
	}
	pthread_mutex_lock(&w->lock);
	job->next = NULL;
	job->pending = true;
	if (w->first)
		w->last->next = job;
	else
		w->first = job;
	w->last = job;
	pthread_cond_signal(&w->given);
	pthread_mutex_unlock(&w->lock);
}

void worker_wait(struct worker *w, const struct job *job)
{
	if (!w->runs)
		return;
	pthread_mutex_lock(&w->lock);
	while (job->pending)
		pthread_cond_wait(&w->done, &w->lock);
	pthread_mutex_unlock(&w->lock);
}
