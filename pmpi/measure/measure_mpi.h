/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_mpi.h: how the measuring code reaches MPI: in the shim through the table of functions
 * that it is given, in the program tryst-measure by linking to the library. MPI(m, Send)(...).
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
