-- SPDX-License-Identifier: BSD-3-Clause
-- By how much calls were shorter than predicted, from 1 % of the waits on. This is an error of the
-- predictions (causes_rows.sql).
SELECT -sum(wait_ns) AS shorter_ns
FROM cause_row
WHERE wait_ns < 0
HAVING 100 * shorter_ns >= (SELECT ns FROM waited_sum)
