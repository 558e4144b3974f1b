-- SPDX-License-Identifier: BSD-3-Clause
-- Which lines of the program wait longest, and why?
SELECT function, file, line, call, cause, sum(waits) AS waits, sum(wait_ns) AS wait_ns
FROM exact_by_cause
GROUP BY function, file, line, call, cause
ORDER BY wait_ns DESC, function, file, line, call, cause
LIMIT :top
