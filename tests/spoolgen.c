/* SPDX-License-Identifier: BSD-3-Clause */
/* spoolgen.c: makes the ring and the spool of a simulated rank (spoolgen.h). */
#include "tests/spoolgen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "functions.h"
#include "record.h"
#include "analysis/format/run/process.h"
#include "analysis/format/run/run_dir.h"

/* The simulated machine: LogGPS with one overhead, in integer ns (G in ns per 16 bytes). */
enum {
	O_NS = 200,
	L_NODE_NS = 300,
	L_NETWORK_NS = 1500,
	G16_NS = 2,
	S_BYTES = 4096,
	s_BYTES = 256,
	NOISE_NS = 100
};

/* Two ticks a ns, so that nobody takes ticks for nanoseconds. */
#define TICKS_PER_NS 2
#define FIRST_TICK 1000000000000ULL
#define SKEW_NS 3600000000000ULL
#define LATER_NS 12345ULL

enum { RECORDS_BYTES = CHUNK_BYTES - sizeof(struct chunk) }; /* of a full chunk */
enum { SITE_SEND = 2, SITE_RECV, SITE_ISEND, SITE_IRECV, SITE_WAIT, SITE_COLL, SITE_WILD, SITES };

static const uint16_t site_call[SITES] = {
	[SITE_SEND] = FN_MPI_Send,
	[SITE_RECV] = FN_MPI_Recv,
	[SITE_ISEND] = FN_MPI_Isend,
	[SITE_IRECV] = FN_MPI_Irecv,
	[SITE_WAIT] = FN_MPI_Wait,
	[SITE_COLL] = FN_MPI_Allreduce,
	[SITE_WILD] = FN_MPI_Recv,
};

struct rank {
	uint64_t now; /* true time since the start [ns] */
	uint64_t op_id;
	uint64_t collectives;
	uint64_t seq; /* chunks written */
	uint64_t head;
	uint8_t *known; /* peers: 1 sent to, 2 received from */
	struct call_sum sum[SITES];
	uint8_t ring[RECORDS_BYTES];
};

struct gen {
	const struct spoolgen *o;
	struct spoolgen_truth *truth;
	struct rank *rank;
	int error;
};

void spoolgen_init(struct spoolgen *g)
{
	*g = (struct spoolgen){
		.ranks = 4,
		.rounds = 1000,
		.seed = 1,
		.run_id = 0x5eed,
		.late_percent = 10,
		.late_max_ns = 1000000,
		.max_bytes = 1 << 20,
		.wildcard_percent = 5,
		.nonblocking_percent = 30,
		.collective_percent = 5,
		.op_cost_ns = 30,
	};
}

/* A number that depends on all of its arguments (splitmix64). */
static uint64_t mix(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t x = seed + a * 0x9e3779b97f4a7c15ULL + b * 0xd1b54a32d192ed03ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static int path_of(const struct gen *g, int32_t rank, const char *suffix, char *path, size_t size)
{
	char dir[PATH_MAX];
	int rc = run_rank_dir(g->o->dir, g->o->ranks, rank, true, dir, sizeof(dir));

	return rc ? rc : run_rank_path(dir, rank, suffix, path, size);
}

static int write_at(const char *path, int flags, uint64_t offset, const void *data, size_t bytes)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);
	int rc = 0;

	if (fd < 0)
		return -errno;
	errno = ENOSPC;
	if (flags & O_APPEND ? write(fd, data, bytes) != (ssize_t)bytes :
			       pwrite(fd, data, bytes, (off_t)offset) != (ssize_t)bytes)
		rc = -errno;
	close(fd);
	return rc;
}

