-- SPDX-License-Identifier: BSD-3-Clause
-- pattern: forms of communication that cost time and have a known better form, each with its evidence. name: what it
-- is. rank, peer: whose it is; ranks: how many take part. count, mean_bytes: of the messages. time_ns: what the pattern
-- cost the ranks, a part of their time (share_pct). place, call: where; NULL: in several places.
--
--	load_imbalance    ranks come to collectives of all ranks at different times; told if a replay with equal work
--	                  between these collectives shortens the run. place, count: where and how often most is waited
--	barrier           call is a barrier: a replay without it shortens the run, one with equal work does not
--	small_messages    one rank sends a thousand or more of up to 64 KiB to one peer; those above 1 KiB are told if a
--	                  replay with several in one shortens the run
--	master            nine tenths of the messages of all others are with one rank. The middle of three ranks in a line
--	                  has these, too: with only two others, at least half of the receives must be from any source
--	pipeline          a chain of ranks: each one starts when the one before it sends. time_ns: the waits of the
--	                  first receives
--	serialised        blocking sends in both directions wait for receivers that are in their own sends and receives;
--	                  not told if a replay shows that nonblocking sends do not help
--	fan_out, fan_in   one rank sends the same to all others, or receives it from them, in one place
--	all_to_all        all ranks send the same to all others
--	ring              all ranks send to the next one alone, as often as a ring has steps
--	one_late          one rank has most of the blame
--	late_in_turns     ranks are late in turns
--
-- pattern_told: the patterns in the report. If ranks lacked a CPU, it lacks those of late ranks. Order: remedies that
-- help in a replay, by gain; remedies that no replay has tried, by time; remedies that do not help.
-- steps: of a tree over all ranks, in which each step doubles the ranks that have the data.
-- told_order: 0 if the better form helps in a replay, 1 if its gain is unknown or withheld, 2 if it does not help.
-- No gain is known if chance (interval_ns) is as long as the run.
--
-- traffic: messages of a rank with a peer at a callsite.
--
-- gain_ns: what the remedy brings, of small messages with up to `by` of them in one, of a master's with `by` pieces of
-- work in each. both_ways: small messages of both directions are combined, which helps, and are told of once.
--
-- own_helps: a collective also helps with each rank's own data (MPI_Scatter, MPI_Gather, MPI_Allgather), and gain_ns is
-- that gain. Otherwise it is the gain with shared or reduced data (MPI_Bcast, MPI_Reduce, MPI_Allreduce).
--
-- without_gain_ns: what it brings to leave the barrier of a load imbalance out, if that helps.
--
-- pattern_best: the pattern whose remedy would shorten the run more than any bottleneck of the report is worth, and more
-- than its remedies. Patterns of late ranks do not count: bottlenecks tell of them. Work may be balanced for a
-- bottleneck, too: the bottleneck comes first unless the pattern's gain is a tenth larger. As with bottlenecks, a pattern
-- of waits counts no more than these waits.
CREATE TEMP TABLE pattern (pattern INTEGER PRIMARY KEY, name TEXT, rank INTEGER, peer INTEGER, ranks INTEGER,
		callsite INTEGER, call TEXT, place TEXT, count INTEGER, mean_bytes INTEGER, time_ns INTEGER,
		share_pct REAL, bottleneck INTEGER);

CREATE TEMP TABLE traffic AS
SELECT rank, kind, callsite, call, peer, sum(count) AS count, sum(bytes) AS bytes, sum(blocked_ns) AS ns,
	min(bytes_log2) AS least_log2, max(bytes_log2) AS most_log2
FROM wait_cell_fields
WHERE peer >= 0 AND peer <> rank AND count > 0 AND NOT other_world
GROUP BY rank, kind, callsite, call_id, peer;

CREATE INDEX traffic_pair ON traffic (rank, peer, kind);

CREATE INDEX traffic_to ON traffic (peer, kind);

CREATE TEMP VIEW ranks_run AS
SELECT count(*) AS n, sum(ns) AS ns
FROM rank_time
WHERE part = 'run';

INSERT INTO pattern (name, rank, ranks, call, place, count, time_ns)
SELECT 'load_imbalance', (SELECT rank FROM late_one), n,
	(SELECT name FROM call_name WHERE id = w.call), w.place, w.count, w.all_ns
FROM (
	SELECT s.place, c.call, sum(c.count) AS count, sum(c.ns) AS ns, sum(sum(c.ns)) OVER () AS all_ns
	FROM coll_part c
	LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
	GROUP BY s.place, c.call
	ORDER BY sum(c.ns) DESC, s.place
	LIMIT 1) w
