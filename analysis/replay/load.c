/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.c: each thread's calls in order; ends of messages and members of collectives in them.
 *
 *	rows of a rank --> pieces: (thread, entry, return) --sorted--> calls of its lanes
 *	match_row      --> partners, and how the ranks' starts differ
 *
 * Only differences between times of one rank are used, corrected for the drift of its clock. For
 * two ranks, table match_row has the difference of two posts. From one such message follows the
 * difference of the ranks' starts.
 */
#include "analysis/replay/load.h"
#include "analysis/replay/queries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/waits.h"
#include "analysis/format/db/db.h"
#include "analysis/ranks/busy.h"
#include "analysis/text/progress.h"
#include "functions.h"
#include "record.h"

enum { CHUNKS_BYTES = 32 << 20, ROWS_BETWEEN_LOOKS = 4096, JOINED_NS = 1000 };

/* A call, or one of several rows of the same call. */
struct piece {
	int64_t enter, leave; /* since the rank's start */
	int64_t poll_ns;
	uint32_t thread, site;
	uint32_t part;     /* REPLAY_NONE: it is only a time in MPI */
	bool posts, dones; /* the part */
};

/* A member, to be put together with the others. */
struct membership {
	uint64_t uid, seq;
	uint32_t part, size, call;
	int32_t my_rank, root;
	bool one_side; /* of an intercommunicator: whom it needs is not known here */
};

struct loader {
	sqlite3 *db;
	struct replay_graph *g;
	struct run_ranks ranks;
	int64_t *post; /* by part, since its rank's start */
	uint32_t nid, npost, ndetails;
	struct piece *piece; /* of the rank that is read */
	uint32_t npieces;
	struct membership *membership;
	uint32_t nmemberships;
	uint32_t *tree;  /* by rank: another one whose start relative to its is known */
	int64_t *offset; /* ... and its own after that one's */
};

static struct piece *new_piece(struct loader *l)
{
	return replay_grow(&l->piece, &l->npieces, sizeof(*l->piece));
}

/* NULL without memory. The part's row is `id`, 0: none. */
static struct replay_part *new_part(struct loader *l, int32_t rank, int64_t id, int64_t post)
{
	int64_t *at_id = replay_grow(&l->g->id, &l->nid, sizeof(*l->g->id));
	int64_t *at_post = replay_grow(&l->post, &l->npost, sizeof(*l->post));
	struct replay_part *part = replay_grow(&l->g->part, &l->g->nparts, sizeof(*part));
	struct replay_detail *detail = replay_grow(&l->g->detail, &l->ndetails, sizeof(*detail));

	if (!at_id || !at_post || !part || !detail)
		return NULL;
	*at_id = id;
	*at_post = post;
	part->partner = part->instance = part->next_post = part->next_done = REPLAY_NONE;
	detail->next_waiting = REPLAY_NONE;
	detail->rank = rank;
	return part;
}

static int64_t since_start(struct run_rank *rank, int64_t own)
{
	return clock_within(clock_common(&rank->clock, own) - rank->zero_ns, CLOCK_NS_MAX);
}

/* A callsite of the rank as the graph numbers them; 0 stands for one that has no frames. */
static uint32_t site_of(const struct replay_rank *r, int64_t callsite)
{
	return r->first_site +
		(callsite > 0 && callsite < (int64_t)r->nsites ? (uint32_t)callsite : 0);
}

/* The post of a row and, apart from it, the call that completed it. */
struct calls_of_row {
	int64_t enter, leave;
	int64_t done_enter, done_leave; /* if `apart` */
	uint32_t site, done_site;
	bool apart, pending;
};

static struct calls_of_row calls_of_row(const struct loader *l, struct run_rank *rank,
	int64_t enter, int64_t span, int64_t done, int64_t gap, int64_t complete, int64_t callsite)
{
	const struct replay_rank *r = &l->g->rank[rank - l->ranks.at];
	const int64_t leave = enter + (span == ROW_NULL ? 0 : span);
	struct calls_of_row c = { .enter = since_start(rank, enter),
		.leave = since_start(rank, leave),
		.pending = span == ROW_NULL || done == 0,
		.apart = span != ROW_NULL && done != ROW_NULL && done != 0 };

	c.site = c.done_site = site_of(r, callsite);
	if (c.apart) {
		c.done_enter = since_start(rank, leave + gap);
		c.done_leave = since_start(rank, leave + gap + complete);
		c.done_site = site_of(r, done_callsite(done));
	}
	return c;
}

