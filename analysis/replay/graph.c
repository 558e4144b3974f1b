/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c: builds the graph of a run, call by call (graph.h). */
#include "analysis/replay/graph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "layouts.h"
#include "record.h"

const char *const replay_cause_names[REPLAY_CAUSES] = { "late_sender", "late_receiver",
	"collective", "late_progress" };

enum {
	FIRST_ROOM = 64,
	CACHE_LINE = 64,
	HUGE_PAGE = 2 << 20,
	ALONE_NS = 1000,
	ALONE_ACROSS_NS = 100000, /* clocks of two hosts may differ by this */
	/* a wait for progress ends so close to the other rank's stay in MPI */
	LAG_MOST_NS = 50000,
	LAG_MOST_PART = 4, /* ... and a part of the wait */
	/* how long a stay of the other rank lasts behind a post and does not see it */
	MISSED_NS = 10000,
	NEED_SHOWN = 10 /* so many ends must need the other rank for one that did not */
};

void replay_graph_release(struct replay_graph *g)
{
	free(g->rank);
	free(g->lane);
	free(g->call);
	free(g->part);
	free(g->detail);
	free(g->instance);
	free(g->member);
	free(g->id);
	memset(g, 0, sizeof(*g));
}

uint32_t replay_rank_index(const struct replay_graph *g, int64_t rank)
{
	uint32_t low = 0, high = g->nranks;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (g->rank[middle].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low < g->nranks && g->rank[low].rank == rank ? low : g->nranks;
}

static const struct replay_rank *rank_of_id(const struct replay_graph *g, int64_t id)
{
	const uint32_t index = replay_rank_index(g, op_key_rank(id));

	return index < g->nranks ? &g->rank[index] : NULL;
}

uint32_t replay_part_of(const struct replay_graph *g, int64_t id)
{
	const struct replay_rank *r = rank_of_id(g, id);
	const int64_t *at = r ? g->id + r->first_part : NULL;
	uint32_t low = 0, high = r ? r->nparts : 0;

	/* numbers of ops have no gaps, as a rule */
	if (high && id >= at[0] && id - at[0] < (int64_t)high && at[id - at[0]] == id)
		return r->first_part + (uint32_t)(id - at[0]);
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (at[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return r && low < r->nparts && at[low] == id ? r->first_part + low : REPLAY_NONE;
}

void *replay_alloc(size_t bytes)
{
	const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
	void *at;

	if (bytes > SIZE_MAX - align || posix_memalign(&at, align, bytes))
		return NULL;
#ifdef MADV_HUGEPAGE
	if (align == HUGE_PAGE)
		(void)madvise(at, bytes, MADV_HUGEPAGE);
#endif
	return at;
}

void *replay_grow(void *array, uint32_t *n, size_t size)
{
	char **at = array;

	/* the capacity is the next power of two */
	if (*n == 0 || (*n >= FIRST_ROOM && (*n & (*n - 1)) == 0)) {
		size_t room = *n ? 2 * (size_t)*n : FIRST_ROOM;
		char *more = *n == REPLAY_NONE >> 1 ? NULL : replay_alloc(room * size);

		if (!more)
			return NULL;
		if (*n)
			memcpy(more, *at, *n * size);
		free(*at);
		*at = more;
	}
	memset(*at + *n * size, 0, size);
	return *at + (*n)++ * size;
}

void replay_begin(struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nparts; i++) {
		g->part[i].at = INT64_MIN;
		g->part[i].waits = false;
	}
	for (uint32_t i = 0; i < g->ninstances; i++) {
		struct replay_instance *it = &g->instance[i];

		it->last = it->lower_last = INT64_MIN;
		it->come = it->lower = 0;
		it->waiting = REPLAY_NONE;
	}
}

void replay_post(struct replay_graph *g, uint32_t index, int64_t at)
{
	struct replay_part *part = &g->part[index];
	struct replay_instance *it;

	part->at = at;
	if (part->instance == REPLAY_NONE)
		return;
	it = &g->instance[part->instance];
	it->come++;
	it->last = at > it->last ? at : it->last;
	while (it->lower < it->n && g->part[g->member[it->first + it->lower]].at != INT64_MIN) {
		const int64_t lower = g->part[g->member[it->first + it->lower++]].at;

		it->lower_last = lower > it->lower_last ? lower : it->lower_last;
		if (it->lower < it->n)
			g->detail[g->member[it->first + it->lower]].lower_at = it->lower_last;
	}
}

int64_t replay_released(
	const struct replay_graph *g, const struct replay_part *part, enum replay_needs needs)
{
	switch (needs) {
	case NEEDS_PARTNER:
		return g->part[part->partner].at;
	case NEEDS_ALL:
		return g->instance[part->instance].last;
	case NEEDS_ROOT:
		return g->part[g->instance[part->instance].root].at;
	case NEEDS_LOWER:
		return part->partner ? g->detail[part - g->part].lower_at : INT64_MIN;
	default:
		return INT64_MIN;
	}
}

/* How many of the calls that the lane has left were entered until `now`: mostly nearly all. */
static uint32_t entered_by(
	const struct replay_graph *g, const struct replay_lane *lane, int64_t now)
{
	uint32_t low = lane->next, high = low, back = 1;

	for (; low > lane->first && g->call[low - 1].enter > now; back *= 2) {
		high = low - 1;
		low = high - lane->first > back ? high - back : lane->first;
	}
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const bool entered = g->call[middle].enter <= now;

		low = entered ? middle + 1 : low;
		high = entered ? high : middle;
	}
	return low - lane->first;
}

/* A lane counts as inside MPI behind this number of calls in a row that only post. */
enum { POSTS_MAX = 64 };

/*
 * A call that only posts moves no other messages, in Open MPI 4.1 and MPICH 4.0. The last call of a
 * lane may never have returned.
 */
static bool only_posts(const struct replay_graph *g, const struct replay_lane *lane, uint32_t call)
{
	return g->call[call].posts != REPLAY_NONE && g->call[call].dones == REPLAY_NONE &&
		call + 1 < lane->first + lane->n;
}

/* The first of the lane's calls from `from` on that moves messages, or that is not left yet. */
static uint32_t moving_call(
	const struct replay_graph *g, const struct replay_lane *lane, uint32_t from)
{
	const uint32_t most = lane->next - from > POSTS_MAX ? from + POSTS_MAX : lane->next;

	while (from < most && only_posts(g, lane, from))
		from++;
	return from;
}

bool replay_knows_inside(const struct replay_graph *g, const struct replay_lane *lane, int64_t now)
{
	const uint32_t call = moving_call(g, lane, lane->first + entered_by(g, lane, now));

	return call < lane->next || !replay_has_call(lane) || !only_posts(g, lane, call);
}

/*
 * When the lane is first inside MPI since `arrived`, as seen at `now`, in a call that moves
 * messages. The lane is in one, has left one since then, polls, or enters its next one.
 */
static int64_t lane_inside(
	const struct replay_graph *g, const struct replay_lane *lane, int64_t arrived, int64_t now)
{
	const struct replay_rank *rank = &g->rank[lane->rank];
	const uint32_t next = lane->first + entered_by(g, lane, now);
	const uint32_t then = moving_call(g, lane, next);
	uint32_t last = next;
	int64_t left;

	while (last > lane->first && next - last < POSTS_MAX && only_posts(g, lane, last - 1))
		last--;
	left = last > lane->first ? g->call[last - 1].leave : rank->start_ns;
	if (left >= arrived || (next == lane->next && lane->inside && lane->at <= now))
		return arrived;
	for (uint32_t call = next; call <= then && call < lane->first + lane->n; call++) {
		const int64_t enter = call < lane->next ? g->call[call].enter : lane->at;
		int64_t polls;

		left = call > lane->first ? g->call[call - 1].leave : rank->start_ns;
		polls = g->call[call].apart_ns == INT64_MAX ? INT64_MAX :
			left > arrived ? replay_later(left, g->call[call].apart_ns) :
					 replay_later(arrived, g->call[call].apart_ns / 2);
		if (call == then || polls < enter)
			return polls < enter ? polls : enter;
	}
	left = lane->n ? g->call[lane->first + lane->n - 1].leave : rank->start_ns;
	return replay_later(left, rank->rest_ns);
}

int64_t replay_rank_inside(const struct replay_graph *g, uint32_t rank, int64_t since, int64_t now)
{
	const struct replay_rank *r = &g->rank[rank];
	int64_t first = INT64_MAX;

	for (uint32_t i = r->first_lane; i < r->first_lane + r->nlanes; i++) {
		const int64_t at = lane_inside(g, &g->lane[i], since, now);

		first = at < first ? at : first;
	}
	return first;
}

int64_t replay_first_inside(
	const struct replay_graph *g, const struct replay_part *send, int64_t arrived, int64_t now)
{
	const uint32_t rank = g->lane[g->part[send->partner].lane].rank;
	int64_t first;

	if (g->detail[send->partner].done_at <= arrived)
		return send->at;
	first = replay_rank_inside(g, rank, arrived, now);
	return first > arrived ? first : send->at;
}

int64_t replay_next_inside(
	const struct replay_graph *g, const struct replay_part *part, int64_t now)
{
	const int64_t first = replay_rank_inside(g, g->lane[part->lane].rank, now, now);

	return first > now ? first + 1 : now;
}

int64_t replay_progress_since(const struct replay_graph *g, const struct replay_part *part)
{
	const int64_t other = g->part[part->partner].at;
	const int64_t missed = part->missed ? MISSED_NS : 0;

	return missed +
		((!part->is_send || part->rendezvous) && other > part->at ? other : part->at);
}

/* How late what the part needs came, after its call's entry. */
static int64_t part_late(const struct replay_part *part)
{
	const int64_t late = part->lead_ns - part->early_ns;

	return part->needs != NEEDS_NOBODY && late > 0 ? late : 0;
}

int64_t replay_part_wait(const struct replay_call *call, const struct replay_part *part)
{
	return part->progress_ns > 0 ? call->late_ns + part->progress_ns : part_late(part);
}

static void post_all(struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nlanes; i++) {
		const struct replay_lane *lane = &g->lane[i];
		int64_t at = g->rank[lane->rank].start_ns;

		for (uint32_t c = lane->first; c < lane->first + lane->n; c++) {
			struct replay_call *call = &g->call[c];

			at += call->gap_ns;
			for (uint32_t p = call->posts; p != REPLAY_NONE; p = g->part[p].next_post)
				replay_post(g, p, at);
			call->enter = at;
			at += call->inside_ns;
			call->leave = at;
		}
	}
}

