-- SPDX-License-Identifier: BSD-3-Clause
-- How long the runs took, and whether the change is beyond the noise of diff.h.
SELECT a_ns, b_ns, change_ns, change_pct, noise_ns,
	CASE WHEN noise_ns IS NULL THEN NULL WHEN abs(change_ns) <= noise_ns THEN 'noise'
		WHEN change_ns > 0 THEN 'more' ELSE 'less' END AS verdict
FROM (
	SELECT a_ns, b_ns, b_ns - a_ns AS change_ns, 100.0 * (b_ns - a_ns) / nullif(a_ns, 0) AS change_pct,
		CAST(difference + square_root(chance_ns * chance_ns + 0.01 * max(1.0 * a_ns * a_ns, 1.0 * b_ns * b_ns))
			AS INTEGER) * iif((SELECT count(DISTINCT ranks) FROM run) = 1, 1, NULL) AS noise_ns
	FROM (
		SELECT (SELECT run_ns FROM run WHERE side = 0) AS a_ns, (SELECT run_ns FROM run WHERE side = 1) AS b_ns), machine
	WHERE a_ns NOT NULL AND b_ns NOT NULL)