/* The pieces of one row. at_post: it needs the others in the call of its post already. */
static int add_pieces(struct loader *l, const struct calls_of_row *c, uint32_t thread,
	uint32_t part, bool at_post, int64_t poll_ns)
{
	struct piece *p = new_piece(l);

	if (!p)
		return -ENOMEM;
	*p = (struct piece){ .enter = c->enter,
		.leave = c->leave,
		.thread = thread,
		.site = c->site,
		.part = part,
		.posts = true,
		.dones = !c->pending && (!c->apart || at_post),
		.poll_ns = c->apart ? 0 : poll_ns };
	if (!c->apart)
		return 0;
	p = new_piece(l);
	if (!p)
		return -ENOMEM;
	*p = (struct piece){ .enter = c->done_enter,
		.leave = c->done_leave,
		.thread = thread,
		.site = c->done_site,
		.part = part,
		.dones = !at_post,
		.poll_ns = poll_ns };
	return 0;
}

static int take_op(struct loader *l, struct run_rank *rank, const int64_t *v)
{
	const int64_t code = v[OP_ROW_CODE];
	const unsigned flags = op_code_flags(code);
	const struct calls_of_row c = calls_of_row(l, rank, v[OP_ROW_POST], v[OP_ROW_SPAN],
		v[OP_ROW_DONE], v[OP_ROW_GAP], v[OP_ROW_COMPLETE], v[OP_ROW_CALLSITE]);
	const int64_t poll_ns = v[OP_ROW_POLL] == ROW_NULL ? 0 : v[OP_ROW_POLL];
	const uint32_t thread = comm_thread_thread(v[OP_ROW_COMM]);
	struct replay_part *part;

	/* nothing is sent to MPI_PROC_NULL: a call that does more is the other messages' alone */
	if (flags & OP_PROC_NULL)
		return add_pieces(l, &c, thread, REPLAY_NONE, false, poll_ns);
	part = new_part(l, rank->rank, v[OP_ROW_ID], c.enter);
	if (!part)
		return -ENOMEM;
	part->bytes = v[OP_ROW_BYTES] > 0 ? (uint64_t)v[OP_ROW_BYTES] : 0;
	part->site = c.site;
	part->is_send = op_code_kind(code) == KIND_SEND;
	part->rendezvous = op_code_protocol(code) == PROTOCOL_RENDEZVOUS;
	part->protocol_known = op_code_protocol(code) != PROTOCOL_NONE;
	part->synchronous = op_code_mode(code) == MODE_SYNCHRONOUS;
	part->buffered = op_code_mode(code) == MODE_BUFFERED;
	part->tier = op_code_tier(code) & 7;
	/* the run itself shows which sends of unknown protocol needed their receive */
	if ((v[OP_ROW_PEER] != ROW_NULL || flags & OP_ANY_SOURCE) &&
		(!part->is_send ||
			(!part->buffered &&
				(part->rendezvous || op_code_protocol(code) == PROTOCOL_NONE))))
		part->needs = NEEDS_PARTNER;
	l->g->any_source += !part->is_send && (flags & OP_ANY_SOURCE);
	l->g->polled += poll_ns > 0;
	return add_pieces(l, &c, thread, l->g->nparts - 1, flags & OP_PROBED, poll_ns);
}

static int add_member(struct loader *l, struct run_rank *rank, const struct calls_of_row *c,
	uint32_t thread, const struct membership *m)
{
	struct replay_part *part = new_part(l, rank->rank, 0, c->enter);
	struct membership *more =
		replay_grow(&l->membership, &l->nmemberships, sizeof(*l->membership));

	if (!part || !more)
		return -ENOMEM;
	*more = *m;
	more->part = l->g->nparts - 1;
	part->site = c->site;
	return add_pieces(l, c, thread, more->part, false, 0);
}

