/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c: connections and what they carry, event by event (traffic.h). */
#include "analysis/traffic/traffic.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/base/array.h"
#include "analysis/base/heap.h"

#define OVER_NS 1e-3 /* less is left of data that is gone */
#define CUTS_STEPS 8 /* to find the cut of a flow takes as long as so many steps */

enum stage { REQUEST, ANSWER, DATA, STAGES };

/* What a connection carries. */
struct load {
	struct transfer *of;
	struct load *next;
	double left_ns; /* alone */
	enum stage stage;
};

struct connection {
	uint32_t to; /* rank */
	uint32_t from_host, to_host;
	struct connection *next; /* of the same rank */
	struct load *first, **last;
	double left_ns;   /* of all that it carries */
	double queued_ns; /* the most of it that lies before others */
	size_t place;     /* in active[] */
	double came;      /* when the last request or answer over it comes */
};

/* Events of a message. */
enum event { SENT, RECEIVE_POSTED, REQUESTED, NOTICED, ANSWERED, GOES, ARRIVED, EVENTS };

struct happening {
	struct transfer *of;
	enum event what;
};

struct transfer {
	struct traffic_message message;
	uint32_t id;
	bool posted, noticed; /* the receive is posted; the request is noticed */
	struct connection *there, *back;
	struct load load[STAGES];
	struct happening happening[EVENTS];
};

struct traffic {
	const struct contention *cuts;
	const uint32_t *host_of;
	uint32_t nranks, ids;
	struct transfer **transfer;     /* by id; NULL: not on its way */
	struct connection **connection; /* by rank: the first of its list */
	struct heap coming;
	struct connection **active; /* those that carry something */
	struct flow *flow;          /* of each */
	double *cut;
	size_t nactive;
	uint32_t room, flow_room, cut_room;
	bool changed; /* cut[] is to be found anew */
	double now, steps;
};

struct traffic *traffic_new(
	const struct contention *cuts, const uint32_t *host_of, uint32_t nranks, uint32_t ids)
{
	struct traffic *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	*t = (struct traffic){ .cuts = cuts, .host_of = host_of, .nranks = nranks, .ids = ids };
	t->transfer = calloc((size_t)ids + 1, sizeof(struct transfer *));
	t->connection = calloc((size_t)nranks + 1, sizeof(struct connection *));
	if (t->transfer && t->connection)
		return t;
	traffic_free(t);
	return NULL;
}

void traffic_free(struct traffic *t)
{
	if (!t)
		return;
	heap_release(&t->coming);
	for (uint32_t r = 0; t->connection && r < t->nranks; r++)
		while (t->connection[r]) {
			struct connection *c = t->connection[r];

			t->connection[r] = c->next;
			free(c);
		}
	for (uint32_t id = 0; t->transfer && id < t->ids; id++)
		free(t->transfer[id]);
	free(t->connection);
	free(t->transfer);
	free(t->active);
	free(t->flow);
	free(t->cut);
	free(t);
}

static int happens(struct traffic *t, struct transfer *of, enum event what, double at)
{
	of->happening[what] = (struct happening){ of, what };
	return heap_push(&t->coming, llround(at), &of->happening[what]);
}

/* The connection between these ranks, at the head of its list now. NULL without memory. */
static struct connection *connect_ranks(struct traffic *t, uint32_t from, uint32_t to)
{
	struct connection **at = &t->connection[from], *c;

	while (*at && (*at)->to != to)
		at = &(*at)->next;
	c = *at;
	if (c) {
		*at = c->next;
	} else {
		c = malloc(sizeof(*c));
		if (!c)
			return NULL;
		*c = (struct connection){
			.to = to, .from_host = t->host_of[from], .to_host = t->host_of[to]
		};
	}
	c->next = t->connection[from];
	t->connection[from] = c;
	return c;
}

