/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sync.h: the offsets between the clocks of the hosts, at the start and the end of the run.
 *
 * One rank of each host asks one rank of its parent host (hosts/hosts.h) for the time, a few
 * times, and answers the ranks of its child hosts. All other ranks do nothing. The number of
 * messages and the time grow with the logarithm of the number of hosts.
 *
 *	asks        t0 ----------------> t
 *	            t1 <---------------- t      parent - own lies between t - t1 and t - t0
 *
 * Nothing blocks: a rank that does not answer by the deadline is given up. Ranks enter MPI_Finalize
 * at different times: they greet each other first, and a rank goes on alone after 100 ms.
 */
#ifndef TRYST_START_SYNC_H
#define TRYST_START_SYNC_H

#include "pmpi/hosts/hosts.h"
#include "pmpi/dispatch/mpi_header.h"
#include "pmpi/record/thread.h"

/*
 * In MPI_Init, once the clock's rate is final. `own`: a communicator of our own on which errors
 * return; MPI_COMM_NULL: do nothing, here and later.
 */
void sync_start(MPI_Comm own, const struct host_tree *hosts);

/*
 * In MPI_Init, after sync_start(), on all ranks: returns the instant that becomes the zero of this
 * rank's times [ticks]. It is later than the parent's, which is known from then on.
 */
uint64_t sync_zero(void);

/* Records the offset that sync_start() found, if it found one. */
void sync_emit(struct thread *t);

/* The REC_CLOCK record that was written: rows convert this rank's times with it. */
void sync_reading(const struct rec_clock *reading);

/* In MPI_Finalize, before the library's, on all ranks: measures again. t may be NULL. */
void sync_end(struct thread *t);

/* In a child after fork(): switches this off. */
void sync_forget(void);

#endif
