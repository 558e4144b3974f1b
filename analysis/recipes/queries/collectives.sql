-- SPDX-License-Identifier: BSD-3-Clause
-- Which collective calls wait, and why?
SELECT function, file, line, call, state, sum(count) AS count, sum(wait_ns) AS wait_ns, max(max_wait_ns) AS longest_ns
FROM collective_wait_by_callsite
GROUP BY function, file, line, call, state
ORDER BY wait_ns DESC, function, line
LIMIT :top
