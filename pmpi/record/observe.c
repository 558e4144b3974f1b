/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c: estimates of this run's links from its own messages. */
#include "pmpi/record/observe.h"

#include <string.h>

#include "analysis/model/live/recalibrate.h"
#include "analysis/model/live/envelope.h"
#include "pmpi/record/clock.h"
#include "functions.h"
#include "pmpi/record/isolate.h"
#include "pmpi/record/ring.h"
#include "pmpi/record/shim.h"

/*
 * An estimate of a link is tried after this many of its calls, then at each doubling; more seldom
 * after MANY_TRIES.
 */
enum { FIRST_TRY = 500, MANY_TRIES = 16 * FIRST_TRY };

/* If all links are known, the first rings of a run are read, then one in this many. */
enum { RINGS_FIRST = 8, RINGS_A_LOOK = 8 };

static struct envelope learned[LINK_COUNT];
static uint64_t next_try[LINK_COUNT] = { [0 ... LINK_COUNT - 1] = FIRST_TRY };
static bool from_messages[LINK_COUNT];
static struct recalibration follow[LINK_COUNT];
static bool follows[LINK_COUNT];
static bool follow_taken;
static bool ended;

/*
 * One thread at a time changes scales. If another thread is at it, or a signal handler interrupts
 * it, the observation is dropped.
 */
static bool follow_take(void)
{
	return !__atomic_exchange_n(&follow_taken, true, __ATOMIC_ACQUIRE);
}

static void follow_give(void)
{
	__atomic_store_n(&follow_taken, false, __ATOMIC_RELEASE);
}

/* An op with one of these flags tells nothing about its link. */
enum {
	STRANGE = OP_PROC_NULL | OP_CANCELLED | OP_TRUNCATED | OP_FIRST | OP_STRIDED | OP_COMM_PEER
};

/* True if an op tells about its link: standard mode, whole, contiguous, not the pair's first. */
static bool plain(const struct rec_op *r)
{
	return r->tier < LINK_COUNT && !(r->flags & STRANGE) &&
		KM_MODE(r->kind_mode) == MODE_STANDARD;
}

/*
 * A receive is faster than predicted if the message, or its announcement, has come before. For long
 * messages the difference is small.
 */
static bool may_follow(const struct rec_op *r)
{
	const unsigned protocol = op_class_protocol(r->class8);

	return follows[r->tier] && !(r->flags & OP_NO_PREDICTION) &&
		(KM_KIND(r->kind_mode) == KIND_SEND ||
			(protocol == PROTOCOL_RENDEZVOUS && r->predicted_ns >= LIVE_LONG_NS));
}

/* Observes a plain op. */
static void learn_op(const struct rec_op *r, uint64_t enter, uint64_t took_ticks)
{
	bool sends = KM_KIND(r->kind_mode) == KIND_SEND;
	int64_t took_ns = clock_ns(took_ticks);

	envelope_add(&learned[r->tier], sends ? LEARN_SEND : LEARN_RECV, r->bytes, took_ns,
		r->flags & OP_NO_PREDICTION ? 0 : r->predicted_ns);
	if (may_follow(r))
		recalibrate_add(
			&follow[r->tier], FOLLOW_ALONE, enter, r->bytes, took_ns, r->predicted_ns);
}

/*
 * A completion call over several plain ops of one tier and about one length. Their records follow
 * each other, ordered by predicted end.
 */
struct several {
	uint64_t complete_enter; /* [ticks]; 0: none */
	uint64_t post_enter;     /* of the first [ticks] */
	unsigned sends, recvs;
	bool unlike; /* the ops are not alike */
	struct rec_op first;
	int64_t blocked_ns, predicted_ns;
};

/*
 * The time of each further message. If a direction has only one message, it takes as long as one
 * alone in its call. If the program computed after the posts, most of the transfer may already be
 * done.
 */