static void flush(struct gen *g, int32_t rank)
{
	struct rank *r = &g->rank[rank];
	struct {
		struct chunk head;
		uint8_t data[RECORDS_BYTES];
	} *c = malloc(sizeof(*c));
	char path[PATH_MAX];

	if (!c || path_of(g, rank, "spool", path, sizeof(path))) {
		g->error = -ENOMEM;
	} else {
		c->head = (struct chunk){ CHUNK_MAGIC, (uint32_t)r->head, r->seq++, 0,
			record_check(r->ring, (uint32_t)r->head) };
		memcpy(c->data, r->ring, r->head);
		if (!g->error)
			g->error = write_at(
				path, O_WRONLY | O_APPEND, 0, c, sizeof(c->head) + r->head);
	}
	r->head = 0;
	free(c);
}

static void append(struct gen *g, int32_t rank, const void *record)
{
	uint64_t bytes = ((const struct rec_head *)record)->words * 8ULL;
	struct rank *r = &g->rank[rank];

	if (r->head + bytes > RECORDS_BYTES)
		flush(g, rank);
	memcpy(r->ring + r->head, record, bytes);
	r->head += bytes;
}

/* When the rank's time begins: each leaves MPI_Init at another instant [true ns]. */
static uint64_t zero_of(const struct gen *g, int32_t rank)
{
	return g->o->skewed ? (uint64_t)rank * LATER_NS : 0;
}

/* True time to what the rank's clock shows then; skewed clocks are hours apart. */
static uint64_t ticks_of(const struct gen *g, int32_t rank, uint64_t ns)
{
	return FIRST_TICK + (ns + (g->o->skewed ? (uint64_t)rank * SKEW_NS : 0)) * TICKS_PER_NS;
}

static void define_text(
	struct gen *g, int32_t rank, uint8_t type, uint32_t id, const char *text, size_t bytes)
{
	_Alignas(8) char buffer[256] = { 0 };
	struct rec_text *r = (void *)buffer;

	memcpy(r->text, text, bytes);
	r->head = (struct rec_head){
		.type = type, .id = id, .words = (uint16_t)((sizeof(*r) + bytes + 7) / 8)
	};
	append(g, rank, r);
}

static void define_link(struct gen *g, int32_t rank, uint32_t tier, const char *form,
	const char *name, uint64_t bytes, double value, const char *unit)
{
	struct rec_link l = { .head = { .type = REC_LINK, .words = sizeof(l) / 8, .id = tier },
		.peer = -1,
		.bytes = bytes,
		.value = value,
		.ci_low = NAN,
		.ci_high = NAN };

	strcpy(l.form, form);
	strcpy(l.model, "LogGPS");
	strcpy(l.name, name);
	strcpy(l.unit, unit);
	strcpy(l.source, "measured");
	append(g, rank, &l);
}

static void define_links(struct gen *g, int32_t rank)
{
	static const uint64_t latency[TIER_COUNT] = { L_NODE_NS, L_NODE_NS, L_NETWORK_NS };
	static const struct {
		const char *name, *unit;
		double value;
	} links[] = {
		{ "o", "ns", O_NS },
		{ "G_s", "ns/B", G16_NS / 16.0 },
		{ "G_l", "ns/B", G16_NS / 16.0 },
		{ "s", "B", s_BYTES },
		{ "S", "B", S_BYTES },
		{ "S_p", "B", S_BYTES },
	};

	for (uint32_t tier = TIER_SELF; tier < TIER_COUNT; tier++) {
		define_link(g, rank, tier, "", "L", UINT64_MAX, (double)latency[tier], "ns");
		for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
			define_link(g, rank, tier, "", links[i].name, UINT64_MAX, links[i].value,
				links[i].unit);
		define_link(g, rank, tier, "send", "noise", 1ULL << 40, NOISE_NS, "ns");
		define_link(g, rank, tier, "recv", "noise", 1ULL << 40, NOISE_NS, "ns");
	}
}

