/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_request.h: completion calls, starts, frees and probes.
 *
 * A completion call overwrites the handles, so they are copied before it; where the program
 * ignores statuses, the library fills ours. Bad arguments are left to the library: a NULL array
 * or a negative count is passed on untouched and nothing is recorded but the call.
 */
#ifndef TRYST_WRAP_REQUEST_H
#define TRYST_WRAP_REQUEST_H

#include <sys/mman.h>

#include "wrap_p2p.h"

/* The arrays of one completion call over n requests. */
struct many {
	size_t n;		/* 0: nothing to follow */
	MPI_Request *handle;
	MPI_Status *status;
	void *own;		/* mapped for this call alone; NULL: the thread's scratch */
	size_t own_bytes;
};

/*
 * Memory for a call inside another one, whose own arrays stand in the thread's scratch. An error
 * handler that jumps out of such a call leaves the mapping behind.
 */
static __attribute__((noinline)) void many_nested(struct many *m, size_t n, bool statuses)
{
	m->own_bytes = n * (sizeof(*m->status) + sizeof(*m->handle));
	m->own = mmap(NULL, m->own_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->own == MAP_FAILED) {
		m->own = NULL;
		m->handle = NULL;
		return;
	}
	if (statuses)
		m->status = m->own;
	m->handle = (MPI_Request *)((MPI_Status *)m->own + n);
}

static inline void many_before(struct call *c, struct many *m, int count,
	const MPI_Request *requests, MPI_Status *statuses)
{
	size_t n = count > 0 && requests ? (size_t)count : 0;
	bool ignored = statuses == MPI_STATUSES_IGNORE || !statuses;

	m->status = statuses;
	m->n = 0;
	m->own = NULL;
	if (unlikely(n == 0))
		return;
	if (unlikely(c->outer)) {
		many_nested(m, n, ignored);
	} else {
		m->handle = thread_scratch(c->t, SCRATCH_HANDLES, n * sizeof(*m->handle));
		if (ignored)
			m->status = thread_scratch(c->t, SCRATCH_STATUSES, n * sizeof(*m->status));
	}
	if (unlikely(!m->handle || !m->status)) {
		m->status = statuses;
		ring_count_loss(&ring_file->dropped_other);
		return;
	}
	memcpy(m->handle, requests, n * sizeof(*m->handle));
	m->n = n;
}

/* The end of a call that began with many_before(). */
static inline void many_end(struct call *c, struct many *m)
{
	if (unlikely(m->own))
		munmap(m->own, m->own_bytes);
	call_end(c, CALL_PROGRESS);
}

/*
 * The requests of index[0..n) completed (NULL: all). After MPI_ERR_IN_STATUS each status decides:
 * pending ones have not completed.
 */
static inline void many_done(struct call *c, struct many *m, int rc, size_t n, const int *index,
	bool packed)
{
	struct done *done = thread_scratch(c->t, SCRATCH_DONE, n * sizeof(*done));
	size_t used = 0;

	if (unlikely(!done)) {
		ring_count_loss(&ring_file->dropped_other);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = index ? (size_t)index[i] : i;
		const MPI_Status *status = &m->status[packed ? i : at];
		int error = rc == MPI_ERR_IN_STATUS ? status->MPI_ERROR : MPI_SUCCESS;

		if (at >= m->n || error == MPI_ERR_PENDING)
			continue;
		done[used++] = (struct done){m->handle[at], status, error};
	}
	if (used)
		request_complete(c, done, used);
}

/*
 * The call failed, and not by MPI_ERR_IN_STATUS: requests that it took away were completed by that
 * error (a message too long for its receive), all others are as they were. So is a persistent one
 * after any other error; this one the library names: it stands at `at` (NULL: alone).
 */
static __attribute__((noinline)) void many_failed(struct call *c, const struct many *m, int rc,
	const MPI_Request *now, const int *at)
{
	struct done *done = thread_scratch(c->t, SCRATCH_DONE, m->n * sizeof(*done));
	size_t used = 0, truncated = m->n;
	int class = MPI_SUCCESS;

	if (!done)
		return;
	pnext.MPI_Error_class(rc, &class);
	if (class == MPI_ERR_TRUNCATE && (at || m->n == 1))
		truncated = at ? (size_t)*at : 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->handle[i] != H(MPI_REQUEST_NULL) &&
			(now[i] == H(MPI_REQUEST_NULL) || i == truncated))
			done[used++] = (struct done){m->handle[i], NULL, rc};
	if (used)
		request_complete(c, done, used);
}

static inline void one_failed(struct call *c, MPI_Request handle, int rc, const MPI_Request *now)
{
	const struct many m = {.n = now ? 1 : 0, .handle = &handle};

	many_failed(c, &m, rc, now, NULL);
}

