-- SPDX-License-Identifier: BSD-3-Clause
-- How much time does each MPI function take, over all ranks?
SELECT call, sum(count) AS count, sum(time_ns) AS time_ns, max(max_ns) AS longest_ns
FROM call_profile
GROUP BY call
ORDER BY time_ns DESC, call
LIMIT :top
