-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict on two runs for people. thing: wait; or call if too much of the time in messages is
-- unpredicted: all time in MPI is then compared. many_few: rows with too few waits to judge
-- changed by more than a tenth of the total. *_no_cpu_ns are NULL unless, in some row of waits,
-- the noise by CPU shortage is at least a tenth of all waiting.
WITH judged AS (
	SELECT 'wait' AS what WHERE NOT EXISTS (SELECT 1 FROM unsure)
	UNION ALL
	SELECT 'call' WHERE EXISTS (SELECT 1 FROM unsure)
), sums AS (
	SELECT what AS thing, coalesce(sum(a_ns), 0) AS a_ns, coalesce(sum(b_ns), 0) AS b_ns,
		coalesce(sum(verdict LIKE 'more%'), 0) AS more,
		coalesce(sum(verdict LIKE 'less%'), 0) AS less,
		coalesce(sum(abs(b_ns - a_ns)) FILTER (WHERE verdict LIKE 'few%'), 0) AS few_ns
	FROM judged LEFT JOIN row USING (what) GROUP BY what
), shortage AS (
	SELECT coalesce(sum(ns) FILTER (WHERE side = 0), 0) AS a, coalesce(sum(ns) FILTER (WHERE side = 1), 0) AS b,
		(
		SELECT max(machine_ns + chance_ns)
		FROM row, machine
		WHERE what = 'wait' AND noise_ns NOT NULL) AS noise_ns
	FROM held
	HAVING noise_ns * 10 >= (SELECT coalesce(max(sum(a_ns), sum(b_ns)), 0) FROM row WHERE what = 'wait')
		AND sum(ns) > 0
)
SELECT thing, sums.a_ns, sums.b_ns, more, less, few_ns, few_ns * 10 > max(sums.a_ns, sums.b_ns) AS many_few,
	(SELECT count(DISTINCT ranks) FROM run) > 1 AS other_ranks,
	(SELECT unpredicted_ns FROM unsure WHERE side = 0) AS a_unpredicted_ns, (SELECT why FROM unsure WHERE side = 0) AS a_why,
	(SELECT unpredicted_ns FROM unsure WHERE side = 1) AS b_unpredicted_ns, (SELECT why FROM unsure WHERE side = 1) AS b_why,
	(SELECT count(*) FROM unsure) = 2 AS both, shortage.a AS a_no_cpu_ns, shortage.b AS b_no_cpu_ns,
	shortage.noise_ns AS no_cpu_noise_ns
FROM sums LEFT JOIN shortage ON true
