/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self.c: messages to oneself. Here "the peer entered its call when this op was posted" means that
 * the other op has already been posted, since one thread does both.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi/measure/quick.h"
#include "pmpi/measure/tags.h"

enum { SELF_SAMPLES = 24, SELF_BYTES_MAX = 1 << 20 };

static const uint64_t lengths[] = { 0, 8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576 };

struct self {
	struct measure *m;
	uint64_t deadline;
	char *out, *in;
};

static bool time_left(const struct self *s)
{
	return (int64_t)(clock_ticks() - s->deadline) < 0;
}

/* The op of one side, timed after the other one was posted. */
static int timed(struct self *s, unsigned curve, int count, double *ns)
{
	struct measure *m = s->m;
	MPI_Request other, own = H(MPI_REQUEST_NULL);
	bool sends = (curve & 3) != LIVE_RECV;
	uint64_t enter;
	int rc;

	if (sends)
		rc = MPI(m, Irecv)(s->in, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &other);
	else
		rc = MPI(m, Isend)(s->out, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &other);
	if (rc != MPI_SUCCESS)
		return -EIO;
	enter = clock_ticks();
	if (curve == LIVE_SEND)
		rc = MPI(m, Send)(s->out, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm);
	else if (curve == LIVE_ISEND)
		rc = MPI(m, Isend)(s->out, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &own);
	else if (curve == LIVE_RECV)
		rc = MPI(m, Recv)(
			s->in, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, MPI_STATUS_IGNORE);
	else
		rc = MPI(m, Irecv)(s->in, count, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &own);
	if (rc == MPI_SUCCESS && own != H(MPI_REQUEST_NULL))
		rc = MPI(m, Wait)(&own, MPI_STATUS_IGNORE);
	*ns = (double)clock_ns(clock_ticks() - enter);
	if (MPI(m, Wait)(&other, MPI_STATUS_IGNORE) != MPI_SUCCESS || rc != MPI_SUCCESS)
		return -EIO;
	return 0;
}

/* 1 if a send completes before its receive is posted, else 0; or -EIO. */
static int completes_alone(struct self *s, uint64_t bytes)
{
	struct measure *m = s->m;
	MPI_Request send, recv;
	int done = 0, rc;

	rc = MPI(m, Isend)(s->out, (int)bytes, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &send);
	for (int i = 0; i < 3 && rc == MPI_SUCCESS && !done; i++)
		rc = MPI(m, Test)(&send, &done, MPI_STATUS_IGNORE);
	if (rc != MPI_SUCCESS ||
		MPI(m, Irecv)(s->in, (int)bytes, H(MPI_BYTE), m->rank, TAG_DATA, m->comm, &recv) !=
			MPI_SUCCESS ||
		(!done && MPI(m, Wait)(&send, MPI_STATUS_IGNORE) != MPI_SUCCESS) ||
		MPI(m, Wait)(&recv, MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return -EIO;
	return done;
}

static int self_border(struct self *s, struct live_border *b)
{
	uint64_t low = 0, high = SELF_BYTES_MAX;
	int alone = completes_alone(s, high);

	*b = (struct live_border){ .S = UINT64_MAX, .S_p = UINT64_MAX, .reach = high };
	if (alone)
		return alone < 0 ? alone : 0;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		alone = completes_alone(s, middle);
		if (alone < 0)
			return alone;
		*(alone ? &low : &high) = middle;
	}
	b->S = b->S_p = low;
	return 0;
}

static int self_curve(struct self *s, struct findings *f, unsigned curve)
{
	double ns[SELF_SAMPLES];

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths) && time_left(s); i++) {
		unsigned samples = lengths[i] > 65536 ? SELF_SAMPLES / 3 : SELF_SAMPLES;

		/* the first sample only warms up */
		for (unsigned k = 0; k <= samples; k++)
			if (timed(s, curve, (int)lengths[i], &ns[k ? k - 1 : 0]))
				return -EIO;
		if (curve == LIVE_SEND)
			findings_samples(f, SAMPLE_SEND, lengths[i], 0, ns, samples, 1);
		if (curve == LIVE_RECV)
			findings_samples(f, SAMPLE_RECV, lengths[i], 0, ns, samples, 1);
		findings_point(f, LIVE_TOTAL, curve, 0, lengths[i], ns, samples);
	}
	return 0;
}

int quick_self(struct measure *m, uint64_t deadline, struct findings *f)
{
	static const uint8_t curve[] = { LIVE_SEND, LIVE_RECV, LIVE_ISEND, LIVE_IRECV };
	struct self s = { m, deadline, calloc(1, SELF_BYTES_MAX), malloc(SELF_BYTES_MAX) };
	int rc = s.out && s.in ? 0 : -ENOMEM;

	if (rc == 0) {
		memset(s.in, 1, SELF_BYTES_MAX);
		memset(s.out, 1, SELF_BYTES_MAX);
		rc = self_border(&s, &f->border[0]);
		f->border[1] = f->border[2] = f->border[0];
	}
	for (size_t i = 0; i < sizeof(curve) && rc == 0; i++)
		rc = self_curve(&s, f, curve[i]);
	f->complete = rc == 0 && time_left(&s);
	free(s.out);
	free(s.in);
	return rc;
}
