/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine.c: several messages of a rank to a peer become one.
 *
 *	stream    the peer only receives: the first receive has all the data
 *	rounds    the peer sends as many back, none of them an answer to the message of its round:
 *	          rounds become one, with one message in each direction
 */
#include "analysis/worth/combine.h"

/* Messages that become one. */
struct group {
	uint32_t send[WORTH_COMBINED_MAX];
	uint32_t n;
};

/* Longer ones are not calibrated, and caches do not hold them. */
enum { LONGEST = 1 << 20 };

bool worth_put_into_one(
	struct worth *w, const uint32_t *sends, uint32_t n, uint64_t bytes, bool received_last)
{
	struct worth_longer more;

	if (bytes > LONGEST || !worth_longer(w, &w->g.part[sends[0]], bytes, &more))
		return false;
	edit_aggregate(&w->edit, sends, n,
		&(struct edit_combined){
			more.send_ns, more.recv_ns, more.rendezvous, received_last });
	return true;
}

/* Makes the group one message. False: the long message's time is unknown. */
static bool put_into_one(struct worth *w, const struct group *group, bool received_last)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < group->n; i++)
		bytes += w->g.part[group->send[i]].bytes;
	return worth_put_into_one(w, group->send, group->n, bytes, received_last);
}

/* Makes the group one message, and empties it. One message alone stays as it is. */
static bool end_group(struct worth *w, struct group *group)
{
	const bool known = group->n < 2 || put_into_one(w, group, false);

	group->n = 0;
	return known;
}

static bool is_of_peer(const struct worth *w, uint32_t part, int64_t peer)
{
	const uint32_t partner = w->edit.part[part].partner;

	return partner != REPLAY_NONE && w->g.detail[partner].rank == peer;
}

static bool is_of_stream(const struct worth *w, uint32_t i, const struct worth_stream *stream)
{
	const struct replay_part *part = &w->g.part[i];

	return part->is_send && part->site == stream->site && is_of_peer(w, i, stream->peer);
}

/*
 * Is the part a collective, or a receive from the peer? The peer may send that message only after
 * it has the rank's earlier ones.
 */
static bool is_answer(const struct worth *w, uint32_t i, int64_t peer)
{
	const struct replay_part *part = &w->g.part[i];

	return part->instance != REPLAY_NONE || (!part->is_send && is_of_peer(w, i, peer));
}

bool worth_combine_stream(struct worth *w, const struct worth_stream *stream, uint32_t by)
{
	struct group group = { .n = 0 };
	uint32_t answered = REPLAY_NONE; /* the first call that completes an answer */
	uint32_t taken = 0, left = 0;
	bool known = stream->site != REPLAY_NONE;

	for (uint32_t i = 0; i < w->g.nparts && known; i++) {
		if (w->g.detail[i].rank != stream->rank)
			continue;
		if (is_answer(w, i, stream->peer)) {
			answered = w->edit.done[i] < answered ? w->edit.done[i] : answered;
			continue;
		}
		if (!is_of_stream(w, i, stream))
			continue;
		if (!edit_is_single(&w->edit, i)) {
			left++;
			continue;
		}
		taken++;
		if (answered < w->g.detail[i].post_call) {
			known = end_group(w, &group);
			answered = REPLAY_NONE;
		}
		group.send[group.n++] = i;
		if (group.n == by)
			known = end_group(w, &group);
	}
	return known && taken > left && end_group(w, &group);
}

/* A round has at most this many calls: each end is posted and completed in one of its own. */
enum { ROUND_CALLS_MAX = 4 };

/* One rank's ends of a round. */
struct round {
	uint32_t send, receive;
	uint32_t first, last; /* its calls */
};

static struct round round_of(const struct worth *w, uint32_t send, uint32_t receive)
{
	struct round r = { .send = send, .receive = receive };

	edit_calls_of_round(&w->edit, send, receive, &r.first, &r.last);
	return r;
}

/* The peer's ends. */
static struct round other_side(const struct worth *w, const struct round *r)
{
	return round_of(w, w->edit.part[r->receive].partner, w->edit.part[r->send].partner);
}

