-- SPDX-License-Identifier: BSD-3-Clause
-- Rows with many events in one run and none in the other (diff.h): their number shows the change, so their variance
-- does not matter. A call that one run never makes is a change of the program.
UPDATE row SET variance = 0
WHERE what = 'call' AND (a_count = 0 AND a_ns = 0) <> (b_count = 0 AND b_ns = 0);

UPDATE row SET variance = 0
FROM (
	SELECT r.rowid AS vanished, max(a_count, b_count) AS events, count(DISTINCT w.slot) AS parts
	FROM row r
	LEFT JOIN site s ON s.id = r.id
	LEFT JOIN slot w ON w.side = s.side AND w.rank = s.rank AND w.callsite = s.callsite AND w.call = r.call
		AND w.cause = r.cause AND w.ns > 0
	WHERE what = 'wait' AND (a_count = 0 AND a_ns = 0) <> (b_count = 0 AND b_ns = 0)
	GROUP BY r.rowid)
WHERE row.rowid = vanished
	AND iif(parts, min(parts, events), events / 10) >=
		3 * length(printf('%o', 40 * (SELECT count(*) FROM row r WHERE r.what = 'wait')));
