/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: the recorded run gone through once more, under a scenario. */
#ifndef TRYST_REPLAY_RUN_H
#define TRYST_REPLAY_RUN_H

#include "analysis/replay/graph.h"
#include "analysis/replay/scenario.h"

struct replay_site_result {
	int64_t wait_ns[REPLAY_CAUSES]; /* by the callsite of the post */
	uint64_t waits;
	/* of the critical path, by the site of the call: the computation before it, and the call */
	int64_t path_computation_ns, path_call_ns;
};

struct replay_rank_result {
	int64_t end_ns; /* of the rank, after the first rank's start */
	int64_t computation_ns, inside_ns, wait_ns;
	int64_t path_ns; /* of the critical path */
};

struct replay_result {
	int64_t run_ns;                  /* from the last start of a rank to the last end */
	int64_t path_ns;                 /* of the critical path: run_ns; 0: not looked for */
	double noise_ns;                 /* standard deviation of run_ns; NAN: unknown */
	struct replay_site_result *site; /* by replay_call.site */
	struct replay_rank_result *rank;
	uint64_t moved;      /* messages that go by another protocol */
	uint64_t decided;    /* sends that take another protocol, or can */
	uint64_t blind;      /* of these, those whose times are not known */
	uint64_t unmodelled; /* ends of messages of which the model's two values are not known */
	uint64_t corrected;  /* edges taken out: replay_scenario.corrects */
	uint32_t stuck;      /* lanes that wait for each other for ever */
	uint64_t followed;   /* messages between hosts that traffic.h followed */
	bool crowded;        /* to follow them took too long: the replay was made without */
};

/* Have most sends that can take another protocol unknown links? Then nothing is predicted. */
static inline bool replay_is_blind(const struct replay_result *r)
{
	return r->blind > r->decided / 2;
}

/*
 * Replays `g` under `scenario`; NULL: nobody is waited for, and all is as it was
 * measured. *out is to be released in any case. 0 or -ENOMEM.
 */
int replay_run(
	struct replay_graph *g, const struct replay_scenario *scenario, struct replay_result *out);

/* The same, with the critical path and the noise (path.h). */
int replay_run_path(
	struct replay_graph *g, const struct replay_scenario *scenario, struct replay_result *out);

void replay_result_release(struct replay_result *r);

#endif
