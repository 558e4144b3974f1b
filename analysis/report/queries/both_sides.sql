-- SPDX-License-Identifier: BSD-3-Clause
-- exact_part: the rows of exact_by_cause, and the waits of ops without rows, with cause not_recorded.
-- coll_part: waits in collectives, filled by both_sides.c. done_call, done_callsite: the call in which the waits
-- were; -1: the collective itself.
CREATE TEMP TABLE not_recorded AS
SELECT rank, callsite, call, kind, peer, protocol, sum(ns) AS ns
FROM (
	SELECT rank, callsite, call_id AS call, kind, iif(other_world, -1, peer) AS peer,
		protocol, wait_ns AS ns
	FROM wait_cell_fields
	WHERE peer >= 0 AND protocol NOT NULL
	UNION ALL SELECT rank, callsite, call_id, kind, peer, own_protocol, -live_ns
	FROM exact_cell_fields
	WHERE own_protocol NOT NULL)
WHERE rank IN (SELECT rank FROM run WHERE key = 'dropped_ops' AND CAST(value AS INTEGER) > 0)
GROUP BY rank, callsite, call, kind, peer, protocol
HAVING sum(ns) > 0;

CREATE TEMP TABLE exact_part (rank INTEGER, callsite INTEGER, call INTEGER, kind TEXT,
		protocol TEXT, peer INTEGER, cause TEXT, waits INTEGER, bytes INTEGER,
		ns INTEGER, longest_ns INTEGER);

INSERT INTO exact_part
SELECT rank, callsite, call_id, kind, protocol, peer, cause, waits, bytes, wait_ns, max_lateness_ns
FROM exact_by_cause
UNION ALL SELECT rank, callsite, call, kind, protocol, peer, 'not_recorded', 0, NULL, ns, NULL
FROM not_recorded;

-- waited_sum(ns): what shares are of: the rows of causes_rows.sql, but for those below 0, which are
-- no part of what was waited.
CREATE TEMP TABLE waited_sum AS
SELECT sum(max(ns, 0)) AS ns
FROM (SELECT sum(ns) AS ns FROM exact_part GROUP BY protocol, cause);

-- Callsites of one function alone, as all are but those of function pointers
CREATE TEMP TABLE site_call (rank INTEGER, callsite INTEGER, call TEXT,
		PRIMARY KEY (rank, callsite)) WITHOUT ROWID;

INSERT INTO site_call
SELECT rank, callsite, (SELECT name FROM call_name WHERE id = c.call)
FROM (
	SELECT rank, callsite, min(call) AS call
	FROM call_cell
	GROUP BY rank, callsite
	HAVING min(call) = max(call)) c;

-- Ranks of which more than one thread calls MPI: there blame and path tell which
CREATE TEMP TABLE threaded (rank INTEGER PRIMARY KEY);

INSERT INTO threaded
SELECT rank
FROM call_cell
GROUP BY rank
HAVING min(thread) < max(thread);

CREATE TEMP TABLE coll_part (rank INTEGER, callsite INTEGER, call INTEGER, state INTEGER,
	late_rank INTEGER, done_call INTEGER, done_callsite INTEGER, count INTEGER, ns INTEGER,
	longest_ns INTEGER,
	PRIMARY KEY (rank, callsite, call, state, late_rank, done_call, done_callsite))
	WITHOUT ROWID;

DELETE FROM rank_time
WHERE part = 'waits';

INSERT INTO rank_time
SELECT rank, 'waits', max(sum(ns), 0)
FROM exact_part
GROUP BY rank;

INSERT INTO rank_time
SELECT rank, 'messages_without_rows', sum(ns)
FROM not_recorded
GROUP BY rank;

-- Live, the messages of a call had what its collectives took: shares of one call have the same
-- sum (match/settle.c)
UPDATE rank_time
SET ns = max(ns + (
		SELECT coalesce(sum(live_blocked_ns - blocked_ns), 0)
		FROM exact_cell e
		WHERE e.rank = rank_time.rank), 0)
WHERE part = 'collectives';

INSERT INTO unblocked_part
SELECT rank, 'send', own_protocol, -sum(count), -sum(blocked_ns - excess_ns),
	-sum(live_blocked_ns)
FROM exact_cell_fields
WHERE cause = 'flow_control'
GROUP BY rank, own_protocol;

-- The shares of their calls by both sides, less the waits above
UPDATE unpredicted
SET ns = max(blocked_ns + coalesce((
			SELECT sum(blocked_ns - live_blocked_ns - iif(cause NOT NULL,
						late_ns + progress_ns + order_ns + flow_ns +
						contention_ns + iif(protocol NOT NULL, other_ns, 0),
						0))
			FROM exact_cell_fields e
			WHERE e.rank = unpredicted.rank AND (no_prediction OR own_protocol IS NULL)),
			0), 0);

UPDATE unblocked_by
SET both_sides = 1;
