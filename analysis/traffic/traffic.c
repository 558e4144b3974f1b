/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c: connections, the pieces that hosts send, and what comes of them (traffic.h). */
#include "analysis/traffic/traffic.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/base/heap.h"

#define LAST_NS 0x1p62 /* times end here; damaged files may have longer ones */
#define OVER_NS 1e-3   /* a piece with less left is gone */
#define CUTS_STEPS 8   /* to find the cut of a flow takes as long as so many steps */

enum stage { REQUEST, ANSWER, DATA, STAGES };

/* What a connection carries. */
struct load {
	struct transfer *of;
	struct load *next;
	double rest_ns; /* not yet handed to the host; alone */
	enum stage stage;
};

struct connection {
	uint32_t to; /* rank */
	uint32_t from_host, to_host;
	struct connection *next;    /* of the same rank */
	struct load *first, **last; /* of which data was not handed over yet */
	double queued_ns;           /* of its pieces at the host */
	uint32_t npieces;           /* there */
	double came;                /* when the last request or answer over it comes */
};

/* A piece of a load that has its place in the queue of a host. */
struct piece {
	struct connection *over;
	struct load *of;
	double all_ns, left_ns; /* alone */
	bool last;
};

/* Pieces leave a host one after the other: piece[first, n). */
struct host {
	struct piece *piece;
	uint32_t first, n, room;
	uint32_t nconnections; /* that have data there */
	double spent_ns;       /* data that passed at once, less the idle time since; at least 0 */
	double idle_since;     /* when the queue became empty */
	size_t place;          /* in active[] */
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
	bool ways_in_free;
	const uint32_t *host_of;
	uint32_t nranks, ids, nhosts;
	struct transfer **transfer;     /* by id; NULL: not on its way */
	struct connection **connection; /* by rank: the first of its list */
	struct host *host;
	struct heap coming;
	struct host **active; /* those that send */
	struct flow *flow;    /* what each sends */
	double *slow;         /* how much longer it takes than alone, as a factor */
	size_t nactive;
	double now;
	double moved;   /* left_ns of pieces is as it was then */
	double through; /* the next piece is gone then, if nothing changes */
	bool changed;   /* slow[] and `through` are to be found anew */
	double steps;
};

static bool make_arrays(struct traffic *t)
{
	for (uint32_t r = 0; r < t->nranks; r++)
		if (t->host_of[r] >= t->nhosts)
			t->nhosts = t->host_of[r] + 1;
	t->transfer = calloc((size_t)t->ids + 1, sizeof(struct transfer *));
	t->connection = calloc((size_t)t->nranks + 1, sizeof(struct connection *));
	t->host = calloc((size_t)t->nhosts + 1, sizeof(*t->host));
	t->active = calloc((size_t)t->nhosts + 1, sizeof(struct host *));
	t->flow = calloc((size_t)t->nhosts + 1, sizeof(*t->flow));
	t->slow = calloc((size_t)t->nhosts + 1, sizeof(*t->slow));
	return t->transfer && t->connection && t->host && t->active && t->flow && t->slow;
}

struct traffic *traffic_new(const struct contention *cuts, bool ways_in_free,
	const uint32_t *host_of, uint32_t nranks, uint32_t ids)
{
	struct traffic *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	*t = (struct traffic){ .cuts = cuts,
		.ways_in_free = ways_in_free,
		.host_of = host_of,
		.nranks = nranks,
		.ids = ids,
		.through = INFINITY };
	if (make_arrays(t))
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
	for (uint32_t h = 0; t->host && h < t->nhosts; h++)
		free(t->host[h].piece);
	free(t->connection);
	free(t->transfer);
	free(t->host);
	free(t->active);
	free(t->flow);
	free(t->slow);
	free(t);
}

