/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.c: the order of lanes (turns.h). */
#include "analysis/replay/turns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * At most this many lanes ask one lane. A lane looks at each of its askers in each of its calls, so
 * an unlimited number would make a gather quadratic. The other lanes leave in their turn by time.
 */
enum { ASKERS_MAX = 16 };

int turns_begin(struct turns *t, struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nlanes; i++) {
		struct replay_lane *lane = &g->lane[i];

		lane->stays = INT64_MIN;
		lane->askers = NULL;
		lane->naskers = 0;
		lane->listed = lane->fresh = false;
	}
	t->ready = malloc(((size_t)g->nlanes + 1) * sizeof(*t->ready));
	t->fresh = malloc(((size_t)g->nlanes + 1) * sizeof(*t->fresh));
	return t->ready && t->fresh ? 0 : -ENOMEM;
}

void turns_release(struct turns *t)
{
	heap_release(&t->put_off);
	free(t->ready);
	free(t->fresh);
	memset(t, 0, sizeof(*t));
}

bool turns_knows(const struct replay_lane *lane, int64_t now)
{
	return lane->at > now || lane->stays >= now || lane->next == lane->first + lane->n;
}

void turns_ready(struct turns *t, struct replay_lane *lane)
{
	t->ready[t->nready++] = lane;
}

void turns_put_off(struct turns *t, struct replay_lane *lane, int64_t at, struct replay_lane *asked)
{
	lane->stays = at;
	if (!lane->fresh)
		t->fresh[t->nfresh++] = lane;
	lane->fresh = true;
	/* A lane that left by time stays in the other lane's list until the next answer. */
	if (asked && !lane->listed && asked->naskers < ASKERS_MAX) {
		lane->listed = true;
		lane->next_asker = asked->askers;
		asked->askers = lane;
		asked->naskers++;
	}
	turns_answer(t, lane);
}

void turns_answer(struct turns *t, struct replay_lane *lane)
{
	struct replay_lane **at = &lane->askers, *asker;

	while ((asker = *at)) {
		if (!turns_knows(lane, asker->stays)) {
			at = &asker->next_asker;
			continue;
		}
		*at = asker->next_asker;
		lane->naskers--;
		asker->listed = false;
		if (asker->stays != INT64_MIN)
			turns_ready(t, asker);
	}
}

/* Puts the lanes that are still put off into the heap. */
static int order_by_time(struct turns *t)
{
	while (t->nfresh) {
		struct replay_lane *lane = t->fresh[--t->nfresh];

		lane->fresh = false;
		if (lane->stays != INT64_MIN && heap_push(&t->put_off, lane->stays, lane))
			return -ENOMEM;
	}
	return 0;
}

int turns_next(struct turns *t, struct replay_lane **lane, bool *by_time)
{
	*by_time = !t->nready;
	*lane = t->nready ? t->ready[--t->nready] : NULL;
	if (*lane)
		return 0;
	if (order_by_time(t))
		return -ENOMEM;
	while (t->put_off.n && !*lane) {
		const struct heap_item top = t->put_off.item[0];

		heap_pop(&t->put_off);
		*lane = top.what;
		if ((*lane)->stays != top.at) /* it has left since */
			*lane = NULL;
	}
	return 0;
}
