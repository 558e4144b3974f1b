-- SPDX-License-Identifier: BSD-3-Clause
-- Who was late, and what it did instead. of_all: the number of rows without :top. one_thread:
-- which thread it was, of a rank that has several.
SELECT b.rank, b.thread, direct_ns, passed_ns AS passed_on_ns, blame_ns,
	100.0 * blame_ns / nullif((SELECT sum(blame_ns) FROM blame_row), 0) AS share_pct, doing,
	call, b.place, b.after,
	iif(b.rank IN (SELECT rank FROM threaded), b.thread, NULL) AS one_thread,
	count(*) OVER () AS of_all, heavy, heavy_pct, no_cpu_pct, asleep_pct
FROM blame_row b
LEFT JOIN sampled s ON doing = 'computation' AND s.rank = b.rank AND s.thread = b.thread
	AND s.place = coalesce(b.place, '') AND s.after = coalesce(b.after, '')
WHERE blame_ns > 0
ORDER BY blame_ns DESC, b.rank, b.thread, doing = 'call', doing, call, b.after, b.place
LIMIT :top
