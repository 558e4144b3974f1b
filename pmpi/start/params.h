/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * params.h: where this run's link parameters come from.
 */
#ifndef TRYST_START_PARAMS_H
#define TRYST_START_PARAMS_H

#include "pmpi/hosts/hosts.h"
#include "pmpi/dispatch/mpi_header.h"
#include "pmpi/record/thread.h"

/*
 * Collective over all ranks, in MPI_Init. Finds every rank's tier (shim.peer) and fills shim.link
 * from the first source that exists: the file the user named; a cached set that a check confirms; a
 * quick measurement on `own` (MPI_COMM_NULL: TRYST_CALIBRATE=off, nothing is measured); a cached
 * set that could not be confirmed, marked as such. `hosts` becomes this rank's place among the
 * hosts. Returns 0, or -1 if the tiers could not be found.
 */
int params_start(MPI_Comm own, const struct say *say, struct host_tree *hosts);

/* Records the rows from which shim.link was made. */
void params_emit(struct thread *t);

#endif