static void define_callsites(struct gen *g, int32_t rank)
{
	static const char path[] = "/usr/bin/simulated";
	_Alignas(8) char buffer[64] = { 0 };
	struct rec_module *m = (void *)buffer;

	m->head = (struct rec_head){ .type = REC_MODULE, .words = 8, .id = 1 };
	m->base = 0x400000 + (uint64_t)rank * 0x1000;
	m->build_id_bytes = 20;
	memset(m->build_id, 0xab, 20);
	memcpy(m->path, path, sizeof(path));
	append(g, rank, m);
	for (uint32_t site = SITE_SEND; site < SITES; site++) {
		struct rec_callsite *c = (void *)buffer;

		memset(buffer, 0, sizeof(buffer));
		c->head = (struct rec_head){ .type = REC_CALLSITE,
			.words = (sizeof(*c) + 2 * sizeof(c->frames[0])) / 8,
			.id = site };
		c->call = site_call[site];
		c->nframes = 2;
		c->frames[0] = (struct callsite_frame){ 1, 0, 0x100 * site };
		c->frames[1] = (struct callsite_frame){ 1, 0, 0x4000 };
		append(g, rank, c);
	}
}

static void define_clock(struct gen *g, int32_t rank, uint32_t id, uint64_t ns)
{
	struct rec_clock c = { .head = { .type = REC_CLOCK, .words = sizeof(c) / 8, .id = id },
		.ticks = ticks_of(g, rank, ns),
		.monotonic_ns = (int64_t)ns + 5000000000,
		.realtime_ns = (int64_t)ns + 1700000000000000000,
		.error_ns = 40 };
	struct rec_clock_offset o = { .head = { .type = REC_CLOCK_OFFSET, .words = sizeof(o) / 8 },
		.ticks = c.ticks,
		.error_ns = 40 };

	append(g, rank, &c);
	o.offset_ns = (int64_t)zero_of(g, rank) - (int64_t)zero_of(g, 0);
	append(g, rank, &o);
}

static void define_all(struct gen *g, int32_t rank)
{
	char size[32], text[64];
	struct rec_comm world = {
		.head = { .type = REC_COMM, .words = sizeof(world) / 8, .id = COMM_WORLD_ID },
		.uid = 1,
		.size = g->o->ranks,
		.my_rank = rank,
		.peer_world = -1
	};
	int n = snprintf(size, sizeof(size), "%d", (int)g->o->ranks);

	memset(text, 0, sizeof(text));
	memcpy(text, "world_size", 11);
	memcpy(text + 11, size, (size_t)n);
	define_text(g, rank, REC_KEY, 0, text, 11 + (size_t)n + 1);
	define_text(g, rank, REC_KEY, 0, "program\0simulated", 18);
	define_text(g, rank, REC_KEY, 0, "call_cost_ns\0002.5", 17);
	memset(text, 0, sizeof(text));
	memcpy(text, "op_cost_ns", 10);
	n = snprintf(size, sizeof(size), "%u", g->o->op_cost_ns);
	memcpy(text + 11, size, (size_t)n);
	define_text(g, rank, REC_KEY, 0, text, 11 + (size_t)n + 1);
	define_text(g, rank, REC_COMM_NAME, COMM_WORLD_ID, "MPI_COMM_WORLD", 15);
	append(g, rank, &world);
	define_callsites(g, rank);
	define_links(g, rank);
	define_clock(g, rank, 1, zero_of(g, rank));
}

static uint32_t tier_of(const struct gen *g, int32_t a, int32_t b)
{
	int32_t node = g->o->ranks_per_node;

	if (a == b)
		return TIER_SELF;
	return node <= 0 || a / node == b / node ? TIER_NODE : TIER_NETWORK;
}

static void add_sum(struct gen *g, int32_t rank, uint32_t site, uint64_t bytes, uint64_t ns)
{
	struct call_sum *s = &g->rank[rank].sum[site];

	s->callsite = site;
	s->call = site_call[site];
	s->count++;
	s->bytes += bytes;
	s->ticks += ns * TICKS_PER_NS;
	if (ns * TICKS_PER_NS > s->max_ticks)
		s->max_ticks = ns * TICKS_PER_NS;
}

