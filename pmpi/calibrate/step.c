/* SPDX-License-Identifier: BSD-3-Clause */
/* step.c: sender and receiver in one sample, for every send form and both layouts. */
#include <errno.h>
#include <stdlib.h>

#include "pmpi/calibrate/step.h"
#include "pmpi/measure/tags.h"

enum { BLOCK = 8 }; /* bytes of a strided type's blocks, and of its gaps */

/* A message as MPI describes it: contiguous bytes, or blocks with gaps. */
struct message {
	MPI_Datatype type;
	int count;
	bool made;
};

static int message_init(struct message *msg, const struct step *s)
{
	int rc;

	*msg = (struct message){ .type = MPI_BYTE, .count = (int)s->bytes };
	if (full_layout(s) != SAMPLE_STRIDED)
		return MPI_SUCCESS;
	msg->count = 1;
	rc = MPI_Type_vector((int)(s->bytes / BLOCK), BLOCK, 2 * BLOCK, MPI_BYTE, &msg->type);
	if (rc == MPI_SUCCESS)
		rc = MPI_Type_commit(&msg->type);
	msg->made = rc == MPI_SUCCESS;
	return rc;
}

static void message_release(struct message *msg)
{
	if (msg->made)
		MPI_Type_free(&msg->type);
}

/* A send in one of the twelve forms. */
struct sending {
	const struct message *msg;
	unsigned form;
	char *buf;
	int peer;
	MPI_Comm comm;
	MPI_Request request;
};

static bool is_persistent(unsigned form)
{
	return form >= SAMPLE_SEND_INIT && form <= SAMPLE_RSEND_INIT;
}

static bool is_blocking(unsigned form)
{
	return form >= SAMPLE_SEND_FORM && form <= SAMPLE_RSEND;
}

#define ARGUMENTS(a) (a)->buf, (a)->msg->count, (a)->msg->type, (a)->peer, TAG_DATA, (a)->comm

static int sending_prepare(struct sending *a)
{
	a->request = MPI_REQUEST_NULL;
	switch (a->form) {
	case SAMPLE_SEND_INIT:
		return MPI_Send_init(ARGUMENTS(a), &a->request);
	case SAMPLE_BSEND_INIT:
		return MPI_Bsend_init(ARGUMENTS(a), &a->request);
	case SAMPLE_SSEND_INIT:
		return MPI_Ssend_init(ARGUMENTS(a), &a->request);
	case SAMPLE_RSEND_INIT:
		return MPI_Rsend_init(ARGUMENTS(a), &a->request);
	default:
		return MPI_SUCCESS;
	}
}

static int sending_post(struct sending *a)
{
	switch (a->form) {
	case SAMPLE_BSEND:
		return MPI_Bsend(ARGUMENTS(a));
	case SAMPLE_SSEND:
		return MPI_Ssend(ARGUMENTS(a));
	case SAMPLE_RSEND:
		return MPI_Rsend(ARGUMENTS(a));
	case SAMPLE_ISEND:
		return MPI_Isend(ARGUMENTS(a), &a->request);
	case SAMPLE_IBSEND:
		return MPI_Ibsend(ARGUMENTS(a), &a->request);
	case SAMPLE_ISSEND:
		return MPI_Issend(ARGUMENTS(a), &a->request);
	case SAMPLE_IRSEND:
		return MPI_Irsend(ARGUMENTS(a), &a->request);
	case SAMPLE_SEND_FORM:
		return MPI_Send(ARGUMENTS(a));
	default:
		return MPI_Start(&a->request);
	}
}

static int sending_complete(struct sending *a)
{
	return is_blocking(a->form) ? MPI_SUCCESS : MPI_Wait(&a->request, MPI_STATUS_IGNORE);
}

/* The send of a step that times its post, its completion or both. */
static int send_timed(
	struct pair *p, struct sending *a, const struct step *s, uint64_t start, double *ns)
{
	uint64_t enter = spin_on_time(p, start), posted, done;
	int rc = sending_post(a);

	posted = clock_ticks();
	if (s->kind == FULL_OVERLAP_SEND)
		posted = spin_until(start + clock_from_ns(s->delay_ns));
	if (rc == MPI_SUCCESS)
		rc = sending_complete(a);
	done = clock_ticks();
	if (s->kind == FULL_POST)
		done = posted;
	else if (s->kind == FULL_COMPLETE || s->kind == FULL_OVERLAP_SEND)
		enter = posted;
	*ns = (double)clock_ns(done - enter);
	return rc;
}

/* A blocking receive; `empty` for the answer of a train. */
static int receive(struct pair *p, const struct message *msg, bool empty)
{
	return MPI_Recv(p->recv_buf, empty ? 0 : msg->count, msg->type, p->peer, TAG_DATA,
		p->m->comm, MPI_STATUS_IGNORE);
}

static int round_trip(
	struct pair *p, struct sending *a, const struct step *s, uint64_t start, double *ns)
{
	uint64_t enter = spin_on_time(p, start), sent;
	int rc = sending_post(a);

	sent = clock_ticks();
	if (s->delay_ns > 0)
		spin_on_time(p, clock_ticks() + clock_from_ns(s->delay_ns));
	if (rc == MPI_SUCCESS)
		rc = receive(p, a->msg, false);
	*ns = (double)clock_ns((s->kind == FULL_RTT ? clock_ticks() : sent) - enter);
	return rc;
}

static int send_train(
	struct pair *p, struct sending *a, const struct step *s, uint64_t start, double *ns)
{
	uint64_t enter = spin_on_time(p, start);
	int rc = MPI_SUCCESS;

