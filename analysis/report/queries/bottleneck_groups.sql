-- SPDX-License-Identifier: BSD-3-Clause
-- pair_link: the rows of link_param that hold for a pair of ranks, by tier and `peer` there
-- (-1: none). receives_alone: do these links receive large messages while the program computes?
-- It has a row only if this is known and confirmed.
--
-- bottleneck: one row for each group of messages, with the limits of the links that join its
-- pairs. least_bytes: the smallest message has at least as many. It is the power of two of its
-- cell, or the bytes left if all others in the cell were as large as the largest. wait_ns: all
-- waits of these messages, whatever the cause. Unexplained time counts unless it is below 0.
-- mean_ns: the mean of the part that has the row's cause.
--
-- Links are searched by the columns of the index link_param_key. The index has no affinity, and
-- a unary + takes the affinity off the other side.
CREATE TEMP TABLE pair_link (rank INTEGER, peer INTEGER, tier TEXT, other INTEGER,
		PRIMARY KEY (rank, peer)) WITHOUT ROWID;

INSERT INTO pair_link
SELECT p.rank, p.peer, t.name, coalesce((
		SELECT l.peer
		FROM run k
		JOIN link_param l ON l.rank = p.rank AND l.tier = t.name
			AND coalesce(l.peer, -1) = +CAST(k.value AS INTEGER)
			AND coalesce(l.form, '') = '' AND coalesce(l.layout, '') = ''
			AND l.model = 'LogGPS' AND l.name = 'S' AND l.value IS NOT NULL
		WHERE k.rank = p.peer AND k.key = 'host_kind'), -1)
FROM peer_row p
JOIN tier_name t ON t.id = p.tier;

CREATE TEMP TABLE receives_alone (rank INTEGER, tier TEXT, other INTEGER, alone INTEGER,
		PRIMARY KEY (rank, tier, other)) WITHOUT ROWID;

INSERT INTO receives_alone
SELECT rank, tier, coalesce(peer, -1), max(value > 0)
FROM link_param
WHERE name = 'async_progress' AND value NOT NULL AND source IS NOT 'unconfirmed'
	AND coalesce(form, 'recv') LIKE '%recv%' AND model = 'LogGPS' AND layout IS NULL
GROUP BY 1, 2, 3;

CREATE TEMP TABLE bottleneck (place TEXT, call TEXT, protocol TEXT, cause TEXT, pairs INTEGER,
		count INTEGER, least_bytes INTEGER, most_bytes INTEGER, wait_ns INTEGER,
		unhidden_ns INTEGER, mean_ns INTEGER, late_mean_ns INTEGER,
		late_longest_ns INTEGER, elsewhere_pct REAL, same_sender_pct REAL, peer_call TEXT,
		peer_place TEXT, peer_done_call TEXT, peer_done_place TEXT, peer_share_pct REAL,
		inside_pct REAL, advice TEXT, kind TEXT, fn INTEGER, S INTEGER, S_p INTEGER, setting TEXT,
		setting_bytes INTEGER, async_progress INTEGER, synchronous_pct REAL,
		before_pct REAL, late_rank INTEGER, late_thread INTEGER, late_rank_pct REAL,
		late_doing TEXT, late_activity INTEGER, computing_pct REAL, in_turns_pct REAL,
		late_ranks TEXT, through_rank INTEGER, through_pct REAL,
		unconfirmed INTEGER);

INSERT INTO bottleneck (kind, fn, place, call, protocol, cause, pairs,
		count, least_bytes, most_bytes, wait_ns, mean_ns, late_mean_ns, late_longest_ns,
		elsewhere_pct, same_sender_pct, S, S_p, setting, setting_bytes, async_progress,
		unconfirmed)
SELECT e.kind, e.call_id, coalesce(s.place, 'unknown'), e.call, e.protocol, e.cause,
	count(DISTINCT e.rank || ' ' || e.peer), sum(waits),
	min(max(min_bytes,
			min(e.bytes - (e.count - 1) * max_bytes, max_bytes))), max(max_bytes),
	sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) + max(
		sum(iif(e.protocol NOT NULL, other_ns, 0)), 0) AS lost_ns,
	max(sum(CASE e.cause
			WHEN 'late_progress' THEN progress_ns
			WHEN 'wrong_order' THEN order_ns
			WHEN 'flow_control' THEN flow_ns
			WHEN 'contention' THEN contention_ns
			WHEN 'unexplained' THEN other_ns - other_no_cpu_ns
			WHEN 'no_cpu' THEN other_no_cpu_ns
			ELSE late_ns END), 0) / max(sum(waits), 1),
	iif(by_late_call,
		sum(lateness_ns) / max(sum(waits), 1), NULL),
	iif(by_late_call, max(max_lateness_ns), NULL),
	iif(by_late_call,
		100.0 - 100.0 * sum(late_ns + order_ns) / nullif(sum(lateness_ns), 0), NULL),
	iif(e.cause = 'wrong_order',
		100.0 * sum(order_same_ns) / nullif(sum(order_ns), 0), NULL),
	min(CAST(eager.value AS INTEGER)), min(CAST(alone.value AS INTEGER)), max(v.reason),
	max(CAST(v.value AS INTEGER)), max(coalesce(a.alone, b.alone)),
	max(eager.source IS 'unconfirmed')
