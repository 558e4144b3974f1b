-- SPDX-License-Identifier: BSD-3-Clause
--
-- schema.sql: what tryst's databases look like. The same text makes a rank's file
-- (rank-NNNNNN.db) and the database of a whole run (run.db), so the same queries answer in both.
--
--   views (and the tables `run`, `link_param`, `clock`)   what users query; the contract
--   tables *_row, *_cell, *_name                          private: packed, may change
--   views *_fields                                        these with packed columns taken apart; made by
--                                                         layouts.awk from layouts.def
--
-- Times are integer nanoseconds from the end of MPI_Init on the rank's clock, in run.db on the lowest rank's clock;
-- NULL means none. Works with the plain sqlite3 command from 3.31 on.
--
-- Keys. `id` of op_row, coll_row, busy_row, off_cpu_row, rma_row and io_row is (rank << 40) + n, where n is the
-- op's number (op_row), else 1, 2, ...: rows of many ranks go into one table by plain
-- INSERT ... SELECT, in ascending order. In coll_row, rma_row and io_row this is the order in which a
-- rank entered the calls (busy_row: in which they were recorded). An op of `op` is found at once by
-- WHERE op_key = (rank << 40) + op_id.

PRAGMA application_id = 0x74727374;	-- "trst"
PRAGMA user_version = 1;

------------------------------------------------------------------------------------------------
-- Names behind the codes of packed rows.

CREATE TABLE call_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE cause_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE protocol_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE tier_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

INSERT INTO cause_name VALUES
	(1, 'late_sender'), (2, 'late_receiver'), (3, 'late_progress'), (4, 'wrong_order'),
	(5, 'flow_control'), (6, 'contention'), (7, 'unhidden_transfer'),
	(8, 'collective_skew'), (9, 'unexplained'), (10, 'no_cpu');
INSERT INTO protocol_name VALUES (1, 'short'), (2, 'eager'), (3, 'rendezvous');
INSERT INTO tier_name VALUES (0, 'self'), (1, 'node'), (2, 'network');

------------------------------------------------------------------------------------------------
-- The run, as each rank saw it: program, arguments, host, pid, mpi, world_size, run_id, ...

CREATE TABLE run (
	rank INTEGER NOT NULL,
	key TEXT NOT NULL,
	value,
	PRIMARY KEY (rank, key)
) WITHOUT ROWID;

-- Link parameters: measured, read or learned. value NULL: unknown, with a reason.
CREATE TABLE link_param (
	rank INTEGER NOT NULL,
	tier TEXT NOT NULL,		-- self, node, network
	peer INTEGER,			-- lowest rank of another kind of hosts; NULL: any peer of the tier
	form TEXT,			-- send, isend, ssend_init, recv, ...; NULL: any
	layout TEXT,			-- contiguous, strided; NULL: any
	model TEXT NOT NULL,		-- LogGPS, ...
	name TEXT NOT NULL,
	bytes INTEGER,			-- message size that the value is for; NULL: any
	value REAL,
	unit TEXT,			-- ns, ns/B, B
	ci_low REAL,			-- bounds of its 95 % confidence interval
	ci_high REAL,
	source TEXT,			-- measured; cache: an earlier set that a check confirmed; unconfirmed: one that no
					-- check confirmed, used because nothing could be measured; file, learned,
					-- default; NULL: nothing was measured
	reason TEXT			-- why value is NULL; for name age: who measured the set
);

CREATE UNIQUE INDEX link_param_key ON link_param (rank, tier, coalesce(peer, -1),
	coalesce(form, ''), coalesce(layout, ''), model, name, coalesce(bytes, -1));

-- The LogGPS parameters of a tier, or of hosts of another kind than the rank's own, a row each.
CREATE VIEW link AS
SELECT rank, tier, peer, group_concat(DISTINCT source) AS source,
	max(value) FILTER (WHERE name = 'L') AS L_ns,
	max(value) FILTER (WHERE name = 'o') AS o_ns,
	max(value) FILTER (WHERE name = 'one_way') AS one_way_ns,
	max(value) FILTER (WHERE name = 'rendezvous') AS rendezvous_ns,
	max(value) FILTER (WHERE name = 'O_ss') AS O_ss,
	max(value) FILTER (WHERE name = 'O_sl') AS O_sl,
	max(value) FILTER (WHERE name = 'O_rs') AS O_rs,
	max(value) FILTER (WHERE name = 'O_rl') AS O_rl,
	max(value) FILTER (WHERE name = 'G_s') AS G_s,
	max(value) FILTER (WHERE name = 'G_l') AS G_l,
	CAST(max(value) FILTER (WHERE name = 's') AS INTEGER) AS short_max_bytes,
	CAST(max(value) FILTER (WHERE name = 'S') AS INTEGER) AS eager_max_bytes,
	CAST(max(value) FILTER (WHERE name = 'S_p') AS INTEGER) AS local_max_bytes,
	CAST(min(value) FILTER (WHERE name = 'async_progress') AS INTEGER) AS async_progress
FROM link_param		-- async_progress alone is known by form; 1 where it holds for all
WHERE model = 'LogGPS' AND layout IS NULL AND (form IS NULL OR name = 'async_progress')
GROUP BY rank, tier, peer;

------------------------------------------------------------------------------------------------
-- Callsites: frame 0 is the first outside MPI's own libraries. function, file and line are filled
-- by `tryst collect` or `tryst merge`, also in the ranks' own files (analysis/merge/fill.c).

CREATE TABLE module_row (
	rank INTEGER NOT NULL,
	module INTEGER NOT NULL,
	build_id TEXT,			-- hexadecimal
	path TEXT,
	base INTEGER,			-- load address
	PRIMARY KEY (rank, module)
) WITHOUT ROWID;

CREATE TABLE frame_row (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	frame INTEGER NOT NULL,
	module INTEGER,
	offset INTEGER,			-- of the return address from the module's base
	function TEXT,
	file TEXT,
	line INTEGER,
	PRIMARY KEY (rank, callsite, frame)
) WITHOUT ROWID;

-- In run.db: callsites with the same frames as a callsite of another rank (the same offsets in modules of the same
-- build-ids). frame_row has these frames once.
CREATE TABLE site_row (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	first_rank INTEGER NOT NULL,
	first_callsite INTEGER NOT NULL,
	PRIMARY KEY (rank, callsite)
) WITHOUT ROWID;

-- site: the same number for the same stack on all ranks.
CREATE VIEW callsite AS
SELECT f.rank, f.callsite, f.frame, m.build_id, m.path AS module, f.offset,
	f.function, f.file, f.line, f.site
FROM frame_row_fields f LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module
UNION ALL
SELECT t.rank, t.callsite, f.frame, m.build_id, m.path, f.offset,
	f.function, f.file, f.line, f.site
FROM site_row t JOIN frame_row_fields f ON f.rank = t.first_rank AND f.callsite = t.first_callsite
LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module;

------------------------------------------------------------------------------------------------
-- Communicators. uid is the same on all members.

CREATE TABLE comm_row (
	rank INTEGER NOT NULL,
	comm INTEGER NOT NULL,
	uid INTEGER,
	parent INTEGER,
	maker INTEGER,			-- call_name.id; 0: predefined
	size INTEGER,
	my_rank INTEGER,
	remote_size INTEGER,		-- NULL: intracommunicator
	peer_world INTEGER,		-- the world of members of other worlds; NULL: no such members, -1: unknown
	name TEXT,
	PRIMARY KEY (rank, comm)
) WITHOUT ROWID;

-- How a peer of MPI_COMM_WORLD is joined to this rank, as its messages showed.
CREATE TABLE peer_row (
	rank INTEGER NOT NULL,
	peer INTEGER NOT NULL,
	tier INTEGER NOT NULL,		-- tier_name.id
	PRIMARY KEY (rank, peer)
) WITHOUT ROWID;

CREATE VIEW communicator AS
SELECT rank, comm, uid, parent,
	(SELECT name FROM call_name WHERE id = maker) AS maker,
	size, my_rank, name, remote_size, peer_world
FROM comm_row;

------------------------------------------------------------------------------------------------
-- Operations: each send and each receive. layouts.def has the bits of the packed columns.
--
--   code        call, kind, mode, form, protocol, cause, wait, tier and flags (OP_*)
--   comm        communicator and thread
--   done        NULL: complete when the post call returned; 0: pending;
--               else completing call and its callsite
--   gap         from the post's return to the completing call's entry (done > 0)
--   complete    time inside the completing call (done > 0)
--   blocked     NULL: all of the completing call; else this op's share
--   poll        NULL: 0

CREATE TABLE op_row (
	id INTEGER PRIMARY KEY,		-- (rank << 40) + op_id
	code INTEGER,
	post INTEGER,			-- entry of the post call
	span INTEGER,			-- time inside the post call; NULL: it has not returned
	bytes INTEGER,
	peer INTEGER,
	tag INTEGER,
	comm INTEGER,
	callsite INTEGER,
	predicted INTEGER,		-- NULL: no parameters
	done INTEGER,
	gap INTEGER,
	complete INTEGER,
	blocked INTEGER,
	poll INTEGER
);

-- The ids of pending rows of op_row and coll_row.
CREATE TABLE pending_op_row (id INTEGER PRIMARY KEY);
CREATE TABLE pending_coll_row (id INTEGER PRIMARY KEY);

