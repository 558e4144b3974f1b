/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h: a recorded run as a graph of computations and calls, with the duration of each.
 *
 *	lane     | computation | call | computation | call | ... | rest |
 *	                          |  posts and completes
 *	          message ends, members of collectives ---- edges to those of other lanes
 *
 * A lane is a thread of a rank. No time is absolute: a call is entered at the sum of the durations
 * before it. Times are nanoseconds.
 */
#ifndef TRYST_REPLAY_GRAPH_H
#define TRYST_REPLAY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/ranks/clocks.h"

enum { REPLAY_NONE = UINT32_MAX };

/* The longest time [ns]; damaged files may have more. The sum of two fits an int64_t. */
#define REPLAY_NS_MAX (4 * CLOCK_NS_MAX)

/* Whom an end or a member waits for. */
enum replay_needs {
	NEEDS_NOBODY,
	NEEDS_PARTNER, /* of a message */
	NEEDS_ALL,     /* members of its collective */
	NEEDS_ROOT,
	NEEDS_LOWER,   /* members that come before it in member[] */
	NEEDS_PROGRESS /* the partner's rank inside MPI, since the arrival; asked by the call */
};

enum replay_cause {
	REPLAY_LATE_SENDER,
	REPLAY_LATE_RECEIVER,
	REPLAY_COLLECTIVE,
	REPLAY_LATE_PROGRESS,
	REPLAY_CAUSES
};

/* Their names in options, tables and sentences. */
extern const char *const replay_cause_names[REPLAY_CAUSES];

/* A computation of a thread, and the call after it. */
struct replay_call {
	int64_t gap_ns;
	/*
	 * the longest stretch of it outside MPI, where the thread polls; else INT64_MAX. The graph
	 * has no calls for unsuccessful polls.
	 */
	int64_t apart_ns;
	int64_t inside_ns; /* also the polling that the call ended */
	int64_t late_ns;   /* the part of it until the last needed partner had come */
	uint32_t site;     /* where it was called: first_site of its rank, plus callsite */
	uint32_t posts;    /* first of the ends and members posted here: REPLAY_NONE, or linked */
	uint32_t dones;    /* ... completed here */
	/* in the replay that is made */
	uint32_t by; /* the part that it waited for last; REPLAY_NONE: it did not wait */
	int64_t enter, leave;
};

/*
 * One end of a message, or one member of a collective. It is posted in one call, completed in the
 * same or a later one, and may need others to have posted theirs. Its size is one cache line.
 */
struct replay_part {
	int64_t at;          /* when it was posted, in the replay that is made */
	int64_t lead_ns;     /* as measured: from its call until what it needs had come */
	int64_t progress_ns; /* of its call: the other side was outside of MPI when it was needed */
	uint64_t bytes;      /* of a message */
	int32_t early_ns;    /* it ended so long before what it needs, as clocks differ */
	/* of a message: its other end, REPLAY_NONE: unknown; of a member: its number */
	uint32_t partner;
	uint32_t instance;             /* of a collective; REPLAY_NONE: it is a message's end */
	uint32_t next_post, next_done; /* in the lists of its calls */
	uint32_t lane;                 /* that completes it, or posted it */
	uint32_t site;                 /* of the call that posted it */
	uint8_t needs;                 /* enum replay_needs */
	uint8_t tier : 3;
	bool is_send : 1, rendezvous : 1, synchronous : 1, buffered : 1;
	bool protocol_known : 1; /* the run knows whether it was a rendezvous */
	bool guessed : 1;        /* of a send: only its waiting shows that it was a rendezvous */
	bool has_lag : 1;        /* detail.lag_ns is known */
	/* it waited although the other rank was inside MPI: that stay was about to end */
	bool missed : 1;
	/* in the replay that is made */
	bool by_rendezvous : 1; /* it goes by rendezvous */
	bool asks : 1;          /* its call must know what other lanes have done before it leaves */
	bool waits : 1;         /* its lane stands until what it needs has come */
	bool between : 1;       /* it goes between hosts, and traffic tells when it is over */
	bool follows : 1;       /* it waits until the other rank is inside MPI (lag_ns) */
	uint8_t now;            /* enum replay_needs, under the scenario */
};

_Static_assert(sizeof(struct replay_part) == 64, "a cache line");

/* Is the part an end of a message whose other end is known? */
static inline bool replay_is_message(const struct replay_part *part)
{
	return part->instance == REPLAY_NONE && part->partner != REPLAY_NONE;
}

