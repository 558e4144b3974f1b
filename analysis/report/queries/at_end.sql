-- SPDX-License-Identifier: BSD-3-Clause
-- at_end(rank, runs, calls, call, callsite): the ranks that did not reach MPI_Finalize, and in
-- how many calls each was. calls 0: it was outside MPI. Some libraries return from MPI_Abort
-- before they end the rank; the call is MPI_Abort then, too. wrong, cycle and misfit are made empty
-- here; the queries hang_* fill them, outlook.sql fills outlook. bound: has a row if records were
-- lost, and waits with them.
CREATE TEMP TABLE in_mpi AS
SELECT rank, call, kind, peer, tag, callsite
FROM pending
WHERE in_call AND call NOT IN ('MPI_Wtime', 'MPI_Wtick');

CREATE TEMP TABLE at_end (rank INTEGER PRIMARY KEY, runs INTEGER, calls INTEGER, call TEXT,
		callsite INTEGER, peer INTEGER, kind TEXT, tag INTEGER);

INSERT INTO at_end
SELECT r.rank, max(i.state = 'unfinished'), count(p.call), coalesce(a.call, min(p.call)),
	coalesce(a.callsite, p.callsite), p.peer,
	iif(p.kind = 'call' AND p.tag IS NOT NULL, 'recv', p.kind), p.tag
FROM run r
JOIN input i ON i.rank = r.rank
LEFT JOIN in_mpi p ON p.rank = r.rank
LEFT JOIN (
	SELECT rank, call, min(callsite) AS callsite
	FROM call_profile
	WHERE call = 'MPI_Abort'
	GROUP BY rank) a ON a.rank = r.rank
WHERE r.key = 'clean_finalize' AND r.value = 0
GROUP BY r.rank;

CREATE TEMP TABLE wrong (rank INTEGER, op_id INTEGER, error TEXT, sends INTEGER, not_there INTEGER,
		comm_name TEXT, comm_number INTEGER, members INTEGER, PRIMARY KEY (rank, op_id))
	WITHOUT ROWID;

CREATE TEMP TABLE cycle (nth INTEGER PRIMARY KEY, rank INTEGER, call TEXT, awaited TEXT, kind TEXT,
		peer INTEGER, tag INTEGER, seq INTEGER, comm_name TEXT, comm_number INTEGER,
		missing INTEGER, steps INTEGER, others INTEGER);

CREATE TEMP TABLE misfit (rank INTEGER, op_id INTEGER, differs TEXT, from_rank INTEGER,
		from_call TEXT, from_place TEXT, from_tag INTEGER, from_comm TEXT,
		from_bytes INTEGER, PRIMARY KEY (rank, op_id)) WITHOUT ROWID;

CREATE TEMP TABLE outlook (state TEXT, alone INTEGER, ends INTEGER, inside INTEGER, world INTEGER,
		longest_ns INTEGER, unknown INTEGER, unrecorded_pct REAL, last_ns INTEGER,
		ended_ns INTEGER, said INTEGER);

CREATE TEMP VIEW bound AS
SELECT 1 AS least
WHERE (SELECT count(*) FROM known) < (
	SELECT max(CAST(value AS INTEGER))
	FROM run
	WHERE key = 'world_size') AND EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
	OR EXISTS (
	SELECT 1
	FROM run
	WHERE CAST(value AS INTEGER) > 0
		AND key IN ('lost_bytes', 'damaged_bytes', 'missing_chunks', 'damaged_records',
			'damaged_regions', 'ring_missing', 'spool_missing'))
	OR EXISTS (SELECT 1 FROM input WHERE state = 'partial');

-- Between MPI_Pcontrol(0) and (1)
CREATE TEMP VIEW unrecorded AS
SELECT sum(CAST(u.value AS INTEGER)) AS ns,
	(SELECT sum(ns) FROM rank_time WHERE part = 'run') AS run
FROM run u
WHERE u.key = 'unrecorded_ns';