/* One message of a round, with the times at which both sides enter and how they do it. */
struct message {
	int32_t from, to;
	int32_t tag;
	uint64_t bytes;
	uint64_t send_enter, recv_enter; /* of the posts [ns] */
	uint64_t send_wait, recv_wait;   /* of the waits; 0: blocking */
	bool wildcard;
	uint64_t send_id, recv_id;       /* op ids; 0: the next */
	uint64_t send_end, recv_end;     /* no earlier than this does each side end */
	uint64_t send_alone, recv_alone; /* the same had the other entered at the same time */
};

static void simulate(const struct gen *g, struct message *m)
{
	uint64_t latency = tier_of(g, m->from, m->to) == TIER_NETWORK ? L_NETWORK_NS : L_NODE_NS;
	uint64_t flight = O_NS + latency, move = m->bytes / 16 * G16_NS, start;

	if (m->bytes <= S_BYTES) {
		start = m->send_enter + flight + move;
		m->send_end = m->send_alone = m->send_enter + O_NS;
		m->recv_end = (start > m->recv_enter ? start : m->recv_enter) + O_NS;
		m->recv_alone = m->recv_enter + flight + move + O_NS;
	} else {
		start = m->send_enter + flight;
		if (m->recv_enter > start)
			start = m->recv_enter;
		m->send_end = start + O_NS + 2 * flight + move;
		m->recv_end = m->send_end + O_NS;
		m->send_alone = m->send_enter + flight + O_NS + 2 * flight + move;
		m->recv_alone = m->recv_enter + flight + O_NS + 2 * flight + move + O_NS;
	}
}

/* One side's record. Returns when the side leaves its last call. */
static uint64_t record_side(struct gen *g, const struct message *m, bool send)
{
	int32_t rank = send ? m->from : m->to, peer = send ? m->to : m->from;
	struct rank *r = &g->rank[rank];
	uint64_t enter = send ? m->send_enter : m->recv_enter;
	uint64_t end = send ? m->send_end : m->recv_end;
	uint64_t alone = send ? m->send_alone : m->recv_alone;
	uint64_t wait = send ? m->send_wait : m->recv_wait;
	uint64_t leave = wait ? enter + O_NS : end, from = wait ? wait : enter;
	uint32_t site = send ? (wait ? SITE_ISEND : SITE_SEND) :
		wait         ? SITE_IRECV :
		m->wildcard  ? SITE_WILD :
			       SITE_RECV;
	unsigned protocol = m->bytes <= s_BYTES ? PROTOCOL_SHORT :
		m->bytes <= S_BYTES             ? PROTOCOL_EAGER :
						  PROTOCOL_RENDEZVOUS;
	unsigned cause = !send                  ? CAUSE_LATE_SENDER :
		protocol == PROTOCOL_RENDEZVOUS ? CAUSE_LATE_RECEIVER :
						  CAUSE_FLOW_CONTROL;
	struct rec_op2 op = {
		.op = { .type = wait ? REC_OP2 : REC_OP,
			.kind_mode = KIND_MODE(send ? KIND_SEND : KIND_RECV, MODE_STANDARD,
				wait ? FORM_NONBLOCKING : FORM_BLOCKING),
			.words = (wait ? sizeof(struct rec_op2) : sizeof(struct rec_op)) / 8,
			.call = site_call[site],
			.bytes = m->bytes,
			.peer = peer,
			.tag = m->tag,
			.comm = COMM_WORLD_ID,
			.callsite = site,
			.class8 = OP_CLASS(protocol, cause),
			.tier = (uint8_t)tier_of(g, rank, peer) }
	};
	uint64_t op_id = send ? m->send_id : m->recv_id;
	int64_t excess;

	op.op.op_id = op_id ? op_id : ++r->op_id;
	if (m->wildcard && !send)
		op.op.flags |= OP_ANY_SOURCE | OP_ANY_TAG;
	if (!(r->known[peer] & (send ? 1 : 2)))
		op.op.flags |= OP_FIRST;
	r->known[peer] |= send ? 1 : 2;
	if (wait) {
		end = end > wait + 50 ? end : wait + 50;
		alone = alone > wait + 50 ? alone : wait + 50;
		op.complete_call = FN_MPI_Wait;
		op.complete_callsite = SITE_WAIT;
		op.complete_enter_ticks = ticks_of(g, rank, wait);
		op.complete_leave_ticks = ticks_of(g, rank, end);
		op.blocked_ticks = (end - wait) * TICKS_PER_NS;
		add_sum(g, rank, SITE_WAIT, 0, end - wait);
	}
	op.op.enter_ticks = ticks_of(g, rank, enter);
	op.op.leave_ticks = ticks_of(g, rank, leave);
	op.op.predicted_ns = (int32_t)(alone - from);
	excess = (int64_t)(end - from) - op.op.predicted_ns;
	if (excess > NOISE_NS)
		op.op.flags |= OP_WAITED;
	if (excess > NOISE_NS && !(op.op.flags & OP_FIRST))
		g->truth->wait_ns += excess;
	g->truth->excess_ns += excess;
	g->truth->ops++;
	g->truth->sends += send;
	g->truth->bytes_sent += send ? m->bytes : 0;
	add_sum(g, rank, site, m->bytes, leave - enter);
	append(g, rank, &op);
	return end;
}