static int take_coll(struct loader *l, struct run_rank *rank, const int64_t *v)
{
	const struct comm_info *comm = rank_comm(rank, comm_thread_comm(v[COLL_ROW_COMM]));
	const uint32_t thread = comm_thread_thread(v[COLL_ROW_COMM]);
	const struct calls_of_row c = calls_of_row(l, rank, v[COLL_ROW_POST], v[COLL_ROW_SPAN],
		v[COLL_ROW_DONE], v[COLL_ROW_GAP], v[COLL_ROW_COMPLETE], v[COLL_ROW_CALLSITE]);

	if (!comm || comm->size <= 0)
		return add_pieces(l, &c, thread, REPLAY_NONE, false, 0);
	return add_member(l, rank, &c, thread,
		&(struct membership){ .uid = comm->uid,
			.seq = (uint64_t)v[COLL_ROW_SEQ],
			.size = (uint32_t)(comm->size + comm->remote_size),
			.call = (uint32_t)coll_code_call(v[COLL_ROW_CODE]),
			.my_rank = comm->my_rank,
			.root = v[COLL_ROW_ROOT] == ROW_NULL ? -1 : (int32_t)v[COLL_ROW_ROOT],
			.one_side = comm->group != 0 });
}

/* A call on a window or file; a collective one is as a maker of communicators. */
static int take_transfer(struct loader *l, struct run_rank *rank, const int64_t *v, bool is_file)
{
	const struct object_info *object =
		v[RMA_ROW_SEQ] == ROW_NULL ? NULL : rank_object(rank, is_file, v[RMA_ROW_OBJECT]);
	const struct comm_info *comm = object ? rank_comm(rank, object->comm) : NULL;
	const struct calls_of_row c = calls_of_row(l, rank, v[RMA_ROW_ENTER], v[RMA_ROW_SPAN],
		v[RMA_ROW_DONE], v[RMA_ROW_GAP], v[RMA_ROW_COMPLETE], v[RMA_ROW_CALLSITE]);

	if (!comm || comm->size <= 0 || v[RMA_ROW_DONE] != ROW_NULL) {
		l->g->transfers++;
		return add_pieces(l, &c, (uint32_t)v[RMA_ROW_THREAD], REPLAY_NONE, false, 0);
	}
	/* a window may have the uid of a communicator */
	return add_member(l, rank, &c, (uint32_t)v[RMA_ROW_THREAD],
		&(struct membership){ .uid = ~object->uid + is_file,
			.seq = (uint64_t)v[RMA_ROW_SEQ],
			.size = (uint32_t)comm->size,
			.call = FN_NONE,
			.my_rank = comm->my_rank,
			.root = -1 });
}

static int by_time(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->enter != y->enter)
		return x->enter < y->enter ? -1 : 1;
	if (x->leave != y->leave)
		return x->leave < y->leave ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

static void link_part(struct loader *l, const struct piece *p, struct replay_call *call)
{
	struct replay_part *part;

	if (p->part == REPLAY_NONE)
		return;
	part = &l->g->part[p->part];
	if (p->posts) {
		part->next_post = call->posts;
		call->posts = p->part;
		l->g->detail[p->part].post_call = l->g->ncalls - 1;
	}
	if (p->dones) {
		part->next_done = call->dones;
		call->dones = p->part;
	}
	part->lane = l->g->nlanes - 1;
}

static struct replay_lane *begin_lane(struct loader *l, uint32_t rank, uint32_t thread)
{
	struct replay_graph *g = l->g;
	struct replay_lane *lane = replay_grow(&g->lane, &g->nlanes, sizeof(*lane));

	if (!lane)
		return NULL;
	*lane = (struct replay_lane){ .rank = rank, .thread = thread, .first = g->ncalls };
	g->rank[rank].nlanes++;
	return lane;
}

/*
 * Of a computation, both ends since the rank's start: see graph.h. Stays inside MPI are recorded as
 * one if less than 1 us lies between them: then nobody polled there.
 */
