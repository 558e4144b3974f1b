-- SPDX-License-Identifier: BSD-3-Clause
-- A run as a whole: program, ranks read, messages, unpredicted time in messages and why, run time,
-- and the number of all ranks.
SELECT (SELECT value FROM run WHERE key = 'program' LIMIT 1),
	(SELECT count(DISTINCT rank) FROM run),
	(SELECT sum(count) FROM wait_profile WHERE peer IS NOT NULL AND kind = 'send'),
	(SELECT sum(ns) FROM unpredicted),
	(SELECT prediction_lacks(reason, link_reason) FROM unpredicted_why),
	(SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns'),
	(SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size')
