-- SPDX-License-Identifier: BSD-3-Clause
-- The largest callsite of rank ?1; 0: it has none.
SELECT max(coalesce((SELECT max(callsite) FROM frame_row WHERE rank = ?1), 0),
	coalesce((SELECT max(callsite) FROM site_row WHERE rank = ?1), 0),
	coalesce((SELECT max(callsite) FROM call_cell WHERE rank = ?1), 0))
