/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c: protocols and times of messages under a scenario (message.h). */
#include "analysis/replay/message.h"

#include <math.h>

#include "analysis/model/equations/loggps_pieces.h"
#include "record.h"

/*
 * TCP on Linux hands a connection's data to the network in pieces, and some of them wait there. How
 * much waits depends on the rate that the kernel estimates for the connection. Predicted run times
 * came closest with pieces of up to 16 KiB and a random limit of 24 to 128 KiB: the geometric mean
 * of one draw per connection and one per message (50 to 200 Mbit/s). With one limit for all, ranks
 * alternate in a fixed order, which programs do not. If the limit depended on the connection alone,
 * ranks of one host could stay in lockstep in the replay. In programs one rank gets ahead, and then
 * they take turns.
 */
#define PIECE_BYTES 16384.0
#define PIECES_MAX 64.0     /* of a message: smaller ones would change little */
#define QUEUE_LEAST 24576.0 /* bytes */
#define QUEUE_MOST 131072.0

static bool is_cut(const struct replay_scenario *s, const struct replay_part *part)
{
	return s->piece_bytes && part->bytes > s->piece_bytes && !part->synchronous &&
		!part->buffered;
}

/* The kind of link that the message takes under the scenario. */
static unsigned tier_of(const struct replay_scenario *s, const struct replay_part *part)
{
	return s->tier ? s->tier[part - s->part] : part->tier;
}

/* If all ranks have the same links, those of the first one serve all, and stay in the cache. */
static const struct replay_link *link_of(
	const struct replay_scenario *s, uint32_t rank, unsigned tier)
{
	return &s->link[s->links_equal ? 0 : rank][tier];
}

bool replay_link_changes(const struct replay_scenario *s, const struct replay_part *part)
{
	return tier_of(s, part) != part->tier;
}

static bool is_loggp(const struct replay_scenario *s)
{
	return s->model == REPLAY_LOGGP_1 || s->model == REPLAY_LOGGP_2;
}

bool replay_rendezvous(const struct replay_scenario *s, const struct replay_part *part)
{
	const unsigned tier = tier_of(s, part);

	if (is_loggp(s))
		return part->synchronous;
	if (is_cut(s, part))
		return false;
	/* where ranks move, a protocol that the run does not know follows from S, too */
	if (tier >= REPLAY_TIERS || s->S[tier] == UINT64_MAX ||
		(!s->S_set[tier] && tier == part->tier && (part->protocol_known || !s->tier)))
		return part->rendezvous;
	return part->synchronous || part->bytes > s->S[tier];
}

/*
 * The part's time without what it waits for. lead_ns: from the part's call to the last post that it
 * needs.
 */
static double without_wait(
	const struct loggps *p, const struct replay_part *part, bool rendezvous, int64_t lead_ns)
{
	const double lead = (double)lead_ns;

	return (part->is_send ? loggps_send(p, part->bytes, rendezvous, lead) :
				loggps_recv(p, part->bytes, rendezvous, -lead)) -
		(lead > 0 && (rendezvous || !part->is_send) ? lead : 0);
}

bool replay_becomes_eager(const struct replay_scenario *s, const struct replay_part *part)
{
	const unsigned tier = tier_of(s, part);

	if (part->by_rendezvous)
		return false;
	return part->rendezvous ||
		(part->is_send &&
			(tier != part->tier ||
				(part->needs == NEEDS_PARTNER && tier < REPLAY_TIERS &&
					s->S_set[tier] && s->S[tier] != UINT64_MAX)));
}

bool replay_progresses(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	const uint64_t bytes = is_cut(s, part) ? s->piece_bytes : part->bytes;
	const unsigned tier = tier_of(s, part);

	if (s->progress || s->no_waits[REPLAY_LATE_PROGRESS] || is_loggp(s))
		return true;
	if (part->by_rendezvous)
		return false;
	if (replay_becomes_eager(s, part))
		return s->link && tier < REPLAY_TIERS && bytes <= link_of(s, rank, tier)->is.S_p;
	return tier < REPLAY_TIERS && s->S_p_set[tier] && part->is_send && bytes <= s->S_p[tier];
}

bool replay_becomes_rendezvous(const struct replay_scenario *s, const struct replay_part *part)
{
	return part->is_send && part->by_rendezvous &&
		(replay_link_changes(s, part) ||
			(!part->rendezvous && part->needs != NEEDS_PARTNER));
}