/* The cause of the part's wait for what it needs. */
static inline enum replay_cause replay_cause_of(
	const struct replay_part *part, enum replay_needs needs)
{
	return needs == NEEDS_PROGRESS        ? REPLAY_LATE_PROGRESS :
		part->instance != REPLAY_NONE ? REPLAY_COLLECTIVE :
		part->is_send                 ? REPLAY_LATE_RECEIVER :
						REPLAY_LATE_SENDER;
}

/* The rest of a part, which most calls do not look at. */
struct replay_detail {
	int64_t contention_ns;      /* of its call: other messages shared its way between hosts */
	union {                     /* in the present replay */
		int64_t lower_at;   /* of a member, NEEDS_LOWER: when the last lower member had come
				     */
		int64_t arrival_ns; /* of a send that asks for progress: from its post to its
				       arrival */
		int64_t done_at;    /* of its receive: when its call left; INT64_MAX: not yet */
	};
	int64_t over_at; /* of an end of a message between hosts; INT64_MIN: not yet */
	union {
		uint32_t next_waiting; /* of a member: in the list of its instance */
		/*
		 * of a message's end that needs the other rank inside MPI, part.has_lag: from the
		 * time when that rank was inside next to the end of the wait for it, as measured
		 * [ns]. Negative: the end did not wait, for that rank came so long before the
		 * call was over
		 */
		int32_t lag_ns;
	};
	uint32_t post_call; /* that posted it: index in call[] */
	int32_t rank;       /* in MPI_COMM_WORLD */
};

/* A collective; its members lie in member[first, first + n). */
struct replay_instance {
	uint32_t first, n;
	uint32_t root; /* index in part[]; REPLAY_NONE: it has none */
	/* in the run that is gone through */
	uint32_t come, lower; /* how many have come; how many of the first ones without a gap */
	uint32_t waiting;     /* parts whose lanes stand for it */
	int64_t last, lower_last;
};

struct replay_lane {
	uint32_t rank; /* index */
	uint32_t thread;
	uint32_t first, n; /* in call[] */
	/* in the run that is gone through */
	uint32_t next;
	uint32_t missing; /* of what its call needs */
	int64_t at;       /* it enters its next call, or stands in it since then */
	bool inside;      /* it stands in a call */
	/* of turns.h */
	bool listed, fresh; /* it is in askers of another lane, in turns.fresh */
	uint8_t naskers;
	int64_t stays;                  /* it is put off, until then or later; INT64_MIN: no */
	struct replay_lane *askers;     /* put off, until more is known of this lane */
	struct replay_lane *next_asker; /* in the list of the lane that it asks */
};

static inline bool replay_has_call(const struct replay_lane *lane)
{
	return lane->next < lane->first + lane->n;
}

/* `ns` after `at`, both up to REPLAY_NS_MAX. */
static inline int64_t replay_later(int64_t at, int64_t ns)
{
	return clock_within(at + ns, REPLAY_NS_MAX);
}

struct replay_rank {
	int32_t rank;
	uint32_t first_lane, nlanes;
	uint32_t first_site, nsites;
	uint32_t first_part, nparts; /* its ends of messages */
	int64_t start_ns;            /* its end of MPI_Init after the first rank's */
	int64_t rest_ns;             /* after the last call of any thread */
	int64_t computation_ns, inside_ns;
};

struct replay_graph {
	struct replay_rank *rank;
	struct replay_lane *lane;
	struct replay_call *call;
	struct replay_part *part;
	struct replay_detail *detail; /* by part */
	struct replay_instance *instance;
	uint32_t *member; /* parts, instance by instance */
	int64_t *id;      /* op_row.id by part, rising within a rank; 0: a member */
	uint32_t nranks, nlanes, ncalls, nparts, ninstances, nmembers, nsites;
	/* counts of what the graph leaves out */
	uint64_t unmatched;       /* ends of messages whose other end is not known */
	uint64_t not_kept;        /* messages that the analysis kept no row of */
	uint64_t collectives_cut; /* collectives without all members */
	uint64_t transfers;       /* one-sided and file operations that need nobody */
	uint64_t any_source;      /* receives from any source */
	uint64_t polled;          /* completed by polling */
	uint64_t eager_above_S; /* longer than S of their link, ended before their receive's post */
	bool start_unknown;     /* no message tells how ranks' starts differ: clocks do */
};

void replay_graph_release(struct replay_graph *g);