static int happens(struct traffic *t, struct transfer *of, enum event what, double at)
{
	of->happening[what] = (struct happening){ of, what };
	return heap_push(&t->coming, llround(fmin(at, LAST_NS)), &of->happening[what]);
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

/* What the host sends. */
static struct piece *head(const struct host *h)
{
	return &h->piece[h->first];
}

/* Advances what hosts send to the present time. */
static void move(struct traffic *t)
{
	for (size_t i = 0; i < t->nactive; i++)
		head(t->active[i])->left_ns -= (t->now - t->moved) / t->slow[i];
	t->steps += (double)t->nactive;
	t->moved = t->now;
}

static int make_room(struct host *h)
{
	if (h->n == h->room && h->first > h->n / 2) {
		h->n -= h->first;
		memmove(h->piece, h->piece + h->first, h->n * sizeof(*h->piece));
		h->first = 0;
	}
	return array_room(&h->piece, sizeof(*h->piece), &h->room, h->n);
}

/* How much of the next `ns` of data passes at once. */
static double spared(const struct traffic *t, struct host *h, const struct load *load, double ns)
{
	double spare;

	if (h->first == h->n)
		h->spent_ns = fmax(h->spent_ns - (t->now - h->idle_since), 0);
	spare = fmin(fmax(load->of->message.spare_ns - h->spent_ns, 0), ns);
	h->spent_ns += spare;
	return spare;
}

/* Puts `ns` of the load into the queue of its host. */
static int queue_piece(struct traffic *t, struct connection *c, struct load *load, double ns)
{
	struct host *h = &t->host[c->from_host];
	const double left = ns - spared(t, h, load, ns);

	if (make_room(h))
		return -ENOMEM;
	c->npieces++;
	if (ns > 0 && c->queued_ns <= 0) {
		move(t);
		t->changed = true;
		h->nconnections++;
	}
	if (h->first == h->n) {
		move(t);
		t->changed = true;
		h->place = t->nactive;
		t->active[t->nactive++] = h;
	}
	load->rest_ns -= ns;
	h->piece[h->n++] = (struct piece){ .over = c,
		.of = load,
		.all_ns = ns,
		.left_ns = left,
		.last = load->rest_ns <= OVER_NS };
	c->queued_ns += ns;
	return 0;
}

/* Hands the host as much as the connection may have there. */
static int refill(struct traffic *t, struct connection *c)
{
	while (c->first) {
		struct load *load = c->first;
		const struct traffic_message *m = &load->of->message;

		if (load->stage == DATA && c->npieces && c->queued_ns >= m->queue_ns - OVER_NS)
			return 0;
		if (queue_piece(t, c, load, fmin(load->rest_ns, m->piece_ns)))
			return -ENOMEM;
		if (load->rest_ns <= OVER_NS)
			c->first = load->next;
	}
	return 0;
}

/* The rank sends over the connection, behind what it has sent. */
static int carry(
	struct traffic *t, struct connection *c, struct transfer *of, enum stage stage, double ns)
{
	struct load *load = &of->load[stage];

	*load = (struct load){ .of = of, .stage = stage, .rest_ns = ns };
	*(c->first ? c->last : &c->first) = load;
	c->last = &load->next;
	return refill(t, c);
}

static int carry_data(struct traffic *t, struct transfer *of)
{
	return carry(t, of->there, of, DATA, of->message.bytes_ns);
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
	*news = (struct traffic_news){ of->id, what, llround(fmin(t->now, LAST_NS)) };
	return 1;
}

static int take(struct traffic *t, const struct happening *it, struct traffic_news *news)
{
	struct transfer *of = it->of;
	int rc;

	switch (it->what) {
	case SENT:
		return of->message.rendezvous ? carry(t, of->there, of, REQUEST, 0) :
						carry_data(t, of);
	case REQUESTED:
		return tell(t, of, TRAFFIC_REQUEST, news);
	case RECEIVE_POSTED:
	case NOTICED:
		*(it->what == NOTICED ? &of->noticed : &of->posted) = true;
		return of->posted && of->noticed ? carry(t, of->back, of, ANSWER, 0) : 0;
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

/* A request or an answer comes, but not before those sent earlier over the connection. */
static int control_comes(struct traffic *t, struct connection *c, struct load *load)
{
	c->came = fmax(t->now + load->of->message.flight_ns, c->came + 1);
	return happens(t, load->of, load->stage == REQUEST ? REQUESTED : ANSWERED, c->came);
}

/* The first piece has left the host. */
static int leave_host(struct traffic *t, struct host *h)
{
	const struct piece piece = h->piece[h->first++];
	struct connection *c = piece.over;
	int rc;

	c->npieces--;
	if (piece.all_ns > 0) {
		c->queued_ns -= piece.all_ns;
		if (c->queued_ns <= OVER_NS) {
			c->queued_ns = 0;
			h->nconnections--;
		}
	}
	if (h->first == h->n) {
		h->first = h->n = 0;
		h->idle_since = t->now;
		t->active[h->place] = t->active[--t->nactive];
		t->active[h->place]->place = h->place;
	}
	rc = refill(t, c);
	if (rc || !piece.last)
		return rc;
	if (piece.of->stage != DATA)
		return control_comes(t, c, piece.of);
	return happens(t, piece.of->of, ARRIVED, t->now + piece.of->of->message.tail_ns);
}

/*
 * The rate of a host as a multiple of that of one connection alone. By MM two flows take 1 +
 * cut_pair times as long each. More share what there is.
 */
static double gain(const struct traffic *t, const struct host *h)
{
	return h->nconnections == 2 ? 2 / (1 + t->cuts->cut_pair) : 1;
}

static int find_slow(struct traffic *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->nactive; i++) {
		t->slow[i] = 0;
		t->flow[i] = (struct flow){ .from = (int)head(t->active[i])->over->from_host,
			.to = (int)head(t->active[i])->over->to_host };
	}
	if (!t->ways_in_free) {
		t->steps += CUTS_STEPS * (double)t->nactive;
		rc = contention_cuts(t->cuts, t->flow, t->nactive, t->slow);
	}
	for (size_t i = 0; i < t->nactive && !rc; i++)
		t->slow[i] = (1 + t->slow[i]) / gain(t, t->active[i]);
	return rc;
}

static int find_through(struct traffic *t)
{
	int rc;

	if (!t->changed)
		return 0;
	t->changed = false;
	t->through = INFINITY;
	rc = find_slow(t);
	for (size_t i = 0; i < t->nactive && !rc; i++)
		t->through = fmin(t->through, t->now + head(t->active[i])->left_ns * t->slow[i]);
	return rc;
}

/* When the next message is posted, or has come. */
static double next_happening(const struct traffic *t)
{
	return t->coming.n ? fmax((double)t->coming.item[0].at, t->now) : INFINITY;
}

int traffic_next(struct traffic *t, int64_t *at)
{
	const int rc = find_through(t);
	const double next = fmin(t->through, next_happening(t));

	*at = isinf(next) ? INT64_MAX : llround(fmin(next, LAST_NS));
	return rc;
}

/* Is nothing left of what active[i] sends, as far as doubles tell? */
static bool is_gone(const struct traffic *t, size_t i)
{
	const double left = head(t->active[i])->left_ns;

	return left <= OVER_NS || t->now + left * t->slow[i] <= t->now;
}

/* Pieces have left their hosts now. */
static int leave_hosts(struct traffic *t)
{
	int rc = 0;

	move(t);
	t->changed = true;
	/* from behind: the last host takes the place of one that has no more */
	for (size_t i = t->nactive; i-- > 0 && !rc;)
		if (is_gone(t, i))
			rc = leave_host(t, t->active[i]);
	return rc;
}

int traffic_step(struct traffic *t, struct traffic_news *news)
{
	const double happening = next_happening(t);
	const struct happening *it;
	int rc = find_through(t);

	if (rc)
		return rc;
	t->steps++;
	t->now = fmin(t->through, happening);
	if (t->through <= happening)
		return leave_hosts(t);
	it = t->coming.item[0].what;
	heap_pop(&t->coming);
	return take(t, it, news);
}

double traffic_steps(const struct traffic *t)
{
	return t->steps;
}
