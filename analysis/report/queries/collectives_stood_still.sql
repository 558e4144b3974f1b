-- SPDX-License-Identifier: BSD-3-Clause
-- For how long did collectives that all had posted stand still while a member computed? One
-- row with still_ns, where that is a hundredth of the waits in collectives. Needs the
-- report's coll_part.
SELECT still AS still_ns
FROM (
	SELECT sum(ns) AS ns, sum(iif(state.name = 'late_progress', ns, 0)) AS still
	FROM coll_part
	JOIN coll_state_name state ON state.id = coll_part.state)
WHERE 100 * still >= ns AND still > 0