/* Computes, and is late now and then. Returns the time of the next entry. */
static uint64_t compute(const struct gen *g, int32_t rank, uint64_t round, unsigned step)
{
	uint64_t x = mix(g->o->seed, (uint64_t)rank + 1, round * 4 + step);
	uint64_t now = g->rank[rank].now + 500 + x % 2000 + (rank == 1 ? g->o->added_ns : 0);

	if ((x >> 32) % 100 < g->o->late_percent && g->o->late_max_ns > 1000)
		now += (uint64_t)(1000 *
			pow((double)g->o->late_max_ns / 1000,
				(double)(mix(x, 0, 0) >> 40) / (1 << 24)));
	return now;
}

static uint64_t draw_bytes(const struct gen *g, uint64_t round, int32_t from)
{
	uint64_t x = mix(g->o->seed ^ 0xb17e5, round, (uint64_t)from), limit = g->o->max_bytes;
	unsigned classes = 1;

	while (limit >> (classes - 1) > 1)
		classes++;
	x %= classes + 1;
	return x ? limit >> (x - 1) : 0;
}

/* a sends to b, then b to a; each blocks. */
static void blocking_pair(struct gen *g, uint64_t round, int32_t a, int32_t b, bool wildcard)
{
	for (unsigned step = 0; step < 2; step++) {
		struct message m = { .from = step ? b : a,
			.to = step ? a : b,
			.tag = (int32_t)(round & 7),
			.wildcard = wildcard };

		m.bytes = draw_bytes(g, round, m.from);
		m.send_enter = compute(g, m.from, round, step);
		m.recv_enter = compute(g, m.to, round, step);
		simulate(g, &m);
		g->rank[m.from].now = record_side(g, &m, true);
		g->rank[m.to].now = record_side(g, &m, false);
	}
}