static void several_end(struct several *s)
{
	int64_t further_ns = s->predicted_ns - s->first.predicted_ns;

	if (s->complete_enter && !s->unlike && s->sends != 1 && s->recvs != 1 && further_ns > 0 &&
		clock_ns(s->complete_enter - s->post_enter) < s->predicted_ns / 4)
		recalibrate_add(&follow[s->first.tier], FOLLOW_SEVERAL, s->post_enter,
			s->first.bytes, s->blocked_ns - s->first.predicted_ns, further_ns);
	s->complete_enter = 0;
}

static void several_add(struct several *s, const struct rec_op2 *r)
{
	if (r->complete_enter_ticks != s->complete_enter) {
		several_end(s);
		*s = (struct several){ .complete_enter = r->complete_enter_ticks,
			.post_enter = r->op.enter_ticks,
			.first = r->op };
	}
	s->unlike |= !plain(&r->op) || !may_follow(&r->op) || r->op.call == r->complete_call ||
		r->poll_ticks || r->op.tier != s->first.tier ||
		recalibration_cell_of(r->op.bytes) != recalibration_cell_of(s->first.bytes);
	if (r->op.enter_ticks < s->post_enter)
		s->post_enter = r->op.enter_ticks;
	s->sends += KM_KIND(r->op.kind_mode) == KIND_SEND;
	s->recvs += KM_KIND(r->op.kind_mode) == KIND_RECV;
	s->blocked_ns += clock_ns(r->blocked_ticks);
	s->predicted_ns += r->op.predicted_ns;
}

/* For a measured link, only messages are used that were completed at once and alone. */
static void follow_nonblocking(const struct rec_op2 *r)
{
	int64_t since_post_ns = clock_ns(r->complete_enter_ticks - r->op.enter_ticks);

	if (may_follow(&r->op) && r->complete_call == FN_MPI_Wait &&
		since_post_ns < r->op.predicted_ns / 4)
		recalibrate_add(&follow[r->op.tier], FOLLOW_ALONE, r->op.enter_ticks, r->op.bytes,
			clock_ns(r->blocked_ticks), r->op.predicted_ns);
}

static bool is_measured(const struct rec_op *r)
{
	return shim.have_link[r->tier] && !from_messages[r->tier];
}

static void learn_send_post(const struct rec_op *r, uint64_t took_ticks)
{
	envelope_add(&learned[r->tier], LEARN_SEND_POST, r->bytes, clock_ns(took_ticks), 0);
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
		envelope_add(&learned[r->op.tier], LEARN_RECV, r->op.bytes,
			clock_ns(r->blocked_ticks), 0);
}

/* Estimates an unmeasured link from the observations so far. Readers see all of it or nothing. */
static void try_link(unsigned link)
{
	const int tier = (int)link_tier_of(link);
	struct rec_link rows[LEARN_ROWS_MAX];
	size_t n;

	if (shim.have_link[link] || envelope_count(&learned[link]) < next_try[link])
		return;
	next_try[link] *= 2;
	if (envelope_rows(&learned[link], tier, rows, &n) != 0 ||
		live_link_from_rows(rows, n, tier, &shim.link[link]) != 0)
		return;
	from_messages[link] = true;
	__atomic_store_n(&shim.have_link[link], true, __ATOMIC_RELEASE);
}

/*
 * Every ring is read while a link may soon become known. A share of the rings is enough to follow
 * the drift of known links, and for links that many calls did not reveal (all of one length).
 */
static bool worth_a_look(void)
{
	static unsigned rings;

	for (unsigned link = 0; link < LINK_COUNT; link++)
		if (!shim.have_link[link] && next_try[link] <= MANY_TRIES &&
			envelope_count(&learned[link]) > 0)
			return true;
	return rings++ < RINGS_FIRST || rings % RINGS_A_LOOK == 0;
}

/* Values measured before the first ring was full are the start of later predictions. */
static void start_to_follow(void)
{
	for (unsigned link = 0; link < LINK_COUNT; link++)
		if (!follows[link] && shim.have_link[link] && !from_messages[link]) {
			follow[link].calibrated = shim.link[link];
			follows[link] = true;
		}
}

/* Predictions that other threads remember become invalid. */
static void follow_changed(bool changed)
{
	if (changed)
		__atomic_add_fetch(&repeat_generation, 1, __ATOMIC_RELEASE);
}