-- asked_peer and asked_tag are NULL for MPI_ANY_SOURCE and MPI_ANY_TAG; asked_peer is also NULL for MPI_PROC_NULL.
CREATE VIEW op AS
SELECT
	rank,
	op_id,
	thread,
	kind,
	mode,
	call,
	peer,
	CASE WHEN any_source THEN NULL ELSE peer END AS asked_peer,
	tag,
	CASE WHEN any_tag THEN NULL ELSE tag END AS asked_tag,
	comm,
	bytes,
	CASE WHEN other_world THEN (SELECT c.peer_world FROM comm_row c
		WHERE c.rank = o.rank AND c.comm = o.comm) END AS peer_world,
	protocol,
	post + shift AS post_enter_ns,
	post + shift + span AS post_leave_ns,
	iif(done IS NULL, call, done_call) AS complete_call,
	post + shift + CASE WHEN done IS NULL THEN 0 WHEN done THEN span + gap END
		AS complete_enter_ns,
	post + shift + CASE WHEN done IS NULL THEN span WHEN done THEN span + gap + complete END
		AS complete_leave_ns,
	CASE WHEN done = 0 THEN NULL ELSE coalesce(blocked, complete, span) END AS blocked_ns,
	predicted AS predicted_ns,
	CASE WHEN done = 0 THEN NULL ELSE coalesce(blocked, complete, span) - predicted
		END AS excess_ns,
	CASE WHEN done = 0 OR predicted IS NULL THEN NULL
		WHEN waited THEN coalesce(blocked, complete, span) - predicted
		ELSE 0 END AS wait_ns,
	cause AS cause_hint,
	coalesce(poll, 0) AS poll_ns,
	callsite,
	CASE WHEN done IS NULL THEN callsite WHEN done THEN done_callsite END AS complete_callsite,
	nullif(substr(
		CASE WHEN any_source THEN ',any_source' ELSE '' END ||
		CASE WHEN any_tag THEN ',any_tag' ELSE '' END ||
		CASE WHEN proc_null THEN ',proc_null' ELSE '' END ||
		CASE WHEN cancelled THEN ',cancelled' ELSE '' END ||
		CASE WHEN failed THEN ',failed' ELSE '' END ||
		CASE WHEN first THEN ',first' ELSE '' END ||
		CASE WHEN strided THEN ',strided' ELSE '' END ||
		CASE WHEN no_prediction THEN ',no_prediction' ELSE '' END ||
		CASE WHEN at_post THEN ',at_post' ELSE '' END ||
		CASE WHEN freed THEN ',freed' ELSE '' END ||
		CASE WHEN mprobe THEN ',mprobe' ELSE '' END ||
		CASE WHEN probed THEN ',probed' ELSE '' END ||
		CASE WHEN other_world THEN ',other_world' ELSE '' END ||
		CASE WHEN sendrecv THEN ',sendrecv' ELSE '' END, 2), '') AS flags,
	form,
	tier,
	id AS op_key
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (post - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= post
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM op_row_fields r) o;

-- Operations that waited, with the line of the program that posted them.
CREATE VIEW waits AS
SELECT o.*, f.function, f.file, f.line
FROM op o LEFT JOIN site_row s0 ON s0.rank = o.rank AND s0.callsite = o.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, o.rank)
	AND f.callsite = coalesce(s0.first_callsite, o.callsite) AND f.frame = 0
WHERE o.wait_ns > 0;

------------------------------------------------------------------------------------------------
-- Collectives. Calls that make a communicator are included if all members of the parent call them. comm, done, gap,
-- complete, blocked: as in op_row.

CREATE TABLE coll_row (
	id INTEGER PRIMARY KEY,		-- (rank << 40) + n
	code INTEGER,
	seq INTEGER,			-- number on its communicator, equal on all members
	comm INTEGER,
	root INTEGER,
	sent_bytes INTEGER,
	recv_bytes INTEGER,
	post INTEGER,
	span INTEGER,
	callsite INTEGER,
	done INTEGER,
	gap INTEGER,
	complete INTEGER,
	blocked INTEGER
);

CREATE VIEW collective AS
SELECT
	rank,
	seq,
	thread,
	call,
	comm,
	root, sent_bytes, recv_bytes,
	post + shift AS enter_ns,
	post + shift + span AS leave_ns,
	post + shift + CASE WHEN done IS NULL THEN 0 WHEN done THEN span + gap END
		AS complete_enter_ns,
	post + shift + CASE WHEN done IS NULL THEN span WHEN done THEN span + gap + complete END
		AS complete_leave_ns,
	CASE WHEN done = 0 THEN NULL ELSE coalesce(blocked, complete, span) END AS blocked_ns,
	callsite,
	CASE WHEN done IS NULL THEN callsite WHEN done THEN done_callsite END AS complete_callsite
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (post - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= post
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM coll_row_fields r) o;

-- Each MPI call that posted or completed an op, and each collective, in common time. An op that one call posted and
-- another completed is in both. A call that completed several ops has one row, with peer and bytes NULL. ops: how many
-- it posted or completed. A call's ops have equal uncorrected times; corrected by their posts, the times would differ.
CREATE VIEW calls AS
SELECT c.rank, c.thread, c.call, c.enter + c.shift AS enter_ns, c.leave + c.shift AS leave_ns,
	iif(c.ops = 1, c.peer, NULL) AS peer, iif(c.ops = 1, c.bytes, NULL) AS bytes, c.ops, c.blocked_ns, c.callsite,
	f.function, f.file, f.line
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = g.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift
	FROM (
		SELECT rank, thread, call, enter, max(leave) AS leave, max(peer) AS peer, max(bytes) AS bytes,
			count(*) AS ops, sum(blocked_ns) AS blocked_ns, callsite
		FROM (
			SELECT rank, thread, call, post AS enter, post + span AS leave, peer, bytes,
				iif(done IS NULL, coalesce(blocked, complete, span), NULL) AS blocked_ns, callsite
			FROM op_row_fields
			UNION ALL
			SELECT rank, thread, done_call, post + span + gap, post + span + gap + complete, peer, bytes,
				coalesce(blocked, complete, span), done_callsite
			FROM op_row_fields
			WHERE done > 0
			UNION ALL
			SELECT rank, thread, call, post, post + span, NULL, sent_bytes,
				iif(done IS NULL, coalesce(blocked, complete, span), NULL), callsite
			FROM coll_row_fields
		)
		GROUP BY rank, thread, enter, callsite
	) g
) c LEFT JOIN site_row s0 ON s0.rank = c.rank AND s0.callsite = c.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, c.rank)
	AND f.callsite = coalesce(s0.first_callsite, c.callsite) AND f.frame = 0;

------------------------------------------------------------------------------------------------
-- The call each thread was in when it was last seen. A column is NULL if its value was unknown before the call, or if
-- the call is no operation. A rank that ended well has no row.

CREATE TABLE in_call_row (
	id INTEGER PRIMARY KEY,		-- (rank << 40) + thread
	call INTEGER,
	callsite INTEGER,
	enter INTEGER,
	op INTEGER,			-- op_row.id of the operation in flight in it
	peer INTEGER,
	tag INTEGER,
	comm INTEGER,
	bytes INTEGER,
	seq INTEGER,			-- of the collective
	not_there INTEGER		-- rank that it names and comm does not have; -1: one below 0
);