JOIN ranks_run
WHERE n >= 2;

INSERT INTO pattern (name, rank, peer, ranks, callsite, call, count, mean_bytes, time_ns)
SELECT 'small_messages', rank, peer, 2, callsite, call, count, bytes / count, ns
FROM (
	SELECT *, row_number() OVER (PARTITION BY bytes <= 1024 * count ORDER BY ns DESC) AS number
	FROM (
		SELECT s.rank, s.peer, s.callsite, s.call, s.count, s.bytes,
			s.ns + coalesce(CAST(1.0 * r.ns * min(s.count, r.count) / r.count AS INTEGER), 0) AS ns
		FROM traffic s
		LEFT JOIN (
			SELECT rank, peer, sum(ns) AS ns, sum(count) AS count
			FROM traffic
			WHERE kind = 'recv'
			GROUP BY rank, peer) r ON r.rank = s.peer AND r.peer = s.rank
		WHERE s.kind = 'send' AND s.count >= 1000 AND s.bytes <= 65536 * s.count))
WHERE number <= 3
ORDER BY ns DESC;

INSERT INTO pattern (name, rank, ranks, count, mean_bytes, time_ns)
WITH whole AS (SELECT rank, sum(count) AS count FROM traffic GROUP BY rank),
	side AS (
	SELECT rank, peer, sum(count) AS count, sum(bytes) AS bytes, count(DISTINCT kind) AS ways
	FROM traffic
	GROUP BY rank, peer)
SELECT 'master', s.peer, (SELECT n FROM ranks_run), sum(s.count), sum(s.bytes) / sum(s.count), (
	SELECT sum(ns)
	FROM exact_part
	WHERE peer = s.peer AND ns > 0)
FROM side s
JOIN whole w USING (rank)
WHERE s.count >= 0.9 * w.count AND ways = 2 AND s.count >= 4
GROUP BY s.peer
HAVING count(*) = (SELECT n FROM ranks_run) - 1 AND (count(*) >= 3 OR count(*) = 2 AND (
	SELECT 2 * sum(any_source) >= count(*)
	FROM op_row_fields o
	WHERE o.id BETWEEN first_id(s.peer) AND last_id(s.peer) AND kind = 'recv'));

INSERT INTO pattern (name, rank, peer, ranks, count, mean_bytes, time_ns)
WITH edge AS (SELECT rank, peer, sum(count) AS count, sum(bytes) AS bytes FROM traffic WHERE kind = 'send' GROUP BY 1, 2),
	chain AS (
	SELECT count(*) AS edges, count(DISTINCT rank) AS senders, count(DISTINCT peer) AS receivers,
		sum(count) AS count, sum(bytes) AS bytes,
		(SELECT rank FROM edge WHERE rank NOT IN (SELECT peer FROM edge)) AS head,
		(SELECT peer FROM edge WHERE peer NOT IN (SELECT rank FROM edge)) AS tail
	FROM edge)
SELECT 'pipeline', head, tail, n, count, bytes / count, (
	SELECT sum(late)
	FROM (
		SELECT min(recv), late
		FROM match_row
		GROUP BY rank_of(recv)))
FROM chain
JOIN ranks_run
WHERE n >= 3 AND edges = n - 1 AND senders = edges AND receivers = edges AND head NOT NULL AND tail NOT NULL;

CREATE TEMP VIEW serialised_row AS
SELECT rowid AS bottleneck, pairs, call, place, count, wait_ns
FROM bottleneck b
WHERE cause = 'late_receiver' AND call IN ('MPI_Send', 'MPI_Ssend') AND inside_pct >= 50
	AND pairs >= 2 AND EXISTS (
	SELECT 1
	FROM activity a
	WHERE a.activity = b.late_activity AND doing = 'call' AND a.call IN ('MPI_Send', 'MPI_Ssend', 'MPI_Recv'))
	AND (
	SELECT count(*) * 2 >= b.pairs
	FROM traffic t
	JOIN site s ON s.rank = t.rank AND s.callsite = t.callsite AND s.place = b.place
	WHERE t.kind = 'send' AND EXISTS (
		SELECT 1
		FROM traffic o
		WHERE o.kind = 'send' AND o.rank = t.peer AND o.peer = t.rank));

INSERT INTO pattern (name, ranks, call, place, count, time_ns, bottleneck)
SELECT 'serialised', pairs + 1, call, place, count, wait_ns, bottleneck
FROM serialised_row;

