-- SPDX-License-Identifier: BSD-3-Clause
-- How much time does each line take in MPI?
SELECT function, file, line, call, sum(count) AS count, sum(time_ns) AS time_ns
FROM call_profile p
LEFT JOIN callsite c ON c.rank = p.rank AND c.callsite = p.callsite AND frame = 0
GROUP BY function, file, line, call
ORDER BY time_ns DESC, function, file, line
LIMIT :top
