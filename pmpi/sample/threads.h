/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.h: threads that never call MPI, OpenMP's for example, found in /proc/self/task. */
#ifndef TRYST_SAMPLE_THREADS_H
#define TRYST_SAMPLE_THREADS_H

#include "pmpi/record/thread.h"

/*
 * Reads the samples of all threads that do not call MPI into the ring of `t`, the calling thread,
 * and looks for new ones. Does nothing while another thread does it. Allocates nothing.
 */
void threads_read(struct thread *t);

/*
 * A thread begins to call MPI: from here on, its own sampler reads its samples. Call it with
 * signals blocked, because it takes a lock.
 */
void threads_leave(struct thread *t, pid_t tid);

#endif
