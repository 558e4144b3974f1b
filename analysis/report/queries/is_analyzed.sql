-- SPDX-License-Identifier: BSD-3-Clause
-- Is the report made of the tables of both sides? Yes if they have a message or a wait in a collective, or if one side
-- alone knows of no wait either.
SELECT count(*) > 0
FROM match_info
WHERE key = 'messages'
	AND (value > 0 OR EXISTS (SELECT 1 FROM collective_wait_row) OR NOT EXISTS (SELECT 1 FROM wait_cell WHERE wait_ns > 0))
