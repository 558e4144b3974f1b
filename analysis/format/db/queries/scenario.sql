-- SPDX-License-Identifier: BSD-3-Clause

-- query scenario_tables: the last result of tryst predict for each list of changes, only in run.db
CREATE TABLE IF NOT EXISTS scenario (
	scenario INTEGER PRIMARY KEY,
	changes TEXT NOT NULL UNIQUE,
	run_before_ns INTEGER NOT NULL,
	run_same_ns INTEGER NOT NULL,
	run_after_ns INTEGER NOT NULL,
	run_low_ns INTEGER,
	run_high_ns INTEGER,
	moved INTEGER NOT NULL,
	stuck INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS scenario_rank (
	scenario INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	end_before_ns INTEGER NOT NULL,
	end_after_ns INTEGER NOT NULL,
	computation_before_ns INTEGER NOT NULL,
	computation_after_ns INTEGER NOT NULL,
	inside_before_ns INTEGER NOT NULL,
	inside_after_ns INTEGER NOT NULL,
	wait_before_ns INTEGER NOT NULL,
	wait_after_ns INTEGER NOT NULL,
	path_before_ns INTEGER NOT NULL,
	path_after_ns INTEGER NOT NULL,
	PRIMARY KEY (scenario, rank)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scenario_callsite (
	scenario INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	cause TEXT NOT NULL,
	wait_before_ns INTEGER NOT NULL,
	wait_after_ns INTEGER NOT NULL,
	PRIMARY KEY (scenario, rank, callsite, cause)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scenario_path (
	scenario INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	what TEXT NOT NULL,
	path_before_ns INTEGER NOT NULL,
	path_after_ns INTEGER NOT NULL,
	PRIMARY KEY (scenario, rank, callsite, what)
) WITHOUT ROWID