-- A callsite of a rank with equally many and equally long messages for all other ranks.
CREATE TEMP TABLE fan AS
SELECT rank, kind, callsite, call, sum(count) AS count, sum(bytes) / sum(count) AS mean_bytes, sum(ns) AS ns
FROM traffic
WHERE rank NOT IN (SELECT rank FROM pattern WHERE name = 'master')
GROUP BY rank, kind, callsite, call
HAVING count(*) = (SELECT n FROM ranks_run) - 1 AND count(*) >= 3 AND min(count) = max(count)
	AND min(least_log2) = max(most_log2);

INSERT INTO pattern (name, rank, ranks, callsite, call, count, mean_bytes, time_ns)
SELECT 'fan_out', rank, n, callsite, call, count, mean_bytes, f.ns + coalesce((
	SELECT CAST(1.0 * sum(ns) * min(f.count, sum(count)) / sum(count) AS INTEGER)
	FROM traffic t
	WHERE t.kind = 'recv' AND t.peer = f.rank), 0)
FROM fan f
JOIN ranks_run
WHERE kind = 'send' AND (SELECT count(DISTINCT rank) FROM fan WHERE kind = 'send') < n
UNION ALL SELECT 'fan_in', rank, n, callsite, call, count, mean_bytes, f.ns
FROM fan f
JOIN ranks_run
WHERE kind = 'recv' AND (SELECT count(DISTINCT rank) FROM fan WHERE kind = 'recv') < n;

INSERT INTO pattern (name, ranks, count, mean_bytes, time_ns)
SELECT 'all_to_all', n, sum(count), sum(count * mean_bytes) / sum(count), sum(f.ns)
FROM fan f
JOIN ranks_run
WHERE kind = 'send'
GROUP BY NULL
HAVING count(DISTINCT rank) = n;

INSERT INTO pattern (name, ranks, count, mean_bytes, time_ns)
SELECT 'ring', n, sum(count), sum(bytes) / sum(count), sum(t.ns) + (SELECT sum(ns) FROM traffic WHERE kind = 'recv')
FROM traffic t
JOIN ranks_run
WHERE kind = 'send'
GROUP BY NULL
HAVING n >= 3 AND count(DISTINCT rank) = n AND min((peer - rank + n) % n) = max((peer - rank + n) % n)
	AND min((peer - rank + n) % n) IN (1, n - 1) AND sum(count) % (n * (n - 1)) = 0;

INSERT INTO pattern (name, rank, ranks, time_ns)
SELECT late.name, late.rank, n, late.pct / 100 * waited_ns
FROM (
	SELECT 'one_late' AS name, rank, pct FROM late_one
	UNION ALL SELECT 'late_in_turns', NULL, 100 FROM late_turns WHERE pct >= 90) late
JOIN waited_total
JOIN ranks_run
WHERE n >= 2;

UPDATE pattern
SET share_pct = 100.0 * time_ns / nullif((SELECT ns FROM ranks_run), 0),
	place = coalesce(place, (
		SELECT s.place
		FROM site s
		WHERE s.rank = pattern.rank AND s.callsite = pattern.callsite));

-- The report leaves out what costs less than 2 % of the ranks' time.
DELETE FROM pattern
WHERE coalesce(share_pct, 0) < 2;

-- Of messages (or pieces of work) combined: the fewest that bring nine tenths of the best.
CREATE TEMP VIEW pattern_combined AS
SELECT pattern, min(by) AS by, gain_ns, bare_ns, both_ways AND gain_ns > interval_ns AS both_ways
FROM (
	SELECT g.*, interval_ns, max(gain_ns) OVER (PARTITION BY pattern) AS most_ns
	FROM pattern_gain g
	JOIN worth_run
	WHERE by > 0 AND bare_ns > interval_ns)
WHERE gain_ns >= 0.9 * most_ns
GROUP BY pattern;

-- pattern_tried: what replays of better forms brought, of which gain_ns counts. Nothing if ranks lacked a CPU.
CREATE TEMP VIEW pattern_tried AS
SELECT p.pattern, iif(barrier, 'barrier', p.name) AS name, p.rank, p.peer, p.ranks, p.callsite, p.call, p.place, p.count,
	p.mean_bytes, p.time_ns, p.share_pct, w.interval_ns, withheld, a.gain_ns AS by8_gain_ns, b.gain_ns AS by64_gain_ns,
	iif(p.name = 'small_messages', k.bare_ns, NULL) AS bare_run_ns,
	coalesce(t.gain_ns, iif(barrier, n.gain_ns, e.gain_ns)) AS remedy_gain_ns, k.by, k.both_ways,
	coalesce(k.gain_ns, t.gain_ns, iif(barrier, n.gain_ns, e.gain_ns), iif(c.own_helps, c.own_ns, c.same_ns)) AS gain_ns,
	c.same_ns, c.own_ns, m.most_ns, coalesce(c.own_helps, 0) AS own_helps,
	iif(barrier, NULL, n.gain_ns) AS without_gain_ns, coalesce(t.helps, 1) AS helps
