/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sync.h: how the clocks of the hosts stand to each other, at the run's start and at its end.
 *
 * One rank of each host asks the rank of its parent host (hosts/hosts.h) for the time, a few
 * times, and answers the ranks of its child hosts; all other ranks do nothing. Messages and time
 * grow with the logarithm of the number of hosts.
 *
 *	asks        t0 ----------------> t
 *	            t1 <---------------- t      parent - own lies between t - t1 and t - t0
 *
 * Nothing of this blocks: who does not answer by the deadline is given up. In MPI_Finalize ranks
 * come when they come: they greet each other first, and who has waited for 100 ms goes on alone.
 */
#ifndef TRYST_START_SYNC_H
#define TRYST_START_SYNC_H

#include "pmpi/hosts/hosts.h"
#include "pmpi/dispatch/mpi_header.h"
#include "pmpi/record/thread.h"

/*
 * In MPI_Init, once the clock's rate is final: who speaks for a host asks and answers. `own`: a
 * communicator of our own on which errors return; MPI_COMM_NULL: nothing is done, here and later.
 */
void sync_start(MPI_Comm own, const struct host_tree *hosts);

/*
 * In MPI_Init, after sync_start(), on all ranks: the instant that becomes the 0 of this rank's
 * times [ticks]. It is after the parent's, which is known from then on.
 */
uint64_t sync_zero(void);

/* What sync_start() found becomes a record, if it found anything. */
void sync_emit(struct thread *t);

/* A REC_CLOCK record that was written: what this rank's times are made with when rows are. */
void sync_reading(const struct rec_clock *reading);

/* In MPI_Finalize, before the library's, on all ranks: the same once more. t may be NULL. */
void sync_end(struct thread *t);

/* In a child after fork(): it has nothing to ask. */
void sync_forget(void);

#endif
