/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.h: predefined handles, e.g. H(MPI_COMM_WORLD), without a reference to the library.
 *
 * In Open MPI a predefined handle is the address of a data symbol of libmpi. A shim that refers to
 * such a symbol cannot be loaded without libmpi, and finds NULL if libmpi is loaded later. So the
 * handles are looked up once, when the library is known. In MPICH and its derivatives, and in the
 * standard ABI of MPI-5, they are constants. MPI_STATUS_IGNORE, MPI_IN_PLACE, MPI_BOTTOM and the
 * like are constants in all; MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are not handled here.
 */
#ifndef TRYST_DISPATCH_HANDLES_H
#define TRYST_DISPATCH_HANDLES_H

#include <stdint.h>

#include "pmpi/dispatch/mpi_header.h"

#ifdef OPEN_MPI
#define HANDLE(type, name, symbol) type handle_##name;
struct mpi_handles {
#include "handles_table.h"
};
#undef HANDLE
extern struct mpi_handles mpi_handles;
#define H(name) (mpi_handles.handle_##name)
#else
#define H(name) (name)
#endif

/*
 * Open MPI 6.0's shared handle of sends that complete when posted; mpi.h does not name it. 0 in
 * other libraries.
 */
extern uintptr_t complete_send;

/*
 * Looks up all handles; `data` returns the address of a data symbol, or NULL. Returns 0, or -1 if a
 * handle that the shim needs is missing. Handles of optional datatypes may stay NULL.
 */
int handles_fill(void *(*data)(const char *name));

#endif