/*
 * When the other rank was inside MPI next, since the message's end could wait for that, as
 * measured. INT64_MIN: at once.
 */
static int64_t other_inside(const struct replay_graph *g, const struct replay_part *part)
{
	const int64_t since = replay_progress_since(g, part);
	const uint32_t other = g->lane[g->part[part->partner].lane].rank;
	const int64_t inside = replay_rank_inside(g, other, since, since);

	return inside > since ? inside : INT64_MIN;
}

/* How far clocks may mislead about messages of the part's tier. */
static int64_t clocks_differ_ns(const struct replay_part *part)
{
	return part->tier == TIER_NETWORK ? ALONE_ACROSS_NS : ALONE_NS;
}

/* A message's end that waited for progress: did it wait until the other rank was inside MPI? */
static bool is_explained(const struct replay_part *part, int64_t end, int64_t inside)
{
	const int64_t off = end > inside ? end - inside : inside - end;

	return inside != INT64_MIN && off < LAG_MOST_NS + part->progress_ns / LAG_MOST_PART;
}

/*
 * Ends of messages of a tier and a kind: how many waited for the other rank, of least bytes or
 * more, and how many of these lengths were over before it came.
 */
struct need {
	uint32_t shown, denied;
	uint64_t least;
};

/* By tier, whether they are sends, and whether their messages go by rendezvous. */
typedef struct need needs_by_kind[TIER_COUNT + 1][2][2];