/* Both post a receive and a send, compute, and wait for the send, then for the receive. */
static void nonblocking_pair(struct gen *g, uint64_t round, int32_t a, int32_t b)
{
	int32_t side[2] = { a, b };
	uint64_t post[2], wait[2];
	struct message m[2];

	for (int i = 0; i < 2; i++) {
		post[i] = compute(g, side[i], round, 0);
		g->rank[side[i]].now = post[i] + 2 * O_NS + 50;
		wait[i] = compute(g, side[i], round, 1);
	}
	for (int i = 0; i < 2; i++) {
		m[i] = (struct message){ .from = side[i],
			.to = side[!i],
			.tag = (int32_t)(round & 7),
			.bytes = draw_bytes(g, round, side[i]),
			.send_enter = post[i] + O_NS + 50,
			.recv_enter = post[!i],
			.send_wait = wait[i],
			.send_id = g->rank[side[i]].op_id + 2,
			.recv_id = g->rank[side[!i]].op_id + 1 };
		simulate(g, &m[i]);
	}
	for (int i = 0; i < 2; i++) {
		m[!i].recv_wait = record_side(g, &m[i], true) + 100;
		g->rank[side[i]].now = record_side(g, &m[!i], false);
		g->rank[side[i]].op_id += 2;
	}
}

static void collective(struct gen *g, uint64_t round)
{
	uint64_t last = 0;

	for (int32_t rank = 0; rank < g->o->ranks; rank++) {
		g->rank[rank].now = compute(g, rank, round, 0);
		if (g->rank[rank].now > last)
			last = g->rank[rank].now;
	}
	for (int32_t rank = 0; rank < g->o->ranks; rank++) {
		struct rank *r = &g->rank[rank];
		uint64_t leave = last + 1000 + (uint64_t)rank % 16;
		struct rec_collective c = { .type = REC_COLLECTIVE,
			.words = sizeof(c) / 8,
			.call = FN_MPI_Allreduce,
			.seq = r->collectives++,
			.enter_ticks = ticks_of(g, rank, r->now),
			.leave_ticks = ticks_of(g, rank, leave),
			.sent_bytes = 8,
			.recv_bytes = 8,
			.root = -1,
			.comm = COMM_WORLD_ID,
			.callsite = SITE_COLL };

		append(g, rank, &c);
		add_sum(g, rank, SITE_COLL, 8, leave - r->now);
		r->now = leave;
		g->truth->collectives++;
	}
}

static void play_round(struct gen *g, uint64_t round)
{
	uint64_t x = mix(g->o->seed, round, 0), kind = x % 100;
	const struct spoolgen *o = g->o;
	int32_t mask = 1;
	unsigned bits = 0;

	if (kind < o->collective_percent) {
		collective(g, round);
		return;
	}
	kind = (x >> 8) % 100;
	while ((1 << bits) < o->ranks && bits < 30)
		bits++;
	/* partners differ in some bits of their number, another set each round */
	if (bits)
		mask = 1 + (int32_t)((x >> 20) % ((1u << bits) - 1));
	for (int32_t a = 0; a < o->ranks; a++) {
		int32_t b = o->ranks == 1 ? -1 : a ^ mask;

		if (b < a || b >= o->ranks)
			continue;
		if (kind < o->nonblocking_percent)
			nonblocking_pair(g, round, a, b);
		else
			blocking_pair(g, round, a, b,
				kind - o->nonblocking_percent < o->wildcard_percent);
	}
}