/* The end of a message with this op_row.id: an index in part[]. REPLAY_NONE: none. */
uint32_t replay_part_of(const struct replay_graph *g, int64_t id);

/* The index of the rank; nranks: the run does not have it. Ranks are sorted. */
uint32_t replay_rank_index(const struct replay_graph *g, int64_t rank);

/*
 * Returns memory for a large array, with undefined content. It is aligned to cache lines, and in
 * huge pages if the system has them. free() frees it. NULL without memory.
 */
void *replay_alloc(size_t bytes);

/*
 * Room for one more of `size` bytes behind *n in *array, whose capacity follows from *n. Returns
 * it zero-filled, or NULL without memory.
 */
void *replay_grow(void *array, uint32_t *n, size_t size);

/* Call it before a replay: marks all parts as not posted. */
void replay_begin(struct replay_graph *g);

/*
 * Goes through the lanes with all durations as they were measured, and finds late_ns of the calls,
 * early_ns, lead_ns and lag_ns of the parts, and which edges the run contradicts. A wait for the
 * other side's progress that the other rank's next stay inside MPI does not explain stays as it
 * was.
 */
void replay_measure(struct replay_graph *g);

/* Sets late_ns of the call from those of its parts that need others. */
void replay_call_late(const struct replay_graph *g, struct replay_call *call);

/*
 * The time in the replay at which all that the part needs had been posted. INT64_MIN: it needs
 * nobody. All must have been posted. needs: what it needs in the replay.
 */
int64_t replay_released(
	const struct replay_graph *g, const struct replay_part *part, enum replay_needs needs);

/* Is it known at `now` when the lane moves messages next? */
bool replay_knows_inside(const struct replay_graph *g, const struct replay_lane *lane, int64_t now);

/*
 * (4b), (5): when the first of the receiving rank's lanes is inside MPI since `arrived`, as seen at
 * the time `now` >= arrived. arrived: when the send's message has arrived, or both sides of a
 * rendezvous are posted. Calls that only post do not count. A lane that polls is inside after
 * half of apart_ns, the mean time until its next poll if polls are evenly spaced; apart_ns after
 * its last call if that is later. Returns the time of the send's post if a lane was inside at
 * `arrived`, or if the receive was over by then: the times of sends and of receives are measured,
 * and can contradict each other by what the model lacks.
 */
int64_t replay_first_inside(
	const struct replay_graph *g, const struct replay_part *send, int64_t arrived, int64_t now);

/*
 * (4b), (5): since when the part could wait for the other side's progress: its own post, or for a
 * rendezvous and for a receive the later one of both posts. For a missed one 10 us later, so that
 * the stay that missed it does not count.
 */
int64_t replay_progress_since(const struct replay_graph *g, const struct replay_part *part);

/* When a lane of the rank is inside MPI next, since `since`, as seen at `now` >= since. */
int64_t replay_rank_inside(const struct replay_graph *g, uint32_t rank, int64_t since, int64_t now);

/*
 * Until when the part's call waited for it, after the call's entry, as measured; 0: it did not.
 * Progress is waited for once all others have come.
 */
int64_t replay_part_wait(const struct replay_call *call, const struct replay_part *part);

/*
 * (5): when the rank that completes the part is inside MPI next, since `now`, in a call that moves
 * messages. In a later call it first does what the call is for. Lanes are known until `now`.
 */
int64_t replay_next_inside(
	const struct replay_graph *g, const struct replay_part *part, int64_t now);

/* Call it when the part's call is entered, at `at`. */
void replay_post(struct replay_graph *g, uint32_t part, int64_t at);

/* How many calls ahead a call is fetched into the cache, and its parts once it is there. */
enum { REPLAY_FETCH_CALLS = 8, REPLAY_FETCH_PARTS = 4 };

/*
 * Lanes that take turns find their calls outside of the cache, so each call fetches what a later
 * one of its lane needs. Always inline, because gcc drops calls of a function that only fetches.
 */
static inline __attribute__((always_inline)) void replay_fetch_ahead(
	const struct replay_graph *g, const struct replay_call *call)
{
	const uint32_t parts[] = { call[REPLAY_FETCH_PARTS].posts, call[REPLAY_FETCH_PARTS].dones };

	__builtin_prefetch(call + REPLAY_FETCH_CALLS, 1);
	for (int i = 0; i < 2; i++)
		if (parts[i] != REPLAY_NONE) {
			__builtin_prefetch(&g->part[parts[i]], 1);
			__builtin_prefetch(&g->detail[parts[i]], 1);
		}
}

#endif
