/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.h: completion calls, starts, frees and probes.
 *
 * A completion call overwrites the handles, so they are copied before it. If the program ignores
 * statuses, the library fills ours. Bad arguments (a NULL array, a negative count) are passed on,
 * and only the call is recorded.
 */
#ifndef TRYST_WRAP_REQUEST_H
#define TRYST_WRAP_REQUEST_H

#include <sys/mman.h>

#include "pmpi/wrap/p2p.h"

/*
 * Bytes for the shares of n requests, two each if a request may have two ops. The statuses may
 * stand at the end of the same memory: shares never reach the status that is read next.
 */
static inline size_t shares_bytes(size_t n)
{
	size_t one = sizeof(struct live_share) > sizeof(MPI_Status) ? sizeof(struct live_share) :
								      sizeof(MPI_Status);

	return __atomic_load_n(&request_any_pairs, __ATOMIC_RELAXED) ? 2 * n * one : n * one;
}

/* Memory of one completion call over n requests; n = 0: nothing to follow. */
struct arrays {
	struct many many;
	void *own; /* mapped for this call only; NULL: the thread's scratch memory is used */
	size_t own_bytes;
};

/*
 * Memory for a call inside another one, whose arrays are in the thread's scratch memory. An error
 * handler that jumps out of such a call leaks the mapping.
 */
static __attribute__((noinline)) void arrays_nested(struct arrays *a, size_t n, size_t shares)
{
	struct many *m = &a->many;

	a->own_bytes = shares + n * sizeof(*m->handle);
	a->own = mmap(
		NULL, a->own_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (a->own == MAP_FAILED) {
		a->own = NULL;
		return;
	}
	m->share = a->own;
	m->handle = (MPI_Request *)((char *)a->own + shares);
}

static inline void arrays_before(struct call *c, struct arrays *a, int count,
	const MPI_Request *requests, MPI_Status *statuses)
{
	size_t n = count > 0 && requests ? (size_t)count : 0;
	size_t shares = shares_bytes(n);
	struct many *m = &a->many;

	request_before(c);
	*a = (struct arrays){ .many.status = statuses };
	if (unlikely(n == 0))
		return;
	if (unlikely(c->outer)) {
		arrays_nested(a, n, shares);
	} else {
		m->handle = thread_scratch(c->t, SCRATCH_HANDLES, n * sizeof(*m->handle));
		m->share = thread_scratch(c->t, SCRATCH_SHARES, shares);
	}
	if (unlikely(!m->handle || !m->share)) {
		ring_count_loss(&ring_file->dropped_other);
		return;
	}
	if (statuses == MPI_STATUSES_IGNORE || !statuses)
		m->status = (MPI_Status *)((char *)m->share + shares) - n;
	memcpy(m->handle, requests, n * sizeof(*m->handle));
	m->n = n;
}

/* The end of a call that began with arrays_before(). */
static inline void arrays_end(struct call *c, struct arrays *a)
{
	if (unlikely(a->own))
		munmap(a->own, a->own_bytes);
	call_end(c, CALL_PROGRESS);
}

/*
 * The call failed with another error than MPI_ERR_IN_STATUS. Requests whose handles it cleared were
 * completed by the error (a message too long for its receive); all others are unchanged. A
 * persistent request keeps its handle, but the library has written its index to *at. `at` NULL:
 * there is only one request.
 */
static __attribute__((noinline)) void many_failed(
	struct call *c, struct many *m, int rc, const MPI_Request *now, const int *at)
{
	size_t truncated = m->n;
	int class = MPI_SUCCESS;

	pnext.MPI_Error_class(rc, &class);
	if (class == MPI_ERR_TRUNCATE && (at || m->n == 1))
		truncated = at ? (size_t)*at : 0;
	for (size_t i = 0; i < m->n; i++)
		if (now[i] != H(MPI_REQUEST_NULL) && i != truncated)
			m->handle[i] = H(MPI_REQUEST_NULL);
	m->status = NULL;
	request_complete_many(c, m, rc, m->n, NULL);
}

static inline void one_failed(struct call *c, MPI_Request handle, int rc, const MPI_Request *now)
{
	struct live_share share[2];
	struct many m = { .n = now ? 1 : 0, .handle = &handle, .share = share };

	many_failed(c, &m, rc, now, NULL);
}

static inline int wrap_MPI_Wait(
	struct call *c, __typeof__(next.MPI_Wait) fn, MPI_Request *request, MPI_Status *status)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	request_before(c);
	call_enter(c);
	rc = fn(request, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && handle != H(MPI_REQUEST_NULL))) {
		request_complete(c, handle, status, MPI_SUCCESS);
	} else if (unlikely(rc != MPI_SUCCESS)) {
		one_failed(c, handle, rc, request);
	}
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Waitall(struct call *c, __typeof__(next.MPI_Waitall) fn, int count,
	MPI_Request requests[], MPI_Status *statuses)
{
	struct arrays a;
	int rc;

	arrays_before(c, &a, count, requests, statuses);
	call_enter(c);
	rc = fn(count, requests, a.many.status);
	call_leave(c);
	if (likely(a.many.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS)))
		request_complete_many(c, &a.many, rc, a.many.n, NULL);
	else if (a.many.n)
		many_failed(c, &a.many, rc, requests, NULL);
	arrays_end(c, &a);
	return rc;
}