/* The ring as it was left: header, the thread with what was not written, sums, one pending op. */
static int write_ring(struct gen *g, int32_t rank)
{
	enum {
		THREAD_AT = RING_HEADER_BYTES,
		SUMS_AT = THREAD_AT + sizeof(struct thread_region),
		PENDING_AT = SUMS_AT + sizeof(struct call_sum) * SITES,
		END = PENDING_AT + sizeof(struct pending_op) * 4
	};
	struct rank *r = &g->rank[rank];
	uint8_t *file = aligned_alloc(64, (END + 63) / 64 * 64);
	struct ring_file *h = (void *)file;
	struct thread_region *t = (void *)(file + THREAD_AT);
	struct pending_op *p = (void *)(file + PENDING_AT);
	char path[PATH_MAX];
	int rc;

	if (!file)
		return -ENOMEM;
	memset(file, 0, END);
	process_identify(h);
	*h = (struct ring_file){ .magic = RING_MAGIC,
		.version = RECORD_VERSION,
		.state = g->o->open ? RING_OPEN : RING_CLOSED,
		.run_id = g->o->run_id,
		.rank = rank,
		/* a number no process has: seen dead on this host */
		.pid = INT32_MAX,
		.zero_ticks = ticks_of(g, rank, zero_of(g, rank)),
		.ns_per_tick = 1.0 / TICKS_PER_NS,
		.ops = r->op_id + g->o->open,
		.nregions = 3,
		.functions_hash = function_names_hash(),
		.regions = { { REGION_THREAD, 0, THREAD_AT, sizeof(*t) },
			{ REGION_SUMS, 0, SUMS_AT, sizeof(r->sum) },
			{ REGION_PENDING, 0, PENDING_AT, 4 * sizeof(*p) } } };
	if (g->o->open) {
		struct ring_file *self = calloc(1, sizeof(*self));

		if (self) {
			process_identify(self);
			memcpy(h->boot_id, self->boot_id, sizeof(h->boot_id));
			memcpy(h->host, self->host, sizeof(h->host));
		}
		free(self);
		t->now = (struct current_call){ .call = FN_MPI_Wait,
			.callsite = SITE_WAIT,
			.enter_ticks = ticks_of(g, rank, r->now + 1000) };
		p[1] = (struct pending_op){ .op_id = r->op_id + 1,
			.state = PENDING_POSTED,
			.post_enter_ticks = ticks_of(g, rank, r->now + 500),
			.post_leave_ticks = ticks_of(g, rank, r->now + 500 + O_NS),
			.bytes = 1024,
			.peer = (rank + 1) % g->o->ranks,
			.tag = 99,
			.comm = COMM_WORLD_ID,
			.callsite = SITE_IRECV,
			.call = FN_MPI_Irecv,
			.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_NONBLOCKING),
			.tier = TIER_NODE };
		g->truth->pending++;
	}
	t->seq = r->seq;
	t->head = r->head;
	memcpy(t->ring, r->ring, r->head);
	memcpy(file + SUMS_AT, r->sum, sizeof(r->sum));
	rc = path_of(g, rank, "ring", path, sizeof(path));
	if (!rc)
		rc = write_at(path, O_WRONLY | O_CREAT | O_EXCL, 0, file, END);
	free(file);
	return rc;
}

static void start_rank(struct gen *g, int32_t rank)
{
	struct spool_file head = { SPOOL_MAGIC, RECORD_VERSION, rank, g->o->run_id };
	char path[PATH_MAX];

	g->rank[rank].now = zero_of(g, g->o->ranks);
	g->rank[rank].known = calloc(1, (size_t)g->o->ranks);
	if (!g->rank[rank].known)
		g->error = -ENOMEM;
	if (!g->error)
		g->error = path_of(g, rank, "spool", path, sizeof(path));
	if (!g->error)
		g->error = write_at(path, O_WRONLY | O_CREAT | O_EXCL, 0, &head, sizeof(head));
	if (!g->error)
		define_all(g, rank);
}

int spoolgen_write(const struct spoolgen *o, struct spoolgen_truth *truth)
{
	struct gen g = { .o = o, .truth = truth };

	memset(truth, 0, sizeof(*truth));
	g.rank = calloc((size_t)o->ranks, sizeof(*g.rank));
	if (!g.rank)
		return -ENOMEM;
	for (int32_t rank = 0; rank < o->ranks && !g.error; rank++)
		start_rank(&g, rank);
	for (uint64_t round = 1; round <= o->rounds && !g.error; round++)
		play_round(&g, round);
	for (int32_t rank = 0; rank < o->ranks && !g.error; rank++) {
		define_clock(&g, rank, 2, g.rank[rank].now + 100);
		if (!g.error)
			g.error = write_ring(&g, rank);
	}
	for (int32_t rank = 0; rank < o->ranks; rank++)
		free(g.rank[rank].known);
	free(g.rank);
	return g.error;
}
