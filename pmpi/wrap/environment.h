/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h: begin, end and control.
 */
#ifndef TRYST_WRAP_ENVIRONMENT_H
#define TRYST_WRAP_ENVIRONMENT_H

#include "pmpi/start/init.h"
#include "pmpi/call/call.h"
#include "next.h"
#include "pmpi/call/phase.h"

/*
 * MPI_Init cannot be recorded before it has returned: there is no rank and no file yet. Its
 * wrapper is not the generated one; wrap_MPI_Init is called only if recording is on already,
 * which is an error of the program.
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

	/* It does not return: what is to be known of it must be in the file before. */
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