CREATE VIEW in_call AS
SELECT t.rank, thread, call,
	op_id, peer, tag, comm, bytes, seq, not_there,
	enter + coalesce((SELECT c.offset + CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = t.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS enter_ns,
	(SELECT max(value) FROM run r WHERE r.rank = t.rank
		AND r.key IN ('end_ns', 'found_dead_ns')) - enter AS age_ns,
	t.callsite, f.function, f.file, f.line
FROM in_call_row_fields t LEFT JOIN site_row s0 ON s0.rank = t.rank AND s0.callsite = t.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, t.rank)
	AND f.callsite = coalesce(s0.first_callsite, t.callsite) AND f.frame = 0;

-- Operations that were posted and had not completed at the end. age_ns ends at the last thing that is known of the
-- rank, or when its process was found to be gone (found_dead_ns in table run); the process may have gone long before.
-- op_id of a collective is its seq. Kinds 'rma' and 'io' are transfers under a request. Kind 'call' is a call without
-- an operation (a Wait, ...) that had not returned; peer and tag of a blocking probe are those that it waits for.
-- cancelled: a receive that MPI_Cancel was called for.

CREATE VIEW pending AS
WITH everything AS (
	SELECT o.rank, op_id, call, protocol, cancelled, post, span, bytes, peer, tag, comm, thread,
		callsite, kind
	FROM pending_op_row p CROSS JOIN op_row_fields o ON o.id = p.id WHERE o.done = 0
	UNION ALL
	SELECT o.rank, seq, call, NULL, 0, post, span, sent_bytes, root, NULL, comm, thread, callsite,
		'collective'
	FROM pending_coll_row p CROSS JOIN coll_row_fields o ON o.id = p.id WHERE o.done = 0
	UNION ALL
	SELECT o.rank, NULL, call, NULL, 0, enter, span, bytes, peer, NULL, NULL, thread, callsite, 'rma'
	FROM pending_rma_row p CROSS JOIN rma_row_fields o ON o.id = p.id WHERE o.done = 0
	UNION ALL
	SELECT o.rank, NULL, call, NULL, 0, enter, span, bytes, NULL, NULL, NULL, thread, callsite, 'io'
	FROM pending_io_row p CROSS JOIN io_row_fields o ON o.id = p.id WHERE o.done = 0
	UNION ALL
	SELECT rank, seq, call, NULL, 0, enter, NULL, bytes, peer, tag, comm, thread, callsite,
		iif(seq IS NULL, 'call', 'collective')
	FROM in_call_row_fields WHERE op IS NULL
)
SELECT
	e.rank, op_id, kind, call,
	peer, tag, nullif(comm, 0) AS comm, bytes, thread, protocol,
	post + coalesce((SELECT c.offset + CAST(1.0 * c.change * (post - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = e.rank AND c.from_ns <= post
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS post_enter_ns,
	(SELECT max(value) FROM run r WHERE r.rank = e.rank
		AND r.key IN ('end_ns', 'found_dead_ns')) - post AS age_ns,
	span IS NULL AS in_call,
	e.callsite, f.function, f.file, f.line, cancelled
FROM everything e LEFT JOIN site_row s0 ON s0.rank = e.rank AND s0.callsite = e.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, e.rank)
	AND f.callsite = coalesce(s0.first_callsite, e.callsite) AND f.frame = 0;

------------------------------------------------------------------------------------------------
-- Intervals inside MPI calls that make progress, one-sided and file operations, phases, clocks.

CREATE TABLE busy_row (id INTEGER PRIMARY KEY, enter INTEGER, span INTEGER, thread INTEGER);

CREATE VIEW busy AS
SELECT rank, thread, enter + shift AS enter_ns, enter + shift + span AS leave_ns
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM busy_row_fields r);

-- seq: number of a collective call on the window or file, equal on all members; NULL: not collective.
-- done, gap, complete, blocked: as in op_row.
CREATE TABLE rma_row (
	id INTEGER PRIMARY KEY, call INTEGER, object INTEGER, peer INTEGER, bytes INTEGER,
	enter INTEGER, span INTEGER, thread INTEGER, callsite INTEGER, seq INTEGER,
	done INTEGER, gap INTEGER, complete INTEGER, blocked INTEGER
);

CREATE TABLE io_row (
	id INTEGER PRIMARY KEY, call INTEGER, object INTEGER, peer INTEGER, bytes INTEGER,
	enter INTEGER, span INTEGER, thread INTEGER, callsite INTEGER, seq INTEGER,
	done INTEGER, gap INTEGER, complete INTEGER, blocked INTEGER
);

-- The ids of pending rows.
CREATE TABLE pending_rma_row (id INTEGER PRIMARY KEY);
CREATE TABLE pending_io_row (id INTEGER PRIMARY KEY);

-- Windows and opened files, as each rank numbers them. uid is the same on all members.
CREATE TABLE rma_window (
	rank INTEGER NOT NULL,
	window INTEGER NOT NULL,
	uid INTEGER,
	comm INTEGER,
	maker TEXT,
	bytes INTEGER,
	disp_unit INTEGER,
	name TEXT,
	PRIMARY KEY (rank, window)
) WITHOUT ROWID;

CREATE TABLE io_file (
	rank INTEGER NOT NULL,
	file INTEGER NOT NULL,
	uid INTEGER,
	comm INTEGER,
	amode INTEGER,
	name TEXT,
	PRIMARY KEY (rank, file)
) WITHOUT ROWID;

-- One-sided operations and the calls that synchronise them. blocked_ns: time in the call. An operation with a request
-- (MPI_Rput, ...) has its share of the completion call instead.
CREATE VIEW rma AS
SELECT rank, rma_id, thread, call,
	nullif(object, 0) AS window, seq, peer, bytes, enter + shift AS enter_ns,
	enter + shift + span AS leave_ns,
	iif(done IS NULL, call, done_call) AS complete_call,
	enter + shift + CASE WHEN done IS NULL THEN 0 WHEN done THEN span + gap END
		AS complete_enter_ns,
	enter + shift + CASE WHEN done IS NULL THEN span WHEN done THEN span + gap + complete END
		AS complete_leave_ns,
	CASE WHEN done = 0 THEN NULL ELSE coalesce(blocked, complete, span) END AS blocked_ns,
	callsite, CASE WHEN done IS NULL THEN callsite WHEN done THEN done_callsite END AS complete_callsite
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM rma_row_fields r) t;

-- File operations. bytes: what was read or written; of a split collective, at its end.
CREATE VIEW io AS
SELECT rank, io_id, thread, call,
	nullif(object, 0) AS file, seq, bytes, enter + shift AS enter_ns,
	enter + shift + span AS leave_ns,
	iif(done IS NULL, call, done_call) AS complete_call,
	enter + shift + CASE WHEN done IS NULL THEN 0 WHEN done THEN span + gap END
		AS complete_enter_ns,
	enter + shift + CASE WHEN done IS NULL THEN span WHEN done THEN span + gap + complete END
		AS complete_leave_ns,
	CASE WHEN done = 0 THEN NULL ELSE coalesce(blocked, complete, span) END AS blocked_ns,
	callsite, CASE WHEN done IS NULL THEN callsite WHEN done THEN done_callsite END AS complete_callsite
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM io_row_fields r) t;

-- Where one-sided communication spends its time: fences, locks, completes and waits block until
-- others come; the rest is the transfer itself.
CREATE VIEW rma_by_callsite AS
SELECT t.rank, t.callsite, call,
	nullif(t.object, 0) AS window, f.function, f.file, f.line,
	count(*) AS count, sum(bytes) AS bytes, sum(coalesce(blocked, complete, span)) AS blocked_ns,
	max(coalesce(blocked, complete, span)) AS max_blocked_ns
FROM rma_row_fields t LEFT JOIN site_row s0 ON s0.rank = t.rank AND s0.callsite = t.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, t.rank)
	AND f.callsite = coalesce(s0.first_callsite, t.callsite) AND f.frame = 0
GROUP BY t.rank, t.callsite, t.call_id, t.object;

CREATE VIEW io_by_file AS
SELECT t.rank, nullif(t.object, 0) AS file, o.name, call,
	count(*) AS count, sum(t.bytes) AS bytes, sum(coalesce(blocked, complete, span)) AS blocked_ns,
	max(coalesce(blocked, complete, span)) AS max_blocked_ns
FROM io_row_fields t LEFT JOIN io_file o ON o.rank = t.rank AND o.file = t.object
GROUP BY t.rank, t.object, t.call_id;

-- Phases that the program marked by tryst_phase_begin() of tryst.h, or by MPI_Pcontrol(level) (level > 2 begins, -level
-- ends). leave_ns NULL: the phase did not end. Level 0 lies between MPI_Pcontrol(0) and (1): nothing was recorded then.
CREATE VIEW phase AS
SELECT rank, seq, thread, name, level, enter + shift AS enter_ns, leave + shift AS leave_ns
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = p.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM phase_row p);

CREATE TABLE phase_row (
	rank INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	name TEXT,
	level INTEGER,
	enter INTEGER NOT NULL,
	leave INTEGER,
	PRIMARY KEY (rank, seq)
) WITHOUT ROWID;

CREATE TABLE phase_cell (
	rank INTEGER NOT NULL,
	name TEXT NOT NULL,		-- '': in no phase
	kind INTEGER NOT NULL,		-- 1 send, 2 recv, 3 collective, 4 rma, 5 io
	count INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	blocked_ns INTEGER NOT NULL,
	wait_ns INTEGER,		-- NULL: nothing of it was predicted
	max_wait_ns INTEGER,
	PRIMARY KEY (rank, name, kind)
) WITHOUT ROWID;

-- Operations that completed in each phase; of nested phases, the innermost one counts them. phase NULL: outside all
-- phases. Operations without a row are missing. wait_ns NULL: unknown for this kind, or nothing was predicted.
CREATE VIEW wait_by_phase AS
SELECT rank, nullif(name, '') AS phase, kind, count, bytes, blocked_ns, wait_ns, max_wait_ns
FROM phase_cell_fields;

-- How long phases took; those that did not end are left out.
CREATE VIEW phase_profile AS
SELECT rank, thread, name AS phase, count(*) AS count, sum(leave_ns - enter_ns) AS time_ns,
	max(leave_ns - enter_ns) AS max_ns
FROM phase WHERE leave_ns IS NOT NULL GROUP BY rank, thread, name;

-- A rank's clock compared with that of `reference`: at at_ns the reference showed at_ns + offset_ns, within error_ns. A
-- rank's file has the measured offsets, from one rank of each host. run.db has the offsets of all ranks to the lowest
-- one. Between two rows, offset and error are interpolated. error_ns NULL: unknown.
CREATE TABLE clock (
	rank INTEGER NOT NULL,
	at_ns INTEGER NOT NULL,
	offset_ns INTEGER NOT NULL,
	error_ns INTEGER,
	reference INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (rank, at_ns)
) WITHOUT ROWID;

-- Offsets of clocks, for the views: from from_ns on, a time t of the rank is offset + change * (t - at) / span later on
-- the common clock. Only run.db has rows here. Stored rows keep the rank's own times. Views show common times; only
-- run.end_ns is the rank's own.
CREATE TABLE clock_cell (
	rank INTEGER NOT NULL,
	from_ns INTEGER NOT NULL,
	at INTEGER NOT NULL,
	offset INTEGER NOT NULL,
	change INTEGER NOT NULL,
	span INTEGER NOT NULL,
	PRIMARY KEY (rank, from_ns)
) WITHOUT ROWID;

