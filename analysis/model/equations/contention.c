/* SPDX-License-Identifier: BSD-3-Clause */
/* contention.c: see contention.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/equations/contention.h"

/*
 * Numbers the nodes from 0, and notes which flows use each direction of a node. Port 2 * node is
 * its way out, 2 * node + 1 its way in. A flow uses the way out of its source and the way in of its
 * target.
 */
struct ports {
	size_t nnodes;
	int *name; /* sorted */
	struct port {
		size_t degree;
		size_t flow[2]; /* the first two */
	} * port;
};

struct scene {
	const struct contention *net;
	const struct flow *flow;
	size_t n;
	size_t *out, *in; /* ports of each flow; SIZE_MAX: inside a node */
	struct ports ports;
	double *cut; /* below 0: not decided */
};

static int ascending(const void *pa, const void *pb)
{
	int a = *(const int *)pa, b = *(const int *)pb;

	return (a > b) - (a < b);
}

static size_t node_number(const struct ports *p, int name)
{
	const int *at = bsearch(&name, p->name, p->nnodes, sizeof(*p->name), ascending);

	return (size_t)(at - p->name);
}

static void scene_release(struct scene *s)
{
	free(s->out);
	free(s->ports.name);
	free(s->ports.port);
}

static int scene_init(struct scene *s, const struct contention *net, const struct flow *flow,
	size_t n, double *cut)
{
	size_t m = 0;

	*s = (struct scene){ .net = net, .flow = flow, .n = n, .cut = cut };
	s->out = malloc(2 * n * sizeof(*s->out));
	s->ports.name = malloc(2 * n * sizeof(*s->ports.name));
	s->ports.port = calloc(4 * n, sizeof(*s->ports.port));
	if (!s->out || !s->ports.name || !s->ports.port) {
		scene_release(s);
		return -ENOMEM;
	}
	s->in = s->out + n;
	for (size_t i = 0; i < n; i++) {
		s->ports.name[2 * i] = flow[i].from;
		s->ports.name[2 * i + 1] = flow[i].to;
	}
	qsort(s->ports.name, 2 * n, sizeof(*s->ports.name), ascending);
	for (size_t i = 0; i < 2 * n; i++)
		if (i == 0 || s->ports.name[i] != s->ports.name[m - 1])
			s->ports.name[m++] = s->ports.name[i];
	s->ports.nnodes = m;
	for (size_t i = 0; i < n; i++) {
		int inside = flow[i].from == flow[i].to;

		s->out[i] = inside ? SIZE_MAX : 2 * node_number(&s->ports, flow[i].from);
		s->in[i] = inside ? SIZE_MAX : 2 * node_number(&s->ports, flow[i].to) + 1;
	}
	return 0;
}

static void port_add(struct port *p, size_t flow)
{
	if (p->degree < 2)
		p->flow[p->degree] = flow;
	p->degree++;
}

static size_t degree(const struct scene *s, size_t port)
{
	return s->ports.port[port].degree;
}

/* The other flow of a port that two share, or SIZE_MAX. */
static size_t partner(const struct scene *s, size_t port, size_t flow)
{
	const struct port *p = &s->ports.port[port];

	return p->degree != 2 ? SIZE_MAX : p->flow[p->flow[0] == flow];
}

static int crowded(const struct scene *s, size_t f)
{
	return degree(s, s->out[f]) > 2 || degree(s, s->in[f]) > 2;
}

/*
 * Walks from flow f, leaving by `port`, along ports that two flows share. Counts the flows beyond f
 * and gives the k-th of them (k odd or even, f itself is 0) its cut. *ring: came back to f.
 */
static size_t chain_walk(struct scene *s, size_t f, size_t port, const double *cuts, int *ring)
{
	size_t count = 0, at = f, next;

	*ring = 0;
	while ((next = partner(s, port, at)) != SIZE_MAX && !crowded(s, next)) {
		if (next == f) {
			*ring = 1;
			break;
		}
		count++;
		if (cuts)
			s->cut[next] = cuts[count % 2];
		port = port == s->out[next] ? s->in[next] : s->out[next];
		at = next;
	}
	return count;
}

