/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_mpi.h: MPI(m, Send)(...) calls MPI. In the shim it uses a table of functions; the program
 * tryst-measure is linked to the library.
 */
#ifndef TRYST_MEASURE_MPI_H
#define TRYST_MEASURE_MPI_H

#ifdef MEASURE_PROGRAM
#include <mpi.h>
#define H(name) (name)
#define MPI(m, name) ((void)(m), PMPI_##name)
#else
#include "pmpi/dispatch/handles.h"
#include "next.h"
#define MPI(m, name) ((m)->mpi->MPI_##name)
#endif

#endif
