/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communicator.h: calls that free, name or complete communicators, name windows, free datatypes, or
 * spawn worlds. wrap.awk wraps all other calls that make such objects.
 */
#ifndef TRYST_WRAP_COMMUNICATOR_H
#define TRYST_WRAP_COMMUNICATOR_H

#include "pmpi/call/object.h"
#include "pmpi/start/world.h"

static inline int comm_gone(struct call *c, __typeof__(next.MPI_Comm_free) fn, MPI_Comm *comm)
{
	struct comm *leaving = comm ? comm_leaves(c->t, (uintptr_t)*comm) : NULL;
	int rc;

	call_enter(c);
	rc = fn(comm);
	call_leave(c);
	comm_left(leaving, rc == MPI_SUCCESS);
	call_end_plain(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Comm_free(
	struct call *c, __typeof__(next.MPI_Comm_free) fn, MPI_Comm *comm)
{
	return comm_gone(c, fn, comm);
}

static inline int wrap_MPI_Comm_disconnect(
	struct call *c, __typeof__(next.MPI_Comm_disconnect) fn, MPI_Comm *comm)
{
	return comm_gone(c, fn, comm);
}

static inline int wrap_MPI_Comm_set_name(
	struct call *c, __typeof__(next.MPI_Comm_set_name) fn, MPI_Comm comm, const char *name)
{
	int rc;

	call_enter(c);
	rc = fn(comm, name);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS)) {
		struct comm *known = comm_get(c->t, comm);

		if (known)
			record_text(c->t, REC_COMM_NAME, known->id, name);
	}
	call_end_plain(c, CALL_COUNT);
	return rc;
}

static inline int wrap_MPI_Win_set_name(
	struct call *c, __typeof__(next.MPI_Win_set_name) fn, MPI_Win win, const char *name)
{
	const struct object *o;
	int rc;

	call_enter(c);
	rc = fn(win, name);
	call_leave(c);
	o = likely(rc == MPI_SUCCESS) ? window_of(c, win) : NULL;
	if (o)
		record_text(c->t, REC_WINDOW_NAME, o->id, name);
	call_end_plain(c, CALL_COUNT);
	return rc;
}

/* Both libraries hand out the new handle at the post; the program may use it after the Wait. */
static inline int wrap_MPI_Comm_idup(struct call *c, __typeof__(next.MPI_Comm_idup) fn,
	MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
	int rc;

	call_enter(c);
	rc = fn(comm, made, request);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		comm_made(c->t, c->fn, comm_get(c->t, comm), *made);
	call_end_plain(c, CALL_PROGRESS);
	return rc;
}

#ifdef HAVE_MPI_Comm_idup_with_info
static inline int wrap_MPI_Comm_idup_with_info(struct call *c,
	__typeof__(next.MPI_Comm_idup_with_info) fn, MPI_Comm comm, MPI_Info info, MPI_Comm *made,
	MPI_Request *request)
{
	int rc;

	call_enter(c);
	rc = fn(comm, info, made, request);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		comm_made(c->t, c->fn, comm_get(c->t, comm), *made);
	call_end_plain(c, CALL_PROGRESS);
	return rc;
}
#endif

static inline int wrap_MPI_Comm_get_parent(
	struct call *c, __typeof__(next.MPI_Comm_get_parent) fn, MPI_Comm *parent)
{
	int rc;

	call_enter(c);
	rc = fn(parent);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && *parent != H(MPI_COMM_NULL))
		comm_get(c->t, *parent);
	call_end_plain(c, CALL_COUNT);
	return rc;
}

static inline int wrap_MPI_Comm_spawn(struct call *c, __typeof__(next.MPI_Comm_spawn) fn,
	const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
	MPI_Comm *made, int errors[])
{
	struct spawn s;
	int rc;

	world_spawn_before(c, &s, comm, root, 1, &info);
	call_enter(c);
	rc = fn(command, argv, maxprocs, *s.use, root, comm, made, errors);
	call_leave(c);
	world_spawn_after(c, &s, comm, rc == MPI_SUCCESS ? *made : H(MPI_COMM_NULL));
	call_end_plain(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Comm_spawn_multiple(struct call *c,
	__typeof__(next.MPI_Comm_spawn_multiple) fn, int count, char *commands[], char **argvs[],
	const int maxprocs[], const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *made,
	int errors[])
{
	struct spawn s;
	int rc;

	world_spawn_before(c, &s, comm, root, count, infos);
	call_enter(c);
	rc = fn(count, commands, argvs, maxprocs, s.use, root, comm, made, errors);
	call_leave(c);
	world_spawn_after(c, &s, comm, rc == MPI_SUCCESS ? *made : H(MPI_COMM_NULL));
	call_end_plain(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Type_free(
	struct call *c, __typeof__(next.MPI_Type_free) fn, MPI_Datatype *type)
{
	int rc;

	/*
	 * before the call: once MPI has freed it, the handle can belong to another thread's type
	 */
	type_freed();
	call_enter(c);
	rc = fn(type);
	call_leave(c);
	/* after the call, too: attribute callbacks may have used the type meanwhile */
	type_freed();
	call_end_plain(c, CALL_COUNT);
	return rc;
}

#endif
