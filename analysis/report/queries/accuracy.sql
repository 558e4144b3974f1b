-- SPDX-License-Identifier: BSD-3-Clause
-- How well did live waits match the exact waits, from both sides? Times in ns; right_cause_pct: of the waits, those
-- whose cause was right.
SELECT kind, protocol, sum(count) AS count, sum(bias_ns * count) / sum(count) AS bias_ns,
	max(median_error_ns) AS worst_median_error_ns,
	100.0 * sum(right_cause * count) / sum(count) AS right_cause_pct
FROM live_accuracy
WHERE protocol IS NOT NULL
GROUP BY kind, protocol
ORDER BY kind DESC, protocol
