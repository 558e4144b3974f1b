-- SPDX-License-Identifier: BSD-3-Clause
-- Which lines of the program wait longest, and why?
SELECT function, file, line, call, cause, sum(waits) AS waits,
	sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) AS wait_ns
FROM exact_by_callsite
WHERE cause NOT NULL
GROUP BY function, file, line, call, cause
ORDER BY wait_ns DESC, function, file, line
LIMIT :top
