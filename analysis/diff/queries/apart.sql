-- SPDX-License-Identifier: BSD-3-Clause
-- Reasons why two runs cannot be compared completely.

-- query other_ranks: runs with other numbers of ranks; what a rank waited on average
SELECT (SELECT coalesce(sum(a_ns), 0) FROM row WHERE what = 'wait')
	/ (SELECT ranks FROM run WHERE side = 0) AS a_wait_ns,
	(SELECT coalesce(sum(b_ns), 0) FROM row WHERE what = 'wait')
	/ (SELECT ranks FROM run WHERE side = 1) AS b_wait_ns
WHERE (SELECT count(DISTINCT ranks) FROM run) > 1

-- query other_programs: runs of different programs
SELECT 1 AS programs_differ WHERE (SELECT count(DISTINCT short_file(program)) FROM run) > 1
