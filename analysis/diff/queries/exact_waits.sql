-- SPDX-License-Identifier: BSD-3-Clause
-- Waits of messages by callsite and cause, where the run was analyzed. Causes share the longest
-- wait of a callsite.
SELECT 'wait', rank, callsite, (SELECT name FROM call_name WHERE id = call),
	cause, sum(waits), sum(ns),
	(SELECT max(max_wait_ns) FROM wait_cell_fields w
		WHERE w.rank = e.rank AND w.callsite = e.callsite AND w.call_id = e.call)
FROM exact_part e
GROUP BY rank, callsite, call, cause
