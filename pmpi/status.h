/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.h: what a completed operation's MPI_Status says, read without calling MPI.
 *
 * The byte count is a private field of each library, at a place its ABI fixes. It is right for
 * receives only: no library fills it in for sends.
 */
#ifndef TRYST_STATUS_H
#define TRYST_STATUS_H

#include "mpi_header.h"
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t status_bytes(const MPI_Status *s)
{
#if defined(OPEN_MPI)
	return (uint64_t)s->_ucount;
#else
	return (uint64_t)(unsigned)s->count_lo |
	       (uint64_t)((unsigned)s->count_hi_and_cancelled >> 1) << 32;
#endif
}

static inline bool status_cancelled(const MPI_Status *s)
{
#if defined(OPEN_MPI)
	return s->_cancelled != 0;
#else
	return (s->count_hi_and_cancelled & 1) != 0;
#endif
}

#endif
