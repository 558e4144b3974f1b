/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init.h: start and end of recording: between the library's MPI_Init and the program's first
 * line after it, and around the library's MPI_Finalize.
 */
#ifndef TRYST_START_INIT_H
#define TRYST_START_INIT_H

#include "analysis/base/now.h"
#include "next.h"
#include "pmpi/record/thread.h"

/* Nanoseconds of CLOCK_MONOTONIC: MPI_Init is timed before the run's clock is chosen. */
static inline uint64_t init_now_ns(void)
{
	return (uint64_t)now_ns(CLOCK_MONOTONIC);
}

/*
 * MPI_Init or MPI_Init_thread (fn) has returned with success after init_ns; return_address and
 * frame are its wrapper's. All start-up work that the program pays for happens in here.
 */
void init_start(unsigned fn, void *return_address, void *frame, uint64_t init_ns);

/*
 * Sessions of a program without MPI_Init. `started`: recording began with one of them and ends with
 * the last. `missed`: a communicator was made before recording had begun.
 */
struct init_sessions {
	int open;
	bool started;
	bool tried;
	bool missed;
};
extern struct init_sessions init_sessions;

#ifdef HAVE_MPI_Session_init
/* The program has opened a session; has closed the session with this handle. */
void init_session_opened(MPI_Session session);
void init_session_closed(MPI_Session session);
#endif

/*
 * A communicator was made from a group before recording began. Recording begins now if the
 * communicator has all processes. Arguments as init_start().
 */
void init_session_start(unsigned fn, void *return_address, void *frame, uint64_t ns, MPI_Comm made);

/* The last session is about to end: frees our own communicators. */
void init_session_release(void);

/* The last session has ended: the first process prints what was missed. */
void init_session_unrecorded(void);

/*
 * Before and after MPI_Finalize, or the MPI_Session_finalize of the last session (fn).
 */
void init_finalize_before(unsigned fn, void *return_address, void *frame);
void init_finalize_after(void);

/*
 * The time that a wrapper adds to a call [ns, mean of a few hundred]: to a call that is counted and
 * timed, and to one that is an operation. In wrap/wrappers.c; records nothing. Call it while
 * recording is on and nothing is pending.
 */
void wrappers_cost(struct thread *t, double *call_ns, double *op_ns);

#endif
