-- SPDX-License-Identifier: BSD-3-Clause
-- Runs after the waits in collectives are known. Finds the calls in which waits were, and the
-- time in collectives without rows, whose waiting is unknown.
-- done_ns: the call in which a post's waits were; NULL: the post itself.
CREATE TEMP TABLE done_ns AS
SELECT coalesce(s.place, 'unknown') AS place, call_id AS call, protocol,
	cause, NULL AS done_call, NULL AS done_place,
	late_ns + progress_ns + order_ns + flow_ns + contention_ns + iif(protocol NOT NULL, other_ns,
		0) AS ns
FROM exact_cell_fields e
LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
WHERE cause NOT NULL
UNION ALL SELECT coalesce(s.place, 'unknown'), call_id, protocol, cause, NULL,
	NULL, -wait_ns
FROM exact_done_cell_fields d
LEFT JOIN site s ON s.rank = d.rank AND s.callsite = d.callsite
UNION ALL SELECT coalesce(s.place, 'unknown'), call_id, protocol, cause,
	done_call, coalesce(t.place, 'unknown'),
	wait_ns
FROM exact_done_cell_fields d
LEFT JOIN site s ON s.rank = d.rank AND s.callsite = d.callsite
LEFT JOIN site t ON t.rank = d.rank AND t.callsite = d.done_callsite;

-- done_part: the call in which most of a post's waiting was, unless it is the post itself
CREATE TEMP TABLE done_part AS
SELECT place, call, done_call, done_place
FROM (
	SELECT place, call, done_call, done_place,
		row_number() OVER (PARTITION BY place, call ORDER BY sum(ns) DESC, done_place) AS
		n
	FROM (
		SELECT place, call, done_call, done_place, ns
		FROM done_ns
		UNION ALL SELECT coalesce(s.place, 'unknown'), call,
			(SELECT name FROM call_name WHERE id = c.done_call AND c.done_call >= 0),
			iif(c.done_call < 0, NULL, coalesce(t.place, 'unknown')), ns
		FROM coll_part c
		LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
		LEFT JOIN site t ON t.rank = c.rank AND t.callsite = c.done_callsite)
	GROUP BY place, call, done_call, done_place)
WHERE n = 1 AND done_call NOT NULL;

-- done_of: the same by protocol and cause
CREATE TEMP TABLE done_of AS
SELECT place, call, protocol, cause, done_call, done_place
FROM (
	SELECT *, row_number() OVER (PARTITION BY place, call, protocol,
			cause ORDER BY sum(ns) DESC, done_place) AS n
	FROM done_ns
	GROUP BY place, call, protocol, cause, done_call, done_place)
WHERE n = 1 AND done_call NOT NULL;

INSERT INTO rank_time
SELECT rank, 'collective_waits', sum(ns)
FROM coll_part
GROUP BY rank;

INSERT INTO rank_time
SELECT rank, 'collectives_without_rows', ns
FROM (
	SELECT d.rank, (
		SELECT sum(time_ns)
		FROM call_cell c
		JOIN call_name n ON n.id = c.call
		WHERE c.rank = d.rank AND is_collective(n.name)) - (
		SELECT coalesce(sum(span), 0)
		FROM coll_row
		WHERE id BETWEEN first_id(d.rank) AND last_id(d.rank)) AS ns
	FROM run d
	WHERE key = 'dropped_collective' AND CAST(value AS INTEGER) > 0)
WHERE ns > 0;
