/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group.c: bursts 1:P-P:1, transfers that share nodes, and broadcasts. All ranks call these
 * functions; ranks outside a pattern sleep. Samples have from = to = 0.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "pmpi/calibrate/group.h"
#include "pmpi/calibrate/messages.h"
#include "pmpi/calibrate/step.h"
#include "pmpi/measure/tags.h"

enum { BURST_REPEATS = 40, BURST_HOSTS_MAX = 64, FLOW_REPEATS = 12, FLOW_LEAST = 3 };

/* A transfer that takes longer than this measures the network even if ranks share CPUs. */
#define SLOW_NS 10e6

/* Rank 0 sends to ranks 1 to P, and gets answers: the whole time, and the mean time of a send. */
static int burst_lead(struct measure *m, int P, double *whole, double *send)
{
	char byte = 0;
	uint64_t begin = clock_ticks(), sent;
	int rc = MPI_SUCCESS;

	for (int i = 1; i <= P && rc == MPI_SUCCESS; i++)
		rc = MPI_Send(&byte, 1, MPI_BYTE, i, TAG_DATA, m->comm);
	sent = clock_ticks();
	for (int i = 1; i <= P && rc == MPI_SUCCESS; i++)
		rc = MPI_Recv(&byte, 1, MPI_BYTE, i, TAG_DATA, m->comm, MPI_STATUS_IGNORE);
	*whole = (double)clock_ns(clock_ticks() - begin);
	*send = (double)clock_ns(sent - begin) / P;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static int burst_answer(struct measure *m)
{
	char byte;

	if (MPI_Recv(&byte, 1, MPI_BYTE, 0, TAG_DATA, m->comm, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
		MPI_Send(&byte, 1, MPI_BYTE, 0, TAG_DATA, m->comm) != MPI_SUCCESS)
		return -EIO;
	return 0;
}

/* Rank 0 decides, and tells all ranks, which sleep until then. 1, 0 or -EIO. */
static int decide(struct measure *m, int yes, uint64_t until)
{
	return measure_broadcast(m, &yes, sizeof(yes), 0, until) ? -EIO : yes;
}

/* Is there time for more? As decide(). */
static int go_on(struct measure *m, uint64_t deadline)
{
	return decide(m, (int64_t)(clock_ticks() - deadline) < 0, deadline);
}

static int bursts(struct measure *m, uint64_t deadline, struct full_samples *out)
{
	int most = m->nranks - 1 < BURST_HOSTS_MAX ? m->nranks - 1 : BURST_HOSTS_MAX;

	for (int P = 1; P <= most; P = P < 16 ? P + 1 : P * 2) {
		struct sample like = { .kind = SAMPLE_BURST, .count = (uint32_t)P, .bytes = 1 };
		double whole[BURST_REPEATS], send[BURST_REPEATS];
		int more = go_on(m, deadline);

		if (more <= 0)
			return more;
		for (int i = -4; i < BURST_REPEATS; i++) { /* four only warm up */
			double w = 0, s = 0;
			int rc = 0;

			if (m->rank == 0)
				rc = burst_lead(m, P, &w, &s);
			else if (m->rank <= P)
				rc = burst_answer(m);
			if (rc)
				return rc;
			if (i >= 0 && m->rank == 0) {
				whole[i] = w;
				send[i] = s;
			}
		}
		if (m->rank != 0)
			continue;
		full_add(out, &like, whole, BURST_REPEATS);
		like.kind = SAMPLE_BURST_SEND;
		full_add(out, &like, send, BURST_REPEATS);
	}
	return 0;
}

/* Two flows at once; the second may be absent (from < 0). */
struct pattern {
	struct {
		int from, to;
		enum sample_flow flow;
	} flow[2];
};

/*
 * Four ranks: a on one host, b on one or two others. Rank 0 is a[0] or b[0], and both take part in
 * every pattern. So rank 0 calls go_on() only after a repetition has ended.
 */
struct places {
	int a[2], b[2];
	bool found;
};

static struct places find_places(const struct measure *m, const uint64_t *host)
{
	struct places p = { .a = { -1, -1 }, .b = { -1, -1 } };

	for (int i = 0; i < m->nranks && !p.found; i++) {
		p = (struct places){ .a = { i, -1 }, .b = { -1, -1 } };
		for (int j = i + 1; j < m->nranks && p.a[1] < 0; j++)
			if (host[j] == host[i])
				p.a[1] = j;
		for (int j = 0; j < m->nranks; j++) {
			if (host[j] == host[i])
				continue;
			if (p.b[0] < 0)
				p.b[0] = j;
			else if (p.b[1] < 0 ||
				(host[p.b[1]] == host[p.b[0]] && host[j] != host[p.b[0]]))
				p.b[1] = j; /* preferably on a third host */
		}
		p.found = p.a[1] >= 0 && p.b[1] >= 0;
	}
	return p;
}

/*
 * Returns on all of these ranks at about the same time. ranks[0] leads; a rank below 0 is none.
 * Other ranks return at once: in a barrier they would spin.
 */
static int start_together(struct measure *m, const int *ranks, int n)
{
	const bool leads = m->rank == ranks[0];
	int rc = MPI_SUCCESS;

	for (int way = 0; way < 2; way++)
		for (int i = 1; i < n && rc == MPI_SUCCESS; i++) {
			if (ranks[i] < 0 || (!leads && ranks[i] != m->rank))
				continue;
			if (leads == (way == 1))
				rc = MPI_Send(NULL, 0, MPI_BYTE, leads ? ranks[i] : ranks[0],
					TAG_CONTROL, m->comm);
			else
				rc = MPI_Recv(NULL, 0, MPI_BYTE, leads ? ranks[i] : ranks[0],
					TAG_CONTROL, m->comm, MPI_STATUS_IGNORE);
		}
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* One transfer, from the common start to the receiver's empty answer. */
static int timed_transfer(struct measure *m, int from, int to, char *buf, int bytes, double *ns)
{
	uint64_t begin = clock_ticks();
	int rc;

	if (m->rank == from) {
		rc = MPI_Send(buf, bytes, MPI_BYTE, to, TAG_DATA, m->comm);
		if (rc == MPI_SUCCESS)
			rc = MPI_Recv(buf, 0, MPI_BYTE, to, TAG_DATA, m->comm, MPI_STATUS_IGNORE);
	} else {
		rc = MPI_Recv(buf, bytes, MPI_BYTE, from, TAG_DATA, m->comm, MPI_STATUS_IGNORE);
		if (rc == MPI_SUCCESS)
			rc = MPI_Send(buf, 0, MPI_BYTE, from, TAG_DATA, m->comm);
	}
	*ns = (double)clock_ns(clock_ticks() - begin);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* *least: the time of the fastest transfer of this rank [ns]; INFINITY: it has none. */
static int flow_pattern(struct measure *m, const struct pattern *pt, char *buf, int bytes,
	uint64_t deadline, struct full_samples *out, double *least)
{
	const int ranks[] = { pt->flow[0].from, pt->flow[0].to, pt->flow[1].from, pt->flow[1].to };

	*least = INFINITY;
	for (int i = -1; i < FLOW_REPEATS; i++) {
		int more = i < FLOW_LEAST ? 1 : go_on(m, deadline);

		if (more <= 0)
			return more;
		if (start_together(m, ranks, 4))
			return -EIO;
		for (int f = 0; f < 2; f++) {
			struct sample like = { .kind = SAMPLE_FLOW,
				.flow = (uint8_t)pt->flow[f].flow,
				.bytes = (uint64_t)bytes,
				.count = pt->flow[1].from >= 0,
				.repetition = (uint32_t)i };
			double ns;

			if (m->rank != pt->flow[f].from && m->rank != pt->flow[f].to)
				continue;
			if (timed_transfer(m, pt->flow[f].from, pt->flow[f].to, buf, bytes, &ns))
				return -EIO;
			*least = fmin(*least, ns);
			if (i >= 0 && m->rank == pt->flow[f].from)
				full_add(out, &like, &ns, 1);
		}
	}
	return 0;
}

/* root sends to far and then to near; far passes the message on to last. All answer root. */
static int broadcast(struct measure *m, const struct places *pl, char *buf, int bytes)
{
	const int root = pl->a[0], far = pl->b[0], near = pl->b[1], last = pl->a[1];
	MPI_Status *const any = MPI_STATUS_IGNORE;
	int rc = MPI_SUCCESS;

	if (m->rank == root) {
		rc = MPI_Send(buf, bytes, MPI_BYTE, far, TAG_DATA, m->comm);
		if (rc == MPI_SUCCESS)
			rc = MPI_Send(buf, bytes, MPI_BYTE, near, TAG_DATA, m->comm);
		for (int i = 0; i < 3 && rc == MPI_SUCCESS; i++)
			rc = MPI_Recv(buf, 0, MPI_BYTE,
				i == 0         ? far :
					i == 1 ? near :
						 last,
				TAG_DATA, m->comm, any);
		return rc == MPI_SUCCESS ? 0 : -EIO;
	}
	if (m->rank != far && m->rank != near && m->rank != last)
		return 0;
	rc = MPI_Recv(buf, bytes, MPI_BYTE, m->rank == last ? far : root, TAG_DATA, m->comm, any);
	if (rc == MPI_SUCCESS && m->rank == far)
		rc = MPI_Send(buf, bytes, MPI_BYTE, last, TAG_DATA, m->comm);
	if (rc == MPI_SUCCESS)
		rc = MPI_Send(buf, 0, MPI_BYTE, root, TAG_DATA, m->comm);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static int broadcasts(struct measure *m, const struct places *pl, const uint64_t *host, char *buf,
	int bytes, uint64_t deadline, struct full_samples *out)
{
	for (int i = -1; i < FLOW_REPEATS; i++) {
		const struct sample like = { .kind = SAMPLE_BROADCAST,
			.bytes = (uint64_t)bytes,
			.count = host[pl->b[0]] == host[pl->b[1]] ? 2 : 3,
			.repetition = (uint32_t)i };
		int more = i < FLOW_LEAST ? 1 : go_on(m, deadline);
		uint64_t begin;
		double ns;

		if (more <= 0)
			return more;
		if (start_together(m, (const int[]){ pl->a[0], pl->a[1], pl->b[0], pl->b[1] }, 4))
			return -EIO;
		begin = clock_ticks();
		if (broadcast(m, pl, buf, bytes))
			return -EIO;
		ns = (double)clock_ns(clock_ticks() - begin);
		if (i >= 0 && m->rank == pl->a[0])
			full_add(out, &like, &ns, 1);
	}
	return 0;
}

/*
 * Do transfers measure the network? If ranks share CPUs, short ones measure the scheduler. least:
 * the fastest transfer of rank 0 [ns], which takes part in every pattern. As decide().
 */
static int tell_network(struct measure *m, double least, uint64_t until)
{
	const bool yes = !m->oversubscribed || least > SLOW_NS;

	if (m->rank == 0 && !yes)
		say_line(&full_stderr,
			"flow cuts and broadcasts are not measured: a host has more ranks than "
			"CPUs, and transfers of less than 10 ms measure the scheduler, not the "
			"network");
	return decide(m, yes, until);
}

static int flows(struct measure *m, const struct full_options *o, const uint64_t *host,
	uint64_t begin, struct full_samples *out)
{
	struct places pl = find_places(m, host);
	const enum sample_flow in =
		pl.found && host[pl.b[0]] != host[pl.b[1]] ? SAMPLE_FLOW_IN_APART : SAMPLE_FLOW_IN;
	const struct pattern patterns[] = {
		{ { { pl.a[0], pl.b[0], SAMPLE_FLOW_ALONE }, { -1, -1, SAMPLE_NO_FLOW } } },
		{ { { pl.a[0], pl.b[0], SAMPLE_FLOW_OUT },
			{ pl.a[1], pl.b[1], SAMPLE_FLOW_OUT } } },
		{ { { pl.b[0], pl.a[0], in }, { pl.b[1], pl.a[1], in } } },
		{ { { pl.b[0], pl.a[0], SAMPLE_FLOW_MIXED_IN },
			{ pl.a[1], pl.b[1], SAMPLE_FLOW_MIXED_OUT } } },
	};
	int bytes = (int)(o->max_bytes < 1 << 20 ? o->max_bytes : 1 << 20), rc = 0;
	size_t n = sizeof(patterns) / sizeof(*patterns);
	double least;
	int tells = 1;
	char *buf;

	if (!pl.found)
		return 0;
	buf = calloc(1, (size_t)bytes);
	if (!buf)
		return -ENOMEM;
	/* each pattern has an equal part of the time */
	for (size_t i = 0; i < n && rc == 0 && tells; i++) {
		rc = flow_pattern(m, &patterns[i], buf, bytes,
			begin +
				clock_from_ns((uint64_t)(0.5e9 * o->budget_s * (double)(i + 1) /
					(double)(n + 1))),
			out, &least);
		if (i == 0 && rc == 0) {
			tells = tell_network(m, least, begin);
			rc = tells < 0 ? tells : 0;
		}
	}
	if (rc == 0 && tells)
		rc = broadcasts(m, &pl, host, buf, bytes,
			begin + clock_from_ns((uint64_t)(0.5e9 * o->budget_s)), out);
	free(buf);
	return rc;
}

int full_group(struct measure *m, const struct full_options *o, const uint64_t *host_of,
	struct full_samples *out)
{
	uint64_t begin = clock_ticks();
	int rc = 0;

	/* on shared CPUs bursts would measure the scheduler */
	if (!m->oversubscribed && m->nranks >= 2)
		rc = bursts(m, begin + clock_from_ns((uint64_t)(0.2e9 * o->budget_s)), out);
	begin = clock_ticks();
	return rc == 0 ? flows(m, o, host_of, begin, out) : rc;
}