static inline int wrap_MPI_Waitany(struct call *c, __typeof__(next.MPI_Waitany) fn, int count,
	MPI_Request requests[], int *index, MPI_Status *status)
{
	struct arrays a;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	arrays_before(c, &a, count, requests, status);
	call_enter(c);
	rc = fn(count, requests, index, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && *index != MPI_UNDEFINED))
		request_complete_many(c, &a.many, rc, a.many.n ? 1 : 0, index);
	else if (unlikely(rc != MPI_SUCCESS && a.many.n))
		many_failed(c, &a.many, rc, requests, index);
	arrays_end(c, &a);
	return rc;
}

static inline int wrap_MPI_Test(struct call *c, __typeof__(next.MPI_Test) fn, MPI_Request *request,
	int *flag, MPI_Status *status)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	request_before(c);
	call_enter(c);
	rc = fn(request, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && handle != H(MPI_REQUEST_NULL))) {
		if (*flag)
			request_complete(c, handle, status, MPI_SUCCESS);
		else
			request_polled(c, &handle, 1);
	} else if (unlikely(rc != MPI_SUCCESS)) {
		one_failed(c, handle, rc, request);
	}
	call_end(c, CALL_PROGRESS);
	return rc;
}

/* Tells whether the request is complete, but leaves its completion to a later call. */
static inline int wrap_MPI_Request_get_status(struct call *c,
	__typeof__(next.MPI_Request_get_status) fn, MPI_Request request, int *flag,
	MPI_Status *status)
{
	int rc;

	request_before(c);
	call_enter(c);
	rc = fn(request, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && !*flag)
		request_polled(c, &request, 1);
	call_end(c, CALL_PROGRESS);
	return rc;
}

/* Call c polled these requests without completing any. */
static inline void looked_at(struct call *c, int count, const MPI_Request requests[])
{
	if (count > 0 && requests)
		request_polled(c, requests, (size_t)count);
}

#ifdef HAVE_MPI_Request_get_status_all
static inline int wrap_MPI_Request_get_status_all(struct call *c,
	__typeof__(next.MPI_Request_get_status_all) fn, int count, const MPI_Request requests[],
	int *flag, MPI_Status statuses[])
{
	int rc;

	request_before(c);
	call_enter(c);
	rc = fn(count, requests, flag, statuses);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && !*flag)
		looked_at(c, count, requests);
	call_end(c, CALL_PROGRESS);
	return rc;
}
#endif

#ifdef HAVE_MPI_Request_get_status_any
static inline int wrap_MPI_Request_get_status_any(struct call *c,
	__typeof__(next.MPI_Request_get_status_any) fn, int count, const MPI_Request requests[],
	int *index, int *flag, MPI_Status *status)
{
	int rc;

	request_before(c);
	call_enter(c);
	rc = fn(count, requests, index, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && !*flag)
		looked_at(c, count, requests);
	call_end(c, CALL_PROGRESS);
	return rc;
}
#endif

#ifdef HAVE_MPI_Request_get_status_some
static inline int wrap_MPI_Request_get_status_some(struct call *c,
	__typeof__(next.MPI_Request_get_status_some) fn, int incount, const MPI_Request requests[],
	int *outcount, int indices[], MPI_Status statuses[])
{
	int rc;

	request_before(c);
	call_enter(c);
	rc = fn(incount, requests, outcount, indices, statuses);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS) && *outcount == 0)
		looked_at(c, incount, requests);
	call_end(c, CALL_PROGRESS);
	return rc;
}
#endif

/* MPICH's extension: it returns the answer, and makes no progress. */
#ifdef HAVE_MPIX_Request_is_complete
static inline int wrap_MPIX_Request_is_complete(
	struct call *c, __typeof__(next.MPIX_Request_is_complete) fn, MPI_Request request)
{
	int complete;

	request_before(c);
	call_enter(c);
	complete = fn(request);
	call_leave(c);
	if (!complete)
		request_polled(c, &request, 1);
	call_end(c, CALL_COUNT);
	return complete;
}
#endif