-- Waits in fences and other collective calls on windows, until the last member came. Only run.db has them, because they
-- need the times of all members on one clock.
CREATE VIEW rma_wait AS
SELECT r.rank, rma_id, call, window, seq, members, max(min(last_ns, leave_ns) - enter_ns, 0) AS wait_ns,
	late_rank, r.callsite, f.function, f.file, f.line
FROM (
	SELECT rma.*, max(enter_ns) OVER same AS last_ns, count(*) OVER same AS members,
		first_value(rma.rank) OVER (same ORDER BY enter_ns DESC) AS late_rank
	FROM rma JOIN rma_window w USING (rank, window)
	WHERE rma.seq IS NOT NULL AND (rma.rank = (SELECT min(rank) FROM run)
		OR EXISTS (SELECT 1 FROM clock_cell c WHERE c.rank = rma.rank))
	WINDOW same AS (PARTITION BY w.uid, rma.seq)
) r
LEFT JOIN site_row s0 ON s0.rank = r.rank AND s0.callsite = r.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, r.rank)
	AND f.callsite = coalesce(s0.first_callsite, r.callsite) AND f.frame = 0
WHERE members > 1;

------------------------------------------------------------------------------------------------
-- Profiles; complete even if rows were dropped. call_profile has each call once: its sum is the time in MPI.

CREATE TABLE call_cell (
	rank INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	call INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	count INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	time_ns INTEGER NOT NULL,
	max_ns INTEGER NOT NULL,
	tool_ns INTEGER NOT NULL,
	errors INTEGER NOT NULL,
	PRIMARY KEY (rank, thread, call, callsite)
) WITHOUT ROWID;

CREATE VIEW call_profile AS
SELECT rank, thread, call, callsite, count, bytes, time_ns, max_ns, tool_ns, errors
FROM call_cell_fields;

-- Each thread's time from the end of MPI_Init to MPI_Finalize: in MPI, in tryst, and outside of both. For threads other
-- than the first, time before their beginning and after their end counts as outside.
CREATE VIEW thread_time AS
SELECT c.rank, thread, wall_ns, mpi_ns, tool_ns, wall_ns - mpi_ns - tool_ns AS outside_ns
FROM (
	SELECT rank, thread, coalesce(sum(time_ns) FILTER (WHERE NOT around), 0) AS mpi_ns,
		coalesce(sum(tool_ns) FILTER (WHERE NOT around), 0) AS tool_ns
	FROM call_cell_fields
	GROUP BY rank, thread
) c JOIN (SELECT rank, CAST(value AS INTEGER) AS wall_ns FROM run WHERE key = 'end_ns') r
	ON r.rank = c.rank;

-- code: less than that of op_row.
CREATE TABLE wait_cell (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	code INTEGER NOT NULL,
	peer INTEGER NOT NULL,		-- -1: none
	comm INTEGER NOT NULL,
	bytes_log2 INTEGER NOT NULL,	-- n: 2^(n-1) <= bytes < 2^n; 0: empty
	count INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	blocked_ns INTEGER NOT NULL,
	predicted_ns INTEGER NOT NULL,
	excess_ns INTEGER NOT NULL,
	wait_ns INTEGER NOT NULL,
	max_wait_ns INTEGER NOT NULL,
	PRIMARY KEY (rank, callsite, code, peer, comm, bytes_log2)
) WITHOUT ROWID;

CREATE VIEW wait_profile AS
SELECT
	w.rank,
	kind,
	call,
	w.callsite,
	nullif(w.peer, -1) AS peer,
	CASE WHEN other_world THEN (SELECT c.peer_world FROM comm_row c
		WHERE c.rank = w.rank AND c.comm = w.comm) END AS peer_world,
	w.comm,
	protocol,
	bytes_log2,
	cause AS cause_hint,
	count, bytes, blocked_ns, iif(no_prediction, NULL, predicted_ns) AS predicted_ns,
	iif(no_prediction, NULL, excess_ns) AS excess_ns, iif(no_prediction, NULL, wait_ns) AS wait_ns,
	iif(no_prediction, NULL, max_wait_ns) AS max_wait_ns
FROM wait_cell_fields w;

-- Sums of the profile; messages to MPI_PROC_NULL are left out.

CREATE VIEW wait_by_protocol AS
SELECT rank, kind, protocol, sum(count) AS count, sum(bytes) AS bytes,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns,
	sum(excess_ns) AS excess_ns, sum(wait_ns) AS wait_ns, max(max_wait_ns) AS max_wait_ns
FROM wait_profile WHERE peer IS NOT NULL
GROUP BY rank, kind, protocol;

CREATE VIEW wait_by_cause AS
SELECT rank, cause_hint, sum(count) AS count, sum(bytes) AS bytes,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns,
	sum(excess_ns) AS excess_ns, sum(wait_ns) AS wait_ns, max(max_wait_ns) AS max_wait_ns
FROM wait_profile WHERE peer IS NOT NULL
GROUP BY rank, cause_hint;

CREATE VIEW wait_by_callsite AS
SELECT w.rank, w.callsite, call, kind, f.function, f.file, f.line, sum(count) AS count,
	sum(bytes) AS bytes, sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns,
	sum(excess_ns) AS excess_ns, sum(wait_ns) AS wait_ns, max(max_wait_ns) AS max_wait_ns
FROM wait_profile w LEFT JOIN site_row s0 ON s0.rank = w.rank AND s0.callsite = w.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, w.rank)
	AND f.callsite = coalesce(s0.first_callsite, w.callsite) AND f.frame = 0
WHERE peer IS NOT NULL
GROUP BY w.rank, w.callsite, call, kind;

CREATE VIEW wait_by_peer AS
SELECT rank, kind, peer, peer_world, sum(count) AS count, sum(bytes) AS bytes,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns,
	sum(excess_ns) AS excess_ns, sum(wait_ns) AS wait_ns, max(max_wait_ns) AS max_wait_ns
FROM wait_profile WHERE peer IS NOT NULL
GROUP BY rank, kind, peer, peer_world;

-- Messages and bytes between two ranks (sent_*: from rank to peer; recv_*: from peer to rank).
CREATE VIEW comm_matrix AS
SELECT rank, peer, peer_world,
	sum(CASE kind WHEN 'send' THEN count ELSE 0 END) AS sent_count,
	sum(CASE kind WHEN 'send' THEN bytes ELSE 0 END) AS sent_bytes,
	sum(CASE kind WHEN 'recv' THEN count ELSE 0 END) AS recv_count,
	sum(CASE kind WHEN 'recv' THEN bytes ELSE 0 END) AS recv_bytes,
	sum(wait_ns) AS wait_ns
FROM wait_profile WHERE peer IS NOT NULL
GROUP BY rank, peer, peer_world;

-- Live predictions compared with measured times of sends that the library completes by itself (up to S_p, and
-- buffered ones). Only full eager buffers can make these sends wait. error_ns is their excess. on_cpu_*: the
-- same without sends that lost their CPU. tryst analyze finds these sends; in a rank's file none is found.
CREATE VIEW model_error AS
SELECT e.rank, kind, call, protocol, e.bytes_log2, e.count, e.predicted_ns, blocked_ns, error_ns,
	100.0 * error_ns / nullif(e.predicted_ns, 0) AS error_percent,
	e.count - coalesce(l.count, 0) AS on_cpu_count,
	error_ns - coalesce(l.excess_ns, 0) AS on_cpu_error_ns,
	100.0 * (error_ns - coalesce(l.excess_ns, 0)) /
		nullif(e.predicted_ns - coalesce(l.predicted_ns, 0), 0) AS on_cpu_error_percent
FROM (
	SELECT rank, kind, call, call_id, protocol, protocol_id, bytes_log2, sum(count) AS count,
		sum(predicted_ns) AS predicted_ns, sum(blocked_ns) AS blocked_ns,
		sum(excess_ns) AS error_ns
	FROM wait_cell_fields w
	WHERE is_send AND (cause = 'flow_control' OR mode = 'buffered')
		AND NOT proc_null
		AND NOT first
		AND NOT no_prediction
	GROUP BY rank, call_id, protocol_id, bytes_log2
) e LEFT JOIN (
	SELECT rank, call_id, protocol_id, bytes_log2, sum(count) AS count,
		sum(predicted_ns) AS predicted_ns, sum(excess_ns) AS excess_ns
	FROM model_lost_cell_fields GROUP BY rank, call_id, protocol_id, bytes_log2
) l ON l.rank = e.rank AND l.call_id = e.call_id AND l.protocol_id = e.protocol_id
	AND l.bytes_log2 = e.bytes_log2;

-- Callsite and peer by the wait lost to rendezvous. min_bytes and max_bytes bound the sizes (powers
-- of two). remedy is what this side alone can know: 'raise S' or 'unknown'. Raising S from eager_max_bytes to max_bytes
-- helps a send that waits for its receiver under three conditions: the receiver is inside MPI, S_p = S, so that S_p
-- rises with S, and the message is small enough to be buffered at the receiver (256 KiB). In all other cases, and if S
-- depends on the kind of the receiver's host, the remedy needs both sides. Unconfirmed limits give no remedy.
CREATE VIEW rendezvous_bottlenecks AS
SELECT b.rank, b.callsite, call, kind, cause_hint, f.function, f.file, f.line, b.peer, peer_world,
	count, bytes, min_bytes, max_bytes, blocked_ns, wait_ns, max_wait_ns,
	iif(is_send AND mode <> 'synchronous' AND max_bytes < 262144 AND l.eager_max_bytes > 0
		AND NOT l.unconfirmed AND l.local_max_bytes = l.eager_max_bytes
		AND max_bytes > l.eager_max_bytes, 'raise S', 'unknown') AS remedy,
	l.eager_max_bytes, l.unconfirmed
