/* SPDX-License-Identifier: BSD-3-Clause */
/* step.c: the work of sender and receiver in one sample of a step. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analysis/model/live/live.h"
#include "pmpi/measure/step.h"
#include "pmpi/measure/tags.h"

/* An op of one form, prepared before the clock runs. */
struct act {
	struct measure *m;
	unsigned form; /* enum live_curve */
	bool receives;
	char *buf;
	int count, peer, tag;
	MPI_Request request;
};

/* Persistent forms make their request here, all others do nothing. */
static int act_prepare(struct act *a)
{
	struct measure *m = a->m;

	a->request = H(MPI_REQUEST_NULL);
	switch (a->form) {
	case LIVE_SEND_INIT:
		return MPI(m, Send_init)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	case LIVE_SSEND_INIT:
		return MPI(m, Ssend_init)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	case LIVE_RECV_INIT:
		return MPI(m, Recv_init)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	}
	return MPI_SUCCESS;
}

/* The post; a blocking form is complete when it returns. */
static int act_post(struct act *a)
{
	struct measure *m = a->m;

	switch (a->form) {
	case LIVE_SEND:
		return MPI(m, Send)(a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm);
	case LIVE_SSEND:
		return MPI(m, Ssend)(a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm);
	case LIVE_RECV:
		return MPI(m, Recv)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, MPI_STATUS_IGNORE);
	case LIVE_ISEND:
		return MPI(m, Isend)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	case LIVE_ISSEND:
		return MPI(m, Issend)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	case LIVE_IRECV:
		return MPI(m, Irecv)(
			a->buf, a->count, H(MPI_BYTE), a->peer, a->tag, m->comm, &a->request);
	default:
		return MPI(m, Start)(&a->request);
	}
}

static int act_complete(struct act *a)
{
	if (a->form < LIVE_ISEND)
		return MPI_SUCCESS;
	return MPI(a->m, Wait)(&a->request, MPI_STATUS_IGNORE);
}

static int act_release(struct act *a)
{
	if (a->request == H(MPI_REQUEST_NULL))
		return MPI_SUCCESS;
	return MPI(a->m, Request_free)(&a->request);
}

/* The place of a step's messages in a buffer. */
static size_t place_of(const struct pair *p, const struct step *s)
{
	uint64_t bytes = step_bytes(s), at = 64;

	while (at < bytes)
		at *= 2;
	return at + bytes <= p->buffer_bytes ? at : 0;
}

/* Several ops at once; their posts are part of the time. */
static int train_step(
	struct pair *p, struct act *a, const struct step *s, uint64_t start, double *ns)
{
	MPI_Request request[PAIR_TRAIN_MAX];
	uint64_t enter = spin_on_time(p, start);
	struct act one = *a;
	int rc = MPI_SUCCESS;

	for (uint32_t i = 0; i < s->count && rc == MPI_SUCCESS; i++) {
		one.buf = a->buf + i * s->bytes;
		rc = act_post(&one);
		request[i] = one.request;
	}
	if (rc == MPI_SUCCESS)
		rc = MPI(a->m, Waitall)((int)s->count, request, MPI_STATUSES_IGNORE);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

static int exchange_step(struct pair *p, const struct step *s, uint64_t start, double *ns)
{
	uint64_t enter = spin_on_time(p, start);
	size_t at = place_of(p, s);
	int rc = MPI(p->m, Sendrecv)(p->send_buf + at, (int)s->bytes, H(MPI_BYTE), p->peer,
		TAG_DATA, p->recv_buf + at, (int)s->bytes, H(MPI_BYTE), p->peer, TAG_DATA,
		p->m->comm, MPI_STATUS_IGNORE);

	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

/* Stays inside MPI, without a message, until `ticks`. */
static int progress_until(struct pair *p, uint64_t ticks)
{
	int rc = MPI_SUCCESS, found;

	while (rc == MPI_SUCCESS && (int64_t)(clock_ticks() - ticks) < 0)
		rc = MPI(p->m, Iprobe)(p->peer, TAG_UNUSED, p->m->comm, &found, MPI_STATUS_IGNORE);
	return rc;
}

/* A step of one op; rest: only the completion, `delay` behind the post, is timed. */
static int single_step(
	struct pair *p, struct act *a, uint64_t start, uint64_t delay, bool rest, double *ns)
{
	uint64_t enter = spin_on_time(p, start);
	int rc = act_post(a);

	if (rest && rc == MPI_SUCCESS)
		enter = spin_on_time(p, start + delay);
	if (rc == MPI_SUCCESS)
		rc = act_complete(a);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

int step_send(struct pair *p, const struct step *s, uint64_t start, double *ns)
{
	struct act a = { p->m, s->send_form, false, p->send_buf + place_of(p, s), (int)s->bytes,
		p->peer, TAG_DATA, H(MPI_REQUEST_NULL) };
	int rc;

	if (s->kind >= STEP_MORE)
		return p->m->more ? p->m->more->send(p, s, start, ns) : -EIO;
	rc = act_prepare(&a);
	if (rc != MPI_SUCCESS)
		return -EIO;
	if (s->kind == STEP_TRAIN)
		rc = train_step(p, &a, s, start, ns);
	else if (s->kind == STEP_EXCHANGE)
		rc = exchange_step(p, s, start, ns);
	else
		rc = single_step(
			p, &a, start, clock_from_ns(s->delay_ns), s->kind == STEP_SEND_REST, ns);
	if (rc == MPI_SUCCESS && s->kind == STEP_ECHO) {
		rc = MPI(p->m, Recv)(p->recv_buf, (int)s->bytes, H(MPI_BYTE), p->peer, TAG_DATA,
			p->m->comm, MPI_STATUS_IGNORE);
		*ns = (double)clock_ns(clock_ticks() - start);
	}
	if (act_release(&a) != MPI_SUCCESS)
		rc = MPI_ERR_OTHER;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

int step_recv(struct pair *p, const struct step *s, uint64_t start, double *ns)
{
	struct act a = { p->m, s->recv_form, true, p->recv_buf + place_of(p, s), (int)s->bytes,
		p->peer, TAG_DATA, H(MPI_REQUEST_NULL) };
	uint64_t delay = clock_from_ns(s->delay_ns), begin = start;
	int rc;

	if (s->kind >= STEP_MORE)
		return p->m->more ? p->m->more->recv(p, s, start, ns) : -EIO;
	rc = act_prepare(&a);
	if (s->kind == STEP_LATE_MATCH && rc == MPI_SUCCESS) {
		spin_until(start);
		rc = progress_until(p, start + delay);
	}
	if (s->kind == STEP_LATE_MATCH || s->kind == STEP_LATE_PROGRESS)
		begin = start + delay;
	if (rc != MPI_SUCCESS)
		return -EIO;
	if (s->kind == STEP_TRAIN)
		rc = train_step(p, &a, s, begin, ns);
	else if (s->kind == STEP_EXCHANGE)
		rc = exchange_step(p, s, begin, ns);
	else
		rc = single_step(p, &a, begin, delay, s->kind == STEP_RECV_REST, ns);
	if (rc == MPI_SUCCESS && s->kind == STEP_ECHO)
		rc = MPI(p->m, Send)(
			p->send_buf, (int)s->bytes, H(MPI_BYTE), p->peer, TAG_DATA, p->m->comm);
	if (act_release(&a) != MPI_SUCCESS)
		rc = MPI_ERR_OTHER;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}