	for (uint32_t i = 0; i < s->count && rc == MPI_SUCCESS; i++)
		rc = sending_post(a);
	if (rc == MPI_SUCCESS)
		rc = receive(p, a->msg, true);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

static int send_step(struct pair *p, const struct step *s, uint64_t start, double *ns)
{
	struct message msg;
	struct sending a = { .msg = &msg,
		.form = s->send_form,
		.buf = p->send_buf,
		.peer = p->peer,
		.comm = p->m->comm };
	int rc = message_init(&msg, s);

	if (rc == MPI_SUCCESS)
		rc = sending_prepare(&a);
	if (rc == MPI_SUCCESS && (s->kind == FULL_RTT || s->kind == FULL_RTT_SEND))
		rc = round_trip(p, &a, s, start, ns);
	else if (rc == MPI_SUCCESS && s->kind == FULL_TRAIN)
		rc = send_train(p, &a, s, start, ns);
	else if (rc == MPI_SUCCESS)
		rc = send_timed(p, &a, s, start, ns);
	if (is_persistent(a.form) && a.request != MPI_REQUEST_NULL)
		MPI_Request_free(&a.request);
	message_release(&msg);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* Stays inside MPI, without a message, until `ticks`. */
static int progress_until(struct pair *p, uint64_t ticks)
{
	int rc = MPI_SUCCESS, found;

	while (rc == MPI_SUCCESS && (int64_t)(clock_ticks() - ticks) < 0)
		rc = MPI_Iprobe(p->peer, TAG_UNUSED, p->m->comm, &found, MPI_STATUS_IGNORE);
	return rc;
}

/* The receive posted at T and waited for after `delay` of computing: the wait is timed. */
static int recv_overlap(
	struct pair *p, const struct message *msg, const struct step *s, uint64_t start, double *ns)
{
	MPI_Request request;
	uint64_t enter;
	int rc;

	spin_until(start);
	rc = MPI_Irecv(p->recv_buf, msg->count, msg->type, p->peer, TAG_DATA, p->m->comm, &request);
	enter = spin_on_time(p, start + clock_from_ns(s->delay_ns));
	if (rc == MPI_SUCCESS)
		rc = MPI_Wait(&request, MPI_STATUS_IGNORE);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

/* A receive entered late on purpose; timed from its entry. */
static int recv_late(
	struct pair *p, const struct message *msg, const struct step *s, uint64_t start, double *ns)
{
	uint64_t begin = start + clock_from_ns(s->delay_ns), enter;
	int rc = s->kind == FULL_LATE_MATCH ? progress_until(p, begin) : MPI_SUCCESS;

	enter = spin_on_time(p, begin);
	if (rc == MPI_SUCCESS)
		rc = receive(p, msg, false);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

/* A receive posted before T and completed late: a ready send must find it. */
static int recv_ready_late(
	struct pair *p, const struct message *msg, const struct step *s, uint64_t start, double *ns)
{
	MPI_Request request;
	uint64_t enter;
	int rc = MPI_Irecv(
		p->recv_buf, msg->count, msg->type, p->peer, TAG_DATA, p->m->comm, &request);

	enter = spin_on_time(p, start + clock_from_ns(s->delay_ns));
	if (rc == MPI_SUCCESS)
		rc = MPI_Wait(&request, MPI_STATUS_IGNORE);
	*ns = (double)clock_ns(clock_ticks() - enter);
	return rc;
}

/* Receives posted before T: ready sends find them, and no send waits for them. */
static int recv_early(
	struct pair *p, const struct message *msg, const struct step *s, uint64_t start, double *ns)
{
	int rc = receive(p, msg, false);

	for (uint32_t i = 1; s->kind == FULL_TRAIN && i < s->count && rc == MPI_SUCCESS; i++)
		rc = receive(p, msg, false);
	if (rc == MPI_SUCCESS &&
		(s->kind == FULL_TRAIN || s->kind == FULL_RTT || s->kind == FULL_RTT_SEND))
		rc = MPI_Send(p->send_buf, s->kind == FULL_TRAIN ? 0 : msg->count, msg->type,
			p->peer, TAG_DATA, p->m->comm);
	*ns = (double)clock_ns(clock_ticks() - start);
	return rc;
}

static int recv_step(struct pair *p, const struct step *s, uint64_t start, double *ns)
{
	struct message msg;
	int rc = message_init(&msg, s);

	if (rc == MPI_SUCCESS && s->kind == FULL_OVERLAP_RECV)
		rc = recv_overlap(p, &msg, s, start, ns);
	else if (rc == MPI_SUCCESS && s->kind == FULL_LATE_PROGRESS && full_is_ready(s->send_form))
		rc = recv_ready_late(p, &msg, s, start, ns);
	else if (rc == MPI_SUCCESS &&
		(s->kind == FULL_LATE_MATCH || s->kind == FULL_LATE_PROGRESS ||
			s->kind == FULL_RECV))
		rc = recv_late(p, &msg, s, start, ns);
	else if (rc == MPI_SUCCESS)
		rc = recv_early(p, &msg, s, start, ns);
	message_release(&msg);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* half of a strided message is gaps */
const struct more_steps full_steps = { .buffer_bytes = 2 * (size_t)PAIR_BYTES_MAX,
	.send = send_step,
	.recv = recv_step };

static void *attached;

int full_buffer_attach(void)
{
	int bytes = PAIR_BYTES_MAX + 64 * MPI_BSEND_OVERHEAD;

	attached = malloc((size_t)bytes);
	if (!attached)
		return -ENOMEM;
	return MPI_Buffer_attach(attached, bytes) == MPI_SUCCESS ? 0 : -EIO;
}

void full_buffer_detach(void)
{
	void *buf;
	int bytes;

	if (attached)
		MPI_Buffer_detach(&buf, &bytes);
	free(attached);
	attached = NULL;
}
