-- SPDX-License-Identifier: BSD-3-Clause
-- The first collective of a job that hangs which others call by another name.
SELECT *
FROM unlike
WHERE (SELECT state IN ('hangs', 'hung') FROM outlook)
LIMIT 1
