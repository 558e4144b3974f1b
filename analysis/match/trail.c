/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "analysis/match/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BUFFERS_BYTES = 48 << 20,	/* of all lanes together, for writing and again for reading */
	BLOCK_MIN = 32, BLOCK_MAX = 2048
};

struct block {
	int64_t first;			/* entry of its first call */
	uint32_t callsite;		/* of the same */
	uint64_t index;			/* in the file */
};

struct trail_lane {
	const struct run_rank *rank;
	struct block *block;		/* full ones, in order */
	uint32_t nblocks, blocks_room;
	struct trail_call *tail;	/* the one being filled */
	uint32_t ntail;
	int64_t last_leave;
	struct trail_call *ahead;	/* calls to come, by entry: [first, n) */
	uint32_t ahead_first, ahead_n, ahead_room;
	struct trail_call *cached;	/* a full block as read back */
	uint32_t cached_block;		/* its number + 1 */
};

static int open_nameless(const char *near)
{
	char dir[PATH_MAX];
	const char *tmp = getenv("TMPDIR"), *slash = near ? strrchr(near, '/') : NULL;
	int fd = -1;

	if (slash && slash - near < (int)sizeof(dir)) {
		memcpy(dir, near, (size_t)(slash - near));
		dir[slash - near] = '\0';
		fd = open(*dir ? dir : "/", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	}
	if (fd < 0 && snprintf(dir, sizeof(dir), "%s/tryst-XXXXXX", tmp && *tmp ? tmp : "/tmp") <
			(int)sizeof(dir)) {
		fd = mkostemp(dir, O_CLOEXEC);
		if (fd >= 0)
			unlink(dir);
	}
	return fd;
}

int trail_init(struct trail *t, uint32_t nranks, const char *near)
{
	uint64_t block = BUFFERS_BYTES / sizeof(struct trail_call) / nranks;

	memset(t, 0, sizeof(*t));
	t->block = block < BLOCK_MIN ? BLOCK_MIN : block > BLOCK_MAX ? BLOCK_MAX : (uint32_t)block;
	t->fd = open_nameless(near);
	return t->fd < 0 ? -errno : 0;
}

void trail_release(struct trail *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++) {
		free(t->lane[i].block);
		free(t->lane[i].tail);
		free(t->lane[i].ahead);
		free(t->lane[i].cached);
	}
	free(t->lane);
	free(t->wait);
	if (t->fd > 0)
		close(t->fd);
	memset(t, 0, sizeof(*t));
}

const struct run_rank *trail_rank(const struct trail *t, uint32_t lane)
{
	return lane < t->nlanes ? t->lane[lane].rank : NULL;
}

static struct trail_lane *lane_at(struct trail *t, const struct run_rank *rank, uint32_t lane)
{
	if (lane >= t->nlanes) {
		uint32_t n = lane + 1 + t->nlanes / 2;
		struct trail_lane *more = realloc(t->lane, n * sizeof(*more));

		if (!more) {
			t->error = -ENOMEM;
			return NULL;
		}
		memset(more + t->nlanes, 0, (n - t->nlanes) * sizeof(*more));
		t->lane = more;
		t->nlanes = n;
	}
	if (!t->lane[lane].rank) {
		t->lane[lane].rank = rank;
		t->lane[lane].last_leave = INT64_MIN;
		t->lane[lane].tail = malloc(t->block * sizeof(struct trail_call));
		if (!t->lane[lane].tail)
			t->error = -ENOMEM;
	}
	return t->lane[lane].tail ? &t->lane[lane] : NULL;
}

static void write_block(struct trail *t, struct trail_lane *l)
{
	size_t bytes = t->block * sizeof(struct trail_call);

	if (l->nblocks == l->blocks_room) {
		uint32_t room = l->blocks_room ? l->blocks_room * 2 : 16;
		struct block *more = realloc(l->block, room * sizeof(*more));

		if (!more) {
			t->error = -ENOMEM;
			return;
		}
		l->block = more;
		l->blocks_room = room;
	}
	errno = ENOSPC;
	if (pwrite(t->fd, l->tail, bytes, (off_t)(t->blocks * bytes)) != (ssize_t)bytes) {
		t->error = -errno;
		return;
	}
	l->block[l->nblocks++] = (struct block){ l->tail[0].enter, l->tail[0].callsite,
		t->blocks++ };
	l->ntail = 0;
}

