/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.c: envelopes of this run's links. */
#include "learn.h"

#include <string.h>

#include "analysis/model/live_follow.h"
#include "analysis/model/live_learn.h"
#include "clock.h"
#include "functions.h"
#include "ring.h"
#include "shim.h"

/* A tier is tried when that many of its calls were seen, then at each doubling; after MANY_TRIES there is no haste. */
enum { FIRST_TRY = 500, MANY_TRIES = 16 * FIRST_TRY };

/* Of the rings of a run whose links are known, the first are looked at, then one in so many. */
enum { RINGS_FIRST = 8, RINGS_A_LOOK = 8 };

static struct live_learn learned[TIER_COUNT];
static uint64_t next_try[TIER_COUNT] = {FIRST_TRY, FIRST_TRY, FIRST_TRY};
static bool from_messages[TIER_COUNT];
static struct live_follow follow[TIER_COUNT];
static bool follows[TIER_COUNT];
static bool ended;

/* Whether an op says something of its link: standard mode, whole, contiguous, not the first. */
static bool plain(const struct rec_op *r)
{
	const uint16_t strange = OP_PROC_NULL | OP_CANCELLED | OP_TRUNCATED | OP_FIRST |
		OP_STRIDED | OP_COMM_PEER;

	return r->tier < TIER_COUNT && !(r->flags & strange) && KM_MODE(r->kind_mode) == MODE_STANDARD;
}

/* Of a plain op. */
static void learn_op(const struct rec_op *r, uint64_t enter, uint64_t took_ticks)
{
	bool predicted = !(r->flags & OP_NO_PREDICTION), sends = KM_KIND(r->kind_mode) == KIND_SEND;
	int64_t took_ns = clock_ns(took_ticks);

	live_learn_add(&learned[r->tier], sends ? LEARN_SEND : LEARN_RECV, r->bytes, took_ns,
		predicted ? r->predicted_ns : 0);
	if (follows[r->tier] && sends && predicted)
		live_follow_add(&follow[r->tier], enter, r->bytes, took_ns, r->predicted_ns);
}

/* Of a link that was measured only sends are of use that were waited for at once and alone. */
static void follow_nonblocking(const struct rec_op2 *r)
{
	int64_t since_post_ns = clock_ns(r->complete_enter_ticks - r->op.enter_ticks);

	if (follows[r->op.tier] && KM_KIND(r->op.kind_mode) == KIND_SEND &&
		r->complete_call == FN_MPI_Wait && !(r->op.flags & OP_NO_PREDICTION) &&
		since_post_ns < r->op.predicted_ns / 4)
		live_follow_add(&follow[r->op.tier], r->op.enter_ticks, r->op.bytes,
			clock_ns(r->blocked_ticks), r->op.predicted_ns);
}

static bool is_measured(const struct rec_op *r)
{
	return shim.have_link[r->tier] && !from_messages[r->tier];
}

static void learn_send_post(const struct rec_op *r, uint64_t took_ticks)
{
	live_learn_add(&learned[r->tier], LEARN_SEND_POST, r->bytes, clock_ns(took_ticks), 0);
}

/* An op that was complete when its call returned. */
static void learn_complete(const struct rec_op *r, uint64_t enter, uint64_t took_ticks)
{
	if (!plain(r))
		return;
	if (KM_FORM(r->kind_mode) == FORM_BLOCKING)
		learn_op(r, enter, took_ticks);
	else if (KM_KIND(r->kind_mode) == KIND_SEND && !is_measured(r))
		learn_send_post(r, took_ticks);
}

static void learn_nonblocking(const struct rec_op2 *r)
{
	if (!plain(&r->op) || KM_FORM(r->op.kind_mode) != FORM_NONBLOCKING)
		return;
	if (is_measured(&r->op)) {
		follow_nonblocking(r);
		return;
	}
	if (KM_KIND(r->op.kind_mode) == KIND_SEND)
		learn_send_post(&r->op, r->op.leave_ticks - r->op.enter_ticks);
	else if (r->complete_call != r->op.call && r->poll_ticks == 0)
		live_learn_add(&learned[r->op.tier], LEARN_RECV, r->op.bytes, clock_ns(r->blocked_ticks), 0);
}

