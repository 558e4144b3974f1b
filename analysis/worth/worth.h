/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worth.h: by how much a run would be shorter without a bottleneck, with each remedy, and with a
 * better form of a pattern.
 */
#ifndef TRYST_WORTH_WORTH_H
#define TRYST_WORTH_WORTH_H

#include <sqlite3.h>

/*
 * Fills temp.worth_run, worth, late_by_chance, remedy_tried, pattern_gain, collective_gain and
 * master_gain (report/queries/worth_tables.sql) by replays of the run. `db` is analyzed, and
 * report_prepare() made these tables. 0, or a negative errno. Without a replay (worth_run.untold
 * says why) it is 0, too.
 */
int worth_fill(sqlite3 *db);

#endif
