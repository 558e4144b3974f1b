/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_header.h: the installed mpi.h, with all functions that its library exports.
 *
 * Open MPI hides functions that MPI-3 removed, but its library has them and old programs call them.
 */
#ifndef TRYST_DISPATCH_MPI_HEADER_H
#define TRYST_DISPATCH_MPI_HEADER_H

#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#define OMPI_REMOVED_USE_STATIC_ASSERT 0
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1

#include <mpi.h>

/* The shim that is built with this header: tryst-SHIM_KIND.so. */
#if defined(TRYST_STANDARD_ABI)
#define SHIM_KIND "abi"
#elif defined(OPEN_MPI)
#define SHIM_KIND "openmpi"
#else
#define SHIM_KIND "mpich"
#endif

/* The shim also serves later versions of the ABI, so it needs the types that these have added. */
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
typedef struct ompi_instance_t *MPI_Session;
#endif

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#endif