bool observe_wants_announced(void)
{
	bool measured = false;

	for (unsigned link = 0; link < LINK_COUNT; link++)
		measured |= shim.have_link[link] && !from_messages[link];
	return measured && !ended;
}

/* Uses all announced receives that a thread has kept. */
static void follow_announced(const struct thread *t)
{
	bool worth[LINK_COUNT] = { false };

	start_to_follow();
	for (unsigned i = 0; i < ANNOUNCED_KEPT; i++) {
		const struct announced *a = &t->announced[i];

		worth[a->link] |= follows[a->link] &&
			recalibrate_add_announced(
				&follow[a->link], a->flags, a->bytes, clock_ns(a->took_ticks));
	}
	for (unsigned link = 0; link < LINK_COUNT; link++)
		if (worth[link])
			follow_changed(
				recalibrate_apply(&follow[link], clock_ticks(), &shim.link[link]));
}

void observe_announced(struct thread *t, const struct announced *seen)
{
	uint64_t begin;
	struct isolate guest;

	if (seen->link >= LINK_COUNT || seen->flags & STRANGE || !shim.have_link[seen->link])
		return;
	t->announced[t->nannounced++ % ANNOUNCED_KEPT] = *seen;
	if (t->nannounced % ANNOUNCED_KEPT)
		return;
	begin = clock_ticks();
	/* keeps the program's floating-point state, and blocks its signal handlers, which may jump
	 */
	isolate_enter_locked(&guest);
	if (follow_take()) {
		follow_announced(t);
		follow_give();
	}
	isolate_leave(&guest);
	t->sum->tool_ticks += clock_ticks() - begin;
}

void observe_ring(const struct thread *t)
{
	const uint8_t *ring = t->region->ring;
	struct several several = { .complete_enter = 0 };
	bool changed = false;
	uint16_t words;

	if (ended || !worth_a_look() || !follow_take())
		return;
	start_to_follow();
	/* rows that stay in the ring were read when it was first full */
	for (uint64_t at = t->kept; at < t->head; at += words * 8u) {
		const struct rec_op *r = (const struct rec_op *)(ring + at);
		const struct rec_again *again = (const struct rec_again *)r;
		struct rec_op2 whole;

		memcpy(&words, &r->words, sizeof(words));
		if (words == 0)
			break;
		if (r->type == REC_OP2 ||
			(r->type == REC_OP2_AGAIN && record_again(ring, at, &whole))) {
			const struct rec_op2 *completed =
				r->type == REC_OP2 ? (const struct rec_op2 *)r : &whole;

			learn_nonblocking(completed);
			several_add(&several, completed);
			several.unlike |= at == 0;
		} else if (r->type == REC_AGAIN) {
			const struct rec_op *like =
				(const struct rec_op *)(ring + again->like * 8u);

			learn_complete(
				like, like->enter_ticks + again->enter_more, again->took_ticks);
		} else if (r->type == REC_OP) {
			learn_complete(r, r->enter_ticks, r->leave_ticks - r->enter_ticks);
		}
	}
	/* the last call may continue in the next ring, so it is left out, like the first one */
	for (unsigned link = 0; link < LINK_COUNT; link++) {
		try_link(link);
		if (follows[link])
			changed |=
				recalibrate_apply(&follow[link], clock_ticks(), &shim.link[link]);
	}
	follow_give();
	follow_changed(changed);
}

void observe_emit(struct thread *t)
{
	struct rec_link rows[LEARN_ROWS_MAX + FOLLOW_ROWS];

	observe_ring(t);
	ended = true;
	for (unsigned link = 0; link < LINK_COUNT; link++) {
		const int tier = (int)link_tier_of(link);
		size_t n = 0;

		if (shim.have_link[link] && !from_messages[link]) {
			n = envelope_drift(&learned[link], tier, rows);
			n += recalibrate_rows(&follow[link], tier, rows + n);
		} else if (envelope_rows(&learned[link], tier, rows, &n) != 0) {
			n = 0;
		}
		for (size_t i = 0; i < n; i++) {
			rows[i].peer = shim.link_peer[link];
			record_append(t, &rows[i]);
		}
	}
}
