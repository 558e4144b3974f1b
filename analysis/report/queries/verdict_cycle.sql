-- SPDX-License-Identifier: BSD-3-Clause
-- The ranks that wait for each other in a job that hangs. sends_alone: each one sends.
SELECT *, NOT EXISTS (SELECT 1 FROM cycle WHERE kind IS NOT 'send') AS sends_alone
FROM cycle
WHERE (SELECT state IN ('hangs', 'hung') FROM outlook)
ORDER BY nth
