-- SPDX-License-Identifier: BSD-3-Clause
-- Who was late, and what it did instead.
WITH b AS (SELECT * FROM blame_row), total AS (SELECT sum(blame_ns) AS ns FROM b)
SELECT rank, thread, activity AS "where", direct_ns, passed_ns AS passed_on_ns, blame_ns,
	100.0 * blame_ns / nullif(total.ns, 0) AS share_pct
FROM b, total
WHERE blame_ns > 0
ORDER BY blame_ns DESC, rank, thread, activity
LIMIT :top
