-- SPDX-License-Identifier: BSD-3-Clause
-- The ranks of a job that hangs which wait for each other.
SELECT *
FROM cycle
WHERE (SELECT state IN ('hangs', 'hung') FROM outlook)
ORDER BY nth
