/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h: start, end and control.
 */
#ifndef TRYST_WRAP_ENVIRONMENT_H
#define TRYST_WRAP_ENVIRONMENT_H

#include "pmpi/start/init.h"
#include "pmpi/call/call.h"
#include "next.h"
#include "pmpi/call/phase.h"

/*
 * MPI_Init has no rank and no file before it returns, so it has a wrapper of its own (recording.h).
 * wrap_MPI_Init is only called while recording is already on, which is an error of the program.
 */
static inline int wrap_MPI_Pcontrol(struct call *c, __typeof__(next.MPI_Pcontrol) fn, int level)
{
	int rc;

	call_enter(c);
	rc = fn(level);
	call_leave(c);
	phase_pcontrol(c, level);
	call_end(c, CALL_COUNT);
	return rc;
}

static inline int wrap_MPI_Abort(
	struct call *c, __typeof__(next.MPI_Abort) fn, MPI_Comm comm, int code)
{
	int rc;

	/* MPI_Abort does not return, so its record must be in the file before the call. */
	record_key_number(c->t, "abort_code", code);
	c->sum->count++;
	call_enter(c);
	rc = fn(comm, code);
	call_leave(c);
	c->sum->count--;
	call_end(c, CALL_COUNT);
	return rc;
}

#endif