/* The next call in order of time. One that overlaps the one before begins behind it. */
static void append(struct trail *t, struct trail_lane *l, struct trail_call c)
{
	if (c.enter < l->last_leave)
		c.enter = l->last_leave;
	if (c.leave <= c.enter || t->error)
		return;
	l->last_leave = c.leave;
	l->tail[l->ntail++] = c;
	if (l->ntail == t->block)
		write_block(t, l);
}

static void flush_ahead(struct trail *t, struct trail_lane *l, int64_t before)
{
	while (l->ahead_first < l->ahead_n && l->ahead[l->ahead_first].enter < before)
		append(t, l, l->ahead[l->ahead_first++]);
	if (l->ahead_first == l->ahead_n)
		l->ahead_first = l->ahead_n = 0;
}

/* Keeps a call for later, in order; several ops name the same call. */
static void keep_ahead(struct trail *t, struct trail_lane *l, const struct trail_call *c)
{
	uint32_t i;

	if (l->ahead_n == l->ahead_room) {
		uint32_t room = l->ahead_room ? l->ahead_room * 2 : 64;
		struct trail_call *more;

		if (l->ahead_first > l->ahead_room / 2) {
			memmove(l->ahead, l->ahead + l->ahead_first,
				(l->ahead_n - l->ahead_first) * sizeof(*l->ahead));
			l->ahead_n -= l->ahead_first;
			l->ahead_first = 0;
		} else {
			more = realloc(l->ahead, room * sizeof(*more));
			if (!more) {
				t->error = -ENOMEM;
				return;
			}
			l->ahead = more;
			l->ahead_room = room;
		}
	}
	for (i = l->ahead_n; i > l->ahead_first && l->ahead[i - 1].enter >= c->enter; i--)
		if (l->ahead[i - 1].enter == c->enter)
			return;
	memmove(&l->ahead[i + 1], &l->ahead[i], (l->ahead_n - i) * sizeof(*l->ahead));
	l->ahead[i] = *c;
	l->ahead_n++;
}

void trail_call(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t enter,
	int64_t leave, uint32_t callsite)
{
	const struct trail_call c = { .enter = enter, .leave = leave, .callsite = callsite };
	struct trail_lane *l = lane_at(t, rank, lane);

	if (l)
		keep_ahead(t, l, &c);
}

/* All calls of the lane that enter before `ns` have come. */
void trail_passed(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t ns)
{
	struct trail_lane *l = lane_at(t, rank, lane);

	if (l)
		flush_ahead(t, l, ns);
}

void trail_end(struct trail *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++)
		if (t->lane[i].rank)
			flush_ahead(t, &t->lane[i], INT64_MAX);
}

/* Four classes an octave of a wait's length, the shortest first. */
static unsigned length_class(int64_t ns)
{
	unsigned log2 = 63 - (unsigned)__builtin_clzll((uint64_t)ns | 4);

	return log2 * 4 + ((uint64_t)ns >> (log2 - 2) & 3);
}

/* Leaves out the shorter half, in whole classes. */
static void drop_short(struct trail *t)
{
	uint32_t count[256] = { 0 }, sum = 0, kept = 0;
	unsigned class = 0;

	for (uint32_t i = 0; i < t->nwaits; i++)
		count[length_class(t->wait[i].until - t->wait[i].from)]++;
	while (sum < t->nwaits / 2)
		sum += count[class++];
	t->least_class = class;
	for (uint32_t i = 0; i < t->nwaits; i++) {
		int64_t ns = t->wait[i].until - t->wait[i].from;

		if (length_class(ns) >= class)
			t->wait[kept++] = t->wait[i];
		else
			t->left_out_ns += ns;
	}
	t->left_out += t->nwaits - kept;
	t->nwaits = kept;
}

