-- SPDX-License-Identifier: BSD-3-Clause
-- hedge(text): what the verdict adds where unexplained time could change it.
INSERT INTO rank_time
SELECT rank, 3, ns
FROM unpredicted
WHERE (SELECT sum(ns) FROM unpredicted) > 0;

CREATE TEMP TABLE hedge AS
SELECT printf('another %.1f %% was spent in message calls whose no-wait time is not known, '
		|| 'since %s%s.', 100.0 * ns / run, (SELECT text FROM unpredicted_why),
		(SELECT helps FROM unpredicted_why)) AS text
FROM (
	SELECT sum(ns) FILTER (WHERE part = 3) AS ns, sum(ns) FILTER (WHERE part = 0) AS run
	FROM rank_time)
WHERE ns * 100 >= run AND run > 0;
