-- SPDX-License-Identifier: BSD-3-Clause
-- How much waiting changed. few_ns: by how much the rows changed whose waits are too few to
-- tell a change from chance.
SELECT sum(a_ns) AS a_wait_ns, sum(b_ns) AS b_wait_ns, sum(b_ns) - sum(a_ns) AS change_ns,
	sum(verdict LIKE 'more%') AS more, sum(verdict LIKE 'less%') AS less,
	(SELECT unpredicted_ns FROM run WHERE side = 0) AS a_not_predicted_ns,
	(SELECT unpredicted_ns FROM run WHERE side = 1) AS b_not_predicted_ns,
	(SELECT coalesce(sum(ns), 0) FROM held WHERE side = 0) AS a_no_processor_ns,
	(SELECT coalesce(sum(ns), 0) FROM held WHERE side = 1) AS b_no_processor_ns,
	sum(verdict LIKE 'few%') AS few,
	coalesce(sum(abs(b_ns - a_ns)) FILTER (WHERE verdict LIKE 'few%'), 0) AS few_ns
FROM row WHERE what = 'wait'