FROM exact_cell_fields e
LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
LEFT JOIN pair_link p ON p.rank = e.rank AND p.peer = e.peer
LEFT JOIN link_param eager ON eager.rank = e.rank AND eager.tier = p.tier
	AND coalesce(eager.peer, -1) = +p.other AND coalesce(eager.form, '') = ''
	AND coalesce(eager.layout, '') = '' AND eager.model = 'LogGPS' AND eager.name = 'S'
LEFT JOIN link_param alone ON alone.rank = e.rank AND alone.tier = p.tier
	AND coalesce(alone.peer, -1) = +p.other AND coalesce(alone.form, '') = ''
	AND coalesce(alone.layout, '') = '' AND alone.model = 'LogGPS' AND alone.name = 'S_p'
LEFT JOIN link_param v ON v.rank = e.rank AND v.tier = p.tier AND coalesce(v.peer, -1) = +p.other
	AND coalesce(v.form, '') = '' AND coalesce(v.layout, '') = '' AND v.model = 'LogGPS'
	AND v.name = 'S_setting'
LEFT JOIN receives_alone a ON a.rank = e.rank AND a.tier = p.tier AND a.other = p.other
LEFT JOIN receives_alone b ON b.rank = e.rank AND b.tier = p.tier AND b.other = -1
WHERE e.cause NOT NULL
	AND (is_rendezvous OR held_up OR (e.cause = 'late_receiver' AND may_be_rendezvous))
GROUP BY 1, 2, 3, 5, 6;

CREATE TEMP TABLE late_pair AS
SELECT coalesce(s.place, 'unknown') AS place, e.call_id AS call, e.kind, e.protocol, e.cause,
	e.rank, peer,
	sum(late_ns + progress_ns) AS ns
FROM exact_cell_fields e
LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
WHERE by_late_rank AND peer >= 0
GROUP BY 1, 2, 3, 4, 5, 6, 7
HAVING sum(late_ns + progress_ns) > 0;

CREATE INDEX late_pair_of ON late_pair (place, call, kind, protocol, cause);

UPDATE bottleneck
SET inside_pct = (
	SELECT 100.0 * sum(inside_ns) / nullif(sum(late_ns), 0)
	FROM peer_side p
	WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind
		AND p.protocol IS bottleneck.protocol AND p.cause = bottleneck.cause AND inside_ns IS NOT NULL),
	before_pct = (
	SELECT 100.0 * sum(before_ns) / nullif(sum(late_ns), 0)
	FROM peer_side p
	WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind
		AND p.protocol IS bottleneck.protocol AND p.cause = bottleneck.cause AND before_ns IS NOT NULL),
	synchronous_pct = (
	SELECT 100.0 * avg(synchronous)
	FROM peer_side p
	WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind
		AND p.protocol IS bottleneck.protocol AND p.cause = bottleneck.cause);

UPDATE bottleneck
SET (peer_call, peer_place, peer_done_call, peer_done_place, peer_share_pct) = (
	SELECT (SELECT name FROM call_name WHERE id = peer_call), peer_place,
		(SELECT name FROM call_name WHERE id = done_call), done_place,
		100.0 * sum(late_ns) / nullif((
			SELECT sum(late_ns)
			FROM peer_side q
			WHERE q.place = bottleneck.place AND q.call = fn
				AND q.kind = bottleneck.kind AND q.protocol IS bottleneck.protocol
				AND q.cause = bottleneck.cause), 0)
	FROM peer_side p
	WHERE p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind
		AND p.protocol IS bottleneck.protocol AND p.cause = bottleneck.cause
	GROUP BY peer_call, peer_place, done_call, done_place
	ORDER BY sum(late_ns) DESC
	LIMIT 1);
