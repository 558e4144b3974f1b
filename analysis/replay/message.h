/* SPDX-License-Identifier: BSD-3-Clause */
/* message.h: by which protocol messages go under a scenario, and how long calls take then. */
#ifndef TRYST_REPLAY_MESSAGE_H
#define TRYST_REPLAY_MESSAGE_H

#include "analysis/replay/graph.h"
#include "analysis/replay/run.h"
#include "analysis/replay/scenario.h"
#include "analysis/traffic/traffic.h"

/* Does the message take another kind of link than in the run? */
bool replay_link_changes(const struct replay_scenario *s, const struct replay_part *part);

/*
 * Does the message go by rendezvous under the scenario? In a replay, part->by_rendezvous has the
 * answer, which all functions below use but replay_message_between() and replay_time_is_known().
 */
bool replay_rendezvous(const struct replay_scenario *s, const struct replay_part *part);

/*
 * Does the scenario make the message eager? Yes for a rendezvous of the run that is eager now; for
 * an eager send that takes another kind of link; and, if S is set, for a send of unknown protocol.
 */
bool replay_becomes_eager(const struct replay_scenario *s, const struct replay_part *part);

/*
 * For a part that waited for the other side's progress: does it need none under the scenario? Up to
 * S_p, (4), a send needs none, above it, (4b), it does; above S, (5) and (9), both do.
 */
bool replay_progresses(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/*
 * Does the send go by rendezvous under the scenario, and does the run not show its wait for the
 * receiver inside MPI? So it is for a send that was eager, and for every rendezvous over another
 * kind of link than in the run.
 */
bool replay_becomes_rendezvous(const struct replay_scenario *s, const struct replay_part *part);

/*
 * Does a part that waited for the other side's progress need it under the scenario, too (NULL: as
 * measured)? A message that takes another protocol or kind of link does not: its send may ask for
 * it anew.
 */
bool replay_keeps_progress(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/* What the part of `rank` needs under the scenario; NULL: as measured. */
enum replay_needs replay_needs(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/*
 * Does the part's call ask for more than when others posted? A message that changed its protocol,
 * or whose receive is posted early (worth/edit.h), may wait until its receiver is inside MPI. A
 * rendezvous, or a receive, that waits for nobody asks whether the other side has come.
 */
bool replay_asks(const struct replay_scenario *s, uint32_t rank, const struct replay_part *part,
	enum replay_needs needs);

/* The answer of replay_arrival() to an earlier question; all 0: none. */
struct replay_arrival {
	const struct loggps *link;
	uint64_t bytes;
	double ns;
};

/*
 * From the post of a send by `rank` until its message, or the first piece of it, has arrived [ns]:
 * the eager message's time less T3, and at least T1. Before that its receiver has nothing to move.
 * 0: a rendezvous, or unknown. *last is updated: most messages are like the one before.
 */
double replay_arrival(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, struct replay_arrival *last);

/*
 * The send p as a message between hosts. False: it is none under the scenario, or its time is
 * unknown. The scenario must have host_of.
 */
bool replay_message_between(const struct replay_graph *g, const struct replay_scenario *s,
	uint32_t p, struct traffic_message *out);

/* Is the time of this end of a message known under the scenario? */
bool replay_time_is_known(
	const struct replay_graph *g, const struct replay_scenario *s, uint32_t p);

/*
 * Finds the messages between hosts that traffic follows, once it is known what parts need. A
 * receive must need its send, and so must a send by rendezvous its receive. Returns how many.
 */
uint64_t replay_find_between(struct replay_graph *g, const struct replay_scenario *s);

/* The state of a replay when a lane leaves a call. */
struct replay_times {
	const struct replay_graph *g;
	const struct replay_scenario *scenario;
	struct replay_result *out; /* moved, decided, blind and unmodelled count messages */
	int64_t now;               /* posts after it are unknown yet; INT64_MAX: all are known */
};

/*
 * How much longer the lane's call takes under a scenario of measured times [ns], by LogGPS. A call
 * of several messages changes as a whole, because they fly at the same time.
 */
double replay_call_more(
	struct replay_times *t, const struct replay_lane *lane, const struct replay_call *call);

/*
 * The contention that an ideal network removes from a call of `ns` without waits: at most the
 * excess of `ns` over the model's time [ns].
 */
double replay_call_contention(const struct replay_times *t, const struct replay_lane *lane,
	const struct replay_call *call, double ns);

/* Does a model alone say what the call takes? It completes messages, and nothing else. */
bool replay_call_by_model(const struct replay_times *t, const struct replay_call *call);

/* The call's time without waits by that model [ns]. */
double replay_call_model_ns(
	struct replay_times *t, const struct replay_lane *lane, const struct replay_call *call);

/*
 * The time by LogGPS that a part of `rank` still takes `lead_ns` after its call's entry, when what
 * it needs has come [ns]; 0: unknown.
 */
double replay_part_ns(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns);

#endif