static inline int wrap_MPI_Testall(struct call *c, __typeof__(next.MPI_Testall) fn, int count,
	MPI_Request requests[], int *flag, MPI_Status *statuses)
{
	struct arrays a;
	int rc;

	arrays_before(c, &a, count, requests, statuses);
	call_enter(c);
	rc = fn(count, requests, flag, a.many.status);
	call_leave(c);
	if (likely(a.many.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))) {
		if (*flag || rc == MPI_ERR_IN_STATUS)
			request_complete_many(c, &a.many, rc, a.many.n, NULL);
		else
			request_polled(c, a.many.handle, a.many.n);
	} else if (a.many.n) {
		many_failed(c, &a.many, rc, requests, NULL);
	}
	arrays_end(c, &a);
	return rc;
}

static inline int wrap_MPI_Testany(struct call *c, __typeof__(next.MPI_Testany) fn, int count,
	MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	struct arrays a;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	arrays_before(c, &a, count, requests, status);
	call_enter(c);
	rc = fn(count, requests, index, flag, status);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS && a.many.n)) {
		if (*flag && *index != MPI_UNDEFINED)
			request_complete_many(c, &a.many, rc, 1, index);
		else if (!*flag)
			request_polled(c, a.many.handle, a.many.n);
	} else if (unlikely(rc != MPI_SUCCESS && a.many.n)) {
		many_failed(c, &a.many, rc, requests, index);
	}
	arrays_end(c, &a);
	return rc;
}

/* MPI_Waitsome is an MPI_Testsome that returns only when one of them is complete. */
static inline int complete_some(struct call *c, __typeof__(next.MPI_Testsome) fn, int incount,
	MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses)
{
	struct arrays a;
	int rc;

	arrays_before(c, &a, incount, requests, statuses);
	call_enter(c);
	rc = fn(incount, requests, outcount, indices, a.many.status);
	call_leave(c);
	if (likely(a.many.n && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))) {
		if (*outcount > 0)
			request_complete_many(c, &a.many, rc, (size_t)*outcount, indices);
		else if (*outcount == 0)
			request_polled(c, a.many.handle, a.many.n);
	} else if (a.many.n) {
		many_failed(c, &a.many, rc, requests, NULL);
	}
	arrays_end(c, &a);
	return rc;
}

static inline int wrap_MPI_Waitsome(struct call *c, __typeof__(next.MPI_Waitsome) fn, int incount,
	MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses)
{
	return complete_some(c, fn, incount, requests, outcount, indices, statuses);
}

static inline int wrap_MPI_Testsome(struct call *c, __typeof__(next.MPI_Testsome) fn, int incount,
	MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses)
{
	return complete_some(c, fn, incount, requests, outcount, indices, statuses);
}

static inline int wrap_MPI_Start(
	struct call *c, __typeof__(next.MPI_Start) fn, MPI_Request *request)
{
	uint64_t id = persistent_before_start(1);
	int rc;

	call_enter(c);
	rc = fn(request);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		persistent_started(c, id, 1, request);
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Startall(
	struct call *c, __typeof__(next.MPI_Startall) fn, int count, MPI_Request requests[])
{
	uint64_t id = persistent_before_start(count);
	int rc;

	call_enter(c);
	rc = fn(count, requests);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		persistent_started(c, id, count, requests);
	call_end(c, CALL_PROGRESS);
	return rc;
}

static inline int wrap_MPI_Request_free(
	struct call *c, __typeof__(next.MPI_Request_free) fn, MPI_Request *request)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	struct persistent *made = persistent_leaves(handle);
	struct leaving leaving;
	int rc;

	request_leaves(&leaving, handle);
	call_enter(c);
	rc = fn(request);
	call_leave(c);
	request_left(c, &leaving, rc == MPI_SUCCESS);
	persistent_left(made, rc == MPI_SUCCESS);
	call_end(c, CALL_PROGRESS);
	return rc;
}

/* The completion call tells whether the cancel succeeded. */
static inline int wrap_MPI_Cancel(
	struct call *c, __typeof__(next.MPI_Cancel) fn, MPI_Request *request)
{
	MPI_Request handle = request ? *request : H(MPI_REQUEST_NULL);
	int rc;

	request_before(c);
	call_enter(c);
	rc = fn(request);
	call_leave(c);
	if (likely(rc == MPI_SUCCESS))
		request_cancel(c, handle);
	call_end(c, CALL_PROGRESS);
	return rc;
}

#ifdef HAVE_MPI_Parrived
static inline int wrap_MPI_Parrived(struct call *c, __typeof__(next.MPI_Parrived) fn,
	MPI_Request request, int partition, int *flag)
{
	int rc;

	request_before(c);
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