/* Flows that share a direction with others: R2. */
static void same_direction(struct scene *s, size_t f)
{
	const struct contention *net = s->net;
	size_t out = degree(s, s->out[f]), in = degree(s, s->in[f]), length;
	size_t beyond_out, beyond_in;
	double cuts[2] = { net->cut_pair, net->cut_pair };
	int ring;

	if (crowded(s, f)) {
		s->cut[f] = (double)((out > in ? out : in) - 1);
		return;
	}
	beyond_out = chain_walk(s, f, s->out[f], NULL, &ring);
	beyond_in = ring ? 0 : chain_walk(s, f, s->in[f], NULL, &ring);
	length = 1 + beyond_out + beyond_in;
	if (!ring && length >= 3 && length % 2 == 1) {
		/* counted from f: the ends of an odd chain are at an even place */
		cuts[beyond_out % 2] = net->cut_chain_end;
		cuts[1 - beyond_out % 2] = net->cut_chain_middle;
	}
	if (length == 2 && beyond_in == 1 && !isnan(net->cut_in))
		cuts[1] = cuts[0] = net->cut_in;
	s->cut[f] = cuts[0];
	chain_walk(s, f, s->out[f], cuts, &ring);
	if (!ring)
		chain_walk(s, f, s->in[f], cuts, &ring);
}

/* The undecided flow that leaves the node at the end of f, or SIZE_MAX. At most one can be. */
static size_t follower(const struct scene *s, size_t f)
{
	const struct port *p = &s->ports.port[s->in[f] - 1];

	return p->degree == 1 && s->cut[p->flow[0]] < 0 ? p->flow[0] : SIZE_MAX;
}

static size_t leader(const struct scene *s, size_t f)
{
	const struct port *p = &s->ports.port[s->out[f] + 1];

	return p->degree == 1 && s->cut[p->flow[0]] < 0 ? p->flow[0] : SIZE_MAX;
}

/* R1 on a chain of flows of which each enters where the next leaves: pairs from its beginning. */
static void pairs_along(struct scene *s, size_t f)
{
	const struct contention *net = s->net;

	while (f != SIZE_MAX) {
		size_t second = follower(s, f), next = SIZE_MAX;

		if (second != SIZE_MAX && second != f) {
			s->cut[f] = net->cut_enter;
			next = follower(s, second);
			s->cut[second] = net->cut_leave;
			if (next == f)
				next = SIZE_MAX;
		} else {
			int before = degree(s, s->out[f]) + degree(s, s->out[f] + 1) > 1;
			int behind = degree(s, s->in[f]) + degree(s, s->in[f] - 1) > 1;

			s->cut[f] = before && behind ? net->cut_between : net->cut_single;
		}
		f = next;
	}
}

void contention_share(struct contention *net)
{
	net->cut_pair = 1;
	net->cut_chain_end = 0.5;
	net->cut_chain_middle = 2;
	net->cut_enter = net->cut_leave = net->cut_between = net->cut_single = 0;
	net->cut_in = NAN;
}

double *contention_cut(struct contention *net, const char *name)
{
	const struct {
		const char *name;
		double *cut;
	} all[] = {
		{ "cut_pair", &net->cut_pair },
		{ "cut_chain_end", &net->cut_chain_end },
		{ "cut_chain_middle", &net->cut_chain_middle },
		{ "cut_enter", &net->cut_enter },
		{ "cut_leave", &net->cut_leave },
		{ "cut_between", &net->cut_between },
		{ "cut_single", &net->cut_single },
		{ "cut_in", &net->cut_in },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(name, all[i].name) == 0)
			return all[i].cut;
	return NULL;
}

int contention_cuts(const struct contention *net, const struct flow *flow, size_t n, double *cut)
{
	struct scene s;

	if (n == 0)
		return 0;
	if (scene_init(&s, net, flow, n, cut) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		cut[i] = s.out[i] == SIZE_MAX ? 0 : -1;
		if (cut[i] < 0) {
			port_add(&s.ports.port[s.out[i]], i);
			port_add(&s.ports.port[s.in[i]], i);
		}
	}
	for (size_t i = 0; i < n; i++) /* R3: these count before the others */
		if (cut[i] < 0 && (degree(&s, s.out[i]) > 1 || degree(&s, s.in[i]) > 1))
			same_direction(&s, i);
	for (size_t i = 0; i < n; i++)
		if (cut[i] < 0 && leader(&s, i) == SIZE_MAX)
			pairs_along(&s, i);
	for (size_t i = 0; i < n; i++) /* the flows left form rings */
		if (cut[i] < 0)
			pairs_along(&s, i);
	scene_release(&s);
	return 0;
}

double contention_alone(const struct contention *net, uint64_t bytes, int same_node)
{
	double slope = same_node ? net->c : (double)bytes < net->m0 ? net->a : net->b;

	return net->L + (double)bytes * slope;
}

