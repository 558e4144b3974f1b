-- SPDX-License-Identifier: BSD-3-Clause
-- time_row: parts of the ranks' time.
CREATE TEMP VIEW time_row AS
SELECT part, (SELECT n.rowid FROM part_name n WHERE n.part = t.part) AS nth,
	 (SELECT name FROM part_name n WHERE n.part = t.part) AS name,
	(SELECT plain FROM part_name n WHERE n.part = t.part) AS plain, sum(ns) AS all_ranks_ns,
	100.0 * sum(ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 'run'), 0) AS share_pct,
	min(ns) AS least_ns, (
	SELECT rank
	FROM rank_time l
	WHERE l.part = t.part
	ORDER BY ns, rank
	LIMIT 1) AS least_on, max(ns) AS most_ns,
	(SELECT rank FROM rank_time l WHERE l.part = t.part ORDER BY ns DESC, rank LIMIT 1) AS
	most_on
FROM rank_time t
GROUP BY part;
