-- SPDX-License-Identifier: BSD-3-Clause
-- Which transfers could computing have hidden?
SELECT function, file, line, call, kind, sum(count) AS count, max(max_bytes) AS max_bytes, sum(unhidden_ns) AS unhidden_ns
FROM unhidden
GROUP BY function, file, line, call, kind
ORDER BY unhidden_ns DESC, function, line
LIMIT :top
