-- SPDX-License-Identifier: BSD-3-Clause
-- Callsites as stacks.

-- query stacks: the stack of each callsite: modules and offsets
SELECT f.rank, f.callsite, group_concat(coalesce(m.build_id, m.path, '') || ':' || f.offset)
FROM frame_row f LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module
GROUP BY f.rank, f.callsite ORDER BY f.rank, f.callsite

-- query shared_sites: callsites whose frames are those of another rank's
SELECT rank, callsite, first_rank, first_callsite FROM site_row ORDER BY rank, callsite