bool replay_keeps_progress(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	return !s ||
		!(replay_link_changes(s, part) || replay_progresses(s, rank, part) ||
			replay_becomes_eager(s, part) || replay_becomes_rendezvous(s, part));
}

enum replay_needs replay_needs(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	if (!s || !part->is_send || !replay_is_message(part))
		return (enum replay_needs)part->needs;
	/* also a send of unknown protocol, which the run did not show to wait */
	if (!part->by_rendezvous && s->model >= REPLAY_LOGGP_1)
		return NEEDS_NOBODY;
	if (part->by_rendezvous ? part->rendezvous : !replay_becomes_eager(s, part))
		return (enum replay_needs)part->needs;
	if (part->buffered)
		return NEEDS_NOBODY;
	return part->by_rendezvous               ? NEEDS_PARTNER :
		replay_progresses(s, rank, part) ? NEEDS_NOBODY :
						   NEEDS_PROGRESS;
}

bool replay_asks(const struct replay_scenario *s, uint32_t rank, const struct replay_part *part,
	enum replay_needs needs)
{
	if (!replay_is_message(part))
		return false;
	if (needs == NEEDS_PROGRESS)
		return !s->no_waits[REPLAY_LATE_PROGRESS];
	if (needs == NEEDS_PARTNER && replay_becomes_rendezvous(s, part) &&
		!s->no_waits[REPLAY_LATE_RECEIVER] && !replay_progresses(s, rank, part))
		return true;
	return (needs == NEEDS_NOBODY || s->no_waits[replay_cause_of(part, needs)]) &&
		(!part->is_send || part->by_rendezvous);
}

double replay_arrival(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, struct replay_arrival *last)
{
	const uint64_t bytes = is_cut(s, part) ? s->piece_bytes : part->bytes;
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;
	double ns;

	if (part->by_rendezvous || tier >= REPLAY_TIERS || !s->link)
		return 0;
	link = &link_of(s, rank, tier)->is;
	if (link == last->link && bytes == last->bytes)
		return last->ns;
	ns = fmax(
		loggps_T1(link, bytes), loggps_message(link, bytes, 0, 0) - loggps_T3(link, bytes));
	*last = (struct replay_arrival){ link, bytes, ns > 0 ? ns : 0 /* also of NAN */ };
	return last->ns;
}

/*
 * How much of the part's time without waits [ns] a thread saves by (5) and (9), if it moved the
 * message for `ns` before the part's call, since both sides had posted. o remains. NAN: unknown.
 */
static double hidden_ns(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part, int64_t ns)
{
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;
	double all;

	if (ns <= 0 || !part->by_rendezvous)
		return 0;
	if (tier >= REPLAY_TIERS || !s->link)
		return NAN;
	link = &link_of(s, rank, tier)->is;
	all = without_wait(link, part, true, 0) - link->o;
	return all < 0 ? 0 : all > (double)ns ? (double)ns : all;
}

/* As without_wait(), of a message in pieces. */
static double cut_without_wait(
	const struct loggps *p, const struct replay_part *part, uint64_t piece, int64_t lead_ns)
{
	if (part->is_send)
		return loggps_send_pieces(p, part->bytes, piece);
	return loggps_receive_pieces(p, part->bytes, piece, (double)lead_ns) -
		(lead_ns > 0 ? (double)lead_ns : 0);
}

/*
 * The part's time without waits under the scenario, by LogGPS and that protocol [ns]. NAN: unknown.
 */
static double time_by(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, bool rendezvous, int64_t lead_ns)
{
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;

	if (tier >= REPLAY_TIERS || !s->link)
		return NAN;
	link = &link_of(s, rank, tier)->is;
	if (is_cut(s, part))
		return cut_without_wait(link, part, s->piece_bytes, lead_ns);
	return without_wait(link, part, rendezvous, lead_ns);
}

/* The same by the protocol of this replay. */
static double time_under(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns)
{
	return time_by(s, rank, part, part->by_rendezvous, lead_ns);
}

static double time_in_run(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	if (part->tier >= REPLAY_TIERS || !s->link)
		return NAN;
	return without_wait(
		&link_of(s, rank, part->tier)->was, part, part->rendezvous, part->lead_ns);
}

/*
 * Can the scenario change the part's time without waits? lead_ns: from the part's
 * call to the last post that it needs, under the scenario.
 */
