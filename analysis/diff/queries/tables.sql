-- SPDX-License-Identifier: BSD-3-Clause
-- The tables in which two runs are put side by side. what: 'wait', waits by cause; 'call', time in
-- MPI (cause is then empty); 'time', time of the ranks. Of 'time', the Nth part in the report
-- has callsite -N. run.ranks: those that were read; world: all that the run had.
-- sized.missing: ranks that were not read; NULL: none.
CREATE TABLE run (side INTEGER, name TEXT, program TEXT, ranks INTEGER, both_sides INTEGER,
	messages INTEGER, unpredicted_ns INTEGER, why TEXT, run_ns INTEGER, world INTEGER);
CREATE VIEW sized AS
SELECT *, max(ranks, coalesce(world, 0)) AS all_ranks, nullif(max(ranks, coalesce(world, 0)) - ranks, 0) AS missing
FROM run;
CREATE TABLE held (side INTEGER, rank INTEGER, ns INTEGER);
CREATE TABLE site (side INTEGER, rank INTEGER, callsite INTEGER, build_id TEXT, offset INTEGER,
	place TEXT, function TEXT, unit TEXT, line INTEGER, id TEXT);
CREATE TABLE cell (side INTEGER, what TEXT, rank INTEGER, callsite INTEGER, call TEXT,
	cause TEXT, count INTEGER, ns INTEGER, longest_ns INTEGER);
CREATE TABLE slot (side INTEGER, rank INTEGER, callsite INTEGER, call TEXT, cause TEXT,
	slot INTEGER, ns INTEGER);
CREATE TABLE blame (side INTEGER, rank INTEGER, ns INTEGER, activity TEXT);
CREATE TABLE row (what TEXT, id TEXT, place TEXT, call TEXT, cause TEXT, a_count INTEGER,
	b_count INTEGER, a_ns INTEGER, b_ns INTEGER, variance REAL, spread_ns INTEGER,
	machine_ns INTEGER, noise_ns INTEGER, verdict TEXT, b_cause TEXT);

-- What --fail-if asks for: times or counts.
CREATE TABLE condition (condition TEXT, a_ns INTEGER, b_ns INTEGER, a_count INTEGER, b_count INTEGER, is_met INTEGER);

-- The rows as they are printed.
CREATE VIEW change AS
SELECT *, b_ns - a_ns AS change_ns, 100.0 * (b_ns - a_ns) / nullif(a_ns, 0) AS change_pct
FROM row WHERE a_ns <> 0 OR b_ns <> 0;
