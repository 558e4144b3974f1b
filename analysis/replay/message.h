/* SPDX-License-Identifier: BSD-3-Clause */
/* message.h: by which protocol a message goes under a scenario, and how long its ends take. */
#ifndef TRYST_REPLAY_MESSAGE_H
#define TRYST_REPLAY_MESSAGE_H

#include "analysis/replay/scenario.h"

/* Does the message take another kind of link than in the run? */
bool replay_link_changes(const struct replay_scenario *s, const struct replay_part *part);

/* Does the message go by rendezvous under the scenario? */
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
 * How much of the part's time without waits [ns] a thread saves by (5) and (9), if it moved the
 * message for `ns` before the part's call, since both sides had posted. o remains. NAN: unknown.
 */
double replay_hidden(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part, int64_t ns);

/* The part's time without waits under the scenario, by LogGPS [ns]. NAN: unknown. */
double replay_time_under(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns);

/*
 * How much longer the part's time without waits is under the scenario, by the model [ns]. lead_ns:
 * from the part's call to the last post that it needs, under the scenario. NAN: unknown.
 */
double replay_difference(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns);

/* The part's time by a model alone [ns]: what can overlap with other parts of a call, and the rest.
 */
struct replay_time {
	double flight, cpu; /* NAN: unknown */
};

/*
 * The time without waits under the scenario's model, for a call of messages alone. lead_ns: as
 * replay_difference(). apart: the call completes the part and did not post it.
 */
struct replay_time replay_model_time(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns, bool apart);

/* The same by LogGPS, over the part's link in the run. */
struct replay_time replay_model_time_in_run(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/* A call by the model: flights of its messages overlap, overheads add up. All 0: no message. */
struct replay_stay {
	double late; /* from the call's entry to the last post that it needs [ns] */
	double end;  /* ... to the last arrival */
	double cpu;
};

/*
 * Adds a message of known `time`. needs: enum replay_needs; a needed partner posts lead_ns after
 * the call's entry.
 */
void replay_stay_add(
	struct replay_stay *stay, uint8_t needs, int64_t lead_ns, struct replay_time time);

/* The call's time without waits [ns]. */
double replay_stay_ns(const struct replay_stay *stay);

#endif