/* State of contention_run(): the flows that run, and how much of each is left [ns alone]. */
struct running {
	size_t n;
	struct flow *now; /* copies */
	size_t *which;    /* their places in the caller's array */
	double *left;     /* time that each would still take alone */
	double *cut;
};

/* Starts a flow. If its time alone is unknown, it has no end and disturbs no other flow. */
static void flow_start(struct running *r, const struct contention *net, struct flow *flow, size_t i)
{
	double alone = flow[i].byte_ns > 0 ?
		net->L + (double)flow[i].bytes * flow[i].byte_ns :
		contention_alone(net, flow[i].bytes, flow[i].from == flow[i].to);

	flow[i].end_ns = NAN;
	if (isnan(alone))
		return;
	r->now[r->n] = flow[i];
	r->which[r->n] = i;
	r->left[r->n] = alone - net->L;
	r->n++;
}

/* Moves time on from t to the next event, at the latest `until`; ends flows. Returns the time. */
static double advance(
	struct running *r, const struct contention *net, struct flow *flow, double t, double until)
{
	double step = until - t;
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++)
		step = fmin(step, r->left[i] * (1 + r->cut[i]));
	for (size_t i = 0; i < r->n; i++) {
		double need = r->left[i] * (1 + r->cut[i]);

		if (need <= step * (1 + 1e-12)) {
			flow[r->which[i]].end_ns = t + step + net->L;
			continue;
		}
		r->left[i] -= step / (1 + r->cut[i]);
		r->left[kept] = r->left[i];
		r->which[kept] = r->which[i];
		r->now[kept++] = r->now[i];
	}
	r->n = kept;
	return t + step;
}

/* A flow's number with its key, for qsort(). The arguments of qsort_r differ between systems. */
struct beginning {
	double at;
	size_t flow;
};

static int by_start(const void *pa, const void *pb)
{
	const struct beginning *a = pa, *b = pb;

	return a->at != b->at ? (a->at > b->at) - (a->at < b->at) :
				(a->flow > b->flow) - (a->flow < b->flow);
}

static int run(const struct contention *net, struct flow *flow, struct beginning *order,
	struct running *r, size_t n)
{
	double t = n ? order[0].at : 0;
	size_t next = 0;

	while (next < n || r->n > 0) {
		if (r->n == 0 && order[next].at > t)
			t = order[next].at;
		while (next < n && order[next].at <= t)
			flow_start(r, net, flow, order[next++].flow);
		if (contention_cuts(net, r->now, r->n, r->cut) < 0)
			return -ENOMEM;
		t = advance(r, net, flow, t, next < n ? order[next].at : INFINITY);
	}
	return 0;
}

int contention_run(const struct contention *net, struct flow *flow, size_t n)
{
	struct beginning *order = malloc((n + 1) * sizeof(*order));
	struct running r = {
		.now = malloc((n + 1) * sizeof(*r.now)),
		.which = malloc((n + 1) * sizeof(*r.which)),
		.left = malloc((n + 1) * sizeof(*r.left)),
		.cut = malloc((n + 1) * sizeof(*r.cut)),
	};
	int rc = -ENOMEM;

	if (order && r.now && r.which && r.left && r.cut) {
		for (size_t i = 0; i < n; i++)
			order[i] = (struct beginning){ flow[i].start_ns, i };
		qsort(order, n, sizeof(*order), by_start);
		rc = run(net, flow, order, &r, n);
	}
	free(order);
	free(r.now);
	free(r.which);
	free(r.left);
	free(r.cut);
	return rc;
}

double contention_broadcast(
	const struct contention *net, const int *node_of, int n, uint64_t bytes, int independent)
{
	struct flow *flow = malloc((size_t)n * sizeof(*flow));
	double t = 0;
	int distance = 1;

	if (!flow)
		return NAN;
	while (distance < n)
		distance *= 2;
	for (distance /= 2; distance > 0; distance /= 2) {
		double step = 0;
		size_t m = 0;

		for (int r = 0; r + distance < n; r += 2 * distance)
			flow[m++] = (struct flow){
				.from = node_of[r], .to = node_of[r + distance], .bytes = bytes
			};
		if (!independent && contention_run(net, flow, m) < 0)
			step = NAN;
		for (size_t i = 0; i < m; i++) {
			double end = independent ?
				contention_alone(net, bytes, flow[i].from == flow[i].to) :
				flow[i].end_ns;

			step = end > step || isnan(end) ? end : step;
		}
		t += step;
	}
	free(flow);
	return t;
}
