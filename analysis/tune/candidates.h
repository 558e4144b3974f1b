/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h: settings of the MPI library that may shorten a recorded run. */
#ifndef TRYST_TUNE_CANDIDATES_H
#define TRYST_TUNE_CANDIDATES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/text.h"
#include "analysis/replay/graph.h"
#include "analysis/tune/launch.h"

enum { CANDIDATES_MAX = 12 };

struct candidate {
	char setting[128]; /* NAME=VALUE of the environment, or an option of the launcher: -ppn=1 */
	uint64_t S;        /* expected [B]; 0: the setting does not change it */
	unsigned tiers;    /* of the links that get S: bits 1 << tier */
	bool progress;     /* a thread moves messages */
	char map[16];      /* ranks are mapped so: "by-node", "by-slot"; empty: as before */
	bool binds;        /* ranks get other CPUs: its links must be measured */
};

/*
 * Candidates for a run: limits of eager messages, threads for progress, and, if ranks have
 * messages, their binding and mapping. Limits cover half, nine tenths or all of the run's
 * rendezvous messages, without those that need a limit above 256 KiB (vader), 1 MiB (sm) or 4 MiB
 * (others). Each setting that governs S on a link of the run gets such limits. It is in row
 * S_setting of link_param, which is there if the value agrees with the measured S. Without such
 * rows, the library's settings get them. db: the run's; g: its graph. *notes gets a line for each
 * setting whose largest limit covers no message. Returns how many, or a negative errno.
 */
int candidates_find(sqlite3 *db, const struct replay_graph *g, struct candidate out[CANDIDATES_MAX],
	struct text *notes);

/*
 * Has the candidate no effect on the command? The command's words may override it, srun reads no
 * settings that place ranks, and only a known launcher can be given an option.
 */
bool candidate_is_overridden(const struct candidate *c, const struct launch *l);

/* Adds the changes of S on the candidate's tiers, as --set takes them (scenario.h). */
void candidate_put_change(const struct candidate *c, struct text *to);

/*
 * S of a tier of the candidate [B], in files of tryst calibrate without (was) and with its setting
 * (is): of a tier where S changed, if there is one. 0: unknown on all its tiers.
 */
uint64_t candidate_S(const struct candidate *c, sqlite3 *was, sqlite3 *is, bool *changed);

#endif
