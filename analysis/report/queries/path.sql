-- SPDX-License-Identifier: BSD-3-Clause
-- What the run would have to do faster to end earlier. of_all: the number of rows without :top.
SELECT doing, call, place, after, is_open, ranks, nranks, thread, ns AS path_ns,
	100.0 * ns / (SELECT nullif(value, 0) FROM match_info WHERE key = 'path_run_ns') AS
	share_pct, imbalance_ns, count(*) OVER () AS of_all
FROM path_row
WHERE ns > 0
ORDER BY ns DESC, doing = 'call', doing, call, after, place, thread
LIMIT :top
