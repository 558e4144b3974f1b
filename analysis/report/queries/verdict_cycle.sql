-- SPDX-License-Identifier: BSD-3-Clause
-- The ranks that wait for each other in a job that hangs.
SELECT *
FROM cycle
WHERE (SELECT state IN ('hangs', 'hung') FROM outlook)
ORDER BY nth
