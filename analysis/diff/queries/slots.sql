-- SPDX-License-Identifier: BSD-3-Clause
-- When in the run the waits of each callsite were.
SELECT rank, callsite, (SELECT name FROM call_name WHERE id = call_id),
	coalesce((SELECT name FROM coll_state_name WHERE id = state_id),
		(SELECT name FROM cause_name WHERE id = cause_id), ''), slot, ns
FROM wait_slot_cell_fields