static int64_t apart_ns(struct loader *l, struct run_rank *rank, int64_t from, int64_t to)
{
	const int64_t ns =
		busy_longest_gap(&l->ranks, rank, from + rank->zero_ns, to + rank->zero_ns);

	return to - from >= JOINED_NS && ns < (to - from) / 2 ? ns : INT64_MAX;
}

/* The pieces [p, end) have one entry: they are one call. *at: where the lane stands. */
static int add_call(struct loader *l, struct run_rank *rank, const struct piece *p,
	const struct piece *end, int64_t *at)
{
	struct replay_call *call = replay_grow(&l->g->call, &l->g->ncalls, sizeof(*call));
	const int64_t enter = p->enter > *at ? p->enter : *at;
	int64_t leave = enter, poll_ns = 0;

	if (!call)
		return -ENOMEM;
	call->posts = call->dones = REPLAY_NONE;
	call->site = p->site;
	for (; p < end; p++) {
		leave = p->leave > leave ? p->leave : leave;
		poll_ns = p->poll_ns > poll_ns ? p->poll_ns : poll_ns;
		link_part(l, p, call);
	}
	call->gap_ns = enter - *at;
	call->apart_ns = apart_ns(l, rank, *at, enter);
	poll_ns = poll_ns < call->gap_ns ? poll_ns : call->gap_ns;
	call->gap_ns -= poll_ns;
	call->inside_ns = leave - enter + poll_ns;
	*at = leave;
	return 0;
}

/* The lanes of a rank from its pieces. */
static int add_lanes(struct loader *l, uint32_t rank)
{
	struct replay_lane *lane = NULL;
	struct replay_rank *r = &l->g->rank[rank];
	int64_t at = 0, last = 0;
	int rc = 0;

	if (l->npieces)
		qsort(l->piece, l->npieces, sizeof(*l->piece), by_time);
	r->first_lane = l->g->nlanes;
	for (uint32_t i = 0, n; i < l->npieces && !rc; i = n) {
		const struct piece *p = &l->piece[i];

		for (n = i + 1; n < l->npieces && l->piece[n].thread == p->thread &&
			l->piece[n].enter == p->enter;
			n++)
			;
		if (!lane || lane->thread != p->thread) {
			lane = begin_lane(l, rank, p->thread);
			at = 0;
		}
		rc = lane ? add_call(l, &l->ranks.at[rank], p, l->piece + n, &at) : -ENOMEM;
		if (lane)
			lane->n++;
		last = at > last ? at : last;
	}
	r->rest_ns = l->ranks.at[rank].end_ns - l->ranks.at[rank].zero_ns - last;
	r->rest_ns = r->rest_ns > 0 ? r->rest_ns : 0;
	free(l->piece);
	l->piece = NULL;
	l->npieces = 0;
	return rc;
}

static int read_rows(struct loader *l, struct run_rank *rank, enum reader_table table)
{
	const struct row *row;
	int rc = 0;

	while (!rc && (row = reader_peek(&l->ranks, rank, table))) {
		rc = table == READ_OPS      ? take_op(l, rank, row->value) :
			table == READ_COLLS ? take_coll(l, rank, row->value) :
					      take_transfer(l, rank, row->value, table == READ_IO);
		reader_step(rank, table);
	}
	return rc;
}

/*
 * Calls that had not returned when the rank's records ended last until then. Asking for the time
 * takes none: the thread computed.
 */
static int read_open_calls(struct loader *l, uint32_t i)
{
	struct run_rank *rank = &l->ranks.at[i];
	sqlite3_stmt *q = NULL;
	int rc = db_prepare(l->db, sql_replay_open_calls, &q);

	if (!rc) {
		sqlite3_bind_int64(q, 1, rank->rank * IDS_OF_RANK);
		sqlite3_bind_int64(q, 2, (rank->rank + 1) * IDS_OF_RANK);
	}
	while (rc >= 0 && (rc = db_step(q)) > 0) {
		const int64_t thread = sqlite3_column_int64(q, 0);
		const int64_t call = sqlite3_column_int64(q, 1);
		struct piece *p;

		if (call == FN_MPI_Wtime || call == FN_MPI_Wtick)
			continue;
		p = new_piece(l);
		if (!p) {
			rc = -ENOMEM;
			break;
		}
		*p = (struct piece){ .enter = since_start(rank, sqlite3_column_int64(q, 2)),
			.leave = clock_within(rank->end_ns - rank->zero_ns, CLOCK_NS_MAX),
			.thread = (uint32_t)thread,
			.site = site_of(&l->g->rank[i], sqlite3_column_int64(q, 3)),
			.part = REPLAY_NONE };
	}
	sqlite3_finalize(q);
	return rc;
}

