/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edit.h: single messages of a recorded run changed, for one replay.
 *
 *	edit_begin() --edit_spare() and others, then replay_run()--> edit_undo()
 *
 * A scenario (scenario.h) changes all messages of a kind. An edit changes the graph itself, message
 * by message, and takes the changes back afterwards.
 */
#ifndef TRYST_WORTH_EDIT_H
#define TRYST_WORTH_EDIT_H

#include "analysis/replay/graph.h"
#include "analysis/replay/scenario.h"

struct edit {
	struct replay_graph *g;
	struct replay_part *part; /* as they were */
	struct replay_call *call;
	uint32_t *done; /* by part: the call that completes it, an index; REPLAY_NONE: none */
	uint32_t *next; /* by call: the next one of its lane; REPLAY_NONE: it is the last one */
	bool exchanged; /* calls have changed places since the last edit_undo() */
};

/*
 * Keeps a copy of what edits change. `g` is loaded, and not changed but by edits until
 * edit_end(), which is to be called in any case. 0 or -ENOMEM.
 */
int edit_begin(struct replay_graph *g, struct edit *e);
void edit_undo(struct edit *e);
void edit_end(struct edit *e);

/*
 * Takes tryst's own time out of the computations; edit_undo() keeps it out. tool_ns[i]: mean
 * before a call at site i, not below 0. A short computation leaves the rest to later ones. No edit
 * may be under way.
 */
void edit_without_tool(struct edit *e, const int64_t *tool_ns);

/*
 * The part (an index) waits for nobody. Of its measured time, `ns` more goes: waits that the replay
 * counts as time without waits (flow control and others). ns may be below 0.
 */
void edit_spare(struct edit *e, uint32_t part, int64_t ns);

/* The part does not wait for the other side's progress, and its call is so much shorter. */
void edit_spare_progress(struct edit *e, uint32_t part);

/* The call that completes the part takes ns less, and no less than nothing; ns may be below 0. */
void edit_shorten(struct edit *e, uint32_t part, int64_t ns);

/*
 * The part's time without waits, as measured [ns]. Parts that a call completes, or else posts, have
 * equal shares of its time.
 */
int64_t edit_part_ns(const struct edit *e, uint32_t part);

/* The part takes no time; what it waits for stays. Other parts of its calls keep their shares. */
void edit_take_no_time(struct edit *e, uint32_t part);

/*
 * From its call `first` to its call `last`, indices in call[] of one lane, the thread takes no time
 * of its own: it only waits.
 */
void edit_only_wait(struct edit *e, uint32_t first, uint32_t last);

/*
 * The send's receive has been posted in good time, by a nonblocking call: the send waits until its
 * receiver is inside MPI. moves_alone: transfers need no receiver inside MPI.
 */
void edit_post_early(struct edit *e, uint32_t send, bool moves_alone);

/*
 * The blocking receive is called behind the computation that follows it. A rank that does nothing
 * between this call and its next one gains nothing.
 */
void edit_receive_later(struct edit *e, uint32_t receive);

/*
 * The blocking receive changes places with the next call, if that is a blocking receive, too. Each
 * keeps the computation that follows it.
 */
void edit_receive_next_first(struct edit *e, uint32_t receive);

/*
 * Half of the computation that the part waits for moves to the waiting thread, in front of the
 * part's call. It is what the other side computes right before its post. For all parts of a call
 * together, at most half of its wait moves; for all that one call posts, half of the longest wait.
 */
void edit_share_work(struct edit *e, uint32_t part);

/*
 * Threads do not sleep between the calls at two places (marks by site, as in replay_balance()).
 * asleep[]: by the site of the second call, which share of that computation it is.
 */
void edit_stay_awake(struct edit *e, const int64_t *place, const double *asleep);

/*
 * Can the send be aggregated? It can if its call only sends this message, and the call of its
 * receive only receives it.
 */
bool edit_is_single(const struct edit *e, uint32_t send);

/*
 * Do the calls that post and complete these two ends of one rank neither post nor complete another?
 * MPI_Sendrecv is such a call, and so are MPI_Send and MPI_Recv, or MPI_Irecv, MPI_Isend and
 * MPI_Waitall.
 */
bool edit_is_round(const struct edit *e, uint32_t send, uint32_t receive);

/* The first and the last of these calls. */
void edit_calls_of_round(
	const struct edit *e, uint32_t send, uint32_t receive, uint32_t *first, uint32_t *last);

/* A message made of several, compared with each of them. */
struct edit_combined {
	int64_t send_ns, recv_ns; /* how much longer it takes at each end */
	bool rendezvous;          /* it waits for its receiver */
	bool received_last;       /* by the last receive, not by the first */
};

/*
 * Makes n messages of one pair of ranks one message. sends: in order, each edit_is_single() or of
 * an edit_is_round(). The last send sends it, and the calls of all other ends take no time.
 */
void edit_aggregate(
	struct edit *e, const uint32_t *sends, uint32_t n, const struct edit_combined *one);

/* The message is not sent: the calls of both ends take no time. The part is one of its ends. */
void edit_leave_out(struct edit *e, uint32_t part);

/* The blocking send is nonblocking, and completes in the next call of its thread. */
void edit_send_nonblocking(struct edit *e, uint32_t send);

#endif
