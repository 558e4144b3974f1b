-- SPDX-License-Identifier: BSD-3-Clause
-- calibration.sql: what `tryst calibrate` adds to a file of link parameters.
--
-- link_param and fingerprint in the same file are what the shim reads (analysis/format/links/links.h).
-- These tables are what the parameters were made from, and every model's own fit:
--
--   pair       the ordered pairs of ranks that were measured
--   sample     each measured time, as it was (enum sample_kind and others, analysis/model/sample.h)
--   fit        parameters of each model for each pair, fitted to the samples with truth = 0
--   residual   predictions of these fits beside the medians of the samples with truth = 1
--   finding    what a reader of a fit must know, with the samples to look at
--
-- Times are nanoseconds, lengths bytes; NULL is none.

CREATE TABLE calibration_pair (
	from_rank INTEGER NOT NULL,
	to_rank INTEGER NOT NULL,
	tier TEXT NOT NULL,		-- node, network
	from_host TEXT,
	to_host TEXT,
	PRIMARY KEY (from_rank, to_rank)
) WITHOUT ROWID;

CREATE TABLE sample (
	from_rank INTEGER NOT NULL,	-- who begins the exchange
	to_rank INTEGER NOT NULL,	-- equal to from_rank: a group of ranks (burst, flow, broadcast)
	kind TEXT NOT NULL,		-- rtt, rtt_w, send, recv, post, complete, train, burst, ...
	form TEXT,			-- send, isend, ssend_init, recv, ...; NULL: no matter of form
	layout TEXT,			-- contiguous, strided
	flow TEXT,			-- pattern of concurrent transfers: alone, out, in, in_apart, mixed_in, mixed_out
	count INTEGER,			-- messages of a train, hosts of a burst or broadcast
	bytes INTEGER NOT NULL,
	delay_ns INTEGER NOT NULL,	-- w of rtt_w, lateness of late_*, time computed in overlap
	repetition INTEGER NOT NULL,
	truth INTEGER NOT NULL,		-- 1: kept out of all fits, compared with them
	value_ns REAL NOT NULL
);

CREATE TABLE fit (
	from_rank INTEGER NOT NULL,
	to_rank INTEGER NOT NULL,
	form TEXT,			-- NULL: standard blocking calls
	layout TEXT,			-- NULL: contiguous
	model TEXT NOT NULL,
	name TEXT NOT NULL,
	bytes INTEGER,			-- length that the value is for; NULL: any
	value REAL,			-- NULL: not identified, and reason says why
	unit TEXT,
	ci_low REAL,			-- 95 %
	ci_high REAL,
	reason TEXT
);

CREATE TABLE residual (
	from_rank INTEGER NOT NULL,
	to_rank INTEGER NOT NULL,
	model TEXT NOT NULL,
	quantity TEXT NOT NULL,		-- send, recv, round_trip
	bytes INTEGER NOT NULL,
	delay_ns INTEGER NOT NULL,
	measured_ns REAL NOT NULL,
	predicted_ns REAL NOT NULL,
	error_percent REAL NOT NULL
);

CREATE TABLE finding (
	from_rank INTEGER NOT NULL,
	to_rank INTEGER NOT NULL,
	model TEXT NOT NULL,
	kind TEXT NOT NULL,		-- too_little, non_monotone, out_of_range, switch, not_separable, noise
	name TEXT,			-- parameter; NULL: none in particular
	samples TEXT,			-- kind of the samples to look at
	bytes_low INTEGER,
	bytes_high INTEGER,
	text TEXT NOT NULL
);
