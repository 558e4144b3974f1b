-- SPDX-License-Identifier: BSD-3-Clause
-- tryst's own time for a call at each callsite of a rank.
SELECT rank, callsite, sum(tool_ns) / sum(count) AS tool_ns
FROM call_cell_fields
WHERE count > 0
GROUP BY rank, callsite
