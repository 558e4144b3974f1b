/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c: computes the contention of messages in transfer at the same time (flows.h). */
#include "analysis/links/flows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/links/queries.h"

struct transfer {
	int64_t id;         /* of its send */
	int64_t start, end; /* it was over at `end` */
	uint64_t bytes;
	double byte_ns;    /* alone */
	uint32_t from, to; /* nodes */
};

struct node_flows {
	struct transfer last[FLOWS_OF_NODE]; /* a ring */
	uint32_t n;                          /* ever added */
};

static int64_t start_of(const struct op *send)
{
	const struct op *recv = send->partner;

	return send->protocol == PROTOCOL_RENDEZVOUS && recv->post > send->post ? recv->post :
										  send->post;
}

/* Hosts by name, in the order of their first rank. */
static int read_nodes(struct flows *f, const struct run_ranks *ranks)
{
	sqlite3_stmt *s;
	int rc = db_prepare(ranks->db, sql_links_nodes, &s);

	f->node_of = calloc(ranks->n, sizeof(*f->node_of));
	f->node = calloc(ranks->n, sizeof(*f->node));
	if (rc || !f->node_of || !f->node) {
		sqlite3_finalize(s);
		return rc ? db_say(ranks->db, rc, "read", ranks->say) : -ENOMEM;
	}
	/* a rank without a host counts as alone on one */
	for (uint32_t i = 0; i < ranks->n; i++)
		f->node_of[i] = i;
	f->nnodes = ranks->n;
	while ((rc = db_step(s)) > 0) {
		const struct run_rank *rank = rank_find(ranks, sqlite3_column_int64(s, 0));
		const struct run_rank *first = rank_find(ranks, sqlite3_column_int64(s, 1));

		if (rank && first)
			f->node_of[rank - ranks->at] = (uint32_t)(first - ranks->at);
	}
	sqlite3_finalize(s);
	return rc ? db_say(ranks->db, rc, "read", ranks->say) : 0;
}

/* Fair shares, unless the run has flow cuts. */
static int read_network(struct flows *f, const struct run_ranks *ranks)
{
	sqlite3_stmt *s;
	int rc = db_prepare(ranks->db, sql_links_network, &s);

	if (rc)
		return db_say(ranks->db, rc, "read", ranks->say);
	f->net = (struct contention){ .a = NAN, .b = NAN, .c = NAN };
	contention_share(&f->net);
	/* rows of the lowest rank come last and replace those of other ranks */
	while ((rc = db_step(s)) > 0) {
		const char *name = (const char *)sqlite3_column_text(s, 0);
		double value = sqlite3_column_double(s, 1);
		double *cut = name ? contention_cut(&f->net, name) : NULL;

		if (cut && value >= 0)
			*cut = value;
	}
	sqlite3_finalize(s);
	return rc ? db_say(ranks->db, rc, "read", ranks->say) : 0;
}

int flows_init(struct flows *f, const struct run_ranks *ranks, const struct run_links *links)
{
	int rc = read_nodes(f, ranks);

	f->links = links;
	if (!rc)
		rc = read_network(f, ranks);
	for (uint32_t i = 1; i < ranks->n && !rc; i++)
		f->known |= f->node_of[i] != f->node_of[0];
	return rc;
}

void flows_release(struct flows *f)
{
	for (uint32_t i = 0; f->node && i < f->nnodes; i++)
		free(f->node[i]);
	free(f->node);
	free(f->node_of);
	memset(f, 0, sizeof(*f));
}

static uint32_t node_of(const struct flows *f, const struct run_ranks *ranks, const struct op *op)
{
	return f->node_of[op->rank - ranks->at];
}

/* Time per byte of the message if it is alone [ns]; 0: unknown. */
static double byte_ns(const struct flows *f, const struct run_ranks *ranks, const struct op *send)
{
	return run_links_between(f->links, ranks, send->rank, send->partner->rank)->byte_ns;
}

bool flows_between(const struct flows *f, const struct run_ranks *ranks, const struct op *op)
{
	return f->known && op->partner && op->bytes > 0 &&
		node_of(f, ranks, op) != node_of(f, ranks, op->partner) &&
		byte_ns(f, ranks, op->kind == KIND_SEND ? op : op->partner) > 0;
}

static int add_to(struct flows *f, uint32_t node, const struct transfer *t)
{
	if (!f->node[node])
		f->node[node] = calloc(1, sizeof(*f->node[node]));
	if (!f->node[node])
		return -ENOMEM;
	f->node[node]->last[f->node[node]->n++ % FLOWS_OF_NODE] = *t;
	return 0;
}

int flows_add(struct flows *f, const struct run_ranks *ranks, const struct op *send)
{
	const struct transfer t = { .id = send->id,
		.start = start_of(send),
		.end = send->partner->pending ? INT64_MAX : send->partner->leave,
		.bytes = (uint64_t)send->bytes,
		.byte_ns = byte_ns(f, ranks, send),
		.from = node_of(f, ranks, send),
		.to = node_of(f, ranks, send->partner) };
	int rc = add_to(f, t.from, &t);

	return rc ? rc : add_to(f, t.to, &t);
}

/* Adds the node's messages that overlap [start, until] and are not yet in flow[0..n). */
static size_t gather(const struct node_flows *node, uint32_t skip, int64_t id, int64_t start,
	int64_t until, struct flow *flow, size_t n)
{
	uint32_t kept = node ? (node->n < FLOWS_OF_NODE ? node->n : FLOWS_OF_NODE) : 0;

	for (uint32_t i = 0; i < kept && n < FLOWS_AT_ONCE; i++) {
		const struct transfer *t = &node->last[i];

		/* messages between both nodes came with the first node */
		if (t->id != id && t->from != skip && t->to != skip && t->start < until &&
			t->end > start)
			flow[n++] = (struct flow){ .from = (int)t->from,
				.to = (int)t->to,
				.start_ns = (double)(t->start - start),
				.bytes = t->bytes,
				.byte_ns = t->byte_ns };
	}
	return n;
}

int64_t flows_slowdown(
	struct flows *f, const struct run_ranks *ranks, const struct op *send, int64_t until)
{
	const uint32_t from = node_of(f, ranks, send), to = node_of(f, ranks, send->partner);
	const int64_t start = start_of(send);
	struct flow flow[FLOWS_AT_ONCE] = { { .from = (int)from,
		.to = (int)to,
		.bytes = (uint64_t)send->bytes,
		.byte_ns = byte_ns(f, ranks, send) } };
	size_t n = gather(f->node[from], UINT32_MAX, send->id, start, until, flow, 1);
	double more;

	n = gather(f->node[to], from, send->id, start, until, flow, n);
	if (n == 1 || contention_run(&f->net, flow, n) != 0)
		return 0;
	more = flow[0].end_ns - flow[0].start_ns - (double)flow[0].bytes * flow[0].byte_ns;
	return isfinite(more) && more > 0 ? llround(more) : 0;
}
