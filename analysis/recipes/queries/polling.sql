-- SPDX-License-Identifier: BSD-3-Clause
-- Which calls polled in vain for a receive, and for how long?
SELECT function, file, line, complete_call, count(*) AS count, sum(poll_ns) AS poll_ns
FROM (
	SELECT o.*, f.function, f.file, f.line
	FROM op o
	LEFT JOIN callsite f ON f.rank = o.rank AND f.callsite = o.complete_callsite AND frame = 0
	WHERE poll_ns > 0)
GROUP BY function, file, line, complete_call
ORDER BY poll_ns DESC, function, line
LIMIT :top
