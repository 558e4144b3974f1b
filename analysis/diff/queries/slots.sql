-- SPDX-License-Identifier: BSD-3-Clause
-- When in the run the waits of each callsite were.
SELECT rank, callsite, call, coalesce(state, cause, ''), slot, ns
FROM wait_slot_cell_fields
