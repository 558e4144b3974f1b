-- SPDX-License-Identifier: BSD-3-Clause
-- Late ranks, and what they did instead. of_all: the number of rows without :top. one_thread: the thread, if
-- its rank has several. no_cpu_ns, blocked_outside_ns: parts of blame_ns, NULL below 5 % of it. at_least:
-- some of the rank's times without a CPU were not recorded.
SELECT b.rank, b.thread, direct_ns, passed_ns AS passed_on_ns, blame_ns,
	100.0 * blame_ns / nullif((SELECT sum(blame_ns) FROM blame_row), 0) AS share_pct, doing,
	call, b.place, b.after,
	iif(b.rank IN (SELECT rank FROM threaded), b.thread, NULL) AS one_thread,
	count(*) OVER () AS of_all, heavy, heavy_pct,
	iif(no_cpu_ns * 20 >= blame_ns, no_cpu_ns, NULL) AS no_cpu_ns,
	iif(blocked_outside_ns * 20 >= blame_ns, blocked_outside_ns, NULL) AS blocked_outside_ns,
	(SELECT value FROM run r WHERE r.rank = b.rank AND r.key = 'host') AS host,
	b.rank IN (SELECT rank FROM run WHERE key IN ('samples_lost_bytes', 'unsampled_threads',
			'samples_dropped') AND CAST(value AS INTEGER) > 0) AS at_least
FROM blame_row b
LEFT JOIN sampled s ON doing = 'computation' AND s.rank = b.rank AND s.thread = b.thread
	AND s.place = coalesce(b.place, '') AND s.after = coalesce(b.after, '')
WHERE blame_ns > 0
ORDER BY blame_ns DESC, b.rank, b.thread, doing = 'call', doing, call, b.after, b.place
LIMIT :top
