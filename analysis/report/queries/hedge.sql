-- SPDX-License-Identifier: BSD-3-Clause
-- hedge: the share of the time whose waiting is unknown, where it could change the verdict.
INSERT INTO rank_time
SELECT rank, 'unpredicted', ns
FROM unpredicted
WHERE (SELECT sum(ns) FROM unpredicted) > 0;

CREATE TEMP TABLE hedge AS
SELECT 100.0 * ns / run AS not_predicted_pct, reason, link_reason
FROM (
	SELECT sum(ns) FILTER (WHERE part = 'unpredicted') AS ns,
		sum(ns) FILTER (WHERE part = 'run') AS run
	FROM rank_time), unpredicted_why
WHERE ns * 100 >= run AND run > 0;
