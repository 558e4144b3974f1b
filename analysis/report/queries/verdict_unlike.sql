-- SPDX-License-Identifier: BSD-3-Clause
-- In a job that hangs: the first collective instead of which other ranks called another one.
SELECT *
FROM unlike
WHERE (SELECT state IN ('hangs', 'hung') FROM outlook)
LIMIT 1
