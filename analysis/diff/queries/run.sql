-- SPDX-License-Identifier: BSD-3-Clause
-- A run as a whole: program, ranks, messages, and the time in messages that is not predicted.
SELECT (SELECT value FROM run WHERE key = 'program' LIMIT 1),
	(SELECT count(DISTINCT rank) FROM run),
	(SELECT sum(count) FROM wait_profile WHERE peer IS NOT NULL AND kind = 'send'),
	(SELECT sum(ns) FROM unpredicted),
	(SELECT prediction_lacks(reason, link_reason) FROM unpredicted_why)