static bool differs(
	const struct replay_scenario *s, const struct replay_part *part, int64_t lead_ns)
{
	if (s->links_change)
		return true;
	/* the lead does not change an eager send, nor a receive that waited */
	return lead_ns != part->lead_ns &&
		(part->is_send ? part->rendezvous : lead_ns < 0 || part->lead_ns < 0);
}

/*
 * How much longer the part's time without waits is under the scenario, by LogGPS [ns]. lead_ns:
 * from the part's call to the last post that it needs, under the scenario. NAN: unknown.
 */
static double difference_of_part(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns)
{
	if (!differs(s, part, lead_ns))
		return 0;
	return time_under(s, rank, part, lead_ns) - time_in_run(s, rank, part);
}

/*
 * The part's time by a model alone [ns]: what can overlap with all other parts of a call, what can
 * overlap only with those that move bytes the other way, and the rest. NAN: unknown.
 */
struct time_parts {
	double flight, transfer, cpu;
};

/* The overhead of the part; o where more is not known of it. */
static double overhead_ns(const struct loggps *link, const struct replay_part *part)
{
	const double ns =
		part->is_send ? loggps_T1(link, part->bytes) : loggps_T3(link, part->bytes);

	return isnan(ns) ? link->o : ns;
}

/* The part's time over the link, as what can overlap and what cannot. */
static struct time_parts split(
	const struct loggps *link, const struct replay_part *part, double all)
{
	const struct loggps_slopes *by = &link->by[loggps_regime(link, part->bytes)];
	const double byte_ns = isnan(by->G) ? by->sum : by->G;
	const double cpu = overhead_ns(link, part);
	double rest, transfer;

	rest = fmax(all - cpu, 0);
	transfer = fmin(rest, (double)part->bytes * byte_ns);
	if (isnan(all + cpu))
		return (struct time_parts){ NAN, NAN, NAN };
	transfer = transfer > 0 ? transfer : 0;
	return (struct time_parts){ rest - transfer, transfer, fmin(cpu, all) };
}

/*
 * 2o + L + (k - 1) G; the receive finds what is left of it. pieces: the message goes in so many, of
 * `piece` bytes at most, and each costs both sides an overhead.
 */
static struct time_parts by_loggp(const struct replay_loggp *p, const struct replay_part *part,
	uint64_t piece, double pieces, int64_t lead_ns)
{
	const int line = piece > p->s;
	const double k = part->bytes ? (double)part->bytes - 1 : 0, lead = (double)lead_ns;
	const double flight = p->one_way[line] + (pieces - 2) * p->o[line] + k * p->G[line];

	if (part->is_send)
		return (struct time_parts){ 0, 0, pieces * p->o[line] };
	if (isnan(flight))
		return (struct time_parts){ NAN, 0, p->o[line] };
	return (struct time_parts){ fmax(flight + fmin(lead, 0), 0), 0, pieces * p->o[line] };
}

/*
 * The time without waits under the scenario's model, for a call of messages alone. lead_ns: as
 * difference_of_part(). apart: the call completes the part and did not post it.
 */
static struct time_parts model_time(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns, bool apart)
{
	const unsigned tier = tier_of(s, part);

	/* the post of an eager send was the sending */
	if (apart && part->is_send && !part->by_rendezvous)
		return (struct time_parts){ 0 };
	if (tier >= REPLAY_TIERS || !s->link)
		return (struct time_parts){ NAN, NAN, NAN };
	if (is_loggp(s))
		return is_cut(s, part) ?
			by_loggp(&s->loggp[tier], part, s->piece_bytes,
				ceil((double)part->bytes / (double)s->piece_bytes), lead_ns) :
			by_loggp(&s->loggp[tier], part, part->bytes, 1, lead_ns);
	return split(&link_of(s, rank, tier)->is, part, time_under(s, rank, part, lead_ns));
}

/* The same by LogGPS, over the part's link in the run. */
static struct time_parts model_time_in_run(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	if (part->tier >= REPLAY_TIERS || !s->link)
		return (struct time_parts){ NAN, NAN, NAN };
	return split(&link_of(s, rank, part->tier)->was, part, time_in_run(s, rank, part));
}

/*
 * A call by the model: flights of its messages overlap, their bytes move one after the other in
 * each direction, overheads add up. All 0: no message.
 */
struct stay {
	double late;           /* from the call's entry to the last post that it needs [ns] */
	double end;            /* ... to the end of the last flight */
	double sent, received; /* the time in which bytes of a direction move behind `late` */
	double cpu;            /* the sum of the overheads */
};

