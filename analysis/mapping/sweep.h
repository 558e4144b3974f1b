/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.h: the run time at a row of values of one parameter. */
#ifndef TRYST_MAPPING_SWEEP_H
#define TRYST_MAPPING_SWEEP_H

#include "analysis/mapping/hosts.h"
#include "analysis/replay/scenario.h"

/*
 * Replays `g` under `changes` and, in addition, with the parameter at each value of `sweep`,
 * NAME=LOW..HIGH: LOW, twice LOW, and so on up to HIGH. The run time at each goes into table
 * scenario_sweep, which replay_tables() makes. *hosts: as replay_follow(). 0; -EINVAL: the sweep or
 * a change cannot be made, said; another negative errno, said but -ENOMEM.
 */
int replay_sweep(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	const char *sweep, struct replay_hosts *hosts, const struct say *say);

#endif