static int read_rank(struct loader *l, uint32_t i)
{
	struct run_rank *rank = &l->ranks.at[i];
	struct replay_rank *r = &l->g->rank[i];
	int rc;

	r->rank = rank->rank;
	r->first_part = l->g->nparts;
	rc = read_rows(l, rank, READ_OPS);
	r->nparts = l->g->nparts - r->first_part;
	if (!rc)
		rc = read_rows(l, rank, READ_COLLS);
	if (!rc && l->ranks.transfers)
		rc = read_rows(l, rank, READ_RMA);
	if (!rc && l->ranks.transfers)
		rc = read_rows(l, rank, READ_IO);
	if (!rc)
		rc = read_open_calls(l, i);
	return rc ? rc : add_lanes(l, i);
}

static int by_instance(const void *a, const void *b)
{
	const struct membership *x = a, *y = b;

	if (x->uid != y->uid)
		return x->uid < y->uid ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return (x->my_rank > y->my_rank) - (x->my_rank < y->my_rank);
}

static enum replay_needs needs_of(enum coll_state state, bool is_root, bool has_root)
{
	switch (state) {
	case COLL_BARRIER:
	case COLL_NXN:
	case COLL_MAKER:
		return NEEDS_ALL;
	case COLL_LATE_BROADCAST:
		return is_root || !has_root ? NEEDS_NOBODY : NEEDS_ROOT;
	case COLL_EARLY_REDUCE:
		return is_root ? NEEDS_ALL : NEEDS_NOBODY;
	case COLL_EARLY_SCAN:
		return NEEDS_LOWER;
	default:
		return NEEDS_NOBODY;
	}
}

/* Memberships [m, m + n) are those of one collective. */
static int add_instance(struct loader *l, const struct membership *m, uint32_t n)
{
	struct replay_graph *g = l->g;
	struct replay_instance *it;
	const enum coll_state state = m->call == FN_NONE ? COLL_MAKER : coll_state_of(m->call);

	if (n != m->size || m->one_side) {
		g->collectives_cut++;
		return 0;
	}
	it = replay_grow(&g->instance, &g->ninstances, sizeof(*it));
	if (!it)
		return -ENOMEM;
	*it = (struct replay_instance){ .first = g->nmembers, .n = n, .root = REPLAY_NONE };
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *member = replay_grow(&g->member, &g->nmembers, sizeof(*member));
		struct replay_part *part = &g->part[m[i].part];

		if (!member)
			return -ENOMEM;
		*member = m[i].part;
		part->instance = g->ninstances - 1;
		part->partner = i;
		if (m[i].root >= 0 && g->detail[m[i].part].rank == m[i].root)
			it->root = m[i].part;
	}
	for (uint32_t i = 0; i < n; i++)
		g->part[m[i].part].needs =
			(uint8_t)needs_of(state, it->root == m[i].part, it->root != REPLAY_NONE);
	return 0;
}

static int add_instances(struct loader *l)
{
	struct membership *m = l->membership;
	int rc = 0;

	if (m)
		qsort(m, l->nmemberships, sizeof(*m), by_instance);
	for (uint32_t i = 0, n; i < l->nmemberships && !rc; i = n) {
		for (n = i + 1; n < l->nmemberships && m[n].uid == m[i].uid && m[n].seq == m[i].seq;
			n++)
			;
		rc = add_instance(l, m + i, n - i);
	}
	return rc;
}

