-- SPDX-License-Identifier: BSD-3-Clause
-- Both ops of sampled messages that are in temp.bottleneck: the one that waited and its peer.
-- The sample is 128 blocks of 64 messages, evenly spread. apart: the time from the post of a
-- send that waited to the post of its receive. until_done: the time from an op's post to the
-- entry of the call in which it blocked.
CREATE TEMP TABLE waited (op INTEGER, peer_op INTEGER, protocol TEXT, cause TEXT,
		late_ns INTEGER, apart INTEGER);

INSERT INTO waited
WITH RECURSIVE most(n) AS (SELECT coalesce(max(id), 0) FROM match_row),
	block(first) AS (
	SELECT 1
	UNION ALL SELECT first + max(64, (SELECT n FROM most) / 128)
	FROM block
	WHERE first < (SELECT n FROM most))
SELECT iif(waiting = 'sender', send, recv), iif(waiting = 'sender', recv, send), protocol, cause,
	CASE cause
	WHEN 'late_progress' THEN progress
	WHEN 'wrong_order' THEN wrong_order
	ELSE late END, iif(waiting = 'sender', recv_enter, NULL)
FROM block
CROSS JOIN match_row_fields m ON m.id BETWEEN block.first AND block.first + 64 - 1
WHERE waiting NOT NULL
	AND (is_rendezvous OR held_up OR (cause = 'late_receiver' AND may_be_rendezvous));

CREATE TEMP TABLE sample_op (id INTEGER PRIMARY KEY, rank INTEGER, call INTEGER, kind TEXT,
	mode TEXT, post INTEGER, callsite INTEGER, done_call INTEGER, done_callsite INTEGER,
	until_done INTEGER);

INSERT OR IGNORE INTO sample_op
SELECT o.id, rank, call_id, kind, mode, post, callsite, iif(done > 0, done_call_id, NULL),
	iif(done > 0, done_callsite, NULL), iif(done > 0, span + gap, 0)
FROM (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w
CROSS JOIN op_row_fields o ON o.id = w.id;