/* When the message can fly, from the call's entry on. needs: enum replay_needs */
static double flies_from(uint8_t needs, int64_t lead_ns)
{
	return needs == NEEDS_PARTNER && lead_ns > 0 ? (double)lead_ns : 0;
}

/* Adds a side of a message of known `time`. stay->late is that of all messages of the call. */
static void stay_add(struct stay *stay, bool is_send, double from, struct time_parts time)
{
	const double behind = from + time.flight + time.transfer - stay->late;
	const double moves = fmin(time.transfer, fmax(behind, 0));

	stay->end = fmax(stay->end, from + time.flight);
	*(is_send ? &stay->sent : &stay->received) += moves;
	stay->cpu += time.cpu;
}

/* The call's time without waits [ns]. */
static double stay_ns(const struct stay *stay)
{
	return stay->end - stay->late + fmax(stay->sent, stay->received) + stay->cpu;
}

/* Is it a send that is known to take another protocol than in the run? */
static bool is_moved(const struct replay_part *part)
{
	return part->is_send && part->protocol_known && part->by_rendezvous != part->rendezvous;
}

/*
 * Does the send take another protocol, or can it: S is set, and the run does not know its protocol?
 */
static bool may_move(const struct replay_scenario *s, const struct replay_part *part)
{
	unsigned tier;

	if (!part->is_send || part->protocol_known)
		return is_moved(part);
	tier = tier_of(s, part);
	return tier < REPLAY_TIERS && s->S_set[tier];
}

/* A value of the model, or 0 where there is none. */
static double known(struct replay_times *t, double ns)
{
	if (!isnan(ns))
		return ns;
	t->out->unmodelled++;
	return 0;
}

/* When the partner of the message's end posted; INT64_MIN: not until now. */
static int64_t partner_at(const struct replay_times *t, const struct replay_part *part)
{
	const int64_t at = t->g->part[part->partner].at;

	return at > t->now ? INT64_MIN : at;
}

/*
 * From the call's entry to the partner's post. The measured lead, if the post is unknown or the
 * time of the part does not depend on it.
 */
static int64_t lead_of(const struct replay_times *t, const struct replay_lane *lane,
	const struct replay_part *part)
{
	const int64_t other = partner_at(t, part);

	if (other == INT64_MIN || (part->is_send && !part->by_rendezvous))
		return part->lead_ns;
	return other - lane->at;
}

double replay_call_contention(const struct replay_times *t, const struct replay_lane *lane,
	const struct replay_call *call, double ns)
{
	double contention = 0;

	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];

		if (!replay_is_message(part))
			continue;
		contention += (double)t->g->detail[p].contention_ns;
		ns -= time_under(t->scenario, lane->rank, part, lead_of(t, lane, part));
	}
	return ns > 0 ? fmin(contention, ns) : 0; /* 0 if a time is unknown, too */
}

/* Does traffic or the model give the time of this end of a message? */
static bool has_time(const struct replay_times *t, const struct replay_part *part)
{
	return part->between ||
		!isnan(time_under(t->scenario, t->g->lane[part->lane].rank, part, part->lead_ns));
}

bool replay_call_by_model(const struct replay_times *t, const struct replay_call *call)
{
	const struct replay_scenario *s = t->scenario;
	bool by_model, all_known = true;

	if (!s || (s->model == REPLAY_MEASURED && !s->tier && !s->host_of))
		return false;
	if (call->dones == REPLAY_NONE)
		return false;
	by_model = s->model != REPLAY_MEASURED;
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];

		if (!replay_is_message(part))
			return false;
		by_model |= part->between || replay_link_changes(s, part);
		all_known = all_known && (!s->host_of || has_time(t, part));
	}
	return by_model && all_known;
}

