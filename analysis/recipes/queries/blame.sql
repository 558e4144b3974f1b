-- SPDX-License-Identifier: BSD-3-Clause
-- Between which calls were ranks late, and for how long did others wait for them?
SELECT b.rank, what, a.function AS after_function, a.line AS after_line, b.function, b.file, b.line,
	blame_ns, direct_ns, passed_ns
FROM blame b
LEFT JOIN callsite a ON a.rank = b.rank AND a.callsite = after_callsite AND a.frame = 0
ORDER BY blame_ns DESC, b.rank, b.line
LIMIT :top
