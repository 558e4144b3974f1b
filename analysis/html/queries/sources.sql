-- SPDX-License-Identifier: BSD-3-Clause
-- Where the report's places stand in the source, ?1 of them at most.
SELECT place, min(file), line
FROM site JOIN callsite USING (rank, callsite)
WHERE frame = 0 AND file IS NOT NULL AND line > 0
GROUP BY place
ORDER BY 2, 3, 1
LIMIT ?1
