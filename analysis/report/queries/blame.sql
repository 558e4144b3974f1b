-- SPDX-License-Identifier: BSD-3-Clause
-- Who was late, and what it did instead. of_all: the number of rows without :top. one_thread:
-- which thread it was, of a rank that has several.
SELECT rank, thread, direct_ns, passed_ns AS passed_on_ns, blame_ns,
	100.0 * blame_ns / nullif((SELECT sum(blame_ns) FROM blame_row), 0) AS share_pct, doing,
	call, place, after, iif(rank IN (SELECT rank FROM threaded), thread, NULL) AS one_thread,
	count(*) OVER () AS of_all
FROM blame_row
WHERE blame_ns > 0
ORDER BY blame_ns DESC, rank, thread, doing = 'call', doing, call, after, place
LIMIT :top
