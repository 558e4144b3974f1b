-- SPDX-License-Identifier: BSD-3-Clause
-- worth_run: the replayed run. run_ns: its length, as in all sections. interval_ns: the report
-- tells of larger gains only; at most run_ns. untold: why the report has no replay; NULL: it has one.
--
-- worth: by how much the run would be shorter at most, for each bottleneck that was replayed: the
-- larger of without_ns, without these waits, and the best remedy's gain, but no more than its waits.
--
-- remedy_tried: what each remedy would bring. value: its number, as the S to set. effort: remedies
-- in the order in which they are preferred. helps: it brings more than the interval.
--
-- late_by_chance: bottlenecks in which few messages wait, and no rank is late more than others by more than chance.
--
-- pattern_gain: how much shorter the run is with equal work between collectives (by 0) and without
-- the pattern's barrier (by -1), or with `by` pieces of a master's work in a message, and how much shorter the run
-- without tryst is if up to `by` small messages of a pattern become one (patterns_rows.sql). An answer or a collective
-- ends a group (worth/combine.c). 0 also if the replay gets stuck, as with answers by way of other ranks. both_ways: the
-- peer's messages are combined, too. bare_ns: the time before, of the run without tryst for small messages, else with it.
--
-- collective_gain: how much shorter the run is with a collective in the place of a fan or a ring by hand (worth/trees.c).
-- same_ns: with shared or reduced data; own_ns: with each rank's own data, NULL: unknown.
-- master_gain: how much shorter the run is if the master takes no time: more ranks that serve bring no more.
CREATE TEMP TABLE worth_run (run_ns INTEGER, interval_ns INTEGER, untold TEXT);

CREATE TEMP TABLE worth (bottleneck INTEGER PRIMARY KEY, worth_ns INTEGER, without_ns INTEGER);

CREATE TEMP TABLE remedy_tried (bottleneck INTEGER, remedy TEXT, value INTEGER, gain_ns INTEGER,
		effort INTEGER, helps INTEGER, PRIMARY KEY (bottleneck, remedy)) WITHOUT ROWID;

CREATE TEMP TABLE late_by_chance (bottleneck INTEGER PRIMARY KEY);

CREATE TEMP TABLE pattern_gain (pattern INTEGER, by INTEGER, gain_ns INTEGER, bare_ns INTEGER, both_ways INTEGER,
		PRIMARY KEY (pattern, by)) WITHOUT ROWID;

CREATE TEMP TABLE collective_gain (pattern INTEGER PRIMARY KEY, same_ns INTEGER, own_ns INTEGER);

CREATE TEMP TABLE master_gain (pattern INTEGER PRIMARY KEY, most_ns INTEGER);
