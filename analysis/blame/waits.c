/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c: holds, sorts and writes the waits of a run (waits.h). */
#include "analysis/blame/waits.h"
#include "analysis/base/array.h"
#include "analysis/base/bisect.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, CUTS_PART = 4096 };

/* The times at which all members of a lane's last two collectives were in step. */
struct waits_lane {
	int64_t zero;
	int64_t written; /* its waits that end before this are written */
	uint32_t all, all_before;
	int64_t at, at_before;
};

/* The time at which a pair of lanes was last in step. */
struct waits_pair {
	uint64_t key; /* lanes, the smaller one first, + 1; 0: free */
	int64_t at;
};

struct waits_cut {
	int64_t at;
	uint64_t written; /* waits until then */
};

/* A wait's place in memory, to be sorted by its end. */
struct place {
	uint64_t key;
	uint32_t held;
};

int history_waits_init(
	struct history_waits *w, uint32_t held, uint64_t memory, uint32_t lanes, const char *near)
{
	memset(w, 0, sizeof(*w));
	w->limit = held > 2 ? held : HISTORY_WAITS_HELD;
	w->latest = INT64_MIN;
	return lane_logs_init(&w->logs, sizeof(struct history_wait), memory, lanes, near);
}

void history_waits_release(struct history_waits *w)
{
	lane_logs_release(&w->logs);
	free(w->held);
	free(w->lane);
	free(w->pair);
	free(w->cut);
	memset(w, 0, sizeof(*w));
}

void history_waits_lane(struct history_waits *w, uint32_t lane, int64_t zero_ns)
{
	if (array_cover(&w->lane, sizeof(*w->lane), &w->nlanes, lane)) {
		w->error = -ENOMEM;
		return;
	}
	w->lane[lane].zero = zero_ns;
	w->lane[lane].written = INT64_MIN;
}

static struct waits_pair *pair_slot(struct waits_pair *table, uint64_t mask, uint64_t key)
{
	uint64_t i = key * 0x9e3779b97f4a7c15ULL >> 20 & mask;

	while (table[i].key && table[i].key != key)
		i = (i + 1) & mask;
	return &table[i];
}

static struct waits_pair *pair_at(struct history_waits *w, uint32_t x, uint32_t y)
{
	uint64_t key = (x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x) + 1;
	struct waits_pair *pair;

	if (!w->pair || w->npairs > w->pair_mask / 2) {
		uint64_t mask = w->pair ? w->pair_mask * 2 + 1 : 1023;
		struct waits_pair *more = calloc(mask + 1, sizeof(*more));

		if (!more)
			return NULL;
		for (uint64_t i = 0; w->pair && i <= w->pair_mask; i++)
			if (w->pair[i].key)
				*pair_slot(more, mask, w->pair[i].key) = w->pair[i];
		free(w->pair);
		w->pair = more;
		w->pair_mask = mask;
	}
	pair = pair_slot(w->pair, w->pair_mask, key);
	if (!pair->key) {
		*pair = (struct waits_pair){ key, INT64_MIN };
		w->npairs++;
	}
	return pair;
}

/* The lane's last collective with another number than `all`. */
static void sync_before(const struct waits_lane *l, uint32_t all, uint32_t *number, int64_t *at)
{
	bool this_one = all && l->all == all;

	*number = this_one ? l->all_before : l->all;
	*at = this_one ? l->at_before : l->at;
}

static void sync_set(struct waits_lane *l, uint32_t all, int64_t at)
{
	if (!all || l->all == all)
		return;
	l->all_before = l->all;
	l->at_before = l->at;
	l->all = all;
	l->at = at;
}

/* Waits must come in order of time. */
static int find_in_step(struct history_waits *w, struct history_wait *wait)
{
	struct waits_lane *x = &w->lane[wait->lane], *y = &w->lane[wait->late];
	struct waits_pair *pair = pair_at(w, wait->lane, wait->late);
	uint32_t all_x, all_y;
	int64_t at_x, at_y;

	if (!pair)
		return -ENOMEM;
	wait->in_step = x->zero > y->zero ? x->zero : y->zero;
	if (pair->at > wait->in_step)
		wait->in_step = pair->at;
	sync_before(x, wait->all, &all_x, &at_x);
	sync_before(y, wait->all, &all_y, &at_y);
	if (all_x && all_x == all_y && at_x > wait->in_step)
		wait->in_step = at_x;
	if (wait->in_step > wait->from)
		wait->in_step = wait->from;
	if (wait->until > pair->at)
		pair->at = wait->until;
	sync_set(x, wait->all, wait->until);
	sync_set(y, wait->all, wait->until);
	return 0;
}