static int make_room(struct traffic *t)
{
	return array_room(&t->active, sizeof(struct connection *), &t->room, t->nactive) ||
			array_room(&t->flow, sizeof(*t->flow), &t->flow_room, t->nactive) ||
			array_room(&t->cut, sizeof(*t->cut), &t->cut_room, t->nactive) ?
		-ENOMEM :
		0;
}

/* The rank sends over the connection, behind what it has sent. */
static int carry(
	struct traffic *t, struct connection *c, struct transfer *of, enum stage stage, double ns)
{
	struct load *load = &of->load[stage];

	if (make_room(t))
		return -ENOMEM;
	*load = (struct load){ .of = of, .stage = stage, .left_ns = ns };
	if (!c->first) {
		c->place = t->nactive;
		t->active[t->nactive++] = c;
		t->changed = true;
	}
	*(c->first ? c->last : &c->first) = load;
	c->last = &load->next;
	c->left_ns += ns;
	return 0;
}

static int carry_data(struct traffic *t, struct transfer *of)
{
	of->there->queued_ns = of->message.queued_ns;
	return carry(t, of->there, of, DATA, of->message.bytes_ns);
}

/* The time of the data that is queued at the connection's host [ns]. */
static double queue_ns(const struct traffic *t, const struct connection *c)
{
	double ns = 0;

	for (size_t i = 0; i < t->nactive; i++) {
		const struct connection *other = t->active[i];

		if (other->from_host == c->from_host)
			ns += fmin(other->left_ns, other->queued_ns);
	}
	return ns;
}

/* A request or an answer comes at `at`, but not before those sent earlier over the connection. */
static int control_comes(
	struct traffic *t, struct connection *c, struct transfer *of, enum stage stage, double at)
{
	c->came = fmax(at, c->came + 1);
	return happens(t, of, stage == REQUEST ? REQUESTED : ANSWERED, c->came);
}

/* A request or an answer. */
static int carry_control(
	struct traffic *t, struct connection *c, struct transfer *of, enum stage stage)
{
	if (c->first)
		return carry(t, c, of, stage, 0);
	return control_comes(t, c, of, stage, t->now + of->message.flight_ns + queue_ns(t, c));
}

/* The message, which is on its way from now on. NULL without memory. */
static struct transfer *find(struct traffic *t, uint32_t id, const struct traffic_message *m)
{
	struct transfer *of = t->transfer[id];

	if (of)
		return of;
	of = calloc(1, sizeof(*of));
	if (!of)
		return NULL;
	*of = (struct transfer){ .message = *m,
		.id = id,
		.there = connect_ranks(t, m->from, m->to),
		.back = connect_ranks(t, m->to, m->from) };
	if (!of->there || !of->back) {
		free(of);
		return NULL;
	}
	t->transfer[id] = of;
	return of;
}

int traffic_send(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at)
{
	struct transfer *of = find(t, id, m);

	return of ? happens(t, of, SENT, (double)at) : -ENOMEM;
}

int traffic_receive(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at)
{
	struct transfer *of = find(t, id, m);

	return of ? happens(t, of, RECEIVE_POSTED, (double)at) : -ENOMEM;
}

int traffic_noticed(struct traffic *t, const struct traffic_news *came, int64_t at)
{
	return happens(t, t->transfer[came->id], came->what == TRAFFIC_REQUEST ? NOTICED : GOES,
		fmax((double)at, t->now));
}

static int tell(struct traffic *t, const struct transfer *of, enum traffic_what what,
	struct traffic_news *news)
{
	*news = (struct traffic_news){ of->id, what, llround(t->now) };
	return 1;
}

