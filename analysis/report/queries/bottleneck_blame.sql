-- SPDX-License-Identifier: BSD-3-Clause
-- culprit: what ranks did while others waited, for each bottleneck that blame keeps apart. The
-- report names the first of these that has at least half of the waits: one rank's activity, one
-- activity of several ranks (late_ranks), or one rank's computing in several places.
-- through_rank: the rank that most of the others waited for and that waited itself.
-- in_turns_pct: how much of the lateness is by ranks that wait as much for others; 100 if both
-- shares of each rank are equal. If two ranks are late in turns, one of them still has half of
-- it: from 90 on the report names none.
-- activity: what a rank did, as in blame_rows.sql, by a number.
-- share: the part of a cell of blame that belongs to bottleneck o.n.
CREATE TEMP VIEW blame_share AS
SELECT c.rank, c.thread, what, c.callsite, c.after, o.rank AS of_rank, o.callsite AS of_callsite,
	o.call_id, o.kind, o.protocol, o.cause, CASE o.n
	WHEN 1 THEN of1
	WHEN 2 THEN of2
	WHEN 3 THEN of3
	WHEN 4 THEN of4
	WHEN 5 THEN of5
	WHEN 6 THEN of6
	WHEN 7 THEN of7
	ELSE of8 END AS share
FROM blame_cell c
CROSS JOIN blame_of_row_fields o;

CREATE TEMP TABLE culprit_thread AS
SELECT *, dense_rank() OVER (ORDER BY doing, after, place, call) AS activity
FROM (
	SELECT b.rowid AS bottleneck, c.rank, c.thread, doing(what) AS doing,
		iif(doing(what) = 'call', k.call, NULL) AS call,
		iif(doing(what) = 'call', coalesce(s.place, 'unknown'), s.place) AS place,
		iif(doing(what) = 'call', NULL, a.place) AS after, sum(1.0 * share) / 256.0 AS ns
	FROM blame_share c
	LEFT JOIN site p ON p.rank = of_rank AND p.callsite = of_callsite
	JOIN bottleneck b ON b.place = coalesce(p.place, 'unknown') AND b.fn = c.call_id
		AND b.kind = c.kind AND b.protocol IS c.protocol
		AND b.cause = c.cause
	LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
	LEFT JOIN site_call k ON k.rank = c.rank AND k.callsite = c.callsite
	LEFT JOIN site a ON a.rank = c.rank AND a.callsite = c.after
	WHERE share > 0
	GROUP BY 1, 2, 3, 4, 5, 6, 7);

CREATE TEMP TABLE activity (activity INTEGER PRIMARY KEY, doing TEXT, call TEXT, place TEXT,
		after TEXT);

INSERT OR IGNORE INTO activity
SELECT activity, doing, call, place, after
FROM culprit_thread;

CREATE TEMP TABLE culprit AS
SELECT bottleneck, rank, doing, activity, sum(ns) AS ns
FROM culprit_thread
GROUP BY 1, 2, 3, 4;

CREATE INDEX culprit_of ON culprit (bottleneck, rank);

CREATE TEMP TABLE culprit_sum AS
SELECT bottleneck, sum(ns) AS ns, sum(iif(doing = 'computation', ns, 0)) AS computing_ns
FROM culprit
GROUP BY bottleneck
HAVING sum(ns) > 0;

UPDATE bottleneck
SET computing_pct = 100.0 * c.computing_ns / c.ns
FROM culprit_sum c
WHERE c.bottleneck = bottleneck.rowid;

CREATE TEMP TABLE kept AS
SELECT bottleneck.rowid AS bottleneck, p.rank,
	1.0 * sum(ns) / sum(sum(ns)) OVER (PARTITION BY bottleneck.rowid) AS part
FROM bottleneck
CROSS JOIN late_pair p ON p.place = bottleneck.place AND p.call = fn AND p.kind = bottleneck.kind
	AND p.protocol IS bottleneck.protocol AND p.cause = bottleneck.cause
GROUP BY 1, 2;

CREATE INDEX kept_of ON kept (bottleneck, rank);