/* A history that reaches beyond a cut removes it; a collective may be a new cut. */
static int find_cuts(struct history_waits *w, const struct history_wait *wait)
{
	uint32_t n = w->ncuts, keep = n;

	while (keep && w->cut[keep - 1].at > wait->in_step)
		keep--;
	/* cuts at or after the end of the wait are not affected */
	while (n > keep && w->cut[n - 1].at >= wait->until)
		n--;
	if (n > keep) /* otherwise there may be none, and no array */
		memmove(w->cut + keep, w->cut + n, (w->ncuts - n) * sizeof(*w->cut));
	w->ncuts -= n - keep;
	if (!wait->all || wait->until < w->latest ||
		(w->ncuts &&
			(w->cut[w->ncuts - 1].at >= wait->until ||
				w->written - w->cut[w->ncuts - 1].written < w->limit / CUTS_PART)))
		return 0;
	if (array_room(&w->cut, sizeof(*w->cut), &w->cuts_room, w->ncuts))
		return -ENOMEM;
	w->cut[w->ncuts++] = (struct waits_cut){ wait->until, w->written };
	return 0;
}

static void write_wait(struct history_waits *w, struct history_wait *wait)
{
	int rc = find_in_step(w, wait);

	if (!rc)
		rc = find_cuts(w, wait);
	w->error = rc;
	wait->cost = (double)(wait->until - wait->from);
	w->lane[wait->lane].written = wait->until;
	w->latest = wait->until > w->latest ? wait->until : w->latest;
	w->written++;
	lane_logs_add(&w->logs, wait->lane, wait->until, 0, wait);
}

/*
 * A stable sort by key. Returns place or spare, whichever has the result.
 */
static struct place *sort_places(
	struct place *place, struct place *spare, uint32_t n, uint64_t most)
{
	for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
		uint32_t at[DIGITS] = { 0 }, sum = 0;
		struct place *other = spare;

		for (uint32_t i = 0; i < n; i++)
			at[place[i].key >> shift & (DIGITS - 1)]++;
		for (uint32_t d = 0; d < DIGITS; d++) {
			uint32_t count = at[d];

			at[d] = sum;
			sum += count;
		}
		for (uint32_t i = 0; i < n; i++)
			spare[at[place[i].key >> shift & (DIGITS - 1)]++] = place[i];
		spare = place;
		place = other;
	}
	return place;
}

/* Writes the first `n` waits in memory, in the order of their ends. */
static void write_first(struct history_waits *w, uint32_t n)
{
	struct place *all = malloc(2 * ((size_t)w->nheld + 1) * sizeof(*all)), *place = all;
	int64_t least = INT64_MAX, most = INT64_MIN;
	uint32_t kept = 0;

	if (!all) {
		w->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < w->nheld; i++) {
		least = w->held[i].until < least ? w->held[i].until : least;
		most = w->held[i].until > most ? w->held[i].until : most;
	}
	for (uint32_t i = 0; i < w->nheld; i++)
		place[i] = (struct place){ (uint64_t)w->held[i].until - (uint64_t)least, i };
	if (w->nheld)
		place = sort_places(
			place, place + w->nheld, w->nheld, (uint64_t)most - (uint64_t)least);
	for (uint32_t i = 0; i < n && !w->error; i++) {
		write_wait(w, &w->held[place[i].held]);
		w->held[place[i].held].until = INT64_MIN;
	}
	for (uint32_t i = 0; i < w->nheld; i++)
		if (w->held[i].until != INT64_MIN)
			w->held[kept++] = w->held[i];
	w->nheld = kept;
	free(all);
	if (!w->error)
		w->error = w->logs.error;
}

void history_waits_add(struct history_waits *w, const struct history_wait *wait)
{
	if (w->error)
		return;
	if (wait->until < w->lane[wait->lane].written) {
		w->left_out_ns += wait->until - wait->from;
		w->left_out++;
		return;
	}
	if (w->nheld == w->limit)
		write_first(w, w->nheld / 2);
	if (array_room(&w->held, sizeof(*w->held), &w->room, w->nheld))
		w->error = -ENOMEM;
	else
		w->held[w->nheld++] = *wait;
}

void history_waits_end(struct history_waits *w)
{
	if (!w->error)
		write_first(w, w->nheld);
	free(w->held);
	w->held = NULL;
	w->nheld = w->room = 0;
}

int64_t history_waits_middle(const struct history_waits *w)
{
	const struct waits_cut *best = NULL;
	/* only useful near the middle */
	uint64_t half = w->written / 2, least = half / 2;

	for (uint32_t i = 0; i < w->ncuts; i++) {
		uint64_t n = w->cut[i].written, off = n > half ? n - half : half - n;

		if (off < least) {
			least = off;
			best = &w->cut[i];
		}
	}
	return best ? best->at : INT64_MIN;
}

const struct history_wait *history_waits_before(
	struct lane_logs_view *view, uint32_t lane, int64_t ns)
{
	const struct history_wait *record;
	uint32_t n;

	if (lane_logs_blocks(view->logs, lane) == 0)
		return NULL;
	record = lane_logs_read(view, lane, lane_logs_find(view, lane, ns), &n);
	n = bisect_below(record, sizeof(*record), offsetof(struct history_wait, until), n, ns);
	return n ? &record[n - 1] : NULL;
}
