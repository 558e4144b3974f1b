/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.h: fields of a completed operation's MPI_Status.
 *
 * The byte count is a private field. Each library's ABI fixes its place, and it is read there. The
 * standard ABI of MPI-5 does not fix the place, so the library is asked. The count is valid for
 * receives only: no library fills it in for sends.
 */
#ifndef TRYST_CALL_STATUS_H
#define TRYST_CALL_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmpi/dispatch/mpi_header.h"
#ifdef TRYST_STANDARD_ABI
#include "pmpi/dispatch/handles.h"
#include "next.h"
#endif

static inline uint64_t status_bytes(const MPI_Status *s)
{
#if defined(OPEN_MPI)
	return (uint64_t)s->_ucount;
#elif defined(TRYST_STANDARD_ABI)
	MPI_Count bytes = 0;

	/* a status that file_status_unknown() made fails one of the two tests */
	if (pnext.MPI_Get_elements_c(s, H(MPI_BYTE), &bytes) != MPI_SUCCESS || bytes < 0)
		return UINT64_MAX;
	return (uint64_t)bytes;
#else
	return (uint64_t)(unsigned)s->count_lo |
		(uint64_t)((unsigned)s->count_hi_and_cancelled >> 1) << 32;
#endif
}

static inline bool status_cancelled(const MPI_Status *s)
{
#if defined(OPEN_MPI)
	return s->_cancelled != 0;
#elif defined(TRYST_STANDARD_ABI)
	int cancelled = 0;

	pnext.MPI_Test_cancelled(s, &cancelled);
	return cancelled != 0;
#else
	return (s->count_hi_and_cancelled & 1) != 0;
#endif
}

#endif
