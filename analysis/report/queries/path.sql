-- SPDX-License-Identifier: BSD-3-Clause
-- The activities that must become shorter for the run to end earlier. of_all: the number of rows without :top.
SELECT doing, call, p.place, p.after, is_open, ranks, nranks, p.thread, ns AS path_ns,
	100.0 * ns / (SELECT nullif(value, 0) FROM match_info WHERE key = 'path_run_ns') AS
	share_pct, imbalance_ns, count(*) OVER () AS of_all,
	heavy, heavy_pct, iif(no_cpu_ns * 20 >= ns, no_cpu_ns, NULL) AS no_cpu_ns,
	iif(blocked_outside_ns * 20 >= ns, blocked_outside_ns, NULL) AS blocked_outside_ns,
	iif(nranks = 1,
		(SELECT value FROM run WHERE rank = CAST(ranks AS INTEGER) AND key = 'host'),
		NULL) AS host,
	EXISTS (SELECT 1 FROM run WHERE key IN ('samples_lost_bytes', 'unsampled_threads',
			'samples_dropped') AND CAST(value AS INTEGER) > 0) AS at_least
FROM path_row p
LEFT JOIN sampled s ON doing = 'computation'
	AND s.rank = iif(nranks = 1, CAST(ranks AS INTEGER), -1)
	AND s.thread = iif(nranks = 1, coalesce(p.thread, -1), -1)
	AND s.place = coalesce(p.place, '') AND s.after = coalesce(p.after, '')
WHERE ns > 0
ORDER BY ns DESC, doing = 'call', doing, call, p.after, p.place, p.thread
LIMIT :top
