-- SPDX-License-Identifier: BSD-3-Clause
-- By how much calls were shorter than predicted, beside their waits, if that is known to the
-- hundredth of the waits: the part of these predictions that is wrong.
SELECT -sum(wait_ns) AS shorter_ns
FROM cause_row
WHERE wait_ns < 0
HAVING 100 * shorter_ns >= (SELECT ns FROM waited_sum)