FROM (
	SELECT rank, callsite, mode, call, kind, is_send, cause AS cause_hint, peer,
		CASE WHEN other_world THEN (SELECT c.peer_world FROM comm_row c
			WHERE c.rank = w.rank AND c.comm = w.comm) END AS peer_world,
		sum(count) AS count, sum(bytes) AS bytes,
		min(min_bytes) AS min_bytes, max(most_bytes) AS max_bytes,
		sum(blocked_ns) AS blocked_ns, sum(wait_ns) AS wait_ns,
		max(max_wait_ns) AS max_wait_ns
	FROM wait_cell_fields w
	WHERE is_rendezvous AND wait_ns > 0 AND peer >= 0
	GROUP BY rank, callsite, call_id, kind_id, mode_id, form_id, protocol_id, cause_id, peer, other_world,
		CASE WHEN other_world THEN comm END
) b
LEFT JOIN site_row s0 ON s0.rank = b.rank AND s0.callsite = b.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, b.rank)
	AND f.callsite = coalesce(s0.first_callsite, b.callsite) AND f.frame = 0
LEFT JOIN peer_row p ON p.rank = b.rank AND p.peer = b.peer AND b.peer_world IS NULL
LEFT JOIN (
	SELECT link.rank, t.id AS tier,
		iif(count(DISTINCT eager_max_bytes) = 1 AND count(eager_max_bytes) = count(*),
			max(eager_max_bytes), NULL) AS eager_max_bytes,
		iif(count(DISTINCT local_max_bytes) = 1 AND count(local_max_bytes) = count(*),
			max(local_max_bytes), NULL) AS local_max_bytes,
		max(coalesce(source, '') LIKE '%unconfirmed%') AS unconfirmed
	FROM link JOIN tier_name t ON t.name = link.tier GROUP BY 1, 2
) l ON l.rank = b.rank AND l.tier = p.tier
ORDER BY wait_ns DESC;

------------------------------------------------------------------------------------------------
-- Time outside of calls, from the kernel's samples (key sample_period_ns of run). callsite: of the call that a thread
-- enters next; after: of the call that it left before, 0: MPI_Init. thread below 0: a thread that never called MPI; its
-- callsites are 0.

-- place: of the instruction, among the callsites.
CREATE TABLE sample_cell (
	rank INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	after INTEGER NOT NULL,
	place INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (rank, thread, callsite, after, place)
) WITHOUT ROWID;

CREATE TABLE off_cpu_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO off_cpu_name VALUES (1, 'preempted'), (2, 'gave_up'), (3, 'polling');

-- Times without a CPU of 20 us and more. what: number in off_cpu_name. polling: in the call at callsite.
CREATE TABLE off_cpu_row (
	id INTEGER PRIMARY KEY, enter INTEGER, span INTEGER, thread INTEGER, what INTEGER, callsite INTEGER,
	after INTEGER
);

-- Sums of times without a CPU that have no row, because there are too many.
CREATE TABLE off_cpu_cell (
	rank INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	what INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	after INTEGER NOT NULL,
	count INTEGER NOT NULL,
	ns INTEGER NOT NULL,
	max_ns INTEGER NOT NULL,
	PRIMARY KEY (rank, thread, what, callsite, after)
) WITHOUT ROWID;

CREATE VIEW computation AS
SELECT s.rank, s.thread, nullif(s.callsite, 0) AS callsite, nullif(after, 0) AS after_callsite,
	f.function, f.file, f.line, m.path AS module, sum(count) AS samples,
	sum(count) * (SELECT value FROM run r WHERE r.rank = s.rank AND r.key = 'sample_period_ns')
		AS cpu_ns
FROM sample_cell s LEFT JOIN site_row s0 ON s0.rank = s.rank AND s0.callsite = s.place
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, s.rank)
	AND f.callsite = coalesce(s0.first_callsite, s.place) AND f.frame = 0
LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module
GROUP BY s.rank, s.thread, s.callsite, after, f.function, f.file, f.line, m.path;

CREATE VIEW off_cpu AS
SELECT o.rank, thread, enter + shift AS enter_ns, enter + shift + span AS leave_ns, span AS off_ns,
	off_as AS what,
	nullif(o.callsite, 0) AS callsite, nullif(after, 0) AS after_callsite,
	f.function, f.file, f.line
FROM (SELECT *, coalesce((SELECT c.offset +
		CAST(1.0 * c.change * (enter - c.at) / c.span AS INTEGER)
		FROM clock_cell c WHERE c.rank = r.rank AND c.from_ns <= enter
		ORDER BY c.from_ns DESC LIMIT 1), 0) AS shift FROM off_cpu_row_fields r) o
LEFT JOIN site_row s0 ON s0.rank = o.rank AND s0.callsite = o.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, o.rank)
	AND f.callsite = coalesce(s0.first_callsite, o.callsite) AND f.frame = 0;

-- CPU time of the first thread. Samples cover only the program's own code. The rest is time in the kernel.
CREATE VIEW cpu_time AS
SELECT rank, cpu_ns, outside_ns, inside_ns, iif(lost, NULL, max(cpu_ns - outside_ns - inside_ns, 0)) AS kernel_ns
FROM (
	SELECT c.rank, c.value AS cpu_ns,
		p.value * coalesce((SELECT sum(count) FROM sample_cell s WHERE s.rank = c.rank AND s.thread = 0), 0)
			AS outside_ns,
		p.value * coalesce((SELECT value FROM run i WHERE i.rank = c.rank AND i.key = 'samples_in_calls'), 0)
			AS inside_ns,
		EXISTS (SELECT 1 FROM run l WHERE l.rank = c.rank AND l.value > 0
			AND l.key IN ('samples_lost_bytes', 'samples_dropped', 'unsampled_threads')) AS lost
	FROM run c JOIN run p ON p.rank = c.rank AND p.key = 'sample_period_ns'
	WHERE c.key = 'cpu_ns'
);

-- CPU loss: a thread was ready to run outside of calls, and others had the CPU. Histograms count the losses
-- that have a row, by their length and by the time since the previous loss. schedstat_ns: the kernel's sum of
-- all times in which the rank's first thread was ready to run and had no CPU, also inside calls and below 20
-- us. incomplete: 1 if records of the kernel were lost, or if threads had no samples; then losses are
-- missing.
CREATE VIEW cpu_loss AS
SELECT l.rank, (SELECT value FROM run r WHERE r.rank = l.rank AND r.key = 'host') AS host,
	sum(count) AS count, sum(ns) AS loss_ns, max(longest_ns) AS longest_ns,
	sum(below_100us) AS below_100us, sum(below_1ms) AS below_1ms, sum(below_10ms) AS below_10ms,
	sum(below_100ms) AS below_100ms, sum(longer) AS longer, sum(since_1ms) AS since_1ms,
	sum(since_10ms) AS since_10ms, sum(since_100ms) AS since_100ms, sum(since_1s) AS since_1s,
	sum(since_longer) AS since_longer,
	(SELECT CAST(value AS INTEGER) FROM run r WHERE r.rank = l.rank AND r.key = 'cpu_wait_ns')
		AS schedstat_ns,
	max(lost) AS incomplete
FROM (
	SELECT rank, count(*) AS count, sum(span) AS ns, max(span) AS longest_ns,
		sum(span < 100000) AS below_100us,
		sum(span >= 100000 AND span < 1000000) AS below_1ms,
		sum(span >= 1000000 AND span < 10000000) AS below_10ms,
		sum(span >= 10000000 AND span < 100000000) AS below_100ms,
		sum(span >= 100000000) AS longer,
		coalesce(sum(since < 1000000), 0) AS since_1ms,
		coalesce(sum(since >= 1000000 AND since < 10000000), 0) AS since_10ms,
		coalesce(sum(since >= 10000000 AND since < 100000000), 0) AS since_100ms,
		coalesce(sum(since >= 100000000 AND since < 1000000000), 0) AS since_1s,
		coalesce(sum(since >= 1000000000), 0) AS since_longer, 0 AS lost
	FROM (SELECT rank, span, enter - lag(enter + span) OVER
			(PARTITION BY rank, thread ORDER BY enter) AS since
		FROM off_cpu_row_fields WHERE off_as = 'preempted')
	GROUP BY rank
	UNION ALL
	SELECT rank, sum(count), sum(ns), max(max_ns), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	FROM off_cpu_cell_fields WHERE off_as = 'preempted' GROUP BY rank
	UNION ALL
	SELECT rank, 0, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
	FROM run WHERE key IN ('samples_lost_bytes', 'unsampled_threads', 'samples_dropped')
		AND CAST(value AS INTEGER) > 0
	GROUP BY rank
) l
GROUP BY l.rank;

