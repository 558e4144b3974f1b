-- SPDX-License-Identifier: BSD-3-Clause
-- Which ranks do others wait for in collectives?
SELECT late_rank, sum(count) AS count, sum(wait_ns) AS wait_ns, sum(no_cpu_ns) AS no_cpu_ns
FROM collective_wait_by_late_rank
GROUP BY late_rank
ORDER BY wait_ns DESC, late_rank
LIMIT :top
