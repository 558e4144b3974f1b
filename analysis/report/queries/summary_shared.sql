-- SPDX-License-Identifier: BSD-3-Clause
-- Hosts whose ranks take turns on their processors. guessed: some rank did not record times without a CPU, so
-- their part of the waits is unknown.
SELECT h.value AS host, count(*) AS ranks, cpu_count(c.value) AS cpus,
	row_number() OVER (ORDER BY h.value) > 1 AS continues, NOT sampled AS guessed
FROM lost_in_waits, run h
JOIN run c USING (rank)
WHERE h.key = 'host' AND c.key = 'core_map'
GROUP BY h.value
HAVING count(*) > cpu_count(c.value)
ORDER BY h.value
LIMIT 3