------------------------------------------------------------------------------------------------
-- Both sides together: filled in run.db by `tryst analyze`, empty in the files of the ranks.
-- Times are common time: nanoseconds from the end of MPI_Init on the lowest rank, as clocks were
-- corrected.
CREATE TABLE match_row (
	id INTEGER PRIMARY KEY,
	send INTEGER,			-- op_row.id
	recv INTEGER,
	send_enter INTEGER,
	recv_enter INTEGER,		-- less send_enter
	code INTEGER,
	late INTEGER,
	progress INTEGER,
	wrong_order INTEGER,
	flow INTEGER,
	contention INTEGER,
	other INTEGER,
	unhidden INTEGER,
	no_cpu INTEGER,
	blocked_outside INTEGER
);

-- A message, with the parts of both ops' excess: late_ns to other_ns (signed) add up to it. It is the excess of
-- exact_profile, which within a node is over a prediction at the run's own pace. late_ns: the other side's post came
-- after the call in which this side blocked was entered; progress_ns: the other side was
-- outside MPI while its progress was needed; order_ns: another message was there that the same thread
-- received later, by one of its next 16 receives (receiving it first would not have ended the wait, but the
-- rank could have worked on it meanwhile); flow_ns: messages before it had not been received; contention_ns:
-- others shared its way between two nodes (by model MM); unhidden_ns (in no sum): what a transfer begun at
-- the post would have saved. no_cpu_ns: the CPU loss in these parts. In lateness, it is the loss of the late
-- side since either side was last in MPI for 20 us or more. In other_ns, it is time without a CPU inside the
-- calls: of the waiting thread from when its wait could have ended, and of the other side while the message
-- needed it. blocked_outside_ns: the part of lateness in which the other side slept or was blocked outside
-- MPI. protocol is the sender's. cause is the largest part, NULL where neither side waited; no_cpu stands for
-- the CPU loss in other_ns. Beyond 5 million messages only those that waited have a row (match_info: rows).
-- The sums below are always complete.
CREATE VIEW match AS
SELECT
	send_rank, send_op, recv_rank, recv_op,
	send_enter AS send_enter_ns, send_enter + recv_enter AS recv_enter_ns,
	protocol,
	CASE waiting WHEN 'sender' THEN send_rank WHEN 'receiver' THEN recv_rank END AS waiting_rank,
	late AS late_ns, progress AS progress_ns, wrong_order AS order_ns, flow AS flow_ns,
	contention AS contention_ns, other AS other_ns, unhidden AS unhidden_ns,
	no_cpu AS no_cpu_ns, blocked_outside AS blocked_outside_ns,
	cause,
	send AS send_key, recv AS recv_key
FROM match_row_fields m;

-- Which line waits for which: messages that waited, by the line that posted the waiting op and the line that posted
-- the other. Only messages with a row in match.
CREATE VIEW waits_between_lines AS
SELECT w.call, f.function, f.file, f.line, p.call AS peer_call, g.function AS peer_function, g.file AS peer_file,
	g.line AS peer_line, m.cause, count(*) AS waits,
	sum(m.late + m.progress + m.wrong_order + m.flow + m.contention) AS wait_ns
FROM match_row_fields m
JOIN op_row_fields w ON w.id = iif(m.waiting = 'sender', send, recv)
JOIN op_row_fields p ON p.id = iif(m.waiting = 'sender', recv, send)
LEFT JOIN site_row s0 ON s0.rank = w.rank AND s0.callsite = w.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, w.rank)
	AND f.callsite = coalesce(s0.first_callsite, w.callsite) AND f.frame = 0
LEFT JOIN site_row s1 ON s1.rank = p.rank AND s1.callsite = p.callsite
LEFT JOIN frame_row g ON g.rank = coalesce(s1.first_rank, p.rank)
	AND g.callsite = coalesce(s1.first_callsite, p.callsite) AND g.frame = 0
WHERE m.waiting IN ('sender', 'receiver')
GROUP BY w.call, f.function, f.file, f.line, p.call, g.function, g.file, g.line, m.cause
ORDER BY wait_ns DESC;

-- How many ops were matched, and how many were not, with the reason. sum(ops) is the number of op rows.
CREATE TABLE unmatched_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO unmatched_name VALUES
	(1, 'proc_null'), (2, 'cancelled'), (3, 'failed'), (4, 'freed'), (5, 'pending'),
	(6, 'other_world'), (7, 'comm_unknown'), (8, 'peer_missing'), (9, 'peer_dropped'),
	(10, 'not_received'), (11, 'not_sent');

CREATE TABLE match_summary_cell (
	rank INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	reason INTEGER NOT NULL,	-- unmatched_name.id; 0: matched
	ops INTEGER NOT NULL,
	PRIMARY KEY (rank, kind, reason)
) WITHOUT ROWID;

CREATE VIEW match_summary AS
SELECT rank, kind, reason IS NULL AS matched, reason, ops FROM match_summary_cell_fields;

-- The first thousand ops in time that have no partner and should have one: sends that nobody received, and receives
-- that completed without a send.
CREATE TABLE alone_row (id INTEGER PRIMARY KEY, reason INTEGER NOT NULL);

CREATE VIEW unmatched AS
SELECT rank, op_id, reason, id AS op_key FROM alone_row_fields;

-- How the analysis went: messages, rows, ops, unmatched, bytes_differ, order_unsure,
-- violations_before, violations (received before it was sent; before and after clocks were
-- corrected), clocks_unknown (ranks), collectives, collectives_cut, blame_waits_ns, blame_left_out
-- and blame_left_out_ns (waits that became known after later ones had been written, in no blame),
-- blame_cut (histories that were followed in part), path_ns, path_run_ns.
CREATE TABLE match_info (key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;

-- Sums over matched ops, from both sides. blocked_ns and excess_ns: the time of a call is shared
-- among the ops that it completed, by the times of both sides.
CREATE TABLE exact_cell (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	code INTEGER NOT NULL,
	peer INTEGER NOT NULL,
	comm INTEGER NOT NULL,
	bytes_log2 INTEGER NOT NULL,
	count INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	waits INTEGER NOT NULL,
	blocked_ns INTEGER NOT NULL,
	excess_ns INTEGER NOT NULL,
	late_ns INTEGER NOT NULL,
	progress_ns INTEGER NOT NULL,
	order_ns INTEGER NOT NULL,
	flow_ns INTEGER NOT NULL,
	contention_ns INTEGER NOT NULL,
	other_ns INTEGER NOT NULL,
	receives_too INTEGER NOT NULL,	-- of waits, how many were sends in a call that a receive kept as long
	live_ns INTEGER NOT NULL,	-- the waits as they were seen live
	live_blocked_ns INTEGER NOT NULL,	-- blocked_ns as it was seen live
	lateness_ns INTEGER NOT NULL DEFAULT 0,	-- of ops with a late_ns: how late the other side was (exact_profile)
	order_same_ns INTEGER NOT NULL DEFAULT 0,	-- of order_ns, where that message and this one are of the same sender
	no_cpu_ns INTEGER NOT NULL DEFAULT 0,	-- of the parts of waits, as in match
	other_no_cpu_ns INTEGER NOT NULL DEFAULT 0,	-- the part of no_cpu_ns that is in other_ns
	blocked_outside_ns INTEGER NOT NULL DEFAULT 0,	-- of late_ns and progress_ns
	max_lateness_ns INTEGER NOT NULL,
	max_bytes INTEGER NOT NULL,
	PRIMARY KEY (rank, callsite, code, peer, comm, bytes_log2)
) WITHOUT ROWID;

-- Waits of ops that a later call completed, by this call.
CREATE TABLE exact_done_cell (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	code INTEGER NOT NULL,
	done_callsite INTEGER NOT NULL,
	waits INTEGER NOT NULL,
	wait_ns INTEGER NOT NULL,
	PRIMARY KEY (rank, callsite, code, done_callsite)
) WITHOUT ROWID;

-- late_ns and the other parts are waits. The waits of one call's ops add up to the wait of the call. lateness_ns is no
-- wait: for each op with a late_ns it is the full time from the entry of the call in which the op blocked to the other
-- side's post. If one call completes ops of two late ranks, their lateness overlaps; late_ns of the later one has only
-- the last part.
CREATE VIEW exact_profile AS
SELECT rank, kind, call, callsite, peer, comm, protocol, bytes_log2, cause,
	count, bytes, waits, blocked_ns, iif(no_prediction, NULL, blocked_ns - excess_ns) AS predicted_ns,
	iif(no_prediction, NULL, excess_ns) AS excess_ns, late_ns, progress_ns, order_ns,
	flow_ns, contention_ns, iif(no_prediction, NULL, other_ns) AS other_ns, receives_too,
	lateness_ns, order_same_ns, max_lateness_ns, max_bytes, live_ns, live_blocked_ns, min_bytes,
	no_cpu_ns, other_no_cpu_ns, blocked_outside_ns
FROM exact_cell_fields c;

CREATE VIEW exact_by_callsite AS
SELECT e.rank, e.callsite, call, kind, f.function, f.file, f.line, cause, sum(count) AS count,
	sum(waits) AS waits, sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns,
	sum(excess_ns) AS excess_ns, sum(late_ns) AS late_ns,
	sum(progress_ns) AS progress_ns, sum(order_ns) AS order_ns, sum(flow_ns) AS flow_ns,
	sum(contention_ns) AS contention_ns, sum(other_ns) AS other_ns,
	sum(no_cpu_ns) AS no_cpu_ns, sum(blocked_outside_ns) AS blocked_outside_ns
FROM exact_profile e LEFT JOIN site_row s0 ON s0.rank = e.rank AND s0.callsite = e.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, e.rank)
	AND f.callsite = coalesce(s0.first_callsite, e.callsite) AND f.frame = 0
