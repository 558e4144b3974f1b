/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.c: the run with a master that hands out several pieces of work in a message.
 *
 *	worker    | get | compute | result | get | compute | result |
 *	becomes   | get |         compute and compute      | result |
 *
 * The first message has all the pieces, and the last one all the results. The master takes as long
 * for them as it took for one, since it decides for each message. The workers compute as before,
 * and each one keeps its pieces.
 */
#include "analysis/worth/combine.h"

/* Pieces of work of a worker that become one. */
struct pieces {
	uint32_t get[WORTH_PIECES_MAX], result[WORTH_PIECES_MAX]; /* ends of the worker */
	uint32_t n;
};

static uint32_t partner_of(const struct worth *w, uint32_t part)
{
	return w->edit.part[part].partner;
}

/* The message gets as long as the pieces together. False: its time is unknown. */
static bool make_longer(struct worth *w, uint32_t one, uint64_t bytes)
{
	const uint32_t send = w->g.part[one].is_send ? one : partner_of(w, one);

	return worth_put_into_one(w, &send, 1, bytes, false);
}

/* The worker computes as before; the master does nothing for this message. */
static void leave_out(struct worth *w, uint32_t worker_end)
{
	const uint32_t of_master = partner_of(w, worker_end);

	w->g.call[w->edit.done[of_master]].gap_ns = 0;
	edit_leave_out(&w->edit, worker_end);
}

static bool end_pieces(struct worth *w, struct pieces *p)
{
	uint64_t get = 0, result = 0;
	const uint32_t n = p->n;

	p->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		get += w->g.part[p->get[i]].bytes;
		result += w->g.part[p->result[i]].bytes;
	}
	for (uint32_t i = 0; i + 1 < n; i++) {
		leave_out(w, p->get[i + 1]);
		leave_out(w, p->result[i]);
	}
	return n < 2 ||
		(make_longer(w, p->get[0], get) && make_longer(w, p->result[n - 1], result));
}

/* Each end with the master is alone in its call, at both sides. */
static bool is_with(const struct worth *w, uint32_t part, int64_t master)
{
	const uint32_t partner = partner_of(w, part);

	return partner != REPLAY_NONE && w->g.detail[partner].rank == master &&
		edit_is_single(&w->edit, w->g.part[part].is_send ? part : partner);
}

/* Goes through a worker's messages. *taken, *left: how many became part of a piece of work, or not.
 */
static bool combine_of(struct worth *w, const struct replay_rank *worker, int64_t master,
	uint32_t by, uint32_t *taken, uint32_t *left)
{
	struct pieces p = { .n = 0 };
	uint32_t get = REPLAY_NONE;
	bool known = true;

	for (uint32_t i = worker->first_part; i < worker->first_part + worker->nparts && known;
		i++) {
		if (!is_with(w, i, master)) {
			++*left;
		} else if (!w->g.part[i].is_send) {
			get = i;
		} else if (get != REPLAY_NONE) {
			p.get[p.n] = get;
			p.result[p.n++] = i;
			get = REPLAY_NONE;
			*taken += 2;
			if (p.n == by)
				known = end_pieces(w, &p);
		}
	}
	return known && end_pieces(w, &p);
}

int64_t worth_gain_of_pieces(struct worth *w, int64_t master, uint32_t by, int *rc)
{
	uint32_t taken = 0, left = 0;
	bool known = true;
	int64_t ns;

	*rc = 0;
	for (uint32_t i = 0; i < w->g.nranks && known; i++)
		if (w->g.rank[i].nlanes > 1)
			known = false;
		else if (w->g.rank[i].rank != master)
			known = combine_of(w, &w->g.rank[i], master, by, &taken, &left);
	ns = known && taken > left ? worth_gain(w, &w->same, rc) : -1;
	edit_undo(&w->edit);
	return ns;
}
