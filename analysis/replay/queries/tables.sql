-- SPDX-License-Identifier: BSD-3-Clause
-- What a replay gives: the run, its ranks, and its waits, as measured and under the scenario.
CREATE TEMP TABLE scenario (
	run_before_ns INTEGER NOT NULL,
	run_same_ns INTEGER NOT NULL,	-- replayed without a change: run_before_ns as far as the replay is right
	run_after_ns INTEGER NOT NULL,
	run_low_ns INTEGER,		-- 95 of 100 runs lie between both; NULL: unknown
	run_high_ns INTEGER,
	moved INTEGER NOT NULL,		-- messages that go by another protocol
	stuck INTEGER NOT NULL,
	by_model INTEGER NOT NULL	-- calls with messages between hosts take the time of a model: contention is unknown
);
CREATE TEMP TABLE scenario_rank (
	rank INTEGER PRIMARY KEY,
	end_before_ns INTEGER NOT NULL,
	end_after_ns INTEGER NOT NULL,
	computation_before_ns INTEGER NOT NULL,
	computation_after_ns INTEGER NOT NULL,
	inside_before_ns INTEGER NOT NULL,
	inside_after_ns INTEGER NOT NULL,
	wait_before_ns INTEGER NOT NULL,
	wait_after_ns INTEGER NOT NULL,
	path_before_ns INTEGER NOT NULL,
	path_after_ns INTEGER NOT NULL
);
CREATE TEMP TABLE scenario_callsite (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	cause TEXT NOT NULL,
	wait_before_ns INTEGER NOT NULL,
	wait_after_ns INTEGER NOT NULL
);
CREATE TEMP TABLE scenario_path (	-- by the callsite of the call
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	what TEXT NOT NULL,		-- call, or computation before it
	path_before_ns INTEGER NOT NULL,
	path_after_ns INTEGER NOT NULL
);
CREATE TEMP TABLE scenario_map (	-- of --map
	rank INTEGER PRIMARY KEY,
	host_before TEXT NOT NULL,
	host_after TEXT NOT NULL
);
CREATE TEMP TABLE scenario_efficiency (	-- of the run as measured
	run_ns INTEGER NOT NULL,	-- from the first start of a rank to the last end
	ideal_ns INTEGER,		-- on an ideal network; NULL: unknown
	mean_computation_ns INTEGER NOT NULL,
	max_computation_ns INTEGER NOT NULL
);
CREATE TEMP TABLE scenario_sweep (
	parameter TEXT NOT NULL,
	value_bytes INTEGER,		-- NULL: it is not in bytes
	value REAL,			-- [ns], or what else it is in; NULL: value_bytes has it
	run_ns INTEGER,			-- NULL: the program would hang
	moved INTEGER NOT NULL,
	stuck INTEGER NOT NULL		-- threads that would wait for each other for ever
);
CREATE TEMP TABLE scenario_loggopsim (	-- the run by LogGOPSim's rules: predict --as loggopsim
	run_ns INTEGER,			-- NULL: some operation could not end
	L_ns REAL NOT NULL,
	o_ns REAL NOT NULL,
	O_ns_per_byte REAL NOT NULL,
	G_ns_per_byte REAL NOT NULL,
	S_bytes INTEGER NOT NULL
);
CREATE TEMP TABLE scenario_note (note TEXT NOT NULL)