UPDATE bottleneck
SET in_turns_pct = c.pct
FROM (
	SELECT bottleneck, 100.0 * sum(min(c.part, w.part)) AS pct
	FROM (
		SELECT bottleneck, rank, sum(k.ns) / s.ns AS part
		FROM culprit k
		JOIN culprit_sum s USING (bottleneck)
		GROUP BY bottleneck, rank) c
	CROSS JOIN kept w USING (bottleneck, rank)
	GROUP BY bottleneck) c
WHERE c.bottleneck = bottleneck.rowid;

UPDATE bottleneck
SET late_rank = c.rank, late_rank_pct = c.pct, late_doing = c.doing, late_activity = c.activity
FROM (
	SELECT bottleneck, rank, doing, activity, 100.0 * max(c.ns) / s.ns AS pct
	FROM culprit c
	JOIN culprit_sum s USING (bottleneck)
	GROUP BY bottleneck) c
WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND NOT coalesce(in_turns_pct, 0) >= 90;

UPDATE bottleneck
SET late_ranks = c.ranks, late_rank_pct = c.pct, late_doing = c.doing, late_activity = c.activity
FROM (
	SELECT bottleneck, ranks, doing, activity, 100.0 * max(ns) / whole AS pct
	FROM (
		SELECT bottleneck, rank_list(rank) AS ranks, doing, activity, sum(c.ns) AS ns,
			s.ns AS whole
		FROM (SELECT * FROM culprit ORDER BY bottleneck, activity, rank) c
		JOIN culprit_sum s USING (bottleneck)
		GROUP BY bottleneck, activity)
	GROUP BY bottleneck) c
WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND late_rank IS NULL;

UPDATE bottleneck
SET late_rank = c.rank, late_rank_pct = c.pct, late_doing = 'computation'
FROM (
	SELECT bottleneck, rank, 100.0 * max(ns) / whole AS pct
	FROM (
		SELECT bottleneck, rank, sum(c.ns) AS ns, s.ns AS whole
		FROM culprit c
		JOIN culprit_sum s USING (bottleneck)
		WHERE doing = 'computation'
		GROUP BY bottleneck, rank)
	GROUP BY bottleneck) c
WHERE c.bottleneck = bottleneck.rowid AND c.pct >= 50 AND late_rank IS NULL AND late_ranks IS NULL
	AND NOT coalesce(in_turns_pct, 0) >= 90;

UPDATE bottleneck
SET late_thread = (
	SELECT thread
	FROM (
		SELECT thread, sum(ns) AS ns, sum(sum(ns)) OVER () AS whole
		FROM culprit_thread t
		WHERE t.bottleneck = bottleneck.rowid AND t.rank = late_rank
			AND t.doing = late_doing
			AND coalesce(late_activity, t.activity) = t.activity
		GROUP BY thread)
	WHERE ns >= 0.9 * whole)
WHERE late_rank IN (SELECT rank FROM threaded);

UPDATE bottleneck
SET through_rank = c.peer, through_pct = c.pct
FROM (
	SELECT id, peer, 100.0 * max(ns) / (
		SELECT sum(p.ns)
		FROM bottleneck
		JOIN late_pair p ON p.place = bottleneck.place AND p.call = fn
			AND p.kind = bottleneck.kind AND p.protocol IS bottleneck.protocol
			AND p.cause = bottleneck.cause
		WHERE bottleneck.rowid = id) AS pct
	FROM (
		SELECT bottleneck.rowid AS id, p.peer, sum(p.ns) AS ns
		FROM bottleneck
		JOIN late_pair p ON p.place = bottleneck.place AND p.call = fn
			AND p.kind = bottleneck.kind AND p.protocol IS bottleneck.protocol
			AND p.cause = bottleneck.cause AND p.peer <> late_rank
		GROUP BY 1, 2)
	GROUP BY id) c
WHERE c.id = bottleneck.rowid AND c.pct >= 20
	AND 200 * (
	SELECT coalesce(sum(k.ns), 0)
	FROM culprit k
	WHERE k.bottleneck = c.id AND k.rank = c.peer) < c.pct * (
	SELECT ns
	FROM culprit_sum s
	WHERE s.bottleneck = c.id);