void trail_wait(struct trail *t, const struct trail_wait *wait)
{
	if (length_class(wait->until - wait->from) < t->least_class) {
		t->left_out_ns += wait->until - wait->from;
		t->left_out++;
		return;
	}
	if (t->nwaits == TRAIL_WAITS_MAX)
		drop_short(t);
	if ((t->nwaits & (t->nwaits - 1)) == 0 || !t->wait) {
		uint32_t room = t->nwaits < 1024 ? 1024 : t->nwaits * 2;
		struct trail_wait *more = realloc(t->wait, room * sizeof(*more));

		if (!more) {
			t->error = -ENOMEM;
			return;
		}
		t->wait = more;
	}
	t->wait[t->nwaits++] = *wait;
}

/* Block `number` of the lane, the one that is being filled included, and the records in it. */
static const struct trail_call *block_at(struct trail *t, struct trail_lane *l, uint32_t number,
	uint32_t *n)
{
	size_t bytes = t->block * sizeof(struct trail_call);

	*n = number == l->nblocks ? l->ntail : t->block;
	if (number == l->nblocks)
		return l->tail;
	if (l->cached_block != number + 1) {
		if (!l->cached)
			l->cached = malloc(bytes);
		errno = EIO;
		if (!l->cached || pread(t->fd, l->cached, bytes,
				(off_t)(l->block[number].index * bytes)) != (ssize_t)bytes) {
			t->error = l->cached ? -errno : -ENOMEM;
			l->cached_block = 0;
			*n = 0;
			return NULL;
		}
		l->cached_block = number + 1;
	}
	return l->cached;
}

/* The last block whose first record enters before `ns`, the first one if there is none. */
static uint32_t block_before(const struct trail_lane *l, int64_t ns)
{
	uint32_t low = 0, high = l->nblocks;

	if (l->ntail && l->tail[0].enter < ns)
		return l->nblocks;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (l->block[middle].first < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

void trail_walk_begin(struct trail *t, struct trail_walk *w, uint32_t lane, int64_t from, int64_t to)
{
	const struct trail_call *record;
	struct trail_lane *l;
	uint32_t low = 0, high, n;

	*w = (struct trail_walk){ .lane = lane, .from = from, .at = to };
	if (lane >= t->nlanes || !t->lane[lane].rank)
		return;
	l = &t->lane[lane];
	w->block = block_before(l, to);
	record = block_at(t, l, w->block, &n);
	for (high = n; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (record[middle].enter < to)
			low = middle + 1;
		else
			high = middle;
	}
	w->record = record;
	w->next = low;
	if (low < n)
		w->later = record[low].callsite;
	else if (w->block + 1 == l->nblocks && l->ntail)
		w->later = l->tail[0].callsite;
	else if (w->block + 1 < l->nblocks)
		w->later = l->block[w->block + 1].callsite;
}

/* The call before the place where the walk is; NULL: there is none. */
static const struct trail_call *call_before(struct trail *t, struct trail_walk *w)
{
	if (w->next == 0 && w->block > 0)
		w->record = block_at(t, &t->lane[w->lane], --w->block, &w->next);
	return w->next ? &w->record[w->next - 1] : NULL;
}

bool trail_walk_next(struct trail *t, struct trail_walk *w, struct trail_piece *piece)
{
	const struct trail_call *c;

	if (w->at <= w->from)
		return false;
	c = call_before(t, w);
	piece->to = w->at;
	if (!c || c->leave < w->at) {
		piece->computes = true;
		piece->from = c && c->leave > w->from ? c->leave : w->from;
		piece->callsite = w->later;
		piece->after = c ? c->callsite : 0;
	} else {
		piece->computes = false;
		piece->from = c->enter > w->from ? c->enter : w->from;
		piece->callsite = c->callsite;
		piece->after = 0;
		w->later = c->callsite;
		w->next--;
	}
	w->at = piece->from;
	return piece->to > piece->from || w->at > w->from;
}
