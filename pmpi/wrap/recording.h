/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording.h: wrappers in which recording begins or ends. They do not use the frame of
 * call/call.h.
 *
 * A tool or a Fortran binding behind us may call PMPI_Init again: the inner call is forwarded, and
 * recording starts after the outer one.
 */
#ifndef TRYST_WRAP_RECORDING_H
#define TRYST_WRAP_RECORDING_H

#include "pmpi/call/call.h"
#include "pmpi/call/comm.h"
#include "functions.h"
#include "pmpi/dispatch/handles.h"
#include "pmpi/start/init.h"
#include "next.h"

extern bool unframed_inside;

static inline int unframed_MPI_Init(
	__typeof__(next.MPI_Init) fn, void *return_address, void *frame, int *argc, char ***argv)
{
	uint64_t enter;
	int rc;

	if (unframed_inside || init_sessions.started)
		return fn(argc, argv);
	unframed_inside = true;
	call_outside_end();
	enter = init_now_ns();
	rc = fn(argc, argv);
	if (rc == MPI_SUCCESS)
		init_start(FN_MPI_Init, return_address, frame, init_now_ns() - enter);
	unframed_inside = false;
	return rc;
}

static inline int unframed_MPI_Init_thread(__typeof__(next.MPI_Init_thread) fn,
	void *return_address, void *frame, int *argc, char ***argv, int required, int *provided)
{
	uint64_t enter;
	int rc;

	if (unframed_inside || init_sessions.started)
		return fn(argc, argv, required, provided);
	unframed_inside = true;
	call_outside_end();
	enter = init_now_ns();
	rc = fn(argc, argv, required, provided);
	if (rc == MPI_SUCCESS)
		init_start(FN_MPI_Init_thread, return_address, frame, init_now_ns() - enter);
	unframed_inside = false;
	return rc;
}

static inline int unframed_MPI_Finalize(
	__typeof__(next.MPI_Finalize) fn, void *return_address, void *frame)
{
	int rc;

	if (unframed_inside || init_sessions.started)
		return fn();
	unframed_inside = true;
	init_finalize_before(FN_MPI_Finalize, return_address, frame);
	rc = fn();
	init_finalize_after();
	unframed_inside = false;
	return rc;
}

#ifdef HAVE_MPI_Session_init
/*
 * A program without MPI_Init: recording begins after the first communicator of all processes, which
 * all make in the same call, and ends with the last session.
 */
static inline int unframed_MPI_Session_init(__typeof__(next.MPI_Session_init) fn,
	void *return_address, void *frame, MPI_Info info, MPI_Errhandler errhandler,
	MPI_Session *session)
{
	struct call c;
	bool counts = call_begin_always(&c, FN_MPI_Session_init, ENTRY_MPI, return_address, frame);
	int rc;

	if (counts)
		call_enter(&c);
	else
		call_outside(FN_MPI_Session_init);
	rc = fn(info, errhandler, session);
	if (counts) {
		call_leave(&c);
		call_end_plain(&c, CALL_PROGRESS);
	}
	if (rc == MPI_SUCCESS)
		init_session_opened(*session);
	return rc;
}

static inline int unframed_MPI_Session_finalize(__typeof__(next.MPI_Session_finalize) fn,
	void *return_address, void *frame, MPI_Session *session)
{
	MPI_Session handle = session ? *session : (MPI_Session)0;
	bool ends = init_sessions.open == 1;
	struct call c;
	bool counts;
	int rc;

	if (ends && init_sessions.started) {
		init_finalize_before(FN_MPI_Session_finalize, return_address, frame);
		init_session_release();
		rc = fn(session);
		init_finalize_after();
	} else {
		counts = call_begin_always(
			&c, FN_MPI_Session_finalize, ENTRY_MPI, return_address, frame);
		if (counts)
			call_enter(&c);
		rc = fn(session);
		if (counts) {
			call_leave(&c);
			call_end_plain(&c, CALL_PROGRESS);
		}
		if (ends)
			init_session_unrecorded();
	}
	if (rc == MPI_SUCCESS)
		init_session_closed(handle);
	return rc;
}

static inline int unframed_MPI_Comm_create_from_group(
	__typeof__(next.MPI_Comm_create_from_group) fn, void *return_address, void *frame,
	MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *made)
{
	struct call c;
	bool counts = call_begin_always(
		&c, FN_MPI_Comm_create_from_group, ENTRY_MPI, return_address, frame);
	uint64_t enter = counts ? 0 : init_now_ns();
	int rc;

	if (counts)
		call_enter(&c);
	rc = fn(group, tag, info, errhandler, made);
	if (counts) {
		call_leave(&c);
		if (rc == MPI_SUCCESS)
			comm_made(c.t, c.fn, NULL, *made);
		call_end_plain(&c, CALL_PROGRESS);
	} else {
		if (rc == MPI_SUCCESS)
			init_session_start(FN_MPI_Comm_create_from_group, return_address, frame,
				init_now_ns() - enter, *made);
		if (!init_sessions.started)
			call_outside(FN_MPI_Comm_create_from_group);
	}
	return rc;
}
#endif

#endif
