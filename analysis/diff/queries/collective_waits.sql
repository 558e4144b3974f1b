-- SPDX-License-Identifier: BSD-3-Clause
-- Waits in collectives by callsite and state, where the run was analyzed.
SELECT 'wait', rank, callsite, (SELECT name FROM call_name WHERE id = call),
	(SELECT name FROM coll_state_name WHERE id = state), sum(count), sum(ns), max(longest_ns)
FROM coll_part
GROUP BY rank, callsite, call, state