enum { DENIED = INT32_MIN }; /* lag_ns of a part that was over before the other rank came */

/*
 * What the part's kind needs. NULL: it needs no other rank inside MPI, as nothing of a buffered
 * send does, nor of an eager one between hosts: the network takes that. Or its protocol is unknown.
 */
static struct need *need_of(
	const struct replay_graph *g, const struct replay_part *part, needs_by_kind need)
{
	const struct replay_part *send = part->is_send ? part : &g->part[part->partner];

	if (send->buffered || (part->needs == NEEDS_NOBODY && send->rendezvous) ||
		(!send->rendezvous && (!send->protocol_known || part->tier == TIER_NETWORK)))
		return NULL;
	return &need[part->tier][part->is_send][send->rendezvous];
}

/*
 * Did the send's call end less than LAG_MOST_NS after the other rank came into MPI, and had it
 * lasted longer before that moment than after it? Such a send by rendezvous inside a host counts as
 * having waited, although the matching found no wait: calls of the receiver that only post can hide
 * it (match/settle.c).
 */
static bool is_bound(const struct replay_part *part, const struct replay_call *call, int64_t inside)
{
	int64_t lag;

	/* INT64_MIN: it was there at once */
	if (inside <= call->enter || inside > call->leave)
		return false;
	lag = call->leave - inside;
	return part->is_send && part->rendezvous && part->tier != TIER_NETWORK &&
		lag < LAG_MOST_NS && lag < inside - call->enter;
}

/*
 * Finds lag_ns of a message's end that may have needed the other rank inside MPI: it waited for
 * progress until then, or was not over before.
 */
static void find_lag(
	struct replay_graph *g, uint32_t p, const struct replay_call *call, needs_by_kind needs)
{
	struct replay_part *part = &g->part[p];
	struct need *need = need_of(g, part, needs);
	const int64_t end = call->enter + replay_part_wait(call, part);
	const bool waited = part->progress_ns > 0;
	int64_t inside, lag;