/* Has the send been posted before the rank has the message that comes with it? */
static bool is_no_answer(const struct worth *w, const struct round *r)
{
	return w->g.detail[r->send].post_call <= w->edit.done[r->receive];
}

static bool has_call(const struct worth *w, const struct round *r, uint32_t c)
{
	return c == w->g.detail[r->send].post_call || c == w->g.detail[r->receive].post_call ||
		c == w->edit.done[r->send] || c == w->edit.done[r->receive];
}

/* Does the rank call nothing else from the first to the last of the round's calls? */
static bool is_alone(const struct worth *w, const struct round *r)
{
	if (w->g.part[r->send].lane != w->g.part[r->receive].lane ||
		r->last - r->first >= ROUND_CALLS_MAX)
		return false;
	for (uint32_t c = r->first; c <= r->last; c++)
		if (!has_call(w, r, c))
			return false;
	return true;
}

static bool is_round(const struct worth *w, const struct round *r)
{
	const struct round other = other_side(w, r);

	return is_no_answer(w, r) && is_no_answer(w, &other) && is_alone(w, r) &&
		is_alone(w, &other) && edit_is_round(&w->edit, r->send, r->receive) &&
		edit_is_round(&w->edit, other.send, other.receive);
}

/*
 * Does the rank go from the round before to this one at once? If it computes longer than the calls
 * of this round take, the round may need what the one before brought.
 */
static bool follows_at_once(
	const struct worth *w, const struct round *before, const struct round *r)
{
	int64_t computing = 0, inside = 0;

	if (r->first != before->last + 1 ||
		w->g.part[before->receive].lane != w->g.part[r->receive].lane)
		return false;
	for (uint32_t c = r->first; c <= r->last; c++) {
		computing += w->edit.call[c].gap_ns;
		inside += w->edit.call[c].inside_ns - w->edit.call[c].late_ns;
	}
	return computing <= inside;
}

/* The next end of a message from the peer that the rank has no earlier than call `c`. */
static uint32_t next_receive(const struct worth *w, const struct replay_rank *rank, int64_t peer,
	uint32_t from, uint32_t c)
{
	for (uint32_t i = from; i < rank->first_part + rank->nparts; i++)
		if (!w->g.part[i].is_send && is_of_peer(w, i, peer) &&
			w->edit.done[i] != REPLAY_NONE && w->edit.done[i] >= c)
			return i;
	return REPLAY_NONE;
}

/* Both directions of the rounds that the group's sends belong to. */
static bool end_rounds(struct worth *w, struct group *out, struct group *back)
{
	const bool known =
		out->n < 2 || (put_into_one(w, out, true) && put_into_one(w, back, true));

	out->n = back->n = 0;
	return known;
}

bool worth_combine_rounds(struct worth *w, const struct worth_stream *stream, uint32_t by)
{
	const uint32_t index = replay_rank_index(&w->g, stream->rank);
	const struct replay_rank *rank = &w->g.rank[index];
	struct group out = { .n = 0 }, back = { .n = 0 };
	struct round before = { 0 }, other_before = { 0 };
	uint32_t combined = 0, all = 0, receive;
	bool known = stream->site != REPLAY_NONE;

	if (!known)
		return false;
	receive = rank->first_part;
	for (uint32_t i = rank->first_part; i < rank->first_part + rank->nparts && known; i++) {
		struct round r, other;

		if (!is_of_stream(w, i, stream))
			continue;
		all++;
		receive = next_receive(w, rank, stream->peer, receive, w->g.detail[i].post_call);
		if (receive == REPLAY_NONE)
			break;
		r = round_of(w, i, receive++);
		if (!is_round(w, &r)) {
			known = end_rounds(w, &out, &back);
			continue;
		}
		other = other_side(w, &r);
		if (out.n > 0 &&
			(!follows_at_once(w, &before, &r) ||
				!follows_at_once(w, &other_before, &other)))
			known = end_rounds(w, &out, &back);
		combined += out.n > 0;
		out.send[out.n++] = i;
		back.send[back.n++] = other.send;
		before = r;
		other_before = other;
		if (out.n == by)
			known = known && end_rounds(w, &out, &back);
	}
	return known && 2 * combined > all && end_rounds(w, &out, &back);
}
