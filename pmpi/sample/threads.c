/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c: the samplers of threads that never call MPI. All is under one lock, with signals
 * blocked, and without malloc(): a signal handler that interrupted malloc() may call MPI.
 */
#include "pmpi/sample/threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "pmpi/record/isolate.h"
#include "pmpi/sample/sampler.h"

enum {
	OUTSIDE_MOST = 1024,
	COMPUTES_NS =
		10000000 /* threads that ran for less are helpers that sleep, and get no event */
};

struct outside {
	struct sampler sampler;
	uint32_t number;
	bool read; /* from here: it has an event, and does not call MPI */
	bool seen; /* it was there at the last look */
};

static struct {
	pthread_mutex_t lock;
	struct outside at[OUTSIDE_MOST]; /* also threads that call MPI, which are not read */
	uint32_t n;
	uint32_t numbers; /* given so far */
} outside = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void read_one(struct thread *t, struct outside *o)
{
	sampler_read(&o->sampler,
		&(struct sampled){ .writer = t, .thread = THREAD_OUTSIDE | o->number });
}

/* Has the thread used the CPU for a while? */
static bool computes(pid_t tid)
{
	struct proc_cpu cpu;

	return proc_cpu_of_thread(tid, &cpu) && cpu.ran_ns >= COMPUTES_NS;
}

/* The entry of a thread, made where `make` is set; NULL: there is none, or no room. */
static struct outside *find(pid_t tid, bool make)
{
	struct outside *o = outside.at;

	while (o < outside.at + outside.n && o->sampler.tid != tid)
		o++;
	if (o < outside.at + outside.n)
		return o;
	if (!make || outside.n == OUTSIDE_MOST)
		return NULL;
	outside.n++;
	*o = (struct outside){ .sampler.tid = tid };
	return o;
}

static void see_thread(pid_t tid)
{
	struct outside *o = find(tid, false);

	if (!o && computes(tid) && (o = find(tid, true))) {
		o->number = outside.numbers++;
		o->read = sampler_open(&o->sampler, tid);
	}
	if (o)
		o->seen = true;
}

/* As in <dirent.h>, whose functions allocate. */
struct entry {
	uint64_t ino;
	int64_t offset;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

/* Returns false if not all threads could be listed. */
static bool see_all(void)
{
	int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct entry) char buffer[4096];
	long n = -1;

	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < n;) {
			const struct entry *e = (const void *)(buffer + at);
			long tid = strtol(e->name, NULL, 10);

			if (tid > 0)
				see_thread((pid_t)tid);
			at += e->bytes;
		}
	if (fd >= 0)
		close(fd);
	return n == 0;
}

static void end_thread(struct outside *o)
{
	sampler_close(&o->sampler);
	*o = outside.at[--outside.n];
}

void threads_read(struct thread *t)
{
	struct isolate guest;

	isolate_enter_locked(&guest);
	if (pthread_mutex_trylock(&outside.lock) == 0) {
		bool complete;

		for (uint32_t i = 0; i < outside.n; i++)
			outside.at[i].seen = false;
		complete = see_all();
		for (uint32_t i = outside.n; i-- > 0;) {
			if (outside.at[i].read)
				read_one(t, &outside.at[i]);
			if (complete && !outside.at[i].seen)
				end_thread(&outside.at[i]);
		}
		pthread_mutex_unlock(&outside.lock);
	}
	isolate_leave(&guest);
}

void threads_leave(struct thread *t, pid_t tid)
{
	struct outside *o;

	pthread_mutex_lock(&outside.lock);
	o = find(tid, true);
	if (o && o->read) {
		read_one(t, o);
		sampler_close(&o->sampler);
		o->read = false;
	}
	pthread_mutex_unlock(&outside.lock);
}
