/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * master.c: the run with a master that serves at once.
 *
 * The master's computations and calls from its first to its last message take no time. It still
 * waits for the others' messages, and the others work as they did. Larger pieces of work can bring
 * more: they save messages.
 */
#include "analysis/worth/gain.h"

int64_t worth_gain_of_master(struct worth *w, int64_t master, int *rc)
{
	const struct replay_graph *g = &w->g;
	const struct replay_rank *rank;
	const uint32_t index = replay_rank_index(g, master);
	uint32_t first = REPLAY_NONE, last = 0;
	int64_t ns;

	*rc = 0;
	if (index == g->nranks || g->rank[index].nlanes != 1)
		return -1;
	rank = &g->rank[index];
	for (uint32_t p = rank->first_part; p < rank->first_part + rank->nparts; p++) {
		const uint32_t post = g->detail[p].post_call, done = w->edit.done[p];

		first = post < first ? post : first;
		last = done != REPLAY_NONE && done > last ? done : last;
		w->g.part[p].tier = REPLAY_TIERS; /* no time by the model either */
	}
	if (first > last) {
		edit_undo(&w->edit);
		return -1;
	}
	edit_only_wait(&w->edit, first, last);
	ns = worth_gain(w, &w->same, rc);
	edit_undo(&w->edit);
	return ns;
}