/* A link that nobody measured, from what was seen by now. Readers see it whole or not at all. */
static void try_tier(int tier)
{
	struct rec_link rows[LEARN_ROWS_MAX];
	size_t n;

	if (shim.have_link[tier] || live_learn_count(&learned[tier]) < next_try[tier])
		return;
	next_try[tier] *= 2;
	if (live_learn_rows(&learned[tier], tier, rows, &n) != 0 ||
		live_link_from_rows(rows, n, tier, &shim.link[tier]) != 0)
		return;
	from_messages[tier] = true;
	__atomic_store_n(&shim.have_link[tier], true, __ATOMIC_RELEASE);
}

/*
 * While some tier may soon have a link every ring is looked at; for the drift of known ones, and for what is yet
 * missing where many calls did not tell it (all are of one length), a share will do.
 */
static bool worth_a_look(void)
{
	static unsigned rings;

	for (int tier = 0; tier < TIER_COUNT; tier++)
		if (!shim.have_link[tier] && next_try[tier] <= MANY_TRIES && live_learn_count(&learned[tier]) > 0)
			return true;
	return rings++ < RINGS_FIRST || rings % RINGS_A_LOOK == 0;
}

/* What was measured before the first ring was full is what later predictions start from. */
static void start_to_follow(void)
{
	for (int tier = 0; tier < TIER_COUNT; tier++)
		if (!follows[tier] && shim.have_link[tier] && !from_messages[tier]) {
			follow[tier].calibrated = shim.link[tier];
			follows[tier] = true;
		}
}

void learn_ring(const struct thread *t)
{
	const uint8_t *ring = t->region->ring;
	uint16_t words;

	if (ended || !worth_a_look())
		return;
	start_to_follow();
	for (uint64_t at = 0; at < t->head; at += words * 8u) {
		const struct rec_op *r = (const struct rec_op *)(ring + at);
		const struct rec_again *again = (const struct rec_again *)r;
		struct rec_op2 whole;

		memcpy(&words, &r->words, sizeof(words));
		if (words == 0)
			return;
		if (r->type == REC_OP2) {
			learn_nonblocking((const struct rec_op2 *)r);
		} else if (r->type == REC_OP2_AGAIN && record_again(ring, at, &whole)) {
			learn_nonblocking(&whole);
		} else if (r->type == REC_AGAIN) {
			const struct rec_op *like = (const struct rec_op *)(ring + again->like * 8u);

			learn_complete(like, like->enter_ticks + again->enter_more, again->took_ticks);
		} else if (r->type == REC_OP) {
			learn_complete(r, r->enter_ticks, r->leave_ticks - r->enter_ticks);
		}
	}
	for (int tier = 0; tier < TIER_COUNT; tier++) {
		try_tier(tier);
		if (follows[tier])
			live_follow_apply(&follow[tier], clock_ticks(), &shim.link[tier]);
	}
}

void learn_emit(struct thread *t)
{
	struct rec_link rows[LEARN_ROWS_MAX + FOLLOW_CELLS];
	size_t n;

	learn_ring(t);
	ended = true;
	for (int tier = 0; tier < TIER_COUNT; tier++) {
		if (!shim.have_link[tier] || from_messages[tier]) {
			if (live_learn_rows(&learned[tier], tier, rows, &n) == 0)
				for (size_t i = 0; i < n; i++)
					record_append(t, &rows[i]);
			continue;
		}
		n = live_learn_drift(&learned[tier], tier, rows);
		n += live_follow_rows(&follow[tier], tier, rows + n);
		for (size_t i = 0; i < n; i++)
			record_append(t, &rows[i]);
	}
}