GROUP BY e.rank, e.callsite, call, kind, cause;

-- The waits of exact_profile by cause, as the report counts them. The time of a wait with several causes is split among
-- them, and the wait is counted under the largest. The rest of the excess is no_cpu or unexplained, which is signed.
CREATE VIEW exact_by_cause AS
WITH e AS (
	SELECT rank, callsite, call_id, call, kind, protocol, cause AS largest, peer, sum(waits) AS n,
		sum(bytes) AS bytes, sum(late_ns) AS late, sum(progress_ns) AS progress,
		sum(order_ns) AS wrong_order, sum(flow_ns) AS flow, sum(contention_ns) AS contention,
		sum(other_ns - other_no_cpu_ns) AS other, sum(other_no_cpu_ns) AS no_cpu,
		max(max_lateness_ns) AS longest
	FROM exact_cell_fields WHERE cause NOT NULL
	GROUP BY rank, callsite, code, peer),
part AS (
	SELECT *, iif(kind = 'send', 'late_receiver', 'late_sender') AS cause, late AS wait_ns FROM e WHERE late
	UNION ALL SELECT *, 'late_progress', progress FROM e WHERE progress
	UNION ALL SELECT *, 'wrong_order', wrong_order FROM e WHERE wrong_order
	UNION ALL SELECT *, 'flow_control', flow FROM e WHERE flow
	UNION ALL SELECT *, 'contention', contention FROM e WHERE contention
	UNION ALL SELECT *, 'no_cpu', no_cpu FROM e WHERE no_cpu AND protocol NOT NULL
	UNION ALL SELECT *, 'unexplained', other FROM e WHERE other AND protocol NOT NULL)
SELECT p.rank, p.callsite, call_id, call, kind, protocol, peer, f.function, f.file, f.line, cause,
	iif(cause = largest, n, 0) AS waits, iif(cause = largest, bytes, 0) AS bytes, wait_ns,
	iif(cause IN ('late_receiver', 'late_sender'), longest, 0) AS max_lateness_ns
FROM part p LEFT JOIN site_row s0 ON s0.rank = p.rank AND s0.callsite = p.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, p.rank)
	AND f.callsite = coalesce(s0.first_callsite, p.callsite) AND f.frame = 0;

-- rank waited in messages with peer.
CREATE VIEW exact_by_pair AS
SELECT rank, peer, kind, cause, sum(count) AS count, sum(bytes) AS bytes, sum(waits) AS waits,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns, sum(excess_ns) AS excess_ns,
	sum(late_ns) AS late_ns, sum(progress_ns) AS progress_ns,
	sum(order_ns) AS order_ns, sum(flow_ns) AS flow_ns, sum(contention_ns) AS contention_ns,
	sum(other_ns) AS other_ns, sum(no_cpu_ns) AS no_cpu_ns,
	sum(blocked_outside_ns) AS blocked_outside_ns
FROM exact_profile GROUP BY rank, peer, kind, cause;

CREATE VIEW exact_by_communicator AS
SELECT c.uid, max(c.name) AS name, kind, cause, sum(count) AS count, sum(waits) AS waits,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns, sum(excess_ns) AS excess_ns,
	sum(late_ns) AS late_ns, sum(progress_ns) AS progress_ns,
	sum(order_ns) AS order_ns, sum(flow_ns) AS flow_ns, sum(contention_ns) AS contention_ns,
	sum(other_ns) AS other_ns, sum(no_cpu_ns) AS no_cpu_ns,
	sum(blocked_outside_ns) AS blocked_outside_ns
FROM exact_profile e JOIN comm_row c ON c.rank = e.rank AND c.comm = e.comm
GROUP BY c.uid, kind, cause;

CREATE VIEW exact_by_protocol AS
SELECT protocol, kind, cause, sum(count) AS count, sum(bytes) AS bytes, sum(waits) AS waits,
	sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns, sum(excess_ns) AS excess_ns,
	sum(late_ns) AS late_ns, sum(progress_ns) AS progress_ns,
	sum(order_ns) AS order_ns, sum(flow_ns) AS flow_ns, sum(contention_ns) AS contention_ns,
	sum(other_ns) AS other_ns, sum(no_cpu_ns) AS no_cpu_ns,
	sum(blocked_outside_ns) AS blocked_outside_ns
FROM exact_profile GROUP BY protocol, kind, cause;

-- Rendezvous messages that waited, by callsite, peer and what it was. For late_receiver,
-- earlier_ns (mean) and earlier_max_ns say by how much the receive would have to be posted
-- earlier; for late_progress, for how long the peer made no call of MPI while it was needed.
CREATE VIEW rendezvous_exact AS
SELECT e.rank, e.callsite, call, kind, cause, f.function, f.file, f.line, peer,
	sum(count) AS count, sum(bytes) AS bytes, min(min_bytes) AS min_bytes,
	max(max_bytes) AS max_bytes,
	sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) AS wait_ns,
	sum(CASE cause WHEN 'late_progress' THEN progress_ns ELSE lateness_ns END) / sum(count)
		AS earlier_ns,
	max(max_lateness_ns) AS earlier_max_ns
FROM exact_profile e LEFT JOIN site_row s0 ON s0.rank = e.rank AND s0.callsite = e.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, e.rank)
	AND f.callsite = coalesce(s0.first_callsite, e.callsite) AND f.frame = 0
WHERE protocol = 'rendezvous' AND cause IS NOT NULL
GROUP BY e.rank, e.callsite, call, kind, cause, peer
ORDER BY wait_ns DESC;

-- Waits in collectives, with Scalasca's definitions. wait_at_barrier and wait_at_nxn: until the last member came; for a
-- call that makes a communicator, the last of the members that did not leave before. late_broadcast: until the root of
-- a one-to-all came. early_reduce: the root of an all-to-one, until the first other member came. early_scan: until all
-- lower ranks came. Two more states are tryst's own. late_member follows the states above. The root of an all-to-one
-- waits until the last member came. Any other member waits until the member came that held up the library's own way
-- through the members (a tree, neighbours, the handshake of a large message). Such a member is seen by its time: nobody
-- came for at least two thirds of the waiting member's time, then this member came, and was in the call at most half as
-- long, without its own waits. late_progress is for nonblocking and persistent collectives and follows all other
-- states. It lasts until a member called MPI again that had been outside MPI since its post, and covers the time in
-- which this member was outside. Of the members that came back before the call returned, the one that was outside for
-- longest counts. A member that the definitions above do not ask for is judged by the clock, as for late_member. Calls
-- that also waited for messages have no late_progress, and neither has a rank from where its rows of busy end early. A
-- wait begins at the entry of the call that blocks, or where the member's wait before it ends, and ends at its return
-- at the latest. In an intercommunicator members need those of the other side alone. no_cpu_ns,
-- blocked_outside_ns: parts of the late member's lateness, as in match.
CREATE TABLE coll_state_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO coll_state_name VALUES
	(1, 'wait_at_barrier'), (2, 'wait_at_nxn'), (3, 'late_broadcast'), (4, 'early_reduce'),
	(5, 'early_scan'), (6, 'late_member'), (7, 'late_progress');

CREATE TABLE collective_wait_row (
	id INTEGER PRIMARY KEY,
	rank INTEGER,
	seq INTEGER,
	comm INTEGER,			-- the rank's number of it
	code INTEGER,
	wait INTEGER,
	late_rank INTEGER,
	callsite INTEGER,
	done INTEGER,			-- the call in which it waited, as in op_row
	start INTEGER,			-- when the wait began, since the entry of that call
	no_cpu INTEGER,
	blocked_outside INTEGER
);

CREATE VIEW collective_wait AS
SELECT rank, seq, comm, call, state,
	wait AS wait_ns, late_rank, callsite,
	iif(done IS NULL, call, done_call) AS complete_call,
	coalesce(done_callsite, callsite) AS complete_callsite, start AS start_ns,
	no_cpu AS no_cpu_ns, blocked_outside AS blocked_outside_ns
FROM collective_wait_row_fields w;

-- When in the run a callsite's waits were, all ranks together; slot: of 128 equal parts of the run.
CREATE TABLE wait_slot_cell (
	site INTEGER NOT NULL,		-- as in view callsite
	code INTEGER NOT NULL,
	slot INTEGER NOT NULL,
	ns INTEGER NOT NULL,
	PRIMARY KEY (site, code, slot)
) WITHOUT ROWID;

CREATE VIEW collective_wait_by_callsite AS
SELECT w.rank, w.callsite, call, state, f.function, f.file, f.line, count(*) AS count,
	sum(wait_ns) AS wait_ns, max(wait_ns) AS max_wait_ns,
	sum(no_cpu_ns) AS no_cpu_ns, sum(blocked_outside_ns) AS blocked_outside_ns
FROM collective_wait w LEFT JOIN site_row s0 ON s0.rank = w.rank AND s0.callsite = w.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, w.rank)
	AND f.callsite = coalesce(s0.first_callsite, w.callsite) AND f.frame = 0
GROUP BY w.rank, w.callsite, call, state;

CREATE VIEW collective_wait_by_communicator AS
SELECT c.uid, max(c.name) AS name, call, state, count(*) AS count, sum(wait_ns) AS wait_ns,
	max(wait_ns) AS max_wait_ns,
	sum(no_cpu_ns) AS no_cpu_ns, sum(blocked_outside_ns) AS blocked_outside_ns
