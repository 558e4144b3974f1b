-- SPDX-License-Identifier: BSD-3-Clause
-- exact_wait: of messages, the side that waited. exact_coll_wait: in collectives. Both are empty
-- where nobody has analyzed.
CREATE TEMP TABLE exact_wait (op INTEGER PRIMARY KEY, wait INTEGER, cause INTEGER);
INSERT OR IGNORE INTO exact_wait
SELECT iif(waiting = 'sender', send, recv),
	late + progress + wrong_order + flow + contention + iif(cause IN ('unexplained', 'no_cpu'), max(other, 0), 0),
	cause_id
FROM match_row_fields
WHERE waiting NOT NULL;

CREATE TEMP TABLE exact_coll_wait (rank INTEGER, comm INTEGER, seq INTEGER, start INTEGER,
	wait INTEGER, state INTEGER, late_rank INTEGER, PRIMARY KEY (rank, comm, seq, start))
	WITHOUT ROWID;
INSERT OR IGNORE INTO exact_coll_wait
SELECT rank, comm, seq, start, wait, state_id, late_rank FROM collective_wait_row_fields;

-- An op with its wait.
CREATE TEMP VIEW export_op AS
SELECT id, post, span, call_id, callsite, code, bytes, peer, tag, comm, predicted, done, gap,
	complete, blocked, w.wait, w.cause, thread
FROM op_row_fields LEFT JOIN exact_wait w ON w.op = id;