FROM pattern p
JOIN advice_limits
LEFT JOIN worth_run w ON true
LEFT JOIN pattern_combined k ON k.pattern = p.pattern AND NOT withheld
LEFT JOIN pattern_gain a ON a.pattern = k.pattern AND a.by = 8 AND p.name = 'small_messages'
LEFT JOIN pattern_gain b ON b.pattern = k.pattern AND b.by = 64
LEFT JOIN pattern_gain e ON e.pattern = p.pattern AND e.by = 0 AND NOT withheld
LEFT JOIN (
	SELECT n.pattern, n.gain_ns, NOT coalesce(o.gain_ns > interval_ns, 0) AS barrier
	FROM pattern_gain n
	JOIN worth_run
	LEFT JOIN pattern_gain o ON o.pattern = n.pattern AND o.by = 0
	WHERE n.by = -1 AND n.gain_ns > interval_ns) n ON n.pattern = p.pattern AND NOT withheld
LEFT JOIN (
	SELECT c.*, coalesce(own_ns > interval_ns, 0) AS own_helps
	FROM collective_gain c
	JOIN worth_run ON run_ns > interval_ns) c ON c.pattern = p.pattern AND NOT withheld
LEFT JOIN master_gain m ON m.pattern = p.pattern AND w.run_ns > w.interval_ns AND NOT withheld
LEFT JOIN remedy_tried t ON t.bottleneck = p.bottleneck AND t.remedy = 'send_nonblocking'
	AND coalesce(w.run_ns > w.interval_ns, 1) AND NOT withheld;

CREATE TEMP VIEW pattern_told AS
SELECT name AS pattern, rank, peer, ranks, call, place AS "where", count, mean_bytes, time_ns, share_pct, by8_gain_ns,
	by64_gain_ns, bare_run_ns, remedy_gain_ns, interval_ns, withheld,
	iif(name IN ('fan_out', 'fan_in', 'ring'), (
		WITH RECURSIVE tree (steps, reached) AS (
			VALUES (0, 1) UNION ALL SELECT steps + 1, 2 * reached FROM tree WHERE reached < p.ranks)
		SELECT max(steps)
		FROM tree), NULL) AS steps, ranks - 1 AS steps_now,
	name IN ('pipeline', 'all_to_all') OR name IN ('fan_out', 'fan_in', 'ring') AND same_ns IS NULL
		OR name = 'master' AND most_ns IS NULL AND gain_ns IS NULL AS untried,
	by, gain_ns, same_ns AS same_gain_ns, own_ns AS own_gain_ns, most_ns AS most_gain_ns, own_helps, without_gain_ns,
	CASE
		WHEN gain_ns > coalesce(interval_ns, 0) THEN 0
		WHEN name <> 'master' AND gain_ns NOT NULL OR most_ns <= interval_ns THEN 2
		ELSE 1 END AS told_order, coalesce(both_ways, 0) AS both_ways
FROM pattern_tried p
WHERE helps AND (name NOT IN ('load_imbalance', 'serialised', 'one_late', 'late_in_turns') OR NOT withheld)
	AND (name <> 'load_imbalance' OR gain_ns > interval_ns)
	AND (name <> 'small_messages' OR mean_bytes <= 1024 OR gain_ns > interval_ns)
	AND NOT (both_ways AND EXISTS (
	SELECT 1
	FROM pattern_tried o
	WHERE o.name = p.name AND o.both_ways AND o.rank = p.peer AND o.peer = p.rank AND o.pattern < p.pattern))
ORDER BY told_order, gain_ns DESC, share_pct DESC, pattern;

CREATE TEMP VIEW pattern_best AS
SELECT *
FROM (
	SELECT *, CASE pattern WHEN 'load_imbalance' THEN min(0.9 * gain_ns, time_ns)
			WHEN 'barrier' THEN min(gain_ns, time_ns) ELSE gain_ns END AS counts_ns
	FROM pattern_told
	WHERE pattern IN ('small_messages', 'load_imbalance', 'barrier', 'fan_out', 'fan_in', 'ring', 'master'))
WHERE gain_ns > interval_ns AND counts_ns > coalesce((
	SELECT max(max(worth_ns, coalesce(r.gain_ns, 0)))
	FROM worth_told o
	LEFT JOIN remedy_best r USING (bottleneck)
	WHERE o.worth_ns > interval_ns AND NOT chance), 0)
ORDER BY counts_ns DESC
LIMIT 1;