FROM collective_wait w JOIN comm_row c ON c.rank = w.rank AND c.comm = w.comm
GROUP BY c.uid, call, state;

-- The ranks that others waited for.
CREATE VIEW collective_wait_by_late_rank AS
SELECT late_rank, state, count(*) AS count, sum(wait_ns) AS wait_ns, sum(no_cpu_ns) AS no_cpu_ns,
	sum(blocked_outside_ns) AS blocked_outside_ns
FROM collective_wait GROUP BY late_rank, state;

-- Transfers that stood still before the completing call was entered, although both sides had posted. unhidden_ns is the
-- time that an earlier transfer would have saved. It is part of predicted time, no wait.
CREATE TABLE unhidden_cell (
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	code INTEGER NOT NULL,
	done INTEGER NOT NULL,		-- as in op_row
	peer INTEGER NOT NULL,
	bytes_log2 INTEGER NOT NULL,
	count INTEGER NOT NULL,
	unhidden_ns INTEGER NOT NULL,
	max_bytes INTEGER NOT NULL,
	PRIMARY KEY (rank, callsite, code, done, peer, bytes_log2)
) WITHOUT ROWID;

-- unhidden_cell with names and the line that posted.
CREATE VIEW unhidden AS
SELECT u.rank, u.callsite, call, kind, done_call AS complete_call, peer, bytes_log2, count, unhidden_ns, max_bytes,
	f.function, f.file, f.line
FROM unhidden_cell_fields u LEFT JOIN site_row s0 ON s0.rank = u.rank AND s0.callsite = u.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, u.rank)
	AND f.callsite = coalesce(s0.first_callsite, u.callsite) AND f.frame = 0
ORDER BY unhidden_ns DESC;

-- Live waits against exact ones, over ops that waited by either. error_class: eight an octave of
-- |live - exact|: x below 8, then 8 log2(x) + the three bits behind its first.
CREATE TABLE accuracy_cell (
	code INTEGER NOT NULL,
	bytes_log2 INTEGER NOT NULL,
	error_class INTEGER NOT NULL,
	count INTEGER NOT NULL,
	error_ns INTEGER NOT NULL,
	agreed INTEGER NOT NULL,
	PRIMARY KEY (code, bytes_log2, error_class)
) WITHOUT ROWID;

-- Sends of model_error that have a row and lost their CPU: their live prediction and excess.
CREATE TABLE model_lost_cell (
	rank INTEGER NOT NULL,
	code INTEGER NOT NULL,
	bytes_log2 INTEGER NOT NULL,
	count INTEGER NOT NULL,
	predicted_ns INTEGER NOT NULL,
	excess_ns INTEGER NOT NULL,
	PRIMARY KEY (rank, code, bytes_log2)
) WITHOUT ROWID;

-- bias_ns: mean of live - exact; median_error_ns: of |live - exact|, to 12 %; right_cause: share of waits
-- whose live hint is the exact cause, or the cause that held the op while another op of its call has the
-- time. on_cpu_*: the same without ops that have CPU loss in other_ns.
CREATE VIEW live_accuracy AS
SELECT protocol, kind, call, bytes_log2, sum(count) AS count,
	round(1.0 * sum(error_ns) / sum(count), 1) AS bias_ns,
	min(CASE WHEN so_far * 2 >= total THEN least_error_ns END) AS median_error_ns,
	round(1.0 * sum(agreed) / sum(count), 4) AS right_cause,
	coalesce(sum(count) FILTER (WHERE NOT lost_cpu), 0) AS on_cpu_count,
	round(1.0 * sum(error_ns) FILTER (WHERE NOT lost_cpu) / sum(count) FILTER (WHERE NOT lost_cpu), 1)
		AS on_cpu_bias_ns,
	min(CASE WHEN NOT lost_cpu AND on_cpu_so_far * 2 >= on_cpu_total THEN least_error_ns END)
		AS on_cpu_median_error_ns,
	round(1.0 * sum(agreed) FILTER (WHERE NOT lost_cpu) / sum(count) FILTER (WHERE NOT lost_cpu), 4)
		AS on_cpu_right_cause
FROM (
	SELECT *,
		sum(count) OVER (PARTITION BY message, bytes_log2 ORDER BY error_class) AS so_far,
		sum(count) OVER (PARTITION BY message, bytes_log2) AS total,
		sum(count) FILTER (WHERE NOT lost_cpu)
			OVER (PARTITION BY message, bytes_log2 ORDER BY error_class) AS on_cpu_so_far,
		sum(count) FILTER (WHERE NOT lost_cpu)
			OVER (PARTITION BY message, bytes_log2) AS on_cpu_total
	FROM accuracy_cell_fields
) c
GROUP BY message, bytes_log2;

-- Activities of late ranks. Two ranks are compared since they were last in step: the cost of a wait goes to the
-- activities that took the late rank longer than the waiting one. If the late rank was waiting itself, this part goes
-- on to the rank that it waited for. what: 0 the call at `callsite`, or polling that it ended. All others lie between
-- the call at `after` and the call at `callsite`: 1 computation, 2 other calls of MPI (table busy has them, no row
-- names them), 3 either of these, because rows of that time were not kept, 4 MPI_Init, which others had left.
CREATE TABLE blame_cell (
	rank INTEGER NOT NULL,
	thread INTEGER NOT NULL DEFAULT 0,
	what INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	after INTEGER NOT NULL,
	direct INTEGER NOT NULL,	-- in 1/256 ns
	passed INTEGER NOT NULL,
	of1 INTEGER NOT NULL DEFAULT 0,	-- of both, what waits of bottleneck n cost: blame_of_row
	of2 INTEGER NOT NULL DEFAULT 0, of3 INTEGER NOT NULL DEFAULT 0, of4 INTEGER NOT NULL DEFAULT 0,
	of5 INTEGER NOT NULL DEFAULT 0, of6 INTEGER NOT NULL DEFAULT 0, of7 INTEGER NOT NULL DEFAULT 0,
	of8 INTEGER NOT NULL DEFAULT 0,
	no_cpu INTEGER NOT NULL DEFAULT 0,	-- parts of both
	blocked INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (rank, thread, what, callsite, after)
) WITHOUT ROWID;

-- The bottlenecks that cost most: ops posted at the line of this callsite of this rank, by the bottleneck
-- in exact_cell.code.
CREATE TABLE blame_of_row (
	n INTEGER PRIMARY KEY,
	code INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	callsite INTEGER NOT NULL
);

-- direct_ns: cost of waits for this rank; passed_ns: of waits for others, which were late because they waited
-- for this rank. The sum of both over all rows is the sum of all waits taken in (match_info: blame_waits_ns).
-- no_cpu_ns, blocked_outside_ns: parts of blame_ns. Outside of calls, the late thread was without a CPU, or
-- slept or was blocked, for so much longer than the waiting one.
CREATE VIEW blame AS
SELECT b.rank, b.thread, what, b.callsite,
	nullif(after, 0) AS after_callsite, f.function, f.file, f.line,
	(direct + 128) / 256 AS direct_ns, (passed + 128) / 256 AS passed_ns,
	(direct + passed + 128) / 256 AS blame_ns, (no_cpu + 128) / 256 AS no_cpu_ns,
	(blocked + 128) / 256 AS blocked_outside_ns
FROM blame_cell_fields b LEFT JOIN site_row s0 ON s0.rank = b.rank AND s0.callsite = b.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, b.rank)
	AND f.callsite = coalesce(s0.first_callsite, b.callsite) AND f.frame = 0
ORDER BY direct + passed DESC;

-- blame and critical_path have the times of each thread. Waits for threads of the own rank (joins, barriers of OpenMP)
-- are unknown and count as computation.
--
-- Time on the critical path, from the last end of MPI_Init to the last end of a rank. imbalance_ns:
-- its part beyond the mean of all ranks' time in the same activity. no_cpu_ns, blocked_outside_ns: the parts
-- of path_ns in which the thread was ready to run without a CPU, and in which it slept or was blocked.
CREATE TABLE critical_path_cell (
	rank INTEGER NOT NULL,
	thread INTEGER NOT NULL DEFAULT 0,
	what INTEGER NOT NULL,
	callsite INTEGER NOT NULL,
	after INTEGER NOT NULL,
	path_ns INTEGER NOT NULL,
	imbalance_ns INTEGER NOT NULL,
	no_cpu_ns INTEGER NOT NULL DEFAULT 0,	-- parts of path_ns
	blocked_ns INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (rank, thread, what, callsite, after)
) WITHOUT ROWID;

CREATE VIEW critical_path AS
SELECT p.rank, p.thread, what, p.callsite,
	nullif(after, 0) AS after_callsite, f.function, f.file, f.line, path_ns, imbalance_ns,
	round(100.0 * path_ns / (SELECT value FROM match_info WHERE key = 'path_run_ns'), 2)
		AS percent, no_cpu_ns, blocked_ns AS blocked_outside_ns
FROM critical_path_cell_fields p LEFT JOIN site_row s0 ON s0.rank = p.rank AND s0.callsite = p.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s0.first_rank, p.rank)
	AND f.callsite = coalesce(s0.first_callsite, p.callsite) AND f.frame = 0
ORDER BY path_ns DESC;