/* 0 to 1 by chance, for each key another value. */
static double by_chance(uint32_t chance, uint64_t key)
{
	uint64_t x = (key + 1) * 0x9e3779b97f4a7c15u + chance * 0xbf58476d1ce4e5b9u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

/* How much data of send p's connection, between these ranks, may wait at the host. */
static double queue_bytes(const struct replay_graph *g, const struct replay_scenario *s, uint32_t p,
	uint32_t from, uint32_t to)
{
	const uint64_t connection = (uint64_t)from * g->nranks + to, message = (1ull << 40) + p;

	return QUEUE_LEAST *
		pow(QUEUE_MOST / QUEUE_LEAST,
			(by_chance(s->chance, ~connection) + by_chance(s->chance, message)) / 2);
}

bool replay_message_between(const struct replay_graph *g, const struct replay_scenario *s,
	uint32_t p, struct traffic_message *out)
{
	const struct replay_part *send = &g->part[p];
	const uint32_t from = g->lane[send->lane].rank;
	const uint32_t to = g->lane[g->part[send->partner].lane].rank;
	const struct loggps *l = &link_of(s, from, TIER_NETWORK)->is;
	double transfer, all, pieces;

	if (s->host_of[from] == s->host_of[to] || is_loggp(s) || is_cut(s, send))
		return false;
	transfer = fmax(loggps_transfer(l, send->bytes), 0);
	all = loggps_message(l, send->bytes, 0, 0) - (send->bytes > l->S ? l->rendezvous : 0);
	pieces = fmin(fmax(ceil((double)send->bytes / PIECE_BYTES), 1), PIECES_MAX);
	*out = (struct traffic_message){ .from = from,
		.to = to,
		.rendezvous = replay_rendezvous(s, send),
		.bytes_ns = transfer * s->pace,
		.flight_ns = l->rendezvous / 2 * (0.5 + by_chance(s->chance, p)),
		.spare_ns = fmin(fmax(transfer - all, 0), transfer) * s->pace,
		.tail_ns = fmax(all - transfer, 0),
		.piece_ns = transfer * s->pace / pieces };
	out->queue_ns = out->piece_ns *
		fmax(1, queue_bytes(g, s, p, from, to) * pieces / (double)send->bytes);
	return (transfer > 0 || !send->bytes) && isfinite(all) &&
		isfinite(out->bytes_ns + out->tail_ns + out->flight_ns + l->o);
}

bool replay_time_is_known(const struct replay_graph *g, const struct replay_scenario *s, uint32_t p)
{
	const struct replay_part *part = &g->part[p];
	struct traffic_message m;

	if (s->host_of && tier_of(s, part) == TIER_NETWORK &&
		replay_message_between(g, s, part->is_send ? p : part->partner, &m))
		return true;
	return !isnan(time_by(
		s, g->lane[part->lane].rank, part, replay_rendezvous(s, part), part->lead_ns));
}

uint64_t replay_find_between(struct replay_graph *g, const struct replay_scenario *s)
{
	struct traffic_message m;
	uint64_t n = 0;

	for (uint32_t p = 0; p < g->nparts; p++) {
		struct replay_part *send = &g->part[p], *receive;

		if (!send->is_send || !replay_is_message(send))
			continue;
		receive = &g->part[send->partner];
		if (receive->now != NEEDS_PARTNER || !replay_message_between(g, s, p, &m) ||
			m.rendezvous != (send->now == NEEDS_PARTNER))
			continue;
		send->between = receive->between = true;
		/*
		 * The ends that traffic gives include waits for progress. It gives none for an
		 * eager send, which keeps its own wait.
		 */
		if (m.rendezvous)
			send->asks = send->follows = false;
		receive->follows = false;
		g->detail[p].over_at = g->detail[send->partner].over_at = INT64_MIN;
		n++;
	}
	return n;
}

/* The time of a message between hosts, since the lane's entry. apart: as model_time(). */
static struct time_parts time_between(const struct replay_times *t, const struct replay_lane *lane,
	const struct replay_part *part, bool apart)
{
	const struct loggps *link = &link_of(t->scenario, lane->rank, TIER_NETWORK)->is;
	const double over = (double)t->g->detail[part - t->g->part].over_at - (double)lane->at;
	const double cpu = overhead_ns(link, part);

	if (!part->is_send)
		return (struct time_parts){ over - cpu, 0, cpu };
	if (part->now == NEEDS_PARTNER)
		return (struct time_parts){ over, 0, cpu };
	return (struct time_parts){ 0, 0, apart ? 0 : cpu };
}

double replay_call_model_ns(
	struct replay_times *t, const struct replay_lane *lane, const struct replay_call *call)
{
	struct stay is = { 0 };

	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done)
		is.late = fmax(
			is.late, flies_from(t->g->part[p].now, lead_of(t, lane, &t->g->part[p])));
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];
		const int64_t lead = lead_of(t, lane, part);
		const bool apart = t->g->detail[p].post_call != lane->next;
		struct time_parts time;
		double from;

		t->out->moved += is_moved(part);
		t->out->decided += may_move(t->scenario, part);
		time = part->between ? time_between(t, lane, part, apart) :
				       model_time(t->scenario, lane->rank, part, lead, apart);
		from = part->between ? 0 : flies_from(part->now, lead);
		time.flight = known(t, time.flight);
		time.transfer = isnan(time.transfer) ? 0 : time.transfer;
		time.cpu = known(t, time.cpu);
		stay_add(&is, part->is_send, from, time);
	}
	return fmax(stay_ns(&is), 0);
}