static int take(struct traffic *t, const struct happening *it, struct traffic_news *news)
{
	struct transfer *of = it->of;
	int rc;

	switch (it->what) {
	case SENT:
		return of->message.rendezvous ? carry_control(t, of->there, of, REQUEST) :
						carry_data(t, of);
	case REQUESTED:
		return tell(t, of, TRAFFIC_REQUEST, news);
	case RECEIVE_POSTED:
	case NOTICED:
		*(it->what == NOTICED ? &of->noticed : &of->posted) = true;
		return of->posted && of->noticed ? carry_control(t, of->back, of, ANSWER) : 0;
	case ANSWERED:
		return tell(t, of, TRAFFIC_ANSWER, news);
	case GOES:
		rc = carry_data(t, of);
		return rc ? rc : tell(t, of, TRAFFIC_SEND_OVER, news);
	case ARRIVED:
		tell(t, of, TRAFFIC_RECEIVE_OVER, news);
		t->transfer[of->id] = NULL;
		free(of);
		return 1;
	case EVENTS:
		break;
	}
	return 0;
}

/* The first load of the connection has left the host. */
static int leave_host(struct traffic *t, struct connection *c)
{
	struct load *load = c->first;
	const struct traffic_message *m = &load->of->message;

	c->first = load->next;
	if (!c->first) {
		c->left_ns = 0;
		t->active[c->place] = t->active[--t->nactive];
		t->active[c->place]->place = c->place;
		t->changed = true;
	}
	if (load->stage == DATA)
		return happens(t, load->of, ARRIVED, t->now + m->tail_ns);
	return control_comes(t, c, load->of, load->stage, t->now + m->flight_ns);
}

static int find_cuts(struct traffic *t)
{
	for (size_t i = 0; i < t->nactive; i++)
		t->flow[i] = (struct flow){ .from = (int)t->active[i]->from_host,
			.to = (int)t->active[i]->to_host };
	t->changed = false;
	t->steps += CUTS_STEPS * (double)t->nactive;
	return contention_cuts(t->cuts, t->flow, t->nactive, t->cut);
}

/* Finds *until: when the first load is through, if nothing else begins. */
static int find_through(struct traffic *t, double *until)
{
	const int rc = t->changed ? find_cuts(t) : 0;

	*until = INFINITY;
	for (size_t i = 0; i < t->nactive && !rc; i++)
		*until = fmin(*until, t->now + t->active[i]->first->left_ns * (1 + t->cut[i]));
	return rc;
}

/* When the next message is posted, or has come. */
static double next_happening(const struct traffic *t)
{
	return t->coming.n ? fmax((double)t->coming.item[0].at, t->now) : INFINITY;
}

int traffic_next(struct traffic *t, int64_t *at)
{
	double until;
	const int rc = find_through(t, &until);

	until = fmin(until, next_happening(t));
	*at = isinf(until) ? INT64_MAX : llround(until);
	return rc;
}

/* Is nothing left of the first load of active[i], as far as doubles tell? */
static bool is_gone(const struct traffic *t, size_t i)
{
	const double left = t->active[i]->first->left_ns;

	return left <= OVER_NS || t->now + left * (1 + t->cut[i]) <= t->now;
}

/* Moves all that is on its way on until `at`. */
static int move(struct traffic *t, double at)
{
	const double step = at - t->now;
	int rc = 0;

	t->now = at;
	t->steps += 1 + (double)t->nactive;
	for (size_t i = 0; i < t->nactive; i++) {
		struct connection *c = t->active[i];

		c->left_ns -= step / (1 + t->cut[i]);
		c->first->left_ns -= step / (1 + t->cut[i]);
	}
	/* from behind: the last one takes the place of one that is through */
	for (size_t i = t->nactive; i-- > 0 && !rc;)
		if (is_gone(t, i))
			rc = leave_host(t, t->active[i]);
	return rc;
}

int traffic_step(struct traffic *t, struct traffic_news *news)
{
	const double happening = next_happening(t);
	const struct happening *it;
	double through;
	int rc = find_through(t, &through);

	if (!rc)
		rc = move(t, fmin(through, happening));
	if (rc || happening > through)
		return rc;
	it = t->coming.item[0].what;
	heap_pop(&t->coming);
	return take(t, it, news);
}

double traffic_steps(const struct traffic *t)
{
	return t->steps;
}