/* The rank at the top of the tree, and this one's start after that one's. */
static uint32_t top_of(const struct loader *l, uint32_t rank, int64_t *offset)
{
	*offset = 0;
	while (l->tree[rank] != rank) {
		*offset = clock_within(*offset + l->offset[rank], CLOCK_NS_MAX);
		rank = l->tree[rank];
	}
	return rank;
}

/* Rank b's start is `ns` after rank a's. */
static void join_starts(struct loader *l, uint32_t a, uint32_t b, int64_t ns)
{
	int64_t of_a, of_b;

	a = top_of(l, a, &of_a);
	b = top_of(l, b, &of_b);
	if (a == b)
		return;
	l->tree[b] = a;
	l->offset[b] = clock_within(ns + of_a - of_b, CLOCK_NS_MAX);
}

static uint32_t rank_of(const struct loader *l, uint32_t part)
{
	return (uint32_t)(rank_find(&l->ranks, l->g->detail[part].rank) - l->ranks.at);
}

/* later: the receive's post after the send's. */
static void add_message(struct loader *l, uint32_t send, uint32_t recv, int64_t later)
{
	struct replay_part *s = &l->g->part[send], *r = &l->g->part[recv];

	s->partner = recv;
	r->partner = send;
	/* a receiver knows its sender's mode from here on */
	r->synchronous = s->synchronous;
	r->rendezvous = s->rendezvous;
	r->buffered = s->buffered;
	r->tier = s->tier;
	join_starts(l, rank_of(l, send), rank_of(l, recv), later + l->post[send] - l->post[recv]);
}

/*
 * match_row has only sums over both sides. The side that waited longer gets the wait for progress
 * and the contention of an eager message. Each side of a rendezvous gets half of the contention.
 */
static void add_waits(struct replay_graph *g, uint32_t send, uint32_t recv, int64_t code,
	int64_t progress_ns, int64_t contention_ns)
{
	const uint32_t waiting = match_code_waiting(code) == KIND_SEND ? send : recv;

	progress_ns = clock_within(progress_ns, CLOCK_NS_MAX);
	contention_ns = clock_within(contention_ns, CLOCK_NS_MAX);
	g->part[waiting].progress_ns = progress_ns > 0 ? progress_ns : 0;
	if (contention_ns <= 0)
		return;
	if (g->part[send].rendezvous)
		g->detail[send].contention_ns = g->detail[recv].contention_ns = contention_ns / 2;
	else
		g->detail[waiting].contention_ns = contention_ns;
}

static int read_messages(struct loader *l, const struct say *say)
{
	sqlite3_stmt *q = NULL;
	int64_t rows = 0,
		all = db_int(l->db, "SELECT value FROM match_info WHERE key = 'messages'", -1);
	int rc = db_prepare(l->db,
		"SELECT send, recv, recv_enter, progress, contention, code FROM match_row", &q);

	while (rc >= 0 && (rc = db_step(q)) > 0) {
		uint32_t send = replay_part_of(l->g, sqlite3_column_int64(q, 0));
		uint32_t recv = replay_part_of(l->g, sqlite3_column_int64(q, 1));

		if (rows++ % ROWS_BETWEEN_LOOKS == 0 && all > 0)
			progress("reading message", (uint64_t)rows, (uint64_t)all);
		if (send != REPLAY_NONE && recv != REPLAY_NONE && l->g->part[send].is_send &&
			!l->g->part[recv].is_send) {
			add_message(l, send, recv,
				clock_within(sqlite3_column_int64(q, 2), CLOCK_NS_MAX));
			add_waits(l->g, send, recv, sqlite3_column_int64(q, 5),
				sqlite3_column_int64(q, 3), sqlite3_column_int64(q, 4));
		}
	}
	sqlite3_finalize(q);
	if (rc)
		return db_say(l->db, rc, "read", say);
	l->g->not_kept = all > rows ? (uint64_t)(all - rows) : 0;
	return 0;
}

/* An end whose other end is unknown needs nobody. */
static void leave_alone(struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nparts; i++) {
		struct replay_part *part = &g->part[i];

		if (part->instance != REPLAY_NONE || part->partner != REPLAY_NONE)
			continue;
		g->unmatched += part->needs == NEEDS_PARTNER;
		part->needs = NEEDS_NOBODY;
	}
}