static inline int wrap_MPI_Wait(struct call *c, __typeof__(next.MPI_Wait) fn,
	MPI_Request *request, MPI_Status *status)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	call_enter(c);
	rc = fn(request, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && handle != H(MPI_REQUEST_NULL))) {
		struct done done = {handle, status, MPI_SUCCESS};

		request_complete(c, &done, 1);
	} else if (unlikely(rc != MPI_SUCCESS)) {
		one_failed(c, handle, rc, request);
	}
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Waitall(struct call *c, __typeof__(next.MPI_Waitall) fn, int count,
	MPI_Request requests[], MPI_Status *statuses)
{
	struct many m;
	int rc;

	many_before(c, &m, count, requests, statuses);
	call_enter(c);
	rc = fn(count, requests, m.status);
	call_leave(c);
	if (likely(m.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS)))
		many_done(c, &m, rc, m.n, NULL, false);
	else if (m.n)
		many_failed(c, &m, rc, requests, NULL);
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Waitany(struct call *c, __typeof__(next.MPI_Waitany) fn, int count,
	MPI_Request requests[], int *index, MPI_Status *status)
{
	struct many m;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	many_before(c, &m, count, requests, status);
	call_enter(c);
	rc = fn(count, requests, index, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && *index != MPI_UNDEFINED))
		many_done(c, &m, rc, m.n ? 1 : 0, index, true);
	else if (unlikely(rc != MPI_SUCCESS && m.n))
		many_failed(c, &m, rc, requests, index);
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Waitsome(struct call *c, __typeof__(next.MPI_Waitsome) fn, int incount,
	MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses)
{
	struct many m;
	int rc;

	many_before(c, &m, incount, requests, statuses);
	call_enter(c);
	rc = fn(incount, requests, outcount, indices, m.status);
	call_leave(c);
	if (likely(m.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))) {
		if (*outcount > 0)
			many_done(c, &m, rc, (size_t)*outcount, indices, true);
	} else if (m.n) {
		many_failed(c, &m, rc, requests, NULL);
	}
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Test(struct call *c, __typeof__(next.MPI_Test) fn,
	MPI_Request *request, int *flag, MPI_Status *status)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	call_enter(c);
	rc = fn(request, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && handle != H(MPI_REQUEST_NULL))) {
		struct done done = {handle, status, MPI_SUCCESS};

		if (*flag)
			request_complete(c, &done, 1);
		else
			request_polled(c, &handle, 1);
	} else if (unlikely(rc != MPI_SUCCESS)) {
		one_failed(c, handle, rc, request);
	}
	call_end(c, CALL_PROGRESS);
	return rc;
}

/* Says that the request is complete, and leaves it to a later call to complete it. */
static inline int wrap_MPI_Request_get_status(struct call *c,
	__typeof__(next.MPI_Request_get_status) fn, MPI_Request request, int *flag,
	MPI_Status *status)
{
	int rc;

	call_enter(c);
	rc = fn(request, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && !*flag)
		request_polled(c, &request, 1);
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Testall(struct call *c, __typeof__(next.MPI_Testall) fn, int count,
	MPI_Request requests[], int *flag, MPI_Status *statuses)
{
	struct many m;
	int rc;

	many_before(c, &m, count, requests, statuses);
	call_enter(c);
	rc = fn(count, requests, flag, m.status);
	call_leave(c);
	if (likely(m.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))) {
		if (*flag || rc == MPI_ERR_IN_STATUS)
			many_done(c, &m, rc, m.n, NULL, false);
		else
			request_polled(c, m.handle, m.n);
	} else if (m.n) {
		many_failed(c, &m, rc, requests, NULL);
	}
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Testany(struct call *c, __typeof__(next.MPI_Testany) fn, int count,
	MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	struct many m;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	many_before(c, &m, count, requests, status);
	call_enter(c);
	rc = fn(count, requests, index, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && m.n)) {
		if (*flag && *index != MPI_UNDEFINED)
			many_done(c, &m, rc, 1, index, true);
		else if (!*flag)
			request_polled(c, m.handle, m.n);
	} else if (unlikely(rc != MPI_SUCCESS && m.n)) {
		many_failed(c, &m, rc, requests, index);
	}
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Testsome(struct call *c, __typeof__(next.MPI_Testsome) fn, int incount,
	MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses)
{
	struct many m;
	int rc;

	many_before(c, &m, incount, requests, statuses);
	call_enter(c);
	rc = fn(incount, requests, outcount, indices, m.status);
	call_leave(c);
	if (likely(m.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))) {
		if (*outcount > 0)
			many_done(c, &m, rc, (size_t)*outcount, indices, true);
		else if (*outcount == 0)
			request_polled(c, m.handle, m.n);
	} else if (m.n) {
		many_failed(c, &m, rc, requests, NULL);
	}
	many_end(c, &m);
	return rc;
}

static inline int wrap_MPI_Start(struct call *c, __typeof__(next.MPI_Start) fn,
	MPI_Request *request)
{
	uint64_t id = request_before_start(1);
	int rc;

	call_enter(c);
	rc = fn(request);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		request_started(c, id, 1, request);
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Startall(struct call *c, __typeof__(next.MPI_Startall) fn, int count,
	MPI_Request requests[])
{
	uint64_t id = request_before_start(count);
	int rc;

	call_enter(c);
	rc = fn(count, requests);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		request_started(c, id, count, requests);
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Request_free(struct call *c, __typeof__(next.MPI_Request_free) fn,
	MPI_Request *request)
{
	struct leaving leaving;
	int rc;

	request_leaves(&leaving, request ? *request : H(MPI_REQUEST_NULL));
	call_enter(c);
	rc = fn(request);
	call_leave(c);
	request_left(c, &leaving, rc == MPI_SUCCESS);
	call_end(c, CALL_PROGRESS);
	return rc;
}

/* The completion call tells whether the cancel came in time. */
static inline int wrap_MPI_Cancel(struct call *c, __typeof__(next.MPI_Cancel) fn,
	MPI_Request *request)
{
	int rc;

	call_enter(c);
	rc = fn(request);
	call_leave(c);
	call_end(c, CALL_PROGRESS);
	return rc;
}

#ifdef HAVE_MPI_Parrived
static inline int wrap_MPI_Parrived(struct call *c, __typeof__(next.MPI_Parrived) fn,
	MPI_Request request, int partition, int *flag)
{
	int rc;

	call_enter(c);
	rc = fn(request, partition, flag);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && !*flag)
		request_polled(c, &request, 1);
	call_end(c, CALL_PROGRESS);
	return rc;
}
#endif

#endif
