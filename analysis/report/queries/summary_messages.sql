-- SPDX-License-Identifier: BSD-3-Clause
-- How many messages were seen from both sides, NULL if one side alone is known, and behind it how
-- many operations lack a partner for which reason. A running job has no such row: they may still find one.
SELECT 0 AS nth, (SELECT value FROM match_info WHERE key = 'messages') AS messages,
	EXISTS (SELECT 1 FROM match_info) AS both_sides, NULL AS reason, NULL AS ops,
	0 AS continues
WHERE EXISTS (SELECT 1 FROM run)
UNION ALL SELECT row_number() OVER (ORDER BY sum(ops) DESC), NULL, 1, reason, sum(ops), 1
FROM match_summary
WHERE NOT matched AND EXISTS (SELECT 1 FROM match_info)
	AND NOT EXISTS (SELECT 1 FROM outlook WHERE state = 'runs')
GROUP BY reason
ORDER BY nth