	part->missed = false;
	inside = other_inside(g, part);
	/* a stay that is about to end may miss the message; between hosts clocks cannot tell */
	part->missed = waited && inside == INT64_MIN && part->tier != TIER_NETWORK;
	if (part->missed)
		inside = other_inside(g, part);
	lag = inside == INT64_MIN || (!waited && end > inside) ? 0 : end - inside;
	if (waited)
		part->has_lag = end <= call->leave && is_explained(part, end, inside);
	else
		part->has_lag = need && inside <= call->leave &&
			replay_progress_since(g, part) <= call->leave;
	part->has_lag &= lag > INT32_MIN && lag <= INT32_MAX;
	g->detail[p].lag_ns = part->has_lag                           ? (int32_t)lag :
		need && inside > call->leave + clocks_differ_ns(part) ? DENIED :
									0;
	if (need && part->has_lag && (waited || is_bound(part, call, inside))) {
		need->least = !need->shown || part->bytes < need->least ? part->bytes : need->least;
		need->shown++;
	}
}

/*
 * lag_ns of all parts that need the other rank inside MPI. All calls have their measured times.
 * Parts that did not wait need it if those of their tier and kind show it: all by rendezvous, and
 * eager ones from the shortest that waited on (4b).
 */
static void find_lags(struct replay_graph *g)
{
	needs_by_kind needs = { 0 };

	for (uint32_t i = 0; i < g->nlanes; i++) {
		g->lane[i].next = g->lane[i].first + g->lane[i].n;
		g->lane[i].inside = false;
	}
	for (uint32_t c = 0; c < g->ncalls; c++)
		for (uint32_t p = g->call[c].dones; p != REPLAY_NONE; p = g->part[p].next_done)
			if (replay_is_message(&g->part[p]))
				find_lag(g, p, &g->call[c], needs);
	for (int tier = 0; tier <= TIER_COUNT; tier++)
		for (int is_send = 0; is_send < 2; is_send++)
			needs[tier][is_send][true].least = 0;
	for (uint32_t p = 0; p < g->nparts; p++) {
		const struct replay_part *part = &g->part[p];
		struct need *need;

		if (!replay_is_message(part) || g->detail[p].lag_ns != DENIED)
			continue;
		need = need_of(g, part, needs);
		need->denied += part->bytes >= need->least;
	}
	for (uint32_t p = 0; p < g->nparts; p++) {
		struct replay_part *part = &g->part[p];
		const struct need *need;

		if (!part->has_lag || part->progress_ns > 0)
			continue;
		need = need_of(g, part, needs);
		part->has_lag = part->bytes >= need->least &&
			need->shown > (uint64_t)NEED_SHOWN * need->denied;
	}
}

/*
 * A part that ended so long before its needs had come did not need them. A send on the same host
 * has the same clock as its receive. A shorter time is an error of the clocks, and early_ns keeps
 * it.
 */
static int64_t alone_ns(const struct replay_part *part)
{
	if (part->instance != REPLAY_NONE)
		return ALONE_ACROSS_NS;
	return part->is_send && part->tier != TIER_NETWORK ? 0 : clocks_differ_ns(part);
}

/* The part blocks from `enter` on and its call ends at `leave`, as measured. */
static void measure_part(
	struct replay_graph *g, struct replay_part *part, int64_t enter, int64_t leave)
{
	const int64_t released = replay_released(g, part, (enum replay_needs)part->needs);

	if (released == INT64_MIN)
		return;
	part->lead_ns = released - enter;
	if (released - leave > alone_ns(part))
		part->needs = NEEDS_NOBODY;
	else if (released > leave)
		part->early_ns = (int32_t)(released - leave);
}

void replay_call_late(const struct replay_graph *g, struct replay_call *call)
{
	call->late_ns = 0;
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = g->part[p].next_done) {
		const int64_t late = part_late(&g->part[p]);

		if (late > call->late_ns)
			call->late_ns = late;
	}
}

void replay_measure(struct replay_graph *g)
{
	replay_begin(g);
	post_all(g);
	for (uint32_t i = 0; i < g->nlanes; i++) {
		const struct replay_lane *lane = &g->lane[i];
		struct replay_rank *rank = &g->rank[lane->rank];
		int64_t at = rank->start_ns;

		for (uint32_t c = lane->first; c < lane->first + lane->n; c++) {
			struct replay_call *call = &g->call[c];

			at += call->gap_ns;
			for (uint32_t p = call->dones; p != REPLAY_NONE; p = g->part[p].next_done)
				measure_part(g, &g->part[p], at, at + call->inside_ns);
			replay_call_late(g, call);
			at += call->inside_ns;
			rank->computation_ns += call->gap_ns;
			rank->inside_ns += call->inside_ns;
		}
	}
	find_lags(g);
}
