/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c: protocols and times of messages under a scenario (message.h). */
#include "analysis/replay/message.h"

#include <math.h>

#include "analysis/model/equations/loggps_pieces.h"

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
	if (tier >= REPLAY_TIERS || s->S[tier] == UINT64_MAX ||
		(!s->S_set[tier] && tier == part->tier))
		return part->rendezvous;
	return part->synchronous || part->bytes > s->S[tier];
}

/* The part's time without what it waits for. lead_ns: as replay_difference(). */
static double without_wait(
	const struct loggps *p, const struct replay_part *part, bool rendezvous, int64_t lead_ns)
{
	const double lead = (double)lead_ns;

	return (part->is_send ? loggps_send(p, part->bytes, rendezvous, lead) :
				loggps_recv(p, part->bytes, rendezvous, -lead)) -
		(lead > 0 && (rendezvous || !part->is_send) ? lead : 0);
}

/*
 * The same, of a message that takes `more` ns longer to arrive, because others share its hosts. A
 * receive that comes late may find that time gone by. A send has the share of it that its overhead
 * has of the transfer.
 */
static double without_wait_in_crowd(const struct loggps *p, const struct replay_part *part,
	bool rendezvous, int64_t lead_ns, double more)
{
	const struct loggps_slopes *by = &p->by[loggps_regime(p, part->bytes)];
	const double sending = by->O_s / (by->O_s + by->G), lead = (double)lead_ns;

	if (more <= 0)
		return without_wait(p, part, rendezvous, lead_ns);
	if (part->is_send)
		return without_wait(p, part, rendezvous, lead_ns) +
			(sending >= 0 && sending <= 1 ? more * sending : 0);
	if (rendezvous)
		return without_wait(p, part, true, lead_ns) + more;
	return loggps_recv(p, part->bytes, false, -(lead + more)) - (lead > 0 ? lead : 0);
}

bool replay_becomes_eager(const struct replay_scenario *s, const struct replay_part *part)
{
	const unsigned tier = tier_of(s, part);

	if (replay_rendezvous(s, part))
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
	if (replay_rendezvous(s, part))
		return false;
	if (replay_becomes_eager(s, part))
		return s->link && tier < REPLAY_TIERS && bytes <= link_of(s, rank, tier)->is.S_p;
	return tier < REPLAY_TIERS && s->S_p_set[tier] && part->is_send && bytes <= s->S_p[tier];
}

double replay_arrival(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, struct replay_arrival *last)
{
	const uint64_t bytes = is_cut(s, part) ? s->piece_bytes : part->bytes;
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;
	double ns;

	if (replay_rendezvous(s, part) || tier >= REPLAY_TIERS || !s->link)
		return 0;
	link = &link_of(s, rank, tier)->is;
	if (link == last->link && bytes == last->bytes)
		return last->ns;
	ns = fmax(
		loggps_T1(link, bytes), loggps_message(link, bytes, 0, 0) - loggps_T3(link, bytes));
	*last = (struct replay_arrival){ link, bytes, ns > 0 ? ns : 0 /* also of NAN */ };
	return last->ns;
}

double replay_hidden(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part, int64_t ns)
{
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;
	double all;

	if (ns <= 0 || !replay_rendezvous(s, part))
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

double replay_time_under(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns)
{
	const unsigned tier = tier_of(s, part);
	const struct loggps *link;

	if (tier >= REPLAY_TIERS || !s->link)
		return NAN;
	link = &link_of(s, rank, tier)->is;
	if (is_cut(s, part))
		return cut_without_wait(link, part, s->piece_bytes, lead_ns);
	return without_wait_in_crowd(link, part, replay_rendezvous(s, part), lead_ns,
		s->crowd ? s->crowd[part - s->part].is : 0);
}

static double time_in_run(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	if (part->tier >= REPLAY_TIERS || !s->link)
		return NAN;
	return without_wait_in_crowd(&link_of(s, rank, part->tier)->was, part, part->rendezvous,
		part->lead_ns, s->crowd ? s->crowd[part - s->part].was : 0);
}

double replay_difference(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns)
{
	if (lead_ns == part->lead_ns && !s->links_change)
		return 0;
	/* a send that needs nobody takes what it takes, and so does a receive behind its wait */
	if (!s->links_change &&
		(part->is_send ? !part->rendezvous : lead_ns >= 0 && part->lead_ns >= 0))
		return 0;
	return replay_time_under(s, rank, part, lead_ns) - time_in_run(s, rank, part);
}

/* The part's time over the link, as what can overlap and what cannot. */
static struct replay_time split(
	const struct loggps *link, const struct replay_part *part, double all)
{
	const double cpu =
		part->is_send ? loggps_T1(link, part->bytes) : loggps_T3(link, part->bytes);

	if (isnan(all + cpu))
		return (struct replay_time){ NAN, NAN };
	return (struct replay_time){ fmax(all - cpu, 0), fmin(cpu, all) };
}

/*
 * 2o + L + (k - 1) G; the receive finds what is left of it. pieces: the message goes in so many, of
 * `piece` bytes at most, and each costs both sides an overhead.
 */
static struct replay_time by_loggp(const struct replay_loggp *p, const struct replay_part *part,
	uint64_t piece, double pieces, int64_t lead_ns)
{
	const int line = piece > p->s;
	const double k = part->bytes ? (double)part->bytes - 1 : 0, lead = (double)lead_ns;
	const double flight = p->one_way[line] + (pieces - 2) * p->o[line] + k * p->G[line];

	if (part->is_send)
		return (struct replay_time){ 0, pieces * p->o[line] };
	if (isnan(flight))
		return (struct replay_time){ NAN, p->o[line] };
	return (struct replay_time){ fmax(flight + fmin(lead, 0), 0), pieces * p->o[line] };
}

struct replay_time replay_model_time(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns, bool apart)
{
	const unsigned tier = tier_of(s, part);

	/* the post of an eager send was the sending */
	if (apart && part->is_send && !replay_rendezvous(s, part))
		return (struct replay_time){ 0, 0 };
	if (tier >= REPLAY_TIERS || !s->link)
		return (struct replay_time){ NAN, NAN };
	if (is_loggp(s))
		return is_cut(s, part) ?
			by_loggp(&s->loggp[tier], part, s->piece_bytes,
				ceil((double)part->bytes / (double)s->piece_bytes), lead_ns) :
			by_loggp(&s->loggp[tier], part, part->bytes, 1, lead_ns);
	return split(&link_of(s, rank, tier)->is, part, replay_time_under(s, rank, part, lead_ns));
}

struct replay_time replay_model_time_in_run(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part)
{
	if (part->tier >= REPLAY_TIERS || !s->link)
		return (struct replay_time){ NAN, NAN };
	return split(&link_of(s, rank, part->tier)->was, part, time_in_run(s, rank, part));
}

void replay_stay_add(
	struct replay_stay *stay, uint8_t needs, int64_t lead_ns, struct replay_time time)
{
	const double from = needs == NEEDS_PARTNER && lead_ns > 0 ? (double)lead_ns : 0;

	stay->late = fmax(stay->late, from);
	stay->end = fmax(stay->end, from + time.flight);
	stay->cpu += time.cpu;
}

double replay_stay_ns(const struct replay_stay *stay)
{
	return stay->end - stay->late + stay->cpu;
}