/* A send of unknown protocol that waited for its receive was a rendezvous. */
static void find_rendezvous(struct replay_graph *g)
{
	for (uint32_t i = 0; i < g->nparts; i++) {
		struct replay_part *part = &g->part[i];

		if (part->instance != REPLAY_NONE || !part->is_send || part->synchronous ||
			part->protocol_known || part->needs != NEEDS_PARTNER ||
			part->lead_ns <= part->early_ns)
			continue;
		part->rendezvous = part->protocol_known = part->guessed = true;
		g->part[part->partner].rendezvous = true;
	}
}

/* All starts after the first one. */
static void set_starts(struct loader *l)
{
	struct replay_graph *g = l->g;
	int64_t first = INT64_MAX, ns;

	/* no message leads from one of these to the others */
	for (uint32_t i = 1; i < g->nranks; i++)
		if (top_of(l, i, &ns) != top_of(l, 0, &ns)) {
			g->start_unknown = true;
			join_starts(l, 0, i, l->ranks.at[i].zero_ns - l->ranks.at[0].zero_ns);
		}
	for (uint32_t i = 0; i < g->nranks; i++) {
		top_of(l, i, &g->rank[i].start_ns);
		first = g->rank[i].start_ns < first ? g->rank[i].start_ns : first;
	}
	for (uint32_t i = 0; i < g->nranks; i++)
		g->rank[i].start_ns -= first;
}

/* The largest callsite of a rank; 0: it has none, or one that cannot be. */
static uint32_t last_site(sqlite3 *db, int rank)
{
	sqlite3_stmt *s = NULL;
	int64_t last = 0;

	if (db_prepare(db, sql_replay_last_site, &s) == 0) {
		sqlite3_bind_int(s, 1, rank);
		if (db_step(s) > 0)
			last = sqlite3_column_int64(s, 0);
	}
	sqlite3_finalize(s);
	return last >= 0 && last <= DB_CALLSITE_MAX ? (uint32_t)last : 0;
}

static int prepare(struct loader *l)
{
	const uint32_t n = l->ranks.n;
	struct replay_graph *g = l->g;

	g->rank = calloc(n + 1, sizeof(*g->rank));
	l->tree = malloc((n + 1) * sizeof(*l->tree));
	l->offset = calloc(n + 1, sizeof(*l->offset));
	if (!g->rank || !l->tree || !l->offset)
		return -ENOMEM;
	g->nranks = n;
	for (uint32_t i = 0; i < n; i++) {
		l->tree[i] = i;
		g->rank[i].first_site = g->nsites;
		g->rank[i].nsites = last_site(l->db, l->ranks.at[i].rank) + 1;
		if (g->rank[i].nsites > REPLAY_NONE - g->nsites)
			return -ENOMEM;
		g->nsites += g->rank[i].nsites;
	}
	return 0;
}

int replay_load(sqlite3 *db, struct replay_graph *g, const struct say *say)
{
	struct loader l = { .db = db, .g = g };
	int rc = ranks_open(&l.ranks, db, CHUNKS_BYTES, NULL, say);

	if (rc)
		return rc;
	rc = inside_init(&l.ranks, CHUNKS_BYTES);
	if (!rc)
		rc = prepare(&l);
	for (uint32_t i = 0; i < l.ranks.n && !rc; i++) {
		progress("reading calls of rank", i + 1, l.ranks.n);
		rc = read_rank(&l, i);
	}
	if (!rc)
		rc = add_instances(&l);
	if (!rc)
		rc = read_messages(&l, say);
	if (rc == -ENOMEM)
		say_line(say, "cannot replay: %s", strerror(ENOMEM));
	if (!rc) {
		leave_alone(g);
		set_starts(&l);
		replay_measure(g);
		find_rendezvous(g);
	}
	ranks_close(&l.ranks);
	free(l.post);
	free(l.piece);
	free(l.membership);
	free(l.tree);
	free(l.offset);
	return rc;
}