double replay_part_ns(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns)
{
	double ns;

	if (part->is_send && !part->by_rendezvous)
		return 0; /* its overhead comes before the wait */
	ns = time_under(s, rank, part, lead_ns);
	if (isnan(ns))
		return 0;
	/* a sender that comes into MPI late has sent its request before */
	if (!part->is_send && part->by_rendezvous)
		ns -= link_of(s, rank, tier_of(s, part))->is.rendezvous;
	return ns > 0 ? ns : 0;
}

/* Can the scenario change the model's time of the call? */
static bool call_differs(const struct replay_times *t, const struct replay_lane *lane,
	const struct replay_call *call)
{
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];

		if (replay_is_message(part) && differs(t->scenario, part, lead_of(t, lane, part)))
			return true;
	}
	return false;
}

/*
 * How much longer a call takes as a whole: the difference of the model's two times of all its
 * messages, which fly at the same time.
 */
static double difference_of_call(
	struct replay_times *t, const struct replay_lane *lane, const struct replay_call *call)
{
	struct stay was = { 0 }, is = { 0 };

	if (!call_differs(t, lane, call))
		return 0;
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];

		if (!replay_is_message(part))
			continue;
		was.late = fmax(was.late, flies_from(part->needs, part->lead_ns));
		is.late = fmax(is.late, flies_from(part->now, lead_of(t, lane, part)));
	}
	/* a message of unknown time is there when it is posted */
	was.end = was.late;
	is.end = is.late;
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done) {
		const struct replay_part *part = &t->g->part[p];
		struct time_parts before, after;
		int64_t lead;

		if (!replay_is_message(part))
			continue;
		lead = lead_of(t, lane, part);
		before = model_time_in_run(t->scenario, lane->rank, part);
		after = model_time(t->scenario, lane->rank, part, lead, false);
		if (isnan(before.flight + after.flight)) {
			t->out->unmodelled++;
			continue;
		}
		stay_add(&was, part->is_send, flies_from(part->needs, part->lead_ns), before);
		stay_add(&is, part->is_send, flies_from(part->now, lead), after);
	}
	return stay_ns(&is) - stay_ns(&was);
}

/*
 * Does the call change as a whole, and not part by part? It does if it completes several messages.
 */
static bool changes_whole(const struct replay_times *t, const struct replay_call *call)
{
	uint32_t messages = 0;

	for (uint32_t p = call->dones; p != REPLAY_NONE && messages < 2;
		p = t->g->part[p].next_done)
		messages += replay_is_message(&t->g->part[p]);
	return messages > 1;
}

/*
 * How much longer the part takes than measured [ns]. whole: its call has the difference by the
 * model.
 */
static double more_of(struct replay_times *t, const struct replay_lane *lane,
	const struct replay_part *part, bool whole)
{
	const int64_t other = partner_at(t, part);
	double more;

	t->out->moved += is_moved(part);
	if (may_move(t->scenario, part)) {
		t->out->decided++;
		t->out->blind += isnan(time_under(t->scenario, lane->rank, part, part->lead_ns) -
			time_in_run(t->scenario, lane->rank, part));
	}
	more = whole ?
		0 :
		known(t, difference_of_part(t->scenario, lane->rank, part, lead_of(t, lane, part)));
	if (t->scenario->progress && other != INT64_MIN)
		more -= known(t,
			hidden_ns(t->scenario, lane->rank, part,
				lane->at - (other > part->at ? other : part->at)));
	return more;
}

double replay_call_more(
	struct replay_times *t, const struct replay_lane *lane, const struct replay_call *call)
{
	const bool whole = changes_whole(t, call);
	double more = whole ? difference_of_call(t, lane, call) : 0;

	for (uint32_t p = call->dones; p != REPLAY_NONE; p = t->g->part[p].next_done)
		if (replay_is_message(&t->g->part[p]))
			more += more_of(t, lane, &t->g->part[p], whole);
	return more;
}
