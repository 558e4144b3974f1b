-- SPDX-License-Identifier: BSD-3-Clause
-- The causes of waits. Calls that were shorter than predicted are no waits (causes_shorter.sql).
SELECT *
FROM cause_row
WHERE wait_ns >= 0
ORDER BY wait_ns DESC, protocol, cause
